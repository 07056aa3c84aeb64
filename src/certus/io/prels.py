"""Judgments of randomly sampled documents, with each one's probability of being judged."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError
from certus.data.ranking import SampledList
from certus.io.columns import quoted
from certus.io.rank import Queries, rank
from certus.io.rankings import Qrels, RunLike, as_qrels, decode_id
from certus.io.sources import PathLike, is_path, readable, refusals
from certus.statistic.common import plural

_Judgment = tuple[int, str, float]
"""Grade, stratum, chance."""
_Row = tuple[str, str, _Judgment]
"""Query, document, judgment."""
_LIMIT = 1 << 31
"""Grades are whole numbers of 32 bits, as in qrels."""


@dataclass(frozen=True, eq=False, repr=False)
class SampledQrels:
    """Judgments of a random sample of documents; created by `as_prels` or `as_sampled_qrels`.

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
        """Judgments as ordinary qrels; all other documents are unjudged."""
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
    """Judgments with the probability that each document was sampled.

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
        return _of_file(data, lambda cells: (cells[0], cells[1], (_grade(cells[2]), "", _chance(cells[4]))), False)
    return _by_query(name, _rows_of_mapping(data, name, lambda pair: (_grade(pair[0]), "", _chance(pair[1]))), False)


def as_sampled_qrels(data: SampledQrelsLike, name: str = "qrels") -> SampledQrels:
    """Judgments by stratum; a document's probability is the judged share of its stratum.

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
            raise DataError("holds chances but no strata", "give the documents of each stratum", location=data.name)
        return data
    if is_path(data):
        return _of_file(data, lambda cells: (cells[0], cells[2], (_grade(cells[4]), cells[3], math.nan)), True)
    return _by_query(name, _rows_of_mapping(data, name, lambda pair: (_grade(pair[1]), str(pair[0]), math.nan)), True)


def rank_sampled(judgments: SampledQrels, run: RunLike, *, queries: Queries = "intersection") -> list[SampledList]:
    """Ranks of the documents in a run; ties are broken like in trec_eval, greater id first."""
    # Ranks are settled where they are for every metric: with a document's number in the place of its grade.
    numbered = {query: {doc: i for i, doc in enumerate(docs)} for query, docs in judgments.docs.items()}
    ranking = rank(as_qrels(numbered, judgments.name), run, queries=queries).ranking
    lists = []
    for ranked in ranking.lists():
        query = ranked.query
        ranks = np.zeros(len(judgments.docs[query]), np.int64)
        ranks[ranked.grades] = ranked.ranks
        strata = judgments.strata.get(query)
        lists.append(SampledList(query, ranks, judgments.grades[query], judgments.inclusion[query], strata))
    return lists


def _by_query(name: str, rows: Iterable[tuple[str, _Row]], has_strata: bool) -> SampledQrels:
    """Collect rows by query; each row has a location for errors."""
    judged: dict[str, dict[str, _Judgment]] = {}
    for location, (query, doc, judgment) in rows:
        docs = judged.setdefault(query, {})
        if doc in docs:
            raise DataError(f"document {quoted(doc)} appears twice for query {quoted(query)}", location=location)
        docs[doc] = judgment
    if not judged:
        raise DataError("holds no judgments", location=name)
    grades = {query: np.array([row[0] for row in docs.values()], np.int64) for query, docs in judged.items()}
    inclusion = {query: np.array([row[2] for row in docs.values()]) for query, docs in judged.items()}
    strata: dict[str, NDArray[np.int64]] = {}
    for query, docs in judged.items() if has_strata else ():
        codes = {stratum: code for code, stratum in enumerate(dict.fromkeys(row[1] for row in docs.values()))}
        strata[query] = np.array([codes[row[1]] for row in docs.values()], np.int64)
        shares = np.bincount(strata[query], grades[query] >= 0) / np.bincount(strata[query])
        inclusion[query] = shares[strata[query]]
    return SampledQrels(name, {query: tuple(docs) for query, docs in judged.items()}, grades, inclusion, strata)


def _of_file(path: PathLike, row_of: Callable[[list[str]], _Row], has_strata: bool) -> SampledQrels:
    """Rows of a file; TREC qrels of iteration 0 are a pool with one stratum for each query."""
    with readable(path) as (file, name), refusals():
        data, _ = kernels.read_bytes(file, name)
    # Only ASCII blanks separate, as in qrels and runs: a name may hold others.
    rows_of_bytes = map(bytes.split, data.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    lines = [(f"{name}:{i}", list(map(decode_id, cells))) for i, cells in enumerate(rows_of_bytes, start=1) if cells]
    is_pool = bool(lines) and len(lines[0][1]) == 4 and lines[0][1][1] == "0"

    def rows() -> Iterator[tuple[str, _Row]]:
        for location, cells in lines:
            if len(cells) != (4 if is_pool else 5):
                expected = "those of a pool have 4, as the first line" if is_pool else "judgments of a sample have 5"
                raise DataError(f"has {plural(len(cells), 'column')}", expected, location=location)
            try:
                row = (cells[0], cells[2], (_grade(cells[3]), "", math.nan)) if is_pool else row_of(cells)
            except DataError as error:
                raise error.with_location(location) from None
            yield location, row

    return _by_query(name, rows(), has_strata or is_pool)


def _rows_of_mapping(data: Any, name: str, judgment_of: Callable[[Any], _Judgment]) -> Iterator[tuple[str, _Row]]:
    """Rows (query, document, judgment) of a mapping, each with its location for errors."""
    for query, docs in data.items():
        for doc, pair in docs.items():
            location = f"{name}: document {doc!r} of query {query!r}"
            try:
                judgment = judgment_of(pair)
            except DataError as error:
                raise error.with_location(location) from None
            except (ValueError, TypeError, IndexError) as error:
                raise DataError(str(error), location=location) from None
            yield location, (str(query), str(doc), judgment)


def _grade(value: Any) -> int:
    """Convert a grade to int; refuse fractions and numbers beyond 32 bits."""
    try:
        grade = int(value)
    except (ValueError, OverflowError):
        grade = _LIMIT
    is_whole = value.isascii() and "_" not in value if isinstance(value, str) else grade == value
    if not is_whole or not -_LIMIT <= grade < _LIMIT:
        problem = f"the grade is {quoted(str(value))}"
        raise DataError(problem, f"it must be a whole number from {-_LIMIT} to {_LIMIT - 1}")
    return grade


def _chance(value: Any) -> float:
    """Convert an inclusion probability to float; it must be above 0 and at most 1."""
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
