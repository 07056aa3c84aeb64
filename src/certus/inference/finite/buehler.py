"""Exact limits for a share of two counts, each seen through its own sample: Buehler's.

With the samples ordered by a statistic T, the lower limit after T = t is the least share of all populations under which
T >= t has more than the probability `tail`. Whatever T is, the limit exceeds the true share with a probability of at
most `tail`; and no limits that never fall as T rises are higher. T is here the Jeffreys (or uniform) posterior lower
limit of the share itself.

Berger and Boos look only at populations in an exact region of the counts that the hits leave, and add the error of that
region to the probability. Populations far from all that was seen, with hardly a relevant item, then set no limit.

Source: Buehler (1957), JASA 52(280):482-493, doi:10.1080/01621459.1957.10501404; for discrete data Lloyd & Kabaila
(2003), Austr. & NZ J. Stat. 45(2), doi:10.1111/1467-842X.00270; Berger & Boos (1994), JASA 89(427):1012-1016,
doi:10.1080/01621459.1994.10476836.

Samples are ordered by the posterior lower limit of the share. The share rises in the count x of one stratum and falls
in the count y of the other. The posterior of x rises with the
hits k in its sample and that of y with its hits j; so the samples with a limit of at least t are, for each k, those
with j up to some ``c(k)``, and c never falls. It is traced from sample to sample with one posterior probability a step:
the limit is at least t where the posterior mass of shares below t is less than `tail`.

Exact limits are exact for any order of the samples. So where a stratum has more than 20,000 unchecked items, the
beta-binomial counts are replaced, for the order alone, by beta laws with the same mean and variance, which rise with
the hits too.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats, Ints
from certus.core.errors import CertusError
from certus.inference.bisection import first_true
from certus.inference.finite.hypergeometric import count_limits, hypergeometric_rows
from certus.inference.finite.strata_posterior import FAR, ShareOf, SharePosterior, first_y
from certus.inference.finite.unimodal import CountLaw, beta_binomial
from certus.inference.special import preload
from certus.statistic.sampled import Stratum

LATTICE = 20_000
MOST_HALVINGS = 1100
"""Halvings after which two floats from 0 to 1 are neighbours, at the latest."""
_NODES = 64
_REACH = 9.0


@dataclass(frozen=True)
class _BetaLaw:
    """The law of ``shift + scale * B`` with B of the law Beta(a, b)."""

    shift: int
    scale: int
    a: float
    b: float

    @property
    def coefficient_of_variation(self) -> float:
        """The standard deviation as a part of the mean."""
        total = self.a + self.b
        deviation = math.sqrt(self.a * self.b / (total + 1)) / total
        return self.scale * deviation / (self.shift + self.scale * self.a / total)

    def arc_limits(self) -> tuple[float, float]:
        """Beyond nine standard deviations of ``arcsin(sqrt(B))``, whose law is near a normal one for any mean."""
        middle, reach = math.atan2(math.sqrt(self.a), math.sqrt(self.b)), _REACH / (2 * math.sqrt(self.a + self.b))
        return max(middle - reach, 0.0), min(middle + reach, math.pi / 2)

    @functools.cached_property
    def points(self) -> tuple[Floats, Floats]:
        """Points and weights of an expectation."""
        low, high = self.arc_limits()
        nodes, weights = _legendre()
        u = low + (high - low) * nodes
        sine, cosine = np.sin(u), np.cos(u)
        log_density = (2 * self.a - 1) * np.log(sine) + (2 * self.b - 1) * np.log(cosine)
        mass = weights * np.exp(log_density - log_density.max())
        return self.shift + self.scale * sine**2, mass / mass.sum()

    def chances_below(self, edge: Floats) -> Floats:
        """Probability of less than `edge`."""
        low, high = (math.sin(end) ** 2 for end in self.arc_limits())
        rate = (edge - self.shift) / self.scale
        chances = (rate >= high).astype(np.float64)
        inside = (rate > low) & (rate < high)
        chances[inside] = preload().betainc(self.a, self.b, rate[inside])
        return chances


class Ordering:
    """Samples of two strata in the order of the posterior lower limits of a share, which leave out `tail`."""

    def __init__(self, x: Stratum, y: Stratum, share: ShareOf, a: float, tail: float) -> None:
        self._x, self._y, self._share, self._tail = x, y, share, tail
        max_lattice = LATTICE if max(x.rest, y.rest) <= LATTICE else 2 * _NODES
        self._x_law = functools.lru_cache(maxsize=1)(lambda hits: _law(x, hits, a, max_lattice))
        self._y_law = functools.lru_cache(maxsize=1)(lambda hits: _law(y, hits, a, max_lattice))

    def lowest(self, halvings: int = MOST_HALVINGS) -> float:
        """The limit of the sample seen; between beta laws to the last digit, or after so many halvings."""
        k, j = self._x.hits, self._y.hits
        x, y = self._x_law(k), self._y_law(j)
        if isinstance(x, CountLaw) and isinstance(y, CountLaw):
            return float(SharePosterior(x, y, self._share).ppf(self._tail))
        low, high = 0.0, 1.0
        for _ in range(halvings):
            middle = low + (high - low) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self._chance_below(k, j, middle) < self._tail else (low, middle)
        return low

    def threshold(self, first: int, end: int) -> Ints:
        """The most hits in the second sample with a limit as high, for each number in the first; -1 for none."""
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
        """Posterior probability, after k and j hits, that the share is less than t."""
        if t <= 1 / FAR:  # no share lies between 0 and that
            return 0.0
        x, y = self._x_law(k), self._y_law(j)
        if isinstance(x, CountLaw):
            if isinstance(y, CountLaw):
                return float(x.mass @ y.chances_from(first_y(self._share, x.support, t, strict=True)))
            return 1 - float(x.mass @ y.chances_below(self._share.boundary(x.support.astype(np.float64), t)))
        if isinstance(y, CountLaw):
            return float(y.mass @ x.chances_below(self._share.inverse(y.support.astype(np.float64), t)))
        # Over the law that leaves the other's probability smooth.
        if x.coefficient_of_variation < y.coefficient_of_variation:
            points, weights = x.points
            return 1 - float(weights @ y.chances_below(self._share.boundary(points, t)))
        points, weights = y.points
        return float(weights @ x.chances_below(self._share.inverse(points, t)))


def _law(stratum: Stratum, hits: int, a: float, max_lattice: int) -> CountLaw | _BetaLaw:
    """The posterior of the count; of more unchecked items than that the beta law of the same mean and variance."""
    missed = stratum.checked - hits
    if stratum.rest <= max_lattice:
        return beta_binomial(stratum.rest, hits + a, missed + a, hits)
    total = stratum.checked + 2 * a
    factor = (stratum.rest - 1) / (total + stratum.rest)
    return _BetaLaw(hits, stratum.rest, factor * (hits + a), factor * (missed + a))


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
    """The counts of the two strata at which the share is as low as its exact lower limit."""
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
    """Minimises the share over the populations under which a sample at least as extreme has more than `tail`."""

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
        """The counts, within the ranges, with the lowest share; the best ones where no population is left."""
        (low, high), last = self.x_range, self.y_range[1]
        best = (high, int(self._lowest_y(np.array([high]))[0]))
        best = self._zoom(low, high, best)
        edges = np.unique(np.linspace(low, high + 1, _BLOCKS + 1).astype(np.int64))
        a, b = edges[:-1], edges[1:] - 1
        while len(a):
            y = self._lowest_y_below(a, self.share.value(*best))
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
        """A low share to start from: the best of a grid, then of a finer grid around it."""
        while True:
            grid = np.unique(np.linspace(low, high, _GRID).astype(np.int64))
            best = self._better(grid, best)
            if len(grid) < _GRID:
                return best
            index = int(np.searchsorted(grid, best[0]))
            low, high = int(grid[max(index - 1, 0)]), int(grid[min(index + 1, len(grid) - 1)])

    def _better(self, x: Ints, best: tuple[int, int]) -> tuple[int, int]:
        """The best population with one of these x, or `best` if none has a lower share."""
        y = self._greatest_y(x)
        there = y >= self._lowest_y(x)
        if not there.any():
            return best
        x, y = x[there], y[there]
        values = self.share.value(x, y)
        index = int(np.argmin(values))
        return (int(x[index]), int(y[index])) if values[index] < self.share.value(*best) else best

    def _greatest_y(self, x: Ints) -> Ints:
        """h(x): the greatest y with which more than `tail` is left; less than all possible ones for none."""
        low = self._lowest_y(x) - 1
        high = np.full(len(x), self.y_range[1] + 1)
        while (open_ := high - low > 1).any():
            middle = (low + high) // 2
            is_held = np.zeros(len(x), dtype=bool)
            is_held[open_] = self._is_likely(x[open_], middle[open_])
            low, high = np.where(open_ & is_held, middle, low), np.where(open_ & ~is_held, middle, high)
        return low

    def _lowest_y(self, x: Ints) -> Ints:
        """The least y that is possible with x."""
        lowest: Ints = np.maximum(self.y_range[0], ((x == 0) & self.given_any).astype(np.int64))
        return lowest

    def _lowest_y_below(self, x: Ints, r: float) -> Ints:
        """The least possible y with which the share is below r."""
        return np.maximum(first_y(self.share, x, float(r), strict=True), self._lowest_y(x))

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
        rows = hypergeometric_rows(self.x.size, self.x.checked, x)
        rows_of_y = hypergeometric_rows(self.y.size, self.y.checked, y)
        k = rows.start[:, np.newaxis] + np.arange(rows.mass.shape[1])
        max_hits = self.max_hits[np.minimum(k, self.x.checked)]
        index = np.clip(max_hits + 1 - rows_of_y.start[:, np.newaxis], 0, rows_of_y.mass.shape[1])
        sums: Floats = np.einsum("ij,ij->i", rows.mass, np.take_along_axis(rows_of_y.up_to(), index, axis=1))
        return sums


def _reach(stratum: Stratum) -> int:
    """About the widest window of hits in a sample of the stratum."""
    return min(stratum.checked + 1, 30 + int(10 * stratum.checked**0.5))
