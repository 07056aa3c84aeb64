"""Exact sums over samples (powers, and by bin), from which means and their intervals are computed."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.data.columns import as_array, coded
from certus.evaluation.cases import keywords_of
from certus.metrics import Metric, parse
from certus.metrics.classification.calibration_error import of_totals
from certus.metrics.state_kinds import EqualBins, SampleSums
from certus.states._batch import Field, SampleBatch
from certus.states._rows import ENOUGH
from certus.statistic import CalibrationError, Influence, Mean, Proportion, Statistic
from certus.statistic.cached import constant
from certus.statistic.calibration_error import BinTotals
from certus.statistic.common import Bounds, missing_reason
from certus.statistic.influence import SmoothFunction
from certus.statistic.mean import MeanByMoments
from certus.tasks import Task

MODERATE = 1e60
"""Squares of errors from one over this to this have lost no digit."""
FOURTH_ROOT = 1e70
"""The fourth powers of numbers up to this have finite sums."""
POWERS = 4
BITS = 32
LAST_PLACE = -1074
"""The power of two of the last place of exact sums."""


def root_of(metric: Metric) -> str:
    """Name of the metric whose square root a metric is; empty for others."""
    return kind.root_of if isinstance(kind := metric.state, SampleSums) else ""


class PowerSums:
    """Number of values, exact sums of their first four powers, least and greatest value.

    `limits` are the least and the greatest possible value; `bounds`, if there are any, are narrower; `at_bounds` counts
    the values that are equal to the one and to the other. With `is_share` values are 0 and 1, and their mean a share of
    trials. `missing` counts values that are not defined, which are in none of the others.
    """

    def __init__(self, limits: Bounds = (-math.inf, math.inf)) -> None:
        self.limits = limits
        self.at_bounds = (0, 0)
        self.is_share: bool | None = None
        self.n = self.missing = 0
        self.lowest, self.highest = math.inf, -math.inf
        self.bounds: Bounds | None = None
        self._sums = kernels.ExactSums(POWERS)
        self._waiting: list[Floats] = []
        self._pending = 0

    def add(self, values: Floats, bounds: Bounds | None, is_share: bool = False) -> None:
        """Add values; the array must not be changed afterwards."""
        self.bounds = bounds
        if len(values):
            self.is_share = is_share if self.is_share is None else self.is_share and is_share
        if np.isnan(values).any():
            defined = values[~np.isnan(values)]
            self.missing += len(values) - len(defined)
            values = defined
        self._waiting.append(values)
        self._pending += len(values)
        self.n += len(values)
        if self._pending > ENOUGH:
            self.settle()

    def settle(self) -> kernels.ExactSums:
        """Sums of all values."""
        if self._pending:
            values = np.concatenate(self._waiting)
            # -0.0 is 0: which of them came first must not matter
            self.lowest = min(self.lowest, float(values.min()) + 0.0)
            self.highest = max(self.highest, float(values.max()) + 0.0)
            self._sums.add_powers(0, values)
            low, high = self.bounds or self.limits
            if math.isfinite(low) and math.isfinite(high):
                self._count(int(np.count_nonzero(values == low)), int(np.count_nonzero(values == high)))
        self._waiting, self._pending = [], 0
        return self._sums

    def _count(self, low: int, high: int) -> None:
        """Add to the numbers of values at the lower and at the upper bound."""
        self.at_bounds = self.at_bounds[0] + low, self.at_bounds[1] + high

    def merge(self, other: "PowerSums") -> None:
        """Add the values of another state."""
        self._sums.merge(other.settle())
        self._count(*other.at_bounds)
        if other.is_share is not None:
            self.is_share = other.is_share if self.is_share is None else self.is_share and other.is_share
        self.n += other.n
        self.missing += other.missing
        self.bounds = other.bounds if self.bounds is None else self.bounds
        self.lowest, self.highest = min(self.lowest, other.lowest), max(self.highest, other.highest)

    def to_json(self) -> list[Any]:
        """Everything except the sums."""
        bounds = None if self.bounds is None else list(map(repr, self.bounds))
        self.settle()
        return [repr(self.lowest), repr(self.highest), bounds, self.n, self.missing, self.is_share, *self.at_bounds]

    @classmethod
    def from_json(cls, limits: Bounds, numbers: list[Any], parts: NDArray[np.int64], max_n: int) -> Self:
        """Restore from `parts` and the result of `to_json`; at most `max_n` values."""
        sums = cls(limits)
        lowest, highest, bounds, sums.n, sums.missing, sums.is_share, low, high = numbers
        if list(map(type, numbers[3:])) not in ([int, int, kind, int, int] for kind in (bool, type(None))):
            raise ValueError("a number of values is not whole")
        sums.lowest, sums.highest, sums.at_bounds = _number(lowest), _number(highest), (low, high)
        sums.bounds = None if bounds is None else (_number(bounds[0]), _number(bounds[1]))
        if not 0 <= max(low, high) <= sums.n <= sums.n + sums.missing <= max_n or min(low, high, sums.missing) < 0:
            raise ValueError("the number of values is another")
        sums._sums = kernels.ExactSums.of_parts(parts)
        if len(sums._sums) != POWERS:
            raise ValueError("the number of sums is another")
        if not (sums._has_possible_ends() and sums._has_possible_powers()):
            raise ValueError("no values have these sums")
        return sums

    def _has_possible_ends(self) -> bool:
        """False if no values within the bounds have this least and this greatest value."""
        low, high = self.bounds or self.limits
        counts = self.at_bounds
        if not self.n:
            return (self.lowest, self.highest, *counts) == (math.inf, -math.inf, 0, 0)
        if not (self.limits[0] <= low <= self.lowest <= self.highest <= high <= self.limits[1]) or sum(counts) > self.n:
            return False
        if not (math.isfinite(low) and math.isfinite(high)):
            return counts == (0, 0)
        return (counts[0] > 0) == (self.lowest == low) and (counts[1] > 0) == (self.highest == high)

    def _has_possible_powers(self) -> bool:
        """False if no values between the least and the greatest have these sums of powers."""
        if (self.is_share is None) != (self.n + self.missing == 0):
            return False
        parts = self.parts.reshape(POWERS, -1)
        marks, exact = parts[:, -1], list(map(_exact, parts))  # of sums that are not finite
        if not self.n:
            return not (marks.any() or any(exact))
        if not (math.isfinite(self.lowest) and math.isfinite(self.highest)):
            return bool(marks[0])
        if marks[0]:
            return False
        if not self.n * Fraction(self.lowest) <= exact[0] <= self.n * Fraction(self.highest):
            return False
        if self.is_share:
            return {self.lowest, self.highest} <= {0.0, 1.0} and len({*exact}) == 1 and exact[0].denominator == 1
        span = self.highest - self.lowest
        if not 1 / MODERATE < span < MODERATE or max(abs(self.lowest), abs(self.highest)) > FOURTH_ROOT:
            return True
        if marks.any():
            return False
        second, third, fourth = (
            moment / span**power for moment, power in zip(central(self.n, *exact)[1:], (2, 3, 4), strict=True)
        )
        slack = 1e-9 * second
        return (
            0.5 - slack <= second <= self.n / 4 + slack
            and abs(third) <= second + slack
            and second**2 / self.n - slack <= fourth <= second + slack
            and self.n * (second * fourth - third**2) >= second**3 - self.n * slack * second
        )

    def __reduce__(self) -> tuple[Any, ...]:
        parts, numbers = self.parts, self.to_json()
        return PowerSums.from_json, (self.limits, numbers, parts, self.n + self.missing)

    @property
    def parts(self) -> NDArray[np.int64]:
        """Integer parts of the sums, see `kernels.ExactSums.parts`."""
        return self.settle().parts()

    def statistic(self, metric: Metric, caution: str = "") -> Mean | Proportion | Influence:
        """Statistic of the metric: a mean, a proportion or a root."""
        if self.is_share and not self.missing:
            return Proportion(int(self.settle().rounded()[0]), self.n, metric.unit)
        if not root_of(metric):
            return self.mean(str(metric), caution, metric.unit)
        squares = self.mean(str(metric), unit=metric.unit)
        value = math.sqrt(squares.value)
        if squares.value and not 1 / MODERATE < value < MODERATE:
            raise DataError(
                "errors as large or small as these need rows", "make the state with rows=True", location=metric
            )
        return SmoothFunction.of_units(
            value,
            self.n,
            partial(self._influence, str(metric)),
            partial(_refuse_values, str(metric)),
            unit=metric.unit,
            root_of=constant(squares),
        )

    def _influence(self, metric: str) -> Floats:
        """Influence values, all 0 if the values are equal; otherwise refused."""
        if self.lowest != self.highest:
            raise _no_values(metric)
        return np.zeros(self.n)  # no sample makes a difference

    def mean(self, metric: str, caution: str = "", unit: str = "sample") -> Mean:
        """Mean of all values."""
        n = self.n + self.missing
        if not n:
            return Mean([], unit, bounds=self.bounds)
        total = self.settle().rounded()[0]
        values = partial(_refuse_values, metric)
        if self.missing:
            reason = missing_reason(self.missing, n, unit)
            return MeanByMoments(
                *(math.nan, n, values, unit), bounds=self.bounds, ends=self.at_bounds, caution=caution, missing=reason
            )
        value = min(max(total / self.n, self.lowest), self.highest)
        if not math.isfinite(value) or self.lowest == self.highest:
            return Mean(np.full(self.n, value), unit, bounds=self.bounds, caution=caution)
        finite = all(map(math.isfinite, self.bounds or self.limits))
        return MeanByMoments(
            value,
            self.n,
            values,
            unit,
            bounds=self.bounds,
            moments=self.moments,
            ends=self.at_bounds if finite else None,
            caution=caution,
        )

    def moments(self) -> tuple[float, ...]:
        """Mean, sums of the 2nd to 4th powers of deviations from it, least and greatest value."""
        return (*central(self.n, *map(_exact, self.parts.reshape(4, -1))), self.lowest, self.highest)


def central(n: int, s1: Fraction, s2: Fraction, s3: Fraction, s4: Fraction) -> tuple[float, ...]:
    """Mean and central power sums (2nd to 4th), from n and raw power sums."""
    m = s1 / n
    second = s2 - n * m**2
    third = s3 - 3 * m * s2 + 2 * n * m**3
    fourth = s4 - 4 * m * s3 + 6 * m**2 * s2 - 3 * n * m**4
    return tuple(map(_rounded, (m, second, third, fourth)))


def _refuse_values(metric: str, *_: object) -> NoReturn:
    """Raise an error: this interval needs unit values, and only sums are stored."""
    raise _no_values(metric)


def _no_values(metric: str) -> DataError:
    """Error for an interval that needs unit values, if only their sums are stored."""
    return DataError(
        "this interval needs every value, and the state has kept their sums only",
        "take the default interval, or make the state with rows=True",
        location=metric,
    )


def _exact(parts: NDArray[np.int64]) -> Fraction:
    """Exact sum as a fraction, from 32-bit chunks with the lowest place 2**-1074; the last entry is ignored."""
    chunks = parts.tolist()[:-1]
    numerator = sum(chunk << BITS * index for index, chunk in enumerate(chunks))
    return Fraction(numerator, 1 << -LAST_PLACE)


def _rounded(number: Fraction) -> float:
    """Nearest float; infinite if out of range."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _number(text: str) -> float:
    """Parse text as a float; refuse NaN."""
    number = float(text)
    if math.isnan(number):
        raise ValueError("a number is NaN")
    return number


