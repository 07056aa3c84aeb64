"""The samples of a state as an evaluation takes them: in memory, as counts, as an order, as sums, or by subgroup."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, called, keyword
from certus.core.missing import notice_of_words
from certus.core.note import Note
from certus.data import Labels, Scores
from certus.data.scores import MarkedScores
from certus.evaluation.binding import of_system
from certus.evaluation.cases import Average, Case, Item, Samples, Systems
from certus.inference import Estimate
from certus.inference.many.subgroups import SubgroupEstimate, straddling_reason
from certus.metrics import Metric
from certus.metrics.state_kinds import InPasses, Order, Ranks, SavedLoss
from certus.states._batch import GROUPS, WEIGHT, Field, columns_of_rows
from certus.states._cells import Cells
from certus.states._files import USUAL, in_words
from certus.states._rows import Cell, Column, Counts, Rows, Spilled, distinct, in_full
from certus.states._rows import Labels as ColumnLabels
from certus.states._runs import is_quantile, quantiles_of, ranked_of, saved_of
from certus.states._sums import ENOUGH_OF_A_CLASS, means_of
from certus.states._units import PairsOfLabels, is_weighable, weighed
from certus.statistic import Statistic
from certus.statistic.common import plural
from certus.statistic.passes import Totals, Work, add_up, read_together
from certus.tasks import Task
from certus.tasks.classification.samples import Classified

if TYPE_CHECKING:
    from certus.states._state import State

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
    return all(
        (paired and isinstance(metric.state, InPasses | Ranks | SavedLoss))
        or is_quantile(state.task, metric, state.held)
        for metric in listed
    )


def _refusal(state: "State", held: Sequence[Field], summed: Sequence[Metric], *, cuts: bool = False) -> str:
    """The name of the part of the call that needs all rows in memory at once; empty where none does.

    With `cuts` it is the part that needs more than the places of scores of one class among those of the other.
    """
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
        ordered = isinstance(kind := metric.state, Order) and (not cuts or kind.cuts != "")
        if metric not in summed and not ordered and Labels not in metric.input_types:
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
        and all(Labels in metric.input_types for metric in listed)
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
        return cls(few and not summed and held == fields, few, _refusal(state, held, summed, cuts=True), left)


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
            positive = Scores.from_arrays(self.y_true, self.y_score, **self.conventions).truth
            marks = rows.marks(dict(zip(rows.cells, positive.tolist(), strict=True)))
            self._prepared_data[Scores,] = MarkedScores(marks, memory)
        if self.y_pred is not None:
            labels = Labels.from_arrays(self.y_true, self.y_pred, **self.conventions)
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
    of_cells = Labels.from_arrays(columns["y_true"], columns["y_pred"], **state.conventions)
    made._prepared_data[Labels,] = pairs.labels(
        of_cells, state._labels[GROUPS].ordered if GROUPS in state.held else np.asarray
    )
    made._n = state.n
    return made


class Keyed(Samples):
    """The samples of a state with subgroups, all of them in a file, sorted by subgroup.

    Parameters
    ----------
    state, rows
        The state and its rows, whose cells are the subgroups.
    """

    def __init__(self, state: "State", rows: Spilled) -> None:
        self.task, self.data_columns, self.conventions = state.task, {}, dict(state.conventions)
        self.state, self.rows = state, rows
        self.fields = state.held[1:]
        self._refused: CertusError | None = None
        self._used = False

    def __len__(self) -> int:
        return self.state.n

    @cached_property
    def keys(self) -> list[tuple[Any, Cell]]:
        """The subgroups in their order, each with its cell."""
        labels = self.state._labels[self.state.held[0]]
        ordered = sorted((int(labels.ordered(np.array([key]))[0]), (key,)) for (key,) in self.rows.cells)
        names = labels.of(np.array([place for place, _ in ordered]))
        return list(zip(names.tolist(), (cell for _, cell in ordered), strict=True))

    @cached_property
    def _groups(self) -> tuple[int, int]:
        """The number of groups, and of those that have samples in several subgroups."""
        place = self.fields.index(GROUPS)
        parts = ([columns[place] for columns, _ in self.rows.parts_of(cell)] for _, cell in self.keys)
        found = [np.unique(np.concatenate([np.unique(column) for column in each])) for each in parts]
        groups = np.concatenate(found)
        groups.sort()
        again = groups[1:] == groups[:-1]
        return len(groups) - int(again.sum()), int((again & np.append(True, ~again)[:-1]).sum())

    @property
    def size_in_words(self) -> str:
        """The number of samples in words, with their weight and their groups."""
        parts = [plural(len(self), self.task.unit)]
        if WEIGHT in self.fields:
            place = self.fields.index(WEIGHT)
            each = (part for _, cell in self.keys for part in self.rows.parts_of(cell))
            sums = (rows[place].sum() if counts is None else rows[place] @ counts for rows, counts in each)
            parts.append(f"of total weight {math.fsum(sums):.10g}")
        if GROUPS in self.fields:
            parts.append(f"in {plural(self._groups[0], 'group')}")
        return " ".join(parts)

    def dependent(self, by: Any) -> str:
        """Why the subgroups are not independent; empty where they are."""
        del by
        return straddling_reason(self._groups[1]) if GROUPS in self.fields else ""

    def estimates_of_parts(self, by: Any, metrics: Sequence[Metric]) -> None:
        """None: one subgroup is evaluated after the other."""
        del by, metrics

    def sizes(self, by: Any) -> dict[str, float]:
        """The number of samples of each subgroup, or the sum of their weights."""
        del by
        if WEIGHT not in self.fields:
            samples = self.rows.samples()
            return {str(label): float(samples[cell]) for label, cell in self.keys}
        place, found = self.fields.index(WEIGHT), {}
        for label, cell in self.keys:
            columns, counts = self.rows.of_cell(cell)
            found[str(label)] = kernels.exact_sum(in_full(columns[place], counts).astype(np.float64))
        return found

    def compact_estimate(self, estimate: Estimate, level: float, seed: int, dependent: str) -> Estimate:
        """The estimate with its limits, without its samples."""
        return SubgroupEstimate.from_estimate(estimate, len(self.keys), level=level, seed=seed, dependent=dependent)

    def parts(self, by: Any) -> Iterator[tuple[str, Samples]]:
        """The samples of each subgroup, in the order of the subgroups."""
        del by
        for label, cell in self.keys:
            part = self._part(label, cell)
            yield str(label), part
            try:
                part.check_used(self.state.metrics or [])
                self._used = True
            except CertusError as error:
                self._refused = error

    def _part(self, label: Any, cell: Cell) -> Samples:
        blocks = [block for run in self.rows.cells[cell] for block in run]
        if sum(block.size for block in blocks) > self.rows.memory // 2:
            raise DataError(
                f"the {plural(sum(block.samples for block in blocks), self.task.unit)} of subgroup {label!r} do not "
                f"fit into {in_words(self.rows.memory)} of memory, and are evaluated together",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
            )
        columns, counts = self.rows.of_cell(cell)
        labels = [self.state._labels.get(field) for field in self.fields]
        ordered = [
            column if each is None else each.ordered(column) for each, column in zip(labels, columns, strict=True)
        ]
        given = columns_of_rows(self.state._labels, self.fields, *distinct(ordered, counts))
        data = {each.name: given[each.name] for each in self.task.data if each.name in given}
        told = {name: column for name, column in given.items() if name not in data} | self.conventions
        return self.task.samples()(self.task, data, told)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from any subgroup has had a use for."""
        del metrics
        if self._refused is not None and not self._used:
            raise self._refused

    def notices(self) -> Iterator[Note]:
        """Warnings about the labels, of which each pair that there is is looked at once, and about the subgroups."""
        samples = self.rows.samples()
        subgroups: dict[object, dict[str, int]] = {
            str(label): {called("by"): samples[cell]} for label, cell in self.keys
        }
        if (notice := notice_of_words(subgroups, "subgroups", "value")) is not None:
            yield notice
        places = [place for place, field in enumerate(self.fields) if field.name in ("y_true", "y_pred")]
        fields = [self.fields[place] for place in places]
        if self.task.name != "classification" or [field.name for field in fields] != ["y_pred", "y_true"]:
            return
        pairs: list[Column] = [np.zeros(0, dtype=np.int8)] * 2
        for _, cell in self.keys:
            for columns, _ in self.rows.parts_of(cell):
                own = [columns[place] for place in places]
                pairs = distinct([np.concatenate(each) for each in zip(pairs, own, strict=True)], None)[0]
        ordered = [self.state._labels[field].ordered(column) for field, column in zip(fields, pairs, strict=True)]
        some = columns_of_rows(self.state._labels, fields, ordered, None)
        yield from self.task.samples()(self.task, some, self.conventions).notices()


