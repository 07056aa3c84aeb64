"""Tables as DataFrames of any library."""

from typing import TYPE_CHECKING

from certus.frames import Kind, frame_of

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

    from certus.table.table import Table

__all__ = ["frame"]

_NUMBERS = ("value", "low", "high", "level", "min", "max")


def frame(table: "Table", backend: str | None) -> "IntoDataFrame":
    """The rows as a DataFrame of `backend`, or of the library in use."""
    rows = table.to_dicts()
    columns = {name: [row[name] for row in rows] for name in table.columns}
    return frame_of(columns, {name: _kind(name) for name in columns}, backend, "to_frame")


def _kind(name: str) -> Kind:
    return "number" if name in _NUMBERS else "whole" if name == "n" else "text"
