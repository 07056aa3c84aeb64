"""Estimators of scikit-learn: metrics as model selection takes them (`certus.scorer`), and what models predict."""

import inspect
import math
from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, MetricNameError, keyword
from certus.core.missing import missing_words
from certus.core.registry import names, task
from certus.data import (
    Clustered,
    LabelGrades,
    Labels,
    Multilabel,
    MultilabelScores,
    Partition,
    Probabilities,
    Targets,
)
from certus.metrics import Metric
from certus.metrics.check import comma_list
from certus.metrics.names import parse, resolve_metric, task_of


class OfPredictions:
    """A metric as a function of truth and predictions that is never NaN: an undefined value is the worst there is."""

    def __init__(self, metric: Metric, labels: Any, missing_values: str | Sequence[str] | None) -> None:
        self.metric, self.labels, self.missing_values = metric, labels, missing_values
        self.__name__ = str(metric)

    def __call__(self, y_true: Any, y_pred: Any, *, pos_label: Any = None, sample_weight: Any = None) -> float:
        """The value of the metric."""
        conventions = _without_none(labels=self.labels, pos_label=pos_label, sample_weight=sample_weight)
        _refuse_missing(self.metric, (y_true, y_pred), self.missing_values)
        estimate = self.metric(y_true, y_pred, **conventions)
        if not math.isnan(estimate.value):
            return estimate.value
        worst = self.metric.bounds[0 if self.metric.better == "higher" else 1]
        if not math.isfinite(worst):
            raise DataError(
                f"{self.metric} is undefined: {estimate.reason}", f"say what that counts as with {keyword('undefined')}"
            )
        return worst


Response = Literal["predict", "predict_proba", "decision_function"]


def scorer(
    metric: str | Metric,
    *,
    task: str | None = None,
    response_method: Response | None = None,
    labels: Any = None,
    pos_label: Any = None,
    missing_values: str | Sequence[str] | None = None,
    **parameters: Any,
) -> "Scorer":
    """A metric for the ``scoring=`` of scikit-learn's ``cross_val_score``, ``GridSearchCV`` and the like.

    It asks the estimator for what the metric is computed from: labels, numbers or clusters (``predict``), probabilities
    (``predict_proba``) or scores (``decision_function``, otherwise ``predict_proba``; with ``multi_class=`` the other
    way round, so that ``"AUC(multi_class='ovr')"`` is ``"roc_auc_ovr"``). The score is the metric's value, with its
    sign turned if lower is better, so that higher scores are always better, as scikit-learn wants them. It is NaN where
    the metric is undefined; among the thresholds that ``TunedThresholdClassifierCV`` tries, one at which the metric is
    undefined counts as the worst value there is.

    Parameters
    ----------
    metric
        A metric of classification, regression, clustering or of several labels per sample, or its name: ``"roc_auc"``,
        ``"F1"``, ``"mae"``, ``"ARI"``, ``"fbeta(beta=2)"``; or what scikit-learn calls its scorer or function:
        ``"neg_mean_absolute_error"``, ``"f1_macro"``, ``"roc_auc_ovr"``, ``"adjusted_rand_score"``.
    task
        Whose metric a name is, where several tasks have one of that name; None takes the first of classification,
        regression, clustering and multilabel.
    response_method
        What the estimator is asked for, if not that.
    labels
        The classes that averages run over.
    pos_label
        The positive class of binary metrics; None takes the greater of 0 and 1, -1 and 1, or False and True.
    missing_values
        Words that mean a missing value among the labels: truth and predictions that hold one are refused, as by
        `certus.evaluate`.
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
    >>> scorer("neg_root_mean_squared_error")
    certus.scorer('RMSE')
    >>> scorer("roc_acu")
    Traceback (most recent call last):
    certus.core.errors.MetricNameError: no metric is named 'roc_acu'; did you mean 'roc_auc'?
    """
    chosen = _metric_by_name(metric, task) if isinstance(metric, str) else metric
    known_tasks = _tasks(task)
    if getattr(chosen, "task", None) not in known_tasks:
        task_list = comma_list(known_tasks)
        raise MetricNameError(f"is {metric!r}", f"estimators are scored by metrics of {task_list}", argument="metric")
    chosen = parse(str(chosen.using(**parameters)), task=chosen.task)  # which refuses one that lacks a parameter
    if chosen.better is None:
        raise MetricNameError(f"of {chosen.name} neither higher nor lower values are better", "it cannot be a score")
    values = dict(chosen.conventions)
    if values.get("average", "") is None or values.get("multioutput") == "raw_values":
        part, parameter = ("class", "average") if "average" in values else ("output", "multioutput")
        raise MetricNameError(
            f"{chosen} has a value for each {part}", f"a score is one number: choose another {parameter}"
        )
    accepted = inspect.signature(chosen).parameters
    for name, value in (("pos_label", pos_label), ("labels", labels)):
        if value is not None and name not in accepted:
            raise MetricNameError(f"does not apply to {chosen.name}", "leave it out", argument=name)
    return Scorer(chosen, pos_label, labels, response_method, missing_values)


