"""Comparison of two systems for each form of statistic, and the tests for pairs without unit values."""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, keyword
from certus.inference.declare import label
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals import plugin
from certus.inference.intervals.student import LEAST_ERROR, Student, error_and_freedom, no_spread
from certus.inference.many.joint import row_order
from certus.inference.search import ROUNDING
from certus.inference.tests import joint_table
from certus.inference.tests.declare import (
    INDEPENDENT,
    INFLUENCES,
    PLUGINS,
    RATIOS,
    TABLES,
    TESTS_BY_KIND,
    difference_test,
    resolve_test,
)
from certus.inference.tests.guaranteed import assumed_range
from certus.inference.tests.joint_table import JointCells, joint_cells, student_of_cells
from certus.inference.tests.means import DEFAULT_TEST, EQUAL, UNBOUNDED, PairedDifferences
from certus.inference.tests.paired import compare_sample, compare_values, mean_test
from certus.inference.tests.result import DifferenceOptions, Outcome, Paired, extremes, no_interval, of_difference
from certus.inference.tests.shares import (
    DISCORDANT,
    discordant_interval,
    discordant_test,
    pooled_counts,
    score_interval,
    score_test,
)
from certus.statistic import Influence, Mean, Plugin, Ratio, Statistic, TableFunction
from certus.statistic.common import Resample, plural
from certus.statistic.folds import Independent

OF_SHARES = "is for a difference of shares, such as accuracy, of independent samples that count alike"


@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems' statistics, and the difference of their values as a statistic."""

    kind: str
    a: Statistic
    b: Statistic
    statistic: Statistic
    counts: tuple[int, ...] | None = None
    """Units of a difference of shares on which a alone is right, b alone, and all; of proportions as pooled."""
    unavailable: Mapping[str, str] = field(default_factory=dict)
    """The tests that are not for this pair, and what they are for."""
    joint: JointCells | None = None

    @property
    def is_equal(self) -> bool:
        """True if both systems are known to agree on every unit: they fill the same cells."""
        return self.joint is not None and np.array_equal(self.joint.first, self.joint.second)

    @property
    def size(self) -> float:
        """Size of the values that rounding is relative to."""
        if self.joint is not None:
            return joint_table.value_size(self.joint.a, self.joint.b)
        return abs(self.a.value) + abs(self.b.value)

    def student(self, options: DifferenceOptions) -> Student:
        """Difference as a Student variable: by the delta method over the joint table, or Welch's."""
        if self.joint is not None:
            return student_of_cells(self.joint)
        bounds = options.bounds if self.kind == INDEPENDENT else options.request.bounds
        return Student(self.statistic.value, *error_and_freedom(self.statistic, bounds))

    def compared(self, options: DifferenceOptions) -> Paired:
        """Compare by the named test, or by the first one that applies to the pair."""
        tests = TESTS_BY_KIND[self.kind]
        default = next(name for name in tests if name not in self.unavailable)
        name = default if options.test is None else resolve_test(self.kind, options.test, self.unavailable)
        result, interval = tests[name].function(self, options)
        estimate = options.estimate(self.statistic, interval)
        if self.joint is None or self.counts is None:
            return options.result(estimate, name, result)
        wins, losses, _ = self.counts
        return options.result(estimate, name, result, (wins, estimate.n - wins - losses, losses))


def missing_of(a: Statistic, b: Statistic, options: DifferenceOptions) -> Paired | None:
    """Result without a difference if a value is undefined or infinite, otherwise None."""
    for name, statistic in (("a", a), ("b", b)):
        reason = statistic.reason or ("" if math.isfinite(statistic.value) else "the value is infinite")
        if reason:
            return options.undefined(f"{name}: {reason}", a.n, options.test or "")
    return None


