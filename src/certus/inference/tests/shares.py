"""The difference of two shares of the same units: McNemar's score test, and Tango's limits, which invert it."""

import math
from functools import partial

from certus.inference.declare import label
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.search import passes
from certus.inference.special import normal_cdf, root
from certus.inference.tests.result import Alternative, Found
from certus.statistic import counted

__all__ = ["mcnemar_score", "tango_interval", "tango_limits"]


def mcnemar_score(above: int, below: int, alternative: Alternative) -> Found:
    """McNemar's test by the normal law, from the units on which just one system is right.

    Source: McNemar (1947), Psychometrika 12(2):153-157, doi:10.1007/BF02295996.
    """
    n = above + below
    if not n:
        return 1.0, 0.0, "no differences", 0.0, ""
    z = (above - below) / math.sqrt(n)
    p = min(1.0, 2 * _upper(abs(z))) if alternative == "two-sided" else _upper(z if alternative == "greater" else -z)
    return p, z, f"normal, {counted(n, 'unit')} that differ", 0.0, ""


def tango_interval(above: int, below: int, n: int) -> OwnInterval:
    """The interval that belongs to `mcnemar_score`."""
    return OwnInterval("tango", partial(_limits, above, below, n), partial(_beyond, above, below, n))


def _beyond(above: int, below: int, n: int, shift: float, side: Side, _request: Request) -> tuple[float, str]:
    z = _score(above, below, n, shift) if side == "greater" else _score(below, above, n, -shift)
    return _upper(z), "normal"


def _limits(above: int, below: int, n: int, request: Request) -> Limits:
    return tango_limits(above, below, n, request.tail).within(request.bounds)


def tango_limits(above: int, below: int, n: int, tail: float) -> Limits:
    """The differences d that the score test of ``(above - below) / n = d`` does not reject.

    The statistic is ``(above - below - n d) / sqrt(n (2 q + d (1 - d)))``, q being the probability of a unit on which
    the second system alone is right, as it is most likely to be where the difference is d. For d = 0 that is McNemar's
    test.

    Source: Tango (1998), Stat. Med. 17(8):891-908.

    Examples
    --------
    >>> low, high, _ = tango_limits(12, 2, 50, 0.025)
    >>> round(low, 4), round(high, 4)
    (0.0611, 0.3447)
    """
    return Limits(_lower(above, below, n, tail), -_lower(below, above, n, tail))


def _lower(above: int, below: int, n: int, tail: float) -> float:
    def p(d: float) -> float:
        return _upper(_score(above, below, n, d))

    if passes(p(0.0), tail):  # the test itself decides about 0
        return root(lambda d: p(d) - tail, -1.0, 0.0)
    return root(lambda d: p(d) - tail, 0.0, 1.0)


def _score(above: int, below: int, n: int, d: float) -> float:
    linear = (2 * n - above + below) * d - above - below
    product = below * d * (1 - d)
    # the root of 2 n q^2 + linear q - product that no cancellation spoils
    spread = math.sqrt(max(linear * linear + 8 * n * product, 0.0))
    q = (spread - linear) / (4 * n) if linear <= 0 else 2 * product / (spread + linear)
    variance = n * (2 * q + d * (1 - d))
    off = above - below - n * d
    if variance <= 0:
        return 0.0 if off == 0 else math.copysign(math.inf, off)
    return off / math.sqrt(variance)


def _upper(z: float) -> float:
    return normal_cdf(-z)


label("tango", "Tango score")
