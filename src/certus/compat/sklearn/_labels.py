"""Metrics of true and predicted labels, and the table of precision, recall and F1 by class."""

import math
from numbers import Real
from typing import Any, Literal

import numpy as np

from certus import classification
from certus.compat.sklearn._averages import Classes
from certus.compat.sklearn._input import Array, array_of
from certus.compat.sklearn._parameters import (
    ARRAY,
    NAN,
    NONE,
    Kind,
    check_parameters,
    choice,
    number_in,
    warn,
    warn_undefined,
)
from certus.compat.sklearn._targets import Targets
from certus.data import Labels, Multilabel
from certus.metrics import Metric
from certus.statistic import Proportion

_NO_COMMON_LABEL = "At least one label specified must be in y_true"


@check_parameters()
def accuracy_score(y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None) -> float:
    """`certus.classification.accuracy`; ``normalize=False`` gives the number of right predictions, or their weight."""
    statistic: Any = classification.accuracy.compute(Targets(y_true, y_pred, sample_weight).data())
    if normalize:
        return float(statistic.value)
    return float(statistic.successes if isinstance(statistic, Proportion) else statistic.counts[1])


@check_parameters()
def zero_one_loss(y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None) -> float:
    """One minus the accuracy; ``normalize=False`` gives the number of wrong predictions, or their weight."""
    statistic: Any = classification.accuracy.compute(Targets(y_true, y_pred, sample_weight).data())
    if normalize:
        return 1 - float(statistic.value)
    if isinstance(statistic, Proportion):
        return float(statistic.trials - statistic.successes)
    return float(statistic.counts[0])


