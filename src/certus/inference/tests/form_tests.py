"""The tests of pairs that have more than a value per unit, each with the interval that inverts it."""

import math
from functools import partial

import numpy as np

from certus.arrays import Floats
from certus.errors import CertusError, keyword
from certus.inference.declare import label
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals import plugin
from certus.inference.intervals.student import SAME, no_spread
from certus.inference.tests import exchange
from certus.inference.tests.declare import difference_test
from certus.inference.tests.mcnemar import mcnemar_score, mcnemar_test, tango_interval
from certus.inference.tests.paired_shares import exact_interval, mid_p_interval
from certus.inference.tests.pairs import (
    Asked,
    InfluencePair,
    Pair,
    PluginPair,
    RatioPair,
    TablePair,
    TwoSamples,
)
from certus.inference.tests.result import Alternative, Found
from certus.inference.tests.search import ROUNDING
from certus.inference.tests.two_proportions import score_beyond, score_limits, score_test
from certus.statistic import Plugin
from certus.statistic.common import plural

SAME_DRAWS = 1e-12
"""Replicates nearer to each other than this part of the largest are equal but for rounding."""
HARDLY_DEFINED = "the metric is undefined for half or more of the bootstrap replicates"
Outcome = tuple[Found, OwnInterval]
"""What a test found, and the interval that belongs to it."""


def _no_interval(_request: Request) -> Limits:
    return Limits.undefined("no interval inverts this permutation test; the t test has one")


NOT_INVERTED = OwnInterval("none", _no_interval)
label("none", "no interval")


@difference_test("mcnemar", TablePair, interval="exact-paired", guarantee="exact", aliases=("exact", "mcnemar-exact"))
def _mcnemar(pair: TablePair, asked: Asked) -> Outcome:
    above, below, n = _shares(pair)
    return mcnemar_test((above, below), "mcnemar", asked.alternative), exact_interval(above, below, n)


@difference_test(
    "bootstrap",
    PluginPair,
    label="bootstrap test",
    interval="bootstrap",
    interval_label="bootstrap test inverted",
    null="the difference is 0",
    assumes="the sample looks like the population",
    note="the differences as far from the value as the same draws lie from it",
)
def _bootstrap(pair: PluginPair, asked: Asked) -> Outcome:
    own = OwnInterval(
        "bootstrap", partial(_bootstrap_limits, pair.statistic), partial(_bootstrap_beyond, pair.statistic)
    )
    return _bootstrap_test(pair.statistic, asked.alternative, asked.request), own


def _bootstrap_test(statistic: Plugin, alternative: Alternative, request: Request) -> Found:
    """The share of resamples whose difference lies as far from that observed as this does from 0."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return math.nan, math.nan, "", 0.0, HARDLY_DEFINED
    observed = statistic.value
    slack = SAME_DRAWS * max(abs(observed), float(np.abs(drawn).max()))
    shifted = drawn - observed
    if alternative == "two-sided":
        reached = np.abs(shifted) >= abs(observed) - slack
    else:
        reached = shifted >= observed - slack if alternative == "greater" else shifted <= observed + slack
    p = (int(reached.sum()) + 1) / (len(drawn) + 1)
    return p, observed, plural(len(drawn), "resample"), math.sqrt(p * (1 - p) / len(drawn)), ""


def _bootstrap_limits(statistic: Plugin, request: Request) -> Limits:
    """The differences that the same draws do not reject: as far from the value as the draws lie from it."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return Limits.undefined(HARDLY_DEFINED)
    shifted = np.sort(drawn - statistic.value)
    place = math.floor((1 - request.level) * (1 + ROUNDING) * (len(drawn) + 1))
    if place < 1:
        return Limits(-math.inf, math.inf, f"{len(drawn)} resamples are too few for this level").within(request.bounds)
    if request.side == "two-sided":
        off = float(np.sort(np.abs(shifted))[-place])
        return Limits.around(statistic.value, off).within(request.bounds)
    return Limits(statistic.value - float(shifted[-place]), statistic.value - float(shifted[place - 1])).within(
        request.bounds
    )


