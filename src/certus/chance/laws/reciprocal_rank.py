"""Reciprocal rank."""

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np
from scipy import special

from certus.arrays import Floats, sinking_products
from certus.chance.declare import CUTOFF, ITEMS, RELEVANT, law
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite
from certus.chance.laws.hypergeometric import drawn, log_atom, log_atoms, log_from, log_upto
from certus.chance.probability import Answer, whole
from certus.transform.quantile import SAME

HEAD = 1 << 20
"""Ranks whose terms are added one by one; sums over later ones are integrals with their end corrections."""


class ReciprocalRank(Distribution):
    """One over the rank of the first hit, 0 where that is behind the cutoff or there is none."""

    _method = "hypergeometric"
    _exact = True

    def __init__(self, n: int, m: int, cutoff: int) -> None:
        self._n, self._m = n, m
        self._last = min(n - m + 1, cutoff) if m else 0

    @cached_property
    def _log_none(self) -> float:
        return log_upto(self._n, self._m, self._last, 0) if self._m else 0.0

    def _listed(self, most: int) -> Finite | None:
        if self._last >= min(most, HEAD):
            return None
        values, chances = np.zeros(1), np.array([math.exp(self._log_none)])
        if self._last:
            values = np.append(values, 1 / np.arange(self._last, 0, -1.0))
            chances = np.append(chances, self._first_masses()[::-1])
        possible = chances > 0
        return Finite(values[possible], np.log(chances[possible]), self._method)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        least = 1 / self._last if self._log_none == -math.inf else 0.0
        return least, 1.0 if self._last else 0.0

    @cached_property
    def _moments(self) -> KnownMoments:
        n, m = self._n, self._m
        if m and self._log_none == -math.inf:
            mean = m / (n - m + 1) * _harmonic_between(m - 1, n)
        else:
            mean = self._sum(lambda values: values)
        none = math.exp(self._log_none)

        def central(power: int) -> float:
            return (0.0 - mean) ** power * none + self._sum(lambda values: (values - mean) ** power)

        return KnownMoments.central(mean, central(2), central(3), central(4))

    def _sum(self, of: Callable[[Floats], Floats]) -> float:
        """The sum of P(rank) of(1 / rank) over all ranks up to the last."""
        if not self._last:
            return 0.0
        head = min(self._last, HEAD)
        total = float(np.sum(self._first_masses() * of(1 / np.arange(1, head + 1, dtype=np.float64))))
        return total + (self._integral(of, head + 1.0, float(self._last)) if head < self._last else 0.0)

    def _first_masses(self) -> Floats:
        """P(rank) for the first ranks."""
        ranks = np.arange(1, min(self._last, HEAD), dtype=np.float64)
        ratios = (self._n - ranks - self._m + 1) / (self._n - ranks)
        return self._m / self._n * np.insert(sinking_products(ratios), 0, 1.0)

    def _integral(self, of: Callable[[Floats], Floats], low: float, high: float) -> float:
        """The same sum over later ranks (Euler and Maclaurin; further terms are below 1e-13 of it)."""

        def term(ranks: Floats) -> Floats:
            apart = 1 - self._m * (ranks / self._n)
            masses = log_atoms(self._n, self._m, ranks, np.ones_like(ranks), apart)
            return np.asarray(np.exp(masses) / ranks * of(1 / ranks))

        nodes, weights = np.polynomial.legendre.leggauss(24)
        ends = np.append(np.geomspace(low, high, 2 + int(2 * math.log2(high / low))), high)
        centres, halves = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
        inner = term((centres[:, None] + halves[:, None] * nodes).ravel()).reshape(-1, len(nodes))
        return float((inner @ weights) @ halves + term(np.array([low, high])).sum() / 2)

    def _ranks(self, x: float) -> tuple[int, int]:
        """The last rank with a value of at least x > 0, and the first with one of at most x."""
        last, first = ((1 / (x * near) if x * near * self._n > 0.1 else math.inf) for near in (1 - SAME, 1 + SAME))
        return int(min(math.floor(min(last, self._n + 1.0)), self._last)), math.ceil(min(first, self._n + 1.0))

    def _upto(self, rank: int) -> Answer:
        """Log of P(a hit up to the rank)."""
        log = log_from(self._n, self._m, min(rank, self._last), 1) if rank > 0 and self._last else -math.inf
        return log, 0.0, self._method

    def _behind(self, rank: int) -> Answer:
        """Log of P(no hit up to the rank)."""
        return log_upto(self._n, self._m, max(rank, 0), 0) if self._last else 0.0, 0.0, self._method

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        if x < 0 or (x == 0 and atom == upper):
            return 0.0 if upper else -math.inf, 0.0, self._method
        if x == 0:
            return self._upto(self._last) if upper else self._behind(self._last)
        last, first = self._ranks(x)
        if upper:
            return self._upto(last if atom else first - 1)
        return self._behind(min(first - 1 if atom else last, self._last))

    def _log_pmf(self, x: float) -> Answer:
        if x <= 0:
            return self._log_none if x == 0 else -math.inf, 0.0, self._method
        last, first = self._ranks(x)
        if first > last or last < 1:
            return -math.inf, 0.0, self._method
        return log_atom(self._n, self._m, first, 1) - math.log(first), 0.0, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        # The greatest rank r with P(no hit up to r - 1) >= q; a q that is a rounded probability gives its x back.
        if upper:
            return self._value(self._greatest(lambda rank: self._upto(rank - 1)[0] <= math.log(q) + SAME))
        return self._value(self._greatest(lambda rank: self._behind(rank - 1)[0] >= math.log(q) - SAME))

    def _greatest(self, holds: Callable[[int], bool]) -> int:
        """The greatest rank for which it holds, up to the one that stands for no hit."""
        low, high = 1, self._last + (self._log_none > -math.inf)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if holds(middle) else (low, middle - 1)
        return low

    def _value(self, rank: int) -> float:
        return 1 / rank if rank <= self._last else 0.0

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        shares = generator.random(size)
        if not self._last:
            return np.zeros(size)
        head = min(self._last, HEAD)
        ranks = 1 + np.searchsorted(np.cumsum(self._first_masses()), shares, side="right")
        values = np.where(ranks <= head, 1 / ranks, 0.0)
        if head < self._last:
            # Behind the ranks listed, one by one.
            later = np.flatnonzero(ranks > head)
            values[later] = [self._quantile(1 - share, upper=False) for share in shares[later].tolist()]
        return np.maximum(values, self.support()[0])


