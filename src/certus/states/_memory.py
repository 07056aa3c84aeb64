"""Bytes of memory, in words and as a limit."""

import re

from certus.errors import DataError, keyword
from certus.statistic.common import require_integer

USUAL = 512_000_000
"""Bytes of rows beyond which scores are written to a file, unless `memory` says otherwise."""
UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([kmgt]?)(i?)b?", re.IGNORECASE | re.ASCII)


def bytes_of(memory: int | str | None) -> int | None:
    """The bytes of ``"2GB"`` (10^9 each), ``"512 MiB"`` (2^20 each), or of a whole number; None as it is.

    Examples
    --------
    >>> bytes_of("2GB"), bytes_of("1.5 GiB"), bytes_of("64k"), bytes_of(1000)
    (2000000000, 1610612736, 64000, 1000)
    """
    if memory is None:
        return None
    if not isinstance(memory, str):
        return require_integer(memory, "memory", 1)
    found = SIZE.fullmatch(memory.strip())
    if found is None or (found[3] and not found[2]):
        raise DataError(f"is {memory!r}", "give a size such as 2GB or 512MiB", argument="memory")
    size = int(float(found[1]) * (1024 if found[3] else 1000) ** UNITS[found[2].lower()])
    if size < 1:
        raise DataError(
            f"is {memory!r}, which is less than a byte", "give a size such as 2GB or 512MiB", argument="memory"
        )
    return size


def in_words(size: int) -> str:
    """Bytes in the largest unit that there is one of.

    Examples
    --------
    >>> in_words(512_000_000), in_words(1_500), in_words(7)
    ('512 MB', '1.5 kB', '7 bytes')
    """
    for unit, power in (("TB", 4), ("GB", 3), ("MB", 2), ("kB", 1)):
        if size >= 1000**power:
            return f"{size / 1000**power:.4g} {unit}"
    return f"{size} bytes"


def needs_every_value(metric: object) -> DataError:
    """The error of an interval that sums do not suffice for."""
    return DataError(
        "this interval needs every value",
        f"take the default interval, or give more with {keyword('memory')}",
        argument="memory",
        subject="",
        place=metric,
    )
