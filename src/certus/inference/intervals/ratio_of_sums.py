"""Intervals for a ratio of sums over units, such as a micro-average."""

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.inference.clusters import cluster_error_of_parts
from certus.inference.declare import IntervalFunction, form, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import resample, skewness
from certus.inference.intervals.bounded import (
    BETA_SOURCE,
    BETWEEN_BOUNDS,
    BoundedUnits,
    beta_limits,
    constant_limits,
    hardly_skewed,
)
from certus.inference.special import t_quantile
from certus.statistic import Ratio
from certus.statistic.common import Bounds, plural, sums_of_parts

SAME = 1e-12
"""Part of the bounds by which a ratio may lie beyond them through rounding."""
FEWEST = 10
"""Of fewer units the sizes do not show their tail."""
UNEVEN = 0.5
"""Kish's effective number of units, as a part of all, below which their sizes have a long tail."""
TIED = 0.2
"""Correlation of the units' residuals with their sizes from which the ratio goes with the size."""
LONG_TAILED = (
    "may cover less than its level: the sizes of the {0}s have a long tail, and a larger {0} has another ratio; "
    "a sample may lack the largest"
)


def standard_error(statistic: Ratio) -> float:
    """Standard error of the linearised ratio, ``sqrt(sum(r_i^2 / (1 - h_i))) / |sum(b)|`` with ``r_i = a_i - R b_i``.

    h_i is the unit's part of the denominator. Units of equal size have the standard error of Cochran (1977), equation
    6.13; of unequal size that one is too small on average, this one not, see `certus.inference.clusters`.
    """
    return error_and_freedom(statistic)[0]


@interval(
    "delta",
    Ratio,
    label="delta method",
    aliases=("linearized",),
    source="Cochran (1977), Sampling Techniques, 3rd ed., section 6.4",
)
def delta(statistic: Ratio, request: Request) -> Limits:
    """``R +- t SE`` with the standard error of the linearised ratio, and Satterthwaite's degrees of freedom."""
    error, freedom = error_and_freedom(statistic)
    return Limits.around(statistic.value, -t_quantile(request.tail, freedom) * error)


@interval("hall", Ratio)
def hall(statistic: Ratio, request: Request) -> Limits:
    """The delta method, the limit on the long tail's side corrected for skewness, see `intervals.skewness`."""
    error, freedom = error_and_freedom(statistic)
    return skewness.limits(statistic.value, error, skew(statistic), request.tail, freedom)


@interval("beta-moments", Ratio, label="beta limits", aliases=("moment-matched-beta",), source=BETA_SOURCE)
def beta(statistic: Ratio, request: Request) -> Limits:
    """Beta limits for units whose ratios lie between known bounds, see `intervals.bounded.beta_limits`."""
    units = _between(statistic, request.bounds)
    if units is None:
        return Limits.undefined("a unit's ratio lies beyond the bounds")
    error, freedom = error_and_freedom(statistic)
    width = request.bounds[1] - request.bounds[0]
    about = (error / width) ** 2 * units.n * (units.n - 1)
    share, rest = (units.share[0], about), (units.rest[0], about)
    return beta_limits(units._replace(share=share, rest=rest, freedom=freedom), request)


def default(statistic: Ratio, bounds: Bounds) -> str:
    """The delta method; where skewness matters, beta limits between two known bounds, otherwise corrected for it."""
    if statistic.n < 2 or statistic.reason or not math.isfinite(statistic.value):
        return "delta"
    skewed, (least, greatest) = skew(statistic), statistic.bounds or bounds
    units = _between(statistic, (least, greatest)) if math.isfinite(greatest - least) else None
    if units is None:
        return "delta" if skewed.little else "hall"
    if units.share[1] <= SAME**2:  # all are equal but for rounding
        return "delta"
    bent = abs(skewed.third + 3 * skewed.curvature) > BETWEEN_BOUNDS
    return "beta-moments" if bent or not hardly_skewed(skewed.third, units) else "delta"


