"""Distributions of counts; the beta-binomial one is the posterior of the hits, from a beta prior for their share.

Probabilities are made from the ratios of neighbours. A ratio of two neighbours is a rational function with four
factors, right to a few units in the last place whatever the population; logarithms of factorials of a billion would
have lost seven digits. So probabilities are products of ratios outwards from the mode, divided by their sum.

Laws too wide to be summed term by term, as for a population of a billion: the sum over whole numbers is the integral of
the same formula between half-integers, up to a correction by the derivative at both ends (Euler and Maclaurin's formula
for midpoints); the next one is below 1e-15 here. Within the first and the last few thousand counts, where the formula
may have a pole, terms are summed.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError
from certus.inference.search import first_above, first_true
from certus.inference.special import normal_quantile, preload

SLACK = 1e-11
"""Probabilities that differ by no more than this part of themselves are equal: exact ties must not hang on rounding."""

NEGLIGIBLE = 1e-24
"""Probabilities of at most this part of the greatest one end a window."""

CUT = 1e-22
"""Mass outside of a window, at most."""

LONGEST = 20_000_000
"""The longest window: about six arrays of 160 MB each."""

_DIRECT = 300_000_000
"""Products that a convolution may cost before it is done by Fourier transforms."""


@dataclass(frozen=True, eq=False)
class CountDistribution:
    """``P(X = start + i) = mass[i]``; `cut` bounds the mass left out, `error` the absolute error of a probability."""

    start: int
    mass: Floats
    cut: float = 0.0
    error: float = 0.0

    @property
    def last(self) -> int:
        """Last number of the window."""
        return self.start + len(self.mass) - 1

    @functools.cached_property
    def up_to(self) -> Floats:
        """``P(X < start + i)`` for i from 0 to the window's length; small sums are exact to their last digits."""
        return np.concatenate(([0.0], np.minimum(np.cumsum(self.mass)[:-1], 1.0), [1.0]))

    @functools.cached_property
    def upper_sums(self) -> Floats:
        """``P(X >= start + i)`` for i from 0 to the window's length."""
        return np.concatenate(([1.0], np.minimum(np.cumsum(self.mass[:0:-1]), 1.0)[::-1], [0.0]))

    def probability_below(self, x: NDArray[np.int64]) -> Floats:
        """``P(X < x)``."""
        return self.up_to[np.clip(x - self.start, 0, len(self.mass))]

    def probability_from(self, x: NDArray[np.int64]) -> Floats:
        """``P(X >= x)``."""
        return self.upper_sums[np.clip(x - self.start, 0, len(self.mass))]

    @functools.cached_property
    def support(self) -> NDArray[np.int64]:
        """Numbers in the window."""
        return np.arange(self.start, self.last + 1, dtype=np.int64)

    def probability(self, x: int) -> float:
        """``P(X = x)``."""
        return float(self.mass[x - self.start]) if self.start <= x <= self.last else 0.0

    def lower_tail(self, x: int) -> float:
        """``P(X <= x)``."""
        return float(self.up_to[min(max(x + 1 - self.start, 0), len(self.mass))])

    def upper_tail(self, x: int) -> float:
        """``P(X >= x)``."""
        return float(self.upper_sums[min(max(x - self.start, 0), len(self.mass))])

    def interval_probability(self, low: int, high: int) -> float:
        """``P(low <= X <= high)``."""
        return float(self.mass[max(low - self.start, 0) : max(high - self.start + 1, 0)].sum())

    def run(self, low: int, high: int) -> Floats:
        """Probability of each number from `low` to `high`."""
        chances = np.zeros(high - low + 1)
        first, last = max(low, self.start), min(high, self.last)
        if first <= last:
            chances[first - low : last - low + 1] = self.mass[first - self.start : last - self.start + 1]
        return chances


def window(
    ratio: Callable[[Floats], Floats], mode: int, low: int, high: int, scale: float, subject: str = "", shift: int = 0
) -> CountDistribution:
    """Distribution on `low` to `high`, from the ratio of the probabilities of x + 1 and x; `shift` is added to X."""
    up = _outwards(lambda step: ratio(mode + step), high - mode, scale, subject)
    down = _outwards(lambda step: 1 / ratio(mode - 1 - step), mode - low, scale, subject)
    mass = np.concatenate([down[::-1], [1.0], up])
    complete = len(mass) == high - low + 1
    return CountDistribution(
        mode - len(down) + shift, mass / mass.sum(), 0.0 if complete else CUT, 2e-16 * math.sqrt(len(mass))
    )


