"""Ranking a run against qrels, and what looked suspicious on the way."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np

from certus import kernels
from certus.data import Columns, Ranking
from certus.errors import DataError, keyword
from certus.io._path import path_name, readable
from certus.io._read import Qrels, RunLike, as_run, decoded, is_path, json_run, refusals
from certus.notice import Notice

__all__ = ["Queries", "Ranked", "TieRule", "rank", "tie_sizes"]

Queries = Literal["intersection", "judged"]
TieRule = Literal["trec", "input"]

EXAMPLES = 3
"""Queries that a notice names."""
LOOK_THE_SAME = "differ only by Unicode normalisation; they count as different queries"


@dataclass(frozen=True, eq=False)
class Ranked:
    """A run's ranking, and where it came from.

    Attributes
    ----------
    ranking
        The judged documents' ranks, for the queries that are averaged over.
    name
        The run's name.
    tag
        The last column of its last line.
    fingerprint
        XXH3 hash (128 bits, hexadecimal) of the file's bytes, or of the rows given.
    missing
        Judged queries that the run lacks. They are part of the ranking under ``queries="judged"``.
    look
        A function that gives `notices`.
    """

    ranking: Ranking
    name: str
    tag: str
    fingerprint: str
    missing: tuple[str, ...]
    look: Callable[[], Iterable[Notice]]

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What looked suspicious; looked for when first asked, since a metric of one query takes less time than this."""
        return tuple(self.look())

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "look": self.notices.__iter__}


def rank(
    qrels: Qrels,
    run: RunLike,
    *,
    queries: Queries = "intersection",
    ties: TieRule = "trec",
    name: str = "run",
    trec_eval: Literal["9", "10"] | None = None,
) -> Ranked:
    """Settle the ranks of a run's judged documents.

    A path is read in one pass that keeps only judged documents, so memory does not grow with the run as long as the
    lines of a query stand together.

    Parameters
    ----------
    qrels
        The judgments.
    run
        A path, a dict of dicts, a DataFrame or what `read_run` returns.
    queries
        ``"intersection"``: the queries in both. ``"judged"``: all judged queries; those that the run lacks have an
        empty list.
    ties
        How documents with equal scores are ordered: ``"trec"``, the greater id first, or ``"input"``, as read.
    name
        What to call a run that is not read from a file.
    trec_eval
        Read as that version of trec_eval does: columns after the sixth are ignored; 9 rounds scores to 32 bits; 10
        ignores lines that start with ``#``.

    Raises
    ------
    DataError
        If the run cannot be read, or has no query in common with the qrels.
    """
    every, float32 = queries == "judged", trec_eval == "9"
    trec = {"extra_columns": trec_eval is not None, "comments": trec_eval == "10"}
    with refusals():
        if is_path(run):
            named = path_name(run)
            with readable(run, lambda start: kernels.Run.read(start, named, **trec)) as (file, label):
                if kernels.sniff(file, label) == "trec":
                    found = kernels.rank_file(qrels.held, file, label, ties=ties, float32=float32, all=every, **trec)
                else:
                    held = json_run(file, label)
                    found = kernels.rank_run(qrels.held, held.held, ties=ties, float32=float32, all=every)
        else:
            held = as_run(run, name)
            label = held.name
            if held.one != qrels.one:
                one, other = (label, qrels.name) if held.one else (qrels.name, label)
                raise DataError(f"{one}: is of one query without an id, but {other} has queries by id; give both alike")
            found = kernels.rank_run(qrels.held, held.held, ties=ties, float32=float32, all=every)
    if qrels.one and is_path(run):
        raise DataError(f"{qrels.name}: is of one query without an id, but {label} has queries by id; give both alike")
    missing = tuple(found.missing)
    ranking = Ranking(tuple(found.queries), Columns(*found.columns), ties)
    if len(missing) == len(qrels.held.queries()) and not found.only_in_run and not every:
        raise DataError(f"{label}: holds no results; {keyword('queries', 'judged')} counts the judged queries as 0")
    if len(missing) == len(qrels.held.queries()) and found.only_in_run:
        judged, retrieved = (
            kernels.show(ids[0].encode("utf-8", "surrogateescape")) for ids in (found.missing, found.only_in_run)
        )
        raise DataError(
            f"{label}: has no query in common with {qrels.name}; the run has {retrieved}, the qrels have {judged}: are "
            "these the files that belong together?"
        )
    look = partial(_notices, found, ranking, label, missing, every)
    return Ranked(ranking, label, decoded(found.tag), found.fingerprint, missing, look)


