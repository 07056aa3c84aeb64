"""Reading the labels back from a file of items to check."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from certus.audit.sample import AUDIT, OPTIONAL, code_of_row, find_columns
from certus.core import kernels
from certus.core.errors import DataError, keyword
from certus.core.listing import inverse_of_inert
from certus.core.readable import Readable
from certus.io.columns import quoted
from certus.io.sources import readable, refusals
from certus.io.text import Delimited

YES = ("1", "1.0", "y", "yes", "t", "true", "relevant", "positive")
NO = ("0", "0.0", "n", "no", "f", "false", "irrelevant", "nonrelevant", "non-relevant", "not relevant", "negative")


@dataclass(frozen=True)
class CheckedStratum:
    """The counts of the labels of one stratum.

    Attributes
    ----------
    name
        The stratum; ``"all"`` where there is one only.
    size
        Items of the stratum in the table that was drawn from.
    drawn, checked, hits
        How many were drawn, how many of them have a label, and how many of those a positive one.
    predicted
        Whether its items were predicted to be positive; None where no predictions were known.
    """

    name: str
    size: int
    drawn: int
    checked: int
    hits: int
    predicted: bool | None = None


@dataclass(frozen=True)
class CheckedFile(Readable):
    """A file of items to check, read back; made by `read_back`.

    Attributes
    ----------
    name
        The file.
    strata
        Counts for each stratum.
    labels
        The labels in the random order in which they were to be given.
    unlabelled
        Lines of the rows without a label, in that order.
    """

    name: str
    strata: tuple[CheckedStratum, ...]
    labels: tuple[bool, ...]
    unlabelled: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """True if every row has a label."""
        return not self.unlabelled

    def __str__(self) -> str:
        n_drawn = len(self.labels) + len(self.unlabelled)
        text = f"{len(self.labels)} of {n_drawn} rows labelled, {sum(self.labels)} positive"
        if self.complete:
            return text
        first = ", ".join(map(str, self.unlabelled[:3])) + (", ..." if len(self.unlabelled) > 3 else "")
        return f"{text}; no label in line{'s' * (len(self.unlabelled) > 1)} {first}"


class _Row(NamedTuple):
    order: int
    line: int
    label: bool | None
    stratum: CheckedStratum


def read_back(path: Any, *, label: str | None = None, yes: Iterable[str] = YES, no: Iterable[str] = NO) -> CheckedFile:
    r"""Read a file that `draw` made and somebody has filled in.

    Rows may stand in any order, and the file may have gone through a spreadsheet: line ends, a byte order mark,
    semicolons or tabs between fields and quoting do not matter, nor do columns that were moved or added. A file that is
    filled in only partly will do if the labelled rows of each stratum are the first in ``audit_order``, for these are a
    random sample themselves.

    Parameters
    ----------
    path
        The file; ``-`` for standard input.
    label
        Name of the column of labels, if it is not the one that was written.
    yes, no
        What labels may say, in any case of letters.

    Raises
    ------
    DataError
        A row was changed, dropped or repeated, a label says something else, or the labelled rows are not a random
        sample; the message names file and line.

    Examples
    --------
    The column ``label`` of a drawn file is filled in, here with the true classes.

    >>> import tempfile
    >>> from importlib.resources import files
    >>> from pathlib import Path
    >>> from certus.audit import draw
    >>> demo = files("certus") / "demo" / "predictions.csv"
    >>> drawn = draw(demo, size=100, seed=1, predicted="prediction", positive="type")
    >>> truth, label = drawn.columns.index("truth"), drawn.columns.index("label")
    >>> rows = [[*row[:label], "yes" if row[truth] == "type" else "no", *row[label + 1 :]] for row in drawn.rows]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "to_check.csv")
    ...     _ = path.write_text("\n".join(",".join(row) for row in [drawn.columns, *rows]))
    ...     checked = read_back(path)
    >>> [(each.size, each.checked, each.hits) for each in checked.strata]
    [(1189, 50, 9), (311, 50, 43)]
    """
    with readable(path) as (file, name), refusals():
        data, _ = kernels.read_bytes(file, name)
    table = Delimited(data, name, _separator(data))
    names = [inverse_of_inert(column) for column in table.names]
    missing = next((column for column in AUDIT if column not in names), None)
    if missing is not None:
        raise DataError(
            f"has no column {missing}",
            "give a file that certus audit sample wrote, with all its columns",
            location=name,
        )
    meanings = _meanings(yes, no)
    # a spreadsheet writes rows that were emptied
    nonempty = ((line, row) for line, row in table.rows() if any(cell.strip() for cell in row))
    cells = [(line, [inverse_of_inert(cell) for cell in row]) for line, row in nonempty]
    if not cells:
        raise DataError("has no rows", "those that were drawn must all be there", location=name)
    columns = _columns(names, cells[0][1], f"{name}:{cells[0][0]}", label)
    rows = sorted(_rows(cells, columns, meanings, name), key=lambda row: row.order)
    _check_order(rows, name)
    strata: dict[str, CheckedStratum] = {}
    for row in rows:
        stratum = strata.setdefault(row.stratum.name, row.stratum)
        if row.label is not None:
            stratum = replace(stratum, checked=stratum.checked + 1, hits=stratum.hits + row.label)
            strata[stratum.name] = stratum
    return CheckedFile(
        name,
        tuple(strata[key] for key in sorted(strata)),
        tuple(row.label for row in rows if row.label is not None),
        tuple(row.line for row in rows if row.label is None),
    )


_Columns = tuple[dict[str, int], int, dict[str, int]]
"""Column indices of the items by name, of the label, and of the draw's own by name."""