def unavailable(statistic: Ratio, bounds: Bounds) -> Collection[str]:
    """The method that needs units whose ratios lie between known bounds."""
    least, greatest = statistic.bounds or bounds
    if not math.isfinite(greatest - least):
        return ("beta-moments",)
    no_interval = statistic.n < 2 or not math.isfinite(statistic.value)
    return () if no_interval or _between(statistic, (least, greatest)) is not None else ("beta-moments",)


def _between(statistic: Ratio, bounds: Bounds) -> BoundedUnits | None:
    """The units taken to [0, 1]; None where the ratio of one lies beyond the bounds, or its denominator is below 0."""
    least, greatest = bounds
    value, width = statistic.value, greatest - least
    largest = _largest(below for _, below in statistic.parts())
    if not 0 < largest < math.inf:
        return None

    def columns() -> Iterator[tuple[Floats, ...]]:
        for above, below in statistic.parts():
            above, sizes = above / largest, below / largest
            share, rest = (above - least * sizes) / width, (greatest * sizes - above) / width
            slack = SAME * max(abs(least), abs(greatest), width) / width * sizes
            beyond = (sizes < 0) | (share < -slack) | (rest < -slack)
            inside = share > slack, rest > slack
            distances = ((above - value * sizes) / width) ** 2
            yield sizes, sizes**2, distances, share, rest, *(each.astype(float) for each in (*inside, beyond))

    total, squares, about, share, rest, above, below, beyond = sums_of_parts(columns(), 8)
    n = total**2 / squares if squares else 0.0
    if beyond or not n > 1:
        return None
    about *= n / squares
    share, rest = max(share, 0.0) / total, max(rest, 0.0) / total
    return BoundedUnits(n, (share, about), (rest, about), n - 1, (round(above), round(below)))


def error_and_freedom(statistic: Ratio) -> tuple[float, float]:
    """The standard error and Satterthwaite's degrees of freedom, see `delta`; NaN for a single unit."""
    if statistic.n < 2 or statistic.reason:
        return math.nan, math.nan
    total = abs(_total(statistic))
    return cluster_error_of_parts(
        lambda: ((residuals / total, np.abs(below)) for residuals, below in _residuals(statistic)),
        weighted=statistic.weighted,
    )


def skew(statistic: Ratio) -> skewness.Skew:
    """Skewness of a ratio whose residuals r and denominators b go together: bends by ``-sum(r b) / (|r| sum(b))``."""
    largest = _largest(residuals for residuals, _ in _residuals(statistic))
    if not 0 < largest < math.inf:
        return skewness.Skew(0.0)
    total = _total(statistic)
    scaled = ((residuals / largest, below / abs(total)) for residuals, below in _residuals(statistic))
    # r * r * r, as numpy's power of a negative number is not always the negative of that of its opposite
    squares, cubes, bend = sums_of_parts(((r * r, r * r * r, r * below) for r, below in scaled), 3)
    length = math.sqrt(squares)
    third = cubes / length**3
    return skewness.Skew(-third if total < 0 else third, -bend / length)


@interval(
    "jackknife",
    Ratio,
    label="jackknife",
    source="Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462",
)
def jackknife(statistic: Ratio, request: Request) -> Limits:
    """``R +- t(n - 1) SE`` with ``SE^2 = (n - 1) / n sum((R_(i) - mean R_(i))^2)``, R_(i) the ratio without unit i."""
    return resample.jackknife(statistic.value, _without_each(statistic), request)


