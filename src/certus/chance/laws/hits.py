"""Hits above a cutoff, the metrics that count them, and hypergeometric probabilities that keep their digits."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from scipy import special

from certus.chance.declare import CUTOFF, ITEMS, RELEVANT, law
from certus.chance.distribution import Distribution
from certus.chance.exact import Finite, Lattice, along, central_moments
from certus.chance.probability import Answer, require_integer
from certus.core.arrays import Floats
from certus.core.errors import DataError, require_at_most

LARGEST = 1 << 53
"""Whole numbers are exact floats up to here."""

SMALL = 1000
"""Up to this many items every arrangement is counted in whole numbers, and only the logarithm is rounded."""


def bernoulli_numbers(last: int) -> list[Fraction]:
    """B_0, B_1, ... up to the last, by the recursion of Akiyama and Tanigawa."""
    row: list[Fraction] = []
    numbers = []
    for m in range(last + 1):
        row.append(Fraction(1, m + 1))
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
        numbers.append(row[0])
    return numbers


STIRLING = tuple(float(b / (j * (j - 1))) for j, b in enumerate(bernoulli_numbers(14)) if j and not j % 2)
"""Coefficients of 1/a, 1/a^3, ... in the series of log a! behind Stirling's formula."""


def check_counts(n: int, m: int) -> tuple[int, int]:
    """The checked numbers of items and of relevant ones."""
    n, m = require_integer(n, "items"), require_integer(m, "relevant")
    if n > LARGEST:
        raise DataError(f"is {n}", "at most 2**53 items can be counted exactly", argument="items")
    require_at_most("relevant", m, "items", n, "there cannot be more relevant items than items")
    return n, m


def numbers_of(n: int, m: int, t: int) -> tuple[int, int]:
    """Least and greatest possible number of marked items among t of n."""
    return max(0, t - (n - m)), min(m, t)


def falling(a: int, r: int) -> int:
    """A (a-1) ... (a-r+1)."""
    return math.prod(range(a - r + 1, a + 1)) if a >= r else 0


def log_atom(n: int, m: int, t: int, k: int) -> float:
    """Log probability that exactly k are marked.

    The four counts of the table "marked or not, taken or not" all differ from their expected values by the same
    amount, which whole numbers give exactly; what is added up is never negative, so nothing cancels (the idea of
    Loader, 2000, Fast and accurate computation of binomial probabilities).
    """
    if n <= SMALL:
        return _log_counted(n, m, t, k, k)
    deviation = (k * n - m * t) / n
    return float(log_atoms(n, m, np.array([float(t)]), np.array([float(k)]), np.array([deviation]))[0])


def atoms_of(n: int, m: int, t: Sequence[int], k: Sequence[int]) -> Floats:
    """`log_atom` for several pairs of t and k."""
    if n <= SMALL:
        return np.array([_log_counted(n, m, n_marked, hits, hits) for n_marked, hits in zip(t, k, strict=True)])
    deviation = np.array([(hits * n - m * n_marked) / n for n_marked, hits in zip(t, k, strict=True)])
    return log_atoms(n, m, np.array(t, dtype=np.float64), np.array(k, dtype=np.float64), deviation)


def _log_counted(n: int, m: int, t: int, first: int, last: int) -> float:
    """Log probability that from `first` to `last` are marked, by counting."""
    low, high = numbers_of(n, m, t)
    first, last = max(first, low), min(last, high)
    if first > last:
        return -math.inf
    count = total = math.comb(m, first) * math.comb(n - m, t - first)
    for k in range(first, last):
        count = count * (m - k) * (t - k) // ((k + 1) * (n - m - t + k + 1))
        total += count
    return math.log(total / math.comb(n, t))


def log_atoms(n: int, m: int, t: Floats, k: Floats, deviation: Floats) -> Floats:
    """Log probabilities for arrays of t and k (not necessarily whole), given ``k - m t / n``."""
    cells = (k, m - k, t - k, n - m - t + k)
    deviance = np.zeros_like(k)
    for cell, row, column, sign in zip(
        cells, (m, m, n - m, n - m), (t, n - t, t, n - t), (1.0, -1.0, -1.0, 1.0), strict=True
    ):
        expected = row * (column / max(n, 1))
        deviance += np.where(expected > 0, expected * _excess(sign * deviation, expected, cell), 0.0)
    items, columns, cell_remainders = (
        sum(log_remainder(np.asarray(part, dtype=np.float64)) for part in parts) for parts in ((n,), (m, n - m), cells)
    )
    return np.asarray(columns + log_remainder(t) + log_remainder(n - t) - items - cell_remainders - deviance)


