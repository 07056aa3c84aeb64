"""The same ranking in every shape that certus reads: time from the input to AP and nDCG@10 with their intervals.

    python bench/inputs.py [--queries 300] [--depth 1000] [--repeat 5] [--only CSV pandas]

Each case takes its input in the shape it stands for, already in memory or on disk, and gives each query's values. They
are compared with those of the TREC file, to the bit; then the cases take turns in one process, so that a slow moment of
the machine hits all of them. Prints Markdown: the best of the passes, and its ratio to the TREC file. A case is a
function with `@case`, which prepares an input and returns what is timed.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import feather, parquet

import certus
from certus.io import as_qrels

METRICS = ["AP", "nDCG@10"]
REFERENCE = "TREC"


@dataclass(frozen=True)
class Ranking:
    """Rows of a run in rank order, judgments of some of them, and a folder for files."""

    queries: list[str]
    docs: list[str]
    scores: list[float]
    qrels: dict[str, dict[str, int]]
    folder: Path

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The rows by the usual names of columns."""
        return {"query_id": self.queries, "doc_id": self.docs, "score": self.scores}

    def file(self, name: str, text: str) -> Path:
        """A file with that text."""
        path = self.folder / name
        path.write_text(text)
        return path


Values = list[tuple[str, float]]
Job = Callable[[], Any]
CASES: dict[str, Callable[[Ranking], Job]] = {}


def case(name: str) -> Callable[[Callable[[Ranking], Job]], Callable[[Ranking], Job]]:
    """Declare a case: a function of the ranking that returns what gives a run to evaluate."""

    def declared(prepare: Callable[[Ranking], Job]) -> Callable[[Ranking], Job]:
        CASES[name] = prepare
        return prepare

    return declared


@case("TREC")
def trec(ranking: Ranking) -> Job:
    """Six columns."""
    rows = enumerate(zip(ranking.queries, ranking.docs, ranking.scores, strict=True))
    path = ranking.file("run.txt", "".join(f"{q} Q0 {d} {i + 1} {s!r} t\n" for i, (q, d, s) in rows))
    return lambda: path


@case("MS MARCO")
def msmarco(ranking: Ranking) -> Job:
    """Four columns."""
    position = dict.fromkeys(ranking.queries, 0)
    lines = []
    for query, doc, score in zip(ranking.queries, ranking.docs, ranking.scores, strict=True):
        position[query] += 1
        lines.append(f"{query}\t{doc}\t{position[query]}\t{score!r}\n")
    path = ranking.file("run.marco", "".join(lines))
    return lambda: path


@case("JSON")
def nested_json(ranking: Ranking) -> Job:
    """One document."""
    nested: dict[str, dict[str, float]] = {}
    for query, doc, score in zip(ranking.queries, ranking.docs, ranking.scores, strict=True):
        nested.setdefault(query, {})[doc] = score
    path = ranking.file("run.json", json.dumps(nested))
    return lambda: path


@case("CSV")
def comma_separated(ranking: Ranking) -> Job:
    """A header line and commas."""
    path = ranking.file("run.csv", pd.DataFrame(ranking.columns).to_csv(index=False))
    return lambda: path


@case("TSV")
def tab_separated(ranking: Ranking) -> Job:
    """A header line and tabs."""
    path = ranking.file("run.tsv", pd.DataFrame(ranking.columns).to_csv(index=False, sep="\t"))
    return lambda: path


@case("JSON Lines")
def json_lines(ranking: Ranking) -> Job:
    """One object a line."""
    path = ranking.file("run.jsonl", pl.DataFrame(ranking.columns).write_ndjson())
    return lambda: path


@case("Parquet")
def parquet_file(ranking: Ranking) -> Job:
    """A Parquet file of pyarrow's."""
    path = ranking.folder / "run.parquet"
    parquet.write_table(pa.table(ranking.columns), path)
    return lambda: path


@case("Feather")
def feather_file(ranking: Ranking) -> Job:
    """A Feather file of pyarrow's."""
    path = ranking.folder / "run.feather"
    feather.write_feather(pa.table(ranking.columns), path)
    return lambda: path


@case("pandas")
def pandas_frame(ranking: Ranking) -> Job:
    """A DataFrame."""
    frame = pd.DataFrame(ranking.columns)
    return lambda: frame


@case("polars")
def polars_frame(ranking: Ranking) -> Job:
    """A DataFrame."""
    frame = pl.DataFrame(ranking.columns)
    return lambda: frame


@case("pyarrow")
def pyarrow_table(ranking: Ranking) -> Job:
    """A table."""
    table = pa.table(ranking.columns)
    return lambda: table


def made(queries: int, depth: int, folder: Path) -> Ranking:
    """A ranking from a seed: scores fall with the rank, every fiftieth document is judged."""
    rng = np.random.default_rng(5)
    ids = [f"q{i}" for i in range(queries)]
    docs = [f"doc{doc}" for _ in ids for doc in rng.permutation(20 * depth)[:depth].tolist()]
    scores = np.sort(rng.random((queries, depth)).round(6) * 30, axis=1)[:, ::-1].ravel().tolist()
    repeated = [query for query in ids for _ in range(depth)]
    judged = list(zip(repeated, docs, strict=True))[::50]
    qrels: dict[str, dict[str, int]] = {}
    for i, (query, doc) in enumerate(judged):
        qrels.setdefault(query, {})[doc] = i % 3
    return Ranking(repeated, docs, scores, qrels, folder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the answers, then time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    told = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="certus-bench-") as folder:
        ranking = made(told.queries, told.depth, Path(folder))
        qrels = as_qrels(ranking.qrels)
        jobs = {name: CASES[name](ranking) for name in CASES if name in {REFERENCE, *told.only}}
        expected = values(qrels, jobs[REFERENCE]())
        for name, job in jobs.items():
            if values(qrels, job()) != expected:
                raise SystemExit(f"{name}: other values than of the TREC file")
        best = dict.fromkeys(jobs, np.inf)
        for _ in range(told.repeat):
            for name, job in jobs.items():
                start = time.perf_counter()
                list(certus.evaluate(qrels, job(), METRICS))
                best[name] = min(best[name], time.perf_counter() - start)
    print(f"{told.queries} queries x {told.depth} documents, best of {told.repeat}\n")
    print("| input | ms | of the TREC file's time |\n|---|---:|---:|")
    for name, seconds in best.items():
        print(f"| {name} | {1e3 * seconds:.0f} | {seconds / best[REFERENCE]:.1f} |")


def values(qrels: Any, run: Any) -> Values:
    """Each query's value of each metric."""
    table = certus.evaluate(qrels, run, METRICS, per_query=True)
    return [(row["metric"], row["value"]) for row in table.to_dicts()]


if __name__ == "__main__":
    main()
