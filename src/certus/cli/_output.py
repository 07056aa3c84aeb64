"""Writing what a command made: to the terminal, a pipe or a file."""

import inspect
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from contextvars import ContextVar
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from certus.alignment import width_of
from certus.cli._declare import UsageError
from certus.cli._progress import QUIET
from certus.cli._startup import told
from certus.errors import CertusError, MetricNameError
from certus.note import Note
from certus.output_file import write_file
from certus.printable import printable

if TYPE_CHECKING:
    from certus.cli._options import Format
    from certus.comparison import Comparison
    from certus.listing import Listing
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
    from certus.kernels import __version__

    return __version__


def warn(notices: Iterable[Note]) -> None:
    """Print warnings on stderr, one line each, but for ``--quiet``."""
    sys.stdout.flush()
    for notice in () if QUIET.get() else notices:
        sys.stderr.write(told(f"certus: warning: {notice}", sys.stderr))


def is_stdout(target: Path | None) -> bool:
    """True if no file is written: no name, a dash, or a name of the standard output."""
    return target is None or target.as_posix() in _STDOUT


def check_target(target: Path | None, force: bool, *sources: str, hint: str = "-o") -> None:
    """Refuse a file that cannot or must not be written, before any work is done for it.

    The file that is read is never written, not even by force: it may hold labels that took somebody days.
    """
    if target is None or is_stdout(target):
        if target is not None and hint != "-o":
            raise UsageError("is never standard output; give the name of a file", param_hint=hint)
        return
    if target.suffix.lower() in _COMPRESSED:
        raise UsageError(
            f"{target} would be compressed; files are written plain, leave the {target.suffix} out", param_hint=hint
        )
    if target.is_dir():
        raise UsageError(f"{target} is a directory; give the name of a file", param_hint=hint)
    if any(_same(source, target) for source in sources):
        raise UsageError(f"{target} is the file that is read; give another name", param_hint=hint)
    if target.is_file() and not force:
        raise UsageError(f"{target} exists; add --force to replace it", param_hint=hint)
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{target.parent} is not a directory", param_hint=hint)


def check_force(force: bool, *targets: Path | None) -> None:
    """Refuse leave to replace a file where none is written."""
    if force and all(map(is_stdout, targets)):
        raise UsageError("replaces a file, but none is written; leave it out", param_hint="--force")


_HALF = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")
"""Of a surrogate pair, but for those that stand for bytes of a file that are not UTF-8."""


def _same(source: str, target: Path) -> bool:
    """True if both names lead to one file, also through links."""
    try:
        return source != "-" and target.is_file() and os.path.samefile(source, target)
    except OSError:  # there is no file to read: whoever opens it says so
        return False


def write(text: str, target: Path | None = None, force: bool = False, escaped: bool = False) -> None:
    """Write a text that ends with its own line end.

    To stdout without a target; on a terminal with everything invisible escaped, unless the text already is. A file gets
    its name when it is complete, so that there is never half a file. Halves of surrogate pairs, which JSON may hold and
    no file can, are written as JSON writes them.
    """
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
        sys.stderr.write(told(hint, sys.stderr))


def _visible(line: str) -> str:
    return "\t".join(printable(part) for part in line.split("\t"))


def check_layout(layout: str | None, form: "Format") -> None:
    """Refuse a layout of a format that is not a table for reading."""
    from certus.table.output import Output

    if layout is not None and "layout" not in inspect.signature(getattr(Output, f"to_{form.value}")).parameters:
        raise UsageError(f"{form.value} has a row for each value; leave it out", param_hint="--layout")


def rendered(result: "Output", form: "Format", to_screen: bool = False, layout: str | None = None) -> str:
    """The result as `form` writes it. As text for the screen it leaves out warnings, which are on stderr."""
    if layout is not None:
        try:
            return _written(result, form, to_screen, {"layout": str(layout)})
        except CertusError as error:
            raise UsageError(str(error), param_hint="--layout") from None
    return _written(result, form, to_screen, {})


def _written(result: "Output", form: "Format", to_screen: bool, asked: Mapping[str, Any]) -> str:
    if form == "report":
        return result.to_report(COMMAND.get())
    if form != "text":
        written: str = getattr(result, f"to_{form.value}")(**asked)
        return written
    if to_screen and sys.stdout.isatty():
        import shutil  # here, as it is seldom needed

        colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        return result.to_text(shutil.get_terminal_size().columns, colour, warnings=False, **asked) + "\n"
    return result.to_text(warnings=not to_screen, **asked) + "\n"


def in_order(result: Ordered, by: str, metrics: Collection[str], task: str | None) -> Ordered:
    """The result in the order of ``--sort``: by name, or by one of its metrics in any spelling of the task's."""
    from certus.metrics import parse

    try:
        known = task is None or by == "name" or by in metrics
        name = by if known else str(parse(by, task=task or ""))
        return result.sorted(name if name in metrics else by)
    except MetricNameError as error:
        raise UsageError(str(error), param_hint="--sort") from None


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

    usual = form or next(iter(formats))
    if target is None or is_stdout(target) or (target.exists() and not target.is_file()):
        return usual
    suffix = target.suffix.lower()
    fitting = [name for name, suffixes in formats.items() if suffix in suffixes]
    taken = {each for suffixes in FORMATS.values() for each in suffixes} - {*FORMATS["text"]}
    misleading = suffix in taken or _NEVER_TEXT.fullmatch(suffix)
    if form in fitting or (form is not None and not misleading):
        return usual
    if form is not None:
        ends, more = ", ".join(formats.get(form, ())), f", or leave {option} out" if fitting else ""
        raise UsageError(f"{target} would hold {form}; end it in {ends}{more}", param_hint=hint)
    if not fitting:
        ends = ", ".join(dict.fromkeys(each for suffixes in formats.values() for each in suffixes if each))
        more = f", or say with {option} what is written" if option and not misleading else ""
        raise UsageError(f"{target} must end in {ends}{more}", param_hint=hint)
    return fitting[0]


def table_format(output: Path | None, form: "Format | None") -> "Format":
    """The format of a result with rows."""
    from certus.cli._options import Format  # here, as trec_eval's lines have one format
    from certus.table.output import FORMATS

    return Format(format_of(output, form, FORMATS))


class Listed(StrEnum):
    """Formats of a plain table."""

    text = "text"
    json = "json"
    csv = "csv"


def listed_format(output: Path | None, form: str | None) -> Listed:
    """The format of a plain table: as for results, in the formats that it has."""
    from certus.table.output import FORMATS

    return Listed(format_of(output, form, {each.value: FORMATS[each] for each in Listed}))


def listed(table: "Listing", form: Listed | None) -> str:
    """The table as `form` writes it; without one as text."""
    if form is Listed.json:
        return table.to_json()
    return table.to_csv() if form is Listed.csv else f"{table}\n"
