"""Limits for a mean of bounded values by bets, which hold for every number of units.

Against "the mean is at most m", for values of at least `low`, a bet of the part g of what is owned multiplies it by
``1 + g (x - m) / (m - low)`` at each unit. What is owned at the end has an expectation of at most 1 if the mean is at
most m, whatever the distribution, and even if the units are not alike, as ``1 + x <= e^x``. So it reaches 1 / alpha
with a probability of at most alpha (Markov). A mixture of bets with weights that do not depend on the values is such a
bet, too, and it is a product over the units: their order does not matter. The p-value is one over what is owned, and
the limit is the m where it is 1 / alpha.

Of clusters, or units with weights, x is a sum and the bet is ``1 + g (sum - m size) / ((m - low) largest size)``.

Source: Waudby-Smith & Ramdas (2024), JRSSB 86(1):1-27, doi:10.1093/jrsssb/qkad009, whose bets follow the order.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.inference.special import normal_cdf
from certus.statistic.common import Bounds
from certus.statistic.moments import deviation

SPREADS = np.append(0.0, np.geomspace(0.025, 0.4, 9))
"""Standard deviations, as parts of the distance from the mean to the bound, for each of which one bet is the best."""
LOG_ODDS = math.log(40)
"""The bets are the best for a tail of 0.025."""
UNIT_RANGE = (0.0, 1.0)
"""The range assumed for values that lie there."""
FARTHER = 0.5
"""Part of the range observed by which the range assumed goes farther, at the least."""
DEVIATIONS = 18
"""Standard deviations of the values that the range assumed covers, at the least."""
LEAST_UNITS = 20
"""Units from which a range assumed from the values is wide enough: fewer mostly lack the largest losses."""
_STEPS = 60
_NEAR = 1e-9
_NOTHING = 1e-12


class Bets(NamedTuple):
    """The sums and sizes that occur, how often, and the parts that are bet, with their weights."""

    sums: Floats
    sizes: Floats
    times: Floats
    parts: Floats
    log_weights: Floats

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return math.fsum(self.sums * self.times) / math.fsum(self.sizes * self.times)

    def log_owned(self, mean: float, low: float) -> float:
        """The logarithm of what bets against a mean of at most `mean` come to."""
        gains = (self.sums - low * self.sizes) / (mean - low)
        with np.errstate(divide="ignore"):
            logs = [
                float(self.times @ np.log(np.maximum((1 - part * self.sizes) + part * gains, 0.0)))
                for part in self.parts.tolist()
            ]
        owned = np.array(logs) + self.log_weights
        most = float(owned.max())
        return most + math.log(np.exp(owned - most).sum()) if most > -math.inf else most

    def p(self, mean: float, low: float) -> float:
        """The p-value of "the mean is at most this", of values of at least `low`."""
        if mean <= low:
            return 1.0 if self.mean <= low else 0.0
        return math.exp(min(-self.log_owned(mean, low), 0.0))

    def lower(self, tail: float, low: float) -> float:
        """The greatest mean that is rejected with all below it; `low` for none."""
        if not self.mean > low:
            return low
        target = math.sqrt(-math.log(tail))

        def lacking(mean: float) -> float:
            owned = self.log_owned(mean, low)  # nearly a parabola
            return target - math.copysign(math.sqrt(abs(owned)), owned)

        spread = math.sqrt(float(self.times @ (self.sums - self.mean * self.sizes) ** 2))
        width = (3 * spread + 4 * (self.mean - low)) / math.fsum(self.times * self.sizes)
        return _crossing(lacking, low, self.mean, width)


def _crossing(function: Callable[[float], float], low: float, high: float, width: float) -> float:
    """The root of a smooth increasing function, or a little less, by secants within a bracket."""
    upper = function(high)
    while True:
        at = max(high - width, low + (high - low) / 16)
        lower = function(at)
        if lower <= 0 or at - low <= _NEAR * width:
            break
        high, upper, width = at, lower, 2 * width
    low = at
    for step in range(_STEPS):
        slope = (upper - lower) / (high - low)
        if not 0 < slope < math.inf or high - low <= _NEAR * width:
            break
        at = low - lower / slope if step % 4 < 3 else low + (high - low) / 2
        height = function(at)
        if abs(height) <= _NEAR:
            return max(at - 2 * abs(height) / slope, low) if height > 0 else at
        low, lower, high, upper = (at, height, high, upper) if height < 0 else (low, lower, at, height)
    return low


def bets(sums: Floats, sizes: Floats) -> Bets:
    """The bets on sums of clusters, or on values of size 1, in no order."""
    if np.ptp(sizes):
        pairs, times = np.unique(np.column_stack([sums, sizes]), axis=0, return_counts=True)
    else:
        values, times = np.unique(sums, return_counts=True)
        pairs = np.column_stack([values, np.full(len(values), sizes[0])])
    largest = float(pairs[:, 1].max())
    scaled = pairs / largest
    units = float(times @ scaled[:, 1] ** 2)
    parts, log_weights = bet_parts(units)
    return Bets(
        np.ascontiguousarray(scaled[:, 0]),
        np.ascontiguousarray(scaled[:, 1]),
        times.astype(np.float64),
        parts,
        log_weights,
    )


def bet_parts(units: float) -> tuple[Floats, Floats]:
    """The parts that are bet on so many units, with the logarithms of their weights."""
    best = math.sqrt(2 * LOG_ODDS / units)
    parts, often = np.unique(np.minimum(best / np.maximum(SPREADS, best), 1.0), return_counts=True)
    return parts, np.log(often / len(SPREADS))


def assumed_range(*columns: Floats) -> Bounds:
    """The range assumed for values whose bounds are not known: [0, 1] if all lie there.

    Otherwise from the least to the greatest observed and to 0, and farther on either side of 0 that was observed: by
    half of that, and so far that it covers 18 standard deviations. Units mostly lack the largest of rare losses.

    Examples
    --------
    >>> assumed_range(np.array([20.0, 40.0]))
    (0.0, 254.55844122715712)
    >>> assumed_range(np.append(np.zeros(97), [-4.0, 2.0, 0.0]))
    (-7.0, 5.0)
    """
    least = min(float(column.min()) for column in columns)
    greatest = max(float(column.max()) for column in columns)
    if least >= 0 and greatest <= 1:
        return UNIT_RANGE
    low, high = min(least, 0.0), max(greatest, 0.0)
    width, sides = high - low, (low < 0) + (high > 0)
    more = max(FARTHER * width, (DEVIATIONS * deviation(np.concatenate(columns)) - width) / sides)
    return (low - more if low < 0 else 0.0), (high + more if high > 0 else 0.0)


def betting_power(centred: Floats, n: int, margin: float, distance: float, tail: float) -> float:
    """The chance that n units drawn from values of mean 0 show that it is above ``-margin``, by the best of the bets.

    What a bet comes to has a logarithm that is nearly normal.
    """
    if not 0 < margin < distance:
        return float(margin > 0)
    kept = np.clip(centred, margin - distance, distance - margin)
    parts, log_weights = bet_parts(n)
    gains = parts[:, np.newaxis] * (kept - kept.mean() + margin) / (distance - margin)
    logs = np.log(np.maximum(1 + gains, _NOTHING))
    lead = n * logs.mean(axis=1) + log_weights + math.log(tail)
    return max(normal_cdf(float(each)) for each in lead / np.sqrt(n * logs.var(axis=1) + _NOTHING))
