"""Metrics of a class from its four cells, and their averages over classes.

Every metric of a class is put together from ratios of sums of ``tp, fp, fn, tn``, so that each is written once, as the
sums above and below, and its averages, gradient and intervals follow. Of a table they are functions of the cells that
it is held by, see `certus.data.cells`.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, keyword
from certus.data import Labels, Multilabel
from certus.data.cells import CellCounts, Four, Layout, SparseLayout, Stacked
from certus.metrics.check import Doc, Range
from certus.metrics.classification.per_sample import mean_with_default
from certus.statistic import Proportion, Statistic, TableFunction
from certus.statistic.common import Bounds
from certus.statistic.table_function import TwoStepFunction


@dataclass(frozen=True, slots=True)
class Share:
    """A ratio of sums of the cells.

    Attributes
    ----------
    numerator, denominator
        How often each of tp, fp, fn and tn counts in the numerator and in the denominator.
    trial
        What the denominator counts, in the singular.
    dice
        Twice tp, over that and the mistakes: increasing in the share of tp among tp and the mistakes.
    """

    numerator: tuple[float, float, float, float]
    denominator: tuple[float, float, float, float]
    trial: str
    dice: bool = False

    def value(self, cells: Four) -> Floats:
        """The ratio; NaN where it is 0/0."""
        numerator, denominator = cell_sum(self.numerator, cells), cell_sum(self.denominator, cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.true_divide(numerator, denominator), dtype=np.float64)

    def slopes(self, cells: Four) -> Four:
        """``(numerator_i - value denominator_i) / sum denominator`` for each cell i."""
        value, denominator = self.value(cells), cell_sum(self.denominator, cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            return tuple((a - value * b) / denominator for a, b in zip(self.numerator, self.denominator, strict=True))

    def reason(self, cells: tuple[Any, ...]) -> str:
        """The denominator that is zero, in words; empty if it is not."""
        return "" if cell_sum(self.denominator, cells) else f"there are no {self.trial}s"


@dataclass(frozen=True, slots=True)
class Combination:
    """A function of shares, which takes complex numbers; a product may be infinite, where it divides by 0."""

    shares: tuple[Share, ...]
    function: Callable[..., Any]
    is_product: bool = True

    def value(self, cells: Four) -> Floats:
        """The function; NaN where one of the shares is 0/0, or the whole is."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.function(*(share.value(cells) for share in self.shares)), dtype=np.float64)

    def slopes(self, cells: Four) -> Four:
        """The sums of the shares' slopes times the derivatives by the shares; NaN where a factor is 0."""
        values, slopes = [share.value(cells) for share in self.shares], np.zeros((4, *np.shape(cells[0])))
        with np.errstate(divide="ignore", invalid="ignore"):
            for index, share in enumerate(self.shares):
                shifted = [value + (1j * STEP if k == index else 0.0) for k, value in enumerate(values)]
                slope = np.imag(self.function(*shifted)) / STEP
                slope = np.where(values[index] == 0, np.nan, slope) if self.is_product else slope
                slopes += slope * np.array(share.slopes(cells))
        return tuple(slopes)

    def reason(self, cells: tuple[Any, ...]) -> str:
        """The share that has nothing below the line, in words, or that the product is 0/0."""
        missing = next(filter(None, (share.reason(cells) for share in self.shares)), "")
        return missing or ("the ratio is 0/0" if self.is_product and np.isnan(self.value(cells)) else "")


Smooth: TypeAlias = Share | Combination
"""A function of the four cells, NaN where it is undefined; its slopes; and the reason, in words for numbers."""


def cell_sum(times: tuple[float, float, float, float], cells: Four) -> Any:
    """Weighted sum that leaves out cells that do not count, so that nothing is rounded without need."""
    total: Any = 0
    for factor, cell in zip(times, cells, strict=True):
        if factor:
            total = total + (cell if factor == 1 else factor * cell)
    return total


