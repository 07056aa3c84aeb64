"""Output files, each written whole or not at all."""

import errno
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from certus.core.errors import CertusError, keyword

_NO_LINKS = (errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)
"""The error numbers of file systems without hard links, such as FAT."""


def save(
    content: str | bytes,
    path: "str | os.PathLike[str]",
    *,
    force: bool,
    misleading: Collection[str] = (),
    suffixes: Iterable[str] = (),
) -> None:
    """Write a file that a caller in Python names; refuses one that exists, and a suffix that would mislead."""
    target = Path(path).expanduser()
    if target.suffix.lower() in misleading:
        raise CertusError(
            f"is {str(path)!r}, whose suffix is that of another format",
            f"end it in {', '.join(suffixes)}, or call save",
            argument="path",
        )
    if not target.absolute().parent.is_dir():
        raise CertusError(f"is {str(path)!r}, but {target.parent} is not a directory", "create it", argument="path")
    if target.is_dir():
        raise CertusError(f"is {str(path)!r}, a directory", "give the name of a file", argument="path")
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
    try:
        write_file([data], target, replace=force)
    except FileExistsError:
        raise CertusError(
            f"{path} exists", f"add {keyword('force', True)} to replace it", argument="path", subject=""
        ) from None


def write_file(content: Iterable[bytes], target: Path, *, replace: bool) -> None:
    """Write a file that gets its name when it is complete.

    Raises FileExistsError where `replace` is false and the name is taken. A device or a named pipe is written to, never
    replaced.
    """
    target = Path(os.path.realpath(target))
    if target.exists() and not target.is_file():
        with open(target, "wb") as file:
            file.writelines(content)
        return
    # Not the number of the process, which is soon another's, in containers always: what one left behind when it was
    # killed must not stop another.
    temporary = target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")
    descriptor = _open_unnamed(target.parent)
    try:
        with open(temporary, "xb") if descriptor is None else open(descriptor, "wb") as file:
            file.writelines(content)
            file.flush()
            if descriptor is not None:
                name = temporary if replace else target
                os.link(_path(descriptor), name, src_dir_fd=descriptor)  # with a folder, so that the link is followed
        if replace:
            if target.exists():
                from shutil import copymode  # here, as it is seldom needed

                copymode(target, temporary)
            os.replace(temporary, target)
        elif descriptor is None:
            _rename_to_new(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _rename_to_new(temporary: Path, target: Path) -> None:
    """Give a complete file its name, unless another has it."""
    try:
        os.link(temporary, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        open(target, "xb").close()  # an empty file claims the name
        os.replace(temporary, target)


def _open_unnamed(folder: Path) -> int | None:
    """A new file without a name, of which nothing is left when the process is killed; None where there are none."""
    if not hasattr(os, "O_TMPFILE"):
        return None
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:  # a file system without them, or one that cannot be written: opening by name says why
        return None
    if os.path.exists(_path(descriptor)):
        return descriptor
    os.close(descriptor)  # nowhere to name it from
    return None


def _path(descriptor: int) -> str:
    """Path in /proc of an open file descriptor."""
    return f"/proc/self/fd/{descriptor}"
