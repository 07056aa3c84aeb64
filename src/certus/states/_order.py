"""ROC areas of weighted or grouped samples in a file, sorted by decreasing score."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import memory_error
from certus.data.scores import MarkedScores
from certus.inference.clusters import cluster_error_of_parts
from certus.inference.intervals.ustatistic import losses_of
from certus.metrics import Metric
from certus.metrics.classification.roc_auc import area
from certus.metrics.state_kinds import Order
from certus.states._files import File
from certus.states._rows import ENOUGH, Column, Spilled, for_sorting
from certus.statistic import Influence, Statistic, UStatistic
from certus.statistic.cached import constant

GROUP_BYTES = 160
"""Bytes that a group takes, with what is computed of it."""
SAMPLE_BYTES = 48
"""Bytes that a sample takes, where its loss is needed."""
MIN_BYTES = 1 << 20
"""Bytes that groups or samples may take at least, however little the memory."""


class SamplesByScore:
    """Samples added in blocks and then sorted by decreasing score in a file.

    Weights are not all 1 where there are any. `n` is the number of samples, `groups` that of their groups.
    """

    def __init__(self, *, weighted: bool, grouped: bool, memory: int) -> None:
        self.weighted, self.grouped = weighted, grouped
        self.n = self.groups = 0
        self._rows = for_sorting(2 + weighted + grouped, memory)

    def add(self, positive: NDArray[np.bool_], scores: Column, weights: Floats | None, groups: Column | None) -> None:
        """Add a block of samples; groups are numbered from 0 in order of appearance."""
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
        """Columns by decreasing score, in files: 1 if positive plus 2 if last of a tie; weights; groups."""
        self._rows.spill(always=True)
        marks = File().mapped(self.n)
        weights = File().mapped(8 * self.n).view(np.float64)
        groups = File().mapped(8 * self.n).view(np.float64) if self.grouped else None
        start, last_score = 0, None
        for scores, positive, *columns in self._rows.pieces(sort=True):
            piece = slice(start, start + len(scores))
            if last_score is not None and scores[0] != last_score:
                marks[start - 1] |= 2
            last_score = scores[-1]
            marks[piece] = positive.astype(np.uint8)
            marks[piece][:-1] |= np.where(scores[1:] != scores[:-1], np.uint8(2), np.uint8(0))
            weights[piece] = columns[0] if self.weighted else 1.0
            if groups is not None:
                groups[piece] = columns[-1]
            start = piece.stop
        if start:
            marks[-1] |= 2
        self._rows = Spilled(1, 1, keys=0)
        return marks, weights, groups

    def statistic(self, metric: Metric, memory: int) -> Statistic:
        """ROC area, or its equivalent from -1 to 1, as a statistic."""
        marks, weights, groups = self._sorted
        low: Literal[0, -1]
        low = -1 if isinstance(kind := metric.state, Order) and kind.minimum == -1 else 0
        if not self.weighted and not self.grouped:
            return area(MarkedScores(marks, memory), low)
        positives = int(np.count_nonzero(marks & 1))
        if not 0 < positives < self.n:
            reason = "there are no positives" if not positives else "there are no negatives"
            n, unit = (self.groups, "group") if self.grouped else (self.n, "sample")
            return Influence(math.nan, (n,), (math.nan,), undefined_reason=reason, unit=unit)
        samples = _Area(marks, weights, groups, metric, low, max(memory, MIN_BYTES))
        if groups is None:
            return samples.by_sample()
        if GROUP_BYTES * self.groups > samples.memory:
            raise memory_error("the groups do not fit into memory", metric)
        ungrouped = samples.by_sample if self.weighted else partial(area, MarkedScores(marks, memory), low)
        return samples.by_group(self.groups, ungrouped)


class _Block(NamedTuple):
    """Block of samples: True for positives, contribution to the area, weight and group of each."""

    positive: NDArray[np.bool_]
    terms: Floats
    weights: Floats
    groups: NDArray[np.int64] | None

    @property
    def class_masks(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Masks of the positives and the negatives."""
        return self.positive, ~self.positive


