"""The ranks of two hits together."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.chance.distribution import value_of, whole
from certus.chance.lattice.hypergeometric import log_atom, log_atoms
from certus.chance.probability import Probability
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.chance.hit_rank import HitRank


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
