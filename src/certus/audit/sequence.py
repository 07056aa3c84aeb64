"""Confidence sequences: intervals for a count that hold at every moment of checking, so that one may stop at any."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.audit._steps import bernstein_steps, ratio_steps
from certus.errors import CertusError, DataError, MetricNameError
from certus.inference.interval import Interval

__all__ = ["ConfidenceSequence", "Watch", "sequence"]

Method = Literal["ppr", "wsr"]
METHODS = {"ppr": "prior-posterior ratio", "wsr": "empirical Bernstein without replacement"}
PRIORS = {"uniform": (1.0, 1.0), "jeffreys": (0.5, 0.5)}


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceSequence:
    """Intervals for the hits in the whole population, one after each label; see `sequence`.

    Attributes
    ----------
    low, high
        Least and greatest count of hits, after each label. They never widen.
    hits
        Hits among the labels so far, after each label.
    population
        Number of items in all.
    level, method
        As asked for.
    contradictions
        Numbers of labels after which nothing was left of the interval, so that it began anew. With the promised
        probability there are none: the truth was missed before, or the labels were not in random order.
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    hits: NDArray[np.int64]
    population: int
    level: float
    method: str
    contradictions: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.low)

    @property
    def low_rate(self) -> NDArray[np.float64]:
        """The lower limits as shares of the population."""
        return np.asarray(self.low / self.population)

    @property
    def high_rate(self) -> NDArray[np.float64]:
        """The upper limits as shares of the population."""
        return np.asarray(self.high / self.population)

    def stop(self, width: float) -> int | None:
        """How many labels are enough for an interval of the share no wider than `width`; None if these are not.

        To stop there and to report `interval` of that many labels is allowed: the level holds at all numbers of labels
        at once.
        """
        if not 0 < width <= 1:
            raise CertusError(f"width is {width}; it is that of an interval of the share, above 0 and at most 1")
        narrow = np.flatnonzero(self.high - self.low <= width * self.population * (1 + 1e-12))
        return int(narrow[0]) + 1 if len(narrow) else None

    def interval(self, checked: int | None = None) -> Interval:
        """The interval of the share of hits after so many labels; after all of them if that is not said."""
        at = len(self) if checked is None else checked
        if not 0 <= at <= len(self):
            raise CertusError(f"checked is {checked}; there are {len(self)} labels")
        if at == 0:
            return Interval(0.0, 1.0, self.level, self.method)
        return Interval(float(self.low_rate[at - 1]), float(self.high_rate[at - 1]), self.level, self.method)

    def __str__(self) -> str:
        checked = len(self)
        low, high = (int(self.low[-1]), int(self.high[-1])) if checked else (0, self.population)
        found = int(self.hits[-1]) if checked else 0
        text = (
            f"{found} hits in {checked} checked: {low} to {high} of {self.population} "
            f"({low / self.population:.4f} to {high / self.population:.4f})  {100 * self.level:g}% "
            f"{METHODS[self.method]}, at every number of labels"
        )
        return f"{text} (contradicted after label {self.contradictions[0]})" if self.contradictions else text

    def __repr__(self) -> str:
        return f"<ConfidenceSequence: {self}>"


def sequence(
    labels: ArrayLike,
    *,
    population: int,
    level: float = 0.95,
    method: Method = "ppr",
    prior: tuple[float, float] | str = (1, 1),
) -> ConfidenceSequence:
    """Intervals for the number of hits in a population, after each label, that hold at all labels at once.

    The items of a population are checked one by one in random order. An interval made for a sample of fixed size breaks
    its promise when it is looked at after every item and checking stops once it pleases; these do not: with probability
    of at least `level` none of them misses the true count, at whatever moment one stops, for whatever reason.

    Parameters
    ----------
    labels
        Whether each checked item was a hit: truth values or 0 and 1, in the order of checking. That order must be
        random, each item left being as likely as any other.
    population
        Number of items in all, checked or not.
    level
        Probability that no interval misses the truth, strictly between 0 and 1.
    method
        ``"ppr"``: counts that the ratio of prior to posterior probability does not refute. ``"wsr"``: a predictable
        plug-in empirical-Bernstein bound. The second is wider nearly everywhere, and here to compare.
    prior
        The two parameters of the beta distribution behind the beta-binomial prior of ``"ppr"``, or ``"uniform"`` or
        ``"jeffreys"``. The level holds under any; a prior near the truth makes intervals narrower.

    Raises
    ------
    DataError
        A label is neither 0 nor 1, or there are more labels than items.
    CertusError
        An argument is out of its range.

    References
    ----------
    Waudby-Smith & Ramdas (2020), Confidence sequences for sampling without replacement, NeurIPS; for the bets of
    ``"wsr"`` also Waudby-Smith & Ramdas (2024), Estimating means of bounded random variables by betting, JRSS B 86(1).

    Examples
    --------
    Of 1,000 known positives every fifth is missed. When is recall known to within ±0.05?

    >>> found = [True, True, True, True, False] * 100
    >>> checking = sequence(found, population=1000)
    >>> checking.stop(0.1)
    429
    >>> print(checking.interval(429))
    [0.7470, 0.8470]
    >>> print(checking)
    400 hits in 500 checked: 753 to 841 of 1000 (0.7530 to 0.8410)  95% prior-posterior ratio, at every number of labels
    """
    population, level = _whole("population", population), _level(level)
    chosen = _prior(prior)
    values = _labels(labels, population)
    if method not in METHODS:
        raise MetricNameError(f"method is {method!r}; it must be 'ppr' or 'wsr'")
    hits = np.cumsum(values)
    if method == "ppr":
        low, high = ratio_steps(np.arange(1, len(values) + 1), hits, population, 1 - level, chosen)
    else:
        low, high = bernstein_steps(values, population, 1 - level)
    low, high, contradictions = _intersected(low, high)
    return ConfidenceSequence(low, high, hits, population, level, method, contradictions)


