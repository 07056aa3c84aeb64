"""Samples of weight 0 are checked as all others are, and change no value: every function against scikit-learn's own."""

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn_oracle import FUNCTIONS, check_equal, outcome, theirs

import certus.compat.sklearn as face

WEIGHTS = [1.0, 2.0, 0.0, 1.0, 0.5, 0.0]
LABELS, OTHER = np.array([0, 1, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 0, 0])
CLASSES = np.array([0, 1, 2, 0, 1, 2])
SHARES = np.array(
    [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
)
TABLE = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 1]])
DATA = {
    "labels": (LABELS, OTHER),
    "scores": (LABELS, np.array([0.1, 0.8, 0.4, 0.7, 0.3, 0.2])),
    "classes": (CLASSES, np.array([0, 2, 2, 0, 1, 1])),
    "probabilities": (CLASSES, SHARES),
    "numbers": (np.array([1.0, 2.0, 3.5, 4.0, 0.5, 2.5]), np.array([1.5, 2.0, 3.0, 4.5, 1.0, 2.0])),
    "tables": (TABLE, 1 - TABLE[::-1]),
    "tables of scores": (TABLE, SHARES),
}
BAD = [np.nan, np.inf, -np.inf, -1, -0.5, 0, 1.5, 2, 7]


def _weighted(name: str) -> bool:
    return "sample_weight" in inspect.signature(theirs(name)).parameters


def _changed(columns: tuple[NDArray[Any], NDArray[Any]]) -> Iterator[tuple[NDArray[Any], ...]]:
    """The columns with another value in a sample of weight 0, as whole numbers where it is one and as floats."""
    for side in (0, 1):
        for value in BAD:
            whole = columns[side].dtype.kind == "i" and float(value).is_integer()
            for kind in (int, float) if whole else (float,):
                column = columns[side].astype(kind)
                column[2 if column.ndim == 1 else (2, 0)] = value
                yield (column, columns[1]) if side == 0 else (columns[0], column)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if _weighted(name)])
def test_samples_of_weight_0_are_treated_as_by_scikit_learn(name: str) -> None:
    compared, given = 0, {"sample_weight": WEIGHTS, **({"beta": 2.0} if name == "fbeta_score" else {})}
    for columns in DATA.values():
        if outcome(theirs(name), columns, given)[1]:
            continue  # not what the function takes
        for changed in _changed(columns):
            value, error, _ = outcome(getattr(face, name), changed, given)
            wanted, refused, _ = outcome(theirs(name), changed, given)
            assert bool(error) == bool(refused), (changed, error, refused)
            if not error:
                check_equal(value, wanted, 1e-9)
            compared += 1
    assert compared


def test_poisson_deviance_of_a_prediction_of_0_is_refused_whatever_its_weight() -> None:
    with pytest.raises(ValueError, match="strictly positive y_pred"):
        face.mean_poisson_deviance([0, 0], [0, 1], sample_weight=[0, 0.5])
    with pytest.raises(ValueError, match="less than or equal to -1"):
        face.mean_squared_log_error([0, 0], [-2, 1], sample_weight=[0, 0.5])


def test_a_class_without_weight_costs_no_log_loss() -> None:
    found = face.d2_log_loss_score(CLASSES, SHARES, sample_weight=WEIGHTS)
    assert found == pytest.approx(theirs("d2_log_loss_score")(CLASSES, SHARES, sample_weight=WEIGHTS), rel=1e-12)
