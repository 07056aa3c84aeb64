"""Pages whose examples need a library that users may not have, and those that declare what is theirs alone."""

from importlib.util import find_spec
from typing import Any

import pytest

from certus.core import registry
from certus.core.registry import Registry
from certus.metrics import declaration

_NEEDS = {"cookbook.md": "sklearn", "other-tools.md": "ir_measures", "scikit-learn.md": "sklearn"}
collect_ignore = [page for page, library in _NEEDS.items() if not find_spec(library)]


def _copy(entries: Registry[Any]) -> Registry[Any]:
    return Registry(entries.noun, entries, entries.aliases)


@pytest.fixture(autouse=True)
def _declared_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics and tasks that a page declares are forgotten at its end: other tests go through all there are."""
    for task in registry.names():
        declaration.declared(task)
    monkeypatch.setattr(registry, "TASKS", _copy(registry.TASKS))
    monkeypatch.setattr(declaration, "METRICS", {task: _copy(metrics) for task, metrics in declaration.METRICS.items()})
