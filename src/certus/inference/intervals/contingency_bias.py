"""Intervals for functions of cell counts whose value is biased by an amount that matters."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from certus.core.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.intervals import (
    contingency_resampling,
    contingency_variance,
    poisson_cells,
    resample,
    scale,
)
from certus.inference.intervals.contingency_resampling import cell_order
from certus.inference.intervals.contingency_variance import BLOCK, values
from certus.inference.intervals.memo import SMALL_TABLE, once_for_each
from certus.inference.special import normal_cdf, normal_quantile
from certus.statistic import TableFunction
from certus.statistic.table_function import Through

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


class Curvature(NamedTuple):
    """The effect of the function's curvature on its value, to second order."""

    bias: float
    """``tr(H S) / 2``, H the second derivatives and S the covariance of the cells."""
    variance: float
    """``tr(H S H S) / 2``: what is left of the variance where the first derivative vanishes."""


EXACT = 2.0**20
"""Moves of units are multiples of a part of 1 in this many: their sums are exact, in any order of the units."""
_STORED = 1024
"""Draws in the file normals.f8: the first of ``numpy.random.default_rng(0).standard_normal``."""


@lru_cache(maxsize=16)
def _normal(probes: int, cells: int) -> Floats:
    """The draws of the probes, which all tables of a size share."""
    if probes * cells > _STORED:
        return np.random.default_rng(0).standard_normal((probes, cells))
    normals = np.fromfile(Path(__file__).with_name("normals.f8"), "<f8", probes * cells)
    return normals.astype(np.float64).reshape(probes, cells)


@once_for_each
def curvature(statistic: TableFunction) -> Curvature:
    """Mean and variance of ``x' H x / 2``, with x the error of the cells, by random probes x that are seeded."""
    # Hutchinson (1990), Commun. Stat. Simul. Comput. 19(2):433-450, doi:10.1080/03610919008812866.
    value = float(values(statistic, statistic.counts.reshape(1, -1))[0])
    if not math.isfinite(value):
        return Curvature(math.nan, math.nan)
    bends = []
    function = statistic.function
    finish = function.finish if isinstance(function, Through) else function
    for tables, steps in _probes(statistic):
        with np.errstate(divide="ignore", invalid="ignore"):  # a table near to this one may have an infinite value
            values_of_pairs = np.asarray(finish(tables), dtype=np.float64).reshape(2, -1)
            bends.append((values_of_pairs.sum(axis=0) - 2 * value) / (2 * steps**2))
    bends_of_probes = bends[0] if len(bends) == 1 else np.concatenate(bends)
    bias = float(bends_of_probes.sum()) / len(bends_of_probes)
    if not math.isfinite(bias):
        return Curvature(math.nan, math.nan)
    deviations = bends_of_probes - bias
    return Curvature(bias, float(deviations @ deviations) / (len(deviations) - 1))


def _probes(statistic: TableFunction) -> Iterable[tuple[Any, Floats]]:
    """The view that the function has of tables on both sides of this one, and their parts of the moves, by blocks."""
    flat = statistic.counts.reshape(-1)
    view = _View(statistic.counts.shape, statistic.function.reduce if isinstance(statistic.function, Through) else None)
    grouped = statistic.parts if contingency_variance.clustered(statistic) else None
    if grouped is not None:
        units = np.random.default_rng(0).standard_normal(
            (_number_of_probes(max(statistic.size, grouped.size)), statistic.n)
        )
        units = np.round(units * EXACT) / EXACT
        ranks = contingency_resampling.ranks(statistic, grouped)
        return _tables_on_both_sides(flat, grouped.tables(units[:, ranks], len(flat)), view)
    squares = flat if statistic.squares is None else statistic.squares
    probes = _shared if len(flat) <= SMALL_TABLE else _independent
    order = cell_order(statistic, flat).cells
    return probes(flat.tobytes(), squares.tobytes(), order.tobytes(), _number_of_probes(statistic.size), view)


@dataclass(frozen=True)
class _View:
    """The view that a function has of tables that are given as rows of their cells."""

    shape: tuple[int, ...]
    reduce: Callable[[Floats], Any] | None

    def __call__(self, tables: Floats) -> Any:
        shaped = tables.reshape(-1, *self.shape)
        return shaped if self.reduce is None else self.reduce(shaped)


def _independent(counts: bytes, squares: bytes, order: bytes, number: int, view: _View) -> Iterator[tuple[Any, Floats]]:
    """Probes of a table whose units fill one cell each, drawn for its cells in the given order."""
    flat = np.frombuffer(counts)
    cells = np.frombuffer(order, dtype=np.int64)
    moves = np.zeros((number, len(flat)))
    moves[:, cells] = _normal(number, len(cells)) * np.sqrt(np.frombuffer(squares)[cells])
    return _tables_on_both_sides(flat, moves, view)


@lru_cache(maxsize=4)
def _shared(counts: bytes, squares: bytes, order: bytes, number: int, view: _View) -> tuple[tuple[Any, Floats], ...]:
    """The same, kept for the other metrics of the table: a report has nine of them."""
    return tuple(_independent(counts, squares, order, number, view))


