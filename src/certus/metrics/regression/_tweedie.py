"""Unit deviances of the Tweedie family, without cancellation where prediction and target are close."""

import math

import numpy as np
from numpy.typing import NDArray

from certus.data import Targets
from certus.errors import DataError

__all__ = ["check_domain", "deviance"]

Floats = NDArray[np.float64]
TERMS = 18
"""Terms of the series; the next one is below the rounding of the first."""


def deviance(true: Floats, mean: Floats | float, power: float) -> Floats:
    """The unit deviance ``2 mean^(2 - p) f(y / mean)``, ``f(r)`` the integral of ``(r - s) s^-p`` over s from 1 to r.

    Near r = 1 ``f`` is ``d^2 / 2 - p d^3 / 6 + ...`` in d = r - 1, summed as that series; the formulas of the books
    subtract numbers that are nearly equal there. Elsewhere they are taken as they stand.
    """
    if power == 0:
        with np.errstate(over="ignore"):  # a square beyond the range of floats is infinite
            return np.asarray(np.square(true - mean))
    mean = np.broadcast_to(np.asarray(mean, dtype=np.float64), true.shape)
    if not mean.all():  # as the constant prediction of targets that are all 0, which are then equal to it
        return np.where(mean == 0, 0.0, deviance(true, np.where(mean == 0, 1.0, mean), power))
    apart = (true - mean) / mean
    near = np.abs(apart) < 0.1 / max(1.0, abs(power) / 2)
    found = np.empty(true.shape)
    found[near] = _series(apart[near], power)
    found[~near] = _far(true[~near] / mean[~near], power)
    if power == 2:
        return 2 * found
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(2 * np.power(mean, 2 - power) * found)


def _series(d: Floats, power: float) -> Floats:
    """The sum over k of binomial(-p, k) d^(k + 2) / ((k + 1) (k + 2)), by Horner's rule."""
    coefficients, binomial = [], 1.0
    for k in range(TERMS):
        coefficients.append(binomial / ((k + 1) * (k + 2)))
        binomial *= (-power - k) / (k + 1)
    found = np.zeros_like(d)
    for coefficient in reversed(coefficients):
        found = found * d + coefficient
    return np.asarray(found * d * d)


def _far(ratio: Floats, power: float) -> Floats:
    from scipy.special import xlogy

    if power == 1:
        return np.asarray(xlogy(ratio, ratio) - ratio + 1)
    if power == 2:
        return np.asarray(ratio - 1 - np.log(ratio))
    p = power
    with np.errstate(over="ignore", under="ignore"):
        powers = np.power(np.maximum(ratio, 0.0), 2 - p)
    return np.asarray(powers / ((1 - p) * (2 - p)) - ratio / (1 - p) + 1 / (2 - p))


def check_domain(targets: Targets, power: float) -> None:
    """Refuse numbers that the family does not have.

    Raises
    ------
    DataError
        There is one; the message says where.
    """
    if power == 0:
        return
    _check(targets.predicted, "y_pred", power, above=0.0)
    if power >= 2:
        _check(targets.true, "y_true", power, above=0.0)
    elif power >= 1:
        _check(targets.true, "y_true", power, above=-math.inf)


def _check(values: Floats, name: str, power: float, above: float) -> None:
    wrong = values <= 0 if above == 0 else values < 0
    if wrong.any():
        place = np.unravel_index(int(np.argmax(wrong)), values.shape)
        needs = "above 0" if above == 0 else "at least 0"
        remedy = f"a deviance of power {power:g} needs numbers {needs}"
        raise DataError.of_cell(name, place, values[place], f"{values[place]:g}", remedy)
