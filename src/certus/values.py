"""Metrics of one score per item, whatever tool it is from: a mean or a share, and others.

What every call may be told, beside the parameters of the metric itself:

ids
    The item that each value belongs to. Values of one item, such as epochs of an evaluation, are not independent: they
    are averaged to one value of the item first.
sample_weight
    How much each item counts.
groups
    The cluster of each item (the passage a question is about, a patient, a repository). Only items of different
    clusters are taken to be independent, so the intervals widen; the values do not change.
"""

from certus.core.lazy import publish
from certus.entry.reports import values as report
from certus.metrics.declaration import functions

__all__ = ["report", *publish(__name__, functions("values"))]
