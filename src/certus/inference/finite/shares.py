"""Precision, recall or F1 as a function of two counts, with its posterior and Buehler's exact limits.

Each count is seen through its own sample. With the samples ordered by a statistic T, the lower limit after T = t is the
least share of all populations under which T >= t has more than the probability `tail`. Whatever T is, the limit exceeds
the true share with a probability of at most `tail`; and no limits that never fall as T rises are higher. T is here the
Jeffreys (or uniform) posterior lower limit of the share itself.

Berger and Boos look only at populations in an exact region of the counts that the hits leave, and add the error of that
region to the probability. Populations far from all that was seen, with hardly a relevant item, then set no limit.

Source: Buehler (1957), JASA 52(280):482-493, doi:10.1080/01621459.1957.10501404; for discrete data Lloyd & Kabaila
(2003), Austr. & NZ J. Stat. 45(2), doi:10.1111/1467-842X.00270; Berger & Boos (1994), JASA 89(427):1012-1016,
doi:10.1080/01621459.1994.10476836.

Samples are ordered by the posterior lower limit of the share. The share rises in the count x of one stratum and falls
in the count y of the other. The posterior of x rises with the hits k in its sample and that of y with its hits j; so
the samples with a limit of at least t are, for each k, those with j up to some ``c(k)``, and c never falls. It is
traced from sample to sample with one posterior probability a step: the limit is at least t where the posterior mass of
shares below t is less than `tail`.

Exact limits are exact for any order of the samples. So where a stratum has more than 20,000 unchecked items, the
beta-binomial counts are replaced, for the order alone, by beta laws with the same mean and variance, which rise with
the hits too.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.arrays import Floats, Ints
from certus.core.errors import CertusError
from certus.inference.finite.hypergeometric import count_limits, hypergeometric_rows
from certus.inference.finite.laws import CountDistribution, beta_binomial, compress
from certus.inference.search import first_true
from certus.inference.special import normal_quantile, preload
from certus.statistic.sampled import Stratum

FAR = 2**53
"""More items than any population has here."""


@dataclass(frozen=True)
class ShareOf:
    """Share ``(x_factor x + y_factor (size - y)) / (size + x + y)``, or divided by `size` alone; 0 for 0/0.

    It never falls in x and never rises in y. Recall has no parameters; F1 has the predicted items as size and x counts
    twice; with `y_factor` 1 it is 1 less F1, y being relevant among the predicted items and x among the others. A share
    `of_size` is a count over the size. Values are compared as the correctly rounded quotients of whole numbers, so that
    a limit given back is found again.
    """

    size: int = 0
    x_factor: int = 1
    y_factor: int = 0
    of_size: bool = False

    def value(self, x: Any, y: Any) -> Any:
        """The share for counts x and y; 0 for 0/0."""
        numerator = self.x_factor * x + self.y_factor * (self.size - y)
        return numerator / np.maximum(self.size if self.of_size else self.size + x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """Real-valued y for which the share equals r."""
        if r + self.y_factor <= 0:
            return np.where(x > 0, np.inf, 0.0)
        return ((self.x_factor - r) * x + (self.y_factor - r) * self.size) / (r + self.y_factor)

    def inverse(self, y: Floats, r: float) -> Floats:
        """Real x with ``(x_factor x + y_factor (size - y)) / d = r``; d is size, plus x and y unless `of_size`."""
        growth = 0.0 if self.of_size else r
        return ((r - self.y_factor) * self.size + (growth + self.y_factor) * y) / (self.x_factor - growth)


def first_y(share: ShareOf, x: Ints, r: float, *, strict: bool) -> Ints:
    """Least y, at least 0, for which the share is at most r, or below r if `strict`."""
    if r < 0 or (strict and r == 0):
        return np.full(len(x), FAR)
    r = r if r > 1 / FAR else 0.0  # no share lies in between
    guess = np.minimum(share.boundary(x.astype(np.float64), r), float(FAR)).astype(np.int64) - 1
    y = np.maximum(guess, 0)
    while True:
        value = share.value(x, y)
        short = ((value >= r) if strict else (value > r)) & (y < FAR)
        if not short.any():
            return y
        y += short  # one or two steps: the guess is off by the rounding of the boundary


def first_x(share: ShareOf, y: Ints, r: float, max_x: int) -> Ints:
    """Least x, at least 0, for which the share exceeds r; ``max_x + 1`` if no x up to `max_x` does."""
    if r >= 1:
        return np.full(len(y), max_x + 1)
    # Beyond `most` the guess could be off by far more than a few steps: near 1 shares hardly differ.
    guess = np.clip(share.inverse(y.astype(np.float64), r), 0.0, float(max_x)).astype(np.int64) - 1
    x = np.maximum(guess, 0)
    while True:
        short = (share.value(x, y) <= r) & (x <= max_x)
        if not short.any():
            return x
        x += short


_SMALLEST = 1e-16
"""Probabilities nearer to 0 or 1 are taken as this near where a search takes its direction from them."""
_SPARE = 8
"""Steps that a search may take beyond those of halving."""


class SharePosterior:
    """Posterior of a share of two independent counts: a frozen distribution with scipy's method names."""

    def __init__(self, x: CountDistribution, y: CountDistribution, share: ShareOf, *, given_any: bool = False) -> None:
        self._x, self._y, self._share = x, y, share
        self._over_y = len(y.mass) <= len(x.mass)
        self._outer, self._inner = (y, x) if self._over_y else (x, y)
        self._lost = x.probability(0) * y.probability(0) if given_any else 0.0
        self.truncation = x.cut + y.cut
        """Bound of the posterior mass that the sums leave out."""

    def __repr__(self) -> str:
        return f"SharePosterior(mean={self.mean():.6g}, std={self.std():.6g})"

    def cdf(self, r: ArrayLike) -> Any:
        """Probability that the share is at most r."""
        return _elementwise(lambda r: float(r >= 1) if r < 0 or r >= 1 else self._mass_up_to(self._edge(r)), r)

    def sf(self, r: ArrayLike) -> Any:
        """Probability that the share is more than r."""
        return _elementwise(lambda r: float(r < 0) if r < 0 or r >= 1 else self._mass_above(self._edge(r)), r)

    def ppf(self, q: ArrayLike) -> Any:
        """The least share with a cdf of at least q; NaN where q is not a probability."""
        return _elementwise(lambda q: self._quantile(q, self._mass_up_to, 1.0), q, probabilities=True)

    def isf(self, q: ArrayLike) -> Any:
        """The least share with an sf of at most q; NaN where q is not a probability."""
        return _elementwise(lambda q: self._quantile(q, self._mass_above, -1.0), q, probabilities=True)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Equal-tailed interval: on either side of it lies a probability of at most ``(1 - level) / 2``."""
        tail = (1 - level) / 2
        return self.ppf(tail), self.isf(tail)

    def median(self) -> float:
        """Median of the share: the least value with a cdf of at least one half."""
        return float(self.ppf(0.5))

    def mean(self) -> float:
        """Posterior mean of the share."""
        return self._moments[0]

    def std(self) -> float:
        """Posterior standard deviation of the share."""
        return self._moments[1]

    def _edge(self, r: float) -> Ints:
        """First y for each x, or first x for each y, at which the share of the counts x and y crosses r."""
        if self._over_y:
            return first_x(self._share, self._outer.support, r, self._inner.last)
        return first_y(self._share, self._outer.support, r, strict=False)

    def _mass_up_to(self, edge: Ints) -> float:
        """Probability that the share is at most r, from the result of `_edge`."""
        parts = self._inner.probability_below(edge) if self._over_y else self._inner.probability_from(edge)
        return min(max(float(self._outer.mass @ parts) - self._lost, 0.0) / (1 - self._lost), 1.0)

    def _mass_above(self, edge: Ints) -> float:
        """Probability that the share is above r, from the result of `_edge`; 0/0 is the share 0."""
        parts = self._inner.probability_from(edge) if self._over_y else self._inner.probability_below(edge)
        return min(float(self._outer.mass @ parts) / (1 - self._lost), 1.0)

    def _quantile(self, q: float, mass: Callable[[Ints], float], sign: float) -> float:
        """Least share for which ``sign * (mass - q)``, which does not decrease, is at least 0."""
        # Secant steps on the normal scale in a bracket that takes hardly more steps than halving would (ITP; Oliveira
        # & Takahashi 2020, ACM TOMS 47(1):5, doi:10.1145/3423597). A bracket with few pairs is sorted: exact.
        goal = normal_quantile(min(max(q, _SMALLEST), 1 - _SMALLEST))

        def score(p: float) -> float:
            return sign * (normal_quantile(min(max(p, _SMALLEST), 1 - _SMALLEST)) - goal)

        low, high = 0.0, 1.0
        edge_low, edge_high = self._edge(low), self._edge(high)
        at_low, at_high = mass(edge_low), mass(edge_high)
        if sign * (at_low - q) >= 0:
            return 0.0
        if sign * (at_high - q) < 0:  # by rounding only
            return 1.0
        max_pairs = max(len(edge_low), 10_000)
        slack = 2.0**_SPARE
        z_low, z_high = score(at_low), score(at_high)
        while abs(float((edge_low - edge_high).sum(dtype=np.float64))) > max_pairs:
            middle, width = low + (high - low) / 2, high - low
            secant = (z_high * low - z_low * high) / (z_high - z_low) if z_high > z_low else middle
            side = 1.0 if middle >= secant else -1.0
            step = 0.2 * width * width
            point = secant + side * step if step <= abs(middle - secant) else middle
            radius = max(slack - width / 2, 0.0)
            slack /= 2
            point = point if abs(point - middle) <= radius else middle - side * radius
            point = point if low < point < high else middle
            if not low < point < high:
                break
            edge = self._edge(point)
            height = mass(edge)
            if sign * (height - q) >= 0:
                high, edge_high, z_high = point, edge, score(height)
            else:
                low, edge_low, at_low, z_low = point, edge, height, score(height)
        first, end = (edge_low, edge_high) if self._over_y else (edge_high, edge_low)
        return self._value_between(first, end, sign * (q - at_low), high)

    def _value_between(self, first: Ints, end: Ints, wanted: float, high: float) -> float:
        """Least share, of the pairs of counts between two edges, up to which their probability reaches `wanted`."""
        first, end = np.maximum(first, self._inner.start), np.minimum(end, self._inner.last + 1)
        lengths = np.maximum(end - first, 0)
        outer = np.repeat(np.arange(len(lengths)), lengths)
        inner = np.arange(len(outer)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(first, lengths)
        if not len(outer):
            return high
        counts = self._outer.support[outer], inner
        values = self._share.value(*(counts[::-1] if self._over_y else counts))
        order = np.argsort(values)
        masses = self._outer.mass[outer] * self._inner.mass[inner - self._inner.start]
        sums = np.cumsum(masses[order]) / (1 - self._lost)
        index = min(int(np.searchsorted(sums, wanted)), len(order) - 1)
        return float(values[order[index]])

    @functools.cached_property
    def _moments(self) -> tuple[float, float]:
        """Mean and standard deviation of the share."""
        x, p = compress(self._x)
        y, q = compress(self._y)
        values = self._share.value(x[:, np.newaxis], y)
        mean = float(p @ values @ q) / (1 - self._lost)
        spread = float(p @ (values - mean) ** 2 @ q) - self._lost * mean * mean
        return mean, math.sqrt(max(spread / (1 - self._lost), 0.0))


def _elementwise(function: Callable[[float], float], values: ArrayLike, *, probabilities: bool = False) -> Any:
    """Apply a function of one number to every element of an array; NaN for what is not a probability."""
    points = np.asarray(values, dtype=np.float64)
    low, high = (0.0, 1.0) if probabilities else (-math.inf, math.inf)
    results = np.array([function(value) if low <= value <= high else math.nan for value in points.ravel().tolist()])
    return results.reshape(points.shape) if points.ndim else float(results[0])


LATTICE = 20_000
MOST_HALVINGS = 1100
"""Halvings after which two floats from 0 to 1 are neighbours, at the latest."""
_NODES = 64
_REACH = 9.0


@dataclass(frozen=True)
class _ScaledBeta:
    """Distribution of ``shift + scale * B``, with B distributed as Beta(a, b)."""

    shift: int
    scale: int
    a: float
    b: float

    @property
    def coefficient_of_variation(self) -> float:
        """Standard deviation divided by the mean."""
        total = self.a + self.b
        deviation = math.sqrt(self.a * self.b / (total + 1)) / total
        return self.scale * deviation / (self.shift + self.scale * self.a / total)

    def arc_limits(self) -> tuple[float, float]:
        """``arcsin(sqrt(B))`` nine standard deviations below and above its centre: the rest is negligible."""
        middle, reach = math.atan2(math.sqrt(self.a), math.sqrt(self.b)), _REACH / (2 * math.sqrt(self.a + self.b))
        return max(middle - reach, 0.0), min(middle + reach, math.pi / 2)

    @functools.cached_property
    def points(self) -> tuple[Floats, Floats]:
        """Quadrature points and weights for the expectation of a function."""
        low, high = self.arc_limits()
        nodes, weights = _legendre()
        u = low + (high - low) * nodes
        sine, cosine = np.sin(u), np.cos(u)
        log_density = (2 * self.a - 1) * np.log(sine) + (2 * self.b - 1) * np.log(cosine)
        mass = weights * np.exp(log_density - log_density.max())
        return self.shift + self.scale * sine**2, mass / mass.sum()

    def probability_below(self, x: Floats) -> Floats:
        """``P(shift + scale * B < edge)`` for each `edge`."""
        low, high = (math.sin(end) ** 2 for end in self.arc_limits())
        rate = (x - self.shift) / self.scale
        chances = (rate >= high).astype(np.float64)
        inside = (rate > low) & (rate < high)
        chances[inside] = preload().betainc(self.a, self.b, rate[inside])
        return chances


class Ordering:
    """Samples of two strata, ranked by the lower limit of the share's posterior at the error `tail`."""

    def __init__(self, x: Stratum, y: Stratum, share: ShareOf, a: float, tail: float) -> None:
        self._x, self._y, self._share, self._tail = x, y, share, tail
        max_lattice = LATTICE if max(x.rest, y.rest) <= LATTICE else 2 * _NODES
        self._x_law = functools.lru_cache(maxsize=1)(lambda hits: _law(x, hits, a, max_lattice))
        self._y_law = functools.lru_cache(maxsize=1)(lambda hits: _law(y, hits, a, max_lattice))

    def lowest(self, halvings: int = MOST_HALVINGS) -> float:
        """Posterior lower limit for the observed sample; between beta distributions found by bisection."""
        k, j = self._x.hits, self._y.hits
        x, y = self._x_law(k), self._y_law(j)
        if isinstance(x, CountDistribution) and isinstance(y, CountDistribution):
            return float(SharePosterior(x, y, self._share).ppf(self._tail))
        low, high = 0.0, 1.0
        for _ in range(halvings):
            middle = low + (high - low) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self._chance_below(k, j, middle) < self._tail else (low, middle)
        return low

    def threshold(self, first: int, end: int) -> Ints:
        """Most hits in the second sample with a limit no higher, per number of hits in the first; -1 for none."""
        limit = self.lowest()
        max_hits = np.full(self._x.checked + 1, -1, dtype=np.int64)
        first_above = first_true(
            lambda j: not self._chance_below(first, j, limit) < self._tail, -1, self._y.checked + 1
        )
        low = first_above - 1
        for k in range(first, end):
            while low < self._y.checked and self._chance_below(k, low + 1, limit) < self._tail:
                low += 1
            max_hits[k] = low
        # The sample itself, should rounding have put it a last digit below its own limit.
        max_hits[self._x.hits :] = np.maximum(max_hits[self._x.hits :], self._y.hits)
        return max_hits

    def _chance_below(self, k: int, j: int, t: float) -> float:
        """Posterior probability that the share is below t, given k and j hits."""
        if t <= 1 / FAR:  # no share lies between 0 and that
            return 0.0
        x, y = self._x_law(k), self._y_law(j)
        if isinstance(x, CountDistribution):
            if isinstance(y, CountDistribution):
                return float(x.mass @ y.probability_from(first_y(self._share, x.support, t, strict=True)))
            return 1 - float(x.mass @ y.probability_below(self._share.boundary(x.support.astype(np.float64), t)))
        if isinstance(y, CountDistribution):
            return float(y.mass @ x.probability_below(self._share.inverse(y.support.astype(np.float64), t)))
        # Over the law that leaves the other's probability smooth.
        if x.coefficient_of_variation < y.coefficient_of_variation:
            points, weights = x.points
            return 1 - float(weights @ y.probability_below(self._share.boundary(points, t)))
        points, weights = y.points
        return float(weights @ x.probability_below(self._share.inverse(points, t)))


