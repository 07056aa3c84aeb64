"""Parts of long work, counted for whoever listens: on the command line a terminal."""

from collections.abc import Callable, Collection, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

Part = TypeVar("Part")

LISTENER: ContextVar[Callable[[Collection[Any], str], Iterator[Any]] | None] = ContextVar("LISTENER", default=None)
"""Passes on the parts of work while it counts them; None where nobody listens."""


def steps(parts: Collection[Part], name: str) -> Iterator[Part]:
    """The parts of the work, one after the other; `name` is what one of them is called."""
    listen = LISTENER.get()
    return iter(parts) if listen is None or len(parts) < 2 else listen(parts, name)
