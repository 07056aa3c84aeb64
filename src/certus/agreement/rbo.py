"""Rank-biased overlap."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from certus.agreement._rankings import Ranked, groups
from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.core.readable import Readable

Ties = Literal["a", "b", "w"]


@dataclass(frozen=True, slots=True)
class RBO(Readable):
    """Rank-biased overlap of two lists, of which only the tops are known.

    Attributes
    ----------
    ext
        The value if what is not seen agrees as much as what is; also ``float(rbo)``.
    min, max
        The least and the greatest value that any continuation of the lists gives. They bound what is not seen; they are
        not a confidence interval.
    p
        The persistence.
    ties
        How ties were treated.
    lengths
        Number of items in either list.
    """

    ext: float
    min: float
    max: float
    p: float
    ties: Ties
    lengths: tuple[int, int]

    @property
    def residual(self) -> float:
        """``max - min``: what the unseen ranks weigh."""
        return self.max - self.min

    def __float__(self) -> float:
        return self.ext

    def __str__(self) -> str:
        counts = " and ".join(map(str, self.lengths))
        return (
            f"{self.ext:.4f} ({self.min:.4f} to {self.max:.4f} over the unseen ranks; p = {self.p:g}, {counts} items)"
        )


def rbo(a: Ranked, b: Ranked, p: float = 0.9, *, ties: Ties = "a", depth: int | None = None) -> RBO:
    """Overlap of the tops of two lists, higher ranks weighing more.

    ``(1 - p) sum over d of p^(d - 1) A_d``, A_d being the overlap of both lists down to depth d as a part of d. The
    lists may hold different items and differ in length.

    Parameters
    ----------
    a, b
        Items from the top, with tied ones in a nested set, list or tuple: ``["x", {"y", "z"}]``; or a mapping from item
        to score, the higher the better.
    p
        Persistence, in (0, 1): the probability that a reader who looked at one rank looks at the next. The first
        ``1 / (1 - p)`` ranks carry most of the weight: some 86% of it for p = 0.9.
    ties
        - ``"a"``: tied items stand in an order that is not known; the value is the mean over all orders.
        - ``"b"``: so too, but divided by what a list with such ties overlaps with itself, so that equal lists have
          value 1.
        - ``"w"``: tied items are equals and share their first rank: ``A_d = 2 X_d / (|A_d| + |B_d|)``.

        Without ties all three are one.
    depth
        Only so many ranks are looked at; a group of ties on the last of them is kept whole.

    Returns
    -------
    RBO
        The extrapolated value, its least and greatest possible value, the residual between them.

    Raises
    ------
    DataError
        A list is empty or holds an item twice, or p is not in (0, 1).
    MetricNameError
        There is no such treatment of ties.

    Notes
    -----
    Ranks of the shorter list beyond its end are filled: for `min` with items that are in neither list; for `max` with
    those of the longer list, from its top; for `ext` with as large a part of matches as at the end of the shorter list.
    Beyond both ends, `min` has no match any more, `max` as many as there can be, and `ext` keeps its agreement.

    References
    ----------
    Webber, Moffat & Zobel (2010), ACM TOIS 28(4):20, doi:10.1145/1852102.1852106. Ties: Corsi & Urbano (2024), SIGIR,
    pp. 251-260, doi:10.1145/3626772.3657700.

    Examples
    --------
    >>> print(rbo(["x", "y", "z"], ["x", "z", "w", "y"], 0.8))
    0.8347 (0.6044 to 0.8773 over the unseen ranks; p = 0.8, 3 and 4 items)
    >>> float(rbo(["x", {"y", "z"}], ["x", {"y", "z"}], ties="b"))
    1.0
    """
    if ties not in ("a", "b", "w"):
        raise MetricNameError(
            f"is {ties!r}", "it must be 'a' (mean over orders), 'b' (corrected) or 'w' (equals)", argument="ties"
        )
    if not 0 < p < 1:
        raise DataError(f"is {p}", "it must lie strictly between 0 and 1, for example 0.9", argument="p")
    if depth is not None and depth < 1:
        raise DataError(f"is {depth}", "it must be at least 1", argument="depth")
    rankings = groups(a, "a", depth), groups(b, "b", depth)
    lengths = tuple(sum(map(len, ranking)) for ranking in rankings)
    short, long = sorted(rankings, key=lambda ranking: sum(map(len, ranking)))
    values = _rbo(short, long, p, ties)
    return RBO(*values, p, ties, (lengths[0], lengths[1]))


class _TieRanks(NamedTuple):
    """First and last rank of the tie group at each depth; below the end of a list stand untied items."""

    first: Floats
    last: Floats


def _tie_ranks(list_of_groups: list[list[Hashable]], length: int) -> _TieRanks:
    sizes = np.array([len(group) for group in list_of_groups])
    group_ends = np.cumsum(sizes)
    unseen_ranks = np.arange(group_ends[-1] + 1, length + 1)
    first = np.concatenate([np.repeat(group_ends - sizes + 1, sizes), unseen_ranks])
    return _TieRanks(
        first.astype(np.float64), np.concatenate([np.repeat(group_ends, sizes), unseen_ranks]).astype(np.float64)
    )


def _rbo(short: list[list[Hashable]], long: list[list[Hashable]], p: float, ties: Ties) -> tuple[float, float, float]:
    """The extrapolated value, the least and the greatest."""
    s, length = sum(map(len, short)), sum(map(len, long))
    d = np.arange(1, length + 1, dtype=np.float64)
    short_ranks, long_ranks = _tie_ranks(short, length), _tie_ranks(long, length)
    shared, unmatched = _shared(short, long)
    overlap = _overlap(shared, short_ranks, long_ranks, d, equal=ties == "w")
    if ties == "w":
        denominator = (short_ranks.last + long_ranks.last) / 2
    elif ties == "b":
        denominator = np.sqrt(_squares(short_ranks, d)) * np.sqrt(_squares(long_ranks, d))
    else:
        denominator = d

    # Depths to which only the longer list reaches: the shorter one's items there are matched by the longer one's own.
    inside = np.ones(length) if ties == "w" else (d - long_ranks.first + 1) / (long_ranks.last - long_ranks.first + 1)
    sizes = np.array([len(group) for group in long])
    complete, current = np.repeat(np.cumsum(unmatched) - unmatched, sizes), np.repeat(unmatched, sizes)
    unseen_depth = np.maximum(d - s, 0.0)
    matched = np.minimum(unseen_depth, complete)
    greatest_overlap = overlap + matched + np.minimum(unseen_depth - matched, current) * inside
    at_end = overlap[s - 1] / denominator[s - 1]
    agreeing = np.divide(complete + current * inside, complete + current, out=np.zeros(length), where=unseen_depth > 0)
    extrapolated = overlap + unseen_depth * at_end * agreeing

    weights = (1 - p) * p ** (d - 1)
    x = float(overlap[-1])
    least_tail = (1 - p) / p * x * max(-math.log1p(-p) - float((p**d / d).sum()), 0.0)
    # Each further rank matches one item of either list that is still alone, until none is.
    union_size = int(s + length - x)
    further = np.arange(length + 1, union_size + 1, dtype=np.float64)
    most_tail = float(((1 - p) * p ** (further - 1) * (2 * further - union_size) / further).sum()) + p**union_size
    return (
        float((weights * extrapolated / denominator).sum()) + float(extrapolated[-1]) / length * p**length,
        float((weights * overlap / denominator).sum()) + least_tail,
        float((weights * greatest_overlap / denominator).sum()) + most_tail,
    )


def _shared(short: list[list[Hashable]], long: list[list[Hashable]]) -> tuple[dict[tuple[int, int], int], Floats]:
    """Number of items two groups share, by their first ranks, and of the longer list's items that none shares."""
    starts: dict[Hashable, tuple[int, int]] = {}
    rank = 1
    for group in short:
        starts.update(dict.fromkeys(group, (rank, len(group))))
        rank += len(group)
    shared: dict[tuple[int, int], int] = {}
    unmatched = np.zeros(len(long))
    rank = 1
    for index, group in enumerate(long):
        for item in group:
            if item in starts:
                pair = (starts[item][0], rank)
                shared[pair] = shared.get(pair, 0) + 1
            else:
                unmatched[index] += 1
        rank += len(group)
    return shared, unmatched


def _overlap(
    shared: dict[tuple[int, int], int], short_ranks: _TieRanks, long_ranks: _TieRanks, d: Floats, *, equal: bool
) -> Floats:
    """The items in both lists down to each depth; of a group of ties that goes deeper only a part counts."""
    increments = np.zeros(len(d))
    partly = np.zeros(len(d))
    for (i, j), items in shared.items():
        start, end = max(i, j), int(max(short_ranks.last[i - 1], long_ranks.last[j - 1]))
        if equal or start == end:
            increments[start - 1] += items
            continue
        increments[end - 1] += items
        span = d[start - 1 : end - 1]
        parts = (
            np.minimum((span - first + 1) / (last - first + 1), 1.0)
            for first, last in ((i, short_ranks.last[i - 1]), (j, long_ranks.last[j - 1]))
        )
        partly[start - 1 : end - 1] += items * next(parts) * next(parts)
    return np.cumsum(increments) + partly


def _squares(ranks: _TieRanks, d: Floats) -> Floats:
    """The sum of the squared parts of a list's items down to each depth."""
    return ranks.first - 1 + (d - ranks.first + 1) ** 2 / (ranks.last - ranks.first + 1)
