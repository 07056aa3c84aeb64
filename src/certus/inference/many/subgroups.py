"""The largest gap between subgroups, and the worst subgroup: limits that hold when there is no gap, too."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError, MetricNameError
from certus.core.spelling import abridged
from certus.inference.declare import form_of, label, method_of
from certus.inference.estimate import Estimate, SubgroupEstimates
from certus.inference.interval import Interval, joined
from certus.inference.intervals.student import error_and_freedom
from certus.inference.special import normal_cdf, studentized_range_quantile
from certus.statistic import Influence, Proportion, TableFunction
from certus.statistic.common import plural

LISTED = 6


class Among(NamedTuple):
    """A value found among all subgroups, such as the largest gap, with its limits."""

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
    """The error of the value of a subgroup, as its units tell it."""

    variance: float
    """The squared standard error, without bias; NaN where there is none."""
    freedom: float
    """Its degrees of freedom."""
    fewest: int
    """The number of units, of the stratum that has the fewest of them."""


_NO_SPREAD = Spread(math.nan, math.nan, 0)
_NO_INTERVAL = Interval(math.nan, math.nan, 0.95, "")


@dataclass(frozen=True, eq=False, repr=False)
class Kept(Estimate):
    """The estimate of one of several subgroups, with the default limits that a table of them needs, without its units.

    Attributes
    ----------
    shown
        Its interval.
    among
        Its limits among all subgroups, by level.
    spread
        See `spread_of`.
    """

    shown: Interval = _NO_INTERVAL
    spread: Spread = _NO_SPREAD
    among: Mapping[float, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, estimate: Estimate, size: int, *, level: float, seed: int, dependent: str) -> "Kept":
        """The estimate of one of `size` subgroups; the others as for `largest_gap`."""
        wanted = {_each(level, size)} if dependent else {_each(level, size), _of_pairs(level, size)}
        return cls(
            Influence(estimate.value, (estimate.n,), (math.nan,), undefined_reason=estimate.reason, unit=estimate.unit),
            estimate.metric,
            estimate.bounds,
            estimate.conventions,
            shown=estimate.interval(level, seed=seed),
            spread=spread_of(estimate),
            among={each: _default_limits(estimate, each, seed) for each in wanted if size > 1},
        )

    def interval(self, level: float | None = None, method: str | None = None, **options: Any) -> Interval:
        """The interval that was made."""
        del level, method, options
        return self.shown


def spread_of(estimate: Estimate) -> Spread:
    """The variance of the value of a subgroup, which is added to those of others.

    The variance of counts that follow the multinomial law is too small by ``(n - 1) / n`` on average; of many small
    subgroups that does not cancel out.

    Examples
    --------
    >>> spread_of(Estimate(Proportion(2, 4), bounds=(0.0, 1.0)))
    Spread(variance=0.08333333333333333, freedom=3.0, fewest=4)
    """
    if isinstance(estimate, Kept):
        return estimate.spread
    statistic, n = estimate.statistic, estimate.n
    if math.isnan(estimate.value) or n < 2:
        return Spread(math.nan, math.nan, n)
    error, freedom = error_and_freedom(statistic, estimate.bounds)
    variance = error * error  # infinite where the square is too large, which a power refuses
    fewest = min(getattr(statistic, "sizes", (n,)))
    if math.isfinite(freedom):
        return Spread(variance, freedom, fewest)
    counts = isinstance(statistic, Proportion | TableFunction)
    return Spread(variance * n / (n - 1) if counts else variance, n - 1.0, fewest)


class _Known(NamedTuple):
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
) -> Among:
    """The difference of the highest and the lowest value of any subgroup, with limits for that of the true values.

    Limits that hold for all pairs of subgroups at once hold for the pair that lies farthest apart, chosen after the
    fact or not: the gap is at most the largest upper limit of any pair, and at least the largest lower one, or 0. Those
    of a pair are put together from the limits of both, see `intervals.independent.mover`. These are made for the
    level at which a normal interval is as wide as Tukey's for all pairs: ``q / sqrt(2)`` standard errors, with q the
    quantile of the studentised range; those of shares are Clopper and Pearson's. Where `dependent` says why the
    subgroups are not independent, each has limits that hold for all of them at once, whatever the dependence
    (Bonferroni), and the gap is what these leave open.

    Parameters
    ----------
    estimates
        The estimate of the same metric of each subgroup.
    level, method, seed
        As for `Estimate.interval`; the method is of the limits of each subgroup.
    dependent
        Why the subgroups are not independent; empty where they are.

    Sources: Kramer (1956), Biometrics 12(3):307-310, doi:10.2307/3001469; Zou & Donner (2008), Stat. Med.
    27(10):1693-1702, doi:10.1002/sim.3095.
    """
    name = "simultaneous" if dependent else "studentized-range"
    values = values_of(estimates)
    if np.isfinite(values).sum() < 2:
        return Among(math.nan, math.nan, math.nan, name, None, reason="fewer than two subgroups have a value")
    single = _each(level, len(estimates)) if dependent else _of_pairs(level, len(estimates))
    known = _known(estimates, single, method, seed)
    if len(known.names) < 2:
        names = list(compress(estimates, np.isfinite(values)))
        values = values[np.isfinite(values)]
        top, bottom = int(values.argmax()), int(values.argmin())
        gap = float(values[top] - values[bottom])
        return Among(
            gap, math.nan, math.nan, name, names[top], names[bottom], "fewer than two subgroups have an interval"
        )
    values, low, high = known.values, known.low, known.high
    top, bottom = int(values.argmax()), int(values.argmin())
    if dependent:
        least, most = float(low.max() - high.min()), float(high.max() - low.min())
    else:
        least = greatest(values, values - low, high - values, -1.0)
        most = greatest(values, high - values, values - low, 1.0)
    ends = _bounds(estimates)
    span = max(end for _, end in ends) - min(end for end, _ in ends)
    gap = float(values[top] - values[bottom])
    return Among(
        gap,
        max(0.0, least),
        min(most, span),
        name,
        known.names[top],
        known.names[bottom],
        joined(dependent, known.reason),
    )


def worst_subgroup(
    estimates: Mapping[str, Estimate],
    better: Literal["higher", "lower"],
    *,
    level: float = 0.95,
    method: str | None = None,
    seed: int = 0,
) -> Among:
    """The worst value of any subgroup, with limits for the worst of the true values.

    Each subgroup has limits that hold for all of them at once, whatever their dependence (Bonferroni). The worst of the
    true values is then not below the least lower limit, nor above the least upper one (where higher is better). Those
    of shares are exact (Clopper-Pearson).
    """
    values = values_of(estimates)
    if not np.isfinite(values).any():
        return Among(math.nan, math.nan, math.nan, "simultaneous", None, reason="no subgroup has a value")
    known = _known(estimates, _each(level, len(estimates)), method, seed)
    higher = better == "higher"
    if not known.names:
        name, value = min(
            ((name, value) for name, value in zip(estimates, values.tolist(), strict=True) if math.isfinite(value)),
            key=lambda each: each[1] if higher else -each[1],
        )
        return Among(value, math.nan, math.nan, "simultaneous", name, reason="no subgroup has an interval")
    place = int(known.values.argmin() if higher else known.values.argmax())
    return Among(
        float(known.values[place]),
        float(known.low.min() if higher else known.low.max()),
        float(known.high.min() if higher else known.high.max()),
        "simultaneous",
        known.names[place],
        reason=known.reason,
    )


def straddling(by: NDArray[Any], groups: NDArray[Any]) -> str:
    """Why subgroups are not independent: groups that have samples in several of them; empty where none has.

    Examples
    --------
    >>> straddling(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2]))
    'the subgroups share 1 group of samples: the limits allow for any dependence'
    """
    pairs = np.unique(np.column_stack([groups, by]), axis=0)
    return of_straddling(int((np.bincount(pairs[:, 0]) > 1).sum()))


def of_straddling(several: int) -> str:
    """The same of a number of groups."""
    if not several:
        return ""
    return f"the subgroups share {plural(several, 'group')} of samples: the limits allow for any dependence"


def greatest(values: Floats, reach: Floats, others: Floats, side: float) -> float:
    """The greatest ``v_i - v_j + side hypot(a_i, b_j)`` of all pairs.

    Pairs grow with the square of the subgroups, so only subgroups are tried that no other one beats in both terms.
    """
    against = _unbeaten(-values, side * others)
    return max(
        float((values[i] - values[against] + side * np.hypot(reach[i], others[against])).max())
        for i in _unbeaten(values, side * reach)
    )


def _unbeaten(first: Floats, second: Floats) -> NDArray[np.intp]:
    """The places at which no other one has as much of both, and perhaps some that have as much of the first."""
    order = np.argsort(-first)
    best = np.maximum.accumulate(second[order])
    return np.asarray(order[np.concatenate([[True], best[1:] > best[:-1]])])


def _each(level: float, size: int) -> float:
    return 1 - (1 - level) / max(size, 1)


def _of_pairs(level: float, size: int) -> float:
    return 1 - 2 * normal_cdf(-studentized_range_quantile(level, size) / math.sqrt(2))


def values_of(estimates: Mapping[str, Estimate]) -> Floats:
    """The value of each subgroup; NaN where it is undefined."""
    if isinstance(estimates, SubgroupEstimates):
        return estimates.metric_values
    return np.array([each.value for each in estimates.values()], dtype=np.float64)


def _bounds(estimates: Mapping[str, Estimate]) -> Iterable[tuple[float, float]]:
    """The bounds of the metric, each once."""
    return {estimates.bounds} if isinstance(estimates, SubgroupEstimates) else {e.bounds for e in estimates.values()}


def _known(estimates: Mapping[str, Estimate], level: float, method: str | None, seed: int) -> _Known:
    """The subgroups that have limits, and what to know of the others."""
    names, values = list(estimates), values_of(estimates)
    limits = np.full((2, len(names)), np.nan)
    missing = np.ones(len(names), dtype=np.bool_)
    if isinstance(estimates, SubgroupEstimates) and method is None:
        *limits[:], there, _, _ = estimates.limits(level, exact=True)
        missing = ~there
    for place in np.flatnonzero(missing).tolist():
        each = estimates[names[place]]
        limits[:, place] = (
            each.among[level]
            if isinstance(each, Kept)
            else _default_limits(each, level, seed)
            if method is None
            else _limits(each, level, method, seed)
        )
    defined = ~np.isnan(limits).any(0) & np.isfinite(values)
    without = list(compress(names, ~defined))
    values, (low, high) = values[defined], limits[:, defined]
    # Limits of a skewed statistic may lie on one side of its value.
    return _Known(
        list(compress(names, defined)),
        values,
        np.minimum(low, values),
        np.maximum(high, values),
        f"left out for want of an interval: {abridged(without, LISTED)}" if without else "",
    )


def _without_draws(estimate: Estimate) -> str | None:
    """The adjusted delta method in place of a Dirichlet posterior, which takes a million draws at so high a level."""
    if method_of(estimate.statistic, estimate.bounds, None) != "dirichlet":
        return None
    return "adjusted-delta" if "adjusted-delta" in form_of(estimate.statistic, estimate.bounds).methods else None


def _default_limits(estimate: Estimate, level: float, seed: int) -> tuple[float, float]:
    """Limits without a method that was asked for; of a share Clopper and Pearson's.

    At so high a level Wilson's interval misses shares near 1 too often, and of 30 shares of 6 samples that are all .5
    its limits for the largest gap miss the 0 for .14 of the samples: one has no success, another no failure.
    """
    return _limits(estimate, level, "clopper-pearson" if isinstance(estimate.statistic, Proportion) else None, seed)


def _limits(estimate: Estimate, level: float, method: str | None, seed: int) -> tuple[float, float]:
    try:
        try:
            found = estimate.interval(level, _without_draws(estimate) if method is None else method, seed=seed)
        except MetricNameError:
            found = estimate.interval(level, seed=seed)
    except CertusError:  # too few replicates for so high a level
        return math.nan, math.nan
    return found.low, found.high


label("studentized-range", "studentised range")
label("simultaneous", "limits of all subgroups at once")
