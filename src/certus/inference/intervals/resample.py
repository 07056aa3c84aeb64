"""Limits from bootstrap replicates: percentile and BCa, and the quantile that both use."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import CertusError
from certus.inference.declare import IntervalFunction
from certus.inference.interval import Limits, Request
from certus.inference.special import normal_cdf, normal_quantile, t_quantile
from certus.statistic import CalibrationError, Plugin
from certus.statistic.common import plural

BLOCK = 1 << 22
"""Counts of resampled units held at a time: 16 MB."""
ROUNDING = 1e-9
"""Replicates nearer to the value than this part of their standard deviation differ from it by rounding only."""


GROUPS = 1000
"""The jackknife leaves out single units of up to twice this many, and of more units this many groups of them."""
NO_JACKKNIFE = "the metric is undefined when one of the units is left out"
PERCENTILE_SOURCE = "Efron (1981), Can. J. Stat. 9(2):139-158"
BCA_SOURCE = "Efron (1987), JASA 82(397):171-185, doi:10.1080/01621459.1987.10478410"


def quantile(replicates: Floats, p: float) -> float:
    """The `p` quantile of bootstrap replicates: the ``(B + 1) p``-th smallest of `B`."""
    # Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 12.5; Davison & Hinkley (1997), Bootstrap
    # Methods and their Application, section 2.4; Hyndman & Fan (1996), Am. Stat. 50(4):361-365.
    position = min(max((len(replicates) + 1) * p, 1.0), float(len(replicates)))
    # An index an ulp away from a whole number is that number: (B + 1) p is decimal arithmetic in the reader's head.
    position = round(position) if math.isclose(position, round(position), rel_tol=1e-12) else position
    rank_below = math.floor(position)
    rank_above = math.ceil(position)
    ordered = np.partition(replicates, [rank_below - 1, rank_above - 1])
    low, high = float(ordered[rank_below - 1]), float(ordered[rank_above - 1])
    is_single = low == high or rank_below == rank_above or math.isinf(low)
    return low if is_single else low + (position - rank_below) * (high - low)


def check_replicates(request: Request) -> None:
    """Refuse too few replicates for quantiles at the level's tails."""
    needed = least_replicates(request)
    if request.replicates < needed:
        raise CertusError(
            f"is {request.replicates}",
            f"level {request.level} needs at least {needed} bootstrap replicates",
            argument="replicates",
        )


def least_replicates(request: Request) -> int:
    """Least number of replicates that have quantiles at the level's tails."""
    return math.ceil(round(1 / request.tail, 6)) - 1


