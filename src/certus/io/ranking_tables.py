"""Qrels and runs from tables with named columns, files and DataFrames alike."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError
from certus.core.exact import GREATEST, doubles, loss
from certus.io.columns import (
    COLUMN_NAMES,
    MAYBE_RUN,
    SWAPPED,
    Chosen,
    Columns,
    Role,
    Table,
    Wanted,
    normalize,
    quoted,
    rename_remedy,
    unknown_column,
    usual_column,
)

_TOO_LARGE = 2**31
_BEIR = {"query-id", "corpus-id", "score"}
"""The columns of BEIR's judgments."""


def qrels_of(table: Table, name: str, fingerprint: str | None, chosen: Chosen | None = None) -> kernels.Qrels:
    """Convert a table to qrels."""
    chosen = chosen or Chosen()
    grade = chosen.value or usual_column("grade", table.names, name) or usual_column("score", table.names, name)
    if grade is None and usual_column("rank", table.names, name):
        raise DataError("has ranks and no grades, so it looks like a run", SWAPPED, location=name)
    query, doc = _id_columns(table, chosen, name)
    if grade is None and {*table.names} == {query, doc}:
        ids = _read(table, Wanted(ids=(query, doc)), name).ids
        ones = np.ones(ids[query].count(b"\0") + 1 if ids[query] else 0, np.int32)
        return _qrels_of_columns(table, name, (query, doc), ids, ones, fingerprint)
    value = _required_column(grade, "grade", table, name)
    columns = _read(table, Wanted(ids=(query, doc), numbers=(value,), truths=chosen.value is not None), name)
    grades = _grades(table, value, columns.numbers[value], name)
    return _qrels_of_columns(table, name, (query, doc), columns.ids, grades, fingerprint)


def _qrels_of_columns(
    table: Table,
    name: str,
    id_names: tuple[str, str],
    ids: Mapping[str, bytes],
    grades: NDArray[np.int32],
    fingerprint: str | None,
) -> kernels.Qrels:
    """Judgments from columns of ids and their grades."""
    query, doc = (ids[column] for column in id_names)
    if not len(grades):
        raise DataError("holds no judgments", location=name)
    try:
        return kernels.Qrels.from_columns(name, query, doc, grades, fingerprint)
    except ValueError:
        raise _repeated_document(table, id_names[1], [query, doc], "is judged") from None


def runs_of(
    table: Table, name: str, fingerprint: str | None, chosen: Chosen | None = None, *, is_single: bool = False
) -> dict[str, kernels.Run]:
    """Convert a table to runs by name; without a column of runs to one run with an empty name.

    `is_single` if all of its rows are one run, ranked by the column of scores alone.

    Ranks count where there is no score: the document of the lower rank stands before that of the higher.
    """
    chosen = chosen or Chosen()
    score = chosen.value or usual_column("score", table.names, name)
    rank = None if is_single else usual_column("rank", table.names, name)
    if score is None and rank is None and usual_column("grade", table.names, name):
        raise DataError("has grades and no scores, so it looks like relevance judgments", SWAPPED, location=name)
    query, doc = _id_columns(table, chosen, name)
    run = chosen.run if chosen.run is not None or is_single else usual_column("run", table.names, name)
    id_names = (query, doc) if run is None else (query, doc, _required_column(run, "run", table, name))
    value = _required_column(score or rank, "score", table, name)
    columns = _read(table, Wanted(ids=id_names, numbers=(value,), truths=False), name)
    ids = [columns.ids[column] for column in id_names]
    if score is not None:
        scores, ranks = _scores(table, value, columns.numbers[value], name), _given_ranks(table, rank)
        if chosen.value is None and set(table.names) == _BEIR and bool((scores == np.floor(scores)).all()):
            raise DataError(
                "looks like BEIR's relevance judgments (query-id, corpus-id, whole numbers), where a run is expected",
                f"{SWAPPED}; if these are scores, name the columns query_id and doc_id",
                location=name,
            )
    else:
        valid_ranks = _ranks(table, value, columns.numbers[value])
        _check_ranks(table, value, ids, valid_ranks)
        scores, ranks = -valid_ranks, valid_ranks.astype(np.uint32)
    if run is not None and chosen.run is None and normalize(run) in MAYBE_RUN:
        _check_runs(table, run, ids)
    try:
        if run is None or not len(scores):
            return {"": kernels.Run.from_columns(name, ids[0], ids[1], scores, ranks, fingerprint)}
        return _split_runs(name, ids, scores, ranks, fingerprint)
    except ValueError:
        raise _repeated_document(table, doc, ids, "appears") from None