class Summed(Case):
    """Samples whose means are known.

    Parameters
    ----------
    task, means
        What they are of, and the means.
    size
        The number of samples in words.
    rows
        The samples for all other metrics, None where there are no others.
    """

    def __init__(self, task: Task, size: str, means: Mapping[Metric, Statistic], rows: Case | None) -> None:
        self.task, self.size, self.means, self.rows = task, size, means, rows

    @property
    def size_in_words(self) -> str:
        """The number of samples in words."""
        return self.size

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """Sums are kept of named metrics only."""
        raise DataError(f"no metrics are named, with {keyword('average', average)}", "name them")

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The estimate of a metric, or that of each class beside its label."""
        mean = self.means.get(metric)
        if mean is not None:
            bounds = getattr(mean, "bounds", None) or metric.bounds
            return iter([(None, Estimate(mean, str(metric), bounds, dict(metric.conventions)))])
        if self.rows is None:
            raise DataError(f"the state has no rows of {metric}", "make it with rows=True")
        return self.rows.estimates(metric)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse a keyword that no metric uses."""
        if self.rows is not None:
            self.rows.check_used([metric for metric in metrics if metric not in self.means] or metrics)

    def notices(self) -> Iterator[Note]:
        """The notices about the data."""
        return iter(()) if self.rows is None else self.rows.notices()

    def curves(self, level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """The curves of the samples, where there are rows."""
        return iter(()) if self.rows is None else self.rows.curves(level)

    def documents(self, number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """None: samples are not documents."""
        return ("", {}) if self.rows is None else self.rows.documents(number)

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """The tables of the samples, where there are rows."""
        return iter(()) if self.rows is None else self.rows.tables()


def _need_no_order(state: "State") -> bool:
    """True if metrics sort the scores that a state holds themselves, which need not be done before."""
    metrics = state.metrics or []
    columns = {field.name for field in state.held} == {"y_true", "y_score"}
    return bool(metrics) and columns and all(isinstance(metric.state, Order) for metric in metrics)


def systems_of(state: "State", name: str | None) -> tuple[Systems, Any]:
    """The samples, and the subgroup of each."""
    task, rows = state.task, state._rows
    needed = state.metrics is None or len(state._sums) < len(state.metrics)
    case: Case | None = None
    by = truth = None
    given: dict[str, Any]
    means: dict[Metric, Statistic] = {**state.found}
    size = ""
    if state.cuts is not None and isinstance(rows, Spilled):
        # Few rows, but of many samples, which are not to be written out in memory.
        rows.spill(always=(len(state.held) + np.float64().nbytes) * state.n > rows.memory)
    if isinstance(rows, Spilled) and rows.spill() and state.held[0].name == "by":
        case, by = Keyed(state, rows), state.held[0]
    elif isinstance(rows, Spilled) and rows.spill() and {GROUPS, WEIGHT} & {*state.held}:
        means, size, pairs = weighed(state, rows)
        case = None if pairs is None else of_pairs(state, pairs)
    elif isinstance(rows, Spilled) and rows.spill() and task.name != "classification":
        listed = [metric for metric in state.metrics or () if metric not in state._sums]
        quantiles = [metric for metric in listed if is_quantile(task, metric, state.held)]
        means |= quantiles_of(state, rows, quantiles)
        means |= saved_of(rows, (each for each in listed if isinstance(each.state, SavedLoss)))
        means |= ranked_of(rows, (each for each in listed if isinstance(each.state, Ranks)))
        means |= _in_passes(rows, [metric for metric in listed if metric not in means])
    elif isinstance(rows, Spilled) and rows.spill():
        given = labels_of(rows, state._labels)
        counts = np.array(list(rows.samples().values()))
        case = Counted(task, given, counts, state.conventions, rows, state.memory)
        truth = np.repeat(given["y_true"], np.minimum(counts, ENOUGH_OF_A_CLASS))
    elif rows is not None and (not needed or of_labels(state)):
        given, found = state.columns(repeated=False), state.settled()[1]
        counts = np.ones(len(given["y_true"]), dtype=np.int8) if found is None else found
        case = Counted(task, given, counts, state.conventions) if needed else None
        truth = np.repeat(given["y_true"], np.minimum(counts, ENOUGH_OF_A_CLASS))
    else:
        given = state.columns(sort=not _need_no_order(state))
        by, truth = given.pop("by", None), given.get("y_true")
        data = {each.name: given[each.name] for each in task.data if each.name in given}
        told = {key: column for key, column in given.items() if key not in data} | state.conventions
        case = task.samples()(task, data, told) if needed else None
    if state._sums or means or size:
        classes = truth if task.name == "classification" else None
        width = sum(field.name == "y_score" for field in state.fields or ())
        means |= means_of(task, state._sums, classes, width, state.conventions)
        size = size or (plural(state.n, task.unit) if case is None else case.size_in_words)
        case = Summed(task, size, means, case)
    return Systems(task, {} if case is None else {name or "predictions": case}), by


def _in_passes(rows: Spilled, metrics: list[Metric]) -> dict[Metric, Statistic]:
    """The statistics of metrics that are computed in passes over the truth and predictions of rows."""
    forms = {metric: kind.make(metric.conventions) for metric in metrics if isinstance(kind := metric.state, InPasses)}
    read_together(list(forms.values()), partial(_read, rows))
    return {metric: form.statistic(metric) for metric, form in forms.items()}


def _read(rows: Spilled, works: Sequence[Work]) -> list[Totals]:
    def wide(column: Column, counts: Counts) -> Floats:
        return np.asarray(in_full(column.astype(np.float64), counts))

    parts = rows.parts_of(())
    return add_up(works, ((wide(true, counts), wide(predicted, counts)) for (predicted, true), counts in parts))
