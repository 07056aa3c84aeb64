"""A state in a file, with the sources that it was made of."""

import zlib
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


def read_state(path: Path) -> StateFile:
    """The state of a file that `save_state` or a program wrote.

    Raises
    ------
    DataError
        It cannot be read, or is no such file.
    """
    from certus.states import State

    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    sources: dict[str, int] = {}
    asked: dict[str, Any] | None = None
    types: dict[str, tuple[str, str]] = {}
    try:
        if data.startswith(MAGIC):
            line, _, data = data[len(MAGIC) :].partition(b"\n")
            if zlib.crc32(line).to_bytes(4, "little") != data[:4]:
                raise DataError("the bytes of the state are damaged or cut off; write them again")
            import json  # here, as few states have it

            head = json.loads(line)
            sources, asked, data = head["sources"], head["asked"], data[4:]
            types = {name: (kind, place) for name, (kind, place) in head["types"].items()}
        return StateFile(State.from_bytes(data), sources, asked, types)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def save_state(path: Path, file: StateFile) -> None:
    """Write a state; there is never half a file.

    Raises
    ------
    UnwrittenError
        It cannot be written.
    """
    import json

    line = json.dumps({"sources": file.sources, "asked": file.asked, "types": file.types}).encode()
    checksum = zlib.crc32(line).to_bytes(4, "little")
    write_bytes(b"".join([MAGIC, line, b"\n", checksum, file.state.to_bytes()]), path)
