"""Multilabel prediction: each sample has any number of labels."""

from typing import TYPE_CHECKING, Any

from certus.tasks import classification
from certus.tasks._common import GROUPS, WEIGHT
from certus.tasks._task import Argument, Task

if TYPE_CHECKING:
    from certus.metrics import Metric

__all__ = ["TASK"]


def _load() -> object:
    from certus.metrics import multilabel

    return multilabel


def _prepare(metric: "Metric", data: tuple[Any, ...], given: dict[str, Any]) -> Any:
    from certus.data import prepare
    from certus.errors import DataError, called

    if len(metric.takes) > 1:
        return prepare(metric.takes, *data, **given)
    # The class itself says best what is wrong with tables of another shape.
    prepared = metric.takes[0].of(*data, **given)  # type: ignore[attr-defined]
    if not len(prepared) and "sample_weight" not in given:
        raise DataError(f"{called('y_true')} has no samples; give a row per sample")
    if not prepared.classes:
        raise DataError(f"{called('y_true')} has no labels; give a column per label")
    return prepared


TASK = Task(
    name="multilabel",
    data=(
        Argument(
            names=("y_true",),
            about="true labels (0, 1), one for each label",
            option="truth",
            several=True,
            axes=(2,),
            looks=("text", "whole"),
        ),
        Argument(
            names=("y_pred",),
            about="predicted labels (0, 1), one for each label",
            option="pred",
            several=True,
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
    load=_load,
    example="Jaccard(average='macro')",
    part="label",
    scored=True,
    prepare=_prepare,
    pair=classification.pair,
    both=classification.both,
)