class BinSums:
    """Counts of samples and positives in each bin, and exact sums of gaps and squared gaps."""

    def __init__(self, bins: int) -> None:
        self.weight, self.hits = np.zeros((2, bins), dtype=np.int64)
        self._sums = kernels.ExactSums(2 * bins)

    def add(self, statistic: CalibrationError) -> None:
        """Add the samples of a statistic."""
        bins, size = statistic.bins, len(self.weight)
        gaps = statistic.observed - statistic.predicted
        self.weight += np.bincount(bins, minlength=size)
        self.hits += np.bincount(bins, statistic.observed, size).astype(np.int64)
        order = np.argsort(bins, kind="stable")
        bin_ends = np.cumsum(np.bincount(bins, minlength=size))
        for index, bin_gaps in enumerate(np.split(gaps[order], bin_ends[:-1])):
            if len(bin_gaps):
                self._sums.add(index, bin_gaps)
                self._sums.add(size + index, bin_gaps * bin_gaps)

    def merge(self, other: "BinSums") -> None:
        """Add the samples of another state."""
        self._sums.merge(other._sums)
        self.weight, self.hits = self.weight + other.weight, self.hits + other.hits

    @property
    def parts(self) -> NDArray[np.int64]:
        """Integer parts of the sums, see `kernels.ExactSums.parts`."""
        return self._sums.parts()

    def to_json(self) -> list[Any]:
        """Everything except the sums."""
        return [self.weight.tolist(), self.hits.tolist()]

    @classmethod
    def from_json(cls, counts: list[Any], parts: NDArray[np.int64], n: int) -> Self:
        """Restore from `parts` and the result of `to_json`, for n samples."""
        sums = cls(len(counts[0]))
        sums.weight, sums.hits = (np.array(numbers, dtype=np.int64) for numbers in counts)
        sums._sums = kernels.ExactSums.of_parts(parts)
        fits = len(sums.weight) == len(sums.hits) and len(sums._sums) == 2 * len(sums.weight)
        if (
            not fits
            or sums.weight.sum(dtype=np.float64) != n
            or not ((sums.hits >= 0) & (sums.hits <= sums.weight)).all()
        ):
            raise ValueError("the numbers of bins do not fit together")
        # of gaps from -1 to 1, which are hits minus probabilities
        gaps, squares = np.split(np.array(sums._sums.rounded()), 2)
        slack = 1e-9 * sums.weight
        with np.errstate(over="ignore"):
            possible = (sums.hits - sums.weight - slack <= gaps) & (gaps <= sums.hits + slack)
            possible &= (gaps * gaps <= (squares + slack) * sums.weight) & (squares <= sums.weight + slack)
        if not possible.all():
            raise ValueError("no samples have these sums")
        return sums

    def __reduce__(self) -> tuple[Any, ...]:
        return BinSums.from_json, (self.to_json(), self.parts, int(self.weight.sum()))

    def statistic(self, metric: Metric, classes: int) -> CalibrationError:
        """Calibration error of all samples."""
        sums = np.array(self._sums.rounded())
        gap, squares = np.split(sums, 2)
        totals = BinTotals(self.weight.astype(np.float64), gap, squares, self.hits.astype(np.float64))
        norm, confidence = metric.conventions.get("norm", "max"), metric.conventions["confidence"]
        return of_totals(totals, norm, confidence, classes)


