"""Samples of a state as an evaluation needs them: columns, counts, sorted scores, sums, or by subgroup."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, keyword, memory_error, mention
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
from certus.states._batch import GROUPS, WEIGHT, Field, columns_of_rows, rows_in_label_order
from certus.states._cells import Cells
from certus.states._files import DEFAULT_MEMORY, in_words
from certus.states._rows import Cell, Column, Counts, LabelCodes, Rows, Spilled, distinct, repeat
from certus.states._runs import is_quantile, quantile, rank_correlation, saved_part
from certus.states._sums import ENOUGH_OF_A_CLASS, means_of
from certus.states._units import LabelPairs, is_weighable, unit_statistics
from certus.statistic import Statistic
from certus.statistic.common import plural
from certus.statistic.passes import Totals, Work, read_together, sum_works
from certus.tasks import Task
from certus.tasks.classification.samples import Classified

if TYPE_CHECKING:
    from certus.states._state import State

MAX_LABELS = 1000
"""Labels of truth and prediction of which a table is made, without the samples."""
PAIRED = [("y_pred", 0, False), ("y_true", 0, False)]
FIELDS_OF_COUNTS = (("y_pred", 0, True), ("y_true", 0, True), ("y_score", 0, False))


def empty_rows(state: "State", additive: Sequence[Metric]) -> Rows:
    """Empty rows for the columns of a state, in memory or in a file; `additive` metrics need no rows."""
    width = len(state.row_fields)
    if not state.exact:
        return Cells(width)
    memory = state.memory or DEFAULT_MEMORY
    has_subgroups = state.row_fields[0].name == "by" and state.metrics is not None and not state.rows
    if has_subgroups and state.memory is not None:
        return Spilled(width, memory, keys=1)
    if _is_read_in_parts(state, additive):
        return Spilled(width, memory, keys=0)
    refusal = _refusal(state, state.row_fields, additive)
    return Rows(width) if refusal and state.memory is None else Spilled(width, memory, refusal)


def _is_read_in_parts(state: "State", additive: Sequence[Metric]) -> bool:
    """True if every metric can be computed from sums, or from rows that are read block by block."""
    metrics = [] if state.metrics is None else [metric for metric in state.metrics if metric not in additive]
    if state.systems is not None or state.rows or not metrics:
        return False
    if {GROUPS, WEIGHT} & {*state.row_fields}:
        has_subgroups = state.row_fields[0].name == "by"
        return not has_subgroups and all(is_weighable(state.task, metric, state.row_fields) for metric in metrics)
    if state.task.name == "classification":
        return False
    is_paired = [tuple(field) for field in state.row_fields] == PAIRED
    return all(
        (is_paired and isinstance(metric.state, InPasses | Ranks | SavedLoss))
        or is_quantile(state.task, metric, state.row_fields)
        for metric in metrics
    )


def _refusal(state: "State", fields: Sequence[Field], additive: Sequence[Metric]) -> str:
    """The option or metric that needs all rows in memory at once; empty if nothing does."""
    if state.systems is not None:
        return "a comparison"
    if state.rows:
        return "rows=True"
    if state.task.name != "classification":
        return f"a state of {state.task.name}"
    if state.metrics is None:
        return "a report of the usual metrics"
    for field in fields:
        if field not in FIELDS_OF_COUNTS:
            return f"more than one column of {field.name}" if field.column else field.name
    for metric in state.metrics:
        if metric not in additive and not isinstance(metric.state, Order) and Labels not in metric.input_types:
            return str(metric)
    return "" if list(fields[-1:]) == [FIELDS_OF_COUNTS[-1]] else "the distinct pairs of labels"


def _labels_of_cells(rows: Spilled, labels: Mapping[Field, LabelCodes]) -> dict[str, NDArray[Any]]:
    """Labels of each cell in a file, by argument, in the order of the cells."""
    columns = zip(labels.items(), np.array(list(rows.cells), dtype=np.int64).T, strict=True)
    return {field.name: codes.decode(codes.ordered(column)) for (field, codes), column in columns}


def _has_label_pairs_only(state: "State") -> bool:
    """True if the state only has pairs of labels, few enough for a table, and its metrics need no more."""
    if state.task.name != "classification" or state.rows or state.metrics is None or state.systems is not None:
        return False
    return (
        [tuple(field) for field in state.row_fields] == list(FIELDS_OF_COUNTS[:2])
        and all(Labels in metric.input_types for metric in state.metrics if metric not in state._sums)
        and sum(len(np.unique(column)) for column in state.distinct_rows()[0]) <= MAX_LABELS
    )


class Outlook(NamedTuple):
    """The content that a state with given columns will have.

    `has_counts_only`: it only counts pairs of labels. `is_small`: it only has these counts and sums, some kilobytes
    of most data. `not_additive` are the metrics for which sums of one value per sample do not suffice.
    """

    has_counts_only: bool
    is_small: bool
    not_additive: list[Metric]

    @classmethod
    def from_columns(
        cls, state: "State", names: Mapping[str, Any], systems: Mapping[str, Mapping[str, Any]] | None
    ) -> Self:
        """Outlook for columns with these arguments, see `certus.states.fill`."""
        system_names = [of_system(name, system) for system, columns in (systems or {}).items() for name in columns]
        fields = state._reader.fields([*names, *system_names])
        additive = state._additive_metrics(fields)
        row_fields = state._row_fields(fields, additive)
        is_small = "groups" not in names and all(field.labels for field in row_fields)
        not_additive = [metric for metric in state.metrics or () if metric not in additive]
        has_counts_only = is_small and not additive and row_fields == fields
        return cls(has_counts_only, is_small, not_additive)


class CountedSamples(Classified):
    """Samples known by the count of each label (or pair of labels), and perhaps by their sorted scores.

    `columns` are the labels of each cell by argument, `counts` the samples that it has. The samples are in a file where
    there are scores; `memory` limits the bytes of what is computed of each sample.
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


