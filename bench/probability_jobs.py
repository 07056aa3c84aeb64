"""Jobs on probabilities and scores of classes, by certus and by scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import calibration
from sklearn import metrics as sklearn

from certus import classification as certus
from contest import Case, agreed

__all__ = ["jobs"]

CLASSES = 10


def jobs(scale: float = 1.0) -> list[Case]:
    """The jobs, with `scale` times the samples they are meant for."""
    return [*_binary(round(1e7 * scale)), *_several(round(1e6 * scale)), *_small()]


def _binary(n: int) -> list[Case]:
    rng = np.random.default_rng(23)
    p = rng.random(n)
    truth = (rng.random(n) < p).astype(np.int64)
    words, single = np.array(["no", "yes"])[truth], p.astype(np.float32)
    clipped = certus.log_loss.using(clip="auto")
    return [
        _case("log loss", n, lambda: clipped(truth, p), lambda: sklearn.log_loss(truth, p), 5),
        _case(
            "log loss with its interval", n, lambda: _with_limits(clipped(truth, p)), lambda: sklearn.log_loss(truth, p)
        ),
        _case(
            "log loss, labels of text",
            n,
            lambda: clipped(words, p, pos_label="yes"),
            lambda: sklearn.log_loss(words, p),
        ),
        # scikit-learn takes the logarithms in single precision.
        _case(
            "log loss of float32",
            n,
            lambda: clipped(truth, single),
            lambda: sklearn.log_loss(truth, single),
            within=1e-4,
        ),
        _case("Brier", n, lambda: certus.brier(truth, p), lambda: sklearn.brier_score_loss(truth, p)),
        Case(
            f"calibration curve of 15 bins, {_size(n)}",
            lambda: certus.calibration_curve(truth, p, n_bins=15),
            "scikit-learn",
            lambda: calibration.calibration_curve(truth, p, n_bins=15),
            lambda ours, theirs: _alike(np.concatenate(list(ours)), np.concatenate(theirs), 1e-12),
        ),
    ]


def _several(n: int) -> list[Case]:
    rng = np.random.default_rng(24)
    truth = rng.integers(0, CLASSES, n)
    scores = rng.standard_normal((n, CLASSES)) + np.eye(CLASSES)[truth]
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    clipped = certus.log_loss.using(clip="auto")
    many = f" of {CLASSES} classes"
    return [
        _case("log loss" + many, n, lambda: clipped(truth, p), lambda: sklearn.log_loss(truth, p)),
        _case("Brier" + many, n, lambda: certus.brier(truth, p), lambda: sklearn.brier_score_loss(truth, p)),
        _case(
            "hinge loss" + many, n, lambda: certus.hinge_loss(truth, scores), lambda: sklearn.hinge_loss(truth, scores)
        ),
        _case(
            "top-5 accuracy" + many,
            n,
            lambda: certus.top_k_accuracy(truth, scores, k=5),
            lambda: sklearn.top_k_accuracy_score(truth, scores, k=5),
        ),
    ]


def _small() -> list[Case]:
    rng = np.random.default_rng(25)
    p = rng.random(100)
    truth = (rng.random(100) < p).astype(np.int64)
    clipped = certus.log_loss.using(clip="auto")
    return [
        _case("log loss", 100, lambda: clipped(truth, p), lambda: sklearn.log_loss(truth, p), calls=2000),
        _case("Brier", 100, lambda: certus.brier(truth, p), lambda: sklearn.brier_score_loss(truth, p), calls=2000),
    ]


def _case(
    name: str,
    n: int,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    faster: float | None = None,
    *,
    within: float = 1e-12,
    calls: int = 1,
) -> Case:
    return Case(
        f"{name}, {_size(n)}",
        lambda: ours().value,
        "scikit-learn",
        theirs,
        lambda our, their: _alike(our, their, within),
        faster,
        calls=calls,
    )


def _with_limits(estimate: Any) -> Any:
    estimate.interval()
    return estimate


def _size(n: int) -> str:
    return f"{n} samples" if n < 1000 else f"n = {n:.0e}".replace("e+0", "e")


def _alike(ours: Any, theirs: Any, within: float) -> str:
    apart = float(np.max(np.abs(np.asarray(ours) - np.asarray(theirs))))
    agreed(apart <= within, f"the answers are {apart:.1e} apart")
    return f"within {apart:.0e}" if apart else "same"
