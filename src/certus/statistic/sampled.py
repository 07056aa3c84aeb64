"""Hits among a finite population of which only a random sample was checked."""

import math
from dataclasses import dataclass

from certus.errors import DataError
from certus.statistic.common import LARGEST, plural, set_fields, whole

__all__ = ["Sampled"]


@dataclass(frozen=True)
class Sampled:
    """The number of hits in a finite population, of which a simple random sample was checked without replacement.

    What is unknown is a whole number, the count of hits among `population` items. The value is that count divided by a
    known number, so an interval for the count is one for the value.

    Parameters
    ----------
    population
        Number of items.
    checked
        Number of items drawn at random and checked, at most `population`.
    hits
        Number of hits among the checked, at most `checked`.
    per
        What the count is divided by: the population for a share of it. None: the value is the count itself, and its
        limits are whole items.
    least, most
        Fewest and most hits that are possible for reasons outside the sample; None where there is none. The sample
        itself makes ``hits`` to ``population - checked + hits`` possible.
    prior
        The two parameters of the beta prior of the share of hits, for the posterior methods. ``(1, 1)`` makes every
        count equally likely.
    unit
        What one checked item is, in the singular.

    Notes
    -----
    The estimate of the count is ``population * hits / checked``, the only unbiased one that depends on the hits alone,
    moved to the nearest possible count where it lies outside. It need not be a whole number.

    Examples
    --------
    >>> Sampled(1000, 500, 400).value
    800.0
    >>> Sampled(1000, 500, 400, per=10000).value
    0.08
    >>> Sampled(500, 100, 90, most=405).value
    405.0
    """

    population: int
    checked: int
    hits: int
    per: float | None = None
    least: int | None = None
    most: int | None = None
    prior: tuple[float, float] = (1.0, 1.0)
    unit: str = "item"

    def __post_init__(self) -> None:
        for name in ("population", "checked", "hits"):
            set_fields(self, **{name: whole(getattr(self, name), name, most=LARGEST)})
        if self.checked > self.population:
            raise DataError(
                f"checked is {self.checked} but population is {self.population}; no item is checked twice, so checked "
                "cannot exceed it"
            )
        if self.hits > self.checked:
            raise DataError(f"hits is {self.hits} but checked is {self.checked}; hits cannot exceed checked")
        a, b = self.prior
        if not (0 < a < math.inf and 0 < b < math.inf):
            raise DataError(f"prior is {self.prior}; it must be two positive numbers, such as (1, 1)")
        if self.per is not None and not 0 <= self.per < math.inf:
            raise DataError(f"per is {self.per}; it must be at least 0, or None for the count itself")
        low, high = self.possible
        if low > high:
            raise DataError(
                f"least is {self.least} and most is {self.most}, but the sample leaves only {self.hits} to "
                f"{self.population - self.checked + self.hits} hits possible; no count is in both ranges"
            )

    @property
    def possible(self) -> tuple[int, int]:
        """Fewest and most hits that there can be."""
        low, high = self.hits, self.population - self.checked + self.hits
        return max(low, self.least or 0), high if self.most is None else min(high, self.most)

    @property
    def n(self) -> int:
        """Number of checked items."""
        return self.checked

    @property
    def count(self) -> float:
        """The estimated number of hits; NaN where nothing was checked."""
        if self.checked == 0:
            return math.nan
        low, high = self.possible
        return float(min(max(self.population * self.hits / self.checked, low), high))

    @property
    def value(self) -> float:
        """The estimated count, divided by `per`; NaN where `why` says so."""
        if self.why:
            return math.nan
        return self.count if self.per is None else self.count / self.per

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        if self.checked == 0:
            return f"there are no {plural(0, self.unit)[2:]}"
        return "its denominator is 0" if self.per == 0 else ""
