"""Intervals for functions of cell counts with a bias that is not negligible.

Cells that are empty may be filled in other samples, and few samples may decide: there counts are Poisson variables.
"""

import math
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.interval import Limits, Request, is_degenerate
from certus.inference.intervals import cell_functions, resample
from certus.inference.intervals.cell_functions import BLOCK, cell_order, slopes_at, values
from certus.inference.special import normal_cdf, normal_quantile
from certus.statistic import TableFunction
from certus.statistic.cached import once_for_each

MUCH = 0.15
"""Part of the standard error that a bias must reach to matter anywhere."""

NOTICEABLE, NEAR = 0.1, 0.05
"""Parts of the standard error, and of the distance from the bound it leaves, that a bias must reach near a bound."""

SPARSE = 5
"""Multiple of these parts that a bias must reach in sparse tables, which have methods of their own."""

NOTHING = 1e-12
GAUSSIAN = 1e4

PROBES = 64
STEP = 0.05
"""Part of a standard deviation of the cells by which they are moved to see the curvature."""

SPLITS = 4
"""Times that the samples are halved: of as many cells the mean hardly differs from one time to the next."""
MOST_SAMPLES = 1 << 20
"""Samples that are held to draw half of them."""
MOST_WORK = 1 << 21
"""Cells of all tables that the jackknife may look at; where it would take more, samples are split in halves."""


class ErrorMoments(NamedTuple):
    """Bias and variance of the value: to second order, or over simulated tables."""

    bias: float
    variance: float


EXACT = 2.0**20
"""Moves of units are multiples of a part of 1 in this many: their sums are exact, in any order of the units."""
_STORED = 1024
"""Draws in the file normals.f8: the first of ``numpy.random.default_rng(0).standard_normal``."""


@lru_cache(maxsize=16)
def _normal(probes: int, cells: int) -> Floats:
    """Normal draws for the probes, shared by all tables of the same size."""
    if probes * cells > _STORED:
        return np.random.default_rng(0).standard_normal((probes, cells))
    normals = np.fromfile(Path(__file__).with_name("normals.f8"), "<f8", probes * cells)
    return normals.astype(np.float64).reshape(probes, cells)


@once_for_each
def curvature(statistic: TableFunction) -> ErrorMoments:
    """Mean and variance of ``x' H x / 2``, x being the random error of the cells, by seeded random probes.

    With H the second derivatives and S the covariance of the cells the bias is ``tr(H S) / 2``, and the variance
    ``tr(H S H S) / 2`` is what is left where the first derivative vanishes.
    """
    # Hutchinson (1990), Commun. Stat. Simul. Comput. 19(2):433-450, doi:10.1080/03610919008812866.
    value = float(values(statistic, statistic.counts.reshape(1, -1))[0])
    if not math.isfinite(value):
        return ErrorMoments(math.nan, math.nan)
    bends = []
    for tables, steps in _probes(statistic):
        with np.errstate(invalid="ignore"):  # a table near to this one may have an infinite value
            bends.append((values(statistic, tables).reshape(2, -1).sum(axis=0) - 2 * value) / (2 * steps**2))
    bends_of_probes = np.concatenate(bends)
    bias = float(bends_of_probes.sum()) / len(bends_of_probes)
    if not math.isfinite(bias):
        return ErrorMoments(math.nan, math.nan)
    deviations = bends_of_probes - bias
    return ErrorMoments(bias, float(deviations @ deviations) / (len(deviations) - 1))


def _probes(statistic: TableFunction) -> Iterator[tuple[Floats, Floats]]:
    """Pairs of tables, this one plus and minus a random move, block by block; and the sizes of the moves."""
    flat = statistic.counts.reshape(-1)
    grouped = statistic.parts if cell_functions.clustered(statistic) else None
    if grouped is not None:
        number = _number_of_probes(max(statistic.size, grouped.size))
        units = np.round(np.random.default_rng(0).standard_normal((number, statistic.n)) * EXACT) / EXACT
        moves = grouped.tables(units[:, cell_functions.ranks(statistic, grouped)], len(flat))
    else:
        squares = flat if statistic.squares is None else statistic.squares.reshape(-1)
        cells, number = cell_order(statistic, flat).cells, _number_of_probes(statistic.size)
        moves = np.zeros((number, len(flat)))
        moves[:, cells] = _normal(number, len(cells)) * np.sqrt(squares[cells])
    cells = np.flatnonzero(flat)
    with np.errstate(divide="ignore"):
        nearest = (flat[cells] / np.abs(moves[:, cells])).min(axis=1, initial=np.inf)
    steps = np.minimum(STEP, 0.5 * nearest)
    for block in cell_functions.blocks(len(moves), 2 * len(flat)):
        change = steps[block, np.newaxis] * moves[block]
        yield np.stack([flat - change, flat + change]).reshape(-1, len(flat)), steps[block]


