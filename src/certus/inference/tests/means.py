"""Tests of paired differences of units or clusters, each with the interval that inverts it."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from certus.core.arrays import Floats
from certus.inference.clusters import cluster_mean
from certus.inference.interval import Limits, OwnInterval, Request, Side, joined
from certus.inference.intervals import ratio_of_sums, skewness
from certus.inference.intervals.bounded import constant_beyond, constant_limits
from certus.inference.intervals.resample import check_replicates, studentized
from certus.inference.intervals.student import Student, distribution_text
from certus.inference.search import ROUNDING, first_passing, first_true, passes
from certus.inference.special import binomial_at_least, normal_quantile, t_quantile
from certus.inference.tests.declare import MEANS, TESTS_BY_KIND, difference_test
from certus.inference.tests.result import Alternative, Outcome
from certus.inference.tests.shares import DISCORDANT, discordant_interval, discordant_test
from certus.inference.tests.signflip import TOLERANCE, SignFlip, sign_flip
from certus.statistic import Ratio
from certus.statistic.common import Bounds, plural
from certus.statistic.moments import power_of_two

DEFAULT_TEST = "permutation-hall"
"""The test of values that are not all 0 or 1."""

NEED_SPREAD = ("t", "hall", "bootstrap-t")
"""Tests that divide by a standard error."""

UNBOUNDED = (-math.inf, math.inf)

MIN_SIGNS = 3
"""Differences other than 0 up to which those of the other sign may be as large as any."""

EQUAL = 1e-12
"""Values that differ by no more than this part of the larger are equal: they were rounded on their way."""

MAX_LISTED = 18
"""Clusters up to which the means of all their subsets are listed."""
MAX_WALSH = 1_000
"""Differences of which all means of two are listed; of more those of as many quantiles, then those near the limit."""
BELOW_HALF = 0.49
"""A level up to which it does not matter by how much a p-value is above one half."""

_Steps = Callable[[Floats, float, float], Floats]
"""The values between a low and a high one at which a p-value rises, in ascending order, of ascending differences."""


@dataclass(frozen=True, eq=False)
class PairedDifferences:
    """Differences: for each cluster their sum (of weight times difference) and its size or weight.

    `values` is the range taken for the values of both systems where their bounds are not known.
    """

    sums: Floats
    sizes: Floats
    unit: str
    values: Bounds | None = None
    _flips: dict[tuple[float, float], SignFlip] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_sums(cls, sums: Floats, sizes: Floats, unit: str, values: Bounds | None = None) -> "PairedDifferences":
        """Sort the clusters so that neither the order of units nor that of the systems matters."""
        there = sizes > 0
        sums, sizes = sums[there], sizes[there]
        side = math.fsum(sums)
        if side == 0:  # the differences themselves tell the systems apart, the largest first
            ascending = np.sort(sums)
            uneven = ascending + ascending[::-1]
            side = float(uneven[np.flatnonzero(uneven)[:1]].sum())
        side = -1.0 if side < 0 else 1.0
        order = np.lexsort((side * sums, sizes, np.abs(sums)))
        return cls(sums[order], sizes[order], unit, values)

    @property
    def n(self) -> int:
        """Number of clusters."""
        return len(self.sums)

    @cached_property
    def student(self) -> Student:
        """Mean difference with its standard error and degrees of freedom."""
        return Student(*cluster_mean(self.sums, self.sizes))

    @cached_property
    def ratio(self) -> Ratio:
        """Mean difference as a ratio of sums."""
        statistic = Ratio(self.sums, self.sizes, unit=self.unit)
        statistic.__dict__["value"] = self.mean
        return statistic

    @cached_property
    def skew(self) -> skewness.Skew:
        """Skewness of the mean difference."""
        return ratio_of_sums.skew(self.ratio)

    @property
    def mean(self) -> float:
        """Mean difference."""
        return self.student.centre

    @property
    def signs(self) -> tuple[int, int]:
        """Number of positive and of negative differences."""
        return int((self.sums > 0).sum()), int((self.sums < 0).sum())

    @cached_property
    def is_constant(self) -> bool:
        """True if all clusters have the same mean up to rounding."""
        ratios = self.sums / self.sizes
        return bool(np.ptp(ratios) <= EQUAL * np.abs(ratios).max(initial=0.0))

    def flipped(self, side: float, shift: float = 0.0) -> SignFlip:
        """Sign-flip test of the sums minus the shift; side -1 tests the other direction. Cached for test and limits."""
        if (side, shift) not in self._flips:
            self._flips[side, shift] = sign_flip(side * subtract_shift(self.sums, self.sizes, shift))
        return self._flips[side, shift]

    @property
    def unseen_caution(self) -> str:
        """Remark if few differences have one of the signs: rare large losses may be missing; otherwise empty."""
        wins, losses = self.signs
        if min(wins, losses) and wins + losses > MIN_SIGNS:
            return ""
        signs = "have one sign" if not min(wins, losses) else f"are 0 but for {wins + losses}"
        return (
            f"the {self.n} differences {signs}: a loss on fewer than 3 of {plural(self.n, self.unit)} may not be "
            "seen at all, and no test of the differences alone allows for it"
        )

    @property
    def least_p_reason(self) -> str:
        """Reason why there are no limits at this level: the least possible p is larger."""
        return f"no p-value of {plural(self.n, self.unit)} is below {2.0**-self.n:.3g} on either side"

    @property
    def no_spread_reason(self) -> str:
        """Reason why there is no standard error; empty if there is one."""
        if self.n == 1:
            return f"1 {self.unit} alone has no variance"
        return f"all {self.n} differences are equal, so they have no variance" if self.is_constant else ""


def own_interval(sample: PairedDifferences, test: str) -> OwnInterval:
    """Interval that inverts a test."""
    if test in DISCORDANT:
        return discordant_interval(test, *sample.signs, sample.n)
    return OwnInterval(
        TESTS_BY_KIND[MEANS][test].interval,
        partial(_limits, sample, test),
        partial(_p_beyond, sample, test),
    )


def run_test(
    sample: PairedDifferences, name: str, alternative: Alternative, request: Request, shift: float = 0.0
) -> Outcome:
    """Run a test; systems with the same value on every unit have p = 1."""
    if shift == 0 and not sample.sums.any():
        return 1.0, 0.0, "no differences", 0.0, ""
    if name in NEED_SPREAD and sample.no_spread_reason:
        return math.nan, math.nan, "", 0.0, sample.no_spread_reason
    result: Outcome = TESTS_BY_KIND[MEANS][name].function(sample, alternative, request, shift)
    return result


def _constant(sample: PairedDifferences, test: str) -> bool:
    """True if the test gets limits for constant differences instead of its own."""
    if TESTS_BY_KIND[MEANS][test].any_number:
        return False
    return not sample.sums.any() or (test in ("t", "hall") and sample.n > 1 and sample.is_constant)


def _p_beyond(sample: PairedDifferences, test: str, shift: float, side: Side, request: Request) -> tuple[float, str]:
    """One-sided p-value of the hypothesis that the mean difference is `shift` or beyond, and how it was computed."""
    if _constant(sample, test):
        return constant_beyond(sample.mean, sample.n, shift, side, request.bounds)
    if test == "bootstrap-t" and sample.n > 1 and sample.is_constant:  # no limits
        return constant_beyond(sample.mean, sample.n, shift, side, UNBOUNDED)
    p, _, method_note, _, reason = run_test(sample, test, side, request, shift)
    return p, reason or method_note


def _limits(sample: PairedDifferences, test: str, request: Request) -> Limits:
    """Limits that invert a test, clipped to the bounds."""
    if _constant(sample, test):
        return constant_limits(sample.mean, sample.n, request).clip(request.bounds)
    if test in NEED_SPREAD and sample.no_spread_reason:
        return Limits.undefined(sample.no_spread_reason)
    limits_of = TESTS_BY_KIND[MEANS][test].limits
    if limits_of is None:
        return Limits.undefined("no interval inverts this test")
    limits: Limits = limits_of(sample, request)
    return limits.clip(request.bounds)


def p_of_flips(values: Floats, alternative: Alternative, flip: Callable[[float], SignFlip]) -> tuple[float, str, float]:
    """P-value from sign flips for an alternative, how it was computed, and its error."""
    sign = -1.0 if alternative == "less" or (alternative == "two-sided" and math.fsum(values) < 0) else 1.0
    p, method_note, error = flip(sign)
    twice = 2 if alternative == "two-sided" else 1
    return min(twice * p, 1.0), method_note, twice * error


def subtract_shift(sums: Floats, sizes: Floats, shift: float) -> Floats:
    """Sums of clusters minus the shift times their sizes; rounding errors are set to 0."""
    shifted = sums - shift * sizes
    return np.where(np.abs(shifted) <= TOLERANCE * np.abs(sums).max(initial=0.0), 0.0, shifted)


def _lower(sample: PairedDifferences, side: float, tail: float, reach: float) -> float:
    """Lower limit by the sign-flip test of `side` times the sums; never above `reach`."""
    sums, sizes, n = side * sample.sums, sample.sizes, sample.n
    mean, error = side * sample.mean, sample.student.error
    if tail * (1 + ROUNDING) < 2.0**-n:
        return -math.inf
    ratios = sums / sizes

    def p(shift: float) -> float:
        if shift:
            return sign_flip(subtract_shift(sums, sizes, shift), quick=True).p
        # At 0 the test itself decides, as exact as it can be. At least half of all signs reach a sum below 0.
        return 1.0 if mean < 0 and tail < BELOW_HALF else sample.flipped(side).p

    inside, start = float(ratios.max()), mean + normal_quantile(tail) * error
    if math.isfinite(reach):
        # Where p at 0 says on which side of the reach the limit lies, nothing else is asked.
        passed = passes(p(0.0), tail)
        if passed == (reach <= 0):
            height = p(reach)
            passed = passes(height, tail)
            inside = reach if passed else inside
            start = reach - (normal_quantile(height) - normal_quantile(tail)) * error
        if not passed:
            return reach
    if n <= MAX_LISTED:
        means = _means(sums, sizes)
        index = math.floor(tail * (1 + ROUNDING) * 2.0**n) - 1
        return min(float(np.partition(means, index)[index]), reach)
    return first_passing(p, tail, float(ratios.min()) - error, inside, start, error)


def _means(sums: Floats, sizes: Floats) -> Floats:
    """Mean of every nonempty subset of the clusters."""
    numerators, denominators = np.zeros(1), np.zeros(1)
    for cluster_sum, size in zip(sums.tolist(), sizes.tolist(), strict=True):
        numerators = np.concatenate([numerators, numerators + cluster_sum])
        denominators = np.concatenate([denominators, denominators + size])
    # As the test has it: what rounding leaves of a sum is 0.
    numerators[np.abs(numerators) <= TOLERANCE / 2 * float(np.abs(sums).sum())] = 0.0
    return np.asarray(numerators[1:] / denominators[1:])


def _permutation_limits(
    sample: PairedDifferences, request: Request, reach: tuple[float, float] = (math.inf, -math.inf)
) -> Limits:
    """Mean differences that the sign-flip test does not reject, at the request's tail on each side.

    Sources: Hartigan (1969), JASA 64(328):1303-1317, doi:10.1080/01621459.1969.10501057, for the means of subsets;
    Tritchler (1984), JASA 79(385):200-207, doi:10.1080/01621459.1984.10477085, for inverting the test.
    """
    # The sum of all differences less d is at most that of a choice of signs if the clusters whose sign is turned have a
    # mean of at most d. So one less than 2^G times the p-value is the number of subsets of the G clusters with a mean
    # of at most d, and a limit is the mean of a subset: for up to 18 clusters the one found by listing all, for more
    # the value at which the test's own p-value passes its level.
    if sample.no_spread_reason:
        return Limits.undefined(sample.no_spread_reason)
    low = _lower(sample, 1.0, request.tail, reach[0])
    high = -_lower(sample, -1.0, request.tail, -reach[1])
    if math.isinf(low) or math.isinf(high):
        return Limits(low, high, sample.least_p_reason)
    return Limits(low, high)


def _permutation_hall_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Limits that contain those of the permutation test and of the skewness-corrected t test."""
    if sample.n == 1 or sample.is_constant:
        return _permutation_limits(sample, request)
    low, high, reason, _ = _hall_limits(sample, request)
    limits = _permutation_limits(sample, request, (low, high))
    are_finite = math.isfinite(limits.low) and math.isfinite(limits.high)
    return limits._replace(reason=joined(limits.reason, reason, sample.unseen_caution) if are_finite else limits.reason)


