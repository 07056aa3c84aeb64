"""Tables in batches: iterators, Arrow streams, datasets, lazy frames, relations and files."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from certus.core.errors import DataError, not_utf8
from certus.data.columns import as_array
from certus.io.columns import Wanted
from certus.io.predictions import read_predictions
from certus.io.sources import is_path, path_name

ROWS = 1 << 17
"""Rows that are read at once, where the source leaves it open."""


class Batch(NamedTuple):
    """Some rows of a source, their location for messages, and True if columns have types (text has none)."""

    location: str
    table: Any
    typed: bool = True


def is_table(data: Any) -> bool:
    """True if the data are one table in memory: a DataFrame, Arrow table, record batch or dict of columns."""
    kind = type(data)
    if kind.__module__.partition(".")[0] == "pyarrow":
        return kind.__name__ in ("Table", "RecordBatch")
    return isinstance(data, Mapping) or (kind.__name__ == "DataFrame" and hasattr(data, "columns"))


def is_spark(data: Any) -> bool:
    """True if the data are a DataFrame of Spark."""
    return hasattr(data, "mapInArrow") and hasattr(data, "columns")


def is_named(value: Any) -> bool:
    """True for the name of a column, or a list of names."""
    return isinstance(value, str) or (
        isinstance(value, list | tuple) and bool(value) and all(isinstance(name, str) for name in value)
    )


def columns_of(table: Any, named: Mapping[str, str | Sequence[str]]) -> dict[str, Any]:
    """Columns of a table by key; several names for one key make one array with several columns."""
    return {
        key: _column(table, names)
        if isinstance(names, str)
        else np.column_stack([as_array(_column(table, name), key) for name in names])
        for key, names in named.items()
    }


def _column(table: Any, name: str) -> Any:
    """Column of a table by its name."""
    if type(table).__module__.partition(".")[0] == "pyarrow" and hasattr(table, "schema"):
        try:
            names = list(table.schema.names)
        except UnicodeDecodeError as error:
            raise not_utf8(error, "the name of a column") from None
    elif isinstance(table, Mapping):
        names = list(table)
    elif hasattr(table, "columns"):
        names = list(table.columns)
    else:
        remedy = "give a DataFrame, an Arrow table or a dict of columns"
        remedy = "name several files by a pattern, such as 'part-*.csv'" if is_path(table) else remedy
        raise DataError(f"it is a {type(table).__name__}", remedy)
    if name not in names:
        raise _no_column(name, names)
    if names.count(name) > 1:
        raise DataError(f"there are {names.count(name)} columns {name!r}", "give them different names")
    column = table[name]
    nulls = getattr(column, "null_count", 0)
    if nulls() if callable(nulls) else nulls:  # which numpy would make NaN
        index = int(np.asarray(column.is_null()).argmax())
        raise DataError(f"column {name!r} is null at index {index}", "leave out or fill such samples first")
    return column


def batches_of(data: Any, wanted: Wanted) -> Iterator[Batch]:
    """Read a source in batches, with the wanted columns only if the source can skip others.

    A source is an iterable of tables; an object with the Arrow C stream interface; a dataset or scanner of pyarrow; a
    LazyFrame of polars; a relation of DuckDB; the path of a file, of a folder, or a pattern of paths.
    """
    return of_one_type(_read(data, wanted), wanted.names, {})


def _read(data: Any, wanted: Wanted) -> Iterator[Batch]:
    """Read batches from a path, table, lazy frame, dataset, Arrow stream or iterable, by its type."""
    names = wanted.names
    library = type(data).__module__.partition(".")[0]
    if is_path(data):
        for file in files_of([data]):
            yield from file_batches(file, wanted)
    elif is_table(data):
        yield Batch("the table", data)
    elif library == "polars" and hasattr(data, "collect_batches"):
        present = data.collect_schema().names()
        with _refusals(sys.modules["polars"].exceptions.PolarsError):
            yield from _number(data.select([name for name in names if name in present]).collect_batches())
    elif library == "pyarrow" and hasattr(data, "get_fragments"):
        with _refusals(_pyarrow("a dataset").ArrowException):
            yield from _dataset(data, names)
    elif library == "pyarrow" and hasattr(data, "to_batches"):
        with _refusals(_pyarrow("a scanner").ArrowException):
            yield from _number(data.to_batches())
    elif not isinstance(data, Iterator) and hasattr(data, "__arrow_c_stream__"):
        pyarrow = _pyarrow("a stream of Arrow data")
        duckdb = sys.modules.get("duckdb")
        with _refusals(pyarrow.ArrowException, *(() if duckdb is None else (duckdb.Error,))):
            yield from _number(pyarrow.RecordBatchReader.from_stream(data))
    elif isinstance(data, Iterable) and not isinstance(data, str | bytes):
        yield from _number(data)
    else:
        raise DataError(
            f"is a {type(data).__name__}",
            "where columns are named it must be a table, an iterable of tables, an Arrow stream, a dataset, a "
            "LazyFrame, a relation or a path",
            argument="data",
        )


def _number(tables: Iterable[Any]) -> Iterator[Batch]:
    """Wrap each table as a batch with the location ``batch 1``, ``batch 2`` and so on."""
    for number, table in enumerate(tables, 1):
        yield Batch(f"batch {number}", table)


@contextmanager
def _refusals(*errors: type[Exception], name: str = "data") -> Iterator[None]:
    """Convert errors of a reading library to DataError."""
    caught: tuple[type[Exception], ...] = (OSError, *errors)
    try:
        yield
    except UnicodeDecodeError as error:
        raise not_utf8(error, "the name or a value of a column").with_location(name) from None
    except caught as error:
        raise DataError((str(error).strip().splitlines() or ["cannot be read"])[0], location=name) from None


def _pyarrow(source: str) -> Any:
    """Import pyarrow; if it is not installed, the error names the source that needs it."""
    try:
        import pyarrow
    except ImportError:
        raise DataError(f"{source} is read by pyarrow", "install it with pip install 'certus[arrow]'") from None
    return pyarrow


def _dataset(data: Any, names: Sequence[str]) -> Iterator[Batch]:
    """Read a dataset in batches, file by file."""
    present = [name for name in names if name in data.schema.names]
    file, row = None, 0
    scanner = data.scanner(columns=present, batch_size=ROWS, batch_readahead=2, fragment_readahead=1)
    for tagged in scanner.scan_batches():
        fragment, table = tagged.fragment, tagged.record_batch
        name = getattr(fragment, "path", None)
        if name != file:
            file, row = name, 0
            _check_schema(fragment, data.schema, present)
        yield Batch("the dataset" if name is None else _from_row(str(name), row), table)
        row += table.num_rows


def _check_schema(fragment: Any, schema: Any, names: Sequence[str]) -> None:
    """Refuse a file with other types than its dataset, which pyarrow would convert or fill silently."""
    file_schema, location = fragment.physical_schema, getattr(fragment, "path", "a fragment")
    for name in names:
        if name not in file_schema.names:
            if name in str(fragment.partition_expression):
                continue
            raise DataError(f"there is no column {name!r}", location=location)
        if file_schema.field(name).type != schema.field(name).type:
            raise DataError(
                f"column {name!r} is {file_schema.field(name).type}, but {schema.field(name).type} in the dataset",
                "write the files with one schema",
                location=location,
            )


def _from_row(location: str, row: int) -> str:
    """Location for messages, followed by the index of the first row unless that is 0."""
    return f"{location}, from row {row}" if row else location


def files_of(paths: Iterable[Any]) -> list[Any]:
    """Files of paths, folders and patterns in their order; those of a folder or pattern sorted by name."""
    from certus.io.rankings import files_of_runs

    files: dict[Any, Any] = {}
    for file in (file for path in paths for file in files_of_runs(path)):
        key = _identity(file)
        if key in files:
            name, before = path_name(file), path_name(files[key])
            problem = "is given twice" if before == name else f"is the same file as {before}"
            raise DataError(problem, "give each file once", location=name)
        files[key] = file
    return list(files.values())


def _identity(path: Any) -> Any:
    """Device and inode of a file, the same for all its names."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return path_name(path)
    return status.st_dev, status.st_ino


