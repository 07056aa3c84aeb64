"""Latency and throughput."""

from functools import partial
from typing import Annotated

import numpy as np

from certus.data.values import UNITS, Timings
from certus.metrics._declare import metric
from certus.metrics.check import Between, Doc, Share
from certus.metrics.classification.per_sample import sample_ratio
from certus.metrics.state_kinds import Quantiles, SampleSums
from certus.statistic import Mean, Quantile, Ratio
from certus.statistic.common import sum_by_code
from certus.statistic.plugin import Interpolation

_JAIN = "Jain (1991), The Art of Computer Systems Performance Analysis, section 3.3"
request_metric = partial(metric, bounds=(0.0, float("inf")), unit="request", weighted=False)
"""Declares a metric of one time for each request."""


@request_metric(
    "Latency",
    aliases=("LatencyQuantile", "percentile_latency"),
    better="lower",
    source="Dean & Barroso (2013), Commun. ACM 56(2):74-80, doi:10.1145/2408776.2408794",
    at="q",
    state=Quantiles(when={"interpolation": ("averaged_inverted_cdf",), "multioutput": ("uniform_average",)}),
)
def latency_quantile(timings: Timings, *, q: Share, interpolation: Interpolation = "averaged_inverted_cdf") -> Quantile:
    """Time that a share of the requests does not exceed, such as the 99th percentile.

    It is in the unit of the timings. The interval is distribution-free: two of the timings themselves, by the binomial
    distribution of how many lie below the quantile, so it holds its level at least, however long the tail is. With
    few requests even the longest one is not far enough out: then there is no upper limit, and it says how many
    requests it takes (368 for the 0.99 quantile at level 0.95).

    Parameters
    ----------
    q
        The share of the requests: 0.5 for the median, 0.99 for the 99th percentile.
    interpolation
        Where the quantile lies between two timings, by numpy's names. ``"averaged_inverted_cdf"``: the least timing
        that at least a share q of the requests does not exceed, or midway to the next one where the share is just q.
        ``"linear"``: numpy's default. The interval does not depend on it.

    Returns
    -------
    Quantile
        The timings.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.latency_quantile([12, 15, 11, 90], q=0.5, units="ms").value
    13.5
    """
    return Quantile(timings.values, q, interpolation=interpolation, groups=timings.groups, unit=timings.unit)


@request_metric(
    "MeanLatency",
    words=("响应速度", "时间开销"),
    aliases=("response_time",),
    better="lower",
    source=_JAIN,
    state=SampleSums(is_quotient=True),
)
def mean_latency(
    timings: Timings,
) -> Annotated[Mean | Ratio, Doc("One time per request; a Ratio where requests have groups.")]:
    """Mean time of a request, in the unit of the timings.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.mean_latency([12, 15, 11, 90], units="ms").value
    32.0
    """
    if timings.groups is None:
        return Mean(timings.values, unit="request")
    return sample_ratio(timings.values, timings.values**0, timings)


@request_metric(
    "Throughput",
    aliases=("queries_per_second", "QPS"),
    source=_JAIN,
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
    return Ratio(sum_by_code(timings.groups, served), sum_by_code(timings.groups, timings.values), "group")