def _excess(deviation: Floats, expected: Floats, cell: Floats) -> Floats:
    """(1 + u) log(1 + u) - u for u = apart / expected."""
    u = deviation / np.where(expected > 0, expected, 1.0)
    v = u / (2 + np.maximum(u, -1.0))
    series = np.zeros_like(u)
    for power in range(27, 1, -2):
        series = series * v**2 + 1 / power
    near = 2 * v**2 * (1 + (1 + v) * v * series) / (1 - v)
    far = special.xlogy(1 + u, np.where(cell > 0, 1 + u, 1.0)) - u
    return np.asarray(np.where(np.abs(u) < 0.3, near, far))


def log_remainder(a: Floats) -> Floats:
    """Log of a! over (a/e)^a: what Stirling's formula leaves."""
    large = np.maximum(a, 16.0)
    series = np.zeros_like(a)
    for coefficient in reversed(STIRLING):
        series = series / large**2 + coefficient
    small = np.minimum(a, 16.0)
    return np.where(
        a < 16,
        special.gammaln(small + 1) - special.xlogy(small, small) + small,
        0.5 * np.log(2 * math.pi * large) + series / large,
    )


def log_from(n: int, m: int, t: int, k: int) -> float:
    """Log probability that k or more are marked."""
    low, high = numbers_of(n, m, t)
    if k <= low:
        return 0.0
    if k > high:
        return -math.inf
    if n <= SMALL:
        return _log_counted(n, m, t, k, high)
    if k * (n + 2) < (m + 1) * (t + 1):
        # Below the mode the other side is the smaller one.
        return math.log1p(-math.exp(log_upto(n, m, t, k - 1)))
    total = term = 1.0
    size, start = 64, k
    while start < high:
        counts = np.arange(start, min(start + size, high), dtype=np.float64)
        ratios = (m - counts) / (counts + 1) * ((t - counts) / (n - m - t + counts + 1))
        terms = term * np.cumprod(ratios)
        total += float(terms.sum())
        term, ratio = float(terms[-1]), float(ratios[-1])
        if term * ratio < 1e-17 * total * (1 - ratio):
            break
        start, size = start + len(counts), min(4 * size, 1 << 20)
    return min(log_atom(n, m, t, k) + math.log(total), 0.0)


def log_upto(n: int, m: int, t: int, k: int) -> float:
    """Log probability that k or fewer are marked."""
    return log_from(n, n - m, t, t - k)


