"""Intervals for a value whose error is, to first order, a mean of influence values in each stratum."""

import math
from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from certus.errors import CertusError
from certus.inference import resample, scale
from certus.inference._special import t_quantile
from certus.inference.interval import Limits, Request
from certus.statistic import Influence, counted

__all__ = ["METHODS", "alone", "bca", "chosen", "lacking", "no_spread", "percentile", "quantile", "standard_error"]

Floats = NDArray[np.float64]

NO_SPREAD = "the units show no spread: they do not tell how far the value can be off"
FISHER = (-1.0, 1.0)
GREATEST = 2.0**500
LEAST_VARIANCE = GREATEST**-2
"""Influence values below 1 / GREATEST have squares that lose digits, or are 0."""
EXACT = "the units show no spread: exact limits that hold for every distribution"


def standard_error(statistic: Influence) -> float:
    """``sqrt(sum(variances[s] / sizes[s]))``; NaN where a stratum has a single unit."""
    if statistic.why or _beyond(statistic):
        return math.nan
    return math.sqrt(sum(_shares(statistic)))


def quantile(statistic: Influence, request: Request) -> float:
    """Upper quantile of Student's t with Satterthwaite's degrees of freedom.

    With ``v_s = variances[s] / sizes[s]`` these are ``sum(v_s)^2 / sum(v_s^2 / (sizes[s] - 1))``.

    Source: Satterthwaite (1946), Biometrics Bulletin 2(6):110-114, doi:10.2307/3002019.
    """
    shares = _shares(statistic)
    total = sum(shares)
    spread = sum((share / total) ** 2 / (size - 1) for share, size in zip(shares, statistic.sizes, strict=True))
    return -t_quantile(request.tail, 1 / spread)


def influence_logit(statistic: Influence, request: Request) -> Limits:
    """``value +- t SE`` on the scale that the bounds suggest: logit within [0, 1], Fisher's z within [-1, 1].

    With one finite bound the scale is the logarithm of the distance from it.

    See `certus.inference.scale.around`; Student's t with Satterthwaite's degrees of freedom, see `quantile`.
    """
    return scale.around(statistic.value, quantile(statistic, request) * standard_error(statistic), request.bounds)


def influence(statistic: Influence, request: Request) -> Limits:
    """``value +- t SE``, with Satterthwaite's degrees of freedom, see `quantile`."""
    return Limits.around(statistic.value, quantile(statistic, request) * standard_error(statistic))


def percentile(statistic: Influence, request: Request) -> Limits:
    """Percentile bootstrap, see `certus.inference.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


def bca(statistic: Influence, request: Request) -> Limits:
    """BCa bootstrap, see `certus.inference.resample.bca`; the acceleration from the influence values.

    In several strata it is that of all the influence values together, each divided by the size of its stratum.

    Source: Davison & Hinkley (1997), Bootstrap Methods and their Application, equation 5.27.
    """
    if statistic.influence is None:
        raise CertusError("the statistic gives no influence values; BCa needs them, take 'percentile'")
    strata = zip(statistic.influence(), statistic.sizes, strict=True)
    acceleration = resample.acceleration(np.concatenate([values / size for values, size in strata]))
    return resample.bca(_replicates(statistic, request), statistic.value, acceleration, request)


def chosen(statistic: Influence, bounds: tuple[float, float]) -> str:  # noqa: ARG001
    """The method with the name of the scale that the bounds suggest; all of them step alike."""
    return {0: "influence", 1: "influence-log"}.get(
        _ends(bounds), "fisher-z" if bounds == FISHER else "influence-logit"
    )


def lacking(statistic: Influence, bounds: tuple[float, float]) -> Collection[str]:
    """The methods that need what this statistic does not give, or do not suit the bounds."""
    missing = {"fisher-z"} if bounds != FISHER else set()
    if _ends(bounds) != 1:
        missing.add("influence-log")
    if statistic.resample is None:
        return missing | {"percentile", "bca"}
    return missing | {"bca"} if statistic.influence is None else missing


def _ends(bounds: tuple[float, float]) -> int:
    """How many of the bounds are finite."""
    return sum(map(math.isfinite, bounds))


def no_spread(statistic: Influence) -> bool:
    """Whether the influence values are all 0 but for rounding, a stratum of a single unit left aside."""
    shares = (0.0 if math.isnan(share) else share for share in _shares(statistic))
    return scale.degenerate(statistic.value, math.sqrt(sum(shares)))


def alone(statistic: Influence) -> Limits | None:
    """Undefined limits where a stratum is a single unit; None where none is."""
    if 1 not in statistic.sizes:
        return None
    where = "" if len(statistic.sizes) == 1 else " in its stratum"
    return Limits.undefined(f"{counted(1, statistic.unit)} alone{where} does not show its spread")


def _shares(statistic: Influence) -> list[float]:
    """What each stratum adds to the variance; NaN of one without units."""
    pairs = zip(statistic.variances, statistic.sizes, strict=True)
    return [variance / size if size else math.nan for variance, size in pairs]


def _beyond(statistic: Influence) -> bool:
    """Whether the influence values have squares that are infinite, or that are 0 although they are not."""
    if any(map(math.isinf, statistic.variances)):
        return True
    if min(statistic.variances, default=1.0) > LEAST_VARIANCE or statistic.influence is None:
        return False
    return 0 < max(float(np.abs(values).max(initial=0.0)) for values in statistic.influence()) < 1 / GREATEST


def _replicates(statistic: Influence, request: Request) -> Floats:
    resample.check_replicates(request)
    if statistic.resample is None:
        raise CertusError("the statistic cannot be resampled; take another interval method")
    return statistic.resample(request.replicates, request.seed, request.stratified)


def _guarded(method: Callable[[Influence, Request], Limits]) -> Callable[[Influence, Request], Limits]:
    """The method, with the cases taken out in which the units show no spread."""

    def limits(statistic: Influence, request: Request) -> Limits:
        if statistic.unknown:
            return Limits.undefined(statistic.unknown)
        if not math.isfinite(statistic.value):
            return Limits.undefined("the value is infinite")
        if _beyond(statistic):
            return Limits.undefined("the values are too large or too small to compute their spread")
        if not no_spread(statistic):
            return alone(statistic) or method(statistic, request).within(request.bounds)
        if statistic.exact is None:
            return alone(statistic) or Limits.undefined(NO_SPREAD)
        low, high = statistic.exact(request.tail)
        return Limits(low, high, EXACT).within(request.bounds)

    limits.__doc__ = method.__doc__
    return limits


METHODS: dict[str, Callable[[Influence, Request], Limits]] = {
    "influence-logit": _guarded(influence_logit),
    "influence": _guarded(influence),
    "influence-log": _guarded(influence_logit),
    "fisher-z": _guarded(influence_logit),
    "percentile": _guarded(percentile),
    "bca": _guarded(bca),
}
