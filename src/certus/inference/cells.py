"""Intervals for a smooth function of the cell counts of a table."""

import math
from collections.abc import Callable, Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import CertusError
from certus.inference import resample, scale
from certus.inference._special import normal_quantile, t_quantile
from certus.inference.interval import Limits, Request
from certus.statistic import Cells, counted

__all__ = ["METHODS", "default", "lacking", "standard_error"]

Floats = NDArray[np.float64]

BLOCK = 1 << 20
"""Numbers in the tables that the function is given at a time: 8 MB."""

FEW = 50
"""Fewer units than this call for the Dirichlet posterior."""

FISHER = (-1.0, 1.0)


def default(statistic: Cells, bounds: tuple[float, float]) -> str:
    """Dirichlet for few units or a table with an empty row or column, else Fisher's z or the delta method."""
    if "dirichlet" not in lacking(statistic, bounds) and (statistic.n < FEW or _margin_empty(statistic.counts)):
        return "dirichlet"
    return "fisher-z" if bounds == FISHER else "delta"


def lacking(statistic: Cells, bounds: tuple[float, float]) -> Collection[str]:
    """The methods that do not suit the bounds of the metric, or that need what this statistic does not give."""
    missing = set()
    if bounds != FISHER:
        missing.add("fisher-z")
    if statistic.squares is not None or statistic.contributions is not None:
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
    if statistic.why:
        return math.nan
    influence, weights = _influence(statistic)
    if statistic.contributions is None or statistic.squares is not None:
        return math.sqrt(float(weights @ influence**2))
    if statistic.n < 2:
        return math.nan
    return math.sqrt(statistic.n / (statistic.n - 1) * float(weights @ influence**2))


def delta(statistic: Cells, request: Request) -> Limits:
    """``value +- z SE`` on the scale that the bounds suggest, see `certus.inference.scale.around`.

    With units that fill several cells the quantile is Student's with one degree of freedom less than there are units.
    """
    return scale.around(statistic.value, _quantile(statistic, request) * standard_error(statistic), request.bounds)


def wald(statistic: Cells, request: Request) -> Limits:
    """``value +- z SE``: for comparison with published figures, it covers too little near the bounds."""
    return Limits.around(statistic.value, _quantile(statistic, request) * standard_error(statistic))


def dirichlet(statistic: Cells, request: Request) -> Limits:
    """Quantiles of the function over the posterior of the cell probabilities, by Monte Carlo.

    The prior is Dirichlet with 1/2 in each cell. The value itself always belongs to the interval.
    """
    return _posterior(statistic, request)


def percentile(statistic: Cells, request: Request) -> Limits:
    """Percentile bootstrap over units, see `certus.inference.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


def bca(statistic: Cells, request: Request) -> Limits:
    """BCa bootstrap over units, the acceleration from the derivatives, see `certus.inference.resample.bca`."""
    influence, weights = _influence(statistic)
    replicates = _replicates(statistic, request)
    return resample.bca(replicates, statistic.value, _acceleration(influence, weights), request)


def gradient(statistic: Cells) -> Floats:
    """The derivative of the function by each cell that is not empty, in flat order.

    Without a formula of the statistic's own it is found numerically, by differences of fourth order over a thousandth
    of each count: right to about 1e-10 of the largest derivative in tables of thousands of units.
    """
    filled = np.flatnonzero(statistic.counts)
    if statistic.gradient is not None:
        return np.asarray(statistic.gradient(statistic.counts), dtype=np.float64).reshape(-1)[filled]
    flat = statistic.counts.reshape(-1)
    steps = 1e-3 * flat[filled]
    slopes = np.empty(len(filled))
    offsets, factors = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -8.0, 8.0, -1.0]) / 12
    block = max(1, BLOCK // (4 * len(flat)))
    for first in range(0, len(filled), block):
        some = slice(first, min(first + block, len(filled)))
        tables = np.broadcast_to(flat, (some.stop - first, 4, len(flat))).copy()
        tables[np.arange(some.stop - first), :, filled[some]] += steps[some, np.newaxis] * offsets
        slopes[some] = _values(statistic, tables.reshape(-1, len(flat))).reshape(-1, 4) @ factors / steps[some]
    return slopes


def _influence(statistic: Cells) -> tuple[Floats, Floats]:
    """What one unit of each kind adds to the error of the value, and how many units of the kind there are.

    A kind is a cell where units fill one cell each, and a unit where they fill several. With weights, both numbers are
    those of the squares: the sum over the units of the cell of the squared contributions.
    """
    slopes = gradient(statistic)
    filled = np.flatnonzero(statistic.counts)
    counts = statistic.counts.reshape(-1)[filled]
    if statistic.squares is not None:
        return slopes - counts @ slopes / counts.sum(), statistic.squares.reshape(-1)[filled]
    if statistic.contributions is None:
        return slopes - counts @ slopes / counts.sum(), counts
    cells, units, weights = statistic.contributions()
    whole = np.zeros(statistic.counts.size)
    whole[filled] = slopes
    added = whole[cells] if weights is None else whole[cells] * weights
    sums = np.bincount(units, added, minlength=statistic.n)
    return sums - sums.mean(), np.ones(statistic.n)


def _acceleration(influence: Floats, weights: Floats) -> float:
    largest = float(np.abs(influence).max(initial=0.0))
    if largest == 0:
        return 0.0
    scaled = influence / largest
    return float((weights @ scaled**3) / (6 * (weights @ scaled**2) ** 1.5))


def _quantile(statistic: Cells, request: Request) -> float:
    if statistic.contributions is None or statistic.squares is not None:
        return -normal_quantile(request.tail)
    return -t_quantile(request.tail, statistic.n - 1)


def _values(statistic: Cells, tables: Floats) -> Floats:
    """The function of flat tables, one a row."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(statistic.function(tables.reshape(-1, *statistic.counts.shape)), dtype=np.float64)


