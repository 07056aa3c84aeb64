"""Statistics that are computed in passes over parts of the samples: in memory, in a file, or on Spark.

A pass adds up `Work` over all parts of the samples, in any order, and the totals of several workers merge.
All sums are exact, so that no order and no partition changes a bit. `Passes` names the passes of a statistic, each of
which may use the totals of those before, and is told how to read the samples: in memory they are one part (`one_part`),
in a file blocks, on Spark partitions. In memory a pass is made when its totals are asked for. Elsewhere `read_together`
makes the passes of several statistics at once; then no samples are needed any more.
"""

import copyreg
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeAlias

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.statistic.influence import Influence
from certus.statistic.moments import Moments

Columns: TypeAlias = tuple[Floats, Floats]
"""Truth and predictions of some samples."""
Numbers: TypeAlias = tuple[float, float, float, float, float]
"""What terms of two columns need to know, see `kernels.ExactSums.add_terms`."""
ZEROS: Numbers = (0.0, 0.0, 0.0, 0.0, 0.0)
BLOCK = 1 << 14
"""Samples of which a function is evaluated at once, so that what it computes stays in the cache."""
copyreg.pickle(kernels.ExactSums, lambda sums: (kernels.ExactSums.of_parts, (sums.parts(),)))


class Totals:
    """The number of samples, exact sums over them, and the least and the greatest number in each sum."""

    def __init__(self, size: int) -> None:
        self.n, self.sums = 0, kernels.ExactSums(size)
        self.least, self.greatest = [math.inf] * size, [-math.inf] * size

    def widen(self, ends: Iterable[tuple[float, float]]) -> None:
        """Take in the least and the greatest number of more samples."""
        for index, (least, greatest) in enumerate(ends):
            self.least[index] = min(self.least[index], least)
            self.greatest[index] = max(self.greatest[index], greatest)

    def merge(self, other: "Totals") -> None:
        """Add the totals of other samples."""
        self.n += other.n
        self.sums.merge(other.sums)
        self.widen(zip(other.least, other.greatest, strict=True))

    def about(self, means: Sequence[float]) -> list[float]:
        """The sums of the distances from some means, each rounded once."""
        sums = kernels.ExactSums(len(self.sums))
        sums.merge(self.sums)
        for index, mean in enumerate(means):
            sums.add_products(index, np.array([-float(self.n)]), np.array([mean]))
        return sums.rounded()


class Work(ABC):
    """Something that is added up over samples; equal works have equal totals."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of sums."""

    @abstractmethod
    def add(self, totals: Totals, columns: Columns) -> None:
        """Add some samples."""


Read: TypeAlias = Callable[[Sequence[Work]], list[Totals]]
"""Adds up works over all samples."""


@dataclass(frozen=True)
class Terms(Work):
    """Sums of terms of two columns, see `kernels.ExactSums.add_terms`."""

    names: tuple[str, ...]
    numbers: Numbers = ZEROS

    @property
    def size(self) -> int:
        """The number of terms."""
        return len(self.names)

    def add(self, totals: Totals, columns: Columns) -> None:
        """Add some samples."""
        totals.n += len(columns[0])
        totals.widen(totals.sums.add_terms(*columns, list(self.names), self.numbers))


@dataclass(frozen=True)
class Quantity:
    """A number for each sample: a term in two columns, or a function of them."""

    name: str = "true"
    numbers: Numbers = ZEROS
    function: Callable[..., Floats] | None = None

    def columns(self, columns: Columns) -> Iterator[Columns]:
        """The columns that it is a term of, part by part."""
        if self.function is None:
            yield columns
            return
        for part in blocks_of(columns):
            with np.errstate(all="ignore"):  # a sample without which there is no value
                values = np.ascontiguousarray(self.function(*part))
            yield values, values


@dataclass(frozen=True)
class Sum(Work):
    """The sum of a quantity."""

    quantity: Quantity

    size = 1

    def add(self, totals: Totals, columns: Columns) -> None:
        """Add some samples."""
        terms = Terms((self.quantity.name,), self.quantity.numbers)
        for part in self.quantity.columns(columns):
            terms.add(totals, part)