def _means(a: Mean, b: Mean, options: DifferenceOptions) -> Paired:
    """Compare two means, geometric means or sums of values of the same units."""
    if (a.scale, a.total) != (b.scale, b.total):
        raise CertusError("a and b are summed up differently", "take the same metric of both")
    log = a.scale == "log"
    if log and not (np.isfinite(a.scaled).all() and np.isfinite(b.scaled).all()):
        # A geometric mean of 0: only its own value is known.
        return options.undefined("a value is not positive", a.n, mean_test(options.test or DEFAULT_TEST))
    scaled_options = options
    if log or a.total:
        bounds = UNBOUNDED if log else options.bounds
        request = replace(options.request, bounds=of_difference(bounds))
        limits = None if log else options.limits
        scaled_options = replace(options, interval=None, bounds=bounds, request=request, limits=limits)
    result = compare_values(a.scaled, b.scaled, scaled_options)
    interval = result.difference.own_interval
    if interval is None or not (log or a.total):
        return result
    if log:
        level = math.sqrt(a.value * b.value)
        scale, back = partial(_from_log_difference, level), partial(_to_log_difference, level)
        statistic: Statistic = _difference_of_geometric_means(a, b)
    else:
        scale, back = partial(operator.mul, a.n), partial(operator.mul, 1 / a.n)
        mean: Any = result.difference.statistic
        statistic = Mean(mean.values, unit=options.unit, total=True)
    mapped = OwnInterval(interval.name, partial(_mapped, interval, scale), partial(_mapped_beyond, interval, back))
    return replace(result, difference=options.estimate(statistic, mapped))


def _mapped(interval: OwnInterval, scale: Callable[[float], float], request: Request) -> Limits:
    """Limits of the test, mapped to the metric's scale and clipped to its bounds."""
    limits = interval.limits(replace(request, bounds=UNBOUNDED))
    return limits._replace(low=scale(limits.low), high=scale(limits.high)).clip(request.bounds)


def _mapped_beyond(
    interval: OwnInterval, back: Callable[[float], float], shift: float, side: Side, request: Request
) -> tuple[float, str]:
    """P-value of the test against a shift on the metric's scale."""
    tail_probability = cast("Callable[[float, Side, Request], tuple[float, str]]", interval.tail_probability)
    return tail_probability(back(shift), side, replace(request, bounds=UNBOUNDED))


def _from_log_difference(level: float, difference: float) -> float:
    """Difference of two geometric means from the log difference; `level` is the root of their product."""
    with np.errstate(over="ignore"):
        return float(2 * level * np.sinh(difference / 2))


def _to_log_difference(level: float, difference: float) -> float:
    """Log difference from the difference of two geometric means: the inverse of `_from_log_difference`."""
    return 2 * math.asinh(difference / level / 2)


def _ratios(a: Ratio, b: Ratio, options: DifferenceOptions) -> Paired:
    """Compare two ratios of sums over the same units."""
    if not (np.array_equal(a.denominators, b.denominators) and (a.denominators >= 0).all()):
        difference = replace(_difference_of_ratios(a, b), unit=options.unit)
        return Pair(RATIOS, a, b, difference).compared(options)
    # Sums over the same sizes: the mean difference over clusters of units.
    numerators = a.numerators - b.numerators
    rounding = EQUAL * np.maximum(np.abs(a.numerators), np.abs(b.numerators))
    there = a.denominators > 0
    values = assumed_range(*((statistic.numerators[there] / statistic.denominators[there]) for statistic in (a, b)))
    sample = PairedDifferences.from_sums(
        np.where(np.abs(numerators) <= rounding, 0.0, numerators), a.denominators, options.unit, values
    )
    name = mean_test(options.test, clusters=True, limits=options.limits)
    return compare_sample(sample, sample.ratio, name, options)


def _cells(a: TableFunction, b: TableFunction, options: DifferenceOptions) -> Paired:
    """Compare two functions of cell counts of the same units."""
    joint = joint_cells(a, b)
    shares = joint.discordant_counts()
    unavailable = {} if shares is not None else dict.fromkeys(DISCORDANT, OF_SHARES)
    return Pair(TABLES, a, b, joint.statistic(options.unit), shares, unavailable, joint).compared(options)


