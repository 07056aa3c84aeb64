"""States in batches against all rows at once: the answers first, then seconds of processor time and peak memory.

python bench/scale.py [ROWS ...]        each measurement runs in a process of its own
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

BATCH = 1 << 17
METRICS = {"scores": ["AUC", "AP"], "losses": ["LogLoss"], "labels": ["Accuracy", "F1"]}
"""Metrics measured together: those that hold scores, exact sums, and cells of labels."""


def batches(rows: int) -> Iterator[dict[str, Any]]:
    """The rows, made as they are needed, so that memory shows what the measured side holds."""
    for start in range(0, rows, BATCH):
        rng = np.random.default_rng(start)
        truth = rng.integers(0, 2, min(BATCH, rows - start), dtype=np.int8)
        score = np.clip(0.2 * truth + 0.8 * rng.random(len(truth)), 1e-6, 1 - 1e-6)
        yield {"y": truth, "p": score, "guess": (score > 0.5).astype(np.int8)}


def in_batches(rows: int, metrics: list[str]) -> dict[str, Any]:
    """By a state; also its bytes."""
    import certus

    names = {"pred": "guess"} if metrics == METRICS["labels"] else {"score": "p"}
    state = certus.State(metrics)
    for batch in batches(rows):
        state.update(batch, truth="y", **names)
    values = [row.value for row in state.evaluate()]
    return {"values": values, "bytes": len(state.to_bytes())}


def at_once(rows: int, metrics: list[str]) -> dict[str, Any]:
    """By `certus.evaluate` of whole columns."""
    import certus

    truth, given = _columns(rows, metrics)
    table = certus.evaluate(truth, None, metrics, task="classification", **given)
    return {"values": [row.value for row in table]}


def sklearn(rows: int, metrics: list[str]) -> dict[str, Any]:
    """By scikit-learn, which gives no intervals."""
    from sklearn import metrics as theirs

    functions = {
        "AUC": theirs.roc_auc_score,
        "AP": theirs.average_precision_score,
        "LogLoss": theirs.log_loss,
        "Accuracy": theirs.accuracy_score,
        "F1": theirs.f1_score,
    }
    truth, given = _columns(rows, metrics)
    return {"values": [float(functions[name](truth, *given.values())) for name in metrics]}


def _columns(rows: int, metrics: list[str]) -> tuple[Any, dict[str, Any]]:
    name, key = ("guess", "y_pred") if metrics == METRICS["labels"] else ("p", "y_score")
    parts = [(batch["y"], batch[name]) for batch in batches(rows)]
    return np.concatenate([truth for truth, _ in parts]), {key: np.concatenate([column for _, column in parts])}


SIDES: dict[str, Callable[[int, list[str]], dict[str, Any]]] = {
    "state": in_batches,
    "at once": at_once,
    "scikit-learn": sklearn,
}


def measured(side: str, rows: int, what: str) -> dict[str, Any]:
    """One measurement, in a process of its own."""
    line = [sys.executable, __file__, "--one", side, str(rows), what]
    found: dict[str, Any] = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    return found


def one(side: str, rows: int, what: str) -> None:
    """Measure and print, without the time to make the rows."""
    start = time.process_time()
    for _ in batches(rows):
        pass
    made = time.process_time() - start
    start = time.process_time()
    found = SIDES[side](rows, METRICS[what])
    found["seconds"] = time.process_time() - start - made
    found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(found))


def main(arguments: list[str]) -> None:
    """Check the answers, and print a table."""
    if arguments[:1] == ["--one"]:
        one(arguments[1], int(arguments[2]), arguments[3])
        return
    print(f"{'metrics':10}{'rows':>12}  {'side':14}{'CPU s':>8}{'peak MB':>9}{'bytes a row':>13}")
    for rows in map(int, arguments or ["1000000", "10000000"]):
        for what in METRICS:
            found = {side: measured(side, rows, what) for side in SIDES}
            if found["state"]["values"] != found["at once"]["values"]:
                raise SystemExit(f"{what}: the state gives {found['state']['values']}, all rows {found['at once']}")
            if not np.allclose(found["state"]["values"], found["scikit-learn"]["values"], rtol=1e-9, atol=0):
                raise SystemExit(f"{what}: the state gives {found['state']['values']}, {found['scikit-learn']}")
            for side, each in found.items():
                size = f"{each['bytes'] / rows:.4f}" if "bytes" in each else ""
                print(f"{what:10}{rows:12,}  {side:14}{each['seconds']:8.2f}{each['peak']:9.0f}{size:>13}")


if __name__ == "__main__":
    main(sys.argv[1:])