_ZERO_BY_ZERO = Doc('What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.')
Average: TypeAlias = Annotated[
    Literal["binary", "macro", "micro", "weighted", "samples"] | None,
    Doc(
        'How classes are averaged. ``"binary"``: the positive class alone. ``"macro"``: the mean over classes. '
        '``"weighted"``: the same, each class weighted by its true samples. ``"micro"``: the counts of all classes '
        'together. ``"samples"``: the mean over samples, for several labels per sample. None: each class by itself.',
        raises="The data lack the classes this average needs.",
    ),
]
"""Average over the classes; None: each by itself."""
Undefined: TypeAlias = Annotated[Annotated[float, Range(0, 1)] | Literal["nan", "skip"], _ZERO_BY_ZERO]
"""Value of 0/0."""
SignedUndefined: TypeAlias = Annotated[Annotated[float, Range(-1, 1)] | Literal["nan", "skip"], _ZERO_BY_ZERO]
"""The same, for metrics from -1 to 1."""
_OF_TABLE = Doc('What 0/0 counts as: ``"nan"``, ``"skip"`` (the same here) or a number.')
TableUndefined: TypeAlias = Annotated[Undefined, _OF_TABLE]
"""The same, where nothing is averaged."""
SignedTableUndefined: TypeAlias = Annotated[SignedUndefined, _OF_TABLE]
"""The same, for metrics from -1 to 1."""
Result: TypeAlias = Statistic | dict[Hashable, Statistic]
Rate: TypeAlias = Annotated[Result, Doc(forms=("Proportion", "TableFunction", "Mean"))]
"""A share of samples."""
Combined: TypeAlias = Annotated[Result, Doc(forms=("TableFunction", "Mean"))]
"""A function of several rates."""


STEP = 1e-100
"""The imaginary step of a derivative: nothing is subtracted, so it may be as small as this."""
IN_ORDER = 8
"""Classes from which on numpy sums in another order than that of the classes."""


def cells_of(
    table: CellCounts,
    function: Callable[[Floats], Any],
    gradient: Callable[[Floats], Floats],
    *,
    reason: Callable[[], str],
    value: float | None = None,
    undefined: float | str = "nan",
    unseen: tuple[float, float] = (0.0, 0.0),
    by_chance: bool = False,
) -> TableFunction:
    """The function of the table; `value` where it is known more exactly, `reason` why it is undefined."""
    counts = table.floats
    if value is None:
        value = float(function.finish(table.four) if isinstance(function, TwoStepFunction) else function(counts))
    if not table.n:
        value = math.nan
    missing = math.isnan(value) and table.n > 0
    if not isinstance(undefined, str):
        if missing:
            value, missing = undefined, False
        finish = function.finish if isinstance(function, TwoStepFunction) else function
        defined = partial(_replacing_undefined, finish, undefined)
        function = TwoStepFunction(function.reduce, defined) if isinstance(function, TwoStepFunction) else defined
    return TableFunction(
        counts=counts,
        function=function,
        gradient=gradient,
        squares=None if table.squares is None else np.ascontiguousarray(table.squares),
        contributions=table.contributions,
        unit=table.unit,
        n=table.n,
        exact_value=value,
        undefined_reason=reason() if missing else "",
        unseen=unseen,
        by_chance=by_chance,
        places=table.layout.positions if isinstance(table.layout, SparseLayout) else None,
    )


def _replacing_undefined(function: Callable[[Any], Any], number: float, cells: Any) -> Floats:
    values = np.asarray(function(cells))
    return np.where(np.isnan(values), number, values)


def averaged(data: Labels | Multilabel, smooth: Smooth, average: Average, undefined: float | str) -> Result:
    """The metric `smooth` of the classes of `data`, averaged."""
    if isinstance(data, Multilabel):
        return _of_multilabel(data, smooth, average, undefined)
    if average == "binary":
        return of_class(data.against_rest(data.positive_class()), smooth, undefined)
    if average is None:
        exact = data.weights is None and data.groups is None
        shares = _proportions(smooth, data.four) if exact and isinstance(smooth, Share) else None
        return {
            data.classes[k]: shares[k]
            if shares is not None and (shares[k].trials or isinstance(undefined, str))
            else of_class(data.against_rest(k), smooth, undefined)
            for k in data.selected.tolist()
        }
    if average == "samples":
        raise DataError(
            f"{keyword('average', 'samples')} is for samples with several labels, given as a table of 0 and 1",
            "choose 'macro', 'micro', 'weighted' or None",
        )
    if average == "micro" and data.weights is None and data.groups is None and isinstance(smooth, Share):
        proportion = _micro_proportion(data, smooth)
        if proportion is not None:
            return proportion
    statistic = of_table(data.table, Averaged(smooth, average, undefined, slice(len(data.selected))), data.classes)
    if average == "micro" and isinstance(smooth, Share) and isinstance(statistic, TableFunction):
        return statistic.within(_micro_bounds(data, smooth))
    return statistic


def of_class(table: CellCounts, smooth: Smooth, undefined: float | str) -> Statistic:
    """The metric of one class, given as ``[[tn, fp], [fn, tp]]``."""
    if table.exact and isinstance(smooth, Share):
        shares = _proportions(smooth, Stacked(single=True).four(table.counts))
        if shares is not None and (shares[0].trials or isinstance(undefined, str)):
            return shares[0]
    single = replace(table, layout=Stacked(single=True))
    return of_table(single, Averaged(smooth, "micro", undefined, slice(1)), ())


