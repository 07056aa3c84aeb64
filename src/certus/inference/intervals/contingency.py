"""Intervals for a smooth function of the cell counts of a table.

Units that fill one cell each may have weights: where a method needs whole units, the weight in a row of the table
counts as that of ``(sum w)^2 / sum(w^2)`` units of equal weight (Kish's effective sample size). Units that fill several
cells, such as clusters of samples, are themselves what varies.
"""

import math
from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from certus.core.arrays import Floats
from certus.inference.declare import Form, IntervalFunction, declare_form, interval
from certus.inference.interval import Limits, Request, is_degenerate
from certus.inference.intervals import cell_functions, contingency_bias, pseudocounts, resample
from certus.inference.intervals.cell_functions import cell_order, clustered, effective, values
from certus.inference.special import normal_quantile, t_quantile
from certus.statistic import TableFunction
from certus.statistic.cached import once_for_each
from certus.statistic.common import plural

FISHER = (-1.0, 1.0)
MOST_DRAWS = 10**6
ROUNDING = 1e-12
MOST_CELLS_OF_A_CONSTANT = 1024
"""A function of more cells than this is not tried for being constant."""
NO_SPREAD = "the counts give no variance"
SECOND = 0.2
"""Part of the variance to first order that what the curvature adds to it must reach to count."""
MOST_CLASSES = 12
"""Classes up to which draws take no time; of more, values by chance have the adjusted delta method."""
UNSEEN = "a class without samples counts as {:g}; the limits allow it any value"


def default(statistic: TableFunction, bounds: tuple[float, float]) -> str:
    """Fisher's z or the delta method; in sparse tables the Dirichlet posterior or the adjusted delta method."""
    sparse = statistic.n > 0 and pseudocounts.sparse(effective(statistic).units, statistic.places)
    error = standard_error(statistic)
    biased = math.isfinite(error) and not statistic.ratio
    if biased and contingency_bias.biased(statistic, error, bounds, sparse=sparse):
        return "bias-aware"
    if sparse:
        large = statistic.size > 4 and not _by_chance(statistic)
        if pseudocounts.square(statistic.counts, statistic.places) and (large or clustered(statistic)):
            return "adjusted-delta"
        if not clustered(statistic):
            return "dirichlet"
    return "fisher-z" if bounds == FISHER else "delta"


def unavailable(statistic: TableFunction, bounds: tuple[float, float]) -> Collection[str]:
    """Methods that do not suit the bounds of the metric, or need what this statistic does not have."""
    missing = set() if statistic.curved or contingency_bias.applies(statistic) else {"bias-aware"}
    if bounds != FISHER:
        missing.add("fisher-z")
    if not pseudocounts.square(statistic.counts, statistic.places):
        missing.add("adjusted-delta")
    if clustered(statistic):
        missing.add("dirichlet")
    if statistic.squares is not None and statistic.contributions is None:
        missing |= {"percentile", "bca", "jackknife"}
    return missing


@once_for_each
def standard_error(statistic: TableFunction) -> float:
    """Standard error by the delta method, from the multinomial covariance of the cells.

    With g the derivative of the function by each cell it is the root of ``sum(c g^2) - sum(c g)^2 / n``; with weights
    of ``sum(q g^2)``, q the sums of squared weights. Where it is known whose weights they are, or which cells a unit
    fills, it is CR2's of what each unit contributes to ``sum(c g)``, see `certus.inference.clusters.cluster_error`.
    The variance of values that are corrected for chance has what their curvature adds to it, where that is a fifth of
    it or more, see `intervals.contingency_bias.curvature`.

    Source: Agresti (2013), Categorical Data Analysis, 3rd ed., section 16.1.3.
    """
    if statistic.reason or (clustered(statistic) and statistic.n < 2):
        return math.nan
    with np.errstate(invalid="ignore", over="ignore"):
        variance = cell_functions.variance(statistic, cell_functions.slopes_at(statistic, statistic.counts))
        if statistic.smooth and not statistic.curved and not is_degenerate(statistic.value, math.sqrt(variance)):
            # Where two clusterings hardly agree the first derivative vanishes, and tells too small an error.
            second = contingency_bias.curvature(statistic).variance
            variance += second if second >= SECOND * variance else 0.0
        return math.sqrt(variance)


