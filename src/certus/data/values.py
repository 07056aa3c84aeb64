"""One number for each item, request or record: the data for metrics of values and of efficiency."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError, mention
from certus.data.columns import check_index, check_lengths, coded, floats, group_codes, sample_weights
from certus.data.samples import SampleData, pair_samples, select_counted
from certus.statistic.common import plural, sum_by_code


@dataclass(frozen=True, eq=False, repr=False)
class Values(SampleData):
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
    >>> Values.from_arrays([True, False, True])
    <Values: 3 items, each 0 or 1>
    >>> Values.from_arrays([0.5, 1, 0], ids=["a", "a", "b"]).values.tolist()
    [0.75, 0.0]
    >>> Values.from_arrays([0.5, float("nan")])
    Traceback (most recent call last):
    certus.core.errors.DataError: values is NaN at index 1; leave out or fill such samples first
    """

    arguments: ClassVar[tuple[str]] = ("values",)
    first_column = "values"
    sample = "item"

    values: Floats
    weights: Floats | None = None
    groups: NDArray[np.int64] | None = None
    binary: bool = False
    repeats: int = 1
    names: tuple[str, ...] | None = None

    @classmethod
    def from_arrays(
        cls, values: Any, *, ids: Any = None, sample_weight: Any = None, groups: Any = None, pos_label: Any = None
    ) -> Self:
        """The validated columns, the repeats of an item averaged; of words `pos_label` is 1 and another one 0.

        Raises
        ------
        DataError
            A value is infinite or NaN, the columns do not pair up, or the values of one item differ in weight or group.
        """
        check_index(values=values, ids=ids, sample_weight=sample_weight, groups=groups)
        column = _finite(values if pos_label is None else ones_of(values, pos_label), "values")
        weights, clusters = sample_weights(sample_weight), group_codes(groups)
        items = None if ids is None else coded(ids, "ids")
        check_lengths(values=column, ids=items, sample_weight=weights, groups=clusters)
        binary, repeats = bool(np.isin(column, (0.0, 1.0)).all()), 1
        names: NDArray[Any] | None = None
        if items is not None:
            codes, names = items.codes, np.array([str(label) for label in items.labels], dtype=object)
            if len(column) > len(names):
                first, times = np.unique(codes, return_index=True, return_counts=True)[1:]
                for name, item_column in (("sample_weight", weights), ("groups", clusters)):
                    if item_column is None:
                        continue
                    conflicts = np.flatnonzero(item_column != item_column[first][codes])
                    if len(conflicts):
                        label = items.labels[codes[conflicts[0]]]
                        raise DataError(f"differs among the values of {label!r}", "an item has one", argument=name)
                column, repeats = sum_by_code(codes, column) / times, int(times.max())
                weights = None if weights is None else weights[first]
                clusters = None if clusters is None else clusters[first]
            else:
                names = names[codes]
        (column, names), weights, clusters = select_counted((column, names), weights, clusters)
        return cls(column, weights, clusters, binary, repeats, None if names is None else tuple(names.tolist()))

    def __repr__(self) -> str:
        return f"<Values: {plural(len(self), 'item')}{', each 0 or 1' * (self.binary and self.repeats == 1)}>"


