"""Explained variance and correlations of two columns: workers make exact sums in four passes, no row is collected."""

import math
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from certus import kernels
from certus.errors import DataError
from certus.metrics import Metric
from certus.spark._workers import light
from certus.states import Pairs, Work, merged_sums, statistics_of
from certus.statistic import Influence

ENOUGH = 1 << 16
"""Fewer rows than this are collected."""


def of_numbers(metrics: Sequence[Metric], pairs: Any, collected: Callable[[Any], list[Any]]) -> dict[Metric, Influence]:
    """Metrics of two columns of numbers; none where a number is not finite, or where the rows have to be looked at.

    Parameters
    ----------
    metrics
        Those of `certus.states.is_in_parts`.
    pairs
        A DataFrame of truth and predictions, floats of which none is null.
    collected
        Collects the rows of a DataFrame that workers make.
    """
    seen: list[list[float]] = []

    def run(work: Work) -> list[Any]:
        made = collected(pairs.mapInArrow(partial(_worked, work), "sums binary"))
        if not made or any(row.sums is None for row in made):
            raise DataError("the rows have to be looked at")
        every, sums = zip(*(pickle.loads(row.sums) for row in made), strict=True)
        (totals,) = merged_sums(every)
        seen.append(totals.rounded())
        if not all(map(math.isfinite, seen[0])):
            raise DataError("a row has to be named")
        if seen[-1] != seen[0]:
            raise _ChangedError("the rows are others than in the first pass", "cache() the DataFrame")
        return merged_sums(sums)

    try:
        return statistics_of(run, metrics, ENOUGH)
    except _ChangedError:
        raise
    except DataError:
        return {}


class _ChangedError(DataError):
    """A pass found other rows than the first."""


@light
def _worked(work: Work, batches: Iterable[Any]) -> Iterator[Any]:
    """The sums of the columns of a partition, by which its rows are known again, and what the work makes of them."""
    pyarrow = import_module("pyarrow")
    totals = kernels.ExactSums(2)

    def pairs() -> Pairs:
        for batch in batches:
            if len(batch):
                true, predicted = (column.to_numpy() for column in batch.columns)
                totals.add(0, true)
                totals.add(1, predicted)
                yield true, predicted

    try:
        made = pickle.dumps(([totals], work(pairs())))
    except DataError:
        made = None
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array([made], pyarrow.binary())], ["sums"])
