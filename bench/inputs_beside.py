"""Rankings as Python holds them: certus beside pytrec_eval, and beside itself on the same rankings in a file.

    python bench/inputs_beside.py [CASE ...] [--repeat 7]

A case gives two jobs whose answers are compared first; then the jobs take turns, in this process or in processes of
their own, and the least processor time of each counts. Prints Markdown: the two times, their ratio, and the ratio
wanted. Further cases are declared with `case`. The formats of files are timed by bench/inputs.py.
"""

import argparse
import math
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from measure import measure

Job = Callable[[], Any] | list[str]
"""A function, or the command line of a process."""
CASES: dict[str, Callable[[], "Case"]] = {}
MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "P@10": "P_10", "R@100": "recall_100"}
SCRATCH = Path(tempfile.mkdtemp(prefix="certus-inputs-"))


@dataclass(frozen=True)
class Case:
    """A job of certus, one to compare it with, and the most that the first may take of the second's time."""

    about: str
    ours: Job
    other: Job
    name: str
    most: float
    same: Callable[[], bool]
    calls: int = 1
    """Calls that a job makes, by which its time is divided."""


def case(make: Callable[[], Case]) -> Callable[[], Case]:
    """Declare a case by the name of its function."""
    CASES[make.__name__.replace("_", "-")] = make
    return make


@cache
def rankings(queries: int, documents: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run, 30 judged documents a query, half of them retrieved; no two scores are equal."""
    random.seed(1)
    qrels, run = {}, {}
    for query in range(queries):
        docs = [f"D{number}" for number in random.sample(range(10**6), documents + 15)]
        judged = docs[documents - 15 :]
        qrels[f"q{query}"] = {doc: random.choice([0, 0, 1, 2]) for doc in judged} | {docs[0]: 1}
        scores = random.sample(range(10 * documents), documents)
        run[f"q{query}"] = {doc: score / 8 for doc, score in zip(docs, scores, strict=False)}
    return qrels, run


@cache
def files(queries: int, documents: int) -> tuple[str, str]:
    """The same in two TREC files."""
    qrels, run = rankings(queries, documents)
    judged, retrieved = SCRATCH / f"{queries}.qrels", SCRATCH / f"{queries}.run"
    judged.write_text("".join(f"{q} 0 {d} {g}\n" for q, inner in qrels.items() for d, g in inner.items()))
    with retrieved.open("w") as out:
        for query, inner in run.items():
            ranked = sorted(inner, key=inner.__getitem__, reverse=True)
            out.writelines(f"{query} Q0 {doc} {rank} {inner[doc]!r} tag\n" for rank, doc in enumerate(ranked, 1))
    return str(judged), str(retrieved)


def long_files() -> tuple[str, str]:
    """A run of 6,980 queries x 1,000 documents, and a relevant document for each query."""
    random.seed(2)
    judged, retrieved = SCRATCH / "long.qrels", SCRATCH / "long.run"
    with judged.open("w") as qrels, retrieved.open("w") as run:
        for query in range(6_980):
            start = random.randrange(10**6)
            qrels.write(f"{query} 0 D{start + random.randrange(1_000)} 1\n")
            run.writelines(f"{query} Q0 D{start + i} {i + 1} {1_000 - i} tag\n" for i in range(1_000))
    return str(judged), str(retrieved)


def certus_values(qrels: Any, run: Any) -> dict[tuple[str, str], float]:
    """Every query's value of every measure."""
    import certus

    table = certus.evaluate(qrels, run, list(MEASURES), per_query=True)
    return {(row.query or "", MEASURES[row.metric]): row.value for row in table.per_query()}


def pytrec_values(qrels: Any, run: Any) -> dict[tuple[str, str], float]:
    """The same by pytrec_eval."""
    import pytrec_eval

    found = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values())).evaluate(run)
    return {(query, name): value for query, values in found.items() for name, value in values.items()}


def close(ours: dict[Any, float], other: dict[Any, float]) -> bool:
    """True if both have the same values up to rounding."""
    return ours.keys() == other.keys() and all(math.isclose(ours[key], other[key], abs_tol=1e-12) for key in ours)


@case
def dicts() -> Case:
    """Dicts of dicts, as evaluation frameworks hold them."""
    import pytrec_eval

    import certus

    qrels, run = rankings(1_000, 100)
    return Case(
        "dicts of dicts, 1,000 queries x 100 documents, 5 measures",
        lambda: certus.evaluate(qrels, run, list(MEASURES)),
        lambda: pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values())).evaluate(run),
        "pytrec_eval",
        1.0,
        lambda: close(certus_values(qrels, run), pytrec_values(qrels, run)),
    )


@case
def one_query() -> Case:
    """One query a call; the wanted ratio is 0.1 ms a call, against a job that takes 0.1 ms."""
    import certus

    qrels, run = rankings(1, 100)
    metric = certus.ranking.ndcg.using(cutoff=10)

    def wait() -> None:
        end = time.process_time() + 0.1
        while time.process_time() < end:
            pass

    def calls() -> None:
        for _ in range(1_000):
            metric(qrels, run)

    def same() -> bool:
        return math.isclose(metric(qrels, run).value, pytrec_values(qrels, run)["q0", "ndcg_cut_10"], abs_tol=1e-12)

    return Case("one query x 100 documents, a call of nDCG@10", calls, wait, "0.1 ms", 1.0, same, 1_000)


