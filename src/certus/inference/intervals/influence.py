"""Intervals for a value whose error is, to first order, a mean of influence values in each stratum."""

import math
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from certus.core.arrays import Floats
from certus.inference.clusters import cluster_error, freedom_by_sums, freedom_of_squares, satterthwaite
from certus.inference.declare import (
    FORMS,
    Form,
    IntervalFunction,
    class_of_form,
    declare_form,
    form_of,
    interval,
    label,
)
from certus.inference.interval import Limits, Request, is_degenerate
from certus.inference.intervals import mean, ratio_of_sums, resample, skewness
from certus.inference.special import normal_quantile, preload, t_quantile
from certus.statistic import Influence, Mean, Ratio
from certus.statistic.cached import once_for_each
from certus.statistic.common import TOO_SKEWED, Resample, plural
from certus.statistic.influence import AtCrossing, Crossing, Maximum, SmoothFunction, UnseenUnits

FISHER = (-1.0, 1.0)
NOT_NEGATIVE = (0.0, math.inf)
"""Bounds of a mean of which a value is the square root."""
GREATEST = 2.0**500
"""Influence values below 1 / GREATEST have squares that lose digits, or are 0."""
LEAST_VARIANCE = GREATEST**-2
"""Variances below lose digits, or are 0."""
OUT_OF_RANGE = "the values are too large or too small to compute their spread"
NO_SPREAD = "the units do not vary, so the error of the value cannot be estimated"
EXACT = "the units do not vary; the limits are exact for every distribution"
DISTRIBUTION_FREE = "distribution-free"
FEW_DECIDE = 0.2
"""Skewness beyond which the limits of a value without bounded influence may cover less; of 566 regression metrics."""
FEW_EVENTS = 3
"""Up to as many successes, or failures, have the near limit of a Poisson law."""

REPLICATES = 200
WORK = 4_000_000
"""Samples of all replicates together: above 20,000 samples there are fewer replicates, down to 20."""
EXCESS_FACTOR = 2.0
"""Factor from the excess of a resample over the sample to the excess of the sample over the truth.

A resample has the noise of the sample and as much again. Where the maximum is flat its excess grows with the noise's
variance to the power 2/3 (Kim & Pollard 1990, Ann. Stat. 18(1):191-219, doi:10.1214/aos/1176347498), which makes it
``1 / (2^(2/3) - 1) = 1.7`` times as much, and nearer to 2 in samples of 60 to 3,000.
"""
BIAS_DOUBT = 0.7
"""Error of the bias, as a part of it: one sample's replicates know it no better."""


class Part(NamedTuple):
    """Variance contributed by a stratum, its degrees of freedom and its (effective) number of units."""

    variance: float
    freedom: float
    size: float


@once_for_each
def parts(statistic: Influence) -> list[Part]:
    """Variance, degrees of freedom and size of each stratum; cluster-robust (CR2) for groups or weights."""
    if statistic.spreads is not None:
        return [Part(*spread) for spread in statistic.spreads]
    if statistic.masses is None or statistic.influence is None:
        pairs = zip(statistic.variances, statistic.sizes, strict=True)
        return [Part(v / n if n else math.nan, n - 1.0, float(n)) for v, n in pairs]
    contributions, first = [], 0
    for values in statistic.influence():
        masses = statistic.masses[first : first + len(values)]
        first += len(values)
        error, freedom = cluster_error(values / len(values), masses, weighted=statistic.weighted)
        shares = np.sort(masses) / masses.max()
        contributions.append(Part(error**2, freedom, float(shares.sum()) ** 2 / float((shares**2).sum())))
    return contributions


def standard_error(statistic: Influence) -> float:
    """``sqrt(sum(variances[s] / sizes[s]))``, or CR2's; NaN where a stratum has a single unit."""
    return error_and_freedom(statistic)[0]


def error_and_freedom(statistic: Influence) -> tuple[float, float]:
    """The standard error, with Satterthwaite's degrees of freedom."""
    if statistic.reason or _overflows(statistic):
        return math.nan, math.nan
    return _combined(parts(statistic), min(statistic.sizes))


def _combined(contributions: Collection[Part], smallest_size: int) -> tuple[float, float]:
    """Standard error, and Satterthwaite's degrees of freedom, from the contributions of the strata."""
    total = sum(part.variance for part in contributions)
    if not total > 0 or smallest_size == 1:
        return math.sqrt(total), math.nan if math.isnan(total) else smallest_size - 1.0
    return satterthwaite([part.variance for part in contributions], [part.freedom for part in contributions])


