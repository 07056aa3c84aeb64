"""Intervals for a value whose error is, to first order, a mean of influence values in each stratum."""

import math
from collections.abc import Collection
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import CertusError
from certus.inference.clusters import cluster_error, freedom_by_sums, freedom_of_squares
from certus.inference.declare import IntervalFunction, form, form_of, interval, label
from certus.inference.interval import Limits, Request
from certus.inference.intervals import crossing, mean, ratio_of_sums, resample, roots, scale, skewness
from certus.inference.special import t_quantile
from certus.statistic import Influence, Mean
from certus.statistic.common import plural
from certus.statistic.influence import AtCrossing, Maximum, SmoothFunction, UnseenUnits

BEYOND = "the values are too large or too small to compute their spread"
NO_SPREAD = "the units show no spread: they do not tell how far the value can be off"
FISHER = (-1.0, 1.0)
LEAST_VARIANCE = roots.GREATEST**-2
"""Variances below lose digits, or are 0."""
FEW_DECIDE = 0.2
"""Skewness beyond which a value of which the influence values have no bound says that it may cover less."""
REPLICATES = 200
WORK = 4_000_000
"""Samples of all replicates together: above 20,000 samples there are fewer replicates, down to 20."""

PART = 2.0
"""Factor from the excess of a resample over the sample to the excess of the sample over the truth.

A resample has the noise of the sample and as much again. Where the maximum is flat its excess grows with the noise's
variance to the power 2/3 (Kim & Pollard 1990, Ann. Stat. 18(1):191-219, doi:10.1214/aos/1176347498), which makes it
``1 / (2^(2/3) - 1) = 1.7`` times as much, and nearer to 2 in samples of 60 to 3,000.
"""

DOUBT = 0.7
"""Error of the bias, as a part of it: one sample's replicates know it no better."""

DISTRIBUTION_FREE = "distribution-free"
EXACT = "the units show no spread: exact limits that hold for every distribution"


def standard_error(statistic: Influence) -> float:
    """``sqrt(sum(variances[s] / sizes[s]))``, or CR2's; NaN where a stratum has a single unit."""
    return error_and_freedom(statistic)[0]


class Part(NamedTuple):
    """The contribution of a stratum to the variance."""

    variance: float
    freedom: float
    """Its degrees of freedom."""
    size: float
    """Number of units; where they do not count alike ``1 / sum(shares^2)``, Kish's effective sample size."""


_PARTS: WeakKeyDictionary[Influence, list[Part]] = WeakKeyDictionary()
"""Of statistics that are in use: a default method and its limits both ask for them."""


def parts(statistic: Influence) -> list[Part]:
    """The contribution of each stratum: ``variances[s] / sizes[s]``, or CR2's where the units have masses."""
    if (known := _PARTS.get(statistic)) is None:
        known = _PARTS[statistic] = _parts(statistic)
    return known


def _parts(statistic: Influence) -> list[Part]:
    if statistic.spreads is not None:
        return [Part(*spread) for spread in statistic.spreads]
    if statistic.masses is None or statistic.influence is None:
        pairs = zip(statistic.variances, statistic.sizes, strict=True)
        return [Part(v / n if n else math.nan, n - 1.0, float(n)) for v, n in pairs]
    found, first = [], 0
    for values in statistic.influence():
        masses = statistic.masses[first : first + len(values)]
        first += len(values)
        error, freedom = cluster_error(values / len(values), masses, weighted=statistic.weighted)
        shares = np.sort(masses) / masses.max()
        found.append(Part(error**2, freedom, float(shares.sum()) ** 2 / float((shares**2).sum())))
    return found


def error_and_freedom(statistic: Influence) -> tuple[float, float]:
    """The standard error, with Satterthwaite's degrees of freedom."""
    # Satterthwaite (1946), Biometrics Bulletin 2(6):110-114, doi:10.2307/3002019.
    if statistic.reason or _beyond(statistic):
        return math.nan, math.nan
    return _combined(parts(statistic), min(statistic.sizes))


def _combined(found: Collection[Part], fewest: int) -> tuple[float, float]:
    total = sum(part.variance for part in found)
    if not total > 0 or fewest == 1:
        return math.sqrt(total), math.nan if math.isnan(total) else fewest - 1.0
    spread = sum((part.variance / total) ** 2 / part.freedom for part in found)
    return math.sqrt(total), 1 / spread if spread else math.inf


