"""Validated columns that metrics are computed from."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certus.data.class_scores import ClassScores
    from certus.data.clustered import Clustered
    from certus.data.label_grades import LabelGrades
    from certus.data.labels import Labels
    from certus.data.multilabel import Multilabel
    from certus.data.multilabel_scores import MultilabelScores
    from certus.data.partition import Partition
    from certus.data.probabilities import Probabilities
    from certus.data.ranking import Columns, RankedList, Ranking
    from certus.data.records import Held, Sizes, Staleness, Updates
    from certus.data.scores import Scores
    from certus.data.targets import Targets
    from certus.data.timings import Timings
    from certus.data.values import Values

__all__ = [
    "ClassScores",
    "Clustered",
    "Columns",
    "Held",
    "LabelGrades",
    "Labels",
    "Multilabel",
    "MultilabelScores",
    "Partition",
    "Probabilities",
    "RankedList",
    "Ranking",
    "Scores",
    "Sizes",
    "Staleness",
    "Targets",
    "Timings",
    "Updates",
    "Values",
]

_PLACES = {
    "ClassScores": "class_scores",
    "Clustered": "clustered",
    "LabelGrades": "label_grades",
    "Labels": "labels",
    "Multilabel": "multilabel",
    "MultilabelScores": "multilabel_scores",
    "Partition": "partition",
    "Probabilities": "probabilities",
    "Columns": "ranking",
    "RankedList": "ranking",
    "Ranking": "ranking",
    "Scores": "scores",
    "Targets": "targets",
    "Held": "records",
    "Sizes": "records",
    "Staleness": "records",
    "Updates": "records",
    "Timings": "timings",
    "Values": "values",
}


def __getattr__(name: str) -> Any:
    """Classes are imported when first used, so that a program pays for the data it has."""
    if name not in _PLACES:
        raise AttributeError(f"module 'certus.data' has no attribute {name!r}")
    value = getattr(import_module(f"certus.data.{_PLACES[name]}"), name)
    globals()[name] = value
    return value
