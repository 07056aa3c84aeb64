"""The classes, their order, the positive one, and the class that each column of scores is of.

What ``labels=`` and ``pos_label=`` mean is read here for all data. One rule says which class a column is of, for all
metrics, reports and curves:

- Columns without names (arrays, lists) are of the classes in order: those of ``labels=``, or the sorted labels of the
  truth.
- Columns whose names are these classes, each once, are of the classes they are named after, in whatever order they
  stand. A name is a class if it equals the label or is its text: ``"1"`` is 1, ``"true"`` is True.
- Names that only count columns (0, 1, 2, as pandas numbers them, or column_0, column_1, as polars) are not names.
- Where no column is named after a class, ``labels=`` says the class of each, by place; without it they are refused.
- Anything between is refused: a class without a column, a column of no class, two columns of one class.
"""

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from certus.core.errors import DataError, keyword, mention
from certus.core.spelling import repeated
from certus.data.columns import Coded, Kind, as_array, kind_of, normalize_label, sorted_labels

MOST_CLASSES = 5_000
"""A table of more classes than this would not fit into memory."""


def chosen_classes(labels: Any) -> tuple[Hashable, ...] | None:
    """The classes that ``labels=`` lists, checked."""
    if labels is None:
        return None
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise DataError(f"is {labels!r}", "it must list the classes", argument="labels")
    if isinstance(labels, set | frozenset):
        raise DataError("is a set, which has no order", "it must list the classes", argument="labels")
    if hasattr(labels, "__array__"):
        labels = list(as_array(labels, "labels"))
    chosen = tuple(normalize_label(label, "a label of labels") for label in labels)
    if not chosen:
        raise DataError("is empty", "it must list at least one class", argument="labels")
    if len(set(chosen)) < len(chosen):
        twice = repeated(chosen)
        raise DataError(f"lists {twice!r} twice", "list each class once", argument="labels")
    return chosen


def classes_of(
    true: Coded,
    predicted: Coded,
    rows: tuple[Hashable, ...],
    columns: tuple[Hashable, ...],
    chosen: tuple[Hashable, ...] | None,
) -> tuple[tuple[Hashable, ...], bool]:
    """All classes in their order, and whether they have one."""
    label_kinds: list[tuple[str, Kind | None]] = [("y_true", true.kind), ("y_pred", predicted.kind)]
    label_kinds += [("labels", kind_of(label)) for label in chosen or ()]
    (first, first_kind), *other_kinds = [pair for pair in label_kinds if pair[1] is not None] or label_kinds
    for name, kind in other_kinds:
        if kind != first_kind:
            raise DataError(
                f"holds {first_kind} but {mention(name)} holds {kind}", "give labels of one kind", argument=first
            )
    if rows == columns and true.names is None and chosen is None and true.boolean == predicted.boolean:
        return rows, True  # as they come from the kernel
    union: dict[Any, None] = dict.fromkeys((*rows, *columns))
    if true.kind == "numbers" and not (true.boolean and predicted.boolean):
        union = {int(label): None for label in union}
    order, in_order = _order(true, predicted, tuple(union))
    if chosen is None:
        return order, in_order
    return (*chosen, *(label for label in order if label not in set(chosen))), in_order or len(chosen) >= len(order)


def _order(true: Coded, predicted: Coded, labels: tuple[Hashable, ...]) -> tuple[tuple[Hashable, ...], bool]:
    """Labels in a column's category order if it has all, otherwise sorted; and True if they have an order."""
    for column in (true, predicted):
        if column.order is not None and set(labels) <= set(column.order):
            return tuple(label for label in column.order if label in set(labels)), True
    return sorted_labels(labels)


def default_positive(classes: tuple[Hashable, ...]) -> Hashable:
    """1 or True if the labels are 0 and 1, -1 and 1, or False and True; otherwise None."""
    if classes and type(classes[0]) is bool and all(type(label) is bool for label in classes):
        return True
    distinct = set(classes)
    return 1 if distinct <= {0, 1} or distinct <= {-1, 1} else None


def positive_label(labels: Sequence[Hashable], pos_label: Any, subject: str) -> Hashable | None:
    """The positive label: ``pos_label``, one of two labels, or else the usual one; None where it is not known."""
    if pos_label is None:
        return default_positive(tuple(labels))
    label = normalize_label(pos_label, "pos_label")
    if len(labels) == 2 and label not in labels:
        raise DataError(f"is {label!r}, but {subject} are {list_labels(labels)}", argument="pos_label")
    return label


def unknown_positive(labels: Sequence[Hashable], subject: str, argument: str = "pos_label") -> DataError:
    """The error of labels of which it is not known which one is positive."""
    remedy = f"say which is positive with {keyword('pos_label')}"
    return DataError(f"are {list_labels(labels)}", remedy, argument=argument, subject=subject)


def list_labels(labels: Sequence[Any]) -> str:
    """The first five labels, as text of an error message."""
    text = ", ".join(repr(label.item() if isinstance(label, np.generic) else label) for label in labels[:5])
    return text if len(labels) <= 5 else f"{text}, ..."


def names_of(table: Any) -> tuple[Any, ...] | None:
    """The column names of a DataFrame of any library; None for anything else."""
    if type(table).__module__.partition(".")[0] == "pyarrow":  # whose `columns` are the values
        schema = getattr(table, "schema", None)
        return None if schema is None else tuple(schema.names)
    names = getattr(table, "columns", None)
    return None if names is None or callable(names) else tuple(names)


