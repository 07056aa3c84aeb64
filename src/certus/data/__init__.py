"""Validated columns that metrics are computed from."""

from typing import TYPE_CHECKING

from certus.core.lazy import attributes

if TYPE_CHECKING:
    from certus.data.clusterings import Clustered, Partition
    from certus.data.labels import Labels
    from certus.data.multilabel import LabelGrades, Multilabel, MultilabelScores
    from certus.data.ranking import Ranking
    from certus.data.scores import ClassScores, Probabilities, Scores
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


_NAMES = {
    "clusterings": ("Clustered", "Partition"),
    "labels": ("Labels",),
    "multilabel": ("LabelGrades", "Multilabel", "MultilabelScores"),
    "ranking": ("Ranking",),
    "scores": ("ClassScores", "Probabilities", "Scores"),
    "targets": ("Targets",),
    "values": ("Holdings", "Sizes", "Staleness", "Timings", "Updates", "Values"),
}

if not TYPE_CHECKING:  # a name that is not there is an error to type checkers
    __getattr__ = attributes(__name__, {name: module for module, names in _NAMES.items() for name in names})
