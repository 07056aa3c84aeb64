"""Tables of predictions: one row for each sample, with its true label and the predictions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from certus.core import kernels
from certus.core.errors import DataError
from certus.io.columns import Columns, Rows, Table, Wanted, unknown_column
from certus.io.formats import opened
from certus.io.sources import is_path, reading
from certus.io.text import Delimited


class Predictions:
    """A table with named columns whose rows are read when asked for.

    Made by `read_predictions` or `as_predictions`.

    Attributes
    ----------
    name
        The file's name as it was given, or what the data were called.
    columns
        Names of the columns, in order.
    fingerprint
        XXH3 hash (128 bits, hexadecimal) of the file's bytes; empty for what was not read from a file.
    """

    __slots__ = ("_table", "columns", "fingerprint", "name")

    def __init__(self, name: str, table: Table, fingerprint: str = "") -> None:
        self.name = name
        self.columns = table.names
        self.fingerprint = fingerprint
        self._table = table

    def read(self, labels: Iterable[str] = (), numbers: Iterable[str] = (), keys: Iterable[str] = ()) -> Columns:
        r"""Read some columns, as labels, numbers or keys.

        Parameters
        ----------
        labels
            Columns of class labels. All of them are read as the same kind of value, so that they can be compared: text
            columns as whole numbers where every label of every such column is written as one, otherwise as text.
        numbers
            Columns of scores, probabilities or weights. Infinite values are read, missing ones are an error.
        keys
            Columns that tell rows apart or together, such as a subgroup.

        Returns
        -------
        Columns
            ``(labels, numbers, keys)``: arrays by column name.

        Raises
        ------
        DataError
            There is no such column, or a cell cannot be read; the message names file and line.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "predictions.csv")
        ...     _ = path.write_text("truth,score\n1,0.75\n0,0.5\n")
        ...     columns = read_predictions(path).read(labels=["truth"], numbers=["score"])
        >>> columns.labels["truth"].tolist(), columns.numbers["score"].tolist()
        ([1, 0], [0.75, 0.5])
        """
        wanted = Wanted(tuple(dict.fromkeys(labels)), tuple(dict.fromkeys(numbers)), tuple(dict.fromkeys(keys)))
        self.check(wanted.names)
        columns = self._table.read(wanted)
        if any(len(column) == 0 for part in columns for column in part.values()):
            raise DataError("names its columns but has no rows", location=self.name)
        return columns

    @property
    def table(self) -> Table:
        """The table, with its columns and the errors about its cells."""
        return self._table

    def check(self, names: Iterable[str]) -> None:
        """Refuse column names that the table lacks."""
        columns = frozenset(self.columns)
        if (name := next((name for name in names if name not in columns), None)) is not None:
            raise unknown_column(name, self.columns, self.name)

    def located(self, error: DataError, read: Columns, columns: Mapping[str, Sequence[str | None]]) -> DataError:
        """Error with the file's name, and line and column if it is about one cell.

        `columns` are the names of the columns, of those read, that each argument was made from.
        """
        cell = error.cell
        if cell is not None:
            names = columns.get(cell.argument, ())
            row, *indices = cell.indices
            arrays = {**read.keys, **read.labels, **read.numbers}
            for name in [names[indices[0]]] if indices and indices[0] < len(names) else names:
                values = None if name is None else arrays.get(name)
                # An argument may hold a part of the rows: the line is named where the value stands in it.
                if name is not None and values is not None and row < len(values) and values[row] == cell.value:
                    return self._table.cell_error(name, row, f"is {cell.text}", error.remedy)
        return error.with_location(self.name)

    def location(self, row: int) -> str:
        """File and line of a row, for messages."""
        return self._table.location(row)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Rows as text, each with its line number (or row number if there are no lines).

        Cells of CSV and TSV are given as they are written, empty ones too.
        """
        if isinstance(self._table, Delimited):
            yield from self._table.rows()
            return
        columns = self.read(keys=self.columns).keys
        cells = (columns[name].tolist() for name in self.columns)
        for i, row in enumerate(zip(*cells, strict=True)):
            yield i + 1, list(map(str, row))

    def __repr__(self) -> str:
        return f"<Predictions {self.name}: {', '.join(self.columns)}>"


def read_predictions(path: Any, *, format: str | None = None, **dialect: str | None) -> Predictions:
    """Open a table of predictions.

    Parameters
    ----------
    path
        CSV or TSV with a header line, JSON Lines, Parquet, Arrow or Feather, told apart by content; plain or
        compressed by gzip, bzip2, xz or zstd; ``-`` for standard input. Parquet, Arrow and Feather need
        ``certus[arrow]``.
    format
        The format by name, instead of the one that the content tells.
    dialect
        ``separator``, the character between the cells of a text, by default the one of comma, tab, ``;`` and ``|``
        that the header line shows; ``decimal=","``, where decimals follow a comma; ``sheet``, of a workbook.

    Raises
    ------
    DataError
        The file cannot be read or has no header; the message names file and line.

    Examples
    --------
    >>> from importlib.resources import files
    >>> list(read_predictions(files("certus") / "demo" / "predictions.csv").columns)
    ['package', 'truth', 'prediction', 'score']
    """
    with reading(**dialect) as current, opened(path, "table", format) as file:
        content = file.read()
        if isinstance(content, kernels.Qrels | kernels.Run | Rows):
            raise DataError("holds no table with named columns", location=file.name)
        current.check_used()
        return Predictions(file.name, content, file.fingerprint or "")


def as_predictions(data: Any, name: str = "predictions") -> Predictions:
    """Table of predictions from a path, any DataFrame, or a result of `read_predictions`.

    Examples
    --------
    >>> import pandas as pd
    >>> as_predictions(pd.DataFrame({"truth": [1, 0], "score": [0.9, 0.4]})).name
    'predictions'
    """
    if isinstance(data, Predictions):
        return data
    if is_path(data):
        return read_predictions(data)
    from certus.io.frames import Frame  # here, as few tables are DataFrames

    return Predictions(name, Frame(data, name))
