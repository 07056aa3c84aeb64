"""Rows of samples with their counts, in memory or in a file, in an order that does not depend on the batches."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, keyword
from certus.data.columns import Coded, sorted_labels
from certus.states._files import CHUNK, File, in_words

Column = NDArray[Any]
Counts = NDArray[np.integer[Any]] | None
"""How often each row came; None: once."""
CountedRows = tuple[list[Column], Counts]
"""Rows and how often each came."""
ENOUGH = 1 << 16
"""Rows that are kept as they come before equal ones are counted together."""
WAITING = 8
"""How many times the rows that are counted may wait, where most rows differ from each other."""
SMALL_TABLE = 256
"""Cells of labels, of which each is sorted by itself."""
_EMPTY = np.zeros(0, dtype=np.int8)
_INTEGERS = tuple(
    (dtype, int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)) for dtype in (np.int8, np.int16, np.int32, np.int64)
)


class LabelCodes:
    """Codes of a column's labels over all batches: whole numbers are their own code, others are numbered."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}
        self.kind: str | None = None
        self.boolean: bool | None = None

    def check(self, column: Coded, name: str) -> None:
        """Refuse labels of another kind than in earlier batches, or of a kind that a state cannot store."""
        if column.kind is not None and self.kind is not None and column.kind != self.kind:
            raise DataError(
                f"holds {column.kind}, but earlier batches {self.kind}", "give labels of one kind", argument=name
            )
        if column.order is not None and column.order != sorted_labels(column.order)[0]:
            raise DataError(
                "has categories in an order of their own, which a state does not keep",
                "give text or numbers",
                argument=name,
            )
        numbers: Any = column.names or () if column.kind == "numbers" else ()
        if not all(-(2**63) <= int(number) < 2**63 for number in numbers):
            raise DataError("holds whole numbers of more than 64 bits", "give them as text", argument=name)

    def encode(self, column: Coded) -> Column:
        """Codes of the labels in a checked batch."""
        if not len(column.values):
            return _EMPTY
        self.kind = column.kind
        self.boolean = column.boolean if self.boolean is None else self.boolean and column.boolean
        if column.kind == "numbers":
            return column.values if column.names is None else np.array(column.names, dtype=np.int64)[column.values]
        return np.asarray(self._codes_of(column.labels)[column.codes])

    def _codes_of(self, labels: Iterable[Hashable]) -> NDArray[np.int64]:
        """Codes of the labels; new ones get the next numbers."""
        return np.array([self.codes.setdefault(label, len(self.codes)) for label in labels], dtype=np.int64)

    def ordered(self, column: Column) -> Column:
        """Replace codes by the ranks of their labels; whole numbers stay unchanged."""
        return column if self.kind == "numbers" or not self.codes else self.ranks()[column]

    def decode(self, column: Column) -> Column:
        """Labels for the result of `ordered`."""
        if self.boolean:
            return column.astype(np.bool_)
        if self.kind == "numbers" or not self.codes:
            return column
        labels = np.empty(len(self.codes), dtype=object)
        labels[:] = self.in_order()
        return np.asarray(labels[column])

    def ranks(self) -> Column:
        """Rank of each code, for labels that are not numbers."""
        ranks = np.empty(len(self.codes), dtype=np.int64)
        for rank, label in enumerate(self.in_order()):
            ranks[self.codes[label]] = rank
        return ranks

    def in_order(self) -> tuple[Hashable, ...]:
        """Sorted labels that are not numbers."""
        labels, is_sorted = sorted_labels(tuple(self.codes))
        return labels if is_sorted else tuple(sorted(labels, key=repr))

    def set_stored(self, kind: str | None, boolean: bool | None, in_order: Sequence[Hashable]) -> None:
        """Take in what the bytes of a state hold."""
        self.kind, self.boolean, self.codes = kind, boolean, {label: code for code, label in enumerate(in_order)}
        types = {"text": (str,), "bytes": (bytes,), "objects": (str, bytes, int, float)}.get(kind or "", ())
        fits = kind in (None, "numbers", "text", "bytes", "objects") and isinstance(boolean, bool | None)
        fits = fits and not (boolean and kind != "numbers") and (kind is None) == (boolean is None)
        if not fits or self.in_order() != tuple(in_order) or not all(isinstance(label, types) for label in in_order):
            raise ValueError("the labels of a column are not those of a batch")

    def check_stored(self, column: Column) -> None:
        """Refuse codes that the labels of a state do not have."""
        limit = len(self.codes) if self.kind != "numbers" else 2 if self.boolean else None
        if column.dtype.kind != "i" or (limit is not None and not 0 <= column.min() <= column.max() < limit):
            raise ValueError("a label is not listed")

    def check_mergeable(self, other: "LabelCodes", name: str) -> None:
        """Refuse to merge labels of another kind."""
        if other.kind is not None and self.kind is not None and other.kind != self.kind:
            raise DataError(
                f"holds {other.kind} in one state and {self.kind} in the other", "they do not merge", argument=name
            )

    def translate(self, other: "LabelCodes", column: Column) -> Column:
        """Add the labels of another state, and convert its column to the codes of this one."""
        if other.kind is None:
            return column
        self.kind = other.kind
        self.boolean = other.boolean if self.boolean is None else self.boolean and other.boolean
        return column if other.kind == "numbers" else np.asarray(self._codes_of(other.codes)[column])


