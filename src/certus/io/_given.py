"""Qrels and runs that Python holds: dicts, collections, rows and DataFrames."""

from collections.abc import Mapping
from typing import Any, Literal

from certus import kernels
from certus.errors import DataError
from certus.io._format import Rows
from certus.io._frame import Frame
from certus.io._held import Kernel, Qrels, Run, made_qrels, made_run
from certus.io._rankings import Chosen, qrels_of, runs_of
from certus.io._records import from_records
from certus.io._rows import checked, from_mapping, grade_of, kind_named, score_of
from certus.io.opened import refusals
from certus.io.shapes import ONE, is_one, is_records, plain

_EXPECTED = "a path, a dict of dicts, rows, a DataFrame, or what read_qrels or read_run returns"


def judgments(data: Any, name: str, columns: tuple[str | None, str | None, str | None]) -> Qrels:
    """Qrels of data in memory, the columns of a DataFrame being those of query, document and grade."""
    data = plain(data, "qrels")
    found, one = _found(kernels.Qrels, data, name, "grade", columns)
    if found is None:
        return Qrels(qrels_of(Frame(data, name, _EXPECTED), name, None, Chosen(*columns)))
    return made_qrels(name, found, one=one) if isinstance(found, Rows) else Qrels(found, one)


def results(data: Any, name: str, columns: tuple[str | None, str | None, str | None, str | None]) -> dict[str, Run]:
    """All runs of data in memory, the columns of a DataFrame being those of query, document, score and run."""
    data = plain(data, "run")
    found, one = _found(kernels.Run, data, name, "score", columns)
    if found is not None:
        return {"": made_run(name, found, one=one) if isinstance(found, Rows) else Run(found, one=one)}
    tables = runs_of(Frame(data, name, _EXPECTED), name, None, Chosen(*columns))
    return {each: Run(held, each) for each, held in tables.items()}


def _found(
    kernel: type[Kernel], data: Any, name: str, what: Literal["grade", "score"], columns: tuple[str | None, ...]
) -> tuple[Kernel | Rows | None, bool]:
    """Data of Python, read at once where they are plain, otherwise as rows; and whether they are of one query.

    None where they are neither dicts nor collections nor rows, but perhaps a DataFrame.
    """
    value_of = grade_of if what == "grade" else score_of
    one, records = is_one(data), is_records(data)
    if not (one or records or isinstance(data, Mapping)):
        return None, False
    named = next((column for column in columns if column is not None), None)
    if named is not None:
        raise DataError(f"is {kind_named(data)}, which has no columns", f"leave out {named!r}", place=name)
    if records:
        cells = from_records(data, name, what)
        with refusals():
            held = kernel.from_cells(name, cells.queries, cells.docs, cells.values)
        return (checked(cells, name, value_of) if held is None else held), False
    nested = {ONE: data} if one else data
    held = kernel.from_nested(nested, name) if type(nested) is dict else None
    return (from_mapping(nested, name, what, value_of) if held is None else held), one