def _influence(a: Influence, b: Influence, options: DifferenceOptions) -> Paired:
    """Compare two values with influence values of the same units."""
    if (a.masses is None) != (b.masses is None):
        weighted, unweighted = ("a", "b") if b.masses is None else ("b", "a")
        problem = f"{weighted} has weights or groups, and {unweighted} has none"
        raise DataError(problem, "a paired comparison needs the same for both")
    if a.influence is None or b.influence is None:
        reason = (
            "a number stands in for an undefined value"
            if math.isnan(sum(a.variances + b.variances))
            else "a statistic gives no influence values"
        )
        return options.undefined(reason, a.n, resolve_test(INFLUENCES, options.test or "t"))
    difference = _difference_of_influence(a, b, options.resample)
    return Pair(INFLUENCES, a, b, replace(difference, unit=options.unit)).compared(options)


def _plugins(a: Plugin, b: Plugin, options: DifferenceOptions) -> Paired:
    """Compare two functions of weighted units, such as quantiles, on the same units."""
    return Pair(PLUGINS, a, b, _difference_of_plugins(a, b, options.unit)).compared(options)


def independent_pair(a: Statistic, b: Statistic, options: DifferenceOptions) -> Paired:
    """Compare two systems with different, independent units."""
    missing = missing_of(a, b, options)
    if missing is not None:
        return missing
    statistic = Independent(a, b, options.bounds, options.unit)
    counts = pooled_counts(statistic)
    unavailable = {"score": "is for two proportions"} if counts is None else {}
    return Pair(INDEPENDENT, a, b, statistic, counts, unavailable).compared(options)


PAIRS: Mapping[type, Callable[..., Paired]] = {
    Mean: _means,
    Ratio: _ratios,
    TableFunction: _cells,
    Influence: _influence,
    Plugin: _plugins,
}


_SUMMABLE = 1e290
"""Values beyond, the infinite among them, have no sums of differences; their ranks do as well."""


def pair_ranks(a: ArrayLike, b: ArrayLike, *columns_beside: ArrayLike) -> NDArray[np.int64]:
    """Rank of each unit by both systems' values and the truth; the same for any order of units and systems."""
    first, second = (np.asarray(column, dtype=np.float64) for column in (a, b))
    if max(np.abs(values).max(initial=0.0) for values in (first, second)) > _SUMMABLE:
        codes = np.unique(np.concatenate([first, second]), return_inverse=True)[1]
        first, second = np.split(codes.astype(np.float64), [len(first)])
    columns = [first - second, np.minimum(first, second), np.maximum(first, second), *columns_beside]
    order = row_order(np.column_stack([np.asarray(column, dtype=np.float64) for column in columns]))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _difference_of_ratios(a: Ratio, b: Ratio) -> Influence:
    """``R_a - R_b`` with influence values ``n (x_i - R_a y_i) / sum(y)`` minus those of b.

    Source: Cochran (1977), Sampling Techniques, 3rd ed., section 6.14.
    """
    n = a.n
    terms = [n * (r.numerators - r.value * r.denominators) / kernels.exact_sum(r.denominators) for r in (a, b)]
    contributions = terms[0] - terms[1]
    return Influence.of_strata(
        a.value - b.value, (contributions,), resample=partial(_resample_ratios, a, b), unit=a.unit
    )


