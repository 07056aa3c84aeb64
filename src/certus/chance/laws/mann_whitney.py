"""The null law of the Mann-Whitney statistic without ties, and mixtures of such laws."""

import math
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Lattice
from certus.chance.laws.hits import bernoulli_numbers, log_atom
from certus.chance.probability import Answer, log_rest
from certus.core.arrays import Floats, flush
from certus.transform.inversion import Cumulants, Inversion, Limits, around, find_tilt, half_turns
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile

# log(sinh x / x) is the sum of these times x^2, x^4, ...
SERIES = tuple(
    float(2**k * b / (k * math.factorial(k))) for k, b in enumerate(bernoulli_numbers(22)) if k and not k % 2
)

DIRECT = 20_000
"""Of sums with more terms than this, the terms behind the first ones are an integral with an end correction."""

HEAD = 300
"""The first ones."""


def summed_log_sinhc(m: int, n: int, z: Any) -> tuple[Any, Any, Any]:
    """The sum over j <= m of f((n + j) z / 2) - f(j z / 2), f(x) = log(sinh(x) / x), and its first two derivatives."""
    z = np.asarray(z)
    head = m if m <= DIRECT else HEAD
    multiples, weights, correction = np.arange(1, head + 1, dtype=np.float64), np.ones(head), 0.0
    if head < m:
        # Euler and Maclaurin between the middles: the rest is an integral less 1/24 of the difference of slopes; what
        # follows is at most 7/2880 of HEAD ** -3. The function bends at the scale of its argument, so panels grow.
        nodes, steps = np.polynomial.legendre.leggauss(24)
        edges = np.geomspace(head + 0.5, m + 0.5, 2 + int(2 * math.log2(m / head)))
        centres, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
        multiples = np.append(multiples, (centres[:, None] + halves[:, None] * nodes).ravel())
        weights = np.append(weights, (halves[:, None] * steps).ravel())
        slopes = [log_sinhc(z * k / 2)[1] for k in (n + m + 0.5, m + 0.5, n + head + 0.5, head + 0.5)]
        correction = (slopes[0] - slopes[1] - slopes[2] + slopes[3]) * z / 48
    total: list[Any] = [-correction, 0.0, 0.0]
    for sign, lengths in ((1.0, n + multiples), (-1.0, multiples)):
        values = log_sinhc(np.multiply.outer(z, lengths / 2))
        for order, value in enumerate(values):
            total[order] = total[order] + sign * (value * (lengths / 2) ** order) @ weights
    return total[0], total[1], total[2]


def log_sinhc(x: Any) -> tuple[Any, Any, Any]:
    """The function and two derivatives, for a real part of at least 0."""
    near = np.abs(x) < 0.5
    small, large = np.where(near, x, 0.0), np.where(near, 1.0, x)
    square = small * small
    value, first, second = (np.zeros_like(square) for _ in range(3))
    for k in range(len(SERIES), 0, -1):
        value = value * square + SERIES[k - 1]
        first = first * square + SERIES[k - 1] * 2 * k
        second = second * square + SERIES[k - 1] * 2 * k * (2 * k - 1)
    decay = np.exp(-2 * large)
    return (
        np.where(near, value * square, large - np.log(2 * large) + np.log1p(-decay)),
        np.where(near, first * small, (1 + decay) / (1 - decay) - 1 / large),
        np.where(near, second, 1 / large**2 - 4 * decay / (1 - decay) ** 2),
    )


FREQUENCIES = 1 << 26
"""Most factors of the characteristic function to multiply."""

EASY = 1 << 20
"""So many factors are multiplied even where the first frequencies seem to be enough."""

SIMULATED = 1 << 23
"""Random values come from random rankings up to this many items, from quantiles beyond."""

TINY = 1e-300


def masses(m: int, n: int) -> list[Floats]:
    """P(U = u), u = 0..a n, for a = 0..m relevant among a + n items: how many of the n stand below each, added up.

    The item on top is relevant with probability a / (a + b); then it has all b others below it, and the rest is a
    random ranking again. Every term is positive, so the smallest probability has all its digits.
    """
    laws = [np.ones(1) for _ in range(m + 1)]
    for b in range(1, n + 1):
        for a in range(1, m + 1):
            law = np.zeros(a * b + 1)
            law[b:] = laws[a - 1] * (a / (a + b))
            law[: a * (b - 1) + 1] += laws[a] * (b / (a + b))
            laws[a] = law
    return laws


