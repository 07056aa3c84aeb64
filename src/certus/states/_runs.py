"""Statistics of numbers that lie in a file: quantiles, ranks, roots of means, and parts of a loss that are saved."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError, keyword
from certus.data import Targets
from certus.evaluation.cases import keywords_of
from certus.inference.clusters import cluster_error_of_parts
from certus.metrics import Metric
from certus.metrics.regression.deviance import check_domain, check_power
from certus.metrics.regression.r2 import NOTHING_TO_SAVE, loss_of
from certus.metrics.state_kinds import Quantiles
from certus.states._batch import Field, columns_of_rows
from certus.states._files import Columns, File, Pairs, needs_every_value
from certus.states._rows import Column, Spilled, beside, in_pieces
from certus.states._sums import PowerSums, names_of
from certus.statistic import Influence, Quantile, Ratio
from certus.statistic.cached import constant
from certus.statistic.influence import SmoothFunction
from certus.statistic.moments import Moments
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.states._state import State


def is_quantile(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if a metric of some columns is a quantile that is computed from sorted values."""
    several = any(field.place for field in fields if field.name in names_of(task, metric))
    return isinstance(metric.state, Quantiles) and not several


def quantiles_of(state: "State", rows: Spilled, metrics: Iterable[Metric]) -> dict[Metric, Quantile]:
    """The quantiles of the samples of a state, all of whose rows are in a file."""
    return {metric: _Sorted(state, rows, metric).statistic() for metric in metrics}


class _Sorted:
    """The values of a metric, in increasing order in a file."""

    def __init__(self, state: "State", rows: Spilled, metric: Metric) -> None:
        self.state, self.rows, self.metric = state, rows, metric
        self.names = names_of(state.task, metric)
        self.told = {name: value for name, value in state.conventions.items() if name in keywords_of(metric)}

    def _parts(self) -> Iterator[Quantile]:
        """The statistics of some samples each."""
        for columns, counts in self.rows.parts_of(()):
            for some in in_pieces(columns, counts):
                given: dict[str, Any] = columns_of_rows(self.state._labels, self.state.held, some, None)
                data = tuple(given[name] for name in self.names)
                found = self.metric.compute(self.state.task.prepare()(self.metric, data, self.told))
                if not isinstance(found, Quantile):
                    raise DataError(
                        "it needs every value",
                        f"give more with {keyword('memory')}",
                        argument="memory",
                        subject="",
                        place=self.metric,
                    )
                yield found

    def statistic(self) -> Quantile:
        """The quantile of all."""
        q, unit = 0.5, "sample"

        def values() -> Iterator[list[Column]]:
            nonlocal q, unit
            for found in self._parts():
                q, unit = found.q, found.unit
                yield [found.values]

        ordered = sorted_values(values(), self.state.n, self.rows.memory)
        return Quantile.of_sorted(ordered, q, unit=unit)


def sorted_values(columns: Iterable[list[Column]], n: int, memory: int) -> Floats:
    """The n numbers of a column that comes in parts in increasing order, in a file."""
    rows = Spilled(1, beside(memory), keys=0)
    for column in columns:
        rows.make_room()
        rows.add(column)
    rows.spill(always=True)
    values = File().mapped(8 * n).view(np.float64)
    at = 0
    for _, (some,), counts in rows.merged({(): 0}):
        for (part,) in in_pieces([some], counts):
            values[at : at + len(part)] = part
            at += len(part)
    return values


TIED = 128
"""Bytes that a sample takes that is tied with others."""
LEAST = 1 << 20
"""Bytes that tied samples may take at least, however little the memory."""


def ranked_of(rows: Spilled, metrics: Iterable[Metric]) -> dict[Metric, Influence]:
    """The correlations of the columns of predictions and truth that rows have."""
    return {metric: _Ranked(rows, metric).statistic() for metric in metrics}


