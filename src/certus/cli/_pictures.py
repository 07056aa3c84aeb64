"""Pictures as files: one, or those of a classifier's predictions in a folder."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from certus.cli._output import UnwrittenError, check_target
from certus.errors import CertusError, DataError
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.evaluation.samples import Samples

__all__ = ["check_folder", "check_picture", "save_drawing", "save_pictures"]

NAMES = ("calibration", "confusion", "det", "gain", "lift", "precision-recall", "roc")
_SUFFIXES = (".pdf", ".png", ".svg")
_DOTS_PER_INCH = 150


def check_picture(file: Path | None, force: bool, sources: Sequence[str] = (), output: Path | None = None) -> None:
    """Refuse a picture that cannot or must not be written, before any work is done for it."""
    if file is None:
        return
    check_target(file, force, *sources, hint="--plot")
    if file.suffix.lower() not in _SUFFIXES:
        raise typer.BadParameter(f"{file} must end in {', '.join(_SUFFIXES)}", param_hint="--plot")
    if output is not None and output.absolute() == file.absolute():
        raise typer.BadParameter(f"{file} is the file of the table; give another name", param_hint="--plot")


def save_drawing(draw: Callable[[], Any], file: Path) -> None:
    """Write the figure of the axes that a function draws on.

    Raises
    ------
    CertusError
        matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise CertusError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    matplotlib.use("agg")  # there may be no screen
    from matplotlib import pyplot

    figure = draw().figure
    try:
        figure.savefig(file, dpi=_DOTS_PER_INCH, bbox_inches="tight")
    except OSError as error:
        raise UnwrittenError(f"{file} cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        pyplot.close(figure)


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


def save_pictures(task: Task, samples: "Samples", by: Any, level: float, folder: Path) -> None:
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
    pictures = {} if task.pictures is None else dict(task.pictures(samples, by, level))
    if not pictures:
        raise DataError("--plot draws predicted labels and one score per sample; neither is there")
    folder.mkdir(exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a label whose letters the font lacks
        for name, draw in pictures.items():
            figure = Figure(figsize=(5.6, 5.2), layout="constrained")
            draw(figure.subplots())
            figure.savefig(folder / f"{name}.png", dpi=_DOTS_PER_INCH, bbox_inches="tight")
