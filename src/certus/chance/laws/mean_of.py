"""The mean of independent metrics: MAP and any mean over topics."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite, Lattice, Scaled, constant
from certus.chance.fourier import Additive
from certus.chance.laws.average_precision import DEEPEST
from certus.chance.laws.graded import FewGains
from certus.chance.laws.hit_rank import ReciprocalRank
from certus.chance.laws.sums_of_hits import Fixed, Hits, Piece, Term
from certus.core.errors import DataError

_MAX_VALUES = 200_000
"""Values that a law may have to be listed."""


def mean_of(
    distributions: Iterable[Distribution], weights: ArrayLike | None = None, *, engine: str | None = None
) -> Distribution:
    """The distribution of the mean of independent values, one from each distribution: MAP under random rankings.

    The distributions may be of different kinds and sizes. The moment-generating function of a sum is the product of
    theirs, so the mean is answered as exactly as its parts.

    Parameters
    ----------
    distributions
        One for each topic. Those that are alike are computed once.
    weights
        What each counts in the mean; alike if None.
    engine
        How tail probabilities are found: ``"closed"``, ``"enumeration"`` or ``"fourier"``; by default the first that
        can, and random rankings where none can.

    Raises
    ------
    DataError
        If there is no distribution, one has no generating function here, or the weights do not fit.

    Examples
    --------
    >>> from certus.chance import average_precision
    >>> topics = mean_of([average_precision(2, 1), average_precision(2, 1)])
    >>> topics.mean(), topics.pmf(0.75)
    (0.75, 0.5)
    """
    if not isinstance(distributions, Iterable):
        raise DataError(f"is {distributions!r}", "it must be a list of distributions", argument="distributions")
    distributions = list(distributions)
    for distribution in distributions:
        if not isinstance(distribution, Distribution):
            raise DataError(
                f"has {distribution!r}", "each must be a distribution of certus.chance", argument="distributions"
            )
    if not distributions:
        raise DataError("is empty", "a mean needs at least one", argument="distributions")
    shares = _shares(len(distributions), weights)
    counts: Counter[tuple[float, Hashable]] = Counter()
    pieces: dict[Hashable, Piece] = {}
    for share, distribution in zip(shares, distributions, strict=True):
        for scale, count, piece in _terms(distribution):
            key = piece.key
            pieces.setdefault(key, piece)
            counts[share * scale, key] += count
    terms = [(scale, count, pieces[key]) for (scale, key), count in counts.items()]
    return Additive(terms, partial(_moments, shares, distributions), engine)


def _moments(shares: list[float], laws: Sequence[Distribution]) -> KnownMoments:
    """Moments of a sum from those of its terms: cumulants add."""
    terms = list(zip(shares, laws, strict=True))
    mean, var = (
        float(np.sum(column)) for column in ([s * x.mean() for s, x in terms], [s**2 * x.var() for s, x in terms])
    )
    varying = [(share, law) for share, law in terms if law.var()]
    if not varying:
        return KnownMoments(mean, var, math.nan, math.nan)
    third = np.sum([share**3 * law.skewness() * law.var() ** 1.5 for share, law in varying])
    fourth = np.sum([share**4 * law.kurtosis() * law.var() ** 2 for share, law in varying])
    return KnownMoments(mean, var, float(third / var**1.5), float(fourth / var**2))


def _terms(distribution: Distribution) -> Sequence[Term]:
    if isinstance(distribution, Additive | FewGains) and distribution.terms:
        return distribution.terms
    if isinstance(distribution, Scaled):
        inner = [(distribution.factor * scale, count, piece) for scale, count, piece in _terms(distribution.law)]
        return [*inner, (1.0, 1, Fixed(constant(distribution.shift)))]
    if isinstance(distribution, Finite):
        return [(1.0, 1, Fixed(distribution))]
    if isinstance(distribution, ReciprocalRank):
        n, m, last = distribution._n, distribution._m, distribution._last
        if last <= DEEPEST:
            return [(1.0, 1, Hits(n, m, "first", 1 / np.arange(1, last + 1)))]
    if isinstance(distribution, Lattice) and (listed_law := distribution._enumerate(_MAX_VALUES + 1)) is not None:
        return [(1.0, 1, Fixed(listed_law))]
    raise DataError(
        f"has a {type(distribution).__name__} by method {distribution.method!r}, which cannot be averaged: it has no "
        "generating function here",
        f"those that have are average_precision, reciprocal_rank, rbp, means of them, and laws of at most "
        f"{_MAX_VALUES:,} listed values, such as auc with pos * neg up to that",
        argument="distributions",
    )


def _shares(count: int, weights: ArrayLike | None) -> list[float]:
    if weights is None:
        return [1 / count] * count
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"is {weights!r}", "it must be a list of numbers, one for each distribution", argument="weights"
        ) from error
    if values.shape != (count,):
        raise DataError(
            f"has shape {values.shape}, but there are {count} distributions",
            "give one weight for each",
            argument="weights",
        )
    if not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise DataError("must be finite and not negative, and one of them positive", argument="weights")
    # The greatest is taken for 1, so that the sum of huge or tiny weights is a float.
    values = values / values.max()
    shares: list[float] = (values / values.sum()).tolist()
    return shares
