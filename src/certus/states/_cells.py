"""Rows with scores in bounded memory: scores are rounded towards zero if there are too many distinct ones."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, MetricNameError, keyword, mention
from certus.metrics import Metric, declared
from certus.metrics.classification.at_threshold import ks
from certus.metrics.state_kinds import Order
from certus.states._batch import Field, name_fields
from certus.states._rows import Column, Counts, Rows, distinct
from certus.tasks import Task

MAX_PAIRS = 1 << 17
"""Distinct pairs of label and score that are kept."""
SIZE = np.int64(2**63 - 1)
"""The bits of a float without its sign."""
SLACK = 1e-12
"""How far bounds are moved outward, which is more than rounding does to them."""


class Cells(Rows):
    """Rows whose scores lose their last bits when there are more than `MAX_PAIRS` distinct ones.

    A score that loses bits moves towards zero, and none passes another one. The number of bits lost is the least that
    all rows together need, so that it does not depend on batches and their order.
    """

    def __init__(self, n_columns: int) -> None:
        super().__init__(n_columns)
        self.lost_bits = 0

    def lose(self, bits: int) -> None:
        """Round the scores as far as another state did."""
        if bits > self.lost_bits:
            columns, counts = self.distinct
            self.lost_bits = bits
            self.distinct = distinct([self._rounded(column) for column in columns], counts)

    def count(self, columns: list[Column], counts: Counts) -> None:
        """Merge rows into the distinct ones and add up counts; round if there are too many."""
        super().count([self._rounded(column) for column in columns], counts)
        if len(self.distinct[0][0]) > MAX_PAIRS:
            self.lose(_needed_loss(self.distinct[0], MAX_PAIRS))
        self.mostly_repeated = True  # memory is bounded

    def _rounded(self, column: Column) -> Column:
        """Clear the last bits of a float column, which rounds towards zero; other columns stay unchanged."""
        if column.dtype.kind != "f":
            return column
        bits = column.astype(np.float64).view(np.int64)
        # -0.0 is 0.
        shift = self.lost_bits
        return (bits >> shift << shift).view(np.float64) + 0.0 if shift else bits.view(np.float64)


def _needed_loss(columns: Sequence[Column], max_rows: int) -> int:
    """Number of bits that the scores (the last column) must lose to leave at most `max_rows` distinct rows."""
    *labels, scores = columns
    bits = scores.view(np.int64)
    left, right = bits[:-1], bits[1:]
    # Numbers on both sides of zero become equal when both are 0.
    differences = np.where((left < 0) == (right < 0), left ^ right, (left | right) & SIZE)
    levels = _bit_lengths(differences)
    for column in labels:
        levels[column[1:] != column[:-1]] = 64
    # With d bits lost two neighbours are distinct where they differ at a bit from d on.
    distinct_rows = 1 + np.cumsum(np.bincount(levels, minlength=65)[::-1])[::-1]
    return int(np.argmax(np.append(distinct_rows[1:], 1) <= max_rows))


def _bit_lengths(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Bit length of each nonnegative number."""
    lengths = np.zeros(len(numbers), dtype=np.int64)
    shifted = numbers.copy()
    for step in (32, 16, 8, 4, 2, 1):
        is_longer = shifted >= np.int64(1) << step
        lengths[is_longer] += step
        shifted[is_longer] >>= step
    return lengths + (shifted > 0)


def bounds_of(
    task: Task, metrics: Sequence[Metric], columns: Mapping[str, Any], counts: Counts, conventions: Mapping[str, Any]
) -> dict[str, tuple[float, float]]:
    """Least and greatest possible value of each metric for rounded scores; NaN if a class has no samples."""
    data, weighted = (columns["y_true"], columns["y_score"]), {**conventions, "sample_weight": counts}
    steps = task.prepare()(ks, data, weighted).steps
    positive, negative = (np.asarray(sums, dtype=np.float64) for sums in (steps.positives, steps.negatives))
    bounds = {}
    for metric in metrics:
        low, high, kind = math.nan, math.nan, metric.state
        if positive.sum() and negative.sum() and isinstance(kind, Order) and kind.limits is not None:
            low, high = kind.limits(positive, negative)
        bounds[str(metric)] = (max(low - SLACK, 0.0), min(high + SLACK, 1.0)) if low == low else (low, high)
    return bounds


def check_bounded(task: Task, metrics: Sequence[Metric] | None, *, rows: bool) -> None:
    """Refuse metrics for which no bounds can be computed."""
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
    requested = "the usual metrics" if metrics is None else ", ".join(map(str, metrics))
    raise MetricNameError(
        f"gives bounds of {names}, not of {requested}",
        "leave it out",
        argument="exact",
        subject=keyword("exact", False),
    )


def _has_limits(metric: Metric) -> bool:
    """True if bounds of the metric can be computed from rounded scores."""
    return str(metric) == metric.name and isinstance(kind := metric.state, Order) and kind.limits is not None


def lost_bits(rows: Rows | None) -> int:
    """Number of bits that the scores have lost."""
    if not isinstance(rows, Cells):
        return 0
    rows.settle()
    return rows.lost_bits


def check_exact(rows: Rows | None) -> None:
    """Refuse rows with rounded scores."""
    if lost_bits(rows):
        raise DataError(f"scores were rounded, as {keyword('exact', False)} asks for", "bounds gives limits of them")


def check_fields(fields: Sequence[Field]) -> None:
    """Refuse columns other than labels and one column of scores."""
    if [tuple(field) for field in fields] != [("y_true", 0, True), ("y_score", 0, False)]:
        raise DataError(
            f"is for {mention('y_true')} and one column of {mention('y_score')}, not for {name_fields(fields)}",
            "leave it out",
            argument="exact",
            subject=keyword("exact", False),
        )
