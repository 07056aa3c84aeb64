"""Validated columns that metrics are computed from."""

from certus.data.class_scores import ClassScores
from certus.data.prepare import Prepared, prepare
from certus.data.probabilities import Probabilities
from certus.data.ranking import Columns, RankedList, Ranking, TiePolicy
from certus.data.scores import Scores, Steps

__all__ = [
    "ClassScores",
    "Columns",
    "Prepared",
    "Probabilities",
    "RankedList",
    "Ranking",
    "Scores",
    "Steps",
    "TiePolicy",
    "prepare",
]