def _check_runs(table: Table, column: str, ids: list[bytes]) -> None:
    """Refuse a column that only may name runs, unless documents occur in several of them."""
    runs = ids[2].split(b"\0")
    if len(distinct := dict.fromkeys(runs)) == 1:
        return
    first: dict[tuple[bytes, bytes], bytes] = {}
    shared: set[bytes] = set()
    for query, doc, run in zip(ids[0].split(b"\0"), ids[1].split(b"\0"), runs, strict=True):
        other = first.setdefault((query, doc), run)
        if other != run:
            shared |= {other, run}
    single = next((run for run in distinct if run not in shared), None)
    if single is not None:
        raise table.cell_error(
            column,
            runs.index(single),
            f"is {kernels.show(single)}, one of {len(distinct)} values that may name runs or something else: no result "
            "of its rows stands under another value, too",
            "call the column run if it names runs, otherwise drop or rename it",
        )


def _split_runs(
    name: str, ids: list[bytes], scores: NDArray[np.float64], ranks: NDArray[np.uint32] | None, fingerprint: str | None
) -> dict[str, kernels.Run]:
    """Split rows by run name; `ids` are the columns query, document and run, joined by NUL."""
    queries, docs, runs = (np.array(column.split(b"\0"), dtype=object) for column in ids)
    codes_by_run = {run: code for code, run in enumerate(dict.fromkeys(runs.tolist()))}
    codes = np.fromiter(map(codes_by_run.__getitem__, runs.tolist()), np.intp, len(runs))
    by_name = {}
    order = np.argsort(codes, kind="stable")
    for run, rows in zip(codes_by_run, np.split(order, np.cumsum(np.bincount(codes))[:-1]), strict=True):
        text = run.decode("utf-8", "surrogateescape")
        label = name if len(codes_by_run) == 1 else f"{name} ({text})"
        run_ranks = None if ranks is None else ranks[rows]
        query, doc = (b"\0".join(column[rows].tolist()) for column in (queries, docs))
        by_name[text] = kernels.Run.from_columns(label, query, doc, scores[rows], run_ranks, fingerprint)
    return by_name


def _id_columns(table: Table, chosen: Chosen, name: str) -> tuple[str, str]:
    """Names of the query and document columns: those chosen by the caller, or the usual ones."""
    query = chosen.query or usual_column("query", table.names, name)
    doc = chosen.doc or usual_column("doc", table.names, name)
    return _required_column(query, "query", table, name), _required_column(doc, "doc", table, name)


def _required_column(column: str | None, role: Role, table: Table, name: str) -> str:
    """Name of the column for a role; an error if it was not found or the table lacks it."""
    if column is not None:
        if column not in table.names:
            raise unknown_column(column, table.names, name)
        return column
    also: Mapping[Role, tuple[Role, ...]] = {"grade": ("score",), "score": ("rank",)}
    roles = (role, *also.get(role, ()))
    usual_names = [usual_name for each_role in roles for group in COLUMN_NAMES[each_role] for usual_name in group]
    columns = ", ".join(map(quoted, table.names[:12])) or "none"
    problem = f"has none of {', '.join(map(repr, usual_names))} as columns, but {columns}"
    raise DataError(problem, rename_remedy(role), location=name)


