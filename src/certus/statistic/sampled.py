"""Finite populations of which a random sample was checked, as a whole or in strata."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from certus.core.errors import DataError, require_at_most
from certus.statistic.common import LARGEST, plural, require_integer, set_fields


@dataclass(frozen=True)
class Sampled:
    """The number of hits in a finite population, of which a simple random sample (without replacement) was checked.

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
            set_fields(self, **{name: require_integer(getattr(self, name), name, maximum=LARGEST)})
        rule = "no item is checked twice, so checked cannot exceed it"
        require_at_most("checked", self.checked, "population", self.population, rule)
        require_at_most("hits", self.hits, "checked", self.checked, "hits cannot exceed checked")
        a, b = self.prior
        if not (0 < a < math.inf and 0 < b < math.inf):
            raise DataError(f"is {self.prior}", "it must be two positive numbers, such as (1, 1)", argument="prior")
        if self.per is not None and not 0 <= self.per < math.inf:
            raise DataError(f"is {self.per}", "it must be at least 0, or None for the count itself", argument="per")
        low, high = self.possible
        if low > high:
            raise DataError(
                f"is {self.least} and most is {self.most}, but the sample leaves only {self.hits} to "
                f"{self.population - self.checked + self.hits} hits possible",
                "no count is in both ranges",
                argument="least",
            )

    @property
    def possible(self) -> tuple[int, int]:
        """Least and greatest possible number of positives in the population, from sample and known bounds."""
        low, high = self.hits, self.population - self.checked + self.hits
        return max(low, self.least or 0), high if self.most is None else min(high, self.most)

    @property
    def n(self) -> int:
        """Number of checked items."""
        return self.checked

    @property
    def count(self) -> float:
        """Estimated number of hits; NaN without a checked item."""
        if self.checked == 0:
            return math.nan
        low, high = self.possible
        return float(min(max(self.population * self.hits / self.checked, low), high))

    @property
    def value(self) -> float:
        """The estimated count, divided by `per`; NaN where `reason` says so."""
        if self.reason:
            return math.nan
        return self.count if self.per is None else self.count / self.per

    @property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        if self.checked == 0:
            return f"there are no {plural(0, self.unit)[2:]}"
        return "its denominator is 0" if self.per == 0 else ""


Share = Literal["recall", "precision", "f1", "elusion"]
NamedPrior = Literal["jeffreys", "uniform"]


@dataclass(frozen=True)
class Stratum:
    """A part of a population and the hits in a simple random sample from it, without replacement.

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
    certus.core.errors.DataError: hits of stratum 'tail' is 101 but its checked is 100; hits are among the checked items
    """

    size: int
    checked: int
    hits: int
    predicted: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        suffix = f" of stratum {self.name!r}" if self.name else ""
        set_fields(
            self,
            size=require_integer(self.size, f"size{suffix}", maximum=LARGEST),
            checked=require_integer(self.checked, f"checked{suffix}"),
            hits=require_integer(self.hits, f"hits{suffix}"),
        )
        if not isinstance(self.predicted, bool | np.bool_):
            raise DataError(f"predicted{suffix} is {self.predicted!r}", "it must be True or False")
        set_fields(self, predicted=bool(self.predicted))
        if self.checked > self.size:
            raise DataError(
                f"checked{suffix} is {self.checked} but its size is {self.size}", "an item is checked at most once"
            )
        if self.hits > self.checked:
            raise DataError(
                f"hits{suffix} is {self.hits} but its checked is {self.checked}", "hits are among the checked items"
            )

    @property
    def rest(self) -> int:
        """Number of items that were not checked."""
        return self.size - self.checked

    @property
    def share(self) -> float:
        """Share of the checked items that are relevant; one half, the priors' mean, without a checked item."""
        return self.hits / self.checked if self.checked else 0.5

    @property
    def total(self) -> float:
        """Estimated number of relevant items: the hits, and the unchecked items times the share of hits."""
        return self.hits + self.rest * self.share


@dataclass(frozen=True)
class Strata:
    """Precision, recall, F1 or elusion in a finite population, its strata sampled independently.

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
    >>> Strata((Stratum(10, 5, 0), Stratum(10, 5, 0, predicted=False)), "recall").reason
    'no checked item is relevant'
    """

    strata: tuple[Stratum, ...]
    of: Share
    prior: NamedPrior = "jeffreys"
    unit: str = "checked item"

    def __post_init__(self) -> None:
        set_fields(self, strata=tuple(self.strata))
        for field, allowed in (("of", Share), ("prior", NamedPrior)):
            value, names = getattr(self, field), get_args(allowed)
            if value not in names:
                raise DataError(f"is {value!r}", f"it must be one of {', '.join(map(repr, names))}", argument=field)

    @property
    def predicted(self) -> tuple[Stratum, ...]:
        """Strata of the items predicted relevant."""
        return tuple(stratum for stratum in self.strata if stratum.predicted)

    @property
    def others(self) -> tuple[Stratum, ...]:
        """Strata of the other items."""
        return tuple(stratum for stratum in self.strata if not stratum.predicted)

    @property
    def n(self) -> int:
        """Number of checked items."""
        return sum(stratum.checked for stratum in self.strata)

    @property
    def value(self) -> float:
        """Recall, precision, elusion or F1, from the estimated numbers of relevant items; NaN if undefined."""
        if self.reason:
            return math.nan
        relevant, missed = _total(self.predicted), _total(self.others)
        if self.of == "recall":
            return relevant / (relevant + missed)
        if self.of == "precision":
            return relevant / _size(self.predicted)
        if self.of == "elusion":
            return missed / _size(self.others)
        return 2 * relevant / (_size(self.predicted) + relevant + missed)

    @property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        nothing = _total(self.strata) == 0
        if self.of in ("precision", "f1") and _size(self.predicted) == 0 and (self.of == "precision" or nothing):
            return "no item is predicted"
        if self.of == "elusion" and _size(self.others) == 0:
            return "every item is predicted"
        return "no checked item is relevant" if self.of == "recall" and nothing else ""


def _size(strata: tuple[Stratum, ...]) -> int:
    """Number of items in the strata."""
    return sum(stratum.size for stratum in strata)


def _total(strata: tuple[Stratum, ...]) -> float:
    """Estimated number of relevant items in the strata."""
    return sum(stratum.total for stratum in strata)
