"""Coverage of an interval method for the true number of hits, exact over all samples."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus.audit._check import Prior, checked_prior, count
from certus.core.arrays import Ints
from certus.core.errors import DataError, MetricNameError
from certus.inference.declare import FORMS
from certus.inference.finite import exact_limits, shares
from certus.inference.finite.betabinomial import Posterior, hpd, posterior
from certus.inference.interval import checked_level
from certus.statistic.sampled import Sampled


def coverage(
    interval: str,
    N: int,
    n: int,
    level: float = 0.95,
    *,
    prior: Prior = "uniform",
) -> NDArray[np.float64]:
    """The exact coverage of a method's interval, for each true number of hits from 0 to N.

    Parameters
    ----------
    interval
        An interval method of `recall_precision`.
    N
        Number of positives.
    n
        Number of them that are checked, ``0 <= n <= N``.
    level
        The level the intervals are made for.
    prior
        For ``"posterior"`` and ``"hpd"``, see `recall_precision`.

    Returns
    -------
    numpy.ndarray
        N + 1 probabilities: entry X is the chance that a sample of n out of N positives of which X are hits leads to
        an interval that holds X.

    Raises
    ------
    DataError
        A number is negative or not whole, or n exceeds N.
    MetricNameError
        The method or the prior does not exist.
    CertusError
        The level is not valid, or N is too large for the method.

    Notes
    -----
    The interval is that of `recall_precision`, for a share: limits outside of the counts that the sample leaves
    possible are moved to the nearest one. Real limits with no whole count between them hold none. One-sided limits go
    to the last possible count.

    The limits of all n + 1 outcomes are made once; the time is that for their total length, N times some standard
    deviations of k.

    Examples
    --------
    >>> chance = coverage("blaker", 50, 20)
    >>> len(chance), round(float(chance.min()), 4), round(float(chance.mean()), 4)
    (51, 0.9502, 0.9704)
    >>> round(float(coverage("wilson-fpc", 500, 100).min()), 4)
    0.8
    """
    N = count(N, "N", "the positives")
    low, high = intervals(interval, N, n, level, prior=prior)
    return exact_limits.coverage_of(low, high, N)


def intervals(
    method: str,
    N: int,
    n: int,
    level: float = 0.95,
    *,
    prior: Prior = "uniform",
) -> tuple[Ints, Ints]:
    """First and last whole count in a method's interval for each number of hits; the first is greater for none."""
    N, n = count(N, "N", "the positives"), count(n, "n", "the checked positives")
    if n > N:
        raise DataError(f"is {n} but N is {N}", "no positive is checked twice", argument="n")
    level, parameters = checked_level(level), checked_prior(prior)
    name = FORMS[Sampled].method(method)
    if n == 0:
        return np.array([0]), np.array([N])
    if name in _TABLES:
        return _TABLES[name](N, n, level)
    if name in _SHARES:
        return _count_limits(_SHARES[name], N, n, level)
    if name == "hypergeometric-lower":
        return exact_limits.equal_tailed(N, n, 2 * level - 1)[0], N - n + np.arange(n + 1)
    if name == "hypergeometric-upper":
        return np.arange(n + 1), exact_limits.equal_tailed(N, n, 2 * level - 1)[1]
    if name in _POSTERIORS:
        low, high = exact_limits.limits_of_each(lambda k: _POSTERIORS[name](Posterior(k, n, N, parameters), level), n)
        return low, high
    raise MetricNameError(
        f"the coverage of {method!r} cannot be computed", f"take one of {', '.join(FORMS[Sampled].methods)}"
    )


def _count_limits(
    method: Callable[[int, int, int, float], tuple[float, float]], population: int, n: int, level: float
) -> tuple[Ints, Ints]:
    """The whole counts between real limits that were moved to possible counts; a rounding error leaves none out."""
    k = np.arange(n + 1)[:, np.newaxis]
    limits = population * np.array([method(hits, n, population, level) for hits in range(n + 1)])
    limits = np.clip(limits, k, population - n + k)
    low = np.ceil(limits[:, 0] * (1 - ROUNDING)).astype(np.int64)
    high = np.floor(limits[:, 1] * (1 + ROUNDING)).astype(np.int64)
    return low, high


ROUNDING = 1e-12

_TABLES: dict[str, Callable[[int, int, float], tuple[Ints, Ints]]] = {
    "blaker": exact_limits.of_blaker,
    "hypergeometric": exact_limits.equal_tailed,
    "mid-p": exact_limits.mid_p,
    "amo": exact_limits.amo,
    "wang": exact_limits.wang,
}
_SHARES = {
    "wilson": shares.wilson,
    "wilson-fpc": shares.wilson_fpc,
    "beta": shares.beta,
    "clopper-pearson": shares.clopper_pearson,
}
_POSTERIORS = {"posterior": posterior, "hpd": hpd}
