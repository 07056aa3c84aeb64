"""Multilabel prediction: each sample has any number of labels."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from certus.core.errors import DataError
from certus.tasks import classification
from certus.tasks._task import GROUPS, THRESHOLD, WEIGHT, Argument, Task

if TYPE_CHECKING:
    from certus.metrics import Metric


@cache
def _prepare() -> "Callable[..., Any]":
    from certus.data.multilabel import are_label_sets, tables_of_sets
    from certus.data.samples import prepare

    def prepared(metric: "Metric", data: tuple[Any, ...], conventions: dict[str, Any]) -> Any:
        if any(map(are_label_sets, data)):
            input_types: Any = metric.input_types
            columns = dict(zip(input_types[0].arguments, data, strict=True))
            data = tuple(tables_of_sets(columns, conventions.get("labels")).values())
        if len(metric.input_types) > 1:
            return prepare(metric.input_types, *data, **conventions)
        kind: Any = metric.input_types[0]  # which says best what is wrong with tables of another shape
        tables = kind.from_arrays(*data, **conventions)
        if not len(tables) and "sample_weight" not in conventions:
            raise DataError("has no samples", "give a row per sample", argument="y_true")
        if not tables.classes:
            raise DataError("has no labels", "give a column per label", argument="y_true")
        return tables

    return prepared


@cache
def _decide() -> "Callable[..., tuple[Any, list[Any]]]":
    from certus.tasks.classification.decision import decide_labels

    return decide_labels


TASK = Task(
    name="multilabel",
    data=(
        Argument(
            names=("y_true",),
            about="true labels (0, 1), one for each label",
            option="truth",
            several=True,
            marks=True,
            axes=(2,),
            looks=("text", "whole"),
        ),
        Argument(
            names=("y_pred",),
            about="predicted labels (0, 1), one for each label",
            option="pred",
            several=True,
            marks=True,
            predicted=True,
        ),
        Argument(names=("y_score",), about="scores, one for each label", option="score", several=True, predicted=True),
    ),
    conventions=(
        Argument(
            names=("labels",),
            about="labels to look at",
            holds="list",
            idle="averages over the classes",
        ),
        WEIGHT,
        GROUPS,
    ),
    options=(THRESHOLD,),
    needs=(("y_true", "y_pred"), ("y_true", "y_score")),
    usual=(
        "SubsetAccuracy",
        "Hamming",
        "Jaccard",
        "F1",
        "LRAP",
        "RankingLoss",
        "CoverageError",
        "OneError",
        "nDCG",
    ),
    compared=("SubsetAccuracy", "Jaccard", "LRAP", "nDCG"),
    metrics="certus.metrics.multilabel",
    example="Jaccard(average='macro')",
    part="label",
    scored=True,
    prepare=_prepare,
    pair=classification.pair,
    both=classification.both,
    decide=_decide,
)