class _Area:
    """ROC area of samples sorted by decreasing score, with the first-order contribution of each."""

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

    def _slices(self) -> Iterator[slice]:
        """Slices of samples; samples with the same score are in one slice."""
        start = 0
        while start < len(self.marks):
            stop = start + ENOUGH
            while stop < len(self.marks):
                last_of_score = np.flatnonzero(self.marks[stop - 1 : stop - 1 + ENOUGH] & 2)
                if len(last_of_score):
                    stop += int(last_of_score[0])
                    break
                stop += ENOUGH
            yield slice(start, min(stop, len(self.marks)))
            start = stop

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Total weight of the positives and of the negatives."""
        sums = kernels.ExactSums(2)
        for block in self._slices():
            positive, weights = (self.marks[block] & 1).astype(np.bool_), np.asarray(self.weights[block])
            sums.add(0, weights[positive])
            sums.add(1, weights[~positive])
        positives, negatives = sums.rounded()
        return positives, negatives

    def blocks(self) -> Iterator[_Block]:
        """Blocks of samples, each with its first-order contribution to the ROC area or its rescaled version."""
        positives_passed = negatives_passed = 0.0
        width, (m, n) = 1 - self.low, self.totals
        for block in self._slices():
            marks, weights = np.asarray(self.marks[block]), np.asarray(self.weights[block])
            positives, negatives = kernels.score_sums(marks, weights)
            positives_before = positives_passed + np.cumsum(positives) - positives
            negatives_before = negatives_passed + np.cumsum(negatives) - negatives
            positives_passed += float(positives.sum())
            negatives_passed += float(negatives.sum())
            of_positive = width * ((1 - (negatives_before + negatives / 2) / n) - self.area) / m
            of_negative = width * ((positives_before + positives / 2) / m - self.area) / n
            is_last, positive = marks >= 2, (marks & 1).astype(np.bool_)
            step: NDArray[np.intp] = np.cumsum(is_last) - is_last
            terms = weights * np.where(positive, of_positive[step], of_negative[step])
            yield _Block(positive, terms, weights, None if self.groups is None else self.groups[block].astype(np.int64))

    def by_sample(self) -> UStatistic:
        """U-statistic of independent samples: the strata are positives and negatives."""
        sizes, sums, squares = np.zeros(2, dtype=np.int64), np.zeros(2), np.zeros(2)
        for block in self.blocks():
            for index, mask in enumerate(block.class_masks):
                sizes[index] += np.count_nonzero(mask)
                sums[index] += block.terms[mask].sum()
        influences = [partial(self._influences, index, float(sums[index])) for index in range(2)]
        spreads = []
        for index, class_influences in enumerate(influences):
            squares[index] = sum(float(product(terms, terms)) for terms, _ in class_influences())
            error, freedom = cluster_error_of_parts(class_influences, weighted=True)
            total, squared = (
                math.fsum(float((weights**power).sum()) for _, weights in class_influences()) for power in (1, 2)
            )
            spreads.append((error**2, freedom, total**2 / squared))
        m, n = sizes.tolist()
        variances = tuple(k**2 * s / (k - 1) if k > 1 else math.nan for k, s in zip((m, n), squares, strict=True))
        return UStatistic(
            *(self.value, (m, n), variances, self._refuse, self._refuse),
            weighted=True,
            spreads=tuple(spreads),
            losses=partial(self._losses, (m, n), sums),
            span=(self.low, 1),
        )

    def _influences(self, index: int, total: float) -> Iterator[tuple[Floats, Floats]]:
        """Influence values and weights of a class, block by block; `total` is the sum of its contributions."""
        mass = self.totals[index]
        for block in self.blocks():
            mask = block.class_masks[index]
            if mask.any():
                weights = block.weights[mask]
                yield block.terms[mask] - weights / mass * total, weights

    def _losses(self, sizes: tuple[int, int], totals: Floats) -> list[tuple[float, float, float]]:
        """Loss of area without single samples, by class; see `intervals.ustatistic.losses_of`."""
        if SAMPLE_BYTES * sum(sizes) > self.memory:
            self._refuse()
        side, width = -1 if self.area >= 0.5 else 1, 1 - self.low
        losses = []
        for index, (size, total) in enumerate(zip(sizes, totals.tolist(), strict=True)):
            terms = np.concatenate([terms for terms, _ in self._influences(index, total)])
            losses.append(losses_of(side * size / width * terms))
        return losses

    def _refuse(self, *_: object) -> NoReturn:
        """Raise an error: this interval needs every sample in memory."""
        raise memory_error(
            "the interval needs every sample, and these do not fit into memory",
            self.metric,
            alternative="take the default interval",
        )

    def by_group(self, size: int, ungrouped: Callable[[], Influence]) -> Influence:
        """Statistic with groups as units, from the summed contributions of each."""
        sums, masses, squares = np.zeros(size), np.zeros((2, size)), np.zeros(2)
        for block in self.blocks():
            if block.groups is None:
                continue
            sums += np.bincount(block.groups, block.terms, size)
            for index, mask in enumerate(block.class_masks):
                masses[index] += np.bincount(block.groups[mask], block.weights[mask], size)
                squares[index] += float(product(block.terms[mask], block.terms[mask]))
        total = float(squares.sum())
        shares = squares / total if total > 0 else np.full(2, 0.5)
        influence = Influence.of_units(
            self.value,
            size,
            constant(size * sums),
            self._refuse,
            unit="group",
            masses=shares @ (masses / np.array(self.totals)[:, np.newaxis]),
        )
        return replace(influence, apart=ungrouped)
