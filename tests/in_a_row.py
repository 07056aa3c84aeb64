"""Many cases in one test: pytest takes 2 ms of processor time for each test before it does anything."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def in_a_row(names: str, cases: Iterable[Any], *, group: Callable[..., str] | None = None) -> Callable[[Test], Test]:
    """Call a test with each case, as `pytest.mark.parametrize` does, but in one test; a failure names its case.

    With `group`, there is one test for each group of cases.
    """
    first, *others = names.split(", ")
    groups: dict[str, list[dict[str, Any]]] = {}
    for each in cases:
        case = dict(zip((first, *others), each, strict=True)) if others else {first: each}
        groups.setdefault(group(*case.values()) if group else "", []).append(case)

    def decorate(test: Test) -> Test:
        hidden = others if group else [first, *others]
        asked = inspect.signature(test)
        shown = asked.replace(parameters=[each for name, each in asked.parameters.items() if name not in hidden])

        @wraps(test)
        def of_each(*values: Any, **named: Any) -> None:
            given = shown.bind(*values, **named).arguments
            for case in given.pop(first) if group else groups[""]:
                try:
                    test(**given, **case)
                except pytest.skip.Exception as skipped:
                    raise TypeError("a skip would leave out the cases after it; return instead") from skipped
                except BaseException as failure:
                    failure.add_note("where " + ", ".join(f"{name} is {value}" for name, value in case.items()))
                    raise

        of_each.__signature__ = shown  # type: ignore[attr-defined]
        return pytest.mark.parametrize(first, groups.values(), ids=groups)(of_each) if group else of_each

    return decorate
