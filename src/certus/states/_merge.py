"""The samples of two states in one."""

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.errors import DataError
from certus.states._batch import named, texts_of
from certus.states._cells import Cells
from certus.states._spilled import Cell, Run, Spilled

if TYPE_CHECKING:
    from certus.states._state import State


def merge(state: "State", other: "State") -> None:
    """Add the samples of another state."""
    for what, one, two in (
        ("task", state.task.name, other.task.name),
        ("metrics", texts_of(state.metrics), texts_of(other.metrics)),
        ("conventions", state.conventions, other.conventions),
        ("systems", state.systems, other.systems),
        ("rows", state.rows, other.rows),
        ("exact", state.exact, other.exact),
    ):
        if one != two:
            raise DataError(f"the states differ in {what}, {one!r} and {two!r}", "merge states that were made alike")
    if state._queries is not None and other._queries is not None:
        state._queries.merge(other._queries)
        return
    if other.fields is None:
        return
    if state.fields is not None and state.fields != other.fields:
        raise DataError(f"one state has {named(state.fields)}, the other {named(other.fields)}", "they do not merge")
    for field, labels in state._labels.items():
        labels.check_joined(other._labels[field], field.name)
    if state.fields is None:
        state._begin(other.fields)
    rows, others = state._rows, other._rows
    if rows is not None:
        rows.make_room()
    runs = _runs(state, other, rows, others) if isinstance(rows, Spilled) and isinstance(others, Spilled) else []
    whole = others.whole() if isinstance(others, Spilled) and not isinstance(rows, Spilled) else None
    # From here nothing fails.
    state.n += other.n
    for metric, sums in state._sums.items():
        sums.merge(other._sums[metric])
    if rows is None or others is None:
        return
    columns, counts = others.settle() if whole is None else whole
    joined = _joined(state, other, columns)
    if isinstance(rows, Spilled):
        for cell, run in runs:
            own = _joined(state, other, [np.array([label]) for label in cell])
            rows.cells.setdefault(tuple(int(column[0]) for column in own), []).append(run)
    rows.settle()
    if isinstance(rows, Cells) and isinstance(others, Cells):
        rows.lose(others.lost)
    rows.take(joined, counts)


def _runs(state: "State", other: "State", rows: Spilled, others: Spilled) -> list[tuple[Cell, Run]]:
    """The runs of another state in the file of this one, with its labels as they will be numbered."""
    fields = state.held[rows.keys :]
    if not any(field.labels for field in fields):
        return rows.copied(others)
    labels = copy.deepcopy(state._labels)
    return rows.changed(
        lambda columns: [
            labels[field].joined(other._labels[field], column) if field.labels else column
            for field, column in zip(fields, columns, strict=True)
        ],
        others,
    )


def _joined(state: "State", other: "State", columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Columns of another state, their labels as numbers of this one."""
    return [
        state._labels[field].joined(other._labels[field], column) if field.labels else column
        for field, column in zip(state.held, columns, strict=False)
    ]