def _tasks(task: str | None = None) -> tuple[str, ...]:
    """The tasks that estimators are for, or the one; a name that several have is that of the first."""
    return names(scored=True) if task is None else (task,)


def _metric_by_name(text: str, task: str | None) -> Metric:
    """The metric of that name; any loss may be named as scikit-learn names a scorer, with neg_."""
    tasks = _tasks(task)
    task_name = task_of(text, tasks)
    if task_name is not None:
        return resolve_metric(text, task_name)
    if (loss_name := text.removeprefix("neg_")) != text and (task_name := task_of(loss_name, tasks)) is not None:
        metric = resolve_metric(loss_name, task_name)
        if metric.better != "lower":
            raise MetricNameError(f"higher values of {metric.name} are better", f"name it {loss_name!r}, without neg_")
        return metric
    return resolve_metric(text, tasks[0])


class Scorer:
    """A metric of an estimator's predictions: call it on estimator, samples and truth. Made by `scorer`.

    Two scorers of the same metric, conventions and requests are equal; scorers can be pickled and copied. The names
    with an underscore are those that scikit-learn's searches, tuned thresholds and metadata routing look at.
    """

    def __init__(
        self,
        metric: Metric,
        pos_label: Any = None,
        labels: Any = None,
        response_method: Response | None = None,
        missing_values: str | Sequence[str] | None = None,
    ) -> None:
        self.metric, self.pos_label, self.labels = metric, pos_label, labels
        self.response_method, self.missing_values = response_method, missing_values
        self.requests: dict[str, bool | str | None] = {}

    @property
    def __name__(self) -> str:
        return str(self.metric)

    @property
    def _sign(self) -> int:
        return 1 if self.metric.better == "higher" else -1

    @property
    def _score_func(self) -> OfPredictions:
        return OfPredictions(self.metric, self.labels, self.missing_values)

    @property
    def _kwargs(self) -> dict[str, Any]:
        return _without_none(pos_label=self.pos_label)

    def _accept_sample_weight(self) -> bool:
        return "sample_weight" in inspect.signature(self.metric).parameters

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Say whether ``sample_weight``, given to a search or a cross-validation, is passed on to this scorer."""
        from sklearn import get_config

        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "requests are only looked at where metadata routing is enabled; call "
                "sklearn.set_config(enable_metadata_routing=True) first"
            )
        if not self._accept_sample_weight():
            raise MetricNameError(f"{self.metric.name} does not apply to weighted samples", "leave out sample_weight")
        self.requests = {"sample_weight": sample_weight}
        return self

    def get_metadata_routing(self) -> Any:
        """The keywords of this scorer beside samples and truth, as scikit-learn's ``MetadataRequest``."""
        from sklearn.utils.metadata_routing import MetadataRequest

        routing = MetadataRequest(owner=self)
        if self._accept_sample_weight():
            routing.score.add_request(param="sample_weight", alias=self.requests.get("sample_weight"))
        return routing

    def _routing_repr(self) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scorer) and (repr(self), self.requests) == (repr(other), other.requests)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __call__(self, estimator: Any, X: Any, y_true: Any = None, sample_weight: Any = None) -> float:
        """The score of a fitted estimator on samples; higher is better.

        Metrics of a clustering without any truth, such as the silhouette, take no notice of `y_true`.
        """
        if Clustered in self.metric.input_types:
            if sample_weight is not None:
                raise DataError(f"{self.metric.name} does not apply to weighted samples", "leave out sample_weight")
            clusters = self._call_estimator(estimator, X, "predict")[1]
            _refuse_missing(self.metric, (X, clusters), self.missing_values)
            return self._sign * self.metric(X, clusters).value
        if y_true is None:
            raise DataError("is None", f"{self.metric} is computed from the truth, give it", argument="y_true")
        response, labels = self._response(estimator, X, np.ndim(y_true) == 2 and np.shape(y_true)[1] > 1)
        conventions = _without_none(labels=labels, pos_label=self.pos_label, sample_weight=sample_weight)
        _refuse_missing(self.metric, (y_true, response), self.missing_values)
        return self._sign * self.metric(y_true, response, **conventions).value

    def _response(self, estimator: Any, samples: Any, multilabel: bool) -> tuple[Any, Any]:
        """The estimator's response to the samples, and the labels that it is about."""
        data_classes = self.metric.input_types
        response_name, response = self._call_estimator(estimator, samples, *self._response_names(data_classes))
        if response_name == "predict":
            return response, self.labels
        if multilabel:
            return _of_labels(response), self.labels
        classes = np.asarray(estimator.classes_)
        if response_name == "decision_function":
            if np.ndim(response) == 2 and np.shape(response)[1] != len(classes):
                raise DataError(
                    f"{type(estimator).__name__}.decision_function gives {np.shape(response)[1]} columns for "
                    f"{len(classes)} classes",
                    "with decision_function_shape='ovr' it gives one per class",
                )
            return (-response if self._is_first(classes) else response), classes
        if len(classes) == 2 and Probabilities not in data_classes:
            return _column(response, 0 if self._is_first(classes) else 1), classes
        return response, classes

    def _response_names(self, data_classes: tuple[type, ...]) -> tuple[str, ...]:
        if self.response_method is not None:
            return (self.response_method,)
        if any(issubclass(kind, Labels | Multilabel | Targets | Partition) for kind in data_classes):
            return ("predict",)
        if any(issubclass(kind, Probabilities) for kind in data_classes):
            return ("predict_proba",)
        if dict(self.metric.conventions).get("multi_class") is not None:
            # Samples are compared with each other, and decision values of many classes are not on one scale.
            return ("predict_proba", "decision_function")
        # Who learns to rank predicts a table of scores.
        last = ("predict",) if data_classes in ((LabelGrades,), (MultilabelScores,)) else ()
        return ("decision_function", "predict_proba", *last)

    def _is_first(self, classes: NDArray[Any]) -> bool:
        """True if the positive class is the first of two, for which scikit-learn gives low scores."""
        return len(classes) == 2 and self.pos_label is not None and bool(self.pos_label == classes[0])

    def _call_estimator(self, estimator: Any, samples: Any, *method_names: str) -> tuple[str, Any]:
        """The first of some methods that the estimator has, and what it gives."""
        for method_name in method_names:
            if hasattr(estimator, method_name):
                return method_name, getattr(estimator, method_name)(samples)
        raise DataError(f"{type(estimator).__name__} has no {' and no '.join(method_names)}, which {self.metric} needs")

    def __repr__(self) -> str:
        keywords = _without_none(
            pos_label=self.pos_label,
            labels=self.labels,
            response_method=self.response_method,
            missing_values=self.missing_values,
        )
        keyword_text = "".join(f", {name}={value!r}" for name, value in keywords.items())
        task = "" if task_of(str(self.metric), _tasks()) == self.metric.task else f", task={self.metric.task!r}"
        return f"certus.scorer({str(self.metric)!r}{task}{keyword_text})"


