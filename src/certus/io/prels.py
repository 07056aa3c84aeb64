"""Judgments of a random sample of documents, with the chance that each had to be judged."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data.ranking import SampledList
from certus.errors import DataError
from certus.io.columns import quoted
from certus.io.rank import Queries, rank
from certus.io.rankings import Qrels, RunLike, as_qrels
from certus.io.sources import PathLike, is_path, readable, refusals
from certus.statistic.common import plural

_Row = tuple[str, str, int, str, float]
"""Query, document, grade, stratum, chance."""
_MARK = b"\xef\xbb\xbf"
"""Byte order mark of a text in UTF-8."""
_LIMIT = 1 << 31
"""Grades are whole numbers of 32 bits, as in qrels."""


@dataclass(frozen=True, eq=False, repr=False)
class SampledQrels:
    """Judgments of a sample; made by `as_prels` or `as_sampled_qrels`.

    Attributes
    ----------
    name
        The file, or what the data were called.
    docs
        For each query the documents known, in the order given.
    grades, inclusion
        For each query the grades of these documents, negative where not judged, and their chances to be judged.
    strata
        For each query the stratum of each document, as a number; empty where they are not known.
    """

    name: str
    docs: Mapping[str, tuple[str, ...]]
    grades: Mapping[str, NDArray[np.int64]]
    inclusion: Mapping[str, NDArray[np.float64]]
    strata: Mapping[str, NDArray[np.int64]]

    def judged(self) -> Qrels:
        """The judgments alone, as if nothing were known of the other documents."""
        graded = {
            query: {doc: grade for doc, grade in zip(docs, self.grades[query].tolist(), strict=True) if grade >= 0}
            for query, docs in self.docs.items()
        }
        return as_qrels(graded, self.name)

    def __repr__(self) -> str:
        n = sum(int((grades >= 0).sum()) for grades in self.grades.values())
        return f"<SampledQrels {self.name}: {plural(n, 'judgment')} for {plural(len(self.docs), 'query')}>"


SampledQrelsLike: TypeAlias = SampledQrels | PathLike | Mapping[str, Mapping[str, tuple[Any, Any]]]


def as_prels(data: SampledQrelsLike, name: str = "prels") -> SampledQrels:
    """Judgments with the chance of each.

    Parameters
    ----------
    data
        A file with the columns query, document, grade, method, chance, as TREC's Million Query and Web tracks have; or
        ``{query: {document: (grade, chance)}}``; or TREC qrels that are a pool, see `as_sampled_qrels`.
    name
        What to call data that are not read from a file.
    """
    if isinstance(data, SampledQrels):
        return data
    if is_path(data):
        return _of_file(data, _of_prels, stratified=False)
    rows = _of_mapping(data, name, lambda pair: (_grade(pair[0]), "", _chance(pair[1])))
    return _gathered(name, rows, stratified=False)


def as_sampled_qrels(data: SampledQrelsLike, name: str = "qrels") -> SampledQrels:
    """The documents of strata, of which some were judged; the chance of each is the share judged of its stratum.

    Parameters
    ----------
    data
        A file with the columns query, iteration, document, stratum, grade, as TREC's ``sample_eval.pl`` reads it, with
        a negative grade for documents of the stratum that were not judged; or
        ``{query: {document: (stratum, grade)}}``; or TREC qrels of iteration 0, as `certus.pooling` writes them: each
        query's pool is one stratum, and documents of a negative grade were not drawn to be judged.
    name
        What to call data that are not read from a file.
    """
    if isinstance(data, SampledQrels):
        if not data.strata:
            raise DataError("holds chances but no strata", "give the documents of each stratum", place=data.name)
        return data
    if is_path(data):
        return _of_file(data, _of_strata, stratified=True)
    rows = _of_mapping(data, name, lambda pair: (_grade(pair[1]), str(pair[0]), math.nan))
    return _gathered(name, rows, stratified=True)


def rank_sampled(judgments: SampledQrels, run: RunLike, *, queries: Queries = "intersection") -> list[SampledList]:
    """The documents' ranks in a run, ties broken as trec_eval does: the greater id first.

    Parameters
    ----------
    judgments
        The sample.
    run
        A path, ``{query: {document: score}}``, a DataFrame or what `read_run` returns.
    queries
        ``"intersection"``: the queries in both. ``"judged"``: all judged ones; those the run lacks retrieve nothing.
    """
    # Ranks are settled where they are for every metric: with a document's number in the place of its grade.
    numbered = {query: {doc: i for i, doc in enumerate(docs)} for query, docs in judgments.docs.items()}
    ranking = rank(as_qrels(numbered, judgments.name), run, queries=queries).ranking
    lists = []
    for found in ranking.lists():
        ranks = np.zeros(len(judgments.docs[found.query]), np.int64)
        ranks[found.grades] = found.ranks
        grades, inclusion = judgments.grades[found.query], judgments.inclusion[found.query]
        lists.append(SampledList(found.query, ranks, grades, inclusion, judgments.strata.get(found.query)))
    return lists


def _gathered(name: str, rows: Iterable[tuple[str, _Row]], stratified: bool) -> SampledQrels:
    """The rows by query; each comes with its place, for errors."""
    known: dict[str, dict[str, tuple[int, str, float]]] = {}
    for place, (query, doc, grade, stratum, chance) in rows:
        docs = known.setdefault(query, {})
        if doc in docs:
            raise DataError(f"document {quoted(doc)} appears twice for query {quoted(query)}", place=place)
        docs[doc] = grade, stratum, chance
    if not known:
        raise DataError("holds no judgments", place=name)
    grades = {query: np.array([row[0] for row in docs.values()], np.int64) for query, docs in known.items()}
    inclusion = {query: np.array([row[2] for row in docs.values()]) for query, docs in known.items()}
    strata: dict[str, NDArray[np.int64]] = {}
    for query, docs in known.items() if stratified else ():
        names = {stratum: i for i, stratum in enumerate(dict.fromkeys(row[1] for row in docs.values()))}
        strata[query] = np.array([names[row[1]] for row in docs.values()], np.int64)
        sizes = np.bincount(strata[query])
        judged = np.bincount(strata[query], grades[query] >= 0)
        inclusion[query] = (judged / sizes)[strata[query]]
    return SampledQrels(name, {query: tuple(docs) for query, docs in known.items()}, grades, inclusion, strata)


def _of_prels(cells: list[str]) -> _Row:
    return cells[0], cells[1], _grade(cells[2]), "", _chance(cells[4])


def _of_strata(cells: list[str]) -> _Row:
    return cells[0], cells[2], _grade(cells[4]), cells[3], math.nan


def _of_file(path: PathLike, meaning: Callable[[list[str]], _Row], stratified: bool) -> SampledQrels:
    """The rows of a file. TREC qrels, of four columns with the iteration 0, are a pool: one stratum of each query."""
    with readable(path) as (file, name), refusals():
        data, _ = kernels.read_bytes(file, name)
    # Only ASCII blanks separate, as in qrels and runs: a name may hold others.
    parts = (line.split() for line in data.removeprefix(_MARK).split(b"\n"))
    decoded = ([cell.decode("utf-8", "surrogateescape") for cell in cells] for cells in parts)
    lines = [(f"{name}:{i}", cells) for i, cells in enumerate(decoded, start=1) if cells]
    pooled = bool(lines) and len(lines[0][1]) == 4 and lines[0][1][1] == "0"

    def rows() -> Iterator[tuple[str, _Row]]:
        for place, cells in lines:
            if len(cells) != (4 if pooled else 5):
                wanted = "those of a pool have 4, as the first line" if pooled else "judgments of a sample have 5"
                raise DataError(f"has {plural(len(cells), 'column')}", wanted, place=place)
            try:
                yield place, (cells[0], cells[2], _grade(cells[3]), "", math.nan) if pooled else meaning(cells)
            except DataError as error:
                raise error.at(place) from None

    return _gathered(name, rows(), stratified=stratified or pooled)


def _of_mapping(data: Any, name: str, meaning: Callable[[Any], tuple[int, str, float]]) -> Iterator[tuple[str, _Row]]:
    for query, docs in data.items():
        for doc, pair in docs.items():
            place = f"{name}: document {doc!r} of query {query!r}"
            try:
                yield place, (str(query), str(doc), *meaning(pair))
            except DataError as error:
                raise error.at(place) from None
            except (ValueError, TypeError, IndexError) as error:
                raise DataError(str(error), place=place) from None


def _grade(value: Any) -> int:
    try:
        grade = int(value)
    except (ValueError, OverflowError):
        grade = _LIMIT
    whole = value.isascii() and "_" not in value if isinstance(value, str) else grade == value
    if not whole or not -_LIMIT <= grade < _LIMIT:
        raise DataError(
            f"the grade is {quoted(str(value))}", f"it must be a whole number from {-_LIMIT} to {_LIMIT - 1}"
        )
    return grade


def _chance(value: Any) -> float:
    try:
        chance = float(value)
    except ValueError:
        raise DataError(f"the inclusion probability is {value!r}, which is not a number") from None
    if not 0 < chance <= 1:
        raise DataError(
            f"the inclusion probability is {value}",
            "it must be above 0 and at most 1: leave out documents that were not drawn at random",
        )
    return chance
