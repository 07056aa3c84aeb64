"""Confidence sequences: intervals for a count that hold at every moment of checking, so that one may stop at any."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.audit._check import Prior, count, parse_labels, prior_parameters
from certus.core.arrays import Ints
from certus.core.errors import CertusError, DataError, MetricNameError, keyword
from certus.core.readable import Readable
from certus.core.spelling import plural
from certus.inference.declare import label
from certus.inference.interval import Interval, checked_level
from certus.inference.special import preload

LARGEST_BET = 0.5


def ratio_steps(
    checked: Ints, hits: Ints, population: int, alpha: float, prior: tuple[float, float]
) -> tuple[Ints, Ints]:
    """The counts that the prior-posterior ratio does not refute, for each pair of numbers checked and hits."""
    # Under a count m the ratio of the prior to the posterior probability of m is a martingale that begins at 1. It is
    # the probability of the labels averaged over the prior, divided by their probability under m. The latter is
    # log-concave in m, and at its mode no less than the average, so the counts kept are an interval around the mode.
    a, b = prior
    special = preload()
    misses = checked - hits
    average = special.betaln(a + hits, b + misses) - special.betaln(a, b)
    order = special.gammaln(population + 1.0)
    log_arrangements = order - special.gammaln(population - checked + 1.0)
    # No term is larger than `order`, and each is known to a few units of rounding: it may only widen the interval.
    needed = average + np.log(alpha) + log_arrangements - 32 * np.finfo(float).eps * order

    def is_plausible(count: Ints) -> NDArray[np.bool_]:
        misses_in_all = population - count
        probability = special.gammaln(count + 1.0) - special.gammaln(count - hits + 1.0)
        probability += special.gammaln(misses_in_all + 1.0) - special.gammaln(misses_in_all - misses + 1.0)
        return np.asarray(probability > needed)

    lowest, highest = hits, population - misses
    mode = np.clip(((population + 1.0) * hits / np.maximum(checked, 1)).astype(np.int64), lowest, highest)
    return _edge(lowest, mode, is_plausible), _edge(highest, mode, is_plausible)


def _edge(outer: Ints, inner: Ints, is_plausible: Callable[[Ints], NDArray[np.bool_]]) -> Ints:
    """The plausible count nearest to `outer`, where all counts from it to `inner` are plausible."""
    good, bad = np.where(is_plausible(outer), outer, inner), outer
    while (is_open := np.abs(good - bad) > 1).any():
        middle = (good + bad) // 2
        fine = is_plausible(middle)
        good, bad = np.where(is_open & fine, middle, good), np.where(is_open & ~fine, middle, bad)
    return good


def bernstein_steps(labels: Ints, population: int, alpha: float) -> tuple[Ints, Ints]:
    """The counts within the empirical-Bernstein distance of a weighted mean, after each label."""
    # Before a label is drawn its mean is that of the items left, (m - sum of labels so far) / (items left). With bets
    # b_i chosen from the labels before, the sum of b_i times label minus mean, less psi(b_i) times the squared distance
    # of the label from a guess made before it, is the logarithm of a supermartingale, and so is the same with the sign
    # turned; each may reach log(2 / alpha) with probability alpha / 2.
    n = len(labels)
    n_before = np.arange(n)  # before each label
    before = np.cumsum(labels) - labels
    guess_after = (0.5 + before + labels) / (n_before + 2)
    guess = np.concatenate(([0.5], guess_after[:-1]))
    spread_after = (0.25 + np.cumsum((labels - guess_after) ** 2)) / (n_before + 2)
    spread = np.concatenate(([0.25], spread_after[:-1]))
    bets = np.sqrt(2 * np.log(2 / alpha) / (spread * (n_before + 1) * np.log(n_before + 2)))
    bets = np.minimum(bets, LARGEST_BET)
    left = population - n_before
    weight = np.cumsum(bets / left)  # times the count m gives the sum of bets times means
    center = np.cumsum(bets * (labels + before / left)) / weight
    psi = -np.log1p(-bets) - bets
    distance = (np.log(2 / alpha) + np.cumsum((labels - guess) ** 2 * psi)) / weight
    rounding = 1e-12 * population
    hits, misses = before + labels, n_before + 1 - before - labels
    low = np.ceil(np.clip(center - distance - rounding, hits, population - misses))
    high = np.floor(np.clip(center + distance + rounding, hits, population - misses))
    return low.astype(np.int64), high.astype(np.int64)


Method = Literal["ppr", "wsr"]
METHODS = {"ppr": "prior-posterior ratio", "wsr": "empirical Bernstein without replacement"}


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceSequence(Readable):
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
        """The number of labels that give an interval of the share no wider than `width`; None if these are too few.

        To stop there and to report `interval` of that many labels is allowed: the level holds at all numbers of labels
        at once.
        """
        if not 0 < width <= 1:
            raise CertusError(
                f"is {width}", "it is that of an interval of the share, above 0 and at most 1", argument="width"
            )
        narrow = np.flatnonzero(self.high - self.low <= width * self.population * (1 + 1e-12))
        return int(narrow[0]) + 1 if len(narrow) else None

    def interval(self, checked: int | None = None) -> Interval:
        """Interval for the share of hits after `checked` labels, by default after all of them."""
        n_labels = len(self) if checked is None else checked
        if not 0 <= n_labels <= len(self):
            raise CertusError(
                f"is {checked}",
                f"there {'is' if len(self) == 1 else 'are'} {plural(len(self), 'label')}",
                argument="checked",
            )
        if n_labels == 0:
            return Interval(0.0, 1.0, self.level, self.method)
        return Interval(
            float(self.low_rate[n_labels - 1]), float(self.high_rate[n_labels - 1]), self.level, self.method
        )

    def counts(self) -> tuple[int, int]:
        """The least and the greatest count of hits after all labels."""
        return (int(self.low[-1]), int(self.high[-1])) if len(self) else (0, self.population)

    def __str__(self) -> str:
        checked = len(self)
        low, high = self.counts()
        n_hits = int(self.hits[-1]) if checked else 0
        text = (
            f"{n_hits} hits in {checked} checked: {low} to {high} of {self.population} "
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
    interval: Method = "ppr",
    prior: Prior = (1, 1),
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
    interval
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
    population, level = count(population, "population", "all items, checked or not", minimum=1), checked_level(level)
    chosen = prior_parameters(prior)
    values = parse_labels(labels, population)
    if interval not in tuple(METHODS):
        raise MetricNameError(f"is {interval!r}", "it must be 'ppr' or 'wsr'", argument="interval")
    if interval == "wsr" and any(part != 1 for part in chosen):
        raise MetricNameError(
            f"is {prior!r}, but interval 'wsr' has none",
            f"leave it out, or take {keyword('interval', 'ppr')}",
            argument="prior",
        )
    hits = np.cumsum(values)
    if interval == "ppr":
        low, high = ratio_steps(np.arange(1, len(values) + 1), hits, population, 1 - level, chosen)
    else:
        low, high = bernstein_steps(values, population, 1 - level)
    low, high, contradictions = _intersected(low, high)
    return ConfidenceSequence(low, high, hits, population, level, interval, contradictions)


def _intersected(
    low: NDArray[np.int64], high: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[int, ...]]:
    """The running intersection; where it would be empty it begins anew."""
    running_low, running_high = low.copy(), high.copy()
    starts: list[int] = []
    start = 0
    while start < len(low):
        running_low[start:] = np.maximum.accumulate(low[start:])
        running_high[start:] = np.minimum.accumulate(high[start:])
        empty = np.flatnonzero(running_low[start:] > running_high[start:])
        if not len(empty):
            break
        start += int(empty[0])
        starts.append(start + 1)
    return running_low, running_high, tuple(starts)


label("ppr", "prior-posterior ratio")
label("wsr", "empirical Bernstein")


@dataclass
class Watch:
    """Confidence sequence for labels that come one at a time, as `certus.audit.sequence` with ``"ppr"``.

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
        self.population = count(self.population, "population", "all items, checked or not", minimum=1)
        self.level = checked_level(self.level)
        self.prior = prior_parameters(self.prior)
        self.high = self.population

    def add(self, label: bool) -> Interval:
        """Take one more label, and give the interval of the share of hits.

        Raises
        ------
        DataError
            The label is neither 0 nor 1, or all items have theirs.
        """
        if self.checked == self.population:
            raise DataError("every item of the population has a label", "there is none to add")
        (value,) = parse_labels([label], self.population)
        self.checked += 1
        self.hits += int(value)
        counts = np.array([self.checked]), np.array([self.hits])
        low, high = (
            int(limit[0])
            for limit in ratio_steps(*counts, self.population, 1 - self.level, prior_parameters(self.prior))
        )
        narrowed = max(low, self.low), min(high, self.high)
        self.low, self.high = narrowed if narrowed[0] <= narrowed[1] else (low, high)
        return Interval(self.low / self.population, self.high / self.population, self.level, "ppr")
