"""Tables of samples from DataFrames of any library, and from Parquet and Arrow files by pyarrow."""

import numbers
import os
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, not_utf8
from certus.core.exact import of_wide
from certus.io.columns import Columns, Numbers, Table, Wanted, array_of, join_ids, kept_exact, quoted
from certus.io.sources import arrow_kind

VARIABLE, RATIO, ALWAYS = "CERTUS_MAX_RATIO", 200, 64 << 20
"""As `certus_core::read::limit` has them: the name of another ratio, the usual one, bytes that are always allowed."""
_END = b"\xff\xff\xff\xff\0\0\0\0"
"""End of a stream of Arrow."""


class Frame(Table):
    """A DataFrame of pandas, polars, pyarrow or another library that narwhals supports; rows count from 0.

    Labels are text, whole numbers or booleans, as the columns are. A column of floats that are all whole holds whole
    numbers, since one easily becomes the other on its way through a DataFrame.
    """

    def __init__(self, frame: Any, name: str, expected: str = "a path or a DataFrame") -> None:
        import narwhals as nw

        try:
            data = _native(frame)
        except nw.exceptions.DuplicateError:
            raise DataError("has two columns of one name", "rename or drop one", location=name) from None
        except TypeError:
            raise DataError(f"is of type {type(frame).__name__}", f"expected {expected}", location=name) from None
        self._data: Any = data.lazy() if isinstance(data, nw.LazyFrame) else data
        self.name = name
        self.names = tuple(name for name in data.collect_schema().names() if isinstance(name, str))

    def read(self, wanted: Wanted) -> Columns:
        """Read the wanted columns; missing values and text that is not UTF-8 are errors."""
        try:
            return self._read(wanted)
        except UnicodeDecodeError as error:
            raise not_utf8(error, self._not_text(wanted)).with_location(self.name) from None

    def _not_text(self, wanted: Wanted) -> str:
        """First column whose values cannot be decoded."""
        for name in wanted.names:
            try:
                self._read(Wanted(keys=(name,)))
            except UnicodeDecodeError:
                return f"column {quoted(name)}"
            except DataError:
                continue
        return "a column"

    def _read(self, wanted: Wanted) -> Columns:
        """Read the wanted columns as labels, numbers, keys or ids; a missing value is an error."""
        data = self._data.select(*wanted.names)
        data = data.collect() if hasattr(data, "collect") else data
        columns = {name: data.get_column(name) for name in wanted.names}
        for name, column in columns.items():
            is_missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
            if is_missing.any():
                raise self.cell_error(name, int(is_missing.arg_max()), "is missing", "fill it or drop the row")
        return Columns(
            {name: self._labels(name, columns[name]) for name in wanted.labels},
            {name: self._numbers(name, columns[name], wanted.truths) for name in wanted.numbers},
            {name: self._labels(name, columns[name]) for name in wanted.keys},
            {name: self._ids(name, columns[name]) for name in wanted.ids},
        )

    def _ids(self, name: str, column: Any) -> bytes:
        """Join the ids in a column to bytes separated by NUL; integers become their digits."""
        if not column.dtype.is_integer():
            ids = _join_by_arrow(column)
            return join_ids(column.to_list(), partial(self.cell_error, name)) if ids is None else ids
        integers = _numpy(column)
        if np.can_cast(integers.dtype, np.int64):
            return kernels.joined_numbers(np.ascontiguousarray(integers, dtype=np.int64))
        return "\0".join(map(str, integers.tolist())).encode()

    def _labels(self, name: str, column: Any) -> NDArray[Any]:
        """Convert a column to an array of labels; whole floats become integers, mixed types are refused."""
        import narwhals as nw

        dtype = column.dtype
        if dtype.is_integer() or dtype == nw.Boolean:
            return _numpy(column)
        if dtype.is_numeric():
            values: NDArray[np.float64] = column.to_numpy().astype(np.float64)
            is_whole = bool((np.abs(values) < 2**53).all() and (np.floor(values) == values).all())
            return values.astype(np.int64) if is_whole else values
        cells = column.to_list()
        types = set(map(type, cells))
        if types <= {str} or types <= {bool} or types <= {int}:
            if "" in cells:
                raise self.cell_error(name, cells.index(""), "is empty", "fill it or drop the row")
            return array_of(cells)
        type_names = " and ".join(sorted(cell_type.__name__ for cell_type in types))
        raise DataError(
            f"column {quoted(name)} holds values of type {type_names}",
            "labels are all text, all whole numbers or all booleans",
            location=self.name,
        )

    def _numbers(self, name: str, column: Any, has_truths: bool) -> Numbers:
        """Convert a column to numbers, exact if float64 would merge different ones; booleans if `has_truths`."""
        if str(column.dtype) == "Boolean" and has_truths:
            return np.asarray(column.to_numpy()).astype(np.float64)
        if column.dtype.is_numeric():
            values = _numpy(column)
            return values if values.dtype == np.float32 else kept_exact(values)
        cells = column.to_list()
        if not all(isinstance(cell, numbers.Real | Decimal) and not isinstance(cell, bool) for cell in cells):
            raise DataError(
                f"column {quoted(name)} is of type {column.dtype}", "it must hold numbers", location=self.name
            )
        exact = np.empty(len(cells), dtype=object)
        exact[:] = cells
        return kept_exact(exact)

    def location(self, row: int) -> str:
        """Number of the row."""
        return f"{self.name}: row {row}"

    def cell_error(self, name: str, row: int, problem: str, remedy: str | None = None) -> DataError:
        """Error about a cell, with the number of its row."""
        return DataError(f"row {row} of column {quoted(name)} {problem}", remedy, location=self.name)


