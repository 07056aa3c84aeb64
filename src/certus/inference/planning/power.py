"""Planning a paired comparison: its power, the least difference it detects, and the units it needs."""

import math
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError
from certus.core.listing import Listing, Tabular
from certus.inference.planning.design import (
    Design,
    MinimumDetectable,
    Power,
    Settings,
    UnitsNeeded,
    design,
    planning,
    spread_limits,
)
from certus.inference.search import first_true
from certus.statistic.common import plural, require_integer

MOST_UNITS = 10**9
_HALVINGS, _SIMULATED_HALVINGS = 60, 14
"""Steps of the search for the least difference: far finer than it is known."""


@planning
def power(
    differences: ArrayLike,
    *,
    effect: float,
    n: int | None = None,
    **settings: Unpack[Settings],
) -> Power:
    """Power of a paired test, planned from the per-unit differences of a pilot study.

    Of the pilot only the spread of its differences is used. Its mean is not: a power computed from the difference
    that was found says no more than its p-value does (Hoenig & Heisey 2001). Choose the least difference that would
    matter.

    Parameters
    ----------
    differences
        Differences between two systems on the units of a pilot: of these systems, or of two like them.
    effect
        The true mean difference that is to be found.
    n
        Number of units of the planned comparison, of groups where the pilot has such; by default that of the pilot.
    groups
        The cluster of each difference. Then n counts groups, of sizes as the pilot has them, and the spread is that of
        groups: the square root of their number times the CR2 standard error (`certus.inference.clusters.cluster_mean`).
    weights
        How much each difference counts, at least 0.
    test
        ``"permutation"``: the default paired test on normal differences. Below 12 units by random normal samples, whose
        signs are flipped in all ways, and 0 where even equal signs are not significant, as for five units at level
        0.95; from 12 units on by the noncentral t distribution, which is very nearly the same there. ``"t"``: the
        paired t-test, by the noncentral t distribution for any number of units. Both take the differences as normal;
        of skewed ones a power of 0.8 may be 0.75 in truth. ``"betting"``: the bets by which a margin is decided (see
        `certus.compare`); the power is the chance that a system which is as good passes a gate with the margin
        `effect`. ``"simulated-t"`` and ``"simulated-permutation"``: that test on units drawn from the pilot, their
        differences shifted to the effect: for few and skewed differences.
    alternative
        ``"two-sided"``, ``"greater"`` (the difference is above 0) or ``"less"``.
    level
        One less the significance level of the test; the limits have that level too.
    replicates, seed
        Of a simulation.
    bounds
        Least and greatest value of a system, for ``"betting"``.

    Returns
    -------
    Power
        Its limits are the powers at the chi-squared limits of the standard deviation. These take the differences as
        normal; skewed ones are more uncertain than that.

    Raises
    ------
    DataError
        The differences are not one column of at least two finite numbers that differ, the effect is not finite, or n
        is not a whole number of at least 2.
    MetricNameError
        There is no such alternative or test.
    CertusError
        The level does not lie strictly between 0 and 1, or the simulation would take too long.

    References
    ----------
    Sakai (2016), Information Retrieval Journal 19:256-283, doi:10.1007/s10791-015-9273-z; Hoenig & Heisey (2001), Am.
    Stat. 55(1):19-24, doi:10.1198/000313001300339897.

    Examples
    --------
    >>> pilot = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]
    >>> print(power(pilot, effect=0.05, n=50))
    power 0.933 [0.397, 0.999] to find 0.05 with 50 units (noncentral t)
    """
    plan = design(differences, **settings)
    units = len(plan.pilot) if n is None else require_integer(n, "n", 2, MOST_UNITS)
    wanted = _effect(effect, plan)
    lowest, greatest = spread_limits(plan)
    value = plan.power(units, wanted)
    # The larger the spread, the less is found; an effect on the other side is found the more.
    powers = sorted((plan.power(units, wanted, greatest), value, plan.power(units, wanted, lowest)))
    return Power(value, powers[0], powers[-1], units, wanted, plan.error(value, units), **plan.facts(units))


@planning
def units_needed(
    differences: ArrayLike,
    *,
    effect: float,
    power: float = 0.8,
    **settings: Unpack[Settings],
) -> UnitsNeeded:
    """Number of units that a paired test needs to detect a difference with a wanted power.

    Parameters
    ----------
    differences, effect, groups, weights, test, alternative, level, bounds, replicates, seed
        As for `certus.inference.power`.
    power
        The power wanted, between the significance level and 1.

    Returns
    -------
    UnitsNeeded
        The limits say how far a pilot of this size leaves the number open: often by a factor of several.

    Raises
    ------
    DataError, MetricNameError, CertusError
        As for `certus.inference.power`; also where no number of units has the power.

    Examples
    --------
    >>> pilot = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]
    >>> print(units_needed(pilot, effect=0.05))
    34 units [16, 133] to find 0.05 with power 0.8 (noncentral t)
    """
    plan = design(differences, **settings)
    wanted, target = _effect(effect, plan), _power(power, plan)
    against = {"two-sided": False, "greater": wanted < 0, "less": wanted > 0}[plan.alternative]
    if wanted == 0 or against:
        raise DataError(
            f"is {wanted:g}", f"no number of units finds that with alternative {plan.alternative!r}", argument="effect"
        )
    lowest, greatest = spread_limits(plan)
    n, low, high = (_units(plan, wanted, target, spread) for spread in (plan.spread, lowest, greatest))
    return UnitsNeeded(n, low, high, wanted, target, **plan.facts(n))


