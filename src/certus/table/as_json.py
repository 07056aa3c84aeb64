"""Tables as JSON."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["document", "lines"]


def document(table: "Table") -> str:
    """The whole table as one document, one row a line."""
    head = {"signature": dict(table.signature), "warnings": [notice.to_dict() for notice in table.warnings]}
    rows = ",\n  ".join(_dumps(row) for row in table.to_dicts())
    start = _dumps(head)[:-1]
    return f'{start},\n "rows": [\n  {rows}\n ]}}\n' if rows else f'{start}, "rows": []}}\n'


def lines(table: "Table") -> str:
    """The signature with the warnings, then one row a line."""
    head = {"signature": dict(table.signature), "warnings": [notice.to_dict() for notice in table.warnings]}
    return "".join(_dumps(item) + "\n" for item in [head, *table.to_dicts()])


def _dumps(value: object) -> str:
    # ASCII only: any text, even bytes that were not UTF-8, survives any terminal, file encoding and JSON reader
    return json.dumps(value, allow_nan=False)
