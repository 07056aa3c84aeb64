"""Precision, recall, F and Jaccard: metrics of a class against the rest, averaged over classes."""

import math
from collections.abc import Collection
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from certus import classification
from certus.compat.sklearn._input import Array
from certus.compat.sklearn._parameters import check_parameters, choice, warn, warn_undefined
from certus.compat.sklearn._targets import Targets
from certus.data import Labels, Multilabel
from certus.metrics import Metric

_AVERAGES = (None, "micro", "macro", "weighted", "samples")


@check_parameters()
def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """`certus.classification.precision`."""
    return Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division).precision(
        warning=True
    )


@check_parameters()
def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """`certus.classification.recall`."""
    return Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division).recall(
        warning=True
    )


@check_parameters()
def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """`certus.classification.f1`."""
    classes = Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division)
    return classes.fbeta(1.0, warning=True)


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
    return classes.fbeta(float(beta), warning=True)


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


@check_parameters(zero_division=(choice("float", Real, 0, 1), choice("str", str, "warn")))
def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """`certus.classification.jaccard`."""
    classes = Classes(Targets(y_true, y_pred, sample_weight), labels, pos_label, average, zero_division)
    return classes.value(classification.jaccard, "Jaccard", "true or predicted")


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

    def precision(self, *, warning: bool) -> Any:
        """Right ones among those predicted."""
        return self.value(classification.precision, "Precision" if warning else "", "predicted")

    def recall(self, *, warning: bool) -> Any:
        """Right ones among the true ones."""
        return self.value(classification.recall, "Recall" if warning else "", "true")

    def fbeta(self, beta: float, *, warning: bool) -> Any:
        """Their weighted harmonic mean."""
        if beta == 0:
            return self.precision(warning=False)
        if math.isinf(beta):
            return self.recall(warning=False)
        metric = classification.f1 if beta == 1 else classification.fbeta.using(beta=beta)
        return self.value(metric, "F-score" if warning else "", "true nor predicted")

    def value(self, metric: Metric, name: str, missing: str) -> Any:
        """The metric for each class, or its average; classes with 0/0 are warned of under the name `name`.

        Parameters
        ----------
        metric
            One that is 0/0 for a class without samples of some kind.
        name
            What a warning calls it; no warning if empty.
        missing
            Which kind: ``"true"``, ``"predicted"``, ``"true or predicted"`` or ``"true nor predicted"``.
        """
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
        raise ValueError(
            f"Target is {kind} but average='binary'. Please choose another average setting, one of {allowed!r}."
        )
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
