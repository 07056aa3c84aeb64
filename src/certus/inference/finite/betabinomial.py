"""The beta-binomial law: what a sample says of the number of hits, given a beta prior of their share."""

import math
from typing import Protocol

from certus.arrays import Floats
from certus.inference.finite.smooth import Smooth
from certus.inference.finite.unimodal import SLACK, first_true, least_above, window
from certus.inference.special import normal_quantile

__all__ = ["PRIORS", "Counts", "Posterior", "hpd", "posterior"]

PRIORS = {"uniform": (1.0, 1.0), "jeffreys": (0.5, 0.5)}
"""The named priors as the two parameters of a beta law; uniform makes every count equally likely."""

WIDE = 2e4
"""Standard deviation beyond which sums over the law are integrated."""


class Counts(Protocol):
    """A law on whole numbers."""

    def at(self, x: int) -> float:
        """The probability of `x`."""

    def at_most(self, x: int) -> float:
        """The probability of `x` or less."""

    def at_least(self, x: int) -> float:
        """The probability of `x` or more."""

    def between(self, low: int, high: int) -> float:
        """The probability of `low` to `high`."""

    def run(self, low: int, high: int) -> Floats:
        """The probability of each number from `low` to `high`."""


def beta_binomial(trials: int, a: float, b: float) -> Counts:
    """The law of X with ``P(X = x) = C(T, x) B(x + a, T - x + b) / B(a, b)``.

    Examples
    --------
    >>> law = beta_binomial(4, 1, 1)
    >>> round(law.at(3), 15), round(law.at_most(3), 15)
    (0.2, 0.8)
    """
    mode = _mode(trials, a, b)
    scale = math.sqrt(trials * (a / (a + b)) * (b / (a + b)) * ((a + b + trials) / (a + b + 1)))
    if scale > WIDE:
        return Smooth(trials, a, b)

    def ratio(x: Floats) -> Floats:
        return (x + a) * (trials - x) / ((x + 1) * (trials - x - 1 + b))

    return window(ratio, mode, 0, trials, scale)


def _mode(trials: int, a: float, b: float) -> int:
    if min(a, b) <= 1:
        # An end is likeliest, or all counts are alike.
        return 0 if a <= b else trials
    return min(max(math.floor((trials + 1) * ((a - 1) / (a + b - 2))), 0), trials)


class Posterior:
    """The law of the number of hits in a population of N when k of n checked are hits, cut to the possible counts.

    With the prior Beta(a, b) of the share of hits, the hits among the N - n unchecked are beta-binomial with parameters
    a + k and b + n - k. For the uniform prior that is ``C(x, k) C(N - x, n - k) / C(N + 1, n + 1)``.

    Source: Bolfarine & Zacks (1992), Prediction Theory for Finite Populations, Springer, for the predictive law.
    """

    __slots__ = ("_law", "_shape", "_shift", "_trials", "high", "low", "mode", "total")

    def __init__(
        self,
        k: int,
        n: int,
        population: int,
        prior: tuple[float, float] = (1.0, 1.0),
        possible: tuple[int, int] | None = None,
    ) -> None:
        a, b = prior
        self._shift = k
        self._trials, self._shape = population - n, (k + a, n - k + b)
        self._law = beta_binomial(self._trials, *self._shape)
        self.low, self.high = possible or (k, population - n + k)
        self.mode = min(max(k + _mode(self._trials, *self._shape), self.low), self.high)
        whole = (self.low, self.high) == (k, population - n + k)
        self.total = 1.0 if whole else self._law.between(self.low - k, self.high - k)

    @property
    def mean_and_spread(self) -> tuple[float, float]:
        """Mean and standard deviation before impossible counts are cut."""
        k, trials, a, b = self._shift, self._trials, *self._shape
        share, n = a / (a + b), a + b
        return k + trials * share, math.sqrt(trials * share * (b / n) * ((n + trials) / (n + 1)))

    def at(self, x: int) -> float:
        """The probability of `x` hits."""
        return self._law.at(x - self._shift) / self.total if self.low <= x <= self.high else 0.0

    def at_most(self, x: int) -> float:
        """The probability of `x` or fewer hits."""
        if self.total == 1.0:
            return self._law.at_most(x - self._shift)
        return self.between(self.low, x)

    def at_least(self, x: int) -> float:
        """The probability of `x` or more hits."""
        if self.total == 1.0:
            return self._law.at_least(x - self._shift)
        return self.between(x, self.high)

    def between(self, low: int, high: int) -> float:
        """The probability of `low` to `high` hits."""
        low, high = max(low, self.low), min(high, self.high)
        return self._law.between(low - self._shift, high - self._shift) / self.total if low <= high else 0.0

    def run(self, low: int, high: int) -> Floats:
        """The probability of each number of hits from `low` to `high`, all of them possible."""
        return self._law.run(low - self._shift, high - self._shift) / self.total


def posterior(law: Posterior, level: float) -> tuple[int, int]:
    """The equal-tailed interval: on either side no more than half of 1 - `level` is left out.

    Examples
    --------
    >>> posterior(Posterior(400, 500, 1000), 0.95)
    (774, 823)
    """
    tail = (1 - level) / 2
    z, bound = -normal_quantile(tail), tail * (1 + SLACK)
    mean, spread = law.mean_and_spread
    low = least_above(law.at_most, bound, law.low - 1, law.high, mean - z * spread, spread)
    mirror = law.high + law.low
    high = mirror - least_above(
        lambda x: law.at_least(mirror - x), bound, law.low - 1, law.high, mirror - mean - z * spread, spread
    )
    return low, high


def hpd(law: Posterior, level: float) -> tuple[int, int]:
    """The interval of highest posterior density: the likeliest counts that make up the level; equal ones together.

    Examples
    --------
    >>> hpd(Posterior(400, 500, 1000), 0.95)
    (775, 824)
    """
    wanted = level * (1 - SLACK)
    around, (_, spread), peak = posterior(law, level), law.mean_and_spread, law.at(law.mode)

    def straight(density: float) -> float:
        """Minus the distance from the mode, in standard deviations, if the law is normal."""
        return -math.sqrt(max(2 * math.log(peak / density), 0.0)) if density > 0 else -math.inf

    def partner(low: int) -> int:
        """The greatest count no less likely than `low`, which is at or below the mode: found from the far end."""
        least, guess = law.at(low) * (1 - SLACK), law.high - (around[1] + around[0] - low)
        towards = law.high - law.mode
        return law.high - least_above(lambda down: law.at(law.high - down), least, -1, towards, guess, spread, straight)

    def mass(down: int) -> float:
        low = law.mode - down
        return law.between(low, partner(low)) if low >= law.low else 1.0

    down = least_above(mass, wanted, -1, law.mode - law.low + 1, law.mode - around[0], spread / 2)
    low = law.mode - down
    if low < law.low:  # all counts below the mode, and still less than the level
        return law.low, first_true(lambda x: law.between(law.low, x) >= wanted, law.mode - 1, law.high)
    high = partner(low)
    # The counts above the mode that are likelier than `low` enter before it; perhaps the level is reached with them.
    if down > 0 and law.between(low + 1, high) >= wanted:
        reached = first_true(lambda x: law.between(low + 1, x) >= wanted, partner(low + 1), high)
        if law.at(reached) > law.at(low) * (1 + SLACK):
            return low + 1, reached
    return low, high