def _resample_ratios(a: Ratio, b: Ratio, replicates: int, seed: int, stratified: bool) -> Floats:
    """Bootstrap replicates of a difference of ratios."""
    _need_no_strata(stratified)
    pairs = [np.column_stack([statistic.numerators, statistic.denominators]) for statistic in (a, b)]
    rows = np.column_stack(pairs)[np.argsort(pair_ranks(*pairs))]
    sums = kernels.resample_sums(rows, replicates=replicates, seed=seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Floats = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    return np.where(np.isfinite(values), values, np.nan)


def _difference_of_influence(a: Influence, b: Influence, resample: Resample | None = None) -> Influence:
    """Difference of the values, with the differences of influence values in each stratum.

    Source: DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595, for two AUC.
    """
    values_a, values_b = (cast("Callable[[], tuple[Floats, ...]]", operand.influence)() for operand in (a, b))
    if tuple(map(len, values_a)) != tuple(map(len, values_b)):
        raise DataError(
            f"the strata of a have {', '.join(map(str, map(len, values_a)))} {a.unit} units but those of b "
            f"{', '.join(map(str, map(len, values_b)))}",
            "both must hold the same units in the same order",
        )
    terms = tuple(first - second for first, second in zip(values_a, values_b, strict=True))
    size = sum(float(np.abs(values).max(initial=0.0)) for values in (*values_a, *values_b))
    # What rounding leaves of equal influence values is not a spread.
    terms = tuple(np.where(np.abs(values) <= 1e-13 * size, 0.0, values) for values in terms)
    influence = Influence.of_strata(a.value - b.value, terms, resample=resample, unit=a.unit)
    if a.masses is None or b.masses is None:
        return influence
    # Which class makes more of the variance may differ between the two, and with it what a unit's mass is.
    first, second = (values / kernels.exact_sum(values) for values in (a.masses, b.masses))
    masses = a.masses if np.array_equal(a.masses, b.masses) else first + second
    return replace(influence, masses=masses, weighted=a.weighted)


def _difference_of_geometric_means(a: Mean, b: Mean) -> Plugin:
    """Difference between two geometric means as a function of weighted units."""
    rows = np.column_stack([a.scaled, b.scaled])[np.argsort(pair_ranks(a.scaled, b.scaled))]
    plugin = Plugin(rows, _value_of_logs, a.unit, resample=partial(_resample_logs, rows))
    return _with_value(plugin, a.value - b.value)


def _value_of_logs(rows: Floats, weights: Floats) -> float:
    """Difference of two weighted geometric means, from rows of logarithms."""
    first, second = np.exp(weights @ rows / weights.sum())
    return float(first - second)


def _resample_logs(rows: Floats, replicates: int, seed: int, stratified: bool) -> Floats:
    """Bootstrap replicates of a difference of geometric means."""
    _need_no_strata(stratified)
    means = np.exp(kernels.resample_sums(rows, replicates=replicates, seed=seed) / len(rows))
    return np.asarray(means[:, 0] - means[:, 1])


def _difference_of_plugins(a: Plugin, b: Plugin, unit: str) -> Plugin:
    """Difference as a function of unit weights; row i of both systems is the same unit."""
    columns = [column.rows.reshape(column.n, -1) for column in (a, b)]
    numbers = all(column.dtype.kind in "biuf" and column.size for column in columns)
    plugin = Plugin(pair_ranks(*columns) if numbers else np.arange(a.n), partial(_value_of_plugins, a, b), unit)
    return _with_value(plugin, a.value - b.value)


def _value_of_plugins(a: Plugin, b: Plugin, rows: NDArray[np.intp], weights: Floats) -> float:
    """Difference of both functions for the same unit weights."""
    del rows  # each unit stands for itself
    return float(a.function(a.rows, weights)) - float(b.function(b.rows, weights))


def _with_value(statistic: Plugin, value: float) -> Plugin:
    """Set the value of a statistic if it is known already: exactly 0 for equal systems."""
    statistic.__dict__["value"] = value
    return statistic


def _need_no_strata(stratified: bool) -> None:
    """Refuse stratified resampling of a difference."""
    if stratified:
        raise CertusError(
            "is True but the units of a difference have no strata to keep", "leave it out", argument="stratified"
        )


SAME_DRAWS = 1e-12
"""Replicates nearer to each other than this part of the largest are equal but for rounding."""
HARDLY_DEFINED = "the metric is undefined for half or more of the bootstrap replicates"
OutcomeAndInterval = tuple[Outcome, OwnInterval]
"""The outcome of a test, and the interval that belongs to it."""


NO_INTERVAL = no_interval("none", "no interval inverts this permutation test; the t test has one")
label("none", "no interval")


def _discordant(name: str, pair: Pair, options: DifferenceOptions) -> OutcomeAndInterval:
    """McNemar test by this name from the numbers of discordant units, with the interval that belongs to it."""
    ahead, behind, n = cast("tuple[int, int, int]", pair.counts)
    return discordant_test(name, ahead, behind, options.request.side), discordant_interval(name, ahead, behind, n)


difference_test("mcnemar", TABLES, interval="exact-paired", guarantee="exact", aliases=("exact", "mcnemar-exact"))(
    partial(_discordant, "mcnemar")
)


@difference_test(
    "bootstrap",
    PLUGINS,
    label="bootstrap test",
    interval="bootstrap",
    interval_label="bootstrap test inverted",
    null="the difference is 0",
    assumes="the sample looks like the population",
    note="the differences as far from the value as the same draws lie from it",
)
def _bootstrap(pair: Pair, options: DifferenceOptions) -> OutcomeAndInterval:
    """Bootstrap test: share of resamples at least as far from the observed difference as that is from 0."""
    statistic = cast("Plugin", pair.statistic)
    interval = OwnInterval("bootstrap", partial(_bootstrap_limits, statistic), partial(_bootstrap_beyond, statistic))
    replicates, observed = _defined_replicates(statistic, options.request), statistic.value
    if replicates is None:
        return (math.nan, math.nan, "", 0.0, HARDLY_DEFINED), interval
    # The share of resamples whose difference lies as far from that observed as this does from 0.
    slack = SAME_DRAWS * max(abs(observed), float(np.abs(replicates).max()))
    reached = int(extremes(replicates - observed, observed, slack, options.request.side).sum())
    p = (reached + 1) / (len(replicates) + 1)
    return (p, observed, plural(len(replicates), "resample"), math.sqrt(p * (1 - p) / len(replicates)), ""), interval


def _bootstrap_limits(statistic: Plugin, request: Request) -> Limits:
    """Differences that the bootstrap test does not reject, from the same resamples."""
    replicates = _defined_replicates(statistic, request)
    if replicates is None:
        return Limits.undefined(HARDLY_DEFINED)
    shifted = np.sort(replicates - statistic.value)
    index = math.floor((1 - request.level) * (1 + ROUNDING) * (len(replicates) + 1))
    if index < 1:
        return Limits(-math.inf, math.inf, f"{len(replicates)} resamples are too few for this level").clip(
            request.bounds
        )
    if request.side == "two-sided":
        off = float(np.sort(np.abs(shifted))[-index])
        return Limits.around(statistic.value, off).clip(request.bounds)
    return Limits(statistic.value - float(shifted[-index]), statistic.value - float(shifted[index - 1])).clip(
        request.bounds
    )


def _bootstrap_beyond(statistic: Plugin, shift: float, side: Side, request: Request) -> tuple[float, str]:
    """Half the share of resamples at least as far from the value as the shift is."""
    replicates = _defined_replicates(statistic, request)
    if replicates is None:
        return math.nan, HARDLY_DEFINED
    value = statistic.value
    distance = value - shift if side == "greater" else shift - value
    reached = int((np.abs(replicates - value) >= distance).sum())
    return ((reached + 1) / (len(replicates) + 1) / 2 if distance > 0 else 1.0), plural(len(replicates), "resample")


def _defined_replicates(statistic: Plugin, request: Request) -> Floats | None:
    """Replicates that are defined; None if at most half of them are."""
    replicates = plugin.replicates(statistic, request)
    replicates = replicates[~np.isnan(replicates)]
    return None if 2 * len(replicates) <= request.replicates else replicates


@difference_test(
    "score",
    INDEPENDENT,
    label="score test",
    interval="score",
    interval_label="score test inverted",
    null="the two shares are equal",
    assumes="independent samples",
    note="the differences that the score test does not reject",
    source="Mee (1984), Biometrics 40(4):1175-1176; Miettinen & Nurminen (1985), Stat. Med. 4(2):213-226, "
    "doi:10.1002/sim.4780040211, for the probabilities under a difference",
)
def _score(pair: Pair, options: DifferenceOptions) -> OutcomeAndInterval:
    """Score test and interval of the difference of two independent proportions."""
    counts = cast("tuple[int, int, int, int]", pair.counts)
    return score_test(*counts, options.request.side), score_interval(*counts)


@difference_test("t", INFLUENCES, interval="influence", aliases=("student", "delta", "delong", "normal"))
@difference_test("t", PLUGINS, interval="jackknife", aliases=("student", "delta", "normal"))
@difference_test("t", RATIOS, interval="influence", aliases=("student", "delta", "normal"))
@difference_test("t", TABLES, interval="delta", aliases=("student", "delta", "normal"))
@difference_test("t", INDEPENDENT, interval="t", aliases=("student", "welch", "delta", "normal"))
def _t(pair: Pair, options: DifferenceOptions) -> OutcomeAndInterval:
    """Student t test and interval of a difference; without a standard error p is 1 if equal, or undefined."""
    student, statistic = pair.student(options), pair.statistic
    interval_name = TESTS_BY_KIND[pair.kind]["t"].interval
    result: Outcome = (1.0, 0.0, "no differences", 0.0, "")
    if student.error > LEAST_ERROR * pair.size:
        interval = student.own_interval(interval_name, statistic.value)
        return (result if pair.is_equal else student.test(options.request.side)), interval
    reason = no_spread(statistic, student.error)
    interval = no_interval(interval_name, reason, tested=True)
    equal = pair.is_equal or (statistic.value == 0 and not (math.isnan(student.error) and statistic.n == 1))
    return (result if equal else (math.nan, math.nan, "", 0.0, reason)), interval


@difference_test(
    "permutation",
    RATIOS,
    interval="none",
    guarantee="exact for exchangeable systems",
    aliases=("sign-flip", "randomization"),
)
def _permutation_of_ratios(pair: Pair, options: DifferenceOptions) -> OutcomeAndInterval:
    """Permutation test for two ratios of sums: exchange the systems within units; no interval."""
    a, b = cast("tuple[Ratio, Ratio]", (pair.a, pair.b))
    return joint_table.swap_ratios(a, b, options.request.side, options.request), NO_INTERVAL


@difference_test(
    "permutation",
    TABLES,
    interval="none",
    guarantee="exact for exchangeable systems",
    aliases=("sign-flip", "randomization"),
)
def _permutation_of_predictions(pair: Pair, options: DifferenceOptions) -> OutcomeAndInterval:
    """Permutation test that exchanges the systems' predictions; for shares it is McNemar's exact test."""
    joint = cast("JointCells", pair.joint)
    if pair.counts is not None:
        # Exchanging predictions changes the sign of a difference of 1, 0 or -1: McNemar's exact test.
        result, interval = _discordant("mcnemar", pair, options)
        return (result[0], pair.statistic.value, *result[2:]), interval
    if not joint.is_exchangeable:
        raise CertusError(
            "the tables of a and b have different cells", f"give both the same classes with {keyword('labels')}"
        )
    return joint_table.swap_cells(joint, options.request.side, options.request), NO_INTERVAL


difference_test("mid-p", TABLES, interval="tango", aliases=("midp", "mcnemar-mid-p"))(partial(_discordant, "mid-p"))
difference_test("mcnemar-score", TABLES, interval="tango", aliases=("tango",))(partial(_discordant, "mcnemar-score"))
