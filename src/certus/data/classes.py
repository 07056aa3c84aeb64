"""The classes, their order, and the positive one."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from certus.data.codes import Coded, Kind, kind_of, plain, sorted_labels
from certus.errors import DataError, called

__all__ = ["MOST_CLASSES", "chosen_classes", "classes_of", "some_of", "usual_positive"]

MOST_CLASSES = 5_000
"""A table of more classes than this would not fit into memory."""


def chosen_classes(labels: Any) -> tuple[Hashable, ...] | None:
    """The classes that ``labels=`` lists, checked."""
    if labels is None:
        return None
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise DataError(f"{called('labels')} is {labels!r}; it must list the classes")
    if isinstance(labels, set | frozenset):
        raise DataError(f"{called('labels')} is a set, which has no order; it must list the classes")
    chosen = tuple(plain(label, "a label of labels") for label in labels)
    if not chosen:
        raise DataError(f"{called('labels')} is empty; it must list at least one class")
    if len(set(chosen)) < len(chosen):
        twice = next(label for label in chosen if chosen.count(label) > 1)
        raise DataError(f"{called('labels')} lists {twice!r} twice; list each class once")
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
                f"{called(found[0][0])} holds {found[0][1]} but {called(name)} holds {kind}; give labels of one kind"
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
