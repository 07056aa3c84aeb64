"""Time of requests; space, completeness and recency of records."""

from functools import partial
from typing import Annotated

import numpy as np

from certus.core.arrays import Floats
from certus.data.values import UNITS, Holdings, Sizes, Staleness, Timings, Updates
from certus.metrics.check import Range, Share
from certus.metrics.classification.per_sample import sample_ratio
from certus.metrics.declaration import metric
from certus.metrics.state_kinds import Quantiles, SampleSums
from certus.statistic import Mean, Proportion, Quantile, Ratio
from certus.statistic.plugin import Interpolation

_JAIN = "Jain (1991), The Art of Computer Systems Performance Analysis, section 3.3"
request_metric = partial(metric, bounds=(0.0, float("inf")), unit="request", weighted=False)
"""Declares a metric of one time for each request."""


@request_metric(
    "Latency",
    aliases=("LatencyQuantile", "percentile_latency"),
    better="lower",
    source="Dean & Barroso (2013), Commun. ACM 56(2):74-80, doi:10.1145/2408776.2408794",
    at_parameter="q",
    state=Quantiles(),
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
def mean_latency(timings: Timings) -> Mean | Ratio:
    """Mean time of a request, in the unit of the timings.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.mean_latency([12, 15, 11, 90], units="ms").value
    32.0
    """
    return _mean(timings.values, timings)


@request_metric(
    "Throughput",
    aliases=("queries_per_second", "QPS"),
    source=_JAIN,
)
def throughput(timings: Timings, *, workers: Annotated[int, Range(1)] = 1) -> Ratio:
    """Items served in a second: their number over the total time.

    ``throughput = workers * items / sum of the times in seconds``. That is one over the mean time of an item, not the
    mean of the single rates. The unit of the timings is turned into seconds. Where all times are 0 it is undefined.

    Parameters
    ----------
    workers
        How many requests were served side by side, each of whose times was taken by itself.

    Examples
    --------
    Four requests in 100 ms.

    >>> import certus
    >>> certus.efficiency.throughput([20, 20, 30, 30], units="ms").value
    40.0
    """
    items = np.ones(len(timings)) if timings.items is None else timings.items
    return sample_ratio(items * (workers * UNITS[timings.units]), timings.values, timings, unit="request")


_CLEVERDON = "Cleverdon, Mills & Keen (1966), Factors Determining the Performance of Indexing Systems"
_CHO = "Cho & Garcia-Molina (2003), ACM TODS 28(4):390-426, doi:10.1145/958942.958945"
record_metric = partial(
    metric, bounds=(0.0, float("inf")), unit="record", weighted=False, state=SampleSums(is_quotient=True)
)
"""Declares a metric of one value for each record."""
record_share = partial(record_metric, bounds=(0.0, 1.0))
"""Declares a share of the records."""


def _mean(values: Floats, data: Sizes | Staleness | Updates | Timings) -> Mean | Ratio:
    if data.groups is None:
        return Mean(values, unit=data.unit)
    return sample_ratio(values, np.ones(len(values)), data)


def _share(values: Floats, data: Holdings | Staleness) -> Proportion | Ratio:
    if data.groups is None:
        return Proportion(int(values.sum()), len(values), data.unit)
    return sample_ratio(values, np.ones(len(values)), data)


@record_metric(
    "MeanSpace",
    words=("空间开销",),
    aliases=("Space", "index_size"),
    better="lower",
    source=_JAIN,
)
def mean_space(sizes: Sizes) -> Mean | Ratio:
    """Mean space that a record takes, in the unit of the sizes.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.mean_space([120, 80, 100]).value
    100.0
    """
    return _mean(sizes.values, sizes)


@record_metric(
    "SpaceQuantile",
    better="lower",
    source=_JAIN,
    at_parameter="q",
    state=Quantiles(),
)
def space_quantile(sizes: Sizes, *, q: Share, interpolation: Interpolation = "averaged_inverted_cdf") -> Quantile:
    """Space that a share of the records does not exceed, in the unit of the sizes.

    Parameters
    ----------
    q
        The share of the records: 0.5 for the median, 1 for the largest.
    interpolation
        Where the quantile lies between two sizes, as for Latency.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.space_quantile([120, 80, 100], q=0.5).value
    100.0
    """
    return Quantile(sizes.values, q, interpolation=interpolation, groups=sizes.groups, unit=sizes.unit)


@record_share("CollectionCoverage", source=_CLEVERDON)
def collection_coverage(held: Holdings) -> Proportion | Ratio:
    """Share of the records of the collection that the system holds.

    Examples
    --------
    Three of four documents of the collection are in the index.

    >>> import certus
    >>> certus.efficiency.collection_coverage([1, 1, 0, 1]).value
    0.75
    """
    return _share(held.values, held)


@record_share("Freshness", source=_CHO)
def freshness(staleness: Staleness) -> Proportion | Ratio:
    """Share of the records whose copy is as its source at the moment: those with a staleness of 0.

    Examples
    --------
    One of four copies has been out of date for 6 hours.

    >>> import certus
    >>> certus.efficiency.freshness([0, 0, 6, 0]).value
    0.75
    """
    return _share((staleness.values == 0).astype(np.float64), staleness)


@record_metric("Age", better="lower", source=_CHO)
def mean_staleness(staleness: Staleness) -> Mean | Ratio:
    """Mean time that copies have been out of date, 0 where they are not; in the unit of the column.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.mean_staleness([0, 0, 6, 0]).value
    1.5
    """
    return _mean(staleness.values, staleness)


@record_metric("UpdateRate", words=("rate of updating", "数据更新速度"), source=_CHO, at_parameter="period")
def update_rate(updates: Updates, *, period: Annotated[float, Range(greater_than=0, limit=1e12)] = 1.0) -> Mean | Ratio:
    """Updates of a record in a unit of time.

    ``UpdateRate = updates / (records * period)``

    Parameters
    ----------
    period
        How long updates were counted, in the unit of time that the rate is per.

    Examples
    --------
    Three records were updated 0, 3 and 4 times in a week of 7 days: a third of an update in a day.

    >>> import certus
    >>> round(certus.efficiency.update_rate([0, 3, 4], period=7).value, 4)
    0.3333
    """
    return _mean(updates.values / period, updates)
