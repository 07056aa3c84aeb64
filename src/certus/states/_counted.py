"""Samples as counts of labels and an order of scores: what metrics need whose rows do not fit into memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.data import Labels, Scores
from certus.data.marked import MarkedScores
from certus.metrics import Metric
from certus.states._batch import Field, of_system
from certus.states._cells import Cells
from certus.states._keyed import GROUPS, WEIGHT
from certus.states._memory import USUAL
from certus.states._quantiles import is_quantile
from certus.states._ranked import is_ranked
from certus.states._regressed import is_in_parts
from certus.states._rows import Labels as ColumnLabels
from certus.states._rows import Rows
from certus.states._saved import is_saved
from certus.states._spilled import Spilled
from certus.states._tables import PairsOfLabels
from certus.states._units import is_weighable
from certus.tasks import Task
from certus.tasks.classification.samples import Classified

if TYPE_CHECKING:
    from certus.states._state import State


ORDERED = ("AUC", "Gini", "GainCapture", "AP")
"""Metrics of scores that need their order only."""
WHOLE: dict[str, tuple[object, ...]] = {"max_fpr": (None, 1), "min_tpr": (None, 0), "interpolation": ("step",)}
"""The values of their parameters with which they do."""
MOST = 1000
"""Labels of truth and prediction of which a table is made, without the samples."""
PAIRED = [("y_pred", 0, False), ("y_true", 0, False)]
HELD = (("y_pred", 0, True), ("y_true", 0, True), ("y_score", 0, False))


def empty_rows(state: "State", summed: Sequence[Metric]) -> Rows:
    """The place of the rows of a state whose columns are known; `summed` are the metrics of which sums suffice."""
    width = len(state.held)
    if not state.exact:
        return Cells(width)
    keyed = state.held[0].name == "by" and state.metrics is not None and not state.rows
    if keyed and state.memory is not None:
        return Spilled(width, state.memory, keys=1)
    if in_parts(state, summed):
        return Spilled(width, state.memory or USUAL, keys=0)
    refusal = _refusal(state, state.held, summed)
    return Rows(width) if refusal and state.memory is None else Spilled(width, state.memory or USUAL, refusal)


def in_parts(state: "State", summed: Sequence[Metric]) -> bool:
    """True if all metrics of a state are sums, or are computed from rows that are read in parts."""
    listed = [] if state.metrics is None else [metric for metric in state.metrics if metric not in summed]
    if {GROUPS, WEIGHT} & {*state.held}:
        whole = state.systems is not None or state.rows or not listed or state.held[0].name == "by"
        return not whole and all(is_weighable(state.task, metric, state.held) for metric in listed)
    if state.systems is not None or state.rows or state.task.name == "classification" or not listed:
        return False
    paired = [tuple(field) for field in state.held] == PAIRED
    known = (is_in_parts, is_ranked, is_saved) if paired else ()
    return all(any(each(metric) for each in known) or is_quantile(state.task, metric, state.held) for metric in listed)


def _refusal(
    state: "State", held: Sequence[Field], summed: Sequence[Metric], known: Sequence[str] = (*ORDERED, "KS")
) -> str:
    """The name of the part of the call that needs all rows in memory at once; empty where none does."""
    if state.systems is not None:
        return "a comparison"
    if state.rows:
        return "rows=True"
    if state.task.name != "classification":
        return f"a state of {state.task.name}"
    if state.metrics is None:
        return "a report of the usual metrics"
    for field in held:
        if field not in HELD:
            return f"more than one column of {field.name}" if field.place else field.name
    for metric in state.metrics:
        told = metric.conventions
        whole = metric.name in known and all(told.get(name, some[0]) in some for name, some in WHOLE.items())
        if metric not in summed and not whole and Labels not in metric.takes:
            return str(metric)
    return "" if list(held[-1:]) == [HELD[-1]] else "the distinct pairs of labels"


def places_among(cuts: NDArray[np.float64], scores: NDArray[Any]) -> NDArray[np.float64]:
    """The places of scores among distinct ones in increasing order: 2i + 1 is the i-th from 0, 2i is before it.

    If the cuts are all scores of one class, the order of the places tells for each pair of samples, one of each class,
    which has the higher score, or that they are tied. AUC, Gini and GainCapture ask for nothing else; neither does AP
    if it is the positive class.
    """
    at = np.searchsorted(cuts, scores)
    places = 2.0 * at.astype(np.float64)
    if len(cuts):
        places += cuts[np.minimum(at, len(cuts) - 1)] == scores
    return places


def labels_of(rows: Spilled, labels: Mapping[Field, ColumnLabels]) -> dict[str, NDArray[Any]]:
    """The labels of the cells of rows in a file, in the order in which they came, by argument."""
    columns = zip(labels.items(), np.array(list(rows.cells), dtype=np.int64).T, strict=True)
    return {field.name: each.of(each.ordered(column)) for (field, each), column in columns}


def of_labels(state: "State") -> bool:
    """True if a state holds only pairs of labels, few enough to count in a table, and its metrics need no more."""
    if state.task.name != "classification" or state.rows or state.metrics is None or state.systems is not None:
        return False
    listed = [metric for metric in state.metrics if metric not in state._sums]
    return (
        [tuple(field) for field in state.held] == list(HELD[:2])
        and all(Labels in metric.takes for metric in listed)
        and sum(len(np.unique(column)) for column in state.settled()[0]) <= MOST
    )


class Outlook(NamedTuple):
    """The content that a state is going to have.

    Attributes
    ----------
    counts
        Nothing but how often labels came together.
    few
        Nothing but that and sums: some kilobytes of most data.
    unordered
        The name of the part of the call that needs more than the order of scores; empty where none does.
    unsummed
        The metrics of which sums of one value per sample do not suffice.
    """

    counts: bool
    few: bool
    unordered: str
    unsummed: list[Metric]

    @classmethod
    def of(cls, state: "State", names: Mapping[str, Any], systems: Mapping[str, Mapping[str, Any]] | None) -> Self:
        """The outlook for columns by the arguments that they are, see `certus.states.fill`."""
        own = [of_system(name, system) for system, each in (systems or {}).items() for name in each]
        fields = state._reader.fields([*names, *own])
        summed = state._summed(fields)
        held = state._held(fields, summed)
        few = "groups" not in names and all(field.labels for field in held)
        left = [metric for metric in state.metrics or () if metric not in summed]
        return cls(few and not summed and held == fields, few, _refusal(state, held, summed, ORDERED), left)


class Counted(Classified):
    """Samples of which it is known how many have each label, or both labels, and perhaps the order of their scores.

    Parameters
    ----------
    columns, counts
        The labels of each cell, by argument, and how many samples it has.
    conventions
        What every metric is told.
    rows, memory
        The samples, all of them in a file, and the bytes that what is computed of each may take, None being no limit;
        no rows where there are no scores.
    """

    def __init__(
        self,
        task: Task,
        columns: Mapping[str, NDArray[Any]],
        counts: NDArray[np.integer[Any]],
        conventions: Mapping[str, Any],
        rows: Spilled | None = None,
        memory: int | None = None,
    ) -> None:
        scores = {} if rows is None else {"y_score": np.zeros(len(counts))}
        super().__init__(task, {**columns, **scores}, conventions)
        self._n = int(counts.sum(dtype=np.int64))
        if rows is not None:
            positive = Scores.of(self.y_true, self.y_score, **self.conventions).truth
            marks = rows.marks(dict(zip(rows.cells, positive.tolist(), strict=True)))
            self._prepared_data[Scores,] = MarkedScores(marks, memory)
        if self.y_pred is not None:
            labels = Labels.of(self.y_true, self.y_pred, **self.conventions)
            table = np.zeros_like(labels.counts)
            np.add.at(table, (labels.true, labels.predicted), counts)
            self._prepared_data[Labels,] = replace(labels, _counts=table, n=self._n, _columns=None)

    def __len__(self) -> int:
        return self._n


def of_pairs(state: "State", pairs: PairsOfLabels) -> Counted:
    """The samples of a state as pairs of labels of samples with weights or groups."""
    predicted, true = pairs.cells.T
    columns = {
        name: labels.of(labels.ordered(numbers))
        for name, numbers in (("y_pred", predicted), ("y_true", true))
        for labels in [state._labels[Field(name, 0, True)]]
    }
    made = Counted(state.task, columns, np.ones(len(true), dtype=np.int64), state.conventions)
    of_cells = Labels.of(columns["y_true"], columns["y_pred"], **state.conventions)
    made._prepared_data[Labels,] = pairs.labels(
        of_cells, state._labels[GROUPS].ordered if GROUPS in state.held else np.asarray
    )
    made._n = state.n
    return made
