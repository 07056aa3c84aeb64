"""Jobs on true and predicted labels, by certus and by scikit-learn."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as sklearn

from certus import classification as certus
from contest import Case, agreed

__all__ = ["jobs"]


def jobs(scale: float = 1.0) -> list[Case]:
    """The jobs, with `scale` times the samples they are meant for."""
    n = round(1e7 * scale)
    two, ten = _predictions(n, 2), _predictions(n, 10)
    names = np.array([f"class {k}" for k in range(10)])
    texts = names[ten[0]], names[ten[1]]
    few = n // 10  # scikit-learn sorts objects, which takes it half a minute for all of them
    objects = names.astype(object)[ten[0][:few]], names.astype(object)[ten[1][:few]]
    return [
        *_of("two whole numbers", *two, faster=5),
        *_of("ten whole numbers", *ten, faster=5),
        *_of("ten texts", *texts, faster=3),
        *_of("ten strings as objects", *objects, faster=3),
        *_small(),
    ]


def _predictions(n: int, classes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rng = np.random.default_rng(classes)
    true = rng.integers(0, classes, n)
    return true, np.where(rng.random(n) < 0.25, rng.integers(0, classes, n), true)


def _of(what: str, true: NDArray[Any], predicted: NDArray[Any], faster: float) -> list[Case]:
    size = f"n = {len(true):.0e}".replace("e+0", "e")
    average: Any = "binary" if what.startswith("two") else "macro"

    def case(name: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Case:
        return Case(f"{name} of {what}, {size}", ours, "scikit-learn", theirs, _close, faster)

    return [
        case(
            "confusion matrix",
            lambda: certus.confusion_matrix(true, predicted).counts,
            lambda: sklearn.confusion_matrix(true, predicted),
        ),
        case(
            "F1",
            lambda: certus.f1(true, predicted, average=average).value,
            lambda: sklearn.f1_score(true, predicted, average=average),
        ),
        case(
            "kappa",
            lambda: certus.cohen_kappa(true, predicted).value,
            lambda: sklearn.cohen_kappa_score(true, predicted),
        ),
        case("MCC", lambda: certus.mcc(true, predicted).value, lambda: sklearn.matthews_corrcoef(true, predicted)),
    ]


def _small() -> list[Case]:
    true, predicted = _predictions(100, 2)

    def case(name: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Case:
        return Case(f"{name}, n = 100", ours, "scikit-learn", theirs, _close, 10, calls=1000)

    return [
        case("F1", lambda: certus.f1(true, predicted).value, lambda: sklearn.f1_score(true, predicted)),
        case(
            "kappa",
            lambda: certus.cohen_kappa(true, predicted).value,
            lambda: sklearn.cohen_kappa_score(true, predicted),
        ),
        case(
            "accuracy",
            lambda: certus.accuracy(true, predicted).value,
            lambda: sklearn.accuracy_score(true, predicted),
        ),
        Case(
            "MCC with its interval, n = 100",
            lambda: _with_limits(certus.mcc(true, predicted)),
            "scikit-learn",
            lambda: sklearn.matthews_corrcoef(true, predicted),
            _close,
            calls=1000,
        ),
        _report(true, predicted),
        *map(_printed, (2, 5)),
    ]


def _with_limits(estimate: Any) -> float:
    estimate.interval()
    return float(estimate.value)


def _report(true: NDArray[np.int64], predicted: NDArray[np.int64]) -> Case:
    """The values of all metrics; their intervals are made when somebody looks at the rows."""
    return Case(
        "report, n = 100",
        lambda: certus.report(true, predicted),
        "scikit-learn",
        lambda: sklearn.classification_report(true, predicted, digits=4),
        lambda ours, theirs: _same_numbers(str(ours), str(theirs)),
        calls=200,
    )


def _printed(classes: int) -> Case:
    true, predicted = _predictions(1000, classes)

    def ours() -> str:
        return str(certus.report(true, predicted))

    def theirs() -> str:
        return str(sklearn.classification_report(true, predicted, digits=4))

    return Case(f"printed report of {classes} classes, n = 1000", ours, "scikit-learn", theirs, _same_numbers, 1, 20)


def _same_numbers(ours: str, theirs: str) -> str:
    """Precision, recall and F1 of every class, as they are printed; certus adds intervals and more metrics."""
    missing = [number for number in re.findall(r"\b[01]\.\d{4}\b", theirs) if number not in ours]
    agreed(not missing, f"certus lacks {missing}")
    return "same digits"


def _close(ours: Any, theirs: Any) -> str:
    apart = float(np.max(np.abs(np.asarray(ours, dtype=np.float64) - theirs)))
    agreed(apart < 1e-12, f"they are {apart:.1e} apart")
    return "equal" if apart == 0 else f"within {apart:.0e}"
