"""The classes, their order, the positive one, and the class that each column of scores is of.

One rule says which class a column is of, for all metrics, reports and curves:

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

from certus.data.codes import Coded, Kind, kind_of, plain, sorted_labels
from certus.errors import DataError, called, keyword
from certus.spelling import repeated

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
    chosen = tuple(plain(label, "a label of labels") for label in labels)
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
    kinds: list[tuple[str, Kind | None]] = [("y_true", true.kind), ("y_pred", predicted.kind)]
    if chosen is not None:
        kinds += [("labels", kind_of(label)) for label in chosen]
    found = [(name, kind) for name, kind in kinds if kind is not None]
    for name, kind in found:
        if kind != found[0][1]:
            raise DataError(
                f"holds {found[0][1]} but {called(name)} holds {kind}", "give labels of one kind", argument=found[0][0]
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
    for column in (true, predicted):
        if column.order is not None and set(labels) <= set(column.order):
            return tuple(label for label in column.order if label in set(labels)), True
    return sorted_labels(labels)


def usual_positive(classes: tuple[Hashable, ...]) -> Hashable:
    """1 or True where the labels can be told to be 0 and 1, -1 and 1, or False and True."""
    if all(type(label) is bool for label in classes) and classes:
        return True
    found = set(classes)
    return 1 if found <= {0, 1} or found <= {-1, 1} else None


def some_of(classes: Sequence[Hashable]) -> str:
    """The classes as an error message lists them."""
    shown = ", ".join(repr(label) for label in classes[:5])
    return shown if len(classes) <= 5 else f"{shown}, ..."


def names_of(table: Any) -> tuple[Any, ...] | None:
    """The names of the columns of a DataFrame of any library; None of anything else."""
    if type(table).__module__.partition(".")[0] == "pyarrow":  # whose `columns` are the values
        schema = getattr(table, "schema", None)
        return None if schema is None else tuple(schema.names)
    names = getattr(table, "columns", None)
    return None if names is None or callable(names) else tuple(names)


def only_counted(table: Any) -> bool:
    """True if the columns of a DataFrame have only the names that pandas gives them by itself: 0, 1, 2."""
    return type(getattr(table, "columns", None)).__name__ == "RangeIndex" and _places(names_of(table) or ())


class NamedLabels:
    """Labels that are found by what they are called: themselves, or their text.

    Examples
    --------
    >>> NamedLabels([0, 1]).find("1"), NamedLabels(["0", "1"]).find(1), NamedLabels([False, True]).find("true")
    (1, '1', True)
    """

    def __init__(self, labels: Iterable[Any]) -> None:
        self.labels = tuple(labels)
        self.texts = {str(label).lower() if isinstance(label, bool) else str(label): label for label in self.labels}
        self._same = {label: label for label in self.labels}

    def find(self, name: Any) -> Any:
        """The label of that name; None where there is none."""
        with suppress(DataError):  # of 0.5, which is not a label, but may be the text of one
            name = plain(name, "a name")
        if isinstance(name, Hashable) and name in self._same:
            return self._same[name]
        text = str(name)
        found = self.texts.get(text)
        return self.texts.get(text.lower()) if found is None and text.lower() in ("true", "false") else found


def order_of_columns(table: Any, labels: Sequence[Hashable], given: bool, name: str) -> list[int] | None:
    """The place of each label's column; None where the columns are in the order of the labels already.

    Parameters
    ----------
    table
        The scores as they were given.
    labels
        The classes, in their order.
    given
        Whether ``labels=`` lists them, not the truth.
    name
        What the scores are called.
    """
    names = names_of(table)
    if names is None or not labels:
        return None
    known = NamedLabels(labels)
    found = [known.find(each) for each in names]
    if only_counted(table) and (set(found) != set(labels) or len(found) != len(labels)):
        return None
    named = [each for each in found if each is not None]
    if not named:
        if given or _places(names):
            return None
        raise DataError(
            f"has the columns {_few(names)}, but the classes are {_few(labels)}",
            f"name each column after its class, or list the class of each column with {keyword('labels')}",
            argument=name,
        )
    twice = repeated(named)
    if twice is not None:
        raise DataError(f"has two columns named after the class {twice!r}", "give each class one column", argument=name)
    other = next((each for each, label in zip(names, found, strict=True) if label is None), None)
    missing = next((label for label in labels if label not in set(named)), None)
    if other is not None:
        lacks = f" and none for the class {missing!r}" if missing is not None else ""
        where = called("labels" if given else "y_true")
        raise DataError(
            f"has a column {other!r}{lacks}, but {where} holds the classes {_few(labels)}",
            f"give one column for each class, and list classes without samples with {keyword('labels')}",
            argument=name,
        )
    if missing is not None:
        raise DataError(
            f"has no column for the class {missing!r}",
            f"its columns are {_few(names)}; give each class one",
            argument=name,
        )
    order = [found.index(label) for label in labels]
    if order == list(range(len(order))):
        return None
    if only_counted(table):
        raise DataError(
            f"has columns numbered {_few(names)}, but the classes are {_few(labels)} in this order",
            "name each column after its class, or give the values without names",
            argument=name,
        )
    return order


def named_in_order(table: Any, labels: Iterable[Hashable]) -> tuple[Any, ...]:
    """The label that each column is named after, None for a column of another name or none."""
    known = NamedLabels(labels)
    return tuple(map(known.find, names_of(table) or (None,)))


def name_of_column(scores: Any) -> Any:
    """The name of a Series, or of the only column of a DataFrame; None where it has none, or only a number.

    A number may be the place that the column had, not its class.
    """
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


def _places(names: Sequence[Any]) -> bool:
    """True if the names are the numbers of the columns, from 0."""
    return all(str(name) in (str(place), f"column_{place}") for place, name in enumerate(names))


def _few(labels: Sequence[Any]) -> str:
    shown = ", ".join(repr(label.item() if isinstance(label, np.generic) else label) for label in labels[:5])
    return shown if len(labels) <= 5 else f"{shown}, ..."
