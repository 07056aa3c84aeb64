"""Bootstrap replicates and the jackknife for a function of cell counts."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import CertusError
from certus.inference.interval import Limits, Request
from certus.inference.intervals import resample
from certus.inference.intervals.cell_order import cell_order
from certus.inference.intervals.contingency_variance import BLOCK, values
from certus.inference.special import t_quantile
from certus.statistic import TableFunction
from certus.statistic.common import irregular, unit_ranks
from certus.statistic.contributions import Parts


def blocks(request: Request, size: int) -> Iterator[slice]:
    """The replicates in slices, `size` numbers being held for each of them."""
    step = max(1, BLOCK // size)
    for first in range(0, request.replicates, step):
        yield slice(first, min(first + step, request.replicates))


def replicates(statistic: TableFunction, request: Request) -> Floats:
    """The function of tables of resampled units: multinomial counts where each unit fills one cell."""
    resample.check_replicates(request)
    flat = statistic.counts.reshape(-1)
    found = np.empty(request.replicates)
    if statistic.parts is None:
        if statistic.squares is not None:
            raise CertusError("the cells do not say which unit has which weight", "take another interval method")
        filled, mirrored = cell_order(statistic, flat)
        rng = np.random.default_rng(request.seed)
        for some in blocks(request, len(flat)):
            tables = np.zeros((some.stop - some.start, len(flat)))
            tables[:, filled] = rng.multinomial(statistic.n, flat[filled] / flat.sum(), len(tables))
            found[some] = values(statistic, tables)
        return np.concatenate([found, -found]) if mirrored else found
    rank = ranks(statistic, statistic.parts)
    for some in blocks(request, max(len(flat), statistic.n)):
        drawn = kernels.resample_counts(
            statistic.n, first=some.start, replicates=some.stop - some.start, seed=request.seed
        )
        found[some] = values(statistic, statistic.parts.tables(drawn[:, rank].astype(np.float64), len(flat)))
    return found


def ranks(statistic: TableFunction, parts: Parts) -> NDArray[np.int64]:
    """The rank of each unit by the cells that it fills, so that draws do not depend on the order of the units."""
    flat = statistic.counts.reshape(-1)
    cells = cell_order(statistic, flat).cells
    numbers = np.zeros(len(flat))
    numbers[cells] = irregular(np.arange(len(cells)))
    return unit_ranks(None, parts.by_unit(numbers, statistic.n))


GROUPS = 1000
"""Units that fill several cells are left out one by one up to twice this many; of more units, this many groups."""


def jackknife(statistic: TableFunction, request: Request) -> Limits:
    """``value +- t(n - 1) SE`` with the jackknife's standard error, each unit being left out in turn."""
    without, times = without_each(statistic)
    if np.isnan(without).any():
        return Limits.undefined(resample.NO_JACKKNIFE)
    n = float(times.sum())
    error = jackknife_error(without, times)
    if error <= 1e-12 * abs(statistic.value):
        return Limits.undefined("no unit makes a difference: they do not tell how far the value can be off")
    return Limits.around(statistic.value, -t_quantile(request.tail, n - 1) * error)


def jackknife_error(without: Floats, times: Floats) -> float:
    """The jackknife's standard error, from the function without each unit."""
    n = float(times.sum())
    mean = float((times * without).sum()) / n
    with np.errstate(invalid="ignore"):  # a function that is infinite without some unit has no spread
        return math.sqrt((n - 1) / n * float((times * (without - mean) ** 2).sum()))


def without_each(statistic: TableFunction) -> tuple[Floats, Floats]:
    """The function without a unit, and how many units it is the same for."""
    flat = statistic.counts.reshape(-1)
    if statistic.parts is None:
        filled = np.flatnonzero(flat)
        found = np.empty(len(filled))
        step = max(1, BLOCK // len(flat))
        for first in range(0, len(filled), step):
            some = filled[first : first + step]
            tables = np.broadcast_to(flat, (len(some), len(flat))).copy()
            tables[np.arange(len(some)), some] -= 1
            found[first : first + step] = values(statistic, tables)
        return found, flat[filled]
    n = statistic.n
    groups = ranks(statistic, statistic.parts)
    if n > 2 * GROUPS:
        groups = np.random.default_rng(0).permutation(n)[groups] % GROUPS
    of_groups = statistic.parts.by_group(groups, len(flat))
    found = np.empty(int(groups.max()) + 1)
    step = max(1, BLOCK // (16 * len(flat)))
    for first in range(0, len(found), step):
        part = found[first : first + step]
        tables = flat - of_groups(first, first + len(part))
        # What is left of a cell whose units are all taken out is rounding.
        tables[tables <= 1e-12 * flat] = 0.0
        part[:] = values(statistic, tables)
    return found, np.ones(len(found))