class _Parquet(Frame):
    """A Parquet file whose wanted columns are read, if the footer states a plausible size for the file's bytes."""

    def __init__(self, file: Any, size: int, name: str) -> None:
        super().__init__(file.schema_arrow.empty_table(), name)
        self._file, self._size = file, size

    def read(self, wanted: Wanted) -> Columns:
        """Read the wanted columns; missing values, and columns too large for the file's size, are errors."""
        rows = self._file.metadata.num_rows
        row_bytes = sum(_width(self._file.schema_arrow.field(name).type) for name in wanted.names)
        ratio = _ratio(self.name)
        if ratio is not None and rows * row_bytes > max(ALWAYS, ratio * self._size):
            raise DataError(
                f"its {rows} rows take {rows * row_bytes / 1e9:.2g} GB in memory, which is more than {ratio} times the "
                "size of the file",
                f"read them in batches (named columns, --memory), or set {VARIABLE} to 'unlimited'",
                location=self.name,
            )
        with arrow_refusals(self.name, "Parquet"):
            return Frame(self._file.read(list(wanted.names)), self.name).read(wanted)


def arrow_frame(data: bytes, name: str) -> Frame:
    """Table of a Parquet, Arrow or Feather file."""
    kind = arrow_kind(data)
    if kind is None:
        raise DataError("is not a Parquet, Arrow or Feather file", location=name)
    if kind == "Parquet":
        return _Parquet(parquet_file(data, name), len(data), name)
    with arrow_refusals(name, kind):
        import pyarrow as pa
        from pyarrow import feather

        source = pa.BufferReader(data)
        if data.startswith(b"\xff"):
            table = pa.ipc.open_stream(source).read_all()
            if data[: source.tell()][-8:] != _END or source.tell() < len(data):
                raise DataError("is truncated, or holds more than one Arrow stream", "write it anew", location=name)
            return Frame(table, name)
        return Frame(feather.read_table(source), name)


def parquet_file(data: bytes, name: str) -> Any:
    """Open a Parquet file with pyarrow; only its footer is read."""
    with arrow_refusals(name, "Parquet"):
        import pyarrow as pa
        from pyarrow import parquet

        return parquet.ParquetFile(pa.BufferReader(data))


@contextmanager
def arrow_refusals(name: str, kind: str) -> Iterator[None]:
    """Convert errors of pyarrow, and its absence, to DataError."""
    try:
        from pyarrow import ArrowException
    except ImportError:
        raise DataError(f"is a {kind} file", "to read it: pip install 'certus[arrow]'", location=name) from None
    try:
        yield
    except (ArrowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        article = "an" if kind == "Arrow" else "a"
        raise DataError(f"cannot be read as {article} {kind} file: {reason}", location=name) from None
    except UnicodeDecodeError as error:
        raise not_utf8(error, "the name of a column").with_location(name) from None


def _native(frame: Any) -> Any:
    """Table that narwhals accepts; other objects with an Arrow stream are converted by pyarrow."""
    import narwhals as nw

    try:
        return nw.from_native(frame)
    except TypeError:
        if not hasattr(frame, "__arrow_c_stream__") or find_spec("pyarrow") is None:
            raise
        return nw.from_arrow(frame, backend="pyarrow")


def _width(arrow_type: Any) -> float:
    """Bytes of a value in memory; if the length varies, those of its offset."""
    try:
        return float(arrow_type.bit_width) / 8
    except ValueError:
        return 4.0


def _ratio(name: str) -> int | None:
    """Largest allowed ratio of bytes in memory to bytes of the file; None if not limited."""
    text = os.environ.get(VARIABLE, "")
    if text == "unlimited":
        return None
    if not (text == "" or (text.isascii() and text.isdigit() and int(text) > 0)):
        raise DataError(f"{VARIABLE} is '{text}'", "it must be a whole number from 1, or 'unlimited'", location=name)
    return int(text or RATIO)


def _numpy(column: Any) -> NDArray[Any]:
    """Convert a column to a NumPy array; 128-bit integers become Python objects."""
    wide = of_wide(column)
    return np.asarray(column.to_numpy()) if wide is None else wide


def _join_by_arrow(column: Any) -> bytes | None:
    """Join ids to bytes separated by NUL, with pyarrow; None without it, or if an id is not valid."""
    try:
        import pyarrow as pa
        from pyarrow import compute
    except ImportError:
        return None
    try:
        array = column.to_arrow()
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
            return None
        # binary_join knows 32-bit offsets only; ids of more than 2 GB are refused by the cast
        nested = pa.ListArray.from_arrays(pa.array([0, len(array)], pa.int32()), array.cast(pa.string()))
        text: bytes = compute.binary_join(nested, "\0")[0].as_buffer().to_pybytes()
    except (ImportError, OverflowError, ValueError, pa.ArrowException):
        return None
    is_clean = text.count(b"\0") == len(array) - 1 and b"\0\0" not in text
    return text if is_clean and text[:1] not in (b"", b"\0") and text[-1:] != b"\0" else None
