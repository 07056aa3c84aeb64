"""Power against the number of units."""

import math
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.arrays import Floats
from certus.errors import DataError
from certus.inference.planning.design import Settings, design, planning, spread_limits
from certus.inference.planning.power import units_needed
from certus.inference.planning.results import UnitsNeeded
from certus.statistic.common import whole

__all__ = ["PowerCurve", "power_curve"]

POINTS = 80


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """The power of a planned comparison for several numbers of units.

    Attributes
    ----------
    n
        Numbers of units, increasing.
    power
        The power of each.
    low, high
        What it is at the limits of the differences' standard deviation, which the pilot leaves uncertain.
    needed
        How many units have the power wanted.
    """

    n: NDArray[np.int64]
    power: Floats
    low: Floats
    high: Floats
    needed: UnitsNeeded

    def plot(self, ax: Any = None, *, band: bool = True, label: str | None = None, color: Any = None) -> Any:
        """Draw the curve, the band of its limits, and the number of units needed; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        band
            Whether to show the limits.
        label
            What the curve is called in the legend; the effect by default.
        color
            Of the line; by default the next one of the axes.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus import plot

        return plot.power(self, ax, band=band, label=label, color=color)

    def __str__(self) -> str:
        return str(self.needed)


@planning
def power_curve(
    differences: ArrayLike,
    *,
    effect: float,
    n: ArrayLike | None = None,
    power: float = 0.8,
    **settings: Unpack[Settings],
) -> PowerCurve:
    """The power of a paired test to find a difference, for several numbers of units.

    Parameters
    ----------
    differences, effect, groups, weights, test, alternative, level, replicates, seed
        As for `certus.inference.power`.
    n
        Numbers of units, or of groups, increasing; by default up to half as many again as are needed at the upper
        limit.
    power
        The power wanted, to be marked.

    Raises
    ------
    DataError, MetricNameError, CertusError
        As for `certus.inference.units_needed`; also where `n` is no increasing column of numbers of at least 2.

    Examples
    --------
    >>> pilot = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]
    >>> curve = power_curve(pilot, effect=0.05, n=[10, 20, 40, 80])
    >>> curve.power.round(2).tolist()
    [0.29, 0.56, 0.87, 0.99]
    >>> print(curve)
    34 units [16, 133] to find 0.05 with power 0.8 (noncentral t)
    """
    plan = design(differences, **settings)
    needed = units_needed(differences, effect=effect, power=power, **settings)
    counts = _grid(needed) if n is None else _counts(n)
    powers = np.array(
        [[plan.power(each, effect, s) for s in (plan.spread, *spread_limits(plan))] for each in counts.tolist()]
    )
    return PowerCurve(counts, powers[:, 0], powers[:, 2], powers[:, 1], needed)


def _grid(needed: UnitsNeeded) -> NDArray[np.int64]:
    last = max(math.ceil(1.5 * min(needed.high, 4 * needed.n)), 12)
    return np.unique(np.rint(np.linspace(2, last, min(POINTS, last - 1))).astype(np.int64))


def _counts(n: ArrayLike) -> NDArray[np.int64]:
    counts = np.atleast_1d(np.asarray(n))
    if counts.ndim != 1 or not len(counts):
        raise DataError(f"n has shape {counts.shape}; give one column of numbers of units")
    units = np.array([whole(each, "n", 2) for each in counts.tolist()], dtype=np.int64)
    if (np.diff(units) <= 0).any():
        raise DataError(f"n is {units.tolist()}; numbers of units must increase")
    return units
