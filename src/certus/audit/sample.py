"""Drawing the items that are to be checked, and writing them to a file with room for labels."""

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.audit.plan import allocated
from certus.core.errors import DataError, keyword
from certus.core.listing import Listing, StrPath, Tabular, delimited
from certus.inference.interval import Request
from certus.io.predictions import Predictions, as_predictions

PREFIX = "audit_"
AUDIT = (
    "audit_order",  # place in the random order in which rows are to be labelled, from 1
    "audit_of",  # rows in the file
    "audit_row",  # row of the item in the table that was drawn from, from 1
    "audit_stratum",
    "audit_size",  # items of the stratum in that table
    "audit_sampled",  # rows of the stratum in the file
    "audit_inclusion",  # audit_sampled / audit_size, the chance of an item to be drawn; only to be read
    "audit_draw",  # the same in all rows of one draw: a code of it, of the name of the labels' column, of all others'
    "audit_check",  # a code of the row's other cells but label and inclusion
)
"""The columns that are added to an item's own, in order; `OPTIONAL` follows where strata are predictions."""
OPTIONAL = "audit_predicted"

# No digits, so that no spreadsheet takes a code for a number; no vowels, so that it takes none for a word.
_LETTERS = "bcdfghjklmnpqrst"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def code(parts: Sequence[object], letters: int = 16) -> str:
    """Letters that depend on every part."""
    digest = hashlib.blake2b(json.dumps(parts, ensure_ascii=True).encode("ascii"), digest_size=8).hexdigest()
    return digest.translate(str.maketrans("0123456789abcdef", _LETTERS))[:letters]


def find_columns(draw: str, names: Sequence[str]) -> tuple[int | None, list[int], bool]:
    """Indices of the labels' column and a draw's other columns, and whether all are there."""
    # Others may have been added. That a column is found by a name which is not its own has a chance of 6e-8.
    index_by_code = {code([name.strip()], 6): i for i, name in enumerate(names) if name.strip()}
    label, *item_codes = draw.split("-")[1:] or [""]
    columns = [index_by_code[item_code] for item_code in item_codes if item_code in index_by_code]
    return index_by_code.get(label), columns, len(columns) == len(item_codes)


def code_of_row(cells: Mapping[str, str]) -> str:
    """Code of a row's cells by column, the same for all ways in which a spreadsheet may rewrite them."""
    # Such are another order of the columns, other line ends in a cell, 1.50 written 1.5, true written TRUE, and another
    # composition of the same accented letter.
    return code([[name, _normalize_cell(cells[name])] for name in sorted(cells) if name != "audit_inclusion"])


def _normalize_cell(cell: str) -> str:
    text = unicodedata.normalize("NFC", cell.replace("\r\n", "\n").replace("\r", "\n"))
    if _NUMBER.fullmatch(text) and math.isfinite(value := float(text)):
        return repr(value)
    return text.upper() if text.upper() in ("TRUE", "FALSE") else text


YES = ("1", "1.0", "true", "yes")
NO = ("0", "0.0", "false", "no")


