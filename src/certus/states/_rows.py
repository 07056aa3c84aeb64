"""Rows of samples with their multiplicities in memory or in a file, in an order that is not that of the batches."""

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
ENOUGH = 1 << 16
"""Rows that are kept as they come before equal ones are counted together."""
WAITING = 8
"""How many times the rows that are counted may wait, where most rows differ from each other."""
FEW = 256
"""Cells of labels, of which each is sorted by itself."""
_NONE = np.zeros(0, dtype=np.int8)
_WHOLE = tuple(
    (kind, int(np.iinfo(kind).min), int(np.iinfo(kind).max)) for kind in (np.int8, np.int16, np.int32, np.int64)
)


class Labels:
    """The labels of one column over all batches. Whole numbers stand for themselves; others are numbered."""

    def __init__(self) -> None:
        self.places: dict[Hashable, int] = {}
        self.kind: str | None = None
        self.boolean: bool | None = None

    def check(self, column: Coded, name: str) -> None:
        """Refuse labels that do not go with those of earlier batches, or that a state cannot hold."""
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
        if column.kind == "numbers" and column.names is not None and not _fits(column.names):
            raise DataError("holds whole numbers of more than 64 bits", "give them as text", argument=name)

    def numbers(self, column: Coded) -> Column:
        """The number of each label of a batch that was checked."""
        if not len(column.values):
            return _NONE
        self.kind = column.kind
        self.boolean = column.boolean if self.boolean is None else self.boolean and column.boolean
        if column.kind == "numbers":
            return column.values if column.names is None else np.array(column.names, dtype=np.int64)[column.values]
        labels = column.labels
        places = np.array([self.places.setdefault(label, len(self.places)) for label in labels], dtype=np.int64)
        return np.asarray(places[column.codes])

    def ordered(self, column: Column) -> Column:
        """The numbers of labels as the places of these in their order; whole numbers as they are."""
        return column if self.kind == "numbers" or not self.places else self.order()[1][column]

    def of(self, column: Column) -> Column:
        """The labels themselves, from what `ordered` returned."""
        if self.boolean:
            return column.astype(np.bool_)
        if self.kind == "numbers" or not self.places:
            return column
        labels = np.empty(len(self.places), dtype=object)
        labels[:] = self.order()[0]
        return np.asarray(labels[column])

    def order(self) -> tuple[tuple[Hashable, ...], Column]:
        """The labels that are not numbers in their order, and the place there of each number."""
        labels = self.listed()
        at = np.empty(len(labels), dtype=np.int64)
        for place, label in enumerate(labels):
            at[self.places[label]] = place
        return labels, at

    def listed(self) -> tuple[Hashable, ...]:
        """The labels that are not numbers, in their order."""
        labels, in_order = sorted_labels(tuple(self.places))
        return labels if in_order else tuple(sorted(labels, key=repr))

    def check_joined(self, other: "Labels", name: str) -> None:
        """Refuse the labels of another state that are of another kind."""
        if other.kind is not None and self.kind is not None and other.kind != self.kind:
            raise DataError(
                f"holds {other.kind} in one state and {self.kind} in the other", "they do not merge", argument=name
            )

    def joined(self, other: "Labels", column: Column) -> Column:
        """Take in the labels of another state; its column with the numbers that they have here."""
        if other.kind is None:
            return column
        self.kind = other.kind
        self.boolean = other.boolean if self.boolean is None else self.boolean and other.boolean
        if other.kind == "numbers":
            return column
        places = [self.places.setdefault(label, len(self.places)) for label in other.places]
        return np.asarray(np.array(places, dtype=np.int64)[column])


