"""Pictures of a classifier's predictions, as files in a folder."""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from certus.errors import CertusError, DataError

if TYPE_CHECKING:
    from certus.samples import Samples

__all__ = ["check_folder", "save_pictures"]

NAMES = ("calibration", "confusion", "det", "gain", "lift", "precision-recall", "roc")
MOST_CURVES = 7
"""Subgroups that one picture can show, each in a color of its own."""
_DOTS_PER_INCH = 150


def check_folder(folder: Path | None, force: bool) -> None:
    """Refuse a folder that pictures cannot or must not be written to, before any work is done for it."""
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is not a directory", param_hint="--plot")
    if not folder.absolute().parent.is_dir():
        raise typer.BadParameter(f"{folder.parent} is not a directory", param_hint="--plot")
    there = next((file for name in NAMES if (file := folder / f"{name}.png").exists()), None)
    if there is not None and not force:
        raise typer.BadParameter(f"{there} exists; add --force to replace it", param_hint="--plot")


def save_pictures(samples: "Samples", by: Any, level: float, folder: Path) -> None:
    """Draw what can be drawn of the samples; subgroups side by side as several curves.

    Raises
    ------
    DataError
        There is neither a predicted label nor one score per sample.
    CertusError
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CertusError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    pictures = dict(_pictures(samples, by, level))
    if not pictures:
        raise DataError("--plot draws predicted labels and one score per sample; neither is there")
    folder.mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a label whose letters the font lacks
        for name, draw in pictures.items():
            figure = Figure(figsize=(5.6, 5.2), layout="constrained")
            draw(figure.subplots())
            figure.savefig(folder / f"{name}.png", dpi=_DOTS_PER_INCH, bbox_inches="tight")


def _pictures(samples: "Samples", by: Any, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """The name of each picture, and what draws it on axes."""
    from certus import classification as face
    from certus.data import Labels, Probabilities, Scores

    if samples.y_pred is not None and by is None and isinstance(samples.labels, Labels):
        yield "confusion", face.confusion_matrix(samples.labels).plot
    if samples.y_score is None or samples.class_scores:
        return
    parts = [("", samples)] if by is None else list(samples.parts(by))
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
        yield name, partial(_draw, [(label, make(part.prepared((kind,)))) for label, part in parts], level)


def _draw(curves: list[tuple[str, Any]], level: float, axes: Any) -> None:
    from certus.plot._canvas import plain

    for label, curve in curves:
        curve.plot(axes, level=level, label=plain(label) or None)
