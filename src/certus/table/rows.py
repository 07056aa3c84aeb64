"""Rows of a table in columns, as there may be a great many."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from itertools import repeat
from typing import Any

from certus.table.row import UNDEFINED, Row

_NUMBERS = ("value", "low", "high")
_NAMES = {"label": "class", "minimum": "min", "maximum": "max"}


def flat(blocks: "Iterable[Row | Rows]") -> Iterator[Row]:
    """Each row by itself."""
    for block in blocks:
        if isinstance(block, Rows):
            yield from block
        else:
            yield block


class Rows:
    """Some rows of a table: a `Row` of each is made only when somebody looks at it.

    Parameters
    ----------
    columns
        The fields in which the rows differ, by the names that `Row` has for them: as many values as there are rows.
    alike
        Those in which they do not. Others are as of a row of which they are not told.

    Examples
    --------
    >>> rows = Rows({"value": [0.5, 0.25], "metric": ["AP", "AP"], "group": ["young", "old"]}, {"run": "bm25"})
    >>> len(rows), list(rows)[1] == Row("bm25", "AP", 0.25, group="old")
    (2, True)
    >>> rows.column("group"), list(rows.column("why"))
    (['young', 'old'], [None, None])
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]], alike: Mapping[str, Any]) -> None:
        self.columns, self.alike = columns, alike

    def __len__(self) -> int:
        return len(self.columns["value"])

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows, made a column at a time: in half the time that they take one by one."""
        made = [Row.__new__(Row) for _ in range(len(self))]
        for field in fields(Row):
            cells = self.columns.get(field.name)
            same = repeat(self.alike.get(field.name, field.default), len(made))
            any(map(getattr(Row, field.name).__set__, made, same if cells is None else cells))
        return made

    def has(self, name: str) -> bool:
        """True if any row has a value in a field."""
        cells = self.columns.get(name)
        return self.alike.get(name) is not None if cells is None else any(cell is not None for cell in cells)

    def column(self, name: str) -> Sequence[Any]:
        """The cells of a column, by the name and as the values that `Row.to_dict` gives them."""
        field = next((field for field, other in _NAMES.items() if other == name), name)
        cells = self.columns.get(field)
        if cells is None:
            return [self.alike.get(field)] * len(self)
        if name == "why":
            there = map(math.isfinite, self.columns["value"])
            return [cell or (None if finite else UNDEFINED) for cell, finite in zip(cells, there, strict=True)]
        if name in _NUMBERS and not all(map(math.isfinite, cells)):
            return [cell if math.isfinite(cell) else None for cell in cells]
        return cells