class _Ranked:
    """Ranks u by truth and v by prediction of each sample, and sums of both over the samples above it.

    Ranks are twice the samples below and those tied once, less all, and as shares from 0 to 1, as
    `certus.metrics.regression.correlation` has them, and so are the influence values.
    """

    def __init__(self, rows: Spilled, metric: Metric) -> None:
        self.rows, self.metric = rows, metric
        self.n = sum(rows.samples().values())
        self.top = {"predictions": 0.0, "targets": 0.0}
        """The greatest rank of each side."""
        self.samples = Columns()
        """Ranks u and v; sums of v above by truth, of u by prediction, of u by truth, of v by prediction."""
        sums = np.zeros(4)
        for v, u, v_of_truth, u_of_truth in self._levels(self._sorted(self._with_truth(sums), 4)):
            u_of_prediction, v_of_prediction = self._above(v, [u, v], sums[2:])
            self.samples.add(u, v, v_of_truth, u_of_prediction, u_of_truth, v_of_prediction)
        self.sums = sums.tolist()

    def _with_truth(self, sums: Floats) -> Iterator[list[Column]]:
        """Ranks by prediction and truth, with the sums over the samples above by truth."""
        for u, (v,) in self._ranked(self._sorted(self._with_prediction(), 2), "targets"):
            v_above, u_above = self._above(u, [v, u], sums[:2])
            yield [v, u, v_above, u_above]

    def _with_prediction(self) -> Iterator[list[Column]]:
        """Truth, and ranks by prediction, by which the rows are sorted as they are."""
        merged = ((columns, counts) for _, columns, counts in self.rows.merged({(): 0}))
        parts = (each for columns, counts in merged for each in in_pieces(columns, counts))
        for v, (true,) in self._ranked(
            ([column.astype(np.float64) for column in each] for each in parts), "predictions"
        ):
            yield [true, v]

    def _sorted(self, parts: Iterable[list[Column]], width: int) -> Iterator[list[Column]]:
        """The samples by increasing first column."""
        rows = Spilled(width, beside(self.rows.memory), keys=0)
        for columns in parts:
            rows.make_room()
            rows.add(columns)
        rows.spill(always=True)
        for _, columns, counts in rows.merged({(): 0}):
            yield from in_pieces(columns, counts)

    def _levels(self, parts: Iterable[list[Column]]) -> Iterator[list[Column]]:
        """The same parts, but those that are equal in the first column in one."""
        held: list[Column] = []
        for columns in parts:
            joined = [np.concatenate(pair) for pair in zip(held, columns, strict=True)] if held else columns
            last = int(np.searchsorted(joined[0], joined[0][-1]))
            if last:
                yield [column[:last] for column in joined]
            held = [column[last:] for column in joined]
            if TIED * len(held[0]) > max(self.rows.memory, LEAST):
                raise DataError(
                    "samples that are tied do not fit into memory",
                    f"give more with {keyword('memory')}",
                    argument="memory",
                    subject="",
                    place=self.metric,
                )
        yield held

    def _ranked(self, parts: Iterable[list[Column]], side: str) -> Iterator[tuple[Floats, list[Column]]]:
        """The ranks by the first column, and the other columns."""
        before = 0
        for key, *others in self._levels(parts):
            starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
            sizes = np.diff(starts, append=len(key))
            ends = before + np.cumsum(sizes)
            before = int(ends[-1])
            levels = (2 * ends - sizes - self.n).astype(np.float64)
            self.top[side] = max(self.top[side], float(np.abs(levels).max()))
            yield np.repeat(levels, sizes), others

    def _above(self, ranks: Floats, columns: list[Floats], sums: Floats) -> list[Floats]:
        """Minus the sum of shares up to each sample, half of its ties'; samples come by increasing rank."""
        starts = np.flatnonzero(np.append(True, ranks[1:] != ranks[:-1]))
        sizes = np.diff(starts, append=len(ranks))
        found = []
        for place, column in enumerate(columns):
            levels = np.add.reduceat(self._share(column), starts) / self.n
            upto = sums[place] + np.cumsum(levels)
            sums[place] = upto[-1]
            found.append(np.repeat(levels / 2 - upto, sizes))
        return found

    def _share(self, ranks: Floats) -> Floats:
        return (ranks / self.n + 1) / 2

    @cached_property
    def value(self) -> float:
        """The correlation of the ranks."""
        sums, top = kernels.ExactSums(3), self.top["targets"]
        for u, v, *_ in self.samples():
            one, other = u / top, v / top
            for place, column in enumerate((one * other, one * one, other * other)):
                sums.add(place, column)
        cross, first, second = sums.rounded()
        return min(max(cross / math.sqrt(first * second), -1.0), 1.0)

    @cached_property
    def terms(self) -> PowerSums:
        """Sums of powers of the influence values."""
        sums = kernels.ExactSums(3)
        for u, v, *_ in self.samples():
            one, other = self._share(u), self._share(v)
            for place, column in enumerate((one * other, one * one, other * other)):
                sums.add(place, column)
        means = [total / self.n for total in sums.rounded()]
        cross, first, second = (mean - 0.25 for mean in means)
        root = math.sqrt(first * second)
        v_of_truth, u_of_truth, u_of_prediction, v_of_prediction = self.sums
        terms = PowerSums()
        for u, v, by_truth, by_prediction, own_of_truth, own_of_prediction in self.samples():
            one, other = self._share(u), self._share(v)
            shifts = by_truth + v_of_truth + by_prediction + u_of_prediction
            of_cross = one * other + shifts - 3 * means[0]
            of_first = one * one + 2 * (own_of_truth + u_of_truth) - 3 * means[1]
            of_second = other * other + 2 * (own_of_prediction + v_of_prediction) - 3 * means[2]
            terms.add(of_cross / root - cross / root / 2 * (of_first / first + of_second / second), None)
        return terms

    @cached_property
    def moments(self) -> Moments | None:
        """Those of the influence values; None where all are equal."""
        found = Moments(*self.terms.moments())
        return found if found.second > 0 else None

    def influence(self) -> Floats:
        """The influence of each sample, if it is 0."""
        if self.moments is not None:
            self.resample()
        return np.zeros(self.n)

    def resample(self, *_: object) -> NoReturn:
        """Nothing: resamples need every sample."""
        raise needs_every_value(self.metric)

    def statistic(self) -> Influence:
        """The form of the correlation."""
        for side in ("targets", "predictions"):
            if not self.top[side]:
                reason = f"all {side} are equal: a constant has no correlation"
                return Influence.of_units(math.nan, self.n, partial(np.zeros, self.n), undefined_reason=reason)
        return Influence.of_units(
            self.value, self.n, self.influence, self.resample, moments=partial(getattr, self, "moments")
        )


