"""A run file on one and on two cores: the kernel alone beside ``wc -l``, and the whole command.

python bench/reading.py [--turns 9] [--only kernel]

Reads workload A (6.98 million lines). The jobs take turns, and of each the turn that took least counts: other work on
the machine only adds. On two threads the time that a free machine would need by the clock is that of the thread that
computes longest, which other work does not change much. One and two threads must give the same columns and print the
same bytes.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from certus.core import kernels
from measure import Usage, measure

BENCH = Path(__file__).resolve().parent
_MEASURES = ("AP", "nDCG@10", "RR", "R@100", "R@1000", "P@10")
_ENTRY = "import sys; from certus.cli import main; sys.exit(main())"


def kernel(qrels: Path, run: Path, turns: int, scratch: Path) -> None:
    """Print times of reading and ranking in this process, and of ``wc -l``."""
    judged = kernels.Qrels.read(qrels, "qrels")
    taken: dict[str, list[tuple[float, float, float]]] = {"wc -l": [], "1": [], "2": []}
    columns: dict[str, Any] = {}
    for _ in range(turns):
        used = measure(["wc", "-l", str(run)], scratch)
        taken["wc -l"].append((used.cpu, used.cpu, used.wall))
        for threads in ("1", "2"):
            os.environ["CERTUS_THREADS"] = threads
            first, total, clock = time.thread_time(), time.process_time(), time.perf_counter()
            found = kernels.rank_file(judged, run, "run")
            first, total = time.thread_time() - first, time.process_time() - total
            taken[threads].append((total, max(first, total - first), time.perf_counter() - clock))
            columns[threads] = found.columns
    if not all(map(np.array_equal, columns["1"], columns["2"])):
        sys.exit("one and two threads give different columns")
    print(
        "| reading and ranking | CPU s | CPU s of the longest thread | wall s | times `wc -l` |\n|---|--:|--:|--:|--:|"
    )
    floor = min(taken["wc -l"])[0]
    for job, times in taken.items():
        total, longest, wall = (min(column) for column in zip(*times, strict=True))
        name = job if job == "wc -l" else f"{job} thread{'s' * (job == '2')}"
        print(f"| {name} | {total:.3f} | {longest:.3f} | {wall:.3f} | {total / floor:.1f} |", flush=True)


def command(qrels: Path, run: Path, turns: int, scratch: Path) -> None:
    """Print times of ``certus evaluate --per-query --format csv`` as a whole process."""
    measures = [word for name in _MEASURES for word in ("-m", name)]
    line = [sys.executable, "-c", _ENTRY, "evaluate", str(qrels), str(run), *measures, "--per-query", "--format", "csv"]
    taken: dict[str, list[Usage]] = {"1": [], "2": []}
    printed = {}
    for _ in range(turns):
        for threads, usages in taken.items():
            os.environ["CERTUS_THREADS"] = threads
            usages.append(measure(line, scratch))
            printed[threads] = scratch.read_bytes()
    if printed["1"] != printed["2"]:
        sys.exit("one and two threads print different tables")
    print("\n| whole command | CPU s | wall s |\n|---|--:|--:|")
    for threads, usages in taken.items():
        cpu, wall = min(each.cpu for each in usages), min(each.wall for each in usages)
        print(f"| {threads} thread{'s' * (threads == '2')} | {cpu:.3f} | {wall:.3f} |")


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--turns", type=int, default=9)
    options.add_argument("--only", choices=("kernel", "command"))
    asked = options.parse_args()
    made = subprocess.run(
        [sys.executable, str(BENCH / "workloads.py"), "A"], check=True, stdout=subprocess.PIPE, text=True
    )
    qrels, run = map(Path, made.stdout.split())
    for part in (kernel, command):
        if asked.only in (None, part.__name__):
            part(qrels, run, asked.turns, BENCH / "data" / "reading.out")
    print(f"\nload of the machine: {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main()
