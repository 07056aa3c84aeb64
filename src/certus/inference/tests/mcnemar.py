"""McNemar's test of two systems on the same samples, one right where the other is wrong: exact, mid-P and by score."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Literal

from certus.errors import MetricNameError
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.special import binomial_at_least, binomial_at_most, normal_cdf, preload, root
from certus.inference.tests.result import Alternative, Found
from certus.inference.tests.search import passes
from certus.readable import Readable
from certus.statistic.common import plural, require_integer


@dataclass(frozen=True, slots=True)
class McNemar(Readable):
    """The findings of McNemar's test.

    Attributes
    ----------
    p
        Two-sided p-value.
    statistic
        ``n01 - n10``: how many samples more the second system got right.
    method
        ``"exact"``, ``"mid-p"`` or ``"chi2"``.
    n
        Number of samples on which the systems differ; the others tell nothing.
    error
        The error of p, which is computed: 0.
    """

    p: float
    statistic: int
    method: str
    n: int
    error: float = 0.0

    def __str__(self) -> str:
        return f"p = {self.p:.4g} ({self.method} McNemar test, {self.n} samples on which the systems differ)"


def mcnemar(n01: int, n10: int, test: Literal["exact", "mid-p", "chi2"] = "exact") -> McNemar:
    """McNemar's test of two systems on the same samples, from the samples on which just one of them is right.

    If both are right equally often, n01 is binomial with n01 + n10 trials and probability 1/2.

    Parameters
    ----------
    n01
        Number of samples on which the first system is wrong and the second right.
    n10
        Number of samples on which the first is right and the second wrong.
    test
        ``"exact"``: the binomial probability of a difference at least as large, either way. ``"mid-p"``: that of the
        observed difference counts half; nearer to its level and hardly ever above it (Fagerland, Lydersen & Laake
        2013). ``"chi2"``: McNemar's approximation ``(n01 - n10)^2 / (n01 + n10)``, without continuity correction.

    Returns
    -------
    McNemar
        Its p is 1 where the systems never differ.

    Raises
    ------
    DataError
        A count is not a whole number of at least 0.
    MetricNameError
        There is no such test.

    Examples
    --------
    >>> print(mcnemar(9, 1))
    p = 0.02148 (exact McNemar test, 10 samples on which the systems differ)
    >>> mcnemar(9, 1, "mid-p").p
    0.01171875
    """
    second, first = require_integer(n01, "n01"), require_integer(n10, "n10")
    n, fewer = second + first, min(second, first)
    if test == "exact":
        p = min(1.0, 2 * binomial_at_most(fewer, n, 0.5))
    elif test == "mid-p":
        p = binomial_at_most(fewer, n, 0.5) + binomial_at_most(fewer - 1, n, 0.5)
        p = min(1.0, p)
    elif test == "chi2":
        p = float(preload().chdtrc(1, (second - first) ** 2 / n)) if n else 1.0
    else:
        raise MetricNameError(f"no McNemar test is named {test!r}", "there are 'exact', 'mid-p' and 'chi2'")
    return McNemar(1.0 if second == first else p, second - first, test, n)


def mcnemar_test(sides: tuple[int, int], method: str, alternative: Alternative) -> Found:
    """McNemar's exact test, or with half the probability of what was observed, from the units that differ.

    Its two-sided p-values are those of `certus.inference.mcnemar`.
    """
    above, below = sides
    n = above + below
    tails = []
    for wins in (above, below):
        reached, beyond = (binomial_at_least(k, n, 0.5) for k in (wins, wins + 1))
        tails.append(reached if method == "mcnemar" else (reached + beyond) / 2)
    if n == 0:
        p = 1.0
    elif alternative == "two-sided":
        p = 1.0 if above == below else min(1.0, 2 * min(tails))
    else:
        p = tails[0] if alternative == "greater" else tails[1]
    return p, float(above - below), f"binomial, {plural(n, 'unit')} that differ", 0.0, ""


def mcnemar_score(above: int, below: int, alternative: Alternative) -> Found:
    """McNemar's test by the normal law, from the units on which just one system is right.

    Source: McNemar (1947), Psychometrika 12(2):153-157, doi:10.1007/BF02295996.
    """
    n = above + below
    if not n:
        return 1.0, 0.0, "no differences", 0.0, ""
    z = (above - below) / math.sqrt(n)
    p = min(1.0, 2 * _upper(abs(z))) if alternative == "two-sided" else _upper(z if alternative == "greater" else -z)
    return p, z, f"normal, {plural(n, 'unit')} that differ", 0.0, ""


def tango_interval(above: int, below: int, n: int) -> OwnInterval:
    """The interval that belongs to `mcnemar_score`."""
    return OwnInterval("tango", partial(_limits, above, below, n), partial(tango_beyond, above, below, n))


def tango_beyond(
    above: int, below: int, n: int, shift: float, side: Side, _request: Request | None = None
) -> tuple[float, str]:
    """The p-value of the score test against a difference."""
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
    >>> low, high, *_ = tango_limits(12, 2, 50, 0.025)
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
    q = restricted_share(above, below, n, d)
    variance = n * (2 * q + d * (1 - d))
    off = above - below - n * d
    if variance <= 0:
        return 0.0 if off == 0 else math.copysign(math.inf, off)
    return off / math.sqrt(variance)


def restricted_share(above: int, below: int, n: int, d: float) -> float:
    """The likeliest probability of a unit on which the second system alone is right, where the difference is d."""
    linear = (2 * n - above + below) * d - above - below
    product = below * d * (1 - d)
    # the root of 2 n q^2 + linear q - product that no cancellation spoils
    spread = math.sqrt(max(linear * linear + 8 * n * product, 0.0))
    return (spread - linear) / (4 * n) if linear <= 0 else 2 * product / (spread + linear)


def _upper(z: float) -> float:
    return normal_cdf(-z)