def resampled_units(n: int, request: Request) -> Iterator[tuple[slice, NDArray[np.uint32]]]:
    """Blocks of replicates; for each one how many times it draws each of n units."""
    step = max(1, BLOCK // n)
    for first in range(0, request.replicates, step):
        replicates = min(step, request.replicates - first)
        counts = kernels.resample_counts(n, first=first, replicates=replicates, seed=request.seed)
        yield slice(first, first + replicates), counts


def studentized(deviations: Floats, request: Request) -> Floats:
    """Student's t of each resample of deviations from their mean; infinite for resamples without spread."""
    n = len(deviations)
    rows = np.column_stack([deviations, deviations**2])
    sums = kernels.resample_sums(rows, replicates=request.replicates, seed=request.seed)
    means, squares = sums[:, 0] / n, sums[:, 1]
    variances = (squares - n * means**2) / (n - 1)
    # What a resample of equal values leaves by rounding is not a variance.
    errors = np.sqrt(np.where(variances > 1e-12 * squares, variances, 0.0) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(means == 0, 0.0, means / errors)


def percentile(replicates: Floats, request: Request) -> Limits:
    """The percentile interval: quantiles of the replicates."""
    return _quantile_limits(replicates, request.tail, 1 - request.tail)


def bca(replicates: Floats, value: float, acceleration: float, request: Request) -> Limits:
    """The bias-corrected and accelerated interval: quantiles at probabilities corrected for bias and skewness.

    With ``z0`` the normal quantile of the share of replicates below the value (those equal to it count half) and ``a``
    the acceleration, the limit for probability p is the replicates' quantile at
    ``Phi(z0 + (z0 + z_p) / (1 - a (z0 + z_p)))``.
    """
    defined = replicates[~np.isnan(replicates)]
    finite = defined[np.isfinite(defined)]  # a ratio of resampled data may be infinite
    rounding = ROUNDING * float(finite.std()) if len(finite) else 0.0
    n_below = np.count_nonzero(defined < value - rounding)
    n_at_most = np.count_nonzero(defined <= value + rounding)
    share = (n_below + n_at_most) / (2 * max(len(defined), 1))
    if not 0 < share < 1:
        return Limits.undefined("every bootstrap replicate lies on one side of the value: BCa cannot correct the bias")
    bias = normal_quantile(share)
    corrected = []
    for p in (request.tail, 1 - request.tail):
        shifted = bias + normal_quantile(p)
        if acceleration * shifted >= 1:
            return Limits.undefined("the values are too skewed for the BCa correction")
        corrected.append(normal_cdf(bias + shifted / (1 - acceleration * shifted)))
    return _quantile_limits(replicates, *corrected)


def acceleration(influence: Floats, times: Floats | None = None) -> float:
    """BCa's acceleration ``sum(d^3) / (6 sum(d^2)^1.5)`` from influence values or jackknife differences ``d``."""
    # Efron (1987), section 7; Efron & Tibshirani (1993), equation 14.15.
    largest = float(np.abs(influence).max())
    if largest == 0:
        return 0.0
    scaled = influence / largest
    times = np.ones_like(influence) if times is None else times
    return float((times * scaled * scaled * scaled).sum() / (6 * (times * scaled * scaled).sum() ** 1.5))


def bca_by_jackknife(replicates: Callable[[], Floats], value: float, without: Floats, request: Request) -> Limits:
    """BCa interval with the acceleration from the jackknife values `without` each unit."""
    if np.isnan(without).any():
        return Limits.undefined(NO_JACKKNIFE)
    return bca(replicates(), value, acceleration(without.mean() - without), request)


def groups_left_out(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Group of each unit, for a jackknife that leaves out one group at a time: single units, or random groups."""
    n = len(ranks)
    return ranks if n <= 2 * GROUPS else np.random.default_rng(0).permutation(n)[ranks] % GROUPS


def jackknife_error(without: Floats, times: Floats | None = None) -> float:
    """``sqrt((n - 1) / n sum((v_i - mean(v))^2))``; v_i is the value without unit i, repeated `times` times."""
    times = np.ones(len(without)) if times is None else times
    n = float(times.sum())
    mean = float((times * without).sum()) / n
    with np.errstate(invalid="ignore"):  # a function that is infinite without some unit has no spread
        return math.sqrt((n - 1) / n * float((times * (without - mean) ** 2).sum()))


def jackknife(value: float, without: Floats, times: Floats, request: Request, rounding: float = 0.0) -> Limits:
    """``value +- t(n - 1) SE`` with the jackknife's standard error."""
    if np.isnan(without).any():
        return Limits.undefined(NO_JACKKNIFE)
    error = jackknife_error(without, times)
    if error <= rounding * abs(value):
        return Limits.undefined("no unit changes the value, so its error cannot be estimated")
    return Limits.around(value, -t_quantile(request.tail, float(times.sum()) - 1) * error)


def _quantile_limits(replicates: Floats, low: float, high: float) -> Limits:
    """Quantiles of the defined replicates at two probabilities."""
    defined = replicates[~np.isnan(replicates)]
    if 2 * len(defined) <= len(replicates):
        return Limits.undefined("the metric is undefined for half or more of the bootstrap replicates")
    if defined.min() == defined.max():
        return Limits.undefined("all bootstrap replicates are equal, so the error of the value cannot be estimated")
    reason = []
    if len(defined) < len(replicates):
        reason.append(f"{len(replicates) - len(defined)} of {len(replicates)} bootstrap replicates have no value")
    ranks = ((len(defined) + 1) * p for p in (low, high))
    if any(rank < 1 - 1e-9 or rank > len(defined) + 1e-9 for rank in ranks):
        reason.append("a limit is the most extreme bootstrap replicate: more replicates would put it further out")
    return Limits(quantile(defined, low), quantile(defined, high), "; ".join(reason))


def of_several(method: IntervalFunction, statistic: CalibrationError | Plugin, request: Request) -> Limits:
    """Apply a method; for a single unit the limits are undefined."""
    if statistic.n == 1:
        return Limits.undefined(f"{plural(1, statistic.unit)} alone has no variance")
    return method(statistic, request).clip(request.bounds)
