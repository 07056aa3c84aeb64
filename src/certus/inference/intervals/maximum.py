"""Intervals for a value that is a maximum over thresholds, and therefore too high on average."""

import math

from certus.inference.interval import Limits, Request
from certus.inference.intervals import scale
from certus.statistic.influence import Maximum

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


def bias_aware(statistic: Maximum, request: Request, error: float, quantile: float) -> Limits:
    """Limits about the value less its bias, most of which counts as an error too; the value always belongs to them.

    The bias is twice the mean excess of 20 to 200 seeded bootstrap replicates over the value, see `PART`. Limits are
    taken on the logit scale up to the level at which the lower one as it is reaches its bound; from there on it is the
    bound, and the upper one goes on as it is from where the logit scale has left it, so that intervals are nested. A
    value that grows with the square of what makes it has there the upper limit of its root at least.
    """
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