def _samples_of_pairs(state: "State", pairs: LabelPairs) -> CountedSamples:
    """Samples of a state from label pairs with weights or groups."""
    predicted, true = pairs.cells.T
    columns = {
        name: labels.decode(labels.ordered(codes))
        for name, codes in (("y_pred", predicted), ("y_true", true))
        for labels in [state._labels[Field(name, 0, True)]]
    }
    samples = CountedSamples(state.task, columns, np.ones(len(true), dtype=np.int64), state.conventions)
    distinct_pairs = Labels.from_arrays(columns["y_true"], columns["y_pred"], **state.conventions)
    order = state._labels[GROUPS].ordered if GROUPS in state.row_fields else np.asarray
    samples._prepared_data[Labels,] = pairs.labels(distinct_pairs, order)
    samples._n = state.n
    return samples


class SamplesBySubgroup(Samples):
    """Samples of a state with subgroups, in a file with one cell for each subgroup."""

    def __init__(self, state: "State", rows: Spilled) -> None:
        self.task, self.data_columns, self.conventions = state.task, {}, dict(state.conventions)
        self.state, self.rows = state, rows
        self.fields = state.row_fields[1:]
        self._refused: CertusError | None = None
        self._used = False

    def __len__(self) -> int:
        return self.state.n

    @cached_property
    def keys(self) -> list[tuple[Any, Cell]]:
        """Sorted subgroups, each with its cell."""
        labels = self.state._labels[self.state.row_fields[0]]
        ordered = sorted((int(labels.ordered(np.array([key]))[0]), (key,)) for (key,) in self.rows.cells)
        names = labels.decode(np.array([rank for rank, _ in ordered]))
        return list(zip(names.tolist(), (cell for _, cell in ordered), strict=True))

    @cached_property
    def _group_counts(self) -> tuple[int, int]:
        """Number of groups, and of groups with samples in several subgroups."""
        index = self.fields.index(GROUPS)
        by_cell = ([columns[index] for columns, _ in self.rows.parts_of(cell)] for _, cell in self.keys)
        groups = np.concatenate(
            [np.unique(np.concatenate([np.unique(column) for column in columns])) for columns in by_cell]
        )
        groups.sort()
        repeats = groups[1:] == groups[:-1]
        return len(groups) - int(repeats.sum()), int((repeats & np.append(True, ~repeats)[:-1]).sum())

    @property
    def size_in_words(self) -> str:
        """Number of samples in words, with total weight and number of groups."""
        parts = [plural(len(self), self.task.unit)]
        if WEIGHT in self.fields:
            index = self.fields.index(WEIGHT)
            blocks = (block for _, cell in self.keys for block in self.rows.parts_of(cell))
            sums = (rows[index].sum() if counts is None else rows[index] @ counts for rows, counts in blocks)
            parts.append(f"of total weight {math.fsum(sums):.10g}")
        if GROUPS in self.fields:
            parts.append(f"in {plural(self._group_counts[0], 'group')}")
        return " ".join(parts)

    def dependent(self, by: Any) -> str:
        """Reason why subgroups are dependent; empty if they are not."""
        del by
        return straddling_reason(self._group_counts[1]) if GROUPS in self.fields else ""

    def estimates_of_parts(self, by: Any, metrics: Sequence[Metric]) -> None:
        """None: subgroups are evaluated one by one."""
        del by, metrics

    def sizes(self, by: Any) -> dict[str, float]:
        """Number (or total weight) of samples in each subgroup."""
        del by
        if WEIGHT not in self.fields:
            samples = self.rows.samples()
            return {str(label): float(samples[cell]) for label, cell in self.keys}
        index, sizes = self.fields.index(WEIGHT), {}
        for label, cell in self.keys:
            columns, counts = self.rows.for_value(cell)
            sizes[str(label)] = kernels.exact_sum(repeat(columns[index], counts).astype(np.float64))
        return sizes

    def compact_estimate(self, estimate: Estimate, level: float, seed: int, dependent: str) -> Estimate:
        """Reduce an estimate to its limits, without its samples."""
        return SubgroupEstimate.from_estimate(estimate, len(self.keys), level=level, seed=seed, dependent=dependent)

    def parts(self, by: Any) -> Iterator[tuple[str, Samples]]:
        """Samples of each subgroup, in the order of the subgroups."""
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
        """Load the samples in one subgroup from the file; refuse if they exceed half the memory limit."""
        blocks = [block for run in self.rows.cells[cell] for block in run]
        if sum(block.size for block in blocks) > self.rows.memory // 2:
            raise memory_error(
                f"the {plural(sum(block.samples for block in blocks), self.task.unit)} of subgroup {label!r} do not "
                f"fit into {in_words(self.rows.memory)} of memory, and are evaluated together"
            )
        columns, counts = self.rows.for_value(cell)
        ordered = rows_in_label_order(self.state._labels, dict(zip(self.fields, columns, strict=True)))
        columns_by_name = columns_of_rows(self.state._labels, self.fields, *distinct(ordered, counts))
        return _samples_of_columns(self.task, columns_by_name, self.conventions)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from any subgroup uses."""
        del metrics
        if self._refused is not None and not self._used:
            raise self._refused

    def notices(self) -> Iterator[Note]:
        """Warnings about the subgroups, and about each distinct pair of labels."""
        samples = self.rows.samples()
        subgroups: dict[object, dict[str, int]] = {
            str(label): {mention("by"): samples[cell]} for label, cell in self.keys
        }
        if (notice := notice_of_words(subgroups, "subgroups", "value")) is not None:
            yield notice
        indices = [index for index, field in enumerate(self.fields) if field.name in ("y_true", "y_pred")]
        fields = [self.fields[index] for index in indices]
        if self.task.name != "classification" or [field.name for field in fields] != ["y_pred", "y_true"]:
            return
        pairs: list[Column] = [np.zeros(0, dtype=np.int8)] * 2
        for _, cell in self.keys:
            for columns, _ in self.rows.parts_of(cell):
                block = [columns[index] for index in indices]
                pairs = distinct([np.concatenate(column) for column in zip(pairs, block, strict=True)], None)[0]
        ordered = rows_in_label_order(self.state._labels, dict(zip(fields, pairs, strict=True)))
        labels = columns_of_rows(self.state._labels, fields, ordered, None)
        yield from self.task.samples()(self.task, labels, self.conventions).notices()


class KnownStatistics(Case):
    """Samples with some statistics known already; `rows` are the samples for the other metrics, if any."""

    def __init__(self, task: Task, size: str, statistics: Mapping[Metric, Statistic], rows: Case | None) -> None:
        self.task, self.size, self.statistics, self.rows = task, size, statistics, rows

    @property
    def size_in_words(self) -> str:
        """The number of samples in words."""
        return self.size

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """Refused: a state with sums has no default metrics."""
        raise DataError(f"no metrics are named, with {keyword('average', average)}", "name them")

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """Pairs (None, estimate of the metric); with a value for each class, pairs (label, estimate)."""
        statistic = self.statistics.get(metric)
        if statistic is not None:
            bounds = getattr(statistic, "bounds", None) or metric.bounds
            return iter([(None, Estimate(statistic, str(metric), bounds, dict(metric.conventions)))])
        if self.rows is None:
            raise DataError(f"the state has no rows of {metric}", "make it with rows=True")
        return self.rows.estimates(metric)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse a keyword that none of the metrics uses."""
        if self.rows is not None:
            self.rows.check_used([metric for metric in metrics if metric not in self.statistics] or metrics)

    def notices(self) -> Iterator[Note]:
        """Warnings about the data."""
        return iter(()) if self.rows is None else self.rows.notices()

    def curves(self, level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """Curves of the rows, if there are any."""
        return iter(()) if self.rows is None else self.rows.curves(level)

    def documents(self, number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """None: samples are not documents."""
        return ("", {}) if self.rows is None else self.rows.documents(number)

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """Tables of the rows, if there are any."""
        return iter(()) if self.rows is None else self.rows.tables()


def _sorts_all_scores(state: "State") -> bool:
    """True if every metric sorts the scores itself, so that rows need not be sorted before."""
    metrics = state.metrics or []
    has_scores_only = {field.name for field in state.row_fields} == {"y_true", "y_score"}
    return bool(metrics) and has_scores_only and all(isinstance(metric.state, Order) for metric in metrics)


def _samples_of_columns(task: Task, columns: Mapping[str, Any], conventions: Mapping[str, Any]) -> Samples:
    """Samples from columns by argument."""
    data = {argument.name: columns[argument.name] for argument in task.data if argument.name in columns}
    others = {name: column for name, column in columns.items() if name not in data}
    return task.samples()(task, data, others | dict(conventions))


def systems_of(state: "State", name: str | None) -> tuple[Systems, Any]:
    """System of the state (named `name`) with its samples, and the column of subgroups."""
    task, rows = state.task, state._rows
    metrics = [metric for metric in state.metrics or () if metric not in state._sums]
    needs_rows = state.metrics is None or bool(metrics)
    case: Case | None = None
    subgroups = truth = None
    columns: dict[str, Any]
    statistics: dict[Metric, Statistic] = {**state.known_statistics}
    size = ""
    in_file = rows if isinstance(rows, Spilled) and rows.spill() else None
    if in_file is not None and state.row_fields[0].name == "by":
        case, subgroups = SamplesBySubgroup(state, in_file), state.row_fields[0]
    elif in_file is not None and {GROUPS, WEIGHT} & {*state.row_fields}:
        statistics, size, pairs = unit_statistics(state, in_file)
        case = None if pairs is None else _samples_of_pairs(state, pairs)
    elif in_file is not None and task.name != "classification":
        statistics |= _statistics_of_file(state, in_file, metrics)
    elif in_file is not None:
        columns = _labels_of_cells(in_file, state._labels)
        cell_counts = np.array(list(in_file.samples().values()))
        case = CountedSamples(task, columns, cell_counts, state.conventions, in_file, state.memory)
        truth = np.repeat(columns["y_true"], np.minimum(cell_counts, ENOUGH_OF_A_CLASS))
    elif rows is not None and (not needs_rows or _has_label_pairs_only(state)):
        columns, counts = state.columns(repeated=False), state.distinct_rows()[1]
        cell_counts = np.ones(len(columns["y_true"]), dtype=np.int8) if counts is None else counts
        case = CountedSamples(task, columns, cell_counts, state.conventions) if needs_rows else None
        truth = np.repeat(columns["y_true"], np.minimum(cell_counts, ENOUGH_OF_A_CLASS))
    else:
        columns = state.columns(sort=not _sorts_all_scores(state))
        subgroups, truth = columns.pop("by", None), columns.get("y_true")
        case = _samples_of_columns(task, columns, state.conventions) if needs_rows else None
    if state._sums or statistics or size:
        classes = truth if task.name == "classification" else None
        width = sum(field.name == "y_score" for field in state.fields or ())
        statistics |= means_of(task, state._sums, classes, width, state.conventions)
        size = size or (plural(state.n, task.unit) if case is None else case.size_in_words)
        case = KnownStatistics(task, size, statistics, case)
    return Systems(task, {} if case is None else {name or "predictions": case}), subgroups


def _statistics_of_file(state: "State", rows: Spilled, metrics: Sequence[Metric]) -> dict[Metric, Statistic]:
    """Statistics of regression metrics, computed from rows in a file."""
    statistics: dict[Metric, Statistic] = {}
    passes: dict[Metric, Any] = {}
    for metric in metrics:
        if is_quantile(state.task, metric, state.row_fields):
            statistics[metric] = quantile(state, rows, metric)
        elif isinstance(metric.state, SavedLoss):
            statistics[metric] = saved_part(rows, metric)
        elif isinstance(metric.state, Ranks):
            statistics[metric] = rank_correlation(rows, metric)
        elif isinstance(metric.state, InPasses):
            passes[metric] = metric.state.make(metric.conventions)
    read_together(list(passes.values()), partial(_read, rows))
    return statistics | {metric: form.statistic(metric) for metric, form in passes.items()}


def _read(rows: Spilled, works: Sequence[Work]) -> list[Totals]:
    """Totals of works over the rows in a file."""

    def wide(column: Column, counts: Counts) -> Floats:
        return np.asarray(repeat(column.astype(np.float64), counts))

    blocks = rows.parts_of(())
    return sum_works(works, ((wide(true, counts), wide(predicted, counts)) for (predicted, true), counts in blocks))
