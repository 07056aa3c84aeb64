"""Rows of estimates and how they print. Never computes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certus.table.row import PerQuery, Row
    from certus.table.table import Table

__all__ = ["PerQuery", "Row", "Table"]

_PLACES = {"PerQuery": "row", "Row": "row", "Table": "table"}


if not TYPE_CHECKING:  # a name that is not there is an error to type checkers

    def __getattr__(name: str) -> Any:
        """Classes are imported when first used: the command line asks for the names of formats, which have no rows."""
        if name not in _PLACES:
            raise AttributeError(f"module 'certus.table' has no attribute {name!r}")
        value = getattr(import_module(f"certus.table.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