@dataclass
class Watch:
    """The same as `sequence` with ``"ppr"``, for labels that come one at a time.

    Parameters
    ----------
    population, level, prior
        As for `sequence`.

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
    prior: tuple[float, float] | str = (1, 1)
    checked: int = field(default=0, init=False)
    hits: int = field(default=0, init=False)
    low: int = field(default=0, init=False)
    high: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.population, self.level = _whole("population", self.population), _level(self.level)
        self.prior = _prior(self.prior)
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
        (value,) = _labels([label], self.population)
        self.checked += 1
        self.hits += int(value)
        at = np.array([self.checked]), np.array([self.hits])
        low, high = (int(limit[0]) for limit in ratio_steps(*at, self.population, 1 - self.level, _prior(self.prior)))
        narrowed = max(low, self.low), min(high, self.high)
        self.low, self.high = narrowed if narrowed[0] <= narrowed[1] else (low, high)
        return Interval(self.low / self.population, self.high / self.population, self.level, "ppr")


def _intersected(
    low: NDArray[np.int64], high: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[int, ...]]:
    """The running intersection; where it would be empty it begins anew."""
    least, greatest = low.copy(), high.copy()
    starts: list[int] = []
    start = 0
    while start < len(low):
        least[start:] = np.maximum.accumulate(low[start:])
        greatest[start:] = np.minimum.accumulate(high[start:])
        empty = np.flatnonzero(least[start:] > greatest[start:])
        if not len(empty):
            break
        start += int(empty[0])
        starts.append(start + 1)
    return least, greatest, tuple(starts)


def _labels(labels: ArrayLike, population: int) -> NDArray[np.int64]:
    values: NDArray[Any] = np.asarray(labels)
    if values.ndim != 1:
        raise DataError(f"labels have the shape {values.shape}; they must be one list")
    if len(values) > population:
        raise DataError(f"there are {len(values)} labels but population is {population}; no item is checked twice")
    try:
        wrong = np.flatnonzero((values != 0) & (values != 1)) if values.dtype != object else _odd(values.tolist())
        if not len(wrong):
            return values.astype(np.int64)
    except (TypeError, ValueError):
        wrong = np.arange(1)
    at = int(wrong[0])
    raise DataError(f"label {at + 1} is {values.tolist()[at]!r}; it must be 1 or True for a hit, 0 or False for none")


def _odd(values: Sequence[object]) -> NDArray[np.intp]:
    return np.flatnonzero([value not in (0, 1) for value in values])


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise CertusError(f"{name} is {value!r}; it must be a whole number of at least 1")
    return int(value)


def _level(level: float) -> float:
    if not 0 < level < 1:
        raise CertusError(f"level is {level}; it must lie strictly between 0 and 1, for example 0.95")
    return float(level)


def _prior(prior: Sequence[float] | str) -> tuple[float, float]:
    if isinstance(prior, str):
        if prior not in PRIORS:
            raise MetricNameError(f"prior is {prior!r}; name 'uniform' or 'jeffreys', or give two parameters")
        return PRIORS[prior]
    pair = tuple(prior)
    if len(pair) != 2 or not all(0 < float(each) < np.inf for each in pair):
        raise CertusError(f"prior is {prior!r}; it must be two positive numbers, such as (1, 1)")
    return float(pair[0]), float(pair[1])
