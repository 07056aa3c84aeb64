"""Writing what a command made: to the terminal, a pipe or a file."""

import inspect
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO, TypeVar, cast, get_args

from certus.cli._declare import UsageError
from certus.cli._progress import COLORLESS, QUIET
from certus.cli._startup import fold_for_stream
from certus.core.errors import CertusError, DataError, MetricNameError
from certus.core.note import Note
from certus.core.output_file import write_file
from certus.core.printable import printable, width_of
from certus.core.spelling import suggestion

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.core.listing import Listing
    from certus.table import Table
    from certus.table.output import Output


_STYLE = re.compile("\x1b\\[[0-9;]*m")
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
_NEVER_TEXT = re.compile(
    r"\.(pdf|png|svg|eps|jpe?g|gif|webp|xls[xm]?|od[stp]|docx?|rtf|pptx?|parquet|arrow|feather|orc|avro|db|sqlite|duckdb"
    r"|h5|hdf5|np[yz]|pkl|pickle|mat|rds|sav|dta|zip|tar|tgz|7z)"
)
"""Suffixes of documents, pictures and binary files, under which text would mislead whoever opens it."""

Ordered = TypeVar("Ordered", "Table", "Comparison")


class UnwrittenError(Exception):
    """A file could not be written, as on a full disk: neither the command line nor the data are wrong."""

    status = 74
    """EX_IOERR of sysexits.h."""

    def __init__(self, target: Path, reason: str = "another program wrote it meanwhile") -> None:
        super().__init__(f"{target} cannot be written: {reason}")


COMMAND: ContextVar[str | None] = ContextVar("COMMAND", default=None)
"""The command line that is run, for reports."""


def version() -> str:
    """The installed version."""
    from certus.core.kernels import __version__

    return __version__


def warn(notices: Iterable[Note]) -> None:
    """Print warnings on stderr, one line each, but for ``--quiet``."""
    sys.stdout.flush()
    for notice in () if QUIET.get() else filter(attrgetter("is_warning"), notices):
        sys.stderr.write(fold_for_stream(f"certus: warning: {notice}", sys.stderr))


def is_stdout(target: Path | None) -> bool:
    """True if no file is written: no name, a dash, or a name of the standard output."""
    return target is None or target.as_posix() in _STDOUT


def check_target(target: Path | None, force: bool, *sources: str, hint: str = "-o") -> None:
    """Refuse a file that cannot or must not be written, before any work is done for it.

    The file that is read is never written, not even by force: it may hold labels that took somebody days.
    """
    if target is None or is_stdout(target):
        if target is not None and hint != "-o":
            raise UsageError("is never standard output; give the name of a file", hint)
        return
    if target.suffix.lower() in _COMPRESSED:
        raise UsageError(f"{target} would be compressed; files are written plain, leave the {target.suffix} out", hint)
    if target.is_dir():
        raise UsageError(f"{target} is a directory; give the name of a file", hint)
    if any(_is_same_file(source, target) for source in sources):
        raise UsageError(f"{target} is the file that is read; give another name", hint)
    if target.is_file() and not force:
        raise UsageError(f"{target} exists; add --force to replace it", hint)
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{target.parent} is not a directory", hint)


def check_force(force: bool, *targets: Path | None) -> None:
    """Refuse leave to replace a file where none is written."""
    if force and all(map(is_stdout, targets)):
        raise UsageError("replaces a file, but none is written; leave it out", "--force")


_HALF = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")
"""Of a surrogate pair, but for those that stand for bytes of a file that are not UTF-8."""


def _is_same_file(source: str, target: Path) -> bool:
    """True if both names lead to one file, also through links."""
    try:
        return source != "-" and target.is_file() and os.path.samefile(source, target)
    except OSError:  # there is no file to read: whoever opens it says so
        return False


