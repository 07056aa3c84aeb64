"""Limits for a mean of values between two known bounds."""

import math
from typing import NamedTuple

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.inference.declare import FORMS
from certus.inference.interval import Limits, Request, Side
from certus.inference.special import beta_upper_quantile, normal_quantile, t_quantile
from certus.statistic import Mean, Proportion
from certus.statistic.common import Bounds, mean_of

BETWEEN_BOUNDS = 0.1
"""A mean between two known bounds of which the skewness is less than this has limits by Student's t."""
UNSEEN = 0.3
"""The same skewness, with half a unit more at either bound. Of values with losses of all on .5 to 10 % of the units,
otherwise beta with standard deviations of .02 to .2, in samples of 10 to 500, the rule covered .97 on average and less
than .9 in 1 % of the settings; without this condition .93, and less than .9 in 15 %."""
PSEUDO = 0.5
"""Part of one more unit, at the bound that a limit lies towards, that is counted with the others."""
FEW_INSIDE = 3
"""Where no more units than this differ from a bound, one of those that were not seen may lie far from it."""
BETA_SOURCE = (
    "Korn & Graubard (1998), Survey Methodology 24(2):193-201, for limits of Clopper and Pearson's type with the "
    "number of trials taken from the variance; Fay & Feuer (1997), Stat. Med. 16(7):791-801, for a unit at the bound"
)


def constant_limits(value: float, n: float, request: Request) -> Limits:
    """Limits for a mean when all n values were equal to `value`.

    Every other method gives zero width here, as if the mean were known. But a share p of units with another value stays
    unseen among n with probability ``(1 - p)^n``, so shares up to ``1 - (tail)^(1/n)`` are not excluded: the
    Clopper-Pearson limit for 0 of n. Such a share can move the mean towards either bound of the metric. For values 0
    and 1 this is the Clopper-Pearson interval. Without finite bounds the limits are undefined.

    Source: Clopper & Pearson (1934), Biometrika 26(4):404-413, for the share.
    """
    lower_bound, upper_bound = request.bounds
    units = f"{n:.0f}" if float(n).is_integer() else f"about {n:.1f} (effective number)"
    if not (math.isfinite(lower_bound) and math.isfinite(upper_bound)):
        subject = "there is a single value" if n == 1 else f"all {units} values are equal"
        return Limits.undefined(f"{subject}, so the error of the mean cannot be estimated")
    share = -math.expm1(math.log(request.tail) / n)
    outcome = "a single value" if n == 1 else f"all {units} values are equal"
    reason = f"{outcome}; the limits are exact for the share of other values"
    return Limits(
        value - share * (value - lower_bound), value + share * (upper_bound - value), reason, "clopper-pearson"
    )


def constant_beyond(value: float, n: float, shift: float, side: Side, bounds: tuple[float, float]) -> tuple[float, str]:
    """One-sided p-value of the hypothesis that the mean is `shift` or beyond, if all n values equal `value`."""
    distance = value - shift if side == "greater" else shift - value
    end = value - bounds[0] if side == "greater" else bounds[1] - value
    missed = 0.5 if math.isinf(bounds[1] - bounds[0]) else 1 - distance / end if distance < end else 0.0
    return (missed**n if distance > 0 else 1.0), "all units agree"


def shares_of(statistic: Mean, bounds: tuple[float, float]) -> Proportion | None:
    """Values as a number of successes, if each equals the lower or the upper bound; otherwise None."""
    if statistic.ends is not None:
        return Proportion(statistic.ends[1], statistic.n) if sum(statistic.ends) == statistic.n else None
    lower_bound, upper_bound = bounds
    values = statistic.scaled
    if not (math.isfinite(lower_bound) and math.isfinite(upper_bound)) or len(values) == 0:
        return None
    top = values == upper_bound
    if not (top | (values == lower_bound)).all():
        return None
    return Proportion(int(np.count_nonzero(top)), len(values))


def of_trials(statistic: Mean, request: Request, method: str) -> Limits:
    """Limits by a method for proportions, if all values equal one of the bounds, scaled to these bounds."""
    share = shares_of(statistic, request.bounds)  # there is one: `intervals.mean.unavailable` sees to it
    low, high, reason, _ = FORMS[Proportion].methods[method](share, request)
    lower_bound, upper_bound = request.bounds
    return Limits(
        lower_bound + low * (upper_bound - lower_bound), lower_bound + high * (upper_bound - lower_bound), reason
    )


