"""Difference and ratio of two systems' values; the method follows from the form of their statistics."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, MetricNameError, keyword
from certus.inference.clusters import clusters_of, over_clusters
from certus.inference.declare import form_of
from certus.inference.estimate import Estimate, EstimateRows
from certus.inference.interval import (
    DEFAULT_REPLICATES,
    Interval,
    Limits,
    OwnInterval,
    Request,
    check_alternative,
    checked_level,
)
from certus.inference.tests.joint_table import COUNTS_ALONE, slopes_of
from certus.inference.tests.means import UNBOUNDED
from certus.inference.tests.pairs import PAIRS, independent_pair, missing_of
from certus.inference.tests.result import (
    Alternative,
    DifferenceOptions,
    LimitsFor,
    Outcome,
    Paired,
    no_interval,
    of_difference,
    p_as_text,
)
from certus.inference.tests.shares import pooled_counts, ratio_score_limits, score_test
from certus.statistic import Influence, Mean, Plugin, Proportion, Ratio, Statistic, TableFunction
from certus.statistic.cached import constant
from certus.statistic.common import Bounds, Resample, plural
from certus.statistic.folds import Independent


def difference(
    a: Statistic | Estimate,
    b: Statistic | Estimate,
    *,
    paired: bool = True,
    groups: ArrayLike | None = None,
    test: str | None = None,
    limits: LimitsFor | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    interval: str | None = None,
    bounds: Bounds = UNBOUNDED,
    unit: str | None = None,
    resample: Resample | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two systems by their values of a metric, with a test that suits the form of the statistics.

    Parameters
    ----------
    a, b
        The same metric of two systems, as estimates or statistics. Paired, unit i of both is the same unit: the same
        query, sample or group. Counts alone, such as those of `Proportion` or of a confusion matrix, do not pair up;
        estimates of metrics of labels know their samples.
    paired
        False: the systems were run on units that have nothing to do with each other, such as two test sets.
    groups
        The cluster of each unit of both; clusters, not units, are then independent. For means and ratios over units,
        and for estimates of metrics of labels; of other forms give the groups to the metrics.
    test
        The test; None takes the first that the form has.

        - Means: ``"permutation-hall"``, ``"permutation"``, ``"t"``, ``"hall"``, ``"bootstrap-t"``, ``"wilcoxon"``,
          ``"sign"``, as `paired` has them; of values that are all 0 or 1 before these ``"mcnemar"``. Of geometric means
          they are of the logarithms, and the permutation test is that of the geometric means too.
        - Ratios of sums of one denominator, such as means over groups: ``"permutation-hall"``, ``"permutation"``,
          ``"t"`` (the CR2 error), ``"hall"``. Of others ``"t"`` (linearised), ``"permutation"`` (units trade places).
        - Functions of cell counts: for differences of shares such as accuracy ``"mcnemar"`` (exact); ``"t"`` (the
          delta method on the joint table, with groups or weights the CR2 error), ``"permutation"`` (the predictions of
          a sample, or of a whole group, trade places; exact where the choices can be listed), and for shares
          ``"mid-p"`` and ``"mcnemar-score"``.
        - Values with influence functions (AUC, AP): ``"t"`` with Satterthwaite's degrees of freedom; of two AUC it is
          DeLong's comparison with Student's quantile.
        - Functions of weighted units: ``"bootstrap"``, ``"t"`` (jackknife).
        - Not paired: ``"t"`` (Welch, the squared errors added), for proportions before that ``"score"``.
    limits
        What the limits of means are for where `test` is None, see `paired`.
    alternative
        ``"two-sided"``; ``"greater"``: a has the higher value; ``"less"``: b has.
    level
        The level of the interval.
    interval
        Another interval method than that of the test, one of ``difference.methods``; it may disagree with the test.
        None takes that of the test, which excludes 0 if and only if p is at most 1 less the level; tests in which
        predictions trade places have none.
    bounds
        Least and greatest possible value of the metric; those of the estimates, unless given.
    unit
        What a unit is called; None: as in the statistics.
    resample
        Bootstrap replicates of the difference, where they are known, for values with influence functions.
    replicates, seed
        For the tests that draw at random.

    Returns
    -------
    Paired
        Equal systems have a difference of exactly 0 and p = 1, for every form and test. A value that is undefined or
        infinite gives a difference of NaN, with the reason.

    Raises
    ------
    CertusError
        The two are not of one metric or form, the form cannot be compared, or it does not say which units are shared.
    DataError
        The units do not pair up.
    MetricNameError
        The form has no such test or interval.

    Examples
    --------
    >>> from certus.statistic import Ratio
    >>> found = difference(Ratio([3, 4, 2], [5, 5, 5]), Ratio([2, 3, 2], [4, 5, 6]))
    >>> round(found.difference.value, 4), round(found.p, 4)
    (0.1333, 0.0579)
    >>> print(difference(Proportion(45, 50), Proportion(30, 40), paired=False))
    difference 0.1500 [-0.0051, 0.3167]  95% score test inverted, 90 samples
    p = 0.05778 (score test, normal)
    """
    check_alternative(alternative)
    a, b, bounds, own_unit = operands(a, b, bounds, paired=paired)
    if groups is not None:
        a, b = _grouped(a, b, groups, paired=paired)
        own_unit = a.unit
    request = Request(checked_level(level), of_difference(bounds), replicates, seed, side=alternative)
    options = DifferenceOptions(test, interval, bounds, unit or own_unit, request, limits, resample)
    if not paired:
        return independent_pair(a, b, options)
    for form, compare in PAIRS.items():
        if isinstance(a, form) and isinstance(b, form):
            if form is not TableFunction:
                _check_pairs(a.n, b.n, a.unit)
            return missing_of(a, b, options) or compare(a, b, options)
    if isinstance(a, Proportion) and isinstance(b, Proportion):
        raise CertusError(*COUNTS_ALONE)
    missing = missing_of(a, b, options)
    if missing is not None:
        return missing
    forms = " and ".join(dict.fromkeys(form_of(statistic).name for statistic in (a, b)))
    raise CertusError(f"there is no paired comparison of {forms}", "take the same metric, weights and groups for both")


