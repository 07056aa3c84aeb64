"""Hits above a cutoff, and the metrics that count them."""

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

from certus.arrays import Floats
from certus.chance.declare import CUTOFF, ITEMS, RELEVANT, law
from certus.chance.distribution import Distribution
from certus.chance.exact import Finite
from certus.chance.lattice import Lattice, along, central_moments
from certus.chance.laws.hypergeometric import atoms_of, drawn, falling, log_atom, log_from, log_upto, numbers_of
from certus.chance.probability import Answer, whole


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
        below = np.arange(lowest, highest, dtype=np.float64)
        ratios = (m - below) / (below + 1) * ((t - below) / (n - m - t + below + 1))
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
    n, m = drawn(items, relevant)
    return Hypergeometric(n, m, min(whole(cutoff, "cutoff"), n), 1)


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
    n, m = drawn(items, relevant)
    return Hypergeometric(n, m, min(whole(cutoff, "cutoff"), n), max(m, 1))


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
    n, m = drawn(items, relevant)
    t = whole(cutoff, "cutoff")
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
    n, m = drawn(items, relevant)
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
    n, m = drawn(items, relevant)
    t = min(whole(cutoff, "cutoff"), n)
    logs = np.array([log_upto(n, m, t, 0), log_from(n, m, t, 1)])
    possible = logs > -math.inf
    return Finite(np.array([0.0, 1.0])[possible], logs[possible], "hypergeometric")
