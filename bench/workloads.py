"""Generators of the benchmark's input: TREC files shaped like MS MARCO, TREC ad hoc and a query log.

    python bench/workloads.py A B C small

writes bench/data/<name>.qrels and bench/data/<name>.run; the same bytes for the same numpy version.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

DATA = Path(__file__).resolve().parent / "data"

Strings = list[str]


@dataclass(frozen=True)
class Workload:
    """One pair of files: how large, how the ids look, and who is relevant."""

    about: str
    queries: int
    depth: int
    query_ids: Callable[[Generator, int], Strings]
    documents: int
    document_id: Callable[[int], str]
    decimals: int
    top: float
    """About the best score: below 1 for cosines, above for BM25."""
    judge: Callable[[Generator, NDArray[np.int64], int], dict[int, int]]
    seed: int


def marco_queries(rng: Generator, count: int) -> Strings:
    """Distinct numbers below 1.1 million, in no order."""
    return [str(number) for number in rng.choice(1_102_330, count, replace=False) + 1]


def topics(_: Generator, count: int) -> Strings:
    """TREC topic numbers from 301."""
    return [str(number) for number in range(301, 301 + count)]


def trec_document(number: int) -> str:
    """Ids such as FT941-10234, LA022589-0072 and FBIS3-33810."""
    source, rest = number % 3, number // 3
    if source == 0:
        return f"FT{911 + rest % 34}-{rest // 34}"
    if source == 1:
        return f"LA{rest % 12 + 1:02d}{rest % 28 + 1:02d}{89 + rest % 2}-{rest // 84:04d}"
    return f"FBIS{3 + rest % 2}-{rest // 2}"


def judge_one(rng: Generator, retrieved: NDArray[np.int64], documents: int) -> dict[int, int]:
    """About one relevant document, 86 % of them retrieved, near the top more often than not."""
    relevant = {}
    for _ in range(1 + int(rng.random() < 0.066)):
        position = int(len(retrieved) ** rng.random()) - 1
        document = retrieved[position] if rng.random() < 0.86 else rng.integers(documents)
        relevant[int(document)] = 1
    return relevant


def judge_pool(rng: Generator, retrieved: NDArray[np.int64], documents: int) -> dict[int, int]:
    """A pool of about 1,200: the first 100 retrieved, some below, the rest from other systems; grades 0, 1, 2."""
    later = rng.random(len(retrieved)) < 0.2
    later[:100] = True
    own = retrieved[later]
    pool = np.concatenate([own, rng.integers(documents, size=1_200 - len(own))])
    chance = np.where(np.arange(len(pool)) < 100, 0.3, 0.04)
    grades = np.where(rng.random(len(pool)) < chance, 1 + (rng.random(len(pool)) < 0.25), 0)
    return dict(zip(pool.tolist(), grades.tolist(), strict=True))


def judge_clicks(rng: Generator, retrieved: NDArray[np.int64], documents: int) -> dict[int, int]:
    """One to three judged documents of grade 1 to 3, most of them retrieved."""
    chosen = rng.choice(retrieved, size=int(rng.integers(1, 4)), replace=False).tolist()
    if rng.random() < 0.2:
        chosen[0] = int(rng.integers(documents))
    return {int(document): int(rng.integers(1, 4)) for document in chosen}


WORKLOADS = {
    "A": Workload(
        "6,980 queries x 1,000 documents, about 1 relevant per query",
        queries=6_980,
        depth=1_000,
        query_ids=marco_queries,
        documents=8_841_823,
        document_id=str,
        decimals=6,
        top=0.9,
        judge=judge_one,
        seed=1,
    ),
    "B": Workload(
        "250 queries x 1,000 documents, about 1,200 graded judgments per query",
        queries=250,
        depth=1_000,
        query_ids=topics,
        documents=528_155,
        document_id=trec_document,
        decimals=4,
        top=25.0,
        judge=judge_pool,
        seed=2,
    ),
    "C": Workload(
        "100,000 queries x 10 documents, 1 to 3 judged per query",
        queries=100_000,
        depth=10,
        query_ids=marco_queries,
        documents=8_841_823,
        document_id=str,
        decimals=6,
        top=0.9,
        judge=judge_clicks,
        seed=3,
    ),
    "small": Workload(
        "20 queries x 10 documents: what a process costs before it does anything",
        queries=20,
        depth=10,
        query_ids=topics,
        documents=528_155,
        document_id=trec_document,
        decimals=4,
        top=25.0,
        judge=judge_clicks,
        seed=4,
    ),
}


def scores(rng: Generator, workload: Workload) -> NDArray[np.float64]:
    """Decreasing scores, closer together further down, some equal once rounded but none equal only as float32."""
    steps = rng.exponential(1 / np.arange(1.0, workload.depth + 1))
    return np.round(workload.top * (rng.uniform(0.9, 1.0) - 0.04 * np.cumsum(steps)), workload.decimals)


def lists(workload: Workload) -> Iterator[tuple[str, str]]:
    """The qrels lines and the run lines of each query."""
    rng = np.random.default_rng(workload.seed)
    name = workload.document_id
    for query in workload.query_ids(rng, workload.queries):
        retrieved = rng.choice(workload.documents, workload.depth, replace=False)
        grades = workload.judge(rng, retrieved, workload.documents)
        qrels = "".join(f"{query} 0 {name(document)} {grade}\n" for document, grade in grades.items())
        rows = zip(retrieved.tolist(), scores(rng, workload).tolist(), strict=True)
        places = workload.decimals
        run = "".join(f"{query} Q0 {name(d)} {rank} {s:.{places}f} run\n" for rank, (d, s) in enumerate(rows, start=1))
        yield qrels, run


def paths(name: str) -> tuple[Path, Path]:
    """The qrels and the run of a workload, made if they are not there."""
    qrels, run = DATA / f"{name}.qrels", DATA / f"{name}.run"
    if not (qrels.exists() and run.exists()):
        DATA.mkdir(exist_ok=True)
        partial = run.with_suffix(".partial")
        with qrels.open("w", encoding="ascii") as qrels_file, partial.open("w", encoding="ascii") as run_file:
            for qrels_lines, run_lines in lists(WORKLOADS[name]):
                qrels_file.write(qrels_lines)
                run_file.write(run_lines)
        partial.replace(run)
    return qrels, run


if __name__ == "__main__":
    for wanted in sys.argv[1:] or WORKLOADS:
        print(*paths(wanted))
