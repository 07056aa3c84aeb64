"""A state as bytes: a head in JSON, then arrays as they lie in memory, then a checksum. Nothing in it is run."""

import base64
import json
import math
import os
import zlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import CertusError, DataError, called
from certus.metrics.state_kinds import EqualBins
from certus.states._batch import Field
from certus.states._cells import Cells, lost_bits
from certus.states._rows import Rows, Spilled, narrowed
from certus.states._sums import BinSums, PowerSums

if TYPE_CHECKING:
    from certus.states._state import State


MAGIC = b"certus-state\n"
VERSIONS = (3, 4)
"""Since the third the ends of bounded values are counted; since the fourth the columns of queries are narrow."""
PART = 1 << 20
"""Rows that are read at once, where not all of them may fit into memory."""
KINDS = {f"{kind}{8 * size}": f"<{kind[0]}{size}" for kind in ("int", "uint") for size in (1, 2, 4, 8)}
KINDS |= {"float32": "<f4", "float64": "<f8"}
S = TypeVar("S", bound="State")


class Stored(NamedTuple):
    """An array as it is written, in parts."""

    kind: str
    size: int
    parts: Iterable[NDArray[Any]]

    @classmethod
    def of(cls, array: NDArray[Any]) -> "Stored":
        """An array that is in memory."""
        return cls(str(array.dtype), len(array), [array])


def packed(state: "State") -> Iterator[bytes]:
    """The bytes of a state, in parts: never are all of them in memory, if its rows are not."""
    columns, counted = _stored(state)
    sums = []
    for metric, held in sorted(state._sums.items(), key=lambda pair: str(pair[0])):
        columns.append(Stored.of(held.parts))
        sums.append([str(metric), held.told()])
    if state._queries is not None:
        columns = list(map(Stored.of, state._queries.arrays))
    head = {
        "version": VERSIONS[-1],
        **({} if state.systems is None else {"systems": state.systems}),
        "task": state.task.name,
        "metrics": None if state.metrics is None else list(map(str, state.metrics)),
        "conventions": {name: _plain(value, name) for name, value in sorted(state.conventions.items())},
        "rows": state.rows,
        "exact": state.exact,
        "lost": lost_bits(state._rows),
        "n": state.n,
        "fields": None if state.fields is None else list(map(list, state.fields)),
        "labels": [
            [place, labels.kind, labels.boolean, [_plain(label, field.name) for label in labels.listed()]]
            for place, field, labels in ((state.held.index(field), field, own) for field, own in state._labels.items())
        ],
        "counted": counted,
        "sums": sums,
        **_of_queries(state),
        "arrays": [[each.kind, each.size] for each in columns],
    }
    text = json.dumps(head, allow_nan=False, separators=(",", ":")).encode()
    arrays = (np.ascontiguousarray(part, dtype=KINDS[each.kind]).tobytes() for each in columns for part in each.parts)
    crc = 0
    for part in chain([MAGIC, len(text).to_bytes(8, "little"), text], arrays):
        crc = zlib.crc32(part, crc)
        yield part
    yield crc.to_bytes(4, "little")


def _stored(state: "State") -> tuple[list[Stored], bool]:
    """The columns of rows as they are written, and whether the last one counts them."""
    if not (isinstance(state._rows, Spilled) and state._rows.spill()):
        columns, counts = state.settled()
        return list(map(Stored.of, columns if counts is None else [*columns, counts])), counts is not None
    _number_in_order(state, state._rows)
    listed = [state._labels[field] for field in state.held[: state._rows.keys]]
    runs = {
        tuple(int(each.ordered(np.array([label]))[0]) for each, label in zip(listed, cell, strict=True)): run
        for cell, run in state._rows.compact().items()
    }
    blocks = [(cell, block) for cell, run in sorted(runs.items()) for block in run]
    rows = sum(block.rows for _, block in blocks)
    stored = []
    for labels in map(narrowed, np.array([cell for cell, _ in blocks], dtype=np.int64).T):
        pairs = zip(labels, blocks, strict=True)
        parts = (np.full(block.rows, label, labels.dtype) for label, (_, block) in pairs)
        stored.append(Stored(str(labels.dtype), rows, parts))
    of_cells = [block for _, block in blocks]
    for place, own in enumerate(zip(*(each.kinds for each in of_cells), strict=True)):
        stored.append(Stored(str(np.result_type(*own)), rows, state._rows.column(place, of_cells)))
    kinds = [each.counts for each in of_cells if each.counts is not None]
    if kinds:
        stored.append(Stored(str(np.result_type(*kinds)), rows, state._rows.counts(of_cells)))
    return stored, bool(kinds)


