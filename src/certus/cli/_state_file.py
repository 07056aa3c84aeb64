"""A state in a file, with the sources that it was made of."""

import json
import mmap
import zlib
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from certus.cli._output import write_bytes
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.states import State

__all__ = ["StateFile", "read_state", "save_state"]

MAGIC = b"certus-state-of\n"


class StateFile(NamedTuple):
    """The content of a file of a state.

    Attributes
    ----------
    state
        The state.
    sources
        The files it was made of with their sizes.
    asked
        The options that it was made with; None where it was written in Python.
    types
        The type of each column that has one, and where it was found.
    """

    state: "State"
    sources: dict[str, int]
    asked: dict[str, Any] | None
    types: dict[str, tuple[str, str]]


def read_state(path: Path, memory: str | None = None) -> StateFile:
    """The state of a file that `save_state` or a program wrote.

    Raises
    ------
    DataError
        It cannot be read, or is no such file.
    """
    from certus.states import State

    try:
        with open(path, "rb") as file:
            # Neither an empty file nor a pipe can be mapped.
            mapped = path.is_file() and path.stat().st_size > 0
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if mapped else file.read()
    except OSError as error:
        raise DataError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    sources: dict[str, int] = {}
    asked: dict[str, Any] | None = None
    types: dict[str, tuple[str, str]] = {}
    try:
        start = 0
        if data[: len(MAGIC)] == MAGIC:
            end = data.find(b"\n", len(MAGIC))
            line = data[len(MAGIC) : end]
            start = end + 5
            if end < 0 or zlib.crc32(line).to_bytes(4, "little") != data[end + 1 : start]:
                raise DataError("the bytes of the state are damaged or cut off; write them again")
            head = json.loads(line)
            sources, asked = head["sources"], head["asked"]
            types = {name: (kind, place) for name, (kind, place) in head["types"].items()}
        return StateFile(State.from_bytes(memoryview(data)[start:], memory=memory), sources, asked, types)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def save_state(path: Path, file: StateFile) -> None:
    """Write a state; there is never half a file.

    Raises
    ------
    UnwrittenError
        It cannot be written.
    """
    line = json.dumps({"sources": file.sources, "asked": file.asked, "types": file.types}).encode()
    checksum = zlib.crc32(line).to_bytes(4, "little")
    write_bytes(chain([MAGIC, line, b"\n", checksum], file.state.parts()), path)
