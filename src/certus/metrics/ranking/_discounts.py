"""Discounted gains under any discount; the kernels have that of log2(rank + 1)."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats, Ints
from certus.data import Ranking
from certus.metrics.check import Between, Doc
from certus.statistic.common import sum_by_code

Pairs = tuple[tuple[int, float], ...]
Discount: TypeAlias = Annotated[
    Literal["log2", "ln", "log10", "zipf", "none"] | Annotated[float, Between(above=1, most=1e6)],
    Doc(
        'What the gain at rank i is divided by. ``"log2"``, ``"ln"``, ``"log10"``: that logarithm of i + 1. '
        '``"zipf"``: i. ``"none"``: 1. A number b: 1 before rank b and the logarithm of i to base b from there, as in '
        "Järvelin & Kekäläinen."
    ),
]
_LARGEST = 1000
"""The exponent up to which gains stay among the floats."""
_BY_RANK: dict[str, Callable[[Floats], Floats]] = {
    "log2": lambda rank: np.log2(rank + 1),
    "ln": np.log1p,
    "log10": lambda rank: np.log10(rank + 1),
    "zipf": lambda rank: rank,
    "none": np.ones_like,
}


def discounted(ranking: Ranking, cutoff: int | None, gain: str, gains: Pairs, discount: str | float) -> Floats:
    """DCG of each query; its expected value where ties are averaged."""
    return _dcg(ranking, cutoff, _Gain(gain, gains), discount, np.zeros(len(ranking)))


def ideal(ranking: Ranking, cutoff: int | None, gain: str, gains: Pairs, discount: str | float) -> Floats:
    """DCG of each query's judged documents in their best order."""
    return _ideal(ranking, cutoff, _Gain(gain, gains), discount, np.zeros(len(ranking)))


def normalised(ranking: Ranking, cutoff: int | None, gain: str, gains: Pairs, discount: str | float) -> Floats:
    """DCG over that of the best order; 0 where nothing has a gain. Huge gains are scaled down alike."""
    gain_of = _Gain(gain, gains)
    best = np.zeros(len(ranking))
    columns = ranking.columns
    np.maximum.at(best, _queries(columns.judged_offsets), columns.judged.astype(np.float64))
    scale = np.maximum(best - _LARGEST, 0) if gain == "exp" else np.zeros(len(ranking))
    value, ideal = (compute(ranking, cutoff, gain_of, discount, scale) for compute in (_dcg, _ideal))
    return np.divide(value, ideal, out=np.zeros(len(ranking)), where=ideal > 0)


class _Gain:
    """The gain of a grade."""

    def __init__(self, gain: str, gains: Pairs) -> None:
        self.exponential, self.pairs = gain == "exp", gains

    def __call__(self, grades: NDArray[np.int32], scale: Floats) -> Floats:
        """The gains over 2^scale; infinite where they leave the floats."""
        down = np.exp2(-scale)
        float_grades = grades.astype(np.float64)
        with np.errstate(over="ignore"):
            values = np.exp2(float_grades - scale) - down if self.exponential else float_grades * down
        for grade, value in self.pairs:
            values[grades == grade] = value * down[grades == grade]
        return np.asarray(np.where(grades < 0, 0.0, values))


def _dcg(ranking: Ranking, cutoff: int | None, gain: _Gain, discount: str | float, scale: Floats) -> Floats:
    columns = ranking.columns
    query = _queries(columns.offsets)
    gains = gain(columns.grades, scale[query])
    if not ranking.average:
        weight = 1 / _divisors(columns.ranks, discount)
        inside = np.ones(len(gains)) if cutoff is None else (columns.ranks <= cutoff).astype(np.float64)
        return _sum(query, gains, weight * inside, len(ranking))
    # Each document stands on each position of its group equally often, so its gain meets their mean discount.
    first, size = columns.tie_first.astype(np.int64), columns.tie_size.astype(np.int64)
    last = first + size - 1 if cutoff is None else np.minimum(first + size - 1, cutoff)
    length = int(last.max(initial=0))
    sums = np.concatenate(([0.0], np.cumsum(1 / _divisors(np.arange(1, length + 1), discount))))
    is_untied = (size == 1) & (last >= first)
    share = (sums[np.maximum(last, first - 1).clip(0, length)] - sums[(first - 1).clip(0, length)]) / size
    share[is_untied] = 1 / _divisors(first[is_untied], discount)
    return _sum(query, gains, share, len(ranking))


def _ideal(ranking: Ranking, cutoff: int | None, gain: _Gain, discount: str | float, scale: Floats) -> Floats:
    columns = ranking.columns
    query = _queries(columns.judged_offsets)
    gains = gain(columns.judged, scale[query])
    order = np.lexsort((-gains, query))
    gains, query = gains[order], query[order]
    ranks = np.arange(len(gains)) - columns.judged_offsets[:-1][query] + 1
    inside = np.ones(len(gains)) if cutoff is None else (ranks <= cutoff).astype(np.float64)
    return _sum(query, gains, inside / _divisors(ranks, discount), len(ranking))


def _sum(query: Ints, gains: Floats, weight: Floats, size: int) -> Floats:
    """Gains times weights, added up in the order of the ranks; an infinite gain counts only where it is seen."""
    terms = np.multiply(gains, weight, out=np.zeros(len(gains)), where=(weight > 0) & (gains > 0))
    return sum_by_code(query, terms, size)


def _divisors(ranks: NDArray[np.integer[Any]], discount: str | float) -> Floats:
    """The divisor of the gain at each rank."""
    i = ranks.astype(np.float64)
    if isinstance(discount, float | int):
        return np.asarray(np.maximum(np.log(i) / np.log(discount), 1.0))
    return np.asarray(_BY_RANK[discount](i))


def _queries(offsets: Ints) -> Ints:
    """The query of each row."""
    queries: Ints = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return queries
