"""Metrics of several labels a sample by certus and by scikit-learn, in one process and one run.

    python bench/multilabel.py [--samples 100000] [--labels 100] [--repeat 1] [--only TEXT]

The answers are compared first. Prints Markdown, processor time as everywhere and then elapsed time, writes
bench/results/multilabel.json, and exits with 1 if a job is slower than it has to be. scikit-learn takes a quarter of a
minute for each turn.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import metrics as sklearn

from certus import multilabel
from contest import Case, agreed, measure, table

RESULTS = Path(__file__).resolve().parent / "results" / "multilabel.json"


class Timed:
    """A function that keeps the least time a call of it took, as a clock on the wall counts."""

    def __init__(self, work: Callable[[], float]) -> None:
        self.work, self.least = work, float("inf")

    def __call__(self) -> float:
        """Call it."""
        start = time.perf_counter()
        value = self.work()
        self.least = min(self.least, time.perf_counter() - start)
        return value


def close(ours: float, theirs: float) -> str:
    """Distance between the values."""
    apart = abs(ours - theirs) / abs(theirs)
    agreed(apart < 1e-12, f"{ours} is not {theirs}")
    return f"within {apart:.0e}" if apart else "same"


def jobs(samples: int, labels: int) -> list[tuple[Case, Timed, Timed]]:
    """The jobs, each with its two timed functions."""
    rng = np.random.default_rng(1)
    true = (rng.random((samples, labels)) < 0.1).astype(np.int64)
    scores = rng.random((samples, labels))
    tied = scores.round(2)
    half = (rng.random((samples, labels)) < 0.5).astype(np.int64)
    grades = rng.integers(0, 5, (samples, labels))
    by_column, single = np.asfortranarray(tied), tied.astype(np.float32)
    lrap, loss, coverage = (
        (multilabel.label_ranking_average_precision, sklearn.label_ranking_average_precision_score),
        (multilabel.label_ranking_loss, sklearn.label_ranking_loss),
        (multilabel.coverage_error, sklearn.coverage_error),
    )
    ndcg = multilabel.ndcg, sklearn.ndcg_score
    listed: list[tuple[str, tuple[Any, Any], Any, Any, float]] = [
        ("LRAP", lrap, true, scores, 20),
        ("LRAP, half of the labels true, ties", lrap, half, tied, 20),
        ("ranking loss", loss, true, scores, 10),
        ("ranking loss, half of the labels true, ties", loss, half, tied, 10),
        ("coverage error", coverage, true, scores, 3),
        ("coverage error, float32", coverage, true, single, 3),
        ("coverage error, Fortran order", coverage, np.asfortranarray(true), by_column, 3),
        ("nDCG with ties", ndcg, true, tied, 15),
        ("nDCG with ties, five grades", ndcg, grades, tied, 15),
        ("nDCG with ties, five grades, Fortran order", ndcg, grades, by_column, 15),
    ]
    made = []
    for name, (mine, peer), truth, score, faster in listed:
        ours = Timed(lambda mine=mine, truth=truth, score=score: mine(truth, score).value)  # type: ignore[misc]
        theirs = Timed(lambda peer=peer, truth=truth, score=score: peer(truth, score))  # type: ignore[misc]
        made.append((Case(name, ours, "scikit-learn", theirs, close, faster), ours, theirs))
    return made


def main() -> int:
    """Run the jobs, print their tables, store the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=1, help="timed turns of each job after the first")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    options = parser.parse_args()

    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    print(f"{machine}; {options.samples:,} samples, {options.labels} labels\n")
    chosen = [job for job in jobs(options.samples, options.labels) if options.only in job[0].name]
    results = [measure(case, options.repeat) for case, _, _ in chosen]
    print(f"{table(results)}\n\n| job | certus, elapsed | scikit-learn | times faster |\n|---|--:|--:|--:|")
    for case, ours, theirs in chosen:
        ratio = theirs.least / ours.least
        print(f"| {case.name} | {ours.least * 1e3:.0f} ms | {theirs.least * 1e3:.0f} ms | {ratio:.3g} |")
    RESULTS.parent.mkdir(exist_ok=True)
    rows = [
        {"job": case.name, "certus": r.ours, "peer": r.theirs, "elapsed": [ours.least, theirs.least]}
        for r, (case, ours, theirs) in zip(results, chosen, strict=True)
    ]
    RESULTS.write_text(json.dumps({"machine": machine, "results": rows}, indent=1) + "\n")
    return 0 if all(result.reached for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
