"""Score-type limits for the areas of many groups of samples at once."""

from collections.abc import Sequence

import numpy as np

from certus import kernels
from certus.inference.interval import ManyLimits, Request
from certus.inference.intervals.scale import SAME
from certus.statistic import UStatistic
from certus.statistic.ustatistics import UStatistics

__all__ = ["score_delongs"]


def score_delongs(statistics: Sequence[UStatistic], request: Request, _exact: bool = False) -> ManyLimits:
    """The limits of `score_delong` of each, of statistics in columns.

    They are not known where the value is undefined, the units show no spread, or the limit is that of independent
    pairs.
    """
    if not isinstance(statistics, UStatistics):
        return ManyLimits.unknown(len(statistics))
    least, greatest = statistics.span
    width = greatest - least
    with np.errstate(all="ignore"):
        area, variances = (statistics.values - least) / width, statistics.variances / width**2
        low, high, far = kernels.score_limits_of_parts(
            area, statistics.sizes, variances, statistics.losses, request.tail
        )
        spread = np.sqrt((statistics.variances / statistics.sizes).sum(1)) > SAME * np.abs(statistics.values)
        low, high = (np.clip(each, *request.bounds) for each in (least + width * low, greatest - width * (1 - high)))
    n = len(statistics)
    return ManyLimits(low, high, spread & ~far, ["score-delong"] * n, [""] * n)
