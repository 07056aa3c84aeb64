"""Pictures of classifiers' predictions."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from certus.core.errors import DataError

if TYPE_CHECKING:
    from certus.tasks.classification.samples import Classified


MOST_CURVES = 7
"""Curves that one picture can show, each in a color of its own."""


def pictures(cases: "Mapping[str, Classified]", by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes: curves of all systems and subgroups together."""
    from certus.confusion import confusion_matrix
    from certus.curves.calibration import calibration_curve
    from certus.curves.rates import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
    from certus.data import Labels, Probabilities, Scores

    first, *further_cases = cases.values()
    if first.y_pred is not None and by is None and not further_cases and isinstance(first.labels, Labels):
        yield "confusion", confusion_matrix(first.labels).plot
    if any(case.y_score is None or case.class_scores for case in cases.values()):
        return
    parts = {
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


def _draw(parts: Mapping[str, Any], kind: type, make: Callable[[Any], Any], level: float, ax: Any = None) -> Any:
    from certus.plot.canvas import short

    for label, part in parts.items():
        ax = make(part.prepared_as((kind,))).plot(ax, level=level, label=short(label) or None)
    return ax
