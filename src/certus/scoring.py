"""Metrics as scikit-learn's model selection takes them: `certus.scorer`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels, Multilabel, Probabilities
from certus.errors import DataError, MetricNameError
from certus.metrics import Metric, declared, parse

__all__ = ["Scorer", "scorer"]


def scorer(metric: str | Metric, *, pos_label: Any = None, labels: Any = None, **parameters: Any) -> "Scorer":
    """A metric for the ``scoring=`` of scikit-learn's ``cross_val_score``, ``GridSearchCV`` and the like.

    It asks the estimator for what the metric is computed from: labels (``predict``), probabilities
    (``predict_proba``) or scores (``decision_function``, or else ``predict_proba``). The score is the metric's value,
    with its sign turned if lower is better, so that higher scores are always better, as scikit-learn wants them. It is
    NaN where the metric is undefined.

    Parameters
    ----------
    metric
        A classification metric, or its name: ``"roc_auc"``, ``"F1"``, ``"fbeta(beta=2)"``.
    pos_label
        The positive class of binary metrics; None takes the greater of 0 and 1, -1 and 1, or False and True.
    labels
        The classes that averages run over.
    parameters
        Parameters of the metric, such as ``average="macro"``.

    Raises
    ------
    MetricNameError
        No metric is named that, it has no such parameter, or neither higher nor lower values of it are better.

    Examples
    --------
    >>> scorer("roc_auc")
    certus.scorer('AUC')
    >>> scorer("f1", average="macro")
    certus.scorer("F1(average='macro')")
    >>> scorer("roc_acu")
    Traceback (most recent call last):
    certus.errors.MetricNameError: no metric is named 'roc_acu'; did you mean 'roc_auc'?
    """
    chosen = _named(metric) if isinstance(metric, str) else metric
    if getattr(chosen, "task", "") != "classification":
        raise MetricNameError(f"metric is {metric!r}; it must be a classification metric or its name")
    chosen = parse(str(chosen.using(**parameters)), task="classification")  # which refuses one that lacks a parameter
    if chosen.better is None:
        raise MetricNameError(f"of {chosen.name} neither higher nor lower values are better; it cannot be a score")
    if "average" in chosen.conventions and chosen.conventions["average"] is None:
        raise MetricNameError(f"{chosen} has a value for each class; a score is one number: choose another average")
    return Scorer(chosen, pos_label, labels)


def _named(name: str) -> Metric:
    """The metric of that name, of which a parameter without a default may still have no value."""
    for metric in declared("classification"):
        if name in (metric.name, *metric.aliases, *metric.spellings):
            return metric
    return parse(name, task="classification")


class Scorer:
    """A metric of an estimator's predictions: call it on estimator, samples and truth. Made by `scorer`.

    Two scorers of the same metric and conventions are equal; scorers can be pickled and copied.
    """

    def __init__(self, metric: Metric, pos_label: Any = None, labels: Any = None) -> None:
        self.metric = metric
        self.pos_label = pos_label
        self.labels = labels

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:  # noqa: N803
        """The score of a fitted estimator on samples; higher is better.

        Raises
        ------
        DataError
            The estimator gives nothing that the metric can be computed from, or the truth is not valid.
        """
        response, labels = self._response(estimator, X, np.ndim(y_true) == 2 and np.shape(y_true)[1] > 1)
        estimate = self.metric(y_true, response, labels=labels, pos_label=self.pos_label, sample_weight=sample_weight)
        return estimate.value if self.metric.better == "higher" else -estimate.value

    def _response(self, estimator: Any, samples: Any, multilabel: bool) -> tuple[Any, Any]:
        """What the estimator says of the samples, and the labels that this is about."""
        takes = self.metric.takes
        if any(issubclass(kind, Labels | Multilabel) for kind in takes):
            return self._asked(estimator, "predict")(samples), self.labels
        ways = ["predict_proba"]
        if not any(issubclass(kind, Probabilities) for kind in takes):
            ways = ["decision_function", "predict_proba"]
        method = self._asked(estimator, *ways)
        response = method(samples)
        if multilabel:
            return _of_labels(response), self.labels
        classes = np.asarray(estimator.classes_)
        if method.__name__ == "decision_function":
            if np.ndim(response) == 2 and np.shape(response)[1] != len(classes):
                raise DataError(
                    f"{type(estimator).__name__}.decision_function gives {np.shape(response)[1]} columns for "
                    f"{len(classes)} classes; with decision_function_shape='ovr' it gives one per class"
                )
            return (-response if self._is_first(classes) else response), classes
        if len(classes) == 2 and ways[0] != "predict_proba":
            return response[:, 0 if self._is_first(classes) else 1], classes
        return response, classes

    def _is_first(self, classes: NDArray[Any]) -> bool:
        """Whether the positive class is the first of two, for which scikit-learn gives low scores."""
        return len(classes) == 2 and self.pos_label is not None and bool(self.pos_label == classes[0])

    def _asked(self, estimator: Any, *ways: str) -> Any:
        for way in ways:
            if hasattr(estimator, way):
                return getattr(estimator, way)
        raise DataError(f"{type(estimator).__name__} has no {' and no '.join(ways)}, which {self.metric} needs")

    def __repr__(self) -> str:
        given = "".join(
            f", {name}={value!r}"
            for name, value in (("pos_label", self.pos_label), ("labels", self.labels))
            if value is not None
        )
        return f"certus.scorer({str(self.metric)!r}{given})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scorer) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def _of_labels(response: Any) -> Any:
    """Scores of several labels as one table; scikit-learn's forests give a list of tables, one per label."""
    return np.column_stack([each[:, 1] for each in response]) if isinstance(response, list) else response
