"""Many U-statistics of two samples, stored in columns."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.statistic.influence import UStatistic


@dataclass(frozen=True, eq=False)
class UStatistics(Sequence[UStatistic]):
    """A sequence of U-statistics stored in columns; each object is created when it is accessed.

    Attributes
    ----------
    make
        Gives the statistic at a place, equal to the columns to the last bit.
    values
        The value of each; NaN where it is undefined.
    sizes, variances
        Of each statistic those of both samples, in two columns.
    losses
        What the units of both samples lose, in six columns: see `UStatistic`.
    span, unit
        As for `UStatistic`.

    Examples
    --------
    >>> made = [UStatistic(0.75, (4, 6), (0.05, 0.02)), UStatistic(0.5, (3, 3), (0.1, 0.1))]
    >>> sizes, variances = np.array([[4.0, 6.0], [3.0, 3.0]]), np.array([[0.05, 0.02], [0.1, 0.1]])
    >>> many = UStatistics(made.__getitem__, np.array([0.75, 0.5]), sizes, variances, np.zeros((2, 6)))
    >>> len(many), many.n, many[1].value
    (2, array([10,  6]), 0.5)
    """

    make: Callable[[int], UStatistic]
    values: Floats
    sizes: Floats
    variances: Floats
    losses: Floats
    span: tuple[float, float] = (0.0, 1.0)
    unit: str = "sample"

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, index: int) -> UStatistic: ...
    @overload
    def __getitem__(self, index: slice) -> list[UStatistic]: ...
    def __getitem__(self, index: int | slice) -> UStatistic | list[UStatistic]:
        selected = range(len(self))[index]
        return self.make(selected) if isinstance(selected, int) else list(map(self.make, selected))

    def __iter__(self) -> Iterator[UStatistic]:
        return map(self.make, range(len(self)))

    @property
    def n(self) -> NDArray[np.int64]:
        """Number of units of each statistic."""
        return np.asarray(self.sizes.sum(1), dtype=np.int64)
