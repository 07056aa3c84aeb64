"""A sum over a sum."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from certus import kernels
from certus.arrays import Floats
from certus.errors import DataError
from certus.statistic.common import Bounds, column, plural, set_fields, why_no_mean

__all__ = ["Ratio"]


@dataclass(frozen=True, eq=False)
class Ratio:
    """A sum over a sum: ``sum(numerators) / sum(denominators)``, as in a micro-average.

    Parameters
    ----------
    numerators, denominators
        One of each per unit, in the same order.
    unit
        What one pair belongs to, in the singular.
    bounds
        Least and greatest possible ratio of a unit, where they are narrower than the metric's.
    weighted
        The units are single samples and the denominators their weights; otherwise they are sizes, of groups of samples
        or of lists.
    caution
        Why an interval of it may not hold its level, where more is known of the units than these sums.

    Examples
    --------
    >>> Ratio([1, 3], [2, 6]).value
    0.5
    >>> Ratio([0, 0], [0, 0]).why
    'the denominators of 2 queries sum to zero'
    """

    numerators: Floats
    denominators: Floats
    unit: str = "query"
    bounds: Bounds | None = None
    weighted: bool = False
    caution: str = ""

    def __init__(
        self,
        numerators: ArrayLike,
        denominators: ArrayLike,
        unit: str = "query",
        *,
        bounds: Bounds | None = None,
        weighted: bool = False,
        caution: str = "",
    ) -> None:
        above, below = column(numerators, "numerators"), column(denominators, "denominators")
        if len(above) != len(below):
            raise DataError(
                f"numerators has {len(above)} values but denominators has {len(below)}; they must pair up one to one"
            )
        set_fields(
            self, numerators=above, denominators=below, unit=unit, bounds=bounds, weighted=weighted, caution=caution
        )

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.numerators)

    @property
    def values(self) -> Floats:
        """Each unit's own ratio; NaN where it is 0/0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.numerators / self.denominators

    @cached_property
    def value(self) -> float:
        """The ratio of the sums; NaN where `why` says so."""
        return math.nan if self.why else kernels.exact_sum(self.numerators) / kernels.exact_sum(self.denominators)

    @cached_property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        why = why_no_mean(self.numerators + self.denominators, self.unit)
        if not why and self.denominators.sum() == 0:
            return f"the denominators of {plural(self.n, self.unit)} sum to zero"
        return why
