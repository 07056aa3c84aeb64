"""Intervals for a norm of the gaps between outcomes and predicted probabilities."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.declare import Form, declare_form, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import resample
from certus.inference.special import beta_quantile, normal_quantile
from certus.statistic import CalibrationError
from certus.statistic.common import sum_by_code, unit_ranks

UNSEEN = "the interval may be too short: bins without samples could have larger gaps"
BIAS_TAIL = 0.025
"""The tail at whose normal quantile the bias has its standard errors: limits that grow with the level are nested."""
EXCESS = math.sqrt(2 / math.pi)
"""The mean of |z|: how far a gap of 0 seems open on average, in its standard errors."""


def standard_error(statistic: CalibrationError) -> float:
    """Standard error from the influence of each unit; NaN for the value 0, the least that a norm can have."""
    if statistic.n < 2 or not statistic.value > 0:
        return math.nan
    n = statistic.n
    squares = float((_influence(statistic) ** 2).sum()) if statistic.totals is None else _squares(statistic)
    return math.sqrt(n / (n - 1) * squares)


@interval(
    "bias-aware",
    CalibrationError,
    guarantee="bounded",
    source="Armstrong & Kolesár (2018), Econometrica 86(2):655-683, doi:10.3982/ECTA14434, for the principle; "
    "Sun, Chaudhari, Barnett & Dobriban (2024), arXiv:2408.08998, for the squared l2 norm",
)
def bias_aware(statistic: CalibrationError, request: Request) -> Limits:
    """Normal limits that allow for the bias that a norm of estimated gaps can have.

    Let ``s_b`` be the standard error of gap b (from its Wilson interval, so that it is not 0 in a bin where all
    outcomes are alike), ``w_b`` the bin's share of the weight, z the normal quantile, and ``t_b`` the standard error
    from the Wilson interval of level .95, whatever the level::

        l1    value - sum(w_b t_b h(u_b)) - z e,  value + z e,  with e^2 = sum((w_b s_b)^2)
        l2    square roots of the q with (q - Q)^2 = z^2 (4 v q + 2 sum((w_b s_b t_b)^2)), where Q is the unbiased
              estimate of sum(w_b gap_b^2) and v the mean of w_b s_b^2, each bin counting w_b gap_b^2
        max   the greatest lower limit of any |gap_b|, all holding at once, and the greatest upper one, by Clopper
              and Pearson. Bins without samples are left out; where their gaps would be greater than the upper limit if
              their outcomes were those of all samples, or of the next bins, the interval says so

    For l1 the term in the middle is the bias: ``t_b h(u)``, ``h(u) = sqrt(2/pi) exp(-u^2/2) - 2 u Phi(-u)``, is how
    much greater than the gap its estimate is on average, where the gap is u standard errors. All gaps but those that
    are surely open are taken to be 0, where h is greatest: with B bins ``u_b = max(|gap_b| / t_b - sqrt(log B), 0)``.
    The bins are taken as given.
    """
    bins = _Bins.from_statistic(statistic)
    limits = {"l1": _l1, "max": _max_norm}.get(statistic.norm, _l2)(statistic, bins, request)
    # A limit on the wrong side of the value would contradict it.
    return Limits(min(max(limits.low, 0.0), statistic.value), max(limits.high, statistic.value), limits.reason)


@interval("percentile", CalibrationError)
def percentile(statistic: CalibrationError, request: Request) -> Limits:
    """Percentile bootstrap over units within fixed bins, see `intervals.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


@interval("bca", CalibrationError)
def bca(statistic: CalibrationError, request: Request) -> Limits:
    """BCa bootstrap over units within fixed bins, see `intervals.resample.bca`; biased like the percentile."""
    if statistic.value == 0:
        return Limits.undefined("the value is 0: BCa cannot correct the bias")
    return resample.bca(
        _replicates(statistic, request), statistic.value, resample.acceleration(_influence(statistic)), request
    )


class _Bins(NamedTuple):
    """Weight, mean outcome, gap and size of each bin that has rows."""

    share: Floats
    """Of the weight."""
    outcomes: Floats
    """The weighted mean of what was observed."""
    gap: Floats
    size: Floats
    """As many independent rows of equal weight would tell as much."""
    bin_index: NDArray[np.intp]
    """Their indices among all bins."""

    @classmethod
    def from_statistic(cls, statistic: CalibrationError) -> "_Bins":
        """Collect the bins that have rows."""
        if (totals := statistic.totals) is not None:
            filled_bins = np.flatnonzero(totals.weight)
            weight, gap, _, hits = (column[filled_bins] for column in totals)
            return cls(weight / weight.sum(), hits / weight, gap / weight, weight, filled_bins)
        _, bins, weights, gaps = statistic.parts
        unit_weights = np.ones(len(statistic.bins)) if statistic.weights is None else statistic.weights
        weight = sum_by_code(bins, weights)
        filled_bins = np.flatnonzero(weight)
        outcomes = sum_by_code(statistic.bins, unit_weights * statistic.observed)[filled_bins] / weight[filled_bins]
        gap = sum_by_code(bins, gaps)[filled_bins] / weight[filled_bins]
        squares = sum_by_code(statistic.bins, unit_weights**2)[filled_bins]
        # Squares of weights below 1e-154 are 0; a bin of those is worth one sample at least.
        size = np.where(squares > 0, weight[filled_bins] ** 2 / np.where(squares > 0, squares, 1.0), 1.0)
        if statistic.groups is not None:
            gap_of_bin = np.zeros(len(weight))
            gap_of_bin[filled_bins] = gap
            rows = unit_weights * (statistic.observed - statistic.predicted - gap_of_bin[statistic.bins])
            independent_sum = sum_by_code(statistic.bins, rows**2)[filled_bins]
            clustered_sum = sum_by_code(bins, (gaps - gap_of_bin[bins] * weights) ** 2)[filled_bins]
            is_larger = (clustered_sum > independent_sum) & (independent_sum > 0)
            size /= np.where(is_larger, clustered_sum, 1) / np.where(is_larger, independent_sum, 1)
        return cls(weight[filled_bins] / weight.sum(), outcomes, gap, size, filled_bins)

    def errors(self, z: float) -> Floats:
        """Standard error of each gap: the longer side of the outcomes' Wilson interval, divided by z."""
        p, n = self.outcomes, self.size
        center = (p * n + z * z / 2) / (n + z * z)
        half_width = z * np.sqrt(n * p * (1 - p) + z * z / 4) / (n + z * z)
        errors: Floats = (half_width + np.abs(center - p)) / z
        return errors

    def shared(self, statistic: CalibrationError, slopes: Floats) -> float:
        """Variance inflation of ``sum(slopes * gaps)`` because units have rows in several bins; at least 1."""
        if statistic.groups is None:
            return 1.0
        units, bins, weights, gaps = statistic.parts
        slope, gap_of_bin = np.zeros((2, bins.max() + 1))
        slope[self.bin_index], gap_of_bin[self.bin_index] = slopes / self.share, self.gap
        parts = slope[bins] * (gaps - gap_of_bin[bins] * weights)
        independent_sum = float((parts**2).sum())
        return max(1.0, float((sum_by_code(units, parts) ** 2).sum()) / independent_sum) if independent_sum > 0 else 1.0


def _l1(statistic: CalibrationError, bins: _Bins, request: Request) -> Limits:
    """Limits of the mean absolute gap, corrected for bias."""
    z = -normal_quantile(request.tail)
    errors = bins.errors(-normal_quantile(BIAS_TAIL))
    half_width = z * math.sqrt(
        float(((bins.share * bins.errors(z)) ** 2).sum()) * bins.shared(statistic, np.sign(bins.gap) * bins.share)
    )
    sure = np.maximum(np.abs(bins.gap) / errors - math.sqrt(math.log(len(errors))), 0.0)
    bias = float((bins.share * errors * _excess(sure)).sum())
    return Limits(statistic.value - bias - half_width, statistic.value + half_width)


def _excess(gap: Floats) -> Floats:
    """Expectation of ``|Z| - Z`` for normal variables Z with these means and variance 1."""
    from scipy.special import ndtr

    excess: Floats = EXCESS * np.exp(-(gap**2) / 2) - 2 * gap * ndtr(-gap)
    return excess


def _l2(statistic: CalibrationError, bins: _Bins, request: Request) -> Limits:
    """Limits of the root mean square gap, by inversion as in Wilson's interval."""
    z = -normal_quantile(request.tail)
    errors = bins.errors(z)
    variances = bins.share * errors**2
    squares = bins.share * bins.gap**2
    noise = 2 * z * z * float(((bins.share * errors * bins.errors(-normal_quantile(BIAS_TAIL))) ** 2).sum())
    slope = float((variances * squares).sum()) * bins.shared(statistic, bins.gap * bins.share)
    slope = 2 * z * z * (slope / float(squares.sum()) if squares.any() else float(variances.max()))
    # The roots of (q - square)^2 = z^2 (4 slope q + 2 noise): the spread is that at the limit, as in Wilson's interval.
    middle = statistic.square + slope
    half_width = math.sqrt(max(middle**2 - statistic.square**2 + noise, 0.0))
    # Below a negative estimate there is nothing that a norm could be.
    low = max(middle - half_width, 0.0) if statistic.square > 0 else 0.0
    return Limits(math.sqrt(low), math.sqrt(max(middle + half_width, 0.0)))


def _max_norm(statistic: CalibrationError, bins: _Bins, request: Request) -> Limits:
    """Limits of the greatest absolute gap, by simultaneous Clopper-Pearson limits."""
    at_once = request.tail / (2 * len(bins.gap))
    low = high = 0.0
    for p, gap, n in zip(bins.outcomes.tolist(), bins.gap.tolist(), bins.size.tolist(), strict=True):
        lower, upper = _clopper_pearson(p * n, n, at_once)
        low = max(low, gap - (p - lower), -gap - (upper - p))
        lower, upper = _clopper_pearson(p * n, n, request.tail)
        high = max(high, gap + (upper - p), -gap + (p - lower))
    return Limits(low, high, UNSEEN if high < statistic.unseen else "")


def _clopper_pearson(k: float, n: float, tail: float) -> tuple[float, float]:
    """Clopper-Pearson limits for k successes in n trials (may be fractional), `tail` on each side."""
    low = 0.0 if k <= 0 else beta_quantile(tail, k, n - k + 1)
    return low, 1.0 if k >= n else 1 - beta_quantile(tail, n - k, k + 1)


def _influence(statistic: CalibrationError) -> Floats:
    """Influence of each unit: to first order they add up to the value minus the true value."""
    units, bins, weights, gaps = statistic.parts
    weight, value = sum_by_code(bins, weights), statistic.value
    total = weight.sum()
    gap = sum_by_code(bins, gaps) / np.where(weight > 0, weight, 1)
    if statistic.norm == "max":
        worst = int(np.abs(gap).argmax())
        parts = np.where(bins == worst, np.sign(gap[worst]) * (gaps - gap[worst] * weights) / weight[worst], 0.0)
    elif statistic.norm == "l1":
        parts = (np.sign(gap)[bins] * gaps - value * weights) / total
    else:
        parts = (2 * gap[bins] * gaps - (gap[bins] ** 2 + value**2) * weights) / (2 * value * total)
    return sum_by_code(units, parts, statistic.n)


def _squares(statistic: CalibrationError) -> float:
    """Sum of the squared influences of single samples, from totals by bin."""
    if statistic.totals is None:
        return math.nan
    weight, gaps, squares, _ = (column[np.flatnonzero(statistic.totals.weight)] for column in statistic.totals)
    gap, value, total = gaps / weight, statistic.value, float(weight.sum())
    if statistic.norm == "max":
        worst = int(np.abs(gap).argmax())
        total_squares = squares[worst] - 2 * gap[worst] * gaps[worst] + gap[worst] ** 2 * weight[worst]
        return float(total_squares / weight[worst] ** 2)
    slope, offset = np.sign(gap), np.full(len(gap), value)
    if statistic.norm != "l1":
        slope, offset = gap / value, (gap**2 + value**2) / (2 * value)
    return float((slope**2 * squares - 2 * slope * offset * gaps + offset**2 * weight).sum() / total**2)


def _replicates(statistic: CalibrationError, request: Request) -> Floats:
    """Bootstrap replicates of the calibration error; units are resampled, bins stay fixed."""
    resample.check_replicates(request)
    values = np.empty(request.replicates)
    units, *rows = statistic.parts
    ranks = unit_ranks(units, *rows)
    for block, counts in resample.resampled_units(statistic.n, request):
        values[block] = [statistic.of(row[ranks]) for row in counts]
    return values


declare_form(
    CalibrationError,
    Form(
        "a calibration error",
        "bias-aware",
        standard_error,
        guard=resample.of_several,
        measured="coverage-calibration.md",
    ),
)