def _outwards(factor: Callable[[Floats], Floats], steps: int, scale: float, subject: str) -> Floats:
    """Products of the factors of steps 0, 1, ..., until they are negligible."""
    parts: list[Floats] = []
    n_steps, last, size = 0, 1.0, 11 * math.ceil(scale) + 16
    while n_steps < steps and (last > NEGLIGIBLE or not parts):
        if n_steps >= LONGEST:
            raise CertusError(
                f"the number of relevant items {subject} stays open over more than {n_steps} values",
                f"the exact sum takes at most {LONGEST}: check more items",
            )
        size = min(size, steps - n_steps, LONGEST)
        products = last * np.cumprod(factor(np.arange(n_steps, n_steps + size, dtype=np.float64)), dtype=np.float64)
        parts.append(products)
        n_steps, last, size = n_steps + size, float(products[-1]), 2 * size
    return np.concatenate(parts) if parts else np.empty(0)


def beta_binomial(trials: int, a: float, b: float, shift: int = 0) -> CountDistribution:
    """Distribution of X + `shift`, with ``P(X = x) = C(T, x) B(x + a, T - x + b) / B(a, b)``."""

    def ratio(x: Floats) -> Floats:
        return (x + a) * (trials - x) / ((x + 1) * (trials - x - 1 + b))

    subject = f"among {trials} unchecked ones"
    return window(
        ratio, beta_binomial_mode(trials, a, b), 0, trials, beta_binomial_spread(trials, a, b), subject, shift
    )


def beta_binomial_mode(trials: int, a: float, b: float) -> int:
    """Most probable count of a beta-binomial variable; an endpoint if no inner count is more probable."""
    if min(a, b) <= 1:
        return 0 if a <= b else trials
    return min(max(math.floor((trials + 1) * ((a - 1) / (a + b - 2))), 0), trials)


def beta_binomial_spread(trials: int, a: float, b: float) -> float:
    """Standard deviation of a beta-binomial count."""
    return math.sqrt(trials * (a / (a + b)) * (b / (a + b)) * ((a + b + trials) / (a + b + 1)))


def total_law(parts: list[tuple[int, float, float, int]]) -> CountDistribution:
    """Distribution of a sum of independent beta-binomial counts, each ``(trials, a, b, shift)``; 0 without any."""
    laws = sorted((beta_binomial(*part) for part in parts), key=lambda law: len(law.mass))
    total = CountDistribution(0, np.ones(1))
    for law in laws:
        total = _sum(total, law)
    return total


def _sum(x: CountDistribution, y: CountDistribution) -> CountDistribution:
    """Convolve two distributions; by Fourier transform if much faster, with an absolute error of about 1e-15."""
    length = len(x.mass) + len(y.mass) - 1
    if length > LONGEST:
        raise CertusError(
            f"the number of relevant items in the strata stays open over {length} values",
            f"the exact sum takes at most {LONGEST}: check more items",
        )
    error = x.error + y.error
    if len(x.mass) * len(y.mass) <= _DIRECT:
        mass = np.convolve(x.mass, y.mass)
    else:
        size = 1 << (length - 1).bit_length()
        mass = np.fft.irfft(np.fft.rfft(x.mass, size) * np.fft.rfft(y.mass, size), size)[:length]
        # Rounding of the transforms leaves at most about 1e-16 log2(size) |x| |y| on each of the values.
        norms = float(np.linalg.norm(x.mass) * np.linalg.norm(y.mass))
        error += 4e-16 * math.log2(size) * norms * math.sqrt(length)
        mass = np.maximum(mass, 0.0)
    return CountDistribution(x.start + y.start, mass / mass.sum(), x.cut + y.cut, error)


NODES = 12
WIDTH = 1 / 8
"""Half the width of a block, in units of its middle."""
SINGLE = 256
_SLICE = 1 << 16


def compress(law: CountDistribution) -> tuple[Floats, Floats]:
    """Points and weights with ``sum(weights * f(points))`` close to the expectation of f."""
    points, weights = [], []
    first = law.start
    while first <= law.last:
        last = min(math.floor(first * (1 + WIDTH) / (1 - WIDTH)), law.last) if first > SINGLE else first
        if last - first < 2 * NODES:
            last = min(first + 2 * NODES, law.last)
            mass = law.mass[first - law.start : last + 1 - law.start]
            points.append(np.arange(first, last + 1, dtype=np.float64))
            weights.append(mass)
        else:
            nodes, expectations = _block(law, first, last)
            points.append(nodes)
            weights.append(expectations)
        first = last + 1
    return np.concatenate(points), np.concatenate(weights)


