"""A difference of two values from samples that have nothing to do with each other."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from certus.statistic.common import Bounds

if TYPE_CHECKING:
    from certus.statistic import Statistic

__all__ = ["Independent"]


@dataclass(frozen=True, eq=False)
class Independent:
    """The value of one statistic less that of another, computed from independent units.

    Parameters
    ----------
    a, b
        The two statistics.
    each
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
    each: Bounds = (-math.inf, math.inf)
    unit: str = "sample"

    @property
    def n(self) -> int:
        """Number of units of both."""
        return self.a.n + self.b.n

    @property
    def value(self) -> float:
        """The difference; NaN where `why` says so."""
        return math.nan if self.why else self.a.value - self.b.value

    @property
    def why(self) -> str:
        """Why the difference is undefined; empty where it is defined."""
        return self.a.why or self.b.why
