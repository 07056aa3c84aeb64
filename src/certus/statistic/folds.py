"""Values of cross-validation folds, and the difference of two independent values."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.statistic.common import Bounds, column, mean_of, no_mean_reason, set_fields

if TYPE_CHECKING:
    from certus.statistic import Statistic


@dataclass(frozen=True, eq=False)
class Folds:
    """The mean of one value per fold of a cross-validation, or per random split into training and test data.

    The folds are not independent units: their training data overlap, and in a cross-validation each is test data of one
    fold and training data of the others.

    Parameters
    ----------
    values
        One value per fold; NaN where it is undefined.
    ratio
        Samples tested on in a fold over samples trained on: 1/4 for five folds.
    unit
        What one value belongs to, in the singular.

    Examples
    --------
    >>> Folds([0.8, 0.9, 0.7], 1 / 2).n
    3
    """

    values: Floats
    ratio: float
    unit: str = "fold"

    def __post_init__(self) -> None:
        if not 0 < self.ratio < math.inf:
            raise DataError(f"is {self.ratio}", "it must be a finite number above 0", argument="ratio")
        set_fields(self, values=column(self.values, "values"), ratio=float(self.ratio))

    @property
    def n(self) -> int:
        """Number of folds."""
        return len(self.values)

    @cached_property
    def value(self) -> float:
        """The mean of the values; NaN where `reason` says so."""
        return math.nan if self.reason else mean_of(self.values)

    @cached_property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        return no_mean_reason(self.values, self.unit)


@dataclass(frozen=True, eq=False)
class Independent:
    """Difference ``a - b`` of two statistics from independent units.

    Parameters
    ----------
    a, b
        The two statistics.
    operand_bounds
        Least and greatest value that each of them can have.
    unit
        What one unit is, in the singular.

    Examples
    --------
    >>> from certus.statistic import Proportion
    >>> difference = Independent(Proportion(9, 12), Proportion(5, 10))
    >>> difference.value, difference.n
    (0.25, 22)
    """

    a: "Statistic"
    b: "Statistic"
    operand_bounds: Bounds = (-math.inf, math.inf)
    unit: str = "sample"

    @property
    def n(self) -> int:
        """Number of units of both statistics."""
        return self.a.n + self.b.n

    @property
    def value(self) -> float:
        """The difference; NaN where `reason` says so."""
        return math.nan if self.reason else self.a.value - self.b.value

    @property
    def reason(self) -> str:
        """Reason why the difference is undefined; empty if it is defined."""
        return self.a.reason or self.b.reason
