"""Classification metrics: call one on truth and predictions, or bind its parameters with `using`."""

from typing import Any

from certus.data import prepare
from certus.inference import Estimate
from certus.metrics import Metric, register_task
from certus.metrics.classification.average_precision import average_precision
from certus.metrics.classification.brier import brier
from certus.metrics.classification.hinge_loss import hinge_loss
from certus.metrics.classification.log_loss import log_loss
from certus.metrics.classification.roc_auc import roc_auc
from certus.metrics.classification.top_k_accuracy import top_k_accuracy

__all__ = [
    "average_precision",
    "brier",
    "hinge_loss",
    "log_loss",
    "roc_auc",
    "top_k_accuracy",
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
