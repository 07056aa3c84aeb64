"""Memory limits, and temporary files for columns that exceed them."""

import re
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, memory_error
from certus.statistic.common import require_integer

DEFAULT_MEMORY = 512_000_000
"""Bytes of rows beyond which scores are written to a file, unless `memory` says otherwise."""
UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
SIZE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*([kmgt]?)(i?)b?", re.IGNORECASE | re.ASCII)


def bytes_of(memory: int | str | None) -> int | None:
    """Number of bytes for ``"2GB"`` (10^9 each), ``"512 MiB"`` (2^20 each) or an integer; None stays None.

    Examples
    --------
    >>> bytes_of("2GB"), bytes_of("1.5 GiB"), bytes_of("64k"), bytes_of(1000)
    (2000000000, 1610612736, 64000, 1000)
    """
    if memory is None:
        return None
    if not isinstance(memory, str):
        return require_integer(memory, "memory", 1)
    match = SIZE.fullmatch(memory.strip())
    if match is None or (match[3] and not match[2]):
        raise DataError(f"is {memory!r}", "give a size such as 2GB or 512MiB", argument="memory")
    size = int(float(match[1]) * (1024 if match[3] else 1000) ** UNITS[match[2].lower()])
    if size < 1:
        raise DataError(
            f"is {memory!r}, which is less than a byte", "give a size such as 2GB or 512MiB", argument="memory"
        )
    return size


def in_words(size: int) -> str:
    """Size in the largest unit that gives a number of at least 1.

    Examples
    --------
    >>> in_words(512_000_000), in_words(1_500), in_words(7)
    ('512 MB', '1.5 kB', '7 bytes')
    """
    for unit, power in (("TB", 4), ("GB", 3), ("MB", 2), ("kB", 1)):
        if size >= 1000**power:
            return f"{size / 1000**power:.4g} {unit}"
    return f"{size} bytes"


CHUNK = 1 << 20
"""Bytes that are copied at once."""


class File:
    """A temporary file without a name; it disappears when no object refers to it, however the process ends."""

    def __init__(self, opened: Callable[..., FileIO] = tempfile.TemporaryFile) -> None:
        with _explained():
            self._file = opened(buffering=0, prefix="certus-")
        weakref.finalize(self, self._file.close)
        self.end = 0

    def append(self, arrays: Iterable[NDArray[Any]]) -> int:
        """Append arrays to the file; returns the offset of the first byte."""
        start = end = self.end
        with _explained():
            self._file.seek(start)
            for array in arrays:
                unwritten = np.ascontiguousarray(array).data.cast("B")
                end += len(unwritten)
                while unwritten:
                    unwritten = unwritten[self._file.write(unwritten) :]
        self.end = end
        return start

    def read(self, start: int, n: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Read n numbers from a byte offset."""
        array = np.empty(n, dtype=dtype)
        unread = array.data.cast("B")
        with _explained():
            self._file.seek(start)
            while unread:
                size = self._file.readinto(unread)
                if not size:
                    raise OSError("it is shorter than what was written")
                unread = unread[size:]
        return array

    def __reduce__(self) -> tuple[Any, ...]:
        return File.with_bytes, (self.read(0, self.end, np.dtype(np.uint8)),)

    @classmethod
    def with_bytes(cls, content: NDArray[Any]) -> Self:
        """New file with a copy of this content."""
        file = cls()
        file.append([content])
        return file

    def mapped(self, n: int) -> NDArray[np.uint8]:
        """Memory-mapped array of n bytes in the empty file."""
        # Written, not only asked for: a full disk has to be an error here, as a store into the array cannot fail.
        self.append(np.zeros(min(CHUNK, n - start), dtype=np.uint8) for start in range(0, n, CHUNK))
        with _explained():
            return np.memmap(self._file, dtype=np.uint8, mode="r+", shape=(n,))


class StoredColumns:
    """Columns of numbers in a file, which can be read block by block several times.

    Examples
    --------
    >>> columns = StoredColumns()
    >>> columns.add(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0]))
    >>> [[column.tolist() for column in part] for part in columns()]
    [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]
    """

    def __init__(self) -> None:
        self._file = File()
        self._parts: list[tuple[int, int, int]] = []

    def add(self, *columns: NDArray[np.float64]) -> None:
        """Append rows."""
        self._parts.append((self._file.append(columns), len(columns), len(columns[0])))

    def __call__(self) -> Iterator[Any]:
        """The columns of each part, as a tuple."""
        for start, columns, n in self._parts:
            yield tuple(self._file.read(start, columns * n, np.dtype(np.float64)).reshape(columns, n))


@contextmanager
def _explained() -> Iterator[None]:
    """Add a remedy to errors of the file system."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise memory_error(
            f"rows that do not fit into memory cannot be kept in a temporary file: {reason}",
            alternative="set TMPDIR to a folder with more room",
        ) from None