def _tables_on_both_sides(flat: Floats, moves: Floats, view: _View) -> Iterator[tuple[Any, Floats]]:
    cells = np.flatnonzero(flat)
    with np.errstate(divide="ignore"):
        nearest = (flat[cells] / np.abs(moves[:, cells])).min(axis=1, initial=np.inf)
    steps = np.minimum(STEP, 0.5 * nearest)
    block_size = max(1, BLOCK // (2 * len(flat)))
    for first in range(0, len(moves), block_size):
        block = slice(first, first + block_size)
        change = steps[block, np.newaxis] * moves[block]
        tables = np.stack([flat - change, flat + change]).reshape(-1, len(flat))
        tables.flags.writeable = False
        yield view(tables), steps[block]


def _number_of_probes(n_normals: int) -> int:
    return min(max(BLOCK // (4 * n_normals), 8), PROBES)


def biased(statistic: TableFunction, error: float, bounds: tuple[float, float], *, sparse: bool) -> bool:
    """True if the bias is at least 0.15 of the standard error, or matters near a bound."""
    if poisson_cells.applies(statistic) and not scale.degenerate(statistic.value, error):
        return True
    if not statistic.curved:
        return False
    bias = curvature(statistic).bias
    room = _room(statistic.value, bias, bounds)
    if scale.degenerate(statistic.value, error):
        return room == 0 and abs(bias) > NOTHING
    times = SPARSE if sparse else 1
    part = abs(bias) / error
    return part >= MUCH * times or (part >= NOTICEABLE * times and abs(bias) >= NEAR * times * room)


def bias_aware(statistic: TableFunction, request: Request, error: float, quantile: float) -> Limits:
    """Limits about the value less its bias; the value itself always belongs to the interval.

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
    if poisson_cells.applies(statistic):
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
    """Limits about the value less its bias, which allow for cells that happen to be empty."""
    limit = _limit(statistic)
    smooth, unsmoothed = poisson_cells.moments(limit)
    bend = curvature(limit).variance if statistic.smooth else 0.0
    error = max(math.sqrt(smooth.variance), error)
    if limit.counts.size * np.count_nonzero(limit.counts) <= MOST_WORK:
        error = max(error, resample.jackknife_error(*contingency_resampling.without_each(limit)))
    value, bias = limit.value, smooth.bias
    if not math.isfinite(value + bias + error + bend):
        return Limits.undefined("the metric is undefined for tables near to this one")
    room, other = _room(value, bias, request.bounds), _room(value, -bias, request.bounds)
    if math.isfinite(room) and bias != 0 and room - abs(bias) <= other + abs(bias):
        limits = _from_bound(value, bias, error, bend, room, quantile)
    else:
        half = quantile * math.hypot(error, math.sqrt(bend))
        limits = scale.around(_corrected(value, bias, request.bounds), half, request.bounds)
    limits = _in_doubt(
        value, bias, request.bounds, limits, quantile * (bias - unsmoothed.bias if statistic.smooth else bias)
    )
    distance_below, distance_above = poisson_cells.distances(limit, request.tail)
    return Limits(
        min(limits.low, statistic.value, value - distance_below),
        max(limits.high, statistic.value, value + distance_above),
    )


def _limit(statistic: TableFunction) -> TableFunction:
    """The statistic, or what its function tends to."""
    return statistic if statistic.limit is None else TableFunction(statistic.counts, statistic.limit)


def _from_bound(value: float, bias: float, error: float, variance: float, room: float, quantile: float) -> Limits:
    """Limits by noncentral chi-square for the distance from the bound that the bias pushes the value away from."""
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
    """The limits with a doubt added to their distances from the value less its bias, by squares, and the value."""
    centre = _corrected(value, bias, bounds)
    low, high = min(limits.low, centre), max(limits.high, centre)
    low, high = centre - math.hypot(centre - low, doubt), centre + math.hypot(high - centre, doubt)
    return Limits(min(low, value), max(high, value))


def _corrected(value: float, bias: float, bounds: tuple[float, float]) -> float:
    """The value less its bias, or the bound beyond which that lies."""
    return min(max(value - bias, bounds[0]), bounds[1])


def _room(value: float, bias: float, bounds: tuple[float, float]) -> float:
    """The distance of the value from the bound that the bias pushes it away from."""
    return value - bounds[0] if bias > 0 else bounds[1] - value


def _noncentral(chi_square: float, freedom: float, tail: float) -> tuple[float, float]:
    """Limits for the noncentrality of a chi-square variable that was found; 0 where none is small enough."""
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
    """The jackknife's bias and standard error; in large tables the bias is that of halves of the samples."""
    if statistic.parts is not None or statistic.squares is None:
        cells = statistic.size
        left_out = np.count_nonzero(statistic.counts) if statistic.parts is None else min(statistic.n, 2000)
        if cells * left_out <= MOST_WORK:
            without, times = contingency_resampling.without_each(statistic)
            if not np.isnan(without).any():
                n = float(times.sum())
                bias = (n - 1) * (float((times * without).sum()) / n - statistic.value)
                bias = 0.0 if abs(bias) <= NOTHING * n else bias  # which side rounding takes says nothing
                return bias, resample.jackknife_error(without, times)
        elif statistic.parts is None:
            return _halves(statistic), error
    return second_order, error


def _halves(statistic: TableFunction) -> float:
    """The excess of the function of half of the samples over that of all."""
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
