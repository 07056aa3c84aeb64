"""Queries of a retrieval run, each complete in one batch: ranks and grades of judged documents."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, MetricNameError, keyword
from certus.core.missing import MissingWords
from certus.data import Ranking
from certus.data.ranking import Columns
from certus.io import Qrels, as_qrels, as_run
from certus.io.notices import Looked, check_queries, of_judgments, of_rows
from certus.io.rank import Ranked, TieRule, check_common
from certus.io.sources import refusals
from certus.states._rows import narrow
from certus.tasks import Task
from certus.tasks.ranking import TASK
from certus.tasks.ranking.case import Conventions, RunCase, RunSystems, apply_conventions

FACTS = ("all_equal", "rounded", "discordant", "concordant", "normalised")
"""Known of each query of a run beside its ranks, for warnings; see `kernels.Ranked`."""
KINDS = ("int64", "uint32", "int32", "uint32", "uint32", "uint32", "int64", "int32", "bool", "int64")
"""Of the columns of `Columns`, of `Part.lacking` and of `Part.facts`."""
QRELS = "qrels"
"""What judgments are called in messages, which may come from many files."""


class Part(NamedTuple):
    """Judged queries with their ranked documents, sorted by the bytes of the query ids.

    Attributes
    ----------
    queries, columns
        As for a `Ranking`.
    lacking
        Whether the run lacks the query.
    facts
        For each query the numbers that `FACTS` name, then judged documents whose ids differ from another one's only by
        Unicode normalisation.
    """

    queries: tuple[str, ...]
    columns: Columns
    lacking: NDArray[np.bool_]
    facts: NDArray[np.int64]

    def select(self, places: NDArray[np.intp]) -> "Part":
        """Queries at these indices."""
        ranking = Ranking(self.queries, self.columns).select(places)
        return Part(ranking.queries, ranking.columns, self.lacking[places], self.facts[places])

    def judged(self, index: int) -> NDArray[np.int32]:
        """Grades of all judged documents of a query."""
        start, end = self.columns.judged_offsets[index : index + 2]
        return self.columns.judged[start:end]


class Queries:
    """Judged queries of all batches, and ids of the run's queries without judgments.

    The judgments of a query may come before its results, and again. Its results come once.
    """

    def __init__(self, conventions: Mapping[str, Any]) -> None:
        self.conventions = Conventions(**{**TASK.defaults, **conventions})
        self.unjudged: dict[str, None] = {}
        self._parts: list[Part] = []
        self._index: dict[str, int] = {}  # in all parts one after the other

    def __len__(self) -> int:
        return len(self._index)

    def update(self, qrels: Any, run: Any, missing: MissingWords | None = None) -> None:
        """Add judgments and results of some queries; one of them may be None."""
        results = as_run({} if run is None else run)
        judgments = None if qrels is None else as_qrels(qrels)
        if results.is_single_query or (judgments is not None and judgments.is_single_query):
            raise DataError("a batch is of one query without an id", "give judgments and results by the ids of queries")
        check_queries("qrels", () if judgments is None else judgments.queries, missing)
        if judgments is None:
            self._add(_joined([]), results.queries)
            return
        with refusals():
            found = kernels.rank_run(judgments.kernel, results.kernel, ties=self._ties, all=True)
        queries = tuple(found.queries)
        facts = np.zeros((len(queries), len(FACTS) + 1), dtype=np.int64)
        for index, name in enumerate(FACTS):
            if any(seen := getattr(found, name)):
                facts[:, index] = seen
        if judgments.kernel.normalised:
            facts[:, -1] = _judgments_alike(judgments, queries)
        missing_queries = frozenset(found.missing)
        lacking = np.fromiter(map(missing_queries.__contains__, queries), np.bool_, len(queries))
        ranking = Ranking(queries, Columns(*found.columns))
        if self.conventions.drop_self:
            ranking = ranking.without(found.self_ranks)
        self._add(Part(queries, ranking.columns, lacking, facts), found.only_in_run)

    def merge(self, other: "Queries") -> None:
        """Add the queries of another state."""
        part = other.settle()
        if self._index or self.unjudged:
            self._add(part, other.unjudged)
        else:
            self._parts, self._index, self.unjudged = [part], {**other._index}, {**other.unjudged}

    def settle(self) -> Part:
        """Merge all judged queries into one sorted part."""
        if len(self._parts) != 1:
            in_order = _in_order(self._index)
            places = np.fromiter(map(self._index.__getitem__, in_order), np.intp, len(in_order))
            self._replace(_joined(self._parts).select(places))
        return self._parts[0]

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """Columns of all queries in the smallest integer types, as `of_arrays` reads them."""
        part = self.settle()
        return [narrow(column) for column in (*part.columns, part.lacking.astype(np.int8), part.facts.ravel())]

    def of_arrays(self, queries: Sequence[str], unjudged: Sequence[str], arrays: Sequence[NDArray[Any]]) -> None:
        """Restore the queries from the arrays of a stored state."""
        if not {*map(type, queries), *map(type, unjudged)} <= {str} or _in_order(queries) != list(queries):
            raise ValueError("queries are not text in order")
        *columns, lacking, facts = (_widened(each, kind) for each, kind in zip(arrays, KINDS, strict=True))
        size = len(queries)
        part = Part(tuple(queries), Columns(*columns), lacking, facts.reshape(size, len(FACTS) + 1))
        _check(part)
        self._replace(part)
        self.unjudged = dict.fromkeys(_in_order(unjudged))
        if len(self._index) < size or len(self.unjudged) < len(unjudged) or self.unjudged.keys() & self._index.keys():
            raise ValueError("a query is listed twice")

    def _replace(self, part: Part) -> None:
        """Replace all stored queries by those in one part, and index them by id."""
        self._parts = [part]
        self._index = dict(zip(part.queries, range(len(part.queries)), strict=True))

    def _add(self, part: Part, unjudged: Iterable[str]) -> None:
        """Add the queries of a part."""
        alone = list(unjudged)
        apart = self._index.keys().isdisjoint(part.queries) and self.unjudged.keys().isdisjoint(part.queries)
        if not apart:
            self._check_again(part)
        for query in alone:
            if query in self.unjudged:
                raise DataError(f"query {query!r} was given before", "give all results of a query at once, and once")
            if query in self._index:
                _refuse_apart(query)
        # From here nothing fails.
        self.unjudged.update(dict.fromkeys(alone))
        kept = part
        if not apart:
            new = [
                index for index, query in enumerate(part.queries) if query not in self._index or not part.lacking[index]
            ]
            kept = part.select(np.array(new, dtype=np.intp))
        if not self._index:
            self._parts = []  # without queries
        start = sum(len(each.queries) for each in self._parts)
        self._parts.append(kept)
        self._index.update(zip(kept.queries, range(start, start + len(kept.queries)), strict=True))

    def _check_again(self, part: Part) -> None:
        """Refuse results for a query that already has some, and other judgments for it."""
        starts = list(accumulate((len(each.queries) for each in self._parts[:-1]), initial=0))
        for number, (query, lacking) in enumerate(zip(part.queries, part.lacking.tolist(), strict=True)):
            if query in self.unjudged:
                _refuse_apart(query)
            if (before := self._index.get(query)) is None:
                continue
            index = bisect_right(starts, before) - 1
            held, there = self._parts[index], before - starts[index]
            if not lacking and not held.lacking[there]:
                raise DataError(f"query {query!r} was given before", "give all results of a query at once, and once")
            if not np.array_equal(part.judged(number), held.judged(there)):
                raise DataError(f"query {query!r} has other judgments than before", "give its judgments alike, or once")

    def systems(self, name: str) -> RunSystems:
        """System of the run, for an evaluation."""
        part = self.settle()
        if not part.queries:
            raise DataError("no query of the state has judgments", "give some with update")
        every = self.conventions.queries == "judged"
        lacking = tuple(part.queries[index] for index in np.flatnonzero(part.lacking))
        alone = _in_order(self.unjudged)
        if len(lacking) == len(part.queries):
            check_common(name, QRELS, lacking, alone, has_all=every)
        used = part if every or not lacking else part.select(np.flatnonzero(~part.lacking))
        ranking = Ranking(used.queries, used.columns, self._ties)
        all_equal, *others = used.facts.T[: len(FACTS)].tolist()
        looked = partial(
            of_rows,
            Looked(alone, _unmatched(used), all_equal, (used.columns.retrieved < 2).tolist(), *others),
            used.queries,
            name,
            lacking,
            every,
            keyword("queries", "judged"),
        )
        ranked = Ranked(ranking, name, "", _digest(part, "retrieved", "offsets", "ranks"), lacking, looked)
        case = RunCase(ranked, apply_conventions(ranking, self.conventions), self.conventions, None, None)
        inputs = {QRELS: _digest(part, "judged_offsets", "judged"), name: ranked.fingerprint}
        about = of_judgments(QRELS, part.queries, int((part.columns.judged < 0).sum()), int(part.facts[:, -1].sum()))
        return RunSystems({name: case}, self.conventions, inputs, about)

    @property
    def _ties(self) -> TieRule:
        """Order of documents with equal scores: as read, or by descending id as in trec_eval."""
        return "input" if self.conventions.ties == "input" else "trec"


def batch_of(task: Task, data: Any, predictions: Any, columns: Mapping[str, Any]) -> tuple[Any, Any]:
    """Judgments and results from the arguments of `State.update`."""
    names = [each.name for each in task.data]
    found = {name: value for name, value in columns.items() if value is not None}
    if unknown := [name for name in found if name not in names]:
        raise MetricNameError(
            f"is nothing that a batch of {task.name} has", f"give {' and '.join(names)}", argument=unknown[0]
        )
    for name, value in zip(names, (data, predictions), strict=True):
        if value is not None and name in found:
            raise DataError("is given twice", "give it once", argument=name)
        found.setdefault(name, value)
    if all(found[name] is None for name in names):
        raise DataError(
            f"a batch of {task.name} needs {' and '.join(names)}, the judgments and results of some queries"
        )
    return found[names[0]], found[names[1]]


def _unmatched(part: Part) -> tuple[Sequence[str], Sequence[str]] | None:
    """Empty ids (a state keeps none) if no retrieved document is judged; otherwise None."""
    return ((), ()) if part.columns.retrieved.any() and not len(part.columns.ranks) else None


def _refuse_apart(query: str) -> NoReturn:
    """Refuse results of a query without its judgments in the same batch."""
    raise DataError(
        f"query {query!r} has results without judgments in one batch and its judgments in another", "give both in one"
    )


def _in_order(queries: Iterable[str]) -> list[str]:
    """Queries sorted by their bytes."""
    listed = list(queries)
    ascii_only = all(map(str.isascii, listed))
    return sorted(listed, key=None if ascii_only else lambda query: query.encode("utf-8", "surrogateescape"))


def _joined(parts: Sequence[Part]) -> Part:
    """Concatenate the queries of several parts."""
    columns: list[NDArray[Any]] = []
    for name, kind, *arrays in zip(
        Columns._fields, KINDS[: len(Columns._fields)], *(part.columns for part in parts), strict=True
    ):
        if name.endswith("offsets"):
            lengths = np.concatenate([np.zeros(1, dtype=kind), *map(np.diff, arrays)])
            columns.append(np.cumsum(lengths))
        else:
            columns.append(np.concatenate([np.zeros(0, dtype=kind), *arrays]))
    return Part(
        tuple(chain.from_iterable(part.queries for part in parts)),
        Columns(*columns),
        np.concatenate([np.zeros(0, dtype=np.bool_), *(part.lacking for part in parts)]),
        np.concatenate([np.zeros((0, len(FACTS) + 1), dtype=np.int64), *(part.facts for part in parts)]),
    )


def _judgments_alike(judgments: Qrels, queries: Sequence[str]) -> list[int]:
    """Number of judged documents of each query whose ids equal another one's after Unicode normalisation."""
    judged = judgments.to_dict()
    return [as_qrels({query: judged[query]}).kernel.normalised for query in queries]


