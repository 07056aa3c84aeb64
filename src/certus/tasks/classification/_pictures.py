"""Pictures of a classifier's predictions."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from certus.errors import DataError

if TYPE_CHECKING:
    from certus.tasks.classification.samples import Classified

__all__ = ["pictures"]

MOST_CURVES = 7
"""Subgroups that one picture can show, each in a color of its own."""


def pictures(samples: "Classified", by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes."""
    from certus import classification as face
    from certus.data import Labels, Probabilities, Scores

    if samples.y_pred is not None and by is None and isinstance(samples.labels, Labels):
        yield "confusion", face.confusion_matrix(samples.labels).plot
    if samples.y_score is None or samples.class_scores:
        return
    parts: list[tuple[str, Any]] = [("", samples)] if by is None else list(samples.parts(by))
    if len(parts) > MOST_CURVES:
        raise DataError(f"{len(parts)} subgroups cannot be told apart in a picture; at most {MOST_CURVES} can")
    makers: dict[str, tuple[type, Callable[[Any], Any]]] = {
        "roc": (Scores, face.roc_curve),
        "precision-recall": (Scores, face.precision_recall_curve),
        "det": (Scores, face.det_curve),
        "gain": (Scores, face.gain_curve),
        "lift": (Scores, face.lift_curve),
    }
    if not samples.why_not_probabilities():
        makers["calibration"] = (Probabilities, face.calibration_curve)
    for name, (kind, make) in makers.items():
        yield name, partial(_draw, [(label, make(part.prepared_as((kind,)))) for label, part in parts], level)


def _draw(curves: list[tuple[str, Any]], level: float, axes: Any) -> None:
    from certus.plot.canvas import plain

    for label, curve in curves:
        curve.plot(axes, level=level, label=plain(label) or None)
