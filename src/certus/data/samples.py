"""One base for data of samples: how arguments become columns that are checked once.

What a user gives (truth, predictions, weights, groups, ...) is checked in one place and in one order, so that each
class of data says only what is its own. `SampleData` is the base class, `pair_samples` the way in:

1. *Arguments.* A class lists the names of its data arguments (``arguments``) and the keywords of `from_arrays`.
   `fits` looks at shapes alone; `prepare` takes the first class that fits, or says which shapes would.
2. *Columns.* Each argument has a reader: `certus.data.columns.coded` for labels, those of `certus.data.columns` for
   numbers, of `certus.data.multilabel` for tables of 0 and 1. A reader refuses nulls, NaN and words that a call says
   are missing values (`certus.core.missing`), and names the argument and the index.
3. *Index.* pandas objects with the same index labels in another order are refused (`check_index`).
4. *Weights and groups.* Weights are finite, at least 0 and not all 0; weights that are all 1 are None. Groups are
   numbered from 0 in the order of their labels, whatever the order of the rows.
5. *Lengths.* All columns have as many samples as the first one.
6. *Selection.* Samples of weight 0 are left out of every column, and groups that are then empty get no number.
7. *Classes.* What ``labels=`` and ``pos_label=`` mean, and which class a column of scores is of, stands in
   `certus.data.classes` alone.

What comes out is frozen: columns, `weights` and `groups`, one entry for each sample that counts. Metrics ask it for
`units` and `unit`, the number and the name of what is independent: groups, or samples without them.

Subgroups (``by=``) are the same data divided: `Parts` sorts the samples once and lets the class take slices
(``taken``), or prepares a part by itself where that would not be the same, as where it lacks a class.

A new class of data is a frozen dataclass on `SampleData` with ``arguments``, its columns, `weights` and `groups`. Its
``from_arrays`` reads each argument, checks what is its own, and gives the columns to `pair_samples`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, mention
from certus.core.spelling import plural
from certus.data.columns import as_array, axes, check_index, check_lengths, flat, group_codes, is_column, sample_weights
from certus.statistic.common import sum_by_code


class SampleData:
    """Data of samples, each of which may belong to a group: the groups are then independent, not the samples."""

    arguments: ClassVar[tuple[str, ...]]
    """The names of the data arguments: truth and predictions."""
    first_column: ClassVar[str] = "true"
    """The field whose length is the number of samples."""
    sample: ClassVar[str] = "sample"
    """The name of one sample in results: ``"sample"``, ``"record"``."""
    weights: Floats | None
    groups: Ints | None

    def __len__(self) -> int:
        return int(getattr(self, self.first_column).shape[0])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self), self.sample)}>"

    @property
    def units(self) -> int:
        """Number of independent units: groups, or samples."""
        return len(self) if self.groups is None else int(self.groups.max(initial=-1)) + 1

    @property
    def unit(self) -> str:
        """The name of one independent unit."""
        return self.sample if self.groups is None else "group"

    @property
    def unit_codes(self) -> NDArray[np.integer[Any]]:
        """The unit of each sample, numbered from 0."""
        return np.arange(len(self)) if self.groups is None else self.groups

    @property
    def mass(self) -> Floats:
        """The weight of each sample; 1 without weights."""
        return np.ones(len(self)) if self.weights is None else self.weights

    @property
    def unit_masses(self) -> Floats | None:
        """The number of samples, or the sum of their weights, in each unit; None where the units are equal."""
        return self.weights if self.groups is None else sum_by_code(self.groups, self.mass, self.units)

    @property
    def is_simple(self) -> bool:
        """True if each sample is a unit of its own and counts once."""
        return self.weights is None and self.groups is None


class PairedSamples(SampleData):
    """Data with one true and one predicted value for each sample."""

    shapes: ClassVar[str] = "one true and one predicted value for each sample"
    """The shapes that fit, in words."""

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if both have one value per sample; one of them may be a table of one column."""
        n_axes = axes(y_true) + axes(other)
        return n_axes == 2 or (n_axes == 3 and is_column(y_true) and is_column(other))


