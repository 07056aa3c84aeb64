"""The rank of a hit."""

import math
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.chance.declare import HIT, ITEMS, RELEVANT, law
from certus.chance.distribution import Answer, whole
from certus.chance.joint_ranks import Engine, JointRanks, moments_of
from certus.chance.lattice.hypergeometric import atoms_of, drawn, falling, log_atom, log_from, log_upto
from certus.chance.lattice.lattice import Lattice, along, central_moments
from certus.errors import DataError


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