def cautious(statistic: Influence) -> tuple[float, float]:
    """Standard error, with fewer degrees of freedom if the influence values are heavy-tailed."""
    if statistic.influence is None or statistic.reason:
        return error_and_freedom(statistic)
    if (moments := statistic.known_moments) is not None:
        freedom = freedom_by_sums(moments.second, moments.fourth, statistic.n)
        return _combined([part._replace(freedom=min(part.freedom, freedom)) for part in parts(statistic)], statistic.n)
    if isinstance(statistic, Maximum) and statistic.tails is not None:
        pairs = zip(statistic.tails(), statistic.sizes, strict=True)
        freedoms = [freedom_by_sums(second, fourth, size) for (second, fourth), size in pairs]
    else:
        freedoms = [freedom_of_squares(values) for values in statistic.ordered]
    contributions = zip(parts(statistic), freedoms, strict=True)
    limited = [part._replace(freedom=min(part.freedom, freedom)) for part, freedom in contributions]
    return _combined(limited, min(statistic.sizes))


def quantile(statistic: Influence, request: Request) -> float:
    """Upper quantile of Student's t, with degrees of freedom from `error_and_freedom`."""
    return -t_quantile(request.tail, error_and_freedom(statistic)[1])


@interval("influence-logit", Influence, label="influence function, logit", aliases=("logit-influence",))
def influence_logit(statistic: Influence, request: Request) -> Limits:
    """``value +- t SE`` on the scale that suits the bounds: logit within [0, 1], Fisher's z within [-1, 1].

    With one finite bound the scale is the logarithm of the distance from it, see `Limits.on_scale`. Limits of
    groups reach at least as far as those of samples that are treated as independent. Where the influence of a unit has
    no bound, the limits are corrected for skewness. Those of an average precision allow for units that are not sampled.
    """
    error, freedom = cautious(statistic)
    low_quantile = high_quantile = -t_quantile(request.tail, freedom)
    reason = ""
    if isinstance(statistic, SmoothFunction):
        third = 6 * _acceleration(statistic)
        skew = skewness.Skew(third, _scale_curvature(statistic.value, error, request.bounds))
        low_quantile, high_quantile = skewness.quantiles(skew, request.tail, freedom)
        reason = TOO_SKEWED if _few_units_decide(statistic, third) else ""
    low = Limits.on_scale(statistic.value, low_quantile * error, request.bounds).low
    high = Limits.on_scale(statistic.value, high_quantile * error, request.bounds).high
    limits = _with_unseen(statistic, Limits(low, high), error, request.tail)
    if statistic.apart is not None:
        ungrouped = statistic.apart()
        form = form_of(ungrouped, request.bounds)
        low, high, *_ = form.methods[form.default](ungrouped, request)
        if not math.isnan(low):
            limits = limits._replace(low=min(low, limits.low), high=max(high, limits.high))
    return limits._replace(reason=reason) if reason else limits


def _scale_curvature(value: float, error: float, bounds: tuple[float, float]) -> float:
    """Curvature of the scale of `Limits.on_scale`: s standard errors become ``s + curvature s^2``."""
    lower_bound, upper_bound = bounds
    to_lower, to_upper = value - lower_bound, upper_bound - value
    if min(to_lower, to_upper) <= 0:
        return 0.0
    return error / to_upper / 2 - error / to_lower / 2


def _with_unseen(statistic: Influence, limits: Limits, error: float, tail: float) -> Limits:
    """Widen limits, in quadrature, by the effect of ``-log(2 tail)`` extreme units that were not sampled."""
    # Of -log(2 tail) expected units (3 at level .95) none is sampled with the error probability of both sides; of
    # groups as many times more as their variance is that of single samples. Squared distances add, as those of
    # independent errors: Zou & Donner (2008), Stat. Med. 27(10):1693-1702, doi:10.1002/sim.3095.
    if not isinstance(statistic, UnseenUnits) or statistic.unseen is None:
        return limits
    value = statistic.value
    n_units = max(-math.log(2 * tail), 0.0)
    if statistic.apart is not None and (single := standard_error(statistic.apart())) > 0:
        n_units *= max((error / single) ** 2, 1.0)
    lower, upper = statistic.unseen(n_units)
    low = value - math.hypot(value - limits.low, value - lower)
    return Limits(low, value + math.hypot(limits.high - value, upper - value), limits.reason)


