"""Hinge loss."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, classification

hinge_loss = classification.hinge_loss


def test_several_classes_by_hand() -> None:
    rows = [[3.0, 2.5, 0.0], [1.0, 0.0, 2.0]]
    # class 0 leads by 0.5; class 1 trails by 2
    assert hinge_loss([0, 1], rows, labels=[0, 1, 2]).value == (0.5 + 3) / 2
    # 0.5 + 0 and 2 + 3
    assert hinge_loss([0, 1], rows, labels=[0, 1, 2], multiclass="weston-watkins").value == (0.5 + 5) / 2


def test_the_binary_loss_is_no_special_case_of_the_multiclass_one() -> None:
    s = np.array([0.25, -0.75])
    assert hinge_loss([1, 0], s).value == (0.75 + 0.25) / 2
    assert hinge_loss([1, 0], np.column_stack([-s, s])).value == (0.5 + 0) / 2


def test_a_single_class_has_a_loss() -> None:
    assert hinge_loss([0, 0], [-1.0, 0.5]).value == 0.75
    assert hinge_loss([1, 1], [-1.0, 0.5]).value == 1.25


def test_a_class_without_samples_is_named_by_labels() -> None:
    with pytest.raises(DataError, match="y_score has 3 columns but y_true has 2 classes"):
        hinge_loss([0, 2], [[0, 1, 2], [0, 1, 2]])
    assert hinge_loss([0, 2], [[0, 1, 2], [0, 1, 2]], labels=[0, 1, 2]).value == 1.5


def test_infinite_scores_count_where_they_have_a_lead() -> None:
    assert hinge_loss([1, 0], [math.inf, -math.inf]).value == 0
    assert hinge_loss([1], [-math.inf]).value == math.inf
    assert hinge_loss([0], [[math.inf, 1, 2]], labels=[0, 1, 2]).value == 0
    tied = hinge_loss([0, 0], [[math.inf, math.inf, 2], [1, 2, 3]], labels=[0, 1, 2])
    assert math.isnan(tied.value)
    assert tied.reason == "1 of 2 samples has no value"


@settings(deadline=None)
@given(st.data(), st.integers(1, 4), st.integers(1, 6))
def test_by_the_definition(data: Any, classes: int, n: int) -> None:
    score = st.integers(-12, 12).map(lambda x: x / 4)
    truth = data.draw(st.lists(st.integers(0, max(classes - 1, 1)), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.lists(score, min_size=classes, max_size=classes), min_size=n, max_size=n))
    weights = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
    heavy = [Fraction(weight) for weight in weights or [1] * n]
    zero = Fraction(0)
    for way in ("crammer-singer", "weston-watkins"):
        if classes == 1:
            each = [
                max(zero, 1 - (1 if label else -1) * Fraction(row[0])) for label, row in zip(truth, rows, strict=True)
            ]
        else:
            leads = [
                [max(zero, 1 + Fraction(s) - Fraction(row[label])) for column, s in enumerate(row) if column != label]
                for label, row in zip(truth, rows, strict=True)
            ]
            each = [max(lead) if way == "crammer-singer" else sum(lead, zero) for lead in leads]
        expected = float(sum(w * e for w, e in zip(heavy, each, strict=True)) / sum(heavy))
        labels = list(range(max(classes, 2)))
        got = hinge_loss(truth, rows, labels=labels, sample_weight=weights, multiclass=way).value
        assert got == pytest.approx(expected, rel=1e-15)