class Hypergeometric(Lattice):
    """Number of m relevant items among t of n items, over a unit."""

    _method = "hypergeometric"
    _exact = True

    def __init__(self, n: int, m: int, t: int, unit: int) -> None:
        self._counts = (n, m, t)
        super().__init__(*numbers_of(n, m, t), unit)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        n, m, t = self._counts
        return central_moments([Fraction(falling(m, r) * falling(t, r), falling(n, r) or 1) for r in range(1, 5)])

    def _upper(self, index: int) -> Answer:
        return log_from(*self._counts, index), 0.0, self._method

    def _lower(self, index: int) -> Answer:
        return log_upto(*self._counts, index), 0.0, self._method

    def _atom(self, index: int) -> Answer:
        return log_atom(*self._counts, index), 0.0, self._method

    def _log_masses(self, indices: range) -> Floats:
        n, m, t = self._counts
        return atoms_of(n, m, [t] * len(indices), indices)

    def _masses(self, lowest: int, highest: int) -> Floats:
        n, m, t = self._counts
        mode = min(max((m + 1) * (t + 1) // (n + 2), lowest), highest)
        indices = np.arange(lowest, highest, dtype=np.float64)
        ratios = (m - indices) / (indices + 1) * ((t - indices) / (n - m - t + indices + 1))
        return along(ratios, mode - lowest)


@law("hits", "hits", ITEMS, RELEVANT, CUTOFF)
def hits(items: int, relevant: int, cutoff: int) -> Distribution:
    """Number of the m relevant items among the first t of n items in random order.

    The hypergeometric law::

        P(X = k) = C(m, k) C(n-m, t-k) / C(n, t)
        mean m t / n        variance m t (n-m) (n-t) / (n^2 (n-1))

    Parameters
    ----------
    items
        Items, n in the formulas.
    relevant
        Relevant items, m.
    cutoff
        Items looked at, t; all n where it is greater.

    Returns
    -------
    Distribution
        Of the number of hits. Exact, also for billions of items: probabilities are summed over the smaller side from
        one accurate value outwards, never over all.

    Raises
    ------
    DataError
        A number is not whole or negative, or there are more relevant items than items.

    Examples
    --------
    The top 2 of 5 items, 3 of them relevant.

    >>> law = hits(5, 3, 2)
    >>> [round(float(p), 6) for p in law.pmf([0, 1, 2])]
    [0.1, 0.6, 0.3]
    >>> law.mean()
    1.2
    """
    n, m = check_counts(items, relevant)
    return Hypergeometric(n, m, min(require_integer(cutoff, "cutoff"), n), 1)


@law("recall", "R", ITEMS, RELEVANT, CUTOFF)
def recall(items: int, relevant: int, cutoff: int) -> Distribution:
    """Recall after t of n items in random order: the hits over the m relevant items.

    ::

        mean t / n        variance t (n-m) (n-t) / (m n^2 (n-1))

    Without relevant items recall counts 0, as the metric does.

    Parameters
    ----------
    items, relevant, cutoff
        Items n, relevant items m, items looked at t, as in `hits`.

    Returns
    -------
    Distribution
        Of recall, exact.

    Raises
    ------
    DataError
        A number is not whole or negative, or there are more relevant items than items.

    Examples
    --------
    >>> recall(1000, 10, 100).mean()
    0.1
    >>> round(recall(1000, 10, 100).tail(0.4), 6)
    0.012327
    """
    n, m = check_counts(items, relevant)
    return Hypergeometric(n, m, min(require_integer(cutoff, "cutoff"), n), max(m, 1))


@law("precision", "P", ITEMS, RELEVANT, CUTOFF)
def precision(items: int, relevant: int, cutoff: int) -> Distribution:
    """Precision after t of n items in random order: the hits over t, also where there are fewer than t items.

    ::

        mean m / n        variance m (n-m) (n-t) / (t n^2 (n-1))        (t <= n)

    Where nothing is looked at precision counts 0, as the metric does.

    Parameters
    ----------
    items, relevant, cutoff
        Items n, relevant items m, items looked at t, as in `hits`.

    Returns
    -------
    Distribution
        Of precision, exact.

    Raises
    ------
    DataError
        A number is not whole or negative, or there are more relevant items than items.

    Examples
    --------
    >>> law = precision(1000, 100, 10)
    >>> law.mean(), round(law.tail(0.3), 6)
    (0.1, 0.069237)
    """
    n, m = check_counts(items, relevant)
    t = require_integer(cutoff, "cutoff")
    return Hypergeometric(n, m, min(t, n), max(t, 1))


@law("rprec", "Rprec", ITEMS, RELEVANT)
def r_precision(items: int, relevant: int) -> Distribution:
    """Precision after m of n items in random order, where m is the number of relevant items.

    There precision and recall are one; the mean is m / n. Without relevant items it counts 0.

    Parameters
    ----------
    items, relevant
        Items n and relevant items m.

    Returns
    -------
    Distribution
        Of R-precision, exact.

    Raises
    ------
    DataError
        A number is not whole or negative, or there are more relevant items than items.

    Examples
    --------
    >>> r_precision(1000, 100).mean()
    0.1
    """
    n, m = check_counts(items, relevant)
    return Hypergeometric(n, m, m, max(m, 1))


@law("success", "Success", ITEMS, RELEVANT, CUTOFF)
def success(items: int, relevant: int, cutoff: int) -> Distribution:
    """Success after t of n items in random order: 1 if a relevant item is among them, otherwise 0.

    ::

        P(X = 1) = 1 - C(n-t, m) / C(n, m)

    Parameters
    ----------
    items, relevant, cutoff
        Items n, relevant items m, items looked at t, as in `hits`.

    Returns
    -------
    Distribution
        On 0 and 1, exact.

    Raises
    ------
    DataError
        A number is not whole or negative, or there are more relevant items than items.

    Examples
    --------
    >>> round(success(10, 2, 3).mean(), 6)  # 1 - 7/10 * 6/9
    0.533333
    """
    n, m = check_counts(items, relevant)
    t = min(require_integer(cutoff, "cutoff"), n)
    logs = np.array([log_upto(n, m, t, 0), log_from(n, m, t, 1)])
    possible = logs > -math.inf
    return Finite(np.array([0.0, 1.0])[possible], logs[possible], "hypergeometric")