def write(text: str | bytes, target: Path | None = None, force: bool = False, escaped: bool = False) -> None:
    """Write a text that ends with its own line end.

    To stdout without a target; on a terminal with everything invisible escaped, unless the text already is. A file gets
    its name when it is complete, so that there is never half a file. Halves of surrogate pairs, which JSON may hold and
    no file can, are written as JSON writes them.
    """
    if isinstance(text, bytes):
        write_bytes([text], target or Path(), force)
        return
    if not text.isascii():
        text = _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    if target is None or is_stdout(target):
        _to_stream(text, sys.stdout, escaped)
        if escaped and sys.stdout.isatty() and not QUIET.get():
            _say_how_to_widen(text)
        return
    write_bytes([text.encode("utf-8", "surrogateescape")], target, force)


def write_bytes(content: Iterable[bytes], target: Path, force: bool) -> None:
    """Write a file, whole or not at all, from the parts of its content."""
    try:
        write_file(content, target, replace=force)
    except FileExistsError:
        raise UnwrittenError(target) from None
    except OSError as error:
        raise UnwrittenError(target, (error.strerror or str(error)).lower()) from error


def _to_stream(text: str, stream: TextIO, escaped: bool) -> None:
    if stream.isatty() and not escaped:
        text = "".join(f"{_visible(line)}\n" for line in text.removesuffix("\n").split("\n"))
    elif hasattr(stream, "reconfigure") and (stream.encoding or "").lower().replace("-", "") == "utf8":
        # bytes of a file that are not UTF-8 leave as they came
        stream.reconfigure(errors="surrogateescape")
    stream.write(text)
    stream.flush()


def _say_how_to_widen(text: str) -> None:
    """Tell what to do about lines of a table that the terminal breaks."""
    import shutil  # here, as it is seldom needed

    widest = max(width_of(_STYLE.sub("", line)) for line in text.split("\n"))
    if widest > (columns := shutil.get_terminal_size().columns):
        hint = f"certus: the widest line has {widest} columns, the terminal {columns}; widen it, or pipe to less -S"
        sys.stderr.write(fold_for_stream(hint, sys.stderr))


def _visible(line: str) -> str:
    return "\t".join(printable(part) for part in line.split("\t"))


def check_layout(layout: str | None, form: str) -> None:
    """Refuse a layout of a format that is not a table for reading."""
    from certus.table.output import Output

    if layout is not None and "layout" not in inspect.signature(getattr(Output, f"to_{form}")).parameters:
        raise UsageError(f"{form} has a row for each value; leave it out", "--layout")


