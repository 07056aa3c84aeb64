"""Plan audits: sample sizes and the best split, for the interval that will be reported."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from certus.audit._check import Prior, checked_prior, count
from certus.audit._outcomes import Outcomes, widths_at
from certus.audit._split import split
from certus.errors import CertusError, DataError, called
from certus.inference import Estimate
from certus.inference.bisection import first_true
from certus.inference.declare import FORMS, LABELS
from certus.inference.interval import checked_level
from certus.readable import Readable
from certus.spelling import suggestion
from certus.statistic.sampled import Sampled

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
    if checked > question.positives:
        raise CertusError(
            f"is {checked} but {called('positives')} is {positives}", "no positive is checked twice", argument="checked"
        )
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
    checked = _smallest_sufficient(
        lambda n: question.outlook(n).chance >= chance, question.first_guess(), question.positives
    )
    return SampleSize(checked, chance, question.outlook(checked))


class _Question:
    """One wanted precision, for which several sample sizes are tried."""

    def __init__(
        self, positives: int, recall: float, half_width: float, level: float, method: str, prior: Prior
    ) -> None:
        positives = count(positives, "positives", "recall is a share of the positives", minimum=1)
        _check_shares(recall=recall, half_width=half_width)
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
        self.prior = checked_prior(prior)
        self.hits = min(max(math.floor(recall * positives + 0.5), 0), positives)
        self.outlook = cache(self._outlook)

    def first_guess(self) -> int:
        """From the normal approximation with the finite-population correction."""
        from certus.inference.special import normal_quantile

        share = min(max(self.hits / self.positives, 0.02), 0.98)
        endless = share * (1 - share) * (normal_quantile((1 + self.level) / 2) / self.half_width) ** 2
        return min(max(round(endless / (1 + (endless - 1) / self.positives)), 1), self.positives)

    def _outlook(self, checked: int) -> Expected:
        outcomes = Outcomes.hypergeometric(self.positives, self.hits, checked)
        halves = widths_at(outcomes, lambda hits: self._width(checked, hits)) / 2
        # whole counts over N: what is equal must not differ by rounding
        narrow = halves <= self.half_width * (1 + 1e-12)
        return Expected(
            self.positives,
            checked,
            self.hits / self.positives,
            self.half_width,
            self.level,
            self.method,
            float(outcomes.chance[narrow].sum()) if not narrow.all() else 1.0,
            float(outcomes.chance @ halves),
        )

    def _width(self, checked: int, hits: int) -> float:
        statistic = Sampled(self.positives, checked, hits, self.positives, 0, self.positives, self.prior)
        interval = Estimate(statistic, bounds=(0.0, 1.0)).interval(self.level, self.method)
        return interval.high - interval.low


def _smallest_sufficient(enough: Callable[[int], bool], guess: int, upper: int) -> int:
    """A number that is enough while one less is not, found from a guess; `upper` must be enough."""
    step = max(guess // 32, 1)
    low, high = guess, guess
    if enough(guess):
        while low > 0 and enough(low):
            high, low, step = low, max(low - step, 0), 2 * step
    else:
        while high < upper and not enough(high):
            low, high, step = high, min(high + step, upper), 2 * step
    return first_true(enough, low, high)


def _check_shares(**shares: float) -> None:
    for name, share in shares.items():
        if not 0 <= share <= 1 or (name == "half_width" and share == 0):
            raise CertusError(f"is {share}", "it is a share of the positives, from 0 to 1", argument=name)


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
    """By largest remainders, but at least so many to each."""
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
    """Equal numbers, but what a stratum does not have goes to the others."""
    chosen = {}
    left = size
    smallest_first = sorted(sizes, key=lambda name: sizes[name])
    for i, name in enumerate(smallest_first):
        chosen[name] = min(sizes[name], left // (len(sizes) - i))
        left -= chosen[name]
    return chosen