def only_counted(table: Any) -> bool:
    """True if the columns of a DataFrame have only the names that pandas gives them by itself: 0, 1, 2."""
    return type(getattr(table, "columns", None)).__name__ == "RangeIndex" and _are_column_numbers(names_of(table) or ())


class NamedLabels:
    """Labels that are found by what they are called: themselves, or their text (``"1"`` for 1, ``"true"`` for True)."""

    def __init__(self, labels: Iterable[Any]) -> None:
        self.labels = tuple(labels)
        self.texts = {str(label).lower() if isinstance(label, bool) else str(label): label for label in self.labels}
        self._by_label = {label: label for label in self.labels}

    def find(self, name: Any) -> Any:
        """The label of that name; None where there is none."""
        with suppress(DataError):  # of 0.5, which is not a label, but may be the text of one
            name = normalize_label(name, "a name")
        if isinstance(name, Hashable) and name in self._by_label:
            return self._by_label[name]
        text = str(name)
        label = self.texts.get(text)
        return self.texts.get(text.lower()) if label is None and text.lower() in ("true", "false") else label


def order_of_columns(table: Any, labels: Sequence[Hashable], labels_given: bool, name: str) -> list[int] | None:
    """Column index of each label, given by ``labels=`` or the truth; None if columns are in order already."""
    names = names_of(table)
    if names is None or not labels:
        return None
    label_names = NamedLabels(labels)
    column_labels = [label_names.find(column) for column in names]
    if only_counted(table) and (set(column_labels) != set(labels) or len(column_labels) != len(labels)):
        return None
    named_labels = [column for column in column_labels if column is not None]
    if not named_labels:
        if labels_given or _are_column_numbers(names):
            return None
        raise DataError(
            f"has the columns {list_labels(names)}, but the classes are {list_labels(labels)}",
            f"name each column after its class, or list the class of each column with {keyword('labels')}",
            argument=name,
        )
    twice = repeated(named_labels)
    if twice is not None:
        raise DataError(f"has two columns named after the class {twice!r}", "give each class one column", argument=name)
    other = next((column for column, label in zip(names, column_labels, strict=True) if label is None), None)
    missing = next((label for label in labels if label not in set(named_labels)), None)
    if other is not None:
        lacks = f" and none for the class {missing!r}" if missing is not None else ""
        where = mention("labels" if labels_given else "y_true")
        raise DataError(
            f"has a column {other!r}{lacks}, but {where} holds the classes {list_labels(labels)}",
            f"give one column for each class, and list classes without samples with {keyword('labels')}",
            argument=name,
        )
    if missing is not None:
        raise DataError(
            f"has no column for the class {missing!r}",
            f"its columns are {list_labels(names)}; give each class one",
            argument=name,
        )
    order = [column_labels.index(label) for label in labels]
    if order == list(range(len(order))):
        return None
    if only_counted(table):
        raise DataError(
            f"has columns numbered {list_labels(names)}, but the classes are {list_labels(labels)} in this order",
            "name each column after its class, or give the values without names",
            argument=name,
        )
    return order


def named_in_order(table: Any, labels: Iterable[Hashable]) -> tuple[Any, ...]:
    """The label that each column is named after, None for a column of another name or none."""
    label_names = NamedLabels(labels)
    return tuple(map(label_names.find, names_of(table) or (None,)))


def name_of_column(scores: Any) -> Any:
    """The name of a Series, or of a DataFrame's only column; None if it has none, or only a number."""
    if type(scores) is np.ndarray or isinstance(scores, list):
        return None
    names = names_of(scores)
    name = getattr(scores, "name", None) if names is None else names[0] if len(names) == 1 else None
    return None if isinstance(name, int | float | np.number) and not isinstance(name, bool) else name


def check_positive(column: Any, labels: Iterable[Hashable], positive: Hashable, name: str) -> None:
    """Refuse one column of scores that is named after the class that is not positive."""
    label = None if column is None else NamedLabels(labels).find(column)
    if label is not None and label != positive:
        raise DataError(
            f"is named {column!r} after a class, but the positive class is {positive!r}",
            f"give the scores of that class, or say {keyword('pos_label', label)}",
            argument=name,
        )


def _are_column_numbers(names: Sequence[Any]) -> bool:
    """True if the names are the numbers of the columns, from 0."""
    return all(str(name) in (str(index), f"column_{index}") for index, name in enumerate(names))


def check_columns(y_true: Any, other: Any, name: str) -> None:
    """Refuse two DataFrames of which columns of the same name stand in different places."""
    first, second = names_of(y_true), names_of(other)
    if first is None or second is None or first == second or len(first) != len(second):
        return
    if set(first) == set(second):
        expected, column = next(pair for pair in zip(first, second, strict=True) if pair[0] != pair[1])
        raise DataError(
            f"has the columns of {mention('y_true')} in another order ({column!r} where "
            f"{mention('y_true')} has {expected!r})",
            "give both the same order",
            argument=name,
        )
    if (set(first) & set(second)) and not (only_counted(y_true) or only_counted(other)):
        lacking = next(column for column in first if column not in set(second))
        raise DataError(
            f"has some columns of {mention('y_true')}, but none named {lacking!r}",
            "give both the same columns in one order",
            argument=name,
        )


def names_of_columns(values: Any, labels: int) -> tuple[Hashable, ...]:
    """The names of the columns of a DataFrame, or their numbers."""
    columns = names_of(values)
    return tuple(range(labels)) if columns is None or len(columns) != labels else tuple(columns)