def _harmonic_between(low: int, high: int) -> float:
    """1 / (low + 1) + ... + 1 / high."""
    if high - low <= 10_000:
        return math.fsum((1 / np.arange(low + 1, high + 1, dtype=np.float64)).tolist())
    if low < 100:
        return float(special.digamma(high + 1.0) - special.digamma(low + 1.0))
    # H(a) = log(a + 1/2) + 1/(24 (a + 1/2)^2) - 7/(960 (a + 1/2)^4) + ...; differences of logarithms do not cancel.
    after = [1 / (24 * b**2) - 7 / (960 * b**4) for b in (low + 0.5, high + 0.5)]
    return math.log1p((high - low) / (low + 0.5)) + (after[1] - after[0])


@law("rr", "RR", ITEMS, RELEVANT, CUTOFF)
def reciprocal_rank(items: int, relevant: int, cutoff: int | None = None) -> Distribution:
    """One over the rank of the first of m relevant items among n items in random order.

    ::

        P(X = 1/k) = C(n-k, m-1) / C(n, m)
        mean m / (n-m+1) (1/m + 1/(m+1) + ... + 1/n)

    With a cutoff it is 0 where none of the first `cutoff` items is relevant, and without relevant items always.

    Parameters
    ----------
    items
        Items, n in the formulas.
    relevant
        Relevant items, m.
    cutoff
        Look at the first `cutoff` items only.

    Returns
    -------
    Distribution
        Of the reciprocal rank. Probabilities come from the number of hits above a rank, so any n will do; moments are
        sums over the ranks, and behind the first million integrals with their end corrections.

    Raises
    ------
    DataError
        A number is not whole, or there are more relevant items than items.

    Examples
    --------
    Three items, one of them relevant: 1, 1/2 and 1/3 are equally likely.

    >>> law = reciprocal_rank(3, 1)
    >>> round(law.mean(), 6), round(law.tail(0.5), 6)
    (0.611111, 0.666667)
    >>> round(reciprocal_rank(3, 1, cutoff=2).pmf(0), 6)
    0.333333
    """
    n, m = drawn(items, relevant)
    return ReciprocalRank(n, m, n if cutoff is None else min(whole(cutoff, "cutoff", 1), n))
