"""``certus evaluate`` of predictions in 100 Parquet files: the answers first, then processor time and peak memory.

python bench/scale_parquet.py [ROWS] [FOLDER]     beside it pyarrow alone, which reads the columns and sorts the scores
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

FILES = 100
RIGHT = 1e-9
METRICS = {
    "AUC, AP, LogLoss, Accuracy": ["AUC", "AP", "LogLoss", "Accuracy"],
    "LogLoss, Accuracy": ["LogLoss", "Accuracy"],
    "Accuracy": ["Accuracy"],
}


def make(folder: Path, rows: int) -> None:
    """Write the files: a truth, a distinct float64 score, the guess."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    for number in range(FILES):
        rng = np.random.default_rng(number)
        truth = rng.integers(0, 2, rows // FILES, dtype=np.int8)
        score = np.clip(0.2 * truth + 0.8 * rng.random(len(truth)), 1e-6, 1 - 1e-6)
        table = pyarrow.table({"y": truth, "p": score, "guess": (score > 0.5).astype(np.int8)})
        parquet.write_table(table, folder / f"part-{number:03}.parquet")


def read_and_sort(folder: Path) -> None:
    """Print the seconds to read and to sort, and then the right values."""
    dataset = import_module("pyarrow.dataset")
    import_module("pyarrow").set_cpu_count(1)
    start = time.process_time()
    table = dataset.dataset(folder).to_table(columns=["y", "p", "guess"])
    truth, score, guess = (table[name].to_numpy() for name in ("y", "p", "guess"))
    del table
    read = time.process_time() - start
    order = np.argsort(score)
    seconds = time.process_time() - start
    peak = _peak()
    accuracy = float(np.mean(truth == guess))
    loss = float(-np.mean(np.log(np.where(truth == 1, score, 1 - score))))
    ordered, sums = score[order], truth[order]
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    below = np.cumsum(sums, dtype=np.int64)[ends]  # positives up to each distinct score
    positives = int(below[-1])
    count = np.diff(below, prepend=0)
    others = np.diff(ends + 1, prepend=0) - count
    negatives = len(truth) - positives
    wins = float(np.sum(count * (np.cumsum(others) - others / 2)))
    above = positives - below + count
    retrieved = len(truth) - (ends + 1) + count + others
    ap = float(np.sum(count * (above / retrieved))) / positives
    values = {"AUC": wins / (positives * negatives), "AP": ap, "LogLoss": loss, "Accuracy": accuracy}
    print(json.dumps({"read": read, "seconds": seconds, "peak": peak, "values": values}))


def _peak() -> float:
    usage = import_module("resource")
    return float(usage.getrusage(usage.RUSAGE_SELF).ru_maxrss) / 1024


def run(line: list[str], until: Path | None = None) -> tuple[str, float, float]:
    """Output of a process, its processor time, its peak memory in MB; it is killed as soon as there is a file."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(line, stdout=out)
        if until is not None:
            while not until.exists():
                time.sleep(0.01)
            process.kill()
        _, status, usage = os.wait4(process.pid, 0)
        if status and until is None:
            raise SystemExit(f"{' '.join(line)} failed")
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def certus(folder: Path, metrics: list[str], *more: str) -> list[str]:
    """The command line."""
    listed = [word for metric in metrics for word in ("-m", metric)]
    names = ["--truth", "y", "--pred", "guess", *(["--score", "p"] if metrics != ["Accuracy"] else [])]
    command = [sys.executable, "-m", "certus", "evaluate", str(folder / "part-*.parquet"), *names, *listed]
    return [*command, "--format", "json", *more]


def values(text: str) -> dict[str, Any]:
    """The rows that were printed, by metric."""
    return {row["metric"]: row for row in json.loads(text)["rows"]}


def main(rows: int, folder: Path) -> None:
    """Make the files, check the answers, and print a table."""
    if not any(folder.glob("part-*.parquet")):
        make(folder, rows)
    size = sum(path.stat().st_size for path in folder.glob("part-*.parquet"))
    print(f"{rows:,} rows, {size / 1e6:,.0f} MB\n{'what':44}{'CPU s':>8}{'peak MB':>9}")
    right = json.loads(run([sys.executable, __file__, "--read", str(folder)])[0])
    print(f"{'pyarrow: read':44}{right['read']:8.1f}")
    print(f"{'pyarrow: read, argsort':44}{right['seconds']:8.1f}{right['peak']:9.0f}", flush=True)
    whole = ""
    for what, metrics in METRICS.items():
        text, seconds, peak = run(certus(folder, metrics))
        whole = whole or text
        for metric, row in values(text).items():
            if not np.isclose(row["value"], right["values"][metric], rtol=RIGHT, atol=0):
                raise SystemExit(f"{metric}: certus gives {row['value']}, numpy {right['values'][metric]}")
        print(f"{what:44}{seconds:8.1f}{peak:9.0f}  {[row['value'] for row in values(text).values()]}", flush=True)
    first = next(iter(METRICS.values()))
    saved = folder / "all.state"
    line = certus(folder, first, "--save-state", str(saved))
    _, lost, _ = run(line, until=saved)
    read = saved.stat().st_size
    text, seconds, peak = run(line)
    if values(text) != values(whole):
        raise SystemExit("interrupted work gives other values")
    print(f"{'killed after a file, then again':44}{lost + seconds:8.1f}{peak:9.0f}  from {read / 1e6:,.1f} MB of state")
    saved.unlink()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read_and_sort(Path(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as made:
            asked = int(sys.argv[1]) if sys.argv[1:] else 100_000_000
            main(asked, Path(sys.argv[2]) if sys.argv[2:] else Path(made))