class Rows:
    """Distinct rows of numbers with the count of each.

    Columns of whole numbers, which stand for labels, come before those of floats. Rows are kept as they come; from time
    to time equal ones are counted together, in columns as narrow as their numbers allow.
    """

    def __init__(self, n_columns: int) -> None:
        self.n_columns = n_columns
        self.distinct: CountedRows = ([_EMPTY] * n_columns, None)
        self.waiting: list[list[Column]] = []
        self.pending = 0
        self.mostly_repeated = True
        """Most of the rows that were counted last were equal to others."""

    @property
    def max_waiting(self) -> int:
        """Number of rows to collect before they are counted."""
        n_distinct = len(self.distinct[0][0])
        return max(ENOUGH, n_distinct if self.mostly_repeated else WAITING * n_distinct)

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows; the arrays must not be changed afterwards."""
        self.waiting.append(list(columns))
        self.pending += len(columns[0])
        if self.pending > self.max_waiting:
            self.settle()

    def make_room(self) -> None:
        """Make room for more rows; in memory there is nothing to do."""

    def settle(self) -> CountedRows:
        """Count the collected rows; returns the sorted distinct rows and their counts."""
        if self.waiting:
            columns = [np.concatenate(batches) for batches in zip(*self.waiting, strict=True)]
            self.waiting, self.pending = [], 0
            self.count(columns, None)
        return self.distinct

    def unsorted(self) -> list[Column]:
        """All rows in memory, in any order."""
        columns, counts = self.distinct
        blocks = [[repeat(column, counts) for column in columns], *self.waiting]
        return [np.concatenate(column_parts) for column_parts in zip(*blocks, strict=True)]

    def count(self, columns: list[Column], counts: Counts) -> None:
        """Merge rows with these counts into the distinct ones; the list is emptied."""
        distinct_columns, distinct_counts = self.distinct
        if counts is None and distinct_counts is not None:
            columns, counts = distinct(columns, None)
        if len(distinct_columns[0]):
            counts = _concatenate_counts((distinct_counts, len(distinct_columns[0])), (counts, len(columns[0])))
            for index, column in enumerate(distinct_columns):
                columns[index] = np.concatenate([column, columns[index]])
        n_before = len(columns[0])
        self.distinct = distinct(columns, counts)
        self.mostly_repeated = 2 * len(self.distinct[0][0]) < n_before


def in_label_order(rows: Rows, labels: Sequence[LabelCodes | None]) -> CountedRows:
    """Sorted distinct rows with their counts, labels replaced by their rank."""
    columns, counts = rows.settle()
    pairs = zip(labels, columns, strict=True)
    ordered = [column if codes is None else codes.ordered(column) for codes, column in pairs]
    if all(new is old for new, old in zip(ordered, columns, strict=True)):
        return columns, counts
    return distinct(ordered, counts)


def repeat(column: Column, counts: Counts) -> Column:
    """Repeat each value by its count, in blocks: numpy would make a wide copy of all counts."""
    if counts is None:
        return column
    repeated = np.empty(int(counts.sum(dtype=np.int64)), dtype=column.dtype)
    end = 0
    for start in range(0, len(column), ENOUGH):
        piece = np.repeat(column[start : start + ENOUGH], counts[start : start + ENOUGH])
        repeated[end : end + len(piece)] = piece
        end += len(piece)
    return repeated


def in_pieces(columns: Sequence[Column], counts: Counts) -> Iterator[list[Column]]:
    """Columns with each row repeated by its count, in pieces of at most `ENOUGH` samples."""
    row_ends = None if counts is None else np.cumsum(counts, dtype=np.int64)
    n = len(columns[0]) if row_ends is None else int(row_ends[-1])
    for start in range(0, n, ENOUGH):
        stop = min(start + ENOUGH, n)
        rows: Any = (
            slice(start, stop) if row_ends is None else np.searchsorted(row_ends, np.arange(start, stop), side="right")
        )
        yield [column[rows] for column in columns]


def narrow(column: Column) -> Column:
    """Convert whole numbers to the smallest type that holds them."""
    if column.dtype.kind == "f":
        return column
    lowest, highest = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    return column.astype(next(dtype for dtype, low, high in _INTEGERS if low <= lowest and highest <= high), copy=False)


def narrow_copy(column: Column) -> Column:
    """Copy whole numbers of another owner to the smallest type that holds them."""
    narrowed = narrow(column)
    return narrowed.copy() if narrowed is column else narrowed


def _concatenate_counts(*parts: tuple[Counts, int]) -> Counts:
    """Concatenate counts; None counts as that many ones."""
    if all(counts is None for counts, _ in parts):
        return None
    return np.concatenate([np.ones(n, dtype=np.int8) if counts is None else counts for counts, n in parts])


def distinct(columns: list[Column], counts: Counts) -> CountedRows:
    """Sorted distinct rows and their counts; the list of columns is emptied to free memory."""
    columns[:] = map(narrow, columns)
    n = len(columns[0])
    if not n:
        return columns, None
    n_numbers = sum(column.dtype.kind == "f" for column in columns)
    cells = _cells(columns[: len(columns) - n_numbers])
    if cells is not None and not n_numbers:
        return _count_cells(cells, counts)
    if cells is None or n_numbers > 1:
        order = np.lexsort(columns[::-1])
        ordered, counts = [column[order] for column in columns], None if counts is None else counts[order]
        del order
    else:
        ordered, counts = _sort_by_cell(columns, cells.codes, counts)
    del columns[:], cells
    repeats = np.ones(n, dtype=np.bool_)
    repeats[0] = False
    for column in ordered:
        repeats[1:] &= column[1:] == column[:-1]
    positions = np.flatnonzero(repeats)
    if not len(positions):
        return ordered, None if counts is None or bool((counts == 1).all()) else narrow(counts)
    mask = ~repeats
    del repeats
    distinct_counts = np.ones(n - len(positions), dtype=np.int8) if counts is None else counts[mask]
    repeat_counts = np.ones(len(positions), dtype=np.int8) if counts is None else counts[positions]
    positions -= np.arange(1, len(positions) + 1)
    # Where the row lies among the distinct ones whose equals these are, and how many these are.
    runs = np.flatnonzero(np.diff(positions, prepend=-1))
    totals = np.add.reduceat(repeat_counts, runs, dtype=np.int64)
    positions = positions[runs]
    totals += distinct_counts[positions]
    wide = np.promote_types(narrow(totals).dtype, distinct_counts.dtype)
    distinct_counts = distinct_counts.astype(wide, copy=False)
    distinct_counts[positions] = totals
    for index, column in enumerate(ordered):
        ordered[index] = column[mask]
    return ordered, narrow(distinct_counts)


def _count_cells(cells: "_LabelCells", counts: Counts) -> CountedRows:
    """Nonempty cells of labels, and the number of rows in each."""
    totals = np.zeros(SMALL_TABLE, dtype=np.int64)
    if counts is None:
        totals += np.bincount(cells.codes, minlength=SMALL_TABLE)
    else:
        np.add.at(totals, cells.codes, counts)
    codes = np.flatnonzero(totals)
    cell_counts = totals[codes]
    labels = []
    for lowest, span in reversed(cells.spans):
        codes, offsets = np.divmod(codes, span)
        labels.append(narrow(offsets + lowest))
    return labels[::-1], None if bool((cell_counts == 1).all()) else narrow(cell_counts)


def _sort_by_cell(columns: list[Column], cells: NDArray[np.uint8], counts: Counts) -> CountedRows:
    """Sort a column of numbers within each cell of labels: faster than sorting rows, and in less memory."""
    *labels, numbers = columns
    sizes = np.bincount(cells)
    nonempty = np.flatnonzero(sizes)
    ordered = np.empty_like(numbers)
    ordered_counts = None if counts is None else np.ones_like(counts)
    first_rows = []
    start = 0
    for cell in nonempty.tolist():
        in_cell = cells == cell
        first_rows.append(int(in_cell.argmax()))
        cell_slice = slice(start, start + int(sizes[cell]))
        np.compress(in_cell, numbers, out=ordered[cell_slice])
        ordered[cell_slice].sort()
        if ordered_counts is not None and counts is not None:
            # Most rows came once; each of the others gets the position of one of its equals.
            in_cell &= counts != 1
            values, repeats = numbers[in_cell], counts[in_cell]
            order = np.argsort(values)
            values = values[order]
            equals = np.arange(len(values)) - np.searchsorted(values, values)
            ordered_counts[cell_slice][np.searchsorted(ordered[cell_slice], values) + equals] = repeats[order]
        start = cell_slice.stop
    return [*(np.repeat(column[first_rows], sizes[nonempty]) for column in labels), ordered], ordered_counts


class _LabelCells(NamedTuple):
    """Cell code of each row, lowest label of each column, and how many labels are possible."""

    codes: NDArray[np.uint8]
    spans: list[tuple[int, int]]


def _cells(labels: list[Column]) -> _LabelCells | None:
    """Cell codes of the labels; None if there are no labels or too many cells."""
    cells: NDArray[np.uint8] | None = None
    size = 1
    spans = []
    for column in labels:
        lowest = int(column.min())
        span = int(column.max()) - lowest + 1
        size *= span
        spans.append((lowest, span))
        if size > SMALL_TABLE:
            return None
        # Of differences below 256 the last byte is all.
        offsets = column.astype(np.uint8) - np.uint8(lowest % SMALL_TABLE)
        cells = offsets if cells is None else cells * np.uint8(span % SMALL_TABLE) + offsets
    return None if cells is None else _LabelCells(cells, spans)


Cell = tuple[int, ...]
"""The labels of a row, as numbers."""
SORTING = 4
"""Copies of rows that are in memory while they are sorted, or read in order."""
MIN_ROWS = 16
"""Rows that are kept at least, however little the memory."""


class Block(NamedTuple):
    """Sorted distinct rows of one cell in the file: its columns, then the counts.

    A row is one sample or several; without a type of counts all are 1 and not stored.
    """

    start: int
    rows: int
    samples: int
    dtypes: tuple[np.dtype[Any], ...]
    count_dtype: np.dtype[Any] | None

    def read(self, file: File, start: int, stop: int) -> CountedRows:
        """Read rows and their counts."""
        offset, columns = self.start, []
        for dtype in self.dtypes:
            columns.append(file.read(offset + start * dtype.itemsize, stop - start, dtype))
            offset += self.rows * dtype.itemsize
        if self.count_dtype is None:
            return columns, None
        return columns, file.read(offset + start * self.count_dtype.itemsize, stop - start, self.count_dtype)

    @property
    def size(self) -> int:
        """Size in bytes."""
        dtypes = (*self.dtypes, *([] if self.count_dtype is None else [self.count_dtype]))
        return self.rows * sum(dtype.itemsize for dtype in dtypes)


Run = list[Block]
"""Sorted rows of one cell, the blocks one after the other."""


class Spilled(Rows):
    """Rows that are sorted and written to a file if they would exceed `memory` bytes.

    The first `keys` columns are labels that tell cells apart; `cells` are the runs in the file of each. `refusal` names
    what needs all rows in memory, so that more of them are an error; empty where nothing does.
    """

    def __init__(self, n_columns: int, memory: int, refusal: str = "", keys: int | None = None) -> None:
        super().__init__(n_columns)
        self.memory, self.refusal = memory, refusal
        self.keys = n_columns - 1 if keys is None else keys
        self.cells: dict[Cell, list[Run]] = {}
        self._file: File | None = None

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, for which `make_room` has made room."""
        self.waiting.append(list(columns))
        self.pending += len(columns[0])

    def make_room(self) -> None:
        """Count the collected rows, or write them to the file, if more would exceed the memory."""
        columns = self.waiting[0] if self.waiting else self.distinct[0]
        row_bytes = 1 + sum(column.itemsize for column in columns)
        max_rows = max(self.memory // (SORTING * row_bytes), MIN_ROWS)
        if self.pending + len(self.distinct[0][0]) <= max_rows:
            if not self.cells and self.pending > self.max_waiting:
                self.settle()  # few distinct rows may stay few
            return
        self.settle()
        if len(self.distinct[0][0]) > max_rows // 2:
            self._write()

    def _write(self) -> None:
        """Write the counted rows to the file."""
        if self.refusal:
            raise DataError(
                f"the rows do not fit into {in_words(self.memory)} of memory, and {self.refusal} needs all of them at "
                "once",
                f"give more with {keyword('memory')}, or leave it out",
                argument="memory",
                subject="",
            )
        columns, counts = self.distinct
        labels, values, n = columns[: self.keys], columns[self.keys :], len(columns[-1])
        if not n:
            return
        file = self._opened()
        changes = np.zeros(n, dtype=np.bool_)
        changes[0] = True
        for column in labels:
            changes[1:] |= column[1:] != column[:-1]
        starts = np.flatnonzero(changes)
        written = [
            (
                tuple(int(column[rows.start]) for column in labels),
                _append_block(file, [column[rows] for column in values], None if counts is None else counts[rows]),
            )
            for rows in map(slice, starts, [*starts[1:], n])
        ]
        for cell, block in written:
            self.cells.setdefault(cell, []).append([block])
        self.distinct = ([column[:0] for column in self.distinct[0]], None)

    def _opened(self) -> File:
        """Temporary file for the rows, created at the first call."""
        self._file = self._file or File()
        return self._file

    def spill(self, *, always: bool = False) -> bool:
        """Write the rows in memory if the file has some, or `always`; returns True if the file has rows."""
        if self.cells or always:
            self.settle()
            self._write()
        return bool(self.cells)

    def samples(self) -> dict[Cell, int]:
        """Number of samples in the file, by cell."""
        return {cell: sum(block.samples for run in runs for block in run) for cell, runs in self.cells.items()}

    def merged(self, keys: Mapping[Cell, int]) -> Iterator[tuple[Column, list[Column], Counts]]:
        """Merge the sorted rows of several cells; yields blocks of keys, columns and counts.

        Every part has the least keys first, and in a key rows in increasing order; the rows of each part are greater
        than those of the parts before.
        """
        if self._file is None:
            return
        readers = [_RunReader(self._file, run, key) for cell, key in keys.items() for run in self.cells[cell]]
        row_bytes = SORTING * (8 + 8 * (self.n_columns - self.keys)) * max(len(readers), 1)
        room = max(self.memory // row_bytes, MIN_ROWS)
        while readers:
            for reader in readers:
                reader.fill(room)
            cut = min((reader.last for reader in readers if reader.unread), default=None)
            parts = []
            for reader in readers:
                columns, counts = reader.take_up_to(cut)
                if n := len(columns[0]):
                    parts.append(([np.full(n, reader.key, dtype=np.int8), *columns], counts))
            readers = [reader for reader in readers if reader.unread or reader.loaded]
            (key, *rows), row_counts = _distinct_of_parts(parts)
            yield key, rows, row_counts

    def marks(self, positive: Mapping[Cell, bool]) -> NDArray[np.uint8]:
        """Samples by decreasing score as in `certus.data.scores.Ordered`; `positive` says which cells are positive."""
        stop = sum(self.samples().values())
        marks = np.empty(stop, dtype=np.uint8) if 2 * stop <= self.memory else File().mapped(stop)
        for key, (scores,), counts in self.merged({cell: int(positive[cell]) for cell in self.cells}):
            repeats = np.ones(len(key), dtype=np.int64) if counts is None else counts.astype(np.int64)
            start, split = stop - int(repeats.sum()), int(np.searchsorted(key, 1))
            positives, negatives = (scores[split:], repeats[split:]), (scores[:split], repeats[:split])
            kernels.score_marks_into(marks[start:stop], positives, negatives)
            stop = start
        return marks

    def parts_of(self, cell: Cell) -> Iterator[CountedRows]:
        """Blocks of a cell's rows in the file, with their counts."""
        return self._read(block for run in self.cells[cell] for block in run)

    def pieces(self, *, sort: bool = False) -> Iterator[list[Column]]:
        """Columns of all samples in the file, piece by piece, sorted or not; for rows without label columns."""
        merged = ((columns, counts) for _, columns, counts in self.merged({(): 0}))
        for columns, counts in merged if sort else self.parts_of(()):
            yield from in_pieces(columns, counts)

    def for_value(self, cell: Cell) -> CountedRows:
        """Sorted distinct rows of a cell in the file, with their counts."""
        return _distinct_of_parts(list(self.parts_of(cell)))

    def all_rows(self) -> CountedRows:
        """Sorted distinct rows, including those in the file, with their counts."""
        parts = [self.settle()]
        for cell in self.cells:
            for columns, counts in self.parts_of(cell):
                parts.append(([*(np.full(len(columns[0]), label) for label in cell), *columns], counts))
        return _distinct_of_parts(parts) if self.cells else parts[0]

    def append_changed(
        self, change: Callable[[list[Column]], list[Column]], other: "Spilled | None" = None
    ) -> list[tuple[Cell, Run]]:
        """Apply a function to blocks of rows (of `other` if passed) and append the result, sorted, to the file."""
        source = self if other is None else other
        if not source.spill() or source._file is None:
            return []
        changed = []
        for cell, runs in source.cells.items():
            for block in (block for run in runs for block in run):
                columns, counts = block.read(source._file, 0, block.rows)
                changed.append((cell, [_append_block(self._opened(), *distinct(change(columns), counts))]))
        return changed

    def copy_runs(self, other: "Spilled") -> list[tuple[Cell, Run]]:
        """Copy the runs of other rows to this file; returns them by cell, not yet added to `cells`."""
        if not other.spill() or other._file is None:
            return []
        source, file, byte = other._file, self._opened(), np.dtype(np.uint8)

        def copy(block: Block) -> Block:
            end = block.start + block.size
            chunks = range(block.start, end, CHUNK)
            return block._replace(
                start=file.append(source.read(start, min(CHUNK, end - start), byte) for start in chunks)
            )

        return [(cell, list(map(copy, run))) for cell, runs in other.cells.items() for run in runs]

    def compact(self) -> dict[Cell, Run]:
        """Merge the runs of each cell in the file into one; returns it by cell."""
        if any(len(runs) > 1 for runs in self.cells.values()):
            file = File()
            self.cells = {
                cell: [[_append_block(file, columns, counts) for _, columns, counts in self.merged({cell: 0})]]
                for cell in self.cells
            }
            self._file = file
        return {cell: run for cell, (run,) in self.cells.items()}

    def column(self, index: int, blocks: Iterable[Block]) -> Iterator[Column]:
        """Column with this index, block by block."""
        return (columns[index] for columns, _ in self._read(blocks))

    def counts(self, blocks: Iterable[Block]) -> Iterator[Column]:
        """Number of equal samples that each stored row stands for, block by block."""
        return (np.ones(len(rows[0]), np.int8) if counts is None else counts for rows, counts in self._read(blocks))

    def _read(self, blocks: Iterable[Block]) -> Iterator[CountedRows]:
        """Read blocks in pieces of at most `ENOUGH` rows."""
        if self._file is not None:
            for block in blocks:
                for start in range(0, block.rows, ENOUGH):
                    yield block.read(self._file, start, min(start + ENOUGH, block.rows))


def for_sorting(n_columns: int, memory: int) -> Spilled:
    """Empty rows to be sorted by all columns, within half of `memory`."""
    return Spilled(n_columns, max(memory // 2, 1), keys=0)


def sorted_samples(parts: Iterable[list[Column]], n_columns: int, memory: int) -> Iterator[list[Column]]:
    """Sort samples by their first column in a file; yields them piece by piece."""
    rows = for_sorting(n_columns, memory)
    for columns in parts:
        rows.make_room()
        rows.add(columns)
    rows.spill(always=True)
    yield from rows.pieces(sort=True)


def _append_block(file: File, columns: Sequence[Column], counts: Counts) -> Block:
    """Append sorted rows of one cell to the file."""
    stored = None if counts is None or bool((counts == 1).all()) else narrow(counts)
    start = file.append(columns if stored is None else [*columns, stored])
    n = len(columns[0])
    n_samples = n if stored is None else int(stored.sum(dtype=np.int64))
    dtypes = tuple(column.dtype for column in columns)
    return Block(start, n, n_samples, dtypes, None if stored is None else stored.dtype)


class _RunReader:
    """Reader of a sorted run that keeps the next rows in memory."""

    def __init__(self, file: File, run: Run, key: int) -> None:
        self.file, self.run, self.key = file, run, key
        self.block = self.row = 0
        self.unread = sum(block.rows for block in run)
        self.columns: list[Column] = [np.zeros(0, dtype=dtype) for dtype in run[0].dtypes]
        self.counts: Counts = None

    @property
    def loaded(self) -> int:
        """Number of rows in memory."""
        return len(self.columns[0])

    @property
    def last(self) -> tuple[Any, ...]:
        """Greatest row in memory."""
        return tuple(column[-1] for column in self.columns)

    def fill(self, room: int) -> None:
        """Read rows up to `room`, unless at least half as many are in memory."""
        if 2 * self.loaded > room:
            return
        while self.unread and self.loaded < room:
            block = self.run[self.block]
            stop = min(block.rows, self.row + room - self.loaded)
            columns, counts = block.read(self.file, self.row, stop)
            self.counts = _concatenate_counts((self.counts, self.loaded), (counts, len(columns[0])))
            self.columns = [np.concatenate(pair) for pair in zip(self.columns, columns, strict=True)]
            self.unread -= len(columns[0])
            self.block, self.row = (self.block + 1, 0) if stop == block.rows else (self.block, stop)

    def take_up_to(self, cut: tuple[Any, ...] | None) -> CountedRows:
        """Remove and return the rows up to `cut`, or all."""
        n = self.loaded if cut is None else _count_up_to(self.columns, cut)
        columns, counts = [column[:n] for column in self.columns], None if self.counts is None else self.counts[:n]
        self.columns = [column[n:] for column in self.columns]
        self.counts = None if self.counts is None else self.counts[n:]
        return columns, counts


def _count_up_to(columns: Sequence[Column], row: tuple[Any, ...]) -> int:
    """Number of sorted rows that are at most `row`."""
    low, high = 0, len(columns[0])
    for column, value in zip(columns, row, strict=True):
        tied = column[low:high]
        low, high = low + int(np.searchsorted(tied, value)), low + int(np.searchsorted(tied, value, side="right"))
    return high


def _distinct_of_parts(parts: Sequence[CountedRows]) -> CountedRows:
    """Merge sorted parts into distinct rows with their counts."""
    counts = _concatenate_counts(*((counts, len(columns[0])) for columns, counts in parts))
    return distinct([np.concatenate(column) for column in zip(*(columns for columns, _ in parts), strict=True)], counts)
