"""Lines of text: columns that stand one below the other, and sentences folded between words."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from unicodedata import category, east_asian_width

from certus.core.printable import printable


def width_of(text: str) -> int:
    """Terminal columns that the text takes: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(character) in ("Mn", "Me") else 2 if east_asian_width(character) in "WF" else 1
        for character in text
    )


def aligned(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> Iterator[str]:
    r"""The lines of a table for reading, its cells printable; columns of `left` start on the left.

    Examples
    --------
    >>> print(*aligned([["run", "AP"], ["bm25", "0.5000"]], [True, False]), sep="\n")
    run       AP
    bm25  0.5000
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        parts = []
        for cell, width, on_left in zip(row, widths, left, strict=True):
            space = " " * (width - width_of(cell))
            parts.append(cell + space if on_left else space + cell)
        yield "  ".join(parts).rstrip()


def folded(sentence: str, width: int, indent: str = "  ") -> list[str]:
    """The lines of a sentence, printable, all but the first indented; no word, name or number is broken."""
    return wrap(
        printable(sentence), max(width, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
