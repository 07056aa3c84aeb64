"""The behaviour of a function of cell counts over samples that might fill the cells that happen to be empty."""

import math
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.intervals.contingency_variance import BLOCK, values
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


_SEEN: WeakKeyDictionary[TableFunction, tuple[Moments, Moments]] = WeakKeyDictionary()


def applies(statistic: TableFunction) -> bool:
    """True if the empty cells of a table of whole samples may be filled in other samples."""
    return statistic.fillable and statistic.contributions is None and statistic.squares is None


def moments(statistic: TableFunction) -> tuple[Moments, Moments]:
    """Over samples from the table with a part for the cells not seen, see `smoothed`, and over those from the table."""
    found = _SEEN.get(statistic)
    if found is None:
        counts = statistic.counts.reshape(-1)
        found = _SEEN[statistic] = (_moments(statistic, smoothed(counts)), _moments(statistic, counts))
    return found


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
    taken = min(missing / float(shares.sum()), MOST_OF_SINGLES * math.e) * shares
    return np.where(empty, float(taken.sum()) / float(empty.sum()), counts - taken)


def _moments(statistic: TableFunction, expected: Floats) -> Moments:
    """Bias and variance over tables whose cells are Poisson variables, cell by cell."""
    # Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462.
    value = float(values(statistic, expected[np.newaxis])[0])
    rates, which = np.unique(expected, return_inverse=True)
    laws = [_law(rate) for rate in rates.tolist()]
    work = len(expected) * sum(
        len(law[0]) * number for law, number in zip(laws, np.bincount(which).tolist(), strict=True)
    )
    step = -(-work // MOST_WORK)
    bias = variance = 0.0
    for place, (counts, probabilities) in enumerate(laws):
        cells = np.flatnonzero(which == place)
        some = cells[::step]
        changes = values_with(statistic, expected, some, counts) - value
        means = changes @ probabilities
        times = len(cells) / len(some)
        bias += times * float(means.sum())
        variance += times * float((changes**2 @ probabilities - means**2).sum())
    return Moments(bias, max(variance, 0.0))


def values_with(statistic: TableFunction, expected: Floats, cells: NDArray[np.intp], counts: Floats) -> Floats:
    """The function of tables of which one cell has each of the counts: a row for each cell."""
    found = np.empty((len(cells), len(counts)))
    block = max(1, BLOCK // (len(expected) * len(counts)))
    for first in range(0, len(cells), block):
        some = cells[first : first + block]
        tables = np.broadcast_to(expected, (len(some), len(counts), len(expected))).copy()
        tables[np.arange(len(some)), :, some] = counts
        found[first : first + block] = values(statistic, tables.reshape(-1, len(expected))).reshape(len(some), -1)
    return found


def _law(rate: float) -> tuple[Floats, Floats]:
    """Numbers of samples and their probabilities: of Poisson's law, or two with its first three moments."""
    if rate >= EXACT:
        root = math.sqrt(1 + 4 * rate)
        above, below = (root + 1) / 2, (root - 1) / 2
        return rate + np.array([above, -below]), np.array([below, above]) / root
    probabilities = [math.exp(-rate)]
    while 1 - sum(probabilities) > TAIL:
        probabilities.append(probabilities[-1] * rate / len(probabilities))
    found = np.array(probabilities)
    return np.arange(len(found), dtype=np.float64), found / found.sum()
