"""A state as bytes: a JSON head, arrays, and a checksum. Nothing in it is executed."""

import base64
import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import CertusError, DataError, mention
from certus.metrics.state_kinds import EqualBins
from certus.states._batch import Field
from certus.states._cells import Cells, check_fields, lost_bits
from certus.states._rows import Rows, Spilled, narrow
from certus.states._sums import BinSums, PowerSums, names_of

if TYPE_CHECKING:
    from certus.states._state import State


MAGIC = b"certus-state\n"
VERSIONS = (3, 4)
"""Since the third the ends of bounded values are counted; since the fourth the columns of queries are narrow."""
PART = 1 << 20
"""Rows that are read at once, where not all of them may fit into memory."""
DTYPES = {f"{kind}{8 * size}": f"<{kind[0]}{size}" for kind in ("int", "uint") for size in (1, 2, 4, 8)}
DTYPES |= {"float32": "<f4", "float64": "<f8"}
S = TypeVar("S", bound="State")


class StoredArray(NamedTuple):
    """An array to be written in several blocks."""

    dtype: str
    size: int
    parts: Iterable[NDArray[Any]]


def _stored_array(array: NDArray[Any]) -> StoredArray:
    """Describe an array for writing: its type, its length, and the array as a single block."""
    return StoredArray(str(array.dtype), len(array), [array])


def state_bytes(state: "State") -> Iterator[bytes]:
    """Bytes of a state, block by block, so that rows in a file are never all in memory."""
    columns, has_counts = _stored_rows(state)
    sums = []
    for metric, metric_sums in sorted(state._sums.items(), key=lambda pair: str(pair[0])):
        columns.append(_stored_array(metric_sums.parts))
        sums.append([str(metric), metric_sums.to_json()])
    queries: dict[str, list[str]] = {}
    if state._queries is not None:
        columns = list(map(_stored_array, state._queries.arrays))
        queries = {"queries": list(state._queries.settle().queries), "unjudged": sorted(state._queries.unjudged)}
    head = {
        "version": VERSIONS[-1],
        **({} if state.systems is None else {"systems": state.systems}),
        "task": state.task.name,
        "metrics": None if state.metrics is None else list(map(str, state.metrics)),
        "conventions": {
            name: _to_json(value, name) for name, value in sorted((state.conventions | state.decided).items())
        },
        "rows": state.rows,
        "exact": state.exact,
        "lost": lost_bits(state._rows),
        "n": state.n,
        "fields": None if state.fields is None else list(map(list, state.fields)),
        "labels": [
            [
                state.row_fields.index(field),
                labels.kind,
                labels.boolean,
                [_to_json(label, field.name) for label in labels.in_order()],
            ]
            for field, labels in state._labels.items()
        ],
        "counted": has_counts,
        "sums": sums,
        **queries,
        "arrays": [[column.dtype, column.size] for column in columns],
    }
    text = json.dumps(head, allow_nan=False, separators=(",", ":")).encode()
    arrays = (
        np.ascontiguousarray(part, dtype=DTYPES[column.dtype]).tobytes() for column in columns for part in column.parts
    )
    crc = 0
    for part in chain([MAGIC, len(text).to_bytes(8, "little"), text], arrays):
        crc = zlib.crc32(part, crc)
        yield part
    yield crc.to_bytes(4, "little")


def _stored_rows(state: "State") -> tuple[list[StoredArray], bool]:
    """Columns of the rows as stored arrays, and True if the last one has their counts."""
    rows = state._rows
    if not (isinstance(rows, Spilled) and rows.spill()):
        columns, counts = state.distinct_rows()
        return list(map(_stored_array, columns if counts is None else [*columns, counts])), counts is not None
    _number_in_order(state, rows)
    key_labels = [state._labels[field] for field in state.row_fields[: rows.keys]]
    runs = {
        tuple(int(labels.ordered(np.array([code]))[0]) for labels, code in zip(key_labels, cell, strict=True)): run
        for cell, run in rows.compact().items()
    }
    cells, blocks = [], []
    for cell, run in sorted(runs.items()):
        cells += [cell] * len(run)
        blocks += run
    n_rows = sum(block.rows for block in blocks)
    stored = []
    for codes in map(narrow, np.array(cells, dtype=np.int64).T):
        parts = (np.full(block.rows, code, codes.dtype) for code, block in zip(codes, blocks, strict=True))
        stored.append(StoredArray(str(codes.dtype), n_rows, parts))
    for index, dtypes in enumerate(zip(*(block.dtypes for block in blocks), strict=True)):
        stored.append(StoredArray(str(np.result_type(*dtypes)), n_rows, rows.column(index, blocks)))
    count_dtypes = [block.count_dtype for block in blocks if block.count_dtype is not None]
    if count_dtypes:
        stored.append(StoredArray(str(np.result_type(*count_dtypes)), n_rows, rows.counts(blocks)))
    return stored, bool(count_dtypes)