def _grouped(a: Statistic, b: Statistic, groups: ArrayLike, *, paired: bool) -> tuple[Statistic, Statistic]:
    """Both statistics with clusters as their units; refused for independent units (``paired=False``)."""
    if not paired:
        raise CertusError(
            "are of the units that a and b share", "with paired=False give them to the metrics", argument="groups"
        )
    _check_pairs(a.n, b.n, a.unit)
    clusters = clusters_of(a.n, groups, None)
    grouped = []
    for statistic in (a, b):
        sums = statistic if clusters is None else over_clusters(statistic, clusters)
        if sums is None:
            raise CertusError(f"{form_of(statistic).name} has no value for each unit", "give groups to the metrics")
        grouped.append(sums)
    return grouped[0], grouped[1]


def _check_pairs(a: int, b: int, unit: str) -> None:
    """Refuse units that do not pair up."""
    if a != b:
        raise DataError(
            f"has {plural(a, unit)} but b has {b}",
            "they must pair up one to one, or give paired=False for two independent samples",
            argument="a",
        )


def operands(
    a: Statistic | Estimate, b: Statistic | Estimate, bounds: Bounds, *, paired: bool
) -> tuple[Statistic, Statistic, Bounds, str]:
    """Both statistics, the bounds of their metric, and the unit."""
    # Paired estimates of one metric that keep counts give statistics that say which samples they are made of.
    estimates = [estimate for estimate in (a, b) if isinstance(estimate, Estimate)]
    names = list(dict.fromkeys(estimate.metric for estimate in estimates if estimate.metric))
    if len(names) > 1:
        raise CertusError(
            f"is {names[0]} but b is {names[1]}",
            "give the same metric of both, or a.statistic and b.statistic where two metrics are meant",
            argument="a",
        )
    first, second = (estimate.statistic if isinstance(estimate, Estimate) else estimate for estimate in (a, b))
    unit = first.unit
    samples = [estimate.predictions for estimate in estimates if estimate.predictions is not None]
    if paired and len(samples) == 2:
        first, second, unit = samples[0].joint_statistics(samples[1])
    if paired and estimates and first.unit != second.unit:
        raise DataError(
            f"the units of a are of the kind {first.unit!r} but those of b {second.unit!r}",
            "paired values must be of the same units, or give paired=False for two independent samples",
        )
    if paired and len(estimates) == 2:
        _check_same_units(estimates[0].units, estimates[1].units, unit)
    if bounds == UNBOUNDED and estimates:
        bounds = min(estimate.bounds[0] for estimate in estimates), max(estimate.bounds[1] for estimate in estimates)
    return first, second, bounds, unit