class MannWhitney(Lattice):
    """Number of pairs of a relevant and another item in order, for random rankings without ties; over a unit.

    The generating function is a product of m factors (a Gaussian binomial coefficient). It is inverted along a line
    on which the value asked for is the expected one, so that small probabilities keep their digits; the values are
    whole, so a finite Fourier sum takes the place of the integral.
    """

    _method = "fourier"

    def __init__(self, m: int, n: int, unit: int = 1) -> None:
        self._m, self._n = min(m, n), max(m, n)
        # A search for a quantile in a mixture asks the same again and again.
        self._answers: dict[tuple[int, bool], Answer] = {}
        super().__init__(0, m * n, unit)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        m, n = self._m, self._n
        second = Fraction(m * n * (m + n + 1), 12)
        powers = fourth_powers(m + n) - fourth_powers(n) - fourth_powers(m)
        return Fraction(m * n, 2), second, Fraction(0), 3 * second**2 - Fraction(powers, 120)

    def interval_probability(self, first: int, last: int) -> Answer:
        """Log of P(first <= U <= last), where the two are equal or one lies at an end or outside."""
        if first == last:
            return self._atom(first)
        return self._upper_tail(first) if last >= self._high else self._lower_tail(last)

    def _lower(self, index: int) -> Answer:
        return self._upper(self._high - index)

    def _upper(self, index: int) -> Answer:
        if 2 * index < self._high:
            log, error, method = self._cached_inversion(self._high + 1 - index, is_tail=True)
            return math.log1p(-math.exp(log)), error, method
        return self._cached_inversion(index, is_tail=True)

    def _atom(self, index: int) -> Answer:
        return self._cached_inversion(max(index, self._high - index), is_tail=False)

    def _cached_inversion(self, index: int, *, is_tail: bool) -> Answer:
        """P(index), or P(index or more), for an index of at least half the highest."""
        if (index, is_tail) not in self._answers:
            self._answers[index, is_tail] = self._invert(index, is_tail) if self._high else (0.0, 0.0, self._method)
        return self._answers[index, is_tail]

    def _invert(self, index: int, is_tail: bool) -> Answer:
        if index == self._high:
            log = log_atom(self._m + self._n, self._m, self._m, self._m)
            return log, max(math.exp(log) * 1e-15 * (32 - log), TINY), self._method
        deviation = index - self._high / 2
        # Never flat, where tail and aliases would cancel each other.
        flattest = 0.5 / math.sqrt(self._central[1])
        tilt = max(find_tilt(self, min(deviation, self._high / 2 - 0.5), 1e-3, rough=True)[0], flattest)
        log, _, var, _, _ = self.cumulants(tilt)
        easy = EASY / min(self._m, DIRECT) if self._echo > 1e-17 else 0.0
        limits = Limits(lambda work: FREQUENCIES / work, 1e-17, lattice=True, atom=not is_tail, min_terms=easy)
        inversion = around(self, 1.0, deviation - 0.5 * is_tail, tilt, math.sqrt(var)).invert(limits)
        rounding = 1e-16 * (32 + min(self._m, DIRECT) / 4 + 4 * (abs(log) + tilt * abs(deviation)))
        return inverted_answer(inversion, rounding, self._echo)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        items = self._m + self._n
        if items > SIMULATED:
            return super()._draw(size, generator)
        lowest_sum = self._m * (self._m - 1) // 2
        ranks = (generator.choice(items, self._m, replace=False, shuffle=False) for _ in range(size))
        return np.array([int(chosen.sum()) - lowest_sum for chosen in ranks], dtype=np.float64) / self._unit

    @cached_property
    def _table(self) -> tuple[int, Floats]:
        return 0, np.empty(0)

    @cached_property
    def _echo(self) -> float:
        """Size of the characteristic function once more at half a turn: C(N/2, m/2) / C(N, m)."""
        full_turn, half = (
            special.gammaln(a + b + 1) - special.gammaln(a + 1) - special.gammaln(b + 1)
            for a, b in ((self._m, self._n), (self._m // 2, self._n // 2))
        )
        return math.exp(min(half - full_turn, 0.0))

    def range(self) -> tuple[float, float]:
        """Least and greatest U less its mean, for the transform engine."""
        return -self._high / 2, self._high / 2

    def cumulants(self, tilt: float, _rough: bool = False) -> Cumulants:
        """The log of the generating function of U less its mean, and two derivatives; the engine needs no others."""
        log, mean, var = (float(cumulant) for cumulant in summed_log_sinhc(self._m, self._n, abs(tilt)))
        return log, math.copysign(1.0, tilt) * mean, var, math.nan, math.nan

    def tilted(self, tilt: float) -> "_Tilted":
        """U less its mean under a tilt."""
        return _Tilted(self._m, self._n, tilt, self.cumulants(tilt)[0])


def inverted_answer(inversion: Inversion, rounding: float, echo: float) -> Answer:
    """The tail of an inversion, whose characteristic function has an echo of that size at half a turn."""
    tail = inversion.tail()
    off = rounding * inversion.cancelled + (tail.left if inversion.died else tail.bound or 0.0)
    if not inversion.complete:
        off += echo * inversion.cancelled
    log = min(tail.log, 0.0)
    return log, max(math.exp(log) * off, TINY), "fourier"


class _Tilted(NamedTuple):
    m: int
    n: int
    tilt: float
    log: float

    @property
    def cells(self) -> float:
        return float(min(self.m, DIRECT))

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        block = max(32, (1 << 20) // min(self.m, DIRECT))
        starts = range(first, first + count, block)
        parts = [self._values(step, np.arange(start, min(start + block, first + count))) for start in starts]
        values = np.concatenate(parts)
        return values.real, values.imag

    def _values(self, step: float, numbers: NDArray[np.int64]) -> NDArray[np.complex128]:
        if self.m > DIRECT:
            values, _, _ = summed_log_sinhc(self.m, self.n, self.tilt + 1j * step * numbers)
            return np.asarray(np.exp(values - self.log))
        period = round(2 * math.pi / step)
        lengths = np.arange(1, self.m + 1)
        product = half_turns(numbers, self.m * self.n, period)
        for start in range(0, self.m, 256):
            lower = lengths[start : start + 256]
            upper = self.n + lower
            scale = np.expm1(-self.tilt * lower) / np.expm1(-self.tilt * upper)
            numerators, denominators = (one_minus_powers(self.tilt, numbers, sizes, period) for sizes in (upper, lower))
            product *= np.prod(numerators / denominators * scale, axis=1)
            flush(product)
        return np.asarray(product)


def one_minus_powers(tilt: float, numbers: np.ndarray, lengths: np.ndarray, period: int) -> np.ndarray:
    """1 - exp(-k (tilt + i angle)) for every frequency and length k."""
    turns = np.outer(numbers, lengths)
    if turns[-1, -1] >= period:
        turns %= period
    angles = turns * (2 * math.pi / period)
    decay = np.exp(-tilt * lengths)
    factors = np.empty(angles.shape, dtype=np.complex128)
    factors.real = -np.expm1(-tilt * lengths) + decay * (2 * np.sin(angles / 2) ** 2)
    factors.imag = decay * np.sin(angles)
    return factors


def fourth_powers(k: Any) -> Any:
    """1 + 2^4 + ... + k^4."""
    total = k * (k + 1) * (2 * k + 1) * (3 * k * k + 3 * k - 1)
    return total // 30 if isinstance(k, int) else total / 30


class Mixture(Distribution):
    """With some probability each, ``base + scale U`` where U has the Mann-Whitney law of two sizes.

    Only the parts whose values lie on both sides of what is asked for are looked into; of the others all values count,
    or none.
    """

    _method = "fourier"

    def __init__(self, logs: Floats, sizes: NDArray[np.int64], base: Floats, scale: Floats) -> None:
        self._logs, self._base, self._scale = logs, base, scale
        self._sizes = sizes
        self._tops: Floats = np.asarray(sizes[:, 0] * sizes[:, 1], dtype=np.float64)
        self._past_top: Floats = np.asarray(self._tops + 1, dtype=np.float64)
        self._lowest, self._highest = float(base.min()), float((base + scale * self._tops).max())

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._lowest, self._highest

    @cached_property
    def _moments(self) -> KnownMoments:
        chances, middle = np.exp(self._logs), self._base + self._scale * self._tops / 2
        mean = math.fsum((chances * middle).tolist())
        away = middle - mean
        first, second = self._sizes.astype(np.float64).T
        square = first * second * (first + second + 1) / 12
        # The fourth cumulant of U is -1/120 of the difference of sums of fourth powers.
        powers = fourth_powers(first + second) - fourth_powers(first) - fourth_powers(second)
        spread = self._scale**2 * square
        fourth = self._scale**4 * (3 * square**2 - powers / 120)
        central = (
            away**2 + spread,
            away**3 + 3 * away * spread,
            away**4 + 6 * away**2 * spread + fourth,
        )
        return KnownMoments.central(mean, *(math.fsum((chances * moment).tolist()) for moment in central))

    def _index_range(self, x: float) -> tuple[Floats, Floats]:
        """First U with a value of at least x and last U with a value of at most x, in each part."""
        slack = RELATIVE_TOLERANCE * (self._highest - self._lowest)
        position = np.asarray(np.clip((x - self._base) / self._scale, -1.0, self._tops + 1.0), dtype=np.float64)
        slacks = np.minimum(slack / self._scale + 1e-15 * position, 0.49)
        first, last = np.ceil(position - slacks), np.floor(position + slacks)
        return np.asarray(first, dtype=np.float64), np.asarray(last, dtype=np.float64)

    def _gathered(self, first: Floats, last: Floats) -> Answer:
        """Log of P(first <= U <= last) over all parts; the two are equal, or one lies outside the range."""
        is_certain = (first <= 0) & (last >= self._tops)
        if is_certain.all():
            return 0.0, 0.0, self._method
        logs = [float(np.logaddexp.reduce(self._logs[is_certain]))] if is_certain.any() else []
        errors = 0.0
        parts = np.flatnonzero(~is_certain & (first <= last) & (first <= self._tops) & (last >= 0))
        parts = parts[np.argsort(-self._logs[parts], kind="stable")]
        remainders = np.logaddexp.accumulate(self._logs[parts][::-1])[::-1]
        for part, remaining in zip(parts.tolist(), remainders.tolist(), strict=True):
            if logs and remaining < max(logs) - 44:
                errors += math.exp(remaining)
                break
            law = _mann_whitney(int(self._sizes[part, 0]), int(self._sizes[part, 1]))
            log, error, _ = law.interval_probability(int(first[part]), int(last[part]))
            logs.append(float(self._logs[part]) + log)
            errors += math.exp(float(self._logs[part])) * error
        total = float(np.logaddexp.reduce(logs)) if logs else -math.inf
        return min(total, 0.0), errors, self._method

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        first, last = self._index_range(x)
        if upper:
            return self._gathered(first if atom else last + 1, self._past_top)
        return self._gathered(np.full(len(self._logs), -1.0), last if atom else first - 1)

    def _log_pmf(self, x: float) -> Answer:
        first, last = self._index_range(x)
        return self._gathered(first, np.where(first <= last, first, -1.0))

    def _inverse(self, q: float, *, upper: bool) -> float:
        mean = self.mean()
        start = mean, self.std(), self.skewness()

        def logs(x: float) -> tuple[float, float]:
            if x < mean:
                log = self._log_cdf(x)[0]
                return log, log_rest(log)
            log = self._log_sf(x)[0]
            return log_rest(log), log

        unit = float(self._scale[0])
        bases = self._base / unit
        offsets = bases - np.round(bases)
        if not (self._scale == unit).all() or np.ptp(offsets) > RELATIVE_TOLERANCE * max(np.abs(bases).max(), 1.0):
            return quantile(logs, q, not upper, self.support(), start, self._nearest)
        # All values lie one unit apart: the whole numbers between two of them need no look.
        shift = float(offsets[0]) * unit
        positions = [(value - shift) / unit for value in (*self.support(), mean)]

        @cache
        def cached_logs(index: int) -> tuple[float, float]:
            return logs(index * unit + shift)

        def floor_logs(position: float) -> tuple[float, float]:
            return cached_logs(math.floor(position))

        moments = positions[2], start[1] / unit, start[2]
        bounds = (round(positions[0]), round(positions[1]))
        index = quantile(floor_logs, q, not upper, bounds, moments, math.floor, self._nearer, 0.5)
        return self._nearest(index * unit + shift)

    def _nearer(self, index: float, lower_log: float, upper_log: float) -> float:
        """A place nearer to where the tails have these logarithms, in a law that finds one at less cost than tails."""
        del lower_log, upper_log
        return index

    def _nearest(self, x: float) -> float:
        """The possible value that is nearest to x."""
        values = self._base + self._scale * np.clip(np.round((x - self._base) / self._scale), 0, self._tops)
        return float(values[np.abs(values - x).argmin()])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        steps = np.cumsum(np.exp(self._logs))
        parts = np.minimum(np.searchsorted(steps, generator.random(size) * steps[-1], side="right"), len(steps) - 1)
        laws = (_mann_whitney(first, second) for first, second in self._sizes[parts].tolist())
        draws = np.array([law._draw(1, generator)[0] for law in laws])
        return np.asarray(self._base[parts] + self._scale[parts] * draws)


@lru_cache(maxsize=4096)
def _mann_whitney(m: int, n: int) -> MannWhitney:
    return MannWhitney(m, n)