class Rows:
    """Rows of numbers, each with how often it came.

    Columns of whole numbers, which stand for labels, come before those of floats. Rows are kept as they come; from time
    to time equal ones are counted together, in columns as narrow as their numbers allow.
    """

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.counted: tuple[list[Column], Counts] = ([_NONE] * columns, None)
        self.waiting: list[list[Column]] = []
        self.pending = 0
        self.repeated = True
        """Most of the rows that were counted last were equal to others."""

    @property
    def most_waiting(self) -> int:
        """Rows that wait before they are counted; where few are equal, counting them often is of no use."""
        held = len(self.counted[0][0])
        return max(ENOUGH, held if self.repeated else WAITING * held)

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, the columns of which become the state's own."""
        self.waiting.append(list(columns))
        self.pending += len(columns[0])
        if self.pending > self.most_waiting:
            self.settle()

    def make_room(self) -> None:
        """Nothing: memory is what there is."""

    def settle(self) -> tuple[list[Column], Counts]:
        """The distinct rows in increasing order, and how often each came."""
        if self.waiting:
            columns = [np.concatenate(parts) for parts in zip(*self.waiting, strict=True)]
            self.waiting, self.pending = [], 0
            self.take(columns, None)
        return self.counted

    def unsorted(self) -> list[Column]:
        """All rows in memory, in any order."""
        columns, counts = self.counted
        parts = [[in_full(column, counts) for column in columns], *self.waiting]
        return [np.concatenate(each) for each in zip(*parts, strict=True)]

    def take(self, columns: list[Column], counts: Counts) -> None:
        """Count rows, each of which came as often as `counts` say, with those counted so far; the list is emptied."""
        held, before = self.counted
        if counts is None and before is not None:
            columns, counts = distinct(columns, None)
        if len(held[0]):
            counts = joined(before, len(held[0]), counts, len(columns[0]))
            for place, column in enumerate(held):
                columns[place] = np.concatenate([column, columns[place]])
        came = len(columns[0])
        self.counted = distinct(columns, counts)
        self.repeated = 2 * len(self.counted[0][0]) < came


def in_order(rows: Rows, labels: Sequence[Labels | None]) -> tuple[list[Column], Counts]:
    """The distinct rows, labels by their places in the order of labels, and how often each came."""
    columns, counts = rows.settle()
    ordered = [column if each is None else each.ordered(column) for each, column in zip(labels, columns, strict=True)]
    if all(new is old for new, old in zip(ordered, columns, strict=True)):
        return columns, counts
    return distinct(ordered, counts)


def in_full(column: Column, counts: Counts) -> Column:
    """Each value as often as it came, in parts: numpy would make a wide copy of all counts."""
    if counts is None:
        return column
    found = np.empty(int(counts.sum(dtype=np.int64)), dtype=column.dtype)
    at = 0
    for start in range(0, len(column), ENOUGH):
        part = np.repeat(column[start : start + ENOUGH], counts[start : start + ENOUGH])
        found[at : at + len(part)] = part
        at += len(part)
    return found


def in_pieces(columns: Sequence[Column], counts: Counts) -> Iterator[list[Column]]:
    """The columns, each row as often as it came, up to `ENOUGH` samples at a time."""
    ends = None if counts is None else np.cumsum(counts, dtype=np.int64)
    n = len(columns[0]) if ends is None else int(ends[-1])
    for start in range(0, n, ENOUGH):
        stop = min(start + ENOUGH, n)
        some: Any = slice(start, stop) if ends is None else np.searchsorted(ends, np.arange(start, stop), side="right")
        yield [column[some] for column in columns]


def narrowed(column: Column) -> Column:
    """Whole numbers in as few bytes as they need."""
    if column.dtype.kind == "f":
        return column
    least, greatest = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    kind = next(kind for kind, low, high in _WHOLE if low <= least and greatest <= high)
    return column.astype(kind, copy=False)


def owned(column: Column) -> Column:
    """Whole numbers of somebody else in an array of one's own, in as few bytes as they need."""
    found = narrowed(column)
    return found.copy() if found is column else found


def _fits(labels: Sequence[Any]) -> bool:
    return all(-(2**63) <= int(label) < 2**63 for label in labels)


def joined(one: Counts, n: int, other: Counts, m: int) -> Counts:
    """The counts of n and m rows one after the other."""
    if one is None and other is None:
        return None
    both = [np.ones(n, dtype=np.int8) if one is None else one, np.ones(m, dtype=np.int8) if other is None else other]
    return np.concatenate(both)


