"""Sums of log(sinh(x) / x), of which the Mann-Whitney law's generating function is made."""

import math
from typing import Any

import numpy as np

# log(sinh x / x) is the sum of these times x^2, x^4, ...: 2^(2k) B(2k) / (2k (2k)!).
SERIES = (
    1 / 6,
    -1 / 180,
    1 / 2835,
    -1 / 37800,
    1 / 467775,
    -691 / 3831077250,
    2 / 127702575,
    -3617 / 2605132530000,
    43867 / 350813659321125,
    -174611 / 15313294652906250,
    155366 / 147926426347074375,
)

DIRECT = 20_000
"""Of sums with more terms than this, the terms behind the first ones are an integral with an end correction."""

HEAD = 300
"""The first ones."""


def summed_log_sinhc(m: int, n: int, z: Any) -> tuple[Any, Any, Any]:
    """The sum over j = 1..m of f((n + j) z / 2) - f(j z / 2), f(x) = log(sinh(x) / x), and its first two derivatives.

    Parameters
    ----------
    m, n
        Sizes, m <= n.
    z
        A float, or an array of complex numbers with a real part of at least 0, near enough to the real line for the
        logarithm not to turn.

    Returns
    -------
    tuple
        The sum, exact up to rounding, and derivatives with respect to z, good to ten digits.
    """
    z = np.asarray(z)
    head = m if m <= DIRECT else HEAD
    places, weights, correction = np.arange(1, head + 1, dtype=np.float64), np.ones(head), 0.0
    if head < m:
        # Euler and Maclaurin between the middles: the rest is an integral less 1/24 of the difference of slopes; what
        # follows is at most 7/2880 of HEAD ** -3. The function bends at the scale of its argument, so panels grow.
        nodes, steps = np.polynomial.legendre.leggauss(24)
        ends = np.geomspace(head + 0.5, m + 0.5, 2 + int(2 * math.log2(m / head)))
        centres, halves = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
        places = np.append(places, (centres[:, None] + halves[:, None] * nodes).ravel())
        weights = np.append(weights, (halves[:, None] * steps).ravel())
        slopes = [log_sinhc(z * k / 2)[1] for k in (n + m + 0.5, m + 0.5, n + head + 0.5, head + 0.5)]
        correction = (slopes[0] - slopes[1] - slopes[2] + slopes[3]) * z / 48
    total: list[Any] = [-correction, 0.0, 0.0]
    for sign, lengths in ((1.0, n + places), (-1.0, places)):
        values = log_sinhc(np.multiply.outer(z, lengths / 2))
        for order, value in enumerate(values):
            total[order] = total[order] + sign * (value * (lengths / 2) ** order) @ weights
    return total[0], total[1], total[2]


def log_sinhc(x: Any) -> tuple[Any, Any, Any]:
    """The function and two derivatives, for a real part of at least 0."""
    near = np.abs(x) < 0.5
    small, large = np.where(near, x, 0.0), np.where(near, 1.0, x)
    square = small * small
    value, first, second = (np.zeros_like(square) for _ in range(3))
    for k in range(len(SERIES), 0, -1):
        value = value * square + SERIES[k - 1]
        first = first * square + SERIES[k - 1] * 2 * k
        second = second * square + SERIES[k - 1] * 2 * k * (2 * k - 1)
    decay = np.exp(-2 * large)
    return (
        np.where(near, value * square, large - np.log(2 * large) + np.log1p(-decay)),
        np.where(near, first * small, (1 + decay) / (1 - decay) - 1 / large),
        np.where(near, second, 1 / large**2 - 4 * decay / (1 - decay) ** 2),
    )
