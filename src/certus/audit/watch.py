"""A confidence sequence for labels that come one at a time."""

from dataclasses import dataclass, field

import numpy as np

from certus.audit._check import Prior, checked_level, checked_prior, count
from certus.audit._given import labels_of
from certus.audit._steps import ratio_steps
from certus.errors import DataError
from certus.inference.interval import Interval

__all__ = ["Watch"]


@dataclass
class Watch:
    """The same as `certus.audit.sequence` with ``"ppr"``, for labels that come one at a time.

    Parameters
    ----------
    population, level, prior
        As for `certus.audit.sequence`.

    Attributes
    ----------
    checked, hits
        Labels so far, and hits among them.
    low, high
        Least and greatest count of hits in the population.

    Examples
    --------
    >>> watch = Watch(population=50)
    >>> for label in [1, 1, 0, 1, 1, 1]:
    ...     interval = watch.add(label)
    >>> watch.low, watch.high
    (16, 49)
    >>> print(interval)
    [0.3200, 0.9800]
    """

    population: int
    level: float = 0.95
    prior: Prior = (1, 1)
    checked: int = field(default=0, init=False)
    hits: int = field(default=0, init=False)
    low: int = field(default=0, init=False)
    high: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.population, self.level = (
            count(self.population, "population", "all items, checked or not", least=1),
            checked_level(self.level),
        )
        self.prior = checked_prior(self.prior)
        self.high = self.population

    def add(self, label: bool) -> Interval:
        """Take one more label, and give the interval of the share of hits.

        Raises
        ------
        DataError
            The label is neither 0 nor 1, or all items have theirs.
        """
        if self.checked == self.population:
            raise DataError(f"all {self.population} items of the population have a label; there is none to add")
        (value,) = labels_of([label], self.population)
        self.checked += 1
        self.hits += int(value)
        at = np.array([self.checked]), np.array([self.hits])
        low, high = (
            int(limit[0]) for limit in ratio_steps(*at, self.population, 1 - self.level, checked_prior(self.prior))
        )
        narrowed = max(low, self.low), min(high, self.high)
        self.low, self.high = narrowed if narrowed[0] <= narrowed[1] else (low, high)
        return Interval(self.low / self.population, self.high / self.population, self.level, "ppr")
