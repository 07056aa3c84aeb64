"""Blocks, the only laid-out form of a result, and what writes them: text, Markdown, HTML and LaTeX.

A result goes three steps, in text as in a paper:

1. `Table` and `Comparison` hold records (`Row`, `Difference`), what these depend on, and warnings.
2. `certus.table.layout` and `certus.comparison.layout` make blocks and notes of them. A `Block` has a title, column
   names and lines; a cell is a text, or a `Cell` whose interval and marks each format writes in its own way. `Format`
   rounds the numbers of one metric; `crossed` fits lines and columns into a width. Every remark is a
   `certus.core.note.Note`: a sentence on how numbers were made, a finding, or a warning.
3. The functions at the end write blocks and notes: one function for each format. `certus.table.page` writes the page of
   `to_report`, whose content is a `Report` of blocks, notes and rows for charts.

`certus.table.output.Output` declares each format once, by a method `to_NAME` with the suffixes of its files; tables and
comparisons inherit all of them. A paper has a layout of its own (`paper=True`): systems down, metrics across, marks of
verdicts instead of a line for each difference. It is made of blocks, too.

To add a format: a function here and a method in output.py. To add a column: a `Column` in a layout.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar

from certus.core.note import FINDING, Note
from certus.core.printable import (
    MOST_DECIMALS,
    aligned,
    decimals_for,
    folded,
    printable,
    rounded,
    rounded_limits,
    width_of,
)
from certus.core.readable import as_html, html_table

if TYPE_CHECKING:
    from certus.table.row import Row


BEST, ALIKE = "*", "~"
METHOD_MARKS = "¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱ"
"""The marks of a text."""

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
    """Text of a cell with its marks; plain text stays unchanged."""
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

    def __init__(self, rows: "Iterable[Row]", marks: Mapping[str, str] | None = None) -> None:
        self.marks = marks or {}  # by method
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

    def interval(self, row: "Row") -> str:
        """``[low, high]``, empty where there is none."""
        if row.low is None or row.high is None:
            return ""
        if row.low != row.low or row.high != row.high:
            return "-"
        return f"[{', '.join(self.limits(row.low, row.high))}]{self.marks.get(row.method or '', '')}"

    def limits(self, low: float, high: float, landmark: float = 0.0) -> tuple[str, str]:
        """Both limits, with digits that show on which side of 0 and of a landmark each one lies."""
        are_integers = float(low).is_integer() and float(high).is_integer()
        return rounded_limits(low, high, landmark, decimals=self.decimals if are_integers else self.fraction)

    def range(self, row: "Row") -> str:
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
    """Number with this many decimals; a dash for None."""
    return "-" if value is None else f"{value:.{decimals}f}"


CHANCE: "tuple[Column[Row], ...]" = (
    Column("chance", False, lambda row: _decimal(row.expected, 4)),
    Column("p", False, lambda row: probability(row.p)),
    Column("corrected", False, lambda row: _decimal(row.corrected, 4)),
    Column("percentile", False, lambda row: _decimal(row.percentile, 2)),
)
"""Columns of values compared with chance."""


def text(blocks: Iterable[Block], notes: Sequence[Note], width: int, colour: bool) -> str:
    """The blocks as aligned columns; below them the findings, then all other notes, folded at `width`."""
    lines = _aligned_blocks(blocks, colour)
    findings = [note for note in notes if note.kind == FINDING]
    for note in findings:
        lines += folded(_sentence(note), width)
    if findings:
        lines.append("")
    for note in notes:
        if note.kind != FINDING:
            lines += [_styled(line, "dim", colour) for line in folded(_sentence(note), width)]
    return "\n".join(lines).rstrip("\n")


def _sentence(note: Note) -> str:
    """Text of a note; a warning starts with ``warning:``."""
    return f"warning: {note}" if note.is_warning else str(note)


def _titled(blocks: Iterable[Block]) -> Iterator[tuple[str, Block]]:
    """Each block with its title, which is empty where the last one had the same."""
    last = ""
    for block in blocks:
        yield block.title if block.title != last else "", block
        last = block.title or last


def _aligned_blocks(blocks: Iterable[Block], colour: bool) -> list[str]:
    """The lines of some blocks, each with its title above it and an empty line below."""
    lines: list[str] = []
    for title, block in _titled(blocks):
        if title:
            lines += [_styled(printable(title), "bold", colour), ""]
        lines += [*_aligned(block, colour), ""]
    return lines


def _aligned(block: Block, colour: bool) -> Iterator[str]:
    """Lines of a block in aligned columns; in grouped blocks a repeated first cell is left blank."""
    last: str | None = None
    lines = []
    for line in block.texts():
        is_repeated = block.grouped and line[0] == last
        last = line[0]
        lines.append(["", *line[1:]] if is_repeated else line)
    head, *rows = aligned([block.names, *lines], block.left)
    yield _styled(head, "bold", colour)
    for row, line in zip(rows, lines, strict=True):
        style = _VERDICT_STYLES.get(line[-1], "") if block.names[-1] == "verdict" else ""
        yield row.removesuffix(line[-1]) + _styled(line[-1], style, colour) if style else row


_VERDICT_STYLES = {"better": "green", "worse": "red", "tied within the margin": "cyan"}


def _styled(line: str, style: str, colour: bool) -> str:
    """The line, emphasised for a terminal if `colour`."""
    if not colour:
        return line
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(line, color_system=ColorSystem.STANDARD)


_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&])")


def markdown(blocks: Iterable[Block], notes: Sequence[Note]) -> str:
    """A pipe table for each block, the notes as a list below."""
    parts = []
    for title, block in _titled(blocks):
        if title:
            parts.append(f"**{_as_markdown(title)}**")
        rule = ["---" if left else "---:" for left in block.left]
        lines = [_line([_as_markdown(name) for name in block.names]), _line(rule)]
        lines += [_line([_as_markdown(cell) for cell in line]) for line in block.texts()]
        parts.append("\n".join(lines))
    if notes:
        parts.append("\n".join(f"- {_as_markdown(_sentence(note))}" for note in notes))
    return "\n\n".join(parts) + "\n"


def _line(cells: list[str]) -> str:
    """Join cells to a line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def _as_markdown(text: str) -> str:
    """Escape the special characters of Markdown, and show invisible ones as escapes."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def html(blocks: Iterable[Block], notes: Sequence[Note]) -> str:
    """A table element for each block, the notes as paragraphs below."""
    parts = []
    for title, block in _titled(blocks):
        if title:
            parts.append(f"<p><b>{as_html(title)}</b></p>")
        parts.append(html_table(block.names, block.texts(), block.left))
    parts += [f"<p><small>{as_html(_sentence(note))}</small></p>" for note in notes]
    return "\n".join(parts) + "\n"


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{mark: rf"\textsuperscript{{{letter}}}" for mark, letter in zip(METHOD_MARKS, "123456789abcdefghi", strict=True)},
}


_MARKS = {
    "~": r"\sim",
    "▲": r"\blacktriangle",
    "▼": r"\blacktriangledown",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "=": "=",
}
"""Marks of cells that are mathematics; all others are letters."""
_MATHEMATICS = re.compile(r"p ≤ [\d.e-]+|(?<!\S)=(?!\S)|[▲▼↑↓]")


def latex(blocks: Iterable[Block], notes: Sequence[Note]) -> str:
    """A tabular for each block, the notes and its title as comments above it; one with a caption floats."""
    lines: list[str] = []
    comments = [_sentence(note) for note in notes]
    for block in blocks:
        if block.caption:
            comments.insert(0, r"needs \usepackage{booktabs} and, for its marks, \usepackage{amssymb}")
        lines += [f"% {printable(comment)}" for comment in (*comments, block.title) if comment]
        lines += _floating(block.caption, _tabular(block)) if block.caption else _tabular(block)
        comments = []
    return "\n".join([*lines, ""])


def _floating(caption: str, tabular: list[str]) -> list[str]:
    """Wrap tabular lines in a LaTeX table environment with a caption."""
    with_marks = _MATHEMATICS.sub(lambda match: f"${_mathematics(match[0])}$", _literal(caption))
    return [r"\begin{table}", r"\centering", rf"\caption{{{with_marks}}}", *tabular, r"\end{table}"]


def _mathematics(symbols: str) -> str:
    """Convert arrows, triangles and ≤ to LaTeX for math mode."""
    return _MARKS.get(symbols, symbols.replace("≤", r"\le"))


def _tabular(block: Block) -> list[str]:
    """Lines of a LaTeX tabular environment with booktabs rules."""
    return [
        rf"\begin{{tabular}}{{{''.join('l' if left else 'r' for left in block.left)}}}",
        r"\toprule",
        _row(block.names),
        r"\midrule",
        *map(_row, block.lines),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: Sequence[str | Cell]) -> str:
    """Join cells to a line of a LaTeX tabular; a leading bracket gets braces."""
    joined = " & ".join(map(_as_latex, cells))
    # a line that begins with [ would be read as an argument of the line break before it
    return f"{'{[}' + joined[1:] if joined.startswith('[') else joined} \\\\"


def _as_latex(cell: str | Cell) -> str:
    """The cell as source: the best in bold, its mark raised, its interval small."""
    if not isinstance(cell, Cell):
        return _literal(cell)
    value = _literal(cell.value)
    bold = rf"\textbf{{{value}}}" if cell.best else value
    raised = _MARKS.get(cell.mark, rf"\mathrm{{{cell.mark}}}")
    mark = f"$^{{{raised}}}$" if cell.mark else ""
    span = rf" {{\scriptsize {_literal(cell.span)}}}" if cell.span else ""
    return f"{bold}{mark}{span}"


def _literal(text: str) -> str:
    """The text as LaTeX prints it literally."""
    return "".join(_SPECIAL.get(character, character) for character in printable(text))
