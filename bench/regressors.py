"""Regression metrics of certus and of scikit-learn, in one process and one run.

    python bench/regressors.py [--repeat 5] [--scale 1.0]

For each job the answers are compared first; then the two take turns. Prints Markdown of processor time, wall time and
extra memory, writes bench/results/regression.json, and exits with 1 if a job is slower, or takes more memory, than it
has to.
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

from certus import regression
from contest import Case, Result, agreed, measure, table

RESULTS = Path(__file__).resolve().parent / "results" / "regression.json"


def jobs(scale: float = 1.0) -> list[Case]:
    """MAE, MSE, R2 and what is near to them of ten million samples, and of a hundred."""
    n = round(1e7 * scale)
    rng = np.random.default_rng(0)
    true = rng.normal(size=n)
    predicted = true + rng.normal(size=n)
    size = f"n = {n:.0e}".replace("e+0", "e")
    pairs: dict[str, tuple[Any, Any]] = {
        "MAE": (regression.mae, sklearn.mean_absolute_error),
        "MSE": (regression.mse, sklearn.mean_squared_error),
        "RMSE": (regression.rmse, sklearn.root_mean_squared_error),
        "R2": (regression.r2, sklearn.r2_score),
        "explained variance": (regression.explained_variance, sklearn.explained_variance_score),
    }
    few = true[:100], predicted[:100]
    some = true[: n // 10], predicted[: n // 10]
    return [
        *(_with_interval(name, *pairs[name], *some) for name in ("MAE", "MSE", "RMSE", "R2")),
        *(_case(f"{name}, {size}", *both, true, predicted, memory=round(16e6)) for name, both in pairs.items()),
        *(_case(f"{name}, n = 100", *both, *few, calls=1000) for name, both in pairs.items()),
    ]


def _case(
    name: str,
    ours: Any,
    theirs: Any,
    true: Any,
    predicted: Any,
    calls: int = 1,
    memory: int | None = None,
) -> Case:
    return Case(
        name,
        lambda: ours(true, predicted).value,
        "scikit-learn",
        lambda: theirs(true, predicted),
        _close,
        1.0,
        calls,
        memory=memory,
    )


def _with_interval(name: str, ours: Any, theirs: Any, true: Any, predicted: Any) -> Case:
    """The value and its interval in at most twice the time of the other's value."""

    def both() -> float:
        estimate = ours(true, predicted)
        estimate.interval()
        return float(estimate.value)

    return Case(
        f"{name} with its interval, n = {len(true):.0e}".replace("e+0", "e"),
        both,
        "scikit-learn",
        lambda: theirs(true, predicted),
        _close,
        0.5,
    )


def _close(ours: float, theirs: float) -> str:
    apart = abs(ours - theirs)
    agreed(apart < 1e-10, f"they are {apart:.1e} apart")
    return "equal" if apart == 0 else f"within {apart:.0e}"


def _wall(work: Callable[[], Any], calls: int, repeat: int) -> float:
    found = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        found.append((time.perf_counter() - start) / calls)
    return min(found)


def main() -> int:
    """Run the jobs, print their table, store the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="timed turns of each job")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the samples that the jobs are meant for")
    options = parser.parse_args()
    machine = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    print(f"{machine}; CPU time, best of {options.repeat} turns\n")
    results: list[Result] = [measure(case, options.repeat) for case in jobs(options.scale)]
    print(table(results))
    print("\n| job | wall, certus | wall, scikit-learn | times faster |\n|---|--:|--:|--:|")
    walls = {}
    for result in results:
        case = result.case
        ours, theirs = (_wall(work, min(case.calls, 100), options.repeat) for work in (case.certus, case.other))
        walls[case.name] = (ours, theirs)
        print(f"| {case.name} | {ours * 1e3:.3g} ms | {theirs * 1e3:.3g} ms | {theirs / ours:.3g} |")
    RESULTS.parent.mkdir(exist_ok=True)
    stored = [
        {"job": each.case.name, "cpu": [each.ours, each.theirs], "wall": walls[each.case.name], "extra": each.extra}
        for each in results
    ]
    RESULTS.write_text(json.dumps({"machine": machine, "results": stored}, indent=1) + "\n")
    return 0 if all(result.reached for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
