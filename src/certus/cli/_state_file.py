"""A state in a file, with the sources that it was made of."""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from certus.cli._declare import UsageError
from certus.cli._output import write_bytes
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.states import State


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
    """The state of a file that `save_state` or a program wrote."""
    from certus.io.sources import readable

    with readable(path) as (file, name):  # a pipe is copied no further than there is room
        try:
            with open(file, "rb") as opened:
                return _read(opened, memory)
        except OSError as error:
            raise DataError((error.strerror or str(error)).lower(), place=name) from None
        except DataError as error:
            raise error.at(name) from None


def _read(file: BinaryIO, memory: str | None) -> StateFile:
    import zlib

    from certus.states import State

    if file.read(len(MAGIC)) != MAGIC:
        file.seek(0)
        return StateFile(State.from_file(file, memory=memory), {}, None, {})
    line = file.readline()[:-1]
    if zlib.crc32(line).to_bytes(4, "little") != file.read(4):
        raise DataError("the bytes of the state are damaged or cut off", "write them again")
    import json  # here, as few states have it

    head = json.loads(line)
    types = {name: (kind, place) for name, (kind, place) in head["types"].items()}
    return StateFile(State.from_file(file, memory=memory), head["sources"], head["asked"], types)


def check_memory(memory: str | None, *, bounds: bool) -> None:
    """Refuse what is not a size, and a size where bounds are asked for."""
    if memory is None:
        return
    from certus.states import bytes_of

    if bounds:
        raise UsageError("has no meaning for --bounds, which take a few megabytes", param_hint="--memory")
    try:
        bytes_of(memory)
    except DataError as error:
        raise UsageError(f"{error.found}; {error.remedy}", param_hint="--memory") from None


def save_state(path: Path, file: StateFile, force: bool) -> None:
    """Write a state, whole or not at all."""
    import json
    import zlib

    line = json.dumps({"sources": file.sources, "asked": file.asked, "types": file.types}).encode()
    checksum = zlib.crc32(line).to_bytes(4, "little")
    write_bytes(chain([MAGIC, line, b"\n", checksum], file.state.parts()), path, force)
