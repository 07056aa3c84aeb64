"""Making text from files safe to show on a terminal, and numbers in messages exact."""

from math import floor, inf, isfinite, log10

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


def rounded_limits(low: float, high: float, landmark: float = 0.0, *, decimals: int = 4) -> tuple[str, str]:
    """Both limits in one style: in some decimals, or more where one would look like 0 or a landmark that it is not.

    A limit that excludes a margin by little must not be read as the margin. Where more than 8 decimals would be needed
    both are written with their powers of ten.
    """
    if any(_LARGE <= abs(limit) < inf for limit in (low, high)):
        decimals = MOST_DECIMALS + 1
    styles = [f".{more}f" for more in range(decimals, MOST_DECIMALS + 1)] + [f".{more}e" for more in range(3, 17)]
    pairs = [(f"{low:{style}}", f"{high:{style}}") for style in styles]
    unambiguous = (
        texts
        for texts in pairs
        if all(_is_unambiguous(text, limit, landmark) for text, limit in zip(texts, (low, high), strict=True))
    )
    return next(unambiguous, pairs[-1])


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
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8, as Python's surrogateescape keeps it
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
