"""Validated columns that metrics are computed from."""

from certus.data.labels import Labels, Table
from certus.data.multilabel import Multilabel, MultilabelScores
from certus.data.prepare import Prepared, prepare
from certus.data.ranking import Columns, RankedList, Ranking, TiePolicy

__all__ = [
    "Columns",
    "Labels",
    "Multilabel",
    "MultilabelScores",
    "Prepared",
    "RankedList",
    "Ranking",
    "Table",
    "TiePolicy",
    "prepare",
]
