"""The names of systems."""

from collections.abc import Sequence
from typing import Any

from certus.errors import DataError
from certus.spelling import suggestion

__all__ = ["check_systems", "columns_of", "pairs"]


def check_systems(systems: Sequence[str], argument: str) -> None:
    """Refuse fewer than two systems, and two of one name.

    Raises
    ------
    DataError
        With the name of the argument.
    """
    twice = next((name for name in systems if systems.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two systems in {argument} are named {twice!r}; give each a name of its own")
    if len(systems) < 2:
        found = f"holds one system, {systems[0]!r}" if systems else "is empty"
        raise DataError(f"{argument} {found}; a comparison needs at least two")


def columns_of(frame: Any, argument: str) -> list[tuple[str, Any]]:
    """The columns of a DataFrame by name.

    Raises
    ------
    DataError
        Two of them have the same name.
    """
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        table = nw.from_native(frame, eager_only=True)
    except DuplicateError as error:
        raise DataError(f"two columns of {argument} have the same name; give each system a name of its own") from error
    return [(str(name), table[name]) for name in table.columns]


def pairs(systems: Sequence[str], baseline: str | None) -> tuple[str | None, list[tuple[str, str]]]:
    """The baseline, and which systems are compared: each with its baseline.

    Without a baseline, the first of two systems is it; of more, all pairs are compared, the earlier one as baseline.

    Raises
    ------
    DataError
        The baseline is none of the systems.
    """
    if baseline is not None and baseline not in systems:
        near = suggestion(baseline, list(systems)) or f"; there are {', '.join(map(repr, systems))}"
        raise DataError(f"baseline is {baseline!r}, which is none of the systems{near}")
    if baseline is None and len(systems) == 2:
        baseline = systems[0]
    if baseline is not None:
        return baseline, [(name, baseline) for name in systems if name != baseline]
    return None, [(later, earlier) for i, earlier in enumerate(systems) for later in systems[i + 1 :]]
