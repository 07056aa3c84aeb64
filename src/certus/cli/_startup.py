"""Preparations of the command line's process before heavy imports. Libraries must not do any of this."""

import gc
import os
import signal
import sys
from types import FrameType, TracebackType
from typing import NoReturn, Self, TextIO

__all__ = ["Ending", "complain", "finish", "prepare", "told"]

_BAD_DATA = 3
_INTERNAL_ERROR = 70
"""Exit status after an error that nobody foresaw: EX_SOFTWARE of sysexits.h. Never 1, which a gate fails with."""


class EndedBySignal(BaseException):
    """A signal asks the process to end; temporary files are removed on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def prepare() -> None:
    """Set up the process: how it ends, and how many threads numpy starts.

    A closed pipe ends it silently, as it ends other Unix tools. SIGTERM and SIGHUP end it once temporary files are
    removed. numpy's linear algebra is not used here, so its thread pool is not started. The process is short and has
    next to no reference cycles, so nobody looks for them.
    """
    gc.disable()
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup has SIGHUP ignored
            signal.signal(number, _end)
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as with >&-: nobody wants what goes there
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish() -> None:
    """Let the process end without a last search for reference cycles, a quarter of a small job's time.

    Whatever has to happen at the end is registered with atexit or ends with the block that began it.
    """
    gc.freeze()


def _end(number: int, _: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # a second one must not stop the removal of files
    raise EndedBySignal(number)


class Ending:
    """Whatever is raised inside becomes an exit status, and one line where nobody foresaw it.

    That is more than Python's exceptions: a panic of the compiled module and ``sys.exit()`` in somebody's metric too.
    """

    status = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if isinstance(error, EndedBySignal):
            self.status = error.status
        elif isinstance(error, KeyboardInterrupt):
            self.status = 130
        elif isinstance(error, MemoryError):  # before a command runs, as in an import
            self.status = _BAD_DATA
            complain("not enough memory")
        elif error is not None:
            self.status = _INTERNAL_ERROR
            _complain(error)
        return True


def _complain(error: BaseException) -> None:
    import traceback  # here, as it is seldom needed

    if os.environ.get("CERTUS_TRACEBACK"):
        traceback.print_exception(error)
    said = f"{type(error).__name__}: {error}".strip(": ")
    complain(f"internal error: {said} (set CERTUS_TRACEBACK=1 to see where)")


def told(sentence: str, stream: TextIO, indent: int = 2) -> str:
    """The sentence as one line; on a terminal folded between words, where further lines are indented."""
    from certus.printable import printable

    if not stream.isatty():
        return f"{printable(sentence)}\n"
    import shutil  # here, as it is seldom needed

    from certus.alignment import folded

    return "".join(f"{line}\n" for line in folded(sentence, shutil.get_terminal_size().columns, " " * indent))


def complain(message: str) -> None:
    """Print a line on stderr; where that fails, as on a full disk, the exit status has to do."""
    for stream, text in ((sys.stdout, ""), (sys.stderr, told(f"certus: {message}", sys.stderr))):
        try:
            stream.write(text)
            stream.flush()
        except OSError:  # what is held back would fail again when the process ends, and change its status
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
