"""Intervals for precision, recall or F1 from independent samples of two strata of a finite population."""

import functools
import math
from collections.abc import Collection

from certus.core.errors import CertusError
from certus.inference.declare import Form, declare_form, interval
from certus.inference.finite.hypergeometric import count_limits
from certus.inference.finite.laws import CountDistribution, total_law
from certus.inference.finite.shares import ShareOf, SharePosterior, buehler_lower
from certus.inference.interval import Limits, Request
from certus.statistic.sampled import NamedPrior, Strata, Stratum

SHAPES = {"jeffreys": 0.5, "uniform": 1.0}
"""Both parameters of the beta law that is the prior of a stratum's rate."""
REGION_ERROR_PART = 0.001
"""Part of the error that `berger_boos` spends on the region of the counts."""


def unavailable(statistic: Strata, _bounds: tuple[float, float]) -> Collection[str]:
    """Methods for two strata (Buehler's, Berger and Boos's) if there are other numbers of strata."""
    return () if len(statistic.predicted) == len(statistic.others) == 1 else ("buehler", "berger-boos")


def standard_error(statistic: Strata) -> float:
    """Delta method from ``N^2 (1 - n/N) p (1 - p) / (n - 1)`` of each stratum; NaN if one has no spread."""
    if statistic.reason:
        return math.nan
    variances = [_variance(statistic.predicted), _variance(statistic.others)]
    x, y = (sum(s.total for s in side) for side in (statistic.predicted, statistic.others))
    n_predicted, n_others = (sum(s.size for s in side) for side in (statistic.predicted, statistic.others))
    if statistic.of == "recall":
        slopes = (y / (x + y) ** 2, x / (x + y) ** 2)
    elif statistic.of == "f1":
        total = n_predicted + x + y
        slopes = (2 * (n_predicted + y) / total**2, 2 * x / total**2)
    else:
        slopes = (1 / n_predicted, 0.0) if statistic.of == "precision" else (0.0, 1 / n_others)
    return math.sqrt(sum(slope**2 * variance for slope, variance in zip(slopes, variances, strict=True) if slope))


def _variance(strata: tuple[Stratum, ...]) -> float:
    """Variance of the estimated number of relevant items in the strata."""
    total = 0.0
    for s in strata:
        if s.rest:
            total += s.size * s.rest * s.share * (1 - s.share) / (s.checked - 1) if s.checked > 1 else math.nan
    return total


def posterior_of(statistic: Strata) -> SharePosterior:
    """Posterior distribution of the share."""
    if statistic.of in ("precision", "elusion"):
        side = statistic.predicted if statistic.of == "precision" else statistic.others
        return SharePosterior(
            _law(side, statistic.prior), _law((), statistic.prior), ShareOf(_size(side), of_size=True)
        )
    x, y = _law(statistic.predicted, statistic.prior), _law(statistic.others, statistic.prior)
    if statistic.of == "recall" and x.probability(0) * y.probability(0) == 1:
        raise CertusError("every item was checked and none is relevant, so recall has no posterior")
    return SharePosterior(x, y, _share(statistic), given_any=statistic.of == "recall")


@interval("posterior", Strata, source="Webber (2013), ACM TOIS 31(1):2, doi:10.1145/2414782.2414784")
def posterior(statistic: Strata, request: Request) -> Limits:
    """Equal-tailed limits of the share, from beta-binomial posteriors of the strata's relevant items."""
    low, high = posterior_of(statistic).interval(request.level)
    return Limits(min(low, statistic.value), max(high, statistic.value), _unseen(statistic))


