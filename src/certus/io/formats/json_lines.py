"""JSON Lines: one object a line."""

import re
from typing import TYPE_CHECKING

from certus.errors import DataError
from certus.io._format import File, input_format

if TYPE_CHECKING:
    from certus.io.columns import Source


_ARRAY = re.compile(rb"\[\s*[{\]]")
_STORED = re.compile(rb'\s*\{\s*"signature"\s*:\s*\{\s*"certus"')


def _told(file: File) -> bool:
    start = file.start
    text = start.data.lstrip()
    if file.kind == "table":
        return text.startswith(b"{") or _ARRAY.match(text) is not None
    if not (start.text and b"{" in start.text[0]):
        return False
    from certus.io._json_lines import is_flat  # here, as few files are of JSON

    return is_flat(start.text[0])


@input_format("jsonl", "JSON Lines", told=_told, table="one object a line, which names the columns")
def json_lines(file: File) -> "Source":
    """The table of the objects."""
    from certus.io._json_lines import JsonLines

    if _ARRAY.match(file.content.lstrip()):
        raise DataError("is a JSON array", "write one object a line (JSON Lines)", place=file.name)
    if _STORED.match(file.content):
        raise DataError(
            "is a result that certus stored, not a table", "it is compared without naming columns", place=file.name
        )
    return JsonLines(file.content, file.name)