def ones_of(values: Any, pos_label: Any) -> Floats:
    """1 where a word is the positive one and 0 where it is the other one.

    Raises
    ------
    DataError
        There are more than two words, or the positive one is none of them.

    Examples
    --------
    >>> ones_of(["pass", "fail", "pass"], "pass").tolist()
    [1.0, 0.0, 1.0]
    """
    column = coded(values, "values")
    texts = list(map(str, column.labels))
    words = ", ".join(map(repr, sorted(texts)[:4])) + (", ..." if len(texts) > 4 else "")
    if str(pos_label) not in texts:
        raise DataError(f"is {pos_label!r}, but the values are {words}", "name one of them", argument="pos_label")
    if len(texts) > 2:
        remedy = f"with {mention('pos_label')} one word is 1 and one other is 0"
        raise DataError(f"holds {words}", remedy, argument="values")
    return np.where(np.asarray(column.codes) == texts.index(str(pos_label)), 1.0, 0.0)


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
    >>> Timings.from_arrays([12, 15, 11], units="ms")
    <Timings: 3 requests in ms>
    >>> Timings.from_arrays([12, -1])
    Traceback (most recent call last):
    certus.core.errors.DataError: timings is -1 at index 1; a time is at least 0
    """

    arguments: ClassVar[tuple[str]] = ("timings",)
    reported: ClassVar[tuple[str]] = ("units",)
    """Conventions of the data that an estimate keeps."""
    weights: ClassVar[None] = None

    values: NDArray[np.float64]
    units: str = "s"
    _items: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    conventions_used: set[str] = field(default_factory=set)
    """Conventions that a metric has looked at: ``"items"``."""

    @property
    def items(self) -> NDArray[np.float64] | None:
        """Items that each request served (a batch of documents); None: one."""
        self.conventions_used.add("items")
        return self._items

    @classmethod
    def from_arrays(cls, timings: Any, *, units: str = "s", items: Any = None, groups: Any = None) -> Self:
        """The validated columns.

        Raises
        ------
        DataError
            A time or a number of items is negative, infinite or NaN, the columns do not pair up, or the unit is
            unknown.
        """
        if units not in UNITS:
            raise DataError(f"is {units!r}", f"it must be one of {', '.join(map(repr, UNITS))}", argument="units")
        values = _at_least_zero(timings, "timings", "a time is at least 0")
        served = None if items is None else _at_least_zero(items, "items", "a number of items is at least 0")
        clusters = pair_samples({"timings": timings, "items": items}, (values, served), groups=groups).groups
        return cls(values, units, served, clusters)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<Timings: {plural(len(self), 'request')} in {self.units}>"

    @property
    def unit(self) -> str:
        """The name of one independent unit."""
        return "request" if self.groups is None else "group"


@dataclass(frozen=True, eq=False, repr=False)
class _Records(SampleData):
    """One number of at least 0 for each record, and its cluster, such as a site or a host."""

    keywords: ClassVar[tuple[str, ...]] = ("groups",)
    first_column = "values"
    sample = "record"
    _rule: ClassVar[str]
    _one_or_zero: ClassVar[bool] = False

    values: Floats
    groups: NDArray[np.int64] | None = None
    weights: None = None

    @classmethod
    def from_arrays(cls, values: Any, *, groups: Any = None) -> Self:
        """The validated column."""
        (name,) = cls.arguments
        column = _at_least_zero(values, name, cls._rule, one_or_zero=cls._one_or_zero)
        return cls(column, pair_samples({name: values}, (column,), groups=groups).groups)


class Sizes(_Records):
    """Space that each record takes: memory, disk or index, in any one unit.

    Examples
    --------
    >>> Sizes.from_arrays([120, 80.5])
    <Sizes: 2 records>
    """

    arguments = ("sizes",)
    _rule = "a size is at least 0"


class Holdings(_Records):
    """Membership of each record in a collection: 1 if the system holds it, otherwise 0.

    Examples
    --------
    >>> Holdings.from_arrays([1, 0, 2])
    Traceback (most recent call last):
    certus.core.errors.DataError: held is 2 at index 2; it must be 1 where the record is held, and 0 elsewhere
    """

    arguments = ("held",)
    _rule = "it must be 1 where the record is held, and 0 elsewhere"
    _one_or_zero = True


class Staleness(_Records):
    """Time that the copy of each record has been out of date: 0 where it is as its source.

    Examples
    --------
    >>> Staleness.from_arrays([0, 3.5, 0])
    <Staleness: 3 records>
    """

    arguments = ("staleness",)
    _rule = "it must be a time of at least 0"


class Updates(_Records):
    """Number of updates of each record in a period.

    Examples
    --------
    >>> Updates.from_arrays([0, 3, 1])
    <Updates: 3 records>
    """

    arguments = ("updates",)
    _rule = "a number of updates is at least 0"


def _finite(values: Any, name: str) -> Floats:
    """Check a column of finite numbers and convert it to float64."""
    return floats(values, name, infinite=False).astype(np.float64, copy=False)


def _at_least_zero(values: Any, name: str, rule: str, *, one_or_zero: bool = False) -> Floats:
    """Check a column of numbers that are at least 0, or only 0 and 1 if `one_or_zero`."""
    column = _finite(values, name)
    wrong = (column != 0) & (column != 1) if one_or_zero else column < 0
    if wrong.any():
        index = int(np.argmax(wrong))
        raise DataError.for_value(name, (index,), column[index], f"{column[index]:g}", rule)
    return column
