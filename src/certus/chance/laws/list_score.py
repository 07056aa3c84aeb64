"""The score of a hit list by its length and where its gaps are."""

import math
from numbers import Real
from typing import Any

import numpy as np

from certus.chance.declare import ITEMS, RELEVANT, SCALE, law
from certus.chance.distribution import Distribution
from certus.chance.exact import Finite, merged
from certus.chance.laws.hits import log_atoms
from certus.chance.laws.mann_whitney import Mixture, masses
from certus.chance.probability import require_integer
from certus.core.errors import DataError, require_at_most

ENUMERATED = 30_000_000
"""Up to this many products, all values are listed."""

RANKS = 10_000_000
"""Most ranks the last hit can have."""


@law("list-score", "s", ITEMS, RELEVANT, SCALE)
def list_score(items: int, relevant: int, m: float = 10) -> Distribution:
    """The score of a hit list of k hits among n items in random order.

    A hit list ends with its last hit, at rank p. With the sum of the ranks above it that are not hits::

        s = k / p + 2 sum / (m p (p-1))        and 1 for p = 1

    Given p the score is expected to be ``k/p + (p-k) / (m (p-1))``, and the rank sum has the Mann-Whitney law of k - 1
    hits and p - k others; ``P(p) = C(p-1, k-1) / C(n, k)``.

    Parameters
    ----------
    items
        Items, n in the formulas.
    relevant
        Relevant items, 1 to n: the k hits.
    m
        How little the gaps count against the length; greater than 2, so that only a list without gaps scores 1.

    Returns
    -------
    Distribution
        Of the score. Small laws are enumerated; larger ones are mixtures over p, whose parts are inverted by Fourier
        sums.

    Raises
    ------
    DataError
        A number is out of its range, or the last hit can be at more than ten million ranks.

    Examples
    --------
    One hit among three items: 1, 1/2 + 1/10 and 1/3 + 1/10.

    >>> law = list_score(3, 1)
    >>> [round(float(p), 6) for p in law.pmf([1, 0.6, 1 / 3 + 0.1])]
    [0.333333, 0.333333, 0.333333]
    >>> round(list_score(100, 5).tail(0.3), 6)
    0.000393

    References
    ----------
    Náufel (2024), Comparando listas e rankings, section 2.2
    """
    n, k = require_integer(items, "items", 1), require_integer(relevant, "relevant", 1)
    require_at_most("relevant", k, "items", n, "there cannot be more relevant items than items")
    value: Any = m
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not 2 < m < math.inf:
        raise DataError(f"is {m!r}", "it must be a finite number above 2", argument="m")
    m = float(m)
    if n - k >= RANKS:
        raise DataError(f"the last hit can be at {n - k + 1} ranks", f"at most {RANKS} can be looked at")
    p = np.arange(k, n + 1, dtype=np.float64)
    n_misses = p - k
    logs = np.log(k / p) + log_atoms(n, k, p, np.full_like(p, k), k - k * (p / n))
    scale = 2 / (m * p * np.maximum(p - 1, 1))
    # Where all other items stand on top their rank sum is least; each hit that moves above one of them adds 1.
    base = k / p + scale * n_misses * (n_misses + 1) / 2
    if ((k - 1) * (n - k)) ** 2 // 2 <= ENUMERATED and (n - k) <= ENUMERATED // 10:
        laws = masses(n - k, k - 1)
        values = [b + s * np.arange(len(law)) for b, s, law in zip(base, scale, laws, strict=True)]
        shares = [law * weight for law, weight in zip(laws, np.exp(logs), strict=True)]
        scores, chances = merged(np.concatenate(values), np.concatenate(shares))
        return Finite(scores, np.log(chances), "enumeration")
    sizes = np.stack([np.full(len(p), k - 1), n_misses.astype(np.int64)], axis=1)
    return Mixture(logs, sizes, base, scale)
