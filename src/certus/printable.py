"""Making text from files safe to show on a terminal, and numbers in messages exact."""

__all__ = ["exact", "printable", "rounded"]

MOST_DECIMALS = 17


def exact(number: float) -> str:
    """The number in as few digits as tell it from all others; a message that rounds may contradict itself.

    Examples
    --------
    >>> exact(2.0), exact(1.5), exact(1 + 2**-52)
    ('2', '1.5', '1.0000000000000002')
    """
    short = f"{number:g}"
    return short if float(short) == number else str(number)


def rounded(number: float, landmark: float = 0.0, *, decimals: int = 4) -> str:
    """The number in some decimals, or more where they would show it as 0 or as a landmark that it is not.

    A limit that excludes a margin by little must not be read as the margin. What would round to 0 is written with its
    power of ten.

    Examples
    --------
    >>> rounded(0.12345), rounded(3e-11), rounded(-0.02003, 0.02), rounded(-0.02, 0.02)
    ('0.1235', '3e-11', '-0.02003', '-0.0200')
    """
    if 0 < abs(number) < 5e-5:
        return f"{number:.0e}"
    text = f"{number:.{decimals}f}"
    while abs(float(text)) in (0.0, abs(landmark)) and float(text) != number and decimals < MOST_DECIMALS:
        decimals += 1
        text = f"{number:.{decimals}f}"
    return text


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
