"""Plan audits: sample sizes and the best split, for the interval that will be reported."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from certus.audit._check import Prior, count, prior_parameters
from certus.audit.strata import StrataAudit
from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, require_at_most
from certus.core.readable import Readable
from certus.core.spelling import suggestion
from certus.inference import Estimate
from certus.inference.declare import FORMS, LABELS
from certus.inference.finite import hypergeometric
from certus.inference.finite.shares import Ordering, ShareOf
from certus.inference.interval import checked_level
from certus.inference.intervals.strata import SHAPES
from certus.inference.search import first_true
from certus.inference.special import normal_quantile
from certus.statistic.sampled import NamedPrior, Sampled, Strata, Stratum

__all__ = ["allocated", "chance_narrow_enough", "sample_size", "split"]


def __dir__() -> list[str]:
    return __all__


ONE_SIDED = "hypergeometric-lower", "hypergeometric-upper"
TABLES = "amo", "wang"
TABLES_LIMIT = 5000
"""These methods make the limits of all outcomes at once, anew for every sample size that is tried."""


@dataclass(frozen=True)
class Expected(Readable):
    """The expected outcome of a sample of known positives; made by `chance_narrow_enough`.

    Attributes
    ----------
    positives, checked, recall, half_width, level, method
        As they were given; the recall is that of a whole number of hits.
    chance
        The probability that the interval will be no wider than twice `half_width`.
    expected
        The expected half of its width.
    """

    positives: int
    checked: int
    recall: float
    half_width: float
    level: float
    method: str
    chance: float
    expected: float

    def __str__(self) -> str:
        return (
            f"{self.checked} of {self.positives} positives checked, at a recall of {self.recall:.4g}: the "
            f"{100 * self.level:g}% {LABELS[self.method]} interval is within ±{self.half_width:g}\n"
            f"with probability {self.chance:.4f}, and ±{self.expected:.4f} on average"
        )


@dataclass(frozen=True)
class SampleSize(Readable):
    """The number of known positives to check; made by `sample_size`.

    Attributes
    ----------
    checked
        How many.
    wanted
        The probability of a narrow interval that was asked for.
    outlook
        What to expect of that sample.
    """

    checked: int
    wanted: float
    outlook: Expected

    def __str__(self) -> str:
        return f"check {self.checked} of {self.outlook.positives} positives\n{self.outlook}"


def chance_narrow_enough(
    *,
    positives: int,
    checked: int,
    recall: float,
    half_width: float,
    level: float = 0.95,
    interval: str = "blaker",
    prior: Prior = "uniform",
) -> Expected:
    """The chance that the interval for recall will be narrow enough, if recall is what is guessed.

    Sums over the numbers of hits that the sample may show, with their hypergeometric probabilities, and makes the
    interval of each with the method that will be used. Outcomes of a total probability of 1e-9 are left out; of more
    than 160 outcomes widths are computed for 48 and interpolated.

    Parameters
    ----------
    positives
        N, how many positives there are.
    checked
        n, how many of them will be drawn at random and checked.
    recall
        The guess; the nearest whole number of hits is taken.
    half_width
        The interval is narrow enough if it is no wider than twice this.
    level, interval, prior
        As for `certus.audit.recall_precision`.

    Raises
    ------
    CertusError
        An argument is out of its range.
    MetricNameError
        There is no such method.

    Examples
    --------
    >>> print(chance_narrow_enough(positives=1000, checked=500, recall=0.8, half_width=0.025))
    500 of 1000 positives checked, at a recall of 0.8: the 95% Blaker interval is within ±0.025
    with probability 0.5315, and ±0.0252 on average
    """
    question = _Question(positives, recall, half_width, level, interval, prior)
    checked = count(checked, "checked", "the positives to check", minimum=1)
    require_at_most("checked", checked, "positives", question.positives, "no positive is checked twice")
    return question.outlook(checked)


def sample_size(
    positives: int,
    recall: float,
    half_width: float,
    *,
    level: float = 0.95,
    interval: str = "blaker",
    prior: Prior = "uniform",
    chance: float = 0.8,
) -> SampleSize:
    """The number of known positives to check for an interval of recall that is narrow enough.

    Parameters
    ----------
    positives
        N, how many positives there are.
    recall
        The guess. The least favourable is 0.5.
    half_width
        The interval may be twice this wide.
    level, interval, prior
        As for `certus.audit.recall_precision`.
    chance
        How probable a narrow enough interval must be. What the sample shows is random, and so is the width.

    Returns
    -------
    SampleSize
        A number that is enough while one less is not. As counts are whole, a slightly smaller number may be enough
        again.

    Raises
    ------
    CertusError
        An argument is out of its range.
    MetricNameError
        There is no such method.

    Examples
    --------
    >>> print(sample_size(1000, recall=0.8, half_width=0.03))
    check 415 of 1000 positives
    415 of 1000 positives checked, at a recall of 0.8: the 95% Blaker interval is within ±0.03
    with probability 0.8276, and ±0.0295 on average
    """
    question = _Question(positives, recall, half_width, level, interval, prior)
    if not 0 < chance < 1:
        raise CertusError(f"is {chance}", "it must lie strictly between 0 and 1, for example 0.8", argument="chance")
    guess = question.first_guess()
    checked = first_true(
        lambda n: question.outlook(n).chance >= chance, 0, question.positives, guess, max(guess // 32, 1)
    )
    return SampleSize(checked, chance, question.outlook(checked))


class _Question:
    """A wanted precision of recall, for which several sample sizes are tried."""

    def __init__(
        self, positives: int, recall: float, half_width: float, level: float, method: str, prior: Prior
    ) -> None:
        positives = count(positives, "positives", "recall is a share of the positives", minimum=1)
        _require_share("recall", recall)
        _require_share("half_width", half_width, above_zero=True)
        self.positives, self.half_width = positives, half_width
        self.level, self.method = checked_level(level), FORMS[Sampled].method(method)
        if self.method in ONE_SIDED:
            raise CertusError(
                f"is {self.method!r}, whose intervals have one limit and so no half width",
                "plan with 'hypergeometric', or 'blaker'",
                argument="interval",
            )
        if self.method in TABLES and positives > TABLES_LIMIT:
            raise CertusError(
                f"is {self.method!r} but there are {positives} positives",
                f"it is planned for at most {TABLES_LIMIT}, as it makes many tables: plan with 'blaker'",
                argument="interval",
            )
        self.prior = prior_parameters(prior)
        self.hits = min(max(math.floor(recall * positives + 0.5), 0), positives)
        self.outlook = cache(self._outlook)

    def first_guess(self) -> int:
        """Sample size by the normal approximation with the finite-population correction."""
        share = min(max(self.hits / self.positives, 0.02), 0.98)
        endless = share * (1 - share) * (normal_quantile((1 + self.level) / 2) / self.half_width) ** 2
        return min(max(round(endless / (1 + (endless - 1) / self.positives)), 1), self.positives)

    def _outlook(self, checked: int) -> Expected:
        outcomes = Outcomes.of_sample(self.positives, self.hits, checked)
        nodes = outcomes.hits
        if len(nodes) > MOST_EXACT:
            nodes = np.unique(np.round(np.linspace(nodes[0], nodes[-1], INTERPOLATION_NODES)).astype(np.int64))
        widths = [self._width(checked, int(hits)) for hits in nodes]
        halves = np.interp(outcomes.hits, nodes, widths) / 2
        # whole counts over N: what is equal must not differ by rounding
        narrow = halves <= self.half_width * (1 + 1e-12)
        chance = float(outcomes.chance[narrow].sum()) if not narrow.all() else 1.0
        question = self.positives, checked, self.hits / self.positives, self.half_width, self.level, self.method
        return Expected(*question, chance, float(outcomes.chance @ halves))

    def _width(self, checked: int, hits: int) -> float:
        statistic = Sampled(self.positives, checked, hits, self.positives, 0, self.positives, self.prior)
        interval = Estimate(statistic, bounds=(0.0, 1.0)).interval(self.level, self.method)
        return interval.high - interval.low


def _require_share(name: str, value: float, *, above_zero: bool = False) -> float:
    if not 0 <= value <= 1 or (above_zero and value == 0):
        raise CertusError(f"is {value}", "it is a share, from 0 to 1", argument=name)
    return value


@dataclass(frozen=True)
class Split(Readable):
    """Numbers of retrieved and of discarded items to check; made by `certus.audit.plan.split`.

    Attributes
    ----------
    retrieved, discarded, level, method
        As they were given.
    precision, elusion, recall
        The guesses, as shares of whole numbers of items, and the recall that they come to.
    retrieved_checked, discarded_checked
        How many to check.
    expected
        The expected half width of the interval of recall.
    half_width, chance
        The half width that was asked for, and the probability that the interval will be no wider; None where only a
        number of items was given.
    """

    retrieved: int
    discarded: int
    precision: float
    elusion: float
    recall: float
    retrieved_checked: int
    discarded_checked: int
    level: float
    method: str
    expected: float
    half_width: float | None = None
    chance: float | None = None

    @property
    def checked(self) -> int:
        """The number of items to check in all."""
        return self.retrieved_checked + self.discarded_checked

    def __str__(self) -> str:
        text = (
            f"check {self.retrieved_checked} of {self.retrieved} retrieved and {self.discarded_checked} of "
            f"{self.discarded} discarded items\n"
            f"at a recall of {self.recall:.4g} (precision {self.precision:.4g}, elusion {self.elusion:.4g}) its "
            f"{100 * self.level:g}% {LABELS[self.method]} interval is ±{self.expected:.4f} on average"
        )
        if self.half_width is None:
            return text
        return f"{text},\nand within ±{self.half_width:g} with probability {self.chance:.2f}"


PAIR_NODES = 3, 4
"""Outcomes of either sample for which intervals are made."""
FACTORS = (0.5, 0.71, 1.0, 1.41, 2.0, 2.83)
"""By how much the ratio of the samples may differ from that of the least variance."""
ROUNDS = 5
"""So many sample sizes are tried by the square root law, the others by bisection."""
CLOSE = 200
LARGE = 50_000
"""In a population of more items, the posterior's widths are rough ones: the law of a share is a beta law."""
FIRST = 400
"""Number of items to check that is tried first."""


