"""Pairs of labels of samples with weights or groups that lie in a file: their table, and what each unit adds to it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import Labels
from certus.data.tables import CellFunction
from certus.errors import DataError, keyword
from certus.states._file import Pairs
from certus.states._rows import Column
from certus.statistic import Contributions
from certus.statistic.contributions import Codes, InParts, Parts, Tables

Coded = tuple[Codes, Codes, int]
"""Numbers of the true and the predicted label of each pair, and the number of classes."""
MOST = 10_000
"""Pairs of labels of which sums of weights are kept."""
EACH = 64
"""Bytes that a pair of labels of a group takes, with what is computed of it."""
LEAST = 1 << 20
"""Bytes that they may take at least, however little the memory."""


class PairsOfLabels:
    """The pairs of labels of samples that come in parts, those of a group together.

    Parameters
    ----------
    weighted, grouped
        Whether samples have weights that are not all 1, and groups.
    memory
        Bytes that what is kept of groups may take.

    Attributes
    ----------
    n
        Samples that count.
    """

    def __init__(self, *, weighted: bool, grouped: bool, memory: int) -> None:
        self.weighted, self.grouped, self.memory = weighted, grouped, memory
        self.n = self._held = 0
        self._cells: dict[tuple[int, int], int] = {}
        self._sums: list[kernels.ExactSums] = []
        """Of each pair its samples, their weights, and the squares of these."""
        self._rows: list[tuple[Codes, Codes, Floats]] = []
        """Group, pair and weight or number of samples that stand together."""
        self._samples = Pairs()
        """Of each sample its pair and its weight, where each is a unit."""

    def add(self, predicted: Column, true: Column, weights: Floats | None, groups: Column | None) -> None:
        """Add samples by the numbers of their labels."""
        self.n += len(true)
        cells = self._numbered(predicted, true)
        each = np.ones(len(cells)) if weights is None else weights
        for cell in np.unique(cells).tolist():
            own = each[cells == cell]
            for place, values in enumerate((np.ones(len(own)), own, own * own)):
                self._sums[cell].add(place, values)
        if groups is None:
            self._samples.add(cells.astype(np.float64), each)
            return
        starts = np.flatnonzero(np.append(True, (groups[1:] != groups[:-1]) | (cells[1:] != cells[:-1])))
        self._rows.append((groups[starts], cells[starts], np.add.reduceat(each, starts)))
        self._held += len(starts)
        if EACH * self._held > max(self.memory, LEAST):
            raise DataError(
                "the pairs of labels of all groups do not fit into memory",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )

    def _numbered(self, predicted: Column, true: Column) -> NDArray[np.int64]:
        """The number of the pair of each sample, new pairs having the next ones."""
        (first, one), (second, other) = (np.unique(column, return_inverse=True) for column in (predicted, true))
        found, inverse = np.unique(one * len(second) + other, return_inverse=True)
        numbers = []
        for pair in found.tolist():
            key = int(first[pair // len(second)]), int(second[pair % len(second)])
            if key not in self._cells:
                self._cells[key] = len(self._sums)
                self._sums.append(kernels.ExactSums(3))
            numbers.append(self._cells[key])
        if len(self._sums) > MOST:
            raise DataError(
                f"there are more than {MOST:,} pairs of labels, whose sums of weights do not fit into memory",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )
        return np.array(numbers, dtype=np.int64)[inverse]

    @property
    def cells(self) -> NDArray[np.int64]:
        """The numbers of predicted and true label of each pair."""
        return np.array(list(self._cells), dtype=np.int64).reshape(-1, 2)

    def labels(self, of_cells: Labels, order: Callable[[Column], Column]) -> Labels:
        """The labels of all samples, from those of each pair once; `order` sorts the numbers of groups."""
        counts, sums, squares = np.array([each.rounded() for each in self._sums]).T
        table, also = (np.zeros(of_cells.counts.shape) for _ in range(2))
        places = of_cells.true, of_cells.predicted
        table[places], also[places] = sums, squares
        groups: NDArray[np.int64] | None = None
        parts: Callable[[CellFunction], Parts] | None = None
        if self.grouped:
            found, cells, amounts = (np.concatenate(each) for each in zip(*self._rows, strict=True))
            groups = np.unique(order(found), return_inverse=True)[1].astype(np.int64)
            single = float(squares.sum() / sums.sum())
            pairs = places[0][cells], places[1][cells], len(of_cells.classes)
            parts = partial(_parts_of_groups, pairs, groups, amounts, self.n, self.weighted, single)
        elif self.weighted:
            parts = partial(_parts_of_samples, (*places, len(of_cells.classes)), self._samples, self.n)
        return replace(
            of_cells,
            _counts=table if self.weighted else table.astype(np.int64),
            _squares=also if self.weighted and not self.grouped else None,
            weights=np.ones(len(sums)) if self.weighted else None,
            groups=groups,
            n=round(float(counts.sum())),
            _columns=None,
            _parts=parts,
        )


def _parts_of_groups(
    pairs: Coded,
    groups: NDArray[np.int64],
    amounts: Floats,
    size: int,
    weighted: bool,
    single: float,
    place: CellFunction,
) -> "_OfGroups":
    return _OfGroups(Contributions(place(*pairs), groups, amounts), size, weighted, single)


def _parts_of_samples(pairs: Coded, samples: Pairs, size: int, place: CellFunction) -> "_OfSamples":
    return _OfSamples(place(*pairs), samples, size)


class _OfGroups(NamedTuple):
    """Contributions of groups, of which samples of one pair of labels are held together; see `Parts`."""

    together: Contributions
    size: int
    weighted: bool
    single: float
    """The sum of the squared weights over that of the weights."""

    @property
    def weights(self) -> Floats | None:
        """Weights of one sample that have the same sum of squares over the sum."""
        return np.array([self.single]) if self.weighted else None

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """See `Parts`."""
        return self.together.by_unit(slopes, n)

    def masses(self, n: int) -> Floats:
        """See `Parts`."""
        return self.together.masses(n)

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """See `Parts`."""
        return self.together.in_parts(slopes, n)

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """See `Parts`."""
        return self.together.tables(amounts, cells)

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """See `Parts`."""
        return self.together.by_group(groups, cells)

    def over(self, clusters: Codes) -> "_OfGroups":
        """See `Parts`."""
        return self._replace(together=self.together.over(clusters))

    def rows(self) -> NoReturn:
        """Nothing: single samples are not in memory."""
        raise _refusal()


@dataclass(frozen=True)
class _OfSamples:
    """Contributions of samples with weights, which are read from a file; see `Parts`."""

    places: Codes
    samples: Pairs
    size: int

    @property
    def weights(self) -> NoReturn:
        """Nothing: they are not in memory."""
        raise _refusal()

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """See `Parts`."""
        del n
        of_pair = slopes[self.places]
        return lambda: ((of_pair[cells.astype(np.int64)] * weights, weights) for cells, weights in self.samples())

    def _of_each(self, *_: object, **__: object) -> NoReturn:
        """Nothing: it takes a number for each sample."""
        raise _refusal()

    by_unit = masses = tables = by_group = over = rows = _of_each


def _refusal() -> DataError:
    return DataError(
        "this interval needs every sample at once, and they do not fit into memory",
        f"take another one, or give more with {keyword('memory')}",
        argument="memory",
        subject="",
    )