@difference_test(
    "permutation-hall",
    MEANS,
    label="permutation and skewness-corrected t test",
    interval="permutation-hall",
    interval_label="permutation and skewness-corrected t",
    limits=_permutation_hall_limits,
    note="the union of both intervals, that of the permutation test and the skewness-corrected t; with 5 units or "
    "fewer no two-sided p-value reaches 0.05, and there are no limits",
    clusters=True,
    null="the mean difference is 0; p is the larger of both, so that it is also that of exchangeable systems",
    assumes="no loss too rare to be seen: on fewer than 3 of n units",
    guarantee="exact for exchangeable systems",
    aliases=("hall-permutation",),
    source="Fisher (1935), The Design of Experiments; Hall (1992), J. R. Stat. Soc. B 54(1):221-228",
)
def _permutation_hall(
    sample: PairedDifferences, alternative: Alternative, request: Request, shift: float = 0.0
) -> Outcome:
    """The larger p-value of the permutation test and the skewness-corrected t test."""
    p, _, method_note, error, _ = _permutation(sample, alternative, request, shift)
    other, _, freedom, _, _ = run_test(sample, "hall", alternative, request, shift)
    if other > p:  # not where a single unit, or equal differences, leave it undefined
        return other, sample.mean, f"skewness-corrected t, {freedom}", error if other < p + error else 0.0, ""
    return p, sample.mean, f"permutation test, {method_note}", error, ""


