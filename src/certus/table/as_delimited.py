"""Tables as comma- or tab-separated values."""

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["delimited"]


def delimited(table: "Table", separator: str) -> str:
    """A header line and one line a row, numbers with all their digits."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    columns = table.columns
    writer.writerow(columns)
    writer.writerows(["" if row[name] is None else row[name] for name in columns] for row in table.to_dicts())
    return out.getvalue()