def _few_units_decide(statistic: SmoothFunction, third: float) -> bool:
    """True if the skewness suggests tails too heavy for these limits."""
    # Halfway between the skewness of the first-order error and that of the value itself, along the long tail.
    if abs(third) <= FEW_DECIDE / 2:
        return False
    curvature = 0.0 if statistic.curvature is None else statistic.curvature()
    return abs(third) + 1.5 * math.copysign(curvature, third * curvature) > FEW_DECIDE


@interval("influence", Influence, label="influence function")
def influence(statistic: Influence, request: Request) -> Limits:
    """``value +- t SE``, with Satterthwaite's degrees of freedom."""
    return Limits.around(statistic.value, quantile(statistic, request) * standard_error(statistic))


interval("influence-log", Influence, label="influence function, logarithm", aliases=("log-influence",))(influence_logit)
interval("fisher-z", Influence)(influence_logit)


def mean_under_root(statistic: Influence) -> Mean | Ratio | None:
    """Mean whose square root the value is; None if the value is not a root."""
    if not isinstance(statistic, SmoothFunction) or statistic.root_of is None:
        return None
    return statistic.root_of()


def _varying_mean_under_root(statistic: Influence) -> Mean | None:
    """Mean whose square root the value is, if its moments are known and not all values are equal."""
    root = mean_under_root(statistic) if 1 / GREATEST < statistic.value < GREATEST else None
    return root if isinstance(root, Mean) and root.moments is not None and root.moments.varies else None


def _roots(statistic: Influence, mean: Mean | Ratio, low: float, high: float) -> tuple[float, float]:
    """Square roots of a mean's limits, on the scale of the value."""
    unit = 2.0 ** round(math.log2(statistic.value / math.sqrt(mean.value)))
    low, high = (limit if math.isnan(limit) else unit * math.sqrt(max(limit, 0.0)) for limit in (low, high))
    return low, high


def _declare_root(name: str) -> None:
    """Declare for square roots of means the method that means have under this name."""

    @interval(name, Influence)
    def limits(statistic: Influence, request: Request) -> Limits:
        """Roots of the limits of the mean whose root the value is, such as the mean squared error."""
        root = cast("Mean | Ratio", mean_under_root(statistic))  # `unavailable` sees to it
        low, high, reason, _ = FORMS[class_of_form(root)].methods[name](root, replace(request, bounds=NOT_NEGATIVE))
        return Limits(*_roots(statistic, root, low, high), reason)


for _name in ("t", "hall", "delta"):
    _declare_root(_name)


@interval("bias-aware", Influence)
def bias_aware(statistic: Maximum, request: Request) -> Limits:
    """Limits around a maximum minus its bias, most of which is also added as an error; they include the value.

    The bias is twice the mean excess of 20 to 200 seeded bootstrap replicates over the value. Limits are taken on the
    logit scale up to the level at which the lower one reaches its bound; from there on it is the bound, and the upper
    one goes on linearly, so that intervals are nested. A value that grows with the square of what makes it has there
    the upper limit of its root at least.
    """
    error, freedom = max(map(cautious, [statistic, *([] if statistic.rival is None else [statistic.rival()])]))
    quantile = -t_quantile(request.tail, freedom)
    lower_bound, upper_bound = request.bounds
    bias = _bias(statistic)
    centre = max(statistic.value - bias, lower_bound)
    half_width = quantile * math.hypot(error, BIAS_DOUBT * bias)
    room = centre - lower_bound
    low, high, *_ = Limits.on_scale(centre, min(half_width, room), (lower_bound, upper_bound))
    if half_width >= room:
        low, high = lower_bound, max(high, centre + half_width)
        if statistic.squared:
            part = quantile * error / 2
            high = max(high, statistic.value + 2 * part + part**2 / (statistic.value - lower_bound))
    return Limits(min(low, statistic.value), max(high, statistic.value))