def _number_in_order(state: "State", rows: Spilled) -> None:
    """Number labels by their order, also those in a file, where these are sorted by their numbers."""
    fields = state.held[rows.keys :]
    if not any(state._labels[field].places for field in fields if field.labels):
        return
    places = {field: labels.order()[1] for field, labels in state._labels.items() if labels.places}
    runs = rows.changed(
        lambda columns: [
            places[field][column] if field in places else column for field, column in zip(fields, columns, strict=True)
        ]
    )
    rows.cells = {}
    for cell, run in runs:
        own = (places[field][key] if field in places else key for field, key in zip(state.held, cell, strict=False))
        rows.cells.setdefault(tuple(map(int, own)), []).append(run)
    for field in places:
        labels = state._labels[field]
        labels.places = {label: place for place, label in enumerate(labels.listed())}


def _of_queries(state: "State") -> dict[str, list[str]]:
    """The queries of a state of rankings."""
    held = state._queries
    return {} if held is None else {"queries": list(held.settle().queries), "unjudged": sorted(held.unjudged)}


class Lying(NamedTuple):
    """An array as it lies in a file."""

    file: BinaryIO
    at: int
    kind: str
    size: int

    def part(self, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """Some of its numbers, or all."""
        kind = np.dtype(KINDS[self.kind])
        self.file.seek(self.at + start * kind.itemsize)
        size = ((self.size if stop is None else min(stop, self.size)) - start) * kind.itemsize
        return np.frombuffer(self.file.read(size), dtype=kind).astype(self.kind)


def unpacked(cls: type[S], file: BinaryIO, memory: int | str | None) -> S:
    """The state that the bytes of a file are of, from where it stands; it can seek."""
    first = file.tell()
    end = file.seek(0, os.SEEK_END) - 4
    file.seek(first)
    if file.read(len(MAGIC)) != MAGIC:
        raise DataError("these are not the bytes of a state", "give what to_bytes returned")
    if end < file.tell() + 8 or _checksum(file, first, end) != file.read(4):
        raise DataError("the bytes of the state are damaged or cut off", "write them again")
    file.seek(first + len(MAGIC))
    size = int.from_bytes(file.read(8), "little")
    try:
        head = json.loads(file.read(min(size, end - file.tell())))
        if head["version"] not in VERSIONS:
            raise DataError(
                f"version {head['version']} of states is not version {VERSIONS[-1]}, which this certus reads",
                "make the state again, or use the certus that wrote it",
            )
        arrays, at = [], file.tell()
        for kind, count in head["arrays"]:
            arrays.append(Lying(file, at, kind, count))
            at += np.dtype(KINDS[kind]).itemsize * count
            if count < 0:
                raise ValueError("an array is shorter than nothing")
        if at != end:
            raise ValueError("more or fewer bytes than arrays")
        return _made(cls, head, arrays, memory)
    except CertusError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise DataError(f"the bytes are not those of a state ({error})", "write them again") from None


def _checksum(file: BinaryIO, first: int, end: int) -> bytes:
    """The checksum of some of the bytes; the file then stands behind them."""
    file.seek(first)
    crc = 0
    for at in range(first, end, PART):
        crc = zlib.crc32(file.read(min(PART, end - at)), crc)
    return crc.to_bytes(4, "little")


def _made(cls: type[S], head: dict[str, Any], arrays: list[Lying], memory: int | str | None) -> S:
    conventions = {name: _label(value) for name, value in head["conventions"].items()}
    how = {"task": head["task"], "systems": head.get("systems"), "rows": head["rows"], "exact": head["exact"]}
    state = cls(head["metrics"], memory=memory, **how, **conventions)
    if state._queries is not None:
        state._queries.of_arrays(head["queries"], head["unjudged"], [array.part() for array in arrays])
    if head["fields"] is None:
        return state
    state._begin([Field(*field) for field in head["fields"]])
    state.n = head["n"]
    for place, kind, boolean, listed in head["labels"]:
        labels = state._labels[state.held[place]]
        labels.kind, labels.boolean = kind, boolean
        labels.places = {_label(label): i for i, label in enumerate(listed)}
    if state._rows is not None:
        width = len(state.held) + head["counted"]
        if isinstance(state._rows, Cells):
            state._rows.lose(min(max(int(head["lost"]), 0), 63))
        _take(state, state._rows, arrays[:width], counted=head["counted"])
        arrays = arrays[width:]
    named = {str(metric): metric for metric in state._sums}
    for (text, told), parts in zip(head["sums"], arrays, strict=True):
        metric = named[text]
        state._sums[metric] = (
            BinSums.of_parts(told, parts.part(), state.n)
            if isinstance(metric.state, EqualBins)
            else PowerSums.of_parts(metric.bounds, told, parts.part(), state.n)
        )
    return state


def _take(state: "State", rows: Rows, arrays: Sequence[Lying], *, counted: bool) -> None:
    """Add the rows of a file, part by part if not all of them may fit into memory."""
    sizes = {array.size for array in arrays}
    if len(sizes) != 1:
        raise ValueError("rows and their counts do not fit together")
    size, found = sizes.pop(), 0
    step = PART if isinstance(rows, Spilled) else max(size, 1)
    for start in range(0, size, step):
        columns = [array.part(start, start + step) for array in arrays]
        counts = columns.pop() if counted else None
        if counts is not None and (counts.min() < 1 or counts.sum(dtype=np.float64) > 2.0**62):  # a sum that wraps
            raise ValueError("rows and their counts do not fit together")
        _check(state, columns)
        found += len(columns[0]) if counts is None else int(counts.sum(dtype=np.int64))
        rows.take(columns, counts)
        rows.make_room()
    if state.n != found:
        raise ValueError("the number of samples is another")


def _check(state: "State", columns: Sequence[NDArray[Any]]) -> None:
    """Refuse columns that cannot be those of the state."""
    for field, column in zip(state.held, columns, strict=True):
        if (column.dtype.kind == "f") == field.labels or bool(np.isnan(column).any()):
            raise ValueError(f"{field.name} has values of another kind")
        labels = state._labels.get(field)
        known = labels is None or labels.kind in (None, "numbers")
        if labels is not None and not known and not 0 <= column.min() <= column.max() < len(labels.places):
            raise ValueError(f"{field.name} has a label that is not listed")


def _plain(label: Any, name: str) -> Any:
    """A label or a list of labels of a column such as JSON can hold."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, list | tuple | np.ndarray):
        return {"list": [_plain(each, name) for each in label]}
    if isinstance(label, bytes):
        return {"bytes": base64.b64encode(label).decode()}
    if isinstance(label, bool | str | int) or (isinstance(label, float) and math.isfinite(label)):
        return label
    what = f"{called(name)} holds {label!r}, a {type(label).__name__}"
    raise DataError(what, "a state with such a label cannot be written as bytes: give text or numbers")


def _label(value: Any) -> Any:
    if isinstance(value, dict):
        if "list" in value:
            return [_label(each) for each in value["list"]]
        return base64.b64decode(value["bytes"])
    found: Hashable = value
    return found