def file_batches(path: Any, wanted: Wanted) -> Iterator[Batch]:
    """Read a file in batches: Parquet and Arrow in several, other formats in one."""
    name, start = path_name(path), b""
    try:
        if name != "-" and Path(path).is_file():
            with open(path, "rb") as file:
                start = file.read(8)
    except OSError as error:
        raise DataError(f"{error.strerror}", location=name) from None
    if start[:4] == b"PAR1":
        yield from _parquet(path, name, wanted.names)
    elif start[:6] == b"ARROW1":
        yield from _arrow_file(path, name)
    else:
        source = read_predictions(path)
        columns = source.read(wanted.labels, wanted.numbers, wanted.keys)
        yield Batch(name, {**columns.keys, **columns.numbers, **columns.labels}, typed=False)


def _parquet(path: Any, name: str, names: Sequence[str]) -> Iterator[Batch]:
    """Read the named columns of a Parquet file in batches; a missing column is an error."""
    pyarrow = _pyarrow(f"{name}: Parquet")
    from pyarrow import parquet

    with (
        _refusals(pyarrow.ArrowException, name=name),
        # pages are compared with their checksums where the file has any
        parquet.ParquetFile(path, page_checksum_verification=True) as file,
    ):
        columns = file.schema_arrow.names
        if (lacking := next((column for column in names if column not in columns), None)) is not None:
            raise _no_column(lacking, columns).with_location(name)
        for group in range(file.num_row_groups):
            row = 0
            for table in file.iter_batches(ROWS, row_groups=[group], columns=list(names)):
                yield Batch(_from_row(f"{name}, row group {group}", row), table)
                row += table.num_rows