def _with_error(
    method: Callable[[TableFunction, Request, float], Limits],
) -> Callable[[TableFunction, Request], Limits]:
    """Wrap a method that needs a standard error: without a defined one, limits of the posterior are returned."""

    def limits(statistic: TableFunction, request: Request) -> Limits:
        error = standard_error(statistic)
        if math.isfinite(error) and not is_degenerate(statistic.value, error):
            return method(statistic, request, error)
        return _posterior_limits(statistic, request, NO_SPREAD)

    limits.__doc__ = method.__doc__
    return limits


@interval(
    "fisher-z",
    TableFunction,
    label="Fisher z",
    aliases=("atanh", "fisher"),
    source="Fisher (1921), Metron 1:3-32, for the transform",
)
@interval("delta", TableFunction, source="Agresti (2013), Categorical Data Analysis, 3rd ed., section 16.1.3")
@_with_error
def delta(statistic: TableFunction, request: Request, error: float) -> Limits:
    """``value +- z SE`` on the scale that suits the bounds, see `Limits.on_scale`."""
    return Limits.on_scale(statistic.value, _quantile(statistic, request) * error, request.bounds)


@interval("adjusted-delta", TableFunction, label="adjusted delta method")
def adjusted_delta(statistic: TableFunction, request: Request) -> Limits:
    """The delta method at a table to which pseudo-counts are added, see `intervals.pseudocounts.pseudocounts`.

    Value and standard error are both those of the adjusted table, as in the interval of Agresti and Coull for a
    proportion; a limit of the table itself that is farther out is taken instead, since few errors may be few by chance,
    and many by chance too. A pseudo-count is one of a sample that is a unit of its own, with a weight as the others of
    its row have it.
    """
    if clustered(statistic) and is_degenerate(statistic.value, standard_error(statistic)):
        return _posterior_limits(statistic, request, NO_SPREAD)
    units, weight = effective(statistic)
    extra = pseudocounts.pseudocounts(units, statistic.places)
    table = statistic.counts + weight * extra
    value = float(values(statistic, table)[0])
    with np.errstate(invalid="ignore", over="ignore"):
        slopes = cell_functions.slopes_at(statistic, table)
        variance = cell_functions.variance(statistic, slopes) + float((extra * (weight * slopes) ** 2).sum())
    error = math.sqrt(table.sum() / statistic.counts.sum() * variance)
    if not math.isfinite(value + error):
        return Limits.undefined("the metric is undefined for the adjusted table")
    adjusted = Limits.on_scale(value, _quantile(statistic, request) * error, request.bounds)
    low, high = statistic.value, statistic.value
    error_of_table = standard_error(statistic)
    if math.isfinite(error_of_table):
        low, high, *_ = Limits.on_scale(statistic.value, _quantile(statistic, request) * error_of_table, request.bounds)
    limits = Limits(min(low, adjusted.low), max(high, adjusted.high), adjusted.reason)
    return contingency_bias.widened(statistic, limits, request)


