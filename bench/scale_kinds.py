"""Kinds of metrics that are evaluated in bounded memory, of Parquet files: answers first, then time and peak memory.

python bench/scale_kinds.py [ROWS] [MEMORY] [KIND ...]
"""

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from scale_parquet import run

FILES = 20
RIGHT = 1e-9
SCORES, NUMBERS = "--truth y --score p", "--truth t --pred z --task regression"
KINDS = {
    "Brier, ECE, MCE, LogLoss": f"{SCORES} -m Brier -m ECE -m MCE -m LogLoss",
    "Accuracy, F1": "--truth y --pred guess -m Accuracy -m F1",
    "AUC, AP": f"{SCORES} -m AUC -m AP",
    "KS": f"{SCORES} -m KS",
    "LogLoss, Accuracy, weights": f"{SCORES} --pred guess --weight w -m LogLoss -m Accuracy",
    "AUC, weights": f"{SCORES} --weight w -m AUC",
    "LogLoss, Accuracy, groups": f"{SCORES} --pred guess --groups user -m LogLoss -m Accuracy",
    "AUC, groups": f"{SCORES} --groups user -m AUC",
    "MAE, RMSE": f"{NUMBERS} -m MAE -m RMSE",
    "MAE, RMSE, weights": f"{NUMBERS} --weight w -m MAE -m RMSE",
    "MedAE": f"{NUMBERS} -m MedAE",
    "D2AbsoluteError": f"{NUMBERS} -m D2AbsoluteError",
    "Spearman": f"{NUMBERS} -m Spearman",
    "R2, Pearson, CCC": f"{NUMBERS} -m R2 -m Pearson -m CCC",
    "AUC, KS by 50 countries": f"{SCORES} --by country -m AUC -m KS",
    "LogLoss by country, groups": f"{SCORES} --by country --groups user -m LogLoss",
    "RMSE, Spearman by country": f"{NUMBERS} --by country -m RMSE -m Spearman",
}


def make(folder: Path, rows: int) -> dict[str, Any]:
    """Write the files; the right values."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    parts = []
    for number in range(FILES):
        rng = np.random.default_rng(number)
        n = rows // FILES
        truth = rng.integers(0, 2, n, dtype=np.int8)
        score = np.clip(0.2 * truth + 0.8 * rng.random(n), 1e-6, 1 - 1e-6)
        number_true = rng.normal(size=n)
        columns = {
            "y": truth,
            "p": score,
            "guess": (score > 0.5).astype(np.int8),
            "t": number_true,
            "z": number_true + rng.normal(size=n),
            "country": np.char.add("c", rng.integers(0, 50, n).astype(str)),
            "user": rng.integers(0, 200_000, n, dtype=np.int32),
            "w": rng.exponential(size=n),
        }
        parquet.write_table(pyarrow.table(columns), folder / f"part-{number:03}.parquet")
        parts.append({name: columns[name] for name in ("y", "p", "guess", "t", "z", "w")})
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    y, p, t, z, w = (whole[name] for name in ("y", "p", "t", "z", "w"))
    bins = np.ceil(p * 15).astype(int)
    gaps = np.abs(np.bincount(bins, y - p))
    losses = -np.log(np.where(y == 1, p, 1 - p))
    return {
        "LogLoss, weights": np.average(losses, weights=w),
        "Accuracy, weights": np.average(y == whole["guess"], weights=w),
        "MAE, weights": np.average(np.abs(t - z), weights=w),
        "RMSE, weights": np.sqrt(np.average((t - z) ** 2, weights=w)),
        "KS": largest_distance(p[y == 1], p[y == 0]),
        "D2AbsoluteError": 1 - np.sum(np.abs(t - z)) / np.sum(np.abs(t - np.median(t))),
        "Spearman": np.corrcoef(np.argsort(np.argsort(t)), np.argsort(np.argsort(z)))[0, 1],
        "MedAE": np.median(np.abs(t - z)),
        "Brier": np.mean((y - p) ** 2),
        "ECE": gaps.sum() / len(y),
        "MCE": np.nanmax(gaps[1:] / np.bincount(bins)[1:]),
        "LogLoss": np.mean(losses),
        "Accuracy": np.mean(y == whole["guess"]),
        "MAE": np.mean(np.abs(t - z)),
        "RMSE": np.sqrt(np.mean((t - z) ** 2)),
        "R2": 1 - np.sum((t - z) ** 2) / np.sum((t - t.mean()) ** 2),
        "Pearson": np.corrcoef(t, z)[0, 1],
    }


def largest_distance(positives: Any, negatives: Any) -> float:
    """Of the distribution functions of two columns."""
    positives, negatives = np.sort(positives), np.sort(negatives)
    at = np.concatenate([positives, negatives])
    shares = [np.searchsorted(each, at, side="right") / len(each) for each in (positives, negatives)]
    return float(np.abs(shares[0] - shares[1]).max())


def main(rows: int, memory: str, *kinds: str) -> None:
    """Make the files, check the answers, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: the peak of a process begins with that of the one that starts it.
        right = json.loads(run([sys.executable, __file__, "--make", folder, str(rows)])[0])
        files = str(Path(folder) / "part-*.parquet")
        print(f"{rows:,} rows, --memory {memory}\n{'what':36}{'CPU s':>8}{'peak MB':>9}", flush=True)
        for what, line in KINDS.items():
            if kinds and what not in kinds:
                continue
            command = [sys.executable, "-m", "certus", "evaluate", files, *line.split(), "--format", "json"]
            text, seconds, peak = run([*command, "--memory", memory])
            for row in json.loads(text)["rows"]:
                known = (
                    None
                    if row.get("group") is not None or row.get("among")
                    else right.get(row["metric"] + ", weights" * ("--weight" in line))
                )
                if known is not None and not np.isclose(row["value"], known, rtol=RIGHT, atol=0):
                    raise SystemExit(f"{row['metric']}: certus gives {row['value']}, numpy {known}")
            print(f"{what:36}{seconds:8.1f}{peak:9.0f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        print(json.dumps({name: float(value) for name, value in make(Path(sys.argv[2]), int(sys.argv[3])).items()}))
        raise SystemExit
    main(int((sys.argv[1:] or ["10000000"])[0]), (sys.argv[2:] or ["200MB"])[0], *sys.argv[3:])