@dataclass(frozen=True)
class Powers(Work):
    """Central power sums of a quantity, second to fourth."""

    quantity: Quantity
    mean: float
    farthest: float

    @classmethod
    def about_mean(cls, quantity: Quantity, total: Totals) -> "Powers":
        """The power sums about the mean of a quantity whose sum is known."""
        mean = total.sums.rounded()[0] / total.n
        return cls(quantity, mean, max(total.greatest[0] - mean, mean - total.least[0]))

    size = 3

    def add(self, totals: Totals, columns: Columns) -> None:
        """Add some samples."""
        for part in self.quantity.columns(columns):
            totals.sums.add_powers_about(*part, self.quantity.name, self.quantity.numbers, self.mean, self.farthest)

    def moments(self, total: Totals, powers: Totals) -> Moments:
        """The moments of the quantity, from its sum and the sums of powers."""
        n, (second, third, fourth) = total.n, powers.sums.rounded()
        rest = total.about([self.mean])[0] / n  # what rounding left of the mean
        square = rest * rest  # a power would raise an error where it is beyond floats
        return Moments(
            self.mean + rest,
            max(second - n * square, 0.0),
            third - 3 * rest * second + 2 * n * square * rest,
            fourth - 4 * rest * third + 6 * square * second,
            total.least[0],
            total.greatest[0],
        )


def blocks_of(columns: Columns) -> Iterator[Columns]:
    """The columns, some samples at a time."""
    true, predicted = columns
    for start in range(0, len(true), BLOCK):
        yield true[start : start + BLOCK], predicted[start : start + BLOCK]


def add_up(works: Sequence[Work], parts: Iterable[Columns]) -> list[Totals]:
    """The totals of works over parts of the samples."""
    totals = [Totals(work.size) for work in works]
    for columns in parts:
        for work, total in zip(works, totals, strict=True):
            work.add(total, columns)
    return totals


def merged(parts: Iterable[list[Totals]]) -> list[Totals]:
    """The totals over all samples, from those of several workers."""
    first, *others = parts
    for other in others:
        for total, more in zip(first, other, strict=True):
            total.merge(more)
    return first


def one_part(true: Floats, predicted: Floats) -> Read:
    """Reads columns in memory."""
    return partial(_of_columns, (np.ascontiguousarray(true), np.ascontiguousarray(predicted)))


def _of_columns(columns: Columns, works: Sequence[Work]) -> list[Totals]:
    return add_up(works, [columns])


class Passes(ABC):
    """A statistic that is computed in passes.

    Parameters
    ----------
    read
        Reads the samples; None where `read_together` does it.
    """

    ROUNDS: ClassVar[tuple[tuple[str, ...], ...]]
    """The names of the works of each pass, one pass after the other."""

    def __init__(self, read: Read | None = None) -> None:
        self.read = read
        self._totals: dict[str, Totals] = {}

    @abstractmethod
    def work(self, name: str) -> Work | None:
        """A work by its name; None where it is not needed. It may use the totals of earlier passes."""

    @abstractmethod
    def statistic(self, index: object) -> Influence:
        """The form of the statistic, once all passes are made; errors name the place."""

    def totals(self, name: str) -> Totals:
        """The totals of a work."""
        if name not in self._totals:
            work = self.work(name)
            if work is None or self.read is None:
                raise KeyError(name)
            (self._totals[name],) = self.read([work])
        return self._totals[name]


def read_together(statistics: Sequence[Passes], read: Read) -> None:
    """Make the passes that several statistics share, each in one reading."""
    for names in statistics[0].ROUNDS if statistics else ():
        wanted = [(each, name, each.work(name)) for each in statistics for name in names]
        works = list(dict.fromkeys(work for _, _, work in wanted if work is not None))
        found = dict(zip(works, read(works), strict=True)) if works else {}
        for each, name, work in wanted:
            if work is not None:
                each._totals[name] = found[work]