class BoundedUnits(NamedTuple):
    """Moments of units whose values lie between two bounds, scaled to [0, 1]; the input of beta limits."""

    n: float
    share: tuple[float, float]
    complement: tuple[float, float]
    freedom: float
    inside: tuple[int, int]

    @classmethod
    def of_mean(cls, statistic: Mean, bounds: Bounds) -> "BoundedUnits":
        """Bounded units of a mean, from its values or from its moments and its numbers of values at the bounds."""
        lower_bound, upper_bound = bounds
        n, moments = statistic.n, statistic.moments
        width = upper_bound - lower_bound
        if statistic.ends is not None and moments is not None:
            mean, squares = (moments.mean - lower_bound) / width, moments.second / width**2
            inside = n - statistic.ends[0], n - statistic.ends[1]
            return cls(n, (mean, squares), (1 - mean, squares), n - 1, inside)
        shares = (statistic.scaled - lower_bound) / width
        inside = int(np.count_nonzero(shares > 0)), int(np.count_nonzero(shares < 1))
        return cls(n, _spread(shares), _spread(1 - shares), n - 1, inside)


def beta_limits(units: BoundedUnits, request: Request) -> Limits:
    """Quantiles of beta distributions with the mean and variance of the mean, half a unit added at the bound.

    On [0, 1], for the upper limit: half a unit of value 1 is counted with the n values; a beta law is given the mean of
    all and the variance of that mean, which is ``s^2 / n`` and what the half unit adds; and the limit is the quantile
    of that law. The lower limit is the mirror image. For k of n values 1, the others 0, it is between the mid-P limits
    and Clopper and Pearson's: with a whole unit they would be the latter. The variance is enlarged by the squared ratio
    of the quantiles of Student's t and of the normal law.

    So limits are long towards a bound that few units reach. Where at most 3 values differ from a bound, the limit away
    from it is at least as far off as if all were equal to it, see `constant_limits`.
    """
    lower_bound, upper_bound = request.bounds
    low, high = 1 - _upper(units, units.complement, request), _upper(units, units.share, request)
    unseen = -math.expm1(math.log(request.tail) / units.n)
    if units.inside[1] <= FEW_INSIDE:
        low = min(low, 1 - unseen)
    if units.inside[0] <= FEW_INSIDE:
        high = max(high, unseen)
    return Limits(lower_bound + low * (upper_bound - lower_bound), lower_bound + high * (upper_bound - lower_bound))


def hardly_skewed(third: float, units: BoundedUnits) -> bool:
    """True if the mean is not skewed, also not with another half unit at either bound."""
    n, spread = units.n, math.sqrt(units.share[1])
    if abs(third) > BETWEEN_BOUNDS or not spread > 0:
        return abs(third) <= BETWEEN_BOUNDS
    for sign, mean in ((-1, units.share[0]), (1, units.complement[0])):
        distance = sign * mean / spread
        shift = PSEUDO * distance / (n + PSEUDO)
        squares = 1 + n * shift**2 + PSEUDO * (distance - shift) ** 2
        cubes = third - 3 * shift - n * shift**3 + PSEUDO * (distance - shift) ** 3
        if abs(cubes) > UNSEEN * squares**1.5:
            return False
    return True


def _spread(shares: Floats) -> tuple[float, float]:
    """Mean, and sum of the squared deviations from it."""
    mean = mean_of(shares)
    return mean, kernels.exact_sum((shares - mean) ** 2)


def _upper(units: BoundedUnits, moments: tuple[float, float], request: Request) -> float:
    """Upper limit, from the mean of the scaled values and the sum of their squared deviations."""
    n, (mean, about) = units.n, moments
    quantile = t_quantile(request.tail, units.freedom) / normal_quantile(request.tail)
    center = (n * mean + PSEUDO) / (n + PSEUDO)
    squares = about + n * (mean - center) ** 2 + PSEUDO * (1 - center) ** 2
    variance = quantile**2 * squares / (n + PSEUDO) ** 2 * n / (n - 1)
    if variance == 0:  # all are 1, or so near to it that no digit is left of what they lack
        return 1.0
    size = center * (1 - center) / variance - 1
    if size <= 0:  # no law on [0, 1] has so large a variance
        return 1.0
    return max(mean, beta_upper_quantile(request.tail, size * center, size * (1 - center)))