@dataclass(frozen=True, slots=True, eq=False)
class Averaged:
    """An average over the selected classes as a function of whole tables, as the form `TableFunction` takes it."""

    smooth: Smooth
    average: Literal["micro", "macro", "weighted"]
    undefined: float | str
    selected: slice | NDArray[np.intp]

    def value(self, four: Four) -> Floats:
        """The average of each table, from the cells of all classes."""
        cells = self._chosen(four)
        if self.average == "micro":
            values = self.smooth.value(tuple(cell.sum(-1) for cell in cells))
            return values if isinstance(self.undefined, str) else np.where(np.isnan(values), self.undefined, values)
        if isinstance(self.smooth, Share) and 0 < cells[0].shape[-1] < IN_ORDER and cells[0].dtype == np.float64:
            tp, fp, fn, tn = cells
            return kernels.mean_of_shares(
                *(tp, fp, fn, tn),
                *(self.smooth.numerator, self.smooth.denominator),
                weighted=self.average == "weighted",
                skip=self.undefined == "skip",
                undefined=None if isinstance(self.undefined, str) else self.undefined,
            ).reshape(cells[0].shape[:-1])
        values = self.smooth.value(cells)
        weights, total = self._weights(cells, values)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (weights * self._defined_values(values, weights)).sum(-1) / total
        return mean if isinstance(self.undefined, str) else np.where(total == 0, self.undefined, mean)

    def slopes(self, four: Four) -> Four:
        """The derivatives of one table's average by the four cells of each class."""
        cells = self._chosen(four)
        if self.average == "micro":
            slopes = np.reshape(self.smooth.slopes(tuple(cell.sum(-1) for cell in cells)), (4, 1))
        else:
            values = self.smooth.value(cells)
            weights, total = self._weights(cells, values)
            slopes = weights * np.array(self.smooth.slopes(cells)) / total
            if self.average == "weighted":
                defined = self._defined_values(values, weights)
                mean = (weights * defined).sum() / total
                slopes[[0, 2]] += np.where(weights > 0, (defined - mean) / total, 0.0)
        derivatives = np.zeros((4, four[0].shape[-1]))
        derivatives[:, self.selected] = np.where(np.isfinite(slopes), slopes, 0.0)
        return tuple(derivatives)

    def classes(self, four: Four) -> Floats:
        """Number of classes that enter the mean of each table."""
        cells = self._chosen(four)
        return self._weights(cells, self.smooth.value(cells))[1]

    def unseen(self, four: Four) -> tuple[float, float]:
        """The part of a mean that classes without a value have in it, and the number that each of them counts as."""
        if self.average != "macro" or isinstance(self.undefined, str):
            return 0.0, 0.0
        values = self.smooth.value(self._chosen(four))
        return float(np.isnan(values).sum()) / max(1, values.size), self.undefined

    def reason(self, four: Four, classes: tuple[Hashable, ...]) -> str:
        """The class without a value, and the reason."""
        cells = self._chosen(four)
        if self.average == "micro":
            return self.smooth.reason(tuple(float(cell.sum(-1)) for cell in cells))
        for index, k in enumerate(np.arange(four[0].shape[-1])[self.selected].tolist()):
            tp, _, fn, _ = class_cells = tuple(float(cell[index]) for cell in cells)
            reason = self.smooth.reason(class_cells)
            if reason and self.undefined != "skip" and (self.average == "macro" or tp + fn):
                return f"{reason} of class {classes[k]!r}; the convention undefined says what such a class counts as"
        if self.average == "macro":
            return "no class has a value" if self.undefined == "skip" else ""
        return "no class that is averaged has both true samples and a value"

    def _chosen(self, four: Four) -> Four:
        """The cells of the classes averaged."""
        if isinstance(self.selected, slice) and self.selected.stop >= four[0].shape[-1]:
            return four
        return tuple(cell[..., self.selected] for cell in four)

    def _weights(self, cells: Four, values: Floats) -> tuple[Floats, Floats]:
        """The weight of each class in the average, and their sum."""
        tp, _, fn, _ = cells
        weights = tp + fn if self.average == "weighted" else np.ones(values.shape[-1])
        if self.undefined == "skip":
            weights = np.where(np.isnan(values), 0.0, weights)
        return weights, weights.sum(-1)

    def _defined_values(self, values: Floats, weights: Floats) -> Floats:
        """The values as they enter the average; a class without weight does not, whatever its value."""
        if not isinstance(self.undefined, str):
            values = np.where(np.isnan(values), self.undefined, values)
        return values if weights.ndim < values.ndim else np.where(weights == 0, 0.0, values)


