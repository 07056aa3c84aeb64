"""Quantiles of values that are sorted in a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError, keyword
from certus.evaluation.samples import keywords_of
from certus.metrics import Metric
from certus.states._batch import Field
from certus.states._file import File
from certus.states._keyed import columns_of_rows
from certus.states._losses import names_of
from certus.states._rows import Column, in_pieces
from certus.states._spilled import Spilled, beside
from certus.statistic import Quantile
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.states._state import State


QUANTILES: Mapping[str, Sequence[str]] = {
    "efficiency": ("Latency", "SpaceQuantile"),
    "regression": ("MaxError", "MedAE"),
    "values": ("Median",),
}
"""Metrics that are a quantile of one value per sample, by task."""


def is_quantile(task: Task, metric: Metric, fields: Sequence[Field]) -> bool:
    """True if a metric of some columns is a quantile that is computed from sorted values."""
    several = any(field.place for field in fields if field.name in names_of(task, metric))
    usual = metric.conventions.get("interpolation", "averaged_inverted_cdf") == "averaged_inverted_cdf"
    outputs = metric.conventions.get("multioutput", "uniform_average") == "uniform_average"
    return metric.name in QUANTILES.get(task.name, ()) and usual and outputs and not several


def quantiles_of(state: "State", rows: Spilled, metrics: Iterable[Metric]) -> dict[Metric, Quantile]:
    """The quantiles of the samples of a state, all of whose rows are in a file."""
    return {metric: _Sorted(state, rows, metric).statistic() for metric in metrics}


class _Sorted:
    """The values of a metric, in increasing order in a file."""

    def __init__(self, state: "State", rows: Spilled, metric: Metric) -> None:
        self.state, self.rows, self.metric = state, rows, metric
        self.names = names_of(state.task, metric)
        self.told = {name: value for name, value in state.conventions.items() if name in keywords_of(metric)}

    def _parts(self) -> Iterator[Quantile]:
        """The statistics of some samples each."""
        for columns, counts in self.rows.parts_of(()):
            for some in in_pieces(columns, counts):
                given: dict[str, Any] = columns_of_rows(self.state, self.state.held, some, None)
                data = tuple(given[name] for name in self.names)
                found = self.metric.compute(self.state.task.prepare()(self.metric, data, self.told))
                if not isinstance(found, Quantile):
                    raise DataError(
                        "it needs every value",
                        f"give more with {keyword('memory')}",
                        argument="memory",
                        subject="",
                        place=self.metric,
                    )
                yield found

    def statistic(self) -> Quantile:
        """The quantile of all."""
        q, unit = 0.5, "sample"

        def values() -> Iterator[list[Column]]:
            nonlocal q, unit
            for found in self._parts():
                q, unit = found.q, found.unit
                yield [found.values]

        ordered = sorted_values(values(), self.state.n, self.rows.memory)
        return Quantile.of_sorted(ordered, q, unit=unit)


def sorted_values(columns: Iterable[list[Column]], n: int, memory: int) -> Floats:
    """The n numbers of a column that comes in parts in increasing order, in a file."""
    rows = Spilled(1, beside(memory), keys=0)
    for column in columns:
        rows.make_room()
        rows.add(column)
    rows.spill(always=True)
    values = File().mapped(8 * n).view(np.float64)
    at = 0
    for _, (some,), counts in rows.merged({(): 0}):
        for (part,) in in_pieces([some], counts):
            values[at : at + len(part)] = part
            at += len(part)
    return values
