"""Settings of all tests."""

import gc
import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A task that tests/test_tasks.py declares for as long as its tests run; a script that made logs with Inspect.
collect_ignore = ["interval_forecasts", "reference/inspect/make.py"]

# How long an example takes depends on what else the machine does, and on what is imported by the first one.
ALWAYS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None, print_blob=True)

# The same examples each time, at home as in CI: what a run finds does not depend on luck.
settings.register_profile("certus", ALWAYS, derandomize=True)
# Other examples each time, for tools/search.py.
settings.register_profile("search", ALWAYS, derandomize=False)
EXAMPLES = os.environ.get("CERTUS_EXAMPLES", "certus")
settings.load_profile(EXAMPLES)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """None of the 1.7 million objects that tests are made of is garbage: searching them again and again takes long."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked as thorough to tools/search.py; `make test` runs others of their kind."""
    if EXAMPLES != "search":
        config.hook.pytest_deselected(items=[each for each in items if each.get_closest_marker("thorough")])
        items[:] = [each for each in items if not each.get_closest_marker("thorough")]
