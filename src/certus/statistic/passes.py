"""Statistics computed in several passes over blocks of samples: in memory, in a file, or on Spark.

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
    """Number of samples, exact sums of several quantities, and each sum's least and greatest term."""

    def __init__(self, size: int) -> None:
        self.n, self.sums = 0, kernels.ExactSums(size)
        self.least, self.greatest = [math.inf] * size, [-math.inf] * size

    def widen(self, ends: Iterable[tuple[float, float]]) -> None:
        """Extend the least and greatest terms to those of more samples."""
        for index, (least, greatest) in enumerate(ends):
            self.least[index] = min(self.least[index], least)
            self.greatest[index] = max(self.greatest[index], greatest)

    def merge(self, other: "Totals") -> None:
        """Add the totals of other samples."""
        self.n += other.n
        self.sums.merge(other.sums)
        self.widen(zip(other.least, other.greatest, strict=True))

    def about(self, means: Sequence[float]) -> list[float]:
        """Sums of the deviations from the given means, each rounded once."""
        sums = kernels.ExactSums(len(self.sums))
        sums.merge(self.sums)
        for index, mean in enumerate(means):
            sums.add_products(index, np.array([-float(self.n)]), np.array([mean]))
        return sums.rounded()


class Work(ABC):
    """A sum to be computed in a pass over samples; equal works have equal totals."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of sums."""

    @abstractmethod
    def add(self, totals: Totals, columns: Columns) -> None:
        """Add a block of samples to the totals."""


Read: TypeAlias = Callable[[Sequence[Work]], list[Totals]]
"""Adds up works over all samples."""


@dataclass(frozen=True)
class Terms(Work):
    """Sums of terms of the two columns, see `kernels.ExactSums.add_terms`."""

    names: tuple[str, ...]
    numbers: Numbers = ZEROS

    @property
    def size(self) -> int:
        """Number of terms."""
        return len(self.names)

    def add(self, totals: Totals, columns: Columns) -> None:
        """Add a block of samples to the totals."""
        totals.n += len(columns[0])
        totals.widen(totals.sums.add_terms(*columns, list(self.names), self.numbers))


@dataclass(frozen=True)
class Quantity:
    """One number for each sample: a term of two columns, or a function of them."""

    name: str = "true"
    numbers: Numbers = ZEROS
    function: Callable[..., Floats] | None = None

    def columns(self, columns: Columns) -> Iterator[Columns]:
        """The columns that it is a term of, block by block."""
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
        """Add a block of samples to the total."""
        terms = Terms((self.quantity.name,), self.quantity.numbers)
        for part in self.quantity.columns(columns):
            terms.add(totals, part)


@dataclass(frozen=True)
class Powers(Work):
    """Sums of the 2nd to 4th powers of a quantity's deviations from its mean."""

    quantity: Quantity
    mean: float
    farthest: float

    @classmethod
    def about_mean(cls, quantity: Quantity, total: Totals) -> "Powers":
        """Create the work for a quantity whose total is known, about its mean."""
        mean = total.sums.rounded()[0] / total.n
        return cls(quantity, mean, max(total.greatest[0] - mean, mean - total.least[0]))

    size = 3

    def add(self, totals: Totals, columns: Columns) -> None:
        """Add a block of samples to the totals."""
        for part in self.quantity.columns(columns):
            totals.sums.add_powers_about(*part, self.quantity.name, self.quantity.numbers, self.mean, self.farthest)

    def moments(self, total: Totals, powers: Totals) -> Moments:
        """Moments of the quantity, from its total and those of the powers."""
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
    """Split the columns into blocks of samples."""
    true, predicted = columns
    for start in range(0, len(true), BLOCK):
        yield true[start : start + BLOCK], predicted[start : start + BLOCK]


def sum_works(works: Sequence[Work], parts: Iterable[Columns]) -> list[Totals]:
    """Add all blocks of samples to each work; returns the totals of each work."""
    totals = [Totals(work.size) for work in works]
    for columns in parts:
        for work, total in zip(works, totals, strict=True):
            work.add(total, columns)
    return totals


def merge_totals(parts: Iterable[list[Totals]]) -> list[Totals]:
    """Merge the totals of several workers, each with the same list of works."""
    first, *others = parts
    for other in others:
        for total, more in zip(first, other, strict=True):
            total.merge(more)
    return first


def one_part(true: Floats, predicted: Floats) -> Read:
    """Reader of two columns in memory, for `read_together`."""
    return partial(sum_works, parts=[(np.ascontiguousarray(true), np.ascontiguousarray(predicted))])


class Passes(ABC):
    """A statistic computed in passes over the samples, each of which sums works that depend on earlier totals.

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
        """Sums that the pass of this name takes over all samples; None if they are not needed."""

    @abstractmethod
    def statistic(self, index: object) -> Influence:
        """The statistic, after all passes; `index` locates it in error messages."""

    def totals(self, name: str) -> Totals:
        """Totals of the work with this name."""
        if name not in self._totals:
            work = self.work(name)
            if work is None or self.read is None:
                raise KeyError(name)
            (self._totals[name],) = self.read([work])
        return self._totals[name]


def read_together(statistics: Sequence[Passes], read: Read) -> None:
    """Run the passes of several statistics together: each pass reads the samples once for all of them."""
    for names in statistics[0].ROUNDS if statistics else ():
        wanted = [(each, name, each.work(name)) for each in statistics for name in names]
        works = list(dict.fromkeys(work for _, _, work in wanted if work is not None))
        found = dict(zip(works, read(works), strict=True)) if works else {}
        for each, name, work in wanted:
            if work is not None:
                each._totals[name] = found[work]