def _bootstrap_beyond(statistic: Plugin, shift: float, side: Side, request: Request) -> tuple[float, str]:
    """Half the share of draws that lie as far from the value as the shift: the limits of two sides look both ways."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return math.nan, HARDLY_DEFINED
    value = statistic.value
    distance = value - shift if side == "greater" else shift - value
    reached = int((np.abs(drawn - value) >= distance).sum())
    return ((reached + 1) / (len(drawn) + 1) / 2 if distance > 0 else 1.0), plural(len(drawn), "resample")


def _kept(statistic: Plugin, request: Request) -> Floats | None:
    """The replicates that have a value; None where these are few."""
    drawn = plugin.replicates(statistic, request)
    drawn = drawn[~np.isnan(drawn)]
    return None if 2 * len(drawn) <= request.replicates else drawn


@difference_test(
    "score",
    TwoSamples,
    label="score test",
    interval="score",
    interval_label="score test inverted",
    null="the two shares are equal",
    assumes="independent samples",
    note="the differences that the score test does not reject",
    source="Mee (1984), Biometrics 40(4):1175-1176; Miettinen & Nurminen (1985), Stat. Med. 4(2):213-226, "
    "doi:10.1002/sim.4780040211, for the probabilities under a difference",
)
def _score(pair: TwoSamples, asked: Asked) -> Outcome:
    counts = pair.proportions
    if counts is None:  # not offered then
        raise CertusError("the score test is for two proportions")
    own = OwnInterval("score", partial(score_limits, *counts), partial(score_beyond, *counts))
    return score_test(*counts, asked.alternative), own


@difference_test("t", InfluencePair, interval="influence", aliases=("student", "delta", "delong", "normal"))
@difference_test("t", PluginPair, interval="jackknife", aliases=("student", "delta", "normal"))
@difference_test("t", RatioPair, interval="influence", aliases=("student", "delta", "normal"))
@difference_test("t", TablePair, interval="delta", aliases=("student", "delta", "normal"))
@difference_test("t", TwoSamples, interval="t", aliases=("student", "welch", "delta", "normal"))
def _t(pair: Pair, asked: Asked) -> Outcome:
    student, statistic = pair.student(asked), pair.statistic
    found: Found = (1.0, 0.0, "no differences", 0.0, "")
    if student.error > SAME * pair.size:
        own = student.own_interval(pair.student_interval, statistic.value)
        return (found if pair.equal else student.test(asked.alternative)), own
    reason = no_spread(statistic, student.error)
    own = OwnInterval(pair.student_interval, partial(_undefined, reason), partial(_no_p, reason))
    equal = pair.equal or (statistic.value == 0 and not (math.isnan(student.error) and statistic.n == 1))
    return (found if equal else (math.nan, math.nan, "", 0.0, reason)), own


@difference_test(
    "permutation",
    RatioPair,
    interval="none",
    guarantee="exact for exchangeable systems",
    aliases=("sign-flip", "randomization"),
)
def _permutation_of_ratios(pair: RatioPair, asked: Asked) -> Outcome:
    return exchange.swap_ratios(pair.a, pair.b, asked.alternative, asked.request), NOT_INVERTED


@difference_test(
    "permutation",
    TablePair,
    interval="none",
    guarantee="exact for exchangeable systems",
    aliases=("sign-flip", "randomization"),
)
def _permutation_of_predictions(pair: TablePair, asked: Asked) -> Outcome:
    if pair.shares is not None:
        # Exchanging predictions changes the sign of a difference of 1, 0 or -1: McNemar's exact test.
        found, own = _mcnemar(pair, asked)
        return (found[0], pair.statistic.value, *found[2:]), own
    if not pair.joint.exchangeable:
        raise CertusError(
            "the tables of a and b have different cells", f"give both the same classes with {keyword('labels')}"
        )
    return exchange.swap_cells(pair.joint, asked.alternative, asked.request), NOT_INVERTED


@difference_test("mid-p", TablePair, interval="tango", aliases=("midp", "mcnemar-mid-p"))
def _mid_p(pair: TablePair, asked: Asked) -> Outcome:
    above, below, n = _shares(pair)
    return mcnemar_test((above, below), "mid-p", asked.alternative), mid_p_interval(above, below, n)


@difference_test("mcnemar-score", TablePair, interval="tango", guarantee="approximate", aliases=("tango",))
def _mcnemar_score(pair: TablePair, asked: Asked) -> Outcome:
    above, below, n = _shares(pair)
    return mcnemar_score(above, below, asked.alternative), tango_interval(above, below, n)


def _shares(pair: TablePair) -> tuple[int, int, int]:
    if pair.shares is None:  # not offered then
        raise CertusError("McNemar's tests are for a difference of shares")
    return pair.shares


def _undefined(reason: str, _request: Request) -> Limits:
    return Limits.undefined(reason)


def _no_p(reason: str, _shift: float, _side: Side, _request: Request) -> tuple[float, str]:
    return math.nan, reason
