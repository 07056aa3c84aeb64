"""Blocks, the only laid-out form of a result: text, Markdown, HTML, LaTeX and pages are written from them.

A result goes three steps, in text as in a paper:

1. `Table` and `Comparison` hold records (`Row`, `Difference`), what these depend on, and warnings.
2. `certus.table.layout` and `certus.comparison.layout` make blocks and notes of them. A `Block` has a title, column
   names and lines; a cell is a text, or a `Cell` whose interval and marks each format writes in its own way. `Format`
   rounds the numbers of one metric; `crossed` fits lines and columns into a width. Every remark is a
   `certus.core.note.Note`: a sentence on how numbers were made, a finding, or a warning.
3. `certus.table.writers` writes blocks and notes: one function for each format. `certus.table.page` writes the page of
   `to_report`, whose content is a `Report` of blocks, notes and rows for charts.

`certus.table.output.Output` declares each format once, by a method `to_NAME` with the suffixes of its files; tables and
comparisons inherit all of them. A paper has a layout of its own (`paper=True`): systems down, metrics across, marks of
verdicts instead of a line for each difference. It is made of blocks, too.

To add a format: a function in writers.py and a method in output.py. To add a column: a `Column` in a layout.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Generic, NamedTuple, Self, TypeVar

from certus.core.alignment import width_of
from certus.core.printable import MOST_DECIMALS, decimals_for, printable, rounded, rounded_limits
from certus.table.row import BEST, Row

Record = TypeVar("Record")

_LONGEST_NAME = 40
_COUNTS = frozenset({"Check", "CheckDiscarded", "CheckRetrieved", "Count", "Hits"})


class Cell(NamedTuple):
    """A value, its interval or range, a mark behind the value, and whether it is the best."""

    value: str = ""
    span: str = ""
    mark: str = ""
    best: bool = False

    @property
    def marked(self) -> str:
        """The value with its marks, as text."""
        return f"{self.value}{BEST if self.best else ''}{self.mark}"


class Column(NamedTuple, Generic[Record]):
    """The name of a column, whether it is aligned on the left, and its cell of each record."""

    name: str
    left: bool
    cell: Callable[[Record], str]


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, column names and lines of cells, all as plain unescaped text."""

    title: str
    names: list[str]
    lines: Sequence[Sequence[str | Cell]]
    left: list[bool]
    """Columns of text or several numbers, aligned on the left; the others are numbers."""
    grouped: bool = False
    """True if consecutive lines with the same first cell belong together."""
    caption: str = ""
    """The meaning of the marks, for a paper."""

    @classmethod
    def from_records(
        cls, title: str, columns: Sequence[Column[Record]], records: Iterable[Record], grouped: bool = False
    ) -> Self:
        """A line for each record."""
        lines = [[column.cell(record) for column in columns] for record in records]
        return cls(title, [column.name for column in columns], lines, [column.left for column in columns], grouped)

    def texts(self) -> list[list[str]]:
        """The lines as text, the intervals of a column one below the other."""
        sizes = [max((len(_marked(cell)) for cell in column), default=0) for column in zip(*self.lines, strict=True)]
        return [
            [
                f"{cell.marked.ljust(size)} {cell.span}" if isinstance(cell, Cell) and cell.span else _marked(cell)
                for cell, size in zip(line, sizes, strict=True)
            ]
            for line in self.lines
        ]


def _marked(cell: str | Cell) -> str:
    return cell.marked if isinstance(cell, Cell) else cell


