"""A pytest plugin that runs scikit-learn's own tests with certus.compat.sklearn in place of its metrics.

It is loaded before any test module: the public names on `sklearn.metrics`, `sklearn.metrics.cluster` and
`sklearn.calibration` are replaced, the
private modules are left alone, so what the tests compare with stays scikit-learn's. What each test called is counted,
and written as JSON with how the test ended to the file that ``CERTUS_SKLEARN_SUITE`` names.
"""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

_calls: defaultdict[str, Counter[str]] = defaultdict(Counter)
_ended: dict[str, str] = {}
_said: dict[str, str] = {}
_running = ""


def _counted(name: str, ours: Callable[..., Any], theirs: Callable[..., Any], module: str) -> Callable[..., Any]:
    @wraps(ours)
    def call(*args: Any, **keywords: Any) -> Any:
        _calls[_running][name] += 1
        return ours(*args, **keywords)

    call.__module__ = module  # where it is found, so that it can be pickled
    # tests/test_public_functions.py makes invalid arguments from what scikit-learn says a parameter accepts.
    constraints = getattr(theirs, "_skl_parameter_constraints", None)
    if constraints is not None:
        call._skl_parameter_constraints = constraints  # type: ignore[attr-defined]
    return call


def pytest_configure() -> None:
    """Put certus in place of scikit-learn's metrics, before any test module is imported."""
    import sklearn.calibration
    import sklearn.metrics
    import sklearn.metrics.cluster

    import certus.compat.sklearn as face

    for module in (sklearn.metrics, sklearn.calibration, sklearn.metrics.cluster):
        for name in face.__all__:
            theirs = vars(module).get(name)
            if theirs is not None and not isinstance(theirs, type):
                setattr(module, name, _counted(name, getattr(face, name), theirs, module.__name__))


def _identity(item: pytest.Item) -> str:
    """The test's module and name, wherever scikit-learn is installed."""
    return f"{item.module.__name__}::{item.name}"  # type: ignore[attr-defined]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """Say which test is running."""
    global _running
    _running = _identity(item)
    try:
        return (yield)
    finally:
        _running = ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Keep how the test ended."""
    report = yield
    name = _identity(item)
    if report.outcome != "passed":
        _ended[name] = report.outcome
        _said[name] = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", ""))[:300]
    elif report.when == "call":
        _ended.setdefault(name, "passed")
    return report


def pytest_sessionfinish() -> None:
    """Write down what was called and how each test ended."""
    path = os.environ.get("CERTUS_SKLEARN_SUITE")
    if path:
        tests = {
            name: {"outcome": outcome, "calls": dict(_calls[name]), "message": _said.get(name, "")}
            for name, outcome in _ended.items()
        }
        Path(path).write_text(json.dumps(tests, indent=1, sort_keys=True))