def _arrow_file(path: Any, name: str) -> Iterator[Batch]:
    """Read an Arrow file batch by batch, with all columns."""
    pyarrow = _pyarrow(f"{name}: Arrow")
    with (
        _refusals(pyarrow.ArrowException, name=name),
        pyarrow.OSFile(str(path)) as source,  # a map of a file that is cut off while it is read would end the process
        pyarrow.ipc.open_file(source) as file,
    ):
        for number in range(file.num_record_batches):
            yield Batch(f"{name}, batch {number}", file.get_batch(number))


def _no_column(name: str, names: Sequence[str]) -> DataError:
    """Error for a missing column, listing up to eight of the columns that exist."""
    return DataError(f"there is no column {name!r}", f"the columns are {', '.join(map(repr, list(names)[:8]))}")


def of_one_type(batches: Iterable[Batch], names: Sequence[str], types: dict[str, tuple[str, str]]) -> Iterator[Batch]:
    """Pass batches on; refuse a named column whose type differs from before. `types` is extended by new columns."""
    for batch in batches:
        for name in names if batch.typed else ():
            try:
                column_type = _type(_column(batch.table, name))
            except DataError as error:
                raise error.with_location(batch.location) from None
            expected, location = types.setdefault(name, (column_type, batch.location))
            if column_type != expected:
                raise DataError(
                    f"column {name!r} is {column_type}, but {expected} in {location}",
                    "give batches of one schema",
                    location=batch.location,
                )
        yield batch


def _type(column: Any) -> str:
    """Type of a column; numpy's text types of all widths are one."""
    dtype = getattr(column, "type", None) or getattr(column, "dtype", None)
    if getattr(dtype, "kind", "") in ("U", "S"):
        return "text"
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(dtype, pandas.CategoricalDtype):
        return "category"
    return "list" if dtype is None else str(dtype)
