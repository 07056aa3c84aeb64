"""Statistics of numbers in a file: quantiles, rank correlations, roots of means, saved loss."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import memory_error
from certus.data import Targets
from certus.evaluation.cases import keywords_of
from certus.inference.clusters import cluster_error_of_parts
from certus.metrics import Metric
from certus.metrics.regression.deviance import check_domain
from certus.metrics.regression.passes import BEND
from certus.metrics.regression.r2 import NOTHING_TO_SAVE, loss_of
from certus.metrics.state_kinds import Quantiles
from certus.states._batch import Field, columns_of_rows
from certus.states._files import File, StoredColumns
from certus.states._rows import Column, Spilled, sorted_samples
from certus.states._sums import PowerSums, names_of
from certus.statistic import Influence, Quantile, Ratio
from certus.statistic.cached import constant
from certus.statistic.influence import SmoothFunction
from certus.statistic.moments import Moments
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.states._state import State

TIED_SAMPLE_BYTES = 128
"""Bytes that a sample takes that is tied with others."""
MIN_TIED_BYTES = 1 << 20
"""Bytes that tied samples may take at least, however little the memory."""
MODERATE = 1e60
"""Sums of losses from one over this to this are those that numbers have in memory, too."""


def is_quantile(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if the metric is a quantile of a single column of values."""
    has_several_columns = any(field.column for field in fields if field.name in names_of(task, metric))
    return isinstance(metric.state, Quantiles) and not has_several_columns


def quantile(state: "State", rows: Spilled, metric: Metric) -> Quantile:
    """Compute a quantile from the rows in a file."""
    names = names_of(state.task, metric)
    conventions = {name: value for name, value in state.conventions.items() if name in keywords_of(metric)}
    share, unit = 0.5, "sample"

    def values() -> Iterator[list[Column]]:
        nonlocal share, unit
        for samples in rows.pieces():
            columns: dict[str, Any] = columns_of_rows(state._labels, state.row_fields, samples, None)
            data = tuple(columns[name] for name in names)
            statistic = metric.compute(state.task.prepare()(metric, data, conventions))
            if not isinstance(statistic, Quantile):
                raise memory_error("it needs every value", metric)
            share, unit = statistic.q, statistic.unit
            yield [statistic.values]

    ordered = _sorted_values(values(), state.n, rows.memory)
    return Quantile.of_sorted(ordered, share, unit=unit)


def _sorted_values(columns: Iterable[list[Column]], n: int, memory: int) -> Floats:
    """Sort n numbers that are read block by block; the result is mapped to a file."""
    values = File().mapped(8 * n).view(np.float64)
    start = 0
    for (piece,) in sorted_samples(columns, 1, memory):
        values[start : start + len(piece)] = piece
        start += len(piece)
    return values


def rank_correlation(rows: Spilled, metric: Metric) -> Influence:
    """Compute the rank correlation of predictions and truth from the rows in a file."""
    ranks = _Ranks(rows, metric)
    for side in ("targets", "predictions"):
        if not ranks.largest[side]:
            reason = f"all {side} are equal: a constant has no correlation"
            return Influence.of_units(math.nan, ranks.n, partial(np.zeros, ranks.n), undefined_reason=reason)
    return Influence.of_units(
        ranks.value, ranks.n, ranks.influence, ranks.resample, moments=partial(getattr, ranks, "moments")
    )


