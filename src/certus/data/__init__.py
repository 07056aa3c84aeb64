"""Validated columns that metrics are computed from."""

from certus.data.ranking import Columns, RankedList, Ranking, TiePolicy

__all__ = ["Columns", "RankedList", "Ranking", "TiePolicy"]
