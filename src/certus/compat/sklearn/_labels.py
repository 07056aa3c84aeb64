"""Metrics of true and predicted labels, and the classification report."""

import math
from collections.abc import Callable, Collection
from functools import cached_property
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np

from certus import classification
from certus.compat.sklearn._input import Array, Targets, array_of, value_of
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
from certus.data import Labels, Multilabel
from certus.metrics import Metric
from certus.statistic import Proportion

__all__ = [
    "accuracy_score",
    "balanced_accuracy_score",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "zero_one_loss",
]

_AVERAGES = (None, "micro", "macro", "weighted", "samples")
_NO_COMMON_LABEL = "At least one label specified must be in y_true"


class _Sums(NamedTuple):
    """Number or weight of the samples that each averaged class has, and is predicted to have."""

    true: Array
    predicted: Array


class Classes:
    """Truth and prediction, with the classes that an average runs over and what 0/0 counts as."""

    def __init__(self, targets: Targets, labels: Any, pos_label: Any, average: str | None, zero_division: Any) -> None:
        self.average, self.warns = average, isinstance(zero_division, str)
        self.instead = 0.0 if self.warns else float(zero_division)
        self.data: Labels | Multilabel
        if average == "binary":
            self.data = _positive(targets, pos_label)
        else:
            if pos_label not in (None, 1):
                warn(
                    f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got "
                    f"{average!r}). You may use labels=[pos_label] to specify a single positive class."
                )
            if average == "samples" and not targets.multilabel:
                raise ValueError("Samplewise metrics are not available outside of multilabel classification.")
            self.data = targets.multilabels(labels) if targets.multilabel else targets.labels(labels)

    def precision(self, *, warning: bool = True) -> Any:
        """Right ones among those predicted."""
        return self.value(classification.precision, "Precision" if warning else "", "predicted")

    def recall(self, *, warning: bool = True) -> Any:
        """Right ones among the true ones."""
        return self.value(classification.recall, "Recall" if warning else "", "true")

    def fbeta(self, beta: float = 1.0, *, warning: bool = True) -> Any:
        """Their weighted harmonic mean."""
        if beta == 0:
            return self.precision(warning=False)
        if math.isinf(beta):
            return self.recall(warning=False)
        metric = classification.f1 if beta == 1 else classification.fbeta.using(beta=beta)
        return self.value(metric, "F-score" if warning else "", "true nor predicted")

    def jaccard(self) -> Any:
        """Right ones among those that are true or predicted."""
        return self.value(classification.jaccard, "Jaccard", "true or predicted")

    def value(self, metric: Metric, name: str, missing: str) -> Any:
        """The metric for each class, or its average; classes with 0/0 are warned of under the name `name`."""
        average = self.average
        if average in (None, "binary", "micro"):
            values = np.atleast_1d(self._computed(metric, average, "nan"))
            empty = np.isnan(values)
            if empty.any():
                values[empty] = self.instead
        else:
            empty = (self.sums.true if missing.startswith("true") else 0) + (
                self.sums.predicted if missing.endswith("predicted") else 0
            ) == 0
            values = np.atleast_1d(self._averaged(metric))
        if name and self.warns and empty.any():
            _warn_empty(name, missing, average, len(empty))
        return values if average is None else float(values[0])

    def _averaged(self, metric: Metric) -> float:
        undefined: Any = "skip" if math.isnan(self.instead) else self.instead
        value = math.nan
        if self.average != "weighted" or self.sums.true.any():
            value = self._computed(metric, self.average, undefined)
        if self.average == "weighted" and math.isnan(value):
            value = self._computed(metric, "macro", undefined)  # no class that has a value has a weight
        return value

    def _computed(self, metric: Metric, average: str | None, undefined: Any) -> Any:
        result: Any = metric.using(average=average, undefined=undefined).compute(self.data)
        return [class_value.value for class_value in result.values()] if average is None else result.value

    @cached_property
    def sums(self) -> _Sums:
        """The true and the predicted samples of each class; with ``average="samples"``, the classes of each sample."""
        data = self.data
        if isinstance(data, Labels):
            return _Sums(data.counts[data.selected].sum(axis=1), data.counts[:, data.selected].sum(axis=0))
        if self.average == "samples":
            counts = (table[:, data.selected].sum(axis=1) for table in (data.true, data.predicted))
            return _Sums(*(column if data.weights is None else column * data.weights for column in counts))
        tables = data.counts[data.selected]
        return _Sums(tables[:, 1].sum(axis=1), tables[:, :, 1].sum(axis=1))


