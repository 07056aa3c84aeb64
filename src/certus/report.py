"""What is to be said of a classifier's predictions, in one table: each value with its interval."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

from certus import kernels
from certus.data import Labels
from certus.data._codes import coded
from certus.data._columns import as_array
from certus.errors import DataError, MetricNameError, called
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.inference.many.subgroups import straddling
from certus.metrics import Metric
from certus.notice import Notice
from certus.report_items import Average, Item, listed, usual
from certus.report_rows import Value, rows_of
from certus.samples import Samples
from certus.statistic import counted
from certus.table import Row, Table

__all__ = ["report"]

_SAID_OF_UNDEFINED: dict[object, str] = {
    "nan": "0/0 has no value",
    "skip": "classes whose value is 0/0 are left out of averages",
}


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
    labels, pos_label, sample_weight, groups
        As for every metric; see `certus.classification`.
    score_labels
        The classes of `y_score`, in the order of its columns where these are not named after them; None takes `labels`,
        or the sorted labels of `y_true`.
    level
        Coverage of the intervals, strictly between 0 and 1.
    method
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
    if y_pred is None and y_score is None:
        raise DataError(
            f"neither {called('y_pred')} nor {called('y_score')} is given; a report needs predicted labels, scores or "
            "both"
        )
    Request(level, seed=seed)  # refuses a wrong level or seed before anything is computed
    if method is not None:
        check_method(method)
    if score_labels is not None and (y_score is None or as_array(y_score, "y_score").ndim < 2):
        raise MetricNameError(
            f"{called('score_labels')} name the columns of y_score, which is no table; leave them out"
        )
    conventions = {"labels": labels, "pos_label": pos_label, "sample_weight": sample_weight, "groups": groups}
    samples = Samples(y_true, y_pred, y_score, conventions, score_labels)
    said = [samples.counted]
    if metrics is None:
        items = list(usual(samples, average, said))
        averaged = y_pred is not None
    else:
        items = [Item.of(metric, average) for metric in listed(metrics)]
        averaged = any(item.averages for item in items)
    if average is not None and not averaged:
        raise MetricNameError(f"{called('average')} is {average!r}, but {_no_choice(items)}; leave it out")
    if undefined is not None:
        chosen = [item.with_undefined(undefined) for item in items]
        if all(one is other for one, other in zip(items, chosen, strict=True)):
            raise MetricNameError(f"{called('undefined')} is {undefined!r}, but {_no_choice(items)}; leave it out")
        items = chosen
        said.append(_SAID_OF_UNDEFINED.get(undefined, f"0/0 counts as {undefined}"))
    items = list(dict.fromkeys(items))
    values: list[Value | Row] = []
    for group, part in [(None, samples)] if by is None else samples.parts(by):
        for item in items:
            values += [Value(item, group, label, estimate) for label, estimate in part.estimates(item.metric)]
        if metrics is None and y_pred is not None:
            values += _support(part, name, group, list(dict.fromkeys(item.average for item in items if item.average)))
    samples.check_used([item.metric for item in items])
    dependent = (
        ""
        if by is None or groups is None
        else straddling(coded(by, "by").codes, coded(groups, "groups").codes, "group")
    )
    rows = partial(rows_of, values, name, level, method, seed, dependent)
    signature = {
        "certus": kernels.__version__,
        "task": "classification",
        "metrics": {str(item.metric): dict(item.metric.conventions) for item in items},
        "level": level,
        "method": method,
        "seed": seed,
        "said": said,
    }
    notices = list(_notices(samples))
    # The default methods cannot fail, so their intervals wait until somebody looks at them.
    return Table(rows if method is None else rows(), notices, signature)


def _no_choice(items: Sequence[Item]) -> str:
    names = list(dict.fromkeys(str(item.metric) for item in items))
    return f"no metric here leaves a choice: {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}"


def _support(samples: Samples, name: str, group: str | None, averages: Sequence[str]) -> Iterator[Row]:
    """How many true samples each class has, or the sum of their weights; beside averages, all classes together."""
    data = samples.labels
    counts = [float(data.against_rest(index).counts[1].sum()) for index in data.selected.tolist()]
    row = partial(Row, name, "Support", n=len(data), unit="sample", group=group)
    for index, count in zip(data.selected.tolist(), counts, strict=True):
        yield row(value=count, label=str(data.classes[index]))
    for average in averages:
        yield row(value=sum(counts, 0.0), average=average)


def _notices(samples: Samples) -> Iterator[Notice]:
    """What looks as if labels were not written as they were meant."""
    data = samples.labels if samples.y_pred is not None else None
    if not isinstance(data, Labels):
        return
    alike: dict[str, list[str]] = {}
    for label in data.classes:
        if isinstance(label, str):
            plain = unicodedata.normalize("NFKC", label).strip().casefold()
            alike.setdefault(plain, []).append(label)
    for same in alike.values():
        if len(same) > 1:
            text = (
                f"{counted(len(same), 'label')} differ only by blanks, case or Unicode form; they are different classes"
            )
            yield Notice("alike-labels", text, None, tuple(ascii(label) for label in same[:3]), len(same))
    true, predicted = data.counts.sum(1) > 0, data.counts.sum(0) > 0
    if len(data) and not (true & predicted).any():
        text = "truth and prediction have no label in common; are they the columns that were meant?"
        yield Notice("no-common-label", text, None)