def split(
    retrieved: int,
    discarded: int,
    *,
    precision: float,
    elusion: float,
    checked: int | None = None,
    half_width: float | None = None,
    level: float = 0.95,
    interval: str = "posterior",
    prior: NamedPrior = "jeffreys",
) -> Split:
    """Split a sample between retrieved and discarded items for the narrowest interval of recall.

    The variance of recall is least for samples in the ratio of ``sqrt((1 - p) / p)``, where p is the share of relevant
    items, on either side: the side where they are rare needs more. Of some ratios around this one that is taken for
    which the interval that will be used is narrowest, when the samples show what is guessed.

    Parameters
    ----------
    retrieved, discarded
        Numbers of items.
    precision, elusion
        Guesses of the shares of relevant items among them.
    checked
        How many items to check in all; or
    half_width
        what the expected half width of the interval shall be at most. Then as few are checked as that takes.
    level, interval, prior
        As for `certus.audit.two_samples`.

    Raises
    ------
    CertusError
        An argument is out of its range, or the guesses leave no relevant items.
    MetricNameError
        There is no such method.

    Notes
    -----
    The expected width is over the hypergeometric laws of the hits in both samples. Intervals are made for 3 by 4 pairs
    of outcomes, and the widths of the others taken from the polynomial through these. Among more than 50,000 items the
    posterior's widths are rough, with a beta law for the share of relevant items among the unchecked; a sample of more
    than 400 items is then at most half a percent larger than need be.

    Examples
    --------
    >>> print(split(1000, 9000, precision=0.8, elusion=0.03, checked=400, interval="bonferroni"))
    check 80 of 1000 retrieved and 320 of 9000 discarded items
    at a recall of 0.7477 (precision 0.8, elusion 0.03) its 95% Bonferroni exact interval is ±0.1565 on average
    """
    level = checked_level(level)
    interval = FORMS[Strata].method(interval)
    retrieved = count(retrieved, "retrieved", "the retrieved items", minimum=1)
    discarded = count(discarded, "discarded", "the discarded items", minimum=1)
    shares = _require_share("precision", precision), _require_share("elusion", elusion)
    question = _SplitQuestion((retrieved, discarded), shares, level, interval, prior)
    if (checked is None) == (half_width is None):
        raise CertusError("give either checked, how many items to check, or half_width, how narrow an interval to get")
    if checked is None:
        if half_width is None or not 0 < half_width < 0.5:
            raise CertusError(f"is {half_width}", "it must be above 0 and below 0.5", argument="half_width")
        return question.answer(question.sizes(question.fewest(half_width)), half_width)
    checked = count(checked, "checked", "the items to check", minimum=2)
    question.choose(checked)
    return question.answer(question.sizes(checked))


