"""Student's t corrected for skewness, for values whose error has a long tail on one side.

A mean of few values with a long tail to the right is mostly too low, and so is its standard error then: Student's t
misses the truth above it far more often than below. Hall's transformation takes the skewness out of the studentised
error, and being a monotone cubic it can be undone, so that the limits are a formula.
"""

import math
from typing import NamedTuple

from certus.inference.interval import Limits, Side
from certus.inference.special import t_cdf, t_quantile
from certus.statistic.common import TOO_SKEWED

LITTLE = 0.05
"""A mean of which the skewness is less than this has limits by Student's t."""
MUCH = 0.3
"""Among the laws whose samples are as skewed as this, there are some that even corrected limits cover too little."""
FAR_TOO_MUCH = 0.6
"""The skewness of a mean that fewer than 3 units decide."""
FEW_UNITS = "fewer than 3 units determine the value; how common such units are cannot be estimated"
SOURCE = (
    "Hall (1992), J. R. Stat. Soc. B 54(1):221-228, for means; DiCiccio & Efron (1992), Biometrika 79(2):231-245, "
    "doi:10.1093/biomet/79.2.231, for the curvature of smooth functions of means"
)


class Skew(NamedTuple):
    """Components of the skewness of a value's error, each about 1 / sqrt(n) in size.

    Attributes
    ----------
    third
        ``sum(t^3) / sum(t^2)^1.5`` of the terms t that the units add to the error: the skewness of a mean, which is
        that of its values over sqrt(n).
    curvature
        How far the value bends: along the units' terms, s standard errors off, it is ``s + curvature s^2`` standard
        errors away. 0 for a mean.
    """

    third: float
    curvature: float = 0.0

    @property
    def little(self) -> bool:
        """True if Student's t needs no correction."""
        return max(abs(self.third), abs(self.third + 3 * self.curvature)) <= LITTLE

    @property
    def much(self) -> bool:
        """True if the skewness is too large for the correction."""
        return abs(self.third) > MUCH


def quantiles(skew: Skew, tail: float, freedom: float) -> tuple[float, float]:
    """Distances of the lower and the upper limit from the value, in standard errors.

    With T the studentised error, ``a = third / 3 + curvature`` and ``b = third / 6``, the polynomial
    ``T + a T^2 + a^2 T^3 / 3 + b`` has hardly any skewness left. It is increasing, and is set to the quantiles of
    Student's t. On the side of the short tail, where the correction would shorten the interval, the limit is Student's
    own: the skewness of few values is mostly underestimated.

    Examples
    --------
    >>> low, high = quantiles(Skew(0.2), 0.025, 40)
    >>> round(low, 3), round(high, 3)
    (2.021, 2.425)
    """
    t = -t_quantile(tail, freedom)
    a, b = skew.third / 3 + skew.curvature, skew.third / 6
    return max(t, _untransformed(t - b, a)), max(t, -_untransformed(-t - b, a))


def p_value(ratio: float, skew: Skew, freedom: float, alternative: Side) -> float:
    """The p-value of a studentised value, at most 1 - level if and only if the limits exclude the tested value."""
    upper = _upper_tail(ratio, skew, freedom)
    lower = _upper_tail(-ratio, Skew(-skew.third, -skew.curvature), freedom)
    return {"greater": upper, "less": lower, "two-sided": min(2 * min(upper, lower), 1.0)}[alternative]


def _upper_tail(ratio: float, skew: Skew, freedom: float) -> float:
    """Upper tail probability of a studentised value, corrected for skewness."""
    a, b = skew.third / 3 + skew.curvature, skew.third / 6
    corrected = ratio * (1 + a * ratio * (1 + a * ratio / 3)) + b if math.isfinite(ratio) else ratio
    return t_cdf(-min(ratio, corrected), freedom)


def _untransformed(y: float, a: float) -> float:
    """T for which ``T + a T^2 + a^2 T^3 / 3`` is y: ``((1 + 3 a y)^(1/3) - 1) / a``."""
    x = 3 * a * y
    if abs(x) < 1e-4:
        return y * (1 - x / 3 * (1 - 5 * x / 9))
    return (math.cbrt(1 + x) - 1) / a


def limits(value: float, error: float, skew: Skew, tail: float, freedom: float) -> Limits:
    """Limits of a value, corrected for skewness, with a warning if the skewness is too large for them."""
    low, high = quantiles(skew, tail, freedom)
    return Limits(value - low * error, value + high * error, TOO_SKEWED if skew.much else "")
