"""The normal approximation of Zhang and Su (2012), as printed and as its table was computed; for comparison only.

Zhang & Su, Statistical Inference on Recall, Precision and Average Precision under Random Selection, FSKD 2012,
pp. 1348-1352. docs/chance-zhang-su.md shows where it differs from the exact law, and by how much.
"""

import math
from typing import Literal

import numpy as np
from scipy import special

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.laws.average_precision_moments import MAX_ITEMS, power_sums
from certus.chance.probability import Answer, require_integer
from certus.core.arrays import Floats
from certus.core.errors import DataError, mention


class ZhangSu(Distribution):
    """The normal law that Zhang and Su give for the average precision of a random ranking.

    With L_i the rank of the i-th relevant item, the paper takes E L_i = i n / m and its own covariances (appendix),
    expands 1/L_i to the second order, and adds up (12) and (13). It is a normal law: neither exact nor of known error,
    and not held to the values that average precision can have.

    Parameters
    ----------
    n, m
        Number of items, and of relevant ones, 2 <= m < n.
    engine
        ``"zhang-su-printed"``: the variance (13) as it is printed. ``"zhang-su"``: the variance of the paper's Table
        III, which comes out when the covariances of (13) are added once instead of twice, those of i = j among them.

    Raises
    ------
    DataError
        If the formulas have no value.

    Examples
    --------
    Table III has the mean .1037 and the variance .0001392.

    >>> law = ZhangSu(1000, 100)
    >>> round(law.mean(), 4), round(law.var(), 7)
    (0.1037, 0.0001392)
    """

    def __init__(self, n: int, m: int, engine: Literal["zhang-su", "zhang-su-printed"] = "zhang-su") -> None:
        n, m = require_integer(n, "items", 1), require_integer(m, "relevant")
        if engine not in ("zhang-su", "zhang-su-printed"):
            raise DataError(f"is {engine!r}", "it must be 'zhang-su' or 'zhang-su-printed'", argument="engine")
        if not 2 <= m < n <= MAX_ITEMS:
            raise DataError(
                f"is {m} and {mention('items')} is {n}",
                "Zhang and Su need 2 <= relevant < items <= 1e30; leave engine out for the exact law",
                argument="relevant",
            )
        self._method = engine
        self._normal_moments = KnownMoments(_mean(n, m), _var(n, m, printed=engine == "zhang-su-printed"), 0.0, 0.0)

    @property
    def _moments(self) -> KnownMoments:
        """The paper's (12) and (13), as printed or as its table has it; the shape of a normal law."""
        return self._normal_moments

    def support(self) -> tuple[float, float]:
        """The whole line: the approximation knows no bounds."""
        return -math.inf, math.inf

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        del atom  # no single value has a chance
        z = (x - self.mean()) / self.std()
        return float(special.log_ndtr(-z if upper else z)), math.nan, self._method

    def _log_pmf(self, _x: float) -> Answer:
        return -math.inf, math.nan, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        away = self.std() * float(special.ndtri(q))
        return self.mean() - away if upper else self.mean() + away

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return generator.normal(self.mean(), self.std(), size)


def _mean(n: int, m: int) -> float:
    """(12): the mean of (m/n) (1 + v_i), v_i = Var L_i / E(L_i)^2 = ((n-m) / (n (m+1))) (m/i - 1)."""
    total = float(power_sums(m)[0])
    return (m / n) * (1 + ((n - m) / n) * ((total - 1) / (m + 1)))


def _var(n: int, m: int, *, printed: bool) -> float:
    """(13): with v_i of (12) and Cov(L_i, L_j) / (E L_i E L_j) = c_j = ((n-m) / (n (m-1))) (1 + m (n-1) / (n j))."""
    first, second = (float(total) for total in power_sums(m)[:2])
    scale = (n - m) / (n * (m + 1))
    variances = scale * m * (first - 1) - scale**2 * m * (m * second - 2 * first + 1)
    slope = m * (n - 1) / n
    covariance = (n - m) / (n * (m - 1))
    pairs = m * (m - 1) / 2 + slope * (m - first)
    pairs_and_squares = m * (m + 1) / 2 + slope * m
    return (variances + covariance * (2 * pairs if printed else pairs_and_squares)) / n / n
