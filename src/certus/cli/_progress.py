"""Telling on a terminal that work goes on."""

import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["QUIET", "working"]

QUIET: ContextVar[bool] = ContextVar("QUIET", default=False)
"""True if stderr gets errors only."""

_PATIENCE = 2.0


Part = TypeVar("Part")


class Work:
    """Work that goes on; called with the number of rows that were read since."""

    def __init__(self, what: str) -> None:
        self.what, self.rows, self.start = what, 0, time.monotonic()
        self.parts = ""
        self.shown: list[tuple[Progress, TaskID]] = []

    def __call__(self, rows: int) -> None:
        """Count rows."""
        self.rows += rows
        for progress, task in self.shown:
            progress.update(task, description=self.text)

    def each(self, parts: Collection[Part], name: str) -> Iterator[Part]:
        """The parts of the work, one after the other; how many are done, and how long the others will take."""
        start = time.monotonic()
        for done, part in enumerate(parts):
            left = (time.monotonic() - start) / max(done, 1) * (len(parts) - done)
            self.parts = f", {name} {done + 1} of {len(parts)}" + (f", about {left:.0f} s left" if done else "")
            self(0)
            yield part

    @property
    def text(self) -> str:
        """The work in hand, with rows and their rate if there are any."""
        if not self.rows:
            return f"{self.what}{self.parts}"
        rate = self.rows / max(time.monotonic() - self.start, 1e-9)
        return f"{self.what}, {self.rows:,} rows, {rate:,.0f} a second"


@contextmanager
def working(what: str, patience: float = _PATIENCE) -> Iterator[Work]:
    """Show `what` with the time so far on stderr, when that is a terminal and it takes over two seconds."""
    work = Work(what)
    if QUIET.get() or not sys.stderr.isatty():
        yield work
        return
    lock = threading.Lock()
    done = threading.Event()

    def show() -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        with lock:
            if not done.is_set():
                task = progress.add_task(work.text, total=None)
                progress.start()
                work.shown.append((progress, task))

    timer = threading.Timer(patience, show)
    timer.daemon = True
    timer.start()
    try:
        yield work
    finally:
        timer.cancel()
        done.set()
        with lock:
            for progress, _ in work.shown:
                progress.stop()