def cautious(statistic: Influence) -> tuple[float, float]:
    """The standard error, with degrees of freedom that allow for the tails of the influence values."""
    if statistic.influence is None or statistic.reason:
        return error_and_freedom(statistic)
    if (known := statistic.known_moments) is not None:
        freedom = freedom_by_sums(known.second, known.fourth, statistic.n)
        return _combined([part._replace(freedom=min(part.freedom, freedom)) for part in parts(statistic)], statistic.n)
    if isinstance(statistic, Maximum) and statistic.tails is not None:
        pairs = zip(statistic.tails(), statistic.sizes, strict=True)
        tails = [freedom_by_sums(second, fourth, size) for (second, fourth), size in pairs]
    else:
        tails = [freedom_of_squares(values) for values in statistic.ordered]
    found = [part._replace(freedom=min(part.freedom, tail)) for part, tail in zip(parts(statistic), tails, strict=True)]
    return _combined(found, min(statistic.sizes))


def quantile(statistic: Influence, request: Request) -> float:
    """Upper quantile of Student's t with the degrees of freedom of `error_and_freedom`."""
    return -t_quantile(request.tail, error_and_freedom(statistic)[1])


@interval("influence-logit", Influence, label="influence function, logit", aliases=("logit-influence",))
def influence_logit(statistic: Influence, request: Request) -> Limits:
    """``value +- t SE`` on the scale that the bounds suggest: logit within [0, 1], Fisher's z within [-1, 1].

    With one finite bound the scale is the logarithm of the distance from it.

    See `intervals.scale.around`; Student's t with the degrees of freedom of `cautious`. Limits of groups reach
    at least as far as those of samples that are taken for independent. Where the influence of a unit has no bound, the
    limits are corrected for skewness as a mean's are, see `intervals.skewness.quantiles`: the skewness is that of
    the influence values, the curvature that of the scale. Limits of an average precision allow for units of which the
    sample happens to have none.
    """
    error, freedom = cautious(statistic)
    if isinstance(statistic, SmoothFunction):
        third = 6 * _acceleration(statistic)
        skew = skewness.Skew(third, scale.curvature(statistic.value, error, request.bounds))
        below, above = skewness.quantiles(skew, request.tail, freedom)
        reason = skewness.TOO_SKEWED if _few_decide(statistic, third) else ""
    else:
        below = above = -t_quantile(request.tail, freedom)
        reason = ""
    low = scale.around(statistic.value, below * error, request.bounds).low
    high = scale.around(statistic.value, above * error, request.bounds).high
    found = _with_unseen(statistic, Limits(low, high), error, request.tail)
    if statistic.apart is not None:
        found = _as_far_as(statistic.apart(), found, request)
    return found._replace(reason=reason) if reason else found


def _with_unseen(statistic: Influence, found: Limits, error: float, tail: float) -> Limits:
    """The limits, farther off by what units would do to the value of which the sample happens to have none."""
    # Zou & Donner (2008), Stat. Med. 27(10):1693-1702, doi:10.1002/sim.3095, for the sum of squared distances.
    if not isinstance(statistic, UnseenUnits) or statistic.unseen is None:
        return found
    value = statistic.value
    units = max(-math.log(2 * tail), 0.0)
    if statistic.apart is not None and (single := standard_error(statistic.apart())) > 0:
        units *= max((error / single) ** 2, 1.0)
    less, more = statistic.unseen(units)
    low = value - math.hypot(value - found.low, value - less)
    return Limits(low, value + math.hypot(found.high - value, more - value), found.reason)


def _few_decide(statistic: SmoothFunction, third: float) -> bool:
    """True if the data may come from a distribution with tails too long for these limits."""
    if abs(third) <= FEW_DECIDE / 2:
        return False
    curvature = 0.0 if statistic.curvature is None else statistic.curvature()
    return abs(third) + 1.5 * math.copysign(curvature, third * curvature) > FEW_DECIDE


