"""Percentile of a hit list among equally long ones with as many hits: counted, or from a law."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from certus.chance.distribution import Distribution
from certus.chance.hit_list.measures import Measures
from certus.chance.hit_list.pictures import Score, name_of, value_of
from certus.chance.laws.auc import auc
from certus.chance.laws.average_precision import average_precision
from certus.chance.probability import Percentile, Probability
from certus.errors import DataError
from certus.transform.quantile import SAME

if TYPE_CHECKING:
    from certus.chance.hit_list.hit_list import HitList


def by_law(ranks: tuple[int, ...], score: str) -> Probability:
    """Probability that a random list scores lower, plus half the probability of a tie."""
    hit_ranks = ranks[:-1]
    n, c = ranks[-1] - 1, len(hit_ranks)
    law: Distribution
    if score == "average_precision":
        law, value = average_precision(n, c), math.fsum(i / rank for i, rank in enumerate(hit_ranks, start=1)) / c
    else:
        law, value = auc(c, n - c), 1 - (sum(hit_ranks) - c * (c + 1) // 2) / (c * (n - c))
    upper_tail = law.sf(value)
    if upper_tail <= 0.5:
        other = law.tail(value)
        return Probability(1 - (upper_tail + other) / 2, other.method, (upper_tail.error + other.error) / 2)
    lower_tail, here = law.cdf(value), law.pmf(value)
    return Probability(lower_tail - here / 2, lower_tail.method, lower_tail.error + here.error / 2)


Part = tuple[NDArray[np.float64], NDArray[Any]]
Parts = list[Part]

MOST_PARTS = 2**22
"""Halves of hit lists that are held in memory at once."""
MOST_STEPS = 2**35
"""Bits that are added up to count lists by their rank sum, which is about two seconds."""
MOST_VALUES_LOG2 = 18.001
"""Binary logarithm of how many hit lists a score given as a function is asked for; a little more, for rounding."""
LONGEST_IN_64_BITS = 70
"""Beyond, 64 bits do not hold all differences that floats cannot tell from 0."""
MOST_LONG = 2**28
"""Bits, about, of the whole numbers that longer lists need."""


class TooManyError(DataError):
    """There are too many lists to count them one by one."""


class Standing(NamedTuple):
    """Numbers of hit lists that score less than one of them, the same, and more.

    Parameters
    ----------
    below, equal, above
        Exact counts; the list itself is among the equal ones.
    """

    below: int
    equal: int
    above: int

    @property
    def share(self) -> float:
        """The share below and half of the equal ones, in (0, 1)."""
        return (2 * self.below + self.equal) / (2 * sum(self))


def by_rank_sum(ranks: tuple[int, ...]) -> Standing:
    """Count by the sum of the ranks; a list with a lower sum is above.

    The numbers of lists by their sum are the coefficients of a Gaussian binomial, the product of
    ``(1 - q^(n-c+i)) / (1 - q^i)`` for i from 1 to c. They are held in one huge integer, as its digits to a base that
    none of them reaches, so that a factor is a shift and a subtraction, and the divisions are exact.
    """
    n, c = ranks[-1] - 1, len(ranks) - 1
    widest = c * (n - c)
    excess = sum(ranks[:-1]) - c * (c + 1) // 2
    # The coefficients are symmetric: those of the shorter side are enough.
    top = min(excess, widest - excess)
    factors = min(c, n - c)
    if factors * (_log2_count(ranks) + 8) * (top + 1) * (top + 1).bit_length() > MOST_STEPS:
        raise _too_many(ranks, "score")
    total = math.comb(n, c)
    width = 8 * (total.bit_length() // 8 + 1)
    bits = width * (top + 1)
    mask = (1 << bits) - 1
    packed = 1
    for i in range(1, factors + 1):
        if n - factors + i <= top:
            packed = (packed - (packed << (n - factors + i) * width)) & mask
        step = i  # 1 / (1 - q^i) = (1 + q^i) (1 + q^2i) (1 + q^4i) ...
        while step <= top:
            packed = (packed + (packed << step * width)) & mask
            step *= 2
    digits = packed.to_bytes(bits // 8, "little")
    size = width // 8
    counts = [int.from_bytes(digits[offset : offset + size], "little") for offset in range(0, len(digits), size)]
    equal = counts[top]
    outer = sum(counts) - equal
    n_above, n_below = (outer, total - outer - equal) if top == excess else (total - outer - equal, outer)
    return Standing(n_below, equal, n_above)


def by_average_precision(ranks: tuple[int, ...]) -> Standing:
    """Count by average precision, each list cut in two in the middle.

    Halves are added up in floats and, times the least common multiple of all ranks, in whole numbers, which decide
    where floats cannot tell two sums apart. Of short lists these whole numbers have 64 bits and may overflow: sums that
    floats cannot tell apart differ by so little that the last 64 bits of the difference are the whole of it.
    """
    n, c = ranks[-1] - 1, len(ranks) - 1
    middle = n // 2
    # comb() of numbers that are out of the question would take hours.
    parts = math.inf
    if _log2_count(ranks) < 2 * math.log2(MOST_PARTS) + 4:
        parts = sum(math.comb(middle, j) + math.comb(n - middle, c - j) for j in range(c + 1))
    if parts > MOST_PARTS or (n > LONGEST_IN_64_BITS and parts * n > MOST_LONG):
        raise _too_many(ranks, "average_precision")
    multiple = math.lcm(*range(1, n + 1))
    wrapped = n <= LONGEST_IN_64_BITS
    # More than the rounding of c quotients below c, each sum taken in two parts.
    slack = 8 * (c + 1) ** 2 * 2.0**-53
    score = math.fsum(i / rank for i, rank in enumerate(ranks[:-1], start=1))
    score_units = _in_units(sum(i * (multiple // rank) for i, rank in enumerate(ranks[:-1], start=1)), wrapped)
    n_below = equal = 0
    left, right = _left(middle, c, multiple, wrapped), _right(middle, n, c, multiple, wrapped)
    for (low, low_units), (high, high_units) in zip(left, right, strict=True):
        order = np.argsort(low)
        low, low_units = low[order], low_units[order]
        wanted = score - high
        first = np.searchsorted(low, wanted - slack, side="left")
        last = np.searchsorted(low, wanted + slack, side="right")
        n_below += int(first.sum())
        close = np.flatnonzero(first < last)
        first, last, close_units = first[close], last[close], high_units[close]
        while len(first):
            difference = low_units[first] + close_units - score_units
            if wrapped:
                difference = difference.astype(np.int64)
            n_below += int((difference < 0).sum())
            equal += int((difference == 0).sum())
            more = first + 1 < last
            first, last, close_units = first[more] + 1, last[more], close_units[more]
    return Standing(n_below, equal, math.comb(n, c) - n_below - equal)


def by_values(score: Any, values: Sequence[Any]) -> Standing:
    """Count by the scores of all lists. Values that rounding may have moved apart are one value."""
    slack = SAME * float(max(values) - min(values))
    n_below = sum(1 for value in values if value < score - slack)
    n_above = sum(1 for value in values if value > score + slack)
    return Standing(n_below, len(values) - n_below - n_above, n_above)


def check_few(ranks: tuple[int, ...], score: str) -> None:
    """Refuse to ask a function for the scores of so many lists."""
    if _log2_count(ranks) > MOST_VALUES_LOG2:
        raise _too_many(ranks, score)


def _left(middle: int, c: int, multiple: int, wrapped: bool) -> Parts:
    """List the sums that j hits in the ranks up to the middle can add, for each j."""
    parts = _start(c, 0, wrapped)
    for rank in range(1, middle + 1):
        for j in range(min(rank, c), 0, -1):
            parts[j] = _either(parts[j], parts[j - 1], j, rank, _in_units(j * (multiple // rank), wrapped))
    return parts


def _right(middle: int, n: int, c: int, multiple: int, wrapped: bool) -> Parts:
    """List the sums that the hits after the middle can add, for each number of hits before it."""
    parts = _start(c, c, wrapped)
    for rank in range(n, middle, -1):
        for j in range(c):
            parts[j] = _either(parts[j], parts[j + 1], j + 1, rank, _in_units((j + 1) * (multiple // rank), wrapped))
    return parts


def _start(c: int, start: int, wrapped: bool) -> Parts:
    return [
        (np.zeros(int(j == start)), np.zeros(int(j == start), np.uint64 if wrapped else object)) for j in range(c + 1)
    ]


def _either(without: Part, with_hit: Part, number: int, rank: int, units: Any) -> Part:
    """The sums of the lists without a hit at the rank, and with hit `number` there."""
    return np.concatenate((without[0], with_hit[0] + number / rank)), np.concatenate((without[1], with_hit[1] + units))


def _in_units(value: int, wrapped: bool) -> Any:
    return np.uint64(value % 2**64) if wrapped else value


def _log2_count(ranks: tuple[int, ...]) -> float:
    """The binary logarithm of the number of lists, which may be too large to be computed."""
    n, c = ranks[-1] - 1, len(ranks) - 1
    return (math.lgamma(n + 1) - math.lgamma(c + 1) - math.lgamma(n - c + 1)) / math.log(2)


def _too_many(ranks: tuple[int, ...], score: str) -> TooManyError:
    size = _log2_count(ranks)
    number = f"{math.comb(ranks[-1] - 1, len(ranks) - 1):,}" if size < 50 else f"about 10^{size * math.log10(2):.0f}"
    return TooManyError(
        f"{number} lists have {ranks[-1]:,} ranks and {len(ranks):,} hits, "
        f"too many to place one of them by {score} exactly"
    )


class Place(Measures):
    """Place of a hit list among its kind."""

    __slots__ = ()

    def standing(self, score: Score = "average_precision") -> Standing:
        """Count the equally long lists with as many hits that score below, equal to or above this one.

        Exact counts, this list among the equal ones.

        Parameters
        ----------
        score
            ``"average_precision"``, ``"score"`` (whose order does not depend on m), or a function of a hit list that
            gives a number; higher is better.

        Raises
        ------
        DataError
            There are too many lists to count them exactly.
        MetricNameError
            No score has that name.
        """
        hit_list = type(cast("HitList", self))(self.ranks)  # down to the last hit, as the others are
        if self.hits in (1, self.length):
            value_of(hit_list, score)
            # One hit, or no miss: the only list of its kind.
            return Standing(0, 1, 0)
        if score == "average_precision":
            return by_average_precision(self.ranks)
        if score == "score":
            return by_rank_sum(self.ranks)
        score_of_list = value_of(hit_list, score)
        check_few(self.ranks, name_of(score))
        return by_values(score_of_list, [value_of(other, score) for other in hit_list.all(self.length, self.hits)])

    def percentile(self, score: Score = "average_precision") -> Percentile:
        """Percentile among equally long lists with as many hits: the share below plus half the share of ties.

        Counted, as `standing` does, and where there are too many lists to count, found by the law of the score under a
        random ranking; the answer says its method and error.

        Parameters
        ----------
        score
            As for `standing`.

        Returns
        -------
        Percentile
            In [0, 100]; 50 in the middle, and for the only list of its kind.

        Raises
        ------
        DataError
            There are too many lists: to ask a function about, or for the law of average precision, whose reach is
            millions of ranks with few hits and thousands with many.
        MetricNameError
            No score has that name.
        """
        try:
            return Percentile(100 * self.standing(score).share, "enumeration")
        except TooManyError as error:
            if not isinstance(score, str):
                raise
            try:
                share = by_law(self.ranks, score)
                return Percentile(100 * share, share.method, 100 * share.error)
            except DataError:
                raise error from None
