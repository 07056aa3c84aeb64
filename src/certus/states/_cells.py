"""Scores in memory that is bounded: rounded towards zero once they are many, and what is certain of them then."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, MetricNameError, called, keyword
from certus.metrics import Metric, declared
from certus.metrics.classification.at_threshold import ks
from certus.metrics.state_kinds import Order
from certus.states._batch import Field, named
from certus.states._rows import Column, Counts, Rows, distinct
from certus.tasks import Task

MOST = 1 << 17
"""Distinct pairs of label and score that are kept."""
SIZE = np.int64(2**63 - 1)
"""The bits of a float without its sign."""
SLACK = 1e-12
"""How far bounds are moved outward, which is more than rounding does to them."""


class Cells(Rows):
    """Rows whose scores lose their last bits where there would be more than `MOST` distinct ones.

    A score that loses bits moves towards zero, and none passes another one. The number of bits lost is the least that
    all rows together need, so that it does not depend on batches and their order.

    Attributes
    ----------
    lost
        How many bits.
    """

    def __init__(self, columns: int, lost: int = 0) -> None:
        super().__init__(columns)
        self.lost = lost

    def lose(self, lost: int) -> None:
        """Round as far as another state has."""
        if lost > self.lost:
            held, counts = self.counted
            self.lost = lost
            self.counted = distinct([self._rounded(column) for column in held], counts)

    def take(self, columns: list[Column], counts: Counts) -> None:
        """Count rows with those counted so far; round where they are many."""
        super().take([self._rounded(column) for column in columns], counts)
        if len(self.counted[0][0]) > MOST:
            self.lose(_needed(self.counted[0], MOST))
        self.repeated = True  # memory is bounded

    def _rounded(self, column: Column) -> Column:
        if column.dtype.kind != "f":
            return column
        bits = column.astype(np.float64).view(np.int64)
        # -0.0 is 0.
        return (bits >> self.lost << self.lost).view(np.float64) + 0.0 if self.lost else bits.view(np.float64)


def _needed(columns: Sequence[Column], most: int) -> int:
    """The bits that scores, which the sorted rows have last, must lose for at most so many distinct rows."""
    *labels, scores = columns
    bits = scores.view(np.int64)
    one, other = bits[:-1], bits[1:]
    # Numbers on both sides of zero become equal when both are 0.
    apart = np.where((one < 0) == (other < 0), one ^ other, (one | other) & SIZE)
    levels = _length(apart)
    for column in labels:
        levels[column[1:] != column[:-1]] = 64
    # With d bits lost two neighbours are distinct where they differ at a place from d on.
    distinct_rows = 1 + np.cumsum(np.bincount(levels, minlength=65)[::-1])[::-1]
    return int(np.argmax(np.append(distinct_rows[1:], 1) <= most))


def _length(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of bits of each number, none of them negative."""
    found = np.zeros(len(numbers), dtype=np.int64)
    left = numbers.copy()
    for step in (32, 16, 8, 4, 2, 1):
        more = left >= np.int64(1) << step
        found[more] += step
        left[more] >>= step
    return found + (left > 0)


def bounds_of(
    task: Task, metrics: Sequence[Metric], given: Mapping[str, Any], counts: Counts, conventions: Mapping[str, Any]
) -> dict[str, tuple[float, float]]:
    """The least and the greatest value of metrics, from rounded scores and counts; NaN without one of the classes."""
    told = {**conventions, "sample_weight": counts}
    steps = task.prepare()(ks, (given["y_true"], given["y_score"]), told).steps
    positive, negative = (np.asarray(each, dtype=np.float64) for each in (steps.positives, steps.negatives))
    found = {}
    for metric in metrics:
        low, high, kind = math.nan, math.nan, metric.state
        if positive.sum() and negative.sum() and isinstance(kind, Order) and kind.limits is not None:
            low, high = kind.limits(positive, negative)
        found[str(metric)] = (max(low - SLACK, 0.0), min(high + SLACK, 1.0)) if low == low else (low, high)
    return found


def check_bounded(task: Task, metrics: Sequence[Metric] | None, *, rows: bool) -> None:
    """Refuse metrics without bounds."""
    if rows:
        raise MetricNameError(
            f"keeps all scores, which {keyword('exact', False)} is not to",
            "give one of them",
            argument="rows",
            subject=keyword("rows", True),
        )
    if task.name == "classification" and metrics and all(map(_has_limits, metrics)):
        return
    names = ", ".join(str(metric) for metric in declared("classification") if _has_limits(metric))
    named = "the usual metrics" if metrics is None else ", ".join(map(str, metrics))
    raise MetricNameError(
        f"gives bounds of {names}, not of {named}",
        "leave it out",
        argument="exact",
        subject=keyword("exact", False),
    )


def _has_limits(metric: Metric) -> bool:
    """True if a metric with its usual conventions has limits of rounded scores."""
    return str(metric) == metric.name and isinstance(kind := metric.state, Order) and kind.limits is not None


def lost_bits(rows: Rows | None) -> int:
    """The bits that the scores of rows have lost."""
    if not isinstance(rows, Cells):
        return 0
    rows.settle()
    return rows.lost


def check_exact(rows: Rows | None) -> None:
    """Refuse rows whose scores were rounded."""
    if lost_bits(rows):
        raise DataError(f"scores were rounded, as {keyword('exact', False)} asks for", "bounds gives limits of them")


def check_fields(fields: Sequence[Field]) -> None:
    """Refuse columns of which bounds know nothing."""
    if [tuple(field) for field in fields] != [("y_true", 0, True), ("y_score", 0, False)]:
        raise DataError(
            f"is for {called('y_true')} and one column of {called('y_score')}, not for {named(fields)}",
            "leave it out",
            argument="exact",
            subject=keyword("exact", False),
        )
