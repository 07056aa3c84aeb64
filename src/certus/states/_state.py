"""A state: what is kept of many batches, from which a table of them all can be computed."""

import copy
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import registry
from certus.core.errors import DataError, MetricNameError, keyword, mention
from certus.core.missing import MissingWords, missing_words
from certus.core.note import with_sentence
from certus.data.columns import refuse_missing
from certus.evaluation.binding import of_system
from certus.evaluation.cases import Average, parse_metrics
from certus.evaluation.rules import check_labels, rules_of
from certus.evaluation.tabulate import Undefined, tabulate
from certus.inference.estimate import MeanOf
from certus.metrics import Metric
from certus.metrics.names import Metrics
from certus.metrics.state_kinds import EqualBins
from certus.states._batch import (
    BatchReader,
    Field,
    SampleBatch,
    as_compared,
    columns_of_rows,
    name_fields,
    rows_in_label_order,
    texts_of,
)
from certus.states._bytes import read_state, state_bytes
from certus.states._cells import Cells, bounds_of, check_bounded, check_exact, check_fields, lost_bits
from certus.states._files import bytes_of
from certus.states._queries import Queries, batch_of
from certus.states._rows import Cell, CountedRows, Counts, LabelCodes, Rows, Run, Spilled, in_label_order, narrow_copy
from certus.states._samples import empty_rows, systems_of
from certus.states._sums import BinSums, PowerSums, is_pointwise, names_of, values_of
from certus.statistic import Statistic
from certus.statistic.common import plural
from certus.table import Table
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.comparison.options import Options

TASKS = ("classification", "multilabel", "regression", "clustering", "efficiency", "values")
"""Tasks whose samples are rows that states can hold. States of rankings hold queries."""


