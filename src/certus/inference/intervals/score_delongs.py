"""Score-type limits for the areas of many groups of samples at once."""

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.inference.interval import Request
from certus.inference.intervals.scale import SAME
from certus.statistic.ustatistics import UStatistics

__all__ = ["score_delongs"]


def score_delongs(statistics: UStatistics, request: Request) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The limits of `score_delong` of each, and where they are.

    They are not where the value is undefined, the units show no spread, or the limit is that of independent pairs.
    """
    least, greatest = statistics.span
    width = greatest - least
    with np.errstate(all="ignore"):
        area, variances = (statistics.values - least) / width, statistics.variances / width**2
        low, high, far = kernels.score_limits_of_parts(
            area, statistics.sizes, variances, statistics.losses, request.tail
        )
        spread = np.sqrt((statistics.variances / statistics.sizes).sum(1)) > SAME * np.abs(statistics.values)
        low, high = (np.clip(each, *request.bounds) for each in (least + width * low, greatest - width * (1 - high)))
    return low, high, spread & ~far
