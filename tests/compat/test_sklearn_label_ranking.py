"""scikit-learn's metrics of ranked labels: the values, and the same errors for the same mistakes."""

import math
from typing import Any

import numpy as np
import pytest

import certus.compat.sklearn as ours

theirs = pytest.importorskip("sklearn.metrics")

NAMES = [
    "coverage_error",
    "dcg_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "ndcg_score",
]
TRUE = [[1, 0, 1], [0, 0, 1], [0, 0, 0], [1, 1, 1]]
SCORES = [[0.5, 0.5, 0.1], [0.2, 0.9, 0.3], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]


def _said(face: Any, name: str, *data: Any, **keywords: Any) -> Any:
    """The value, or the class and the text of the error."""
    try:
        return getattr(face, name)(*data, **keywords)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        return type(error).__mro__[-4:], str(error).replace("\n", " ")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weights", [None, [1, 2, 0, 0.5], np.array([3, 1, 1, 1])], ids=["none", "list", "array"])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, bool])
def test_values(name: str, weights: Any, kind: Any) -> None:
    for scores in (np.array(SCORES), np.array(SCORES, dtype=np.float32), np.array(TRUE)[::-1], SCORES):
        data = np.array(TRUE, dtype=kind), scores
        value = getattr(ours, name)(*data, sample_weight=weights)
        assert type(value) is float
        assert value == pytest.approx(getattr(theirs, name)(*data, sample_weight=weights), rel=1e-12)


@pytest.mark.parametrize("options", [{"k": 1}, {"k": np.int64(2)}, {"k": 99}, {"ignore_ties": True}, {"log_base": 0.5}])
def test_options_of_gains(options: dict[str, Any]) -> None:
    grades, scores = [[3, 0, 1.5], [0.5, 2, 0]], [[0.5, 0.4, 0.1], [0.2, 0.2, 0.3]]
    for name in ("dcg_score", "ndcg_score"):
        if name == "ndcg_score" and "log_base" in options:
            continue
        expected = getattr(theirs, name)(grades, scores, **options)
        assert getattr(ours, name)(grades, scores, **options) == pytest.approx(expected, rel=1e-12)


MISTAKES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "one axis": ([1, 0, 1], [0.1, 0.2, 0.3], {}),
    "one axis of scores": ([[1, 0, 1]], [0.1, 0.2, 0.3], {}),
    "multiclass": ([[0, 1, 2]], [[0.1, 0.2, 0.3]], {}),
    "continuous": ([[0.5, 1.5]], [[0.1, 0.2]], {}),
    "shapes": ([[0, 1], [1, 0]], [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]], {}),
    "samples": ([[0, 1], [1, 0]], [[0.1, 0.2]], {}),
    "NaN": ([[0, 1]], [[0.1, math.nan]], {}),
    "infinite": ([[0, 1]], [[0.1, math.inf]], {}),
    "NaN in truth": ([[0, math.nan]], [[0.1, 0.2]], {}),
    "text": ([["a", "b"]], [[0.1, 0.2]], {}),
    "nothing": ([], [], {}),
    "no samples": (np.empty((0, 2)), np.empty((0, 2)), {}),
    "weights": ([[0, 1], [1, 0]], [[0.1, 0.2], [0.3, 0.4]], {"sample_weight": [1]}),
    "one label": ([[0], [1]], [[0.1], [0.2]], {}),
    "negative": ([[-1, 2]], [[0.1, 0.2]], {}),
    "three axes": ([[[0, 1]]], [[[0, 1]]], {}),
    "not an array": ("spam", [[0.1, 0.2]], {}),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_told_in_the_same_words(name: str, mistake: tuple[Any, Any, dict[str, Any]]) -> None:
    true, scores, keywords = mistake
    expected = _said(theirs, name, true, scores, **keywords)
    found = _said(ours, name, true, scores, **keywords)
    if np.shape(true) != np.shape(scores) and name in ("dcg_score", "ndcg_score") and len(true) == len(scores):
        assert found[1] == "y_true and y_score have different shape"  # scikit-learn fails inside numpy
        return
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-12)
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("dcg_score", {"k": 0}),
        ("dcg_score", {"log_base": 0}),
        ("ndcg_score", {"ignore_ties": 2}),
        ("ndcg_score", {"k": 1.5}),
    ],
)
def test_parameters_are_refused_in_the_same_words(name: str, wrong: dict[str, Any]) -> None:
    assert _said(ours, name, TRUE, SCORES, **wrong)[1] == _said(theirs, name, TRUE, SCORES, **wrong)[1]


def test_truth_may_be_sparse_where_scikit_learn_takes_it() -> None:
    import scipy.sparse

    sparse = scipy.sparse.csr_array(TRUE)
    for name in ("label_ranking_average_precision_score", "label_ranking_loss"):
        assert getattr(ours, name)(sparse, SCORES) == getattr(ours, name)(TRUE, SCORES)
    assert _said(ours, "coverage_error", sparse, SCORES)[1] == _said(theirs, "coverage_error", sparse, SCORES)[1]
