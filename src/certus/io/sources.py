"""Input sources: a path, or a stream that is copied to a file before it is read."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, TypeGuard

from certus.core.errors import CertusError, DataError

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


def is_path(data: object) -> TypeGuard[PathLike]:
    """True for the name of a file."""
    return isinstance(data, (str, bytes, os.PathLike))


def path_name(path: PathLike) -> str:
    r"""Path as text; bytes that are not UTF-8 are written ``\xff``."""
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        raise DataError(f"the file name {path!r} holds half of a surrogate pair", "no file has such a name") from None


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
        yield Path(name), label
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
