"""Score-type limits for a probability of a right order, whose variance is that of the limit itself."""

import math

import numpy as np

from certus.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.intervals import influence
from certus.inference.special import beta_upper_quantile, root, t_quantile
from certus.statistic import UStatistic

__all__ = ["losses_of", "score_delong"]

EVIDENCE = 7.0
"""Number of units that lose pairs with which DeLong's variance counts as much as the model's."""

FEW = 3.0
"""Units that lose pairs, up to this number, tell nothing of others that might lose more."""

QUARTILE = 0.75
"""The loss at this quantile is what many units lose, by ties; losses beyond it are rare ones."""

ALIKE = (2.5, 3.5)
"""Greatest loss over the mean loss: up to the first no unit has lost more than others, from the second on some have."""

FARTHEST = 40.0
"""A logit beyond which a probability is 0 or 1 for all purposes."""

TINY = 1e-300


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
    parts = influence.parts(statistic)
    variances = [part.variance * part.size / width**2 for part in parts]
    if not 0 < area < 1:
        # Rounding alone made the value that of a perfect order.
        return Limits.around(statistic.value, 0.0)
    found = [variance / (_model(area) + TINY) for variance in variances]
    lost = min(area, 1 - area)
    losing = min(
        part.size * lost**2 / ((1 - 1 / part.size) * variance + lost**2)
        for part, variance in zip(parts, variances, strict=True)
    )
    weight = losing / (losing + EVIDENCE)
    ratios = [weight * d + (1 - weight) * max(d, 1 + 1 / losing) for d in found]
    scale = sum(r / part.size for r, part in zip(ratios, parts, strict=True))
    estimated = [(weight * d / part.size / scale) ** 2 / part.freedom for d, part in zip(found, parts, strict=True)]
    freedom = max(1.0, 1 / max(sum(estimated), TINY))
    reach = t_quantile(request.tail, freedom) ** 2 * scale
    low, high = _limit(area, reach, -1.0), _limit(area, reach, 1.0)
    sizes = [part.size for part in parts]
    pairs = min(sizes)
    unseen = _unseen(request.tail, pairs)
    near, side = (low, -1.0) if area >= 0.5 else (high, 1.0)
    if side * near < side * (area + side * unseen):
        # The distance asked for is `unseen` at most: only here need all influence values be computed.
        rarely = _rarely_lost(statistic, sizes, lost, request.tail)
        farthest = max(unseen / max(losing / FEW, 1.0) - lost, rarely)
        near = side * max(side * near, side * (area + side * farthest))
    alone = beta_upper_quantile(request.tail, pairs * lost + 1, pairs * (1 - lost))
    if area >= 0.5:
        low = max(near, 1 - alone)
    else:
        high = min(near, alone)
    return Limits(least + width * low, greatest - width * (1 - high))


def _rarely_lost(statistic: UStatistic, sizes: list[float], lost: float, tail: float) -> float:
    """The least distance of the limit, by the losses of few units that others in the population may have.

    By those beyond the upper quartile, of the sample that has fewer of them; and of each sample by half the pairs.
    """
    if statistic.influence is None:
        return -math.inf
    width = statistic.span[1] - statistic.span[0]
    side = -1.0 if statistic.value - statistic.span[0] >= width / 2 else 1.0
    found = statistic.losses or [losses_of(side * values / width) for values in statistic.influence()]
    half = 0.0
    for size, (_, _, most) in zip(sizes, found, strict=True):
        alike = np.interp(1 + most / lost, ALIKE, (1.0, 0.0))
        half = max(half, float(alike) * (0.5 - lost) * _unseen(tail, size))
    units, mean, _ = min(found)
    return max(_unseen(tail, min(sizes)) / units - mean, half)


def losses_of(losses: Floats) -> tuple[float, float, float]:
    """Units that lose more than the upper quartile, the mean of what they lose beyond it, and the greatest loss."""
    beyond = np.maximum(losses - np.quantile(losses, QUARTILE), 0.0)
    squares = float(beyond @ beyond)
    units = max(1.0, float(beyond.sum()) ** 2 / squares) if squares > 0 else 1.0
    return units, float(beyond.mean()), float(losses.max())


def _unseen(tail: float, size: float) -> float:
    """The greatest share of units of which there is none among as many with probability `tail`."""
    return -math.expm1(math.log(tail) / size)


def _model(area: float) -> float:
    """The variance of a placement: what scores with exponential laws have in the sample that adds more."""
    more = max(area, 1 - area)
    return area * (1 - area) * more / (1 + more)


def _limit(area: float, reach: float, side: float) -> float:
    """The farthest p on that side with ``(area - p)^2 <= reach * model(p)``; the inequality holds up to there."""

    def outside(logit: float) -> float:
        # The farther one is from the bound, the nearer is its complement, of which no digit may be lost.
        odds = math.exp(-abs(logit))
        more, less = 1 / (1 + odds), odds / (1 + odds)
        p, rest = (more, less) if (logit >= 0) == (side > 0) else (less, more)
        return (area - p) ** 2 - reach * p * rest * more / (1 + more)

    start = side * math.log(area / (1 - area))
    return _expit(side * root(outside, start, max(start, 0.0) + FARTHEST))


def _expit(x: float) -> float:
    if x < 0:
        return math.exp(x) / (1 + math.exp(x))
    return 1 / (1 + math.exp(-x))
