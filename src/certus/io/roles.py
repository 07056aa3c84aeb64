"""The usual names of the columns of rankings: one list for files, DataFrames and tables that are read elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from certus.errors import DataError, of_python

Role = Literal["query", "doc", "score", "rank", "grade", "run"]

SWAPPED = "are qrels and run swapped? Judgments come first, then runs"
MAYBE_RUN = ("tag", "name")
"""Names that a column of runs may have, and one of something else as well: titles or topics of documents."""

COLUMNS: Mapping[Role, tuple[tuple[str, ...], ...]] = {
    "query": (("query_id", "qid", "q_id", "topic_id", "query_no"), ("query", "topic")),
    "doc": (
        ("doc_id", "docno", "document_id", "corpus_id", "pid", "passage_id"),
        ("docid",),
        ("document", "doc"),
    ),
    "score": (("score", "sim"),),
    "rank": (("rank",),),
    "grade": (("relevance", "rel", "grade", "label"),),
    "run": (("run", "run_id", "system"), MAYBE_RUN[:1], MAYBE_RUN[1:]),
}
"""The names of each column, in groups: a later group counts where no name of an earlier one is there.

So ``query`` holds the text of a query where there is a ``query_id`` beside it, and ``docid`` PyTerrier's number of a
document where there is a ``docno``. Case does not matter, and a hyphen or a blank is as good as an underscore.
"""


def rename_remedy(role: Role) -> str:
    """The remedy for a column that is not found by its name: of a DataFrame it can be named."""
    reader = "qrels" if role == "grade" else "run"
    return "rename one" + of_python(f", or name the column of a DataFrame: certus.io.as_{reader}(..., {role}='...')")


def normalize(name: str) -> str:
    """The name in the spelling of `COLUMNS`.

    Examples
    --------
    >>> normalize("corpus-id"), normalize("Query ID")
    ('corpus_id', 'query_id')
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def is_header(cells: Sequence[str]) -> bool:
    """True if the cells name the query and the document of a row."""
    names = set(map(normalize, cells))
    return all(any(names & set(group) for group in COLUMNS[role]) for role in ("query", "doc"))


def role_of(name: str) -> Role | None:
    """The role of a column in a table of rankings, by its name; None if no role has this name.

    Examples
    --------
    >>> role_of("docno"), role_of("Rank"), role_of("passage")
    ('doc', 'rank', None)
    """
    return next((role for role, groups in COLUMNS.items() if any(normalize(name) in group for group in groups)), None)


def usual_column(role: Role, names: Iterable[str], table: str) -> str | None:
    """The column whose name is a usual one for the role; None if no column has such a name."""
    columns = list(names)
    for group in COLUMNS[role]:
        matches = [name for name in columns if normalize(name) in group]
        if len(matches) > 1:
            from certus.io.columns import quoted  # here, as NumPy comes with it

            matched = f"{quoted(matches[0])} and {quoted(matches[1])}"
            raise DataError(f"has both {matched} as columns", rename_remedy(role), place=table)
        if matches:
            return matches[0]
    return None


def query_column(names: Iterable[str], table: str) -> str:
    """The column of queries among those of a table, by its usual names.

    Examples
    --------
    >>> query_column(["qid", "docno", "score"], "the run")
    'qid'
    """
    from certus.io.columns import quoted  # here, as NumPy comes with it

    columns = list(names)
    if (run := usual_column("run", columns, table)) is not None:
        remedy = "filter the rows of one run and drop the column"
        raise DataError(f"has a column of runs, {quoted(run)}", remedy, place=table)
    if (query := usual_column("query", columns, table)) is None:
        shown_columns = ", ".join(map(quoted, columns[:12]))
        raise DataError(f"has no column of queries, such as 'query_id', but {shown_columns}", place=table)
    return query


def id_columns(names: Iterable[str], table: str) -> list[str]:
    """The column of queries, and that of documents where there is one.

    Examples
    --------
    >>> id_columns(["query", "docno", "score", "qid", "text"], "the run")
    ['qid', 'docno']
    """
    columns = list(names)
    pair = query_column(columns, table), usual_column("doc", columns, table)
    return [name for name in pair if name is not None]
