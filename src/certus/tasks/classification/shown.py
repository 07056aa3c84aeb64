"""The report of a classifier: its confusion matrix, and of one score per sample the counts at each threshold."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats

if TYPE_CHECKING:
    from certus.curves._curve import Curve
    from certus.tasks.classification.samples import Classified


_POINTS = 400
"""Points of a line that a chart can show; thresholds between them stand in no chart."""
_CLASSES = 30
"""Classes of the largest confusion matrix that is shown."""


def curves(samples: "Classified", level: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """ROC and precision-recall curve with their pointwise bands; none of labels alone, or of scores of classes."""
    from certus.curves.precision_recall import precision_recall_curve
    from certus.curves.rates import roc_curve
    from certus.data import Scores

    if samples.y_score is None or samples.class_scores:
        return
    data = samples.prepared_as((Scores,))
    roc, pr = roc_curve(data, drop_intermediate=False), precision_recall_curve(data)
    if roc.why:
        return
    yield "ROC", _about("false positive rate", "true positive rate", roc, roc.fpr, roc.tpr, level)
    yield "Precision by recall", _about("recall", "precision", pr, pr.recall, pr.precision, level)


def tables(samples: "Classified") -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """The confusion matrix of predicted labels, with the recall of each class; none of many classes."""
    from certus.confusion import confusion_matrix
    from certus.data import Labels

    if samples.y_pred is None or samples.multilabel:
        return
    matrix = confusion_matrix(samples.prepared_as((Labels,)))
    names = list(map(str, matrix.classes))
    if len(names) > _CLASSES:
        return
    lines = []
    for name, row, right in zip(names, matrix.values.tolist(), matrix.values.diagonal().tolist(), strict=True):
        count = math.fsum(row)
        lines.append([name, *(f"{each:.6g}" for each in row), f"{count:.6g}", f"{right / count:.4f}" if count else "-"])
    yield "Confusion matrix", ["true \\ predicted", *names, "all", "recall"], lines


def _about(across: str, up: str, curve: "Curve", x: Floats, y: Floats, level: float) -> dict[str, Any]:
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), _POINTS)).round().astype(int))
    rows: list[dict[str, Any]] = []
    for order, place in enumerate(kept.tolist()):
        tp, fp = curve.true_positives[place].item(), curve.false_positives[place].item()
        known = place < len(curve.thresholds)
        threshold = float(curve.thresholds[place]) if known else np.inf
        rows.append(
            {
                "part": "line",
                "x": float(x[place]),
                "y": float(y[place]),
                "order": order,
                "threshold": f"{threshold:.6g}" if np.isfinite(threshold) else "above all scores",
                "true positives": f"{tp:g}",
                "false positives": f"{fp:g}",
                "false negatives": f"{curve.positives - tp:g}",
                "true negatives": f"{curve.negatives - fp:g}",
            }
        )
    said = f"{curve.positives:g} positives, {curve.negatives:g} negatives."
    if len(kept) < len(x):
        said += f" {len(kept)} of {len(x)} points are drawn."
    if curve.data.weights is None and curve.data.groups is None:
        band = curve.band(level)
        outline = [_thin(band.lower.x, band.lower.y), _thin(band.upper.x, band.upper.y)[::-1]]
        points = [point for side in outline for point in side]
        rows += [{"part": "band", "x": px, "y": py, "order": order} for order, (px, py) in enumerate(points)]
        said += f" The band is the {100 * level:g}% one at each threshold."
    tip = ["threshold", "true positives", "false positives", "false negatives", "true negatives"]
    return {"x": across, "y": up, "tip": tip, "said": said, "rows": rows}


def _thin(x: Floats, y: Floats) -> list[tuple[float, float]]:
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), 4 * _POINTS)).round().astype(int))
    return list(zip(x[kept].tolist(), y[kept].tolist(), strict=True))
