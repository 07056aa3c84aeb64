"""True classes with scores or probabilities of each class."""

from typing import Any

import numpy as np
import pytest

from certus import DataError
from certus.data import ClassScores, Probabilities

THREE = [[0.2, 0.3, 0.5], [0.1, 0.9, 0.0]]


def test_columns_belong_to_the_sorted_labels() -> None:
    data = ClassScores.from_arrays(["b", "c", "a"], np.eye(3))
    assert data.classes == ("a", "b", "c")
    assert data.true.tolist() == [1, 2, 0]


def test_columns_belong_to_labels_in_the_order_given() -> None:
    data = ClassScores.from_arrays(["b", "c"], THREE, labels=["c", "b", "a"])
    assert data.classes == ("c", "b", "a")
    assert data.true.tolist() == [1, 0]


def test_classes_are_python_objects() -> None:
    assert all(type(label) is int for label in ClassScores.from_arrays(np.array([0, 1, 2], np.int8), np.eye(3)).classes)


def test_float32_scores_stay_float32() -> None:
    assert ClassScores.from_arrays([0, 1], np.array([0.1, 0.2], np.float32)).scores.dtype == np.float32
    assert ClassScores.from_arrays([0, 1], np.array([0.1, 0.2], np.float16)).scores.dtype == np.float32


def test_one_column_is_one_dimensional() -> None:
    assert ClassScores.from_arrays([0, 1], [[0.1], [0.2]]).scores.shape == (2,)


@pytest.mark.parametrize(
    ("y_true", "pos_label", "positive"),
    [
        ([0, 1], None, 1),
        ([1, -1], None, 1),
        ([True, False], None, 1),
        ([1, 1], None, 0),
        ([0, 0], None, None),
        ([0, 1], 0, 0),
        (["no", "yes"], "no", 0),
    ],
)
def test_a_single_column_scores_the_positive_class(y_true: Any, pos_label: Any, positive: int | None) -> None:
    assert ClassScores.from_arrays(y_true, [0.5, 0.7], pos_label=pos_label).positive == positive


def test_infinite_scores_are_taken() -> None:
    assert np.isinf(ClassScores.from_arrays([0, 1], [-np.inf, np.inf]).scores).all()


@pytest.mark.parametrize(
    ("y_true", "scores", "conventions", "message"),
    [
        ([0, 1], THREE, {}, "y_score has 3 columns but y_true has 2 classes"),
        ([0, 1], THREE, {"labels": [0, 1]}, "y_score has 3 columns but labels has 2 classes"),
        ([0, 3], THREE, {"labels": [0, 1, 2]}, "y_true holds 3, which is not among the labels 0, 1, 2"),
        ([0, 1], THREE, {"labels": [0, 1, 1]}, "labels lists 1 twice; list each class once"),
        (
            [0, 1, 2],
            [0.1, 0.2, 0.3],
            {},
            r"y_score has one score per sample but there are 3 classes \(0, 1, 2\); give one column",
        ),
        (["no", "yes"], [0.1, 0.2], {}, "the labels are 'no', 'yes'; say which is positive with pos_label="),
        ([0, 1], [0.1, 0.2], {"pos_label": 2}, "pos_label is 2, but the labels are 0, 1"),
        ([0, 1], THREE, {"labels": [[0, 1, 2]]}, "a label of labels is a list; labels must be hashable"),
        ([0, 1], THREE, {"labels": [0, 1, 2], "pos_label": 1}, "pos_label is 1 but there are 3 classes; it is for two"),
        ([0, 1], [0.1, np.nan], {}, "y_score is NaN at index 1"),
        ([0, 1, 2], [[0, 1, 2], [0, 1, np.nan], [1, 2, 3]], {}, r"y_score is NaN at index \(1, 2\)"),
        ([0, 1], ["a", "b"], {}, "y_score holds text; it must hold numbers"),
        ([0, 1], [[[1]], [[2]]], {}, r"y_score has shape \(2, 1, 1\); it must have one number per sample"),
    ],
)
def test_what_does_not_fit_is_refused(y_true: Any, scores: Any, conventions: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        ClassScores.from_arrays(y_true, scores, **conventions)


@pytest.mark.parametrize(
    ("y_true", "y_prob", "message"),
    [
        ([0, 1], [0.5, 1.5], "y_prob is 1.5 at index 1; a probability is from 0 to 1"),
        ([0, 1], [-1e-9, 0.5], "y_prob is -1e-09 at index 0"),
        ([0, 1], [0.5, np.inf], "y_prob is inf at index 1"),
        ([0, 1], [0.5, 1 + 2**-52], "y_prob is 1.0000000000000002 at index 1; a probability is from 0 to 1"),
        ([0, 1], np.array([0.5, 1 + 2**-23], np.float32), "y_prob is 1.0000001 at index 1"),
        ([0, 1], [[0.5, 0.5], [1.2, -0.2]], r"y_prob is 1.2 at index \(1, 0\)"),
        (
            [0, 1],
            [[0.5, 0.5], [0.5, 0.50001]],
            "the probabilities of y_prob at index 1 sum to 1.00001; they must sum to 1",
        ),
    ],
)
def test_what_is_no_probability_is_refused(y_true: Any, y_prob: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Probabilities.from_arrays(y_true, y_prob)


def test_rows_may_be_off_by_their_rounding_and_are_kept_as_they_are() -> None:
    rows = np.array([[0.5, 0.5 + 9e-7], [1.0, 0.0]])
    assert Probabilities.from_arrays([0, 1], rows).scores.tolist() == rows.tolist()
    assert (
        Probabilities.from_arrays([0, 1], np.array([[0.5, 0.5005], [1.0, 0.0]], np.float32)).scores.dtype == np.float32
    )
    thirds = np.full((3, 3), 1 / 3, dtype=np.float16)
    assert len(Probabilities.from_arrays([0, 1, 2], thirds)) == 3


def test_of_two_columns_the_positive_one_is_found_where_it_is_needed() -> None:
    assert ClassScores.from_arrays([0, 1], np.eye(2)).positive_column == 1
    assert ClassScores.from_arrays([0, 1], np.eye(2), pos_label=0).positive_column == 0
    with pytest.raises(DataError, match="the labels are 'no', 'yes'; say which is positive with pos_label="):
        _ = ClassScores.from_arrays(["no", "yes"], np.eye(2)).positive_column


def test_an_ordered_categorical_names_the_columns() -> None:
    pandas = pytest.importorskip("pandas")
    grades = pandas.Categorical(["low", "high"], categories=["low", "middle", "high"], ordered=True)
    assert ClassScores.from_arrays(grades, THREE).classes == ("low", "middle", "high")


def test_samples_of_weight_0_are_left_out_but_not_their_class() -> None:
    data = ClassScores.from_arrays([0, 1, 2], np.eye(3), sample_weight=[1, 0, 2])
    assert data.classes == (0, 1, 2)
    assert data.true.tolist() == [0, 2]


def test_a_data_frame_is_a_table_of_scores() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"no": [0.25, 0.5], "yes": [0.75, 0.5]})
    data = Probabilities.from_arrays(polars.Series(["no", "yes"]), frame)
    assert data.scores.tolist() == [[0.25, 0.75], [0.5, 0.5]]
    assert Probabilities.fits(polars.Series(["no", "yes"]), frame)
