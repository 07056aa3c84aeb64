"""The logarithm of a positive statistic, as a statistic with the first-order terms of the delta method."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.errors import CertusError
from certus.inference.forms import form_of
from certus.inference.intervals.contingency_variance import gradient
from certus.statistic import Influence, Mean, Plugin, Proportion, Ratio, Statistic, TableFunction

__all__ = ["logarithm"]


def logarithm(statistic: Statistic) -> Statistic:
    """``log(value)``, whose error is that of the value over the value.

    Means, ratios of sums and values with influence functions give influence values, with the masses of groups and
    weights; functions of cells and of units stay what they are.

    Raises
    ------
    CertusError
        The form says nothing of its units.

    Examples
    --------
    >>> log = logarithm(Mean([1.0, 2.0, 3.0]))
    >>> round(log.value, 4), [round(float(x), 4) for x in log.influence()[0]]
    (0.6931, [-0.5, 0.0, 0.5])
    """
    value = statistic.value
    if isinstance(statistic, Mean):
        centred = statistic.scaled - statistic.scaled.mean()
        # The scaled values of a geometric mean are logarithms already.
        return _of_terms(statistic, centred if statistic.scale == "log" else centred / statistic.scaled.mean())
    if isinstance(statistic, Ratio):
        residuals = statistic.numerators - value * statistic.denominators
        terms = statistic.n * residuals / (value * statistic.denominators.sum())
        return _of_terms(statistic, terms, masses=np.abs(statistic.denominators), weighted=statistic.weighted)
    if isinstance(statistic, Influence):
        return _of_influence(statistic)
    if isinstance(statistic, TableFunction):
        return _of_cells(statistic)
    if isinstance(statistic, Plugin):
        return _of_plugin(statistic)
    if isinstance(statistic, Proportion):
        share = statistic.successes / statistic.trials
        slope = (2 / (1 + share) ** 2 if statistic.scale == "dice" else 1.0) / value
        return Influence(math.log(value), (statistic.n,), (slope**2 * share * (1 - share),), unit=statistic.unit)
    raise CertusError(f"there is no ratio of {form_of(statistic).name}")


def _of_terms(
    statistic: Mean | Ratio, terms: Floats, *, masses: Floats | None = None, weighted: bool = False
) -> Influence:
    return Influence.later(
        math.log(statistic.value), statistic.n, lambda: terms, unit=statistic.unit, masses=masses, weighted=weighted
    )


def _of_influence(statistic: Influence) -> Influence:
    value, values = statistic.value, statistic.influence
    return Influence(
        math.log(value),
        statistic.sizes,
        tuple(each / value**2 for each in statistic.variances),
        influence=None if values is None else lambda: tuple(each / value for each in values()),
        unit=statistic.unit,
        masses=statistic.masses,
        weighted=statistic.weighted,
    )


def _of_cells(statistic: TableFunction) -> TableFunction:
    def slopes(table: Floats) -> Floats:
        flat = table.reshape(-1)
        filled = np.flatnonzero(flat)
        found = np.zeros(len(flat))
        found[filled] = gradient(statistic, flat, filled) / float(statistic.function(table))
        return found.reshape(table.shape)

    changed = replace(statistic, function=_logarithm_of(statistic.function), gradient=slopes)
    changed.__dict__["value"] = math.log(statistic.value)
    return changed


def _of_plugin(statistic: Plugin) -> Plugin:
    def function(rows: NDArray[Any], weights: Floats) -> float:
        return float(_log(statistic.function(rows, weights)))

    return Plugin(statistic.rows, function, statistic.unit)


def _logarithm_of(function: Callable[[Floats], Any]) -> Callable[[Floats], Any]:
    return lambda tables: _log(function(tables))


def _log(values: Any) -> Any:
    """NaN where there is no logarithm."""
    found = np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(found > 0, np.log(found), np.nan)
