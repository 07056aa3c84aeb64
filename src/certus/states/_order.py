"""Areas under the ROC curve of samples with weights or groups that lie in a file, by decreasing score."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError, keyword
from certus.data.scores import MarkedScores
from certus.inference.clusters import cluster_error_of_parts
from certus.inference.intervals.ustatistic import losses_of
from certus.metrics import Metric
from certus.metrics.classification.roc_auc import area
from certus.metrics.state_kinds import Order
from certus.states._files import File
from certus.states._rows import ENOUGH, Column, Spilled, beside, in_pieces
from certus.statistic import Influence, Statistic, UStatistic
from certus.statistic.cached import constant

EACH = 160
"""Bytes that a group takes, with what is computed of it."""
OF_SAMPLE = 48
"""Bytes that a sample takes, where its loss is needed."""
BYTES = 1 << 20
"""Bytes that groups or samples may take at least, however little the memory."""


class _Part(NamedTuple):
    """Some samples: those that are positive, what each adds to the area, its weight and its group."""

    positive: NDArray[np.bool_]
    terms: Floats
    weights: Floats
    groups: NDArray[np.int64] | None


class ByScore:
    """Samples that come in parts, to be sorted by decreasing score in a file.

    Parameters
    ----------
    weighted, grouped
        Whether they have weights that are not all 1, and groups.
    memory
        Bytes that they may take while they are sorted.

    Attributes
    ----------
    n, groups
        How many samples and groups there are.
    """

    def __init__(self, *, weighted: bool, grouped: bool, memory: int) -> None:
        self.weighted, self.grouped = weighted, grouped
        self.n = self.groups = 0
        self._rows = Spilled(2 + weighted + grouped, beside(memory), keys=0)

    def add(self, positive: NDArray[np.bool_], scores: Column, weights: Floats | None, groups: Column | None) -> None:
        """Add samples; groups are numbered from 0 in the order in which they come."""
        self.n += len(scores)
        columns: list[Column] = [0.0 - scores, positive.astype(np.float16)]
        columns += [] if weights is None else [weights]
        columns += [] if groups is None else [groups.astype(np.float64)]
        self._rows.make_room()
        self._rows.add(columns)
        if groups is not None:
            self.groups = max(self.groups, int(groups.max()) + 1)

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.uint8], Floats, Floats | None]:
        """Marks as of `certus.data.scores.Ordered`, weights and groups, all in files."""
        self._rows.spill(always=True)
        marks = File().mapped(self.n)
        weights = File().mapped(8 * self.n).view(np.float64)
        groups = File().mapped(8 * self.n).view(np.float64) if self.grouped else None
        at, last = 0, None
        for _, columns, counts in self._rows.merged({(): 0}):
            for scores, positive, *rest in in_pieces(columns, counts):
                some = slice(at, at + len(scores))
                if last is not None and scores[0] != last:
                    marks[at - 1] |= 2
                last = scores[-1]
                marks[some] = positive.astype(np.uint8)
                marks[some][:-1] |= np.where(scores[1:] != scores[:-1], np.uint8(2), np.uint8(0))
                weights[some] = rest[0] if self.weighted else 1.0
                if groups is not None:
                    groups[some] = rest[-1]
                at = some.stop
        if at:
            marks[-1] |= 2
        self._rows = Spilled(1, 1, keys=0)
        return marks, weights, groups

    def statistic(self, metric: Metric, memory: int) -> Statistic:
        """The area, or its twin on the scale from -1 to 1."""
        marks, weights, groups = self._sorted
        low: Literal[0, -1]
        low = -1 if isinstance(kind := metric.state, Order) and kind.minimum == -1 else 0
        if not self.weighted and not self.grouped:
            return area(MarkedScores(marks, memory), low)
        positives = int(np.count_nonzero(marks & 1))
        if not 0 < positives < self.n:
            reason = "there are no positives" if not positives else "there are no negatives"
            n = self.groups if self.grouped else self.n
            return Influence(
                math.nan, (n,), (math.nan,), undefined_reason=reason, unit="group" if self.grouped else "sample"
            )
        samples = _Area(marks, weights, groups, metric, low, max(memory, BYTES))
        if groups is None:
            return samples.of_samples()
        if EACH * self.groups > samples.memory:
            raise DataError(
                "the groups do not fit into memory",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
                place=metric,
            )
        apart = samples.of_samples if self.weighted else partial(area, MarkedScores(marks, memory), low)
        return samples.of_groups(self.groups, apart)


class _Area:
    """The area of samples by decreasing score, with what each of them adds to it to first order."""

    def __init__(
        self,
        marks: NDArray[np.uint8],
        weights: Floats,
        groups: Floats | None,
        metric: Metric,
        low: Literal[0, -1],
        memory: int,
    ) -> None:
        self.memory = memory
        self.marks, self.weights, self.groups, self.metric, self.low = marks, weights, groups, metric, low
        self.area = float(kernels.score_metric_of_masses(kernels.ScoreMetric.auc(), marks, weights))
        self.value = self.area if low == 0 else 1 - 2 * (1 - self.area)

    def _blocks(self) -> Iterator[slice]:
        """The samples, those of a score in one block."""
        start = 0
        while start < len(self.marks):
            stop = start + ENOUGH
            while stop < len(self.marks):
                ends = np.flatnonzero(self.marks[stop - 1 : stop - 1 + ENOUGH] & 2)
                if len(ends):
                    stop += int(ends[0])
                    break
                stop += ENOUGH
            yield slice(start, min(stop, len(self.marks)))
            start = stop

    @cached_property
    def totals(self) -> tuple[float, float]:
        """The weights of positives and of negatives."""
        sums = kernels.ExactSums(2)
        for some in self._blocks():
            positive, weights = (self.marks[some] & 1).astype(np.bool_), np.asarray(self.weights[some])
            sums.add(0, weights[positive])
            sums.add(1, weights[~positive])
        first, second = sums.rounded()
        return first, second

    def parts(self) -> Iterator[_Part]:
        """The samples with what they add, on the scale of the value."""
        above = passed = 0.0
        width, (m, n) = 1 - self.low, self.totals
        for some in self._blocks():
            marks, weights = np.asarray(self.marks[some]), np.asarray(self.weights[some])
            a, b = kernels.score_sums(marks, weights)
            before, below = above + np.cumsum(a) - a, passed + np.cumsum(b) - b
            above, passed = above + float(a.sum()), passed + float(b.sum())
            of_positive = width * ((1 - (below + b / 2) / n) - self.area) / m
            of_negative = width * ((before + a / 2) / m - self.area) / n
            last, positive = marks >= 2, (marks & 1).astype(np.bool_)
            step: NDArray[np.intp] = np.cumsum(last) - last
            terms = weights * np.where(positive, of_positive[step], of_negative[step])
            groups = None if self.groups is None else self.groups[some].astype(np.int64)
            yield _Part(positive, terms, weights, groups)

    def of_samples(self) -> UStatistic:
        """The form of single samples, the classes being its strata."""
        sizes, sums, squares = np.zeros(2, dtype=np.int64), np.zeros(2), np.zeros(2)
        for part in self.parts():
            for which, own in enumerate((part.positive, ~part.positive)):
                sizes[which] += np.count_nonzero(own)
                sums[which] += part.terms[own].sum()
        first, second = (partial(self._of_class, index, float(sums[index])) for index in range(2))
        for which, terms_of_class in enumerate((first, second)):
            squares[which] = sum(float(product(terms, terms)) for terms, _ in terms_of_class())

        spreads = []
        for terms_of_class in (first, second):
            error, freedom = cluster_error_of_parts(terms_of_class, weighted=True)
            total, squared = (
                math.fsum(float((weights**power).sum()) for _, weights in terms_of_class()) for power in (1, 2)
            )
            spreads.append((error**2, freedom, total**2 / squared))

        m, n = sizes.tolist()
        variances = tuple(k**2 * s / (k - 1) if k > 1 else math.nan for k, s in zip((m, n), squares, strict=True))
        return UStatistic(
            *(self.value, (m, n), variances, self._refused, self._refused),
            weighted=True,
            spreads=tuple(spreads),
            losses=partial(self._losses, (m, n), sums),
            span=(self.low, 1),
        )

    def _of_class(self, index: int, total: float) -> Iterator[tuple[Floats, Floats]]:
        """The influence values of a class, with its weights, in parts; `total` is what the class adds in all."""
        mass = self.totals[index]
        for part in self.parts():
            own = part.positive if index == 0 else ~part.positive
            if own.any():
                weights = part.weights[own]
                yield part.terms[own] - weights / mass * total, weights

    def _losses(self, sizes: tuple[int, int], totals: Floats) -> list[tuple[float, float, float]]:
        if OF_SAMPLE * sum(sizes) > self.memory:
            self._refused()
        side, width = -1 if self.area >= 0.5 else 1, 1 - self.low
        losses = []
        for index, (size, total) in enumerate(zip(sizes, totals.tolist(), strict=True)):
            terms = np.concatenate([terms for terms, _ in self._of_class(index, total)])
            losses.append(losses_of(side * size / width * terms))
        return losses

    def _refused(self, *_: object) -> NoReturn:
        raise DataError(
            "the interval needs every sample, and these do not fit into memory",
            f"take the default interval, or give more with {keyword('memory')}",
            argument="memory",
            subject="",
            place=self.metric,
        )

    def of_groups(self, size: int, apart: Callable[[], Influence]) -> Influence:
        """The form of groups."""
        sums, masses, squares = np.zeros(size), np.zeros((2, size)), np.zeros(2)
        for part in self.parts():
            if part.groups is None:
                continue
            sums += np.bincount(part.groups, part.terms, size)
            for which, own in enumerate((part.positive, ~part.positive)):
                masses[which] += np.bincount(part.groups[own], part.weights[own], size)
                squares[which] += float(product(part.terms[own], part.terms[own]))
        total = float(squares.sum())
        shares = squares / total if total > 0 else np.full(2, 0.5)
        values = size * sums

        made = Influence.of_units(
            self.value,
            size,
            constant(values),
            self._refused,
            unit="group",
            masses=shares @ (masses / np.array(self.totals)[:, np.newaxis]),
        )
        return replace(made, apart=apart)
