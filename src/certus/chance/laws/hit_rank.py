"""The rank of a hit, and the ranks of two hits together."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.chance.declare import HIT, ITEMS, RELEVANT, law
from certus.chance.lattice import Lattice, along, central_moments
from certus.chance.laws.hypergeometric import atoms_of, drawn, falling, log_atom, log_atoms, log_from, log_upto
from certus.chance.probability import Answer, Probability, value_of, whole
from certus.errors import DataError

Engine = Literal["exact", "taylor", "zhang-su"]

MOST_PAIRS = 1 << 22
"""Pairs of ranks that are added up one by one."""


class JointReciprocal(NamedTuple):
    """Moments of 1 / L_i and 1 / L_j together.

    Attributes
    ----------
    product, covariance
        E(1 / (L_i L_j)), and that less E(1 / L_i) E(1 / L_j).
    """

    product: float
    covariance: float


class JointRanks:
    """The law of the ranks of the i-th and the j-th hit together; what ``HitRank.joint`` gives.

    ::

        P(L_i = s, L_j = t) = C(s-1, i-1) C(t-s-1, j-i-1) C(n-t, m-j) / C(n, m)        i < j, s < t
        cov = i (m+1-j) (n+1) (n-m) / ((m+1)^2 (m+2))                                  i <= j

    Zhang & Su (2012), (7), divide by C(n-2, m-2), with which the probabilities add up to n (n-1) / (m (m-1)).

    Attributes
    ----------
    mean, var
        Expected value and variance of the one rank and of the other.
    covariance
        Of the two ranks; positive.

    Examples
    --------
    Three hits among eight items: the first two at the ranks 1 and 2 leave 6 of the 56 lists.

    >>> from certus.chance import hit_rank
    >>> both = hit_rank(8, 3, 1).joint(2)
    >>> round(both.pmf(1, 2) * 56, 9), both.covariance
    (6.0, 1.125)
    >>> both
    <JointRanks: means 2.25 and 4.5, covariance 1.125>
    >>> round(both.expect(lambda s, t: 1 / (s * t)), 6)
    0.173115
    """

    def __init__(self, first: "HitRank", second: "HitRank") -> None:
        self._ranks = first, second
        self.mean = first.mean(), second.mean()
        self.var = first.var(), second.var()
        self.covariance = float(self._covariance("taylor"))

    def __repr__(self) -> str:
        return f"<JointRanks: means {self.mean[0]:.4g} and {self.mean[1]:.4g}, covariance {self.covariance:.4g}>"

    @property
    def _counts(self) -> tuple[int, int, int, int]:
        """Items, hits, and the number of the upper and of the lower hit."""
        (n, m, i), (_, _, j) = (rank.counts for rank in self._ranks)
        return n, m, min(i, j), max(i, j)

    @property
    def _swapped(self) -> bool:
        return self._ranks[0].counts[2] > self._ranks[1].counts[2]

    @property
    def correlation(self) -> float:
        """Correlation of the two ranks; NaN where a rank cannot vary."""
        spread = math.sqrt(self.var[0]) * math.sqrt(self.var[1])
        return self.covariance / spread if spread else math.nan

    def pmf(self, s: int, t: int) -> Probability:
        """P(L_i = s, L_j = t).

        Raises
        ------
        DataError
            A rank is not a whole number.
        """
        s, t = whole(s, "s"), whole(t, "t")
        n, m, i, j = self._counts
        above, below = (t, s) if self._swapped else (s, t)
        log = self._ranks[self._swapped].pmf(above)
        if i == j:
            return Probability(float(log) if above == below else 0.0, "hypergeometric")
        rest = below - above
        if not j - i <= rest <= n - m + j - i or not i <= above <= n - m + i or below > n - m + j:
            return Probability(0.0, "hypergeometric")
        # Below the upper hit stands a random list of its own.
        given = (j - i) / rest * math.exp(log_atom(n - above, m - i, rest, j - i))
        return Probability(float(log) * given, "hypergeometric")

    def expect(self, f: Callable[[float, float], float]) -> float:
        """Expected value of ``f(L_i, L_j)``, exact up to rounding: a sum over all pairs of ranks.

        Parameters
        ----------
        f
            A function of both ranks that gives a number.

        Raises
        ------
        DataError
            There are more than about four million pairs, or f gives no number.
        """
        n, m, i, j = self._counts
        if i == j:
            return self._ranks[0].expect(lambda rank: f(rank, rank))
        pairs = (n - m + 1) * (n - m + 2) // 2
        if pairs > MOST_PAIRS:
            raise DataError(f"the two ranks have {pairs:,} pairs of values", f"at most {MOST_PAIRS:,} are added up")
        swapped = self._swapped

        def terms() -> Iterator[float]:
            for above, belows, chances in self._rows():
                for below, chance in zip(belows.tolist(), chances.tolist(), strict=True):
                    yield chance * value_of(f, *((below, above) if swapped else (above, below)))

        return math.fsum(terms())

    def _rows(self) -> Iterator[tuple[float, Floats, Floats]]:
        """Iterate over ranks of the upper hit, with the possible lower ranks and the probability of each pair."""
        n, m, i, j = self._counts
        upper = self._ranks[self._swapped]
        hits = j - i
        for above in range(i, n - m + i + 1):
            rest = np.arange(hits, n - m + j - above + 1, dtype=np.float64)
            items, marked = n - above, m - i
            apart = (hits * items - marked * rest) / items
            logs = log_atoms(items, marked, rest, np.full_like(rest, hits), apart)
            yield float(above), above + rest, float(upper.pmf(above)) * hits / rest * np.exp(logs)

    def reciprocal(self, engine: Engine = "exact") -> JointReciprocal:
        """Moments of one over each rank together: exact, or by the expansion of Zhang & Su.

        ::

            Cov(1/L_i, 1/L_j) ~ Cov(L_i, L_j) / (E(L_i)^2 E(L_j)^2)

        Parameters
        ----------
        engine
            ``"exact"``, ``"taylor"`` or ``"zhang-su"``, as for ``HitRank.reciprocal``.

        Raises
        ------
        DataError
            There is no such engine, or the exact sum has more than about four million terms.

        References
        ----------
        Zhang & Su (2012), FSKD, pp. 1348-1352, (9) to (11).

        Examples
        --------
        >>> from certus.chance import hit_rank
        >>> both = hit_rank(8, 3, 1).joint(2)
        >>> [round(both.reciprocal(engine).covariance, 4) for engine in ("exact", "taylor", "zhang-su")]
        [0.0181, 0.011, 0.0508]
        """
        first, second = (rank.reciprocal(engine).mean for rank in self._ranks)
        if engine == "exact":
            product = self.expect(lambda s, t: 1 / (s * t))
            return JointReciprocal(product, self.expect(lambda s, t: (1 / s - first) * (1 / t - second)))
        means = [moments_of(*rank.counts, engine)[0] for rank in self._ranks]
        covariance = float(self._covariance(engine) / (means[0] ** 2 * means[1] ** 2))
        return JointReciprocal(covariance + first * second, covariance)

    def _covariance(self, engine: Engine) -> Fraction:
        """The true covariance of the ranks, or that of the paper."""
        n, m, i, j = self._counts
        if engine != "zhang-su":
            return Fraction(i * (m + 1 - j) * (n + 1) * (n - m), (m + 1) ** 2 * (m + 2))
        if i == j:
            return moments_of(n, m, i, engine)[1]
        return Fraction(i * (n - 1) * (n * j + n - m), m * (m - 1)) - Fraction(i * n, m) * Fraction(j * n, m)


def moments_of(n: int, m: int, i: int, engine: Engine) -> tuple[Fraction, Fraction]:
    """Mean and variance of the rank of the i-th hit; the paper's where it is asked for."""
    if engine in ("exact", "taylor"):
        variance = Fraction(i * (m + 1 - i) * (n + 1) * (n - m), (m + 1) ** 2 * (m + 2))
        return Fraction(i * (n + 1), m + 1), variance
    if engine != "zhang-su":
        raise DataError(f"is {engine!r}", "it must be 'exact', 'taylor' or 'zhang-su'", argument="engine")
    mean = Fraction(i * n, m)
    return mean, Fraction(i * n * (i * n + i + n - m), m * (m + 1)) - mean**2


