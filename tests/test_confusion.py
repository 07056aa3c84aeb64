"""The confusion matrix: its counts, shares, intervals and how it prints."""

import json
import math
from typing import Any

import numpy as np
import pytest
from crossed import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from certus import DataError
from certus.classification import (
    ConfusionMatrix,
    confusion_matrix,
    negative_likelihood_ratio,
    positive_likelihood_ratio,
)
from certus.cli import app
from certus.data import Labels
from certus.inference import proportion_interval

TRUE = ["a", "b", "b", "c", "c", "c"]
PREDICTED = ["a", "b", "c", "c", "c", "a"]


def test_rows_are_true_and_columns_predicted_classes() -> None:
    matrix = confusion_matrix(TRUE, PREDICTED)
    assert matrix.classes == ("a", "b", "c")
    assert_array_equal(matrix, [[1, 0, 0], [0, 1, 1], [1, 0, 2]])
    assert matrix.shape == (3, 3)
    assert len(matrix) == 3
    assert matrix[2, 0] == 1
    assert [row.tolist() for row in matrix] == [[1, 0, 0], [0, 1, 1], [1, 0, 2]]
    assert np.asarray(matrix).dtype == np.int64
    assert np.asarray(matrix, dtype=float).dtype == np.float64


def test_two_classes_unpack_as_in_scikit_learn() -> None:
    tn, fp, fn, tp = confusion_matrix([0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0]).ravel().tolist()
    assert (tn, fp, fn, tp) == (2, 1, 1, 3)


def test_labels_orders_classes_and_leaves_out_samples_of_others() -> None:
    matrix = confusion_matrix(TRUE, PREDICTED, labels=["c", "a", "z"])
    assert_array_equal(matrix, [[2, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert matrix.data.n == 4


def test_shares_are_of_the_row_the_column_or_everything() -> None:
    by: dict[Any, Any] = {how: confusion_matrix(TRUE, PREDICTED, normalize=how) for how in ("true", "pred", "all")}
    assert_allclose(by["true"], np.array([[6, 0, 0], [0, 3, 3], [2, 0, 4]]) / 6)
    assert_allclose(by["pred"], np.array([[3, 0, 0], [0, 6, 2], [3, 0, 4]]) / 6)
    assert_allclose(by["all"], np.array([[1, 0, 0], [0, 1, 1], [1, 0, 2]]) / 6)
    empty = confusion_matrix(TRUE, PREDICTED, labels=["a", "z"], normalize="true")
    assert np.isnan(empty.values[1]).all()
    assert empty.estimate("z", "a").reason == "there are no samples"


def test_each_cell_has_wilson_s_interval() -> None:
    shares = confusion_matrix(TRUE, PREDICTED, normalize="true")
    low, high = shares.interval()
    assert (low[2, 0], high[2, 0]) == pytest.approx(proportion_interval(1, 3)[:2])
    assert (low[0, 1], high[0, 1]) == pytest.approx(proportion_interval(0, 1)[:2])
    low, high = shares.interval(0.9, "clopper-pearson")
    assert (low[1, 1], high[1, 1]) == pytest.approx(proportion_interval(1, 2, 0.9, "clopper-pearson")[:2])
    counts = confusion_matrix(TRUE, PREDICTED)
    low, high = counts.interval()
    assert (low[2, 2], high[2, 2]) == pytest.approx([6 * limit for limit in proportion_interval(2, 6)[:2]])


@settings(max_examples=examples(30, 100))
@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 4)), min_size=3, max_size=12),
    normalize=st.sampled_from([None, "true", "pred", "all"]),
)
def test_weights_and_groups_keep_the_values_and_have_intervals(rows: Any, normalize: Any) -> None:
    true, predicted, weights = np.array(rows).T
    repeated = confusion_matrix(np.repeat(true, weights), np.repeat(predicted, weights), normalize=normalize)
    weighted = confusion_matrix(true, predicted, sample_weight=weights, normalize=normalize)
    grouped = confusion_matrix(
        np.repeat(true, weights),
        np.repeat(predicted, weights),
        groups=np.repeat(np.arange(len(weights)), weights),
        normalize=normalize,
    )
    assert_allclose(weighted, repeated)
    assert_allclose(grouped, repeated)
    for matrix in (weighted, grouped):
        low, high = matrix.interval()
        values = np.asarray(matrix, dtype=float)
        defined = ~np.isnan(low)
        assert (low[defined] <= values[defined] * (1 + 1e-12)).all()
        assert (values[defined] <= high[defined] * (1 + 1e-12)).all()
        assert (low[defined] < high[defined]).all()


def test_the_matrix_of_counts_is_the_counts() -> None:
    data = Labels.from_counts([[20, 5], [10, 15]], classes=["yes", "no"])
    matrix = confusion_matrix(data)
    assert_array_equal(matrix, [[20, 5], [10, 15]])
    assert matrix.estimate("yes", "no").value == 0.1
    with pytest.raises(DataError, match=r"^y_true are Labels already; say all else where they are made$"):
        confusion_matrix(data, ["yes"])


def test_the_matrix_prints_as_a_table() -> None:
    assert str(confusion_matrix(TRUE, PREDICTED)).splitlines() == [
        "true \\ predicted  a  b  c",
        "a                 1  0  0",
        "b                 0  1  1",
        "c                 1  0  2",
    ]
    shares = confusion_matrix([0, 1, 1], [0, 1, 0], normalize="pred")
    assert repr(shares).splitlines() == [
        "<ConfusionMatrix of <Labels: 3 samples, 2 classes>, shares of the predicted class>",
        "true \\ predicted       0       1",
        "0                 0.5000  0.0000",
        "1                 0.5000  1.0000",
    ]
    assert "\\x1b" in str(confusion_matrix(["\x1b"], ["\x1b"]))
    assert str(confusion_matrix([], [])) == "true \\ predicted"


def test_what_is_no_confusion_matrix_is_refused() -> None:
    with pytest.raises(DataError, match=r"^normalize is 'rows'; it must be 'true', 'pred', 'all' or None$"):
        confusion_matrix([0], [0], normalize="rows")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"^y_pred was not given; confusion_matrix takes y_true and y_pred$"):
        confusion_matrix([0, 1])
    with pytest.raises(DataError, match=r"^no class is 'z'; the classes are 'a', 'b', 'c'$"):
        confusion_matrix(TRUE, PREDICTED).estimate("a", "z")


def test_a_matrix_is_what_it_says() -> None:
    assert isinstance(confusion_matrix(TRUE, PREDICTED), ConfusionMatrix)


def test_a_printed_matrix_has_its_true_number_of_samples(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["evaluate", "--counts", "15,5;10,20", "-m", "Kappa", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (round(row["value"], 12), row["n"]) == (0.4, 50)


def test_likelihood_ratios_are_infinite_without_false_alarms_and_follow_the_choice_for_nothing_by_nothing() -> None:
    data = (["s", "s", "h", "h"], ["s", "h", "h", "h"])
    assert positive_likelihood_ratio(*data, pos_label="s").value == math.inf
    assert negative_likelihood_ratio(*data, pos_label="s").value == 0.5
    for ratio in (positive_likelihood_ratio, negative_likelihood_ratio):
        assert ratio([1, 1], [1, 0], undefined=1.0).value == 1


def test_columns_stay_aligned_with_names_of_wide_characters() -> None:
    lines = str(confusion_matrix(["日本", "b", "b"], ["日本", "b", "日本"])).splitlines()
    assert lines == ["true \\ predicted  b  日本", "b                 1     1", "日本              0     1"]
