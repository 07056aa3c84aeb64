"""Writing a plain table."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certus.listing import Listing

__all__ = ["Listed", "listed"]


class Listed(StrEnum):
    """Formats of a plain table."""

    text = "text"
    json = "json"
    csv = "csv"


def listed(table: "Listing", form: Listed | None, output: Path | None = None) -> str:
    """The table as `form` writes it; without one as the suffix of the output file says, otherwise as text."""
    if form is None and output is not None:
        form = next((each for each in Listed if output.suffix.lower() == f".{each}"), None)
    if form is Listed.json:
        return table.to_json()
    return table.to_csv() if form is Listed.csv else f"{table}\n"
