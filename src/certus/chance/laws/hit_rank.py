"""The rank of a hit, the ranks of two hits together, and reciprocal rank."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, overload

import numpy as np

from certus.chance.declare import CUTOFF, HIT, ITEMS, RELEVANT, law
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite, Lattice, along, central_moments, constant
from certus.chance.laws.average_precision_moments import harmonic_between
from certus.chance.laws.hits import atoms_of, check_counts, falling, log_atom, log_atoms, log_from, log_upto
from certus.chance.probability import Answer, Probability, require_integer, value_of
from certus.core.arrays import Floats, sinking_products
from certus.core.errors import DataError
from certus.transform.quantile import RELATIVE_TOLERANCE

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

    @overload
    def pmf(self, s: int, t: int) -> Probability: ...
    @overload
    def pmf(self, s: Any, t: Any) -> Any: ...
    def pmf(self, s: Any, t: Any) -> Any:
        """P(L_i = s, L_j = t).

        Parameters
        ----------
        s, t
            Whole numbers; or arrays of them that broadcast, as `numpy.ix_` gives for a table of all pairs.

        Returns
        -------
        Probability or numpy.ndarray
            One probability, or an array of them in the shape of both.

        Raises
        ------
        DataError
            A rank is not a whole number, or the arrays do not broadcast.
        """
        if np.ndim(s) or np.ndim(t):
            try:
                first, second = np.broadcast_arrays(s, t)
            except ValueError:
                raise DataError(
                    f"s has the shape {np.shape(s)} and t {np.shape(t)}", "give arrays that broadcast"
                ) from None
            pairs = zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)
            return np.array([float(self.pmf(*pair)) for pair in pairs]).reshape(first.shape)
        s, t = require_integer(s, "s"), require_integer(t, "t")
        n, m, i, j = self._counts
        upper, lower = (t, s) if self._swapped else (s, t)
        log = self._ranks[self._swapped].pmf(upper)
        if i == j:
            return Probability(float(log) if upper == lower else 0.0, "hypergeometric")
        distance = lower - upper
        if not j - i <= distance <= n - m + j - i or not i <= upper <= n - m + i or lower > n - m + j:
            return Probability(0.0, "hypergeometric")
        # Below the upper hit stands a random list of its own.
        conditional = (j - i) / distance * math.exp(log_atom(n - upper, m - i, distance, j - i))
        return Probability(float(log) * conditional, "hypergeometric")

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
            for upper_rank, lower_ranks, chances in self._rows():
                for lower_rank, chance in zip(lower_ranks.tolist(), chances.tolist(), strict=True):
                    yield chance * value_of(f, *((lower_rank, upper_rank) if swapped else (upper_rank, lower_rank)))

        return math.fsum(terms())

    def _rows(self) -> Iterator[tuple[float, Floats, Floats]]:
        """Iterate over ranks of the upper hit, with the possible lower ranks and the probability of each pair."""
        n, m, i, j = self._counts
        upper_law = self._ranks[self._swapped]
        hits = j - i
        for upper_rank in range(i, n - m + i + 1):
            distance = np.arange(hits, n - m + j - upper_rank + 1, dtype=np.float64)
            items, marked = n - upper_rank, m - i
            deviations = (hits * items - marked * distance) / items
            logs = log_atoms(items, marked, distance, np.full_like(distance, hits), deviations)
            chances = float(upper_law.pmf(upper_rank)) * hits / distance * np.exp(logs)
            yield float(upper_rank), upper_rank + distance, chances

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
        mean, *moments = central_moments(
            [Fraction(falling(n - m, r) * falling(i + r - 1, r), falling(m + r, r)) for r in range(1, 5)]
        )
        return (mean + i, moments[0], moments[1], moments[2])

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
        moments = moments_of(*self.counts, engine)
        if engine == "exact":
            mean = self.expect(lambda rank: 1 / rank)
            square = self.expect(lambda rank: 1 / (rank * rank))
            return Reciprocal(mean, square, self.expect(lambda rank: (1 / rank - mean) ** 2))
        mean, var = map(float, moments)
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
    n, m = check_counts(items, relevant)
    i = require_integer(hit, "hit", 1)
    if m == 0:
        raise DataError(
            "is 0: there is no hit, so none has a rank", "give at least one relevant item", argument="relevant"
        )
    if i > m:
        raise DataError(f"is {i}, but there are {m} relevant items", f"it must be one of 1 to {m}", argument="hit")
    return HitRank(n, m, i)


HEAD = 1 << 20
"""Ranks whose terms are added one by one; sums over later ones are integrals with their end corrections."""


class ReciprocalRank(Distribution):
    """One over the rank of the first hit, 0 where that is behind the cutoff."""

    _method = "hypergeometric"
    _exact = True

    def __init__(self, n: int, m: int, cutoff: int) -> None:
        self._n, self._m, self._rank = n, m, HitRank(n, m, 1)
        self._last = min(n - m + 1, cutoff)

    @cached_property
    def _log_none(self) -> float:
        return self._rank._upper_tail(self._last + 1)[0]

    def _enumerate(self, limit: int) -> Finite | None:
        if self._last >= min(limit, HEAD):
            return None
        values = np.append(0.0, 1 / np.arange(self._last, 0, -1.0))
        chances = np.append(math.exp(self._log_none), self._first_masses()[::-1])
        possible = chances > 0
        return Finite(values[possible], np.log(chances[possible]), self._method)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return 1 / self._last if self._log_none == -math.inf else 0.0, 1.0

    @cached_property
    def _moments(self) -> KnownMoments:
        n, m = self._n, self._m
        if self._log_none == -math.inf:
            mean = m / (n - m + 1) * float(harmonic_between(m - 1, n))
        else:
            mean = self._sum(lambda values: values)
        none = math.exp(self._log_none)

        def central(power: int) -> float:
            return (0.0 - mean) ** power * none + self._sum(lambda values: (values - mean) ** power)

        return KnownMoments.central(mean, central(2), central(3), central(4))

    def _sum(self, f: Callable[[Floats], Floats]) -> float:
        """The sum of P(rank) f(1 / rank) over all ranks up to the last."""
        head = min(self._last, HEAD)
        total = float(np.sum(self._first_masses() * f(1 / np.arange(1, head + 1, dtype=np.float64))))
        return total + (self._integral(f, head + 1.0, float(self._last)) if head < self._last else 0.0)

    def _first_masses(self) -> Floats:
        """P(rank) for the first ranks."""
        ranks = np.arange(1, min(self._last, HEAD), dtype=np.float64)
        ratios = (self._n - ranks - self._m + 1) / (self._n - ranks)
        return self._m / self._n * np.insert(sinking_products(ratios), 0, 1.0)

    def _integral(self, f: Callable[[Floats], Floats], low: float, high: float) -> float:
        """Sum over later ranks (Euler and Maclaurin; further terms are below 1e-13 of it)."""

        def term(ranks: Floats) -> Floats:
            deviations = 1 - self._m * (ranks / self._n)
            masses = log_atoms(self._n, self._m, ranks, np.ones_like(ranks), deviations)
            return np.asarray(np.exp(masses) / ranks * f(1 / ranks))

        nodes, weights = np.polynomial.legendre.leggauss(24)
        edges = np.append(np.geomspace(low, high, 2 + int(2 * math.log2(high / low))), high)
        centres, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
        inner = term((centres[:, None] + halves[:, None] * nodes).ravel()).reshape(-1, len(nodes))
        return float((inner @ weights) @ halves + term(np.array([low, high])).sum() / 2)

    def _ranks(self, x: float) -> tuple[int, int]:
        """The last rank with a value of at least x > 0, and the first with one of at most x."""
        last, first = (
            (1 / (x * near) if x * near * self._n > 0.1 else math.inf)
            for near in (1 - RELATIVE_TOLERANCE, 1 + RELATIVE_TOLERANCE)
        )
        return int(min(math.floor(min(last, self._n + 1.0)), self._last)), math.ceil(min(first, self._n + 1.0))

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        if x < 0 or (x == 0 and atom == upper):
            return 0.0 if upper else -math.inf, 0.0, self._method
        last, first = self._ranks(x)
        last = min(last if atom == upper else first - 1, self._last)
        return self._rank._lower_tail(last) if upper else self._rank._upper_tail(last + 1)

    def _log_pmf(self, x: float) -> Answer:
        if x <= 0:
            return self._log_none if x == 0 else -math.inf, 0.0, self._method
        last, first = self._ranks(x)
        return self._rank._atom(first) if 1 <= first <= last else (-math.inf, 0.0, self._method)

    def _inverse(self, q: float, *, upper: bool) -> float:
        # The greatest rank r with P(no hit up to r - 1) >= q; a q that is a rounded probability gives its x back.
        def is_too_late(rank: int) -> bool:
            if upper:
                return self._rank._lower_tail(rank - 1)[0] > math.log(q) + RELATIVE_TOLERANCE
            return self._rank._upper_tail(rank)[0] < math.log(q) - RELATIVE_TOLERANCE

        rank = bisect_left(range(1, self._last + 1 + (self._log_none > -math.inf)), True, key=is_too_late)
        return 1 / rank if rank <= self._last else 0.0

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        shares, head = generator.random(size), min(self._last, HEAD)
        ranks = 1 + np.searchsorted(np.cumsum(self._first_masses()), shares, side="right")
        values = np.where(ranks <= head, 1 / ranks, 0.0)
        if head < self._last:
            # Behind the ranks listed, one by one.
            later = np.flatnonzero(ranks > head)
            values[later] = [self._quantile(1 - share, upper=False) for share in shares[later].tolist()]
        return np.maximum(values, self.support()[0])


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
    n, m = check_counts(items, relevant)
    last = n if cutoff is None else require_integer(cutoff, "cutoff", 1)
    return ReciprocalRank(n, m, last) if m else constant(0.0, "hypergeometric")
