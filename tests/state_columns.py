"""Columns of each task, for tests of states."""

from typing import Any

import numpy as np

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
