"""Validated columns that metrics are computed from."""

from certus.data.ranking import Columns, Ranking, TiePolicy

__all__ = ["Columns", "Ranking", "TiePolicy"]
