"""Writing a plain table."""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certus.listing import Listing

__all__ = ["Listed", "listed"]


class Listed(StrEnum):
    """Formats of a plain table."""

    text = "text"
    json = "json"
    csv = "csv"


def listed(table: "Listing", form: Listed | None) -> str:
    """The table as `form` writes it."""
    if form is Listed.json:
        return table.to_json()
    return table.to_csv() if form is Listed.csv else f"{table}\n"