def frames(library: str) -> Case:
    """A DataFrame beside the same run in a file."""
    import certus

    qrels, run = rankings(300, 1_000)
    paths = files(300, 1_000)
    names = ("query_id", "doc_id", "score")
    rows = ((q, d, inner[d]) for q, inner in run.items() for d in sorted(inner, key=inner.__getitem__, reverse=True))
    columns = list(zip(*rows, strict=True))
    data = {name: list(column) for name, column in zip(names, columns, strict=True)}
    if library == "pandas":
        import pandas

        frame: Any = pandas.DataFrame(data)
    elif library == "polars":
        import polars

        frame = polars.DataFrame(data)
    else:
        import pyarrow

        frame = pyarrow.table(data)
    return Case(
        f"a DataFrame of {library}, 300,000 rows",
        lambda: certus.evaluate(qrels, frame, list(MEASURES)),
        lambda: certus.evaluate(*paths, list(MEASURES)),
        "the file",
        3.0,
        lambda: certus_values(qrels, frame) == certus_values(*paths),
    )


for _library in ("pandas", "polars", "pyarrow"):
    CASES[f"frame-{_library}"] = partial(frames, _library)


@case
def trec_eval() -> Case:
    """All measures of all queries, printed."""
    paths = files(100, 1_000)
    ours = [sys.executable, "-m", "certus", "trec-eval", "-q", "-m", "all_trec", *paths]
    other = [sys.executable, str(Path(__file__).parent / "jobs" / "print_with_pytrec_eval.py"), *paths]

    def printed(command: list[str]) -> dict[tuple[str, str], str]:
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        rows = (line.split("\t") for line in lines)
        return {(name.strip(), query): value for name, query, value in rows if query != "all" and "'" not in value}

    def same() -> bool:
        mine, theirs = printed(ours), printed(other)
        both = mine.keys() & theirs.keys()
        differing = [key for key in both if abs(float(mine[key]) - float(theirs[key])) > 1.5e-4]
        return len(both) > 0.9 * len(theirs) and not differing

    return Case("trec-eval -q -m all_trec, 100,000 lines, whole processes", ours, other, "pytrec_eval", 1.0, same)


@case
def per_query_csv() -> Case:
    """Writing every query's values beside the whole of the work."""
    import certus

    paths = long_files()
    metrics = ["AP", "nDCG@10", "RR", "R@100", "R@1000", "P@10"]
    table = certus.evaluate(*paths, metrics, per_query=True)

    def same() -> bool:
        lines = table.to_csv().splitlines()
        return len(lines) == 1 + len(table) and certus.Table(table.rows).to_csv().splitlines() == lines

    def whole() -> str:
        return str(certus.evaluate(*paths, metrics, per_query=True).to_csv())

    return Case("CSV of 41,880 values of a run of 7 M lines", table.to_csv, whole, "the whole", 0.2, same)


def face(measures: str) -> Case:
    """The face of pytrec_eval beside pytrec_eval: the evaluator made, and one run evaluated."""
    import pytrec_eval

    from certus.compat import pytrec_eval as ours

    qrels, run = rankings(1_000, 100)
    names = pytrec_eval.supported_measures if measures == "all" else measures.split()

    def evaluated(tool: Any) -> Any:
        return tool.RelevanceEvaluator(qrels, names).evaluate(run)

    return Case(
        f"pytrec_eval's face, 1,000 queries x 100 documents, {len(names)} measures",
        lambda: evaluated(ours),
        lambda: evaluated(pytrec_eval),
        "pytrec_eval",
        1.0,
        lambda: bool(evaluated(ours) == evaluated(pytrec_eval)),
    )


CASES["face-of-pytrec-eval"] = lambda: face("map ndcg_cut_10 recip_rank")
CASES["face-of-pytrec-eval-all"] = lambda: face("all")


@case
def provider() -> Case:
    """The provider for ir_measures beside ir_measures' own, on dicts."""
    import ir_measures

    from certus.compat.ir_measures import register

    qrels, run = rankings(1_000, 100)
    measures = [ir_measures.AP @ 100, ir_measures.RR, ir_measures.nDCG @ 10]
    ours = register(first=False)

    def same() -> bool:
        mine, theirs = (tool.calc_aggregate(measures, qrels, run) for tool in (ours, ir_measures))
        return close(mine, theirs)

    return Case(
        "ir_measures' provider, 1,000 queries x 100 documents, 3 measures",
        lambda: ours.calc_aggregate(measures, qrels, run),
        lambda: ir_measures.calc_aggregate(measures, qrels, run),
        "pytrec_eval's provider",
        1.0,
        same,
    )


def least(job: Job) -> float:
    """Processor seconds of one pass."""
    if isinstance(job, list):
        return measure(job, SCRATCH / "stdout").cpu
    start = time.process_time()
    job()
    return time.process_time() - start


def main() -> None:
    """Check and time the cases asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--repeat", type=int, default=7, help="timed passes of each job")
    options = parser.parse_args()
    print("| case | certus, ms | beside | ms | ratio | wanted, at most | answers |\n|---|--:|---|--:|--:|--:|---|")
    for name in options.cases or CASES:
        found = CASES[name]()
        answers = "same" if found.same() else "DIFFER"
        times = [(least(found.ours), least(found.other)) for _ in range(options.repeat)]
        ours, other = (1000 * min(each[i] for each in times) / found.calls for i in range(2))
        row = f"{ours:.3g} | {found.name} | {other:.3g} | {ours / other:.2f} | {found.most:g} | {answers}"
        print(f"| {found.about} | {row} |", flush=True)


if __name__ == "__main__":
    main()