def _number_of_probes(n_normals: int) -> int:
    """Number of random tables on which a curvature is estimated; fewer for large tables."""
    return min(max(BLOCK // (4 * n_normals), 8), PROBES)


def biased(statistic: TableFunction, error: float, bounds: tuple[float, float], *, sparse: bool) -> bool:
    """True if the bias is at least 0.15 of the standard error, or matters near a bound."""
    if applies(statistic) and not is_degenerate(statistic.value, error):
        return True
    if not statistic.curved:
        return False
    bias = curvature(statistic).bias
    room = _room(statistic.value, bias, bounds)
    if is_degenerate(statistic.value, error):
        return room == 0 and abs(bias) > NOTHING
    times = SPARSE if sparse else 1
    part = abs(bias) / error
    return part >= MUCH * times or (part >= NOTICEABLE * times and abs(bias) >= NEAR * times * room)


def bias_aware(statistic: TableFunction, request: Request, error: float, quantile: float) -> Limits:
    """Limits around the value minus its bias, widened to include the value.

    The bias is the jackknife's. Where it pushes the value away from a finite bound, the distance from the bound,
    divided by a scale s, is taken for noncentral chi-square, with as many degrees of freedom d as make the bias
    ``s d``, and s such that the variance is the jackknife's: at small values of mutual information ``2 n MI`` is so,
    with s = 1 / (2 n) and d = (rows - 1) (columns - 1). Elsewhere it is ``value - bias +- z SE``, with the variance of
    the curvature added. How much the jackknife's estimate of the bias differs from that to second order counts as the
    error of both, which is added to the limits' distances by squares: it is large where most cells hold a sample or
    none.

    Where other samples might fill the empty cells, see `with_unseen`.

    Sources: Quenouille (1956), Biometrika 43:353-360; of mutual information Miller (1955), Information Theory in
    Psychology, 95-100.
    """
    if applies(statistic):
        return with_unseen(statistic, request, error, quantile)
    bend = curvature(statistic)
    if not math.isfinite(bend.bias):
        return Limits.undefined("the metric is undefined for tables near to this one")
    bias, error = _bias(statistic, bend.bias, error)
    doubt = quantile * (bias - bend.bias)
    room = _room(statistic.value, bias, request.bounds)
    if math.isfinite(room) and bias != 0:
        limits = _from_bound(statistic.value, bias, error, bend.variance, room, quantile)
    else:
        limits = Limits.around(statistic.value - bias, quantile * math.hypot(error, math.sqrt(bend.variance)))
    return _in_doubt(statistic.value, bias, request.bounds, limits, doubt)


def with_unseen(statistic: TableFunction, request: Request, error: float, quantile: float) -> Limits:
    """Limits around the value minus its bias, allowing for cells that are empty by chance."""
    limit = statistic if statistic.limit is None else TableFunction(statistic.counts, statistic.limit)
    smooth, unsmoothed = moments(limit)
    bend = curvature(limit).variance if statistic.smooth else 0.0
    error = max(math.sqrt(smooth.variance), error)
    if limit.counts.size * np.count_nonzero(limit.counts) <= MOST_WORK:
        error = max(error, resample.jackknife_error(*cell_functions.without_each(limit)))
    value, bias = limit.value, smooth.bias
    if not math.isfinite(value + bias + error + bend):
        return Limits.undefined("the metric is undefined for tables near to this one")
    room, other = _room(value, bias, request.bounds), _room(value, -bias, request.bounds)
    if math.isfinite(room) and bias != 0 and room - abs(bias) <= other + abs(bias):
        limits = _from_bound(value, bias, error, bend, room, quantile)
    else:
        half = quantile * math.hypot(error, math.sqrt(bend))
        limits = Limits.on_scale(_corrected(value, bias, request.bounds), half, request.bounds)
    limits = _in_doubt(
        value, bias, request.bounds, limits, quantile * (bias - unsmoothed.bias if statistic.smooth else bias)
    )
    distance_below, distance_above = distances(limit, request.tail)
    return Limits(
        min(limits.low, statistic.value, value - distance_below),
        max(limits.high, statistic.value, value + distance_above),
    )


def _from_bound(value: float, bias: float, error: float, variance: float, room: float, quantile: float) -> Limits:
    """Limits by a noncentral chi-square distribution of the distance to the bound opposite to the bias."""
    size = variance / (2 * abs(bias))
    if room > 0 and error**2 > NOTHING * variance:
        size = error**2 / (4 * room)
    size = max(size, abs(bias) * NOTHING)
    near, far = _noncentral(room / size, abs(bias) / size, normal_cdf(-quantile))
    sign = math.copysign(1.0, bias)
    bound = value - sign * room
    limits = bound + sign * size * near, bound + sign * size * far
    return Limits(min(limits), max(limits))


def _in_doubt(value: float, bias: float, bounds: tuple[float, float], limits: Limits, doubt: float) -> Limits:
    """Add the bias's uncertainty in squares to both limits' distances from the corrected value; include the value."""
    centre = _corrected(value, bias, bounds)
    low, high = min(limits.low, centre), max(limits.high, centre)
    low, high = centre - math.hypot(centre - low, doubt), centre + math.hypot(high - centre, doubt)
    return Limits(min(low, value), max(high, value))


def _corrected(value: float, bias: float, bounds: tuple[float, float]) -> float:
    """Value minus its bias, clipped to the bounds."""
    return min(max(value - bias, bounds[0]), bounds[1])


def _room(value: float, bias: float, bounds: tuple[float, float]) -> float:
    """Distance of the value from the bound that its bias pushes it away from."""
    return value - bounds[0] if bias > 0 else bounds[1] - value


def _noncentral(chi_square: float, freedom: float, tail: float) -> tuple[float, float]:
    """Limits for the noncentrality, given an observed chi-square; 0 if none is small enough."""
    from scipy.special import chndtr, chndtrinc, gammaincinv

    at_least_quartile = max(chi_square, 2 * float(gammaincinv(freedom / 2, 0.25)))
    if chi_square + freedom > GAUSSIAN:  # as good as normal, with the variance 2 d + 4 l, and the routines take long
        z = normal_quantile(tail)
        middles = [variable - freedom + 2 * z**2 for variable in (chi_square, at_least_quartile)]
        low, high = (abs(z) * math.sqrt(max(4 * (middle - z**2) + 2 * freedom, 0.0)) for middle in middles)
        return max(middles[0] - low, 0.0), max(middles[1] + high, 0.0)
    low, high = (
        float(chndtrinc(variable, freedom, p)) if float(chndtr(variable, freedom, 0.0)) > p else 0.0
        for variable, p in ((chi_square, 1 - tail), (at_least_quartile, tail))
    )
    return low, high


def _bias(statistic: TableFunction, second_order: float, error: float) -> tuple[float, float]:
    """Bias and standard error by the jackknife; for large tables the bias by half samples."""
    if statistic.parts is not None or statistic.squares is None:
        cells = statistic.size
        left_out = np.count_nonzero(statistic.counts) if statistic.parts is None else min(statistic.n, 2000)
        if cells * left_out <= MOST_WORK:
            without, times = cell_functions.without_each(statistic)
            if not np.isnan(without).any():
                n = float(times.sum())
                bias = (n - 1) * (float((times * without).sum()) / n - statistic.value)
                bias = 0.0 if abs(bias) <= NOTHING * n else bias  # which side rounding takes says nothing
                return bias, resample.jackknife_error(without, times)
        elif statistic.parts is None:
            return _halves(statistic), error
    return second_order, error


def _halves(statistic: TableFunction) -> float:
    """Mean value over random half samples, minus the value."""
    rng = np.random.default_rng(0)
    flat = statistic.counts.reshape(-1)
    order = cell_order(statistic, flat).cells
    counts = flat[order].astype(np.int64)
    # By counts numpy takes one sample after the other, and holds them all; by marginals one cell after the other.
    method: Any = "count" if statistic.n <= MOST_SAMPLES else "marginals"
    excesses = []
    for _ in range(SPLITS):
        half = rng.multivariate_hypergeometric(counts, statistic.n // 2, method=method)
        tables = np.zeros((2, len(flat)))
        tables[:, order] = half, counts - half
        excesses.append(float(values(statistic, tables).mean()) - statistic.value)
    return float(np.mean(excesses))


EXACT_RATE = 3.0
"""A cell that expects fewer samples than this has each number of them tried, any other two numbers."""

TAIL = 1e-4
"""Probability of more samples in a cell than are tried."""

MOST_OF_SINGLES = 0.9
"""Part of a cell with a single sample that may be given to the cells without any, at most."""

MOST_POISSON_WORK = 1 << 19
"""Cells of all tables that are looked at; where it would take more, some of the cells stand for all that are alike."""


def applies(statistic: TableFunction) -> bool:
    """True if samples are counted one by one, so that cells empty by chance can be estimated."""
    return statistic.fillable and statistic.contributions is None and statistic.squares is None


@once_for_each
def moments(statistic: TableFunction) -> tuple[ErrorMoments, ErrorMoments]:
    """Bias and variance over tables from `smoothed` counts, and over tables from the observed counts."""
    counts = statistic.counts.reshape(-1)
    return _moments(statistic, smoothed(counts)), _moments(statistic, counts)


def smoothed(counts: Floats) -> Floats:
    """Expected counts in which cells that are empty by chance get a part of the rare cells' samples."""
    # Of n samples with f1 cells of one and f2 of two, the unseen cells hold f1 (n - 1) f1 / ((n - 1) f1 + 2 f2): spread
    # evenly over the empty cells and taken from cells of c samples in proportion to c exp(-c).
    # Good (1953), Biometrika 40:237-264; Chao & Jost (2012), Ecology 93:2533-2547; Chao et al. (2015), Ecology
    # 96:1189-1201.
    n, once, twice = float(counts.sum()), int((counts == 1).sum()), int((counts == 2).sum())
    empty = counts == 0
    if not once or n < 2 or not empty.any():
        return counts
    missing = min(once * ((n - 1) * once / ((n - 1) * once + 2 * twice)), float(empty.sum()), n / 2)
    shares = counts * np.exp(-counts)
    moved_counts = min(missing / float(shares.sum()), MOST_OF_SINGLES * math.e) * shares
    return np.where(empty, float(moved_counts.sum()) / float(empty.sum()), counts - moved_counts)


def _moments(statistic: TableFunction, expected: Floats) -> ErrorMoments:
    """Bias and variance over tables whose cells are independent Poisson variables, cell by cell."""
    # Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462.
    value = float(values(statistic, expected[np.newaxis])[0])
    rates, rate_index = np.unique(expected, return_inverse=True)
    laws = [_law(rate) for rate in rates.tolist()]
    work = len(expected) * sum(
        len(law[0]) * number for law, number in zip(laws, np.bincount(rate_index).tolist(), strict=True)
    )
    step = -(-work // MOST_POISSON_WORK)
    bias = variance = 0.0
    for index, (counts, probabilities) in enumerate(laws):
        cells = np.flatnonzero(rate_index == index)
        sampled_cells = cells[::step]
        changes = values_with(statistic, expected, sampled_cells, counts) - value
        means = changes @ probabilities
        times = len(cells) / len(sampled_cells)
        bias += times * float(means.sum())
        variance += times * float((changes**2 @ probabilities - means**2).sum())
    return ErrorMoments(bias, max(variance, 0.0))


def values_with(statistic: TableFunction, expected: Floats, cells: NDArray[np.intp], counts: Floats) -> Floats:
    """Values of the function with one cell set to each of the counts; one row for each cell."""
    results = np.empty((len(cells), len(counts)))
    for block in cell_functions.blocks(len(cells), len(expected) * len(counts)):
        tables = np.broadcast_to(expected, (block.stop - block.start, len(counts), len(expected))).copy()
        tables[np.arange(len(tables)), :, cells[block]] = counts
        results[block] = values(statistic, tables.reshape(-1, len(expected))).reshape(len(tables), -1)
    return results


def _law(rate: float) -> tuple[Floats, Floats]:
    """Counts with probabilities: those of Poisson, or two points with its first three moments."""
    if rate >= EXACT_RATE:
        root = math.sqrt(1 + 4 * rate)
        step_up, step_down = (root + 1) / 2, (root - 1) / 2
        return rate + np.array([step_up, -step_down]), np.array([step_down, step_up]) / root
    probabilities = [math.exp(-rate)]
    while 1 - sum(probabilities) > TAIL:
        probabilities.append(probabilities[-1] * rate / len(probabilities))
    masses = np.array(probabilities)
    return np.arange(len(masses), dtype=np.float64), masses / masses.sum()


GAUSSIAN_EVENTS = 1e8
"""A sum of more events than this is as good as normal."""
MOST_ERRORS = 3.5
"""Errors of equal weight up to which a limit is widened."""


def distances(statistic: TableFunction, tail: float) -> tuple[float, float]:
    """Distances to the lower and upper limit, by limits for a weighted sum of Poisson counts."""
    # Fay & Feuer (1997), Stat. Med. 16(7):791-801, whose weights are all positive, and whose one more event has the
    # greatest of them.
    flat = statistic.counts.reshape(-1)
    slopes = slopes_at(statistic, statistic.counts).reshape(-1)
    empty = np.flatnonzero(flat == 0)
    step = -(-len(empty) * len(flat) // MOST_POISSON_WORK) or 1
    changes = values_with(statistic, flat, empty[::step], np.ones(1))[:, 0] - statistic.value
    downward, upward = (
        poisson_sum_distance(flat, sign * slopes, _typical(sign * changes[np.isfinite(changes)]), tail)
        for sign in (-1.0, 1.0)
    )
    return downward, upward


def poisson_sum_distance(counts: Floats, weights: Floats, more: float, tail: float) -> float:
    """Distance to the upper limit for the mean of a weighted Poisson sum; `more` weights one more event."""
    from scipy.special import gammainccinv

    variance = float((counts * weights**2).sum()) + more**2
    third = float((counts * weights**3).sum()) + more**3
    if third <= 0:
        return 0.0
    if variance**3 >= GAUSSIAN_EVENTS * third**2:
        return more - normal_quantile(tail) * math.sqrt(variance)
    events = variance * (variance / third) ** 2
    return more + third / variance * (float(gammainccinv(events, tail)) - events)


def _typical(changes: Floats) -> float:
    """Root mean square of the positive numbers; 0 without any."""
    positive = changes[changes > 0]
    return math.sqrt(float((positive**2).mean())) if len(positive) else 0.0


def widened(statistic: TableFunction, limits: Limits, request: Request) -> Limits:
    """Widen limits for few errors, by the exact Poisson limit of their number."""
    # Brown, Cai & DasGupta (2001), Stat. Sci. 16(2):101-133, section 4.1.1.
    counts = statistic.counts
    square = counts.ndim == 2 and counts.shape[0] == counts.shape[1]
    if statistic.parts is not None or statistic.squares is not None or not square or not math.isfinite(statistic.value):
        return limits
    wrong = counts * (1 - np.eye(len(counts)))
    if not 0 < wrong.sum() <= 2 * MOST_ERRORS:
        return limits
    perfect = float(values(statistic, counts - wrong)[0])
    if not math.isfinite(perfect):
        return limits
    weights = slopes_at(statistic, counts) * math.copysign(1.0, statistic.value - perfect)
    total, squared = float((wrong * weights).sum()), float((wrong * weights**2).sum())
    events = total**2 / squared if total > 0 else 0.0
    if not 0 < events <= MOST_ERRORS:
        return limits
    from scipy.special import gammaincinv

    part = float(gammaincinv(events, min(2 * request.tail, 0.5))) / events
    nearest = perfect + (statistic.value - perfect) * min(part, 1.0)
    return Limits(min(limits.low, nearest), max(limits.high, nearest), limits.reason)
