"""Rows of samples with their multiplicities, in an order that does not depend on how they came."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data._codes import Coded, sorted_labels
from certus.errors import DataError, called

__all__ = ["Codes", "Rows"]

Column = NDArray[Any]
ENOUGH = 1 << 16
"""Rows that are kept as they come before equal ones are counted together."""


class Codes:
    """The labels of one column over all batches, numbered as they come."""

    def __init__(self) -> None:
        self.places: dict[Hashable, int] = {}
        self.kind: str | None = None
        self.boolean: bool | None = None

    def check(self, column: Coded, name: str) -> None:
        """Refuse labels of another kind than those of earlier batches.

        Raises
        ------
        DataError
            They are of another kind.
        """
        if column.kind is not None and self.kind is not None and column.kind != self.kind:
            raise DataError(
                f"{called(name)} holds {column.kind}, but earlier batches {self.kind}; give labels of one kind"
            )

    def of(self, column: Coded) -> NDArray[np.int64]:
        """The number of each label of a batch."""
        self.kind = self.kind or column.kind
        if len(column.values):
            self.boolean = column.boolean if self.boolean is None else self.boolean and column.boolean
        labels = column.labels
        places = np.array([self.places.setdefault(label, len(self.places)) for label in labels], dtype=np.int64)
        return np.asarray(places[column.codes]) if len(labels) else np.zeros(len(column.values), dtype=np.int64)

    def labels(self) -> tuple[list[Hashable], NDArray[np.int64]]:
        """The labels in their order, and the place of each number among them."""
        ordered, _ = sorted_labels(tuple(self.places))
        if not _:
            ordered = tuple(sorted(self.places, key=repr))
        at = np.empty(len(ordered), dtype=np.int64)
        for place, label in enumerate(ordered):
            at[self.places[label]] = place
        return list(ordered), at

    def joined(self, other: "Codes", name: str) -> NDArray[np.int64]:
        """Take in the labels of another column; the number that each of its numbers becomes."""
        if other.kind is not None and self.kind is not None and other.kind != self.kind:
            raise DataError(
                f"{called(name)} holds {other.kind} in one state and {self.kind} in the other; they do not merge"
            )
        self.kind = self.kind or other.kind
        if other.boolean is not None:
            self.boolean = other.boolean if self.boolean is None else self.boolean and other.boolean
        return np.array([self.places.setdefault(label, len(self.places)) for label in other.places], dtype=np.int64)


class Rows:
    """Rows of numbers, each with how often it came.

    A column is of whole numbers that stand for labels, or of floats. Rows are kept as they come; from time to time
    equal ones are counted together.
    """

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.counted: tuple[list[Column], NDArray[np.int64]] | None = None
        self.waiting: list[tuple[list[Column], NDArray[np.int64] | None]] = []
        self.pending = 0

    def __len__(self) -> int:
        held = 0 if self.counted is None else int(self.counted[1].sum())
        return held + sum(len(rows[0]) if counts is None else int(counts.sum()) for rows, counts in self.waiting)

    def add(self, columns: Sequence[Column], counts: NDArray[np.int64] | None = None) -> None:
        """Add rows, the columns of which become the state's own."""
        self.waiting.append((list(columns), counts))
        self.pending += len(columns[0])
        held = 0 if self.counted is None else len(self.counted[1])
        if self.pending > max(ENOUGH, held):
            self.settle()

    def settle(self) -> tuple[list[Column], NDArray[np.int64]]:
        """The distinct rows in increasing order, and how often each came."""
        parts = self.waiting if self.counted is None else [self.counted, *self.waiting]
        if self.waiting or self.counted is None:
            columns = [_joined([rows[i] for rows, _ in parts]) for i in range(self.columns)]
            given = [np.ones(len(rows[0]), dtype=np.int64) if counts is None else counts for rows, counts in parts]
            counts = np.concatenate([np.zeros(0, dtype=np.int64), *given])
            self.waiting, self.pending = [], 0
            self.counted = _distinct(columns, counts)
        assert self.counted is not None
        return self.counted

    def expanded(self) -> list[Column]:
        """The columns of all rows in increasing order, each as often as it came."""
        columns, counts = self.settle()
        return columns if (counts == 1).all() else [np.repeat(column, counts) for column in columns]


def _joined(parts: Sequence[Column]) -> Column:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _distinct(columns: list[Column], counts: NDArray[np.int64]) -> tuple[list[Column], NDArray[np.int64]]:
    if not len(counts):
        return columns, counts
    # Labels vary least: few distinct pairs of them, within which numbers are sorted.
    order = np.lexsort([*columns[::-1]])
    columns = [np.ascontiguousarray(column[order]) for column in columns]
    changes = np.zeros(len(counts), dtype=np.bool_)
    changes[0] = True
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(changes)
    return [column[starts] for column in columns], np.add.reduceat(counts[order], starts)