def _block(law: CountDistribution, first: int, last: int) -> tuple[Floats, Floats]:
    """Chebyshev points of the first kind, and the expectations of their Lagrange polynomials over a block."""
    middle, half = (first + last) / 2, (last - first) / 2
    angles = (2 * np.arange(NODES) + 1) * (math.pi / (2 * NODES))
    nodes = np.cos(angles)
    # The Lagrange polynomial of node j is (1 + 2 sum_k T_k(node j) T_k(t)) / NODES over k = 1 .. NODES - 1.
    moments = np.zeros(NODES)
    for begin in range(first, last + 1, _SLICE):
        end = min(begin + _SLICE, last + 1)
        t = (np.arange(begin, end, dtype=np.float64) - middle) / half
        mass = law.mass[begin - law.start : end - law.start]
        before, now = np.ones_like(t), t
        moments[0] += mass.sum()
        for k in range(1, NODES):
            moments[k] += mass @ now
            before, now = now, 2 * t * now - before
    scale = np.full(NODES, 2.0)
    scale[0] = 1.0
    polynomials = np.cos(np.outer(angles, np.arange(NODES)))
    return middle + half * nodes, polynomials @ (scale * moments) / NODES


EDGE = 4096
"""Counts at either end that are summed one by one."""

STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


@functools.cache
def _gauss() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss-Legendre quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return nodes, weights


class WideBetaBinomial:
    """Beta-binomial distribution of more than 2 EDGE trials, without a list of its probabilities."""

    def __init__(self, trials: int, a: float, b: float) -> None:
        self.trials = trials
        self._lower, self._upper = _LowerTail(trials, a, b), _LowerTail(trials, b, a)
        self._total = 1.0
        self._total = self.lower_tail(trials // 2) + self.upper_tail(trials // 2 + 1)

    def probability(self, x: int) -> float:
        """The probability of `x`."""
        return float(self.run(x, x)[0]) if 0 <= x <= self.trials else 0.0

    def lower_tail(self, x: int) -> float:
        """Probability of `x` or fewer."""
        if x > self.trials - EDGE:
            return 1 - self.upper_tail(x + 1)
        return self._lower.mass(x) / self._total

    def upper_tail(self, x: int) -> float:
        """The probability of `x` or more."""
        if x < EDGE:
            return 1 - self.lower_tail(x - 1)
        return self._upper.mass(self.trials - x) / self._total

    def interval_probability(self, low: int, high: int) -> float:
        """Probability of `low` to `high`, both included."""
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
    """Lower tail of a wide beta-binomial distribution, by quadrature in ``u = log(x / (T - x))``."""

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
        """Probability of at most x."""
        if x < EDGE:
            return float(self.head[: max(x + 1, 0)].sum())
        u = self._u(x + 0.5)
        if u <= self._edges[0]:
            return self._sum_of_head
        panel = int(np.clip(np.searchsorted(self._edges, u) - 1, 0, len(self._edges) - 2))
        inside = self._sums[panel] + self._integral(self._edges[panel : panel + 1], np.array([u]))[0]
        return float(self._sum_of_head + inside - (self._derivative(x + 1) - self._correction) / 24)

    def _u(self, x: float) -> float:
        """Logit of x / T, the variable of integration."""
        return math.log(x / (self.trials - x))

    def _integral(self, low: Floats, high: Floats) -> Floats:
        """Integral of the density in u over each panel."""
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
        """Probabilities of the first EDGE counts, by ratios of neighbours from EDGE downwards."""
        x = np.arange(EDGE - 1, -1, -1, dtype=np.float64)
        ratios = (x + 1) * (self.trials - x - 1 + self.b) / ((x + self.a) * (self.trials - x))
        return np.asarray(np.exp(self.log(np.array([float(EDGE)]))[0] + np.cumsum(np.log(ratios)))[::-1])

    def log(self, x: Floats) -> Floats:
        """Logarithm of the probability of x, by Stirling's series."""
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
    """``x log(x / m) + m - x``, accurate to all digits even if x is near m."""
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
    """Error of Stirling's formula for the logarithm of the gamma function."""
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
    """Posterior of the hits among N items if k of n checked ones are hits, within the possible counts."""

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
        """Mean and standard deviation before the restriction to possible counts."""
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
        """Probability of `low` to `high` hits, both included."""
        low, high = max(low, self.low), min(high, self.high)
        return (
            self._law.interval_probability(low - self._shift, high - self._shift) / self.total if low <= high else 0.0
        )

    def run(self, low: int, high: int) -> Floats:
        """Probabilities of all numbers of hits from `low` to `high`, which must be possible."""
        return self._law.run(low - self._shift, high - self._shift) / self.total


def posterior(law: Posterior, level: float) -> tuple[int, int]:
    """Equal-tailed interval: at most half of 1 - `level` lies on either side of it."""
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
    """Interval of highest posterior density: the most probable counts with total probability `level`."""
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
