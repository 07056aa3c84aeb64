"""Copying what can be read only once to a file, no further than any reader would go."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from certus.errors import DataError
from certus.io._unnamed import temporary_file

Look = Callable[[Path], object]
"""Reads the first lines of a stream, and raises a `ValueError` where they are not what they should be."""

LONGEST_LINE = 64 << 20
"""Bytes, as in the compiled reader."""
_PIECE = 1 << 20
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BINARY = (
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    *(bytes([i]) + b"\x2a\x4d\x18" for i in range(0x50, 0x60)),
    b"PK\3\4",
    b"\x04\x22\x4d\x18",
    b"PAR1",
    b"ARROW1",
    b"FEA1",
    b"\xff\xff\xff\xff",
    b"certus-state",
)
"""First bytes of compressed files, tables of columns and states, for which the rules of text say nothing."""


def copy(stream: BinaryIO, target: BinaryIO, name: str, look: Look | None) -> None:
    """Copy a stream to a temporary file, and refuse on the way what no reader takes.

    A NUL byte and a line over 64 MB are refused where they are met. `look` reads the first megabyte of a longer text. A
    stream that has no end stops at half of the free space, or at a quarter of the memory if that is less.
    """
    piece = stream.read(_PIECE)
    text = not piece.startswith(_BINARY)
    json = text and piece.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    if piece.startswith(_UTF_16) and text:
        raise DataError("is UTF-16 text", "convert it to UTF-8 (for example with iconv)", place=name)
    import tempfile  # here, as few sources need it

    folder = tempfile.gettempdir()
    room = _room(folder)
    copied, lines, length = 0, 0, 0
    while piece:
        if text:
            _refuse_nul(piece, name, lines)
            last = piece.rfind(b"\n")
            length = length + len(piece) if last < 0 else len(piece) - last - 1
            lines += piece.count(b"\n")
            if length > LONGEST_LINE and not json:
                raise DataError(
                    f"the line is longer than {LONGEST_LINE >> 20} MB",
                    "is this a TREC file?",
                    place=f"{name}:{lines + 1}",
                )
        if copied + len(piece) > room:
            raise DataError(
                f"does not end within {room:,} bytes, for which there is room in {folder}",
                "name a file instead of a stream",
                place=name,
            )
        target.write(piece)
        following = stream.read(_PIECE)
        if copied == 0 and following and text and not json and look is not None:
            _look(piece, look)
        copied += len(piece)
        piece = following
    target.flush()


def _refuse_nul(piece: bytes, name: str, lines: int) -> None:
    at = piece.find(b"\0")
    if at >= 0:
        line = lines + piece.count(b"\n", 0, at) + 1
        raise DataError("the line holds a NUL byte", "the file is binary or damaged", place=f"{name}:{line}")


def _look(piece: bytes, look: Look) -> None:
    """Have the whole lines of the first piece read, unless all are blank or comments."""
    whole = piece[: piece.rfind(b"\n") + 1]
    if any(line.strip() and not line.lstrip().startswith(b"#") for line in whole.split(b"\n")):
        with temporary_file() as (file, start):
            file.write(whole)
            file.flush()
            try:
                look(start)
            except DataError:
                raise
            except ValueError as error:
                raise refused(error) from None


def refused(error: ValueError) -> DataError:
    """The error for what the compiled reader refuses: what was found, the remedy and the place."""
    if len(error.args) != 3:
        return DataError(str(error))
    found, remedy, place = error.args
    return DataError(found, remedy, place=place)


def _room(folder: str) -> int:
    """Bytes that a copy may take: it is read to memory later, or could be."""
    import shutil  # here, as it imports all ways of compression

    room = shutil.disk_usage(folder).free // 2
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        room = min(room, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4)
    return room
