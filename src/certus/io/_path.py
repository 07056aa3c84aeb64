"""Where input comes from: a path, or a stream that can be read only once."""

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from certus.errors import DataError

__all__ = ["PathLike", "readable"]

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]


@contextmanager
def readable(path: PathLike) -> Iterator[tuple[Path, str]]:
    """A path that can be opened again and again, and the name to call it by.

    ``-`` is standard input. It, a pipe and a device are copied to a temporary file first, since a run whose lines are
    not grouped by query is read twice.
    """
    name = os.fsdecode(path)
    if not name:
        raise DataError("the file name is empty; name a file, or '-' for standard input")
    if "\0" in name:
        raise DataError(f"the file name {name!r} holds a NUL character; no file has such a name")
    if name != "-" and not _is_stream(name):
        yield Path(name), name
        return
    if name == "-" and sys.stdin is None:
        raise DataError("-: standard input is closed; name a file")
    with tempfile.TemporaryDirectory(prefix="certus-") as folder:
        copy = Path(folder) / "input"
        try:
            with copy.open("xb") as target:
                if name == "-":
                    shutil.copyfileobj(sys.stdin.buffer, target, 1 << 20)
                else:
                    with open(name, "rb") as stream:
                        shutil.copyfileobj(stream, target, 1 << 20)
        except OSError as error:
            raise DataError(f"{name}: cannot be read: {error.strerror or error}") from None
        yield copy, name


def _is_stream(name: str) -> bool:
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False  # the reader says what is wrong with it
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
