"""Shared parts of ranking metrics: counts above a cutoff, laws under random orders, results and common facts."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.data import Ranking
from certus.data.ranking import queries_of
from certus.metrics.declaration import metric
from certus.metrics.orders import MaybeLaw, RandomList


def hits(ranking: Ranking, grade: int, cutoff: int | None) -> Floats:
    """Documents of at least `grade` among the first `cutoff`, per query; expected numbers where ties are averaged."""
    columns, n = ranking.columns, len(ranking)
    query = queries_of(columns.offsets)
    is_relevant = columns.grades >= grade

    def count(chosen: NDArray[np.bool_]) -> Floats:
        return np.bincount(query[chosen], minlength=n).astype(np.float64)

    if cutoff is None:
        return count(is_relevant)
    if not ranking.average:
        return count(is_relevant & (columns.ranks <= cutoff))
    size = columns.tie_size.astype(np.float64)
    inside = np.clip(cutoff + 1.0 - columns.tie_first, 0, size)
    # The cutoff divides one group of a query at most: its documents are counted whole, and divided once.
    divided = (inside > 0) & (inside < size)
    n_inside, n_tied = np.zeros(n), np.ones(n)
    n_inside[query[divided]], n_tied[query[divided]] = inside[divided], size[divided]
    return count(is_relevant & (inside == size)) + count(is_relevant & divided) * n_inside / n_tied


def depths(ranking: Ranking, cutoff: int | None) -> Floats:
    """Documents looked at, per query: the cutoff, or the length of a shorter list."""
    retrieved = ranking.columns.retrieved.astype(np.float64)
    return retrieved if cutoff is None else np.minimum(retrieved, cutoff)


def looked_at(ranking: Ranking, cutoff: int | None) -> Floats:
    """The denominator of precision for each query: the cutoff, even beyond the list, or the list's length."""
    return depths(ranking, None) if cutoff is None else np.full(len(ranking), float(cutoff))


def whole_list(parameters: Mapping[str, Any]) -> bool:
    """True if the metric counts the whole list, so that its order does not matter."""
    return parameters["cutoff"] is None


def plain_gains(parameters: Mapping[str, Any]) -> bool:
    """True if a higher grade always gains more; gains given one by one may differ."""
    return not parameters["gains"]


GainPairs = tuple[tuple[int, float], ...]


def is_order_irrelevant(shuffled: RandomList, depth: int) -> bool:
    """True if no group of tied documents crosses a depth, so that the order within groups does not matter."""
    return shuffled.ties is None or depth in (0, *np.cumsum(shuffled.ties).tolist())


def of_hits(shuffled: RandomList, rel: int, cutoff: int | None, unit: int) -> MaybeLaw:
    """The hits among the first documents, over a unit; None where ties stand across the cutoff."""
    from certus.chance.exact import constant
    from certus.chance.laws.hits import Hypergeometric

    depth = shuffled.depth(cutoff)
    if not unit:
        return constant(0.0)
    if not is_order_irrelevant(shuffled, depth):
        return None
    return Hypergeometric(shuffled.items, shuffled.hits(rel), depth, unit)


def of_gains(shuffled: RandomList, cutoff: int | None, gain: str, gains: GainPairs, *, normalised: bool) -> MaybeLaw:
    """DCG of documents in random order, over that of the best ranking if `normalised`; None where it is not known."""
    from certus.chance.exact import constant
    from certus.chance.fourier import Additive
    from certus.chance.laws.dcg import linear_rank_statistic
    from certus.chance.laws.graded import ranks
    from certus.chance.laws.sums_of_hits import Hits

    ideal = 1.0
    if normalised:
        best = np.sort(gains_of(shuffled.judged, gain, gains))[::-1][:cutoff]
        ideal = float((best / np.log2(np.arange(2, len(best) + 2))).sum())
    positive = gains_of(shuffled.grades, gain, gains)
    positive = positive[positive > 0]
    if not ideal or not len(positive):
        return constant(0.0)
    if shuffled.ties is not None or not np.isfinite([ideal, positive.sum()]).all():
        return None
    n, depth = shuffled.items, shuffled.depth(cutoff)
    if positive.min() == positive.max():
        weights = positive[0] / np.log2(np.arange(2, depth + 2)) / ideal
        return Additive([(1.0, 1, Hits(n, len(positive), "rank", weights))], None, None)
    levels, counts = np.unique(positive, return_counts=True)
    numbers = dict(zip(levels.tolist(), counts.tolist(), strict=True))
    if n > len(positive):
        numbers[0.0] = n - len(positive)
    return linear_rank_statistic(numbers, ranks(numbers, depth), 1 / ideal)


def gains_of(grades: NDArray[np.int32], gain: str, gains: GainPairs, scale: Floats | float = 0.0) -> Floats:
    """The gain of each grade over 2^scale, as the kernels have it; infinite where it leaves the floats."""
    down, float_grades = np.broadcast_to(np.exp2(-np.asarray(scale)), grades.shape), grades.astype(np.float64)
    with np.errstate(over="ignore"):
        values = np.exp2(float_grades - scale) - down if gain == "exp" else float_grades * down
    for grade, value in gains:
        values[grades == grade] = value * down[grades == grade]
    return np.asarray(np.where(grades < 0, 0.0, values))


ranked = partial(metric, averages_ties=True, monotone=True)
"""Declares a metric that gives expected values under averaged ties, and that no better document further up harms."""
