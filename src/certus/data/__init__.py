"""Validated columns that metrics are computed from."""

from typing import TYPE_CHECKING

from certus.core.lazy import attributes

if TYPE_CHECKING:
    from certus.data.class_scores import ClassScores, Probabilities
    from certus.data.clustered import Clustered
    from certus.data.labels import Labels
    from certus.data.multilabel import LabelGrades, Multilabel, MultilabelScores
    from certus.data.partition import Partition
    from certus.data.ranking import Ranking
    from certus.data.scores import Scores
    from certus.data.targets import Targets
    from certus.data.values import Holdings, Sizes, Staleness, Timings, Updates, Values

__all__ = [
    "ClassScores",
    "Clustered",
    "Holdings",
    "LabelGrades",
    "Labels",
    "Multilabel",
    "MultilabelScores",
    "Partition",
    "Probabilities",
    "Ranking",
    "Scores",
    "Sizes",
    "Staleness",
    "Targets",
    "Timings",
    "Updates",
    "Values",
]


_MODULES = {
    "ClassScores": "class_scores",
    "Clustered": "clustered",
    "LabelGrades": "multilabel",
    "Labels": "labels",
    "Multilabel": "multilabel",
    "MultilabelScores": "multilabel",
    "Partition": "partition",
    "Probabilities": "class_scores",
    "Ranking": "ranking",
    "Scores": "scores",
    "Targets": "targets",
    "Holdings": "values",
    "Sizes": "values",
    "Staleness": "values",
    "Updates": "values",
    "Timings": "values",
    "Values": "values",
}


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers
    __getattr__ = attributes(__name__, _MODULES)
