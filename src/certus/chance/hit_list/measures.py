"""Measures of a hit list from its ranks alone, and its percentile among equally long lists with as many hits."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from certus.chance.laws.auc import auc
from certus.chance.laws.average_precision import average_precision
from certus.chance.probability import Percentile, Probability, require_integer
from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.core.frames import Kind
from certus.core.listing import Listing
from certus.core.readable import Readable
from certus.core.spelling import plural
from certus.transform.quantile import RELATIVE_TOLERANCE

if TYPE_CHECKING:
    from certus.chance.distribution import Distribution
    from certus.chance.hit_list.hit_list import HitList


@dataclass(frozen=True, slots=True)
class Contingency(Readable):
    """Counts of a population by what is true and what was predicted, with their margins.

    Parameters
    ----------
    tp, fp, fn, tn
        True positives, false positives, false negatives, true negatives.

    Examples
    --------
    >>> print(Contingency(tp=5, fp=4, fn=0, tn=91))
           +R  -R  total
    +P      5   4      9
    -P      0  91     91
    total   5  95    100
    >>> table = Contingency(tp=5, fp=4, fn=0, tn=91)
    >>> table.recall, round(table.precision, 4), round(table.informedness, 4), round(table.markedness, 4)
    (1.0, 0.5556, 0.9579, 0.5556)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def rp(self) -> int:
        """Real positives."""
        return self.tp + self.fn

    @property
    def rn(self) -> int:
        """Real negatives."""
        return self.fp + self.tn

    @property
    def pp(self) -> int:
        """Predicted positive."""
        return self.tp + self.fp

    @property
    def pn(self) -> int:
        """Predicted negative."""
        return self.fn + self.tn

    @property
    def recall(self) -> float:
        """Share of the real positives that are predicted positive."""
        return _share(self.tp, self.rp)

    @property
    def precision(self) -> float:
        """Share of the predicted positives that are real."""
        return _share(self.tp, self.pp)

    @property
    def informedness(self) -> float:
        """Recall of positives plus recall of negatives, minus 1; NaN where either class is empty."""
        return self.recall + _share(self.tn, self.rn) - 1

    @property
    def markedness(self) -> float:
        """Precision of positives plus precision of negatives, minus 1; NaN where either was never predicted."""
        return self.precision + _share(self.tn, self.pn) - 1

    @property
    def population(self) -> int:
        """All items."""
        return self.pp + self.pn

    def __str__(self) -> str:
        rows = [
            ("", "+R", "-R", "total"),
            ("+P", self.tp, self.fp, self.pp),
            ("-P", self.fn, self.tn, self.pn),
            ("total", self.rp, self.rn, self.population),
        ]
        width = max(len(str(cell)) for row in rows for cell in row[1:3])
        last = max(len(str(row[3])) for row in rows)
        return "\n".join(f"{row[0]:<5}  {row[1]:>{width}}  {row[2]:>{width}}  {row[3]:>{last}}" for row in rows)


def _share(count: int, total: int) -> float:
    return count / total if total else math.nan


Score = str | Callable[["HitList"], Any]
Scores = Sequence[Score] | Mapping[str, Score]

NAMES = ("average_precision", "score")


def name_of(score: Score) -> str:
    """The name of the score; a function without one of its own is a custom score."""
    name = score if isinstance(score, str) else getattr(score, "__name__", "")
    return name if name not in ("", "<lambda>") else "custom score"


def function_of(score: Score) -> Callable[["HitList"], Any]:
    """The function that scores a hit list."""
    if callable(score):
        return score
    if score not in NAMES:
        raise MetricNameError(
            f"is {score!r}",
            f"it must be {' or '.join(map(repr, NAMES))}, or a function of a hit list",
            argument="score",
        )
    return lambda hit_list: getattr(hit_list, score)()


