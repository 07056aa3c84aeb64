"""What is to be said of a classifier's predictions, in one table: each value with its interval."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import ClassScores, Labels, Multilabel, Probabilities
from certus.data._columns import as_array, check_lengths
from certus.errors import DataError, MetricNameError
from certus.inference import Estimate, Interval
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.metrics import Metric, parse
from certus.notice import Notice
from certus.statistic import Statistic, counted
from certus.table import Row, Table

__all__ = ["Average", "report"]

Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "samples"]

OF_CLASSES = ("Precision", "Recall", "F1")
"""What is said of each class, and averaged over classes."""
OF_LABELS = ("Accuracy", "BalancedAccuracy", "MCC", "kappa")
OF_POSITIVES = ("Precision", "Recall", "Specificity", "F1")
"""What is said besides where one of two classes is the positive one."""
OF_LABEL_SETS = ("Accuracy", "Hamming")
"""What is said of predictions of several labels per sample."""
OF_SCORES = ("AUC", "AP")
OF_CLASS_SCORES = ("AUC(multi_class='ovr')", "TopK(k=1)")
OF_PROBABILITIES = ("LogLoss", "Brier", "ECE")

MOST_SUBGROUPS = 1_000


def report(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    average: Average | None = None,
    undefined: float | Literal["nan", "skip"] | None = None,
    by: Any = None,
    labels: Any = None,
    score_labels: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: str | None = None,
    seed: int = 0,
    name: str = "predictions",
) -> Table:
    """Report on a classifier: the classes, the predictions as a whole and the scores, each value with its interval.

    Of predicted labels: precision, recall and F1 of each class with its number of true samples, their averages over
    classes, and accuracy, balanced accuracy, MCC and kappa of the whole; of two classes with a known positive one also
    its precision, recall, specificity and F1. Of scores: AUC and average precision. Of scores that can be
    probabilities (from 0 to 1, and of several classes summing to 1) also log loss, Brier score and calibration error.

    Parameters
    ----------
    y_true
        The true label of each sample; or a table of 0 and 1 with a column for each label.
    y_pred
        The predicted label of each sample, or such a table.
    y_score
        One score for each sample, higher for the positive class, or one for each class (``predict_proba``).
    metrics
        Instead of all that: names such as ``"F1(average='macro')"``, or metrics.
    average
        How metrics that can do so average over classes, where they are not told themselves. In the table of classes,
        the averages stated; None states the macro and the weighted one.
    undefined
        What 0/0 counts as for metrics that have a choice: ``"nan"``, ``"skip"`` or a number.
    by
        Anything with one value per sample: one report for each of these subgroups.
    labels, pos_label, sample_weight, groups
        As for every classification metric; see `certus.classification`.
    score_labels
        The class of each column of `y_score`; by default `labels`, or the sorted labels of `y_true`.
    level
        Coverage of the intervals, strictly between 0 and 1.
    method
        Interval method by name, for the metrics whose form has it. None, and for all others: the default of each.
    seed
        Where the random draws of bootstrap methods start.
    name
        What to call the predictions.

    Returns
    -------
    Table
        With columns ``class``, ``average`` and ``group`` where there are such; a class's number of true samples is the
        metric ``Support``.

    Raises
    ------
    DataError
        The data do not fit together or lack what a metric needs.
    MetricNameError
        There is no such metric, parameter or method.

    Examples
    --------
    >>> print(report(["cat", "dog", "dog", "cat"], ["cat", "dog", "cat", "cat"], metrics=["Accuracy", "Recall(average=None)"]))
    """
    if y_pred is None and y_score is None:
        raise DataError("neither y_pred nor y_score is given; report needs predicted labels, scores or both")
    Request(level, seed=seed)  # refuses a wrong level or seed before anything is computed
    if method is not None:
        check_method(method)
    conventions = {"labels": labels, "pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
    whole = _Samples(y_true, y_pred, y_score, conventions, score_labels)
    items = whole.items(average) if metrics is None else _items(metrics, average)
    if undefined is not None:
        items = [item.using("undefined", undefined) for item in items]
    if metrics is None and sample_weight is not None:
        items = [item for item in items if item.metric.weighted]
    found: list[tuple[_Item, str | None, Hashable, Estimate]] = []
    for group, part in [(None, whole)] if by is None else whole.parts(by):
        for item in items:
            found += ((item, group, label, estimate) for label, estimate in part.estimates(item))
    rows = partial(_rows, ...)
