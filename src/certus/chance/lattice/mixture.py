"""Mixtures of Mann-Whitney laws, each stretched and moved."""

import math
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.chance.distribution import SAME, Answer, Distribution, KnownMoments, log_rest
from certus.chance.lattice.mann_whitney import MannWhitney, fourth_powers
from certus.transform.quantile import quantile


class Mixture(Distribution):
    """With some probability each, ``base + scale U`` where U has the Mann-Whitney law of two sizes.

    Only the parts whose values lie on both sides of what is asked for are looked into; of the others all values count,
    or none.

    Parameters
    ----------
    logs
        Log probability of each part; they add up to 1.
    sizes
        The two sizes, a row for each part; 0 where U is 0.
    base, scale
        What makes U a value.
    """

    _method = "fourier"

    def __init__(self, logs: Floats, sizes: NDArray[np.int64], base: Floats, scale: Floats) -> None:
        self._logs, self._base, self._scale = logs, base, scale
        self._sizes = sizes
        self._tops: Floats = np.asarray(sizes[:, 0] * sizes[:, 1], dtype=np.float64)
        self._beyond: Floats = np.asarray(self._tops + 1, dtype=np.float64)
        self._least, self._most = float(base.min()), float((base + scale * self._tops).max())

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._least, self._most

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

    def _places(self, x: float) -> tuple[Floats, Floats]:
        """First U with a value of at least x and last U with a value of at most x, in each part."""
        slack = SAME * (self._most - self._least)
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
            log, error, _ = law.between(int(first[part]), int(last[part]))
            logs.append(float(self._logs[part]) + log)
            errors += math.exp(float(self._logs[part])) * error
        total = float(np.logaddexp.reduce(logs)) if logs else -math.inf
        return min(total, 0.0), errors, self._method

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        first, last = self._places(x)
        if upper:
            return self._gathered(first if atom else last + 1, self._beyond)
        return self._gathered(np.full(len(self._logs), -1.0), last if atom else first - 1)

    def _log_pmf(self, x: float) -> Answer:
        first, last = self._places(x)
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
        if not (self._scale == unit).all() or np.ptp(offsets) > SAME * max(np.abs(bases).max(), 1.0):
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

    def _nearer(self, index: float, below: float, above: float) -> float:
        """A place nearer to where the tails have these logarithms, in a law that finds one at less cost than tails."""
        del below, above
        return index

    def _nearest(self, x: float) -> float:
        """The possible value that is nearest to x."""
        values = self._base + self._scale * np.clip(np.round((x - self._base) / self._scale), 0, self._tops)
        return float(values[np.abs(values - x).argmin()])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        steps = np.cumsum(np.exp(self._logs))
        parts = np.minimum(np.searchsorted(steps, generator.random(size) * steps[-1], side="right"), len(steps) - 1)
        return np.array(
            [
                self._base[part] + self._scale[part] * _mann_whitney(*self._sizes[part].tolist())._draw(1, generator)[0]
                for part in parts.tolist()
            ]
        )


@lru_cache(maxsize=4096)
def _mann_whitney(m: int, n: int) -> MannWhitney:
    return MannWhitney(m, n)
