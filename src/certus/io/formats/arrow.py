"""Parquet, Arrow and Feather, read by pyarrow."""

from typing import TYPE_CHECKING

from certus.io._format import File, arrow_kind, input_format

if TYPE_CHECKING:
    from certus.io.columns import Source


@input_format(
    "parquet",
    "Parquet",
    told=lambda file: arrow_kind(file.start.data) == "Parquet",
    table="named columns; needs `certus[arrow]`",
    binary=True,
)
def parquet(file: File) -> "Source":
    """The table of the file."""
    from certus.io._frame import arrow_frame  # here, as NumPy comes with it

    return arrow_frame(file.content, file.name)


@input_format(
    "arrow",
    "Arrow, Feather",
    told=lambda file: arrow_kind(file.start.data) in ("Arrow", "Feather"),
    table="named columns, as a file or a stream; needs `certus[arrow]`",
    binary=True,
)
def arrow(file: File) -> "Source":
    """The table of the file."""
    from certus.io._frame import arrow_frame  # here, as NumPy comes with it

    return arrow_frame(file.content, file.name)
