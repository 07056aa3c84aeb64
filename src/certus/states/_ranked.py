"""Spearman's correlation of numbers that lie in a file, sorted by the one column and by the other."""

import math
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import NoReturn

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.errors import DataError, keyword
from certus.metrics import Metric
from certus.states._file import Columns
from certus.states._memory import needs_every_value
from certus.states._rows import Column, in_pieces
from certus.states._spilled import Spilled, beside
from certus.states._sums import PowerSums
from certus.statistic import Influence
from certus.statistic.moments import Moments

TIED = 128
"""Bytes that a sample takes that is tied with others."""
LEAST = 1 << 20
"""Bytes that tied samples may take at least, however little the memory."""


def is_ranked(metric: Metric) -> bool:
    """True if a metric is Spearman's correlation of one output."""
    return metric.name == "Spearman" and metric.conventions.get("multioutput") == "uniform_average"


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
            for place, product in enumerate((one * other, one * one, other * other)):
                sums.add(place, product)
        cross, first, second = sums.rounded()
        return min(max(cross / math.sqrt(first * second), -1.0), 1.0)

    @cached_property
    def terms(self) -> PowerSums:
        """Sums of powers of the influence values."""
        sums = kernels.ExactSums(3)
        for u, v, *_ in self.samples():
            one, other = self._share(u), self._share(v)
            for place, product in enumerate((one * other, one * one, other * other)):
                sums.add(place, product)
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
                return Influence.of_units(math.nan, self.n, partial(np.zeros, self.n), reason=reason)
        return Influence.of_units(
            self.value, self.n, self.influence, self.resample, moments=partial(getattr, self, "moments")
        )
