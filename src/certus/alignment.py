"""Lines of text whose columns stand one below the other."""

from collections.abc import Iterator, Sequence
from unicodedata import category, east_asian_width

from certus.printable import printable

__all__ = ["aligned", "width_of"]


def width_of(text: str) -> int:
    """Terminal columns that the text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(0 if category(each) in ("Mn", "Me") else 2 if east_asian_width(each) in "WF" else 1 for each in text)


def aligned(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> Iterator[str]:
    r"""The lines of a table for reading, its cells printable; columns of `left` start on the left.

    Examples
    --------
    >>> print(*aligned([["run", "AP"], ["bm25", "0.5000"]], [True, False]), sep="\n")
    run       AP
    bm25  0.5000
    """
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        parts = []
        for cell, width, on_left in zip(row, widths, left, strict=True):
            space = " " * (width - width_of(cell))
            parts.append(cell + space if on_left else space + cell)
        yield "  ".join(parts).rstrip()
