"""States whose bytes are forged, with checksums that fit: for tests and tools/fuzz.py."""

import copy
import json
import math
import random
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from state_columns import columns

import certus
from certus import CertusError
from certus.states import State

__all__ = ["forged_state", "misuse", "parse_state", "state_bytes", "state_seeds"]

START = len(b"certus-state\n")
VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, -1, 7, 255, 2**31, 2**53, 2**62, 2**63, 2**64, -(2**63), 0.5, -0.5, 1e308, 1e400),
    *("", "a", "nan", "inf", "-inf", "0", "1", "-1", "1e308", "5e-324", "2", "\ud800", "\0", "Accuracy", "AUC", "MAE"),
    *([], {}, [None], [0], [[]], ["a"], {"list": []}, {"list": [1, "a"]}, {"bytes": "YQ=="}, {"bytes": "x"}),
    *("classification", "ranking", "regression", "y_true", "y_score", "groups", "by", "sample_weight", "int8", "text"),
]
NUMBERS = [
    *(0, 1, -1, 2, 127, -128, 255, 2**31 - 1, -(2**31), 2**32 - 1, 2**53, 2**62, 2**63 - 1, -(2**63), 2**64 - 1),
    *(0.5, -0.5, 1.5, -0.0, math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 1e-160, 1e200, 1e16),
]
TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


class Parsed(NamedTuple):
    """The parts of a state's bytes."""

    head: Any
    arrays: list[NDArray[Any]]


def parse_state(data: bytes) -> Parsed:
    """The head and the arrays of a state's bytes."""
    end = START + 8 + int.from_bytes(data[START : START + 8], "little")
    head, arrays = json.loads(data[START + 8 : end]), []
    for kind, size in head["arrays"]:
        arrays.append(np.frombuffer(data, dtype=kind, count=size, offset=end).copy())
        end += arrays[-1].nbytes
    return Parsed(head, arrays)


def state_bytes(head: Any, arrays: list[NDArray[Any]], *, describe: bool = True) -> bytes:
    """The bytes of a head and arrays, which the head describes, with their checksum."""
    if describe and isinstance(head, dict):
        head["arrays"] = [[str(array.dtype), len(array)] for array in arrays]
    text = json.dumps(head, separators=(",", ":")).encode()
    return with_checksum(
        b"certus-state\n" + len(text).to_bytes(8, "little") + text + b"".join(array.tobytes() for array in arrays)
    )


def with_checksum(data: bytes) -> bytes:
    """The bytes with their checksum behind them."""
    return data + zlib.crc32(data).to_bytes(4, "little")


@cache
def state_seeds() -> list[bytes]:
    """Small states of every task and kind of sums, rows and queries."""
    return [state.to_bytes() for state in _states()]


def _states() -> Iterator[State]:
    rng = np.random.default_rng(3)
    cut = {task: {name: column[:12] for name, column in columns(task).items()} for task in TASKS}
    units = {"groups": list("aabbccddeeff"), "by": list("xxxyyyxxxyyy"), "sample_weight": rng.integers(1, 4, 12) / 2}
    for task, metrics in TASKS.items():
        for metric in metrics:
            for rows in (False, True):
                state = State(metric, task=task, rows=rows)
                state.update(**cut[task])
                yield state
        state = State(list(metrics), task=task)
        state.update(**cut[task])
        yield state
        for name, unit in units.items():
            state = State(metrics[0], task=task)
            try:
                state.update(**cut[task], **{name: unit})
            except CertusError:  # not every task has it
                continue
            yield state
    state = State(["AUC", "LogLoss", "Accuracy"], systems=["m", "n"])
    given = cut["classification"]
    predicted = {name: given[name] for name in ("y_pred", "y_score")}
    mirrored = {name: column[::-1].copy() for name, column in predicted.items()}
    state.update(given["y_true"], {"m": predicted, "n": mirrored})
    yield state
    state = State(["AUC", "AP"], exact=False)
    state.update(given["y_true"], score=given["y_score"])
    yield state
    words = State(["Accuracy", "F1(average=macro)"])
    words.update(["no", "yes", "maybe", "yes"] * 3, pred=["yes", "yes", "no", "maybe"] * 3)
    yield words
    conventions: list[dict[str, Any]] = [{}, {"ties": "average"}, {"queries": "intersection"}]
    for chosen in conventions:
        state = State(["AP", "nDCG@3", "P@2", "RR", "bpref", "Judged@3"], task="ranking", **chosen)
        state.update(
            {"a": {"d1": 2, "d2": 0, "d3": 1}, "b": {"d1": 1, "d4": -1}, "é": {"d9": 1}},
            {"a": {"d1": 0.5, "d3": 0.5, "d7": 0.4}, "b": {"d4": 1.0, "d1": 0.9}, "x": {"d1": 1.0}},
        )
        yield state


