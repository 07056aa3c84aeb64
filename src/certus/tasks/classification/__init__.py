"""Classification: labels or scores of samples that have one of several classes each."""

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from certus.core.errors import DataError
from certus.tasks._task import GROUPS, THRESHOLD, WEIGHT, Argument, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from certus.evaluation.cases import Samples
    from certus.inference.tests.result import Paired
    from certus.metrics import Metric
    from certus.tasks.classification.samples import Classified

__all__ = ["TASK", "both", "pair"]


def _samples() -> "type[Samples]":
    from certus.tasks.classification.samples import Classified

    return Classified


@cache
def _prepare() -> "Callable[..., Any]":
    from certus.data.samples import prepare
    from certus.tasks.classification.samples import are_sets, table_of_sets

    def prepared(metric: "Metric", data: tuple[Any, ...], conventions: dict[str, Any]) -> Any:
        if are_sets(data):
            return table_of_sets(metric, data, conventions)
        if "universe" in conventions:
            raise DataError("is for two sets, and these are columns", "leave it out", argument="universe")
        return prepare(metric.input_types, *data, **conventions)

    return prepared


@cache
def _chance() -> "Callable[..., partial[Any] | None]":
    from certus.data import Labels, Scores
    from certus.metrics.random_labels import binary_scores, versus_random_labels, versus_random_pairs

    def chance(metric: "Metric", prepared: Any) -> "partial[Any] | None":
        if isinstance(prepared, Labels):
            return partial(versus_random_pairs, metric, prepared)
        scores = binary_scores(prepared) if Scores in metric.input_types else None
        return None if scores is None else partial(versus_random_labels, metric, scores)

    return chance


@cache
def _decide() -> "Callable[..., tuple[Any, list[Any]]]":
    from certus.tasks.classification.decision import decide_classes

    return decide_classes


def pair(metric: "Metric", a: Any, b: Any, **options: Any) -> "Paired":
    """Two classifiers on the same samples."""
    from certus.tasks.classification.comparison import compare_classifiers

    return compare_classifiers(metric, a, b, **options)


def both(metric: "Metric", a: Any, b: Any) -> tuple[Any, ...]:
    """The statistics of a metric of two classifiers on the same samples."""
    from certus.tasks.classification.comparison import statistics_of

    return statistics_of(metric, a, b)


def _draw_pictures(
    cases: "Mapping[str, Classified]", by: Any, level: float
) -> "Iterable[tuple[str, Callable[[Any], Any]]]":
    from certus.tasks.classification.report import pictures

    return pictures(cases, by, level)


TASK = Task(
    name="classification",
    data=(
        Argument(names=("y_true",), about="true labels", option="truth", holds="labels", looks=("text", "whole")),
        Argument(names=("y_pred",), about="predicted labels", option="pred", holds="labels", predicted=True),
        Argument(
            names=("y_score", "y_prob"),
            about="scores of the positive class; or one column per class, named after it or as CLASS=COL",
            option="score",
            several=True,
            by_class=True,
            predicted=True,
        ),
    ),
    conventions=(
        Argument(
            names=("labels",),
            about="classes to average over, in this order",
            option="labels",
            holds="list",
            idle="averages over the classes",
        ),
        Argument(
            names=("pos_label",),
            about="the positive one of two classes (default: 1 or True)",
            option="positive",
            holds="label",
            idle="has a positive class",
        ),
        WEIGHT,
        GROUPS,
    ),
    options=(
        Argument(names=("score_labels",), about="the classes of the columns of scores, in their order", holds="list"),
        THRESHOLD,
        Argument(
            names=("budget",),
            about="predict as positive this number of the highest scores (of runs: in each query) and evaluate the "
            "labels",
            option="budget",
            holds="number",
            several=True,
        ),
    ),
    needs=(("y_true", "y_pred"), ("y_true", "y_score")),
    usual=("Accuracy", "BalancedAccuracy", "MCC", "kappa", "AUC", "AP"),
    compared=("Accuracy", "MCC", "AUC", "AP"),
    metrics="certus.metrics.classification",
    about="averages over classes, 0/0, the positive class, weights and groups.",
    example="F1(average='macro') or TopK(k=5)",
    scored=True,
    samples=_samples,
    prepare=_prepare,
    chance=_chance,
    pair=pair,
    both=both,
    decide=_decide,
    drawn=("confusion", "roc", "precision-recall", "det", "gain", "lift", "calibration", "gini"),
    pictures=_draw_pictures,
)