def _check_same_units(a: Any, b: Any, unit: str) -> None:
    """Refuse estimates that are over different queries, or over samples with another truth."""
    if a is None or b is None or a is b:
        return
    if isinstance(a, tuple) and isinstance(b, tuple):  # ids of queries
        if only_one := sorted({*a} ^ {*b}):
            examples = ", ".join(only_one[:3]) + (", ..." if len(only_one) > 3 else "")
            problem = f"a and b are not over the same {unit} ids: {len(only_one)} are in one only ({examples})"
            raise DataError(problem, f"evaluate both on the same ones, with {keyword('queries', 'judged')}")
    elif len(a) == len(b):
        first, second = (x if isinstance(x, np.ndarray) else np.asarray(x, dtype=object) for x in (a, b))
        if first.shape != second.shape or (first != second).any():
            raise DataError(
                f"a and b are not over the same {unit}s: their true values differ",
                "pair predictions of the same samples in the same order, or give paired=False",
            )


def logarithm(statistic: Statistic) -> Statistic:
    """Statistic of ``log(value)``; its error is that of the value divided by the value.

    >>> log = logarithm(Mean([1.0, 2.0, 3.0]))
    >>> round(log.value, 4), [round(float(x), 4) for x in log.influence()[0]]
    (0.6931, [-0.5, 0.0, 0.5])
    """
    value = statistic.value
    if isinstance(statistic, Mean):
        centred = statistic.scaled - statistic.scaled.mean()
        # The scaled values of a geometric mean are logarithms already.
        return _log_from_terms(statistic, centred if statistic.scale == "log" else centred / statistic.scaled.mean())
    if isinstance(statistic, Ratio):
        residuals = statistic.numerators - value * statistic.denominators
        terms = statistic.n * residuals / (value * statistic.denominators.sum())
        return _log_from_terms(statistic, terms, masses=np.abs(statistic.denominators), weighted=statistic.weighted)
    if isinstance(statistic, Influence):
        influence = statistic.influence
        return Influence(
            math.log(value),
            statistic.sizes,
            tuple(variance / value**2 for variance in statistic.variances),
            influence=None if influence is None else partial(_divide, influence, value),
            unit=statistic.unit,
            masses=statistic.masses,
            weighted=statistic.weighted,
        )
    if isinstance(statistic, TableFunction):
        function, slopes = partial(_log_of, statistic.function), partial(_slopes_of_log, statistic)
        changed = replace(statistic, function=function, gradient=slopes)
        changed.__dict__["value"] = math.log(value)
        return changed
    if isinstance(statistic, Plugin):
        return Plugin(statistic.rows, partial(_log_of, statistic.function), statistic.unit)
    if isinstance(statistic, Proportion):
        share = statistic.successes / statistic.trials
        slope = (2 / (1 + share) ** 2 if statistic.scale == "dice" else 1.0) / value
        return Influence(math.log(value), (statistic.n,), (slope**2 * share * (1 - share),), unit=statistic.unit)
    raise CertusError(f"there is no ratio of {form_of(statistic).name}")