def _law(stratum: Stratum, hits: int, a: float, max_lattice: int) -> CountDistribution | _ScaledBeta:
    """Posterior of a stratum's relevant items; for too many unchecked items a beta distribution with its moments."""
    missed = stratum.checked - hits
    if stratum.rest <= max_lattice:
        return beta_binomial(stratum.rest, hits + a, missed + a, hits)
    total = stratum.checked + 2 * a
    factor = (stratum.rest - 1) / (total + stratum.rest)
    return _ScaledBeta(hits, stratum.rest, factor * (hits + a), factor * (missed + a))


@functools.cache
def _legendre() -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


LARGEST = 200_000
"""Most checked items; tracing the order takes about 0.2 ms for each."""
_CELLS = 200_000
"""Probabilities computed at once: 1.6 MB an array, which stays in the cache."""
_SLACK = 1e-11
"""Relative rounding error of a probability: one as near to `tail` as that is taken as equal to it, not above it."""
_GRID = 33
_BLOCKS = 64


def buehler_lower(
    x: Stratum, y: Stratum, share: ShareOf, a: float, tail: float, *, given_any: bool, region_error: float = 0.0
) -> tuple[int, int]:
    """Counts of the two strata for which the share is lowest, at its exact lower limit."""
    if x.checked + y.checked > LARGEST:
        raise CertusError(
            f"{x.checked + y.checked} items were checked",
            f"limits from ordered samples take at most {LARGEST}: take 'posterior' or 'bonferroni', which with so "
            "many differ little",
        )
    # The counts to look at: all, or those that exact limits leave.
    x_range, y_range = (
        count_limits(stratum.size, stratum.checked, stratum.hits, region_error / 4)
        if region_error
        else (0, stratum.size)
        for stratum in (x, y)
    )
    hits = hypergeometric_rows(x.size, x.checked, np.array(x_range))
    likely = int(hits.start[0]), min(int(hits.start[1]) + hits.mass.shape[1], x.checked + 1)
    max_hits = Ordering(x, y, share, a, tail).threshold(*likely)
    return _Search(x, y, share, max_hits, tail - region_error, x_range, y_range, given_any).lowest()


