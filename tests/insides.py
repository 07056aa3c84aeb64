"""The insides of certus that several tests need: registries that forget, and the rows that a state keeps in a file."""

import pytest

from certus import registry
from certus.metrics import _registry
from certus.states import State
from certus.states._spilled import Spilled


def forget_metrics(patch: pytest.MonkeyPatch, task: str) -> None:
    """Metrics of the task that are declared from now on are forgotten after the test."""
    patch.setitem(_registry._METRICS, task, dict(_registry._METRICS.get(task, {})))


def forget_tasks(patch: pytest.MonkeyPatch, *unknown: str) -> None:
    """Tasks that are registered from now on are forgotten after the test; those named are unknown from now on."""
    patch.setattr(registry, "_TASKS", {each.name: each for each in registry.tasks() if each.name not in unknown})


def in_a_file(state: State) -> Spilled:
    """The rows of a state with a limit of memory."""
    assert isinstance(state._rows, Spilled)
    return state._rows
