"""Pools of documents to be judged, and their bias against runs that did not contribute to them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from certus.core.errors import CertusError, DataError, mention
from certus.core.frames import Kind
from certus.core.listing import Listing, Tabular
from certus.core.progress import steps
from certus.io import as_qrels, as_run
from certus.io.rankings import QrelsLike, RunLike
from certus.metrics import Metric, parse
from certus.statistic.common import require_integer

Method = Literal["depth", "rrf", "mtf"]
Tops = Mapping[str, Mapping[str, Sequence[str]]]
"""Of each query the first documents of each run that has it."""
UNJUDGED = -1
"""The grade of a document in the pool that was not judged, as trec_eval and infAP have it."""


@dataclass(frozen=True, eq=False, repr=False)
class Pool(Tabular):
    """Documents to be judged, for each query; made by `pool`.

    Attributes
    ----------
    grades
        The grade of each document of each query, in the order in which they are to be judged; -1 where there is none
        yet. Documents that were judged but are in no run's top stand last.
    tops
        Of each query the first documents of each run that has it.
    runs
        The names of the runs.
    rel
        Least relevant grade.
    """

    grades: Mapping[str, Mapping[str, int]]
    tops: Tops
    runs: tuple[str, ...]
    rel: int = 1

    def __len__(self) -> int:
        return sum(map(len, self.grades.values()))

    def __repr__(self) -> str:
        return f"<Pool of {len(self)} documents for {len(self.grades)} queries, {self.judged} judged>"

    @property
    def judged(self) -> int:
        """Documents that were judged."""
        return sum(grade >= 0 for docs in self.grades.values() for grade in docs.values())

    def to_dict(self) -> dict[str, dict[str, int]]:
        """The pool as qrels ``{query: {document: grade}}``, with -1 for documents not judged yet."""
        return {query: dict(docs) for query, docs in self.grades.items()}

    def _listing(self) -> Listing:
        rows = [(query, doc, grade) for query, docs in self.grades.items() for doc, grade in docs.items()]
        columns = zip(("query", "document", "grade"), map(list, zip(*rows, strict=True)), strict=True)
        return Listing(dict(columns), {"query": "text", "document": "text", "grade": "whole"})

    def to_trec(self) -> str:
        """The pool as TREC qrels, a line for each document: judge one by writing its grade in place of -1."""
        return "".join(
            f"{query} 0 {doc} {grade}\n" for query, docs in self.grades.items() for doc, grade in docs.items()
        )

    def strata(self) -> dict[str, dict[str, tuple[str, int]]]:
        """The pool as one stratum, for `certus.audit.xinf_ap` and, by `certus.io.prels`, for statAP.

        They take the documents that were judged for a random sample of the pool, as those at the top of a pool in
        random order (``seed=`` of `pool`) are.
        """
        return {query: {doc: ("pool", grade) for doc, grade in docs.items()} for query, docs in self.grades.items()}

    def contributions(self) -> Listing:
        """The documents of the pool in each run's top, and those in no other run's; relevant ones once some are judged.

        The last row counts the whole pool.
        """
        names = ("documents", "alone", "relevant", "relevant_alone")
        counts = {run: dict.fromkeys(names, 0) for run in self.runs}
        for query, tops in self.tops.items():
            inside = {run: {doc for doc in top if doc in self.grades[query]} for run, top in tops.items()}
            for run, docs in inside.items():
                docs_of_others = set().union(*(other_docs for other, other_docs in inside.items() if other != run))
                good = {doc for doc in docs if self.grades[query][doc] >= self.rel}
                for name, subset in zip(names, (docs, docs - docs_of_others, good, good - docs_of_others), strict=True):
                    counts[run][name] += len(subset)
        relevant = sum(grade >= self.rel for docs in self.grades.values() for grade in docs.values())
        whole_pool = {"documents": len(self), "alone": None, "relevant": relevant, "relevant_alone": None}
        column_names = names if self.judged else names[:2]
        columns = {name: [*(counts[run][name] for run in self.runs), whole_pool[name]] for name in column_names}
        return Listing(
            {"run": [*self.runs, "pool"], **columns}, {"run": "text", **dict.fromkeys(column_names, "whole")}
        )


def pool(
    runs: Mapping[str, RunLike],
    *,
    depth: int = 100,
    method: Method = "depth",
    size: int | None = None,
    judged: QrelsLike | None = None,
    rel: int = 1,
    seed: int | None = None,
) -> Pool:
    """Pool the first documents of several runs, query by query, for judging.

    Parameters
    ----------
    runs
        The runs by their names, each as `certus.evaluate` takes it.
    depth
        How many documents of each run are looked at.
    method
        ``"depth"``: all of them, sorted by id. ``"rrf"``: the first `size` by reciprocal rank fusion, the sum of
        1 / (60 + rank) over the runs. ``"mtf"``: the first `size` by move-to-front: a run gives documents as long as
        they are relevant, then falls behind the others; documents that `judged` lacks count as not relevant, so judge
        what is new, and pool again.
    size
        Documents of a query, judged ones among them; not for ``"depth"``.
    judged
        Qrels with the judgments that there are; all of them are kept.
    rel
        Least relevant grade.
    seed
        Puts the documents of each query in random order, so that those judged from the top are a random sample of the
        pool, as infAP and statAP need it.

    Raises
    ------
    DataError
        There are no runs, one cannot be read, or a number is not whole.
    CertusError
        The method is none, or the size is missing or has no meaning.

    References
    ----------
    Pooling: Spärck Jones & van Rijsbergen (1975), British Library R&D report 5266. Fusion: Cormack, Clarke & Büttcher
    (2009), SIGIR, doi:10.1145/1571941.1572114. Move-to-front: Cormack, Palmer & Clarke (1998), SIGIR,
    doi:10.1145/290941.291009.

    Examples
    --------
    >>> runs = {"a": {"q": ["d1", "d2", "d3"]}, "b": {"q": ["d4", "d1", "d5"]}}
    >>> found = pool(runs, depth=2)
    >>> found.to_dict()
    {'q': {'d1': -1, 'd2': -1, 'd4': -1}}
    >>> print(found.contributions())
    run   documents  alone
    a             2      1
    b             2      1
    pool          3      -
    """
    if method not in ("depth", "rrf", "mtf"):
        raise CertusError(f"is {method!r}", "it must be 'depth', 'rrf' or 'mtf'", argument="method")
    if method == "depth" and size is not None:
        raise CertusError("does not apply to method 'depth', which takes all", "use 'rrf' or 'mtf'", argument="size")
    if method != "depth" and size is None:
        raise CertusError(
            f"method {method!r} needs {mention('size')}, the number of documents of a query",
            argument="size",
            subject="",
        )
    wanted = 0 if size is None else require_integer(size, "size", 1)
    rel = require_integer(rel, "rel", 1)
    judgments = {} if judged is None else as_qrels(judged).to_dict()
    tops = tops_of(runs, require_integer(depth, "depth", 1))
    generator = None if seed is None else np.random.default_rng(require_integer(seed, "seed"))
    grades: dict[str, dict[str, int]] = {}
    for query in sorted({*tops, *judgments}):
        lists, has = list(tops.get(query, {}).values()), judgments.get(query, {})
        if method == "depth":
            docs = sorted({doc for top in lists for doc in top})  # the order of ids tells nothing about ranks
        elif method == "rrf":
            docs = _by_reciprocal_rank(lists, wanted)
        else:
            docs = _by_move_to_front(lists, wanted, has, rel)
        if generator is not None:
            docs = [sorted(docs)[index] for index in generator.permutation(len(docs))]
        grades[query] = {doc: has.get(doc, UNJUDGED) for doc in docs}
        grades[query] |= {doc: grade for doc, grade in has.items() if doc not in grades[query]}
    return Pool(grades, tops, tuple(runs), rel)


def tops_of(runs: Mapping[str, RunLike], depth: int) -> dict[str, dict[str, list[str]]]:
    """The first documents of each run, for each query; of equal scores the greater id comes first, as in trec_eval."""
    if not runs:
        raise DataError("there are no runs to make a pool of")
    tops: dict[str, dict[str, list[str]]] = {}
    for name, run in runs.items():
        for query, docs in as_run(run, name).to_dict().items():
            order = sorted(docs, key=lambda doc: (docs[doc], doc.encode("utf-8", "surrogateescape")), reverse=True)
            tops.setdefault(query, {})[name] = order[:depth]
    return {query: tops[query] for query in sorted(tops)}


_CONSTANT = 60


def _by_reciprocal_rank(tops: Sequence[Sequence[str]], size: int) -> list[str]:
    """The first documents by reciprocal rank fusion: the sum of 1 / (60 + rank) over the runs; ties by their ids."""
    sums: dict[str, Fraction] = {}
    for top in tops:
        for rank, doc in enumerate(top, start=1):
            sums[doc] = sums.get(doc, Fraction(0)) + Fraction(1, _CONSTANT + rank)
    return sorted(sums, key=lambda doc: (-sums[doc], doc))[:size]


def _by_move_to_front(tops: Sequence[Sequence[str]], size: int, grades: Mapping[str, int], rel: int) -> list[str]:
    """The next document of the run of the highest priority, until there are enough."""
    # A run keeps its priority as long as its documents are relevant, and loses one with each that is not; a document
    # without a judgment counts as not relevant. Of runs with one priority the one that waited longest is next.
    chosen: dict[str, None] = {}
    depths, priorities, waited = [0] * len(tops), [0] * len(tops), list(range(len(tops)))
    turn = len(tops)
    while len(chosen) < size:
        ready = [run for run, top in enumerate(tops) if depths[run] < len(top)]
        if not ready:
            break
        run = min(ready, key=lambda candidate: (-priorities[candidate], waited[candidate]))
        while depths[run] < len(tops[run]) and len(chosen) < size:
            doc = tops[run][depths[run]]
            depths[run] += 1
            if doc in chosen:
                continue
            chosen[doc] = None
            if grades.get(doc, -1) < rel:
                priorities[run] -= 1
                break
        waited[run], turn = turn, turn + 1
    return list(chosen)


@dataclass(frozen=True)
class LeftOut:
    """A run's value by a metric with the judgments that it added alone, and without them.

    Attributes
    ----------
    run, metric
        Their names.
    value, without
        The value on all judgments, and on those that the other runs' tops would have led to.
    alone
        Judged documents that only this run's top holds.
    """

    run: str
    metric: str
    value: float
    without: float
    alone: int

    @property
    def percent(self) -> float | None:
        """The change in percent; None where the value is 0."""
        return 100 * (self.without - self.value) / self.value if self.value else None


class Bias(Tabular, tuple[LeftOut, ...]):
    """A row for each run and metric; printed as a table."""

    __slots__ = ()

    def _listing(self) -> Listing:
        return self.table()

    def table(self) -> Listing:
        """The rows as a table with the columns run, metric, value, without, percent and alone."""
        columns = {name: [getattr(row, name) for row in self] for name in LeftOut.__dataclass_fields__}
        alone_counts = columns.pop("alone")
        percent = [row.percent for row in self]
        column_types: dict[str, Kind] = {"run": "text", "metric": "text", "alone": "whole"}
        table_columns = {**columns, "percent": percent, "alone": alone_counts}
        return Listing(table_columns, {name: column_types.get(name, "number") for name in table_columns})

    def __str__(self) -> str:
        return str(self.table())


def leave_one_out(
    qrels: QrelsLike, runs: Mapping[str, RunLike], metrics: str | Metric | Iterable[str | Metric] = "AP", *, depth: int
) -> "Bias":
    """Values of each run by the judgments of a pool that it did not contribute to, beside those by all judgments.

    The judgments of documents that only the run has among its first `depth` are taken away, and the run is evaluated
    again, as a new system would be that was not there when the pool was made. A document that another run has further
    down counts as the run's own.

    Parameters
    ----------
    qrels
        The judgments.
    runs
        The runs of the pool by their names; at least two.
    metrics
        What the runs are evaluated by.
    depth
        The depth of the pool.

    Returns
    -------
    Bias
        A `LeftOut` for each run and metric.

    Raises
    ------
    DataError
        There are fewer than two runs, or data cannot be read.
    MetricNameError
        There is no such metric.

    References
    ----------
    Zobel (1998), How reliable are the results of large-scale information retrieval experiments?, SIGIR,
    doi:10.1145/290941.291014.

    Examples
    --------
    Without run a nobody would have judged d2.

    >>> qrels = {"q": {"d1": 1, "d2": 1, "d4": 0}}
    >>> runs = {"a": {"q": ["d1", "d2", "d3"]}, "b": {"q": ["d4", "d1", "d5"]}}
    >>> print(leave_one_out(qrels, runs, "P@2", depth=2))
    run  metric   value  without   percent  alone
    a    P@2     1.0000   0.5000  -50.0000      1
    b    P@2     0.5000   0.5000    0.0000      1
    """
    if len(runs) < 2:
        raise DataError("a run is left out of the pool of several", "give at least two")
    names = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    chosen = [metric if isinstance(metric, Metric) else parse(metric) for metric in names]
    loaded = {name: as_run(run, name) for name, run in runs.items()}
    judged = as_qrels(qrels).to_dict()
    tops = tops_of(loaded, require_integer(depth, "depth", 1))
    rows = []
    for name, run in steps(loaded.items(), "run"):
        without_run, n_alone = _without(judged, tops, name)
        for metric in chosen:
            value, without = (metric(judgments, run).value for judgments in (judged, without_run))
            rows.append(LeftOut(name, str(metric), value, without, n_alone))
    return Bias(rows)


def _without(
    judged: Mapping[str, Mapping[str, int]], tops: Mapping[str, Mapping[str, Iterable[str]]], run: str
) -> tuple[dict[str, dict[str, int]], int]:
    """The judgments without those of documents that only this run has in its top, and how many these are."""
    remaining, gone = {}, 0
    for query, docs in judged.items():
        tops_of_query = tops.get(query, {})
        other_docs = {doc for name, top in tops_of_query.items() if name != run for doc in top}
        unique_docs = {doc for doc in tops_of_query.get(run, ()) if doc in docs} - other_docs
        gone += sum(docs[doc] >= 0 for doc in unique_docs)
        kept_grades = {doc: grade for doc, grade in docs.items() if doc not in unique_docs}
        # A query stays one that is averaged over, also where nobody else would have judged anything for it.
        remaining[query] = kept_grades or dict.fromkeys(unique_docs, UNJUDGED)
    return remaining, gone
