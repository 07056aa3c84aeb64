"""Rows of estimates and how they print. Never computes."""

from certus.table.table import PerQuery, Row, Table

__all__ = ["PerQuery", "Row", "Table"]
