"""Qrels and runs from tables whose columns have names, files and DataFrames alike."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import DataError
from certus.exact import GREATEST, doubles, loss
from certus.io._format import SWAPPED
from certus.io._names import COLUMNS, MAYBE_RUN, Role, place_of, rename, spelled
from certus.io.columns import Columns, Source, Wanted, quoted, unknown

_TOO_LARGE = 2**31
_BEIR = {"query-id", "corpus-id", "score"}
"""The columns of BEIR's judgments."""


class Chosen(NamedTuple):
    """The columns that a caller names; None: found by their usual names."""

    query: str | None = None
    doc: str | None = None
    value: str | None = None
    run: str | None = None


_USUAL = Chosen()


def qrels_of(table: Source, name: str, fingerprint: str | None, chosen: Chosen = _USUAL) -> kernels.Qrels:
    """The judgments of a table."""
    grade = chosen.value or place_of("grade", table.names, name) or place_of("score", table.names, name)
    if grade is None and place_of("rank", table.names, name):
        raise DataError("has ranks and no grades, so it looks like a run", SWAPPED, place=name)
    query, doc = _ids(table, chosen, name)
    value = _present(grade, "grade", table, name)
    found = _read(table, Wanted(ids=(query, doc), numbers=(value,), truths=False), name)
    grades = _grades(table, value, found.numbers[value], name)
    if not len(grades):
        raise DataError("holds no judgments", place=name)
    try:
        return kernels.Qrels.from_columns(name, found.ids[query], found.ids[doc], grades, fingerprint)
    except ValueError:
        raise _twice(table, doc, [found.ids[query], found.ids[doc]], "is judged") from None


def runs_of(table: Source, name: str, fingerprint: str | None, chosen: Chosen = _USUAL) -> dict[str, kernels.Run]:
    """The runs of a table by their names; of a table without a column of runs one, whose name is empty.

    Ranks count where there is no score: the document of the lower rank stands before that of the higher.
    """
    score, rank = chosen.value or place_of("score", table.names, name), place_of("rank", table.names, name)
    if score is None and rank is None and place_of("grade", table.names, name):
        raise DataError("has grades and no scores, so it looks like relevance judgments", SWAPPED, place=name)
    query, doc = _ids(table, chosen, name)
    run = chosen.run if chosen.run is not None else place_of("run", table.names, name)
    ids = (query, doc) if run is None else (query, doc, _present(run, "run", table, name))
    value = _present(score or rank, "score", table, name)
    found = _read(table, Wanted(ids=ids, numbers=(value,), truths=False), name)
    columns = [found.ids[each] for each in ids]
    if score is not None:
        scores, ranks = _scores(table, value, found.numbers[value], name), _stated(table, rank)
        if set(table.names) == _BEIR and bool((scores == np.floor(scores)).all()):
            raise DataError(
                "looks like BEIR's relevance judgments (query-id, corpus-id, whole numbers), where a run is expected",
                f"{SWAPPED}; if these are scores, name the columns query_id and doc_id",
                place=name,
            )
    else:
        whole = _ranks(table, value, found.numbers[value])
        _check_ranks(table, value, columns, whole)
        scores, ranks = -whole, whole.astype(np.uint32)
    if run is not None and chosen.run is None and spelled(run) in MAYBE_RUN:
        _check_runs(table, run, columns)
    try:
        if run is None or not len(scores):
            return {"": kernels.Run.from_columns(name, columns[0], columns[1], scores, ranks, fingerprint)}
        return _split(name, columns, scores, ranks, fingerprint)
    except ValueError:
        raise _twice(table, doc, columns, "appears") from None


def _check_runs(table: Source, column: str, columns: list[bytes]) -> None:
    """Refuse a column that need not name runs: one that runs with documents in common does not explain."""
    runs = columns[2].split(b"\0")
    if len(known := dict.fromkeys(runs)) == 1:
        return
    first: dict[tuple[bytes, bytes], bytes] = {}
    shared: set[bytes] = set()
    for query, doc, run in zip(columns[0].split(b"\0"), columns[1].split(b"\0"), runs, strict=True):
        other = first.setdefault((query, doc), run)
        if other != run:
            shared |= {other, run}
    alone = next((run for run in known if run not in shared), None)
    if alone is not None:
        raise table.cell_error(
            column,
            runs.index(alone),
            f"is {kernels.show(alone)}, one of {len(known)} values that may name runs or something else: no result of "
            "its rows stands under another value, too",
            "call the column run if it names runs, otherwise drop or rename it",
        )


