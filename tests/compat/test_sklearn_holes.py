"""Claims that scikit-learn's own tests do not check, and deliberate differences of certus.compat.sklearn."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn_oracle import check_same, metrics

import certus.compat.sklearn as face

NEAR = [0.5, 0.5 + 1e-12, 0.5 + 2e-12, 0.5 + 3e-12]
"""Scores that are one and the same in float32."""


def test_areas_tell_scores_apart_that_float32_does_not() -> None:
    truth = [0, 1, 0, 1]
    assert face.roc_auc_score(truth, NEAR) == 0.75
    assert face.average_precision_score(truth, NEAR) == pytest.approx(float(Fraction(1, 2) * (1 + Fraction(2, 3))))
    assert len(face.roc_curve(truth, NEAR, drop_intermediate=False)[2]) == 5
    assert len(face.precision_recall_curve(truth, NEAR)[2]) == 4
    assert len(face.confusion_matrix_at_thresholds(truth, NEAR)[4]) == 4
    check_same("det_curve", truth, NEAR)


def test_scores_of_float32_are_compared_as_float32() -> None:
    truth, scores = [0, 1, 0, 1], np.array(NEAR, dtype=np.float32)
    assert face.roc_auc_score(truth, scores) == 0.5
    assert face.average_precision_score(truth, scores) == 0.5


def test_counts_beyond_float32_are_exact() -> None:
    # A float32 cannot count past 2**24; one sample more or less on either side must still show.
    n = 2**24 + 2
    truth = np.zeros(n, dtype=np.int8)
    truth[:2] = 1
    scores = np.zeros(n, dtype=np.float32)
    scores[0] = 1.0
    # One positive beats all negatives, the other ties with all of them.
    assert face.roc_auc_score(truth, scores) == 0.75
    assert face.confusion_matrix_at_thresholds(truth, scores)[1].tolist() == [0.0, n - 2.0]


@pytest.mark.parametrize(("dtype", "bits"), [(np.float64, 52), (np.float32, 23), (np.float16, 10)])
def test_log_loss_clips_at_the_epsilon_of_the_type_of_the_probabilities(dtype: type, bits: int) -> None:
    impossible: NDArray[Any] = np.array([0.0, 1.0], dtype=dtype)
    certain: NDArray[Any] = np.array([1.0, 0.0], dtype=dtype)
    assert face.log_loss([1, 0], impossible) == pytest.approx(bits * math.log(2), rel=1e-6)
    assert face.log_loss([1, 0], certain) == pytest.approx(-math.log1p(-(2.0**-bits)), rel=1e-6)
    # The middle of the range is left alone.
    assert face.log_loss([1, 0], np.array([0.5, 0.5], dtype=dtype)) == pytest.approx(math.log(2), rel=1e-7)


def test_log_loss_clips_the_table_too() -> None:
    table = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    assert face.log_loss([0, 1, 2], table) == pytest.approx(52 * math.log(2) / 3)
    check_same("log_loss", [0, 1, 2], table)


@pytest.mark.parametrize("truth", [[1, 1, 1], [0, 0, 0], ["a", "a", "a"]])
def test_the_auc_of_one_class_is_nan_with_a_warning(truth: list[object]) -> None:
    with pytest.warns(face.UndefinedMetricWarning, match="ROC AUC score is not defined in that case"):
        assert math.isnan(face.roc_auc_score(truth, [0.1, 0.2, 0.3]))
    check_same("roc_auc_score", truth, [0.1, 0.2, 0.3])


def test_the_auc_of_a_class_that_only_samples_without_weight_have_is_nan() -> None:
    check_same("roc_auc_score", [1, 1, 0], [0.1, 0.2, 0.3], sample_weight=[1, 1, 0])
    check_same("roc_curve", [1, 1, 0], [0.1, 0.2, 0.3], sample_weight=[1, 1, 0])


def test_average_precision_without_positives_is_0_with_a_warning() -> None:
    check_same("average_precision_score", [0, 0, 0], [0.1, 0.2, 0.3])


def test_a_macro_auc_with_a_column_of_one_class_is_nan() -> None:
    table = [[1, 0], [1, 1], [1, 0]]
    for average in ("macro", "weighted", "samples", "micro", None):
        check_same("roc_auc_score", table, [[0.1, 0.2], [0.3, 0.1], [0.2, 0.6]], average=average)


def test_weights_of_0_leave_a_label_in_the_average() -> None:
    check_same("f1_score", [0, 1, 2], [0, 1, 2], average="macro", sample_weight=[1, 1, 0])
    check_same("recall_score", [0, 1, 2], [0, 1, 2], average=None, sample_weight=[1, 1, 0])


def test_a_weighted_average_without_weight_is_the_unweighted_one() -> None:
    for name in ("precision_score", "recall_score", "f1_score"):
        for zero_division in (0, 1, math.nan):
            check_same(name, [0, 0], [1, 2], labels=[1, 2, 3], average="weighted", zero_division=zero_division)


def test_hinge_loss_of_one_class_takes_1_for_the_positive_label() -> None:
    # scikit-learn takes whatever single label there is for the negative one: here 1 + 2.
    assert face.hinge_loss([1, 1], [2.0, 2.0]) == 0.0
    assert metrics.hinge_loss([1, 1], [2.0, 2.0]) == 3.0
    assert face.hinge_loss([-1, -1], [-2.0, -2.0]) == metrics.hinge_loss([-1, -1], [-2.0, -2.0]) == 0.0


def test_counts_of_samples_are_whole_numbers_even_if_no_prediction_is_right() -> None:
    assert face.precision_recall_fscore_support([0, 1], [1, 0])[3].dtype == np.int64
    assert metrics.precision_recall_fscore_support([0, 1], [1, 0])[3].dtype == np.float64


def test_negative_weights_are_refused() -> None:
    for name in ("accuracy_score", "f1_score", "confusion_matrix", "roc_auc_score", "log_loss", "hinge_loss"):
        other = [0.1, 0.9, 0.4] if name in ("roc_auc_score", "log_loss", "hinge_loss") else [0, 1, 0]
        with pytest.raises(ValueError, match=r"^sample_weight is -1 at index 2; it must be at least 0$"):
            getattr(face, name)([0, 1, 1], other, sample_weight=[1.0, 2.0, -1.0])


def test_a_positive_label_of_another_kind_is_refused_even_with_a_single_class() -> None:
    # scikit-learn gives 0 with a warning; with two classes it refuses, too.
    with pytest.raises(ValueError, match="pos_label is 1, but the classes are 'a'"):
        face.f1_score(["a", "a"], ["a", "a"])


def test_d2_of_a_single_class_is_undefined() -> None:
    # scikit-learn divides by the loss that its clipping leaves, or by 0.
    assert math.isnan(face.d2_log_loss_score([0, 0], [[0.8, 0.2], [0.9, 0.1]], labels=[0, 1]))
    assert math.isnan(face.d2_brier_score([0, 0], [0.2, 0.1]))


def test_an_adjusted_balanced_accuracy_of_a_single_class_is_undefined() -> None:
    # Chance and perfection are the same; scikit-learn divides by 0, which gives NaN or minus infinity.
    with pytest.warns(UserWarning, match="y_pred contains classes not in y_true"):
        assert math.isnan(face.balanced_accuracy_score([0, 0], [1, 1], adjusted=True))
