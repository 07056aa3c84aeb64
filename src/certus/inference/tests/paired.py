"""Paired tests: two systems on the same units."""

import math
import sys
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.inference.clusters import clusters_of
from certus.inference.declare import FORMS, class_of_form
from certus.inference.interval import DEFAULT_REPLICATES, Request, check_alternative, checked_level
from certus.inference.tests.declare import MEANS, TESTS_BY_KIND, resolve_test
from certus.inference.tests.guaranteed import assumed_range
from certus.inference.tests.means import DEFAULT_TEST, EQUAL, PairedDifferences, own_interval, run_test
from certus.inference.tests.result import Alternative, DifferenceOptions, LimitsFor, Paired, of_difference
from certus.inference.tests.shares import DISCORDANT
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds, finite_column
from certus.statistic.moments import deviation


def paired(
    a: ArrayLike,
    b: ArrayLike,
    test: str | None = None,
    alternative: Alternative = "two-sided",
    *,
    limits: LimitsFor | None = None,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    level: float = 0.95,
    interval: str | None = None,
    bounds: Bounds = (-math.inf, math.inf),
    unit: str = "query",
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two systems by one value each on the same units.

    The interval is that of the test: it holds the differences that the test does not reject, so that it excludes 0 if
    and only if p is at most 1 less the level. A one-sided test has one limit.

    Parameters
    ----------
    a, b
        The values of both systems, unit by unit.
    test
        None takes ``"mcnemar"`` where all values are 0 or 1, otherwise ``"permutation-hall"``; see `limits`.

        - ``"permutation-hall"``: the permutation test and the skewness-corrected t test; p is the larger of both, the
          interval the union of theirs. Where the means are equal and the differences skewed, sign flips alone find too
          many differences; losses so rare that none is seen no such test allows for, and the interval says so.
        - ``"permutation"``: the sign-flip test. If the systems are exchangeable on every unit, each difference is as
          likely to have the other sign, and p is exact or nearly so, see `tests.signflip.sign_flip`. Equal means alone
          do not make it exact. The limits are means of subsets of the differences; with 5 units or fewer there
          are none at .95.
        - ``"hall"``: Student's paired t corrected for skewness, see `intervals.skewness`; the side of the short tail
          stays Student's own. With groups or weights from their sums, with the CR2 error.
        - ``"t"``: Student's paired t. Differences are normal, or there are many. With groups or weights the CR2
          standard error with its degrees of freedom, see `certus.inference.clusters.cluster_mean`.
        - ``"bootstrap-t"``: the differences are resampled, shifted to mean 0; p is twice the share of resamples with a
          t as far out on that side. The limits are the quantiles of the same draws.
        - ``"wilcoxon"``: the signed-rank test, exact with ties too. Its null is that the differences are symmetric
          around 0, not that their mean is 0: skewed differences with mean 0 are found different. Its limits are those
          of the pseudomedian.
        - ``"sign"``: the exact sign test. Its null is that a is as often above b as below; its limits are those of the
          median difference.
        - ``"mcnemar"``: of values that are 0 or 1, McNemar's exact test, and exact limits.
        - ``"mcnemar-score"``: of such values McNemar's test by the normal law, and Tango's limits.
        - ``"betting"``: bets against a mean of values between `bounds`, valid for every number of units and every
          distribution; some 1.5 times as wide as t. Without bounds it guesses them from at least 20 units.
    alternative
        ``"two-sided"``; ``"greater"``: a is better; ``"less"``: b is.
    limits
        What the limits are for, where `test` is None and not all values are 0 or 1: ``"guaranteed"`` takes
        ``"betting"``, as a comparison with a margin does, ``"symmetric"`` takes ``"permutation"``.
    groups
        The cluster of each unit; clusters, not units, are then independent, and change sign as a whole. For
        ``"permutation-hall"``, ``"permutation"``, ``"hall"``, ``"t"`` and ``"betting"``.
    weights
        How much each unit counts, at least 0. For the same tests.
    level
        The level of the interval.
    interval
        Another interval method by name, such as ``"percentile"``, ``"bca"`` or ``"normal"``. It may disagree with the
        test.
    bounds
        Least and greatest possible value of a system; no interval of a difference goes beyond their distance.
    unit
        What one value belongs to, in the singular.
    replicates, seed
        For ``"bootstrap-t"``.

    Returns
    -------
    Paired
        Systems that are equal on all units have a difference of exactly 0 and p = 1, for every test. Swapped systems
        have the mirrored limits, bit for bit, and no number depends on the order of the units.

    Raises
    ------
    DataError
        The columns differ in length, are empty, or hold NaN or infinity; a unit has no group.
    MetricNameError
        There is no such test or alternative, or it does not go with groups or weights.

    Notes
    -----
    Values that differ by no more than a part of 1e-12 are taken as equal, and so are differences of nearly one size: in
    floats ``1 - 2/3`` is not ``1/3``, which would be no tie.

    Examples
    --------
    >>> a = [0.41, 0.52, 0.33, 0.60, 0.48, 0.71]
    >>> b = [0.35, 0.50, 0.35, 0.51, 0.40, 0.66]
    >>> print(paired(a, b, "permutation"))
    difference 0.0467 [-0.0200, 0.0900]  95% permutation test inverted, 6 queries
    p = 0.09375 (permutation test, lattice)
    a above b on 5, equal on 0, below on 1; effect size 1.143
    """
    check_alternative(alternative)
    request = Request(checked_level(level), of_difference(bounds), replicates, seed, side=alternative)
    return compare_values(a, b, DifferenceOptions(test, interval, bounds, unit, request, limits), groups, weights)


def compare_values(
    a: ArrayLike,
    b: ArrayLike,
    options: DifferenceOptions,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Paired:
    """Compare two systems by one value each on the same units."""
    differences = _differences(a, b)
    clusters = clusters_of(len(differences), groups, weights)
    binary = all(bool(np.isin(np.asarray(column), (0.0, 1.0)).all()) for column in (a, b))
    name = mean_test(options.test, clusters=clusters is not None, binary=binary, limits=options.limits)
    values = assumed_range(finite_column(a, "a"), finite_column(b, "b"))
    if clusters is None:
        sample = PairedDifferences.from_sums(differences, np.ones(len(differences)), options.unit, values)
        statistic: Mean | Ratio = Mean(differences, unit=options.unit)
        # the same bits for any order of the units
        statistic.__dict__["value"] = sample.mean
    else:
        unit = "group" if clusters.grouped else options.unit
        sample = PairedDifferences.from_sums(clusters.sums(differences), clusters.sizes, unit, values)
        statistic = sample.ratio
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    equal = np.ptp(differences) <= EQUAL * np.abs(differences).max(initial=0.0)
    effect = math.nan if equal or clusters is not None else sample.mean / deviation(differences)
    # Every method of the form may be named, also those that say only when asked that they are not for these values.
    method = None if options.interval is None else FORMS[class_of_form(statistic)].method(options.interval)
    counts = wins, len(differences) - wins - losses, losses
    result = compare_sample(sample, statistic, name, replace(options, interval=None), counts, effect)
    return replace(result, difference=replace(result.difference, method=method))


def compare_sample(
    sample: PairedDifferences,
    statistic: Mean | Ratio,
    name: str,
    options: DifferenceOptions,
    wins_ties_losses: tuple[int, int, int] | tuple[None, None, None] = (None, None, None),
    effect: float = math.nan,
) -> Paired:
    """Result of a test that the mean difference is 0, with its interval."""
    result = run_test(sample, name, options.request.side, options.request)
    estimate = options.estimate(statistic, own_interval(sample, name))
    return options.result(estimate, name, result, wins_ties_losses, effect, sample.values)


def _differences(a: ArrayLike, b: ArrayLike) -> Floats:
    """Paired differences a - b, checked."""
    first, second = finite_column(a, "a"), finite_column(b, "b")
    if len(first) != len(second):
        raise DataError(
            f"has {len(first)} values but b has {len(second)}", "they must pair up one to one", argument="a"
        )
    if not len(first):
        raise DataError("a and b are empty", "a comparison needs at least one unit")
    with np.errstate(over="ignore"):
        differences = first - second
        size = np.abs(differences).sum()
    if not np.isfinite(size):
        raise DataError(
            "the differences of a and b, or their sum, are beyond what a float holds", "scale the values down"
        )
    if 0 < np.abs(differences).max() < sys.float_info.min:
        raise DataError("the differences of a and b are below what a float holds in full", "scale the values up")
    rounding = EQUAL * np.maximum(np.abs(first), np.abs(second))
    differences[np.abs(differences) <= rounding] = 0.0
    return _equalize_sizes(differences, rounding)


def _equalize_sizes(differences: Floats, rounding: Floats) -> Floats:
    """Round away what differs by rounding only: 1 - 2/3 becomes as large as 1/3."""
    sizes = np.abs(differences)
    order = np.argsort(sizes, kind="stable")
    ascending, slack = sizes[order], rounding[order]
    gaps = np.diff(ascending)
    is_gap = gaps > np.minimum(slack[1:], slack[:-1])
    if not (gaps[~is_gap] > 0).any():
        return differences
    starts = np.flatnonzero(np.append(True, is_gap))
    sizes[order] = np.repeat(ascending[starts], np.diff(np.append(starts, len(sizes))))
    return np.copysign(sizes, differences)


def mean_test(
    spelling: str | None, *, clusters: bool = False, binary: bool = True, limits: LimitsFor | None = None
) -> str:
    """Name of the test of a mean difference for a user's spelling, or the default for these data."""
    tests = TESTS_BY_KIND[MEANS]
    if spelling is None:
        if binary and not clusters:
            return "mcnemar"
        return "betting" if limits == "guaranteed" else "permutation" if limits == "symmetric" else DEFAULT_TEST
    reason = "is for values that are all 0 or 1, without groups and weights"
    unavailable = {} if binary else dict.fromkeys(DISCORDANT, reason)
    if clusters:
        unclustered = "takes units as independent and alike; it has no groups and weights"
        unavailable = {name: unclustered for name, test in tests.items() if not test.clusters}
    return resolve_test(MEANS, spelling, unavailable)
