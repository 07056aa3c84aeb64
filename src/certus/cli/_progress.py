"""Saying on a terminal that work goes on."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["working"]

_PATIENCE = 2.0


@contextmanager
def working(what: str, patience: float = _PATIENCE) -> Iterator[None]:
    """Show `what` with the time so far on stderr, when that is a terminal and it takes over two seconds."""
    if not sys.stderr.isatty():
        yield
        return
    shown: list[Progress] = []
    lock = threading.Lock()
    done = threading.Event()

    def show() -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        with lock:
            if not done.is_set():
                progress.add_task(what, total=None)
                progress.start()
                shown.append(progress)

    timer = threading.Timer(patience, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        done.set()
        with lock:
            for progress in shown:
                progress.stop()