def _bias(statistic: Maximum) -> float:
    """Bias of a maximum: twice the mean excess of bootstrap replicates over it."""
    if statistic.resample is None:
        return 0.0
    replicates = min(REPLICATES, max(20, WORK // statistic.samples))
    values = statistic.resample(replicates, 0, len(statistic.sizes) > 1)
    excesses = [value - statistic.value for value in values.tolist() if not math.isnan(value)]
    return max(0.0, EXCESS_FACTOR * math.fsum(excesses) / len(excesses)) if excesses else 0.0


@interval("score-profile", Influence, label="score test over thresholds")
def score_profile(statistic: AtCrossing, request: Request) -> Limits:
    """Values not rejected by a score test at some threshold near the sample's; they include the value."""
    crossing = cast("Callable[[], Crossing]", statistic.crossing)
    low, high = crossing_limits(crossing(), request.tail)
    return Limits(min(low, statistic.value), max(high, statistic.value))


def crossing_limits(crossing: Crossing, tail: float) -> tuple[float, float]:
    """Limits for the value where a share is first reached; the threshold there is a nuisance parameter.

    With ``s`` the standard score at which the sample speaks against a threshold, two counts above and below it, of
    which the value is a function, have Wilson's limits with ``z^2 - s^2`` in place of ``z^2``: both errors are
    independent. The union over all thresholds covers at least .9375 in large samples at the level .95, however sharply
    the share of positives changes, and .95 where it changes smoothly.
    """
    z = -normal_quantile(max(min(tail, 0.5), 5e-324))
    scores = _scores_against(crossing, z)
    accepted = np.flatnonzero(scores < z) if z > 0 else np.array([int(np.argmin(scores))])
    room = np.maximum(z**2 - scores[accepted] ** 2, 0.0)
    low, high = _modified_wilson(crossing.wrong[accepted], crossing.right[accepted], room)
    ratio = crossing.scale[accepted]
    low, high = ((1 - share) / ((1 - share) + ratio * share) for share in (high, low))
    return float(low.min()), float(high.max())


def _modified_wilson(successes: Floats, failures: Floats, squared_quantile: Floats) -> tuple[Floats, Floats]:
    """Modified Wilson limits for the share of successes, see `intervals.proportion.modified_wilson`."""
    special = preload()
    trials = successes + failures
    both_tails = 2 * special.ndtr(-np.sqrt(squared_quantile))

    def lower_limits(successes: Floats, failures: Floats) -> Floats:
        half = np.sqrt(squared_quantile * (successes * failures / trials + squared_quantile / 4))
        low = np.where(successes == 0, 0.0, (successes + squared_quantile / 2 - half) / (trials + squared_quantile))
        few_successes = np.flatnonzero((successes > 0) & (successes <= FEW_EVENTS))
        low[few_successes] = np.minimum(
            low[few_successes],
            special.gammaincinv(successes[few_successes], both_tails[few_successes]) / trials[few_successes],
        )
        return low

    return lower_limits(successes, failures), 1 - lower_limits(failures, successes)


def _scores_against(crossing: Crossing, z: float) -> Floats:
    """Normal score of the evidence against each threshold, by exact binomial tails; infinite beyond `z`."""
    # At the threshold the share is not below its level, and at no earlier one it is above.
    special = preload()

    def score(successes: Floats, trials: Floats, sign: int) -> Floats:
        excess = sign * (successes - crossing.share * trials)
        reach = z * np.sqrt(crossing.share * (1 - crossing.share) * trials) + z * z + 1
        scores = np.where(excess > reach, math.inf, 0.0)
        near = np.flatnonzero((excess > 0) & (excess <= reach))
        k, n = successes[near], trials[near]
        tails = (
            special.betainc(k, n - k + 1, crossing.share)
            if sign > 0
            else special.betaincc(k + 1, n - k, crossing.share)
        )
        scores[near] = np.maximum(-special.ndtri(tails), 0.0)
        return scores

    highest = np.maximum.accumulate(score(crossing.before, crossing.before_trials, 1))
    return np.asarray(np.maximum(highest, score(crossing.successes, crossing.trials, -1)))


@interval("percentile", Influence)
def percentile(statistic: Influence, request: Request) -> Limits:
    """Percentile bootstrap, see `intervals.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


@interval("bca", Influence, source="Davison & Hinkley (1997), Bootstrap Methods and their Application, equation 5.27")
def bca(statistic: Influence, request: Request) -> Limits:
    """BCa bootstrap, see `intervals.resample.bca`; the acceleration from the influence values."""
    return resample.bca(_replicates(statistic, request), statistic.value, _acceleration(statistic), request)


def _replicates(statistic: Influence, request: Request) -> Floats:
    """Bootstrap replicates from the statistic's own resampling function, stratified if requested."""
    resample.check_replicates(request)
    draw = cast("Resample", statistic.resample)  # `unavailable` sees to it
    return draw(request.replicates, request.seed, request.stratified)


def _acceleration(statistic: Influence) -> float:
    """Acceleration constant for BCa, from the skewness of the influence values; 0 if there are none."""
    if (moments := statistic.known_moments) is not None:
        return moments.skewness / 6
    if statistic.influence is None:
        return 0.0
    return resample.acceleration(np.concatenate([values / len(values) for values in statistic.ordered]))


def default(statistic: Influence, bounds: tuple[float, float]) -> str:
    """Method for the scale that suits the bounds; for the root of a mean, that mean's default method."""
    if isinstance(statistic, Maximum):
        return "bias-aware"
    if isinstance(statistic, AtCrossing):
        return "score-profile"
    root = None if statistic.reason or not math.isfinite(statistic.value) else mean_under_root(statistic)
    if root is not None:
        return mean.default(root, NOT_NEGATIVE) if isinstance(root, Mean) else ratio_of_sums.default(root, NOT_NEGATIVE)
    if bounds == FISHER:
        return "fisher-z"
    return ("influence", "influence-log", "influence-logit")[sum(map(math.isfinite, bounds))]


def unavailable(statistic: Influence, bounds: tuple[float, float]) -> Collection[str]:
    """Methods that need what this statistic does not have, or do not suit the bounds."""
    root = mean_under_root(statistic)
    missing = {"t", "hall", "delta"} - (set() if root is None else set(FORMS[class_of_form(root)].methods))
    unsuited = {
        "fisher-z": bounds != FISHER,
        "bias-aware": not isinstance(statistic, Maximum),
        "score-profile": not isinstance(statistic, AtCrossing),
        "influence-log": sum(map(math.isfinite, bounds)) != 1,
        "percentile": statistic.resample is None,
        "bca": statistic.resample is None or statistic.influence is None,
    }
    return missing | {name for name, is_unsuited in unsuited.items() if is_unsuited}


def has_no_spread(statistic: Influence) -> bool:
    """True if all influence values are 0 up to rounding; strata of a single unit are ignored."""
    variances = (0.0 if math.isnan(part.variance) else part.variance for part in parts(statistic))
    # A maximum of differences of shares may be 0 where they round as 1 does.
    return is_degenerate(1.0 if isinstance(statistic, Maximum) else statistic.value, math.sqrt(sum(variances)))


def single_unit_limits(statistic: Influence) -> Limits | None:
    """Undefined limits if some stratum has a single unit, otherwise None."""
    if 1 not in statistic.sizes:
        return None
    where = "" if len(statistic.sizes) == 1 else " in its stratum"
    return Limits.undefined(f"{plural(1, statistic.unit)} alone{where} has no variance")


def _overflows(statistic: Influence) -> bool:
    """True if squares of influence values overflow, or underflow to 0."""
    if any(map(math.isinf, statistic.variances)):
        return True
    if min(statistic.variances, default=1.0) > LEAST_VARIANCE or statistic.influence is None:
        return False
    if isinstance(statistic, Maximum) and statistic.tails is not None:
        return False
    largest = (max(values.max(initial=0.0), -values.min(initial=0.0)) for values in statistic.influence())
    return 0 < max(map(float, largest)) < 1 / GREATEST


def _guarded(method: IntervalFunction, statistic: Influence, request: Request) -> Limits:
    """Apply a method, after the cases in which the units have no spread."""
    if statistic.unknown:
        return Limits.undefined(statistic.unknown)
    if not math.isfinite(statistic.value):
        return Limits.undefined("the value is infinite")
    if _varying_mean_under_root(statistic) is not None:
        return method(statistic, request).clip(request.bounds)
    if _overflows(statistic):
        return Limits.undefined(OUT_OF_RANGE)
    if method is score_profile or not has_no_spread(statistic):
        limits = single_unit_limits(statistic) or method(statistic, request).clip(request.bounds)
        return limits if statistic.caution is None else limits.noting(statistic.caution())
    if statistic.exact is None:
        return single_unit_limits(statistic) or Limits.undefined(NO_SPREAD)
    low, high = statistic.exact(request.tail)
    reason = EXACT if statistic.caution is None else statistic.caution()
    return Limits(low, high, reason, DISTRIBUTION_FREE).clip(request.bounds)


label(DISTRIBUTION_FREE, "exact limits for every distribution")
declare_form(
    Influence,
    Form(
        "a statistic with influence values",
        "influence-logit",
        standard_error,
        choose=default,
        unavailable=unavailable,
        guard=_guarded,
        measured="coverage-regression.md",
    ),
)