@interval("percentile", Ratio)
def percentile(statistic: Ratio, request: Request) -> Limits:
    """Percentile bootstrap over units, see `intervals.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


@interval("bca", Ratio)
def bca(statistic: Ratio, request: Request) -> Limits:
    """BCa bootstrap over units, see `intervals.resample.bca`."""
    without = _without_each(statistic)
    return resample.bca_by_jackknife(lambda: _replicates(statistic, request), statistic.value, without, request)


def _residuals(statistic: Ratio) -> Iterator[tuple[Floats, Floats]]:
    """Residuals and denominators, part by part."""
    for above, below in statistic.parts():
        yield above - statistic.value * below, below


def _total(statistic: Ratio) -> float:
    return sums_of_parts([below] for _, below in statistic.parts())[0]


def _largest(columns: Iterable[Floats]) -> float:
    return max(float(np.abs(column).max()) for column in columns)


def _uneven(statistic: Ratio) -> str:
    """The caution where sizes have a long tail and the ratio goes with the size."""
    # A sample then mostly lacks the largest units. Measured at .95 of 50 and 200 units: Pareto sizes (1.1, 1.5) covered
    # .35 to .66 where the ratio falls with the logarithm of the size, .97 to .99 where it does not.
    if statistic.weighted or statistic.n < FEWEST:
        return ""
    largest = _largest(below for _, below in statistic.parts())
    farthest = _largest(np.abs(residuals) for residuals, _ in _residuals(statistic)) or 1.0
    scaled = ((distances / farthest, below / largest) for distances, below in _residuals(statistic))
    columns = ((sizes, sizes**2, residuals**2, residuals * sizes) for residuals, sizes in scaled)
    total, length, lengths, together = sums_of_parts(columns, 4)
    if total**2 >= UNEVEN * statistic.n * length or together**2 <= TIED**2 * length * lengths:
        return ""
    return LONG_TAILED.format(statistic.unit)


def _without_each(statistic: Ratio) -> Floats:
    above, below = statistic.ordered
    return _quotient(above.sum() - above, below.sum() - below)


def _replicates(statistic: Ratio, request: Request) -> Floats:
    resample.check_replicates(request)
    pairs = np.column_stack(statistic.ordered)
    sums = kernels.resample_sums(pairs, replicates=request.replicates, seed=request.seed)
    return _quotient(sums[:, 0], sums[:, 1])


def _quotient(above: Floats, below: Floats) -> Floats:
    quotient: Floats = np.divide(above, below, out=np.full(len(above), math.nan), where=below != 0)
    return quotient


def _guarded(method: IntervalFunction, statistic: Ratio, request: Request) -> Limits:
    """The method, with the cases taken out in which the units show no spread."""
    n = statistic.n
    bounds = request.bounds if statistic.bounds is None else statistic.bounds
    if n == 1:
        return Limits.undefined(f"{plural(1, statistic.unit)} alone does not show its spread")
    if not np.isfinite(statistic.value):
        return Limits.undefined("a value is infinite")
    spread = _largest(residuals for residuals, _ in _residuals(statistic))
    if spread > 1e-12 * _largest(above for above, _ in statistic.parts()):
        found = method(statistic, replace(request, bounds=bounds))
        if not found.reason and not (math.isfinite(found.low) and math.isfinite(found.high)):
            return Limits.undefined(f"one {statistic.unit} alone makes up the denominator")
        return found.noting(statistic.caution, _uneven(statistic)).within(bounds)
    if min(float(below.min()) for _, below in statistic.parts()) < 0 or not all(map(math.isfinite, bounds)):
        return Limits.undefined(f"all {plural(n, statistic.unit)} have the same ratio: they show no spread")
    largest = _largest(below for _, below in statistic.parts())
    shares = (below / largest for _, below in statistic.parts())
    total, squares = sums_of_parts(((each, each**2) for each in shares), 2)
    effective = total**2 / squares
    return constant_limits(statistic.value, effective, replace(request, bounds=bounds)).within(bounds)


form(
    Ratio,
    "a ratio of sums",
    "delta",
    standard_error,
    choose=default,
    unavailable=unavailable,
    guard=_guarded,
    measured="coverage-hunt.md",
)
