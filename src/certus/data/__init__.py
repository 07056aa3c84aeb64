"""Validated columns that metrics are computed from."""

from certus.data.prepare import Prepared, prepare
from certus.data.ranking import Columns, RankedList, Ranking, TiePolicy
from certus.data.scores import Scores, Steps

__all__ = ["Columns", "Prepared", "RankedList", "Ranking", "Scores", "Steps", "TiePolicy", "prepare"]
