"""scikit-learn's regression metrics: values, errors and warnings, side by side."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from in_a_row import in_a_row
from sklearn_oracle import check_same

ERRORS = (
    "mean_absolute_error",
    "mean_squared_error",
    "root_mean_squared_error",
    "mean_squared_log_error",
    "root_mean_squared_log_error",
    "median_absolute_error",
    "mean_absolute_percentage_error",
    "mean_pinball_loss",
    "d2_pinball_score",
    "d2_absolute_error_score",
)
SCORES = ("r2_score", "explained_variance_score")
ONE = ("max_error", "mean_tweedie_deviance", "mean_poisson_deviance", "mean_gamma_deviance", "d2_tweedie_score")
NAN = float("nan")
examples = settings(max_examples=25, deadline=None)


@st.composite
def targets(draw: st.DrawFn, outputs: int | None = None) -> tuple[Any, Any, Any]:
    """True and predicted numbers, often equal, and weights."""
    n = draw(st.integers(2, 12))
    columns = draw(st.integers(1, 3)) if outputs is None else outputs
    numbers = draw(st.sampled_from([st.integers(0, 4), st.sampled_from([0.25, 0.5, 1.5, 3.0]), st.floats(0.01, 100)]))
    cells = st.lists(numbers, min_size=n * columns, max_size=n * columns)
    true, predicted = (np.array(draw(cells)).reshape(n, columns) for _ in range(2))
    if columns == 1 and draw(st.booleans()):
        true, predicted = true[:, 0], predicted[:, 0]
    weight = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=n, max_size=n).filter(any)
    return true, predicted, draw(st.none() | weight.map(np.array))


@examples
@given(targets(), st.sampled_from(["uniform_average", "raw_values"]))
def test_errors_are_scikit_learns(data: tuple[Any, Any, Any], multioutput: str) -> None:
    true, predicted, weights = data
    for name in ERRORS:
        check_same(name, true, predicted, sample_weight=weights, multioutput=multioutput)


@examples
@given(targets(), st.sampled_from(["uniform_average", "raw_values", "variance_weighted"]))
def test_scores_are_scikit_learns(data: tuple[Any, Any, Any], multioutput: str) -> None:
    true, predicted, weights = data
    # What rounding leaves of equal targets counts as a variance there; whole numbers leave nothing.
    true, predicted = np.round(4 * true), np.round(4 * predicted)
    weights = None if weights is None else np.ceil(weights)
    for name in SCORES:
        check_same(name, true, predicted, sample_weight=weights, multioutput=multioutput, rounding=1e-9)


@examples
@given(targets(outputs=1), st.sampled_from([0, 1, 1.5, 2, 3]))
@example((np.array([0, 0]), np.array([0, 1]), np.array([0, 0.5])), 1)
def test_deviances_are_scikit_learns(data: tuple[Any, Any, Any], power: float) -> None:
    true, predicted, weights = data
    check_same("mean_tweedie_deviance", true, predicted, sample_weight=weights, power=power, rounding=1e-9)
    check_same("mean_poisson_deviance", true, predicted, sample_weight=weights, rounding=1e-9)
    check_same("mean_gamma_deviance", true, predicted, sample_weight=weights, rounding=1e-9)
    check_same("max_error", true, predicted)


MISTAKES: list[tuple[Any, ...]] = [
    ([1, 2], [1]),
    ([], []),
    ([1, NAN], [1, 2]),
    ([1, 2], [1, float("inf")]),
    (["a", "b"], [1, 2]),
    ([[1, 2]], [[1, 2, 3]]),
    ([[[1]]], [[[1]]]),
    (1, 2),
    (None, [1]),
    ([1 + 2j, 2], [1, 2]),
    ([1], [1]),
    ([-1, 2], [1, 2]),
    ([0, 2], [0, 2]),
    ([[1, 2], [3, 4]], [[1, 2], [3, 5]]),
]


@pytest.mark.parametrize("name", [*ERRORS, *SCORES, *ONE])
@in_a_row("args", MISTAKES)
def test_mistakes_are_treated_as_by_scikit_learn(name: str, args: Any) -> None:
    check_same(name, *args)


KEYWORDS: list[tuple[str, dict[str, Any]]] = [
    ("mean_absolute_error", {"multioutput": [0.5, 0.5]}),
    ("mean_squared_error", {"sample_weight": [1]}),
    ("mean_squared_error", {"sample_weight": [0, 0]}),
    ("mean_squared_error", {"sample_weight": [[1, 1]]}),
    ("mean_squared_error", {"sample_weight": 2}),
    ("mean_pinball_loss", {"alpha": 1.5}),
    ("mean_pinball_loss", {"alpha": "a"}),
    ("mean_tweedie_deviance", {"power": 0.5}),
    ("d2_tweedie_score", {"power": "a"}),
    ("r2_score", {"force_finite": 3}),
    ("r2_score", {"multioutput": None}),
]


@pytest.mark.parametrize(("name", "keywords"), KEYWORDS)
def test_wrong_keywords_are_treated_as_by_scikit_learn(name: str, keywords: dict[str, Any]) -> None:
    check_same(name, [1, 2], [1, 3], **keywords)


@pytest.mark.parametrize("force_finite", [True, False])
@pytest.mark.parametrize("predicted", [[1.0, 1.0, 1.0], [1.0, 1.0, 2.0], [2.0, 2.0, 2.0]])
def test_equal_targets_are_as_in_scikit_learn(predicted: list[float], force_finite: bool) -> None:
    for name in SCORES:
        check_same(name, [1.0, 1.0, 1.0], predicted, force_finite=force_finite)


def test_weights_of_outputs_are_as_in_scikit_learn() -> None:
    true, predicted = [[1, 2], [3, 4.5], [0, 1]], [[1, 3], [2, 4], [1, 1]]
    for name in (*ERRORS, *SCORES):
        check_same(name, true, predicted, multioutput=[0.3, 0.7])
        check_same(name, true, predicted, multioutput=[0.3, 0.7, 1])
