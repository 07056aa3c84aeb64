"""The columns of rankings in a table that is read elsewhere."""

from collections.abc import Iterable

from certus.errors import DataError
from certus.io._names import COLUMNS, Role, place_of, spelled
from certus.io.columns import quoted


def query_column(names: Iterable[str], table: str) -> str:
    """The column of queries among those of a table, by its usual names.

    Examples
    --------
    >>> query_column(["qid", "docno", "score"], "the run")
    'qid'
    """
    there = list(names)
    if (run := place_of("run", there, table)) is not None:
        remedy = "filter the rows of one run and drop the column"
        raise DataError(f"has a column of runs, {quoted(run)}", remedy, place=table)
    if (found := place_of("query", there, table)) is None:
        listed = ", ".join(map(quoted, there[:12]))
        raise DataError(f"has no column of queries, such as 'query_id', but {listed}", place=table)
    return found


def id_columns(names: Iterable[str], table: str) -> list[str]:
    """The column of queries, and that of documents where there is one.

    Examples
    --------
    >>> id_columns(["query", "docno", "score", "qid", "text"], "the run")
    ['qid', 'docno']
    """
    there = list(names)
    found = query_column(there, table), place_of("doc", there, table)
    return [name for name in found if name is not None]


def role_of(name: str) -> Role | None:
    """The role of a column in a table of rankings, by its name; None if no role has this name.

    Examples
    --------
    >>> role_of("docno"), role_of("Rank"), role_of("passage")
    ('doc', 'rank', None)
    """
    return next((role for role, groups in COLUMNS.items() if any(spelled(name) in group for group in groups)), None)
