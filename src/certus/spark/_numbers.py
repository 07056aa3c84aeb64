"""Metrics of two columns that are computed in passes: workers make exact sums, no row is collected."""

import math
import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from certus.core.errors import DataError
from certus.metrics import Metric
from certus.metrics.state_kinds import InPasses
from certus.spark._workers import light
from certus.statistic import Influence
from certus.statistic.passes import Columns, Terms, Totals, Work, add_up, merged, read_together

ENOUGH = 1 << 16
"""Fewer rows than this are collected."""
ROWS = Terms(("true", "predicted"))
"""Sums by which the rows are known again."""


def of_numbers(metrics: Sequence[Metric], pairs: Any, collected: Callable[[Any], list[Any]]) -> dict[Metric, Influence]:
    """Metrics of two columns of numbers; none where a number is not finite, or where the rows have to be looked at."""
    first: list[Any] = []

    def read(works: Sequence[Work]) -> list[Totals]:
        made = collected(pairs.mapInArrow(partial(_worked, [ROWS, *works]), "totals binary"))
        if not made:
            raise DataError("the rows have to be looked at")
        rows, *totals = merged(pickle.loads(zlib.decompress(row.totals)) for row in made)
        found = rows.n, *rows.sums.rounded()
        first.append(found)
        if not all(map(math.isfinite, first[0])) or rows.n < ENOUGH:
            raise DataError("the rows have to be looked at")
        if found != first[0]:
            raise _ChangedError("the rows are others than in the first pass", "cache() the DataFrame")
        return totals

    forms = {metric: kind.make(metric.conventions) for metric in metrics if isinstance(kind := metric.state, InPasses)}
    try:
        read_together(list(forms.values()), read)
        return {metric: form.statistic(metric) for metric, form in forms.items()}
    except _ChangedError:
        raise
    except DataError:
        return {}


class _ChangedError(DataError):
    """A pass found other rows than the first."""


@light
def _worked(works: Sequence[Work], batches: Iterable[Any]) -> Iterator[Any]:
    """The totals of a partition."""
    pyarrow = import_module("pyarrow")
    columns: Iterator[Columns] = (
        tuple(column.to_numpy() for column in batch.columns) for batch in batches if len(batch)
    )
    made = zlib.compress(pickle.dumps(add_up(works, columns)), 1)
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array([made], pyarrow.binary())], ["totals"])