class State:
    """Samples added in batches, on one or several machines, from which one table is computed.

    A state holds the distinct rows of those columns that its metrics need, and how often each came. Of a metric that is
    the mean of one value of each sample (log loss, absolute error) it holds exact sums of powers of the values, whose
    size does not grow. Both are the same whatever the batches, their order and the order of merging, so that `evaluate`
    gives the digits that `certus.evaluate` gives of all data at once.

    Parameters
    ----------
    metrics
        As for `certus.evaluate`; None are the usual ones of the task.
    task
        ``"classification"``, ``"multilabel"``, ``"regression"``, ``"clustering"``, ``"efficiency"``, ``"values"`` or
        ``"ranking"``.
    systems
        The names of two or more systems that `compare` compares; each batch has the predictions of all.
    rows
        Keep rows for every metric, so that any interval method can be asked for.
    exact
        False: scores are rounded where there are more than 131,072; `bounds` then limits AUC, AP and KS of all data.
    memory
        Bytes that rows may take, such as ``"2GB"``: more of them go to a temporary file, where the metrics can do with
        that (see docs/scale.md), and are refused otherwise. None is 512 MB there, and no limit otherwise.
    missing_values
        Words that mean a missing value where labels, groups, subgroups or ids stand: batches that hold one are refused,
        as by `certus.evaluate`. Not kept in a file of the state.
    conventions
        What the metrics of the task are told that is not a column, such as ``pos_label``, ``labels``.

    Raises
    ------
    MetricNameError
        There is no such metric, task or convention, or the task has no states.

    Examples
    --------
    >>> one, other = State(["Accuracy", "LogLoss"]), State(["Accuracy", "LogLoss"])
    >>> one.update([1, 0], pred=[1, 1], score=[0.9, 0.6])
    >>> other.update([0, 0], pred=[0, 0], score=[0.2, 0.3])
    >>> for row in one.merge(other).evaluate():
    ...     print(row.metric, round(row.value, 4))
    Accuracy 0.75
    LogLoss 0.4004
    """

    def __init__(
        self,
        metrics: Metrics | None = None,
        *,
        task: str = "classification",
        systems: Sequence[str] | None = None,
        rows: bool = False,
        exact: bool = True,
        memory: int | str | None = None,
        missing_values: str | Sequence[str] | MissingWords | None = None,
        **conventions: Any,
    ) -> None:
        self.task = registry.task(task)
        self.missing_values = missing_values
        if self.task.name not in (*TASKS, "ranking"):
            raise MetricNameError(f"{self.task.name} has no states", f"they are for {', '.join((*TASKS, 'ranking'))}")
        self.metrics: list[Metric] | None = None if metrics is None else parse_metrics(metrics, self.task.name)
        arguments = (*self.task.conventions, *self.task.options)
        argument_by_name = {name: argument for argument in arguments for name in argument.names}
        for name in conventions:
            if name not in argument_by_name or argument_by_name[name].column:
                raise MetricNameError(
                    f"is not a convention of {self.task.name} that is one for all samples",
                    "columns are given to update",
                    argument=name,
                )
        self.conventions = {name: as_compared(value) for name, value in conventions.items() if value is not None}
        self.conventions, self.decided = _split_rule(self.task, self.metrics, self.conventions, exact=exact)
        if rows and self.task.name == "ranking":
            raise MetricNameError("does not apply to ranking", "leave it out", argument="rows")
        self.rows, self.exact, self.memory = rows, exact, bytes_of(memory)
        if memory is not None and (not exact or self.task.name == "ranking"):
            raise MetricNameError(
                f"does not apply to {'ranking' if exact else keyword('exact', False)}", argument="memory"
            )
        self.systems = check_compared(self.task, self.metrics, systems, rows=rows, exact=exact)
        if not exact:
            check_bounded(self.task, self.metrics, rows=rows)
        self.n = 0
        self.requested_metrics, self.known_statistics = self.metrics, dict[Metric, Statistic]()
        """Statistics that are computed elsewhere are left out of `metrics`."""
        self.fields: list[Field] | None = None
        self.row_fields: list[Field] = []
        self._reader = BatchReader(
            self.task, self.metrics, classes="labels" in self.conventions, systems=self.systems, decided=self.decided
        )
        self._labels: dict[Field, LabelCodes] = {}
        self._rows: Rows | None = None
        self._sums: dict[Metric, Any] = {}
        self._queries = Queries(self.conventions) if self.task.name == "ranking" else None

    def __len__(self) -> int:
        return self.n if self._queries is None else len(self._queries)

    def __repr__(self) -> str:
        names = ", ".join(texts_of(self.metrics) or ["the usual metrics"])
        return f"<State of {plural(len(self), self.task.unit)}: {names}>"

    def update(self, data: Any = None, predictions: Any = None, /, **columns: Any) -> None:
        """Add a batch.

        Parameters
        ----------
        data
            The truth of each sample; or a table (a DataFrame, an Arrow table or record batch, a dict of columns) whose
            columns the keywords name; or, of a task without truth, the values. Of rankings the judgments of some
            queries, as `certus.evaluate` takes them.
        predictions
            Of rankings all results of these queries, as `certus.evaluate` takes a run. Of several systems the
            predictions of each by name, ``{"old": p, "new": q}``, or ``{"old": {"pred": ..., "score": ...}, ...}``.
        columns
            The other columns by the names of `certus.evaluate` or of the options of the command line: ``y_pred`` or
            ``pred``, ``y_score`` or ``score``, ``sample_weight`` or ``weight``, ``groups``; and ``by``, whose
            subgroups get rows of their own. Each batch has the same ones.

        Raises
        ------
        DataError
            The batch is not valid, or has other columns than the first. The state is then as it was.
        """
        with missing_words(self.missing_values) as missing:
            if self._queries is not None:
                self._queries.update(*batch_of(self.task, data, predictions, columns), missing)
                return
            self._reader.missing = missing
            batch = self._reader.batch(data, columns, predictions)
            for field, column in batch.labels.items():
                refuse_missing(column, field.name, missing)
            self.add(batch)

    def add(self, batch: SampleBatch, counts: Counts = None) -> None:
        """Add a batch that was read, see `update`; row i is repeated ``counts[i]`` times (None: once).

        Raises
        ------
        DataError
            The batch has other columns than the first, or its rows do not go with those of earlier ones.
        """
        fields = batch.fields
        if not self.exact:
            check_fields(fields)
        if self.fields is not None and fields != self.fields:
            raise DataError(
                f"this batch has {name_fields(fields)}, but earlier ones {name_fields(self.fields)}",
                "give the same columns each time",
            )
        additive = self._additive_metrics(fields)
        if additive and counts is not None:
            raise DataError(f"{additive[0]} is summed over samples, which a batch with counts does not have")
        row_fields = self.row_fields if self.fields is not None else self._row_fields(fields, additive)
        for field in row_fields:
            if field.labels:
                self._labels.get(field, _NO_LABELS).check(batch.labels[field], field.name)
        values = [values_of(self.task, metric, batch, self._sums.get(metric), self.conventions) for metric in additive]
        if self._rows is not None:
            self._rows.make_room()
        # From here nothing fails.
        if self.fields is None:
            self._begin(fields)
        self.n += batch.n if counts is None else int(counts.sum())
        for metric, losses in zip(additive, values, strict=True):
            self._sums[metric].add(*losses)
        if self._rows is not None:
            # 0.0 and -0.0 are one number; the arrays are the caller's, who may fill them again.
            columns = [
                narrow_copy(self._labels[field].encode(batch.labels[field]))
                if field.labels
                else batch.numbers[field] + 0.0
                for field in row_fields
            ]
            if counts is None:
                self._rows.add(columns)
            else:
                self._rows.count(columns, counts)

    def merge(self, other: Self) -> Self:
        """Add the samples of another state of the same metrics, which is not changed; returns this state.

        Raises
        ------
        DataError
            The states are of other metrics, conventions or columns.
        """
        if not isinstance(other, State):
            raise TypeError(f"a state merges with another state, not with a {type(other).__name__}")
        merge(self, self.from_bytes(self.to_bytes(), memory=self.memory) if other is self else other)
        return self

    def evaluate(
        self,
        *,
        average: Average | None = None,
        undefined: Undefined | None = None,
        subgroup_mean: MeanOf | None = None,
        level: float = 0.95,
        interval: str | None = None,
        chance: bool = False,
        seed: int = 0,
        name: str | None = None,
    ) -> Table:
        """Evaluate all samples as `certus.evaluate` would, with the same parameters.

        Raises
        ------
        DataError
            There are no samples, or all of them together are not valid.
        """
        if self._queries is None and not self.n:
            raise DataError("the state has no samples yet", "give it some with update")
        if self.systems is not None:
            raise DataError("the state is of several systems, and gives their comparison: compare()")
        check_exact(self._rows)
        options: dict[str, Any] = {"average": average, "undefined": undefined, "level": level, "interval": interval}
        options |= {"chance": chance, "seed": seed, "subgroup_mean": subgroup_mean}
        if self._queries is not None:
            if chance and self._queries.conventions.ties == "average":
                raise DataError(
                    "needs the sizes of all ties, which a state does not hold", "leave it out", argument="chance"
                )
            return tabulate(self._queries.systems(name or "run"), self.requested_metrics, **options)
        systems, subgroups = systems_of(self, name)
        if (chance or interval is not None) and isinstance(subgroups, Field):
            raise DataError(
                "needs every row of all subgroups, which are in a file",
                f"give more with {keyword('memory')}, or leave it out",
                argument="chance" if chance else "interval",
            )
        return with_sentence(tabulate(systems, self.requested_metrics, by=subgroups, **options), _sentence(self))

    def compare(self, **options: Any) -> "Comparison":
        """Compare the systems on all samples, as `certus.compare` would after sorting the data.

        Parameters
        ----------
        options
            As for `certus.compare`: ``baseline``, ``test``, ``margin``, ``level``, ``correction``, and so on.

        Raises
        ------
        DataError
            The state has one system, or no samples; or all of them together are not valid.

        Examples
        --------
        >>> state = State("AUC", systems=["old", "new"])
        >>> state.update([1, 0, 1, 0], {"old": [0.6, 0.7, 0.8, 0.2], "new": [0.7, 0.4, 0.9, 0.1]})
        >>> for row in state.compare():
        ...     print(row.system, round(row.difference, 4), row.n)
        new 0.25 4
        """
        from certus.comparison.options import Options

        return compare_state(self, Options(**options))

    def bounds(self) -> dict[str, tuple[float, float]]:
        """Bounds for each metric's value over all samples; both equal the value if no score was rounded.

        Of rounded scores of one class they are NaN.

        Raises
        ------
        DataError
            The state was made with ``exact=True``, or has no samples.
        """
        if self.exact or self._rows is None or self.metrics is None:
            raise DataError(
                f"bounds are of a state made with {keyword('exact', False)} that has samples",
                "evaluate gives the values",
            )
        if not lost_bits(self._rows):
            return {row.metric: (row.value, row.value) for row in self.evaluate()}
        return bounds_of(
            self.task, self.metrics, self.columns(repeated=False), self.distinct_rows()[1], self.conventions
        )

    def to_bytes(self) -> bytes:
        """Serialize the state for a file or another machine; the bytes do not depend on the batches.

        See `from_bytes`. Only numbers, truth values, text and bytes can be labels.
        """
        return b"".join(state_bytes(self))

    def parts(self) -> Iterator[bytes]:
        """Bytes of `to_bytes` in several parts, as they may not fit into memory at once."""
        return state_bytes(self)

    @classmethod
    def from_bytes(cls, data: bytes, *, memory: int | str | None = None) -> Self:
        """Read a state from the bytes of `to_bytes`. Nothing in them is executed; `memory` is not stored in them.

        Raises
        ------
        DataError
            These are not the bytes of a state, they are damaged, or a later version of certus wrote them.
        """
        return cls.from_file(BytesIO(data), memory=memory)

    @classmethod
    def from_file(cls, file: BinaryIO, *, memory: int | str | None = None) -> Self:
        """Read a state from the current position of a seekable binary file; see `from_bytes`."""
        return read_state(cls, file, memory)

    def _begin(self, fields: list[Field]) -> None:
        """Fix the columns, and which sums and rows are kept."""
        additive = self._additive_metrics(fields)
        self.fields = fields
        self._sums = {
            metric: BinSums(metric.conventions["n_bins"])
            if isinstance(metric.state, EqualBins)
            else PowerSums(metric.bounds)
            for metric in additive
        }
        self.row_fields = self._row_fields(fields, additive)
        self._labels = {field: LabelCodes() for field in self.row_fields if field.labels}
        self._rows = empty_rows(self, additive) if self.row_fields else None

    def _additive_metrics(self, fields: list[Field]) -> list[Metric]:
        """Metrics that can be computed from sums, without rows."""
        if self.fields is not None:
            return list(self._sums)
        has_units = {"sample_weight", "groups", "by"} & {field.name for field in fields}
        if self.rows or self.systems or self.metrics is None or has_units:
            return []
        return [metric for metric in self.metrics if is_pointwise(self.task, metric, fields)]

    def _row_fields(self, fields: list[Field], additive: list[Metric]) -> list[Field]:
        """Columns whose rows are kept: those of metrics without sums, and labels that define the classes."""
        if self.metrics is None or self.systems is not None:
            return fields
        data = {argument.name for argument in self.task.data}
        needed = {name for metric in self.metrics if metric not in additive for name in names_of(self.task, metric)}
        metrics_of_classes = additive if self.task.name == "classification" else []
        class_columns = {name for metric in metrics_of_classes for name in names_of(self.task, metric)}
        return [
            field
            for field in fields
            if field.name not in data or field.name in needed or (field.name in class_columns and field.labels)
        ]

    def columns(self, *, repeated: bool = True, sort: bool = True) -> dict[str, Any]:
        """Stored columns by argument, of all samples or of the distinct rows, sorted or in any order.

        Their names are those of the parameters of the task's functions, such as ``y_true`` and ``y_score``. Where sums
        suffice, for example for a log loss, no scores are held unless the state was made with ``rows=True``.
        Rounded scores are refused.
        """
        if repeated:
            check_exact(self._rows)
        if self._rows is None:
            return {}
        if repeated and not sort:
            columns = dict(zip(self.row_fields, self._rows.unsorted(), strict=True))
            ordered = rows_in_label_order(self._labels, columns)
            return columns_of_rows(self._labels, self.row_fields, ordered, None)
        distinct, counts = self.distinct_rows()
        return columns_of_rows(self._labels, self.row_fields, distinct, counts if repeated else None)

    def distinct_rows(self) -> CountedRows:
        """Sorted distinct rows with their counts (None: each once), labels replaced by their rank."""
        if self._rows is None:
            return [], None
        return in_label_order(self._rows, list(map(self._labels.get, self.row_fields)))