def _number_in_order(state: "State", rows: Spilled) -> None:
    """Renumber labels by their order, also in a file, whose cells are sorted by these numbers."""
    fields = state.row_fields[rows.keys :]
    if not any(state._labels[field].codes for field in fields if field.labels):
        return
    ranks = {field: labels.ranks() for field, labels in state._labels.items() if labels.codes}
    runs = rows.append_changed(
        lambda columns: [
            ranks[field][column] if field in ranks else column for field, column in zip(fields, columns, strict=True)
        ]
    )
    rows.cells = {}
    for cell, run in runs:
        codes = (
            ranks[field][code] if field in ranks else code for field, code in zip(state.row_fields, cell, strict=False)
        )
        rows.cells.setdefault(tuple(map(int, codes)), []).append(run)
    for field in ranks:
        labels = state._labels[field]
        labels.codes = {label: code for code, label in enumerate(labels.in_order())}


class FileArray(NamedTuple):
    """An array in a file, from a byte offset."""

    file: BinaryIO
    start: int
    dtype: str
    size: int

    def part(self, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """Read some of the numbers, or all."""
        dtype = np.dtype(DTYPES[self.dtype])
        self.file.seek(self.start + start * dtype.itemsize)
        size = ((self.size if stop is None else min(stop, self.size)) - start) * dtype.itemsize
        return np.frombuffer(self.file.read(size), dtype=dtype).astype(self.dtype)


def read_state(cls: type[S], file: BinaryIO, memory: int | str | None) -> S:
    """Read a state from the current position of a seekable file."""
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
        head = json.loads(file.read(min(size, end - file.tell())), parse_float=_finite, parse_constant=_finite)
        if head["version"] not in VERSIONS:
            raise DataError(
                f"version {head['version']} of states is not version {VERSIONS[-1]}, which this certus reads",
                "make the state again, or use the certus that wrote it",
            )
        arrays, start = [], file.tell()
        for dtype, count in head["arrays"]:
            arrays.append(FileArray(file, start, dtype, count))
            start += np.dtype(DTYPES[dtype]).itemsize * count
            if count < 0:
                raise ValueError("an array is shorter than nothing")
        if start != end:
            raise ValueError("more or fewer bytes than arrays")
        return _state_of_head(cls, head, arrays, memory)
    except CertusError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise DataError(f"the bytes are not those of a state ({error})", "write them again") from None


def _checksum(file: BinaryIO, first: int, end: int) -> bytes:
    """Checksum of a range of bytes; the file's position is then after them."""
    file.seek(first)
    crc = 0
    for start in range(first, end, PART):
        crc = zlib.crc32(file.read(min(PART, end - start)), crc)
    return crc.to_bytes(4, "little")


def _state_of_head(cls: type[S], head: dict[str, Any], arrays: list[FileArray], memory: int | str | None) -> S:
    """Rebuild a state from its decoded header and stored arrays; refuse inconsistent content."""
    conventions = {name: _from_json(value) for name, value in head["conventions"].items()}
    options = {"task": head["task"], "systems": head.get("systems"), "rows": head["rows"], "exact": head["exact"]}
    state = cls(head["metrics"], memory=memory, **options, **conventions)
    for name, kind in (("rows", bool), ("exact", bool), ("counted", bool), ("n", int), ("lost", int)):
        if type(head[name]) is not kind:
            raise ValueError(f"{name} is of another type")
    if (state.conventions | state.decided).keys() != conventions.keys() or not isinstance(head["metrics"], list | None):
        raise ValueError("metrics and conventions are not those of a state")
    if state._queries is not None:
        state._queries.of_arrays(head["queries"], head["unjudged"], [array.part() for array in arrays])
    if head["fields"] is None:
        return state
    fields = [Field(*field) for field in head["fields"]]
    state._reader.check_fields(fields)
    if not state.exact:
        check_fields(fields)
    state._begin(fields)
    state.n = head["n"]
    if [state.row_fields[index] for index, *_ in head["labels"]] != list(state._labels):
        raise ValueError("the columns with labels are others")
    for labels, (_, kind, boolean, in_order) in zip(state._labels.values(), head["labels"], strict=True):
        labels.set_stored(kind, boolean, list(map(_from_json, in_order)))
    if not 0 <= head["lost"] < (64 if isinstance(state._rows, Cells) else 1):
        raise ValueError("scores have lost more bits than they have")
    if state._rows is not None:
        width = len(state.row_fields) + head["counted"]
        if isinstance(state._rows, Cells):
            state._rows.lose(head["lost"])
        _read_rows(state, state._rows, arrays[:width], has_counts=head["counted"])
        arrays = arrays[width:]
    metric_by_text = {str(metric): metric for metric in state._sums}
    names = {field.name for field in fields}
    has_columns = all(names.issuperset(names_of(state.task, metric)) for metric in state._sums)
    if [text for text, _ in head["sums"]] != sorted(metric_by_text) or not has_columns:
        raise ValueError("the sums are of other metrics")
    for (text, numbers), parts in zip(head["sums"], arrays, strict=True):
        metric = metric_by_text[text]
        state._sums[metric] = (
            BinSums.from_json(numbers, parts.part(), state.n)
            if isinstance(metric.state, EqualBins)
            else PowerSums.from_json(metric.bounds, numbers, parts.part(), state.n)
        )
    return state


def _read_rows(state: "State", rows: Rows, arrays: Sequence[FileArray], *, has_counts: bool) -> None:
    """Add the rows in the file to the state, block by block if they may exceed the memory."""
    sizes = {array.size for array in arrays}
    if len(sizes) != 1:
        raise ValueError("rows and their counts do not fit together")
    size, n = sizes.pop(), 0
    step = PART if isinstance(rows, Spilled) else max(size, 1)
    for start in range(0, size, step):
        columns = [array.part(start, start + step) for array in arrays]
        counts = columns.pop() if has_counts else None
        is_wrong = counts is not None and len(counts) and (counts.dtype.kind != "i" or int(counts.min()) < 1)
        if is_wrong or (counts is not None and counts.sum(dtype=np.float64) > 2.0**62):  # a sum that wraps
            raise ValueError("rows and their counts do not fit together")
        _check_columns(state, columns)
        n += len(columns[0]) if counts is None else int(counts.sum(dtype=np.int64))
        rows.count(columns, counts)
        rows.make_room()
    if state.n != n:
        raise ValueError("the number of samples is another")


def _check_columns(state: "State", columns: Sequence[NDArray[Any]]) -> None:
    """Refuse columns that do not fit the state."""
    for field, column in zip(state.row_fields, columns, strict=True):
        if field.labels and len(column):
            state._labels[field].check_stored(column)
        elif not field.labels and column.dtype.kind != "f":
            raise ValueError(f"{field.name} has values of another kind")
    if len(columns[0]):
        state._reader.check_rows(dict(zip(state.row_fields, columns, strict=True)))


def _finite(text: str) -> float:
    """Parse a number in JSON; refuse NaN and infinity."""
    if not math.isfinite(number := float(text)):
        raise ValueError(f"a number is {text}")
    return number


def _to_json(label: Any, name: str) -> Any:
    """Label, or list of labels, in JSON."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, list | tuple | np.ndarray):
        return {"list": [_to_json(item, name) for item in label]}
    if isinstance(label, bytes):
        return {"bytes": base64.b64encode(label).decode()}
    if isinstance(label, bool | str | int) or (isinstance(label, float) and math.isfinite(label)):
        return label
    problem = f"{mention(name)} holds {label!r}, a {type(label).__name__}"
    raise DataError(problem, "a state with such a label cannot be written as bytes: give text or numbers")


def _from_json(value: Any) -> Any:
    """Restore a label or list of labels from JSON; bytes are stored as base64."""
    if isinstance(value, dict):
        if "list" in value:
            return [_from_json(item) for item in value["list"]]
        return base64.b64decode(value["bytes"])
    return value
