"""Temporary files of which nothing is left, however the process ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_OPEN_FILES = Path("/proc/self/fd")


@contextmanager
def temporary_file() -> Iterator[tuple[BinaryIO, Path]]:
    """An empty file to write, and a path by which it can be opened again and again once it is flushed.

    On Linux it has no name, so that nothing is left of it even when the process is killed.
    """
    import tempfile  # here, as few sources need it

    if _OPEN_FILES.is_dir():
        with tempfile.TemporaryFile(prefix="certus-") as file:
            yield file, _OPEN_FILES / str(file.fileno())
        return
    with tempfile.TemporaryDirectory(prefix="certus-") as folder:
        path = Path(folder, "input")
        with path.open("xb") as file:
            yield file, path