_NO_LABELS = LabelCodes()


def _sentence(state: "State") -> str | None:
    """The rule that made labels of scores; None where none did."""
    return next((rule.sentence() for rule in rules_of(state.decided)), None)


def _split_rule(
    task: Task, metrics: Sequence[Metric] | None, conventions: dict[str, Any], *, exact: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split the conventions into those of metrics and those that make labels from scores."""
    if not (rules := rules_of(conventions)):
        return conventions, {}
    name = rules[0].name
    if name == "budget":
        raise MetricNameError("needs the scores of all samples at once", f"give {mention('threshold')}", argument=name)
    if len(rules) > 1:
        raise MetricNameError("has several, and batches are counted at one", "give one", argument=name)
    if not exact:
        raise MetricNameError("leaves labels, which have no rounded scores", "leave it out", argument=name)
    check_labels(task, rules, metrics)
    rule_names = {"threshold"} if task.name == "multilabel" else {"threshold", "labels", "pos_label"}
    decided = {key: value for key, value in conventions.items() if key in rule_names}
    if "pos_label" in decided and "labels" not in decided:
        raise MetricNameError("is one of two labels, and a batch may lack one", "name both", argument="labels")
    return {key: value for key, value in conventions.items() if key not in rule_names}, decided


def merge(state: "State", other: "State") -> None:
    """Add the samples of another state."""
    for quantity, own_value, other_value in (
        ("task", state.task.name, other.task.name),
        ("metrics", texts_of(state.metrics), texts_of(other.metrics)),
        ("conventions", state.conventions | state.decided, other.conventions | other.decided),
        ("systems", state.systems, other.systems),
        ("rows", state.rows, other.rows),
        ("exact", state.exact, other.exact),
    ):
        if own_value != other_value:
            raise DataError(
                f"the states differ in {quantity}, {own_value!r} and {other_value!r}",
                "merge states that were made alike",
            )
    if state._queries is not None and other._queries is not None:
        state._queries.merge(other._queries)
        return
    if other.fields is None:
        return
    if state.fields is not None and state.fields != other.fields:
        raise DataError(
            f"one state has {name_fields(state.fields)}, the other {name_fields(other.fields)}", "they do not merge"
        )
    for field, labels in state._labels.items():
        labels.check_mergeable(other._labels[field], field.name)
    if state.fields is None:
        state._begin(other.fields)
    rows, other_rows = state._rows, other._rows
    if rows is not None:
        rows.make_room()
    runs: list[tuple[Cell, Run]] = []
    all_rows = None
    if isinstance(other_rows, Spilled):
        if isinstance(rows, Spilled):
            runs = _copied_runs(state, other, rows, other_rows)
        else:
            all_rows = other_rows.all_rows()
    # From here nothing fails.
    state.n += other.n
    for metric, sums in state._sums.items():
        sums.merge(other._sums[metric])
    if rows is None or other_rows is None:
        return
    columns, counts = other_rows.settle() if all_rows is None else all_rows
    translated = _translate(state, other, columns)
    if isinstance(rows, Spilled):
        for cell, run in runs:
            labels_of_cell = _translate(state, other, [np.array([label]) for label in cell])
            rows.cells.setdefault(tuple(int(column[0]) for column in labels_of_cell), []).append(run)
    rows.settle()
    if isinstance(rows, Cells) and isinstance(other_rows, Cells):
        rows.lose(other_rows.lost_bits)
    rows.count(translated, counts)


def _copied_runs(state: "State", other: "State", rows: Spilled, other_rows: Spilled) -> list[tuple[Cell, Run]]:
    """Copy the runs of another state to this one's file, with labels converted to this one's codes."""
    fields = state.row_fields[rows.keys :]
    if not any(field.labels for field in fields):
        return rows.copy_runs(other_rows)
    labels = copy.deepcopy(state._labels)
    return rows.append_changed(
        lambda columns: [
            labels[field].translate(other._labels[field], column) if field.labels else column
            for field, column in zip(fields, columns, strict=True)
        ],
        other_rows,
    )


def _translate(state: "State", other: "State", columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Convert the labels of another state's columns to the codes of this one."""
    return [
        state._labels[field].translate(other._labels[field], column) if field.labels else column
        for field, column in zip(state.row_fields, columns, strict=False)
    ]


def check_compared(
    task: Task, metrics: Sequence[Metric] | None, systems: Any, *, rows: bool, exact: bool
) -> tuple[str, ...] | None:
    """Names of the systems; refuse a state from which they could not be compared."""
    if systems is None:
        return None
    if not task.paired or task.name == "ranking":
        raise MetricNameError(f"a state compares no systems of {task.name}", "give their values to certus.compare")
    if metrics is None:
        raise MetricNameError("no metrics are named", "name those that are compared")
    for name, value, default in (("rows", rows, False), ("exact", exact, True)):
        if value != default:
            raise MetricNameError(
                "does not apply to comparisons, which keep rows",
                "leave it out",
                argument=name,
                subject=keyword(name, value),
            )
    names = () if isinstance(systems, str) else tuple(systems)
    if len(names) < 2 or len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        raise DataError(f"is {systems!r}", "give two or more names, each once", argument="systems")
    return names


def compare_state(state: State, options: "Options") -> "Comparison":
    """Compare the systems, whose columns are named after argument and system."""
    if state.systems is None or state.metrics is None:
        raise DataError("the state is of one system", "to compare, make one with systems=[...]")
    if not state.n:
        raise DataError("the state has no samples yet", "give it some with update")
    from certus.comparison.predictions import compare_predictions

    shared = state.columns()
    predictions: dict[str, dict[str, Any]] = {}
    for system in state.systems:
        names = {argument.name: of_system(argument.name, system) for argument in state.task.predicted}
        predictions[system] = {name: shared.pop(key) for name, key in names.items() if key in shared}
    comparison = compare_predictions(state.task, shared, predictions, state.metrics, state.conventions, options)
    return with_sentence(comparison, _sentence(state))
