"""Telling on a terminal that work goes on."""

import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from certus.cli._declare import option
from certus.core.progress import LISTENER

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


QUIET: ContextVar[bool] = ContextVar("QUIET", default=False)
"""True if stderr gets errors only."""


COLORLESS: ContextVar[bool] = ContextVar("COLORLESS", default=False)
"""True if nothing is colored on a terminal."""


def _be_quiet(is_quiet: bool) -> bool:
    QUIET.set(is_quiet)
    return is_quiet


QUIET_LONG, QUIET_OPTION = (
    option(*names, read=_be_quiet, help="No warnings and no progress on standard error.")
    for names in (("--quiet",), ("-q", "--quiet"))
)
"""The first one is for trec-eval, whose -q means something else."""

_PATIENCE = 2.0


Part = TypeVar("Part")


@dataclass
class Level:
    """One loop of the work: its name, its number of parts, how many are done, and since when."""

    name: str
    parts: int
    start: float
    done: int = 0

    def left(self, outer: "Sequence[Level]") -> float:
        """The seconds that the other parts will take, and those in the parts of outer loops that are still to come."""
        times = 0
        for each in outer:
            times = times * each.parts + each.parts - each.done - 1
        return (time.monotonic() - self.start) / self.done * (self.parts - self.done + self.parts * times)


class Work:
    """Work that goes on; called with the number of rows that were read since."""

    def __init__(self, title: str) -> None:
        self.title, self.rows, self.start = title, 0, time.monotonic()
        self.levels: list[Level] = []
        self.left = ""
        self.bars: list[tuple[Progress, TaskID]] = []

    def __call__(self, rows: int) -> None:
        """Count rows."""
        self.rows += rows
        for progress, task in self.bars:
            progress.update(task, description=self.text)

    def each(self, parts: Collection[Part], name: str) -> Iterator[Part]:
        """The parts of the work, one after the other; how many are done, and how long the others will take.

        Of loops within loops the outermost one that has a part done says how long.
        """
        level, outer = Level(name, len(parts), time.monotonic()), len(self.levels)
        self.levels.append(level)
        try:
            for level.done, part in enumerate(parts):
                if level.done and not any(each.done for each in self.levels[:outer]):
                    self.left = f", about {level.left(self.levels[:outer]):.0f} s left"
                self(0)
                yield part
        finally:
            del self.levels[outer:]
            self.left = self.left if outer else ""

    @property
    def text(self) -> str:
        """The work in hand, with rows and their rate if there are any."""
        if not self.rows:
            parts = (f", {each.name} {each.done + 1} of {each.parts}" for each in self.levels)
            return f"{self.title}{''.join(parts)}{self.left}"
        rate = self.rows / max(time.monotonic() - self.start, 1e-9)
        return f"{self.title}, {self.rows:,} rows, {rate:,.0f} a second"


@contextmanager
def working(title: str, patience: float = _PATIENCE) -> Iterator[Work]:
    """Show the title with the time so far on stderr, when that is a terminal and it takes over two seconds."""
    work = Work(title)
    if QUIET.get() or not sys.stderr.isatty():
        yield work
        return
    listener = LISTENER.set(work.each)
    lock = threading.Lock()
    finished = threading.Event()

    def show() -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        with lock:
            if not finished.is_set():
                task = progress.add_task(work.text, total=None)
                progress.start()
                work.bars.append((progress, task))

    timer = threading.Timer(patience, show)
    timer.daemon = True
    timer.start()
    try:
        yield work
    finally:
        LISTENER.reset(listener)
        timer.cancel()
        finished.set()
        with lock:
            for progress, _ in work.bars:
                progress.stop()
