"""From what `State.update` is given to the columns of a batch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.data.codes import Coded, coded
from certus.data.columns import as_array, check_lengths, floats
from certus.errors import DataError, MetricNameError, called
from certus.io.batches import columns_of, is_named, is_table
from certus.metrics import Metric
from certus.tasks import Task

__all__ = ["Batch", "Field", "Reader", "as_compared", "named", "texts_of"]


class Field(NamedTuple):
    """One column of rows: of which argument, and which of its columns."""

    name: str
    place: int
    labels: bool


@dataclass
class Batch:
    """A valid batch.

    Attributes
    ----------
    given
        The columns as they came, by the names of their arguments.
    labels, numbers
        They by field.
    n
        How many samples there are.
    """

    given: dict[str, Any]
    labels: dict[Field, Coded]
    numbers: dict[Field, NDArray[Any]]
    n: int

    @property
    def fields(self) -> list[Field]:
        """All fields, labels first."""
        return [*self.labels, *self.numbers]


class Reader:
    """Reads batches of a task.

    Parameters
    ----------
    task
        Whose columns they have.
    classes
        The classes of columns of scores are known, so that there may be several.
    """

    def __init__(self, task: Task, *, classes: bool) -> None:
        self.task, self.classes = task, classes
        self.roles = task.columns
        self.aliases = {**task.aliases, "by": "by"}
        order = {each.name: each.holds == "numbers" for each in self.roles} | {"by": False}
        self.ordered = sorted(order.items(), key=lambda pair: (pair[1], pair[0]))

    def batch(self, data: Any, columns: Mapping[str, Any]) -> Batch:
        """The columns of a batch.

        Raises
        ------
        DataError, MetricNameError
            The batch is not valid by itself.
        """
        given = self._given(data, columns)
        labels: dict[Field, Coded] = {}
        numbers: dict[Field, NDArray[Any]] = {}
        arrays: dict[str, NDArray[Any]] = {}
        for name, holds_numbers in self.ordered:
            if name not in given:
                continue
            if not holds_numbers:
                column = labels[Field(name, 0, True)] = coded(given[name], name)
                arrays[name] = column.values
                continue
            array = arrays[name] = as_array(given[name], name)
            if array.ndim < 2:
                numbers[Field(name, 0, False)] = floats(array, name, infinite=name == "y_score")
                continue
            if name == "y_score" and not self.classes:
                raise DataError(
                    f"{called(name)} has a column for each class; a state has to know the classes in their order: give "
                    "labels to State"
                )
            for place in range(array.shape[1]):
                numbers[Field(name, place, False)] = floats(array[:, place], name, infinite=name == "y_score")
        return Batch(given, labels, numbers, check_lengths(**arrays))

    def names(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that keywords give, by the names of the arguments they mean.

        Raises
        ------
        DataError, MetricNameError
            There is no such column, or it is given twice.
        """
        given: dict[str, Any] = {}
        for key, value in columns.items():
            if value is None:
                continue
            name = self.aliases.get(key)
            if name is None:
                raise MetricNameError(
                    f"{called(key)} is no column of {self.task.name}; these are "
                    f"{', '.join(dict.fromkeys(each.name for each in self.roles))} and by"
                )
            if name in given:
                raise DataError(f"{called(name)} is given twice; give it once")
            given[name] = value
        return given

    def _given(self, data: Any, columns: Mapping[str, Any]) -> dict[str, Any]:
        given = self.names(columns)
        if given and is_table(data) and all(map(is_named, given.values())):
            given = columns_of(data, given)
        elif data is not None:
            first = self.task.data[0].name
            if first in given:
                raise DataError(f"{called(first)} is given twice; give it once")
            given = {first: data, **given}
        known = self.task.data
        if not any(each.name in given for each in known if each.predicted or not self.task.shared) or (
            self.task.shared and not any(each.name in given for each in self.task.shared)
        ):
            raise DataError(f"a batch of {self.task.name} needs {' and '.join(self.task.needs[0])}")
        return given


def named(fields: Iterable[Field]) -> str:
    """The arguments of some fields, for a message."""
    return ", ".join(dict.fromkeys(field.name for field in fields))


def as_compared(value: Any) -> Any:
    """A convention as it is compared: a list of labels as a list."""
    return list(value) if isinstance(value, tuple) else value.tolist() if isinstance(value, np.ndarray) else value


def texts_of(metrics: Iterable[Metric] | None) -> list[str] | None:
    """The texts of metrics."""
    return None if metrics is None else list(map(str, metrics))