class Reciprocal(NamedTuple):
    """Moments of 1 / L, one over the rank of a hit.

    Attributes
    ----------
    mean, square, var
        E(1 / L), E(1 / L^2) and their difference E(1 / L^2) - E(1 / L)^2.
    """

    mean: float
    square: float
    var: float


class HitRank(Lattice):
    """The rank of the i-th of m relevant items among n in random order; what `hit_rank` returns."""

    _method = "hypergeometric"
    _exact = True

    def __init__(self, n: int, m: int, i: int) -> None:
        self.counts = (n, m, i)
        """Items, hits, and which of them."""
        super().__init__(i, n - m + i, 1)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        # The items before the i-th hit that are not relevant are beta-binomial.
        n, m, i = self.counts
        mean, *rest = central_moments(
            [Fraction(falling(n - m, r) * falling(i + r - 1, r), falling(m + r, r)) for r in range(1, 5)]
        )
        return (mean + i, rest[0], rest[1], rest[2])

    def _upper(self, index: int) -> Answer:
        n, m, i = self.counts
        return log_upto(n, m, index - 1, i - 1), 0.0, self._method

    def _lower(self, index: int) -> Answer:
        n, m, i = self.counts
        return log_from(n, m, index, i), 0.0, self._method

    def _atom(self, index: int) -> Answer:
        # Of the i hits among the first items, each is as likely to be the last of them as any other item there.
        n, m, i = self.counts
        return math.log(i / index) + log_atom(n, m, index, i), 0.0, self._method

    def _log_masses(self, indices: range) -> Floats:
        n, m, i = self.counts
        ranks = np.array(indices, dtype=np.float64)
        return np.asarray(np.log(i / ranks) + atoms_of(n, m, indices, [i] * len(indices)))

    def _masses(self, lowest: int, highest: int) -> Floats:
        n, m, i = self.counts
        mode = min(max(round((i - 1) * n / (m - 1)) if m > 1 else lowest, lowest), highest)
        ranks = np.arange(lowest, highest, dtype=np.float64)
        ratios = ranks / (ranks - i + 1) * ((n - m + i - ranks) / (n - ranks))
        return along(ratios, mode - lowest)

    def joint(self, j: int) -> "JointRanks":
        """The law of this rank together with the rank of the j-th hit.

        Parameters
        ----------
        j
            Which hit, 1 to m.

        Returns
        -------
        JointRanks
            Probabilities, expected values of functions of both ranks, means, variances, covariance.

        Raises
        ------
        DataError
            There is no j-th hit.
        """
        return JointRanks(self, hit_rank(*self.counts[:2], j))

    def reciprocal(self, engine: Engine = "exact") -> Reciprocal:
        """Moments of one over the rank: exact, or by the expansion of Zhang & Su.

        ::

            E(1/L)  ~ (1 + v) / E(L)        E(1/L^2) ~ (1 + 3v) / E(L)^2        v = Var(L) / E(L)^2
            Var(1/L) ~ v (1 - v) / E(L)^2

        Parameters
        ----------
        engine
            ``"exact"``: the sum over all ranks. ``"taylor"``: the second-order expansion at E(L), from the true mean
            and variance of the rank. ``"zhang-su"``: the same from the mean and variance that the paper has,
            E(L) = i n / m instead of i (n+1) / (m+1).

        Raises
        ------
        DataError
            There is no such engine, or the exact sum has more than about a million terms.

        References
        ----------
        Zhang & Su (2012), FSKD, pp. 1348-1352, (11) and the appendix.

        Examples
        --------
        The first of three hits among eight items.

        >>> first = hit_rank(8, 3, 1)
        >>> for engine in ("exact", "taylor", "zhang-su"):
        ...     print(f"{engine:8}", " ".join(f"{moment:.4f}" for moment in first.reciprocal(engine)))
        exact    0.6089 0.4711 0.1003
        taylor   0.5926 0.3951 0.0439
        zhang-su 0.4922 0.2725 0.0302
        """
        found = moments_of(*self.counts, engine)
        if engine == "exact":
            mean = self.expect(lambda rank: 1 / rank)
            square = self.expect(lambda rank: 1 / (rank * rank))
            return Reciprocal(mean, square, self.expect(lambda rank: (1 / rank - mean) ** 2))
        mean, var = map(float, found)
        v = var / mean**2
        return Reciprocal((1 + v) / mean, (1 + 3 * v) / mean**2, v * (1 - v) / mean**2)


