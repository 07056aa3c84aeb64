"""Intervals for a smooth function of the cell counts of a table.

Units that fill one cell each may have weights: the table then counts as one of ``(sum w)^2 / sum(w^2)`` units (Kish's
effective sample size). Units that fill several cells, such as clusters of samples, are themselves what varies.
"""

import math
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.inference import cellbootstrap, pseudocounts, resample, scale
from certus.inference._special import normal_quantile, t_quantile
from certus.inference.cellgradient import gradient, values
from certus.inference.interval import Limits, Request
from certus.statistic import Cells, counted

__all__ = ["METHODS", "default", "lacking", "standard_error"]

Floats = NDArray[np.float64]

FISHER = (-1.0, 1.0)


def default(statistic: Cells, bounds: tuple[float, float]) -> str:
    """Fisher's z or the delta method; in sparse tables the Dirichlet posterior (2 x 2) or the adjusted delta method."""
    if not _clustered(statistic) and statistic.n and pseudocounts.sparse(_effective(statistic)[0]):
        if statistic.counts.size > 4 and pseudocounts.square(statistic.counts):
            return "adjusted-delta"
        return "dirichlet"
    return "fisher-z" if bounds == FISHER else "delta"


def lacking(statistic: Cells, bounds: tuple[float, float]) -> Collection[str]:
    """The methods that do not suit the bounds of the metric, or that need what this statistic does not give."""
    missing = set()
    if bounds != FISHER:
        missing.add("fisher-z")
    if _clustered(statistic) or not pseudocounts.square(statistic.counts):
        missing.add("adjusted-delta")
    if _clustered(statistic):
        missing.add("dirichlet")
    if statistic.squares is not None and statistic.contributions is None:
        missing |= {"percentile", "bca"}
    return missing


def standard_error(statistic: Cells) -> float:
    """By the delta method from the multinomial covariance of the cells.

    With g the derivative of the function by each cell it is the root of ``sum(c g^2) - sum(c g)^2 / n``; with weights
    of ``sum(q g^2)``, q the sums of squared weights; with units that fill several cells of ``G / (G - 1)`` times the
    sum over the G units of the square of what each contributes to ``sum(c g)``, less its mean.

    Sources: Agresti (2013), Categorical Data Analysis, 3rd ed., section 16.1.3; for clusters Liang & Zeger (1986),
    Biometrika 73(1):13-22, doi:10.1093/biomet/73.1.13.
    """
    if statistic.why or (_clustered(statistic) and statistic.n < 2):
        return math.nan
    inflation = statistic.n / (statistic.n - 1) if _clustered(statistic) else 1.0
    with np.errstate(invalid="ignore", over="ignore"):
        influence, times = _influence(statistic)
        return math.sqrt(inflation * float((times * influence**2).sum()))


def delta(statistic: Cells, request: Request, error: float) -> Limits:
    """``value +- z SE`` on the scale that the bounds suggest, see `certus.inference.scale.around`.

    With units that fill several cells the quantile is Student's with one degree of freedom less than there are units.
    """
    return scale.around(statistic.value, _quantile(statistic, request) * error, request.bounds)


def wald(statistic: Cells, request: Request, error: float) -> Limits:
    """``value +- z SE``: for comparison with published figures, it covers too little near the bounds.

    Where it would have no width the limits are undefined.
    """
    return Limits.around(statistic.value, _quantile(statistic, request) * error)


def adjusted_delta(statistic: Cells, request: Request) -> Limits:
    """The delta method at a table to which pseudo-counts are added, see `certus.inference.pseudocounts.added`.

    Value and standard error are both those of the adjusted table, as in the interval of Agresti and Coull for a
    proportion; the value of the table itself always belongs to the interval.
    """
    table, squares = _effective(statistic)
    extra = pseudocounts.added(table)
    adjusted, squared = (table + extra).reshape(-1), (squares + extra).reshape(-1)
    filled = np.flatnonzero(adjusted)
    value = float(values(statistic, adjusted)[0])
    with np.errstate(invalid="ignore", over="ignore"):
        slopes = gradient(statistic, adjusted, filled)
        slopes -= (adjusted[filled] * slopes).sum() / adjusted.sum()
        error = math.sqrt(adjusted.sum() / table.sum() * float((squared[filled] * slopes**2).sum()))
    if not math.isfinite(value + error):
        return Limits.undefined("the metric is undefined for the adjusted table")
    return _with(statistic.value, scale.around(value, -normal_quantile(request.tail) * error, request.bounds))


def dirichlet(statistic: Cells, request: Request) -> Limits:
    """Quantiles of the function over the posterior distribution of the cells' probabilities, by seeded Monte Carlo.

    The prior is Jeffreys's, 1/2 in each cell, in tables of up to 4 cells. Larger square tables have the prior of
    `certus.inference.pseudocounts.added`, others a prior of 2 in all. Each draw is a table of gamma variates, of which
    the function is taken as of any table. The value itself always belongs to the interval.
    """
    resample.check_replicates(request)
    table, _ = _effective(statistic)
    large = table.size > 4 and pseudocounts.square(table)
    parameters = (table + (pseudocounts.added(table) if large else pseudocounts.uniform(table))).reshape(-1)
    filled = np.flatnonzero(parameters)
    rng = np.random.default_rng(request.seed)
    draws = np.empty(request.replicates)
    for some in cellbootstrap.blocks(request, len(parameters)):
        tables = np.zeros((some.stop - some.start, len(parameters)))
        tables[:, filled] = rng.standard_gamma(parameters[filled], (len(tables), len(filled)))
        draws[some] = values(statistic, tables)
    kept = draws[~np.isnan(draws)]
    if 2 * len(kept) <= len(draws):
        return Limits.undefined("the metric is undefined for half or more of the posterior draws")
    limits = Limits(resample.quantile(kept, request.tail), resample.quantile(kept, 1 - request.tail))
    return _with(statistic.value, limits)


