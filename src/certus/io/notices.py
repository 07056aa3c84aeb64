"""Warnings about qrels and runs: what is readable but looks suspicious."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import filterfalse
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Ranking
from certus.io._held import Qrels, decoded
from certus.notice import Notice
from certus.spelling import plural

if TYPE_CHECKING:
    from certus.io.rank import Ranked

__all__ = ["Looked", "of_judgments", "of_qrels", "of_ranked", "of_rows"]

EXAMPLES = 3
"""Queries that a notice names."""
LOOK_THE_SAME = "differ only by Unicode normalisation; they count as different queries"


def of_ranked(ranked: "Ranked", qrels: str) -> Iterator[Notice]:
    """Warnings about a run, and about its queries without a relevant document."""
    yield from ranked.notices
    columns, queries = ranked.ranking.columns, ranked.ranking.queries
    grades = np.append(columns.judged, np.int32(0))
    best = np.where(np.diff(columns.judged_offsets) > 0, grades[columns.judged_offsets[:-1]], 0)
    empty = np.flatnonzero(best < 1)
    if len(empty):
        fate = (
            "has no relevant document and counts as 0"
            if len(empty) == 1
            else "have no relevant document and count as 0"
        )
        text = f"{len(empty)} of {plural(len(queries), 'query')} {fate}"
        yield Notice("no-relevant", text, qrels, tuple(queries[i] for i in empty[:3]), len(empty))


def of_qrels(qrels: Qrels) -> Iterator[Notice]:
    """Warnings about the qrels themselves."""
    return of_judgments(qrels.name, qrels.queries, qrels.held.negative, qrels.held.normalised)


def of_judgments(name: str, queries: Iterable[str], negative: int, alike: int) -> Iterator[Notice]:
    """Warnings about judgments of some queries: `negative` grades, ids `alike` but for Unicode normalisation."""
    if negative:
        counts = "judgment of negative grade counts" if negative == 1 else "judgments of negative grade count"
        text = f"{negative} {counts} as in the pool but not judged"
        yield Notice("negative-grades", text, name, count=negative)
    if twins := _alike_queries(queries):
        text = f"{len(twins)} queries of the qrels {LOOK_THE_SAME}"
        yield Notice("normalised-queries", text, name, tuple(twins[:3]), len(twins))
    if alike:
        text = (
            f"{alike} judged document {'id differs' if alike == 1 else 'ids differ'} from another of the query only by "
            "Unicode normalisation; they count as different documents"
        )
        yield Notice("normalisation", text, name, count=alike)


class Looked(NamedTuple):
    """Facts of a run beside its ranks, which warnings need of `kernels.Ranked`."""

    only_in_run: Sequence[str]
    all_equal: NDArray[np.bool_]
    rounded: NDArray[np.integer[Any]]
    discordant: NDArray[np.integer[Any]]
    concordant: NDArray[np.integer[Any]]
    normalised: NDArray[np.integer[Any]]
    tags: Sequence[bytes] = ()


def of_rows(
    found: kernels.Ranked | Looked, ranking: Ranking, name: str, missing: Sequence[str], every: bool, remedy: str
) -> Iterator[Notice]:
    """Warnings about the rows of a run: those that were seen while it was ranked.

    `remedy` is how the caller asks that the queries a run lacks count as 0; unless `every` one of them does.
    """

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
    if twins := _alike_queries({*ranking.queries, *unjudged}.difference(missing)):
        yield notice("normalised-queries", f"{_queries(twins)} of the run {LOOK_THE_SAME}", twins)
    if missing:
        single = len(missing) == 1
        left = (
            f"{'is' if single else 'are'} left out of the average ({remedy} counts {'it' if single else 'them'} as 0)"
        )
        fate = ("counts as 0" if single else "count as 0") if every else left
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
        differ = "document id differs" if ids == 1 else "document ids differ"
        text = f"{ids} {differ} from another only by Unicode normalisation, in {_queries(normalised)}"
        yield notice("normalisation", f"{text}; they count as different documents", normalised, ids)


def _alike_queries(queries: Iterable[str]) -> list[str]:
    """The queries that differ from another one only by Unicode normalisation."""
    forms: dict[str, list[str]] = {}
    for query in filterfalse(str.isascii, queries):
        forms.setdefault(unicodedata.normalize("NFC", query), []).append(query)
    return sorted(query for same in forms.values() if len(same) > 1 for query in same)


def _short(ranking: Ranking) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.asarray(ranking.columns.retrieved < 2)


def _queries(queries: Sequence[str]) -> str:
    return plural(len(queries), "query")
