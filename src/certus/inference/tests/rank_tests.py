"""Tests of signs and ranks of paired differences, each with the interval that inverts it."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from certus.core.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.special import binomial_at_least
from certus.inference.tests.declare import difference_test
from certus.inference.tests.means import EQUAL, Sample, flipped_p
from certus.inference.tests.result import Alternative, Outcome
from certus.inference.tests.search import ROUNDING, passing
from certus.inference.tests.signflip import sign_flip
from certus.statistic.common import plural


def _signed_ranks(values: Floats) -> Floats:
    values = values[values != 0]
    _, codes, times = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    return np.asarray(np.sign(values) * (np.cumsum(times) - (times - 1) / 2)[codes])


def _walsh_limits(sample: Sample, request: Request) -> Limits:
    def p(values: Floats) -> float:
        return sign_flip(_signed_ranks(values)).p

    return _limits_by_search(
        sample, request, p, "limits of the pseudomedian, the median of the means of two differences"
    )


@difference_test(
    "wilcoxon",
    Sample,
    label="Wilcoxon signed ranks",
    interval="walsh",
    interval_label="Walsh averages",
    inverted=_walsh_limits,
    note="those of the pseudomedian, by Walsh averages: not of the mean",
    null="the differences are symmetric around 0",
    guarantee="exact",
    aliases=("signed-rank",),
    source="Wilcoxon (1945), Biometrics Bulletin 1(6):80-83, doi:10.2307/3001968",
)
def _wilcoxon(sample: Sample, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    ranks = _signed_ranks(_shifted(sample.sums, shift))
    p, method_note, error = flipped_p(ranks, alternative, lambda side: sign_flip(side * ranks))
    return p, float(ranks[ranks > 0].sum()), method_note, error, ""


def _median_limits(sample: Sample, request: Request) -> Limits:
    def p(values: Floats) -> float:
        wins, losses = int((values > 0).sum()), int((values < 0).sum())
        return binomial_at_least(wins, wins + losses, 0.5)

    return _limits_by_search(sample, request, p, "limits of the median difference")


@difference_test(
    "sign",
    Sample,
    label="sign test",
    interval="order-statistics",
    inverted=_median_limits,
    note="those of the median difference: not of the mean",
    null="the system is as often above as below",
    guarantee="exact",
)
def _sign(sample: Sample, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    shifted = _shifted(sample.sums, shift)
    wins, losses = int((shifted > 0).sum()), int((shifted < 0).sum())
    n = wins + losses
    tails = {"greater": binomial_at_least(wins, n, 0.5), "less": binomial_at_least(losses, n, 0.5)}
    p = min(2 * min(tails.values()), 1.0) if alternative == "two-sided" else tails[alternative]
    return p, float(wins), "binomial", 0.0, ""


def _limits_by_search(sample: Sample, request: Request, p: Callable[[Floats], float], reason: str) -> Limits:
    """Both limits by inverting a test of ranks or signs, whose p-value is the least where all differences are above."""
    if request.tail * (1 + ROUNDING) < 2.0**-sample.n:
        least_p = f"no p-value of {plural(sample.n, sample.unit)} is below {2.0**-sample.n:.3g} on either side"
        return Limits(-math.inf, math.inf, f"{reason}; {least_p}")

    def p_of_shift(values: Floats, shift: float) -> float:
        return p(_shifted(values, shift))

    limits = []
    for values in (sample.sums, -sample.sums):
        spread = float(np.ptp(values)) or float(np.abs(values).max())
        limits.append(
            passing(
                partial(p_of_shift, values),
                request.tail,
                float(values.min()) - spread,
                float(values.max()) + spread,
                float(np.median(values)) - spread / math.sqrt(sample.n),
                spread / math.sqrt(sample.n),
            )
        )
    low, high = limits[0], -limits[1]
    if low > high:  # at most one value is left, which both ends miss by a step of the search
        low = high = min(max((low + high) / 2, float(sample.sums.min())), float(sample.sums.max()))
    return Limits(low, high, reason)


def _shifted(values: Floats, shift: float) -> Floats:
    shifted = values - shift
    return np.where(np.abs(shifted) <= EQUAL * np.abs(values), 0.0, shifted)