def _read(table: Table, wanted: Wanted, name: str) -> Columns:
    """Read the wanted columns; refuse one column chosen for two purposes."""
    columns = table.read(wanted)
    if len(set(wanted.names)) < len(wanted.ids) + len(wanted.numbers):
        raise DataError("one column was named for two purposes", "name each column once", location=name)
    return columns


def _check(table: Table, column: str, is_wrong: NDArray[np.bool_], values: NDArray[Any], remedy: str) -> None:
    """Refuse the first wrong value of a column."""
    if is_wrong.any():
        row = int(is_wrong.argmax())
        raise table.cell_error(column, row, f"is {values[row]:.17g}", remedy)


def _scores(table: Table, column: str, values: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Convert a column to float64 scores; refuse non-finite ones, and numbers that float64 cannot tell apart."""
    scores = doubles(values)
    _check(table, column, ~np.isfinite(scores), scores, "a score must be finite")
    is_large = values.dtype == object or bool((np.abs(scores) >= GREATEST).any())
    if is_large and (lost := loss(values, scores)):
        raise DataError(f"column {quoted(column)} {lost}", "subtract a common offset, or give ranks", location=name)
    return np.ascontiguousarray(scores)


def _ranks(table: Table, column: str, values: NDArray[Any]) -> NDArray[np.float64]:
    """Convert a column to float64 ranks; refuse all but whole numbers from 0 and below 2**31."""
    ranks = doubles(values)
    is_wrong = ~((ranks >= 0) & (ranks < _TOO_LARGE)) | (ranks != np.floor(ranks))
    _check(table, column, is_wrong, ranks, "a rank must be a whole number, at least 0")
    return ranks


def _given_ranks(table: Table, rank: str | None) -> NDArray[np.uint32] | None:
    """Ranks that stand beside scores, kept for comparison only; None if they are not ranks."""
    if rank is None:
        return None
    try:
        return _ranks(table, rank, table.read(Wanted(numbers=(rank,), truths=False)).numbers[rank]).astype(np.uint32)
    except DataError:
        return None


def _check_ranks(table: Table, column: str, ids: list[bytes], ranks: NDArray[np.float64]) -> None:
    """Refuse two documents of a query with the same rank, as their order would be arbitrary."""
    queries, _, *runs = (column.split(b"\0") for column in ids)
    rows = list(zip(queries, *runs, ranks.tolist(), strict=False))
    if len(set(rows)) < len(rows):
        row = _first_repeated(rows)
        raise table.cell_error(
            column,
            row,
            f"is {ranks[row]:.0f} a second time for query {kernels.show(queries[row])}",
            "give each document its own rank, or scores",
        )


def _grades(table: Table, column: str, values: NDArray[Any], name: str) -> NDArray[np.int32]:
    """Convert a column to relevance grades; refuse fractions and numbers beyond 32 bits."""
    grades = doubles(values)
    remedy = "a grade must be a whole number"
    if column == usual_column("score", table.names, name):
        remedy += f"; {SWAPPED}"
    _check(table, column, ~(np.floor(grades) == grades), grades, remedy)
    low, high = -_TOO_LARGE, _TOO_LARGE - 1
    _check(table, column, (grades < low) | (grades > high), grades, f"a grade must lie between {low} and {high}")
    return grades.astype(np.int32)


def _repeated_document(table: Table, column: str, ids: list[bytes], verb: str) -> DataError:
    """Error for the first document that occurs twice for a query."""
    rows = list(zip(*(column.split(b"\0") for column in ids), strict=True))
    row = _first_repeated(rows)
    query, doc = map(kernels.show, rows[row][:2])
    return table.cell_error(
        column, row, f"names a document again: document {doc} {verb} twice for query {query}", "keep one"
    )


def _first_repeated(rows: list[Any]) -> int:
    """First row that equals an earlier one."""
    earlier: set[Any] = set()
    for row, cells in enumerate(rows):
        if cells in earlier:
            return row
        earlier.add(cells)
    return 0
