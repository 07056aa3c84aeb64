"""The mean of a metric over subgroups: over ones drawn at random, or over just these."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import compress
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import MetricNameError
from certus.inference.estimate import Estimate, MeanOf
from certus.inference.intervals.influence import LEAST_VARIANCE, OUT_OF_RANGE
from certus.inference.intervals.scale import degenerate
from certus.inference.many.subgroups import Spread, spread_of, values_of
from certus.statistic import Influence, Mean, Ratio
from certus.statistic.cached import constant
from certus.statistic.common import mean_of, missing_reason, plural
from certus.statistic.influence import UnseenUnits

NAMES: Mapping[str, str] = {
    "random": "mean of random subgroups",
    "random-weighted": "weighted mean of random subgroups",
    "fixed": "mean of fixed subgroups",
    "fixed-weighted": "weighted mean of fixed subgroups",
}
"""What a table calls each."""
UNIT = "subgroup"
NO_SPREAD = "no subgroup shows spread: the limits allow for samples at the bounds that may be missing"


class SubgroupMean(NamedTuple):
    """The mean of the values of subgroups."""

    estimate: Estimate
    n: int
    """The number of subgroups it is of."""
    left_out: str
    """The subgroups without a value, in words; empty where there is none."""


def check_mean(mean: object) -> None:
    """Refuse a mean of subgroups that there is not."""
    if mean not in get_args(MeanOf):
        known = ", ".join(map(repr, get_args(MeanOf)))
        raise MetricNameError(f"is {mean!r}", f"it must be one of {known}", argument="subgroup_mean")


def subgroup_mean(
    estimates: Mapping[str, Estimate], mean: MeanOf, sizes: Floats | None = None, *, skip: bool = False
) -> SubgroupMean:
    """The mean of a metric over subgroups, with the uncertainty that subgroups of that kind leave.

    Of random subgroups the values are independent units: their spread holds the errors of the values, however few
    samples a subgroup has. The mean is a `Mean` of them, with weights a `Ratio` of sums, which have their usual
    intervals. Of fixed subgroups the variances of the values are added up, and Satterthwaite combines their degrees of
    freedom::

        value = sum(w_g value_g) / sum(w_g),  SE^2 = sum(w_g^2 SE_g^2) / sum(w_g)^2

    A small subgroup may show no spread because it happens to lack the units that would show it, as one without an
    error does. Limits of fixed subgroups allow for them, see `_moved`.

    Parameters
    ----------
    estimates
        The estimate of the same metric of each subgroup.
    mean
        See `certus.inference.estimate.MeanOf`.
    sizes
        The number of samples of each subgroup, or the sum of their weights; weighted means need it.
    skip
        Leave out subgroups whose value is undefined; otherwise the mean is undefined where there is one.

    Examples
    --------
    >>> from certus.statistic import Proportion
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
    kept = defined if skip else np.ones(len(values), dtype=np.bool_)
    left_out = f"left out: {missing_reason(missing, len(values), UNIT)}" if skip and missing else ""
    values = values[kept]
    weights = None if sizes is None else np.asarray(sizes, dtype=np.float64)[kept]
    first = next(iter(estimates.values()))
    statistic: Mean | Ratio | Influence
    if mean.startswith("random"):
        statistic = Mean(values, UNIT) if weights is None else Ratio(values * weights, weights, UNIT)
    else:
        statistic = _fixed(values, weights, list(compress(estimates.values(), kept)), first.bounds)
    made = Estimate(statistic, first.metric, first.bounds, {**first.conventions, "subgroup_mean": mean})
    return SubgroupMean(made, len(values), left_out)


def _fixed(
    values: Floats, weights: Floats | None, estimates: Sequence[Estimate], bounds: tuple[float, float]
) -> Influence:
    """The mean of the values of just these subgroups."""
    n = len(values)
    if not n or np.isnan(values).any():
        reason = missing_reason(int(np.isnan(values).sum()), n, UNIT) if n else "no subgroup has a value"
        return Influence(math.nan, (), (), undefined_reason=reason, unit=UNIT)
    ratio = None if weights is None else Ratio(values * weights, weights, UNIT)
    value = mean_of(values) if ratio is None else ratio.value
    if ratio is not None and ratio.reason:
        return Influence(math.nan, (), (), undefined_reason=ratio.reason, unit=UNIT)
    shares = np.full(n, 1 / n) if weights is None else weights / math.fsum(weights)
    spreads = [spread_of(each) for each in estimates]
    unknown = sum(math.isnan(each.variance) for each in spreads)
    if unknown:
        several = "have" if unknown > 1 else "has"
        reason = f"{unknown} of {plural(n, UNIT)} {several} too few samples for a standard error; random ones need none"
        return Influence(value, (n,), (math.nan,), unknown=reason, unit=UNIT)
    # Sizes that have the degrees of freedom of each variance.
    sizes = tuple(max(int(each.freedom), 1) + 1 for each in spreads)
    variances = tuple(
        share**2 * each.variance * size for share, each, size in zip(shares.tolist(), spreads, sizes, strict=True)
    )
    if 0 < max(variances) < LEAST_VARIANCE:
        return Influence(value, (n,), (math.nan,), unknown=OUT_OF_RANGE, unit=UNIT)
    unseen = partial(_moved, value, bounds, values, shares, spreads) if all(map(math.isfinite, bounds)) else None
    exact = None if unseen is None else partial(_exact, unseen)
    caution = constant(NO_SPREAD) if _still(values, spreads).all() else None
    return UnseenUnits(value, sizes, variances, unit=UNIT, unseen=unseen, exact=exact, caution=caution)


def _exact(unseen: Callable[[float], tuple[float, float]], tail: float) -> tuple[float, float]:
    return unseen(max(-math.log(2 * tail), 0.0))


def _still(values: Floats, spreads: Sequence[Spread]) -> NDArray[np.bool_]:
    """True for each subgroup without spread, up to rounding."""
    pairs = zip(values.tolist(), spreads, strict=True)
    return np.array([degenerate(value, math.sqrt(each.variance)) for value, each in pairs])


def _moved(
    value: float, bounds: tuple[float, float], values: Floats, shares: Floats, spreads: Sequence[Spread], units: float
) -> tuple[float, float]:
    """The mean with as many more units at either bound, in those subgroups without spread where they move it most.

    In subgroup g with n_g units, u_g more at the bound b move the value by ``(b - value_g) u_g / (n_g + u_g)``. The sum
    of the moves, each by its share, is greatest where all subgroups with more units have the same slope
    ``c_g n_g / (n_g + u_g)^2``, c_g being the move that infinitely many would make.
    """
    fewest = np.array([each.fewest for each in spreads], dtype=np.float64)
    still = _still(values, spreads)
    found = [
        value + side * _greatest(shares[still] * np.abs(bound - values[still]), fewest[still], units)
        for bound, side in zip(bounds, (-1, 1), strict=True)
    ]
    return found[0], found[1]


def _greatest(moves: Floats, fewest: Floats, units: float) -> float:
    """The greatest ``sum(moves u / (fewest + u))`` over all u of at least 0 with the sum `units`.

    Examples
    --------
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
