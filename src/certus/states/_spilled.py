"""Rows that are more than fit into memory: sorted runs in a temporary file, merged when they are read."""

import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import FileIO
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import DataError, keyword
from certus.states._memory import in_words
from certus.states._rows import ENOUGH, Column, Counts, Rows, distinct, joined, narrowed

__all__ = ["Block", "Cell", "Spilled"]

Cell = tuple[int, ...]
"""The labels of a row, as numbers."""
SORTING = 4
"""Copies of rows that are in memory while they are sorted, or read in order."""
LEAST = 16
"""Rows that are kept at least, however little the memory."""
CHUNK = 1 << 20
"""Bytes that are copied at once."""


class Block(NamedTuple):
    """Sorted rows of one cell in the file, no two of them equal: the scores, then how often each came.

    Attributes
    ----------
    at
        The first byte.
    rows, samples
        How many there are; a row is one sample or several.
    scores, counts
        The types; counts of None are all 1 and not stored.
    """

    at: int
    rows: int
    samples: int
    scores: np.dtype[Any]
    counts: np.dtype[Any] | None

    def part(self, file: "File", start: int, stop: int) -> tuple[Column, Counts]:
        """Some of the rows."""
        scores = file.read(self.at + start * self.scores.itemsize, stop - start, self.scores)
        if self.counts is None:
            return scores, None
        first = self.at + self.rows * self.scores.itemsize
        return scores, file.read(first + start * self.counts.itemsize, stop - start, self.counts)


Run = list[Block]
"""Sorted rows of one cell, the blocks one after the other."""


class File:
    """A temporary file without a name: it is gone when nothing holds it, however the process ends."""

    def __init__(self, opened: Callable[..., FileIO] = tempfile.TemporaryFile) -> None:
        with _explained():
            self._file = opened(buffering=0, prefix="certus-")
        weakref.finalize(self, self._file.close)
        self.end = 0

    def append(self, arrays: Iterable[Column]) -> int:
        """Write arrays to the end; the place where they begin."""
        at = end = self.end
        with _explained():
            self._file.seek(at)
            for array in arrays:
                left = np.ascontiguousarray(array).data.cast("B")
                end += len(left)
                while left:
                    left = left[self._file.write(left) :]
        self.end = end
        return at

    def read(self, at: int, n: int, kind: np.dtype[Any]) -> Column:
        """Numbers of a type from a place on."""
        found = np.empty(n, dtype=kind)
        left = found.data.cast("B")
        with _explained():
            self._file.seek(at)
            while left:
                size = self._file.readinto(left)
                if not size:
                    raise OSError("it is shorter than what was written")
                left = left[size:]
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return File.of, (self.read(0, self.end, np.dtype(np.uint8)),)

    @classmethod
    def of(cls, content: Column) -> Self:
        """A new file with the content of another one, which was sent or copied."""
        made = cls()
        made.append([content])
        return made

    def mapped(self, n: int) -> NDArray[np.uint8]:
        """An array of bytes that lies in the file, which is empty before."""
        # Written, not only asked for: a full disk has to be an error here, as a store into the array cannot fail.
        self.append(np.zeros(min(CHUNK, n - at), dtype=np.uint8) for at in range(0, n, CHUNK))
        with _explained():
            return np.memmap(self._file, dtype=np.uint8, mode="r+", shape=(n,))


