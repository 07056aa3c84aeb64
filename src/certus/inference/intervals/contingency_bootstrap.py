"""Bootstrap replicates of a function of cell counts."""

from collections.abc import Iterator

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.errors import CertusError
from certus.inference.interval import Request
from certus.inference.intervals import resample
from certus.inference.intervals.contingency_gradient import BLOCK, values
from certus.statistic import Cells

__all__ = ["blocks", "replicates"]


def blocks(request: Request, size: int) -> Iterator[slice]:
    """The replicates in slices, `size` numbers being held for each of them."""
    step = max(1, BLOCK // size)
    for first in range(0, request.replicates, step):
        yield slice(first, min(first + step, request.replicates))


def replicates(statistic: Cells, request: Request) -> Floats:
    """The function of tables of resampled units: multinomial counts where each unit fills one cell."""
    resample.check_replicates(request)
    flat = statistic.counts.reshape(-1)
    found = np.empty(request.replicates)
    if statistic.parts is None:
        if statistic.squares is not None:
            raise CertusError("the cells do not say which unit has which weight; take another interval method")
        filled = np.flatnonzero(flat)
        rng = np.random.default_rng(request.seed)
        for some in blocks(request, len(flat)):
            tables = np.zeros((some.stop - some.start, len(flat)))
            tables[:, filled] = rng.multinomial(statistic.n, flat[filled] / flat.sum(), len(tables))
            found[some] = values(statistic, tables)
        return found
    cells, units, weights = statistic.parts
    for some in blocks(request, max(len(flat), statistic.n)):
        tables = np.empty((some.stop - some.start, len(flat)))
        drawn = kernels.resample_counts(statistic.n, first=some.start, replicates=len(tables), seed=request.seed)
        for table, times in zip(tables, drawn, strict=True):
            added = times[units].astype(np.float64)
            table[:] = np.bincount(cells, added if weights is None else added * weights, minlength=len(flat))
        found[some] = values(statistic, tables)
    return found
