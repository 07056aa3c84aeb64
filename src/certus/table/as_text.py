"""Tables as text for a terminal or a pipe."""

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from certus.printable import printable
from certus.table.layout import Block, blocks, notes

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["aligned", "styled", "text"]


def text(table: "Table", width: int = 100, colour: bool = False, warnings: bool = True) -> str:
    """The table as aligned columns, with notes below.

    Parameters
    ----------
    table
        What to print.
    width
        Values per query are split into blocks of about this many columns. Nothing is folded or cut off.
    colour
        Emphasise headings, as for a terminal.
    warnings
        Print the table's warnings among the notes.
    """
    lines = aligned(blocks(table, width), colour)
    for note in map(printable, notes(table, warnings)):
        # of a classifier there may be a dozen metrics with as many methods
        fits = table.signature.get("task") in (None, "ranking") or len(note) <= width
        lines += [
            styled(line, "dim", colour) for line in ([note] if fits else wrap(note, width, subsequent_indent="  "))
        ]
    return "\n".join(lines).rstrip("\n")


def aligned(blocks: Iterable[Block], colour: bool) -> list[str]:
    """The lines of some blocks, each with its title above it and an empty line below."""
    lines: list[str] = []
    title = ""
    for block in blocks:
        if block.title and block.title != title:
            title = block.title
            lines += [styled(printable(title), "bold", colour), ""]
        lines += [*_aligned(block, colour), ""]
    return lines


def _aligned(block: Block, colour: bool) -> Iterator[str]:
    names = [printable(name) for name in block.names]
    rows = [[printable(cell) for cell in line] for line in block.lines]
    widths = [max(map(_width, column)) for column in zip(names, *rows, strict=True)]
    yield styled(_joined(names, widths, block.left), "bold", colour)
    group = None
    for row in rows:
        repeated = block.grouped and row[0] == group
        group = row[0]
        yield _joined(["", *row[1:]] if repeated else row, widths, block.left)


def _joined(cells: list[str], widths: list[int], left: list[bool]) -> str:
    parts = []
    for cell, width, on_left in zip(cells, widths, left, strict=True):
        space = " " * (width - _width(cell))
        parts.append(cell + space if on_left else space + cell)
    return "  ".join(parts).rstrip()


def _width(cell: str) -> int:
    """Terminal columns that the cell takes: two for a wide character, none for a combining one."""
    if cell.isascii():
        return len(cell)
    from rich.cells import cell_len

    return cell_len(cell)


def styled(line: str, style: str, colour: bool) -> str:
    """The line, emphasised for a terminal if `colour`."""
    if not colour:
        return line
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(line, color_system=ColorSystem.STANDARD)
