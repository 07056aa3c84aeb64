"""Rows of estimates and how they print. Never computes."""

from certus.table.row import Row
from certus.table.table import Table

__all__ = ["Row", "Table"]
