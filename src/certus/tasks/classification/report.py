"""The report of a classifier, with all that it may be told by name."""

from typing import Any, Literal

from certus.evaluation import evaluate
from certus.evaluation.items import Average
from certus.inference.estimates import MeanOf
from certus.metrics.names import Metrics
from certus.renamed import renamed
from certus.table import Table

__all__ = ["report"]


@renamed(method="interval")
def report(
    y_true: Any,
    y_pred: Any = None,
    y_score: Any = None,
    metrics: Metrics | None = None,
    *,
    average: Average | None = None,
    undefined: float | Literal["nan", "skip"] | None = None,
    by: Any = None,
    subgroup_mean: MeanOf | None = None,
    labels: Any = None,
    score_labels: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    interval: str | None = None,
    seed: int = 0,
    name: str = "predictions",
) -> Table:
    """Report on a classifier: its classes, its predictions as a whole and its scores, each value with an interval.

    Of predicted labels: accuracy, balanced accuracy, MCC and kappa; precision, recall and F1 of each class beside its
    number of true samples, and their averages over classes. Of scores: AUC and average precision. Of scores that can be
    probabilities (from 0 to 1, and over several classes summing to 1): log loss, Brier score and calibration error.

    Parameters
    ----------
    y_true
        The true label of each sample; or a table of 0 and 1 with a column for each label.
    y_pred
        The predicted label of each sample, or such a table.
    y_score
        A score for each sample, higher for the positive class, or one for each class (``predict_proba``).
    metrics
        Instead of all that: names such as ``"F1(average='macro')"``, or metrics.
    average
        How metrics that can average over classes do so unless their names say. In the table of classes it is the
        average stated; None states the macro and the weighted one.
    undefined
        What 0/0 counts as, for metrics that have a choice and whose names do not say: ``"nan"``, ``"skip"`` or a
        number.
    by
        One value per sample: each subgroup with the same value gets its own report. The largest gap between subgroups
        and the worst subgroup follow, with limits that hold for all subgroups at once.
    subgroup_mean
        Also the mean over the subgroups, as for `certus.evaluate`: ``"random"``, ``"fixed"``, ``"random-weighted"`` or
        ``"fixed-weighted"``.
    labels, pos_label, sample_weight, groups
        As for every metric; see `certus.classification`.
    score_labels
        The classes of `y_score`, in the order of its columns where these are not named after them; None takes `labels`,
        or the sorted labels of `y_true`.
    level
        Coverage of the intervals, strictly between 0 and 1.
    interval
        Interval method by name, for the metrics whose form has it; for the others, and with None, the default of each.
    seed
        Where the random draws of bootstrap methods start.
    name
        What to call the predictions.

    Returns
    -------
    Table
        Rows for each metric; with a ``class`` or an ``average`` those of the table of classes, where ``Support`` is the
        number of true samples; with a ``group`` those of a subgroup; with ``among`` the largest gap between subgroups
        or the worst of them.

    Raises
    ------
    DataError
        The data do not fit together, or lack what a metric needs.
    MetricNameError
        There is no such metric, parameter or method.

    Examples
    --------
    >>> truth, predicted = ["cat", "dog", "dog", "cow"], ["cat", "dog", "cat", "cow"]
    >>> print(report(truth, predicted, metrics=["Accuracy", "Recall(average=None)"]))
    predictions
    <BLANKLINE>
    metric     value  95% interval      n
    Accuracy  0.7500  [0.3006, 0.9872]  4
    <BLANKLINE>
    class  Recall
    cat    1.0000 [0.2065, 1.0000]
    cow    1.0000 [0.2065, 1.0000]
    dog    0.5000 [0.0256, 0.9744]
    <BLANKLINE>
    4 samples
    in brackets: 95% interval
    intervals: modified Wilson for Accuracy, Recall; Wilson for Recall
    """
    return evaluate(
        y_true,
        metrics=metrics,
        task="classification",
        y_pred=y_pred,
        y_score=y_score,
        average=average,
        undefined=undefined,
        by=by,
        subgroup_mean=subgroup_mean,
        labels=labels,
        score_labels=score_labels,
        pos_label=pos_label,
        sample_weight=sample_weight,
        groups=groups,
        level=level,
        interval=interval,
        seed=seed,
        name=name,
    )
