"""Comma- and tab-separated values with a header line."""

from typing import TYPE_CHECKING

from certus.io._format import File, Start, input_format, is_number
from certus.io._names import is_header

if TYPE_CHECKING:
    from certus.io.columns import Source


def _comma_told(file: File) -> bool:
    return file.kind != "table" and _is_header(file.start, ",", not is_header(file.start.names("\t")))


def _tab_told(file: File) -> bool:
    start = file.start
    first = start.text[0] if start.text else b""
    if file.kind == "table":
        return start.plain and b"\t" in first and b"," not in first
    return _is_header(start, "\t", not start.headed and not any(map(is_number, first.split())))


def _is_header(start: Start, separator: str, possible: bool) -> bool:
    """True if the first line names the columns of a ranking, or cannot be anything but a header."""
    names = start.names(separator)
    if is_header(names):
        return True
    return possible and start.plain and len(names) > 1 and start.columns not in (3, 4, 6)


@input_format("csv", "CSV", told=_comma_told, table="comma-separated, with a header line")
def comma_separated(file: File) -> "Source":
    """The table of the file."""
    from certus.io.delimited import Delimited  # here, as NumPy comes with it

    return Delimited(file.content, file.name, "," if file.kind != "table" else "")


@input_format(
    "tsv", "TSV", told=_tab_told, table="tab-separated, with a header line, such as BEIR's `query-id corpus-id score`"
)
def tab_separated(file: File) -> "Source":
    """The table of the file."""
    from certus.io.delimited import Delimited  # here, as NumPy comes with it

    return Delimited(file.content, file.name, "\t")