@difference_test(
    "permutation",
    MEANS,
    label="permutation test",
    interval="permutation",
    interval_label="permutation test inverted",
    limits=_permutation_limits,
    note="the sign-flip test inverted: a limit is the mean of a subset of the differences. It never leaves their "
    "range; with 5 units or fewer no two-sided p-value reaches 0.05, and there are no limits",
    clusters=True,
    null="the systems are exchangeable: on every unit either could have got either value",
    assumes="nothing else",
    guarantee="exact for exchangeable systems",
    aliases=("sign-flip", "randomization"),
    source="Fisher (1935), The Design of Experiments; Smucker, Allan & Carterette (2007), CIKM, "
    "doi:10.1145/1321440.1321528",
)
def _permutation(sample: PairedDifferences, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    """Sign-flip test."""
    values = subtract_shift(sample.sums, sample.sizes, shift)
    p, method_note, error = p_of_flips(values, alternative, lambda side: sample.flipped(side, shift))
    return p, sample.mean, method_note, error, ""


def _t_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Student t limits for the mean difference."""
    mean, error, freedom = sample.student
    return Limits.around(mean, -t_quantile(request.tail, freedom) * error)


@difference_test(
    "t",
    MEANS,
    label="t test",
    interval="t",
    limits=_t_limits,
    note="Student's t",
    clusters=True,
    null="the mean difference is 0",
    assumes="differences are normal, or there are many",
    aliases=("student", "delta"),
    source="Student (1908), Biometrika 6(1):1-25, doi:10.1093/biomet/6.1.1",
)
def _t(sample: PairedDifferences, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    """Student t test of the mean difference against `shift`."""
    return sample.student.test(alternative, shift)


def _hall_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Student t limits for the mean difference, corrected for skewness."""
    mean, error, freedom = sample.student
    return skewness.limits(mean, error, sample.skew, request.tail, freedom)


@difference_test(
    "hall",
    MEANS,
    label="skewness-corrected t test",
    interval="hall",
    limits=_hall_limits,
    note="Student's t, the limit on the side of the long tail corrected for skewness",
    clusters=True,
    null="the mean difference is 0",
    assumes="differences are not much more skewed than they look",
    aliases=("skewness-adjusted-t",),
    source=skewness.SOURCE,
)
def _hall(sample: PairedDifferences, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    """Student t test of the mean difference against `shift`, corrected for skewness."""
    mean, error, freedom = sample.student
    ratio = (mean - shift) / error
    return skewness.p_value(ratio, sample.skew, freedom, alternative), ratio, distribution_text(freedom), 0.0, ""


def _resampled(sample: PairedDifferences, request: Request) -> tuple[float, float, Floats]:
    """Mean, its standard error, and sorted t statistics of bootstrap resamples."""
    mean = sample.mean
    centred = sample.sums - mean
    centred /= power_of_two(centred)  # t has no unit, and no square overflows or vanishes
    ratios = np.sort(studentized(centred, request))
    if np.array_equal(np.sort(sample.sums), np.sort(-sample.sums)):
        ratios = (ratios - ratios[::-1]) / 2  # the law of symmetric differences is symmetric, its draws are not
    return mean, sample.student.error, ratios


def _bootstrap_t_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Mean differences with a p-value above the level, without interpolation between resamples."""
    check_replicates(request)
    mean, error, ratios = _resampled(sample, request)
    index = math.floor(request.tail * (1 + ROUNDING) * (len(ratios) + 1))
    low, high = (mean - float(ratios[end]) * error for end in (-index, index - 1))
    return Limits(low, high, "" if math.isfinite(low - high) else "too many resamples consist of equal values")


@difference_test(
    "bootstrap-t",
    MEANS,
    label="bootstrap-t",
    interval="bootstrap-t",
    limits=_bootstrap_t_limits,
    note="the quantiles of the same draws",
    null="the mean difference is 0",
    assumes="the sample looks like the population",
    source="Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, section 10.10",
)
def _bootstrap_t(sample: PairedDifferences, alternative: Alternative, request: Request, shift: float = 0.0) -> Outcome:
    """Bootstrap t test: compare the t statistic of the difference minus `shift` with resampled ones."""
    mean, error, ratios = _resampled(sample, request)
    ratio, draws = (mean - shift) / error, len(ratios)
    upper_tail = (draws - int(np.searchsorted(ratios, ratio, side="left")) + 1) / (draws + 1)
    lower_tail = (int(np.searchsorted(ratios, ratio, side="right")) + 1) / (draws + 1)
    p = {"two-sided": min(2 * min(upper_tail, lower_tail), 1.0), "greater": upper_tail, "less": lower_tail}[alternative]
    return p, ratio, plural(request.replicates, "resample"), math.sqrt(p * (1 - p) / request.replicates), ""


SHARES: dict[str, Any] = {
    "null": "either system alone is right as often as the other; of values that are all 0 or 1",
    "assumes": "units that count alike",
}


def _discordant(
    name: str, sample: PairedDifferences, alternative: Alternative, _request: Request, _shift: float
) -> Outcome:
    """McNemar's test, from the number of positive and negative differences."""
    return discordant_test(name, *sample.signs, alternative)


difference_test(
    "mcnemar-score",
    MEANS,
    label="McNemar test",
    interval="tango",
    interval_label="Tango score",
    note="Tango's score limits",
    aliases=("score",),
    source="McNemar (1947), Psychometrika 12(2):153-157, doi:10.1007/BF02295996; Tango (1998), Stat. Med. "
    "17(8):891-908, for the limits",
    **SHARES,
)(partial(_discordant, "mcnemar-score"))
difference_test(
    "mcnemar",
    MEANS,
    label="exact McNemar test",
    interval="exact-paired",
    interval_label="exact limits of paired shares",
    note="the differences that an exact test of the discordant units does not reject (Buehler), whatever the number of "
    "units; with more than 100 discordant units, and more than 100 without a loss, Tango's score limits, and of more "
    "than 1,000 units nearly all of which are losses the sum of two exact limits",
    guarantee="exact",
    aliases=("exact", "mcnemar-exact"),
    source="McNemar (1947), Psychometrika 12(2):153-157, doi:10.1007/BF02295996; Buehler (1957), JASA 52(280):482-493, "
    "doi:10.1080/01621459.1957.10501404, for the limits",
    any_number=True,
    **SHARES,
)(partial(_discordant, "mcnemar"))
difference_test(
    "mid-p",
    MEANS,
    label="mid-P McNemar test",
    interval="tango",
    aliases=("midp", "mcnemar-mid-p"),
    source="Fagerland, Lydersen & Laake (2013), BMC Med. Res. Methodol. 13:91, doi:10.1186/1471-2288-13-91",
    any_number=True,
    **SHARES,
)(partial(_discordant, "mid-p"))


def _signed_ranks(values: Floats) -> Floats:
    """Wilcoxon's signed ranks; zeros are dropped and ties share their mean rank."""
    values = values[values != 0]
    _, codes, times = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    return np.asarray(np.sign(values) * (np.cumsum(times) - (times - 1) / 2)[codes])


def _walsh_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Limits that invert Wilcoxon's test: for the pseudomedian."""

    def p(values: Floats) -> float:
        return sign_flip(_signed_ranks(values)).p

    reason = "limits of the pseudomedian, the median of the means of two differences"
    return _limits_by_search(sample, request, p, _walsh_averages, reason)


def _walsh_averages(ascending: Floats, low: float, high: float) -> Floats:
    """The means of two values, or of one with itself, from `low` to `high`."""
    halves, indices = ascending / 2, np.arange(len(ascending))
    start = np.maximum(np.searchsorted(halves, low - halves), indices)
    counts = np.maximum(np.searchsorted(halves, high - halves, "right") - start, 0)
    second = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts - start, counts)
    means = np.repeat(halves, counts) + halves[second]
    rounding = 4 * EQUAL * np.maximum(np.repeat(np.abs(halves), counts), np.abs(halves[second]))
    order = np.argsort(means, kind="stable")
    means, rounding = means[order], rounding[order]
    return np.asarray(means[np.append(True, means[1:] - means[:-1] > np.maximum(rounding[1:], rounding[:-1]))])


@difference_test(
    "wilcoxon",
    MEANS,
    label="Wilcoxon signed ranks",
    interval="walsh",
    interval_label="Walsh averages",
    limits=_walsh_limits,
    note="those of the pseudomedian, by Walsh averages: not of the mean",
    null="the differences are symmetric around 0",
    guarantee="exact",
    aliases=("signed-rank",),
    source="Wilcoxon (1945), Biometrics Bulletin 1(6):80-83, doi:10.2307/3001968",
)
def _wilcoxon(sample: PairedDifferences, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    """Wilcoxon signed-rank test of the differences minus `shift`; the statistic is the positive rank sum."""
    ranks = _signed_ranks(_shifted(sample.sums, shift))
    p, method_note, error = p_of_flips(ranks, alternative, lambda side: sign_flip(side * ranks))
    return p, float(ranks[ranks > 0].sum()), method_note, error, ""


def _median_limits(sample: PairedDifferences, request: Request) -> Limits:
    """Limits that invert the sign test: for the median difference."""

    def p(values: Floats) -> float:
        wins, losses = int((values > 0).sum()), int((values < 0).sum())
        return binomial_at_least(wins, wins + losses, 0.5)

    return _limits_by_search(sample, request, p, _values_between, "limits of the median difference")


def _values_between(ascending: Floats, low: float, high: float) -> Floats:
    """Distinct values from `low` to `high`, both included, in ascending order."""
    return np.unique(ascending[(low <= ascending) & (ascending <= high)])


@difference_test(
    "sign",
    MEANS,
    label="sign test",
    interval="order-statistics",
    limits=_median_limits,
    note="those of the median difference: not of the mean",
    null="the system is as often above as below",
    guarantee="exact",
)
def _sign(sample: PairedDifferences, alternative: Alternative, _request: Request, shift: float = 0.0) -> Outcome:
    """Exact binomial sign test of the differences minus `shift`, without zeros; the statistic is the wins."""
    shifted = _shifted(sample.sums, shift)
    wins, losses = int((shifted > 0).sum()), int((shifted < 0).sum())
    n = wins + losses
    tails = {"greater": binomial_at_least(wins, n, 0.5), "less": binomial_at_least(losses, n, 0.5)}
    p = min(2 * min(tails.values()), 1.0) if alternative == "two-sided" else tails[alternative]
    return p, float(wins), "binomial", 0.0, ""


def _limits_by_search(
    sample: PairedDifferences, request: Request, p: Callable[[Floats], float], steps: _Steps, reason: str
) -> Limits:
    """Both limits by inverting a test of ranks or signs, whose p-value rises at the `steps` only."""
    if request.tail * (1 + ROUNDING) < 2.0**-sample.n:
        return Limits(-math.inf, math.inf, f"{reason}; {sample.least_p_reason}")
    low, high = (_least_step(p, values, steps, request.tail) for values in (sample.sums, -sample.sums))
    return Limits(low, -high, reason)


def _least_step(p: Callable[[Floats], float], values: Floats, steps_from: _Steps, tail: float) -> float:
    """The least step above which the values are not rejected: by halving, so that limits are nested exactly."""
    # The p-value at 0 decides on which side of 0 the limit lies, so that an interval and its test agree.
    includes_0 = passes(p(_shifted(values, 0.0)), tail)
    ascending, low, high, limit = np.sort(values), -math.inf, math.inf, 0.0
    indices = np.rint(np.linspace(0, len(values) - 1, min(len(values), MAX_WALSH))).astype(int)
    # The steps between a part of the values come first: they say where the limit lies among those of all.
    for part in (ascending[indices], ascending)[len(values) <= MAX_WALSH :]:
        steps = steps_from(part, low, high)
        midpoints = np.append(steps[1:] / 2 + steps[:-1] / 2, math.inf)
        n_negative, n_not_positive = (int(np.searchsorted(steps, 0.0, side)) for side in ("left", "right"))
        first, last = (
            (-1, max(n_not_positive - 1, 0)) if includes_0 else (min(n_negative, len(steps) - 1) - 1, len(steps) - 1)
        )
        k = first_true(partial(_is_reached, p, values, midpoints, tail), first, last)
        limit, low, high = float(steps[k]), float(midpoints[k - 1]) if k else low, float(midpoints[k])
    return limit if includes_0 or limit else sys.float_info.min


def _is_reached(p: Callable[[Floats], float], values: Floats, shifts: Floats, tail: float, k: int) -> bool:
    """True if the values are not rejected after the k-th shift."""
    return passes(p(_shifted(values, shifts[k])), tail)


def _shifted(values: Floats, shift: float) -> Floats:
    """Values minus the shift; rounding errors are set to 0."""
    shifted = values - shift
    return np.where(np.abs(shifted) <= EQUAL * np.abs(values), 0.0, shifted)
