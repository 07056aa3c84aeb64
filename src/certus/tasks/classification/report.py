"""The report of a classifier: its confusion matrix, and of one score per sample the counts at each threshold."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.errors import DataError

if TYPE_CHECKING:
    from certus.curves._curve import Curve
    from certus.inference import Estimate
    from certus.tasks.classification.samples import Classified


_POINTS = 400
"""Thresholds whose counts a page can show."""
_CLASSES = 30
"""Classes of the largest confusion matrix that is shown."""


def curves(samples: "Classified", level: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """ROC and precision-recall curve with their pointwise bands; none for labels alone or several classes."""
    from certus.curves.rates import precision_recall_curve, roc_curve
    from certus.data import Scores
    from certus.plot.threshold_curves import band_start

    if samples.y_score is None or samples.class_scores:
        return
    data = samples.prepared_as((Scores,))
    roc, pr = roc_curve(data, drop_intermediate=False), precision_recall_curve(data)
    if roc.reason:
        return
    words, band = _band(roc, level)
    yield (
        "ROC",
        {
            "x": "false positive rate",
            "y": "true positive rate",
            "about": words,
            "chance": ([0, 1], [0, 1]),
            "line": (roc.fpr, roc.tpr),
            "band": band,
            "summary": _summary("AUC", roc.auc, level),
            "counts": _counts(roc),
        },
    )
    words, band = _band(pr, level, band_start(pr, pr.recall))
    share = float(pr.positives / (pr.positives + pr.negatives))
    yield (
        "Precision by recall",
        {
            "x": "recall",
            "y": "precision",
            "about": f"{words} Dashed: share of positives, {share:.3g}.",
            "chance": ([0, 1], [share, share]),
            "line": (pr.recall, pr.precision),
            "steps": True,
            "band": band,
            "summary": _summary("AP", pr.average_precision, level),
        },
    )


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


def _summary(name: str, estimate: "Estimate", level: float) -> str:
    interval = estimate.interval(level)
    limits = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval.defined else ""
    return f"{name} {estimate.value:.3f}{limits}"


def _band(curve: "Curve", level: float, start: float = -np.inf) -> tuple[str, Any]:
    """The counts in words and the outline of the band, None for weighted and for grouped samples."""
    from certus.plot.threshold_curves import outline

    counts = f"{curve.positives:g} positives, {curve.negatives:g} negatives"
    if curve.data.weights is not None or curve.data.groups is not None:
        return f"{counts}.", None
    return f"{counts}. Shaded: {100 * level:g}% band at each threshold.", outline(curve.band(level), start, columns=250)


def _counts(curve: "Curve") -> dict[str, Any]:
    """True and false positives at thresholds, of many at equal distances in the order of scores."""
    n = len(curve.true_positives)
    index = np.unique(np.linspace(0, n - 1, min(n, _POINTS)).round().astype(int))
    thresholds = np.append(curve.thresholds, [np.inf] * (n - len(curve.thresholds)))[index].tolist()
    return {
        "thresholds": [f"{value:.6g}" if np.isfinite(value) else "above all scores" for value in thresholds],
        "true": curve.true_positives[index].tolist(),
        "false": curve.false_positives[index].tolist(),
        "positives": float(curve.positives),
        "negatives": float(curve.negatives),
        "of": n,
    }


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
