"""Parquet, Arrow and Feather, read by pyarrow."""

from certus.io._columns import Source
from certus.io._format import File, input_format
from certus.io._frame import arrow_frame, arrow_kind

__all__ = ["ARROW", "FEATHER", "PARQUET"]


def _table(file: File) -> Source:
    """The table of the file."""
    return arrow_frame(file.content, file.name)


def _parquet(file: File) -> bool:
    return arrow_kind(file.start.data) == "Parquet"


def _arrow(file: File) -> bool:
    return arrow_kind(file.start.data) == "Arrow"


def _feather(file: File) -> bool:
    return arrow_kind(file.start.data) == "Feather"


PARQUET = input_format("parquet", "Parquet", told=_parquet, table="named columns; needs `certus[arrow]`")(_table)
ARROW = input_format(
    "arrow", "Arrow", told=_arrow, table="named columns, as a file or a stream; needs `certus[arrow]`"
)(_table)
FEATHER = input_format("feather", "Feather", told=_feather, table="named columns; needs `certus[arrow]`")(_table)