class _Ranks:
    """Ranks by truth (u) and prediction (v), and sums of u and v over the samples above by either ranking.

    Ranks are twice the samples below and those tied once, less all, and as shares from 0 to 1, as
    `certus.metrics.regression.correlation` has them, and so are the influence values.
    """

    def __init__(self, rows: Spilled, metric: Metric) -> None:
        self.rows, self.metric = rows, metric
        self.n = sum(rows.samples().values())
        self.largest = {"predictions": 0.0, "targets": 0.0}
        self.samples = StoredColumns()
        """Ranks u and v; sums of v above by truth, of u by prediction, of u by truth, of v by prediction."""
        sums = np.zeros(4)
        by_prediction = sorted_samples(self._with_truth(sums), 4, rows.memory)
        for v, u, v_of_truth, u_of_truth in self._whole_ties(by_prediction):
            u_of_prediction, v_of_prediction = self._sums_above(v, [u, v], sums[2:])
            self.samples.add(u, v, v_of_truth, u_of_prediction, u_of_truth, v_of_prediction)
        self.sums = sums.tolist()

    def _with_truth(self, sums: Floats) -> Iterator[list[Column]]:
        """Ranks v and u of each sample, and sums of v and u over the samples with a larger truth."""
        by_truth = sorted_samples(self._with_prediction(), 2, self.rows.memory)
        for u, (v,) in self._ranked(by_truth, "targets"):
            v_above, u_above = self._sums_above(u, [v, u], sums[:2])
            yield [v, u, v_above, u_above]

    def _with_prediction(self) -> Iterator[list[Column]]:
        """Truth and rank v of each sample, by sorting the rows by prediction."""
        by_prediction = ([column.astype(np.float64) for column in piece] for piece in self.rows.pieces(sort=True))
        for v, (true,) in self._ranked(by_prediction, "predictions"):
            yield [true, v]

    def _whole_ties(self, pieces: Iterable[list[Column]]) -> Iterator[list[Column]]:
        """Regroup pieces so that samples with the same first column are in one piece."""
        unfinished: list[Column] = []
        for piece in pieces:
            joined = [np.concatenate(pair) for pair in zip(unfinished, piece, strict=True)] if unfinished else piece
            last = int(np.searchsorted(joined[0], joined[0][-1]))
            if last:
                yield [column[:last] for column in joined]
            unfinished = [column[last:] for column in joined]
            if TIED_SAMPLE_BYTES * len(unfinished[0]) > max(self.rows.memory, MIN_TIED_BYTES):
                raise memory_error("samples that are tied do not fit into memory", self.metric)
        yield unfinished

    def _ranked(self, pieces: Iterable[list[Column]], side: str) -> Iterator[tuple[Floats, list[Column]]]:
        """Rank samples by the first column of sorted pieces; yields ranks and the other columns."""
        n_before = 0
        for key, *columns in self._whole_ties(pieces):
            starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
            sizes = np.diff(starts, append=len(key))
            group_ends = n_before + np.cumsum(sizes)
            n_before = int(group_ends[-1])
            ranks = (2 * group_ends - sizes - self.n).astype(np.float64)
            self.largest[side] = max(self.largest[side], float(np.abs(ranks).max()))
            yield np.repeat(ranks, sizes), columns

    def _sums_above(self, ranks: Floats, columns: list[Floats], sums: Floats) -> list[Floats]:
        """Minus the cumulative sum of each column up to the sample, its ties counted half; by increasing rank."""
        starts = np.flatnonzero(np.append(True, ranks[1:] != ranks[:-1]))
        sizes = np.diff(starts, append=len(ranks))
        sums_above = []
        for index, column in enumerate(columns):
            group_sums = np.add.reduceat(self._share(column), starts) / self.n
            cumulative = sums[index] + np.cumsum(group_sums)
            sums[index] = cumulative[-1]
            sums_above.append(np.repeat(group_sums / 2 - cumulative, sizes))
        return sums_above

    def _share(self, ranks: Floats) -> Floats:
        """Map centred ranks, from -n to n, to fractions from 0 to 1."""
        return (ranks / self.n + 1) / 2

    def _product_sums(self, scaled: Callable[[Floats], Floats]) -> list[float]:
        """Sums of u v, u u and v v, with scaled ranks."""
        sums = kernels.ExactSums(3)
        for u, v, *_ in self.samples():
            true, predicted = scaled(u), scaled(v)
            for index, column in enumerate((true * predicted, true * true, predicted * predicted)):
                sums.add(index, column)
        return sums.rounded()

    @property
    def value(self) -> float:
        """Rank correlation."""
        cross, true_squares, predicted_squares = self._product_sums(lambda ranks: ranks / self.largest["targets"])
        return min(max(cross / math.sqrt(true_squares * predicted_squares), -1.0), 1.0)

    @cached_property
    def moments(self) -> Moments | None:
        """Moments of the samples' influence on the rank correlation; None if all influences are equal."""
        means = [total / self.n for total in self._product_sums(self._share)]
        cross, u_square, v_square = (mean - 0.25 for mean in means)
        root = math.sqrt(u_square * v_square)
        v_of_truth, u_of_truth, u_of_prediction, v_of_prediction = self.sums
        influences = PowerSums()
        for u, v, v_by_truth, u_by_prediction, u_by_truth, v_by_prediction in self.samples():
            true, predicted = self._share(u), self._share(v)
            shifts = v_by_truth + v_of_truth + u_by_prediction + u_of_prediction
            of_cross = true * predicted + shifts - 3 * means[0]
            of_u_square = true * true + 2 * (u_by_truth + u_of_truth) - 3 * means[1]
            of_v_square = predicted * predicted + 2 * (v_by_prediction + v_of_prediction) - 3 * means[2]
            influences.add(of_cross / root - cross / root / 2 * (of_u_square / u_square + of_v_square / v_square), None)
        moments = Moments(*influences.moments())
        return moments if moments.second > 0 else None

    def influence(self) -> Floats:
        """Influence of each sample if all are 0, otherwise refused."""
        if self.moments is not None:
            self.resample()
        return np.zeros(self.n)

    def resample(self, *_: object) -> NoReturn:
        """Refuse resampling, which needs every sample."""
        raise _needs_every_value(self.metric)


