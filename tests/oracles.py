"""The ranking metrics in ten slow lines each, over lists written out, to test the kernels against."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from certus.data.ranking import Columns

Grade = int | None


@dataclass(frozen=True)
class Listed:
    """One query's list in one order."""

    docs: list[Grade]
    """The grade of each document retrieved; None: not judged."""
    judged: list[int]
    """All grades judged, decreasing."""

    def hits(self, rel: int, k: int | None = None) -> int:
        """Relevant documents among the first k."""
        return sum(is_relevant(grade, rel) for grade in self.docs[:k])

    def relevant(self, rel: int) -> int:
        """Relevant documents, retrieved or not."""
        return sum(is_relevant(grade, rel) for grade in self.judged)

    def relevant_ranks(self, rel: int) -> list[int]:
        return [rank for rank, grade in enumerate(self.docs, 1) if is_relevant(grade, rel)]


@dataclass(frozen=True)
class Query:
    """One query: groups of tied documents, best first, each in settled order, and grades of documents missed."""

    groups: tuple[tuple[Grade, ...], ...]
    missed: tuple[int, ...] = ()

    @property
    def settled(self) -> Listed:
        """The list in the order retrieved."""
        return self._listed(self.groups)

    def _listed(self, groups: Iterable[Iterable[Grade]]) -> Listed:
        docs = [grade for group in groups for grade in group]
        known = [grade for grade in docs if grade is not None]
        return Listed(docs, sorted(known + list(self.missed), reverse=True))


def columns_of(queries: Sequence[Query]) -> Columns:
    """The columns of these queries."""
    hits: list[tuple[int, int, int, int]] = []
    offsets, retrieved, judged_offsets = [0], [], [0]
    judged: list[int] = []
    for query in queries:
        rank = 0
        for group in query.groups:
            first = rank + 1
            for grade in group:
                rank += 1
                if grade is not None:
                    hits.append((rank, grade, first, len(group)))
        offsets.append(len(hits))
        retrieved.append(rank)
        judged += query.settled.judged
        judged_offsets.append(len(judged))
    table = np.array(hits, dtype=np.int64).reshape(-1, 4)
    return Columns(
        np.array(offsets, dtype=np.int64),
        table[:, 0].astype(np.uint32),
        table[:, 1].astype(np.int32),
        table[:, 2].astype(np.uint32),
        table[:, 3].astype(np.uint32),
        np.array(retrieved, dtype=np.uint32),
        np.array(judged_offsets, dtype=np.int64),
        np.array(judged, dtype=np.int32),
    )


def is_relevant(grade: Grade, rel: int) -> bool:
    return grade is not None and grade >= max(rel, 0)


def ratio(a: float, b: float) -> float:
    return a / b if b else 0.0


def depth(q: Listed, cutoff: int | None) -> int:
    return len(q.docs) if cutoff is None else cutoff


def precision(q: Listed, *, rel: int, cutoff: int | None) -> float:
    return ratio(q.hits(rel, cutoff), depth(q, cutoff))


def recall(q: Listed, *, rel: int, cutoff: int | None) -> float:
    return ratio(q.hits(rel, cutoff), q.relevant(rel))


def relative_precision(q: Listed, *, rel: int, cutoff: int | None) -> float:
    return ratio(q.hits(rel, cutoff), min(depth(q, cutoff), q.relevant(rel)))


def f_measure(q: Listed, *, rel: int, cutoff: int | None, beta: float) -> float:
    p, r = precision(q, rel=rel, cutoff=cutoff), recall(q, rel=rel, cutoff=cutoff)
    return ratio((1 + beta**2) * p * r, beta**2 * p + r)


def success(q: Listed, *, rel: int, cutoff: int | None) -> float:
    return float(q.hits(rel, cutoff) > 0)


def judged(q: Listed, *, cutoff: int | None) -> float:
    return ratio(q.hits(0, cutoff), len(q.docs[:cutoff]))


def set_map(q: Listed, *, rel: int) -> float:
    return precision(q, rel=rel, cutoff=None) * recall(q, rel=rel, cutoff=None)


def r_precision(q: Listed, *, rel: int, multiple: float) -> float:
    return precision(q, rel=rel, cutoff=int(multiple * q.relevant(rel) + 0.9))


def average_precision(q: Listed, *, rel: int, cutoff: int | None, denominator: str) -> float:
    ranks = [rank for rank in q.relevant_ranks(rel) if cutoff is None or rank <= cutoff]
    total = sum(q.hits(rel, rank) / rank for rank in ranks)
    most = math.inf if cutoff is None else cutoff
    return ratio(
        total, {"relevant": q.relevant(rel), "min": min(q.relevant(rel), most), "hits": len(ranks)}[denominator]
    )


def reciprocal_rank(q: Listed, *, rel: int, cutoff: int | None) -> float:
    first = min(q.relevant_ranks(rel), default=math.inf)
    return 1 / first if cutoff is None or first <= cutoff else 0.0


def bpref(q: Listed, *, rel: int) -> float:
    wanted, unwanted = q.relevant(rel), q.relevant(0) - q.relevant(rel)
    kept = 0.0
    for rank in q.relevant_ranks(rel):
        before = q.hits(0, rank) - q.hits(rel, rank)
        kept += 1 - min(before, wanted) / min(unwanted, wanted) if before else 1
    return ratio(kept, wanted)


def inf_ap(q: Listed, *, rel: int) -> float:
    total = 0.0
    for rank in q.relevant_ranks(rel):
        above = rank - 1
        pool = sum(grade is not None for grade in q.docs[:above])
        share = (q.hits(rel, above) + 1e-5) / (q.hits(0, above) + 2e-5)
        total += 1 / rank + (above / rank * (pool / above) * share if above else 0)
    return ratio(total, q.relevant(rel))


