"""The betting test for bounded values; its limits cover the level for any number of units.

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

from certus.core.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.search import first_true
from certus.inference.special import normal_cdf
from certus.inference.tests.declare import MEANS, difference_test
from certus.inference.tests.means import PairedDifferences
from certus.inference.tests.result import Alternative, Outcome, of_difference
from certus.inference.tests.shares import exact_limits
from certus.statistic.common import Bounds, plural
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
NEAR = 1e-6
_STEPS = 60
_NEAR = 1e-9
_NOTHING = 1e-12


class Bets(NamedTuple):
    """Distinct sums and sizes of clusters with their counts, and the stakes with the logarithms of their weights."""

    sums: Floats
    sizes: Floats
    times: Floats
    parts: Floats
    log_weights: Floats

    @property
    def mean(self) -> float:
        """Mean over all clusters: total of their sums divided by total of their sizes."""
        return math.fsum(self.sums * self.times) / math.fsum(self.sizes * self.times)

    def log_owned(self, mean: float, low: float) -> float:
        """Logarithm of the final wealth from bets against a mean of at most `mean`; values are at least `low`."""
        gains = (self.sums - low * self.sizes) / (mean - low)
        with np.errstate(divide="ignore"):
            logs = [
                float(self.times @ np.log(np.maximum((1 - part * self.sizes) + part * gains, 0.0)))
                for part in self.parts.tolist()
            ]
        owned = np.array(logs) + self.log_weights
        largest = float(owned.max())
        return largest + math.log(np.exp(owned - largest).sum()) if largest > -math.inf else largest

    def p(self, mean: float, low: float) -> float:
        """P-value of the hypothesis that the mean is at most `mean`, for values of at least `low`."""
        if mean <= low:
            return 1.0 if self.mean <= low else 0.0
        return math.exp(min(-self.log_owned(mean, low), 0.0))

    def lower(self, tail: float, low: float) -> float:
        """Lower limit: the greatest mean that is rejected, with all below it; `low` if none is."""
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
    """Root of a smooth increasing function, or slightly below it, by bracketed secant steps."""
    upper = function(high)
    while True:
        point = max(high - width, low + (high - low) / 16)
        lower = function(point)
        if lower <= 0 or point - low <= _NEAR * width:
            break
        high, upper, width = point, lower, 2 * width
    low = point
    for step in range(_STEPS):
        slope = (upper - lower) / (high - low)
        if not 0 < slope < math.inf or high - low <= _NEAR * width:
            break
        point = low - lower / slope if step % 4 < 3 else low + (high - low) / 2
        height = function(point)
        if abs(height) <= _NEAR:
            return max(point - 2 * abs(height) / slope, low) if height > 0 else point
        low, lower, high, upper = (point, height, high, upper) if height < 0 else (low, lower, point, height)
    return low


def bets(sums: Floats, sizes: Floats) -> Bets:
    """Bets for sums and sizes of clusters, whatever their order."""
    if np.ptp(sizes):
        pairs, times = np.unique(np.column_stack([sums, sizes]), axis=0, return_counts=True)
    else:
        values, times = np.unique(sums, return_counts=True)
        pairs = np.column_stack([values, np.full(len(values), sizes[0])])
    largest = float(pairs[:, 1].max())
    scaled = pairs / largest
    units = float(times @ scaled[:, 1] ** 2)
    parts, log_weights = bet_parts(units)
    sums, sizes = np.ascontiguousarray(scaled.T)
    return Bets(sums, sizes, times.astype(np.float64), parts, log_weights)


def bet_parts(units: float) -> tuple[Floats, Floats]:
    """Stakes for this number of units, with the logarithms of their weights."""
    best = math.sqrt(2 * LOG_ODDS / units)
    parts, often = np.unique(np.minimum(best / np.maximum(SPREADS, best), 1.0), return_counts=True)
    return parts, np.log(often / len(SPREADS))


def assumed_range(*columns: Floats) -> Bounds:
    """Range assumed for values with unknown bounds: [0, 1] if all lie there.

    Otherwise from the least to the greatest observed and to 0, and farther on either side of 0 that was observed: by
    half of that, and so far that it covers 18 standard deviations. Units mostly lack the largest of rare losses.

    >>> assumed_range(np.array([20.0, 40.0]))
    (0.0, 254.55844122715712)
    """
    lowest = min(float(column.min()) for column in columns)
    greatest = max(float(column.max()) for column in columns)
    if lowest >= 0 and greatest <= 1:
        return UNIT_RANGE
    low, high = min(lowest, 0.0), max(greatest, 0.0)
    width, n_sides = high - low, (low < 0) + (high > 0)
    more = max(FARTHER * width, (DEVIATIONS * deviation(np.concatenate(columns)) - width) / n_sides)
    return (low - more if low < 0 else 0.0), (high + more if high > 0 else 0.0)


def betting_power(centred: Floats, n: int, margin: float, distance: float, tail: float) -> float:
    """Probability that the best bet shows a mean above ``-margin``, for n units drawn from values of mean 0."""
    # What a bet comes to has a logarithm that is nearly normal.
    if not 0 < margin < distance:
        return float(margin > 0)
    clipped = np.clip(centred, margin - distance, distance - margin)
    parts, log_weights = bet_parts(n)
    gains = parts[:, np.newaxis] * (clipped - clipped.mean() + margin) / (distance - margin)
    logs = np.log(np.maximum(1 + gains, _NOTHING))
    lead = n * logs.mean(axis=1) + log_weights + math.log(tail)
    return max(normal_cdf(float(z)) for z in lead / np.sqrt(n * logs.var(axis=1) + _NOTHING))


GUARANTEED = ("mcnemar", "betting")
"""Tests whose limits hold for every number of units."""
UNSTATED = (
    "which was taken as all observed lie there",
    "which was guessed from those observed",
    f"a margin needs at least {LEAST_UNITS} without a known range",
)
"""Ends of the remark on limits that rest on a range nobody stated: taken by rule, guessed, or not to be guessed."""


def _bounds_are_known(request: Request) -> bool:
    """True if the metric has two finite bounds."""
    return math.isfinite(request.bounds[1] - request.bounds[0])


def _assumed(sample: PairedDifferences) -> Bounds:
    """Range assumed for the values of both systems."""
    return sample.values or assumed_range(sample.sums / sample.sizes)


def _range(sample: PairedDifferences, request: Request) -> Bounds:
    """Bounds of the difference: the known ones, or those that follow from the assumed range."""
    return request.bounds if _bounds_are_known(request) else of_difference(_assumed(sample))


def too_few(sample: PairedDifferences, request: Request) -> str:
    """Reason why there are no limits: too few units to assume a range; otherwise empty."""
    units = float(np.sum((sample.sizes / sample.sizes.max()) ** 2))
    if _bounds_are_known(request) or _assumed(sample) == UNIT_RANGE or units >= LEAST_UNITS * (1 - NEAR):
        return ""
    uneven = "" if units > sample.n - NEAR else f" of unequal size, which count like {units:.3g},"
    return f"{plural(sample.n, sample.unit)}{uneven} are too few: {UNSTATED[2]}"


def assumption(sample: PairedDifferences, request: Request) -> str:
    """Remark on the assumed range that the limits depend on; empty if bounds are known."""
    if _bounds_are_known(request):
        return ""
    quantity, (low, high) = ("values", sample.values) if sample.values else ("differences", _range(sample, request))
    origin = UNSTATED[_assumed(sample) != UNIT_RANGE]
    return f"holds if {quantity} stay within [{low:.6g}, {high:.6g}], {origin}"


def _side(sample: PairedDifferences, request: Request, sign: float) -> tuple[Bets, float]:
    """Bets against a mean below a limit (sign 1) or above one (sign -1), and the lower bound of the values."""
    low, high = _range(sample, request)
    return bets(sign * sample.sums, sample.sizes), low if sign > 0 else -high


def _betting_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Limits for the mean difference by inverting the betting test; infinite if there are too few units."""
    reason = too_few(sample, request)
    if reason:
        return Limits(-math.inf, math.inf, reason)
    low, high = (
        side.lower(request.tail, bound) for side, bound in (_side(sample, request, sign) for sign in (1.0, -1.0))
    )
    return Limits(low, -high, assumption(sample, request))