def _needs_every_value(metric: Metric) -> Exception:
    """Error for an interval that needs every value in memory."""
    return memory_error("this interval needs every value", metric, alternative="take the default interval")


class _FunctionOfTwoSums:
    """A function of two sums with its jackknife, computed block by block from the units in a file.

    See `certus.metrics.regression.smooth`. `read` gives what each unit adds to both sums, part by part; units are equal
    or have the part of the second sum that they add to it.
    """

    def __init__(
        self,
        metric: Metric,
        n: int,
        function: Callable[[Floats, Floats], Floats],
        read: Callable[[], Iterable[tuple[Floats, Floats]]],
        *,
        has_equal_units: bool,
        is_constant: bool = False,
    ) -> None:
        self.metric, self.n, self.function, self.read = metric, n, function, read
        self.has_equal_units, self.is_constant = has_equal_units, is_constant

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Total of both sums."""
        sums = [(float(first.sum()), float(second.sum())) for first, second in self.read()]
        return math.fsum(first for first, _ in sums), math.fsum(second for _, second in sums)

    def shares(self, column: Floats) -> Floats:
        """Share of each unit in the second sum."""
        return np.full(len(column), 1 / self.n) if self.has_equal_units else column / self.totals[1]

    def values_without(self) -> Iterator[tuple[Floats, Floats]]:
        """Value without each unit, and the unit's share, block by block."""
        first_total, second_total = self.totals
        for first, second in self.read():
            with np.errstate(all="ignore"):
                yield self.function(first_total - first, second_total - second), self.shares(second)

    def losses(self) -> Iterator[tuple[Floats, Floats]]:
        """Loss of value without each unit, and the unit's share, block by block."""
        for values, shares in self.values_without():
            yield (1 - shares) * (self.mean_without - values), shares

    @cached_property
    def mean_without(self) -> float:
        """Mean of the values without each unit."""
        total = math.fsum(float(values.sum()) for values, _ in self.values_without())
        if not math.isfinite(total):
            raise memory_error("it hangs on a single unit", self.metric)
        return total / self.n

    @cached_property
    def loss_moments(self) -> tuple[float, ...]:
        """Mean, 2nd to 4th central moment, minimum and maximum of the loss of each sample."""
        sums = PowerSums()
        for losses, _ in self.losses():
            sums.add(losses, None)
        return sums.moments()

    @cached_property
    def moments(self) -> Moments | None:
        """Moments of the influence values: n times the deviations of the losses from their mean."""
        if self.is_constant:
            return None
        n, (mean, second, third, fourth, least, greatest) = self.n, self.loss_moments
        if not second > 0:
            return None
        return Moments(0.0, n**2 * second, n**3 * third, n**4 * fourth, n * (least - mean), n * (greatest - mean))

    @cached_property
    def curvature(self) -> float:
        """Curvature of the value along the influence values, see `certus.metrics.regression.smooth`."""
        if self.moments is None:
            return 0.0
        length, mean = math.sqrt(self.moments.second), self.loss_moments[0]
        along = np.zeros(2)
        for (losses, _), pair in zip(self.losses(), self.read(), strict=True):
            along += [float(product(self.n * (losses - mean) / length, column)) for column in pair]
        steps = BEND * along
        with np.errstate(all="ignore"):
            low, here, high = (float(self.function(*(np.array(self.totals) + step * steps))) for step in (-1, 0, 1))
        curvature = (low - 2 * here + high) / 2 / BEND**2 / (length / self.n)
        return curvature if math.isfinite(curvature) else 0.0

    def spread(self, *, weighted: bool) -> tuple[float, float, float]:
        """Variance, its degrees of freedom and the effective number of units."""
        squares = math.fsum(float((shares**2).sum()) for _, shares in self.values_without())
        effective = math.fsum(float(shares.sum()) for _, shares in self.values_without()) ** 2 / squares
        if self.is_constant:
            return 0.0, self.n - 1.0, effective
        mean = self.loss_moments[0]
        error, freedom = cluster_error_of_parts(
            lambda: ((losses - mean, shares) for losses, shares in self.losses()), weighted=weighted
        )
        return error**2, freedom, effective

    def influence(self) -> Floats:
        """Influence of each unit if all are 0, otherwise refused."""
        if self.moments is not None:
            raise _needs_every_value(self.metric)
        return np.zeros(self.n)

    def resample(self, *_: object) -> NoReturn:
        """Refuse resampling, which needs every unit."""
        raise _needs_every_value(self.metric)

    def statistic(self, value: float, **facts: Any) -> SmoothFunction:
        """Statistic of the value; `facts` are further parameters."""
        moments = partial(getattr, self, "moments")
        return SmoothFunction.of_units(value, self.n, self.influence, self.resample, moments=moments, **facts)


