"""Limits for a mean of values between two known bounds."""

import math

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.inference.declare import FORMS
from certus.inference.interval import Limits, Request, Side
from certus.inference.special import beta_upper_quantile, normal_quantile, t_quantile
from certus.statistic import Mean, Proportion
from certus.statistic.common import mean_of

PSEUDO = 0.5
"""Part of one more unit, at the bound that a limit lies towards, that is counted with the others."""
FEW = 3
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
    least, greatest = request.bounds
    units = f"{n:.0f}" if float(n).is_integer() else f"about {n:.1f} (effective number)"
    if not (math.isfinite(least) and math.isfinite(greatest)):
        said = "a single value does" if n == 1 else f"all {units} values are equal: they do"
        return Limits.undefined(f"{said} not tell how far the mean can be off")
    share = -math.expm1(math.log(request.tail) / n)
    alike = "a single value" if n == 1 else f"all {units} values are equal"
    why = f"{alike}: exact binomial limits for the share of others"
    return Limits(value - share * (value - least), value + share * (greatest - value), why, "clopper-pearson")


def constant_beyond(value: float, n: float, shift: float, side: Side, bounds: tuple[float, float]) -> tuple[float, str]:
    """The one-sided p-value of a mean that is `shift` or lies beyond it, when all n values were equal to `value`.

    It inverts `constant_limits`: a mean of `shift` needs a share of other units, which n units all miss with the
    probability that is given. Without finite bounds there are no limits, and p is ``2^-n``, that of n units which all
    lie on one side of the shift.

    Examples
    --------
    >>> constant_beyond(0.0, 10, -0.5, "greater", (-1.0, 1.0))
    (0.0009765625, 'all units agree')
    """
    distance = value - shift if side == "greater" else shift - value
    end = value - bounds[0] if side == "greater" else bounds[1] - value
    missed = 0.5 if math.isinf(bounds[1] - bounds[0]) else 1 - distance / end if distance < end else 0.0
    return (missed**n if distance > 0 else 1.0), "all units agree"


def trials(values: Floats, bounds: tuple[float, float]) -> Proportion | None:
    """The values as successes among trials, where each of them is one of the two bounds; None where one is not."""
    least, greatest = bounds
    if not (math.isfinite(least) and math.isfinite(greatest)) or len(values) == 0:
        return None
    top = values == greatest
    if not (top | (values == least)).all():
        return None
    return Proportion(int(np.count_nonzero(top)), len(values))


def shares_of(statistic: Mean, bounds: tuple[float, float]) -> Proportion | None:
    """The values of a mean as `trials` takes them, which may be known by their numbers at the bounds."""
    if statistic.ends is None:
        return trials(statistic.scaled, bounds)
    return Proportion(statistic.ends[1], statistic.n) if sum(statistic.ends) == statistic.n else None


def of_trials(statistic: Mean, request: Request, method: str) -> Limits:
    """The limits of a proportion, taken from shares to the bounds; for values that are all one of them."""
    found = shares_of(statistic, request.bounds)
    if found is None:  # `intervals.mean.unavailable` says so before
        return Limits.undefined("not all values are one of two bounds")
    low, high, why, _ = FORMS[Proportion].methods[method](found, request)
    least, greatest = request.bounds
    return Limits(least + low * (greatest - least), least + high * (greatest - least), why)


def beta_moments(statistic: Mean, request: Request) -> Limits:
    """Quantiles of beta laws with the mean and the variance of the values' mean, each with half a unit at its bound.

    On [0, 1], for the upper limit: half a unit of value 1 is counted with the n values; a beta law is given the mean of
    all and the variance of that mean, which is ``s^2 / n`` and what the half unit adds; and the limit is the quantile
    of that law. The lower limit is the mirror image. For k of n values 1, the others 0, it is between the mid-P limits
    and Clopper and Pearson's: with a whole unit they would be the latter. The variance is enlarged by the squared ratio
    of the quantiles of Student's t and of the normal law.

    So limits are long towards a bound that few units reach. Where at most 3 values differ from a bound, the limit away
    from it is at least as far off as if all were equal to it, see `constant_limits`.
    """
    least, greatest = request.bounds
    n, known = statistic.n, statistic.moments
    if statistic.ends is not None and known is not None:
        mean, squares = (known.mean - least) / (greatest - least), known.second / (greatest - least) ** 2
        low, high = 1 - _upper(n, 1 - mean, squares, request), _upper(n, mean, squares, request)
        inside = n - statistic.ends[0], n - statistic.ends[1]
        return _lengthened(n, inside, Limits(low, high), request, (least, greatest))
    shares = (statistic.scaled - least) / (greatest - least)
    low, high = 1 - _upper(n, *_spread(1 - shares), request), _upper(n, *_spread(shares), request)
    return lengthened(shares, Limits(low, high), request, (least, greatest))


def lengthened(shares: Floats, found: Limits, request: Request, bounds: tuple[float, float]) -> Limits:
    """Limits of shares, taken to the bounds; no shorter than those of equal values where nearly all are at a bound."""
    inside = int(np.count_nonzero(shares > 0)), int(np.count_nonzero(shares < 1))
    return _lengthened(len(shares), inside, found, request, bounds)


def _lengthened(
    n: int, inside: tuple[int, int], found: Limits, request: Request, bounds: tuple[float, float]
) -> Limits:
    """The same of n shares, of which it is known how many are above 0, and how many below 1."""
    least, greatest = bounds
    unseen = -math.expm1(math.log(request.tail) / n)
    low, high = found[:2]
    if inside[1] <= FEW:
        low = min(low, 1 - unseen)
    if inside[0] <= FEW:
        high = max(high, unseen)
    return Limits(least + low * (greatest - least), least + high * (greatest - least), found.why)


def _spread(shares: Floats) -> tuple[float, float]:
    """The mean, and the sum of the squared distances from it."""
    mean = mean_of(shares)
    return mean, kernels.exact_sum((shares - mean) ** 2)


def _upper(n: int, mean: float, about: float, request: Request) -> float:
    """The upper limit from n shares, their mean and the sum of their squared distances from it."""
    quantile = t_quantile(request.tail, n - 1) / normal_quantile(request.tail)
    center = (n * mean + PSEUDO) / (n + PSEUDO)
    squares = about + n * (mean - center) ** 2 + PSEUDO * (1 - center) ** 2
    variance = quantile**2 * squares / (n + PSEUDO) ** 2 * n / (n - 1)
    if variance == 0:  # all are 1, or so near to it that no digit is left of what they lack
        return 1.0
    size = center * (1 - center) / variance - 1
    if size <= 0:  # no law on [0, 1] has so large a variance
        return 1.0
    return max(mean, beta_upper_quantile(request.tail, size * center, size * (1 - center)))
