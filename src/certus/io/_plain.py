"""Tables without a header: columns between blanks, whose names the format knows."""

from certus.errors import DataError
from certus.io._uncollected import uncollected
from certus.io.columns import Columns, Numbers, Wanted, kept_exact, line_of
from certus.io.delimited import OddError, floats, objection
from certus.spelling import plural


class Plain:
    """Lines of columns between blanks and tabs; blank lines are passed over."""

    @uncollected
    def __init__(self, data: bytes, name: str, names: tuple[str, ...]) -> None:
        self._name = name
        self.names = names
        self._lines = data.split(b"\n")
        self._rows = [cells for cells in map(bytes.split, self._lines) if cells]
        nul = data.find(b"\0")
        if nul >= 0:
            line = data.count(b"\n", 0, nul) + 1
            raise DataError(
                "the line holds a NUL byte", "the file is binary, damaged or UTF-16", place=f"{name}:{line}"
            )
        if set(map(len, self._rows)) - {len(names)}:
            row = next(row for row, cells in enumerate(self._rows) if len(cells) != len(names))
            n, expected = len(self._rows[row]), f"{len(names)}, separated by blanks: {' '.join(names)}"
            raise self._error(row, f"the line has {plural(n, 'column')}", f"expected {expected}")

    @uncollected
    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns; the first number that is none is an error."""
        cells = dict(zip(self.names, zip(*self._rows, strict=True), strict=False))
        return Columns(
            {},
            {name: self._numbers(name, cells.get(name, ())) for name in wanted.numbers},
            {},
            {name: b"\0".join(cells.get(name, ())) for name in wanted.ids},
        )

    def _numbers(self, name: str, cells: tuple[bytes, ...]) -> Numbers:
        texts = [cell.decode("utf-8", "backslashreplace") for cell in cells]
        try:
            return kept_exact(floats(texts))
        except OddError:
            row = next(row for row, text in enumerate(texts) if objection(text, number=True))
            raise self.cell_error(name, row, *objection(texts[row], number=True)) from None

    def place(self, row: int) -> str:
        """The line of a row."""
        return line_of(self._name, self._lines, row)

    def cell_error(self, name: str, row: int, found: str, remedy: str | None = None) -> DataError:
        """An error about one cell, at its line."""
        return self._error(row, f"the {name} {found}", remedy)

    def _error(self, row: int, found: str, remedy: str | None = None) -> DataError:
        return DataError(found, remedy, place=self.place(row))
