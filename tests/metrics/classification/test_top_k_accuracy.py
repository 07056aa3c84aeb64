"""Top-k accuracy."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

from certus import classification
from certus.statistic import Mean, Proportion, Ratio

top_k = classification.top_k_accuracy
TIES = ["last", "pessimistic", "optimistic", "average"]


def test_by_hand() -> None:
    rows = [[0.5, 0.2, 0.3], [0.3, 0.4, 0.2], [0.1, 0.4, 0.3], [0.7, 0.2, 0.1]]
    hits = [top_k([0, 1, 2, 2], rows, k=k).value for k in (1, 2, 3)]
    assert hits == [0.5, 0.75, 1.0]


def test_the_value_is_a_proportion_with_its_interval() -> None:
    estimate = top_k([0, 1, 2, 2], np.eye(3)[[0, 1, 0, 2]], k=1)
    assert isinstance(estimate.statistic, Proportion)
    assert (estimate.statistic.successes, estimate.statistic.trials) == (3, 4)
    assert estimate.interval().method == "modified-wilson"


@pytest.mark.parametrize(
    ("ties", "value"), [("last", 0.25), ("pessimistic", 0.0), ("optimistic", 1.0), ("average", 0.25)]
)
def test_constant_scores_are_hit_as_the_rule_says(ties: Any, value: float) -> None:
    # "last" takes column 3 alone, where one of four samples belongs.
    assert top_k([0, 1, 2, 3], np.zeros((4, 4)), k=1, ties=ties).value == value


@pytest.mark.parametrize(
    ("scores", "threshold", "value"),
    [
        ([0.4, 0.6, 0.5, 0.5], None, 0.75),  # probabilities are cut at 0.5, which is not above it
        ([-1.0, 0.6, 0.0, 0.0], None, 0.75),  # decision values at 0
        ([0.4, 0.6, 0.5, 0.5], 0.0, 0.5),
    ],
)
def test_one_score_per_sample_is_cut_at_a_threshold(scores: Any, threshold: Any, value: float) -> None:
    truth = [0, 1, 1, 0]
    assert top_k(truth, scores, k=1, threshold=threshold).value == value
    assert top_k(truth, scores, k=2).value == 1


@pytest.mark.parametrize(
    ("ties", "value"), [("last", 0.5), ("pessimistic", 0.0), ("optimistic", 1.0), ("average", 0.5)]
)
def test_a_score_at_the_threshold_is_a_tie(ties: Any, value: float) -> None:
    assert top_k([0, 1], [0.5, 0.5], k=1, ties=ties).value == value


def test_weights_make_a_ratio_and_expected_hits_a_mean() -> None:
    rows = np.eye(3)[[0, 1, 0]]
    weighted = top_k([0, 1, 2], rows, k=1, sample_weight=[1, 2, 5])
    assert isinstance(weighted.statistic, Ratio)
    assert weighted.value == 3 / 8
    assert isinstance(top_k([0, 1, 2], rows, k=1, ties="average").statistic, Mean)


def test_rows_are_taken_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from certus.metrics.classification import agreement

    scores = np.random.default_rng(0).integers(0, 5, (1000, 7))
    truth = np.arange(1000) % 7
    whole = [untyped(top_k)(truth, scores, k=3, ties=ties).value for ties in TIES]
    monkeypatch.setattr(agreement, "BLOCK", 50)
    assert [untyped(top_k)(truth, scores, k=3, ties=ties).value for ties in TIES] == whole


def expected(row: list[int], label: int, k: int, ties: str) -> Fraction:
    """True if the label is among the first k, over the orders of tied columns that the rule allows."""
    orders = [
        order
        for order in itertools.permutations(range(len(row)))
        if all(row[a] >= row[b] for a, b in itertools.pairwise(order))
    ]
    hits = [label in order[:k] for order in orders]
    if ties == "last":
        return Fraction(label in max(orders, key=lambda order: [(row[c], c) for c in order])[:k])
    if ties == "average":
        return Fraction(sum(hits), len(hits))
    return Fraction(any(hits) if ties == "optimistic" else all(hits))


@settings(deadline=None)
@given(st.data(), st.integers(2, 4), st.integers(1, 5), st.integers(1, 5), st.sampled_from(TIES))
def test_over_all_orders_of_tied_classes(data: Any, classes: int, n: int, k: int, ties: Any) -> None:
    truth = data.draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.lists(st.integers(0, 2), min_size=classes, max_size=classes), min_size=n, max_size=n))
    labels = list(range(classes))
    mean = sum((expected(row, label, k, ties) for row, label in zip(rows, truth, strict=True)), Fraction(0)) / n
    assert top_k(truth, rows, labels=labels, k=k, ties=ties).value == pytest.approx(float(mean), rel=1e-15)
    if ties == "last" and classes > 2 and k < classes:
        metrics = pytest.importorskip("sklearn.metrics")
        assert top_k(truth, rows, labels=labels, k=k).value == metrics.top_k_accuracy_score(
            truth, rows, labels=labels, k=k
        )
