"""Validated columns that metrics are computed from."""

from certus.data.prepare import Prepared, prepare
from certus.data.ranking import Columns, RankedList, Ranking, TiePolicy

__all__ = ["Columns", "Prepared", "RankedList", "Ranking", "TiePolicy", "prepare"]
