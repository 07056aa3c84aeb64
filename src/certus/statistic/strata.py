"""Relevant items in a population of strata, each checked by its own random sample."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from certus.errors import DataError
from certus.statistic.common import LARGEST, set_fields, whole

__all__ = ["Prior", "Share", "Strata", "Stratum"]

Share = Literal["recall", "precision", "f1", "elusion"]
Prior = Literal["jeffreys", "uniform"]


@dataclass(frozen=True)
class Stratum:
    """A part of the population and what a simple random sample from it, without replacement, has shown.

    Parameters
    ----------
    size
        Number of items in the stratum.
    checked
        Number of them that were drawn and checked, ``0 <= checked <= size``.
    hits
        Number of checked items found relevant, ``0 <= hits <= checked``.
    predicted
        Whether the items of the stratum were predicted relevant (retrieved).
    name
        What errors call the stratum.

    Examples
    --------
    >>> Stratum(1000, 100, 80)
    Stratum(size=1000, checked=100, hits=80, predicted=True, name='')
    >>> Stratum(1000, 100, 101, name="tail")
    Traceback (most recent call last):
    certus.errors.DataError: hits of stratum 'tail' is 101 but its checked is 100; hits are among the checked items
    """

    size: int
    checked: int
    hits: int
    predicted: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        of = f" of stratum {self.name!r}" if self.name else ""
        set_fields(
            self,
            size=whole(self.size, f"size{of}", most=LARGEST),
            checked=whole(self.checked, f"checked{of}"),
            hits=whole(self.hits, f"hits{of}"),
        )
        if not isinstance(self.predicted, bool | np.bool_):
            raise DataError(f"predicted{of} is {self.predicted!r}; it must be True or False")
        set_fields(self, predicted=bool(self.predicted))
        if self.checked > self.size:
            raise DataError(
                f"checked{of} is {self.checked} but its size is {self.size}; an item is checked at most once"
            )
        if self.hits > self.checked:
            raise DataError(
                f"hits{of} is {self.hits} but its checked is {self.checked}; hits are among the checked items"
            )

    @property
    def rest(self) -> int:
        """Number of items that were not checked."""
        return self.size - self.checked

    @property
    def share(self) -> float:
        """Share of the checked items that are relevant; one half, the mean of both priors, where none was checked."""
        return self.hits / self.checked if self.checked else 0.5

    @property
    def total(self) -> float:
        """Estimated number of relevant items: the hits, and the unchecked items at the rate of the checked ones."""
        return self.hits + self.rest * self.share


@dataclass(frozen=True)
class Strata:
    """A share of the relevant items in strata that were sampled independently.

    With R the relevant items among the P predicted ones and r those among the U others: recall ``R / (R + r)``,
    precision ``R / P``, F1 ``2 R / (P + R + r)``, elusion ``r / U``.

    Parameters
    ----------
    strata
        The strata; together they are the population.
    of
        Which share.
    prior
        Prior of the rate of relevant items in each stratum, for what is Bayesian: Beta(1/2, 1/2) or uniform.

    Examples
    --------
    >>> retrieved, discarded = Stratum(1000, 100, 80), Stratum(9000, 300, 10, predicted=False)
    >>> Strata((retrieved, discarded), "recall").value
    0.7272727272727273
    >>> Strata((Stratum(10, 5, 0), Stratum(10, 5, 0, predicted=False)), "recall").why
    'no checked item is relevant'
    """

    strata: tuple[Stratum, ...]
    of: Share
    prior: Prior = "jeffreys"
    unit: str = "checked item"

    def __post_init__(self) -> None:
        set_fields(self, strata=tuple(self.strata))
        for field, allowed in (("of", Share), ("prior", Prior)):
            value, names = getattr(self, field), get_args(allowed)
            if value not in names:
                raise DataError(f"{field} is {value!r}; it must be one of {', '.join(map(repr, names))}")

    @property
    def predicted(self) -> tuple[Stratum, ...]:
        """The strata of items that were predicted relevant."""
        return tuple(stratum for stratum in self.strata if stratum.predicted)

    @property
    def others(self) -> tuple[Stratum, ...]:
        """The strata of the other items."""
        return tuple(stratum for stratum in self.strata if not stratum.predicted)

    @property
    def n(self) -> int:
        """Number of checked items."""
        return sum(stratum.checked for stratum in self.strata)

    @property
    def value(self) -> float:
        """The share at the estimated numbers of relevant items; NaN where `why` says so."""
        if self.why:
            return math.nan
        found, missed = _total(self.predicted), _total(self.others)
        if self.of == "recall":
            return found / (found + missed)
        if self.of == "precision":
            return found / _size(self.predicted)
        if self.of == "elusion":
            return missed / _size(self.others)
        return 2 * found / (_size(self.predicted) + found + missed)

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        nothing = _total(self.strata) == 0
        if self.of in ("precision", "f1") and _size(self.predicted) == 0 and (self.of == "precision" or nothing):
            return "no item is predicted"
        if self.of == "elusion" and _size(self.others) == 0:
            return "every item is predicted"
        return "no checked item is relevant" if self.of == "recall" and nothing else ""


def _size(strata: tuple[Stratum, ...]) -> int:
    return sum(stratum.size for stratum in strata)


def _total(strata: tuple[Stratum, ...]) -> float:
    return sum(stratum.total for stratum in strata)
