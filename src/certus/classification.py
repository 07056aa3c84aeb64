"""Classification metrics: call one on truth and predictions, or bind its parameters with `using`.

What every call may be told, beside the parameters of the metric itself:

labels
    The classes that averages run over, in this order. A class that no sample has counts 0 in every cell; samples of
    other classes still count as mistakes of the classes listed.
pos_label
    The positive class of a binary metric. None takes the greater of 0 and 1, of -1 and 1, or of False and True; other
    pairs of labels have no usual positive class, and it must be given.
sample_weight
    A weight of at least 0 for each sample: a sample of weight 2 counts as two, one of weight 0 not at all.
groups
    The cluster each sample belongs to (a patient, a document, a user). Only samples of different clusters are taken to
    be independent, so the intervals widen; the values do not change.

What the parameters that several metrics have in common mean:

average
    ``"binary"``: the metric of the positive class. ``"macro"``: the mean over classes. ``"weighted"``: the mean over
    classes, each weighted by its true samples. ``"micro"``: the metric of the counts summed over classes.
    ``"samples"``: the mean over samples, for several labels per sample. None: each class by itself, as `Estimates`.
undefined
    What a class whose value is 0/0 counts as: ``"nan"``, no value, and so no average either; ``"skip"``, it is left out
    of the average; or a number, such as 0.0 (scikit-learn's ``zero_division=0``). A class without any weight in an
    average does not enter it, whatever its value.
"""

from typing import Any

from certus.data import prepare
from certus.errors import DataError
from certus.inference import Estimate, Estimates
from certus.metrics import Metric, register_task
from certus.metrics.classification.accuracy import accuracy
from certus.metrics.classification.average_precision import average_precision
from certus.metrics.classification.break_even_point import break_even_point
from certus.metrics.classification.brier import brier
from certus.metrics.classification.f1 import f1
from certus.metrics.classification.gini import gain_capture, gini
from certus.metrics.classification.h_measure import h_measure
from certus.metrics.classification.hinge_loss import hinge_loss
from certus.metrics.classification.ks import ks
from certus.metrics.classification.lift import lift
from certus.metrics.classification.log_loss import log_loss
from certus.metrics.classification.precision import precision
from certus.metrics.classification.precision_at_recall import precision_at_recall, recall_at_precision
from certus.metrics.classification.recall import recall
from certus.metrics.classification.roc_auc import roc_auc
from certus.metrics.classification.top_k_accuracy import top_k_accuracy

__all__ = [
    "accuracy",
    "average_precision",
    "break_even_point",
    "brier",
    "f1",
    "gain_capture",
    "gini",
    "h_measure",
    "hinge_loss",
    "ks",
    "lift",
    "log_loss",
    "precision",
    "precision_at_recall",
    "recall",
    "recall_at_precision",
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
    if sample_weight is not None and not metric.weighted:
        raise DataError(f"{metric.name} has no meaning for weighted samples; leave out sample_weight")
    if len(data) == 2:
        prepared: Any = prepare(
            metric.takes, *data, labels=labels, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
    elif len(data) == 1 and isinstance(data[0], metric.takes):
        prepared = data[0]
        given = {"labels": labels, "pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
        for name, value in given.items():
            if value is not None:
                raise DataError(f"{name} must be given where the {type(prepared).__name__} are made, not with them")
    else:
        raise DataError(f"{metric.name} takes truth and prediction, two columns; it was given {len(data)}")
    statistic = metric.compute(prepared)
    if isinstance(statistic, dict):
        return Estimates(  # type: ignore[return-value]  # the one case where a call gives several estimates
            {
                label: Estimate(each, str(metric), metric.bounds, metric.conventions)
                for label, each in statistic.items()
            },
            metric=str(metric),
        )
    return Estimate(statistic, metric._text, metric.bounds, metric.conventions)


register_task("classification", _estimate)
