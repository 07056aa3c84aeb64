"""The usual names of the columns of rankings: one list for files and DataFrames."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from certus.errors import DataError, of_python

Role = Literal["query", "doc", "score", "rank", "grade", "run"]

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


def rename(role: Role) -> str:
    """The remedy for a column that is not found by its name: of a DataFrame it can be said."""
    reader = "qrels" if role == "grade" else "run"
    return "rename one" + of_python(f", or name the column of a DataFrame: certus.io.as_{reader}(..., {role}='...')")


def spelled(name: str) -> str:
    """The name in the spelling of `COLUMNS`.

    Examples
    --------
    >>> spelled("corpus-id"), spelled("Query ID")
    ('corpus_id', 'query_id')
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def is_header(cells: Sequence[str]) -> bool:
    """True if the cells name the query and the document of a row."""
    found = set(map(spelled, cells))
    return all(any(found & set(names) for names in COLUMNS[role]) for role in ("query", "doc"))


def place_of(role: Role, names: Iterable[str], table: str) -> str | None:
    """The column whose name is a usual one for the role; None if no column has such a name."""
    present = list(names)
    for usual in COLUMNS[role]:
        found = [name for name in present if spelled(name) in usual]
        if len(found) > 1:
            from certus.io.columns import quoted  # here, as NumPy comes with it

            raise DataError(f"has both {quoted(found[0])} and {quoted(found[1])} as columns", rename(role), place=table)
        if found:
            return found[0]
    return None
