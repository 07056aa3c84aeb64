"""Space, and how completely and how recently a system holds a collection, from columns of a table of records."""

from functools import partial
from typing import Annotated, TypeAlias

import numpy as np

from certus.arrays import Floats
from certus.data.records import Held, Sizes, Staleness, Updates
from certus.metrics._declare import metric
from certus.metrics.check import Between, Doc, Share
from certus.metrics.classification.per_sample import sample_ratio
from certus.metrics.state_kinds import Quantiles, SampleSums
from certus.statistic import Mean, Proportion, Quantile, Ratio
from certus.statistic.plugin import Interpolation

_INF = float("inf")
_CLEVERDON = "Cleverdon, Mills & Keen (1966), Factors Determining the Performance of Indexing Systems"
_CHO = "Cho & Garcia-Molina (2003), ACM TODS 28(4):390-426, doi:10.1145/958942.958945"
_JAIN = "Jain (1991), The Art of Computer Systems Performance Analysis, section 3.3"
PerRecord: TypeAlias = Annotated[Mean | Ratio, Doc("One value per record; a Ratio where records have groups.")]
ShareOfRecords: TypeAlias = Annotated[
    Proportion | Ratio, Doc("Records counted, of all; a Ratio where records have groups.")
]
record_metric = partial(metric, unit="record", weighted=False)
"""Declares a metric of one value for each record."""


def _mean(values: Floats, data: Sizes | Staleness | Updates) -> Mean | Ratio:
    if data.groups is None:
        return Mean(values, unit="record")
    return sample_ratio(values, np.ones(len(values)), data)


def _share(values: Floats, data: Held | Staleness) -> Proportion | Ratio:
    if data.groups is None:
        return Proportion(int(values.sum()), len(values), "record")
    return sample_ratio(values, np.ones(len(values)), data)


@record_metric(
    "MeanSpace",
    words=("空间开销",),
    aliases=("Space", "index_size"),
    better="lower",
    bounds=(0.0, _INF),
    source=_JAIN,
    state=SampleSums(is_quotient=True),
)
def mean_space(sizes: Sizes) -> PerRecord:
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
    bounds=(0.0, _INF),
    source=_JAIN,
    at="q",
    state=Quantiles(when={"interpolation": ("averaged_inverted_cdf",), "multioutput": ("uniform_average",)}),
)
def space_quantile(sizes: Sizes, *, q: Share, interpolation: Interpolation = "averaged_inverted_cdf") -> Quantile:
    """Space that a share of the records does not exceed, in the unit of the sizes.

    Parameters
    ----------
    q
        The share of the records: 0.5 for the median, 1 for the largest.
    interpolation
        Where the quantile lies between two sizes, as for Latency.

    Returns
    -------
    Quantile
        The sizes.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.space_quantile([120, 80, 100], q=0.5).value
    100.0
    """
    return Quantile(sizes.values, q, interpolation=interpolation, groups=sizes.groups, unit=sizes.unit)


@record_metric(
    "CollectionCoverage",
    source=_CLEVERDON,
    state=SampleSums(is_quotient=True),
)
def collection_coverage(held: Held) -> ShareOfRecords:
    """Share of the records of the collection that the system holds.

    Examples
    --------
    Three of four documents of the collection are in the index.

    >>> import certus
    >>> certus.efficiency.collection_coverage([1, 1, 0, 1]).value
    0.75
    """
    return _share(held.values, held)


@record_metric("Freshness", source=_CHO, state=SampleSums(is_quotient=True))
def freshness(staleness: Staleness) -> ShareOfRecords:
    """Share of the records whose copy is as its source at the moment: those with a staleness of 0.

    Examples
    --------
    One of four copies has been out of date for 6 hours.

    >>> import certus
    >>> certus.efficiency.freshness([0, 0, 6, 0]).value
    0.75
    """
    return _share((staleness.values == 0).astype(np.float64), staleness)


@record_metric(
    "Age",
    better="lower",
    bounds=(0.0, _INF),
    source=_CHO,
    state=SampleSums(is_quotient=True),
)
def mean_staleness(staleness: Staleness) -> PerRecord:
    """Mean time that copies have been out of date, 0 where they are not; in the unit of the column.

    Examples
    --------
    >>> import certus
    >>> certus.efficiency.mean_staleness([0, 0, 6, 0]).value
    1.5
    """
    return _mean(staleness.values, staleness)


@record_metric(
    "UpdateRate",
    words=("rate of updating", "数据更新速度"),
    bounds=(0.0, _INF),
    source=_CHO,
    at="period",
    state=SampleSums(is_quotient=True),
)
def update_rate(updates: Updates, *, period: Annotated[float, Between(above=0, most=1e12)] = 1.0) -> PerRecord:
    """Updates of a record in a unit of time.

    ::

        UpdateRate = updates / (records * period)

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
