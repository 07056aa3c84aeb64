"""Growth of time and memory of `certus evaluate` with lines, runs, metrics and threads.

    python bench/growth.py [--lines 100000 1000000 10000000] [--runs 1 10 50] [--metrics 1 6 20 40] [--repeat 3]
    python bench/growth.py --samples [100 10000 1000000 10000000 30000000]

Each row is a process of its own, from start to exit, intervals included. One and two threads must print the same
bytes. Prints Markdown: least processor and wall time, and the largest peak of memory. The files, cut from workload A or
several copies of it, are written to bench/data/growth and removed at the end.

With ``--samples`` AUC, average precision, log loss and MAE of that many samples are timed instead, each with its
interval, in one process; memory is that of a fork above the arrays. One and two threads must give the same bits.
"""

import argparse
import itertools
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import workloads
from certus import classification, regression
from contest import extra, in_words, seconds
from measure import measure

FOLDER = workloads.DATA / "growth"
NAMES = ("AP", "nDCG", "P", "R", "Success", "F1", "ERR", "Judged")
METRICS = [f"{name}@{cutoff}" for cutoff in (10, 5, 20, 100, 1000) for name in NAMES]


def files(lines: int) -> tuple[Path, Path]:
    """Judgments and a run of that many lines, in queries of 1,000 documents."""
    qrels, run = FOLDER / f"{lines}.qrels", FOLDER / f"{lines}.run"
    sources = workloads.paths("A")
    with qrels.open("w") as judgments, run.open("w") as results:
        whole = workloads.WORKLOADS["A"].queries * workloads.WORKLOADS["A"].depth
        for copy in range(-(-lines // whole)):
            with sources[0].open() as source:
                judgments.writelines(f"{copy}-{line}" for line in source)
            with sources[1].open() as source:
                results.writelines(f"{copy}-{line}" for line in itertools.islice(source, lines - copy * whole))
    return qrels, run


def row(lines: int, qrels: Path, runs: Sequence[Path], metrics: int, threads: int, repeat: int) -> str:
    """One line of the table."""
    start = "import sys; from certus.cli import main; sys.exit(main())"
    chosen = [word for metric in METRICS[:metrics] for word in ("-m", metric)]
    command = [sys.executable, "-c", start, "evaluate", str(qrels), *map(str, runs), *chosen, "--format", "csv"]
    os.environ["CERTUS_THREADS"] = str(threads)
    used = [measure(command, FOLDER / f"{threads}.csv") for _ in range(repeat)]
    cpu, wall, peak = min(u.cpu for u in used), min(u.wall for u in used), max(u.peak for u in used)
    size = sum(path.stat().st_size for path in runs) / 1e6
    return f"| {lines:,} | {len(runs)} | {metrics} | {threads} | {size:,.0f} | {cpu:.2f} | {wall:.2f} | {peak:.0f} |"


def jobs_of_samples(n: int) -> tuple[float, dict[str, Callable[[], tuple[float, float]]], Callable[[], Any]]:
    """The size of the arrays in MB, each metric with its lower limit, and a sort of the scores to hold beside AUC."""
    rng = np.random.default_rng(17)
    truth = rng.random(n) < 0.5
    score = rng.normal(size=n) + truth
    probability = 1 / (1 + np.exp(-score))

    def of(metric: Any, predicted: Any) -> Callable[[], tuple[float, float]]:
        def work() -> tuple[float, float]:
            found = metric(truth, predicted)
            return found.value, found.low

        return work

    jobs = {
        "AUC": of(classification.roc_auc, score),
        "AP": of(classification.average_precision, score),
        "log loss": of(classification.log_loss, probability),
        "MAE": of(lambda _, predicted: regression.mae(probability, predicted), score),
    }
    return (truth.nbytes + score.nbytes) / 1e6, jobs, lambda: np.sort(score)


def samples(sizes: Sequence[int], repeat: int) -> None:
    """Print the table of samples."""
    columns = "samples, threads, arrays MB, AUC, AP, log loss, MAE, wall of AUC, of np.sort, most memory beside MB"
    print(f"| {columns.replace(', ', ' | ')} |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for n in sizes:
        size, jobs, sort = jobs_of_samples(n)
        calls = max(1, 10_000 // n)
        found = []
        for threads in (1, 2):
            os.environ["CERTUS_THREADS"] = str(threads)
            found.append([work() for work in jobs.values()])
            taken = [min(seconds(work, calls) for _ in range(repeat)) for work in jobs.values()]
            turns = [[seconds(work, calls, time.perf_counter) for work in (jobs["AUC"], sort)] for _ in range(repeat)]
            beside = max(extra(work) for work in jobs.values()) / 1e6
            cells = " | ".join(map(in_words, [*taken, *map(min, zip(*turns, strict=True))]))
            print(f"| {n:,} | {threads} | {size:,.4g} | {cells} | {beside:,.0f} |", flush=True)
        if found[0] != found[1]:
            sys.exit("one and two threads give different values")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", nargs="*", type=int, default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--copied", type=int, default=100_000, help="lines of each of several runs")
    parser.add_argument("--runs", nargs="*", type=int, default=[1, 10, 50])
    parser.add_argument("--metrics", nargs="*", type=int, default=[1, 6, 20, 40])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--samples", nargs="*", type=int)
    options = parser.parse_args()
    if options.samples is not None:
        samples(options.samples or [100, 10_000, 1_000_000, 10_000_000, 30_000_000], options.repeat)
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    print("| lines of each run | runs | metrics | threads | input, MB | CPU s | wall s | peak MB |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    try:
        for lines in options.lines:
            qrels, run = files(lines)
            for threads in (1, 2):
                print(row(lines, qrels, [run], 6, threads, options.repeat), flush=True)
            if (FOLDER / "1.csv").read_bytes() != (FOLDER / "2.csv").read_bytes():
                sys.exit("one and two threads print different tables")
            run.unlink()
        qrels, run = files(options.copied)
        for count in options.runs:
            copies = [FOLDER / f"copy-{i}.run" for i in range(count)]
            for copy in copies:
                shutil.copyfile(run, copy)
            print(row(options.copied, qrels, copies, 6, 2, options.repeat), flush=True)
        for count in options.metrics:
            print(row(options.copied, qrels, [run], count, 2, options.repeat), flush=True)
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
