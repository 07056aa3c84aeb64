"""Item scores and request durations: the data for metrics of values and of efficiency."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data.codes import check_index, coded, group_codes
from certus.data.columns import check_lengths, counted_samples, floats, sample_weights
from certus.data.sampled import Sampled, kept_samples, renumber_groups
from certus.errors import DataError
from certus.statistic.common import plural, sum_by_code


@dataclass(frozen=True, eq=False, repr=False)
class Values(Sampled):
    """A score for each item: right or wrong, a rating, seconds, or another tool's metric.

    Values that belong to one item, such as those of several epochs, are not independent. They are averaged to the value
    of the item first, so that an item counts once however often it was tried.

    Attributes
    ----------
    values
        One per item, float64.
    weights, groups
        One per item; None where not given. Groups are numbered from 0. Items of weight 0 are left out.
    binary
        Every value given is 0 or 1, so that their mean is a share.
    repeats
        The greatest number of values of an item.
    names
        The id of each item, as text; None where not given.

    Examples
    --------
    >>> Values.of([True, False, True])
    <Values: 3 items, each 0 or 1>
    >>> Values.of([0.5, 1, 0], ids=["a", "a", "b"]).values.tolist()
    [0.75, 0.0]
    >>> Values.of([0.5, float("nan")])
    Traceback (most recent call last):
    certus.errors.DataError: values is NaN at index 1; leave out or fill such samples first
    """

    arguments: ClassVar[tuple[str]] = ("values",)
    sample = "item"

    values: Floats
    weights: Floats | None = None
    groups: NDArray[np.int64] | None = None
    binary: bool = False
    repeats: int = 1
    names: tuple[str, ...] | None = None

    @classmethod
    def of(cls, values: Any, *, ids: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """The validated columns, the repeats of an item averaged.

        Raises
        ------
        DataError
            A value is infinite or NaN, the columns do not pair up, or the values of one item differ in weight or group.
        """
        check_index(values=values, ids=ids, sample_weight=sample_weight, groups=groups)
        column = floats(values, "values", infinite=False).astype(np.float64, copy=False)
        weights, clusters = sample_weights(sample_weight), group_codes(groups)
        items = None if ids is None else coded(ids, "ids")
        check_lengths(values=column, ids=None if items is None else items.codes, sample_weight=weights, groups=clusters)
        names = None if items is None else tuple(str(items.labels[code]) for code in items.codes.tolist())
        binary = bool(np.isin(column, (0.0, 1.0)).all())
        repeats = 1
        if items is not None and len(column) > len(items.labels):
            codes = items.codes
            first, times = np.unique(codes, return_index=True, return_counts=True)[1:]
            for name, column_values in (("sample_weight", weights), ("groups", clusters)):
                if (
                    column_values is not None
                    and (conflicts := np.flatnonzero(column_values != column_values[first][codes])).size
                ):
                    label = items.labels[codes[conflicts[0]]]
                    raise DataError(f"differs among the values of {label!r}", "an item has one", argument=name)
            column = sum_by_code(codes, column) / times
            weights = None if weights is None else weights[first]
            clusters = None if clusters is None else clusters[first]
            repeats, names = int(times.max()), tuple(map(str, items.labels))
        weights, mask = counted_samples(weights)
        if names is not None and not isinstance(mask, slice):
            names = tuple(name for name, there in zip(names, mask.tolist(), strict=True) if there)
        if clusters is not None:
            clusters = renumber_groups(clusters[mask])
        return cls(column[mask], weights, clusters, binary, repeats, names)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<Values: {plural(len(self), 'item')}{', each 0 or 1' * (self.binary and self.repeats == 1)}>"


UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "µs": 1e6, "ns": 1e9, "min": 1 / 60, "h": 1 / 3600}
"""Number of each unit in a second."""


@dataclass(frozen=True, eq=False, repr=False)
class Timings:
    """The time that each of some requests took, and how many items it served.

    Attributes
    ----------
    values
        One time of at least 0 per request, float64, in `units`.
    units
        ``"s"``, ``"ms"``, ``"us"`` (or ``"µs"``), ``"ns"``, ``"min"`` or ``"h"``.
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
        """Items that each request served (a batch of documents); None: one."""
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
            raise DataError(f"is {units!r}", f"it must be one of {', '.join(map(repr, UNITS))}", argument="units")
        check_index(timings=timings, items=items, groups=groups)
        values = _column(timings, "timings", "a time")
        served = None if items is None else _column(items, "items", "a number of items")
        return cls(values, units, served, kept_samples(None, groups, timings=values, items=served).groups)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<Timings: {plural(len(self), 'request')} in {self.units}>"

    @property
    def unit(self) -> str:
        """The name of one independent unit."""
        return "request" if self.groups is None else "group"


def _column(values: Any, name: str, noun: str) -> NDArray[np.float64]:
    column = floats(values, name, infinite=False).astype(np.float64, copy=False)
    if column.size and column.min() < 0:
        index = int(np.argmax(column < 0))
        raise DataError.of_cell(name, (index,), column[index], f"{column[index]:g}", f"{noun} is at least 0")
    return column
