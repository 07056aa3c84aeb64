"""Durations of single requests: the data of efficiency metrics."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.data.codes import group_codes
from certus.data.columns import check_lengths, floats
from certus.errors import DataError, called
from certus.statistic.common import plural

__all__ = ["UNITS", "Timings"]

UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "µs": 1e6, "ns": 1e9, "min": 1 / 60, "h": 1 / 3600}
"""How many of a unit a second has."""


@dataclass(frozen=True, eq=False, repr=False)
class Timings:
    """The time that each of some requests took, and how many items it served.

    Attributes
    ----------
    values
        One time of at least 0 per request, float64, in `units`.
    units
        ``"s"``, ``"ms"``, ``"us"`` (or ``"µs"``), ``"ns"``, ``"min"`` or ``"h"``.
    items
        Items that each request served (a batch of documents); None: one.
    groups
        The cluster of each request (a session, a machine), numbered from 0; None where not given.

    Examples
    --------
    >>> Timings.of([12, 15, 11], units="ms")
    <Timings: 3 requests in ms>
    >>> Timings.of([12, -1])
    Traceback (most recent call last):
    certus.errors.DataError: timings is -1 at index 1; a time is at least 0
    """

    arguments: ClassVar[tuple[str]] = ("timings",)
    reported: ClassVar[tuple[str]] = ("units",)
    """Conventions of the data that an estimate keeps."""
    weights: ClassVar[None] = None

    values: NDArray[np.float64]
    units: str = "s"
    _items: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    asked: set[str] = field(default_factory=set)
    """Conventions that a metric has looked at: ``"items"``."""

    @property
    def items(self) -> NDArray[np.float64] | None:
        """Items that each request served; None: one."""
        self.asked.add("items")
        return self._items

    @classmethod
    def of(cls, timings: Any, *, units: str = "s", items: Any = None, groups: Any = None) -> Self:
        """The validated columns.

        Raises
        ------
        DataError
            A time or a number of items is negative, infinite or NaN, the columns do not pair up, or the unit is
            unknown.
        """
        if units not in UNITS:
            raise DataError(f"{called('units')} is {units!r}; it must be one of {', '.join(map(repr, UNITS))}")
        values = _column(timings, "timings", "a time")
        served = None if items is None else _column(items, "items", "a number of items")
        clusters = group_codes(groups)
        check_lengths(timings=values, items=served, groups=clusters)
        if clusters is not None:
            clusters = np.unique(clusters, return_inverse=True)[1].astype(np.int64)
        return cls(values, units, served, clusters)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<Timings: {plural(len(self), 'request')} in {self.units}>"

    @property
    def unit(self) -> str:
        """The name of one independent unit."""
        return "request" if self.groups is None else "group"


def _column(values: Any, name: str, what: str) -> NDArray[np.float64]:
    column = floats(values, name, infinite=False).astype(np.float64, copy=False)
    if column.size and column.min() < 0:
        place = int(np.argmax(column < 0))
        raise DataError.of_cell(name, (place,), column[place], f"{column[place]:g}", f"{what} is at least 0")
    return column