class OfFour(Protocol):
    """A function of the four cells of each class."""

    def value(self, four: Four) -> Floats:
        """The value of each class."""

    def slopes(self, four: Four) -> Four:
        """The derivatives by the four cells."""

    def reason(self, four: Four, classes: tuple[Hashable, ...]) -> str:
        """The reason why a class has no value; empty where all have one."""


def _by_cell(layout: Layout, function: OfFour, four: Four) -> Floats:
    """The derivative by each cell of a table, from the four cells of each class."""
    return layout.by_cell(function.slopes(four))


def of_table(
    table: CellCounts,
    function: OfFour,
    classes: tuple[Hashable, ...],
    *,
    value: float | None = None,
    undefined: float | str = "nan",
    by_chance: bool = False,
) -> TableFunction:
    """The form of a function of each class's four cells; arguments as in `cells_of`."""
    layout = table.layout
    return cells_of(
        table,
        TwoStepFunction(layout.four, function.value),
        TwoStepFunction(layout.four, partial(_by_cell, layout, function)),
        reason=lambda: function.reason(table.four, classes),
        value=value,
        undefined=undefined,
        unseen=function.unseen(table.four) if isinstance(function, Averaged) else (0.0, 0.0),
        by_chance=by_chance,
    )


def _of_multilabel(data: Multilabel, smooth: Smooth, average: Average, undefined: float | str) -> Result:
    if average == "binary":
        raise DataError(
            f"{keyword('average', 'binary')} is for one label per sample",
            "choose 'macro', 'micro', 'weighted', 'samples' or None",
        )
    if average is None:
        return {data.classes[k]: of_class(data.against_rest(k), smooth, undefined) for k in data.selected.tolist()}
    if average != "samples":
        return of_table(data.table, Averaged(smooth, average, undefined, data.selected), data.classes)
    values = smooth.value(data.by_sample)
    return mean_with_default(values, data, undefined)


def _proportions(share: Share, four: Four) -> list[Proportion] | None:
    """The share of each class as successes among independent trials, where it is one."""
    tp, fp, fn, _ = four
    if share.dice:
        numerators, denominators = tp, tp + fp + fn
    elif {*share.numerator, *share.denominator} <= {0, 1}:
        numerators, denominators = (cell_sum(line, four) for line in (share.numerator, share.denominator))
    else:
        return None
    counts = zip(numerators.tolist(), denominators.tolist(), strict=True)
    return [
        Proportion(successes, trials, share.trial, "dice" if share.dice else "linear") for successes, trials in counts
    ]


def _micro_proportion(data: Labels, share: Share) -> Proportion | None:
    """The share of the summed cells, where no sample enters it more than once."""
    # Each kind of sample (by whether its true and predicted class are selected) must add nothing or one trial.
    chosen = len(data.selected)
    cells = [
        (1, 0, 0, chosen - 1),
        (0, 1, 1, chosen - 2),
        (0, 0, 1, chosen - 1),
        (0, 1, 0, chosen - 1),
        (0, 0, 0, chosen),
    ]
    cases = zip(cells, data.counts_by_kind(), strict=True)
    contributions = [
        (_dot(share.numerator, case), _dot(share.denominator, case), number) for case, number in cases if number
    ]
    trial = max((denominator for _, denominator, _ in contributions), default=0.0)
    if trial == 0 or any(
        denominator not in (0, trial) or numerator not in (0, denominator)
        for numerator, denominator, _ in contributions
    ):
        return None
    successes = sum(number for numerator, _, number in contributions if numerator)
    trials = sum(number for _, denominator, number in contributions if denominator)
    return Proportion(successes, trials, "sample" if trials == data.n else share.trial)


def _micro_bounds(data: Labels, share: Share) -> Bounds | None:
    """The share of the summed cells where all samples are wrong, and where all are right; None without either."""
    classes = len(data.classes)
    if share.dice or not data.has_all_classes or classes < 2:
        return None
    cases = (1, 0, 0, classes - 1), (0, 1, 1, classes - 2)
    parts = [(_dot(share.numerator, case), _dot(share.denominator, case)) for case in cases]
    if not all(denominator for _, denominator in parts):
        return None
    lowest, highest = sorted(numerator / denominator for numerator, denominator in parts)
    return lowest, highest


def _dot(times: tuple[float, ...], kind: tuple[int, ...]) -> float:
    return float(sum(factor * count for factor, count in zip(times, kind, strict=True)))
