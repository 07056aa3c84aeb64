"""Pages whose examples need a library that users may not have, and those that declare what is theirs alone."""

from importlib.util import find_spec

import pytest

from certus import registry
from certus.metrics import _registry

_NEEDS = {"other-tools.md": "ir_measures", "scikit-learn.md": "sklearn"}
collect_ignore = [page for page, library in _NEEDS.items() if not find_spec(library)]


@pytest.fixture(autouse=True)
def _declared_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics and tasks that a page declares are forgotten at its end: other tests go through all there are."""
    for task in registry.names():
        _registry.declared(task)
    monkeypatch.setattr(registry, "_TASKS", dict(registry._TASKS))
    monkeypatch.setattr(_registry, "_METRICS", {task: dict(known) for task, known in _registry._METRICS.items()})
    monkeypatch.setattr(_registry, "_EXTENDED", set(_registry._EXTENDED))