def _log_from_terms(
    statistic: Mean | Ratio, terms: Floats, *, masses: Floats | None = None, weighted: bool = False
) -> Influence:
    """Logarithm of a statistic, from what each unit adds to it to first order."""
    return Influence.of_units(
        math.log(statistic.value), statistic.n, constant(terms), unit=statistic.unit, masses=masses, weighted=weighted
    )


def _divide(values: Callable[[], tuple[Floats, ...]], by: float) -> tuple[Floats, ...]:
    """Influence values divided by a number."""
    return tuple(values_of_stratum / by for values_of_stratum in values())


def _slopes_of_log(statistic: TableFunction, table: Floats) -> Floats:
    """Derivatives of a function's logarithm by the cell counts."""
    return slopes_of(statistic, table) / float(statistic.function(table))


def _log_of(function: Callable[..., Any], *arguments: Any) -> Any:
    """Logarithm of a function; NaN where undefined."""
    values = np.asarray(function(*arguments), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log(values), np.nan)


POSITIVE = (0.0, math.inf)
NOTHING: Outcome = (math.nan, math.nan, "", 0.0, "")


@dataclass(frozen=True)
class RatioTest(EstimateRows):
    """The ratio of two values, and a test that it is 1.

    Attributes
    ----------
    ratio
        The value of a over that of b, with its interval. It leaves out 1 if and only if p is at most 1 less the level.
    p
        The p-value of a ratio of 1; NaN where `reason` says so.
    statistic
        What the test is based on.
    method, alternative
        The test and its side.
    method_note
        How the p-value was computed.
    reason
        Why there is no p-value; empty where there is one.
    error
        Bound of the error of p; 0 where it is exact up to rounding.
    """

    ratio: Estimate
    p: float
    statistic: float
    method: str
    alternative: Alternative
    method_note: str
    reason: str = ""
    error: float = 0.0

    def interval(self, level: float | None = None, method: str | None = None) -> Interval:
        """Interval of the ratio, see `Estimate.interval`; by default the interval of the test."""
        return self.ratio.interval(level, method)

    def _estimates(self) -> dict[Any, Estimate]:
        """Return the estimate of the ratio under the name ``ratio``."""
        return {"ratio": self.ratio}

    def _facts(self) -> dict[str, Any]:
        """Columns with the p-value, test, alternative, computation, error of p, and reason for a missing p."""
        names = ("alternative", "method_note", "error")
        facts = {name: getattr(self, name) for name in names}
        return {"p": self.p, "test": self.method, **facts, "reason": self.reason or None}

    def __str__(self) -> str:
        return f"ratio {self.ratio}\n{p_as_text(self)}"


