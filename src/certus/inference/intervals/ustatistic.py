"""Intervals for a U-statistic of two samples: the probability that a pair of them is in the right order, as the AUC.

The value may be an affine image of that probability (Gini is 2 AUC - 1): `UStatistic.span` says of which range, and
every method gives the image of its limits for the probability.
"""

import dataclasses
import math

from certus.inference.declare import IntervalFunction, form, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import influence, scale
from certus.inference.intervals.bounded import constant_limits
from certus.inference.intervals.score_delong import score_delong, score_delongs
from certus.inference.special import normal_quantile
from certus.statistic import UStatistic
from certus.statistic.common import plural

ROUNDING = 1e-9

interval(
    "score-delong",
    UStatistic,
    label="DeLong score",
    aliases=("delong-score",),
    source="Hanley & McNeil (1982), Radiology 143(1):29-36, doi:10.1148/radiology.143.1.7063747; Newcombe "
    "(2006), Statistics in Medicine 25(4):559-573, doi:10.1002/sim.2324, for a variance at the limit; "
    "DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595; Hoeffding "
    "(1963), JASA 58(301):13-30, doi:10.1080/01621459.1963.10500830, section 5, for averages over pairings",
)(score_delong)


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
    return scale.around(statistic.value, half_width, statistic.span)


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
    """``A +- z SE`` with the standard error that A has when scores are exponential, see `hanley_mcneil_error`."""
    return Limits.around(statistic.value, -normal_quantile(request.tail) * hanley_mcneil_error(statistic))


def hanley_mcneil_error(statistic: UStatistic) -> float:
    """``sqrt((A(1 - A) + (m - 1)(Q1 - A^2) + (n - 1)(Q2 - A^2)) / (m n))``, Q1 = A/(2 - A), Q2 = 2A^2/(1 + A)."""
    least, greatest = statistic.span
    a = (statistic.value - least) / (greatest - least)
    positives, negatives = (part.size for part in influence.parts(statistic))
    # Q1 - A^2 = A (1 - A)^2 / (2 - A) and Q2 - A^2 = A^2 (1 - A) / (1 + A), free of cancellation.
    pairs = 1 + (positives - 1) * (1 - a) / (2 - a) + (negatives - 1) * a / (1 + a)
    return abs(greatest - least) * math.sqrt(a * (1 - a) * pairs / (positives * negatives))


def alike_limits(statistic: UStatistic, request: Request) -> Limits:
    """Limits where all pairs of a positive and a negative are ordered alike, so that no variance can be estimated.

    ``k = min(m, n)`` pairs that share no unit are independent, and all of them came out alike. Were the probability of
    that outcome less than ``tail^(1/k)``, this would have happened with probability less than `tail`, whatever the two
    distributions are. So with all pairs in the right order the limits are ``tail^(1/k)`` and 1, which are those of
    Clopper and Pearson for k successes in k trials; with all pairs tied they lie ``(1 - tail^(1/k)) / 2`` to either
    side of 1/2. No narrower limit holds for every pair of distributions: if all negatives are equal and a positive is
    above them with probability A, all m positives are so with probability A^m, and with the roles exchanged with A^n.
    """
    pairs = max(1, int(min(part.size for part in influence.parts(statistic)) + ROUNDING))
    limits = constant_limits(statistic.value, pairs, dataclasses.replace(request, bounds=statistic.span))
    outcome = dict(zip(statistic.span, ("wrongly ordered", "rightly ordered"), strict=True)).get(
        statistic.value, "tied"
    )
    alike = f"every positive and negative are {outcome}"
    kind = "exact limits" if statistic.masses is None and statistic.spreads is None else "limits as"
    share = "shares" if pairs == 1 else "share"
    return limits._replace(reason=f"{alike}: {kind} from {plural(pairs, 'pair')} that {share} no {statistic.unit}")


def _guarded(method: IntervalFunction, statistic: UStatistic, request: Request) -> Limits:
    """The method, with the cases taken out in which the units show no spread."""
    if influence.no_spread(statistic):
        return alike_limits(statistic, request).within(request.bounds)
    alone = None if method is hanley_mcneil else influence.alone(statistic)
    return alone or method(statistic, request).within(request.bounds)


interval("percentile", UStatistic)(influence.percentile)
interval("bca", UStatistic)(influence.bca)
form(
    UStatistic,
    "a U-statistic",
    "score-delong",
    influence.standard_error,
    unavailable=influence.unavailable,
    guard=_guarded,
    measured="coverage-classification.md",
    together=score_delongs,
)