BEND = 0.1
"""The step of a second difference, in standard errors."""


class _OfTwoSums(ABC):
    """A function of two sums, with what each unit adds to it to first order: as in memory, but part by part.

    See `certus.metrics.regression.smooth`.

    Parameters
    ----------
    metric, value, n
        The metric, its value, and the number of units.
    pairs
        What each unit adds to both sums, part by part.
    """

    def __init__(
        self, metric: Metric, value: float, n: int, pairs: Callable[[], Iterable[tuple[Floats, Floats]]]
    ) -> None:
        self.metric, self.value, self.n, self.pairs = metric, value, n, pairs

    @abstractmethod
    def of(self, one: Floats, other: Floats) -> Floats:
        """The function of sums."""

    @abstractmethod
    def share(self, other: Floats) -> Floats:
        """The part of all that each unit has."""

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Both sums."""
        sums = [(float(one.sum()), float(other.sum())) for one, other in self.pairs()]
        return math.fsum(one for one, _ in sums), math.fsum(other for _, other in sums)

    def _without(self) -> Iterator[tuple[Floats, Floats]]:
        """The value without each unit, and the part of all that it has."""
        first, second = self.totals
        for one, other in self.pairs():
            with np.errstate(all="ignore"):
                yield self.of(first - one, second - other), self.share(other)

    def lost(self) -> Iterator[tuple[Floats, Floats]]:
        """Loss of value without each unit, and the part of all that it has."""
        for without, share in self._without():
            yield (1 - share) * (self.middle - without), share

    @cached_property
    def middle(self) -> float:
        """The mean of the values without each unit."""
        total = math.fsum(float(without.sum()) for without, _ in self._without())
        if not math.isfinite(total):
            raise DataError(
                "it hangs on a single unit",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
                place=self.metric,
            )
        return total / self.n

    @cached_property
    def terms(self) -> PowerSums:
        """Sums of powers of what is lost."""
        sums = PowerSums()
        for lost, _ in self.lost():
            sums.add(lost, None)
        return sums

    @cached_property
    def moments(self) -> Moments | None:
        """Those of the influence values, which are n times the distances of what is lost from its mean."""
        n, (mean, second, third, fourth, least, greatest) = self.n, self.terms.moments()
        if not second > 0:
            return None
        return Moments(0.0, n**2 * second, n**3 * third, n**4 * fourth, n * (least - mean), n * (greatest - mean))

    def influence(self) -> Floats:
        """The influence of each unit, if it is 0."""
        if self.moments is not None:
            raise needs_every_value(self.metric)
        return np.zeros(self.n)

    def resample(self, *_: object) -> NoReturn:
        """Nothing: resamples need every unit."""
        raise needs_every_value(self.metric)


class RootOfMean(_OfTwoSums):
    """The root of a mean of squares over units with masses; all of them may be 0."""

    def __init__(self, metric: Metric, value: float, mean: Ratio, *, zero: bool) -> None:
        super().__init__(metric, value, mean.n, mean.parts)
        self.mean, self.zero = mean, zero

    def of(self, one: Floats, other: Floats) -> Floats:
        """The root of the quotient."""
        return np.sqrt(one / other)

    def share(self, other: Floats) -> Floats:
        """The part of the masses."""
        return other / self.totals[1]

    @cached_property
    def moments(self) -> Moments | None:
        """None where all squares are 0."""
        return None if self.zero else super().moments

    def spread(self) -> tuple[float, float, float]:
        """The variance, its degrees of freedom and the effective number of units."""
        squares = math.fsum(float((share**2).sum()) for _, share in self._without())
        effective = math.fsum(float(share.sum()) for _, share in self._without()) ** 2 / squares
        if self.zero:
            return 0.0, self.n - 1.0, effective
        mean = self.terms.moments()[0]
        error, freedom = cluster_error_of_parts(
            lambda: ((lost - mean, share) for lost, share in self.lost()), weighted=self.mean.weighted
        )
        return error**2, freedom, effective

    def statistic(self) -> Influence:
        """The form of the root."""
        made = SmoothFunction.of_units(
            *(self.value, self.n, self.influence, self.resample),
            undefined_reason=self.mean.reason,
            unit=self.mean.unit,
            weighted=self.mean.weighted,
            root_of=constant(self.mean),
            moments=partial(getattr, self, "moments"),
        )
        return made if made.reason or self.n < 2 else replace(made, spreads=(self.spread(),))


class PartSaved(_OfTwoSums):
    """The part of a loss that is saved: 1 less what is lost over what there is, of samples that count alike."""

    def of(self, one: Floats, other: Floats) -> Floats:
        """1 less the quotient."""
        return np.asarray(1 - one / other)

    def share(self, other: Floats) -> Floats:
        """The same of each."""
        return np.full(len(other), 1 / self.n)

    @cached_property
    def curvature(self) -> float:
        """Curvature of the value along the influence values, as `certus.metrics.regression.smooth` has it."""
        if self.moments is None:
            return 0.0
        length, mean = math.sqrt(self.moments.second), self.terms.moments()[0]
        along = np.zeros(2)
        for (lost, _), pair in zip(self.lost(), self.pairs(), strict=True):
            along += [float(product(self.n * (lost - mean) / length, column)) for column in pair]
        steps = BEND * along
        with np.errstate(all="ignore"):
            low, here, high = (float(self.of(*(np.array(self.totals) + step * steps))) for step in (-1, 0, 1))
        found = (low - 2 * here + high) / 2 / BEND**2 / (length / self.n)
        return found if math.isfinite(found) else 0.0

    def statistic(self, reason: str) -> Influence:
        """The form of the part; `reason` says why there is none."""
        return SmoothFunction.of_units(
            *(math.nan if reason else self.value, self.n, self.influence, self.resample),
            undefined_reason=reason,
            moments=partial(getattr, self, "moments"),
            curvature=partial(getattr, self, "curvature"),
        )


MODERATE = 1e60
"""Sums of losses from one over this to this are those that numbers have in memory, too."""


def saved_of(rows: Spilled, metrics: Iterable[Metric]) -> dict[Metric, Influence]:
    """The parts of metrics, of the columns of predictions and truth that rows have."""
    return {metric: _statistic(rows, metric) for metric in metrics}


def _samples(rows: Spilled) -> Iterator[tuple[Floats, Floats]]:
    """Truth and prediction, part by part."""
    for columns, counts in rows.parts_of(()):
        for predicted, true in in_pieces([column.astype(np.float64) for column in columns], counts):
            yield true, predicted


def _statistic(rows: Spilled, metric: Metric) -> Influence:
    loss, alpha = loss_of(metric.name, metric.conventions)
    n, sums, power = 0, kernels.ExactSums(1), metric.conventions.get("power", 0.0)
    low, high = math.inf, -math.inf
    check_power(power)
    for true, predicted in _samples(rows):
        if alpha is None:
            check_domain(Targets.from_arrays(true, predicted), power)
        n += len(true)
        sums.add(0, true)
        low, high = min(low, float(true.min())), max(high, float(true.max()))
    constant = min(max(sums.rounded()[0] / n, low), high)
    if alpha is not None:
        values = sorted_values(([true] for true, _ in _samples(rows)), n, rows.memory)
        constant = Quantile.of_sorted(values, alpha).value
    pairs, totals = Pairs(), kernels.ExactSums(2)
    if alpha is None and power < 0 and constant <= 0:
        reason = f"the mean of the targets is {constant:g}; a deviance of power {power:g} needs a constant above 0"
        return PartSaved(metric, math.nan, n, pairs).statistic(reason)
    for true, predicted in _samples(rows):
        lost, whole = loss(true, predicted), loss(true, np.full(len(true), constant))
        pairs.add(lost, whole)
        totals.add(0, lost)
        totals.add(1, whole)
    lost_in_all, whole_in_all = totals.rounded()
    if not whole_in_all:
        return PartSaved(metric, math.nan, n, pairs).statistic(NOTHING_TO_SAVE)
    if not (1 / MODERATE < whole_in_all < MODERATE and lost_in_all < MODERATE):
        raise DataError(
            "numbers as large or small as these need every row",
            f"give more with {keyword('memory')}",
            argument="memory",
            subject="",
            place=metric,
        )
    return PartSaved(metric, 1 - lost_in_all / whole_in_all, n, pairs).statistic("")
