"""A function of Poisson cell counts: empty cells that other samples may fill, and few samples that decide."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.intervals.contingency_variance import BLOCK, slopes_at, values
from certus.inference.intervals.memo import once_for_each
from certus.inference.special import normal_quantile
from certus.statistic import TableFunction

EXACT = 3.0
"""A cell that expects fewer samples than this has each number of them tried, any other two numbers."""

TAIL = 1e-4
"""Probability of more samples in a cell than are tried."""

MOST_OF_SINGLES = 0.9
"""Part of a cell with a single sample that may be given to the cells without any, at most."""

MOST_WORK = 1 << 19
"""Cells of all tables that are looked at; where it would take more, some of the cells stand for all that are alike."""


class Moments(NamedTuple):
    """Moments of the error of the value, over samples from a table."""

    bias: float
    variance: float


def applies(statistic: TableFunction) -> bool:
    """True if the empty cells of a table of whole samples may be filled in other samples."""
    return statistic.fillable and statistic.contributions is None and statistic.squares is None


@once_for_each
def moments(statistic: TableFunction) -> tuple[Moments, Moments]:
    """Over samples from the table with a part for the cells not seen, see `smoothed`, and over those from the table."""
    counts = statistic.counts.reshape(-1)
    return _moments(statistic, smoothed(counts)), _moments(statistic, counts)


def smoothed(counts: Floats) -> Floats:
    """The samples that the cells expect, some of them in cells that have none."""
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


def _moments(statistic: TableFunction, expected: Floats) -> Moments:
    """Bias and variance over tables whose cells are Poisson variables, cell by cell."""
    # Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462.
    value = float(values(statistic, expected[np.newaxis])[0])
    rates, rate_index = np.unique(expected, return_inverse=True)
    laws = [_law(rate) for rate in rates.tolist()]
    work = len(expected) * sum(
        len(law[0]) * number for law, number in zip(laws, np.bincount(rate_index).tolist(), strict=True)
    )
    step = -(-work // MOST_WORK)
    bias = variance = 0.0
    for index, (counts, probabilities) in enumerate(laws):
        cells = np.flatnonzero(rate_index == index)
        sampled_cells = cells[::step]
        changes = values_with(statistic, expected, sampled_cells, counts) - value
        means = changes @ probabilities
        times = len(cells) / len(sampled_cells)
        bias += times * float(means.sum())
        variance += times * float((changes**2 @ probabilities - means**2).sum())
    return Moments(bias, max(variance, 0.0))


def values_with(statistic: TableFunction, expected: Floats, cells: NDArray[np.intp], counts: Floats) -> Floats:
    """The function of tables of which one cell has each of the counts: a row for each cell."""
    results = np.empty((len(cells), len(counts)))
    block = max(1, BLOCK // (len(expected) * len(counts)))
    for first in range(0, len(cells), block):
        block_cells = cells[first : first + block]
        tables = np.broadcast_to(expected, (len(block_cells), len(counts), len(expected))).copy()
        tables[np.arange(len(block_cells)), :, block_cells] = counts
        results[first : first + block] = values(statistic, tables.reshape(-1, len(expected))).reshape(
            len(block_cells), -1
        )
    return results


def _law(rate: float) -> tuple[Floats, Floats]:
    """Numbers of samples and their probabilities: of Poisson's law, or two with its first three moments."""
    if rate >= EXACT:
        root = math.sqrt(1 + 4 * rate)
        step_up, step_down = (root + 1) / 2, (root - 1) / 2
        return rate + np.array([step_up, -step_down]), np.array([step_down, step_up]) / root
    probabilities = [math.exp(-rate)]
    while 1 - sum(probabilities) > TAIL:
        probabilities.append(probabilities[-1] * rate / len(probabilities))
    masses = np.array(probabilities)
    return np.arange(len(masses), dtype=np.float64), masses / masses.sum()


GAUSSIAN = 1e8
"""A sum of more events than this is as good as normal."""
MOST_ERRORS = 3.5
"""Errors of equal weight up to which a limit is widened."""


def distances(statistic: TableFunction, tail: float) -> tuple[float, float]:
    """Distances below and above the value that the function may have, by a weighted sum of Poisson counts."""
    # Fay & Feuer (1997), Stat. Med. 16(7):791-801, whose weights are all positive, and whose one more event has the
    # greatest of them.
    flat = statistic.counts.reshape(-1)
    slopes = slopes_at(statistic, statistic.counts).reshape(-1)
    empty = np.flatnonzero(flat == 0)
    step = -(-len(empty) * len(flat) // MOST_WORK) or 1
    changes = values_with(statistic, flat, empty[::step], np.ones(1))[:, 0] - statistic.value
    downward, upward = (
        of_sum(flat, sign * slopes, _typical(sign * changes[np.isfinite(changes)]), tail) for sign in (-1.0, 1.0)
    )
    return downward, upward


def of_sum(counts: Floats, weights: Floats, more: float, tail: float) -> float:
    """The most that the mean of weighted Poisson counts may exceed their sum, with one event more, of weight `more`."""
    from scipy.special import gammainccinv

    variance = float((counts * weights**2).sum()) + more**2
    third = float((counts * weights**3).sum()) + more**3
    if third <= 0:
        return 0.0
    if variance**3 >= GAUSSIAN * third**2:
        return more - normal_quantile(tail) * math.sqrt(variance)
    events = variance * (variance / third) ** 2
    return more + third / variance * (float(gammainccinv(events, tail)) - events)


def _typical(changes: Floats) -> float:
    """The root mean square of those that are positive; 0 without any."""
    positive = changes[changes > 0]
    return math.sqrt(float((positive**2).mean())) if len(positive) else 0.0


def widened(statistic: TableFunction, limits: Limits, request: Request) -> Limits:
    """Limits that reach as far towards the value without errors as the Poisson law of the errors does."""
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
