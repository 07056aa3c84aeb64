"""Rows of estimates and how they print. Never computes."""

from typing import TYPE_CHECKING

from certus.core.lazy import attributes

if TYPE_CHECKING:
    from certus.table.row import PerQuery, Row
    from certus.table.table import Table

__all__ = ["PerQuery", "Row", "Table"]

_PLACES = {"PerQuery": "row", "Row": "row", "Table": "table"}


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers
    __getattr__ = attributes(__name__, _PLACES)
