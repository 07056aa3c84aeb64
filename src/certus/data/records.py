"""Columns of a table of records (documents in an index): the data for what a system costs and covers."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data.columns import floats
from certus.data.sampled import Sampled, kept_samples
from certus.errors import DataError
from certus.statistic.common import plural


@dataclass(frozen=True, eq=False, repr=False)
class _Column(Sampled):
    """One number of at least 0 for each record.

    Attributes
    ----------
    values
        One per record, float64.
    groups
        The cluster of each record (a site, a host), numbered from 0; None where not given.
    """

    arguments: ClassVar[tuple[str]]
    sample = "record"
    weights: ClassVar[None] = None
    _requirement: ClassVar[str]
    _maximum: ClassVar[float] = float("inf")

    values: Floats
    groups: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, values: Any, *, groups: Any = None) -> Self:
        """The validated column."""
        (name,) = cls.arguments
        column = floats(values, name, infinite=False).astype(np.float64, copy=False)
        wrong = (column < 0) | (column > cls._maximum) | ((cls._maximum == 1) & (column != 0) & (column != 1))
        if wrong.any():
            index = int(np.argmax(wrong))
            raise DataError.of_cell(name, (index,), column[index], f"{column[index]:g}", cls._requirement)
        return cls(column, kept_samples(None, groups, **{name: column}).groups)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self), 'record')}>"


class Sizes(_Column):
    """Space that each record takes: memory, disk or index, in any one unit.

    Examples
    --------
    >>> Sizes.of([120, 80.5])
    <Sizes: 2 records>
    """

    arguments: ClassVar[tuple[str]] = ("sizes",)
    _requirement = "a size is at least 0"


class Held(_Column):
    """Membership of each record in a collection: 1 if the system holds it, otherwise 0.

    Examples
    --------
    >>> Held.of([1, 0, 2])
    Traceback (most recent call last):
    certus.errors.DataError: held is 2 at index 2; it must be 1 where the record is held, and 0 elsewhere
    """

    arguments: ClassVar[tuple[str]] = ("held",)
    _requirement = "it must be 1 where the record is held, and 0 elsewhere"
    _maximum = 1


class Staleness(_Column):
    """Time that the copy of each record has been out of date: 0 where it is as its source.

    Examples
    --------
    >>> Staleness.of([0, 3.5, 0])
    <Staleness: 3 records>
    """

    arguments: ClassVar[tuple[str]] = ("staleness",)
    _requirement = "it must be a time of at least 0"


class Updates(_Column):
    """Number of updates of each record in a period.

    Examples
    --------
    >>> Updates.of([0, 3, 1])
    <Updates: 3 records>
    """

    arguments: ClassVar[tuple[str]] = ("updates",)
    _requirement = "a number of updates is at least 0"
