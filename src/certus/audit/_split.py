"""The best split of a sample between retrieved and discarded items."""

import math
from dataclasses import dataclass

import numpy as np

from certus.arrays import Floats
from certus.audit._check import count
from certus.audit._outcomes import Outcomes, rough_width
from certus.audit.strata import two_samples
from certus.errors import CertusError
from certus.inference.declare import FORMS, LABELS
from certus.inference.interval import checked_level
from certus.readable import Readable
from certus.statistic.sampled import NamedPrior, Strata, Stratum


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


NODES = 3, 4
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
    question = _Question(
        count(retrieved, "retrieved", "the retrieved items", minimum=1),
        count(discarded, "discarded", "the discarded items", minimum=1),
        _share("precision", precision),
        _share("elusion", elusion),
        level,
        interval,
        prior,
    )
    if (checked is None) == (half_width is None):
        raise CertusError("give either checked, how many items to check, or half_width, how narrow an interval to get")
    if checked is None:
        if half_width is None or not 0 < half_width < 0.5:
            raise CertusError(f"is {half_width}", "it must be above 0 and below 0.5", argument="half_width")
        return question.answer(question.sizes(question.fewest(half_width)), half_width)
    checked = count(checked, "checked", "the items to check", minimum=2)
    question.choose(checked)
    return question.answer(question.sizes(checked))


class _Question:
    """The population as it is guessed, and an interval method."""

    def __init__(
        self,
        retrieved: int,
        discarded: int,
        precision: float,
        elusion: float,
        level: float,
        method: str,
        prior: NamedPrior,
    ) -> None:
        self.items = retrieved, discarded
        self.hits = tuple(
            math.floor(share * n + 0.5) for share, n in zip((precision, elusion), self.items, strict=True)
        )
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
        """The expected outcome of samples of these sizes."""
        (x, y), halves = self.halves(sizes)
        shares = [hits / n for hits, n in zip(self.hits, self.items, strict=True)]
        return Split(
            *self.items,
            shares[0],
            shares[1],
            self.hits[0] / sum(self.hits),
            *sizes,
            self.level,
            self.method,
            float(x @ halves @ y),
            half_width,
            None if half_width is None else float(x @ (halves <= half_width) @ y),
        )

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
        """A number of items to check that gives the expected half width, while one less does not.

        The square root law leads close to it, and bisection does the rest; among many items to half a percent.
        """
        low, high, rounds = 1, sum(self.items), 0
        tried = min(high, tried)
        while high - low > (gap := max(high // CLOSE, 1)):
            expected = self.expected(self.sizes(tried))
            low, high = (low, tried) if expected <= half_width else (tried, high)
            rounds += 1
            # the width goes with the square root of the sample, less the finite-population correction
            scaled = round(tried * (expected / half_width) ** 2) if rounds < ROUNDS else (low + high) // 2
            tried = min(max(scaled, low + gap), high - gap)
        return high

    def expected(self, sizes: tuple[int, int]) -> float:
        """The expected half width of the interval of recall."""
        chances, halves = self.halves(sizes)
        return float(chances[0] @ halves @ chances[1])

    def halves(self, sizes: tuple[int, int]) -> tuple[tuple[Floats, Floats], Floats]:
        """Outcome probabilities in both samples, and the half width of the interval for each pair."""
        laws = [Outcomes.hypergeometric(*counts) for counts in zip(self.items, self.hits, sizes, strict=True)]
        (x, x_weights), (y, y_weights) = (law.quadrature(n) for law, n in zip(laws, NODES, strict=True))
        widths = np.array([[self._width(sizes, (i, j)) for j in y] for i in x])
        return (laws[0].chance, laws[1].chance), x_weights @ widths @ y_weights.T / 2

    def _width(self, sizes: tuple[int, int], hits: tuple[int, int]) -> float:
        if self.method == "posterior" and sum(self.items) > LARGE:
            return rough_width(self.items, sizes, hits, self.level, self.prior)
        audit = two_samples(
            retrieved=self.items[0],
            retrieved_checked=sizes[0],
            retrieved_hits=hits[0],
            discarded=self.items[1],
            discarded_checked=sizes[1],
            discarded_hits=hits[1],
            level=self.level,
            interval=self.method,
            prior=self.prior,
        )
        estimate = audit.recall
        return 1.0 if estimate.reason else estimate.interval().high - estimate.interval().low


def _share(name: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise CertusError(f"is {value}", "it is a share, from 0 to 1", argument=name)
    return value