@planning
def minimum_detectable(
    differences: ArrayLike,
    *,
    n: int | None = None,
    power: float = 0.8,
    **settings: Unpack[Settings],
) -> MinimumDetectable:
    """Least true difference that a paired test of n units detects with a wanted power.

    Parameters
    ----------
    differences, n, groups, weights, test, alternative, level, bounds, replicates, seed
        As for `certus.inference.power`.
    power
        The power wanted, between the significance level and 1.

    Raises
    ------
    DataError, MetricNameError, CertusError
        As for `certus.inference.power`.

    Examples
    --------
    >>> pilot = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]
    >>> print(minimum_detectable(pilot, n=50))
    least difference 0.04052 [0.02679, 0.08247] found by 50 units with power 0.8 (noncentral t)
    """
    plan = design(differences, **settings)
    units, target = len(plan.pilot) if n is None else require_integer(n, "n", 2, MOST_UNITS), _power(power, plan)
    sign = -1.0 if plan.alternative == "less" else 1.0
    if units < plan.least_units:
        fewest = plural(plan.least_units, plan.unit)
        raise DataError(f"is {units}", f"the test never rejects with fewer than {fewest} at this level", argument="n")
    high = plan.spread / math.sqrt(units)
    while plan.power(units, sign * high) < target:
        high *= 2
        if high > 1e9 * plan.spread:
            raise CertusError(f"no difference is found by {plural(units, plan.unit)} with power {target:g}")
    low = 0.0
    for _ in range(_SIMULATED_HALVINGS if plan.is_simulated else _HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if plan.power(units, sign * middle) < target else (low, middle)
    effect = sign * high
    # In units of the standard deviation the least difference is the same whatever that is.
    low, high = sorted(max(min(effect / plan.spread * limit, plan.range), -plan.range) for limit in spread_limits(plan))
    return MinimumDetectable(effect, low, high, units, target, **plan.facts(units))


def _effect(effect: float, plan: Design) -> float:
    """Check the effect."""
    if not math.isfinite(effect):
        raise DataError(f"is {effect:g}", "it must be a finite number", argument="effect")
    if abs(effect) >= plan.range:
        raise DataError(
            f"is {effect:g}",
            f"with these bounds no difference is beyond {plan.range:g}: give a smaller one",
            argument="effect",
        )
    return float(effect)


def _power(power: float, plan: Design) -> float:
    """Check the wanted power."""
    if not 1 - plan.level < power < 1:
        raise DataError(
            f"is {power:g}", f"it must lie between the significance level {1 - plan.level:.3g} and 1", argument="power"
        )
    return float(power)


def _units(plan: Design, effect: float, power: float, spread: float) -> int:
    """Least number of units with the wanted power, by doubling and bisection."""
    high = max(2, plan.least_units)
    while plan.power(high, effect, spread) < power:
        high *= 2
        if high > MOST_UNITS:
            raise DataError(f"is {effect:g}", f"finding it takes more than {MOST_UNITS} units", argument="effect")
    # Half of it is too few, or cannot reject.
    return first_true(lambda units: not plan.power(units, effect, spread) < power, high // 2, high)


POINTS = 80


@dataclass(frozen=True, eq=False)
class PowerCurve(Tabular):
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
        from certus.plot.power import power as draw_power

        return draw_power(self, ax, band=band, label=label, color=color)

    def _listing(self) -> Listing:
        """Table with the power and its limits for each number of units."""
        return Listing.from_columns({name: getattr(self, name).tolist() for name in ("n", "power", "low", "high")})

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
    """Power of a paired test to detect a difference, for several numbers of units.

    Parameters
    ----------
    differences, effect, groups, weights, test, alternative, level, bounds, replicates, seed
        As for `certus.inference.power`.
    n
        Numbers of units, or of groups, increasing; by default up to half as many again as are needed at the upper
        limit.
    power
        The power wanted, to be marked.

    Raises
    ------
    DataError, MetricNameError, CertusError
        As for `certus.inference.units_needed`; also where `n` is not an increasing column of numbers of at least 2.

    Examples
    --------
    >>> pilot = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]
    >>> curve = power_curve(pilot, effect=0.05, n=[10, 20, 40, 80])
    >>> curve.power.round(2).tolist()
    [0.28, 0.56, 0.87, 0.99]
    >>> print(curve)
    34 units [16, 133] to find 0.05 with power 0.8 (noncentral t)
    """
    plan = design(differences, **settings)
    needed = units_needed(differences, effect=effect, power=power, **settings)
    counts = _grid(needed) if n is None else _counts(n)
    powers = np.array(
        [[plan.power(n_units, effect, s) for s in (plan.spread, *spread_limits(plan))] for n_units in counts.tolist()]
    )
    return PowerCurve(counts, powers[:, 0], powers[:, 2], powers[:, 1], needed)


def _grid(needed: UnitsNeeded) -> NDArray[np.int64]:
    """Numbers of units at which to draw a curve, up to well beyond the number needed."""
    last = max(math.ceil(1.5 * min(needed.high, 4 * needed.n)), 12)
    return np.unique(np.rint(np.linspace(2, last, min(POINTS, last - 1))).astype(np.int64))


def _counts(n: ArrayLike) -> NDArray[np.int64]:
    """Check increasing numbers of units."""
    counts = np.atleast_1d(np.asarray(n))
    if counts.ndim != 1 or not len(counts):
        raise DataError(f"has shape {counts.shape}", "give one column of numbers of units", argument="n")
    units = np.array([require_integer(n_units, "n", 2) for n_units in counts.tolist()], dtype=np.int64)
    if (np.diff(units) <= 0).any():
        raise DataError(f"is {units.tolist()}", "numbers of units must increase", argument="n")
    return units
