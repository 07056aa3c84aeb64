"""Rank-biased precision of a random ranking."""

import math
from functools import partial
from numbers import Real
from typing import Any

import numpy as np

from certus.chance.declare import ITEMS, PERSISTENCE, RELEVANT, law
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.fourier import Additive
from certus.chance.laws.graded import EnumeratedStatistic, Ranks
from certus.chance.laws.sums_of_hits import Hits
from certus.chance.probability import require_integer
from certus.core.errors import DataError

_RANKS = 25_000_000
"""Most ranks whose weights are listed."""


def _moments(n: int, m: int, p: float, n_weighted: int) -> KnownMoments:
    """The moments of a sum of weights over random ranks, in closed form.

    With p near 1 all weights are nearly alike: what they differ by is computed by itself, lest rounding take it.
    """
    # Beyond the ranks seen weights are 0; only where all are seen may the first weight be taken off every one.
    differences = np.expm1(np.arange(n_weighted) * math.log1p(p - 1)) if p else np.zeros(n_weighted)
    mean = (1 - p) * (m / n) * (n_weighted + math.fsum(differences.tolist()))
    if not 0 < m < n:
        return KnownMoments(mean, 0.0, math.nan, math.nan)
    ranks = Ranks(differences if n_weighted == n else 1 + differences, np.ones(n_weighted), n_weighted)
    return EnumeratedStatistic({1.0: m, 0.0: n - m}, ranks, 1 - p)._moments._replace(mean=mean)


@law("rbp", "RBP", ITEMS, RELEVANT, PERSISTENCE)
def rbp(items: int, relevant: int, p: float, cutoff: int | None = None, *, engine: str | None = None) -> Distribution:
    """Rank-biased precision when n items, m of them relevant, are ranked at random.

    ::

        RBP = (1 - p) * sum over relevant ranks t <= cutoff of p^(t - 1)

    Ranks whose weight is less than 1e-20 of the first add nothing.

    Source: Moffat & Zobel (2008), ACM Trans. Inf. Syst. 27(1):2, doi:10.1145/1416950.1416952.

    Parameters
    ----------
    items, relevant
        Number of items, and of relevant ones.
    p
        Persistence: the chance to go on to the next rank, from 0 to below 1.
    cutoff
        Look at the first `cutoff` ranks only.
    engine
        How tail probabilities are found: ``"closed"``, ``"enumeration"`` or ``"fourier"``; by default the first that
        can, and random rankings where none can.

    Raises
    ------
    DataError
        If a number is not whole or out of range, p lies outside [0, 1), or more than 25 million ranks carry weight.

    Examples
    --------
    Two items, one relevant: RBP is 0.5 or 0.25 at p = 1/2.

    >>> law = rbp(2, 1, 0.5)
    >>> law.mean(), law.pmf(0.25)
    (0.375, 0.5)
    """
    n, m = require_integer(items, "items", 1), require_integer(relevant, "relevant")
    if m > n:
        raise DataError(
            f"is {m}, but there are only {n} items", "at most all of them can be relevant", argument="relevant"
        )
    value: Any = p
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not 0 <= p < 1:
        raise DataError(f"is {p!r}", "it must be a number in [0, 1)", argument="p")
    p = float(p)
    if p == 1:
        raise DataError("is nearer to 1 than a float can be", "it must be a number in [0, 1)", argument="p")
    depth = n if cutoff is None else min(n, require_integer(cutoff, "cutoff", 1))
    n_weighted = 1 if p == 0 else int(min(depth, 1 + math.ceil(math.log(1e-20) / math.log(p))))
    if n_weighted > _RANKS:
        raise DataError(
            f"of {n} items {n_weighted} ranks carry weight, the most is {_RANKS}",
            "give a cutoff, or a p further from 1",
        )
    weights = np.asarray((1 - p) * p ** np.arange(n_weighted), dtype=np.float64)
    return Additive([(1.0, 1, Hits(n, m, "rank", weights))], partial(_moments, n, m, p, n_weighted), engine)