@law("hit-rank", "rank", ITEMS, RELEVANT, HIT, better="lower")
def hit_rank(items: int, relevant: int, hit: int) -> HitRank:
    """The rank of the i-th of the m relevant items among n items in random order.

    The negative hypergeometric law::

        P(L = l) = C(l-1, i-1) C(n-l, m-i) / C(n, m)
        mean i (n+1) / (m+1)        variance i (m+1-i) (n+1) (n-m) / ((m+1)^2 (m+2))

    Probabilities are those of the number of hits: the i-th hit stands after rank l exactly if the first l items hold
    fewer than i hits.

    Parameters
    ----------
    items
        Items, n in the formulas.
    relevant
        Relevant items, m.
    hit
        Number i of the hit, 1 to m.

    Returns
    -------
    HitRank
        Of the rank, exact for any n; ``joint(j)`` is the law of this rank and that of the j-th hit.

    Raises
    ------
    DataError
        A number is not whole, there are more relevant items than items, or there is no i-th hit.

    Examples
    --------
    >>> second = hit_rank(9, 4, 2)
    >>> second.mean(), second.var()
    (4.0, 2.0)
    >>> second.joint(3).covariance
    1.3333333333333333
    """
    n, m = drawn(items, relevant)
    i = whole(hit, "hit", 1)
    if m == 0:
        raise DataError(
            "is 0: there is no hit, so none has a rank", "give at least one relevant item", argument="relevant"
        )
    if i > m:
        raise DataError(f"is {i}, but there are {m} relevant items", f"it must be one of 1 to {m}", argument="hit")
    return HitRank(n, m, i)
