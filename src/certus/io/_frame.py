"""Tables of predictions as DataFrames of any library, and as Parquet and Arrow files through pyarrow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.errors import DataError
from certus.io._columns import Columns, Numbers, Wanted, array_of, kept_exact, quoted

__all__ = ["Frame", "arrow_frame", "arrow_kind"]

_MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"FEA1": "Feather", b"\xff\xff\xff\xff": "Arrow"}


class Frame:
    """A DataFrame of pandas, polars, pyarrow or what else narwhals knows; rows count from 0.

    Labels are text, whole numbers or booleans, as the columns are. A column of floats that are all whole holds whole
    numbers, since one easily becomes the other on its way through a DataFrame.
    """

    def __init__(self, frame: Any, name: str) -> None:
        import narwhals as nw

        try:
            data = nw.from_native(frame)
        except nw.exceptions.DuplicateError:
            raise DataError(f"{name}: has two columns of one name; rename or drop one") from None
        except TypeError:
            raise DataError(f"{name}: is of type {type(frame).__name__}; expected a path or a DataFrame") from None
        self._data: Any = data.lazy() if isinstance(data, nw.LazyFrame) else data
        self._name = name
        self.names = tuple(name for name in data.collect_schema().names() if isinstance(name, str))

    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns; a missing value is an error."""
        data = self._data.select(*wanted.names)
        data = data.collect() if hasattr(data, "collect") else data
        columns = {name: data.get_column(name) for name in wanted.names}
        for name, column in columns.items():
            missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
            if missing.any():
                raise self.cell_error(name, int(missing.arg_max()), "is missing; fill it or drop the row")
        return Columns(
            {name: self._labels(name, columns[name]) for name in wanted.labels},
            {name: self._numbers(name, columns[name]) for name in wanted.numbers},
            {name: self._labels(name, columns[name]) for name in wanted.keys},
        )

    def _labels(self, name: str, column: Any) -> NDArray[Any]:
        import narwhals as nw

        kind = column.dtype
        if kind.is_integer() or kind == nw.Boolean:
            return np.asarray(column.to_numpy())
        if kind.is_numeric():
            numbers: NDArray[np.float64] = column.to_numpy().astype(np.float64)
            whole = bool((np.abs(numbers) < 2**53).all() and (np.floor(numbers) == numbers).all())
            return numbers.astype(np.int64) if whole else numbers
        cells = column.to_list()
        kinds = set(map(type, cells))
        if kinds <= {str} or kinds <= {bool} or kinds <= {int}:
            if "" in cells:
                raise self.cell_error(name, cells.index(""), "is empty; fill it or drop the row")
            return array_of(cells)
        named = sorted(kind.__name__ for kind in kinds)
        raise DataError(
            f"{self._name}: column {quoted(name)} holds values of type {' and '.join(named)}; "
            "labels are all text, all whole numbers or all booleans"
        )

    def _numbers(self, name: str, column: Any) -> Numbers:
        if str(column.dtype) == "Boolean":
            return np.asarray(column.to_numpy()).astype(np.float64)
        if not column.dtype.is_numeric():
            raise DataError(f"{self._name}: column {quoted(name)} is of type {column.dtype}; it must hold numbers")
        wide = str(column.dtype) in ("Int128", "UInt128")  # NumPy has no such type
        numbers: NDArray[Any] = np.array(column.to_list(), dtype=object) if wide else np.asarray(column.to_numpy())
        return numbers if numbers.dtype == np.float32 else kept_exact(numbers)

    def cell_error(self, name: str, row: int, what: str) -> DataError:
        """An error about one cell, at its row: there are no lines."""
        return DataError(f"{self._name}: row {row} of column {quoted(name)} {what}")


def arrow_kind(data: bytes) -> str | None:
    """``"Parquet"``, ``"Arrow"`` or ``"Feather"`` by the first bytes; None for a text."""
    return next((kind for start, kind in _MAGIC.items() if data.startswith(start)), None)


def arrow_frame(data: bytes, name: str) -> Frame:
    """The table of a Parquet, Arrow or Feather file.

    Raises
    ------
    DataError
        pyarrow is not installed, or cannot read the file.
    """
    kind = arrow_kind(data)
    try:
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError:
        raise DataError(f"{name}: is a {kind} file; to read it: pip install 'certus[arrow]'") from None
    try:
        source = pa.BufferReader(data)
        if kind == "Parquet":
            return Frame(parquet.read_table(source), name)
        if data.startswith(b"\xff"):
            return Frame(pa.ipc.open_stream(source).read_all(), name)
        return Frame(feather.read_table(source), name)
    except (pa.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{name}: cannot be read as a {kind} file: {reason}") from None
