"""Metrics of two tables of labels: what R2 says of them, by hand, and that they are the classification ones."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import certus
from certus import classification, multilabel

PAIRS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=8)
TRUE = [[1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 0]]
PREDICTED = [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]]


@given(PAIRS)
def test_with_one_label_the_loss_is_1_less_accuracy_and_jaccard_is_accuracy(pairs: list[tuple[int, int]]) -> None:
    """R2, 8 and 9; the second holds if a sample with neither label counts 1."""
    true, predicted = ([[value] for value in column] for column in zip(*pairs, strict=True))
    accuracy = sum(one == other for one, other in pairs) / len(pairs)
    assert multilabel.hamming_loss(true, predicted).value == pytest.approx(1 - accuracy, abs=1e-15)
    assert multilabel.jaccard(true, predicted, undefined=1.0).value == accuracy
    assert multilabel.subset_accuracy(true, predicted).value == accuracy


def test_samples_with_neither_kind_of_labels_are_undefined_unless_told() -> None:
    true, predicted = [[0, 0], [1, 0]], [[0, 0], [1, 1]]
    undefined = multilabel.jaccard(true, predicted)
    assert math.isnan(undefined.value)
    assert undefined.reason == "1 of 2 samples has no value"
    assert multilabel.jaccard(true, predicted, undefined=0.0).value == 0.25
    assert multilabel.jaccard(true, predicted, undefined=1.0).value == 0.75
    assert multilabel.jaccard(true, predicted, undefined="skip").value == 0.5


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "jaccard"])
@pytest.mark.parametrize("average", ["samples", "macro", "micro", "weighted"])
def test_there_is_one_implementation_of_an_average(name: str, average: str) -> None:
    ours, theirs = (getattr(face, name)(TRUE, PREDICTED, average=average) for face in (multilabel, classification))
    assert (ours.value, ours.interval(), ours.n) == (theirs.value, theirs.interval(), theirs.n)


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_fbeta_weighs_recall(beta: float) -> None:
    p, r = (getattr(multilabel, name)([[1, 1, 1, 0]], [[1, 0, 0, 0]]).value for name in ("precision", "recall"))
    found = multilabel.fbeta([[1, 1, 1, 0]], [[1, 0, 0, 0]], beta=beta).value
    assert found == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r), rel=1e-14)


def test_each_label_by_itself() -> None:
    found: Any = multilabel.recall(TRUE, PREDICTED, average=None)
    assert {label: estimate.value for label, estimate in found.items()} == {0: 0.5, 1: 1.0, 2: 0.5}


def test_the_sample_is_the_unit_of_every_interval() -> None:
    rng = np.random.default_rng(0)
    true = rng.random((50, 6)) < 0.5
    predicted = true ^ (rng.random((50, 1)) < 0.3)
    for average in ("samples", "macro", "micro"):
        assert multilabel.f1(true, predicted, average=average, undefined=1.0).n == 50
    assert multilabel.hamming_loss(true, predicted).unit == "sample"
    labels_apart = certus.classification.accuracy(true.ravel(), predicted.ravel()).interval()
    together = multilabel.hamming_loss(true, predicted).interval()
    assert together.high - together.low > 1.5 * (labels_apart.high - labels_apart.low)
