"""Judgments and a run that a thread reads while Python imports the modules that evaluate them."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from certus.compiled import Ahead

__all__ = ["AHEAD", "reading"]

AHEAD: ContextVar[Ahead | None] = ContextVar("AHEAD", default=None)
"""The files that a thread reads at present; None if there are none."""
_QRELS = re.compile(rb"\S+[ \t]+\S+[ \t]+\S+[ \t]+[+-]?[0-9]+\s*\n")
_RUN = re.compile(rb"(\S+[ \t]+){3}[0-9]+[ \t]+[-+.0-9eE]+[ \t]+\S+\s*\n")
_LONGEST = 1000


@contextmanager
def reading(qrels: str, run: str) -> Iterator[None]:
    """Read two files in a thread during the block, if both start like files of TREC and memory has no limit.

    Readers of these two files get the result. If the thread finds an error, they read the file and report it.
    """
    begun = Ahead.begin(qrels, run) if _starts(qrels, _QRELS) and _starts(run, _RUN) and not _limited() else None
    token = AHEAD.set(begun)
    try:
        yield
    finally:
        AHEAD.reset(token)


def _starts(path: str, line: re.Pattern[bytes]) -> bool:
    """True if a plain file starts with such a line."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return line.fullmatch(file.readline(_LONGEST)) is not None
    except (OSError, ValueError):  # the reader says what is wrong
        return False


def _limited() -> bool:
    """True if memory of the process is limited: reading and imports together might exceed the limit."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows has no such limits
        return False
    return getrlimit(RLIMIT_AS)[0] != RLIM_INFINITY
