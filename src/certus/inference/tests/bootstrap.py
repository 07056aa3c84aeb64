"""The bootstrap test of a difference, and the interval from the same draws."""

import math

import numpy as np

from certus.arrays import Floats
from certus.inference.interval import Limits, Request, Side
from certus.inference.intervals import plugin
from certus.inference.tests.result import Alternative, Found
from certus.inference.tests.search import ROUNDING
from certus.statistic import Plugin
from certus.statistic.common import plural

SAME = 1e-12
"""Replicates nearer to each other than this part of the largest are equal but for rounding."""
HARDLY_DEFINED = "the metric is undefined for half or more of the bootstrap replicates"


def bootstrap_test(statistic: Plugin, alternative: Alternative, request: Request) -> Found:
    """The share of resamples whose difference lies as far from that observed as this does from 0."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return math.nan, math.nan, "", 0.0, HARDLY_DEFINED
    observed = statistic.value
    slack = SAME * max(abs(observed), float(np.abs(drawn).max()))
    shifted = drawn - observed
    if alternative == "two-sided":
        reached = np.abs(shifted) >= abs(observed) - slack
    else:
        reached = shifted >= observed - slack if alternative == "greater" else shifted <= observed + slack
    p = (int(reached.sum()) + 1) / (len(drawn) + 1)
    return p, observed, plural(len(drawn), "resample"), math.sqrt(p * (1 - p) / len(drawn)), ""


def bootstrap_limits(statistic: Plugin, request: Request) -> Limits:
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


def bootstrap_beyond(statistic: Plugin, shift: float, side: Side, request: Request) -> tuple[float, str]:
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