def _positive(targets: Targets, pos_label: Any) -> Labels:
    """The counts, if there are two classes of which one is the positive."""
    kind, data = targets.kind, None
    if kind == "binary":
        if isinstance(pos_label, float) and not pos_label.is_integer():
            raise _no_label(pos_label, targets)
        data = targets.labels(pos_label=pos_label)
        kind = targets.kind_of(data)
    if data is None or kind != "binary":
        allowed = [average for average in _AVERAGES if kind != "multiclass" or average != "samples"]
        message = f"Target is {kind} but average='binary'. Please choose another average setting, one of {allowed!r}."
        raise ValueError(message)
    if pos_label not in data.classes and len(data.classes) == 2:
        raise _no_label(pos_label, targets)
    return data


def _no_label(pos_label: Any, targets: Targets) -> ValueError:
    return ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {targets.present}")


def _warn_empty(name: str, missing: str, average: str | None, size: int) -> None:
    empty_noun, unit_noun = ("label", "sample") if average == "samples" else ("sample", "label")
    where = "due to" if size == 1 else f"in {unit_noun}s with"
    warn_undefined(
        f"{name} is ill-defined and being set to 0.0 {where} no {missing} {empty_noun}s. Use `zero_division` parameter "
        "to control this behavior."
    )


def _class_score(
    name: str, metric: str, value: Callable[[Classes], Any], **accepted: tuple[Kind, ...]
) -> Callable[..., Any]:
    """Make scikit-learn's function of that name for a metric of one class against the rest."""

    def score(
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        pos_label: Any = 1,
        average: str | None = "binary",
        sample_weight: Any = None,
        zero_division: Any = "warn",
    ) -> Any:
        return value(Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division))

    score.__name__, score.__qualname__, score.__doc__ = name, name, f"`certus.classification.{metric}`."
    return check_parameters(**accepted)(score)


precision_score = _class_score("precision_score", "precision", Classes.precision)
recall_score = _class_score("recall_score", "recall", Classes.recall)
f1_score = _class_score("f1_score", "f1", Classes.fbeta)
_ZERO = (choice("float", Real, 0, 1), choice("str", str, "warn"))
jaccard_score = _class_score("jaccard_score", "jaccard", Classes.jaccard, zero_division=_ZERO)


@check_parameters()
def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """`certus.classification.fbeta`; an infinite beta is recall."""
    classes = Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division)
    return classes.fbeta(float(beta))


@check_parameters()
def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = None,
    warn_for: Collection[str] = ("precision", "recall", "f-score"),
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F-beta and support: the number of true samples in each class, None for an average."""
    classes = Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division)
    precision = classes.precision(warning="precision" in warn_for)
    recall = classes.recall(warning="recall" in warn_for)
    fbeta = classes.fbeta(float(beta), warning="f-score" in warn_for)
    return precision, recall, fbeta, classes.sums.true if average is None else None


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
    return value_of(classification.hamming_loss, Targets(y_true, y_pred, sample_weight).data())


@check_parameters(y_true=(ARRAY,), y_pred=(ARRAY,))
def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """`certus.classification.mcc`; 0 where it is undefined."""
    data = _of_labels(Targets(y_true, y_pred, sample_weight).one_label(), None)
    return value_of(classification.mcc.using(undefined=0.0), data)


@check_parameters(y_true=(ARRAY,), y_pred=(ARRAY,))
def balanced_accuracy_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False) -> float:
    """`certus.classification.balanced_accuracy` of the classes that have samples."""
    data = _of_labels(Targets(y_true, y_pred, sample_weight).one_label(), None)
    if not data.counts.sum(axis=1).all():
        warn("y_pred contains classes not in y_true")
    return value_of(classification.balanced_accuracy.using(adjusted=bool(adjusted), undefined="skip"), data)


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
    kappa = value_of(classification.cohen_kappa.using(weights=weights), data)
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
        message = f"class_likelihood_ratios only supports binary classification problems, got targets of type: {kind}"
        raise ValueError(message)
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
    positive = instead[0] if fp == 0 else value_of(classification.positive_likelihood_ratio, data)
    negative = instead[1] if tn == 0 else value_of(classification.negative_likelihood_ratio, data)
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
        total = support if average is None else support.sum()
        return [classes.precision(), classes.recall(), classes.fbeta(), total]

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
