"""A state as bytes: a head in JSON, then arrays as they lie in memory, then a checksum. Nothing in it is run."""

import base64
import json
import math
import zlib
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import CertusError, DataError
from certus.states._rows import Codes, Rows
from certus.states._sums import PowerSums

if TYPE_CHECKING:
    from certus.states._state import State

__all__ = ["packed", "unpacked"]

MAGIC = b"certus-state\n"
VERSION = 1
KINDS = {"int64": "<i8", "float64": "<f8"}
S = TypeVar("S", bound="State")


def packed(state: "State") -> bytes:
    """The bytes of a state."""
    arrays: list[NDArray[Any]] = []
    if state._rows is not None:
        columns, counts = state.settled()
        arrays += [*columns, counts]
    sums = []
    for metric, held in sorted(state._sums.items(), key=lambda pair: str(pair[0])):
        arrays.append(held.parts)
        bounds = None if held.bounds is None else [repr(x) for x in held.bounds]
        sums.append([str(metric), held.n, repr(held.least), repr(held.greatest), bounds])
    head = {
        "version": VERSION,
        "task": state.task.name,
        "metrics": None if state.metrics is None else list(map(str, state.metrics)),
        "conventions": {name: _plain(value) for name, value in sorted(state.conventions.items())},
        "rows": state.rows,
        "fields": None if state.fields is None else [[each.name, each.place, each.labels] for each in state.fields],
        "labels": [
            [state.fields.index(field), codes.kind, codes.boolean, [_plain(label) for label in codes.labels()[0]]]
            for field, codes in sorted(state._codes.items(), key=lambda pair: (pair[0].name, pair[0].place))
        ]
        if state.fields is not None
        else [],
        "held": state._rows is not None,
        "sums": sums,
        "arrays": [[str(array.dtype), len(array)] for array in arrays],
    }
    text = json.dumps(head, allow_nan=False, separators=(",", ":")).encode()
    body = [MAGIC, len(text).to_bytes(8, "little"), text]
    body += [np.ascontiguousarray(array, dtype=KINDS[str(array.dtype)]).tobytes() for array in arrays]
    whole = b"".join(body)
    return whole + zlib.crc32(whole).to_bytes(4, "little")


def unpacked(cls: type[S], data: bytes) -> S:
    """The state that the bytes are of."""
    whole = bytes(data)
    if not whole.startswith(MAGIC):
        raise DataError("these are not the bytes of a state; give what to_bytes returned")
    if len(whole) < len(MAGIC) + 12 or zlib.crc32(whole[:-4]) != int.from_bytes(whole[-4:], "little"):
        raise DataError("the bytes of the state are damaged or cut off; write them again")
    start = len(MAGIC) + 8
    size = int.from_bytes(whole[len(MAGIC) : start], "little")
    try:
        head = json.loads(whole[start : start + size])
        if head["version"] != VERSION:
            raise DataError(f"version {head['version']} of states is not known to this certus; use a newer one")
        return _made(cls, head, memoryview(whole)[start + size : -4])
    except CertusError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AssertionError, RecursionError) as error:
        raise DataError(f"the bytes are not those of a state ({error}); write them again") from None


def _made(cls: type[S], head: dict[str, Any], body: memoryview) -> S:
    from certus.states._state import _Field

    conventions = {name: _label(value) for name, value in head["conventions"].items()}
    state = cls(head["metrics"], task=head["task"], rows=head["rows"], **conventions)
    arrays: list[NDArray[Any]] = []
    at = 0
    for kind, size in head["arrays"]:
        array = np.frombuffer(body, dtype=KINDS[kind], count=size, offset=at)
        at += array.nbytes
        arrays.append(array.astype(kind))
    if at != len(body):
        raise ValueError("more bytes than arrays")
    if head["fields"] is not None:
        state.fields = [_Field(name, place, labels) for name, place, labels in head["fields"]]
    if head["held"]:
        assert state.fields is not None
        for place, kind, boolean, labels in head["labels"]:
            codes = state._codes[state.fields[place]] = Codes()
            codes.kind, codes.boolean = kind, boolean
            codes.places = {_label(label): i for i, label in enumerate(labels)}
        *columns, counts = arrays[: len(state.fields) + 1]
        state._rows = Rows(len(columns))
        state._rows.add(columns, counts)
        arrays = arrays[len(state.fields) + 1 :]
    for (text, n, least, greatest, bounds), parts in zip(head["sums"], arrays, strict=True):
        metric = next(each for each in state.metrics or () if str(each) == text)
        held = state._sums[metric] = PowerSums()
        held.n, held.least, held.greatest = int(n), _number(least), _number(greatest)
        held.bounds = None if bounds is None else (_number(bounds[0]), _number(bounds[1]))
        held.sums = kernels.ExactSums.of_parts(parts)
    return state


def _number(text: str) -> float:
    number = float(text)
    if math.isnan(number):
        raise ValueError("a number is NaN")
    return number


def _plain(label: Any) -> Any:
    """A label or a list of labels such as JSON can hold."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, list | tuple | np.ndarray):
        return {"list": [_plain(each) for each in label]}
    if isinstance(label, bytes):
        return {"bytes": base64.b64encode(label).decode()}
    if isinstance(label, bool | str | int) or (isinstance(label, float) and math.isfinite(label)):
        return label
    raise DataError(f"{label!r} is a {type(label).__name__}; a state with such a label cannot be written as bytes")


def _label(value: Any) -> Any:
    if isinstance(value, dict):
        if "list" in value:
            return [_label(each) for each in value["list"]]
        return base64.b64decode(value["bytes"])
    found: Hashable = value
    return found
