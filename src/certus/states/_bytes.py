"""A state as bytes: a head in JSON, then arrays as they lie in memory, then a checksum. Nothing in it is run."""

import base64
import json
import math
import zlib
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.errors import CertusError, DataError
from certus.states._batch import Field
from certus.states._cells import Cells
from certus.states._sums import PowerSums

if TYPE_CHECKING:
    from certus.states._state import State

__all__ = ["packed", "unpacked"]

MAGIC = b"certus-state\n"
VERSIONS = (1, 2)
"""The second has systems."""
KINDS = {f"{kind}{8 * size}": f"<{kind[0]}{size}" for kind in ("int", "uint") for size in (1, 2, 4, 8)}
KINDS |= {"float32": "<f4", "float64": "<f8"}
S = TypeVar("S", bound="State")


def packed(state: "State") -> bytes:
    """The bytes of a state."""
    columns, counts = state.settled()
    arrays: list[NDArray[Any]] = columns if counts is None else [*columns, counts]
    sums = []
    for metric, held in sorted(state._sums.items(), key=lambda pair: str(pair[0])):
        arrays = [*arrays, held.parts]
        bounds = None if held.bounds is None else [repr(x) for x in held.bounds]
        sums.append([str(metric), repr(held.least), repr(held.greatest), bounds])
    if state._queries is not None:
        arrays = state._queries.arrays
    head = {
        "version": VERSIONS[state.systems is not None],
        **({} if state.systems is None else {"systems": state.systems}),
        "task": state.task.name,
        "metrics": None if state.metrics is None else list(map(str, state.metrics)),
        "conventions": {name: _plain(value) for name, value in sorted(state.conventions.items())},
        "rows": state.rows,
        "exact": state.exact,
        "lost": state._lost,
        "n": state.n,
        "fields": None if state.fields is None else list(map(list, state.fields)),
        "labels": [
            [place, labels.kind, labels.boolean, [_plain(label) for label in labels.listed()]]
            for place, labels in ((state.held.index(field), labels) for field, labels in state._labels.items())
        ],
        "counted": counts is not None,
        "sums": sums,
        **_of_queries(state),
        "arrays": [[str(array.dtype), len(array)] for array in arrays],
    }
    text = json.dumps(head, allow_nan=False, separators=(",", ":")).encode()
    body = [MAGIC, len(text).to_bytes(8, "little"), text]
    body += [np.ascontiguousarray(array, dtype=KINDS[str(array.dtype)]).tobytes() for array in arrays]
    whole = b"".join(body)
    return whole + zlib.crc32(whole).to_bytes(4, "little")


def _of_queries(state: "State") -> dict[str, list[str]]:
    """The queries of a state of rankings."""
    held = state._queries
    return {} if held is None else {"queries": list(held.settle().queries), "unjudged": sorted(held.unjudged)}


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
        if head["version"] not in VERSIONS:
            raise DataError(f"version {head['version']} of states is not known to this certus; use a newer one")
        return _made(cls, head, memoryview(whole)[start + size : -4])
    except CertusError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise DataError(f"the bytes are not those of a state ({error}); write them again") from None


def _made(cls: type[S], head: dict[str, Any], body: memoryview) -> S:
    conventions = {name: _label(value) for name, value in head["conventions"].items()}
    how = {"task": head["task"], "systems": head.get("systems"), "rows": head["rows"], "exact": head["exact"]}
    state = cls(head["metrics"], **how, **conventions)
    arrays: list[NDArray[Any]] = []
    at = 0
    for kind, size in head["arrays"]:
        array = np.frombuffer(body, dtype=KINDS[kind], count=size, offset=at)
        at += array.nbytes
        arrays.append(array.astype(kind))
    if at != len(body):
        raise ValueError("more bytes than arrays")
    if state._queries is not None:
        state._queries.of_arrays(head["queries"], head["unjudged"], arrays)
    if head["fields"] is None:
        return state
    state._begin([Field(*field) for field in head["fields"]])
    state.n = head["n"]
    for place, kind, boolean, listed in head["labels"]:
        labels = state._labels[state.held[place]]
        labels.kind, labels.boolean = kind, boolean
        labels.places = {_label(label): i for i, label in enumerate(listed)}
    if state._rows is not None:
        width = len(state.held)
        counts = arrays[width] if head["counted"] else None
        if isinstance(state._rows, Cells):
            state._rows.lose(min(max(int(head["lost"]), 0), 63))
        state._rows.take(_checked(state, arrays[:width], counts), counts)
        arrays = arrays[width + head["counted"] :]
    named = {str(metric): metric for metric in state._sums}
    for (text, least, greatest, bounds), parts in zip(head["sums"], arrays, strict=True):
        limits = None if bounds is None else (_number(bounds[0]), _number(bounds[1]))
        state._sums[named[text]] = PowerSums.of_parts(state.n, (_number(least), _number(greatest)), limits, parts)
    return state


def _checked(state: "State", columns: list[NDArray[Any]], counts: NDArray[Any] | None) -> list[NDArray[Any]]:
    """The columns, if they can be those of the state."""
    lengths = set(map(len, columns if counts is None else [*columns, counts]))
    if len(lengths) != 1 or (counts is not None and counts.min() < 1):
        raise ValueError("rows and their counts do not fit together")
    if state.n != (lengths.pop() if counts is None else int(counts.sum(dtype=np.int64))):
        raise ValueError("the number of samples is another")
    for field, column in zip(state.held, columns, strict=True):
        if (column.dtype.kind == "f") == field.labels or bool(np.isnan(column).any()):
            raise ValueError(f"{field.name} has values of another kind")
        labels = state._labels.get(field)
        known = labels is None or labels.kind in (None, "numbers")
        if (
            labels is not None
            and not known
            and len(column)
            and not 0 <= column.min() <= column.max() < len(labels.places)
        ):
            raise ValueError(f"{field.name} has a label that is not listed")
    return columns


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
