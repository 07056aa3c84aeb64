"""Intervals for a quantile that hold for every distribution of the values."""

import math
from collections.abc import Collection

import numpy as np

from certus.core.arrays import product
from certus.inference.clusters import cluster_mean
from certus.inference.declare import Form, IntervalFunction, declare_form, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import resample
from certus.inference.search import last_true
from certus.inference.special import binomial_at_least, binomial_at_most, normal_cdf, preload, t_quantile
from certus.statistic import Quantile
from certus.statistic.common import plural, unit_ranks
from certus.statistic.moments import root_of_squares

EXTREME = (
    "the smallest and the largest value of a sample have no interval, as others may lie any distance beyond them; "
    "an inner quantile, such as 0.99, has one"
)


def ranks(n: int, q: float, tail: float) -> tuple[int, int]:
    """Ranks (from 1) of the values that are the limits of the `q` quantile; 0 or n + 1 for an infinite limit."""
    low = last_true(lambda rank: binomial_at_most(rank - 1, n, q) <= tail, 0, n)
    return low, n + 1 - last_true(lambda rank: binomial_at_least(n + 1 - rank, n, q) <= tail, 0, n)


def units_needed(q: float, tail: float) -> int:
    """Least number of values among which there is a limit for the quantile."""
    return math.ceil(math.log(tail) / math.log(max(q, 1 - q)))


@interval(
    "order-statistics",
    Quantile,
    label="order statistics",
    aliases=("binomial-order-statistics",),
    guarantee="exact",
    source="Thompson (1936), Ann. Math. Stat. 7(3):122-128; David & Nagaraja (2003), Order Statistics, section 7.1",
)
def order_statistics(statistic: Quantile, request: Request) -> Limits:
    """Two of the values, chosen by the binomial distribution of how many lie below the quantile."""
    n, values = statistic.n, statistic.ordered
    low, high = ranks(n, statistic.q, request.tail)
    lower_bound, upper_bound = request.bounds
    missing = ["a lower limit"] * (low < 1) + ["an upper limit"] * (high > n)
    if len(missing) == 2:
        return Limits.undefined(_too_few(statistic, request, "a limit"))
    return Limits(
        lower_bound if low < 1 else float(values[low - 1]),
        upper_bound if high > n else float(values[high - 1]),
        _too_few(statistic, request, missing[0]) if missing else "",
    )


@interval(
    "woodruff",
    Quantile,
    label="Woodruff",
    source="Woodruff (1952), JASA 47(260):635-646, doi:10.1080/01621459.1952.10483443",
)
def woodruff(statistic: Quantile, request: Request) -> Limits:
    """Quantiles at both limits of the share of samples below the quantile, ``q +- t SE``."""
    mass_below, mass = statistic.below(statistic.value)
    _, error, freedom = cluster_mean(mass_below, mass, weighted=statistic.groups is None)
    half = -t_quantile(request.tail, freedom) * error
    lower_bound, upper_bound = request.bounds
    shares = statistic.q - half, statistic.q + half
    low = lower_bound if shares[0] <= 0 else _quantile_of_share(statistic, shares[0])
    high = upper_bound if shares[1] >= 1 else _quantile_of_share(statistic, shares[1])
    reason = "" if shares[0] > 0 and shares[1] < 1 else f"{plural(statistic.n, statistic.unit)} are too few for a limit"
    return Limits(low, high, reason)


@interval("percentile", Quantile)
def percentile(statistic: Quantile, request: Request) -> Limits:
    """Percentile bootstrap over units, see `intervals.resample.percentile`."""
    resample.check_replicates(request)
    values = np.empty(request.replicates)
    mass = np.ones(len(statistic.values)) if statistic.weights is None else statistic.weights
    mass = mass[statistic.order]
    columns = [statistic.values] if statistic.weights is None else [statistic.values, statistic.weights]
    ranks = unit_ranks(statistic.groups, *columns)
    units = (ranks if statistic.groups is None else ranks[statistic.groups])[statistic.order]
    for block, counts in resample.resampled_units(statistic.n, request):
        values[block] = [statistic.of(mass * times[units]) for times in counts]
    return resample.percentile(values, request)


def standard_error(statistic: Quantile) -> float:
    """Bootstrap standard error without simulation: standard deviation of the quantile over all resamples."""
    # Maritz & Jarrett (1978), JASA 73(361):194-196, doi:10.1080/01621459.1978.10480027.
    if statistic.reason or statistic.n < 2 or not 0 < statistic.q < 1:
        return math.nan
    if unavailable(statistic, (-math.inf, math.inf)):
        two = woodruff(statistic, Request(level=2 * normal_cdf(2.0) - 1))
        return (two.high - two.low) / 4 if math.isfinite(two.high - two.low) else math.nan
    n, betainc = statistic.n, preload().betainc
    shape = (n + 1) * statistic.q, (n + 1) * (1 - statistic.q)
    # Values far from the quantile have no chance that a float holds.
    first = last_true(lambda index: betainc(*shape, index / n) == 0, 0, n)
    end = n - last_true(lambda left: betainc(*shape, (n - left) / n) == 1, 0, n)
    chances = np.diff(betainc(*shape, np.arange(first, end + 1) / n))
    values = np.asarray(statistic.ordered[first:end])
    return root_of_squares(values - float(product(chances, values)), chances)


def default(statistic: Quantile, bounds: tuple[float, float]) -> str:
    """``"order-statistics"``, or ``"woodruff"`` with weights or clusters."""
    return "woodruff" if unavailable(statistic, bounds) else "order-statistics"


def unavailable(statistic: Quantile, _bounds: tuple[float, float]) -> Collection[str]:
    """Methods that need samples without weights and clusters."""
    return () if statistic.weights is None and statistic.groups is None else ("order-statistics",)


def _too_few(statistic: Quantile, request: Request, quantity: str) -> str:
    """Reason why there are too few units for a limit."""
    needed = units_needed(statistic.q, request.tail)
    return (
        f"{plural(statistic.n, statistic.unit)} are too few for {quantity} of the {statistic.q:g} quantile at level "
        f"{request.level:g}; it takes {needed}"
    )


def _quantile_of_share(statistic: Quantile, share: float) -> float:
    """Least value that at least `share` of the weight does not exceed."""
    mass = np.ones(len(statistic.values)) if statistic.weights is None else statistic.weights
    total = np.cumsum(mass[statistic.order])
    index = int(np.searchsorted(total, share * total[-1]))
    return float(statistic.ordered[min(index, len(total) - 1)])


def _guarded(method: IntervalFunction, statistic: Quantile, request: Request) -> Limits:
    """Apply a method, after the cases without enough units."""
    if not 0 < statistic.q < 1:
        return Limits.undefined(EXTREME)
    if statistic.n == 1:
        return Limits.undefined(f"{plural(1, statistic.unit)} alone has no variance")
    if statistic.ordered[0] == statistic.ordered[-1]:
        return Limits.undefined(f"all {len(statistic.values)} values are equal, so they have no variance")
    limits = method(statistic, request)
    if limits.low == limits.high:
        return Limits.undefined("the values around the quantile are all equal, so its error cannot be estimated")
    return limits.clip(request.bounds)


declare_form(
    Quantile,
    Form(
        "a quantile",
        "order-statistics",
        standard_error,
        choose=default,
        unavailable=unavailable,
        guard=_guarded,
        measured="coverage-regression.md",
    ),
)
