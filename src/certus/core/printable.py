"""Text for a terminal: no control characters, columns below each other, folded sentences, exact numbers."""

from collections.abc import Iterator, Sequence
from math import floor, inf, isfinite, log10
from textwrap import wrap
from unicodedata import category, east_asian_width

MOST_DECIMALS = 8
_SMALL, _LARGE = 1e-3, 1e15
"""Below the first, four decimals show one digit or none; above the second, digits are not those of the number."""


def exact(number: float) -> str:
    """The number in as few digits as tell it from all others; a message that rounds may contradict itself."""
    short = f"{number:g}"
    return short if float(short) == number else str(number)


def decimals_for(largest: float) -> int:
    """The decimals that show four digits of the largest of some numbers, at least four.

    More than `MOST_DECIMALS` mean that the numbers are written with their powers of ten.
    """
    if largest >= _LARGE:
        return MOST_DECIMALS + 1
    return 3 - floor(log10(largest)) if 0 < largest < _SMALL else 4


def rounded(number: float, decimals: int) -> str:
    """The number in so many decimals; with its power of ten where there would be more than `MOST_DECIMALS`."""
    if number == 0:
        decimals = min(decimals, 4)
    return f"{number:.3e}" if decimals > MOST_DECIMALS else f"{number:.{decimals}f}"


_DECIMALS = tuple(f".{more}f" for more in range(MOST_DECIMALS + 1))
_POWERS = tuple(f".{more}e" for more in range(3, 17))


def rounded_limits(low: float, high: float, landmark: float = 0.0, *, decimals: int = 4) -> tuple[str, str]:
    """Both limits in one style: in some decimals, or more where one would look like 0 or a landmark that it is not.

    A limit that excludes a margin by little must not be read as the margin. Where more than 8 decimals would be needed
    both are written with their powers of ten.
    """
    if _LARGE <= abs(low) < inf or _LARGE <= abs(high) < inf:
        decimals = MOST_DECIMALS + 1
    texts = "", ""
    for style in (*_DECIMALS[decimals:], *_POWERS):
        texts = f"{low:{style}}", f"{high:{style}}"
        if _is_unambiguous(texts[0], low, landmark) and _is_unambiguous(texts[1], high, landmark):
            break
    return texts


def _is_unambiguous(text: str, number: float, landmark: float) -> bool:
    """True if the text does not round the number to 0 or to plus or minus a landmark."""
    rounded_number = float(text)
    return rounded_number == number or not isfinite(number) or abs(rounded_number) not in (0.0, abs(landmark))


def printable(text: str) -> str:
    r"""The text with everything invisible written as an escape.

    Control characters (colours, cursor movements, line ends), bidirectional and zero-width controls, line separators
    and bytes that are not UTF-8 become ``\x1b``, ``\u202e`` and the like, so that what is seen is what is there. All
    other text stays as it is.

    Examples
    --------
    >>> printable("run\x1b[31m\u202e"), printable("Système 3")
    ('run\\x1b[31m\\u202e', 'Système 3')
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    """Hexadecimal escape for a character; an undecodable byte is written by its own value."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8, as Python's surrogateescape keeps it
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
