"""Input sources: a path, or a stream that is copied to a file before it is read."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import reduce, wraps
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, ParamSpec, TypeGuard, TypeVar

from certus.core.errors import CertusError, DataError, MetricNameError
from certus.core.note import with_sentence
from certus.core.spelling import nearest

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]
CheckStart = Callable[[Path], object]
"""Reads the first lines of a stream, and raises a `ValueError` where they are not what they should be."""

LONGEST_LINE = 64 << 20
"""Bytes, as in the compiled reader."""
_BLOCK = 1 << 20
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BINARY = (
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    *(bytes([i]) + b"\x2a\x4d\x18" for i in range(0x50, 0x60)),
    b"PK\3\4",
    b"\x04\x22\x4d\x18",
    b"PAR1",
    b"ARROW1",
    b"FEA1",
    b"\xff\xff\xff\xff",
    b"certus-state",
)
"""First bytes of compressed files, tables of columns and states, for which the rules of text say nothing."""
_ARROW = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"FEA1": "Feather", b"\xff\xff\xff\xff": "Arrow"}
_OPEN_FILES = Path("/proc/self/fd")


_COPIES: ContextVar[tuple[ExitStack, dict[str, Path]] | None] = ContextVar("_COPIES", default=None)
"""The copies of pipes within `read_once`, and what removes them; None where each is removed once it is read."""


_P = ParamSpec("_P")
_Result = TypeVar("_Result")
_MOST_FILES = 2_000
"""Files of a folder whose names are compared with one that is not there."""
_INVALID_SEPARATORS = "\"'\r\n\0.+-_ "


@dataclass
class Dialect:
    """The notation of tables in files, as far as a call states it.

    Attributes
    ----------
    separator
        The character between cells of a text; None: the header line shows it.
    decimal
        The character before the decimals of a number in a text; None is a point.
    sheet
        The sheet of a workbook; None: its only one.
    used
        The names of the fields above that some file has been read with.
    notes
        What results say of how files were read.
    """

    separator: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    used: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def use(self, name: str) -> str | None:
        """The field of that name, which a file is now read with."""
        self.used.add(name)
        value: str | None = getattr(self, name)
        return value

    def set(self, name: str, value: Any) -> None:
        """Set a field; refuse what it cannot be."""
        if value is not None and (not isinstance(value, str) or not value):
            raise MetricNameError(f"is {value!r}", "give a text", argument=name)
        if name == "separator" and value is not None:
            value = {"tab": "\t", "\\t": "\t"}.get(value, value)
            if len(value) > 1 or value.isalnum() or value in _INVALID_SEPARATORS:
                problem = "no columns are separated by it"
                raise MetricNameError(f"is {value!r}; {problem}", "give one character, such as ';'", argument=name)
        if name == "decimal" and value not in (None, ".", ","):
            raise MetricNameError(f"is {value!r}", "decimals follow '.' or ','", argument=name)
        setattr(self, name, value)

    def add_note(self, text: str) -> None:
        """Add what results say of a file, once."""
        if text not in self.notes:
            self.notes.append(text)

    def check_used(self) -> None:
        """Refuse a field that no file was read with."""
        reasons = {"separator": "separated text", "decimal": "separated text", "sheet": "a workbook"}
        for name, kind in reasons.items():
            if (value := getattr(self, name)) is not None and name not in self.used:
                problem = f"is {value!r}, but no table was read from a file of {kind}"
                raise MetricNameError(problem, "leave it out", argument=name)

    def finish(self, result: _Result) -> _Result:
        """The result with the notes; refuse a field that no file was read with."""
        self.check_used()
        return reduce(with_sentence, reversed(self.notes), result)


_DIALECT: ContextVar[Dialect] = ContextVar("_DIALECT")


def dialect() -> Dialect:
    """The dialect of the call that is running."""
    return _DIALECT.get(None) or Dialect()


@contextmanager
def reading(*, separator: str | None = None, decimal: str | None = None, sheet: str | None = None) -> Iterator[Dialect]:
    """Read tables in files by a dialect; a call within another one that says nothing reads by that one's.

    The notes of such an inner call belong to the outer one.
    """
    new, fields = Dialect(), {"separator": separator, "decimal": decimal, "sheet": sheet}
    for name, value in fields.items():
        new.set(name, value)
    if _DIALECT.get(None) is not None and not any(fields.values()):
        yield new
        return
    token = _DIALECT.set(new)
    try:
        yield new
    finally:
        _DIALECT.reset(token)


def reads_tables(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
    """The function with the keywords `separator`, `decimal` and `sheet` for the tables in files that it reads."""

    @wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _Result:
        fields: dict[str, Any] = {name: kwargs.pop(name, None) for name in ("separator", "decimal", "sheet")}
        with reading(**fields) as current:
            return current.finish(function(*args, **kwargs))

    return wrapper


def is_path(data: object) -> TypeGuard[PathLike]:
    """True for the name of a file."""
    return isinstance(data, (str, bytes, os.PathLike))


def path_name(path: PathLike) -> str:
    r"""Path as text; bytes that are not UTF-8 are written ``\xff``."""
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        raise DataError(f"the file name {path!r} holds half of a surrogate pair", "no file has such a name") from None


def existing(name: str, label: str | None = None) -> str:
    """The path of a file that is there, with the home of a user for ``~``; an error names the nearest file."""
    label = name if label is None else label
    if os.path.lexists(name):
        return name
    if "://" in name:
        raise DataError("is an address of the web", "download the file and give its path", location=label)
    if name.startswith("~") and os.path.lexists(home := os.path.expanduser(name)):
        return home
    folder, file = os.path.split(name)
    try:
        files = sorted(islice((entry.name for entry in os.scandir(os.path.expanduser(folder) or ".")), _MOST_FILES))
    except OSError:
        files = []
    stem = file.partition(".")[0]  # a common suffix makes no names alike
    similar = [other for other in files if nearest(stem, [other.partition(".")[0]])]
    near = nearest(file, similar) or next(iter(similar), None)
    meant = None if near is None else f"did you mean {os.path.join(folder, near)!r}?"
    raise DataError("no such file", meant, location=label)


def is_there(path: PathLike) -> bool:
    """True if there is a file, a folder or a stream of that name."""
    try:
        existing(os.fsdecode(path))
    except (DataError, ValueError):
        return False
    return True


def is_stream(path: PathLike) -> bool:
    """True if a path can be read only once: standard input, a pipe or a device."""
    name = os.fsdecode(path)
    if name == "-":
        return True
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return False  # the reader says what is wrong with it
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def arrow_kind(data: bytes) -> str | None:
    """``"Parquet"``, ``"Arrow"`` or ``"Feather"`` by the first bytes, otherwise None."""
    return next((kind for start, kind in _ARROW.items() if data.startswith(start)), None)


@contextmanager
def refusals() -> Iterator[None]:
    """Convert errors of the compiled reader to DataError."""
    try:
        yield
    except CertusError:
        raise
    except ValueError as error:
        if len(error.args) != 3:
            raise DataError(str(error)) from None
        problem, remedy, location = error.args
        raise DataError(problem, remedy, location=location) from None


@contextmanager
def readable(path: PathLike, check_start: CheckStart | None = None) -> Iterator[tuple[Path, str]]:
    """Path that can be opened several times (a stream is copied), and its name for messages.

    ``-`` is standard input. It, a pipe and a device are copied to a temporary file first, since a run whose lines are
    not grouped by query is read twice. `check_start` reads the first lines of a long one before all is copied. Within
    `read_once` there is one copy for all who ask.
    """
    name, label = os.fsdecode(path), path_name(path)
    if not name:
        raise DataError("the file name is empty", "name a file, or '-' for standard input")
    if "\0" in name:
        raise DataError(f"the file name {name!r} holds a NUL character", "no file has such a name")
    if not is_stream(path):
        yield Path(existing(name, label)), label
        return
    if (copies := _COPIES.get()) is not None:
        stack, files = copies
        if name not in files:
            files[name] = stack.enter_context(_copied(name, label, check_start))
        yield files[name], label
        return
    with _copied(name, label, check_start) as file:
        yield file, label


@contextmanager
def read_once() -> Iterator[None]:
    """Context in which a pipe is copied only once, however often it is opened.

    So a pipe of judgments may be asked whether a tool wrote it, and be read then.
    """
    with ExitStack() as stack:
        token = _COPIES.set((stack, {}))
        try:
            yield
        finally:
            _COPIES.reset(token)


@contextmanager
def temporary_file() -> Iterator[tuple[BinaryIO, Path]]:
    """Empty temporary file to write, and its path for reading after a flush.

    On Linux it has no name, so that nothing is left of it even when the process is killed.
    """
    import tempfile  # here, as few sources need it

    if _OPEN_FILES.is_dir():
        with tempfile.TemporaryFile(prefix="certus-") as file:
            yield file, _OPEN_FILES / str(file.fileno())
        return
    with tempfile.TemporaryDirectory(prefix="certus-") as folder:
        path = Path(folder, "input")
        with path.open("xb") as file:
            yield file, path


@contextmanager
def _copied(name: str, label: str, check_start: CheckStart | None) -> Iterator[Path]:
    """Context manager: copy a file or standard input to a temporary file, and yield its path."""
    with ExitStack() as stack:
        try:
            target, path = stack.enter_context(temporary_file())
            stream = _standard_input() if name == "-" else stack.enter_context(open(name, "rb"))
            _copy(stream, target, label, check_start)
        except OSError as error:
            raise DataError(
                f"cannot be copied to a temporary file: {error.strerror or error}", location=label
            ) from None
        yield path


def _standard_input() -> BinaryIO:
    """Standard input as a stream of bytes; an error if it is closed or has text only."""
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise DataError("standard input is closed or holds no bytes", "name a file", location="-")
    return stream


def _copy(stream: BinaryIO, target: BinaryIO, name: str, check_start: CheckStart | None) -> None:
    """Copy a stream to a temporary file; refuse what no reader accepts.

    A NUL byte and a line over 64 MB are refused where they are met. A stream that has no end stops at half of the free
    space, or at a quarter of the memory if that is less.
    """
    block = stream.read(_BLOCK)
    is_text = not block.startswith(_BINARY)
    is_json = is_text and block.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    if block.startswith(_UTF_16) and is_text:
        raise DataError("is UTF-16 text", "convert it to UTF-8 (for example with iconv)", location=name)
    import tempfile  # here, as few sources need it

    folder = tempfile.gettempdir()
    room = _room(folder)
    copied, lines, length = 0, 0, 0
    while block:
        if is_text:
            nul = block.find(b"\0")
            if nul >= 0:
                line = lines + block.count(b"\n", 0, nul) + 1
                raise DataError("the line holds a NUL byte", "the file is binary or damaged", location=f"{name}:{line}")
            last = block.rfind(b"\n")
            length = length + len(block) if last < 0 else len(block) - last - 1
            lines += block.count(b"\n")
            if length > LONGEST_LINE and not is_json:
                raise DataError(
                    f"the line is longer than {LONGEST_LINE >> 20} MB",
                    "is this a TREC file?",
                    location=f"{name}:{lines + 1}",
                )
        if copied + len(block) > room:
            raise DataError(
                f"does not end within {room:,} bytes, for which there is room in {folder}",
                "name a file instead of a stream",
                location=name,
            )
        target.write(block)
        following = stream.read(_BLOCK)
        if copied == 0 and following and is_text and not is_json and check_start is not None:
            _check_block(block, check_start)
        copied += len(block)
        block = following
    target.flush()


def _check_block(block: bytes, check_start: CheckStart) -> None:
    """Check the complete lines of the first block, unless all are blank or comments."""
    lines = block[: block.rfind(b"\n") + 1]
    if any(line.strip() and not line.lstrip().startswith(b"#") for line in lines.split(b"\n")):
        with temporary_file() as (file, start), refusals():
            file.write(lines)
            file.flush()
            check_start(start)


def _room(folder: str) -> int:
    """Bytes that a copy may take: limited by free space, and by memory as it is read later."""
    import shutil  # here, as it imports all ways of compression

    room = shutil.disk_usage(folder).free // 2
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        room = min(room, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4)
    return room
