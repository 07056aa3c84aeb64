"""Pictures as files: one, or those of a classifier's predictions in a folder."""

import io
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.cli._declare import UsageError
from certus.cli._output import check_target, format_of, is_stdout, write_bytes
from certus.errors import CertusError, DataError
from certus.spelling import suggestion

if TYPE_CHECKING:
    from certus.table import Table


NAMES = sorted({name for task in registry.tasks() for name in task.drawn})
OF_TABLES = ("values", "per-query")
"""Pictures of any table, beside those that tasks declare."""
_SUFFIXES = (".pdf", ".png", ".svg")
_DOTS_PER_INCH = 150


def check_picture(file: Path | None, force: bool, sources: Sequence[str] = ()) -> None:
    """Refuse a picture that cannot or must not be written, before any work is done for it."""
    if file is None:
        return
    check_target(file, force, *sources, hint="--plot")
    format_of(file, None, {each: (each,) for each in _SUFFIXES}, hint="--plot", option="")


def use_no_screen() -> None:
    """Draw without a screen: there may be none."""
    try:
        import matplotlib
    except ImportError as error:
        raise CertusError("pictures need matplotlib", "to draw them: pip install 'certus[plot]'") from error
    matplotlib.use("agg")


def save_drawing(draw: Callable[[], Any], file: Path, force: bool) -> None:
    """Write the figure of the axes that a function draws on."""
    write_bytes([_image(draw, file.suffix)], file, force)


def _image(draw: Callable[[], Any], suffix: str) -> bytes:
    """Content of a picture file; a device, which has another suffix or none, gets PDF."""
    use_no_screen()
    from matplotlib import pyplot

    figure, image = draw().figure, io.BytesIO()
    form = suffix.lower() if suffix.lower() in _SUFFIXES else ".pdf"
    try:
        figure.savefig(image, format=form[1:], dpi=_DOTS_PER_INCH, bbox_inches="tight")
    finally:
        pyplot.close(figure)
    return image.getvalue()


def check_folder(folder: Path | None, force: bool) -> None:
    """Refuse a folder that pictures cannot or must not be written to, before any work is done for it."""
    if folder is None:
        return
    if is_stdout(folder) or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} is not a directory", param_hint="--plot")
    if folder.suffix[1:].isalpha() and not folder.exists():
        known = ", ".join(_SUFFIXES)
        raise UsageError(f"{folder} must end in {known}, or be a folder that exists", param_hint="--plot")
    if not folder.absolute().parent.is_dir():
        raise UsageError(f"{folder.parent} is not a directory", param_hint="--plot")
    there = next((file for name in NAMES if (file := folder / f"{name}.png").exists()), None)
    if there is not None and not force:
        raise UsageError(f"{there} exists; add --force to replace it", param_hint="--plot")


def check_plot(plot: Path | None, picture: str | None, force: bool, sources: Sequence[str]) -> None:
    """Refuse a file or folder that pictures of a table cannot be written to, and a picture that there is not."""
    if picture is not None:
        known = (*OF_TABLES, *NAMES)
        if plot is None:
            raise UsageError("says what --plot draws, which is not given", param_hint="--picture")
        if picture not in known:
            remedy = suggestion(picture, known) or f"there are {', '.join(known)}"
            raise UsageError(f"no picture is named {picture!r}; {remedy}", param_hint="--picture")
    if plot is None or picture is not None or is_picture(plot):
        check_picture(plot, force, sources)
    else:
        check_folder(plot, force)


def is_picture(plot: Path) -> bool:
    """True if the name is that of a picture and not of a folder."""
    return plot.suffix.lower() in _SUFFIXES and not plot.is_dir()


def save_plot(table: "Table", plot: Path, picture: str | None, force: bool) -> None:
    """Write the picture to a file, or all of the task to a folder."""
    if picture is not None or is_picture(plot):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a label whose letters the font lacks
            save_drawing(lambda: table.plot(picture), plot, force)
    else:
        save_pictures(table, plot, force)


def save_pictures(table: "Table", folder: Path, force: bool) -> None:
    """Draw what can be drawn of the systems of a table, subgroups side by side as several curves."""
    use_no_screen()
    pictures = {} if table.drawn is None else dict(table.drawn.pictures())
    if not pictures:
        raise DataError("--plot draws predicted labels and one score per sample", "neither is there")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        images = {name: _image(partial(draw, None), ".png") for name, draw in pictures.items()}
    folder.mkdir(exist_ok=True)
    for name, image in images.items():
        write_bytes([image], folder / f"{name}.png", force)