def is_estimator(value: object) -> bool:
    """True for an object that is fitted and predicts, as the models of scikit-learn do."""
    return not isinstance(value, type) and callable(getattr(value, "predict", None)) and hasattr(value, "fit")


def predictions_of(estimator: Any, samples: Any, pos_label: Any = None) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The task of a fitted classifier or regressor, what it predicts for samples, and conventions from its classes.

    Of two classes the positive one is the second unless another is named, and the scores are those of that class.
    """
    name = type(estimator).__name__
    if not hasattr(estimator, "classes_"):
        from sklearn.base import is_regressor

        if not is_regressor(estimator):
            raise DataError(f"{name} is not a fitted classifier or regressor", "give its predictions", argument="data")
        return "regression", {"y_pred": estimator.predict(samples)}, {}
    if isinstance(estimator.classes_, list):
        raise DataError(f"{name} predicts several outputs", "give the predictions of each", argument="data")
    classes = np.asarray(estimator.classes_)
    columns = {"y_pred": estimator.predict(samples)}
    response = next((method for method in ("predict_proba", "decision_function") if hasattr(estimator, method)), None)
    if response is not None:
        scores = np.asarray(getattr(estimator, response)(samples))
        first_is_positive = len(classes) == 2 and pos_label is not None and bool(pos_label == classes[0])
        if scores.shape[1:] == (2,):
            scores = scores[:, 0 if first_is_positive else 1]
        elif first_is_positive:
            scores = -scores
        columns["y_score"] = scores
    if len(classes) == 2:
        if pos_label is None and classes.tolist() in ([0, 1], [-1, 1]):
            return "classification", columns, {}  # 1 is the positive one by itself
        return "classification", columns, {"pos_label": classes[1] if pos_label is None else pos_label}
    return "classification", columns, {} if response is None else {"score_labels": classes}


def _refuse_missing(metric: Metric, data: tuple[Any, ...], words: str | Sequence[str] | None) -> None:
    """Refuse labels that are words for a missing value."""
    if words is not None:
        from certus.evaluation.binding import refuse_missing_words

        with missing_words(words) as missing:
            refuse_missing_words(task(metric.task), dict(zip(metric.arguments, data, strict=True)), missing)


def _without_none(**conventions: Any) -> dict[str, Any]:
    return {name: value for name, value in conventions.items() if value is not None}


def _of_labels(response: Any) -> Any:
    """Scores of several labels as one table; scikit-learn's forests give a list of tables, one per label."""
    return np.column_stack([_column(table, 1) for table in response]) if isinstance(response, list) else response


def _column(table: Any, index: int) -> Any:
    return np.asarray(table)[:, index]
