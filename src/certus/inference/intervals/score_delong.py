"""Score-type limits for a probability of a right order, whose variance is that of the limit itself."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.inference.interval import Limits, ManyLimits, Request
from certus.inference.intervals import influence
from certus.inference.intervals.scale import SAME
from certus.inference.special import beta_upper_quantile
from certus.statistic import UStatistic
from certus.statistic.ustatistics import UStatistics

QUARTILE = 0.75
"""The loss at this quantile is what many units lose, by ties; losses beyond it are rare ones."""

Pair = tuple[float, float]
Losses = Sequence[tuple[float, float, float]]

UNKNOWN = (math.nan, math.nan, False)


def score_delong(statistic: UStatistic, request: Request) -> Limits:
    """The probabilities p with ``|A - p| <= t sqrt(C g(p))``, ``g(p) = p (1 - p) M / (1 + M)``, ``M = max(p, 1 - p)``.

    A variance that is estimated where hardly a pair is in the wrong order is about as random as the A itself, so that
    ``A +- t SE`` covers too little on any scale. Here the variance depends on p, as in Wilson's interval of a
    proportion. ``g(p) / m`` is what the m positives add to the variance of Hanley and McNeil, where theirs is the
    sample that adds more, and it is taken for both samples. Each part is multiplied by a ratio r, its variance by
    DeLong over that by the model, where that can be told::

        C = r_1 / m + r_2 / n,  r = w d + (1 - w) max(d, 1 + 1 / k),  w = k / (k + 7)

    with d the ratio of the variances at A, and k the number of units that lose pairs: ``(sum l)^2 / sum l^2``, l the
    part of the other sample that a unit loses against (wins against, for A < 1/2), in the sample where it is less. So
    with few of them the variance is hardly taken to be less than the model's. The quantile has Satterthwaite's degrees
    of freedom for the part of C that is estimated.

    The limit that is nearer to 1/2 is at least as far as with all pairs in the right order, for k up to 3; beyond, the
    distance is divided by k / 3. Ties may cost many units a little each, and hide that hardly any has lost much: the
    same holds of what units lose beyond the loss that a quarter of them exceed. Where all units of a sample lose about
    as much, or evenly from none to twice that, it does not show whether some are drawn as the other sample's are, and
    lose half the pairs: the limit allows for the share of such units that may all be missing with probability `tail`
    (44 positives of which .05 are among 1,000 negatives, .03 of these among the positives: .98 for .88 covered).

    The limit is no farther than Clopper and Pearson's of A as a share of as many trials as the smaller sample has
    units, each in a pair of its own: A is an average over all such pairings, and varies less.
    """
    least, greatest = statistic.span
    width = greatest - least
    area = (statistic.value - least) / width
    if not 0 < area < 1:
        # Rounding alone made the value that of a perfect order.
        return Limits.around(statistic.value, 0.0)
    if statistic.masses is None and statistic.spreads is None:
        units = [(float(n), v / width**2, n - 1.0) for n, v in zip(statistic.sizes, statistic.variances, strict=True)]
    else:
        parts = influence.parts(statistic)
        units = [(part.size, part.variance * part.size / width**2, part.freedom) for part in parts]
    (m, v, f), (n, w, g) = units
    samples = (m, n), (v, w), (f, g)
    low, high = _of_area(area, samples, lambda: _losses(statistic), request.tail)
    if area == 0.5:  # either order of the samples is as good as the other
        exchanged = (n, m), (w, v), (g, f)
        other = _of_area(area, exchanged, lambda: _losses(statistic, exchanged=True)[::-1], request.tail)
        low, high = min(low, 1 - other[1]), max(high, 1 - other[0])
    return Limits(least + width * low, greatest - width * (1 - high))


def _of_area(area: float, samples: tuple[Pair, Pair, Pair], losses: Callable[[], Losses], tail: float) -> Pair:
    """The limits for an area: the sizes of the samples, their variances and the degrees of freedom of these."""
    # Most limits do not depend on what single units lose.
    found = kernels.score_limits(area, *samples, None, tail)
    low, high, far = found or kernels.score_limits(area, *samples, losses(), tail) or UNKNOWN
    if not far:
        return low, high
    pairs, lost = min(samples[0]), min(area, 1 - area)
    alone = beta_upper_quantile(tail, pairs * lost + 1, pairs * (1 - lost))
    return (max(low, 1 - alone), high) if area >= 0.5 else (low, min(high, alone))


def _losses(statistic: UStatistic, *, exchanged: bool = False) -> Losses:
    """Losses of the units of each sample, or of the exchanged samples; empty where they are not known."""
    if statistic.losses is not None and not exchanged:
        return statistic.losses()
    if statistic.influence is None:
        return ()
    least, greatest = statistic.span
    side = -1.0 if (statistic.value - least >= (greatest - least) / 2) is not exchanged else 1.0
    return [losses_of(side * values / (greatest - least)) for values in statistic.influence()]


def losses_of(losses: Floats) -> tuple[float, float, float]:
    """Units that lose more than the upper quartile, the mean of what they lose beyond it, and the greatest loss."""
    beyond = np.maximum(losses - np.quantile(losses, QUARTILE), 0.0)
    squares = float(product(beyond, beyond))
    units = max(1.0, float(beyond.sum()) ** 2 / squares) if squares > 0 else 1.0
    return units, float(beyond.mean()), float(losses.max())


def score_delongs(statistics: Sequence[UStatistic], request: Request, _exact: bool = False) -> ManyLimits:
    """The limits of `score_delong` of each, of statistics in columns."""
    if not isinstance(statistics, UStatistics):
        return ManyLimits.unknown(len(statistics))
    least, greatest = statistics.span
    width = greatest - least
    with np.errstate(all="ignore"):
        area, variances = (statistics.values - least) / width, statistics.variances / width**2
        low, high, far = kernels.score_limits_of_parts(
            area, statistics.sizes, variances, statistics.losses, request.tail
        )
        spread = np.sqrt((statistics.variances / statistics.sizes).sum(1)) > SAME * np.abs(statistics.values)
        low, high = (np.clip(each, *request.bounds) for each in (least + width * low, greatest - width * (1 - high)))
    n = len(statistics)
    # An area of 1/2 is looked at from both sides, by `score_delong`.
    return ManyLimits(low, high, spread & ~far & (area != 0.5), ["score-delong"] * n, [""] * n)