def value_of(hit_list: "HitList", score: Score) -> Any:
    """The score of one hit list."""
    value: Any = function_of(score)(hit_list)
    if not isinstance(value, Real) or value != value:
        raise DataError(f"{name_of(score)} of {hit_list!r} is {value!r}", "a score must be a number")
    return value


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
    slack = RELATIVE_TOLERANCE * float(max(values) - min(values))
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


class Measures:
    """Measures of a hit list, and its place among its kind."""

    __slots__ = ()

    ranks: tuple[int, ...]
    retrieved: int
    relevant: int

    @property
    def length(self) -> int:
        """The number of ranks down to the last hit."""
        return self.ranks[-1]

    @property
    def hits(self) -> int:
        """The number of hits."""
        return len(self.ranks)

    def hit_list(self) -> Floats:
        """1 at each rank that holds a hit, and 0 at the others."""
        delta = np.zeros(self.retrieved)
        delta[np.array(self.ranks) - 1] = 1
        return delta

    def hit_function(self) -> Floats:
        """At each rank, the number of hits so far: the running sum of `hit_list`.

        Source: Zhang & Su (2012), whose table II has both by these names.
        """
        return np.cumsum(self.hit_list())

    def precision(self) -> Floats:
        """At each rank, the share of the ranks so far that hold hits."""
        return self.hit_function() / np.arange(1, self.retrieved + 1)

    def recall(self) -> Floats:
        """At each rank, the share of the relevant items found so far; 1 at the last hit unless some are missed."""
        return self.hit_function() / self.relevant

    def by_rank(self, items: Iterable[Hashable] | None = None) -> Listing:
        """A table with a row for each rank: whether it holds a hit, the hits so far, precision and recall.

        Parameters
        ----------
        items
            The names of what is ranked, the best first, for a column of their own; as many as there are ranks.

        Raises
        ------
        DataError
            There are more names than ranks, or fewer.

        Examples
        --------
        >>> from certus.chance import HitList
        >>> print(HitList("-x-xx-").by_rank("xaybcz"))
        rank  item  delta  s  precision  recall
           1  x         0  0     0.0000  0.0000
           2  a         1  1     0.5000  0.3333
           3  y         0  1     0.3333  0.3333
           4  b         1  2     0.5000  0.6667
           5  c         1  3     0.6000  1.0000
           6  z         0  3     0.5000  1.0000
        """
        columns: dict[str, list[Any]] = {"rank": list(range(1, self.retrieved + 1))}
        if items is not None:
            columns["item"] = [str(item) for item in items]
            if len(columns["item"]) != self.retrieved:
                raise DataError(
                    f"has {plural(len(columns['item']), 'name')} for {plural(self.retrieved, 'rank')}", argument="items"
                )
        columns["delta"] = list(map(int, self.hit_list().tolist()))
        columns["s"] = list(map(int, self.hit_function().tolist()))
        columns |= {"precision": self.precision().tolist(), "recall": self.recall().tolist()}
        column_types: dict[str, Kind] = {"item": "text", "precision": "number", "recall": "number"}
        return Listing(columns, {name: column_types.get(name, "whole") for name in columns})

    def average_precision(self) -> float:
        """Precision averaged over the relevant items, 0 at each that is missed: the area below precision at recall."""
        return math.fsum(i / rank for i, rank in enumerate(self.ranks, start=1)) / self.relevant

    def average_precision_at(self, k: int, denominator: Literal["relevant", "min", "hits"] = "relevant") -> float:
        """Average precision of the first `k` ranks.

        Parameters
        ----------
        k
            Number of ranks, from 1; from the length on, nothing is cut off.
        denominator
            What the sum of precisions is divided by. ``"relevant"``: all relevant items, so that this is the area under
            the precision-recall function down to rank k. ``"min"``: that number or k, whichever is smaller, so that a
            perfect top reaches 1. ``"hits"``: the hits of the first k ranks; recall then plays no part, and a further
            hit can lower the value. 0 where there are none.

        Raises
        ------
        DataError
            If k is not a whole number from 1, or there is no such denominator.
        """
        k = require_integer(k, "k", 1)
        n_hits = bisect_right(self.ranks, k)
        shares = {"relevant": self.relevant, "min": min(self.relevant, k), "hits": n_hits}
        spelling: object = denominator
        if not isinstance(spelling, str) or denominator not in shares:
            raise DataError(f"is {denominator!r}", f"it must be {', '.join(map(repr, shares))}", argument="denominator")
        total = math.fsum(i / rank for i, rank in enumerate(self.ranks[:n_hits], start=1))
        return total / shares[denominator] if n_hits else 0.0

    def k_at_recall(self, r: float | Fraction) -> int:
        """The least number of ranks, from the top, that reaches recall `r`; 0 for recall 0.

        A whole number or a Fraction is compared exactly. A float stands for the quotient that rounds to it: 0.1 is
        reached by one hit of ten, though the float lies above 1/10.

        Raises
        ------
        DataError
            If r lies outside [0, 1], or above the recall of the whole list.
        """
        if isinstance(r, bool | np.bool_) or not isinstance(r, Real) or not 0 <= r <= 1:
            raise DataError(f"is {r!r}", "recall lies in [0, 1]", argument="r")
        exact = isinstance(r, int | Fraction)

        def reaches(n_hits: int) -> bool:
            return (Fraction(n_hits, self.relevant) if exact else n_hits / self.relevant) >= r

        if not reaches(self.hits):
            raise DataError(f"is {r!r}", f"the list holds {self.hits} of {self.relevant} relevant items", argument="r")
        fewest = bisect_left(range(self.hits), True, key=reaches)
        return self.ranks[fewest - 1] if fewest else 0

    def precision_at_recall(self, r: float | Fraction) -> float:
        """Precision at rank ``k_at_recall(r)``; 0 for recall 0, as the metric P@recall has it."""
        k = self.k_at_recall(r)
        return bisect_right(self.ranks, k) / k if k else 0.0

    def score(self, m: float | Fraction = 10) -> float:
        """Náufel's s(r), which is 1 for a list of hits only, and otherwise better the later its misses come.

        With k hits among p ranks::

            s(r) = k/p + 2 * (sum of the ranks without a hit) / (m * p * (p - 1))

        1 for p = 1, where the fraction is 0/0. Computed exactly and rounded once.

        Parameters
        ----------
        m
            Above 2, which keeps the score of every list with a miss below 1. The larger, the less it counts where the
            misses are, against how many they are.

        Raises
        ------
        DataError
            If m is not a finite number above 2.
        """
        if isinstance(m, bool | np.bool_) or not isinstance(m, Real) or not 2 < m < math.inf:
            raise DataError(f"is {m!r}", "it must be a finite number above 2", argument="m")
        p = self.length
        misses = p * (p + 1) // 2 - sum(self.ranks)
        return float(Fraction(self.hits, p) + (Fraction(2 * misses, p * (p - 1)) / Fraction(m) if misses else 0))

    def contingency(self, population: int, cutoff: int | None = None) -> Contingency:
        """The table of a population of which the first ranks are predicted positive, and all others negative.

        Parameters
        ----------
        population
            The number of items there are, retrieved or not.
        cutoff
            The number of ranks that are predicted positive, from 1 to `retrieved`; by default all.

        Raises
        ------
        DataError
            If the population is less than the ranks and the relevant items that are missed, or there is no such rank.
        """
        missed = self.relevant - self.hits
        items = require_integer(population, "population", self.retrieved + missed)
        n_predicted = self.retrieved if cutoff is None else require_integer(cutoff, "cutoff", 1, self.retrieved)
        tp = bisect_right(self.ranks, n_predicted)
        fn = self.relevant - tp
        return Contingency(tp=tp, fp=n_predicted - tp, fn=fn, tn=items - n_predicted - fn)

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
