"""Averages over classes of any function of the four cells of a class against the rest.

One mechanism serves every metric: the cells of each class are taken from the table, the function and its derivatives
from `_smooth`, and the derivatives are carried back to the table in one step, so that a table of K classes costs K^2.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data import Labels, Multilabel
from certus.data.tables import CellCounts, four_cells
from certus.errors import DataError, keyword
from certus.metrics._check import Between, Doc
from certus.metrics.classification._samples import per_sample
from certus.metrics.classification._smooth import Four, Share, Smooth
from certus.statistic import Cells, Proportion, Statistic

__all__ = [
    "Average",
    "Averaged",
    "Combined",
    "OfTable",
    "Rate",
    "Result",
    "SignedUndefined",
    "Undefined",
    "averaged",
    "cells_of",
    "of_table",
]

_ZERO_BY_ZERO = Doc('What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.')
Average: TypeAlias = Annotated[
    Literal["binary", "micro", "macro", "weighted", "samples"] | None,
    Doc(
        'How classes are averaged. ``"binary"``: the positive class alone. ``"macro"``: the mean over classes. '
        '``"weighted"``: the same, each class weighted by its true samples. ``"micro"``: the counts of all classes '
        'together. ``"samples"``: the mean over samples, for several labels per sample. None: each class by itself.',
        raises="The data lack the classes this average needs.",
    ),
]
"""How the classes are averaged; None: each by itself."""
Undefined: TypeAlias = Annotated[Annotated[float, Between(0, 1)] | Literal["nan", "skip"], _ZERO_BY_ZERO]
"""What 0/0 counts as."""
SignedUndefined: TypeAlias = Annotated[Annotated[float, Between(-1, 1)] | Literal["nan", "skip"], _ZERO_BY_ZERO]
"""The same, for metrics from -1 to 1."""
Result: TypeAlias = Statistic | dict[Hashable, Statistic]
Rate: TypeAlias = Annotated[
    Result,
    Doc(
        "Without an average one trial for each sample below the line; otherwise a function of the confusion matrix.",
        forms="Proportion, Cells or Mean",
    ),
]
"""A share of samples."""
Combined: TypeAlias = Annotated[Result, Doc("A function of the confusion matrix, in {bounds}.", forms="Cells or Mean")]
"""A function of several rates."""
OfTable: TypeAlias = Annotated[Result, Doc("A function of the confusion matrix, in {bounds}.", forms="Cells")]
"""The same, for the confusion matrix as a whole."""


def cells_of(
    table: CellCounts,
    function: Callable[[Floats], Any],
    gradient: Callable[[Floats], Floats],
    *,
    why: Callable[[], str],
    value: float | None = None,
    undefined: float | str = "nan",
    unseen: tuple[float, float] = (0.0, 0.0),
) -> Cells:
    """The function of the table; `value` is its value, where it is known better, `why` says why it is undefined.

    `unseen` is as of `certus.statistic.Cells`. `undefined` is a number that stands for a value which is undefined, of
    this table or of a resampled one.
    """
    counts = np.asarray(table.counts, dtype=np.float64)
    if value is None:
        value = float(function(counts)) if table.n else math.nan
    missing = math.isnan(value) and table.n > 0
    if not isinstance(undefined, str):
        if missing:
            value, missing = undefined, False
        function = _Filled(function, undefined)
    return Cells(
        counts,
        function,
        gradient=gradient,
        squares=table.squares,
        contributions=table.contributions,
        unit=table.unit,
        n=table.n,
        value=value,
        reason=why() if missing else "",
        unseen=unseen,
    )


class _Filled:
    """A function with a number where it is undefined."""

    def __init__(self, function: Callable[[Floats], Any], number: float) -> None:
        self.function = function
        self.number = number

    def __call__(self, tables: Floats) -> Floats:
        values = np.asarray(self.function(tables))
        return np.where(np.isnan(values), self.number, values)


def averaged(data: Labels | Multilabel, smooth: Smooth, average: Average, undefined: float | str) -> Result:
    """The metric `smooth` of the classes of `data`, averaged.

    Raises
    ------
    DataError
        The data are not such that they can be averaged in this way.
    """
    if isinstance(data, Multilabel):
        return _of_multilabel(data, smooth, average, undefined)
    if average == "binary":
        return of_one(data.against_rest(data.positive_class()), smooth, undefined)
    if average is None:
        return {data.classes[k]: of_one(data.against_rest(k), smooth, undefined) for k in data.selected.tolist()}
    if average == "samples":
        raise DataError(
            "average='samples' is for samples with several labels, given as a table of 0 and 1; "
            "choose 'macro', 'micro', 'weighted' or None"
        )
    if average == "micro" and data.weights is None and data.groups is None and isinstance(smooth, Share):
        proportion = _micro_proportion(data, smooth)
        if proportion is not None:
            return proportion
    return of_table(data.table, Averaged(smooth, average, undefined, data.selected, "square"), data.classes)


def of_one(table: CellCounts, smooth: Smooth, undefined: float | str) -> Statistic:
    """The metric of one class, given as ``[[tn, fp], [fn, tp]]``."""
    (tn, fp), (fn, tp) = table.counts.tolist()
    if table.exact and isinstance(smooth, Share):
        proportion = _proportion(smooth, (tp, fp, fn, tn))
        if proportion is not None and (proportion.trials or isinstance(undefined, str)):
            return proportion
    return of_table(table, Averaged(smooth, "micro", undefined, np.arange(1), "single"), ())


@dataclass(frozen=True, slots=True, eq=False)
class Averaged:
    """The average as a function of whole tables, as the form `Cells` takes it.

    Attributes
    ----------
    smooth
        The function of the four cells of a class.
    average
        ``"micro"``, ``"macro"`` or ``"weighted"``.
    undefined
        What 0/0 counts as.
    selected
        The classes averaged.
    layout
        What the tables are: ``"square"``, confusion matrices; ``"stacked"``, ``[[tn, fp], [fn, tp]]`` for each class;
        ``"single"``, one of these.
    """

    smooth: Smooth
    average: Literal["micro", "macro", "weighted"]
    undefined: float | str
    selected: NDArray[np.intp]
    layout: Literal["square", "stacked", "single"]

    def value(self, tables: Floats) -> Floats:
        """The average of each table."""
        cells = self.cells(tables)
        if self.average == "micro":
            tp, fp, fn, tn = (cell.sum(-1) for cell in cells)
            values = self.smooth.value((tp, fp, fn, tn))
            return values if isinstance(self.undefined, str) else np.where(np.isnan(values), self.undefined, values)
        values = self.smooth.value(cells)
        weights, total = self._weights(cells, values)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (weights * self._filled(values, weights)).sum(-1) / total
        return mean if isinstance(self.undefined, str) else np.where(total == 0, self.undefined, mean)

    def gradient(self, table: Floats) -> Floats:
        """The derivative of the average by each cell of the table."""
        cells = self.cells(table)
        if self.average == "micro":
            tp, fp, fn, tn = (cell.sum(-1) for cell in cells)
            slopes = [np.full(len(self.selected), slope) for slope in self.smooth.slopes((tp, fp, fn, tn))]
        else:
            values = self.smooth.value(cells)
            weights, total = self._weights(cells, values)
            filled = self._filled(values, weights)
            slopes = [weights * slope / total for slope in self.smooth.slopes(cells)]
            if self.average == "weighted":
                mean = (weights * filled).sum() / total
                by_weight = np.where(weights > 0, (filled - mean) / total, 0.0)
                slopes[0], slopes[2] = slopes[0] + by_weight, slopes[2] + by_weight
        return self._carried_back([np.where(np.isfinite(slope), slope, 0.0) for slope in slopes], table)

    def cells(self, tables: Floats) -> Four:
        """tp, fp, fn, tn of the classes averaged, along the last axis."""
        if self.layout != "square":
            each = tables[..., np.newaxis, :, :] if self.layout == "single" else tables[..., self.selected, :, :]
            return each[..., 1, 1], each[..., 0, 1], each[..., 1, 0], each[..., 0, 0]
        tp, fp, fn, tn = (cell[..., self.selected] for cell in four_cells(tables))
        return tp, fp, fn, tn

    def classes(self, tables: Floats) -> Floats:
        """Number of classes that enter the mean of each table."""
        cells = self.cells(tables)
        return self._weights(cells, self.smooth.value(cells))[1]

    def unseen(self, table: Floats) -> tuple[float, float]:
        """The part of a mean that classes without a value have in it, and the number that each of them counts as."""
        if self.average != "macro" or isinstance(self.undefined, str):
            return 0.0, 0.0
        values = self.smooth.value(self.cells(table))
        return float(np.isnan(values).sum()) / max(1, values.size), self.undefined

    def why(self, table: Floats, classes: tuple[Hashable, ...]) -> str:
        """The class without a value, and the reason."""
        cells = self.cells(table)
        if self.average == "micro":
            tp, fp, fn, tn = (float(cell.sum(-1)) for cell in cells)
            return self.smooth.why((tp, fp, fn, tn))
        for place, k in enumerate(self.selected.tolist()):
            tp, fp, fn, tn = (float(cell[place]) for cell in cells)
            why = self.smooth.why((tp, fp, fn, tn))
            if why and self.undefined != "skip" and (self.average == "macro" or tp + fn):
                return f"{why} of class {classes[k]!r}; {keyword('undefined')} says what such a class counts as"
        if self.average == "macro":
            return "no class has a value" if self.undefined == "skip" else ""
        return "no class that is averaged has both true samples and a value"

    def _weights(self, cells: Four, values: Floats) -> tuple[Floats, Floats]:
        """The weight of each class in the average, and their sum."""
        tp, _, fn, _ = cells
        weights = tp + fn if self.average == "weighted" else np.ones(values.shape)
        if self.undefined == "skip":
            weights = np.where(np.isnan(values), 0.0, weights)
        return weights, weights.sum(-1)

    def _filled(self, values: Floats, weights: Floats) -> Floats:
        """The values as they enter the average; a class without weight does not, whatever its value."""
        if not isinstance(self.undefined, str):
            values = np.where(np.isnan(values), self.undefined, values)
        return np.where(weights == 0, 0.0, values)

    def _carried_back(self, slopes: list[Floats], table: Floats) -> Floats:
        """Derivatives by the cells of the table from those by the cells of each class."""
        gradient = np.zeros(table.shape)
        if self.layout != "square":
            whole = gradient.reshape(-1, 2, 2)
            for slope, (row, column) in zip(slopes, ((1, 1), (0, 1), (1, 0), (0, 0)), strict=True):
                whole[self.selected, row, column] = slope
            return gradient
        classes = len(table)
        tp, fp, fn, tn = (np.zeros(classes) for _ in range(4))
        for full, slope in zip((tp, fp, fn, tn), slopes, strict=True):
            full[self.selected] = slope
        # A sample with true class i and predicted class j is a false negative of i, a false positive of j, and a true
        # negative of all others.
        gradient += (fn - tn)[:, np.newaxis] + (fp - tn) + tn.sum()
        np.fill_diagonal(gradient, tp - tn + tn.sum())
        return gradient


class _OfTables(Protocol):
    """A function of whole tables."""

    def value(self, tables: Floats) -> Floats: ...
    def gradient(self, table: Floats) -> Floats: ...
    def why(self, table: Floats, classes: tuple[Hashable, ...]) -> str: ...


def of_table(table: CellCounts, function: _OfTables, classes: tuple[Hashable, ...]) -> Cells:
    """A function of tables, of this one."""
    unseen = function.unseen(table.counts) if isinstance(function, Averaged) else (0.0, 0.0)
    return cells_of(
        table, function.value, function.gradient, why=lambda: function.why(table.counts, classes), unseen=unseen
    )


def _proportion(share: Share, cells: Four) -> Proportion | None:
    """The share as successes among independent trials, where it is one."""
    tp, fp, fn, _ = cells
    if share.dice:
        return Proportion(tp, tp + fp + fn, share.trial, scale="dice")
    if {*share.above, *share.below} <= {0, 1}:
        above, below = (
            sum(cell for cell, counts in zip(cells, line, strict=True) if counts) for line in (share.above, share.below)
        )
        return Proportion(above, below, share.trial)
    return None


def _micro_proportion(data: Labels, share: Share) -> Proportion | None:
    """The share of the summed cells, where no sample enters it more than once.

    A sample enters the cells of several classes. What it adds above and below the line depends on whether its true and
    its predicted class are among those averaged; each kind of sample that there is must add nothing or one trial.
    """
    chosen = len(data.selected)
    cells = [
        (1, 0, 0, chosen - 1),
        (0, 1, 1, chosen - 2),
        (0, 0, 1, chosen - 1),
        (0, 1, 0, chosen - 1),
        (0, 0, 0, chosen),
    ]
    kinds = zip(cells, data.kinds(), strict=True)
    added = [(_dot(share.above, kind), _dot(share.below, kind), number) for kind, number in kinds if number]
    trial = max((below for _, below, _ in added), default=0.0)
    if trial == 0 or any(below not in (0, trial) or above not in (0, below) for above, below, _ in added):
        return None
    successes = sum(number for above, _, number in added if above)
    trials = sum(number for _, below, number in added if below)
    return Proportion(successes, trials, "sample" if trials == data.n else share.trial)


def _dot(times: tuple[float, ...], kind: tuple[int, ...]) -> float:
    return float(sum(factor * count for factor, count in zip(times, kind, strict=True)))


def _of_multilabel(data: Multilabel, smooth: Smooth, average: Average, undefined: float | str) -> Result:
    if average == "binary":
        raise DataError(
            "average='binary' is for one label per sample; choose 'macro', 'micro', 'weighted', 'samples' or None"
        )
    if average is None:
        return {data.classes[k]: of_one(data.against_rest(k), smooth, undefined) for k in data.selected.tolist()}
    if average != "samples":
        return of_table(data.table, Averaged(smooth, average, undefined, data.selected, "stacked"), data.classes)
    true, predicted = data.true[:, data.selected], data.predicted[:, data.selected]
    tp, predicted_ones, ones = ((true & predicted).sum(1), predicted.sum(1), true.sum(1))
    values = smooth.value((tp, predicted_ones - tp, ones - tp, true.shape[1] - ones - predicted_ones + tp))
    if undefined == "skip":
        return per_sample(values[~np.isnan(values)], data.part(~np.isnan(values)))
    return per_sample(values if isinstance(undefined, str) else np.where(np.isnan(values), undefined, values), data)
