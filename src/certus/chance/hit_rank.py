"""The rank of a hit."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from certus.arrays import Floats
from certus.chance.distribution import Answer, whole
from certus.chance.lattice.hypergeometric import drawn, falling, log_atom, log_from, log_upto
from certus.chance.lattice.lattice import Lattice, along, central_moments
from certus.chance.renamed import renamed
from certus.errors import DataError, called

__all__ = ["HitRank", "JointMoments", "hit_rank"]


@dataclass(frozen=True)
class JointMoments:
    """First and second moments of the ranks of two hits.

    Attributes
    ----------
    mean
        Expected rank of the one and of the other.
    var
        Variances.
    covariance
        Of the two ranks; positive.
    """

    mean: tuple[float, float]
    var: tuple[float, float]
    covariance: float

    @property
    def correlation(self) -> float:
        """Correlation of the two ranks; NaN where a rank cannot vary."""
        spread = math.sqrt(self.var[0]) * math.sqrt(self.var[1])
        return self.covariance / spread if spread else math.nan


class HitRank(Lattice):
    """The rank of the i-th of m relevant items among n in random order; what `hit_rank` returns."""

    _method = "hypergeometric"
    _exact = True

    def __init__(self, n: int, m: int, i: int) -> None:
        self._counts = (n, m, i)
        super().__init__(i, n - m + i, 1)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        # The items before the i-th hit that are not relevant are beta-binomial.
        n, m, i = self._counts
        mean, *rest = central_moments(
            [Fraction(falling(n - m, r) * falling(i + r - 1, r), falling(m + r, r)) for r in range(1, 5)]
        )
        return (mean + i, rest[0], rest[1], rest[2])

    def _upper(self, index: int) -> Answer:
        n, m, i = self._counts
        return log_upto(n, m, index - 1, i - 1), 0.0, self._method

    def _lower(self, index: int) -> Answer:
        n, m, i = self._counts
        return log_from(n, m, index, i), 0.0, self._method

    def _atom(self, index: int) -> Answer:
        # Of the i hits among the first items, each is as likely to be the last of them as any other item there.
        n, m, i = self._counts
        return math.log(i / index) + log_atom(n, m, index, i), 0.0, self._method

    def _masses(self, lowest: int, highest: int) -> Floats:
        n, m, i = self._counts
        mode = min(max(round((i - 1) * n / (m - 1)) if m > 1 else lowest, lowest), highest)
        ranks = np.arange(lowest, highest, dtype=np.float64)
        ratios = ranks / (ranks - i + 1) * ((n - m + i - ranks) / (n - ranks))
        return along(ratios, mode - lowest)

    def joint(self, j: int) -> JointMoments:
        """Moments of this rank together with the rank of the j-th hit.

        ::

            cov = i (m+1-j) (n+1) (n-m) / ((m+1)^2 (m+2))        i <= j

        Parameters
        ----------
        j
            Which hit, 1 to m.

        Returns
        -------
        JointMoments
            Means, variances, covariance.

        Raises
        ------
        DataError
            There is no j-th hit.
        """
        n, m, i = self._counts
        other = hit_rank(n, m, j)
        first, last = min(i, j), max(i, j)
        covariance = Fraction(first * (m + 1 - last) * (n + 1) * (n - m), (m + 1) ** 2 * (m + 2))
        return JointMoments((self.mean(), other.mean()), (self.var(), other.var()), float(covariance))


@renamed(n="items", m="relevant", i="hit")
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
        Of the rank, exact for any n; ``joint(j)`` adds the covariance with the rank of the j-th hit.

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
            f"{called('relevant')} is 0: there is no hit, so none has a rank; give at least one relevant item"
        )
    if i > m:
        raise DataError(f"{called('hit')} is {i}, but there are {m} relevant items; it must be one of 1 to {m}")
    return HitRank(n, m, i)