class _SplitQuestion:
    """The guessed population and an interval method, for which several splits are tried."""

    def __init__(
        self, items: tuple[int, int], shares: tuple[float, float], level: float, method: str, prior: NamedPrior
    ) -> None:
        self.items = items
        self.hits = tuple(math.floor(share * n + 0.5) for share, n in zip(shares, items, strict=True))
        if not sum(self.hits):
            raise CertusError("precision and elusion leave no relevant items, so there is no recall", "guess more")
        # refuses a prior that does not exist
        Strata((Stratum(1, 1, 1), Stratum(1, 1, 0, predicted=False)), "recall", prior)
        self.level, self.method, self.prior = level, method, prior
        self.factor = 1.0

    def choose(self, checked: int) -> None:
        """Take the best ratio of the samples, for about so many checked items."""
        widths = {}
        for factor in FACTORS:
            self.factor = factor
            sizes = self.sizes(checked)
            guessed = [round(n * hits / items) for n, hits, items in zip(sizes, self.hits, self.items, strict=True)]
            widths[factor] = self._width(sizes, (guessed[0], guessed[1]))
        self.factor = min(widths, key=lambda factor: widths[factor])

    def sizes(self, checked: int) -> tuple[int, int]:
        """The two sample sizes: in the best ratio, at least one of each, and no more than there are."""
        items = self.items
        if checked > sum(items):
            raise CertusError(
                f"is {checked} but there are {sum(items)} items", "no item is checked twice", argument="checked"
            )
        spread = []
        for hits, n in zip(self.hits, items, strict=True):
            share = min(max(hits / n, 0.5 / n), 1 - 0.5 / n)
            spread.append(math.sqrt((1 - share) / share) if hits else 0.5)
        if not self.hits[1]:
            spread[1] = 2 * spread[0]  # no relevant items are guessed to be left: to see that takes most of the sample
        spread[0] *= self.factor
        first = round(checked * spread[0] / sum(spread))
        first = min(max(first, 1, checked - items[1]), items[0], checked - 1)
        return first, checked - first

    def answer(self, sizes: tuple[int, int], half_width: float | None = None) -> Split:
        """Expected outcome of samples of these sizes."""
        (x, y), halves = self.halves(sizes)
        precision, elusion = (hits / n for hits, n in zip(self.hits, self.items, strict=True))
        guess = *self.items, precision, elusion, self.hits[0] / sum(self.hits)
        chance = None if half_width is None else float(x @ (halves <= half_width) @ y)
        return Split(*guess, *sizes, self.level, self.method, float(x @ halves @ y), half_width, chance)

    def fewest(self, half_width: float) -> int:
        """The least number of items for the half width, in the ratio that is best for about that number."""
        self.choose(min(FIRST, sum(self.items)))
        n_items, factor = self.smallest_sufficient(half_width), self.factor
        self.choose(max(n_items, 2))
        if self.factor == factor or (again := self.smallest_sufficient(half_width, n_items)) >= n_items:
            self.factor = factor
            return n_items
        return again

    def smallest_sufficient(self, half_width: float, tried: int = FIRST) -> int:
        """A number of items to check that gives the expected half width, while one less does not."""
        # The square root law leads close to it, and bisection does the rest; among many items to half a percent.
        low, high, rounds = 1, sum(self.items), 0
        tried = min(high, tried)
        while high - low > (gap := max(high // CLOSE, 1)):
            (x, y), halves = self.halves(self.sizes(tried))
            expected = float(x @ halves @ y)
            low, high = (low, tried) if expected <= half_width else (tried, high)
            rounds += 1
            # the width goes with the square root of the sample, less the finite-population correction
            scaled = round(tried * (expected / half_width) ** 2) if rounds < ROUNDS else (low + high) // 2
            tried = min(max(scaled, low + gap), high - gap)
        return high

    def halves(self, sizes: tuple[int, int]) -> tuple[tuple[Floats, Floats], Floats]:
        """Outcome probabilities in both samples, and the half width of the interval for each pair."""
        laws = [Outcomes.of_sample(*counts) for counts in zip(self.items, self.hits, sizes, strict=True)]
        (x, x_weights), (y, y_weights) = (law.quadrature(n) for law, n in zip(laws, PAIR_NODES, strict=True))
        widths = np.array([[self._width(sizes, (i, j)) for j in y] for i in x])
        return (laws[0].chance, laws[1].chance), x_weights @ widths @ y_weights.T / 2

    def _width(self, sizes: tuple[int, int], hits: tuple[int, int]) -> float:
        if self.method == "posterior" and sum(self.items) > LARGE:
            return rough_width(self.items, sizes, hits, self.level, self.prior)
        samples = zip(self.items, sizes, hits, (True, False), strict=True)
        estimate = StrataAudit(tuple(starmap(Stratum, samples)), self.level, self.method, self.prior).recall
        return 1.0 if estimate.reason else estimate.interval().high - estimate.interval().low


LEFT_OUT = 1e-9
MOST_EXACT, INTERPOLATION_NODES = 160, 48
"""An interval is made for each of so many outcomes; of more for some, and the widths in between are interpolated."""


@dataclass(frozen=True)
class Outcomes:
    """Numbers of hits that a sample may show, unlikely ones (1e-9 together) left out, with their probabilities."""

    hits: NDArray[np.int64]
    chance: Floats

    @classmethod
    def of_sample(cls, size: int, count: int, checked: int) -> "Outcomes":
        """Hits among `checked` random items, where the population has `size` items and `count` hits."""
        law = hypergeometric.law(size, checked, count)
        is_likely = (law.up_to[1:] > LEFT_OUT / 2) & (law.upper_sums[:-1] > LEFT_OUT / 2)
        return cls(law.support[is_likely], law.mass[is_likely] / law.mass[is_likely].sum())

    def quadrature(self, max_count: int) -> tuple[list[int], Floats]:
        """At most so many outcomes, and for every outcome their weights in the polynomial through their values."""
        # They are about those of Gauss and Hermite for a normal law with the same mean and variance.
        mean = float(self.chance @ self.hits)
        spread = math.sqrt(float(self.chance @ (self.hits - mean) ** 2))
        points = mean + spread * np.polynomial.hermite_e.hermegauss(max_count)[0]
        nodes = np.unique(np.clip(np.round(points).astype(np.int64), self.hits[0], self.hits[-1]))
        weights = np.ones((len(self.hits), len(nodes)))
        for i, node in enumerate(nodes):
            for other in np.delete(nodes, i):
                weights[:, i] *= (self.hits - other) / (node - other)
        return nodes.tolist(), weights


HALVINGS = 24
"""Steps of the search for a limit: to 1e-7."""


def rough_width(
    items: tuple[int, int], checked: tuple[int, int], hits: tuple[int, int], level: float, prior: NamedPrior
) -> float:
    """Width of the equal-tailed interval for X / (X + Y), in large strata from beta instead of beta-binomial laws."""
    x, y = map(Stratum, items, checked, hits)
    if not x.rest and not y.rest:
        return 0.0
    limits = [Ordering(*pair, ShareOf(), SHAPES[prior], (1 - level) / 2).lowest(HALVINGS) for pair in ((x, y), (y, x))]
    # limits reach the estimate where it is 0 or 1
    return 1 - (limits[1] if y.hits else 0.0) - (limits[0] if x.hits or not y.hits else 0.0)


def allocated(size: int | Mapping[str, int], strata: Mapping[str, int], parts: Mapping[str, str]) -> dict[str, int]:
    """The number to draw from each stratum, by name.

    Parameters
    ----------
    size
        The number from each stratum, or one number in all. The latter goes to the groups in proportion to their sizes,
        at least one to each, and within a group to its strata in equal parts.
    strata
        Items of each stratum.
    parts
        The group that each stratum belongs to.

    Raises
    ------
    DataError
        A stratum has fewer items, or there is no such stratum, or there are more strata than items to draw.

    Examples
    --------
    >>> strata = {"new, retrieved": 100, "new, discarded": 900, "old": 1000}
    >>> allocated(100, strata, {"new, retrieved": "new", "new, discarded": "new", "old": "old"})
    {'new, retrieved': 25, 'new, discarded': 25, 'old': 50}
    """
    if isinstance(size, Mapping):
        return _checked_sizes(size, strata)
    total = sum(strata.values())
    if count(size, "size", "the rows to draw", minimum=1) > total:
        raise DataError(
            f"is {size} but there are {total} rows to draw from", "draw at most all of them", argument="size"
        )
    if size < len(strata):
        raise DataError(
            f"is {size} but there are {len(strata)} strata", "draw at least one row from each", argument="size"
        )
    groups = {group: [name for name in strata if parts[name] == group] for group in dict.fromkeys(parts.values())}
    sizes = {group: sum(strata[name] for name in names) for group, names in groups.items()}
    chosen = {}
    for group, share in _in_proportion(size, sizes, {group: len(names) for group, names in groups.items()}).items():
        chosen.update(_in_equal_parts(share, {name: strata[name] for name in groups[group]}))
    return {name: chosen[name] for name in strata}


def _checked_sizes(size: Mapping[str, int], strata: Mapping[str, int]) -> dict[str, int]:
    for name, wanted in size.items():
        if name not in strata:
            hint = suggestion(name, strata) or f"there are {', '.join(map(repr, list(strata)[:6]))}"
            raise DataError(f"names the stratum {name!r}, which has no rows", hint, argument="size")
        if count(wanted, f"size of {name!r}", "the rows to draw from the stratum", minimum=1) > strata[name]:
            raise DataError(
                f"size of {name!r} is {wanted} but the stratum has {strata[name]} rows", "draw at most these"
            )
    missing = next((name for name in strata if name not in size), None)
    if missing is not None:
        raise DataError(
            f"has no number for the stratum {missing!r}", "without it nothing can be said of the whole", argument="size"
        )
    return {name: int(size[name]) for name in strata}


def _in_proportion(size: int, sizes: Mapping[str, int], minimums: Mapping[str, int]) -> dict[str, int]:
    """Share out a number by largest remainders, with a minimum for each."""
    total = sum(sizes.values())
    chosen = {name: size * items // total for name, items in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: -(size * sizes[name] % total))  # ties: as given
    for name in by_remainder[: size - sum(chosen.values())]:
        chosen[name] += 1
    for name in chosen:
        while chosen[name] < minimums[name]:
            spare = max(chosen, key=lambda other: chosen[other] - minimums[other])
            chosen[spare] -= 1
            chosen[name] += 1
    return chosen


def _in_equal_parts(size: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Share out a number in equal parts; what a stratum does not have goes to the others."""
    chosen = {}
    left = size
    smallest_first = sorted(sizes, key=lambda name: sizes[name])
    for i, name in enumerate(smallest_first):
        chosen[name] = min(sizes[name], left // (len(sizes) - i))
        left -= chosen[name]
    return chosen
