"""Sources of input: a path, or a stream that can be read only once."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeGuard

from certus.errors import DataError
from certus.io._copy import Look, copy
from certus.io._unnamed import temporary_file

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]


class _Copies(NamedTuple):
    stack: ExitStack
    files: dict[str, Path]


_COPIES: ContextVar[_Copies | None] = ContextVar("_COPIES", default=None)
"""The copies of pipes that are kept; None where each is removed once it is read."""


def is_path(data: object) -> TypeGuard[PathLike]:
    """True for the name of a file."""
    return isinstance(data, (str, bytes, os.PathLike))


@contextmanager
def readable(path: PathLike, look: Look | None = None) -> Iterator[tuple[Path, str]]:
    """A path that can be opened again and again, and the name to call it by.

    ``-`` is standard input. It, a pipe and a device are copied to a temporary file first, since a run whose lines are
    not grouped by query is read twice. Of a long one `look` reads the first lines before all is copied. Within
    `read_once` there is one copy for all who ask.
    """
    name = os.fsdecode(path)
    label = path_name(path)
    if not name:
        raise DataError("the file name is empty", "name a file, or '-' for standard input")
    if "\0" in name:
        raise DataError(f"the file name {name!r} holds a NUL character", "no file has such a name")
    if not streamed(path):
        yield Path(name), label
        return
    if (kept := _COPIES.get()) is not None:
        if name not in kept.files:
            kept.files[name] = kept.stack.enter_context(_copied(name, label, look))
        yield kept.files[name], label
        return
    with _copied(name, label, look) as file:
        yield file, label


@contextmanager
def read_once() -> Iterator[None]:
    """While this lasts, a pipe that is asked for again is the copy that was made of it at first.

    So a pipe of judgments may be asked whether a tool wrote it, and be read then.
    """
    with ExitStack() as stack:
        token = _COPIES.set(_Copies(stack, {}))
        try:
            yield
        finally:
            _COPIES.reset(token)


@contextmanager
def _copied(name: str, label: str, look: Look | None) -> Iterator[Path]:
    with ExitStack() as stack:
        try:
            target, file = stack.enter_context(temporary_file())
            stream = _standard_input() if name == "-" else stack.enter_context(open(name, "rb"))
            copy(stream, target, label, look)
        except OSError as error:
            raise DataError(f"cannot be copied to a temporary file: {error.strerror or error}", place=label) from None
        yield file


def path_name(path: PathLike) -> str:
    r"""The name of a path: its text, with bytes that are not UTF-8 written ``\xff``."""
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        raise DataError(f"the file name {path!r} holds half of a surrogate pair", "no file has such a name") from None


def _standard_input() -> BinaryIO:
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise DataError("standard input is closed or holds no bytes", "name a file", place="-")
    return stream


def streamed(path: PathLike) -> bool:
    """True if a path can be read only once: standard input, a pipe or a device."""
    name = os.fsdecode(path)
    if name == "-":
        return True
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return False  # the reader says what is wrong with it
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