def _as_far_as(apart: Influence, found: Limits, request: Request) -> Limits:
    """The limits, or the default limits of another statistic where they are farther."""
    form = form_of(apart, request.bounds)
    low, high, *_ = form.methods[form.default](apart, request)
    return found if math.isnan(low) else Limits(min(low, found.low), max(high, found.high), found.reason)


@interval("influence", Influence, label="influence function")
def influence(statistic: Influence, request: Request) -> Limits:
    """``value +- t SE``, with Satterthwaite's degrees of freedom, see `quantile`."""
    return Limits.around(statistic.value, quantile(statistic, request) * standard_error(statistic))


interval("influence-log", Influence, label="influence function, logarithm", aliases=("log-influence",))(influence_logit)
interval("fisher-z", Influence)(influence_logit)
for _name in ("t", "hall", "delta"):
    interval(_name, Influence)(roots.of_root(_name))


@interval("bias-aware", Influence)
def bias_aware(statistic: Influence, request: Request) -> Limits:
    """Limits about a maximum less its bias, most of which counts as an error too; the value always belongs to them.

    The bias is twice the mean excess of 20 to 200 seeded bootstrap replicates over the value, see `PART`. Limits are
    taken on the logit scale up to the level at which the lower one as it is reaches its bound; from there on it is the
    bound, and the upper one goes on as it is from where the logit scale has left it, so that intervals are nested. A
    value that grows with the square of what makes it has there the upper limit of its root at least.
    """
    if not isinstance(statistic, Maximum):  # `unavailable` says so before
        raise CertusError("the value is not a maximum over thresholds", "'bias-aware' is for those")
    error, freedom = max(map(cautious, [statistic, *([] if statistic.rival is None else [statistic.rival()])]))
    quantile = -t_quantile(request.tail, freedom)
    least, greatest = request.bounds
    bias = _bias(statistic)
    centre = max(statistic.value - bias, least)
    half = quantile * math.hypot(error, DOUBT * bias)
    room = centre - least
    low, high, *_ = scale.around(centre, min(half, room), (least, greatest))
    if half >= room:
        low, high = least, max(high, centre + half)
        if statistic.squared:
            part = quantile * error / 2
            high = max(high, statistic.value + 2 * part + part**2 / (statistic.value - least))
    return Limits(min(low, statistic.value), max(high, statistic.value))