@contextmanager
def _explained() -> Iterator[None]:
    """Errors of the file say what to do."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DataError(
            f"scores that do not fit into memory cannot be kept in a temporary file: {reason}; set TMPDIR to a folder "
            f"with more room, or give more with {keyword('memory')}"
        ) from None


class Spilled(Rows):
    """Rows that are written to a file, sorted, where they would take more than `memory` bytes.

    Parameters
    ----------
    columns
        How many columns there are, the last one of scores.
    memory
        Bytes that rows may take while they are sorted.
    refusal
        What needs all rows in memory, so that more of them are an error; empty where nothing does.

    Attributes
    ----------
    cells
        The runs in the file of each cell of labels.
    """

    def __init__(self, columns: int, memory: int, refusal: str = "") -> None:
        super().__init__(columns)
        self.memory, self.refusal = memory, refusal
        self.cells: dict[Cell, list[Run]] = {}
        self._file: File | None = None

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, for which `make_room` has made room."""
        self.waiting.append(list(columns))
        self.pending += len(columns[0])

    def make_room(self) -> None:
        """Count or write what is there, where more would be too much; on an error nothing is lost.

        Raises
        ------
        DataError
            The file cannot be written, or `refusal` forbids it.
        """
        held = len(self.counted[0][0])
        most = self._most(self.waiting[0] if self.waiting else self.counted[0])
        if self.pending + held <= most:
            if not self.cells and self.pending > max(ENOUGH, held):
                self.settle()  # few distinct rows may stay few
            return
        self.settle()
        if len(self.counted[0][0]) > most // 2:
            self._write()

    def _most(self, columns: Sequence[Column]) -> int:
        """Rows that may be in memory."""
        return max(self.memory // (SORTING * (1 + sum(column.itemsize for column in columns))), LEAST)

    def _write(self) -> None:
        """Write the rows that are counted to the file."""
        if self.refusal:
            raise DataError(
                f"the rows do not fit into {in_words(self.memory)} of memory, and {self.refusal} needs all of them at "
                f"once; give more with {keyword('memory')}, or leave it out"
            )
        (*labels, scores), counts = self.counted
        if not len(scores):
            return
        if self._file is None:
            self._file = File()
        starts = np.flatnonzero(_changes(labels, len(scores)))
        written = [
            (tuple(int(column[start]) for column in labels), self._block(self._file, scores[part], _some(counts, part)))
            for start, stop in zip(starts, [*starts[1:], len(scores)], strict=True)
            for part in [slice(start, stop)]
        ]
        for cell, block in written:
            self.cells.setdefault(cell, []).append([block])
        self.counted = ([column[:0] for column in self.counted[0]], None)

    @staticmethod
    def _block(file: File, scores: Column, counts: Counts) -> Block:
        """Write sorted rows of one cell."""
        often = None if counts is None or bool((counts == 1).all()) else narrowed(counts)
        at = file.append([scores] if often is None else [scores, often])
        samples = len(scores) if often is None else int(often.sum(dtype=np.int64))
        return Block(at, len(scores), samples, scores.dtype, None if often is None else often.dtype)

    def spill(self) -> bool:
        """Write what is left in memory, if anything is in the file already; whether there is."""
        if self.cells:
            self.settle()
            self._write()
        return bool(self.cells)

    def samples(self) -> dict[Cell, int]:
        """The samples of each cell that are in the file."""
        return {cell: sum(block.samples for run in runs for block in run) for cell, runs in self.cells.items()}

    def merged(self, keys: Mapping[Cell, int]) -> Iterator[tuple[Column, Column, Counts]]:
        """The distinct rows in the file of those cells that have a key, each with its key, and how often it came.

        Every part has the least keys first, and in a key scores in increasing order; the scores of each part are
        greater than those of the parts before.
        """
        if self._file is None:
            return
        readers = [_Reader(self._file, run, key) for cell, key in keys.items() for run in self.cells[cell]]
        room = max(self.memory // (SORTING * 16 * max(len(readers), 1)), LEAST)
        while readers:
            for reader in readers:
                reader.fill(room)
            cut = min((reader.scores[-1] for reader in readers if reader.left), default=np.inf)
            taken = [part for reader in readers if len((part := reader.upto(cut))[1])]
            readers = [reader for reader in readers if reader.left or len(reader.scores)]
            key = np.concatenate([np.full(len(scores), key, dtype=np.int8) for key, scores, _ in taken])
            scores = np.concatenate([scores for _, scores, _ in taken])
            often = None
            if any(counts is not None for _, _, counts in taken):
                often = np.concatenate([np.ones(len(s), np.int8) if c is None else c for _, s, c in taken])
            (key, scores), often = distinct([key, scores], often)
            yield key, scores, often

    def marks(self, positive: Mapping[Cell, bool]) -> NDArray[np.uint8]:
        """The samples by decreasing score, as `certus.data.scores.Ordered` has them; of each cell whether it is."""
        at = sum(self.samples().values())
        marks = np.empty(at, dtype=np.uint8) if 2 * at <= self.memory else File().mapped(at)
        for key, scores, counts in self.merged({cell: int(positive[cell]) for cell in self.cells}):
            many = np.ones(len(key), dtype=np.int64) if counts is None else counts.astype(np.int64)
            start, split = at - int(many.sum()), int(np.searchsorted(key, 1))
            kernels.score_marks_into(marks[start:at], (scores[split:], many[split:]), (scores[:split], many[:split]))
            at = start
        return marks

    def copied(self, other: "Spilled") -> list[tuple[Cell, Run]]:
        """The runs of other rows, written to this file; they count once `cells` has them.

        Raises
        ------
        DataError
            The file cannot be written.
        """
        if not other.spill() or other._file is None:
            return []
        if self._file is None:
            self._file = File()
        return [
            (cell, [self._copied(self._file, other._file, block) for block in run])
            for cell, runs in other.cells.items()
            for run in runs
        ]

    @staticmethod
    def _copied(file: File, other: File, block: Block) -> Block:
        size = block.rows * (block.scores.itemsize + (0 if block.counts is None else block.counts.itemsize))
        byte = np.dtype(np.uint8)
        ats = range(block.at, block.at + size, CHUNK)
        return block._replace(at=file.append(other.read(at, min(CHUNK, block.at + size - at), byte) for at in ats))

    def compact(self) -> dict[Cell, Run]:
        """The rows in the file, merged to one run for each cell, which then takes the place of the others."""
        if any(len(runs) > 1 for runs in self.cells.values()):
            file = File()
            self.cells = {
                cell: [[self._block(file, scores, counts) for _, scores, counts in self.merged({cell: 0})]]
                for cell in self.cells
            }
            self._file = file
        return {cell: run for cell, (run,) in self.cells.items()}

    def scores(self, blocks: Iterable[Block]) -> Iterator[Column]:
        """The scores of blocks."""
        return (scores for scores, _ in self._read(blocks))

    def counts(self, blocks: Iterable[Block]) -> Iterator[Column]:
        """The counts of their rows, block by block."""
        return (np.ones(len(scores), np.int8) if counts is None else counts for scores, counts in self._read(blocks))

    def _read(self, blocks: Iterable[Block]) -> Iterator[tuple[Column, Counts]]:
        if self._file is not None:
            for block in blocks:
                for start in range(0, block.rows, ENOUGH):
                    yield block.part(self._file, start, min(start + ENOUGH, block.rows))


class _Reader:
    """A run, of which the next rows are in memory."""

    def __init__(self, file: File, run: Run, key: int) -> None:
        self.file, self.run, self.key = file, run, key
        self.block = self.row = 0
        self.left = sum(block.rows for block in run)
        """Rows that are not in memory yet."""
        self.scores: Column = np.zeros(0, dtype=run[0].scores)
        self.counts: Counts = None

    def fill(self, room: int) -> None:
        """Read until there are as many rows as there is room for, if less than half of them are there."""
        if 2 * len(self.scores) > room:
            return
        while self.left and len(self.scores) < room:
            block = self.run[self.block]
            stop = min(block.rows, self.row + room - len(self.scores))
            scores, counts = block.part(self.file, self.row, stop)
            self.counts = joined(self.counts, len(self.scores), counts, len(scores))
            self.scores = np.concatenate([self.scores, scores])
            self.left -= len(scores)
            self.block, self.row = (self.block + 1, 0) if stop == block.rows else (self.block, stop)

    def upto(self, cut: float) -> tuple[int, Column, Counts]:
        """Take the rows up to a score."""
        n = int(np.searchsorted(self.scores, cut, side="right"))
        taken = self.key, self.scores[:n], _some(self.counts, slice(n))
        self.scores, self.counts = self.scores[n:], _some(self.counts, slice(n, None))
        return taken


def _changes(labels: Sequence[Column], n: int) -> NDArray[np.bool_]:
    """The rows that begin another cell."""
    found = np.zeros(n, dtype=np.bool_)
    found[0] = True
    for column in labels:
        found[1:] |= column[1:] != column[:-1]
    return found


def _some(counts: Counts, part: slice) -> Counts:
    return None if counts is None else counts[part]
