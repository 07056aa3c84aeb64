"""Intervals for the probability that a pair of units, one from each of two samples, is in the right order (AUC).

The value may be an affine image of that probability (Gini is 2 AUC - 1): `UStatistic.span` says of which range, and
every method gives the image of its limits for the probability.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.inference.declare import Form, IntervalFunction, declare_form, interval
from certus.inference.interval import ERROR_ROUNDING, Limits, ManyLimits, Request
from certus.inference.intervals import influence
from certus.inference.intervals.bounded import constant_limits
from certus.inference.special import beta_upper_quantile, normal_quantile
from certus.statistic import UStatistic
from certus.statistic.common import plural
from certus.statistic.influence import UStatistics

QUARTILE = 0.75
"""The loss at this quantile is what many units lose, by ties; losses beyond it are rare ones."""
ROUNDING = 1e-9

Pair = tuple[float, float]
Losses = Sequence[tuple[float, float, float]]


@interval(
    "score-delong",
    UStatistic,
    label="DeLong score",
    aliases=("delong-score",),
    source="Hanley & McNeil (1982), Radiology 143(1):29-36, doi:10.1148/radiology.143.1.7063747; Newcombe "
    "(2006), Statistics in Medicine 25(4):559-573, doi:10.1002/sim.2324, for a variance at the limit; "
    "DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595; Hoeffding "
    "(1963), JASA 58(301):13-30, doi:10.1080/01621459.1963.10500830, section 5, for averages over pairings",
)
def score_delong(statistic: UStatistic, request: Request) -> Limits:
    """The probabilities p with ``|A - p| <= t sqrt(C g(p))``, ``g(p) = p (1 - p) M / (1 + M)``, ``M = max(p, 1 - p)``.

    The variance depends on p, as in Wilson's interval: one that is estimated where hardly a pair is in the wrong order
    is about as random as A itself. ``g(p) / m`` is what the m positives add to the variance of Hanley and McNeil, where
    theirs is the sample that adds more, and it is taken for both samples. Each part is multiplied by a ratio r, its
    variance by DeLong over that by the model, where that can be told::

        C = r_1 / m + r_2 / n,  r = w d + (1 - w) max(d, 1 + 1 / k),  w = k / (k + 7)

    with d the ratio of the variances at A, and k the number of units that lose pairs: ``(sum l)^2 / sum l^2``, l the
    part of the other sample that a unit loses against (wins against, for A < 1/2), in the sample where it is less. The
    quantile has Satterthwaite's degrees of freedom for the part of C that is estimated.

    The limit that is nearer to 1/2 is at least as far as with all pairs in the right order, for k up to 3; beyond, the
    distance is divided by k / 3; the same holds of what units lose beyond the loss that a quarter of them exceed, since
    ties may cost many units a little each. Where all units of a sample lose about as much, or evenly from none to twice
    that, the limit allows for the share of units that are drawn as the other sample's are, lose half the pairs, and may
    all be missing with probability `tail`. It is no farther than Clopper and Pearson's limit of A as a share of as many
    trials as the smaller sample has units.
    """
    lower_bound, upper_bound = statistic.span
    width = upper_bound - lower_bound
    area = (statistic.value - lower_bound) / width
    if not 0 < area < 1:
        # Rounding alone made the value that of a perfect order.
        return Limits.around(statistic.value, 0.0)
    if statistic.masses is None and statistic.spreads is None:
        units = [(float(n), v / width**2, n - 1.0) for n, v in zip(statistic.sizes, statistic.variances, strict=True)]
    else:
        parts = influence.parts(statistic)
        units = [(part.size, part.variance * part.size / width**2, part.freedom) for part in parts]
    (m, v, f), (n, w, g) = units
    samples = (m, n), (v, w), (f, g)
    low, high = _area_limits(area, samples, lambda: _losses(statistic), request.tail)
    if area == 0.5:  # either order of the samples is as good as the other
        exchanged = (n, m), (w, v), (g, f)
        mirrored = _area_limits(area, exchanged, lambda: _losses(statistic, exchanged=True)[::-1], request.tail)
        low, high = min(low, 1 - mirrored[1]), max(high, 1 - mirrored[0])
    return Limits(lower_bound + width * low, upper_bound - width * (1 - high))


def _area_limits(area: float, samples: tuple[Pair, Pair, Pair], losses: Callable[[], Losses], tail: float) -> Pair:
    """Score limits of an area, from both samples' sizes, variances and degrees of freedom; `losses` only if needed."""
    # Most limits do not depend on what single units lose.
    limits = kernels.score_limits(area, *samples, None, tail) or kernels.score_limits(area, *samples, losses(), tail)
    low, high, is_far = limits or (math.nan, math.nan, False)
    if not is_far:
        return low, high
    pairs, lost = min(samples[0]), min(area, 1 - area)
    independent = beta_upper_quantile(tail, pairs * lost + 1, pairs * (1 - lost))
    return (max(low, 1 - independent), high) if area >= 0.5 else (low, min(high, independent))


def _losses(statistic: UStatistic, *, exchanged: bool = False) -> Losses:
    """Loss of area without single units, by sample (exchanged for the upper limit); empty if unknown."""
    if statistic.losses is not None and not exchanged:
        return statistic.losses()
    if statistic.influence is None:
        return ()
    lower_bound, upper_bound = statistic.span
    sign = -1.0 if (statistic.value - lower_bound >= (upper_bound - lower_bound) / 2) is not exchanged else 1.0
    return [losses_of(sign * values / (upper_bound - lower_bound)) for values in statistic.influence()]