@check_parameters()
def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.classification.hamming_loss`."""
    return _value(classification.hamming_loss, Targets(y_true, y_pred, sample_weight).data())


@check_parameters(y_true=(ARRAY,), y_pred=(ARRAY,))
def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.classification.mcc`; 0 where it is undefined."""
    data = _of_labels(Targets(y_true, y_pred, sample_weight).one_label(), None)
    return _value(classification.mcc.using(undefined=0.0), data)


@check_parameters(y_true=(ARRAY,), y_pred=(ARRAY,))
def balanced_accuracy_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False) -> float:
    """`certus.classification.balanced_accuracy` of the classes that have samples."""
    data = _of_labels(Targets(y_true, y_pred, sample_weight).one_label(), None)
    if not data.counts.sum(axis=1).all():
        warn("y_pred contains classes not in y_true")
    return _value(classification.balanced_accuracy.using(adjusted=bool(adjusted), undefined="skip"), data)


@check_parameters(replace_undefined_by=(number_in(-1.0, 1.0, "[]"), NAN))
def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Any = None,
    weights: Literal["linear", "quadratic"] | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = math.nan,
) -> float:
    """`certus.classification.cohen_kappa`."""
    targets = Targets(y1, y2, sample_weight).one_label()
    try:
        data = _of_labels(targets, labels)
    except ValueError as error:
        if str(error) != _NO_COMMON_LABEL:
            raise
        raise ValueError(
            "At least one label in `labels` must be present in `y1` (even though `cohen_kappa_score` is otherwise "
            "agnostic to the order of `y1` and `y2`)."
        ) from error
    kappa = _value(classification.cohen_kappa.using(weights=weights), data)
    if not math.isnan(kappa):
        return kappa
    chosen = len(data.selected)
    if data.counts[:chosen, :chosen].any():
        warn_undefined(
            "`y1`, `y2` and `labels` have only one label in common. `cohen_kappa_score` is undefined and set to the "
            f"value defined by the the `replace_undefined_by` param, which is set to {replace_undefined_by}."
        )
    else:
        warn_undefined(
            "`y2` contains no labels that are present in both `y1` and `labels`.`cohen_kappa_score` is undefined and "
            f"set to the value defined by the `replace_undefined_by` param, which is set to {replace_undefined_by}."
        )
    return replace_undefined_by


@check_parameters(
    replace_undefined_by=(
        choice("float", Real, 1.0)._replace(words="a float among {nan, 1.0}"),
        Kind(lambda value: isinstance(value, float) and math.isnan(value), ""),
        Kind(lambda value: isinstance(value, dict), "an instance of 'dict'"),
    )
)
def class_likelihood_ratios(
    y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, replace_undefined_by: Any = math.nan
) -> tuple[float, float]:
    """`certus.classification.positive_likelihood_ratio` and `negative_likelihood_ratio`; NaN where one is infinite."""
    targets = Targets(y_true, y_pred, sample_weight)
    kind = targets.kind if targets.multilabel else targets.kind_of(targets.labels())
    if kind != "binary":
        raise ValueError(
            f"class_likelihood_ratios only supports binary classification problems, got targets of type: {kind}"
        )
    instead = _replacements(replace_undefined_by)
    order = targets.present if labels is None else array_of(labels)
    data = _of_labels(targets, order, pos_label=order.flat[-1] if order.size else None)
    chosen = len(data.selected)
    tn, fp, fn, tp = data.counts[:chosen, :chosen].ravel().tolist()
    hint = (
        "Use the `replace_undefined_by` param to control this behavior. To suppress this warning or turn it into an "
        "error, see Python's `warnings` module and `warnings.catch_warnings()`."
    )
    if tp + fn == 0:
        warn_undefined(
            "No samples of the positive class are present in `y_true`. `positive_likelihood_ratio` and "
            f"`negative_likelihood_ratio` are both set to `np.nan`. {hint}"
        )
    if fp == 0:
        start = (
            "`positive_likelihood_ratio` is ill-defined and "
            if tp
            else "No samples were predicted for the positive class and `positive_likelihood_ratio` is "
        )
        warn_undefined(f"{start}set to `np.nan`. Use the `replace_undefined_by` param to ")
    if tn == 0:
        warn_undefined(f"`negative_likelihood_ratio` is ill-defined and set to `np.nan`. {hint}")
    positive = instead[0] if fp == 0 else _value(classification.positive_likelihood_ratio, data)
    negative = instead[1] if tn == 0 else _value(classification.negative_likelihood_ratio, data)
    return float(positive), float(negative)


def _replacements(replacements: Any) -> tuple[float, float]:
    """The replacements of LR+ and LR- where they are undefined."""
    if not isinstance(replacements, dict):
        return float(replacements), float(replacements)
    if "LR+" in replacements and "LR-" in replacements:
        positive, negative = replacements["LR+"], replacements["LR-"]
        if isinstance(positive, Real) and isinstance(negative, Real):
            likelier, rarer = float(positive), float(negative)
            if not likelier < 1 and not rarer < 0 and not rarer > 1:
                return likelier, rarer
    raise ValueError(
        "The dictionary passed as `replace_undefined_by` needs to be in the form `{'LR+': `value_1`, 'LR-': "
        "`value_2`}` where the value for `LR+` ranges from `1.0` to `np.inf` or is `np.nan` and the value for `LR-` "
        f"ranges from `0.0` to `1.0` or is `np.nan`; got `{replacements}`."
    )


@check_parameters(y_true=(ARRAY,), y_pred=(ARRAY,), normalize=(choice("str", str, "all", "pred", "true"), NONE))
def confusion_matrix(
    y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None, normalize: str | None = None
) -> Array:
    """The counts of `certus.data.Labels`: rows are true labels, columns predicted ones."""
    targets = Targets(y_true, y_pred, sample_weight).one_label()
    data = _of_labels(targets, labels)
    chosen = len(data.selected)
    table: Array = data.counts[:chosen, :chosen]
    if targets.weights is not None and targets.weights.dtype.kind in "biu":
        table = table.astype(np.int64)
    if normalize is not None:
        sums = table.sum(axis={"true": 1, "pred": 0, "all": None}[normalize], keepdims=True)
        table = np.divide(table, sums, out=np.zeros(table.shape), where=sums != 0)
    return table


@check_parameters()
def multilabel_confusion_matrix(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, labels: Any = None, samplewise: bool = False
) -> Array:
    """``[[tn, fp], [fn, tp]]`` for each class against the rest, or for each sample with several labels."""
    targets = Targets(y_true, y_pred, sample_weight)
    if not targets.multilabel:
        if samplewise:
            raise ValueError("Samplewise metrics are not available outside of multilabel classification.")
        data = targets.labels(labels)
        return np.stack([data.against_rest(index).counts for index in data.selected.tolist()])
    tables = targets.multilabels(labels)
    if not samplewise:
        return tables.counts[tables.selected]
    tp, fp, fn, tn = tables.by_sample
    turned = np.stack([tn, fp, fn, tp], axis=-1).reshape(-1, 2, 2)
    return turned if targets.weights is None else turned * targets.weights[:, np.newaxis, np.newaxis]


def _of_labels(targets: Targets, labels: Any, pos_label: Any = None) -> Labels:
    """The counts of some labels, of which the truth has at least one."""
    if labels is None:
        data = targets.labels()
    else:
        chosen = array_of(labels)
        if chosen.size == 0:
            raise ValueError("'labels' should contain at least one label.")
        if not np.isin(chosen, targets.true).any():
            raise ValueError(_NO_COMMON_LABEL)
        data = targets.labels(chosen, pos_label)
    if len(data.selected) == 1:
        warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, "
            "use the 'labels' parameter to pass all known labels."
        )
    return data


def _value(metric: Metric, data: Labels | Multilabel) -> float:
    statistic: Any = metric.compute(data)
    return float(statistic.value)


_HEADERS = ("precision", "recall", "f1-score", "support")
_WIDEST = len("weighted avg")


@check_parameters()
def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    target_names: Any = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
) -> Any:
    """Precision, recall and F1 of each class and averaged, as text in scikit-learn's layout or as a dict."""
    targets = Targets(y_true, y_pred, sample_weight)
    report_labels = targets.present if labels is None else array_of(labels)
    names = _names(report_labels, target_names, labels is not None)
    support: Any = None

    def row(average: str | None) -> list[Any]:
        nonlocal support
        classes = Classes(targets, report_labels, None, average, zero_division)
        if average is None:
            support = classes.sums.true
        return [
            classes.precision(warning=True),
            classes.recall(warning=True),
            classes.fbeta(1.0, warning=True),
            support if average is None else support.sum(),
        ]

    # Names may be fewer or more than labels, and need not differ.
    rows = list(zip(names, zip(*row(None), strict=True), strict=False))
    complete = labels is None or set(report_labels.tolist()) >= set(targets.present.tolist())
    averages = ("micro", "macro", "weighted", "samples") if targets.multilabel else ("micro", "macro", "weighted")
    headings = {
        "accuracy" if average == "micro" and complete and not targets.multilabel else f"{average} avg": average
        for average in averages
    }
    averaged = [(heading, row(average)) for heading, average in headings.items()]
    if not output_dict:
        return _text(rows, averaged, digits)
    table: dict[Any, Any] = {
        name: dict(zip(_HEADERS, map(float, values), strict=True)) for name, values in rows + averaged
    }
    if "accuracy" in headings:
        table["accuracy"] = table["accuracy"]["precision"]
    return table


def _names(labels: Any, target_names: Any, labels_given: bool) -> list[Any]:
    if target_names is None:
        return [str(label) for label in labels]
    if len(labels) != len(target_names):
        if not labels_given:
            raise ValueError(
                f"Number of classes, {len(labels)}, does not match size of target_names, {len(target_names)}. "
                "Try specifying the labels parameter"
            )
        warn(f"labels size, {len(labels)}, does not match size of target_names, {len(target_names)}")
    return list(target_names)


def _text(rows: list[tuple[Any, Any]], averaged: list[tuple[str, Any]], digits: int) -> str:
    width = max(_WIDEST, digits, *(len(name) for name, _ in rows))

    def line(name: str, values: Any) -> str:
        precision, recall, f1, support = values
        left = [f"{number:>9.{digits}f}" for number in (precision, recall, f1)]
        if name == "accuracy":
            left[:2] = [" " * 9] * 2
        return f"{name:>{width}s}  {' '.join(left)} {support:>9}\n"

    heading = " ".join(f"{header:>9}" for header in _HEADERS)
    body, foot = ("".join(line(name, values) for name, values in part) for part in (rows, averaged))
    return f"{'':>{width}s}  {heading}\n\n{body}\n{foot}"
