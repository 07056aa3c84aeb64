"""Largest gap between subgroups, worst subgroup, and mean over subgroups, each with limits.

Limits that hold for all pairs of subgroups at once hold for the pair that lies farthest apart, chosen after the fact or
not: the gap is at most the largest upper limit of any pair, and at least the largest lower one, or 0. Those of a pair
are put together from the limits of both, see `intervals.independent.mover`. These are made for the level at which a
normal interval is as wide as Tukey's for all pairs: ``q / sqrt(2)`` standard errors, with q the quantile of the
studentised range. Limits that hold for all subgroups at once (Bonferroni) hold for the worst one, and for the gap of
dependent subgroups.

Sources: Kramer (1956), Biometrics 12(3):307-310, doi:10.2307/3001469; Zou & Donner (2008), Stat. Med.
27(10):1693-1702, doi:10.1002/sim.3095.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError, MetricNameError
from certus.core.spelling import abridged
from certus.inference.declare import form_of, label, method_of
from certus.inference.estimate import Estimate, MeanOf, SubgroupEstimates
from certus.inference.interval import Interval, is_degenerate, joined
from certus.inference.intervals.influence import LEAST_VARIANCE, OUT_OF_RANGE
from certus.inference.intervals.student import error_and_freedom
from certus.inference.special import normal_cdf, studentized_range_quantile
from certus.statistic import Influence, Mean, Proportion, Ratio, TableFunction
from certus.statistic.cached import constant
from certus.statistic.common import mean_of, missing_reason, plural
from certus.statistic.influence import UnseenUnits

MAX_NAMED = 6


class SubgroupExtreme(NamedTuple):
    """Largest gap between subgroups, or the worst subgroup's value, with limits."""

    value: float
    low: float
    high: float
    method: str
    subgroup: str | None
    """The subgroup with the highest value of the two, or the worst one; None where there is no value."""
    versus: str | None = None
    """The subgroup with the lowest value of the two."""
    reason: str = ""


class Spread(NamedTuple):
    """Sampling variance of a subgroup's value, as estimated from its units."""

    variance: float
    """The squared standard error, without bias; NaN where there is none."""
    freedom: float
    """Its degrees of freedom."""
    fewest: int
    """The number of units, of the stratum that has the fewest of them."""


_NO_SPREAD = Spread(math.nan, math.nan, 0)
_NO_INTERVAL = Interval(math.nan, math.nan, 0.95, "")


