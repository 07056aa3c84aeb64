"""Measures computed from the ranks of a hit list."""

import math
from bisect import bisect_right
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any, Literal

import numpy as np

from certus.arrays import Floats
from certus.chance.probability import whole
from certus.errors import DataError
from certus.frames import Kind
from certus.listing import Listing
from certus.readable import Readable
from certus.spelling import plural


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


class Measures:
    """Measures of a hit list, from its ranks alone."""

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
        k = whole(k, "k", 1)
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
        low, high = 0, self.hits  # the least number of hits lies in [low, high]
        while low < high:
            n_hits = (low + high) // 2
            if reaches(n_hits):
                high = n_hits
            else:
                low = n_hits + 1
        return self.ranks[low - 1] if low else 0

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
        items = whole(population, "population", self.retrieved + missed)
        n_predicted = self.retrieved if cutoff is None else whole(cutoff, "cutoff", 1, self.retrieved)
        tp = bisect_right(self.ranks, n_predicted)
        fn = self.relevant - tp
        return Contingency(tp=tp, fp=n_predicted - tp, fn=fn, tn=items - n_predicted - fn)