@interval(
    "bonferroni",
    Strata,
    label="Bonferroni exact",
    guarantee="exact",
    source="the limits of Buonaccorsi (1987), Am. Stat. 41(3):215-218, doi:10.1080/00031305.1987.10475484, with "
    "Bonferroni's inequality",
)
def bonferroni(statistic: Strata, request: Request) -> Limits:
    """Range of the share over all counts in the strata's exact hypergeometric intervals at split errors."""
    open_strata = sum(0 < s.checked < s.size for s in statistic.strata)
    tail = request.tail / max(open_strata, 1)
    ranges = []
    for side in (statistic.predicted, statistic.others):
        limits = [count_limits(s.size, s.checked, s.hits, tail) for s in side]
        ranges.append((sum(low for low, _ in limits), sum(high for _, high in limits)))
    (x_low, x_high), (y_low, y_high) = ranges
    if statistic.of == "precision":
        return Limits(x_low / _size(statistic.predicted), x_high / _size(statistic.predicted))
    if statistic.of == "elusion":
        return Limits(y_low / _size(statistic.others), y_high / _size(statistic.others))
    share = _share(statistic)
    if statistic.of == "recall" and x_low == y_high == 0:
        x_low = 1  # where recall is defined there is a relevant item, and none is among the others
    return Limits(float(share.value(x_low, y_high)), float(share.value(x_high, y_low)))


@interval(
    "buehler",
    Strata,
    label="Buehler exact",
    guarantee="exact",
    source="Buehler (1957), JASA 52(280):482-493, doi:10.1080/01621459.1957.10501404",
)
def buehler(statistic: Strata, request: Request) -> Limits:
    """Buehler's exact limits; samples are ordered by their posterior limits for the same share."""
    return _ordered(statistic, request, 0.0)


@interval(
    "berger-boos",
    Strata,
    label="Berger-Boos exact",
    guarantee="exact",
    source="Berger & Boos (1994), JASA 89(427):1012-1016, doi:10.1080/01621459.1994.10476836",
)
def berger_boos(statistic: Strata, request: Request) -> Limits:
    """Buehler's limits over the populations in an exact 99.995 % region, at a level raised by the difference."""
    return _ordered(statistic, request, REGION_ERROR_PART)


def _ordered(statistic: Strata, request: Request, region_part: float) -> Limits:
    """Buehler's limits; `region_part` of the error goes to the region of populations."""
    (predicted,), (other,) = statistic.predicted, statistic.others
    if statistic.of in ("precision", "elusion"):
        s = predicted if statistic.of == "precision" else other
        low, high = count_limits(s.size, s.checked, s.hits, request.tail)
        return Limits(low / s.size, high / s.size)
    share = _share(statistic)
    # The distance of the share from 1, with the two counts in the other order.
    short = share if statistic.of == "recall" else ShareOf(share.size, 1, 1)
    given_any = statistic.of == "recall" or predicted.size == 0
    a, tail = SHAPES[statistic.prior], request.tail
    x, y = buehler_lower(predicted, other, share, a, tail, given_any=given_any, region_error=region_part * tail)
    y_high, x_high = buehler_lower(
        other, predicted, short, a, tail, given_any=given_any, region_error=region_part * tail
    )
    # A limit beyond what the sample leaves possible is moved to that: the true share never lies outside of it.
    smallest = share.value(predicted.hits, other.rest + other.hits)
    largest = share.value(predicted.rest + predicted.hits, other.hits)
    return Limits(
        max(float(share.value(x, y)), float(smallest)), min(float(share.value(x_high, y_high)), float(largest))
    )


def _share(statistic: Strata) -> ShareOf:
    """Share that the statistic measures, as a function of the counts of two strata."""
    return ShareOf() if statistic.of == "recall" else ShareOf(_size(statistic.predicted), 2)


def _size(strata: tuple[Stratum, ...]) -> int:
    """Number of items in the strata."""
    return sum(stratum.size for stratum in strata)


@functools.lru_cache(maxsize=4)
def _law(strata: tuple[Stratum, ...], prior: NamedPrior) -> CountDistribution:
    """Posterior of the number of relevant items in the strata; cached, as an audit asks for several shares."""
    a = SHAPES[prior]
    return total_law([(s.rest, s.hits + a, s.checked - s.hits + a, s.hits) for s in strata])


def _unseen(statistic: Strata) -> str:
    """Remark on strata without a checked item, for which only the prior counts."""
    strata = {"precision": statistic.predicted, "elusion": statistic.others}.get(statistic.of, statistic.strata)
    unseen = sum(s.size for s in strata if s.checked == 0)
    return f"the prior alone determines {unseen} items, none of which was checked" if unseen else ""


declare_form(
    Strata,
    Form("a share of strata", "posterior", standard_error, unavailable=unavailable, measured="audit-two-samples.md"),
)
