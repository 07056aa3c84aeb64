"""Draw the pictures of the guides: curves, comparisons, rankings, chance, audits and posteriors, from the demo data.

python tools/make_pictures.py [FOLDER]
"""

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

from certus import audit, chance, classification, plot, ranking
from certus.comparison import compare
from certus.inference import posteriors

mpl.use("Agg")

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "certus" / "demo"
DEMO = FOLDER / "predictions.csv"


def pictures() -> dict[str, Any]:
    """The axes of each picture, by the name of its file."""
    rows = list(csv.DictReader(DEMO.read_text(encoding="utf-8").splitlines()))
    truth = np.array([row["truth"] for row in rows])
    predicted = np.array([row["prediction"] for row in rows])
    score = np.array([float(row["score"]) for row in rows])
    curves: dict[str, Callable[..., Any]] = {
        "roc": classification.roc_curve,
        "precision-recall": classification.precision_recall_curve,
        "det": classification.det_curve,
        "gain": classification.gain_curve,
        "lift": classification.lift_curve,
    }
    drawn = {name: make(truth, score, pos_label="type").plot() for name, make in curves.items()}
    drawn["roc-simultaneous"] = classification.roc_curve(truth, score, pos_label="type").plot(band="simultaneous")
    calibration = classification.calibration_curve(truth, score, pos_label="type", n_bins=10)
    drawn["calibration"] = calibration.plot()
    drawn["confusion-matrix"] = classification.confusion_matrix(truth, predicted).plot()
    drawn["gini"] = classification.roc_curve(truth, score, pos_label="type").plot_gini()
    drawn["roc-points"] = plot.roc_points({"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24)})
    drawn["chance-law"] = chance.average_precision(1000, 100).plot(
        observed=0.132, digits=3, xlabel="AP of a random ranking", title="items 1000, relevant 100"
    )
    drawn["audit-law"] = audit.recall_precision(positives=1000, checked=500, hits=400, predicted=10000).plot()
    found = posteriors(90, 10, 20)
    drawn["bayesian"] = found.recall.plot(found.precision.plot())
    return drawn | comparisons() | rankings()


def rankings() -> dict[str, Any]:
    """The pictures of docs/ranking-curves.md."""
    grades = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
    pages = {"abc": [f"u{rank}" for rank in range(1, 6)]}
    names = [f"{name}(gain='exp')" for name in ("CG", "DCG", "IdealDCG", "nDCG")]
    axes = None
    for name in ("bm25", "tfidf", "names"):
        curve = ranking.precision_recall_curve(FOLDER / "qrels.txt.gz", FOLDER / f"{name}.run.gz")
        axes = curve.plot(axes, label=name)
    return {
        "metric-curve": ranking.metric_curve(grades, pages, names, at=range(1, 6)).plot(),
        "precision-recall-mean": axes,
    }


def comparisons() -> dict[str, Any]:
    """The pictures of a comparison."""
    runs = {name: FOLDER / f"{name}.run.gz" for name in ("bm25", "tfidf", "names")}
    qrels = FOLDER / "qrels.txt.gz"
    against = compare(qrels, runs, "nDCG@10", baseline="bm25", margin=0.01)
    pairs = compare(qrels, runs, "nDCG@10")
    return {
        "compare-differences": against.plot(),
        "compare-units": against.plot("units"),
        "compare-critical-difference": pairs.plot("critical-difference"),
    }


def main() -> None:
    """Write one PNG each."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    drawn = pictures()
    for name, axes in drawn.items():
        file = folder / f"{name}.png"
        # Without the version of matplotlib, so that a picture changes only with what it shows.
        axes.figure.savefig(file, dpi=80, bbox_inches="tight", metadata={"Software": None})
        with Image.open(file) as image:
            image.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{len(drawn)} pictures written to {folder}")


if __name__ == "__main__":
    main()
