"""Tests of a mean difference whose limits hold for every number of units: of shares, and of bounded values."""

import math

import numpy as np

from certus.inference.bisection import first_true
from certus.inference.interval import Limits, Request
from certus.inference.tests.betting import LEAST_UNITS, UNIT_RANGE, Bets, assumed_range, bets
from certus.inference.tests.declare import difference_test
from certus.inference.tests.mcnemar import mcnemar_test
from certus.inference.tests.means import Sample
from certus.inference.tests.paired_shares import exact_beyond, exact_limits, mid_p_beyond, mid_p_interval
from certus.inference.tests.result import Alternative, Found, of_difference
from certus.statistic.common import Bounds, plural

GUARANTEED = ("mcnemar", "betting")
"""Tests whose limits hold for every number of units."""
NEAR = 1e-6
UNSTATED = (
    "which was taken as all observed lie there",
    "which was guessed from those observed",
    f"a margin needs at least {LEAST_UNITS} without a known range",
)
"""Ends of the remark on limits that rest on a range nobody stated: taken by rule, guessed, or not to be guessed."""


def _exact_limits(sample: Sample, request: Request) -> Limits:
    return exact_limits(*sample.signs, sample.n, request.tail)


@difference_test(
    "mcnemar",
    Sample,
    label="exact McNemar test",
    interval="exact-paired",
    interval_label="exact limits of paired shares",
    inverted=_exact_limits,
    note="the differences that an exact test of the discordant units does not reject (Buehler), whatever the number of "
    "units; with more than 100 discordant units, and more than 100 without a loss, Tango's score limits, and of more "
    "than 1,000 units nearly all of which are losses the sum of two exact limits",
    null="either system alone is right as often as the other; of values that are all 0 or 1",
    assumes="units that count alike",
    guarantee="exact",
    aliases=("exact", "mcnemar-exact"),
    source="McNemar (1947), Psychometrika 12(2):153-157, doi:10.1007/BF02295996; Buehler (1957), JASA 52(280):482-493, "
    "doi:10.1080/01621459.1957.10501404, for the limits",
    any_number=True,
)
def _mcnemar(sample: Sample, alternative: Alternative, request: Request, shift: float = 0.0) -> Found:
    if shift == 0 or alternative == "two-sided":
        return mcnemar_test(sample.signs, "mcnemar", alternative)
    p, how = exact_beyond(*sample.signs, sample.n, shift, alternative, request)
    return p, float(sample.signs[0] - sample.signs[1]), how, 0.0, ""


def _mid_p_limits(sample: Sample, request: Request) -> Limits:
    return mid_p_interval(*sample.signs, sample.n).limits(request)


@difference_test(
    "mid-p",
    Sample,
    label="mid-P McNemar test",
    interval="tango",
    inverted=_mid_p_limits,
    null="either system alone is right as often as the other; of values that are all 0 or 1",
    assumes="units that count alike",
    aliases=("midp", "mcnemar-mid-p"),
    source="Fagerland, Lydersen & Laake (2013), BMC Med. Res. Methodol. 13:91, doi:10.1186/1471-2288-13-91",
    any_number=True,
)
def _mid_p(sample: Sample, alternative: Alternative, request: Request, shift: float = 0.0) -> Found:
    if shift == 0 or alternative == "two-sided":
        return mcnemar_test(sample.signs, "mid-p", alternative)
    p, how = mid_p_beyond(*sample.signs, sample.n, shift, alternative, request)
    return p, float(sample.signs[0] - sample.signs[1]), how, 0.0, ""


def _known(request: Request) -> bool:
    return math.isfinite(request.bounds[1] - request.bounds[0])


def _assumed(sample: Sample) -> Bounds:
    return sample.values or assumed_range(sample.sums / sample.sizes)


def _range(sample: Sample, request: Request) -> Bounds:
    """Bounds of a difference: the known ones, or those of the values assumed."""
    return request.bounds if _known(request) else of_difference(_assumed(sample))


def too_few(sample: Sample, request: Request) -> str:
    """Reason why no limits hold: a range would have to be guessed from few units; empty where there are some."""
    units = float(np.sum((sample.sizes / sample.sizes.max()) ** 2))
    if _known(request) or _assumed(sample) == UNIT_RANGE or units >= LEAST_UNITS * (1 - NEAR):
        return ""
    uneven = "" if units > sample.n - NEAR else f" of unequal size, which count like {units:.3g},"
    return f"{plural(sample.n, sample.unit)}{uneven} are too few: {UNSTATED[2]}"


def assumption(sample: Sample, request: Request) -> str:
    """The range that the limits depend on where bounds are not known; empty where they are."""
    if _known(request):
        return ""
    what, (low, high) = ("values", sample.values) if sample.values else ("differences", _range(sample, request))
    taken = UNSTATED[_assumed(sample) != UNIT_RANGE]
    return f"holds if {what} stay within [{low:.6g}, {high:.6g}], {taken}"


def _side(sample: Sample, request: Request, sign: float) -> tuple[Bets, float]:
    low, high = _range(sample, request)
    return bets(sign * sample.sums, sample.sizes), low if sign > 0 else -high


def _betting_limits(sample: Sample, request: Request) -> Limits:
    reason = too_few(sample, request)
    if reason:
        return Limits(-math.inf, math.inf, reason)
    low, high = (
        each.lower(request.tail, bound) for each, bound in (_side(sample, request, sign) for sign in (1.0, -1.0))
    )
    return Limits(low, -high, assumption(sample, request))


@difference_test(
    "betting",
    Sample,
    label="betting test",
    interval="betting",
    interval_label="bets on bounded values",
    inverted=_betting_limits,
    note="the means against which bets do not win 40 times the stake: they hold whatever the number of units and the "
    "distribution, for values between known bounds",
    clusters=True,
    null="the mean difference is 0",
    assumes="values between the bounds of the metric, or those stated",
    guarantee="bounded",
    aliases=("bets", "bounded"),
    source="Waudby-Smith & Ramdas (2024), JRSSB 86(1):1-27, doi:10.1093/jrsssb/qkad009",
    any_number=True,
)
def _betting(sample: Sample, alternative: Alternative, request: Request, shift: float = 0.0) -> Found:
    if too_few(sample, request):
        return 1.0, sample.mean, "too few units without a known range", 0.0, ""
    tails = []
    for sign in {"greater": (1.0,), "less": (-1.0,)}.get(alternative, (1.0, -1.0)):
        side, bound = _side(sample, request, sign)
        tails.append(side.p(sign * shift, bound))
    return min(min(tails) * len(tails), 1.0), sample.mean, "bets", 0.0, ""


def equal_units_needed(n: int, loss: float, margin: float, tail: float) -> int:
    """The number of equal units after which the loss is less than the margin, where n leave one of up to `loss`."""

    def most(units: int, exact: bool) -> float:
        if exact:
            return -exact_limits(0, 0, units, tail).low
        return -bets(np.zeros(units), np.ones(units)).lower(tail, -1.0)

    exact = abs(most(n, True) - loss) <= NEAR * loss
    scale = loss / most(n, exact)
    high = 2 * n
    while scale * most(high, exact) >= margin:
        high *= 2
    return first_true(lambda units: scale * most(units, exact) < margin, 0, high)