class SampleColumns(NamedTuple):
    """Columns of the samples that count, and the weights and groups of these."""

    columns: Sequence[Any]
    weights: Floats | None
    groups: Ints | None


def pair_samples(
    arguments: Mapping[str, Any], columns: Sequence[Any], sample_weight: Any = None, groups: Any = None
) -> SampleColumns:
    """The columns of the samples that count; `arguments` are as they came, in the order of the columns."""
    check_index(**arguments, sample_weight=sample_weight, groups=groups)
    weights, clusters = sample_weights(sample_weight), group_codes(groups)
    check_lengths(**dict(zip(arguments, columns, strict=True)), sample_weight=weights, groups=clusters)
    return select_counted(columns, weights, clusters)


def select_counted(
    columns: Sequence[Any], weights: Floats | None, groups: NDArray[np.integer[Any]] | None
) -> SampleColumns:
    """The samples with a weight above 0; weights that are all 1 are the same as none."""
    if weights is not None and not weights.all():
        columns, weights, groups = select_masked(weights > 0, columns, weights, groups)
    if weights is not None and (weights == 1).all():
        weights = None
    return SampleColumns(columns, weights, None if groups is None else renumber_groups(groups))


def select_masked(
    mask: NDArray[np.bool_], columns: Sequence[Any], weights: Floats | None, groups: NDArray[np.integer[Any]] | None
) -> SampleColumns:
    """Some of the samples; columns, weights and groups that are None stay None."""
    return SampleColumns(
        [None if column is None else column[mask] for column in columns],
        None if weights is None else weights[mask],
        None if groups is None else renumber_groups(groups[mask]),
    )


def renumber_groups(groups: NDArray[np.integer[Any]]) -> Ints:
    """The groups of some samples, numbered from 0 without gaps, in their order."""
    return kernels.code_numbers(groups)[1].astype(np.int64)


def prepare(classes: Sequence[Any], y_true: Any, other: Any, **conventions: Any) -> Any:
    """The input as the first of the classes of data that its shapes fit."""
    for data_class in classes:
        if data_class.fits(y_true, other):
            return data_class.from_arrays(y_true, other, **conventions)
    if is_column(y_true) and is_column(other):  # two tables of one column, where no class takes tables
        return prepare(classes, flat(as_array(y_true, "y_true")), other, **conventions)
    raise unfit(classes, y_true, {classes[0].arguments[1]: other})


def unfit(classes: Sequence[Any], truth: Any, predictions: Mapping[str, Any]) -> DataError:
    """The error of data whose shapes fit none of the classes; `predictions` are the predictions by their arguments."""
    name = classes[0].arguments[0]
    shapes = [f"{mention(argument)} {as_array(values, argument).shape}" for argument, values in predictions.items()]
    return DataError(
        f"has shape {as_array(truth, name).shape} and {' and '.join(shapes)}",
        f"give {', or '.join(dict.fromkeys(data_class.shapes for data_class in classes))}",
        argument=name,
    )


Data = TypeVar("Data")


class Parts(Generic[Data]):
    """Prepared data in parts, made when asked for: `codes` has the part of each sample, `size` their number."""

    def __init__(
        self,
        data: Data,
        codes: NDArray[np.uint32],
        size: int,
        prepared: Callable[[NDArray[np.intp]], Data] | None = None,
    ) -> None:
        self.data: Any = data
        self.codes, self._size, self._prepared = codes, size, prepared

    def __len__(self) -> int:
        return self._size

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], list[int], Any]:
        """The samples part by part, where each part starts and the last one ends, and the data in that order."""
        order, part_ends = kernels.order_of_codes(self.codes, self._size)
        return order, [0, *part_ends.tolist()], self.data.select(order)

    def __getitem__(self, part: int) -> Data:
        order, starts, data = self._sorted
        index = slice(starts[part], starts[part + 1])
        samples: Data | None = None if data is None else data.select(index)
        if samples is not None:
            return samples
        if self._prepared is None:
            raise LookupError(f"part {part} has to be prepared by itself")
        return self._prepared(order[index])