def losses_of(losses: Floats) -> tuple[float, float, float]:
    """Number of units in the upper quarter of losses, their mean excess over its limit, and the greatest loss."""
    excess = np.maximum(losses - np.quantile(losses, QUARTILE), 0.0)
    squares = float(product(excess, excess))
    units = max(1.0, float(excess.sum()) ** 2 / squares) if squares > 0 else 1.0
    return units, float(excess.mean()), float(losses.max())


def limits_of_many(statistics: UStatistics, request: Request) -> ManyLimits:
    """Limits of `score_delong` for many statistics at once."""
    lower_bound, upper_bound = statistics.span
    width = upper_bound - lower_bound
    with np.errstate(all="ignore"):
        area, variances = (statistics.values - lower_bound) / width, statistics.variances / width**2
        low, high, is_far = kernels.score_limits_of_parts(
            area, statistics.sizes, variances, statistics.losses, request.tail
        )
        errors = np.sqrt((statistics.variances / statistics.sizes).sum(1))
        has_spread = errors > ERROR_ROUNDING * np.abs(statistics.values)
        low = np.clip(lower_bound + width * low, *request.bounds)
        high = np.clip(upper_bound - width * (1 - high), *request.bounds)
    n = len(statistics)
    # An area of 1/2 is looked at from both sides, by `score_delong`.
    return ManyLimits(low, high, has_spread & ~is_far & (area != 0.5), ["score-delong"] * n, [""] * n)


@interval(
    "logit-delong",
    UStatistic,
    label="logit DeLong",
    aliases=("delong-logit",),
    source="DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595, for the "
    "standard error; Pepe (2003), The Statistical Evaluation of Medical Tests for Classification and "
    "Prediction, section 5.2.5, for the logit",
)
def logit_delong(statistic: UStatistic, request: Request) -> Limits:
    """``logit(A) +- t SE / (A (1 - A))`` with DeLong's standard error and Satterthwaite's degrees of freedom."""
    half_width = influence.quantile(statistic, request) * influence.standard_error(statistic)
    return Limits.on_scale(statistic.value, half_width, statistic.span)


@interval(
    "delong",
    UStatistic,
    label="DeLong",
    source="DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595",
)
def delong(statistic: UStatistic, request: Request) -> Limits:
    """``A +- z SE`` with DeLong's standard error: too short for few positives or negatives and for A near 1."""
    return Limits.around(statistic.value, -normal_quantile(request.tail) * influence.standard_error(statistic))


@interval(
    "hanley-mcneil",
    UStatistic,
    label="Hanley-McNeil",
    aliases=("hanley",),
    source="Hanley & McNeil (1982), Radiology 143(1):29-36, doi:10.1148/radiology.143.1.7063747",
)
def hanley_mcneil(statistic: UStatistic, request: Request) -> Limits:
    """``A +- z SE`` with the standard error for exponential scores, see `hanley_mcneil_error`."""
    return Limits.around(statistic.value, -normal_quantile(request.tail) * hanley_mcneil_error(statistic))


def hanley_mcneil_error(statistic: UStatistic) -> float:
    """``sqrt((A(1 - A) + (m - 1)(Q1 - A^2) + (n - 1)(Q2 - A^2)) / (m n))``, Q1 = A/(2 - A), Q2 = 2A^2/(1 + A)."""
    lower_bound, upper_bound = statistic.span
    a = (statistic.value - lower_bound) / (upper_bound - lower_bound)
    positives, negatives = (part.size for part in influence.parts(statistic))
    # Q1 - A^2 = A (1 - A)^2 / (2 - A) and Q2 - A^2 = A^2 (1 - A) / (1 + A), free of cancellation.
    pairs = 1 + (positives - 1) * (1 - a) / (2 - a) + (negatives - 1) * a / (1 + a)
    return abs(upper_bound - lower_bound) * math.sqrt(a * (1 - a) * pairs / (positives * negatives))


def _constant_order_limits(statistic: UStatistic, request: Request) -> Limits:
    """Clopper-Pearson limits from min(m, n) disjoint pairs, if all pairs are ordered alike or all are tied."""
    # k = min(m, n) pairs that share no unit are independent, and all have one outcome. Were its probability less than
    # tail^(1/k), this would have happened with probability less than `tail`, whatever the two distributions are. No
    # narrower limit holds for every pair of distributions.
    pairs = max(1, int(min(part.size for part in influence.parts(statistic)) + ROUNDING))
    limits = constant_limits(statistic.value, pairs, replace(request, bounds=statistic.span))
    outcomes = dict(zip(statistic.span, ("rank below", "rank above"), strict=True))
    outcome = f"all positives {outcomes.get(statistic.value, 'are tied with')} all negatives"
    kind = "exact, from" if statistic.masses is None and statistic.spreads is None else "as from"
    share = "shares" if pairs == 1 else "share"
    source = f"{plural(pairs, 'pair')} that {share} no {statistic.unit}"
    return limits._replace(reason=f"{outcome}; the limits are {kind} {source}")


def _guarded(method: IntervalFunction, statistic: UStatistic, request: Request) -> Limits:
    """Apply a method, after the cases in which the units have no spread."""
    if influence.has_no_spread(statistic):
        return _constant_order_limits(statistic, request).clip(request.bounds)
    undefined = None if method is hanley_mcneil else influence.single_unit_limits(statistic)
    return undefined or method(statistic, request).clip(request.bounds)


interval("percentile", UStatistic)(influence.percentile)
interval("bca", UStatistic)(influence.bca)
declare_form(
    UStatistic,
    Form(
        "a U-statistic",
        "score-delong",
        influence.standard_error,
        unavailable=influence.unavailable,
        guard=_guarded,
        measured="coverage-classification.md",
    ),
)
