"""Validated columns that metrics are computed from."""

from certus.data.class_scores import ClassScores
from certus.data.clustered import Clustered
from certus.data.label_grades import LabelGrades
from certus.data.labels import Labels
from certus.data.multilabel import Multilabel
from certus.data.multilabel_scores import MultilabelScores
from certus.data.partition import Partition
from certus.data.probabilities import Probabilities
from certus.data.ranking import Columns, RankedList, Ranking
from certus.data.scores import Scores
from certus.data.targets import Targets
from certus.data.timings import Timings

__all__ = [
    "ClassScores",
    "Clustered",
    "Columns",
    "LabelGrades",
    "Labels",
    "Multilabel",
    "MultilabelScores",
    "Partition",
    "Probabilities",
    "RankedList",
    "Ranking",
    "Scores",
    "Targets",
    "Timings",
]