def _widened(array: NDArray[Any], kind: str) -> NDArray[Any]:
    """Convert whole numbers to a wider type."""
    least, greatest = (0, 1) if kind == "bool" else (np.iinfo(kind).min, np.iinfo(kind).max)
    if array.dtype.kind not in "iu" or (len(array) and not least <= int(array.min()) <= int(array.max()) <= greatest):
        raise ValueError("a column of queries holds what it cannot hold")
    return array.astype(kind)


def _digest(part: Part, *names: str) -> str:
    """Hash of the queries and some of their columns."""
    made = hashlib.blake2b("\0".join(part.queries).encode("utf-8", "surrogateescape"), digest_size=16)
    for name in names:
        made.update(np.ascontiguousarray(getattr(part.columns, name)).tobytes())
    return f"blake2b-128:{made.hexdigest()}"


def _check(part: Part) -> None:
    """Refuse columns that no ranking can have."""
    columns, size = part.columns, len(part.queries)
    hits = [columns.ranks, columns.grades, columns.tie_first, columns.tie_size]
    for offsets, values in ((columns.offsets, hits), (columns.judged_offsets, [columns.judged])):
        # Not by differences: those of forged numbers wrap around.
        if len(offsets) != size + 1 or offsets[0] != 0 or bool((offsets[1:] < offsets[:-1]).any()):
            raise ValueError("the places of queries are in disorder")
        if any(len(each) != offsets[-1] for each in values):
            raise ValueError("queries and their documents do not fit together")
    if {len(columns.retrieved), len(part.lacking)} != {size}:
        raise ValueError("the number of queries is another")
    owner = np.repeat(np.arange(size), np.diff(columns.offsets))
    inside = (columns.ranks >= 1) & (columns.ranks <= columns.retrieved[owner])
    rising = (np.diff(columns.ranks.astype(np.int64)) > 0) | (np.diff(owner) > 0)
    tied = (columns.tie_first >= 1) & (columns.tie_first <= columns.ranks)
    tied &= columns.ranks.astype(np.int64) < columns.tie_first.astype(np.int64) + columns.tie_size
    judged = np.diff(columns.judged) <= 0
    judged |= np.diff(np.repeat(np.arange(size), np.diff(columns.judged_offsets))) > 0
    if not (inside.all() and rising.all() and tied.all() and judged.all()):
        raise ValueError("ranks or grades are in disorder")