@dataclass(frozen=True, eq=False, repr=False)
class SubgroupEstimate(Estimate):
    """Estimate of a subgroup without its units: value, limits at some levels, and spread."""

    fixed_interval: Interval = _NO_INTERVAL
    spread: Spread = _NO_SPREAD
    limits_by_level: Mapping[float, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def from_estimate(
        cls, estimate: Estimate, size: int, *, level: float, seed: int, dependent: str
    ) -> "SubgroupEstimate":
        """Reduce an estimate to what a table of `size` subgroups needs; other arguments as for `largest_gap`."""
        wanted = {_single_level(level, size), *([] if dependent else [_pairwise_level(level, size)])}
        return cls(
            Influence(estimate.value, (estimate.n,), (math.nan,), undefined_reason=estimate.reason, unit=estimate.unit),
            estimate.metric,
            estimate.bounds,
            estimate.conventions,
            fixed_interval=estimate.interval(level, seed=seed),
            spread=spread_of(estimate),
            limits_by_level={single: _default_limits(estimate, single, seed) for single in wanted if size > 1},
        )

    def interval(self, level: float | None = None, method: str | None = None, **options: Any) -> Interval:
        """The stored interval, whatever the level and method asked for."""
        del level, method, options
        return self.fixed_interval


def spread_of(estimate: Estimate) -> Spread:
    """Sampling variance of a subgroup's value, its degrees of freedom, and the unit count.

    >>> spread_of(Estimate(Proportion(2, 4), bounds=(0.0, 1.0)))
    Spread(variance=0.08333333333333333, freedom=3.0, fewest=4)
    """
    if isinstance(estimate, SubgroupEstimate):
        return estimate.spread
    statistic, n = estimate.statistic, estimate.n
    if math.isnan(estimate.value) or n < 2:
        return Spread(math.nan, math.nan, n)
    error, freedom = error_and_freedom(statistic, estimate.bounds)
    variance = error * error  # infinite where the square is too large, which a power refuses
    fewest = min(getattr(statistic, "sizes", (n,)))
    if math.isfinite(freedom):
        return Spread(variance, freedom, fewest)
    # The variance of multinomial counts is too small by (n - 1) / n; of many small subgroups that does not cancel out.
    counts = isinstance(statistic, Proportion | TableFunction)
    return Spread(variance * n / (n - 1) if counts else variance, n - 1.0, fewest)


class _Limited(NamedTuple):
    """Subgroups that have limits, with values and limits in columns, and a remark on the others."""

    names: list[str]
    values: Floats
    low: Floats
    high: Floats
    reason: str


def largest_gap(
    estimates: Mapping[str, Estimate],
    *,
    level: float = 0.95,
    method: str | None = None,
    seed: int = 0,
    dependent: str = "",
) -> SubgroupExtreme:
    """Difference of the highest and lowest value, with limits; `dependent` is why subgroups are dependent, if so."""
    name = "simultaneous" if dependent else "studentized-range"
    values = values_of(estimates)
    if np.isfinite(values).sum() < 2:
        return SubgroupExtreme(math.nan, math.nan, math.nan, name, None, reason="fewer than two subgroups have a value")
    level_of_each = _single_level(level, len(estimates)) if dependent else _pairwise_level(level, len(estimates))
    limited = _with_limits(estimates, level_of_each, method, seed)
    has_interval = len(limited.names) >= 2
    names = limited.names if has_interval else list(compress(estimates, np.isfinite(values)))
    values = limited.values if has_interval else values[np.isfinite(values)]
    top, bottom = int(values.argmax()), int(values.argmin())
    gap, pair = float(values[top] - values[bottom]), (names[top], names[bottom])
    if not has_interval:
        return SubgroupExtreme(gap, math.nan, math.nan, name, *pair, "fewer than two subgroups have an interval")
    low, high = limited.low, limited.high
    if dependent:
        lowest, highest = float(low.max() - high.min()), float(high.max() - low.min())
    else:
        lowest = greatest(values, values - low, high - values, -1.0)
        highest = greatest(values, high - values, values - low, 1.0)
    bounds = _bounds(estimates)
    span = max(end for _, end in bounds) - min(end for end, _ in bounds)
    return SubgroupExtreme(gap, max(0.0, lowest), min(highest, span), name, *pair, joined(dependent, limited.reason))


def worst_subgroup(
    estimates: Mapping[str, Estimate],
    better: Literal["higher", "lower"],
    *,
    level: float = 0.95,
    method: str | None = None,
    seed: int = 0,
) -> SubgroupExtreme:
    """Worst value of the subgroups, with limits for the worst true value."""
    values = values_of(estimates)
    if not np.isfinite(values).any():
        return SubgroupExtreme(math.nan, math.nan, math.nan, "simultaneous", None, reason="no subgroup has a value")
    limited = _with_limits(estimates, _single_level(level, len(estimates)), method, seed)
    higher = better == "higher"
    worst, worst_index = (np.nanmin, np.nanargmin) if higher else (np.nanmax, np.nanargmax)
    if not limited.names:
        index = int(worst_index(np.where(np.isfinite(values), values, np.nan)))
        name, value = list(estimates)[index], float(values[index])
        return SubgroupExtreme(value, math.nan, math.nan, "simultaneous", name, reason="no subgroup has an interval")
    index = int(worst_index(limited.values))
    value, low, high = (float(worst(column)) for column in (limited.values, limited.low, limited.high))
    return SubgroupExtreme(value, low, high, "simultaneous", limited.names[index], reason=limited.reason)


def straddling(by: NDArray[Any], groups: NDArray[Any]) -> str:
    """Reason why subgroups are dependent: groups with samples in several of them; empty if none.

    >>> straddling(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2]))
    'the subgroups share 1 group of samples: the limits allow for any dependence'
    """
    pairs = np.unique(np.column_stack([groups, by]), axis=0)
    return straddling_reason(int((np.bincount(pairs[:, 0]) > 1).sum()))


def straddling_reason(n_groups: int) -> str:
    """Reason why subgroups are dependent, from the number of groups with samples in several of them."""
    if not n_groups:
        return ""
    return f"the subgroups share {plural(n_groups, 'group')} of samples: the limits allow for any dependence"


def greatest(values: Floats, reach: Floats, other_reach: Floats, side: float) -> float:
    """Greatest ``v_i - v_j + side hypot(a_i, b_j)`` over all pairs of subgroups."""
    # Pairs grow with the square of the subgroups: only subgroups are tried that no other one beats in both terms.
    against = _unbeaten(-values, side * other_reach)
    return max(
        float((values[i] - values[against] + side * np.hypot(reach[i], other_reach[against])).max())
        for i in _unbeaten(values, side * reach)
    )


def _unbeaten(first: Floats, second: Floats) -> NDArray[np.intp]:
    """Indices of the points that no other point exceeds in both coordinates."""
    order = np.argsort(-first)
    best = np.maximum.accumulate(second[order])
    return np.asarray(order[np.concatenate([[True], best[1:] > best[:-1]])])


def _single_level(level: float, size: int) -> float:
    """Level of each subgroup's interval, for `size` simultaneous ones (Bonferroni)."""
    return 1 - (1 - level) / max(size, 1)


def _pairwise_level(level: float, size: int) -> float:
    """Level of each subgroup's interval, for simultaneous differences of all pairs (studentised range)."""
    return 1 - 2 * normal_cdf(-studentized_range_quantile(level, size) / math.sqrt(2))


def values_of(estimates: Mapping[str, Estimate]) -> Floats:
    """The value of each subgroup; NaN where it is undefined."""
    if isinstance(estimates, SubgroupEstimates):
        return estimates.metric_values
    return np.array([estimate.value for estimate in estimates.values()], dtype=np.float64)


def _bounds(estimates: Mapping[str, Estimate]) -> Iterable[tuple[float, float]]:
    """Distinct bounds of the subgroups' estimates."""
    return {estimates.bounds} if isinstance(estimates, SubgroupEstimates) else {e.bounds for e in estimates.values()}


def _with_limits(estimates: Mapping[str, Estimate], level: float, method: str | None, seed: int) -> _Limited:
    """Subgroups that have limits, and a remark on those without."""
    names, values = list(estimates), values_of(estimates)
    limits = np.full((2, len(names)), np.nan)
    missing = np.ones(len(names), dtype=np.bool_)
    if isinstance(estimates, SubgroupEstimates) and method is None:
        *limits[:], has_limits, _, _ = estimates.limits(level, exact=True)
        missing = ~has_limits
    for index in np.flatnonzero(missing).tolist():
        estimate = estimates[names[index]]
        if isinstance(estimate, SubgroupEstimate):
            limits[:, index] = estimate.limits_by_level[level]
        elif method is None:
            limits[:, index] = _default_limits(estimate, level, seed)
        else:
            limits[:, index] = _limits(estimate, level, method, seed)
    defined = ~np.isnan(limits).any(0) & np.isfinite(values)
    without = list(compress(names, ~defined))
    reason = f"left out, without an interval: {abridged(without, MAX_NAMED)}" if without else ""
    values, (low, high) = values[defined], limits[:, defined]
    # Limits of a skewed statistic may lie on one side of its value.
    low, high = np.minimum(low, values), np.maximum(high, values)
    return _Limited(list(compress(names, defined)), values, low, high, reason)


def _without_draws(estimate: Estimate) -> str | None:
    """``"adjusted-delta"`` if the default is the simulated Dirichlet posterior, which is slow at high levels."""
    if method_of(estimate.statistic, estimate.bounds, None) != "dirichlet":
        return None
    return "adjusted-delta" if "adjusted-delta" in form_of(estimate.statistic, estimate.bounds).methods else None


def _default_limits(estimate: Estimate, level: float, seed: int) -> tuple[float, float]:
    """Limits by the default method; for proportions those of Clopper and Pearson."""
    # At so high a level Wilson's interval misses shares near 1 too often: of 30 shares of 6 samples that are all .5 its
    # limits for the largest gap miss the 0 for .14 of the samples.
    return _limits(estimate, level, "clopper-pearson" if isinstance(estimate.statistic, Proportion) else None, seed)


def _limits(estimate: Estimate, level: float, method: str | None, seed: int) -> tuple[float, float]:
    """Limits by a method, or by the default where it does not apply; NaN if it needs more replicates."""
    try:
        try:
            interval = estimate.interval(level, _without_draws(estimate) if method is None else method, seed=seed)
        except MetricNameError:
            interval = estimate.interval(level, seed=seed)
    except CertusError:  # too few replicates for so high a level
        return math.nan, math.nan
    return interval.low, interval.high


MEAN_NAMES: Mapping[str, str] = {
    "random": "mean of random subgroups",
    "random-weighted": "weighted mean of random subgroups",
    "fixed": "mean of fixed subgroups",
    "fixed-weighted": "weighted mean of fixed subgroups",
}
"""Name of each mean in a table."""
UNIT = "subgroup"
NO_SPREAD = "no subgroup has a variance; the limits allow for unseen samples at the bounds of the metric"


class SubgroupMean(NamedTuple):
    """Mean of the values of subgroups, with its interval."""

    estimate: Estimate
    n: int
    """The number of subgroups it is of."""
    left_out: str
    """The subgroups without a value, in words; empty where there is none."""


def check_mean(mean: object) -> None:
    """Refuse an unknown name of a mean of subgroups."""
    if mean not in get_args(MeanOf):
        names = ", ".join(map(repr, get_args(MeanOf)))
        raise MetricNameError(f"is {mean!r}", f"it must be one of {names}", argument="subgroup_mean")


def subgroup_mean(
    estimates: Mapping[str, Estimate], mean: MeanOf, sizes: Floats | None = None, *, skip: bool = False
) -> SubgroupMean:
    """Mean of a metric over subgroups, which are a random sample of subgroups or all there are.

    Of random subgroups the values are independent units: the mean is a `Mean` of them, with weights a `Ratio` of sums.
    Of fixed subgroups the variances of the values are added up, and Satterthwaite combines their degrees of freedom::

        value = sum(w_g value_g) / sum(w_g),  SE^2 = sum(w_g^2 SE_g^2) / sum(w_g)^2

    `sizes` has the number of samples of each subgroup, or the sum of their weights; weighted means need it. With `skip`
    subgroups whose value is undefined are left out; otherwise the mean is then undefined.

    >>> some = {name: Estimate(Proportion(k, 10), bounds=(0.0, 1.0)) for name, k in (("a", 5), ("b", 7), ("c", 9))}
    >>> for mean in ("random", "fixed"):
    ...     interval = subgroup_mean(some, mean).estimate.interval()
    ...     print(mean, round(interval.low, 4), round(interval.high, 4))
    random 0.0 0.9998
    fixed 0.5092 0.8399
    """
    values = values_of(estimates)
    defined = ~np.isnan(values)
    missing = len(values) - int(defined.sum())
    selected = defined if skip else np.ones(len(values), dtype=np.bool_)
    left_out = f"left out: {missing_reason(missing, len(values), UNIT)}" if skip and missing else ""
    values = values[selected]
    weights = None if sizes is None else np.asarray(sizes, dtype=np.float64)[selected]
    first = next(iter(estimates.values()))
    statistic: Mean | Ratio | Influence
    if mean.startswith("random"):
        statistic = Mean(values, UNIT) if weights is None else Ratio(values * weights, weights, UNIT)
    else:
        statistic = _fixed(values, weights, list(compress(estimates.values(), selected)), first.bounds)
    estimate = Estimate(statistic, first.metric, first.bounds, {**first.conventions, "subgroup_mean": mean})
    return SubgroupMean(estimate, len(values), left_out)


def _fixed(
    values: Floats, weights: Floats | None, estimates: Sequence[Estimate], bounds: tuple[float, float]
) -> Influence:
    """Mean over all existing subgroups: only their samples are random."""
    n = len(values)
    if not n or np.isnan(values).any():
        reason = missing_reason(int(np.isnan(values).sum()), n, UNIT) if n else "no subgroup has a value"
        return Influence(math.nan, (), (), undefined_reason=reason, unit=UNIT)
    ratio = None if weights is None else Ratio(values * weights, weights, UNIT)
    value = mean_of(values) if ratio is None else ratio.value
    if ratio is not None and ratio.reason:
        return Influence(math.nan, (), (), undefined_reason=ratio.reason, unit=UNIT)
    shares = np.full(n, 1 / n) if weights is None else weights / math.fsum(weights)
    spreads = [spread_of(estimate) for estimate in estimates]
    unknown = sum(math.isnan(estimate.variance) for estimate in spreads)
    if unknown:
        several = "have" if unknown > 1 else "has"
        reason = f"{unknown} of {plural(n, UNIT)} {several} too few samples for a standard error; random ones need none"
        return Influence(value, (n,), (math.nan,), unknown=reason, unit=UNIT)
    # Sizes that have the degrees of freedom of each variance.
    sizes = tuple(max(int(estimate.freedom), 1) + 1 for estimate in spreads)
    variances = tuple(
        share**2 * estimate.variance * size
        for share, estimate, size in zip(shares.tolist(), spreads, sizes, strict=True)
    )
    if 0 < max(variances) < LEAST_VARIANCE:
        return Influence(value, (n,), (math.nan,), unknown=OUT_OF_RANGE, unit=UNIT)
    unseen = (
        partial(_with_unseen_units, value, bounds, values, shares, spreads) if all(map(math.isfinite, bounds)) else None
    )
    exact = None if unseen is None else partial(_range_at_tail, unseen)
    caution = constant(NO_SPREAD) if _without_spread(values, spreads).all() else None
    return UnseenUnits(value, sizes, variances, unit=UNIT, unseen=unseen, exact=exact, caution=caution)


def _range_at_tail(unseen: Callable[[float], tuple[float, float]], tail: float) -> tuple[float, float]:
    """Range of the mean, given the units that may be missing from the sample at the error `tail`."""
    return unseen(max(-math.log(2 * tail), 0.0))


def _without_spread(values: Floats, spreads: Sequence[Spread]) -> NDArray[np.bool_]:
    """True for each subgroup whose standard error is 0 up to rounding."""
    pairs = zip(values.tolist(), spreads, strict=True)
    return np.array([is_degenerate(value, math.sqrt(spread.variance)) for value, spread in pairs])


def _with_unseen_units(
    value: float, bounds: tuple[float, float], values: Floats, shares: Floats, spreads: Sequence[Spread], units: float
) -> tuple[float, float]:
    """Least and greatest mean if `units` more units at a bound are added to subgroups without spread."""
    # In subgroup g with n_g units, u_g more at the bound b move the value by (b - value_g) u_g / (n_g + u_g). The sum
    # of the moves, each by its share, is greatest where all subgroups with more units have the same slope
    # c_g n_g / (n_g + u_g)^2, c_g being the move that infinitely many would make.
    fewest = np.array([spread.fewest for spread in spreads], dtype=np.float64)
    is_constant = _without_spread(values, spreads)
    limits = [
        value + side * _greatest(shares[is_constant] * np.abs(bound - values[is_constant]), fewest[is_constant], units)
        for bound, side in zip(bounds, (-1, 1), strict=True)
    ]
    return limits[0], limits[1]


def _greatest(moves: Floats, fewest: Floats, units: float) -> float:
    """Greatest ``sum(moves u / (fewest + u))`` over all u of at least 0 with the sum `units`.

    >>> _greatest(np.array([1.0, 1.0]), np.array([5.0, 5.0]), 3.0) == 2 * 1.5 / 6.5
    True
    """
    there = moves > 0
    moves, fewest = moves[there], fewest[there]
    if not len(moves):
        return 0.0
    order = np.argsort(-moves / fewest, kind="stable")
    moves, fewest = moves[order], fewest[order]
    roots = np.sqrt(moves * fewest)
    # With the first k subgroups in use, u = roots * scale - fewest.
    scales = (units + np.cumsum(fewest)) / np.cumsum(roots)
    used = int(np.flatnonzero(roots * scales > fewest)[-1]) + 1 if units > 0 else 0
    if not used:
        return 0.0
    more = roots[:used] * scales[used - 1] - fewest[:used]
    return math.fsum(moves[:used] * more / (fewest[:used] + more))


label("studentized-range", "studentised range")
label("simultaneous", "limits of all subgroups at once")
