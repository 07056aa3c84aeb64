"""Classification metrics: call one on truth and predictions, or bind its parameters with `using`."""

from typing import Any

from certus.data import prepare
from certus.inference import Estimate
from certus.metrics import Metric, register_task
from certus.metrics.classification.average_precision import average_precision
from certus.metrics.classification.roc_auc import roc_auc

__all__ = [
    "average_precision",
    "roc_auc",
]


def _estimate(
    metric: Metric,
    *data: Any,
    labels: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
) -> Estimate:
    if len(data) == 1 and isinstance(data[0], metric.takes):
        prepared = data[0]
    else:
        prepared = prepare(
            metric.takes, *data, labels=labels, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
    statistic = metric.compute(prepared)
    return Estimate(statistic, metric=str(metric), bounds=metric.bounds, conventions=metric.conventions)


register_task("classification", _estimate)