@interval("dirichlet", TableFunction, label="Dirichlet posterior")
def dirichlet(statistic: TableFunction, request: Request) -> Limits:
    """Quantiles of the function over the posterior distribution of the cells' probabilities, by seeded Monte Carlo.

    The prior is Jeffreys's, 1/2 in each cell, in tables of up to 4 cells; `intervals.pseudocounts` of larger square
    tables; 2 in all of others. Values that compare with chance have the farther limits of two priors: one treats rare
    classes as right as the others, one as right as the agreement says. The value always belongs to the interval.
    """
    needed = resample.least_replicates(request)
    if needed <= MOST_DRAWS:
        request = replace(request, replicates=max(request.replicates, needed))
    resample.check_replicates(request)
    pairs = []
    # None are the pseudo-counts of `posterior_parameters`.
    priors: list[Floats | None] = [None]
    if _by_chance(statistic):
        priors.append(pseudocounts.by_chance(effective(statistic).units, statistic.value, statistic.places))
    for extra in priors:
        draws = posterior(statistic, request, extra)
        defined = draws[~np.isnan(draws)]
        if 2 * len(defined) <= len(draws):
            return Limits.undefined("the metric is undefined for half or more of the posterior draws")
        pairs.append((resample.quantile(defined, request.tail), resample.quantile(defined, 1 - request.tail)))
    if _constant(statistic):
        return Limits.undefined(f"every table with these cells has the value {statistic.value:g}")
    limits = Limits(min(low for low, _ in pairs), max(high for _, high in pairs))
    limits = Limits(min(limits.low, statistic.value), max(limits.high, statistic.value))
    limits = contingency_bias.widened(statistic, limits, request)
    error = standard_error(statistic)
    if not statistic.ratio or not math.isfinite(error + statistic.value):
        return limits
    low, high, *_ = Limits.on_scale(statistic.value, _quantile(statistic, request) * error, request.bounds)
    return Limits(min(low, limits.low), max(high, limits.high), limits.reason)


@interval("wald", TableFunction)
def wald(statistic: TableFunction, request: Request) -> Limits:
    """``value +- z SE``: for comparison with published figures, it covers too little near the bounds."""
    error = standard_error(statistic)
    if not math.isfinite(error) or is_degenerate(statistic.value, error):
        return Limits.undefined("the Wald interval has no width when the units do not vary: take 'delta'")
    return Limits.around(statistic.value, _quantile(statistic, request) * error)


def _constant(statistic: TableFunction) -> bool:
    """True if the value does not depend on the counts of the cells that are not empty."""
    if statistic.size > MOST_CELLS_OF_A_CONSTANT or not math.isfinite(statistic.value):
        return False
    tables = np.random.default_rng(0).standard_exponential((4, statistic.counts.size))
    results = values(statistic, tables)
    return bool((np.abs(results - statistic.value) <= ROUNDING * max(1.0, abs(statistic.value))).all())


def _by_chance(statistic: TableFunction) -> bool:
    """True for chance-corrected values of few classes, of which each unit fills one cell."""
    if not statistic.by_chance or clustered(statistic) or statistic.size <= 4:
        return False
    return pseudocounts.num_present(statistic.counts, statistic.places) <= MOST_CLASSES


def posterior(statistic: TableFunction, request: Request, prior: float | Floats | None = None) -> Floats:
    """Seeded draws of the value from the Dirichlet posterior of the cell probabilities, see `dirichlet`."""
    parameters, weights = posterior_parameters(statistic, prior)
    cells, mirrored = cell_order(statistic, parameters)
    rng = np.random.default_rng(request.seed)
    draws = np.empty(request.replicates)
    for block in cell_functions.blocks(request.replicates, len(parameters)):
        tables = np.zeros((block.stop - block.start, len(parameters)))
        tables[:, cells] = weights[cells] * rng.standard_gamma(parameters[cells], (len(tables), len(cells)))
        draws[block] = values(statistic, tables)
    return np.concatenate([draws, -draws]) if mirrored else draws


def posterior_parameters(statistic: TableFunction, prior: float | Floats | None = None) -> tuple[Floats, Floats]:
    """Parameters of the Dirichlet posterior, one per cell, and the weight of a unit in each cell."""
    units, weight = effective(statistic)
    if clustered(statistic):
        units = units * (statistic.n / units.sum())
    large = statistic.size > 4 and pseudocounts.square(units, statistic.places)
    extra = pseudocounts.pseudocounts(units, statistic.places) if large else pseudocounts.uniform(units)
    if prior is not None:
        extra = np.broadcast_to(np.asarray(prior, dtype=np.float64), units.shape)
    return (units + extra).reshape(-1), np.broadcast_to(weight, units.shape).reshape(-1)


