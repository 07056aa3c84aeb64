"""Rows of estimates and how they print. Never computes."""

from certus.table.row import PerQuery, Row
from certus.table.table import Table

__all__ = ["PerQuery", "Row", "Table"]
