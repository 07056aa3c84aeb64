"""The difference of two statistics of one form on the same units, as a statistic that has intervals of its own."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus import kernels
from certus.arrays import Floats
from certus.errors import CertusError, DataError
from certus.inference.estimate import Estimate
from certus.inference.many.max_t import row_order
from certus.statistic import Influence, Mean, Plugin, Ratio, Statistic
from certus.statistic.common import Bounds, Resample, plural


def check_pairs(a: int, b: int, unit: str) -> None:
    """Refuse units that do not pair up."""
    if a != b:
        raise DataError(
            f"has {plural(a, unit)} but b has {b}",
            "they must pair up one to one, or give paired=False for two independent samples",
            argument="a",
        )


def pair_ranks(a: ArrayLike, b: ArrayLike, *others: ArrayLike) -> NDArray[np.int64]:
    """The rank of each unit by the values that two systems, and their truth, have there.

    Draws count for units by rank: no order of units changes them, and exchanged systems have the same.

    Examples
    --------
    >>> pair_ranks([3.0, 1.0, 2.0], [1.0, 1.0, 5.0]).tolist()
    [1, 0, 2]
    """
    first, second = (np.asarray(each, dtype=np.float64) for each in (a, b))
    columns = [first - second, np.minimum(first, second), np.maximum(first, second), *others]
    order = row_order(np.column_stack([np.asarray(each, dtype=np.float64) for each in columns]))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def of_ratios(a: Ratio, b: Ratio) -> Influence:
    """``R_a - R_b``, which to first order is the mean of ``n (x_i - R_a y_i) / sum(y)``, less the same of b.

    Source: Cochran (1977), Sampling Techniques, 3rd ed., section 6.14.
    """
    n = a.n
    terms = [n * (r.numerators - r.value * r.denominators) / kernels.exact_sum(r.denominators) for r in (a, b)]
    added = terms[0] - terms[1]
    return Influence.of_strata(a.value - b.value, (added,), resample=partial(_resample_ratios, a, b), unit=a.unit)


def _resample_ratios(a: Ratio, b: Ratio, replicates: int, seed: int, stratified: bool) -> Floats:
    _need_no_strata(stratified)
    pairs = [np.column_stack([each.numerators, each.denominators]) for each in (a, b)]
    rows = np.column_stack(pairs)[np.argsort(pair_ranks(*pairs))]
    sums = kernels.resample_sums(rows, replicates=replicates, seed=seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Floats = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    return np.where(np.isfinite(values), values, np.nan)


def of_influence(a: Influence, b: Influence, resample: Resample | None = None) -> Influence:
    """The difference of the values, with those of the influence values, stratum by stratum.

    For two areas under the ROC curve this is the comparison of DeLong, DeLong & Clarke-Pearson. Groups of unequal size
    and weights, which are the same for both, give it the CR2 error.

    Source: DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595.
    """
    if a.influence is None or b.influence is None:
        raise CertusError("a statistic gives no influence values, which the comparison needs")
    of_a, of_b = a.influence(), b.influence()
    if tuple(map(len, of_a)) != tuple(map(len, of_b)):
        raise DataError(
            f"the strata of a have {', '.join(map(str, map(len, of_a)))} {a.unit} units but those of b "
            f"{', '.join(map(str, map(len, of_b)))}",
            "both must hold the same units in the same order",
        )
    terms = tuple(one - other for one, other in zip(of_a, of_b, strict=True))
    size = sum(float(np.abs(each).max(initial=0.0)) for each in (*of_a, *of_b))
    # What rounding leaves of equal influence values is not a spread.
    terms = tuple(np.where(np.abs(each) <= 1e-13 * size, 0.0, each) for each in terms)
    found = Influence.of_strata(a.value - b.value, terms, resample=resample, unit=a.unit)
    if a.masses is None or b.masses is None:
        return found
    # Which class makes more of the variance may differ between the two, and with it what a unit's mass is.
    one, other = (each / kernels.exact_sum(each) for each in (a.masses, b.masses))
    masses = a.masses if np.array_equal(a.masses, b.masses) else one + other
    return replace(found, masses=masses, weighted=a.weighted)


def of_geometric_means(a: Mean, b: Mean) -> Plugin:
    """The difference of two geometric means as a function of weighted units."""
    rows = np.column_stack([a.scaled, b.scaled])[np.argsort(pair_ranks(a.scaled, b.scaled))]
    plugin = Plugin(rows, _difference_of_logs, a.unit, resample=partial(_resample_logs, rows))
    return _known(plugin, a.value - b.value)


def _difference_of_logs(rows: Floats, weights: Floats) -> float:
    first, second = np.exp(weights @ rows / weights.sum())
    return float(first - second)


def _resample_logs(rows: Floats, replicates: int, seed: int, stratified: bool) -> Floats:
    _need_no_strata(stratified)
    means = np.exp(kernels.resample_sums(rows, replicates=replicates, seed=seed) / len(rows))
    return np.asarray(means[:, 0] - means[:, 1])


def of_plugins(a: Plugin, b: Plugin, unit: str) -> Plugin:
    """The difference as a function of one weight for each unit, row i of both being the same unit."""
    both = [each.rows.reshape(each.n, -1) for each in (a, b)]
    numbers = all(each.dtype.kind in "biuf" and each.size for each in both)
    plugin = Plugin(pair_ranks(*both) if numbers else np.arange(a.n), partial(_difference, a, b), unit)
    return _known(plugin, a.value - b.value)


def _difference(a: Plugin, b: Plugin, rows: NDArray[np.intp], weights: Floats) -> float:
    del rows  # each unit stands for itself
    return float(a.function(a.rows, weights)) - float(b.function(b.rows, weights))


def _known(statistic: Plugin, value: float) -> Plugin:
    """The statistic with its value, which is known already: exactly 0 for equal systems."""
    statistic.__dict__["value"] = value
    return statistic


def _need_no_strata(stratified: bool) -> None:
    if stratified:
        raise CertusError(
            "is True but the units of a difference have no strata to keep", "leave it out", argument="stratified"
        )


UNBOUNDED = (-math.inf, math.inf)


def operands(
    a: Statistic | Estimate, b: Statistic | Estimate, bounds: Bounds, *, paired: bool
) -> tuple[Statistic, Statistic, Bounds, str]:
    """Both statistics, the least and greatest value of their metric (those of the estimates unless told), and the unit.

    Paired estimates of one metric that keep counts give statistics that say which samples they are made of.
    """
    given = [each for each in (a, b) if isinstance(each, Estimate)]
    names = list(dict.fromkeys(each.metric for each in given if each.metric))
    if len(names) > 1:
        raise CertusError(
            f"is {names[0]} but b is {names[1]}",
            "give the same metric of both, or a.statistic and b.statistic where two metrics are meant",
            argument="a",
        )
    first, second = (each.statistic if isinstance(each, Estimate) else each for each in (a, b))
    unit = first.unit
    samples = [each.predictions for each in given if each.predictions is not None]
    if paired and len(samples) == 2:
        first, second, unit = samples[0].together(samples[1])
    if paired and given and first.unit != second.unit:
        raise DataError(
            f"the units of a are of the kind {first.unit!r} but those of b {second.unit!r}",
            "paired values must be of the same units, or give paired=False for two independent samples",
        )
    if bounds == UNBOUNDED and given:
        bounds = _hull(min, given, 0), _hull(max, given, 1)
    return first, second, bounds, unit


def _hull(outer: Callable[..., float], given: list[Estimate], end: int) -> float:
    return float(outer(each.bounds[end] for each in given))
