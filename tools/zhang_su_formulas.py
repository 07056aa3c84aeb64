"""The formulas of Zhang & Su (2012) that tools/make_zhang_su.py shows to be wrong, and what they should have been."""

from fractions import Fraction
from functools import cached_property
from math import comb

__all__ = ["Delta", "joint_sum", "mean_of_rank", "paper_covariance", "rank_covariance", "single_sum"]


def single_sum(n: int, m: int, hit: int = 2) -> Fraction:
    """The sum of (6) over all places k of a hit; a probability would have 1."""
    return sum(
        (Fraction(comb(n - k, m - hit) * comb(k - 1, hit - 1), comb(n - 1, m - 1)) for k in range(1, n + 1)),
        Fraction(0),
    )


def joint_sum(n: int, m: int, i: int = 1, j: int = 2) -> Fraction:
    """The sum of (7) over all places s < t of two hits."""
    ways = sum(
        comb(s - 1, i - 1) * comb(t - s - 1, j - i - 1) * comb(n - t, m - j)
        for t in range(1, n + 1)
        for s in range(1, t)
    )
    return Fraction(ways, comb(n - 2, m - 2))


def mean_of_rank(n: int, m: int, i: int) -> Fraction:
    """The mean rank of the i-th hit, from all places it can have."""
    return sum(
        (Fraction(k * comb(k - 1, i - 1) * comb(n - k, m - i), comb(n, m)) for k in range(1, n + 1)), Fraction(0)
    )


def rank_covariance(n: int, m: int, i: int, j: int) -> Fraction:
    """The covariance of the ranks of hits i <= j: those of a uniform random subset are ordered as in a sample."""
    return Fraction(i * (m + 1 - j) * (n + 1) * (n - m), (m + 1) ** 2 * (m + 2))


def paper_covariance(n: int, m: int, i: int, j: int) -> Fraction:
    """The paper's, (9) less the product of (8)."""
    return Fraction(i * (n - 1) * (n * j + n - m), m * (m - 1)) - Fraction(i * n, m) * Fraction(j * n, m)


class Delta:
    """(12) and (13) with the right moments of the ranks: what the paper's expansion is worth by itself."""

    def __init__(self, n: int, m: int) -> None:
        self._n, self._m = n, m

    def _mean(self, i: int) -> float:
        return i * (self._n + 1) / (self._m + 1)

    def _share(self, i: int, j: int) -> float:
        """Cov(L_i, L_j) over the product of the means."""
        return float(rank_covariance(self._n, self._m, i, j)) / (self._mean(i) * self._mean(j))

    @cached_property
    def mean(self) -> float:
        """(12)."""
        return sum(i / self._mean(i) * (1 + self._share(i, i)) for i in range(1, self._m + 1)) / self._m

    @cached_property
    def var(self) -> float:
        """(13)."""
        hits = range(1, self._m + 1)
        scale = ((self._m + 1) / (self._n + 1)) ** 2 / self._m**2
        own = sum(self._share(i, i) * (1 - self._share(i, i)) for i in hits)
        return scale * (own + 2 * sum(self._share(i, j) for j in hits for i in range(1, j)))