def _split(
    name: str, columns: list[bytes], scores: NDArray[np.float64], ranks: NDArray[np.uint32] | None, mark: str | None
) -> dict[str, kernels.Run]:
    """The rows of each run, in the order of the runs' first rows."""
    queries, docs, runs = (np.array(column.split(b"\0"), dtype=object) for column in columns)
    known = {run: place for place, run in enumerate(dict.fromkeys(runs.tolist()))}
    codes = np.fromiter(map(known.__getitem__, runs.tolist()), np.intp, len(runs))
    found = {}
    order = np.argsort(codes, kind="stable")
    for run, rows in zip(known, np.split(order, np.cumsum(np.bincount(codes))[:-1]), strict=True):
        text = run.decode("utf-8", "surrogateescape")
        label = name if len(known) == 1 else f"{name} ({text})"
        own = None if ranks is None else ranks[rows]
        query, doc = (b"\0".join(column[rows].tolist()) for column in (queries, docs))
        found[text] = kernels.Run.from_columns(label, query, doc, scores[rows], own, mark)
    return found


def _ids(table: Source, chosen: Chosen, name: str) -> tuple[str, str]:
    query = chosen.query or place_of("query", table.names, name)
    doc = chosen.doc or place_of("doc", table.names, name)
    return _present(query, "query", table, name), _present(doc, "doc", table, name)


def _present(column: str | None, role: Role, table: Source, name: str) -> str:
    """The column, which must be there."""
    if column is not None:
        if column not in table.names:
            raise unknown(column, table.names, name)
        return column
    also: Mapping[Role, tuple[Role, ...]] = {"grade": ("score",), "score": ("rank",)}
    usual = [each for one in (role, *also.get(role, ())) for names in COLUMNS[one] for each in names]
    listed = ", ".join(map(quoted, table.names[:12])) or "none"
    raise DataError(f"has none of {', '.join(map(repr, usual))} as columns, but {listed}", rename(role), place=name)


def _read(table: Source, wanted: Wanted, name: str) -> Columns:
    found = table.read(wanted)
    if len(set(wanted.names)) < len(wanted.ids) + len(wanted.numbers):
        raise DataError("one column was named for two purposes", "name each column once", place=name)
    return found


def _bad(table: Source, column: str, wrong: NDArray[np.bool_], values: NDArray[Any], why: str) -> None:
    """Refuse the first value that is wrong."""
    if wrong.any():
        row = int(wrong.argmax())
        raise table.cell_error(column, row, f"is {values[row]:.17g}", why)


def _scores(table: Source, column: str, values: NDArray[Any], name: str) -> NDArray[np.float64]:
    scores = doubles(values)
    _bad(table, column, ~np.isfinite(scores), scores, "a score must be finite")
    large = values.dtype == object or bool((np.abs(scores) >= GREATEST).any())
    if large and (lost := loss(values, scores)):
        raise DataError(f"column {quoted(column)} {lost}", "subtract a common offset, or give ranks", place=name)
    return np.ascontiguousarray(scores)


def _ranks(table: Source, column: str, values: NDArray[Any]) -> NDArray[np.float64]:
    ranks = doubles(values)
    wrong = ~((ranks >= 0) & (ranks < _TOO_LARGE)) | (ranks != np.floor(ranks))
    _bad(table, column, wrong, ranks, "a rank must be a whole number, at least 0")
    return ranks


def _stated(table: Source, rank: str | None) -> NDArray[np.uint32] | None:
    """The ranks beside the scores, which are only compared with them; None where they are none."""
    if rank is None:
        return None
    try:
        return _ranks(table, rank, table.read(Wanted(numbers=(rank,), truths=False)).numbers[rank]).astype(np.uint32)
    except DataError:
        return None


def _check_ranks(table: Source, column: str, columns: list[bytes], ranks: NDArray[np.float64]) -> None:
    """Refuse two documents of one rank: their order would rest on nothing."""
    queries, _, *runs = (each.split(b"\0") for each in columns)
    rows = list(zip(queries, *runs, ranks.tolist(), strict=False))
    if len(set(rows)) < len(rows):
        row = _second(rows)
        raise table.cell_error(
            column,
            row,
            f"is {ranks[row]:.0f} a second time for query {kernels.show(queries[row])}",
            "give each document its own rank, or scores",
        )


def _grades(table: Source, column: str, values: NDArray[Any], name: str) -> NDArray[np.int32]:
    grades = doubles(values)
    why = "a grade must be a whole number"
    if column == place_of("score", table.names, name):
        why += f"; {SWAPPED}"
    _bad(table, column, ~(np.floor(grades) == grades), grades, why)
    low, high = -_TOO_LARGE, _TOO_LARGE - 1
    _bad(table, column, (grades < low) | (grades > high), grades, f"a grade must lie between {low} and {high}")
    return grades.astype(np.int32)


def _twice(table: Source, column: str, columns: list[bytes], how: str) -> DataError:
    """The error for the first document that stands twice for one query."""
    rows = list(zip(*(each.split(b"\0") for each in columns), strict=True))
    row = _second(rows)
    query, doc = map(kernels.show, rows[row][:2])
    return table.cell_error(
        column, row, f"names a document again: document {doc} {how} twice for query {query}", "keep one"
    )


def _second(rows: list[Any]) -> int:
    """The first row that was there before."""
    known: set[Any] = set()
    for row, each in enumerate(rows):
        if each in known:
            return row
        known.add(each)
    return 0