@dataclass
class _Search:
    """Search for the lowest share among populations in which a sample at least as extreme is likelier than `tail`."""

    # That probability rises in x and falls in y: for each x the populations are those with y up to some h(x), which
    # never falls. For a block of x from a to b no share below r is possible if (b, y) has too small a probability at
    # the least y at which the share of a is below r. Blocks are halved until that holds or they are a single x.

    x: Stratum
    y: Stratum
    share: ShareOf
    max_hits: Ints
    tail: float
    x_range: tuple[int, int]
    y_range: tuple[int, int]
    given_any: bool

    def lowest(self) -> tuple[int, int]:
        """Counts with the lowest share within the ranges; the starting ones if no population is left."""
        (low, high), last = self.x_range, self.y_range[1]
        best = (high, int(self._lowest_y(np.array([high]))[0]))
        best = self._zoom(low, high, best)
        edges = np.unique(np.linspace(low, high + 1, _BLOCKS + 1).astype(np.int64))
        a, b = edges[:-1], edges[1:] - 1
        while len(a):
            below_best = first_y(self.share, a, float(self.share.value(*best)), strict=True)
            y = np.maximum(below_best, self._lowest_y(a))
            alive = y <= last
            a, b, y = a[alive], b[alive], y[alive]
            alive = self._is_likely(b, y)
            a, b = a[alive], b[alive]
            single = a == b
            if single.any():
                best = self._better(a[single], best)
            a, b = a[~single], b[~single]
            middle = (a + b) // 2
            a, b = np.concatenate((a, middle + 1)), np.concatenate((middle, b))
        return best

    def _zoom(self, low: int, high: int, best: tuple[int, int]) -> tuple[int, int]:
        """Counts with a low share to start from: the best of a grid, and of ever finer ones around it."""
        while True:
            grid = np.unique(np.linspace(low, high, _GRID).astype(np.int64))
            best = self._better(grid, best)
            if len(grid) < _GRID:
                return best
            index = int(np.searchsorted(grid, best[0]))
            low, high = int(grid[max(index - 1, 0)]), int(grid[min(index + 1, len(grid) - 1)])

    def _better(self, x: Ints, best: tuple[int, int]) -> tuple[int, int]:
        """Best population with one of these x; `best` if none has a lower share."""
        y = self._greatest_y(x)
        there = y >= self._lowest_y(x)
        if not there.any():
            return best
        x, y = x[there], y[there]
        values = self.share.value(x, y)
        index = int(np.argmin(values))
        return (int(x[index]), int(y[index])) if values[index] < self.share.value(*best) else best

    def _greatest_y(self, x: Ints) -> Ints:
        """Greatest y per x for which the sample is likelier than `tail`; too small a y if there is none."""
        low = self._lowest_y(x) - 1
        high = np.full(len(x), self.y_range[1] + 1)
        while (open_ := high - low > 1).any():
            middle = (low + high) // 2
            is_held = np.zeros(len(x), dtype=bool)
            is_held[open_] = self._is_likely(x[open_], middle[open_])
            low, high = np.where(open_ & is_held, middle, low), np.where(open_ & ~is_held, middle, high)
        return low

    def _lowest_y(self, x: Ints) -> Ints:
        """Least y that is possible together with x."""
        lowest: Ints = np.maximum(self.y_range[0], ((x == 0) & self.given_any).astype(np.int64))
        return lowest

    def _is_likely(self, x: Ints, y: Ints) -> NDArray[np.bool_]:
        """True if a sample at least as extreme has a probability above `tail`."""
        is_held = np.empty(len(x), dtype=bool)
        width = min(self.x.checked, self.y.checked, 20) + max(_reach(self.x), _reach(self.y))
        step = max(_CELLS // width, 1)
        for begin in range(0, len(x), step):
            part = slice(begin, begin + step)
            is_held[part] = self._probability(x[part], y[part]) > self.tail * (1 + _SLACK)
        return is_held

    def _probability(self, x: Ints, y: Ints) -> Floats:
        """Probability of a sample at least as extreme, for each population."""
        rows = hypergeometric_rows(self.x.size, self.x.checked, x)
        rows_of_y = hypergeometric_rows(self.y.size, self.y.checked, y)
        k = rows.start[:, np.newaxis] + np.arange(rows.mass.shape[1])
        max_hits = self.max_hits[np.minimum(k, self.x.checked)]
        index = np.clip(max_hits + 1 - rows_of_y.start[:, np.newaxis], 0, rows_of_y.mass.shape[1])
        sums: Floats = np.einsum("ij,ij->i", rows.mass, np.take_along_axis(rows_of_y.up_to(), index, axis=1))
        return sums


def _reach(stratum: Stratum) -> int:
    """Approximate width of the widest window of hits in the stratum's sample."""
    return min(stratum.checked + 1, 30 + int(10 * stratum.checked**0.5))