def _bias(statistic: Maximum) -> float:
    if statistic.resample is None:
        return 0.0
    replicates = min(REPLICATES, max(20, WORK // statistic.samples))
    drawn = statistic.resample(replicates, 0, len(statistic.sizes) > 1)
    found = [value - statistic.value for value in drawn.tolist() if not math.isnan(value)]
    return max(0.0, PART * math.fsum(found) / len(found)) if found else 0.0


@interval("score-profile", Influence, label="score test over thresholds")
def score_profile(statistic: Influence, request: Request) -> Limits:
    """The values that a score test does not refuse at some threshold near the sample's; the value belongs to them."""
    if not isinstance(statistic, AtCrossing) or statistic.crossing is None:  # `unavailable` says so before
        raise CertusError(
            "the value is not that at a threshold where a share is reached", "'score-profile' is for those"
        )
    low, high, *_ = crossing.limits(statistic.crossing(), request.tail)
    return Limits(min(low, statistic.value), max(high, statistic.value))


@interval("percentile", Influence)
def percentile(statistic: Influence, request: Request) -> Limits:
    """Percentile bootstrap, see `intervals.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


@interval("bca", Influence, source="Davison & Hinkley (1997), Bootstrap Methods and their Application, equation 5.27")
def bca(statistic: Influence, request: Request) -> Limits:
    """BCa bootstrap, see `intervals.resample.bca`; the acceleration from the influence values."""
    if statistic.influence is None:
        raise CertusError("the statistic gives no influence values", "BCa needs them, take 'percentile'")
    return resample.bca(_replicates(statistic, request), statistic.value, _acceleration(statistic), request)


def _acceleration(statistic: Influence) -> float:
    if (known := statistic.known_moments) is not None:
        return known.skewness / 6
    if statistic.influence is None:
        return 0.0
    return resample.acceleration(np.concatenate([values / len(values) for values in statistic.ordered]))


def default(statistic: Influence, bounds: tuple[float, float]) -> str:
    """The method with the name of the scale that the bounds suggest; of a root of a mean the default of that mean."""
    if isinstance(statistic, Maximum):
        return "bias-aware"
    if isinstance(statistic, AtCrossing):
        return "score-profile"
    root = None if statistic.reason or not math.isfinite(statistic.value) else roots.mean_under_root(statistic)
    if root is not None:
        return mean.default(root, roots.ROOT) if isinstance(root, Mean) else ratio_of_sums.default(root, roots.ROOT)
    return {0: "influence", 1: "influence-log"}.get(
        _ends(bounds), "fisher-z" if bounds == FISHER else "influence-logit"
    )


def unavailable(statistic: Influence, bounds: tuple[float, float]) -> Collection[str]:
    """The methods that need what this statistic does not give, or do not suit the bounds."""
    missing = {"fisher-z"} if bounds != FISHER else set()
    of_root = {"t", "hall", "delta"}
    root = roots.mean_under_root(statistic)
    missing |= of_root if root is None else of_root - set(roots.methods(root))
    if not isinstance(statistic, Maximum):
        missing.add("bias-aware")
    if not isinstance(statistic, AtCrossing):
        missing.add("score-profile")
    if _ends(bounds) != 1:
        missing.add("influence-log")
    if statistic.resample is None:
        return missing | {"percentile", "bca"}
    return missing | {"bca"} if statistic.influence is None else missing


def _ends(bounds: tuple[float, float]) -> int:
    """The number of bounds that are finite."""
    return sum(map(math.isfinite, bounds))


def no_spread(statistic: Influence) -> bool:
    """True if all influence values are 0 up to rounding; a stratum of a single unit is ignored."""
    variances = (0.0 if math.isnan(part.variance) else part.variance for part in parts(statistic))
    return scale.degenerate(1.0 if isinstance(statistic, Maximum) else statistic.value, math.sqrt(sum(variances)))


def alone(statistic: Influence) -> Limits | None:
    """Undefined limits where a stratum is a single unit; None where none is."""
    if 1 not in statistic.sizes:
        return None
    where = "" if len(statistic.sizes) == 1 else " in its stratum"
    return Limits.undefined(f"{plural(1, statistic.unit)} alone{where} does not show its spread")


def _beyond(statistic: Influence) -> bool:
    """True if squares of influence values overflow, or underflow to 0."""
    if any(map(math.isinf, statistic.variances)):
        return True
    if min(statistic.variances, default=1.0) > LEAST_VARIANCE or statistic.influence is None:
        return False
    if isinstance(statistic, Maximum) and statistic.tails is not None:
        return False
    ends = (max(values.max(initial=0.0), -values.min(initial=0.0)) for values in statistic.influence())
    return 0 < max(map(float, ends)) < 1 / roots.GREATEST


def _replicates(statistic: Influence, request: Request) -> Floats:
    resample.check_replicates(request)
    if statistic.resample is None:
        raise CertusError("the statistic cannot be resampled", "take another interval method")
    return statistic.resample(request.replicates, request.seed, request.stratified)


def _guarded(method: IntervalFunction, statistic: Influence, request: Request) -> Limits:
    """The method, with the cases taken out in which the units show no spread."""
    if statistic.unknown:
        return Limits.undefined(statistic.unknown)
    if not math.isfinite(statistic.value):
        return Limits.undefined("the value is infinite")
    if roots.spreading(statistic) is not None:
        return method(statistic, request).within(request.bounds)
    if _beyond(statistic):
        return Limits.undefined(BEYOND)
    if method is score_profile or not no_spread(statistic):
        found = alone(statistic) or method(statistic, request).within(request.bounds)
        return found if statistic.caution is None else found.noting(statistic.caution())
    if statistic.exact is None:
        return alone(statistic) or Limits.undefined(NO_SPREAD)
    low, high = statistic.exact(request.tail)
    reason = EXACT if statistic.caution is None else statistic.caution()
    return Limits(low, high, reason, DISTRIBUTION_FREE).within(request.bounds)


label(DISTRIBUTION_FREE, "exact limits for every distribution")
form(
    Influence,
    "a statistic with influence values",
    "influence-logit",
    standard_error,
    choose=default,
    unavailable=unavailable,
    guard=_guarded,
    measured="coverage-regression.md",
    together=roots.of_many,
)
