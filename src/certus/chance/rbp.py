"""Rank-biased precision of a random ranking."""

import numpy as np

from certus.chance._additive.additive import Additive
from certus.chance._additive.pieces import Hits
from certus.chance._distribution import Distribution, whole
from certus.errors import DataError

__all__ = ["rbp"]


def rbp(n: int, m: int, p: float, cutoff: int | None = None, *, method: str | None = None) -> Distribution:
    """Rank-biased precision when n items, m of them relevant, are ranked at random.

    ::

        RBP = (1 - p) * sum over relevant ranks t <= cutoff of p^(t - 1)

    Ranks whose weight is less than 1e-20 of the first add nothing.

    Source: Moffat & Zobel (2008), ACM Trans. Inf. Syst. 27(1):2, doi:10.1145/1416950.1416952.

    Parameters
    ----------
    n, m
        Number of items, and of relevant ones.
    p
        Persistence: the chance to go on to the next rank, from 0 to below 1.
    cutoff
        Look at the first `cutoff` ranks only.
    method
        How tail probabilities are found: ``"closed"``, ``"enumeration"``, ``"fourier"`` or ``"saddlepoint"``; the first
        that can if None.

    Raises
    ------
    DataError
        If a number is not whole or out of range, or p lies outside [0, 1).

    Examples
    --------
    Two items, one relevant: RBP is 0.5 or 0.25 at p = 1/2.

    >>> law = rbp(2, 1, 0.5)
    >>> law.mean(), law.pmf(0.25)
    (0.375, 0.5)
    """
    n, m = whole(n, "n", 1), whole(m, "m")
    if m > n:
        raise DataError(f"m is {m}, but there are only {n} items; at most all of them can be relevant")
    if not 0 <= p < 1:
        raise DataError(f"p is {p}; it must lie in [0, 1)")
    depth = n if cutoff is None else min(n, whole(cutoff, "cutoff", 1))
    seen = 1 if p == 0 else int(min(depth, 1 + np.ceil(np.log(1e-20) / np.log(p))))
    weights = np.asarray((1 - p) * p ** np.arange(seen), dtype=np.float64)
    return Additive([(1.0, 1, Hits(n, m, "rank", weights))], None, method)
