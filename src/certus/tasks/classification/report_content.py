"""The report of a classifier: its confusion matrix, and of one score per sample the counts at each threshold."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.arrays import Floats

if TYPE_CHECKING:
    from certus.curves._curve import Curve
    from certus.tasks.classification.samples import Classified


_POINTS = 400
"""Points of a line that a chart can show; thresholds between them stand in no chart."""
_CLASSES = 30
"""Classes of the largest confusion matrix that is shown."""


def curves(samples: "Classified", level: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """ROC and precision-recall curve with their pointwise bands; none for labels alone or several classes."""
    from certus.curves.rates import precision_recall_curve, roc_curve
    from certus.data import Scores

    if samples.y_score is None or samples.class_scores:
        return
    data = samples.prepared_as((Scores,))
    roc, pr = roc_curve(data, drop_intermediate=False), precision_recall_curve(data)
    if roc.reason:
        return
    yield "ROC", _curve_chart("false positive rate", "true positive rate", roc, roc.fpr, roc.tpr, level)
    yield "Precision by recall", _curve_chart("recall", "precision", pr, pr.recall, pr.precision, level)


def tables(samples: "Classified") -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """The confusion matrix with the recall of each class; none if there are too many classes."""
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
        lines.append(
            [
                name,
                *(f"{count_of_cell:.6g}" for count_of_cell in row),
                f"{count:.6g}",
                f"{right / count:.4f}" if count else "-",
            ]
        )
    yield "Confusion matrix", ["true \\ predicted", *names, "all", "recall"], lines


def _curve_chart(across: str, up: str, curve: "Curve", x: Floats, y: Floats, level: float) -> dict[str, Any]:
    drawn_points = np.unique(np.linspace(0, len(x) - 1, min(len(x), _POINTS)).round().astype(int))
    rows: list[dict[str, Any]] = []
    for order, index in enumerate(drawn_points.tolist()):
        tp, fp = curve.true_positives[index].item(), curve.false_positives[index].item()
        has_threshold = index < len(curve.thresholds)
        threshold = float(curve.thresholds[index]) if has_threshold else np.inf
        rows.append(
            {
                "part": "line",
                "x": float(x[index]),
                "y": float(y[index]),
                "order": order,
                "threshold": f"{threshold:.6g}" if np.isfinite(threshold) else "above all scores",
                "true positives": f"{tp:g}",
                "false positives": f"{fp:g}",
                "false negatives": f"{curve.positives - tp:g}",
                "true negatives": f"{curve.negatives - fp:g}",
            }
        )
    caption = f"{curve.positives:g} positives, {curve.negatives:g} negatives."
    if len(drawn_points) < len(x):
        caption += f" {len(drawn_points)} of {len(x)} points are drawn."
    if curve.data.weights is None and curve.data.groups is None:
        band = curve.band(level)
        outline = [_thinned_points(band.lower.x, band.lower.y), _thinned_points(band.upper.x, band.upper.y)[::-1]]
        points = [point for side in outline for point in side]
        rows += [{"part": "band", "x": px, "y": py, "order": order} for order, (px, py) in enumerate(points)]
        caption += f" The band is the {100 * level:g}% one at each threshold."
    tip = ["threshold", "true positives", "false positives", "false negatives", "true negatives"]
    return {"x": across, "y": up, "tip": tip, "said": caption, "rows": rows}


def _thinned_points(x: Floats, y: Floats) -> list[tuple[float, float]]:
    drawn_points = np.unique(np.linspace(0, len(x) - 1, min(len(x), 4 * _POINTS)).round().astype(int))
    return list(zip(x[drawn_points].tolist(), y[drawn_points].tolist(), strict=True))
