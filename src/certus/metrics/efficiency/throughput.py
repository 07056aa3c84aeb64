"""How much is served in a time."""

from typing import Annotated

import numpy as np

from certus.data.timings import UNITS, Timings
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.statistic import Ratio, tally

__all__ = ["throughput"]


@metric(
    "Throughput",
    aliases=("throughput", "queries_per_second", "QPS"),
    bounds=(0.0, float("inf")),
    source="Jain (1991), The Art of Computer Systems Performance Analysis, section 3.3",
    unit="request",
    weighted=False,
)
def throughput(timings: Timings, *, workers: Annotated[int, Between(1)] = 1) -> Ratio:
    """Items served in a second: their number over the total time.

    ::

        throughput = workers * items / sum of the times in seconds

    That is one over the mean time of an item, not the mean of the single rates. The unit of the timings is turned into
    seconds. Where all times are 0 it is undefined.

    Parameters
    ----------
    workers
        How many requests were served side by side, each of whose times was taken by itself.

    Returns
    -------
    Ratio
        Of each request (or group) the items and the time.

    Examples
    --------
    Four requests in 100 ms.

    >>> import certus
    >>> certus.efficiency.throughput([20, 20, 30, 30], units="ms").value
    40.0
    """
    items = np.ones(len(timings)) if timings.items is None else timings.items
    served = items * (workers * UNITS[timings.units])
    if timings.groups is None:
        return Ratio(served, timings.values, "request")
    return Ratio(tally(timings.groups, served), tally(timings.groups, timings.values), "group")