def interpolated_precision(q: Listed, *, rel: int, recall: float, rounding: str) -> float:
    exact = recall * q.relevant(rel)
    fewest = sum(count / q.relevant(rel) < recall for count in range(q.relevant(rel)))
    wanted = {"trec9": int(exact + 0.9), "trec10": math.floor(exact + 0.5), "exact": fewest}[rounding]
    reached = [k for k in range(1, len(q.docs) + 1) if q.hits(rel, k) >= wanted]
    return max((q.hits(rel, k) / k for k in reached), default=0.0)


def eleven_point(q: Listed, *, rel: int, rounding: str) -> float:
    levels = [tenth / 10 for tenth in range(11)]
    return math.fsum(interpolated_precision(q, rel=rel, recall=level, rounding=rounding) for level in levels) / 11


def gain_of(grade: Grade, gain: str = "linear") -> float:
    grade = max(grade or 0, 0)
    return float(grade if gain == "linear" else 2**grade - 1)


def dcg(q: Listed, *, cutoff: int | None, gain: str = "linear") -> float:
    return math.fsum(gain_of(grade, gain) / math.log2(i + 2) for i, grade in enumerate(q.docs[:cutoff]))


def ideal_dcg(q: Listed, cutoff: int | None, gain: str = "linear") -> float:
    return dcg(Listed(list(q.judged), q.judged), cutoff=cutoff, gain=gain)


def ndcg(q: Listed, *, cutoff: int | None, gain: str = "linear") -> float:
    return ratio(dcg(q, cutoff=cutoff, gain=gain), ideal_dcg(q, cutoff, gain))


def ndcg_rel(q: Listed) -> float:
    found = q.relevant_ranks(1)
    missed = q.relevant(1) - len(found)
    total = math.fsum(ndcg(q, cutoff=rank) for rank in found) + missed * ndcg(q, cutoff=None)
    return ratio(total, q.relevant(1))


def rndcg(q: Listed, *, rel: int) -> float:
    gains = [grade for grade in q.judged if grade > 0] + [0]
    points: list[int | None] = [k for k in range(1, len(gains)) if gains[k] != gains[k - 1]]
    if points and len(q.docs) > len(gains):
        points.append(None)
    total = math.fsum(ratio(dcg(q, cutoff=k), ideal_dcg(q, k)) for k in points)
    return ratio(total, len(points)) if q.relevant(rel) else 0.0


def g(q: Listed) -> float:
    ideal = [grade for grade in q.judged if grade > 0]
    total, cost, so_far = 0.0, 0, 0.0
    for i, grade in enumerate(q.docs):
        cost += ideal[i] if i < len(ideal) else 1
        so_far += gain_of(grade)
        total += gain_of(grade) / math.log2(2 + cost - so_far)
    return ratio(total, sum(ideal))


def bin_g(q: Listed, *, rel: int) -> float:
    total = math.fsum(1 / math.log2(2 + rank - q.hits(rel, rank)) for rank in q.relevant_ranks(rel))
    return ratio(total, q.relevant(rel))


def err(q: Listed, *, cutoff: int | None, max_grade: int) -> float:
    total, reading = 0.0, 1.0
    for rank, grade in enumerate(q.docs[:cutoff], 1):
        stop = gain_of(grade, "exp") / 2**max_grade
        total += reading * stop / rank
        reading *= 1 - stop
    return total


def nerr(q: Listed, *, cutoff: int | None, max_grade: int) -> float:
    best = err(Listed(list(q.judged), q.judged), cutoff=cutoff, max_grade=max_grade)
    return ratio(err(q, cutoff=cutoff, max_grade=max_grade), best)


def rbp(q: Listed, *, p: float, rel: int, cutoff: int | None) -> float:
    return math.fsum((1 - p) * p**i for i, grade in enumerate(q.docs[:cutoff]) if is_relevant(grade, rel))


def rbp_residual(q: Listed, *, p: float, cutoff: int | None) -> float:
    return 1 - rbp(q, p=p, rel=0, cutoff=cutoff)


def k_at_recall(q: Listed, *, rel: int, recall: float) -> float:
    reached = (k for k in range(len(q.docs) + 1) if q.relevant(rel) and q.hits(rel, k) / q.relevant(rel) >= recall)
    return next(reached, math.nan)


def precision_at_recall(q: Listed, *, rel: int, recall: float) -> float:
    k = k_at_recall(q, rel=rel, recall=recall)
    return 0.0 if math.isnan(k) else ratio(q.hits(rel, int(k)), k)


def num_retrieved(q: Listed) -> float:
    return len(q.docs)


def num_relevant(q: Listed, *, rel: int) -> float:
    return q.relevant(rel)


def num_relevant_retrieved(q: Listed, *, rel: int) -> float:
    return q.hits(rel)


def num_nonrelevant_judged_retrieved(q: Listed, *, rel: int) -> float:
    return q.hits(0) - q.hits(rel)


def utility(q: Listed, *, rel: int, a: float, b: float, c: float, d: float, collection: int) -> float:
    found, retrieved, all_relevant = q.hits(rel), len(q.docs), q.relevant(rel)
    missed = all_relevant - found
    return a * found + b * (retrieved - found) + c * missed + d * (collection - retrieved - missed)


def relevance_string(q: Listed, *, length: int) -> str:
    def letter(grade: Grade) -> str:
        if grade is None:
            return "-"
        return "." if grade < 0 else ">" if grade > 9 else str(grade)

    return "".join(map(letter, q.docs[:length]))
