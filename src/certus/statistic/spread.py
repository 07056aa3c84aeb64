"""From what each sample adds to a value to the influence values of independent units; spreads of any size."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats

__all__ = ["deviation", "masses", "power_of_two", "root_of_squares", "spread", "variance"]


def spread(
    terms: Floats, weights: Floats | None, groups: NDArray[np.int64] | None, strata: NDArray[Any] | None
) -> tuple[Floats, ...]:
    """Influence values of the independent units in each stratum, from what each sample adds to first order.

    Groups are one stratum, and a unit's influence value is what it adds times the number of units. So it is for samples
    without strata. Else the strata keep their weight in the data: what a whole stratum adds, which is what a change of
    that weight would do, is taken off its samples in proportion to their weights.
    """
    if groups is not None:
        sums: Floats = np.bincount(groups, terms).astype(np.float64, copy=False)
        return (len(sums) * sums,)
    if strata is None:
        return (len(terms) * terms,)
    values = []
    for stratum in range(int(strata.max(initial=0)) + 1):
        here = strata == stratum
        mine = terms[here]
        if len(mine):
            given = 1 / len(mine) if weights is None else weights[here] / weights[here].sum()
            values.append(len(mine) * (mine - given * mine.sum()))
    return tuple(values)


def masses(terms: Floats, weights: Floats, groups: NDArray[np.int64] | None, truth: NDArray[np.bool_]) -> Floats:
    """Mass of each sample or group, positives and negatives together, as `Influence` takes it.

    They count as far as their class makes the value vary: a few positives may make nearly all of it, and leave few
    degrees of freedom. With ``v`` the part of the variance that a class makes and ``w`` the weight of a sample as a
    part of its class, a sample has the standard deviation ``w sqrt(v / sum(w^2))``, and a group the sum of ``v w``.
    """
    parts = np.zeros(len(terms))
    total = float((terms**2).sum())
    for here in (truth, ~truth):
        weight = float(weights[here].sum())
        if weight > 0:
            share = weights[here] / weight
            part = float((terms[here] ** 2).sum()) / total if total > 0 else 0.5
            parts[here] = share * (part if groups is not None else math.sqrt(part / float((share**2).sum())))
    return parts if groups is None else np.bincount(groups, parts).astype(np.float64, copy=False)


def variance(values: Floats) -> float:
    """The sample variance; NaN of a single value."""
    return float(values.var(ddof=1)) if len(values) > 1 else float("nan")


def power_of_two(values: Floats) -> float:
    """The power of two that brings the greatest of the values to [1, 2); 1 where it is 0 or no number.

    Examples
    --------
    >>> power_of_two(np.array([-12.0, 1.0]))
    8.0
    """
    greatest = float(np.abs(values).max(initial=0.0))
    return math.ldexp(1.0, math.frexp(greatest)[1] - 1) if 0 < greatest < math.inf else 1.0


def root_of_squares(values: Floats, weights: Floats | None = None, factor: float = 1.0) -> float:
    """``sqrt(factor * sum of (weights *) squares)``, for values of any size: no square overflows or vanishes."""
    scale = power_of_two(values)
    squares = (values / scale) ** 2
    return math.sqrt(factor * float(squares.sum() if weights is None else weights @ squares)) * scale


def deviation(values: Floats) -> float:
    """The sample standard deviation, whatever the size of the values; NaN of a single value."""
    if len(values) < 2:
        return math.nan
    scale = power_of_two(values)
    return float((values / scale).std(ddof=1)) * scale
