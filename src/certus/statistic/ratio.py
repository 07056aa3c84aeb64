"""A share of independent trials, and a sum over a sum."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from certus.arrays import Floats
from certus.errors import DataError
from certus.statistic.common import Bounds, column, plural, set_fields, whole, why_no_mean

__all__ = ["Proportion", "Ratio"]


@dataclass(frozen=True)
class Proportion:
    """Successes among independent trials.

    Parameters
    ----------
    successes
        Number of trials that succeeded, ``0 <= successes <= trials``.
    trials
        Number of trials.
    unit
        What one trial is, in the singular.
    scale
        ``"dice"``: the value is ``2 q / (1 + q)`` of the share q, as F1 is of ``tp / (tp + fp + fn)``. Being increasing
        in q, it takes every interval of q with it.

    Examples
    --------
    >>> Proportion(9, 12).value
    0.75
    >>> Proportion(1, 3, scale="dice").value
    0.5
    >>> Proportion(0, 0).why
    'there are no samples'
    """

    successes: int
    trials: int
    unit: str = "sample"
    scale: Literal["linear", "dice"] = "linear"

    def __post_init__(self) -> None:
        set_fields(self, successes=whole(self.successes, "successes"), trials=whole(self.trials, "trials"))
        if self.scale not in ("linear", "dice"):
            raise DataError(f"scale is {self.scale!r}; it must be 'linear' or 'dice'")
        if self.successes > self.trials:
            raise DataError(
                f"successes is {self.successes} but trials is {self.trials}; successes cannot exceed trials"
            )

    @property
    def n(self) -> int:
        """Number of trials."""
        return self.trials

    @property
    def value(self) -> float:
        """Share of successes; NaN without trials."""
        if self.why:
            return math.nan
        if self.scale == "dice":
            return 2 * self.successes / (self.trials + self.successes)
        return self.successes / self.trials

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return f"there are no {plural(0, self.unit)[2:]}" if self.trials == 0 else ""


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
        return math.nan if self.why else float(self.numerators.sum() / self.denominators.sum())

    @cached_property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        why = why_no_mean(self.numerators + self.denominators, self.unit)
        if not why and self.denominators.sum() == 0:
            return f"the denominators of {plural(self.n, self.unit)} sum to zero"
        return why