def root_of_mean(metric: Metric, value: float, mean: Ratio, *, is_zero: bool) -> Influence:
    """Root of a mean of squares over units with masses, with a known value; `is_zero` if all squares are 0."""
    function = _FunctionOfTwoSums(metric, mean.n, _root, mean.parts, has_equal_units=False, is_constant=is_zero)
    root = function.statistic(
        value, undefined_reason=mean.reason, unit=mean.unit, weighted=mean.weighted, root_of=constant(mean)
    )
    return root if root.reason or mean.n < 2 else replace(root, spreads=(function.spread(weighted=mean.weighted),))


def _root(squares: Floats, masses: Floats) -> Floats:
    """Root mean square: square root of summed squares divided by summed weights."""
    return np.sqrt(squares / masses)


def _saved(lost: Floats, total: Floats) -> Floats:
    """One minus the predictions' loss divided by the loss of a constant prediction."""
    return np.asarray(1 - lost / total)


def saved_part(rows: Spilled, metric: Metric) -> Influence:
    """Compute the share of a loss that predictions save, from the rows in a file."""
    loss, alpha = loss_of(metric.name, metric.conventions)
    n, sums, power = 0, kernels.ExactSums(1), metric.conventions.get("power", 0.0)
    low, high = math.inf, -math.inf

    def samples() -> Iterator[tuple[Floats, Floats]]:
        for predicted, true in rows.pieces():
            yield true.astype(np.float64), predicted.astype(np.float64)

    for true, predicted in samples():
        if alpha is None:
            check_domain(Targets.from_arrays(true, predicted), power)
        n += len(true)
        sums.add(0, true)
        low, high = min(low, float(true.min())), max(high, float(true.max()))
    best = min(max(sums.rounded()[0] / n, low), high)
    if alpha is not None:
        best = Quantile.of_sorted(_sorted_values(([true] for true, _ in samples()), n, rows.memory), alpha).value
    losses, totals = StoredColumns(), kernels.ExactSums(2)
    function = _FunctionOfTwoSums(metric, n, _saved, losses, has_equal_units=True)
    form = partial(function.statistic, curvature=partial(getattr, function, "curvature"))
    if alpha is None and power < 0 and best <= 0:
        reason = f"the mean of the targets is {best:g}; a deviance of power {power:g} needs a constant above 0"
        return form(math.nan, undefined_reason=reason)
    for true, predicted in samples():
        pair = loss(true, predicted), loss(true, np.full(len(true), best))
        losses.add(*pair)
        for index, column in enumerate(pair):
            totals.add(index, column)
    lost, total = totals.rounded()
    if not total:
        return form(math.nan, undefined_reason=NOTHING_TO_SAVE)
    if not (1 / MODERATE < total < MODERATE and lost < MODERATE):
        raise memory_error("numbers as large or small as these need every row", metric)
    return form(1 - lost / total)
