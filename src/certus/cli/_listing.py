"""Writing a plain table."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from certus.cli._output import format_of

if TYPE_CHECKING:
    from certus.listing import Listing


class Listed(StrEnum):
    """Formats of a plain table."""

    text = "text"
    json = "json"
    csv = "csv"


def listed_format(output: Path | None, form: str | None) -> Listed:
    """The format of a plain table: as for results, in the formats that it has."""
    from certus.table.output import FORMATS

    return Listed(format_of(output, form, {each.value: FORMATS[each] for each in Listed}))


def listed(table: "Listing", form: Listed | None) -> str:
    """The table as `form` writes it; without one as text."""
    if form is Listed.json:
        return table.to_json()
    return table.to_csv() if form is Listed.csv else f"{table}\n"
