"""Functions of cell counts, and estimates of them."""

from typing import Any

import numpy as np

from certus.inference import Estimate
from certus.statistic import TableFunction

BINARY = [[45, 15], [25, 15]]


def kappa(tables: Any) -> Any:
    """Cohen's kappa."""
    n = tables.sum(axis=(-2, -1))
    observed = np.trace(tables, axis1=-2, axis2=-1) / n
    expected = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / n**2
    return (observed - expected) / (1 - expected)


def accuracy(tables: Any) -> Any:
    return np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1))


def estimate(table: Any, function: Any = kappa, bounds: tuple[float, float] = (-1.0, 1.0), **fields: Any) -> Estimate:
    return Estimate(TableFunction(table, function, **fields), bounds=bounds)
