"""The beta-binomial law: what a sample says about the number of hits, given a beta prior for their share.

Laws too wide to be summed term by term, as for a population of a billion: the sum over whole numbers is the integral of
the same formula between half-integers, up to a correction by the
derivative at both ends (Euler and Maclaurin's formula for midpoints); the next one is below 1e-15 here. Within the
first and the last few thousand counts, where the formula may have a pole, terms are summed.
"""

import functools
import math

import numpy as np

from certus.core.arrays import Floats
from certus.inference.bisection import first_above, first_true
from certus.inference.finite.unimodal import SLACK, beta_binomial, beta_binomial_mode, beta_binomial_spread
from certus.inference.special import normal_quantile, preload

EDGE = 4096
"""Counts at either end that are summed one by one."""

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


@functools.cache
def _gauss() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre's rule."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return nodes, weights


class WideBetaBinomial:
    """The law with ``P(x) = C(T, x) B(x + a, T - x + b) / B(a, b)`` for T above 2 EDGE."""

    def __init__(self, trials: int, a: float, b: float) -> None:
        self.trials = trials
        self._lower, self._upper = _LowerTail(trials, a, b), _LowerTail(trials, b, a)
        self._total = 1.0
        self._total = self.lower_tail(trials // 2) + self.upper_tail(trials // 2 + 1)

    def probability(self, x: int) -> float:
        """The probability of `x`."""
        return float(self.run(x, x)[0]) if 0 <= x <= self.trials else 0.0

    def lower_tail(self, x: int) -> float:
        """The probability of `x` or less."""
        if x > self.trials - EDGE:
            return 1 - self.upper_tail(x + 1)
        return self._lower.mass(x) / self._total

    def upper_tail(self, x: int) -> float:
        """The probability of `x` or more."""
        if x < EDGE:
            return 1 - self.lower_tail(x - 1)
        return self._upper.mass(self.trials - x) / self._total

    def interval_probability(self, low: int, high: int) -> float:
        """The probability of `low` to `high`."""
        lower_tail, upper_tail = self.lower_tail(low - 1), self.upper_tail(high + 1)
        if lower_tail > 0.5:
            return self.upper_tail(low) - upper_tail
        return self.lower_tail(high) - lower_tail if upper_tail > 0.5 else 1 - lower_tail - upper_tail

    def run(self, low: int, high: int) -> Floats:
        """The probability of each number from `low` to `high`."""
        x = np.arange(low, high + 1, dtype=np.float64)
        chances = np.exp(self._lower.log(np.clip(x, EDGE, self.trials - EDGE)))
        for tail, counts in ((self._lower, x), (self._upper, self.trials - x)):
            first = counts < EDGE
            chances[first] = tail.head[counts[first].astype(np.int64)]
        return np.asarray(chances / self._total)


class _LowerTail:
    """Sums of the law over the counts up to one, by its integral in ``u = log(x / (T - x))``."""

    def __init__(self, trials: int, a: float, b: float) -> None:
        self.trials, self.a, self.b = trials, a, b
        # The spread of u: of a share with a + b observations, and of its binomial count among T trials.
        step = min(1.0, math.sqrt((1 / a + 1 / b) * (a + b + trials) / trials) / 2)
        left, right = self._u(EDGE - 0.5), self._u(trials - EDGE + 0.5)
        centre = min(max(math.log(a / b), left), right)
        # The law falls off as exp(a u) and exp(-b u), and within some standard deviations where a and b are large.
        steps = math.ceil(max(25 * 2 * step, 45 / min(a, b)) / step)
        self._edges = np.unique(np.clip(centre + step * np.arange(-steps, steps + 1), left, right))
        self.head, self._correction = self._head(), self._derivative(EDGE)
        self._sum_of_head = float(self.head.sum())
        if self._edges[0] > left:  # what lies before is negligible
            self.head, self._sum_of_head, self._correction = np.zeros(EDGE), 0.0, 0.0
        self._sums = np.concatenate([[0.0], np.cumsum(self._integral(self._edges[:-1], self._edges[1:]))])

    def mass(self, x: int) -> float:
        """The sum up to x."""
        if x < EDGE:
            return float(self.head[: max(x + 1, 0)].sum())
        u = self._u(x + 0.5)
        if u <= self._edges[0]:
            return self._sum_of_head
        panel = int(np.clip(np.searchsorted(self._edges, u) - 1, 0, len(self._edges) - 2))
        inside = self._sums[panel] + self._integral(self._edges[panel : panel + 1], np.array([u]))[0]
        return float(self._sum_of_head + inside - (self._derivative(x + 1) - self._correction) / 24)

    def _u(self, x: float) -> float:
        return math.log(x / (self.trials - x))

    def _integral(self, low: Floats, high: Floats) -> Floats:
        """The integrals of the law over the panels, in u."""
        nodes, weights = _gauss()
        half = (high - low) / 2
        u = ((high + low) / 2)[:, np.newaxis] + half[:, np.newaxis] * nodes
        x = self.trials / (1 + np.exp(-u))
        inner = np.exp(self.log(x)) * x * (1 - x / self.trials)
        integrals: Floats = inner @ weights * half
        return integrals

    def _derivative(self, x: int) -> float:
        """The derivative at x - 1/2, as the difference of the probabilities of x and x - 1."""
        here = math.exp(self.log(np.array([float(x)]))[0])
        before = x * (self.trials - x + self.b) / ((x - 1 + self.a) * (self.trials - x + 1))
        return here * (1 - before)

    def _head(self) -> Floats:
        """The probabilities of the first counts: products of ratios, from count EDGE down."""
        x = np.arange(EDGE - 1, -1, -1, dtype=np.float64)
        ratios = (x + 1) * (self.trials - x - 1 + self.b) / ((x + self.a) * (self.trials - x))
        return np.asarray(np.exp(self.log(np.array([float(EDGE)]))[0] + np.cumsum(np.log(ratios)))[::-1])

    def log(self, x: Floats) -> Floats:
        """The logarithm of the probability, by Stirling's series."""
        # Loader (2000), Fast and accurate computation of binomial probabilities, for the deviance of a cell.
        a, b, t = self.a, self.b, float(self.trials)
        y, total = t - x, t + a + b
        row, other = x + a, y + b
        deviance = (
            _deviance(x, row / total * t)
            + _deviance(a, row / total * (a + b))
            + _deviance(y, other / total * t)
            + _deviance(b, other / total * (a + b))
        )
        factor = np.log(a * b / (a + b) * t / (2 * math.pi) * (total / row) / x / y / other) / 2
        correction = (
            _stirling(row) - _stirling(x) - _stirling(a) + _stirling(other) - _stirling(y) - _stirling(b)
            - _stirling(total) + _stirling(t) + _stirling(a + b)
        )  # fmt: skip
        logarithm: Floats = factor - deviance + correction
        return logarithm


def _deviance(x: Floats | float, expected: Floats) -> Floats:
    """``x log(x / m) + m - x``, right to all digits where x is near m."""
    x, m = np.broadcast_arrays(np.asarray(x, dtype=np.float64), expected)
    v = (x - m) / (x + m)
    square = v * v
    series = np.zeros_like(v)
    for power in range(15, 0, -1):
        series = square * (series + 1 / (2 * power + 1))
    near = (x - m) * v + 2 * x * v * series
    with np.errstate(divide="ignore", invalid="ignore"):
        far = x * np.log(x / m) + m - x
    deviance: Floats = np.where(np.abs(v) < 0.1, near, far)
    return deviance


def _stirling(z: Floats | float) -> Floats:
    """The part that Stirling's formula leaves of the logarithm of the gamma function."""
    z = np.atleast_1d(np.asarray(z, dtype=np.float64))
    small = np.minimum(z, 16.0)
    direct = preload().gammaln(small) - (small - 0.5) * np.log(small) + small - math.log(2 * math.pi) / 2
    series = np.zeros_like(z)
    for coefficient in STIRLING[::-1]:
        series = series / (z * z) + coefficient
    remainder: Floats = np.where(z < 16, direct, series / z)
    return remainder


PRIORS = {"uniform": (1.0, 1.0), "jeffreys": (0.5, 0.5)}
"""The named priors as the two parameters of a beta law; uniform makes every count equally likely."""

WIDE = 2e4
"""Standard deviation beyond which sums over the law are integrated."""


class Posterior:
    """Posterior law for the hits in a population of N when k of n checked are hits, cut to the possible counts."""

    # Bolfarine & Zacks (1992), Prediction Theory for Finite Populations, Springer, for the predictive law.

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
        wide = beta_binomial_spread(self._trials, *self._shape) > WIDE
        self._law = (WideBetaBinomial if wide else beta_binomial)(self._trials, *self._shape)
        self.low, self.high = possible or (k, population - n + k)
        self.mode = min(max(k + beta_binomial_mode(self._trials, *self._shape), self.low), self.high)
        is_uncut = (self.low, self.high) == (k, population - n + k)
        self.total = 1.0 if is_uncut else self._law.interval_probability(self.low - k, self.high - k)

    @property
    def mean_and_spread(self) -> tuple[float, float]:
        """Mean and standard deviation before impossible counts are cut."""
        a, b = self._shape
        return self._shift + self._trials * a / (a + b), beta_binomial_spread(self._trials, a, b)

    def probability(self, x: int) -> float:
        """The probability of `x` hits."""
        return self._law.probability(x - self._shift) / self.total if self.low <= x <= self.high else 0.0

    def lower_tail(self, x: int) -> float:
        """The probability of `x` or fewer hits."""
        if self.total == 1.0:
            return self._law.lower_tail(x - self._shift)
        return self.interval_probability(self.low, x)

    def upper_tail(self, x: int) -> float:
        """The probability of `x` or more hits."""
        if self.total == 1.0:
            return self._law.upper_tail(x - self._shift)
        return self.interval_probability(x, self.high)

    def interval_probability(self, low: int, high: int) -> float:
        """The probability of `low` to `high` hits."""
        low, high = max(low, self.low), min(high, self.high)
        return (
            self._law.interval_probability(low - self._shift, high - self._shift) / self.total if low <= high else 0.0
        )

    def run(self, low: int, high: int) -> Floats:
        """Probabilities for all numbers of hits from `low` to `high`, which must be possible."""
        return self._law.run(low - self._shift, high - self._shift) / self.total


def posterior(law: Posterior, level: float) -> tuple[int, int]:
    """The equal-tailed interval: on either side no more than half of 1 - `level` is left out."""
    tail = (1 - level) / 2
    z, bound = -normal_quantile(tail), tail * (1 + SLACK)
    mean, spread = law.mean_and_spread
    low = first_above(law.lower_tail, bound, law.low - 1, law.high, mean - z * spread, spread)
    mirror = law.high + law.low
    high = mirror - first_above(
        lambda x: law.upper_tail(mirror - x), bound, law.low - 1, law.high, mirror - mean - z * spread, spread
    )
    return low, high


def hpd(law: Posterior, level: float) -> tuple[int, int]:
    """The interval of highest posterior density: the likeliest counts that make up the level; equal ones together."""
    wanted = level * (1 - SLACK)
    around, (_, spread), peak = posterior(law, level), law.mean_and_spread, law.probability(law.mode)

    def straight(density: float) -> float:
        """Minus the distance from the mode, in standard deviations, if the law is normal."""
        return -math.sqrt(max(2 * math.log(peak / density), 0.0)) if density > 0 else -math.inf

    def partner(low: int) -> int:
        """The greatest count no less likely than `low`, which is at or below the mode: found from the far end."""
        threshold, guess = law.probability(low) * (1 - SLACK), law.high - (around[1] + around[0] - low)
        towards = law.high - law.mode
        return law.high - first_above(
            lambda down: law.probability(law.high - down), threshold, -1, towards, guess, spread, straight
        )

    def mass(down: int) -> float:
        low = law.mode - down
        return law.interval_probability(low, partner(low)) if low >= law.low else 1.0

    down = first_above(mass, wanted, -1, law.mode - law.low + 1, law.mode - around[0], spread / 2)
    low = law.mode - down
    if low < law.low:  # all counts below the mode, and still less than the level
        return law.low, first_true(lambda x: law.interval_probability(law.low, x) >= wanted, law.mode - 1, law.high)
    high = partner(low)
    # The counts above the mode that are likelier than `low` enter before it; perhaps the level is reached with them.
    if down > 0 and law.interval_probability(low + 1, high) >= wanted:
        reached = first_true(lambda x: law.interval_probability(low + 1, x) >= wanted, partner(low + 1), high)
        if law.probability(reached) > law.probability(low) * (1 + SLACK):
            return low + 1, reached
    return low, high
