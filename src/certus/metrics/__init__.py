"""Metrics, each declared once: a plain function from prepared data to a `Statistic`."""

from certus.metrics.check import Cutoff, Gains, Grade, Range, Share
from certus.metrics.declaration import Metric, declared, metric
from certus.metrics.names import parse
from certus.metrics.orders import RandomList
from certus.metrics.random_labels import RandomLabels

__all__ = [
    "Cutoff",
    "Gains",
    "Grade",
    "Metric",
    "RandomLabels",
    "RandomList",
    "Range",
    "Share",
    "declared",
    "metric",
    "parse",
]
