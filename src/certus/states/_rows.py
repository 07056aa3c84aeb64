"""Rows of samples with their multiplicities, in an order that does not depend on how they came."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.data.codes import Coded, sorted_labels
from certus.errors import DataError

Column = NDArray[Any]
Counts = NDArray[np.integer[Any]] | None
"""How often each row came; None: once."""
ENOUGH = 1 << 16
"""Rows that are kept as they come before equal ones are counted together."""
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

    def add(self, columns: Sequence[Column]) -> None:
        """Add rows, the columns of which become the state's own."""
        self.waiting.append(list(columns))
        self.pending += len(columns[0])
        if self.pending > max(ENOUGH, len(self.counted[0][0])):
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

    def take(self, columns: list[Column], counts: Counts) -> None:
        """Count rows, each of which came as often as `counts` say, with those counted so far; the list is emptied."""
        held, before = self.counted
        if counts is None and before is not None:
            columns, counts = distinct(columns, None)
        if len(held[0]):
            counts = joined(before, len(held[0]), counts, len(columns[0]))
            for place, column in enumerate(held):
                columns[place] = np.concatenate([column, columns[place]])
        self.counted = distinct(columns, counts)


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
