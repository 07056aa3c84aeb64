"""Growth of time and memory of `certus evaluate` with lines, runs, metrics and threads.

    python bench/growth.py [--lines 100000 1000000 10000000] [--runs 1 10 50] [--metrics 1 6 20 40] [--repeat 3]

Each row is a process of its own, from start to exit, intervals included. One and two threads must print the same
bytes. Prints Markdown: least processor and wall time, and the largest peak of memory. The files, cut from workload A or
several copies of it, are written to bench/data/growth and removed at the end.
"""

import argparse
import itertools
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import workloads
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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", nargs="*", type=int, default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--copied", type=int, default=100_000, help="lines of each of several runs")
    parser.add_argument("--runs", nargs="*", type=int, default=[1, 10, 50])
    parser.add_argument("--metrics", nargs="*", type=int, default=[1, 6, 20, 40])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
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