def crossed(
    title: str,
    corner: str,
    columns: Mapping[str, str],
    lines: Sequence[tuple[str, Mapping[str, Cell]]],
    width: int | None,
) -> Iterator[Block]:
    """Cells by the key of their column; beyond `width` characters with intervals below, then in several blocks."""
    empty = Cell()
    cells = [(name, [line.get(key, empty) for key in columns]) for name, line in lines]
    names = [corner, *columns.values()]
    left = [True, *(any(line[index].span for _, line in cells) for index in range(len(columns)))]
    block = Block(title, names, [[name, *line] for name, line in cells], left)
    if width is None or sum(_widths(names, block.texts())) - 2 <= width:
        yield block
        return
    stacked: list[list[str]] = []
    for name, line in cells:
        stacked.append([name, *(cell.marked for cell in line)])
        if any(cell.span for cell in line):
            stacked.append(["", *(cell.span for cell in line)])
    first, *widths = _widths(names, stacked)
    for group in _even(widths, width + 2 - first):
        indices = [0, *(1 + index for index in group)]
        subset = [part for line in stacked if any((part := [line[index] for index in indices])[1:])]
        yield Block(title, [names[index] for index in indices], subset, [left[index] for index in indices])


def _widths(names: Sequence[str], lines: Sequence[Sequence[str]]) -> list[int]:
    """The characters of each column, with the space after it."""
    return [2 + max(width_of(printable(cell)) for cell in column) for column in zip(names, *lines, strict=True)]


def _even(widths: Sequence[int], room: int) -> list[list[int]]:
    """The indices of columns in the fewest groups that fit, which are about equally wide."""
    groups = list(_fitting(widths, room))
    while room > max(widths) and len(closer := list(_fitting(widths, room - 1))) == len(groups):
        groups, room = closer, room - 1
    return groups


def _fitting(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The indices of columns in groups of at most `room` characters."""
    group: list[int] = []
    for index, needed in enumerate(widths):
        if group and sum(widths[member] for member in group) + needed > room:
            yield group
            group = []
        group.append(index)
    yield group


class Format:
    """Rounding of the numbers of one metric: counts to whole numbers, all others to four decimals.

    Values that are all too small for four decimals, or one too large to be written out, are as `decimals_for` says.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        finite = [row for row in rows if isfinite(row.value)]
        are_integers = all(row.value.is_integer() for row in finite)
        # of 0 and 1 only the name tells whether it is a count or a share
        is_count = any(abs(row.value) > 1 or row.metric in _COUNTS for row in finite)
        largest = max((abs(row.value) for row in finite), default=0.0)
        self.fraction = decimals_for(largest)
        self.decimals = 0 if are_integers and is_count and self.fraction <= MOST_DECIMALS else self.fraction

    def number(self, value: float | None) -> str:
        """The value rounded; a dash where there is none."""
        if value is None or value != value:
            return "-"
        return rounded(value, self.decimals if float(value).is_integer() else self.fraction)

    def interval(self, row: Row) -> str:
        """``[low, high]``, empty where there is none."""
        if row.low is None or row.high is None:
            return ""
        if row.low != row.low or row.high != row.high:
            return "-"
        return f"[{', '.join(self.limits(row.low, row.high))}]"

    def limits(self, low: float, high: float, landmark: float = 0.0) -> tuple[str, str]:
        """Both limits, with digits that show on which side of 0 and of a landmark each one lies."""
        are_integers = float(low).is_integer() and float(high).is_integer()
        return rounded_limits(low, high, landmark, decimals=self.decimals if are_integers else self.fraction)

    def range(self, row: Row) -> str:
        """The least and greatest value over what was left open, empty where that makes no difference."""
        if row.minimum is None or row.maximum is None:
            return ""
        if row.minimum == row.maximum:
            return self.number(row.minimum)
        return f"{self.number(row.minimum)} to {self.number(row.maximum)}"


def probability(p: float | None) -> str:
    """Four decimals; smaller ones as such."""
    if p is None or p != p:
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def percent(level: float) -> str:
    """``95%``."""
    return f"{level * 100:.10g}%"


def shortened(text: str) -> str:
    """A name with its middle left out where it is too long to be read in a table."""
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 12]}…{text[-11:]}"


def _decimal(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


CHANCE: tuple[Column[Row], ...] = (
    Column("chance", False, lambda row: _decimal(row.expected, 4)),
    Column("p", False, lambda row: probability(row.p)),
    Column("corrected", False, lambda row: _decimal(row.corrected, 4)),
    Column("percentile", False, lambda row: _decimal(row.percentile, 2)),
)
"""Columns of values compared with chance."""