@difference_test(
    "betting",
    MEANS,
    label="betting test",
    interval="betting",
    interval_label="bets on bounded values",
    limits=_betting_limits,
    note="the means against which bets do not win 40 times the stake: they hold whatever the number of units and the "
    "distribution, for values between known bounds",
    clusters=True,
    null="the mean difference is 0",
    assumes="values between the bounds of the metric, or those stated",
    guarantee="bounded",
    aliases=("bets", "bounded"),
    source="Waudby-Smith & Ramdas (2024), JRSSB 86(1):1-27, doi:10.1093/jrsssb/qkad009",
    any_number=True,
)
def _betting(sample: PairedDifferences, alternative: Alternative, request: Request, shift: float = 0.0) -> Outcome:
    """Betting test of a mean difference against `shift`; two-sided p is twice the smaller one-sided p."""
    if too_few(sample, request):
        return 1.0, sample.mean, "too few units without a known range", 0.0, ""
    tails = []
    for sign in {"greater": (1.0,), "less": (-1.0,)}.get(alternative, (1.0, -1.0)):
        side, bound = _side(sample, request, sign)
        tails.append(side.p(sign * shift, bound))
    return min(min(tails) * len(tails), 1.0), sample.mean, "bets", 0.0, ""


def equal_units_needed(n: int, loss: float, margin: float, tail: float) -> int:
    """Number of equal units for a loss below the margin, if n of them leave up to `loss` possible."""

    def greatest_loss(units: int, exact: bool) -> float:
        if exact:
            return -exact_limits(0, 0, units, tail).low
        return -bets(np.zeros(units), np.ones(units)).lower(tail, -1.0)

    exact = abs(greatest_loss(n, True) - loss) <= NEAR * loss
    scale = loss / greatest_loss(n, exact)
    high = 2 * n
    while scale * greatest_loss(high, exact) >= margin:
        high *= 2
    return first_true(lambda units: scale * greatest_loss(units, exact) < margin, 0, high)