def _posterior(statistic: Cells, request: Request) -> Limits:
    resample.check_replicates(request)
    flat = statistic.counts.reshape(-1)
    size = statistic.n / flat.sum() if statistic.squares is None else flat.sum() / statistic.squares.sum()
    parameters = flat * size + 0.5
    rng = np.random.default_rng(request.seed)
    draws = np.empty(request.replicates)
    block = max(1, BLOCK // len(flat))
    for first in range(0, request.replicates, block):
        some = min(block, request.replicates - first)
        draws[first : first + some] = _values(statistic, rng.standard_gamma(parameters, (some, len(flat))))
    kept = draws[~np.isnan(draws)]
    if 2 * len(kept) <= len(draws):
        return Limits.undefined("the metric is undefined for half or more of the posterior draws")
    low, high = resample.quantile(kept, request.tail), resample.quantile(kept, 1 - request.tail)
    return Limits(min(low, statistic.value), max(high, statistic.value))


def _replicates(statistic: Cells, request: Request) -> Floats:
    resample.check_replicates(request)
    values = np.empty(request.replicates)
    first = 0
    for tables in _resampled(statistic, request):
        values[first : first + len(tables)] = _values(statistic, tables)
        first += len(tables)
    return values


def _resampled(statistic: Cells, request: Request) -> Iterator[Floats]:
    """Tables of resampled units, flat, in blocks."""
    flat = statistic.counts.reshape(-1)
    filled = np.flatnonzero(flat)
    block = max(1, BLOCK // len(flat))
    if statistic.contributions is None:
        if statistic.squares is not None:
            raise CertusError("the cells do not say which unit has which weight; take another interval method")
        rng = np.random.default_rng(request.seed)
        for first in range(0, request.replicates, block):
            tables = np.zeros((min(block, request.replicates - first), len(flat)))
            tables[:, filled] = rng.multinomial(statistic.n, flat[filled] / flat.sum(), len(tables))
            yield tables
        return
    cells, units, weights = statistic.contributions()
    block = max(1, min(block, BLOCK // statistic.n))
    for first in range(0, request.replicates, block):
        some = min(block, request.replicates - first)
        drawn = kernels.resample_counts(statistic.n, first=first, replicates=some, seed=request.seed)
        tables = np.empty((some, len(flat)))
        for table, times in zip(tables, drawn, strict=True):
            added = times[units].astype(np.float64)
            table[:] = np.bincount(cells, added if weights is None else added * weights, minlength=len(flat))
        yield tables


def _margin_empty(table: Floats) -> bool:
    """Whether a row or a column of a table is empty."""
    return table.ndim == 2 and any(bool((table.sum(axis=axis) == 0).any()) for axis in (0, 1))


def _guarded(method: Callable[[Cells, Request], Limits]) -> Callable[[Cells, Request], Limits]:
    """The method, with the cases taken out in which the units show no spread."""

    def limits(statistic: Cells, request: Request) -> Limits:
        if not math.isfinite(statistic.value):
            return Limits.undefined("the value is infinite")
        if statistic.contributions is not None and statistic.n == 1:
            return Limits.undefined(f"{counted(1, statistic.unit)} alone does not show its spread")
        if method is dirichlet or not scale.degenerate(statistic.value, standard_error(statistic)):
            return method(statistic, request).within(request.bounds)
        if method is wald:
            return Limits.undefined("the Wald interval has no width when the units show no spread: take 'delta'")
        low, high, why = _posterior(statistic, request)
        posterior = "the cells show no spread: limits of the Dirichlet posterior"
        return Limits(low, high, why or posterior).within(request.bounds)

    limits.__doc__ = method.__doc__
    return limits


METHODS: dict[str, Callable[[Cells, Request], Limits]] = {
    "delta": _guarded(delta),
    "fisher-z": _guarded(delta),
    "dirichlet": _guarded(dirichlet),
    "wald": _guarded(wald),
    "percentile": _guarded(percentile),
    "bca": _guarded(bca),
}
