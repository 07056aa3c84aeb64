"""A metric's values for single queries, as the faces of other tools give them."""

from certus.arrays import Floats
from certus.data import Ranking
from certus.errors import MetricNameError
from certus.metrics import Metric
from certus.statistic import Mean, Ratio

__all__ = ["per_query"]


def per_query(metric: Metric, ranking: Ranking) -> Floats:
    """The values of the ranking's queries, in order; NaN where one is not defined.

    Raises
    ------
    MetricNameError
        The metric has no values of single queries.
    """
    found = metric.compute(ranking)
    if not isinstance(found, Mean | Ratio):
        raise MetricNameError(f"{metric} has no value for a single query")
    return found.values
