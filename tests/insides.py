"""The insides of certus that several tests need: registries that forget, and the rows that a state keeps in a file."""

import pytest

from certus.core import registry
from certus.core.registry import Registry
from certus.metrics import declaration
from certus.states import State
from certus.states._rows import Spilled


def forget_metrics(patch: pytest.MonkeyPatch, task: str) -> None:
    """Metrics of the task that are declared from now on are forgotten after the test."""
    metrics = declaration.METRICS.get(task, Registry(f"{task} metric"))
    patch.setitem(declaration.METRICS, task, Registry(metrics.noun, metrics, metrics.aliases))


def forget_tasks(patch: pytest.MonkeyPatch, *unknown: str) -> None:
    """Tasks that are registered from now on are forgotten after the test; those named are unknown from now on."""
    patch.setattr(
        registry, "TASKS", Registry("task", {task.name: task for task in registry.tasks() if task.name not in unknown})
    )


def in_a_file(state: State) -> Spilled:
    """The rows of a state with a limit of memory."""
    assert isinstance(state._rows, Spilled)
    return state._rows
