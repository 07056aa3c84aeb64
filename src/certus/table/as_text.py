"""Blocks as text for a terminal or a pipe."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from certus.printable import printable
from certus.table.block import Block

__all__ = ["text", "width_of"]


def text(blocks: Iterable[Block], sentences: Sequence[str], notes: Sequence[str], width: int, colour: bool) -> str:
    """The blocks as aligned columns; below them the sentences, then the notes, folded at `width`."""
    lines = _aligned_blocks(blocks, colour)
    for sentence in sentences:
        lines += _folded(sentence, width)
    if sentences:
        lines.append("")
    for note in notes:
        lines += [_styled(line, "dim", colour) for line in _folded(note, width)]
    return "\n".join(lines).rstrip("\n")


def _folded(sentence: str, width: int) -> list[str]:
    shown = printable(sentence)
    # Names keep their hyphens together, and nothing is cut off.
    return wrap(shown, max(width, 40), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _aligned_blocks(blocks: Iterable[Block], colour: bool) -> list[str]:
    """The lines of some blocks, each with its title above it and an empty line below."""
    lines: list[str] = []
    title = ""
    for block in blocks:
        if block.title and block.title != title:
            title = block.title
            lines += [_styled(printable(title), "bold", colour), ""]
        lines += [*_aligned(block, colour), ""]
    return lines


def _aligned(block: Block, colour: bool) -> Iterator[str]:
    names = [printable(name) for name in block.names]
    rows = [[printable(cell) for cell in line] for line in block.lines]
    widths = [max(map(width_of, column)) for column in zip(names, *rows, strict=True)]
    yield _styled(_joined(names, widths, block.left), "bold", colour)
    group = None
    for row in rows:
        repeated = block.grouped and row[0] == group
        group = row[0]
        yield _joined(["", *row[1:]] if repeated else row, widths, block.left)


def _joined(cells: list[str], widths: list[int], left: list[bool]) -> str:
    parts = []
    for cell, width, on_left in zip(cells, widths, left, strict=True):
        space = " " * (width - width_of(cell))
        parts.append(cell + space if on_left else space + cell)
    return "  ".join(parts).rstrip()


def width_of(cell: str) -> int:
    """Terminal columns that the cell takes: two for a wide character, none for a combining one."""
    if cell.isascii():
        return len(cell)
    from rich.cells import cell_len

    return cell_len(cell)


def _styled(line: str, style: str, colour: bool) -> str:
    """The line, emphasised for a terminal if `colour`."""
    if not colour:
        return line
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(line, color_system=ColorSystem.STANDARD)
