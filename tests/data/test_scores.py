"""Binary truth and scores, as they come in."""

from typing import Any

import numpy as np
import pytest

from certus import DataError
from certus.data import Scores


@pytest.mark.parametrize(
    ("truth", "keywords"),
    [
        ([True, False, True], {}),
        ([1, 0, 1], {}),
        ([1.0, 0.0, 1.0], {}),
        ([1, -1, 1], {}),
        (np.array([1, 0, 1], dtype=np.uint8), {}),
        (np.array([1, 0, 1], dtype=np.float16), {}),
        (["spam", "ham", "spam"], {"pos_label": "spam"}),
        (np.array(["spam", "ham", "spam"]), {"pos_label": "spam"}),
        (np.array(["spam", "ham", "spam"], dtype=object), {"pos_label": "spam"}),
        ([1, 2, 1], {"pos_label": 1}),
        ([0, 1, 0], {"pos_label": 0}),
        ([False, True, False], {"pos_label": False}),
        ([3, 2, 3], {"pos_label": 3, "labels": [2, 3]}),
    ],
)
def test_truth_may_be_any_two_labels(truth: Any, keywords: dict[str, Any]) -> None:
    data = Scores.from_arrays(truth, [0.5, 0.2, 0.4], **keywords)
    assert data.truth.dtype == np.bool_
    assert data.truth.tolist() == [True, False, True]


@pytest.mark.parametrize("truth", [[0, 0], [-1, -1], [False, False], np.zeros(2, dtype=np.int8)])
def test_a_single_usual_label_is_known_to_be_negative(truth: Any) -> None:
    assert not Scores.from_arrays(truth, [1, 2]).truth.any()


@pytest.mark.parametrize("truth", [[1, 1], [True, True], [1.0, 1.0]])
def test_a_single_usual_label_is_known_to_be_positive(truth: Any) -> None:
    assert Scores.from_arrays(truth, [1, 2]).truth.all()


def test_pos_label_may_be_missing_from_a_single_class() -> None:
    assert not Scores.from_arrays(["ham", "ham"], [1, 2], pos_label="spam").truth.any()


def test_columns_of_frames_are_read() -> None:
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    for column in (pandas.Series, polars.Series, pyarrow.array):
        data = Scores.from_arrays(column([1, 0, 1]), column([0.5, 0.25, 0.75]))
        assert data.truth.tolist() == [True, False, True]
        assert data.score.tolist() == [0.5, 0.25, 0.75]
    assert Scores.from_arrays(pandas.Series(["a", "b"], dtype="category"), [1, 2], pos_label="b").truth.tolist() == [
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (np.float16, np.float32),
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.int64, np.float64),
        (np.uint8, np.float64),
        (np.bool_, np.float64),
    ],
)
def test_scores_keep_their_width_where_they_have_one(given: Any, kept: Any) -> None:
    assert Scores.from_arrays([0, 1], np.array([0, 1], dtype=given)).score.dtype == kept


def test_steps_count_every_sample_even_where_float32_could_not() -> None:
    n = 2**24 + 3
    data = Scores(np.arange(n) % 2 == 0, np.zeros(n, dtype=np.float32))
    assert data.steps.positives.tolist() == [2**23 + 2]
    assert data.steps.negatives.tolist() == [2**23 + 1]


def test_weighted_steps_are_sums_of_weights() -> None:
    steps = Scores.from_arrays([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.1], sample_weight=[1, 2, 3, 4]).steps
    assert steps.thresholds.tolist() == [0.5, 0.1]
    assert steps.positives.tolist() == [4, 0]
    assert steps.negatives.tolist() == [2, 4]
    assert steps.true_positives.tolist() == [4, 4]
    assert steps.false_positives.tolist() == [2, 6]


def test_steps_of_nothing_are_none() -> None:
    assert len(Scores.from_arrays([], []).steps) == 0
    assert len(Scores(np.zeros(0, dtype=bool), np.zeros(0), np.zeros(0)).steps) == 0


def test_marks_by_order_and_by_sides_have_the_same_steps() -> None:
    data = Scores.from_arrays([1, 0, 1, 0, 1], [0.5, 0.5, 0.9, 0.1, 0.1])
    order, marks = data.ranked
    assert data.score[order].tolist() == [0.9, 0.5, 0.5, 0.1, 0.1]
    assert (marks >= 2).tolist() == [True, False, True, False, True]
    assert (data.ordered.marks >= 2).tolist() == (marks >= 2).tolist()
    assert data.truth[order].tolist() == (marks & 1 == 1).tolist()


BROKEN: list[tuple[Any, Any, dict[str, Any], str]] = [
    ([0, 1], [0.1, np.nan], {}, "y_score is NaN at index 1"),
    ([0, 1], [0.1, None], {}, "y_score has no value \\(None\\) at index 1"),
    ([0, np.nan], [0.1, 0.2], {}, "y_true is NaN at index 1"),
    ([np.nan, 1], [0.1, 0.2], {}, "y_true is NaN at index 0"),
    ([0, None], [0.1, 0.2], {}, "y_true has no value"),
    ([0, 1], ["0.1", "0.2"], {}, "y_score holds text; it must hold numbers"),
    ([0, "1"], [0.1, 0.2], {}, "y_true mixes"),
    ([0, 1, 2], [0.1, 0.2, 0.3], {}, "y_true has 3 labels \\(0, 1, 2\\)"),
    ([0.5, 1], [0.1, 0.2], {}, "y_true is 0.5 at index 0; labels must be whole"),
    ([1, 2], [0.1, 0.2], {}, "the labels of y_true are 1, 2; say which is positive with pos_label="),
    (["a", "b"], [0.1, 0.2], {}, "the labels of y_true are 'a', 'b'; say which"),
    (["a", "b"], [0.1, 0.2], {"pos_label": "c"}, "pos_label is 'c', but the labels of y_true are 'a', 'b'"),
    ([0, 1], [0.1, 0.2], {"labels": [0, 2]}, "y_true holds 1, which is not in labels"),
    ([0, 1], [0.1, 0.2], {"labels": [0, 1, 2]}, "labels is 0, 1, 2; one score per sample tells two labels apart"),
    ([0, 1], np.array([1j, 2j]), {}, "y_score holds complex numbers"),
]


@pytest.mark.parametrize(("truth", "score", "keywords", "message"), BROKEN)
def test_broken_columns_are_refused(truth: Any, score: Any, keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Scores.from_arrays(truth, score, **keywords)
