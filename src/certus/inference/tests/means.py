"""Tests of a mean difference over paired units or clusters of them, each with the interval that inverts it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.inference.clusters import cluster_mean
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals import student
from certus.inference.intervals.bounded import constant_beyond, constant_limits
from certus.inference.intervals.resample import check_replicates
from certus.inference.special import binomial_at_least, t_quantile
from certus.inference.tests.declare import difference_test, tests_of
from certus.inference.tests.mcnemar import mcnemar_score, tango_interval
from certus.inference.tests.result import Alternative, Found
from certus.inference.tests.search import ROUNDING, passing
from certus.inference.tests.signflip import SignFlip, sign_flip
from certus.inference.tests.signflip_limits import flip_limits, less
from certus.statistic.common import Bounds, plural
from certus.statistic.moments import power_of_two

__all__ = ["EQUAL", "Sample", "found_of", "own_interval"]

UNBOUNDED = (-math.inf, math.inf)

EQUAL = 1e-12
"""Values that differ by no more than this part of the larger are equal: they were rounded on their way."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The differences: for each cluster their sum, or that of weight times difference, and its size or weight.

    `values` is the range taken for the values of both systems where their bounds are not known.
    """

    sums: Floats
    sizes: Floats
    unit: str
    values: Bounds | None = None
    _flips: dict[tuple[float, float], SignFlip] = field(default_factory=dict, init=False, repr=False)

    called: ClassVar[str] = "means"

    @classmethod
    def of(cls, sums: Floats, sizes: Floats, unit: str, values: Bounds | None = None) -> "Sample":
        """In an order that does not depend on that of the units, nor on which system is subtracted from which."""
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

    @property
    def mean(self) -> float:
        """The mean difference."""
        return cluster_mean(self.sums, self.sizes).value

    @property
    def signs(self) -> tuple[int, int]:
        """The number of differences above 0, and below."""
        return int((self.sums > 0).sum()), int((self.sums < 0).sum())

    @property
    def alike(self) -> bool:
        """True if all clusters have the same mean up to rounding."""
        ratios = self.sums / self.sizes
        return bool(np.ptp(ratios) <= EQUAL * np.abs(ratios).max(initial=0.0))

    def flipped(self, side: float, shift: float = 0.0) -> SignFlip:
        """The sign flip of the sums less the shift, times -1 for the other side; kept, as test and limits both ask."""
        if (side, shift) not in self._flips:
            self._flips[side, shift] = sign_flip(side * less(self.sums, self.sizes, shift))
        return self._flips[side, shift]

    @property
    def why_no_spread(self) -> str:
        """Why there is no standard error; empty where there is one."""
        if self.n == 1:
            return f"1 {self.unit} alone does not show its spread"
        return f"all {self.n} differences are equal: they do not show a spread" if self.alike else ""


def own_interval(sample: Sample, test: str) -> OwnInterval:
    """The interval that inverts a test."""
    declared = tests_of(Sample)[test]
    if declared.name == "mcnemar-score":
        return tango_interval(*sample.signs, sample.n)
    return OwnInterval(declared.interval, partial(_limits, sample, test), partial(_beyond, sample, test))


def found_of(sample: Sample, name: str, alternative: Alternative, request: Request) -> Found:
    """The findings of a test; systems that are equal on every unit have p = 1."""
    if not sample.sums.any():
        return 1.0, 0.0, "no differences", 0.0, ""
    found: Found = tests_of(Sample)[name].function(sample, alternative, request, 0.0)
    return found


def _constant(sample: Sample, test: str) -> bool:
    if tests_of(Sample)[test].any_number:
        return False
    return not sample.sums.any() or (test == "t" and sample.n > 1 and sample.alike)


def _beyond(sample: Sample, test: str, shift: float, side: Side, request: Request) -> tuple[float, str]:
    if _constant(sample, test):
        return constant_beyond(sample.mean, sample.n, shift, side, request.bounds)
    if test == "bootstrap-t" and sample.n > 1 and sample.alike:  # no limits
        return constant_beyond(sample.mean, sample.n, shift, side, UNBOUNDED)
    found: Found = tests_of(Sample)[test].function(sample, side, request, shift)
    return found[0], found[4] or found[2]


def _limits(sample: Sample, test: str, request: Request) -> Limits:
    if _constant(sample, test):
        return constant_limits(sample.mean, sample.n, request).within(request.bounds)
    if test == "bootstrap-t" and sample.alike:
        return Limits.undefined(sample.why_no_spread)
    inverted = tests_of(Sample)[test].inverted
    if inverted is None:
        return Limits.undefined("no interval inverts this test")
    found: Limits = inverted(sample, request)
    return found.within(request.bounds)


def _flipped(values: Floats, alternative: Alternative, flip: Callable[[float], SignFlip]) -> tuple[float, str, float]:
    """The p-value, from the upper tail of a sum with random signs; how it was found, and its error."""
    sign = -1.0 if alternative == "less" or (alternative == "two-sided" and math.fsum(values) < 0) else 1.0
    p, how, error = flip(sign)
    twice = 2 if alternative == "two-sided" else 1
    return min(twice * p, 1.0), how, twice * error


def _permutation_limits(sample: Sample, request: Request) -> Limits:
    return flip_limits(sample.sums, sample.sizes, request.tail, sample.unit, lambda side: sample.flipped(side).p)


@difference_test(
    "permutation",
    Sample,
    label="permutation test",
    interval="permutation",
    interval_label="permutation test inverted",
    inverted=_permutation_limits,
    note="the sign-flip test inverted: a limit is the mean of a subset of the differences. It never leaves their "
    "range; with 5 units or fewer no two-sided p-value reaches 0.05, and there are no limits",
    clusters=True,
    null="the systems are exchangeable: on every unit either could have got either value",
    assumes="nothing else",
    guarantee="exact",
    aliases=("sign-flip", "randomization"),
    source="Fisher (1935), The Design of Experiments; Smucker, Allan & Carterette (2007), CIKM, "
    "doi:10.1145/1321440.1321528",
)
def _permutation(sample: Sample, alternative: Alternative, _request: Request, shift: float = 0.0) -> Found:
    values = less(sample.sums, sample.sizes, shift)
    p, how, error = _flipped(values, alternative, lambda side: sample.flipped(side, shift))
    return p, sample.mean, how, error, ""


def _t_limits(sample: Sample, request: Request) -> Limits:
    if sample.n == 1:
        return Limits.undefined(sample.why_no_spread)
    mean, error, freedom = cluster_mean(sample.sums, sample.sizes)
    return Limits.around(mean, -t_quantile(request.tail, freedom) * error)


@difference_test(
    "t",
    Sample,
    label="t test",
    interval="t",
    inverted=_t_limits,
    note="Student's t",
    clusters=True,
    null="the mean difference is 0",
    assumes="differences are normal, or there are many",
    aliases=("student", "delta"),
    source="Student (1908), Biometrika 6(1):1-25, doi:10.1093/biomet/6.1.1",
)
def _t(sample: Sample, alternative: Alternative, _request: Request, shift: float = 0.0) -> Found:
    if sample.why_no_spread:
        return math.nan, math.nan, "", 0.0, sample.why_no_spread
    return student.Student(*cluster_mean(sample.sums, sample.sizes)).test(alternative, shift)


def _resampled(sample: Sample, request: Request) -> tuple[float, float, Floats]:
    """The mean, its standard error, and t of resamples in ascending order."""
    n, mean = sample.n, sample.mean
    centred = sample.sums - mean
    centred /= power_of_two(centred)  # t has no unit, and no square overflows or vanishes
    rows = np.column_stack([centred, centred**2])
    sums = kernels.resample_sums(rows, replicates=request.replicates, seed=request.seed)
    means, squares = sums[:, 0] / n, sums[:, 1]
    variances = (squares - n * means**2) / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # What a resample of equal values leaves by rounding is not a variance.
        drawn = means / np.sqrt(np.where(variances > EQUAL * squares, variances, 0.0) / n)
    drawn = np.sort(np.where(means == 0, 0.0, drawn))
    if np.array_equal(np.sort(sample.sums), np.sort(-sample.sums)):
        drawn = (drawn - drawn[::-1]) / 2  # the law of symmetric differences is symmetric, its draws are not
    return mean, cluster_mean(sample.sums, sample.sizes).error, drawn


def _bootstrap_t_limits(sample: Sample, request: Request) -> Limits:
    """The means whose p-value is above the level: from the draws themselves, in which nothing is interpolated."""
    if sample.n == 1:
        return Limits.undefined(sample.why_no_spread)
    check_replicates(request)
    mean, error, drawn = _resampled(sample, request)
    place = math.floor(request.tail * (1 + ROUNDING) * (len(drawn) + 1))
    low, high = (mean - float(drawn[end]) * error for end in (-place, place - 1))
    return Limits(low, high, "" if math.isfinite(low - high) else "too many resamples consist of equal values")


@difference_test(
    "bootstrap-t",
    Sample,
    label="bootstrap-t",
    interval="bootstrap-t",
    inverted=_bootstrap_t_limits,
    note="the quantiles of the same draws",
    null="the mean difference is 0",
    assumes="the sample looks like the population",
    source="Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, section 10.10",
)
def _bootstrap_t(sample: Sample, alternative: Alternative, request: Request, shift: float = 0.0) -> Found:
    if sample.why_no_spread:
        return math.nan, math.nan, "", 0.0, sample.why_no_spread
    mean, error, drawn = _resampled(sample, request)
    ratio, draws = (mean - shift) / error, len(drawn)
    above = (draws - int(np.searchsorted(drawn, ratio, side="left")) + 1) / (draws + 1)
    below = (int(np.searchsorted(drawn, ratio, side="right")) + 1) / (draws + 1)
    p = {"two-sided": min(2 * min(above, below), 1.0), "greater": above, "less": below}[alternative]
    return p, ratio, plural(request.replicates, "resample"), math.sqrt(p * (1 - p) / request.replicates), ""


def _signed_ranks(values: Floats) -> Floats:
    values = values[values != 0]
    _, places, times = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    return np.asarray(np.sign(values) * (np.cumsum(times) - (times - 1) / 2)[places])


def _walsh_limits(sample: Sample, request: Request) -> Limits:
    def p(values: Floats) -> float:
        return sign_flip(_signed_ranks(values)).p

    return _of_place(sample, request, p, "limits of the pseudomedian, the median of the means of two differences")


@difference_test(
    "wilcoxon",
    Sample,
    label="Wilcoxon signed ranks",
    interval="walsh",
    interval_label="Walsh averages",
    inverted=_walsh_limits,
    note="those of the pseudomedian, by Walsh averages: not of the mean",
    null="the differences are symmetric around 0",
    guarantee="exact",
    aliases=("signed-rank",),
    source="Wilcoxon (1945), Biometrics Bulletin 1(6):80-83, doi:10.2307/3001968",
)
def _wilcoxon(sample: Sample, alternative: Alternative, _request: Request, shift: float = 0.0) -> Found:
    ranks = _signed_ranks(_moved(sample.sums, shift))
    p, how, error = _flipped(ranks, alternative, lambda side: sign_flip(side * ranks))
    return p, float(ranks[ranks > 0].sum()), how, error, ""


def _median_limits(sample: Sample, request: Request) -> Limits:
    def p(values: Floats) -> float:
        above, below = int((values > 0).sum()), int((values < 0).sum())
        return binomial_at_least(above, above + below, 0.5)

    return _of_place(sample, request, p, "limits of the median difference")


@difference_test(
    "sign",
    Sample,
    label="sign test",
    interval="order-statistics",
    inverted=_median_limits,
    note="those of the median difference: not of the mean",
    null="the system is as often above as below",
    guarantee="exact",
)
def _sign(sample: Sample, alternative: Alternative, _request: Request, shift: float = 0.0) -> Found:
    moved = _moved(sample.sums, shift)
    above, below = int((moved > 0).sum()), int((moved < 0).sum())
    n = above + below
    tails = {"greater": binomial_at_least(above, n, 0.5), "less": binomial_at_least(below, n, 0.5)}
    p = min(2 * min(tails.values()), 1.0) if alternative == "two-sided" else tails[alternative]
    return p, float(above), "binomial", 0.0, ""


def _of_place(sample: Sample, request: Request, p: Callable[[Floats], float], why: str) -> Limits:
    """Both limits by inverting a test of ranks or signs, whose p-value is the least where all differences are above."""
    if request.tail * (1 + ROUNDING) < 2.0**-sample.n:
        return Limits(-math.inf, math.inf, f"{why}; {_too_few(sample)}")

    def at(values: Floats, shift: float) -> float:
        return p(_moved(values, shift))

    ends = []
    for values in (sample.sums, -sample.sums):
        spread = float(np.ptp(values)) or float(np.abs(values).max())
        ends.append(
            passing(
                partial(at, values),
                request.tail,
                float(values.min()) - spread,
                float(values.max()) + spread,
                float(np.median(values)) - spread / math.sqrt(sample.n),
                spread / math.sqrt(sample.n),
            )
        )
    low, high = ends[0], -ends[1]
    if low > high:  # at most one value is left, which both ends miss by a step of the search
        low = high = min(max((low + high) / 2, float(sample.sums.min())), float(sample.sums.max()))
    return Limits(low, high, why)


def _moved(values: Floats, shift: float) -> Floats:
    moved = values - shift
    return np.where(np.abs(moved) <= EQUAL * np.abs(values), 0.0, moved)


def _too_few(sample: Sample) -> str:
    return f"no p-value of {plural(sample.n, sample.unit)} is below {2.0**-sample.n:.3g} on either side"


@difference_test(
    "mcnemar-score",
    Sample,
    label="McNemar test",
    interval="tango",
    interval_label="Tango score",
    note="Tango's score limits",
    null="either system alone is right as often as the other; of values that are all 0 or 1",
    assumes="units that count alike",
    aliases=("score",),
    source="McNemar (1947), Psychometrika 12(2):153-157, doi:10.1007/BF02295996; Tango (1998), Stat. Med. "
    "17(8):891-908, for the limits",
)
def _mcnemar_score(sample: Sample, alternative: Alternative, _request: Request, _shift: float = 0.0) -> Found:
    return mcnemar_score(*sample.signs, alternative)
