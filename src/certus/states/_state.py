"""A state: what the table of many batches is made from, without the batches."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from certus import tasks
from certus.data._codes import Coded, coded
from certus.data._columns import as_array, check_lengths, floats
from certus.errors import DataError, MetricNameError, called
from certus.evaluation._call import made
from certus.evaluation._evaluate import evaluated
from certus.evaluation._items import Average, Item, chosen
from certus.evaluation._systems import Case, Systems
from certus.inference import Estimate
from certus.metrics import Metric, Metrics
from certus.notice import Notice
from certus.states._bytes import packed, unpacked
from certus.states._rows import Codes, Rows
from certus.states._sums import POINTWISE, PowerSums
from certus.statistic import Mean
from certus.statistic.common import plural
from certus.table import Table
from certus.tasks import Argument, Task

__all__ = ["State"]

TASKS = ("classification", "regression", "clustering", "values")
"""Tasks whose samples are rows that states can hold."""


@dataclass(frozen=True)
class _Field:
    """One column of rows: of which argument, and which of its columns."""

    name: str
    place: int
    labels: bool


class State:
    """Samples in batches, on as many machines as there are, from which one table is made.

    A state holds the distinct rows and how often each came. Of a metric that is the mean of one value of each sample
    (log loss, absolute error), where no other metric needs the rows, it holds exact sums of powers of the values: its
    size then does not grow. Both are the same whatever the batches, their order and the order of merging, so that
    `evaluate` gives the digits that `certus.evaluate` gives of all data at once.

    Parameters
    ----------
    metrics
        As for `certus.evaluate`; None are the usual ones of the task.
    task
        ``"classification"``, ``"regression"``, ``"clustering"`` or ``"values"``.
    rows
        Keep every row, so that any interval method can be asked for.
    conventions
        What the metrics of the task are told that is no column, such as ``pos_label``, ``labels``.

    Raises
    ------
    MetricNameError
        There is no such metric, task or convention, or the task has no states.

    Examples
    --------
    >>> one, other = State(["Accuracy", "LogLoss"], task="classification"), State(["Accuracy", "LogLoss"], task="classification")
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
        rows: bool = False,
        **conventions: Any,
    ) -> None:
        self.task: Task = tasks.task(task)
        if self.task.name not in TASKS:
            raise MetricNameError(f"{self.task.name} has no states; they are for {', '.join(TASKS)}")
        self.metrics: list[Metric] | None = None if metrics is None else chosen(metrics, self.task.name)
        for name, value in conventions.items():
            known = [each for each in (*self.task.conventions, *self.task.options) if name in each.names]
            if not known or known[0].column:
                raise MetricNameError(
                    f"{called(name)} is no convention of {self.task.name} that is one for all samples; columns are given "
                    "to update"
                )
            del value
        self.conventions = {name: value for name, value in conventions.items() if value is not None}
        self.rows = rows
        self.fields: list[_Field] | None = None
        self._codes: dict[_Field, Codes] = {}
        self._rows: Rows | None = None
        self._sums: dict[Metric, PowerSums] = {}

    def __len__(self) -> int:
        if self._rows is not None:
            return len(self._rows)
        return next((sums.n for sums in self._sums.values()), 0)

    def __repr__(self) -> str:
        named = "the usual metrics" if self.metrics is None else ", ".join(map(str, self.metrics))
        return f"<State of {plural(len(self), self.task.unit)}: {named}>"

    def update(self, data: Any = None, /, **columns: Any) -> None:
        """Add a batch.

        Parameters
        ----------
        data
            The truth of each sample; or a table (a DataFrame, an Arrow table or record batch, a dict of columns) whose
            columns the keywords name; or, of a task without truth, the values.
        columns
            The other columns by the names of `certus.evaluate` or of the options of the command line: ``y_pred`` or
            ``pred``, ``y_score`` or ``score``, ``sample_weight`` or ``weight``, ``groups``; and ``by``, whose
            subgroups get rows of their own. Each batch has the same ones.

        Raises
        ------
        DataError
            The batch is not valid, or has other columns than the first. The state is then as it was.
        """
        given = self._given(data, columns)
        fields, arrays, codes = self._read(given)
        if self.fields is not None and fields != self.fields:
            raise DataError(
                f"this batch has {_named(fields)}, but earlier ones {_named(self.fields)}; give the same columns each time"
            )
        sums = {metric: self._values(metric, given) for metric in self._pointwise(given)}
        keep = not sums or self.rows or self.metrics is None or len(sums) < len(self.metrics)
        for field, column in codes.items() if keep else ():
            self._codes.get(field, Codes()).check(column, field.name)
        # From here nothing fails.
        self.fields = fields
        for metric, statistic in sums.items():
            self._sums.setdefault(metric, PowerSums()).add(statistic.values, statistic.bounds)
        if keep:
            for field, column in codes.items():
                self._codes.setdefault(field, Codes())
                arrays[fields.index(field)] = self._codes[field].of(column)
            self._rows = Rows(len(fields)) if self._rows is None else self._rows
            self._rows.add(arrays)

    def merge(self, other: Self) -> Self:
        """Add the samples of another state of the same metrics, which stays as it is; returns this state.

        Raises
        ------
        DataError
            The states are of other metrics, conventions or columns.
        """
        for what, one, two in (
            ("task", self.task.name, other.task.name),
            ("metrics", _texts(self.metrics), _texts(other.metrics)),
            ("conventions", self.conventions, other.conventions),
            ("rows", self.rows, other.rows),
        ):
            if one != two:
                raise DataError(f"the states differ in {what}, {one!r} and {two!r}; merge states that were made alike")
        if other.fields is None:
            return self
        if self.fields is not None and self.fields != other.fields:
            raise DataError(f"one state has {_named(self.fields)}, the other {_named(other.fields)}; they do not merge")
        self.fields = other.fields
        for metric, more in other._sums.items():
            self._sums.setdefault(metric, PowerSums()).merge(more)
        if other._rows is not None:
            held, counts = other._rows.settle()
            columns = list(held)
            for field, codes in other._codes.items():
                place = self.fields.index(field)
                becomes = self._codes.setdefault(field, Codes()).joined(codes, field.name)
                columns[place] = becomes[columns[place]]
            self._rows = Rows(len(columns)) if self._rows is None else self._rows
            self._rows.add(columns, counts)
        return self

    def evaluate(
        self,
        *,
        average: Average | None = None,
        undefined: Any = None,
        level: float = 0.95,
        interval: str | None = None,
        seed: int = 0,
        name: str | None = None,
    ) -> Table:
        """The table of all samples, as `certus.evaluate` gives it; parameters as there.

        Raises
        ------
        DataError
            There are no samples, or all of them together are not valid.
        """
        if self.fields is None:
            raise DataError("the state has no samples yet; give it some with update")
        given = {} if self._rows is None else self._columns()
        by = given.pop("by", None)
        case: Case | None = None
        if given:
            data = {each.name: given[each.name] for each in self.task.data if each.name in given}
            told = {name: values for name, values in given.items() if name not in data} | self.conventions
            case = self.task.samples()(self.task, data, told)
        if self._sums:
            case = _Summed(self, case)
        assert case is not None
        return evaluated(
            Systems(self.task, {name or "predictions": case}),
            self.metrics,
            by=by,
            average=average,
            undefined=undefined,
            level=level,
            interval=interval,
            seed=seed,
        )

    def to_bytes(self) -> bytes:
        """The state for a file or another machine: the same bytes whatever the batches were.

        See `from_bytes`. Only numbers, truth values, text and bytes can be labels.
        """
        return packed(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The state that `to_bytes` wrote. Nothing in the bytes is run.

        Raises
        ------
        DataError
            These are not the bytes of a state, they are damaged, or a later version of certus wrote them.
        """
        return unpacked(cls, data)

    def _given(self, data: Any, columns: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of a batch by the names of their arguments."""
        roles = {
            alias: each for each in self._roles() for alias in (*each.names, each.option, f"{each.option}s") if alias
        }
        given: dict[str, Any] = {}
        table = data if columns and all(isinstance(value, str) for value in columns.values()) else None
        if table is None and data is not None:
            given[self.task.data[0].name] = data
        for key, value in columns.items():
            if value is None:
                continue
            name = "by" if key == "by" else roles[key].name if key in roles else None
            if name is None:
                raise MetricNameError(
                    f"{called(key)} is no column of {self.task.name}; these are "
                    f"{', '.join(dict.fromkeys(each.name for each in self._roles()))} and by"
                )
            if name in given:
                raise DataError(f"{called(name)} is given twice; give it once")
            given[name] = value if table is None else _taken(table, value)
        needed = {each.name for each in self.task.data} & set(given)
        if not needed or (self.task.shared and not {each.name for each in self.task.shared} & set(given)):
            raise DataError(f"a batch of {self.task.name} needs {' and '.join(self.task.needs[0])}")
        return given

    def _roles(self) -> Iterable[Argument]:
        return (*self.task.data, *(each for each in self.task.conventions if each.column))

    def _read(self, given: Mapping[str, Any]) -> tuple[list[_Field], list[NDArray[Any]], dict[_Field, Coded]]:
        """The fields of a batch, their arrays, and those that are labels."""
        fields: list[_Field] = []
        arrays: list[NDArray[Any]] = []
        codes: dict[_Field, Coded] = {}
        lengths: dict[str, NDArray[Any] | None] = {}
        holds = {each.name: each.holds for each in self._roles()} | {"by": "keys"}
        for name in sorted(given, key=lambda name: (holds[name] == "numbers", name)):
            if holds[name] in ("labels", "keys"):
                column = coded(given[name], name)
                field = _Field(name, 0, True)
                codes[field] = column
                fields.append(field)
                arrays.append(column.values)
                lengths[name] = column.values
                continue
            array = as_array(given[name], name)
            several = array.ndim == 2
            lengths[name] = array
            if several and self.task.name == "classification" and "labels" not in self.conventions:
                raise DataError(
                    f"{called(name)} has a column for each class; a state has to know the classes in their order: give "
                    "labels to State"
                )
            for place in range(array.shape[1] if several else 1):
                numbers = floats(array[:, place] if several else array, name, infinite=name == "y_score")
                fields.append(_Field(name, place, False))
                # 0.0 and -0.0 are one number
                arrays.append(np.ascontiguousarray(numbers, dtype=np.float64) + 0.0)
        check_lengths(**lengths)
        return fields, arrays, codes

    def _pointwise(self, given: Mapping[str, Any]) -> list[Metric]:
        """The metrics of which sums suffice."""
        if self.rows or self.metrics is None or {"sample_weight", "groups", "by"} & set(given):
            return []
        return [metric for metric in self.metrics if metric.name in POINTWISE.get(self.task.name, ())]

    def _values(self, metric: Metric, given: Mapping[str, Any]) -> Mean:
        """A metric of the batch alone."""
        names = [self.task.argument(name).name for name in getattr(metric.takes[0], "arguments", ())]
        if missing := [name for name in names if name not in given]:
            raise DataError(f"{metric} is computed from {' and '.join(names)}, but {missing[0]} is not given")
        statistic = metric.compute(made(metric, tuple(given[name] for name in names), self.conventions))
        if not isinstance(statistic, Mean):
            raise DataError(
                f"{metric} gives {type(statistic).__name__} of these columns; make the state with rows=True"
            )
        return statistic

    def _columns(self) -> dict[str, Any]:
        """The columns of all samples, in an order of their values."""
        assert self.fields is not None
        columns, counts = self.settled()
        found: dict[str, list[Any]] = {}
        for field, values in zip(self.fields, columns, strict=True):
            column = values if (counts == 1).all() else np.repeat(values, counts)
            labels = self._codes[field].labels()[0] if field.labels else None
            found.setdefault(field.name, []).append(column if labels is None else _labelled(labels)[column])
        return {name: each[0] if len(each) == 1 else np.column_stack(each) for name, each in found.items()}

    def settled(self) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
        """The distinct rows, labels by their places in the order of labels, and how often each came."""
        assert self._rows is not None and self.fields is not None
        columns, counts = self._rows.settle()
        places = {field: self._codes[field].labels()[1] for field in self._codes}
        mapped = [
            places[field][column] if field in places else column
            for field, column in zip(self.fields, columns, strict=True)
        ]
        again = Rows(len(mapped))
        again.add(mapped, counts)
        return again.settle()


class _Summed:
    """The samples of a state of which some metrics have their sums only."""

    def __init__(self, state: State, rows: Case | None) -> None:
        self.state, self.rows = state, rows

    @property
    def size_in_words(self) -> str:
        return plural(len(self.state), self.state.task.unit) if self.rows is None else self.rows.size_in_words

    @property
    def units(self) -> None:
        return None

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        return {}

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        return None

    def single(self, system: str, estimates: Iterable[Estimate]) -> None:
        del system, estimates

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        assert self.rows is not None
        return self.rows.default_items(average)

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        sums = self.state._sums.get(metric)
        if sums is not None:
            mean = sums.mean(str(metric))
            return iter([(None, Estimate(mean, str(metric), mean.bounds or metric.bounds, dict(metric.conventions)))])
        assert self.rows is not None
        return self.rows.estimates(metric)

    def check_used(self, metrics: Sequence[Metric]) -> None:
        if self.rows is not None:
            self.rows.check_used([metric for metric in metrics if metric not in self.state._sums] or list(metrics))

    def notices(self) -> Iterator[Notice]:
        return iter(()) if self.rows is None else self.rows.notices()


def _taken(table: Any, name: str) -> Any:
    """A column of a batch."""
    named = getattr(table, "column_names", None)
    names = list(table.keys() if isinstance(table, Mapping) else table.columns if named is None else named)
    if name not in names:
        raise DataError(f"the batch has no column {name!r}; it has {', '.join(map(repr, names[:8]))}")
    return table[name] if named is None else table.column(name)


def _labelled(labels: list[Hashable]) -> NDArray[Any]:
    """The labels as an array of their kind."""
    if labels and all(isinstance(label, bool) for label in labels):
        return np.array(labels)
    if labels and all(isinstance(label, int) and abs(label) < 2**62 for label in labels):
        return np.array(labels, dtype=np.int64)
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def _named(fields: Iterable[_Field]) -> str:
    return ", ".join(dict.fromkeys(field.name for field in fields))


def _texts(metrics: list[Metric] | None) -> list[str] | None:
    return None if metrics is None else list(map(str, metrics))
