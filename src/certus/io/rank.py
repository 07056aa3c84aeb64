"""Rank a run by its scores and join it with qrels; collects warnings."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from certus.core import kernels
from certus.core.errors import DataError, about, keyword
from certus.core.note import Note
from certus.core.unmatched import contrast
from certus.io.formats import opened, trec
from certus.io.notices import of_rows
from certus.io.rankings import Qrels, RunLike, as_run, decode_id, run_of
from certus.io.sources import is_path, refusals

if TYPE_CHECKING:
    from certus.data import Ranking


Queries = Literal["intersection", "judged"]
TieRule = Literal["trec", "input"]


@dataclass(frozen=True, eq=False)
class Ranked:
    """A run's ranking, its source and the queries that it lacks.

    `ranking` has the judged documents' ranks, for the queries that are averaged over; `missing` are the judged queries
    that the run lacks, which are part of the ranking under ``queries="judged"``. `tag` is the last column of the run's
    last line, `fingerprint` the XXH3 hash (128 bits, hexadecimal) of the file's bytes, or of the rows given.
    `self_ranks` has for each query the rank of the document with the query's own id; 0 where none has.
    """

    ranking: "Ranking"
    name: str
    tag: str
    fingerprint: str
    missing: tuple[str, ...]
    find_notices: Callable[[], Iterable[Note]]
    self_ranks: tuple[int, ...] = ()

    @cached_property
    def notices(self) -> tuple[Note, ...]:
        """Warnings about the run, computed when first asked for."""
        return tuple(self.find_notices())

    def without_self(self) -> "Ranked":
        """The run without the documents that have the ids of their queries."""
        return replace(self, ranking=self.ranking.without(self.self_ranks), self_ranks=(0,) * len(self.self_ranks))

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "find_notices": self.notices.__iter__}


@about("run")
def rank(
    qrels: Qrels,
    run: RunLike,
    *,
    queries: Queries = "intersection",
    ties: TieRule = "trec",
    name: str = "run",
    trec_eval: Literal["9", "10"] | None = None,
) -> Ranked:
    """Rank the judged documents of a run.

    A path is read in one pass that keeps only judged documents, so memory does not grow with the run as long as the
    lines of a query stand together.

    Parameters
    ----------
    qrels, run
        The judgments, and a path, a dict of dicts, a DataFrame or what `read_run` returns.
    queries
        ``"intersection"``: the queries in both. ``"judged"``: all judged queries; those that the run lacks have an
        empty list.
    ties
        How documents with equal scores are ordered: ``"trec"``, the greater id first, or ``"input"``, as read.
    name
        What to call a run that is not read from a file.
    trec_eval
        Read as that version of trec_eval does: columns after the sixth are ignored, and scores that no double holds are
        rounded; 9 rounds all scores to 32 bits; 10 ignores lines that start with ``#``.
    """
    from certus.data.ranking import Columns, Ranking

    has_all = queries == "judged"
    options: Any = {"ties": ties, "float32": trec_eval == "9", "all": has_all}
    dialect: dict[str, bool] = {"lenient": trec_eval is not None, "comments": trec_eval == "10"}
    with refusals():
        if is_path(run):
            allowed = () if trec_eval is None else ("trec", "json")
            with opened(run, "run", argument="format_of_run", allowed=allowed, dialect=dialect) as file:
                label, is_single_query = file.name, False
                if file.format is trec:
                    ranks = kernels.rank_file(qrels.kernel, file.path, label, **{**dialect, **options})
                else:
                    ranks = kernels.rank_run(qrels.kernel, run_of(file).kernel, **options)
        else:
            results = as_run(run, name)
            label, is_single_query = results.name, results.is_single_query
            ranks = kernels.rank_run(qrels.kernel, results.kernel, **options)
    if is_single_query != qrels.is_single_query:
        single, other = (label, qrels.name) if is_single_query else (qrels.name, label)
        problem = f"is of one query without an id, but {other} has queries by id"
        raise DataError(problem, "give both alike", location=single)
    missing = tuple(ranks.missing)
    if len(missing) == len(qrels.kernel.queries()):
        check_common(label, qrels.name, ranks.missing, ranks.only_in_run, has_all=has_all)
    ids = tuple(ranks.queries)
    find_notices = partial(of_rows, ranks, ids, label, missing, has_all, keyword("queries", "judged"))
    facts = (label, decode_id(ranks.tag), ranks.fingerprint, missing, find_notices)
    return Ranked(Ranking(ids, Columns(*ranks.columns), ties), *facts, tuple(ranks.self_ranks))


def check_common(run: str, qrels: str, missing: Sequence[str], unjudged: Sequence[str], *, has_all: bool) -> None:
    """Refuse a run that has none of the judged queries."""
    if unjudged:
        examples = contrast(unjudged, missing, ("the run has", "the qrels have"))
        problem = f"has no query in common with {qrels}"
        remedy = f"{examples}: are these the files that belong together?"
    elif not has_all:
        problem, remedy = "holds no results", f"{keyword('queries', 'judged')} counts the judged queries as 0"
    else:
        return
    raise DataError(problem, remedy, argument="run", subject="", location=run)


def tie_sizes(run: RunLike, ranked: Ranked, *, drop_self: bool = False) -> list[tuple[int, ...]]:
    """Number of documents with each score, highest first, for each query of the run.

    A `Ranking` knows this of the groups that hold judged documents only, so the run is read once more.
    """
    results = as_run(run, ranked.name)
    if results.fingerprint != ranked.fingerprint:
        raise DataError("changed since it was ranked", "evaluate it again", location=ranked.name)
    scores = results.to_dict()
    sizes = []
    for query in ranked.ranking.queries:
        documents = scores.get(query, {})
        counts = Counter(score for document, score in documents.items() if not drop_self or document != query)
        sizes.append(tuple(counts[score] for score in sorted(counts, reverse=True)))
    return sizes
