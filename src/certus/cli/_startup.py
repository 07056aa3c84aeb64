"""Preparations of the command line's process before heavy imports. Libraries must not do any of this."""

import gc
import os
import signal
import sys
import weakref
from types import FrameType, TracebackType
from typing import Any, Self, TextIO

_BAD_DATA = 3
_INTERNAL_ERROR = 70
"""Exit status after an error that nobody foresaw: EX_SOFTWARE of sysexits.h. Never 1, which a gate fails with."""
_AGAIN = 0.05
"""Seconds after which a signal is raised again where a library swallowed it."""


class EndedBySignal(BaseException):
    """A signal asks the process to end; temporary files are removed on the way out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


class InterruptedByUser(EndedBySignal, KeyboardInterrupt):
    """Ctrl-C, for those who catch ``KeyboardInterrupt``."""


def prepare() -> None:
    """Set up the process: what a closed pipe does, and how many threads numpy starts.

    A closed pipe ends it silently, as it ends other Unix tools. numpy's linear algebra is not used here, so its thread
    pool is not started. The process is short and has next to no reference cycles, so nobody looks for them.
    """
    gc.disable()
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    # Of streams that the caller closed, as with >&-: whatever is written to stdout is an error, as on a full disk, and
    # nobody wants messages.
    for name, mode in (("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, mode), "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def finish() -> None:
    """Let the process end without a last search for reference cycles, a quarter of a small job's time.

    Whatever has to happen at the end is registered with atexit or ends with the block that began it.
    """
    gc.freeze()


class Ending:
    """Whatever is raised inside becomes an exit status, and one line where nobody foresaw it.

    That is more than Python's exceptions: a panic of the compiled module and ``sys.exit()`` in somebody's metric too.
    SIGINT, SIGTERM and SIGHUP end the block once temporary files are removed.
    """

    status = 0
    _number: int | None = None
    """The first signal that asked the process to end."""
    _raised: "weakref.ref[EndedBySignal] | None" = None
    """What it was raised as; gone once a library has swallowed it, as callbacks and some imports do."""

    def __enter__(self) -> Self:
        return self

    def listen(self) -> None:
        """Let the signals that are not ignored, as nohup has it, end the block."""
        sys.unraisablehook = _unraisable
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self._end)

    def _end(self, number: int, _: FrameType | None) -> None:
        first = self._number is None
        self._number = number if self._number is None else self._number
        swallowed = self._raised is None or self._raised() is None
        if not swallowed and number != signal.SIGINT:  # a second one must not stop the removal of files
            return
        if first and hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._end)
            signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
        raise self._ended()  # held by no variable here, where its traceback would hold it in turn

    def _ended(self) -> EndedBySignal:
        number = int(self._number or 0)
        ended = InterruptedByUser(number) if number == signal.SIGINT else EndedBySignal(number)
        self._raised = weakref.ref(ended)
        return ended

    def _deafen(self) -> None:
        """Whatever comes now finds nothing left to remove."""
        if self._number is not None and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == self._end:
                signal.signal(number, signal.SIG_DFL)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        self._deafen()
        if self._number is not None:
            self.status = 128 + self._number
        elif isinstance(error, KeyboardInterrupt):
            self.status = 130
        elif isinstance(error, MemoryError):  # before a command runs, as in an import
            self.status = _BAD_DATA
            complain("not enough memory")
        elif error is not None:
            self.status = _INTERNAL_ERROR
            _complain(error)
        return True


_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def _unraisable(what: Any) -> None:
    if not isinstance(what.exc_value, EndedBySignal):
        sys.__unraisablehook__(what)


def _complain(error: BaseException) -> None:
    import traceback  # here, as it is seldom needed

    if os.environ.get("CERTUS_TRACEBACK"):
        traceback.print_exception(error)
    message = f"{type(error).__name__}: {error}".strip(": ")
    complain(f"internal error: {message} (set CERTUS_TRACEBACK=1 to see where)")


def fold_for_stream(sentence: str, stream: TextIO, indent: int = 2) -> str:
    """The sentence as one line; on a terminal folded between words, where further lines are indented."""
    from certus.core.printable import printable

    if not stream.isatty():
        return f"{printable(sentence)}\n"
    import shutil  # here, as it is seldom needed

    from certus.core.printable import folded

    return "".join(f"{line}\n" for line in folded(sentence, shutil.get_terminal_size().columns, " " * indent))


def complain(message: str) -> None:
    """Print a line on stderr; where that fails, as on a full disk, the exit status has to do."""
    for stream, text in ((sys.stdout, ""), (sys.stderr, fold_for_stream(f"certus: {message}", sys.stderr))):
        try:
            stream.write(text)
            stream.flush()
        except OSError:  # what is held back would fail again when the process ends, and change its status
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