def ratio(
    a: Statistic | Estimate,
    b: Statistic | Estimate,
    *,
    paired: bool = True,
    test: str | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> RatioTest:
    """Compare two systems by the ratio of their values, for example an error rate 0.8 times another.

    On the logarithmic scale the ratio is a difference: it has the first-order terms of both values, unit by unit, with
    the error and the degrees of freedom that `certus.inference.difference` has for their form, groups and weights.

    Parameters
    ----------
    a, b
        The same metric of two systems, as estimates or statistics. Paired, unit i of both is the same unit.
    paired
        False: the systems were run on units that have nothing to do with each other, such as two test sets.
    test
        ``"t"``: Student's test of the difference of logarithms (the delta method). Of two independent proportions
        before that ``"score"``: the score test of equal proportions, and the ratios that it does not reject (Koopman's
        interval). None takes the first.
    alternative
        ``"two-sided"``; ``"greater"``: a has the higher value; ``"less"``: b has.
    level
        The level of the interval.

    Returns
    -------
    RatioTest
        Equal systems have a ratio of exactly 1 and p = 1. Where a value is 0 or negative, ``"t"`` gives no interval and
        no p-value, with the reason; where that of b is, no ratio.

    Raises
    ------
    CertusError
        The two are of different metrics or forms, or the form does not say which units are shared.
    DataError
        The units do not pair up.
    MetricNameError
        The form has no such test.

    Examples
    --------
    >>> from certus.statistic import Mean, Proportion
    >>> print(ratio(Mean([0.4, 0.5, 0.9, 0.6]), Mean([0.5, 0.8, 1.0, 0.7])))
    ratio 0.8000 [0.6104, 1.0484]  95% influence function, logarithm, 4 queries
    p = 0.07861 (t test, 3 degrees of freedom)
    >>> print(ratio(Proportion(45, 50), Proportion(30, 40), paired=False))
    ratio 1.2000 [0.9938, 1.5230]  95% score test inverted, 90 samples
    p = 0.05778 (score test, normal)
    """
    check_alternative(alternative)
    level = checked_level(level)
    first, second, _, unit = operands(a, b, UNBOUNDED, paired=paired)
    if paired and (isinstance(first, Proportion) or isinstance(second, Proportion)):
        raise CertusError(*COUNTS_ALONE)
    counts = None if paired else pooled_counts(Independent(first, second))
    name = _test(test, scored=counts is not None)
    n = first.n if paired else first.n + second.n
    value, undefined = _value(first, second)

    def result(interval: OwnInterval, error: float, tested: Outcome) -> RatioTest:
        statistic = Influence(value, (n,), (n * error**2,), undefined_reason=undefined, unit=unit)
        estimate = Estimate(statistic, "ratio", POSITIVE, level=level, own_interval=interval, side=alternative)
        p, test_statistic, method_note, off, no_test = tested
        return RatioTest(estimate, p, test_statistic, name, alternative, method_note, undefined or no_test, off)

    if not undefined and name == "score" and counts is not None:
        interval = OwnInterval("score", partial(ratio_score_limits, *counts))
        return result(interval, math.nan, score_test(*counts, alternative))
    reason = undefined or ("" if first.value > 0 else _not_positive("a", first))
    if reason:
        return result(no_interval("influence-log", reason), math.nan, (*NOTHING[:4], reason))
    log = difference(logarithm(first), logarithm(second), paired=paired, test="t", alternative=alternative)
    interval = OwnInterval("influence-log", partial(_exponential, log.difference))
    error = value * log.difference.standard_error
    return result(interval, error, (log.p, log.statistic, log.method_note, log.error, log.reason))


def _test(spelling: str | None, *, scored: bool) -> str:
    """Name of the test of a ratio for a user's spelling; score tests only for proportions."""
    offered = ("score", "t") if scored else ("t",)
    name = offered[0] if spelling is None else spelling.lower()
    if name not in offered:
        raise MetricNameError(
            f"the test {spelling!r} is not for a ratio of these values", f"there are {', '.join(offered)}"
        )
    return name


def _value(a: Statistic, b: Statistic) -> tuple[float, str]:
    """The ratio, or the reason why it is undefined."""
    for name, statistic in (("a", a), ("b", b)):
        if statistic.reason or not math.isfinite(statistic.value):
            return math.nan, f"{name}: {statistic.reason or 'the value is infinite'}"
    if b.value <= 0:
        return math.nan, _not_positive("b", b)
    with np.errstate(over="ignore"):
        quotient = float(np.float64(a.value) / b.value)
    return (quotient, "") if math.isfinite(quotient) else (math.nan, "the ratio is beyond the range of numbers")


def _not_positive(name: str, statistic: Statistic) -> str:
    """Reason why a ratio is undefined: one value is not above 0."""
    return f"{name} is {statistic.value:g}; a ratio is of positive values"


def _exponential(difference: Estimate, request: Request) -> Limits:
    """Limits for the ratio, from limits for the difference between the logarithms."""
    if difference.own_interval is None:
        return Limits.undefined(difference.reason)
    unbounded = Request(request.level, seed=request.seed, side=request.side)
    limits = difference.own_interval.limits(unbounded)
    with np.errstate(over="ignore"):
        return limits._replace(low=float(np.exp(limits.low)), high=float(np.exp(limits.high))).clip(request.bounds)