def tie_sizes(run: RunLike, ranked: Ranked) -> list[tuple[int, ...]]:
    """Number of documents with each score, highest score first, for each query of a ranking made from the run.

    A `Ranking` knows this of the groups that hold judged documents only, so the run is read once more.

    Raises
    ------
    DataError
        The run cannot be read, or is not the one that was ranked any more.
    """
    held = as_run(run, ranked.name)
    if held.fingerprint != ranked.fingerprint:
        raise DataError(f"{ranked.name}: changed since it was ranked; evaluate it again")
    scores = held.to_dict()
    sizes = []
    for query in ranked.ranking.queries:
        counts = np.unique(list(scores.get(query, {}).values()), return_counts=True)[1]
        sizes.append(tuple(counts[::-1].tolist()))
    return sizes


def _notices(
    found: kernels.Ranked, ranking: Ranking, name: str, missing: Sequence[str], every: bool
) -> Iterator[Notice]:
    def notice(kind: str, text: str, queries: Sequence[str], count: int | None = None) -> Notice:
        return Notice(kind, text, name, tuple(queries[:EXAMPLES]), len(queries) if count is None else count)

    def where(mask: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[str]:
        return [ranking.queries[i] for i in np.flatnonzero(mask)]

    if unjudged := found.only_in_run:
        yield notice("unjudged-queries", f"{_queries(unjudged)} without judgments left out", unjudged)
    composed = {unicodedata.normalize("NFC", query) for query in missing if not query.isascii()}
    if alike := [
        query for query in unjudged if not query.isascii() and unicodedata.normalize("NFC", query) in composed
    ]:
        text = f"{_queries(alike)} of the run and the qrels differ only by Unicode normalisation; they do not match"
        yield notice("normalised-queries", text, alike)
    if twins := alike_queries({*ranking.queries, *unjudged}.difference(missing)):
        yield notice("normalised-queries", f"{_queries(twins)} of the run {LOOK_THE_SAME}", twins)
    if missing:
        fate = (
            "count as 0" if every else f"are left out of the average ({keyword('queries', 'judged')} counts them as 0)"
        )
        yield notice("missing-queries", f"{_queries(missing)} of the qrels not in the run {fate}", missing)
    if equal := where(found.all_equal):
        text = f"all scores equal in {_queries(equal)}; the order rests on the tie rule alone"
        yield notice("equal-scores", text, equal)
    if rounded := where(found.rounded > 0):
        documents = int(found.rounded.sum())
        text = f"{documents} scores that differ in the file are equal as doubles, in {_queries(rounded)}"
        yield notice("rounded-scores", text, rounded, documents)
    rising = found.discordant > 0
    if rising.any() and not found.concordant.any() and np.all(rising | found.all_equal | _short(ranking)):
        text = "scores rise with the rank in every query (distances?); the greatest score counts as the best"
        yield notice("rising-scores", text, where(rising))
    elif rising.any():
        contradicting = where(rising)
        text = f"ranks contradict scores in {_queries(contradicting)}; scores count, ranks are ignored"
        yield notice("contradicting-ranks", text, contradicting)
    if found.tags:
        one, other = (repr(decoded(tag)) for tag in found.tags)
        text = f"the lines have different run tags, such as {one} and {other}; are these two runs in one file?"
        yield notice("run-tags", text, (), 1)
    if normalised := where(found.normalised > 0):
        ids = int(found.normalised.sum())
        text = f"{ids} document ids differ from another only by Unicode normalisation, in {_queries(normalised)}"
        yield notice("normalisation", f"{text}; they count as different documents", normalised, ids)


def alike_queries(queries: Iterable[str]) -> list[str]:
    """The queries that differ from another one only by Unicode normalisation."""
    forms: dict[str, list[str]] = {}
    for query in queries:
        if not query.isascii():
            forms.setdefault(unicodedata.normalize("NFC", query), []).append(query)
    return sorted(query for same in forms.values() if len(same) > 1 for query in same)


def _short(ranking: Ranking) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.asarray(ranking.columns.retrieved < 2)


def _queries(queries: Sequence[str]) -> str:
    return f"{len(queries)} {'query' if len(queries) == 1 else 'queries'}"
