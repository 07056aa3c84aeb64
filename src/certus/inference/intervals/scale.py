"""Limits at a distance from the value, measured on a scale that the bounds of the metric suggest."""

import math

from certus.inference.interval import Limits

ROUNDING = 1e-12
"""A standard error below this part of the value is rounding."""


def degenerate(value: float, error: float) -> bool:
    """True if the standard error is 0 up to rounding, so that limits made from it would have no width."""
    return error <= ROUNDING * abs(value)


def around(value: float, half_width: float, bounds: tuple[float, float]) -> Limits:
    """``value +- half_width``, the step being taken on a scale on which the bounds lie infinitely far away.

    Between two finite bounds the scale is the logit of the value's place between them, which for bounds -1 and 1 is
    twice Fisher's z = atanh(value); from one finite bound it is the logarithm of the distance; without any it is the
    value itself. The step has the length that `half_width` has there to first order (delta method). On the bound itself
    there is no such scale, and the step is taken on the value.

    Examples
    --------
    >>> low, high, *_ = around(0.5, 0.25, (0.0, 1.0))
    >>> round(low, 4), round(high, 4)
    (0.2689, 0.7311)
    >>> around(1.0, 0.5, (-math.inf, math.inf))
    Limits(low=0.5, high=1.5, reason='', method='')
    """
    lower_bound, upper_bound = bounds
    to_lower, to_upper = value - lower_bound, upper_bound - value
    if min(to_lower, to_upper) <= 0 or (math.isinf(to_lower) and math.isinf(to_upper)):
        return Limits.around(value, half_width).clip(bounds)
    if math.isinf(to_upper):
        return Limits(
            lower_bound + to_lower * _exp(-half_width / to_lower), lower_bound + to_lower * _exp(half_width / to_lower)
        )
    if math.isinf(to_lower):
        return Limits(
            upper_bound - to_upper * _exp(half_width / to_upper), upper_bound - to_upper * _exp(-half_width / to_upper)
        )
    step = half_width / to_lower + half_width / to_upper
    logit = math.log(to_lower / to_upper)
    return Limits(_from_logit(logit - step, bounds), _from_logit(logit + step, bounds)).clip(bounds)


def curvature(value: float, error: float, bounds: tuple[float, float]) -> float:
    """The curvature of the scale of `around`: s standard errors off it has gone ``s + curvature s^2`` of its own."""
    lower_bound, upper_bound = bounds
    to_lower, to_upper = value - lower_bound, upper_bound - value
    if min(to_lower, to_upper) <= 0:
        return 0.0
    return error / to_upper / 2 - error / to_lower / 2


def _from_logit(logit: float, bounds: tuple[float, float]) -> float:
    lower_bound, upper_bound = bounds
    if logit < 0:
        odds = math.exp(logit)
        return lower_bound + (upper_bound - lower_bound) * (odds / (1 + odds))
    odds = math.exp(-logit)
    return upper_bound - (upper_bound - lower_bound) * (odds / (1 + odds))


def _exp(x: float) -> float:
    return math.exp(x) if x < 709 else math.inf
