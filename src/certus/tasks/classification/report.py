"""The report of a classifier: its confusion matrix, and of one score per sample the counts at each threshold."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError

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
    from certus.data import Labels
    from certus.tasks.classification.confusion import confusion_matrix

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


MOST_CURVES = 7
"""Curves that one picture can show, each in a color of its own."""


def pictures(cases: "Mapping[str, Classified]", by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes: curves of all systems and subgroups together."""
    from certus.curves.calibration import calibration_curve
    from certus.curves.rates import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
    from certus.data import Labels, Probabilities, Scores
    from certus.tasks.classification.confusion import confusion_matrix

    first, *further_cases = cases.values()
    if first.y_pred is not None and by is None and not further_cases and isinstance(first.labels, Labels):
        yield "confusion", confusion_matrix(first.labels).plot
    if any(case.y_score is None or case.class_scores for case in cases.values()):
        return
    parts: dict[str, Any] = {
        ": ".join(name_part for name_part in (system if further_cases else "", group) if name_part): part
        for system, case in cases.items()
        for group, part in ([("", case)] if by is None else case.parts(by))
    }
    if len(parts) > MOST_CURVES:
        noun = "subgroups" if by is not None else "systems"
        raise DataError(f"{len(parts)} {noun} cannot be told apart in a picture", f"at most {MOST_CURVES} can")
    makers: dict[str, tuple[type, Callable[[Any], Any]]] = {
        "roc": (Scores, roc_curve),
        "precision-recall": (Scores, precision_recall_curve),
        "det": (Scores, det_curve),
        "gain": (Scores, gain_curve),
        "lift": (Scores, lift_curve),
    }
    if not any(case.not_probabilities_reason() for case in cases.values()):
        makers["calibration"] = (Probabilities, calibration_curve)
    for name, (kind, make) in makers.items():
        yield name, partial(_draw, parts, kind, make, level)
    if len(parts) == 1:  # areas of several curves would cover each other
        yield "gini", roc_curve(next(iter(parts.values())).prepared_as((Scores,))).plot_gini


def _draw(parts: Mapping[str, Any], kind: type, make: Callable[[Any], Any], level: float, ax: Any = None) -> Any:
    from certus.plot.canvas import short

    for label, part in parts.items():
        ax = make(part.prepared_as((kind,))).plot(ax, level=level, label=short(label) or None)
    return ax
