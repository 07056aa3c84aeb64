"""Metrics of many small subgroups with an interval each, the largest gap, the worst subgroup and the mean of all.

    python bench/subgroups.py [--groups 10000] [--size 100] [--repeat 3] [--only NAME ...]

Prints Markdown: processor time until the table is a frame, the least of the repeats. The cells of some subgroups are
compared with a call for each first, to the last bit.
"""

import argparse
import time
from typing import Any

import numpy as np

import certus

CHECKED = 20
"""Subgroups that are evaluated by themselves first."""
METRICS = {
    "classification": ["AUC", "Accuracy", "Precision", "Recall", "F1", "LogLoss", "Brier", "AP"],
    "regression": ["MAE", "MSE", "RMSE"],
}


def data(groups: int, size: int) -> dict[str, dict[str, Any]]:
    """Columns by task."""
    rng = np.random.default_rng(17)
    n = groups * size
    by = rng.permutation(np.repeat(np.arange(groups), size))
    truth = (rng.random(n) < 0.5).astype(int)
    score = np.clip(0.3 * truth + 0.7 * rng.random(n), 0.001, 0.999)
    guess = (score > 0.5).astype(int)
    numbers = rng.normal(size=n)
    return {
        "classification": {"truth": truth, "y_pred": guess, "y_score": score, "by": by},
        "regression": {"truth": numbers, "predictions": numbers + rng.normal(size=n), "by": by},
    }


def check(table: Any, columns: dict[str, Any], asked: dict[str, Any]) -> None:
    """Stop where a cell of a subgroup is not that of a call for it alone."""
    for row in table.rows[:CHECKED]:
        here = columns["by"] == int(row.group)
        own = {name: column[here] for name, column in columns.items() if name != "by"}
        (alone,) = certus.evaluate(**own, **asked)
        if (row.value, row.low, row.high, row.n) != (alone.value, alone.low, alone.high, alone.n):
            raise SystemExit(f"{row} is not {alone}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=None)
    told = parser.parse_args()
    print("| metric | processor time | a subgroup |\n|---|--:|--:|")
    for task, columns in data(told.groups, told.size).items():
        for metric in METRICS[task]:
            if told.only and metric not in told.only:
                continue
            asked: dict[str, Any] = {"metrics": metric, "task": task}
            check(certus.evaluate(**columns, **asked), columns, asked)
            times = []
            for _ in range(told.repeat):
                start = time.process_time()
                certus.evaluate(**columns, **asked, subgroup_mean="random").to_polars()
                times.append(time.process_time() - start)
            least = min(times)
            print(f"| {metric} | {least:.3f} s | {1e6 * least / told.groups:.1f} µs |", flush=True)


if __name__ == "__main__":
    main()