ENOUGH_OF_A_CLASS = 100
"""Samples of a class that a warning about few of them can be about."""
VANISHES = 1e-150
"""Squares of errors beyond this are not 0, nor are those of logarithms of numbers that differ by so much."""
SMALLEST_SQUARE = 2.0**-1000
TRUTH, SCORE = Field("y_true", 0, True), Field("y_score", 0, False)


def names_of(task: Task, metric: Metric) -> list[str]:
    """Names of the arguments that a metric is computed from."""
    return [task.aliases[name] for kind in metric.input_types for name in getattr(kind, "arguments", ())]


def is_pointwise(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if a metric of these columns can be computed from sums over samples."""
    kind = metric.state
    has_several_columns = any(field.column for field in fields if field.name in names_of(task, metric))
    return isinstance(kind, EqualBins) or (isinstance(kind, SampleSums) and (kind.several or not has_several_columns))


def values_of(
    task: Task, metric: Metric, batch: SampleBatch, before: PowerSums | BinSums | None, conventions: Mapping[str, Any]
) -> tuple[Any, ...]:
    """Values that a batch adds to a metric's sums, with bounds and whether they are 0 or 1; or a statistic."""
    if isinstance(before, PowerSums) and not conventions and (values := _quick_values(metric, batch)) is not None:
        return values, before.bounds, False
    names = names_of(task, metric)
    if missing := [name for name in names if name not in batch.columns]:
        raise DataError(f"{metric} is computed from {' and '.join(names)}, but {missing[0]} is not given")
    columns = tuple(batch.columns[name] for name in names)
    mean = _mean_of(task, metric, columns, conventions)
    if root_of(metric) and isinstance(mean, Mean):
        return keep_tiny_squares(mean.values, columns), mean.bounds, False
    if isinstance(mean, CalibrationError):
        return (mean,)
    if isinstance(mean, Proportion):
        ones = np.zeros(mean.trials)
        ones[: mean.successes] = 1
        return ones, None, True
    return mean.values, mean.bounds, False


def keep_tiny_squares(squares: Floats, columns: tuple[Any, ...]) -> Floats:
    """Squared errors; those that underflow to 0 although the error is not 0 become 2^-1000.

    The root of a mean of such numbers is refused, as it lost all digits; beside others they are nothing.
    """
    if squares.all():
        return squares
    true, predicted = (as_array(column, "").astype(np.float64).reshape(-1) for column in columns)
    errors = np.abs(true - predicted)
    return np.where((squares == 0) & (errors > 0) & (errors < VANISHES), SMALLEST_SQUARE, squares)


def _quick_values(metric: Metric, batch: SampleBatch) -> Floats | None:
    """Values of the samples by a faster way, for classes 0 and 1 in plain arrays; otherwise None."""
    kind = metric.state
    if not isinstance(kind, SampleSums) or kind.quick is None or not batch.n:
        return None
    truth, scores = batch.labels.get(TRUTH), batch.numbers.get(SCORE)
    if truth is None or scores is None or truth.names is not None or truth.order is not None:
        return None
    # Columns with a name or an index of their own are compared with each other first.
    if not all(isinstance(batch.columns[name], np.ndarray | list | tuple) for name in ("y_true", "y_score")):
        return None
    codes = truth.values
    return kind.quick(codes, scores, metric.conventions) if codes.min() >= 0 and codes.max() <= 1 else None


def _mean_of(
    task: Task, metric: Metric, columns: tuple[Any, ...], conventions: Mapping[str, Any]
) -> Mean | Proportion | CalibrationError:
    """Statistic of the samples whose mean, or the root of it, is the metric."""
    accepted = keywords_of(metric)
    conventions = {name: value for name, value in conventions.items() if name in accepted}
    if root := root_of(metric):
        metric = parse(root, task=task.name)
    statistic = metric.compute(task.prepare()(metric, columns, conventions))
    if not isinstance(statistic, Mean | Proportion | CalibrationError):
        raise DataError(f"{metric} gives {type(statistic).__name__} of these columns", "make the state with rows=True")
    return statistic


def means_of(
    task: Task,
    sums: Mapping[Metric, PowerSums | BinSums],
    truth: NDArray[Any] | None,
    width: int,
    conventions: Mapping[str, Any],
) -> dict[Metric, Statistic]:
    """Statistics of all samples from their sums; true labels are needed for cautions about small classes."""
    statistics: dict[Metric, Statistic] = {}
    for metric, metric_sums in sums.items():
        if isinstance(metric_sums, BinSums):
            statistics[metric] = metric_sums.statistic(metric, max(width, 2))
            continue
        caution = "" if truth is None else caution_of(task, metric, limit_classes(truth), width, conventions)
        statistics[metric] = metric_sums.statistic(metric, caution)
    return statistics


def caution_of(task: Task, metric: Metric, truth: NDArray[Any], width: int, conventions: Mapping[str, Any]) -> str:
    """Warning of a metric about small classes, from some samples of each."""
    scores = np.full(len(truth), 0.5) if width == 1 else np.full((len(truth), width), 1 / width)
    return str(getattr(_mean_of(task, metric, (truth, scores), conventions), "caution", ""))


def limit_classes(labels: NDArray[Any]) -> NDArray[Any]:
    """Keep at most `ENOUGH_OF_A_CLASS` samples of each label."""
    starts = np.flatnonzero(np.append(True, labels[1:] != labels[:-1])[: len(labels)])
    sizes = np.diff(starts, append=len(labels))
    column = coded(labels[starts], "y_true")
    counts = np.bincount(column.codes, sizes, len(column.labels)).astype(np.int64)
    first = np.unique(column.codes, return_index=True)[1]
    return np.repeat(labels[starts[first]], np.minimum(counts, ENOUGH_OF_A_CLASS))