TASKS: dict[str, list[str]] = {
    "classification": ["AUC", "AP", "LogLoss", "Brier", "Accuracy", "F1", "MCC", "ECE", "KS", "kappa"],
    "regression": [
        "MAE",
        "RMSE",
        "R2",
        "Pearson",
        "Spearman",
        "MedAE",
        "MAPE",
        "CCC",
        "MSE",
        "MSLE",
        "Pinball(alpha=0.2)",
        "PoissonDeviance",
        "ExplainedVariance",
    ],
    "clustering": ["ARI", "NMI", "V"],
    "multilabel": ["Hamming", "F1", "LRAP", "RankingLoss"],
    "values": ["Mean", "Median", "GeometricMean"],
    "efficiency": ["MeanLatency", "Latency@0.5", "Throughput", "Freshness"],
}


def forged_state(draw: random.Random) -> bytes:
    """The bytes of a state, changed in one to three places, with a checksum that fits."""
    data = draw.choice(state_seeds())
    if draw.random() < 0.15:
        changed = bytearray(data[:-4])
        for _ in range(draw.randint(1, 3)):
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
        return with_checksum(bytes(changed))
    parsed = parse_state(data)
    describe = True
    for _ in range(draw.randint(1, 3)):
        describe = _change(parsed, draw) and describe
    return state_bytes(*parsed, describe=describe)


def _change(parsed: Parsed, draw: random.Random) -> bool:
    """Change one value of the head or one array; False if the head may describe other arrays now."""
    if not parsed.arrays or draw.random() < 0.4:
        _change_head(parsed.head, draw)
        return draw.random() < 0.8
    _change_array(parsed.arrays, draw)
    return True


def _change_head(head: Any, draw: random.Random) -> None:
    parent = draw.choice(list(_containers(head)))
    keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
    new = copy.deepcopy(draw.choice(VALUES))
    way = draw.choice(("add", "delete", "swap", "replace", "shift"))
    if not keys or way == "add":
        if isinstance(parent, dict):
            parent["a"] = new
        else:
            parent.append(new)
        return
    key, other = draw.choice(keys), draw.choice(keys)
    if way == "delete":
        del parent[key]
    elif way == "swap":
        parent[key], parent[other] = parent[other], parent[key]
    elif way == "shift" and isinstance(parent[key], int | float):
        parent[key] += draw.choice((-1, 1, 2, 0.5))
    else:
        parent[key] = new


def _change_array(arrays: list[NDArray[Any]], draw: random.Random) -> None:
    index, other = draw.randrange(len(arrays)), draw.randrange(len(arrays))
    array, way = arrays[index], draw.choice(("number", "copy", "type", "swap", "size"))
    if way == "number" and len(array):
        array[draw.randrange(len(array))] = _converted(np.array([draw.choice(NUMBERS)]), array.dtype)[0]
    elif way == "copy" and len(array):
        array[draw.randrange(len(array))] = array[draw.randrange(len(array))]
    elif way == "type":
        arrays[index] = _converted(array, np.dtype(draw.choice(TYPES)))
    elif way == "swap":
        arrays[index], arrays[other] = arrays[other], arrays[index]
    else:
        size = draw.choice((0, 1, max(len(array) - 1, 0), len(array) + 1))
        arrays[index] = np.resize(array, size) if len(array) else np.zeros(size, array.dtype)


def _converted(array: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """Numbers as another type, which may not hold them."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return array.astype(kind)


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _containers(item)


def misuse(data: bytes, memory: int | None = None) -> bool:
    """Read a state and use it in all ways: True if it was read.

    Raises AssertionError for values outside their bounds; errors that are none of certus's go through.
    """
    try:
        state = State.from_bytes(data, memory=memory)
    except CertusError:
        return False
    for use in (_evaluate, _chance, _compare, _bounds, _write, _merge):
        with suppress(CertusError):
            use(state)
    return True


def _evaluate(state: State) -> None:
    _check(state, state.evaluate())


def _chance(state: State) -> None:
    _check(state, state.evaluate(chance=True))


def _compare(state: State) -> None:
    if state.systems is None:
        return
    for row in state.compare():
        for p in (row.p, row.p_adjusted):
            assert math.isnan(p) or 0 <= p <= 1, row
        assert not row.low > row.difference, row
        assert not row.high < row.difference, row


def _bounds(state: State) -> None:
    for metric, (low, high) in state.bounds().items():
        assert not low > high, (metric, low, high)


def _write(state: State) -> None:
    data = state.to_bytes()
    assert State.from_bytes(data).to_bytes() == data


def _merge(state: State) -> None:
    State.from_bytes(state.to_bytes()).merge(state).evaluate()


def _check(state: State, table: Any) -> None:
    for row in table:
        least, greatest = certus.parse(row.metric, task=state.task.name).bounds
        if row.among:  # a difference of two subgroups
            least, greatest = least - greatest, greatest - least
        for value in (row.value, row.low, row.high):
            assert math.isnan(value) or least <= value <= greatest, row
        assert not row.low > row.high, row
        assert row.n >= 0, row
    str(table)
    table.to_json()
