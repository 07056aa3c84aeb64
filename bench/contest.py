"""Functions measured against each other in one process: answers first, then processor time and memory, in turns."""

import gc
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Case", "DifferError", "Result", "agreed", "extra", "in_words", "measure", "seconds", "table"]

RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class DifferError(Exception):
    """Certus and its peer do not give the same answer."""


def agreed(whether: bool, otherwise: str) -> None:
    """Raise `DifferError` with what is said otherwise."""
    if not whether:
        raise DifferError(otherwise)


@dataclass(frozen=True)
class Case:
    """One job that certus and a peer do.

    Attributes
    ----------
    name, peer
        What is done, and whose function is the other one.
    certus, other
        The two functions, without arguments.
    agree
        ``agree(ours, theirs)`` says in a few words how far the answers agree; it raises `DifferError` if they do not.
    faster
        How many times faster certus has to be; below 1 for a peer that does less: 0.4 is 2.5 times the peer's time.
    calls
        Calls that are timed together, so that a short one can be measured.
    share
        The part of the job that the peer is given to do; its time is multiplied accordingly.
    memory
        Most memory that certus may take, in bytes; it is then measured.
    """

    name: str
    certus: Callable[[], Any]
    peer: str
    other: Callable[[], Any]
    agree: Callable[[Any, Any], str]
    faster: float | None = None
    calls: int = 1
    share: float = 1.0
    memory: int | None = None


@dataclass(frozen=True)
class Result:
    """Measurement: seconds of processor time, user and system together, of one call; bytes above the data."""

    case: Case
    ours: float
    theirs: float
    answers: str
    extra: int | None

    @property
    def ratio(self) -> float:
        """Ratio of the peer's time to that of certus."""
        return self.theirs / self.ours

    @property
    def reached(self) -> bool:
        """True if certus keeps its bounds on time and memory."""
        fast = self.case.faster is None or self.ratio >= self.case.faster
        return fast and (self.extra is None or self.case.memory is None or self.extra <= self.case.memory)


def measure(case: Case, repeat: int) -> Result:
    """Compare the answers, then time the two in turns; the least of the times."""
    answers = case.agree(case.certus(), case.other())
    ours, theirs = [], []
    for _ in range(repeat):
        ours.append(seconds(case.certus, case.calls))
        theirs.append(seconds(case.other, max(1, round(case.calls / 10)) if case.calls > 1 else 1) / case.share)
    above = extra(case.certus) if case.memory is not None else None
    return Result(case, min(ours), min(theirs), answers, above)


def table(results: list[Result]) -> str:
    """The results as Markdown."""
    lines = [
        "| job | certus | peer | | times faster | wanted | extra memory | answers |",
        "|---|--:|--:|---|--:|--:|--:|---|",
    ]
    for result in results:
        case = result.case
        wanted = "" if case.faster is None else f"{case.faster:g}{'' if result.ratio >= case.faster else ' (missed)'}"
        above = "" if result.extra is None else f"{result.extra / 1e6:.0f} of {(case.memory or 0) / 1e6:.0f} MB"
        lines.append(
            f"| {case.name} | {in_words(result.ours)} | {in_words(result.theirs)} | {case.peer} | {result.ratio:.3g} "
            f"| {wanted} | {above} | {result.answers} |"
        )
    return "\n".join(lines)


def seconds(work: Callable[[], Any], calls: int, clock: Callable[[], float] = time.process_time) -> float:
    """The processor time of one of several calls, or its time by another clock."""
    gc.collect()
    start = clock()
    for _ in range(calls):
        work()
    return (clock() - start) / calls


def extra(work: Callable[[], Any]) -> int:
    """Rise in memory of a fork of this process above its start."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        start = _resident()
        work()
        os.write(send, str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT - start).encode())
        os._exit(0)
    os.waitpid(child, 0)
    extra = int(os.read(receive, 32))
    os.close(receive)
    os.close(send)
    return max(0, extra)


def _resident() -> int:
    """Memory of this process, in bytes."""
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT


def in_words(seconds: float) -> str:
    """A time in seconds, milliseconds or microseconds."""
    return (
        f"{seconds:.3g} s"
        if seconds >= 0.1
        else f"{seconds * 1e3:.3g} ms"
        if seconds >= 1e-3
        else f"{seconds * 1e6:.3g} µs"
    )
