"""Limits for many proportions at once: what the bands of curves are made of."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.errors import CertusError, MetricNameError
from certus.inference._special import preload

__all__ = ["binomial_limits", "check_level", "distribution_limits", "shared"]

Floats = NDArray[np.float64]
Limits = tuple[Floats, Floats]


def check_level(level: float) -> float:
    """The level, refused where it is no level.

    Raises
    ------
    CertusError
        It does not lie strictly between 0 and 1.
    """
    if not 0 < level < 1:
        raise CertusError(f"level is {level}; it must lie strictly between 0 and 1, for example 0.95")
    return float(level)


def shared(level: float, parts: int, *, independent: bool) -> float:
    """The level of each of some statements that shall hold together at `level`.

    Independent statements multiply; of others only the errors can be added (Bonferroni).

    Examples
    --------
    >>> round(shared(0.95, 2, independent=True), 4), round(shared(0.95, 2, independent=False), 4)
    (0.9747, 0.975)
    """
    return float(level ** (1 / parts)) if independent else 1 - (1 - level) / parts


def binomial_limits(successes: NDArray[Any], trials: NDArray[Any] | int, level: float, method: str) -> Limits:
    """An interval for each of many proportions, by ``"wilson"`` or ``"clopper-pearson"``; [0, 1] without trials.

    Raises
    ------
    MetricNameError
        There is no such method.

    Examples
    --------
    >>> low, high = binomial_limits(np.array([0, 5, 10]), 10, 0.95, "wilson")
    >>> np.round(low, 4), np.round(high, 4)
    (array([0.    , 0.2366, 0.7225]), array([0.2775, 0.7634, 1.    ]))
    """
    if method not in _METHODS:
        names: Sequence[str] = list(_METHODS)
        raise MetricNameError(f"no pointwise band is made by {method!r}; the methods are {', '.join(names)}")
    k, n = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = _METHODS[method](k, n, (1 - level) / 2)
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def distribution_limits(shares: Floats, n: int, level: float) -> Limits:
    """Limits that hold the whole distribution function at once, in samples of any size and from any distribution.

    ``shares +- sqrt(log(2 / (1 - level)) / (2 n))``: the Dvoretzky-Kiefer-Wolfowitz inequality with the best constant.

    Source: Massart (1990), Annals of Probability 18(3):1269-1283, doi:10.1214/aop/1176990746.

    Examples
    --------
    >>> low, high = distribution_limits(np.array([0.0, 0.5, 1.0]), 200, 0.95)
    >>> np.round(low, 3), np.round(high, 3)
    (array([0.   , 0.404, 0.904]), array([0.096, 0.596, 1.   ]))
    """
    width = math.sqrt(math.log(2 / (1 - level)) / (2 * n))
    return np.maximum(shares - width, 0.0), np.minimum(shares + width, 1.0)


def _wilson(k: Floats, n: Floats, tail: float) -> Limits:
    z = -float(preload().ndtri(tail))
    center = (k + z * z / 2) / (n + z * z)
    half_width = z * np.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return center - half_width, center + half_width


def _clopper_pearson(k: Floats, n: Floats, tail: float) -> Limits:
    beta_quantile = preload().betaincinv
    return beta_quantile(k, n - k + 1, tail), 1 - beta_quantile(n - k, k + 1, tail)


_METHODS: dict[str, Callable[[Floats, Floats, float], Limits]] = {
    "clopper-pearson": _clopper_pearson,
    "wilson": _wilson,
}