@dataclass(frozen=True, eq=False, repr=False)
class DrawnSample(Tabular):
    """Items drawn from a table, to be labelled; made by `draw`.

    Attributes
    ----------
    columns
        Names of the columns.
    rows
        The cells, in the random order in which the rows are to be labelled.
    strata
        For each stratum the number of its items and how many of them were drawn.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strata: Mapping[str, tuple[int, int]]

    def __len__(self) -> int:
        return len(self.rows)

    def _listing(self) -> Listing:
        columns = dict(zip(self.columns, map(list, zip(*self.rows, strict=True)), strict=True))
        return Listing(columns, dict.fromkeys(columns, "text"))

    def to_csv(
        self, path: StrPath | None = None, *, separator: str = ",", line_end: str = "\n", force: bool = False
    ) -> Any:
        """The table as text, quoted where needed.

        Cells that a spreadsheet would run as formulas get an apostrophe in front, which `read_back` drops. `path` and
        `force` as for the tables of `certus.evaluate`.
        """
        text = delimited(self.columns, zip(*self.rows, strict=True), separator, line_end)
        return self._write(text, path, force, "csv")

    def __str__(self) -> str:
        if len(self.strata) == 1:
            ((size, n_drawn),) = self.strata.values()
            return f"{n_drawn} of {size} rows drawn"
        counts_text = ", ".join(f"{name} {n_drawn} of {size}" for name, (size, n_drawn) in self.strata.items())
        return f"{len(self)} rows drawn: {counts_text}"

    def __repr__(self) -> str:
        return f"<DrawnSample: {self}>"


def draw(
    data: Any,
    *,
    size: int | Mapping[str, int],
    seed: int,
    by: str | None = None,
    predicted: str | None = None,
    positive: str | None = None,
    columns: Iterable[str] | None = None,
    label: str = "label",
) -> DrawnSample:
    """Draw items at random, for somebody to label.

    The same seed draws the same rows on every machine, and a larger number from a stratum is those of a smaller one and
    more.

    Parameters
    ----------
    data
        The table to draw from, one row an item: a path, a DataFrame, or what `certus.io.read_predictions` returns.
    size
        How many rows: in all, or by stratum. In all, they go to the groups of `by` in proportion to their sizes, and in
        equal halves to what was predicted and what was not.
    seed
        Where the random draws start; 0 to 2**64 - 1.
    by
        A column whose values are strata.
    predicted
        A column of predictions: what is predicted to be positive and what is not are strata, named ``"retrieved"`` and
        ``"discarded"`` (with `by`, ``"A/retrieved"`` and so on). Recall and precision can then be estimated.
    positive
        The prediction that counts as positive. It may be left out for 1 and 0, true and false, yes and no.
    columns
        Columns to write; all of them if left out. A row in which one of them is changed is refused when read back.
    label
        Name of the empty column for the labels.

    Raises
    ------
    DataError
        The table cannot be read or lacks a column, or a stratum has fewer items than wanted.

    See Also
    --------
    read_back

    Examples
    --------
    >>> import pandas
    >>> table = pandas.DataFrame({"id": ["a", "b", "c", "d", "e"], "spam": [1, 0, 1, 0, 0]})
    >>> drawn = draw(table, size=4, seed=1, predicted="spam")
    >>> print(drawn)
    4 rows drawn: discarded 2 of 3, retrieved 2 of 2
    >>> drawn.columns[:4]
    ('id', 'spam', 'label', 'audit_order')
    >>> [row[0] for row in drawn.rows]
    ['e', 'c', 'a', 'd']
    """
    Request(seed=seed)  # refuses a wrong seed before anything is read
    table = as_predictions(data, "table")
    item_columns = _item_columns(table, columns, label)
    key_columns = [_column_index(table, name) for name in (by, predicted) if name is not None]
    keys = _Keys(table.name, by is not None, predicted, positive)
    codes = np.fromiter((keys.code_of([row[i] for i in key_columns], line) for line, row in table.rows()), np.int64)
    if not len(codes):
        raise DataError("names its columns but has no rows", location=table.name)
    keys.check()
    counts = np.bincount(codes)
    strata = {name: int(counts[i]) for name, i in sorted(keys.codes.items())}
    wanted = allocated(size, strata, keys.groups)
    rows = _sample_rows(codes, {keys.codes[name]: n for name, n in wanted.items()}, int(seed))
    order_by_row = {row: i + 1 for i, row in enumerate(rows.tolist())}
    # The codes of its columns are part of it, by which they are recognised.
    parts = [table.fingerprint, len(codes), int(seed), by, predicted, positive, item_columns, wanted]
    draw_code = "-".join([code(parts), *(code([name.strip()], 6) for name in (label, *item_columns))])
    names = {i: name for name, i in keys.codes.items()}
    row_by_order: dict[int, tuple[str, ...]] = {}
    for row, (_, values) in enumerate(table.rows()):
        if row not in order_by_row:
            continue
        stratum = names[int(codes[row])]
        item_cells = {name: values[_column_index(table, name)] for name in item_columns}
        n, items = wanted[stratum], strata[stratum]
        audit = [order_by_row[row], len(rows), row + 1, stratum, items, n, repr(n / items), draw_code]
        cells = dict(zip(AUDIT, map(str, audit), strict=False))  # the last, the check, is made of the others
        end = {} if predicted is None else {OPTIONAL: keys.side(stratum)}
        check = code_of_row({**item_cells, **cells, **end})
        row_by_order[order_by_row[row]] = (*item_cells.values(), "", *cells.values(), check, *end.values())
    header = (*item_columns, label, *AUDIT, *([] if predicted is None else [OPTIONAL]))
    return DrawnSample(
        header,
        tuple(row_by_order[i + 1] for i in range(len(rows))),
        {name: (strata[name], wanted[name]) for name in strata},
    )


class _Keys:
    """Strata of the rows, numbered in the order in which they occur."""

    def __init__(self, table: str, has_groups: bool, predicted: str | None, positive: str | None) -> None:
        self.table, self.has_groups, self.predicted, self.positive = table, has_groups, predicted, positive
        self.codes: dict[str, int] = {}
        self.groups: dict[str, str] = {}
        self._cache: dict[tuple[str, ...], int] = {}

    def code_of(self, cells: Sequence[str], line: int) -> int:
        key = tuple(cells)
        if key not in self._cache:
            group = key[0] if self.has_groups else ""
            if self.has_groups and not group.strip():
                raise DataError("the stratum is empty", "fill it or drop the row", location=f"{self.table}:{line}")
            side = "" if self.predicted is None else self._side(key[-1], line)
            name = "/".join(filter(None, (group, side))) or "all"
            self.groups[name] = group
            self._cache[key] = self.codes.setdefault(name, len(self.codes))
        return self._cache[key]

    def _side(self, cell: str, line: int) -> str:
        if self.positive is not None:
            return "retrieved" if cell == self.positive else "discarded"
        if cell.strip().lower() in YES:
            return "retrieved"
        if cell.strip().lower() in NO:
            return "discarded"
        raise DataError(
            f"{self.predicted!r} is {cell!r}",
            f"say with {keyword('positive')} which prediction is positive",
            location=f"{self.table}:{line}",
        )

    def check(self) -> None:
        """Refuse predictions of which none is positive: more likely the label is misspelt."""
        if self.positive is not None and not any(name.endswith("retrieved") for name in self.codes):
            values = ", ".join(sorted({repr(key[-1]) for key in self._cache})[:6])
            raise DataError(f"no {self.predicted!r} is {self.positive!r}", f"there are {values}", location=self.table)

    def side(self, stratum: str) -> str:
        """``yes`` for a stratum of predicted positives, otherwise ``no``."""
        return "yes" if stratum.endswith("retrieved") else "no"


def _sample_rows(codes: NDArray[np.int64], wanted: Mapping[int, int], seed: int) -> NDArray[np.int64]:
    """The rows drawn, in the order of labelling."""
    # Raw bits of the generator are the same in every version of numpy, which its other methods need not be. The rows of
    # a stratum with the least keys are drawn; that order is random in each stratum, but for a prefix of the whole to
    # hold its share of every stratum it takes a second, independent key.
    bits = np.random.PCG64(seed)
    drawing, ordering = bits.random_raw(len(codes)), bits.random_raw(len(codes))
    by_key = np.lexsort((drawing, codes))
    starts = np.searchsorted(codes[by_key], np.arange(len(wanted)))
    chosen = np.concatenate([by_key[start : start + wanted[i]] for i, start in enumerate(starts.tolist())])
    return np.asarray(chosen[np.argsort(ordering[chosen], kind="stable")])


def _item_columns(table: Predictions, columns: Iterable[str] | None, label: str) -> list[str]:
    chosen = list(table.columns) if columns is None else list(dict.fromkeys(columns))
    for name in chosen:
        _column_index(table, name)
        if name.startswith(PREFIX):
            raise DataError(
                f"has a column {name!r}", f"names that begin with {PREFIX} are for the audit", location=table.name
            )
    if not label or label.startswith(PREFIX):
        raise DataError(f"is {label!r}", f"name the column for the labels, and not {PREFIX}...", argument="label")
    if label in chosen:
        raise DataError(
            f"has a column {label!r} already",
            f"choose another name for the labels with {keyword('label')}",
            location=table.name,
        )
    return chosen


def _column_index(table: Predictions, name: str) -> int:
    if name not in table.columns:
        from certus.io.columns import unknown_column

        raise unknown_column(name, table.columns, table.name)
    return table.columns.index(name)
