"""Columns of each task, states of their batches, and tables of states, for tests of states."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from certus.states import State

N = 240


def columns(task: str) -> dict[str, Any]:
    """Truth and predictions of N samples, or what else the task takes."""
    rng = np.random.default_rng(17)
    if task == "classification":
        truth = rng.integers(0, 2, N)
        score = np.clip(np.round(0.3 * truth + 0.6 * rng.random(N), 2), 0.01, 0.99)
        return {"y_true": truth, "y_pred": (score > 0.5).astype(int), "y_score": score}
    if task == "regression":
        truth = np.exp(rng.normal(size=N))
        return {"y_true": truth, "y_pred": truth * np.exp(rng.normal(size=N) / 2)}
    if task == "clustering":
        truth = rng.integers(0, 4, N)
        return {"labels_true": truth, "labels_pred": np.where(rng.random(N) < 0.6, truth, rng.integers(0, 5, N))}
    if task == "multilabel":
        relevant = rng.random((N, 4)) < [0.1, 0.3, 0.5, 0.9]
        score = np.round(0.4 * relevant + 0.6 * rng.random((N, 4)), 2)
        return {"y_true": relevant.astype(int), "y_pred": (score > 0.5).astype(float), "y_score": score}
    if task == "efficiency":
        late = rng.random(N) < 0.3
        return {
            "timings": np.round(rng.gamma(2, size=N), 2),
            "sizes": rng.integers(1, 900, N),
            "held": rng.integers(0, 2, N),
            "staleness": np.where(late, rng.gamma(2, size=N), 0),
            "updates": rng.poisson(2, N),
        }
    return {"values": np.round(rng.random(N), 2)}


def of_batches(
    metrics: Any, columns: dict[str, Any], parts: int, seed: int, memory: Any, other: Any = None, **told: Any
) -> State:
    """The state of batches in another order, the second half of which was made on its own (with
    another memory), and sent."""
    order = np.random.default_rng(seed).permutation(len(next(iter(columns.values()))))
    one, two = State(metrics, memory=memory, **told), State(metrics, memory=other or memory, **told)
    for position, index in enumerate(np.array_split(order, parts)):
        (one if 2 * position < parts else two).update(**{name: column[index] for name, column in columns.items()})
    return one.merge(State.from_bytes(b"".join(two.parts()), memory=memory) if seed % 2 else two)


def assert_same(found: Iterable[Any], expected: Iterable[Any]) -> None:
    """Rows with the same values, bit for bit, the same words, and the same limits but for rounding."""
    for row, want in zip(found, expected, strict=True):
        assert (row.metric, repr(row.value), row.n, row.unit, row.method, row.reason) == (
            *(want.metric, repr(want.value), want.n, want.unit, want.method, want.reason),
        )
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12, abs=1e-12, nan_ok=True)