def rendered(result: "Output", form: str, to_screen: bool = False, layout: str | None = None) -> str | bytes:
    """The result as `form` writes it. As text for the screen it leaves out warnings, which are on stderr."""
    options: dict[str, Any] = {} if layout is None else {"layout": layout}
    try:
        if form != "text":
            more = {"command": COMMAND.get()} if form == "report" else {}
            written: str | bytes = getattr(result, f"to_{form}")(**options, **more)
            return written
        if to_screen and sys.stdout.isatty():
            import shutil  # here, as it is seldom needed

            colour = not (COLORLESS.get() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb")
            options |= {"width": shutil.get_terminal_size().columns, "colour": colour}
        return result.to_text(warnings=not to_screen, **options) + "\n"
    except CertusError as error:
        if layout is None:
            raise
        raise UsageError(str(error), "--layout") from None


def in_order(result: Ordered, by: str, metrics: Collection[str], task: str | None) -> Ordered:
    """The result sorted as ``--sort`` says: by name, or by one of its metrics in any spelling."""
    from certus.metrics import parse

    try:
        is_shown_name = task is None or by == "name" or by in metrics
        name = by if is_shown_name else str(parse(by, task=task or ""))
        return result.sorted(name if name in metrics else by)
    except MetricNameError as error:
        raise UsageError(str(error), "--sort") from None


def format_of(
    target: Path | None,
    form: str | None,
    formats: Mapping[str, Collection[str]],
    *,
    hint: str = "-o",
    option: str = "--format",
) -> str:
    """The format of a file: `form`, which `option` gave, or else what the suffix says; the first one without a file.

    Refuses a suffix of which nothing is written, and one that contradicts the format. Any text may be in a ``.txt``.
    """
    from certus.table.output import FORMATS

    default_format = form or next(iter(formats))
    if target is None or is_stdout(target) or (target.exists() and not target.is_file()):
        return default_format
    suffix = target.suffix.lower()
    fitting = [name for name, suffixes in formats.items() if suffix in suffixes]
    suffixes_of_formats = {suffix_of_format for suffixes in FORMATS.values() for suffix_of_format in suffixes} - {
        *FORMATS["text"]
    }
    misleading = suffix in suffixes_of_formats or _NEVER_TEXT.fullmatch(suffix)
    if form in fitting or (form is not None and not misleading):
        return default_format
    if form is not None:
        suffix_list, more = ", ".join(formats.get(form, ())), f", or leave {option} out" if fitting else ""
        raise UsageError(f"{target} would hold {form}; end it in {suffix_list}{more}", hint)
    if not fitting:
        suffix_list = ", ".join(
            dict.fromkeys(
                suffix_of_format for suffixes in formats.values() for suffix_of_format in suffixes if suffix_of_format
            )
        )
        more = f", or say with {option} what is written" if option and not misleading else ""
        raise UsageError(f"{target} must end in {suffix_list}{more}", hint)
    return fitting[0]


def table_format(output: Path | None, form: str | None) -> str:
    """The format of a result with rows."""
    from certus.table.output import FORMATS  # here, as trec_eval's lines have one format

    chosen = format_of(output, form, FORMATS)
    if chosen == "excel":
        if is_stdout(output):
            raise UsageError("excel is written to a file; add -o FILE.xlsx", "--format")
        from certus.core.listing import workbook

        workbook({})  # raises before any work where XlsxWriter is missing
    return chosen


Listed = Literal["text", "json", "csv"]
"""Formats of a plain table."""


def listed_format(output: Path | None, form: str | None) -> Listed:
    """The format of a plain table: as for results, in the formats that it has."""
    from certus.table.output import FORMATS

    return cast("Listed", format_of(output, form, {name: FORMATS[name] for name in get_args(Listed)}))


def listing_text(table: "Listing", form: Listed | None) -> str:
    """The table as `form` writes it; without one as text."""
    return f"{table}\n" if form in (None, "text") else str(getattr(table, f"to_{form}")())


OF_TABLES = ("values", "per-query")
"""Pictures of any table, beside those that tasks declare."""
_SUFFIXES = (".pdf", ".png", ".svg")
_DOTS_PER_INCH = 150


def check_picture(file: Path | None, force: bool, sources: Sequence[str] = ()) -> None:
    """Refuse a picture that cannot or must not be written, before any work is done for it."""
    if file is None:
        return
    check_target(file, force, *sources, hint="--plot")
    format_of(file, None, {picture_suffix: (picture_suffix,) for picture_suffix in _SUFFIXES}, hint="--plot", option="")


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
        raise UsageError(f"{folder} is not a directory", "--plot")
    if folder.suffix[1:].isalpha() and not folder.exists():
        suffix_list = ", ".join(_SUFFIXES)
        raise UsageError(f"{folder} must end in {suffix_list}, or be a folder that exists", "--plot")
    if not folder.absolute().parent.is_dir():
        raise UsageError(f"{folder.parent} is not a directory", "--plot")
    there = next((file for name in _drawn_names() if (file := folder / f"{name}.png").exists()), None)
    if there is not None and not force:
        raise UsageError(f"{there} exists; add --force to replace it", "--plot")


def _drawn_names() -> list[str]:
    """The pictures that tasks declare."""
    from certus.core import registry  # here, as trec_eval's lines need no task

    return sorted({name for task in registry.tasks() for name in task.drawn})


def check_plot(plot: Path | None, picture: str | None, force: bool, sources: Sequence[str]) -> None:
    """Refuse a file or folder that pictures of a table cannot be written to, and a picture that there is not."""
    if picture is not None:
        pictures = (*OF_TABLES, *_drawn_names())
        if plot is None:
            raise UsageError("says what --plot draws, which is not given", "--picture")
        if picture not in pictures:
            remedy = suggestion(picture, pictures) or f"there are {', '.join(pictures)}"
            raise UsageError(f"no picture is named {picture!r}; {remedy}", "--picture")
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
