"""Warnings about qrels and runs that are readable but look suspicious."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, filterfalse
from operator import not_
from typing import TYPE_CHECKING, NamedTuple

from certus.core import kernels
from certus.core.missing import WORDS, MissingWords, notice_of_words
from certus.core.note import Note
from certus.core.spelling import plural
from certus.core.unmatched import contrast
from certus.io.rankings import Qrels, decode_id

if TYPE_CHECKING:
    from certus.io.rank import Ranked


EXAMPLES = 3
"""Queries that a notice names."""
LOOK_THE_SAME = "differ only by Unicode normalisation; they count as different queries"


def of_ranked(ranked: "Ranked", qrels: str) -> Iterator[Note]:
    """Warnings about a run, and about its queries without a relevant document."""
    yield from ranked.notices
    relevant = kernels.num_relevant(ranked.ranking.columns, rel=1)
    if not relevant.all():
        yield from of_relevant(ranked.ranking.queries, relevant.tolist(), qrels)


def of_relevant(queries: Sequence[str], relevant: Sequence[float], qrels: str) -> Iterator[Note]:
    """Warnings about queries without a relevant document, from the number of them in each query."""
    if not all(relevant):
        empty = tuple(compress(queries, map(not_, relevant)))
        has, counts = ("has", "counts") if len(empty) == 1 else ("have", "count")
        text = f"{len(empty)} of {plural(len(queries), 'query')} {has} no relevant document and {counts} as 0"
        yield Note(text, qrels, "no-relevant", empty[:EXAMPLES], len(empty))


def of_qrels(qrels: Qrels) -> Iterator[Note]:
    """Warnings about the qrels alone."""
    return of_judgments(qrels.name, qrels.queries, qrels.kernel.negative, qrels.kernel.normalised)


def check_queries(name: str, queries: Iterable[str], missing: MissingWords | None) -> None:
    """Refuse a query id that the call declares as missing value."""
    if missing is not None:
        missing.refuse_names(tuple(queries), "has the query", "leave out or fill such judgments first", location=name)


def of_judgments(name: str, queries: Iterable[str], negative: int, n_equivalent: int) -> Iterator[Note]:
    """Warnings about judgments: `negative` grades, and ids that differ only by Unicode normalisation."""
    queries = tuple(queries)
    missing_words = WORDS.intersection(queries)
    if words := notice_of_words({word: {"the qrels": 1} for word in missing_words}, "queries", "query id"):
        yield words
    if negative:
        counts = "judgment has a negative grade and is" if negative == 1 else "judgments have negative grades and are"
        text = f"{negative} {counts} treated as unjudged"
        yield Note(text, name, "negative-grades", count=negative)
    if equivalent := _alike_queries(queries):
        text = f"{len(equivalent)} queries of the qrels {LOOK_THE_SAME}"
        yield Note(text, name, "normalised-queries", tuple(equivalent[:3]), len(equivalent))
    if n_equivalent:
        differ = "id differs" if n_equivalent == 1 else "ids differ"
        text = (
            f"{n_equivalent} judged document {differ} from another of the query only by Unicode normalisation; they "
            "count as different documents"
        )
        yield Note(text, name, "normalisation", count=n_equivalent)


class Looked(NamedTuple):
    """Facts about a run that warnings need, as in `kernels.Ranked`, without the ranks."""

    only_in_run: Sequence[str]
    unmatched: tuple[Sequence[str], Sequence[str]] | None
    all_equal: Sequence[bool]
    short: Sequence[bool]
    rounded: Sequence[int]
    discordant: Sequence[int]
    concordant: Sequence[int]
    normalised: Sequence[int]
    tags: Sequence[bytes] = ()


def of_rows(
    facts: kernels.Ranked | Looked,
    queries: Sequence[str],
    name: str,
    missing: Sequence[str],
    every: bool,
    remedy: str,
) -> Iterator[Note]:
    """Warnings about a run: unjudged or missing queries, unmatched ids, equal or rounded scores, and others.

    `remedy` is how the caller asks that the queries a run lacks count as 0; unless `every` one of them does.
    """

    def notice(kind: str, text: str, queries: Sequence[str], count: int | None = None) -> Note:
        return Note(text, name, kind, tuple(queries[:EXAMPLES]), len(queries) if count is None else count)

    def where(counts: Sequence[float]) -> list[str]:
        return list(compress(queries, counts)) if any(counts) else []

    if unjudged := facts.only_in_run:
        yield notice("unjudged-queries", f"{_queries(unjudged)} without judgments left out", unjudged)
    composed = {unicodedata.normalize("NFC", query) for query in _beyond_ascii(missing)}
    if equivalent := [query for query in _beyond_ascii(unjudged) if unicodedata.normalize("NFC", query) in composed]:
        text = f"{_queries(equivalent)} of the run and the qrels differ only by Unicode normalisation"
        yield notice("normalised-queries", f"{text}; they do not match", equivalent)
    if equivalent := _alike_queries({*_beyond_ascii(queries), *_beyond_ascii(unjudged)}.difference(missing)):
        yield notice("normalised-queries", f"{_queries(equivalent)} of the run {LOOK_THE_SAME}", equivalent)
    if facts.unmatched is not None:
        examples = contrast(*facts.unmatched, ("the run has", "the qrels have"))
        colon = ": " if examples else ""
        text = f"no retrieved document of any query is judged{colon}{examples}; do the ids mean the same documents?"
        yield notice("unmatched-ids", text, ())
    if missing:
        single = len(missing) == 1
        fate = "counts as 0" if single else "count as 0"
        if not every:
            are, them = ("is", "it") if single else ("are", "them")
            fate = f"{are} left out of the average ({remedy} counts {them} as 0)"
        yield notice("missing-queries", f"{_queries(missing)} of the qrels not in the run {fate}", missing)
    if equal := where(facts.all_equal):
        text = f"all scores equal in {_queries(equal)}; the order depends on the tie rule alone"
        yield notice("equal-scores", text, equal)
    if rounded := where(counts := facts.rounded):
        documents = sum(counts)
        text = f"{documents} scores that differ in the file are equal as doubles, in {_queries(rounded)}"
        yield notice("rounded-scores", text, rounded, documents)
    if rising := where(against := facts.discordant):
        if not any(facts.concordant) and all(map(any, zip(against, facts.all_equal, facts.short, strict=True))):
            text = "scores rise with the rank in every query (distances?); the greatest score counts as the best"
            yield notice("rising-scores", text, rising)
        else:
            text = f"ranks contradict scores in {_queries(rising)}; scores count, ranks are ignored"
            yield notice("contradicting-ranks", text, rising)
    if facts.tags:
        first, other = (repr(decode_id(tag)) for tag in facts.tags)
        text = f"the lines have different run tags, such as {first} and {other}; are these two runs in one file?"
        yield notice("run-tags", text, (), 1)
    if normalised := where(counts := facts.normalised):
        ids = sum(counts)
        differ = "document id differs" if ids == 1 else "document ids differ"
        text = f"{ids} {differ} from another only by Unicode normalisation, in {_queries(normalised)}"
        yield notice("normalisation", f"{text}; they count as different documents", normalised, ids)


def _alike_queries(queries: Iterable[str]) -> list[str]:
    """Queries that equal another one after Unicode normalisation."""
    forms: dict[str, list[str]] = {}
    for query in _beyond_ascii(queries):
        forms.setdefault(unicodedata.normalize("NFC", query), []).append(query)
    return sorted(query for group in forms.values() if len(group) > 1 for query in group)


def _beyond_ascii(queries: Iterable[str]) -> Iterator[str]:
    """Query ids with characters outside ASCII."""
    return filterfalse(str.isascii, queries)


def _queries(queries: Sequence[str]) -> str:
    """Number of queries in words, such as ``2 queries``."""
    return plural(len(queries), "query")
