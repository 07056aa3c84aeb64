"""Convert the arguments of `State.update` to the columns of a batch."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, MetricNameError
from certus.core.missing import MissingWords
from certus.data import Targets
from certus.data.classes import names_of_columns
from certus.data.columns import Coded, as_array, check_lengths, check_weights, coded, flat, floats, refuse_missing
from certus.data.multilabel import indicators
from certus.data.scores import check_probabilities
from certus.evaluation.binding import columns_by_argument, of_system, predicted_by_argument
from certus.evaluation.rules import decide, rules_of
from certus.io.batches import columns_of, is_named, is_table
from certus.metrics import Metric, declared
from certus.states._rows import Column, Counts, LabelCodes, repeat
from certus.tasks import Argument, Task


class Field(NamedTuple):
    """A column of an argument, and whether it has labels or numbers."""

    name: str
    column: int
    labels: bool


@dataclass
class SampleBatch:
    """Checked batch: columns as passed by argument, labels and numbers by argument and column index, count."""

    columns: dict[str, Any]
    labels: dict[Field, Coded]
    numbers: dict[Field, NDArray[Any]]
    n: int

    @property
    def fields(self) -> list[Field]:
        """All fields, those of labels first."""
        return [*self.labels, *self.numbers]


class BatchReader:
    """Reads and checks batches of a task for some metrics (None: all).

    Several columns of scores need known classes. Each of several systems has its own predictions; None is one system.
    What is `decided` makes labels of their scores.
    """

    def __init__(
        self,
        task: Task,
        metrics: Sequence[Metric] | None,
        *,
        classes: bool,
        systems: Sequence[str] | None = None,
        decided: Mapping[str, Any] | None = None,
    ) -> None:
        self.task, self.metrics, self.classes, self.systems = task, metrics, classes, systems
        self.decided = decided or {}
        self.missing: MissingWords | None = None
        roles = {
            of_system(argument.name, system): argument
            for argument in task.columns
            for system in (systems if systems is not None and argument.predicted else [None])
        }
        order = {name: (_is_numbers(argument), name) for name, argument in roles.items()} | {"by": (False, "by")}
        self.ordered = [(name, roles.get(name, _SUBGROUPS)) for name in sorted(order, key=order.__getitem__)]

    def batch(self, data: Any, columns: Mapping[str, Any], predictions: Any = None) -> SampleBatch:
        """Check the columns of a batch; `predictions` are the columns of several systems."""
        columns_by_name = self._columns(data, columns, predictions)
        labels: dict[Field, Coded] = {}
        numbers: dict[Field, NDArray[Any]] = {}
        arrays: dict[str, NDArray[Any]] = {}
        for name, role in self.ordered:
            if name not in columns_by_name:
                continue
            if role.marks:
                table = arrays[name] = indicators(columns_by_name[name], name)
                _check_unnamed(columns_by_name[name], name, table.shape[1])
                for index in range(table.shape[1]):
                    labels[Field(name, index, True)] = coded(table[:, index], name)
                continue
            if not _is_numbers(role):
                column = labels[Field(name, 0, True)] = coded(columns_by_name[name], name)
                arrays[name] = column.values
                continue
            array = as_array(columns_by_name[name], name)
            is_single = array.ndim < 2 or array.shape[1:] == (1,)
            if array.ndim > 1 and (is_single or not role.by_class):
                _check_unnamed(columns_by_name[name], name, array.shape[1])
            array = arrays[name] = flat(array) if is_single and array.ndim > 1 else array
            if is_single and (kind := self._data_classes.get(name)) is not None:
                kind.from_arrays(columns_by_name[name])
            numbers |= self._numbers(name, role, array)
        n = check_lengths(**arrays)
        self._check_domains(arrays)
        return SampleBatch(columns_by_name, labels, numbers, n)

    def _numbers(self, name: str, role: Argument, array: NDArray[Any]) -> dict[Field, NDArray[Any]]:
        """The columns of an argument that has numbers."""
        infinite = role.name == "y_score"
        if array.ndim < 2:
            values = floats(array, name, infinite=infinite)
            if infinite and self._probable:
                check_probabilities(values, name)
            if name == "sample_weight" and (values < 0).any():
                check_weights(values)
            return {Field(name, 0, False): values}
        if role.by_class and not self.classes:
            raise DataError(
                "has a column for each class",
                "a state has to know the classes in their order: give labels to State",
                argument=name,
            )
        matrix = floats(array, name, infinite=infinite, dimensions=2)
        if infinite and self._probable:
            check_probabilities(matrix, name)
        return {Field(name, index, False): matrix[:, index] for index in range(array.shape[1])}

    def _check_domains(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Refuse true and predicted numbers for which one of the metrics is not defined."""
        if self._domains and {"y_true", "y_pred"} <= {*arrays}:
            targets = Targets.from_arrays(arrays["y_true"], arrays["y_pred"])
            for check in self._domains:
                check(targets)

    def check_fields(self, fields: Sequence[Field]) -> None:
        """Refuse columns of a stored state that no batch has."""
        widths = Counter(field.name for field in fields)
        self._check_complete(widths)
        possible = [
            Field(name, index, role.marks or not _is_numbers(role))
            for name, role in self.ordered
            for index in range(widths.pop(name, 0))
        ]
        if widths or list(map(repr, fields)) != list(map(repr, possible)):  # True is 1, but is not written so
            raise ValueError("the columns are not those of a batch")

    def check_rows(self, columns: Mapping[Field, NDArray[Any]]) -> None:
        """Refuse rows of a stored state that no batch could have added, such as marks other than 0 and 1."""
        arrays: dict[str, NDArray[Any]] = {}
        for name, role in self.ordered:
            stored = [column for field, column in columns.items() if field.name == name]
            if role.marks and any(not np.isin(column, (0, 1)).all() for column in stored):
                raise ValueError(f"{name} has marks other than 0 and 1")
            if stored and _is_numbers(role):
                arrays[name] = stored[0] if len(stored) == 1 else np.column_stack(stored)
                self._numbers(name, role, arrays[name])
                if len(stored) == 1 and (kind := self._data_classes.get(name)) is not None:
                    kind.from_arrays(stored[0])
        self._check_domains(arrays)

    def fields(self, columns: Iterable[str]) -> list[Field]:
        """First field of each of these arguments."""
        return [Field(name, 0, role.marks or not _is_numbers(role)) for name, role in self.ordered if name in columns]

    @cached_property
    def _probable(self) -> bool:
        """True if the scores are probabilities."""
        return any("y_prob" in metric.arguments for metric in self.metrics or ())

    @cached_property
    def _domains(self) -> list[Callable[[Targets], None]]:
        """Checks that refuse numbers for which a metric is not defined."""
        checks = [(getattr(metric.__wrapped__, "domain", None), metric.keywords) for metric in self.metrics or ()]
        return [partial(check, **conventions) for check, conventions in checks if check is not None]

    @cached_property
    def _data_classes(self) -> dict[str, Any]:
        """Data class that checks a single column of numbers, by the column's name."""
        metrics = declared(self.task.name) if self.metrics is None else self.metrics
        data_classes: list[Any] = [kind for metric in metrics for kind in metric.input_types]
        arguments: dict[Any, tuple[str, ...]] = {kind: getattr(kind, "arguments", ()) for kind in data_classes}
        return {names[0]: kind for kind, names in arguments.items() if len(names) == 1}

    def names(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        """Columns by argument name, for keywords that may be aliases."""
        set_columns = {key: column for key, column in columns.items() if column is not None}
        if "by" in set_columns and self.systems is not None:
            raise MetricNameError("does not apply to comparisons", "leave it out", argument="by")
        return columns_by_argument(self.task, set_columns)

    def _columns(self, data: Any, columns: Mapping[str, Any], predictions: Any) -> dict[str, Any]:
        """Columns of a batch by argument, from a table and its column names, or from arrays."""
        columns_by_name = self.names(columns) | self._of_systems(predictions)
        if columns_by_name and is_table(data) and all(map(is_named, columns_by_name.values())):
            columns_by_name = columns_of(data, columns_by_name)
        elif data is not None:
            first = self.task.data[0].name
            if first in columns_by_name:
                raise DataError("is given twice", "give it once", argument=first)
            columns_by_name = {first: data, **columns_by_name}
        self._check_complete(columns_by_name)
        return self._with_labels(columns_by_name) if self.decided else columns_by_name

    def _with_labels(self, columns: dict[str, Any]) -> dict[str, Any]:
        """The columns with labels in place of the scores of one system or several."""
        first = self.task.shared[0].name
        names = [argument.name for argument in self.task.predicted]
        systems = {
            system: {name: columns.pop(key) for name in names if (key := of_system(name, system)) in columns}
            for system in self.systems or (None,)
        }
        if self.missing is not None and not self.task.shared[0].marks:
            refuse_missing(coded(columns[first], first), first, self.missing)
        named_systems = {system or "": system_columns for system, system_columns in systems.items()}
        decided = decide(self.task, rules_of(self.decided), columns[first], named_systems, self.decided, is_batch=True)
        columns[first] = decided.truth
        for system, predicted in decided.predictions.items():
            columns |= {of_system(name, system or None): values for name, values in predicted.items()}
        return columns

    def _check_complete(self, names: Container[str]) -> None:
        """Refuse a batch that lacks the truth or every prediction."""
        task = self.task
        predicted = self.systems is not None or any(
            argument.name in names for argument in task.data if argument.predicted or not task.shared
        )
        if not predicted or (task.shared and not any(argument.name in names for argument in task.shared)):
            raise DataError(f"a batch of {task.name} needs {' and '.join(task.needs[0])}")

    def _of_systems(self, predictions: Any) -> dict[str, Any]:
        """Predicted columns keyed by argument and system, as in ``y_pred of bm25``; every system is required."""
        if self.systems is None:
            if predictions is not None:
                options = " or ".join(f"{argument.option}=" for argument in self.task.data if argument.predicted)
                raise DataError(f"a batch of {self.task.name} has its predictions by name", f"give {options}")
            return {}
        system_names = ", ".join(map(repr, self.systems))
        if not isinstance(predictions, Mapping):
            raise DataError(
                f"is a {type(predictions).__name__}",
                f"give those of the systems {system_names} by name, as {{name: predictions}}",
                argument="predictions",
            )
        if {*map(str, predictions)} != {*self.systems}:
            raise DataError(
                f"has the systems {', '.join(map(repr, predictions))}, but the state those {system_names}",
                "give each of them in every batch",
                argument="predictions",
            )
        return {
            of_system(name, str(system)): column
            for system, prediction in predictions.items()
            for name, column in predicted_by_argument(
                self.task,
                str(system),
                {self.task.predicted[1].name: prediction}
                if self.decided and not isinstance(prediction, Mapping)
                else prediction,
                self.metrics,
            ).items()
        }


_SUBGROUPS = Argument("by", "subgroups", option="", holds="keys")


def _is_numbers(role: Argument) -> bool:
    """True if the argument's columns hold numbers that are not 0/1 marks."""
    return role.holds == "numbers" and not role.marks


def _check_unnamed(values: Any, name: str, width: int) -> None:
    """Refuse tables with column names, which a state does not keep."""
    names = names_of_columns(values, width)
    if names != tuple(range(width)):
        raise DataError(
            f"is a table with the columns {', '.join(map(repr, names[:4]))}",
            "a state knows them by their places: give an array",
            argument=name,
        )


def name_fields(fields: Iterable[Field]) -> str:
    """Names of the fields' arguments, for a message."""
    widths = Counter(field.name for field in fields)
    return ", ".join(name if width == 1 else f"{name} ({width} columns)" for name, width in widths.items())


def as_compared(value: Any) -> Any:
    """Convention in a form that can be compared: labels as a list."""
    return list(value) if isinstance(value, tuple) else value.tolist() if isinstance(value, np.ndarray) else value


def texts_of(metrics: Iterable[Metric] | None) -> list[str] | None:
    """Canonical text of each metric, such as ``nDCG@10``; None stays None."""
    return None if metrics is None else list(map(str, metrics))


GROUPS, WEIGHT = Field("groups", 0, True), Field("sample_weight", 0, False)


def columns_of_rows(
    labels: Mapping[Field, LabelCodes], fields: Sequence[Field], columns: Sequence[Column], counts: Counts
) -> dict[str, NDArray[Any]]:
    """Columns of the rows by argument, each row repeated by its count."""
    columns_by_name: dict[str, list[NDArray[Any]]] = {}
    for field, column in zip(fields, columns, strict=True):
        values = labels[field].decode(column) if field.labels else column
        columns_by_name.setdefault(field.name, []).append(repeat(values, counts))
    return {name: parts[0] if len(parts) == 1 else np.column_stack(parts) for name, parts in columns_by_name.items()}


def rows_in_label_order(labels: Mapping[Field, LabelCodes], columns: Mapping[Field, Column]) -> list[Column]:
    """Columns of the rows, labels replaced by their rank."""
    return [labels[field].ordered(column) if field.labels else column for field, column in columns.items()]