def distinct(columns: list[Column], counts: Counts) -> tuple[list[Column], Counts]:
    """The distinct rows in increasing order, and how often each came; the list is emptied, so that columns can go."""
    columns[:] = map(narrowed, columns)
    n = len(columns[0])
    if not n:
        return columns, None
    numbers = sum(column.dtype.kind == "f" for column in columns)
    cells = _cells(columns[: len(columns) - numbers])
    if cells is not None and not numbers:
        return _counted(cells, counts)
    ordered, counts = (
        _by_order(columns, counts) if cells is None or numbers > 1 else _by_cell(columns, cells.places, counts)
    )
    del columns[:], cells
    again = np.ones(n, dtype=np.bool_)
    again[0] = False
    for column in ordered:
        again[1:] &= column[1:] == column[:-1]
    places = np.flatnonzero(again)
    if not len(places):
        return ordered, None if counts is None or bool((counts == 1).all()) else narrowed(counts)
    kept = ~again
    del again
    many = np.ones(n - len(places), dtype=np.int8) if counts is None else counts[kept]
    added = np.ones(len(places), dtype=np.int8) if counts is None else counts[places]
    places -= np.arange(1, len(places) + 1)
    # Where the row lies among the distinct ones whose equals these are, and how many these are.
    runs = np.flatnonzero(np.diff(places, prepend=-1))
    totals = np.add.reduceat(added, runs, dtype=np.int64)
    places = places[runs]
    totals += many[places]
    many = many.astype(np.promote_types(narrowed(totals).dtype, many.dtype), copy=False)
    many[places] = totals
    for place, column in enumerate(ordered):
        ordered[place] = column[kept]
    return ordered, narrowed(many)


def _counted(cells: "_Cells", counts: Counts) -> tuple[list[Column], Counts]:
    """The cells of labels that are not empty, and how many rows each has."""
    found = np.zeros(FEW, dtype=np.int64)
    if counts is None:
        found += np.bincount(cells.places, minlength=FEW)
    else:
        np.add.at(found, cells.places, counts)
    there = np.flatnonzero(found)
    many = found[there]
    labels = []
    for least, span in reversed(cells.spans):
        there, place = np.divmod(there, span)
        labels.append(narrowed(place + least))
    return labels[::-1], None if bool((many == 1).all()) else narrowed(many)


def _by_order(columns: list[Column], counts: Counts) -> tuple[list[Column], Counts]:
    """The rows in increasing order, each as often as it is there."""
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns], None if counts is None else counts[order]


def _by_cell(columns: list[Column], cells: NDArray[np.uint8], counts: Counts) -> tuple[list[Column], Counts]:
    """The same of one column of numbers, sorted for each cell of labels by itself: faster, and in little memory."""
    *labels, numbers = columns
    sizes = np.bincount(cells)
    there = np.flatnonzero(sizes)
    ordered = np.empty_like(numbers)
    many = None if counts is None else np.ones_like(counts)
    first = []
    at = 0
    for cell in there.tolist():
        here = cells == cell
        first.append(int(here.argmax()))
        part = slice(at, at + int(sizes[cell]))
        np.compress(here, numbers, out=ordered[part])
        ordered[part].sort()
        if many is not None and counts is not None:
            # Most rows came once; each of the others gets the place of one of its equals.
            here &= counts != 1
            values, often = numbers[here], counts[here]
            order = np.argsort(values)
            values = values[order]
            equals = np.arange(len(values)) - np.searchsorted(values, values)
            many[part][np.searchsorted(ordered[part], values) + equals] = often[order]
        at = part.stop
    return [*(np.repeat(column[first], sizes[there]) for column in labels), ordered], many


class _Cells(NamedTuple):
    """For each row the number of its cell of labels; the least label of each column, and how many there could be."""

    places: NDArray[np.uint8]
    spans: list[tuple[int, int]]


def _cells(labels: list[Column]) -> _Cells | None:
    """The cells of labels, in their order; None where there are none or many."""
    cells: NDArray[np.uint8] | None = None
    size = 1
    spans = []
    for column in labels:
        least = int(column.min())
        span = int(column.max()) - least + 1
        size *= span
        spans.append((least, span))
        if size > FEW:
            return None
        # Of differences below 256 the last byte is all.
        places = column.astype(np.uint8) - np.uint8(least % FEW)
        cells = places if cells is None else cells * np.uint8(span % FEW) + places
    return None if cells is None else _Cells(cells, spans)


Cell = tuple[int, ...]
"""The labels of a row, as numbers."""
SORTING = 4
"""Copies of rows that are in memory while they are sorted, or read in order."""
LEAST = 16
"""Rows that are kept at least, however little the memory."""