def percentile(statistic: Cells, request: Request, _error: float) -> Limits:
    """Percentile bootstrap over units, see `certus.inference.resample.percentile`."""
    return resample.percentile(cellbootstrap.replicates(statistic, request), request)


def bca(statistic: Cells, request: Request, _error: float) -> Limits:
    """BCa bootstrap over units, the acceleration from the derivatives, see `certus.inference.resample.bca`."""
    influence, times = _influence(statistic, by_unit=statistic.contributions is not None)
    acceleration = resample.acceleration(influence, times)
    return resample.bca(cellbootstrap.replicates(statistic, request), statistic.value, acceleration, request)


class _Kinds(NamedTuple):
    influence: Floats
    """What one unit of each kind adds to the error of the value."""
    times: Floats
    """How many units of the kind there are; with weights, the sum of their squares."""


def _influence(statistic: Cells, *, by_unit: bool | None = None) -> _Kinds:
    """Influence by cell where units fill one cell each, and by unit where they fill several."""
    flat = statistic.counts.reshape(-1)
    filled = np.flatnonzero(flat)
    slopes = gradient(statistic, flat, filled)
    # The sum is 0 but for rounding, since the function does not change with the scale of the table.
    slopes -= (flat[filled] * slopes).sum() / flat.sum()
    if by_unit is None:
        by_unit = _clustered(statistic)
    if not by_unit or statistic.contributions is None:
        times = statistic.counts if statistic.squares is None else statistic.squares
        return _Kinds(slopes, times.reshape(-1)[filled])
    cells, units, weights = statistic.contributions()
    whole = np.zeros(len(flat))
    whole[filled] = slopes
    sums = np.bincount(units, whole[cells] if weights is None else whole[cells] * weights, minlength=statistic.n)
    return _Kinds(sums - sums.mean(), np.ones(statistic.n))


def _clustered(statistic: Cells) -> bool:
    """Whether units fill several cells."""
    return statistic.contributions is not None and statistic.squares is None


def _effective(statistic: Cells) -> tuple[Floats, Floats]:
    """The table and the squares as those of as many units of weight 1 as the units are worth."""
    if statistic.squares is None:
        size = statistic.n / statistic.counts.sum()
        return statistic.counts * size, statistic.counts * size
    size = statistic.counts.sum() / statistic.squares.sum()
    return statistic.counts * size, statistic.squares * size**2


def _quantile(statistic: Cells, request: Request) -> float:
    return -(t_quantile(request.tail, statistic.n - 1) if _clustered(statistic) else normal_quantile(request.tail))


def _with(value: float, limits: Limits) -> Limits:
    return Limits(min(limits.low, value), max(limits.high, value), limits.why)


def _guarded(method: Callable[[Cells, Request], Limits]) -> Callable[[Cells, Request], Limits]:
    """The method, with the cases taken out in which there is nothing to compute from."""

    def limits(statistic: Cells, request: Request) -> Limits:
        if _clustered(statistic) and statistic.n == 1:
            return Limits.undefined(f"{counted(1, statistic.unit)} alone does not show its spread")
        if math.isinf(statistic.value):
            return _instead(statistic, request, "the value is infinite")
        return method(statistic, request).within(request.bounds)

    limits.__doc__ = method.__doc__
    return limits


def _with_error(method: Callable[[Cells, Request, float], Limits]) -> Callable[[Cells, Request], Limits]:
    """The method given the standard error, where there is any; without spread, limits of the posterior instead."""

    def limits(statistic: Cells, request: Request) -> Limits:
        error = standard_error(statistic)
        if math.isfinite(error) and not scale.degenerate(statistic.value, error):
            return method(statistic, request, error)
        if method is wald:
            return Limits.undefined("the Wald interval has no width when the units show no spread: take 'delta'")
        return _instead(statistic, request, "the cells show no spread")

    limits.__doc__ = method.__doc__
    return _guarded(limits)


def _instead(statistic: Cells, request: Request, reason: str) -> Limits:
    """The limits of the posterior, taken for the reason given."""
    low, high, why = dirichlet(statistic, request)
    return Limits(low, high, why or f"{reason}: limits of the Dirichlet posterior").within(request.bounds)


METHODS: dict[str, Callable[[Cells, Request], Limits]] = {
    "delta": _with_error(delta),
    "fisher-z": _with_error(delta),
    "adjusted-delta": _guarded(adjusted_delta),
    "dirichlet": _guarded(dirichlet),
    "wald": _with_error(wald),
    "percentile": _with_error(percentile),
    "bca": _with_error(bca),
}