def _columns(names: Sequence[str], row: Sequence[str], location: str, label: str | None) -> _Columns:
    audit = {name: names.index(name) for name in (*AUDIT, OPTIONAL) if name in names}
    label_column, item_columns, is_complete = find_columns(row[audit["audit_draw"]], names)
    if not is_complete:
        raise DataError(
            "a column of the items was dropped or renamed, or audit_draw changed", "restore it", location=location
        )
    if label is not None:
        label_column = names.index(label) if label in names else None
    is_taken = label_column in audit.values() or label_column in item_columns
    if label is not None and is_taken:
        whose = "the draw's own" if label_column in audit.values() else "of the items that were drawn"
        raise DataError(
            f"the column {quoted(label)} is {whose} and has no labels", "name that of the labels", location=location
        )
    if label_column is None or is_taken:
        name_text = "" if label is None else f" named {quoted(label)}"
        raise DataError(
            f"there is no column{name_text} for the labels", f"name it with {keyword('label')}", location=location
        )
    return {names[i]: i for i in item_columns}, label_column, audit


def _rows(
    rows: Iterable[tuple[int, list[str]]], columns: _Columns, meanings: dict[str, bool], name: str
) -> Iterator[_Row]:
    item_columns, label_column, audit_columns = columns
    lines: dict[int, int] = {}
    draw, n_drawn = "", 0
    for line, cells in rows:
        audit = {key: cells[i] for key, i in audit_columns.items()}
        check = audit.pop("audit_check")
        if check != code_of_row({**{column: cells[i] for column, i in item_columns.items()}, **audit}):
            raise DataError(
                "the row was changed since it was drawn",
                "only its label may change: restore the cells (spreadsheets rewrite long numbers and dates) or draw "
                "again with the same seed",
                location=f"{name}:{line}",
            )
        if draw not in ("", audit["audit_draw"]):
            raise DataError(
                "the row is from another draw than those above it", "keep draws apart", location=f"{name}:{line}"
            )
        draw, n_drawn = audit["audit_draw"], _number(audit["audit_of"])
        order = _number(audit["audit_order"])
        if order in lines:
            raise DataError(f"repeats the row of line {lines[order]}", "drop one of them", location=f"{name}:{line}")
        lines[order] = line
        size, n_sampled = _number(audit["audit_size"]), _number(audit["audit_sampled"])
        predicted = audit[OPTIONAL].lower() == "yes" if OPTIONAL in audit else None
        stratum = CheckedStratum(audit["audit_stratum"], size, n_sampled, 0, 0, predicted)
        yield _Row(order, line, _label(cells[label_column], meanings, f"{name}:{line}"), stratum)
    gone = next((order for order in range(1, n_drawn + 1) if order not in lines), None)
    if gone is not None:
        raise DataError(
            f"{n_drawn - len(lines)} of the {n_drawn} rows drawn are not there, the first of them with audit_order "
            f"{gone}",
            "restore them, and leave the label of what cannot be judged for the end",
            location=name,
        )


def _label(cell: str, meanings: dict[str, bool], location: str) -> bool | None:
    text = " ".join(cell.split()).casefold()
    if not text:
        return None
    if text not in meanings:
        examples = [[quoted(key) for key, value in meanings.items() if value is sense][:3] for sense in (True, False)]
        raise DataError(
            f"the label is {quoted(cell)}",
            f"it must say yes ({', '.join(examples[0])}, ...) or no ({', '.join(examples[1])}, ...), or be empty",
            location=location,
        )
    return meanings[text]


def _check_order(rows: Sequence[_Row], name: str) -> None:
    """Refuse labels that skip a row of their stratum: rows picked out of order are not a random sample."""
    skipped: dict[str, _Row] = {}
    for row in rows:
        before = skipped.get(row.stratum.name)
        if row.label is None:
            skipped.setdefault(row.stratum.name, row)
        elif before is not None:
            raise DataError(
                f"has a label, but line {before.line} comes before it in audit_order ({before.order} before "
                f"{row.order}) and has none",
                f"rows picked out of order are not a random sample: label line {before.line} too",
                location=f"{name}:{row.line}",
            )


def _meanings(yes: Iterable[str], no: Iterable[str]) -> dict[str, bool]:
    meanings: dict[str, bool] = {}
    for texts, sense in ((yes, True), (no, False)):
        for text in texts:
            key = " ".join(text.split()).casefold()
            if meanings.setdefault(key, sense) is not sense:
                raise DataError(f"{text!r} stands for both yes and no", "choose one of them")
    return meanings


def _number(cell: str) -> int:
    return int(float(cell))  # the row's code is right, so that these are the numbers written, or ``3.0`` for ``3``


def _separator(data: bytes) -> str:
    """Separator of the header line; spreadsheets of many countries write semicolons."""
    header = data.split(b"\n", 1)[0]
    return max((",", ";", "\t"), key=lambda separator: header.count(separator.encode()))
