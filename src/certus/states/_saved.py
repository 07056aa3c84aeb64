"""The part of a loss that predictions save against the best constant, of numbers that lie in a file."""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.data import Targets
from certus.errors import DataError, keyword
from certus.metrics import Metric
from certus.metrics.regression.d2 import NOTHING_TO_SAVE, loss_of
from certus.metrics.regression.deviance import check_domain, check_power
from certus.states._file import Pairs
from certus.states._quantiles import sorted_values
from certus.states._regressed import is_usual
from certus.states._roots import PartSaved
from certus.states._rows import in_pieces
from certus.states._spilled import Spilled
from certus.statistic import Influence, Quantile

SAVED = ("D2AbsoluteError", "D2Pinball", "D2Tweedie")
MODERATE = 1e60
"""Sums of losses from one over this to this are those that numbers have in memory, too."""


def is_saved(metric: Metric) -> bool:
    """True if a metric of one output is the part of a loss that is saved."""
    return is_usual(metric, SAVED)


def saved_of(rows: Spilled, metrics: Iterable[Metric]) -> dict[Metric, Influence]:
    """The parts of metrics, of the columns of predictions and truth that rows have."""
    return {metric: _statistic(rows, metric) for metric in metrics}


def _samples(rows: Spilled) -> Iterator[tuple[Floats, Floats]]:
    """Truth and prediction, part by part."""
    for columns, counts in rows.parts_of(()):
        for predicted, true in in_pieces([column.astype(np.float64) for column in columns], counts):
            yield true, predicted


def _statistic(rows: Spilled, metric: Metric) -> Influence:
    loss, alpha = loss_of(metric.name, metric.conventions)
    n, sums, power = 0, kernels.ExactSums(1), metric.conventions.get("power", 0.0)
    low, high = math.inf, -math.inf
    check_power(power)
    for true, predicted in _samples(rows):
        if alpha is None:
            check_domain(Targets.of(true, predicted), power)
        n += len(true)
        sums.add(0, true)
        low, high = min(low, float(true.min())), max(high, float(true.max()))
    constant = min(max(sums.rounded()[0] / n, low), high)
    if alpha is not None:
        values = sorted_values(([true] for true, _ in _samples(rows)), n, rows.memory)
        constant = Quantile.of_sorted(values, alpha).value
    pairs, totals = Pairs(), kernels.ExactSums(2)
    if alpha is None and power < 0 and constant <= 0:
        reason = f"the mean of the targets is {constant:g}; a deviance of power {power:g} needs a constant above 0"
        return PartSaved(metric, math.nan, n, pairs).statistic(reason)
    for true, predicted in _samples(rows):
        lost, whole = loss(true, predicted), loss(true, np.full(len(true), constant))
        pairs.add(lost, whole)
        totals.add(0, lost)
        totals.add(1, whole)
    lost_in_all, whole_in_all = totals.rounded()
    if not whole_in_all:
        return PartSaved(metric, math.nan, n, pairs).statistic(NOTHING_TO_SAVE)
    if not (1 / MODERATE < whole_in_all < MODERATE and lost_in_all < MODERATE):
        raise DataError(
            "numbers as large or small as these need every row",
            f"give more with {keyword('memory')}",
            argument="memory",
            subject="",
            place=metric,
        )
    return PartSaved(metric, 1 - lost_in_all / whole_in_all, n, pairs).statistic("")