@interval("percentile", TableFunction)
@_with_error
def percentile(statistic: TableFunction, request: Request, _error: float) -> Limits:
    """Percentile bootstrap over units, see `intervals.resample.percentile`."""
    return resample.percentile(cell_functions.replicates(statistic, request), request)


@interval("bca", TableFunction)
@_with_error
def bca(statistic: TableFunction, request: Request, _error: float) -> Limits:
    """BCa bootstrap over units, the acceleration from the derivatives, see `intervals.resample.bca`."""
    slopes = cell_functions.slopes_at(statistic, statistic.counts)
    if statistic.parts is None:
        acceleration = resample.acceleration(slopes.reshape(-1), statistic.counts.reshape(-1))
    else:
        acceleration = resample.acceleration(cell_functions.by_unit(statistic, statistic.parts, slopes))
    return resample.bca(cell_functions.replicates(statistic, request), statistic.value, acceleration, request)


@interval("bias-aware", TableFunction, label="bias-aware")
def bias_aware(statistic: TableFunction, request: Request) -> Limits:
    """Limits around the value minus its bias, see `intervals.contingency_bias.bias_aware`."""
    error = standard_error(statistic)
    if not math.isfinite(error) or (
        is_degenerate(statistic.value, error)
        and not contingency_bias.biased(statistic, error, request.bounds, sparse=False)
    ):
        return _posterior_limits(statistic, request, NO_SPREAD)
    return contingency_bias.bias_aware(statistic, request, error, _quantile(statistic, request))


def _quantile(statistic: TableFunction, request: Request) -> float:
    """Upper quantile for the limits: normal, or Student's t with the degrees of freedom of the variance."""
    freedom = cell_functions.freedom(statistic)
    return -(normal_quantile(request.tail) if math.isinf(freedom) else t_quantile(request.tail, freedom))


def _guarded(method: IntervalFunction, statistic: TableFunction, request: Request) -> Limits:
    """Apply a method, after the cases without any usable spread."""
    if clustered(statistic) and statistic.n == 1:
        return Limits.undefined(f"{plural(1, statistic.unit)} alone has no variance")
    if math.isinf(statistic.value):
        return _posterior_limits(statistic, request, "the value is infinite")
    return _with_unseen(statistic, method, request)


def _with_unseen(
    statistic: TableFunction, method: Callable[[TableFunction, Request], Limits], request: Request
) -> Limits:
    """Widen limits for classes without samples: each contributes a constant, whose true value may be any."""
    part, number = statistic.unseen
    lower_bound, upper_bound = request.bounds
    if not part or not (math.isfinite(lower_bound) and math.isfinite(upper_bound)):
        return method(statistic, request).clip(request.bounds)
    # Where all others are at a bound, the value is as far from it as the number makes it.
    inner = (lower_bound + part * (number - lower_bound), upper_bound - part * (upper_bound - number))
    limits = method(statistic, replace(request, bounds=inner)).clip(inner).noting(UNSEEN.format(number))
    low, high = limits.low - (inner[0] - lower_bound), limits.high + (upper_bound - inner[1])
    return limits._replace(low=low, high=high).clip(request.bounds)


def _posterior_limits(statistic: TableFunction, request: Request, cause: str) -> Limits:
    """Limits of the Dirichlet posterior, with the reason for taking them."""
    limits = dirichlet(statistic, request)
    reason = limits.reason or f"{cause}; the limits are from the Dirichlet posterior"
    return limits._replace(reason=reason, method="dirichlet").clip(request.bounds)


interval("jackknife", TableFunction)(cell_functions.jackknife)

declare_form(
    TableFunction,
    Form(
        "a function of cell counts",
        "delta",
        standard_error,
        choose=default,
        unavailable=unavailable,
        guard=_guarded,
        measured="coverage-classification.md",
    ),
)