class Block(NamedTuple):
    """Sorted rows of one cell in the file, no two of them equal: column by column, then how often each came.

    Attributes
    ----------
    at
        The first byte.
    rows, samples
        How many there are; a row is one sample or several.
    kinds, counts
        The types of the columns and of the counts; counts of None are all 1 and not stored.
    """

    at: int
    rows: int
    samples: int
    kinds: tuple[np.dtype[Any], ...]
    counts: np.dtype[Any] | None

    def part(self, file: File, start: int, stop: int) -> tuple[list[Column], Counts]:
        """Some of the rows."""
        at, columns = self.at, []
        for kind in self.kinds:
            columns.append(file.read(at + start * kind.itemsize, stop - start, kind))
            at += self.rows * kind.itemsize
        if self.counts is None:
            return columns, None
        return columns, file.read(at + start * self.counts.itemsize, stop - start, self.counts)

    @property
    def size(self) -> int:
        """The bytes of all rows."""
        return self.rows * sum(kind.itemsize for kind in (*self.kinds, *([] if self.counts is None else [self.counts])))


Run = list[Block]
"""Sorted rows of one cell, the blocks one after the other."""


class Spilled(Rows):
    """Rows that are written to a file, sorted, where they would take more than `memory` bytes.

    Parameters
    ----------
    columns, keys
        How many columns there are, and how many of the first of them are labels that tell cells apart.
    memory
        Bytes that rows may take while they are sorted.
    refusal
        What needs all rows in memory, so that more of them are an error; empty where nothing does.

    Attributes
    ----------
    cells
        The runs in the file of each cell of labels.
    """

    def __init__(self, columns: int, memory: int, refusal: str = "", keys: int | None = None) -> None:
        super().__init__(columns)
        self.memory, self.refusal = memory, refusal
        self.keys = columns - 1 if keys is None else keys
        self.cells: dict[Cell, list[Run]] = {}
        self._file: File | None = None

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, for which `make_room` has made room."""
        self.waiting.append(list(columns))
        self.pending += len(columns[0])

    def make_room(self) -> None:
        """Count or write what is there, where more would be too much; on an error nothing is lost."""
        held = len(self.counted[0][0])
        most = self.most(self.waiting[0] if self.waiting else self.counted[0])
        if self.pending + held <= most:
            if not self.cells and self.pending > self.most_waiting:
                self.settle()  # few distinct rows may stay few
            return
        self.settle()
        if len(self.counted[0][0]) > most // 2:
            self._write()

    def most(self, columns: Sequence[Column]) -> int:
        """Rows that may be in memory."""
        return max(self.memory // (SORTING * (1 + sum(column.itemsize for column in columns))), LEAST)

    def _write(self) -> None:
        """Write the rows that are counted to the file."""
        if self.refusal:
            raise DataError(
                f"the rows do not fit into {in_words(self.memory)} of memory, and {self.refusal} needs all of them at "
                "once",
                f"give more with {keyword('memory')}, or leave it out",
                argument="memory",
                subject="",
            )
        columns, counts = self.counted
        labels, rest, n = columns[: self.keys], columns[self.keys :], len(columns[-1])
        if not n:
            return
        if self._file is None:
            self._file = File()
        starts = np.flatnonzero(_changes(labels, n))
        written = [
            (
                tuple(int(column[start]) for column in labels),
                self._block(self._file, [column[part] for column in rest], _some(counts, part)),
            )
            for start, stop in zip(starts, [*starts[1:], n], strict=True)
            for part in [slice(start, stop)]
        ]
        for cell, block in written:
            self.cells.setdefault(cell, []).append([block])
        self.counted = ([column[:0] for column in self.counted[0]], None)

    @staticmethod
    def _block(file: File, columns: Sequence[Column], counts: Counts) -> Block:
        """Write sorted rows of one cell."""
        often = None if counts is None or bool((counts == 1).all()) else narrowed(counts)
        at = file.append(columns if often is None else [*columns, often])
        n = len(columns[0])
        samples = n if often is None else int(often.sum(dtype=np.int64))
        kinds = tuple(column.dtype for column in columns)
        return Block(at, n, samples, kinds, None if often is None else often.dtype)

    def spill(self, *, always: bool = False) -> bool:
        """Write what is left in memory, if anything is in the file already, or `always`; whether anything is there."""
        if self.cells or always:
            self.settle()
            self._write()
        return bool(self.cells)

    def samples(self) -> dict[Cell, int]:
        """The samples of each cell that are in the file."""
        return {cell: sum(block.samples for run in runs for block in run) for cell, runs in self.cells.items()}

    def merged(self, keys: Mapping[Cell, int]) -> Iterator[tuple[Column, list[Column], Counts]]:
        """The distinct rows in the file of those cells that have a key, each with its key, and how often it came.

        Every part has the least keys first, and in a key rows in increasing order; the rows of each part are greater
        than those of the parts before.
        """
        if self._file is None:
            return
        readers = [_Reader(self._file, run, key) for cell, key in keys.items() for run in self.cells[cell]]
        room = max(self.memory // (SORTING * (8 + 8 * (self.columns - self.keys)) * max(len(readers), 1)), LEAST)
        while readers:
            for reader in readers:
                reader.fill(room)
            cut = min((reader.last for reader in readers if reader.left), default=None)
            taken = [part for reader in readers if len((part := reader.upto(cut))[1][0])]
            readers = [reader for reader in readers if reader.left or reader.held]
            key = np.concatenate([np.full(len(columns[0]), key, dtype=np.int8) for key, columns, _ in taken])
            rows = [np.concatenate(parts) for parts in zip(*(columns for _, columns, _ in taken), strict=True)]
            often = None
            if any(counts is not None for _, _, counts in taken):
                often = np.concatenate([np.ones(len(own[0]), np.int8) if c is None else c for _, own, c in taken])
            (key, *rows), often = distinct([key, *rows], often)
            yield key, rows, often

    def marks(self, positive: Mapping[Cell, bool]) -> NDArray[np.uint8]:
        """The samples by decreasing score, as `certus.data.scores.Ordered` has them; of each cell whether it is."""
        at = sum(self.samples().values())
        marks = np.empty(at, dtype=np.uint8) if 2 * at <= self.memory else File().mapped(at)
        for key, (scores,), counts in self.merged({cell: int(positive[cell]) for cell in self.cells}):
            many = np.ones(len(key), dtype=np.int64) if counts is None else counts.astype(np.int64)
            start, split = at - int(many.sum()), int(np.searchsorted(key, 1))
            kernels.score_marks_into(marks[start:at], (scores[split:], many[split:]), (scores[:split], many[:split]))
            at = start
        return marks

    def parts_of(self, cell: Cell) -> Iterator[tuple[list[Column], Counts]]:
        """The rows of a cell that are in the file, part by part, and how often each came."""
        return self._parts(block for run in self.cells[cell] for block in run)

    def of_cell(self, cell: Cell) -> tuple[list[Column], Counts]:
        """The distinct rows of a cell that are in the file, in increasing order, and how often each came."""
        return _together(list(self.parts_of(cell)))

    def whole(self) -> tuple[list[Column], Counts]:
        """The distinct rows, also those in the file, in increasing order, and how often each came."""
        parts = [self.settle()]
        for cell in self.cells:
            for columns, counts in self.parts_of(cell):
                parts.append(([*(np.full(len(columns[0]), label) for label in cell), *columns], counts))
        return _together(parts) if self.cells else parts[0]

    def changed(
        self, change: Callable[[list[Column]], list[Column]], other: "Spilled | None" = None
    ) -> list[tuple[Cell, Run]]:
        """The blocks of these or of other rows, their columns changed and sorted again, written to this file."""
        found = []
        source = self if other is None else other
        if source.spill() and source._file is not None:
            if self._file is None:
                self._file = File()
            for cell, runs in source.cells.items():
                for block in (block for run in runs for block in run):
                    columns, counts = block.part(source._file, 0, block.rows)
                    found.append((cell, [self._block(self._file, *distinct(change(columns), counts))]))
        return found

    def copied(self, other: "Spilled") -> list[tuple[Cell, Run]]:
        """The runs of other rows, written to this file; they count once `cells` has them."""
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
        byte, end = np.dtype(np.uint8), block.at + block.size
        ats = range(block.at, end, CHUNK)
        return block._replace(at=file.append(other.read(at, min(CHUNK, end - at), byte) for at in ats))

    def compact(self) -> dict[Cell, Run]:
        """The rows in the file, merged to one run for each cell, which then takes the place of the others."""
        if any(len(runs) > 1 for runs in self.cells.values()):
            file = File()
            self.cells = {
                cell: [[self._block(file, columns, counts) for _, columns, counts in self.merged({cell: 0})]]
                for cell in self.cells
            }
            self._file = file
        return {cell: run for cell, (run,) in self.cells.items()}

    def column(self, place: int, blocks: Iterable[Block]) -> Iterator[Column]:
        """A column of blocks."""
        return (columns[place] for columns, _ in self._parts(blocks))

    def counts(self, blocks: Iterable[Block]) -> Iterator[Column]:
        """The counts of their rows, block by block."""
        return (np.ones(len(rows[0]), np.int8) if counts is None else counts for rows, counts in self._parts(blocks))

    def _parts(self, blocks: Iterable[Block]) -> Iterator[tuple[list[Column], Counts]]:
        if self._file is not None:
            for block in blocks:
                for start in range(0, block.rows, ENOUGH):
                    yield block.part(self._file, start, min(start + ENOUGH, block.rows))


def beside(memory: int) -> int:
    """The part of the memory for rows that are sorted anew while others are read in order."""
    return max(memory // 2, 1)


class _Reader:
    """A run, of which the next rows are in memory."""

    def __init__(self, file: File, run: Run, key: int) -> None:
        self.file, self.run, self.key = file, run, key
        self.block = self.row = 0
        self.left = sum(block.rows for block in run)
        """Rows that are not in memory yet."""
        self.columns: list[Column] = [np.zeros(0, dtype=kind) for kind in run[0].kinds]
        self.counts: Counts = None

    @property
    def held(self) -> int:
        """Rows that are in memory."""
        return len(self.columns[0])

    @property
    def last(self) -> tuple[Any, ...]:
        """The greatest row that is in memory."""
        return tuple(column[-1] for column in self.columns)

    def fill(self, room: int) -> None:
        """Read until there are as many rows as there is room for, if less than half of them are there."""
        if 2 * self.held > room:
            return
        while self.left and self.held < room:
            block = self.run[self.block]
            stop = min(block.rows, self.row + room - self.held)
            columns, counts = block.part(self.file, self.row, stop)
            self.counts = joined(self.counts, self.held, counts, len(columns[0]))
            self.columns = [np.concatenate(pair) for pair in zip(self.columns, columns, strict=True)]
            self.left -= len(columns[0])
            self.block, self.row = (self.block + 1, 0) if stop == block.rows else (self.block, stop)

    def upto(self, cut: tuple[Any, ...] | None) -> tuple[int, list[Column], Counts]:
        """Take the rows up to a row that may be among them, or all."""
        n = self.held if cut is None else _place(self.columns, cut)
        taken = self.key, [column[:n] for column in self.columns], _some(self.counts, slice(n))
        self.columns, self.counts = [column[n:] for column in self.columns], _some(self.counts, slice(n, None))
        return taken


def _place(columns: Sequence[Column], row: tuple[Any, ...]) -> int:
    """Number of the sorted rows that are at most this one."""
    low, high = 0, len(columns[0])
    for column, value in zip(columns, row, strict=True):
        among = column[low:high]
        low, high = low + int(np.searchsorted(among, value)), low + int(np.searchsorted(among, value, side="right"))
    return high


def _changes(labels: Sequence[Column], n: int) -> NDArray[np.bool_]:
    """The rows that begin another cell."""
    found = np.zeros(n, dtype=np.bool_)
    found[0] = True
    for column in labels:
        found[1:] |= column[1:] != column[:-1]
    return found


def _together(parts: Sequence[tuple[list[Column], Counts]]) -> tuple[list[Column], Counts]:
    """The distinct rows of several parts in increasing order, and how often each came."""
    columns = [np.concatenate(each) for each in zip(*(columns for columns, _ in parts), strict=True)]
    counts = None
    if any(often is not None for _, often in parts):
        counts = np.concatenate([np.ones(len(own[0]), np.int8) if often is None else often for own, often in parts])
    return distinct(columns, counts)


def _some(counts: Counts, part: slice) -> Counts:
    return None if counts is None else counts[part]
