"""The definitions of the overview of metrics (reference R2), as printed: several labels, numbers and clusters."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from certus import classification, clustering, multilabel, regression

Array = NDArray[Any]

TABLES = st.integers(2, 5).flatmap(
    lambda labels: st.lists(
        st.tuples(
            st.lists(st.booleans(), min_size=labels, max_size=labels).filter(lambda row: 0 < sum(row) < len(row)),
            st.lists(st.integers(0, 4), min_size=labels, max_size=labels),
        ),
        min_size=1,
        max_size=6,
    )
)
"""Rows of true labels, some but not all of them, and of scores, with ties."""


def _columns(rows: Any) -> tuple[Array, Array]:
    return np.array([row[0] for row in rows], dtype=int), np.array([row[1] for row in rows], dtype=float)


@given(TABLES)
def test_hamming_and_jaccard_are_means_over_samples(rows: Any) -> None:
    true, scores = _columns(rows)
    predicted = (scores >= 2).astype(int)
    hamming = np.mean([np.mean(one != other) for one, other in zip(true, predicted, strict=True)])
    jaccard = np.mean([(one & other).sum() / (one | other).sum() for one, other in zip(true, predicted, strict=True)])
    assert multilabel.hamming_loss(true, predicted).value == pytest.approx(hamming, rel=1e-14)
    assert multilabel.jaccard(true, predicted).value == pytest.approx(jaccard, rel=1e-14)


def test_of_one_label_hamming_is_1_less_accuracy_and_jaccard_is_accuracy() -> None:
    true, predicted = np.array([1, 0, 1, 1, 0]), np.array([1, 1, 0, 1, 0])
    accuracy = classification.accuracy(true, predicted).value
    tables = true[:, np.newaxis], predicted[:, np.newaxis]
    assert multilabel.hamming_loss(*tables).value == pytest.approx(1 - accuracy)
    # Neither labelled nor predicted is 0/0, which the overview takes for right.
    assert multilabel.jaccard(*tables, undefined=1.0).value == pytest.approx(accuracy)


@given(TABLES)
def test_ranked_labels_count_those_scored_at_least_as_high(rows: Any) -> None:
    true, scores = _columns(rows)
    rank = (scores[:, np.newaxis, :] >= scores[:, :, np.newaxis]).sum(axis=2)
    coverage = np.mean([ranks[labels == 1].max() for labels, ranks in zip(true, rank, strict=True)])
    assert multilabel.coverage_error(true, scores).value == pytest.approx(coverage, rel=1e-14)
    precisions = []
    for labels, values, ranks in zip(true, scores, rank, strict=True):
        held = [(labels[values >= values[j]] == 1).sum() / ranks[j] for j in np.flatnonzero(labels)]
        precisions.append(np.mean(held))
    assert multilabel.label_ranking_average_precision(true, scores).value == pytest.approx(
        np.mean(precisions), rel=1e-14
    )


@given(TABLES)
def test_ranking_loss_is_the_share_of_pairs_in_the_wrong_order(rows: Any) -> None:
    true, scores = _columns(rows)
    losses = []
    for labels, values in zip(true, scores, strict=True):
        pairs = [(k, j) for k in np.flatnonzero(labels) for j in np.flatnonzero(labels == 0)]
        losses.append(sum(values[k] < values[j] for k, j in pairs) / len(pairs))
    # The overview counts pairs of different scores only; certus's default, as scikit-learn's, counts tied ones too.
    assert multilabel.label_ranking_loss(true, scores, ties="none").value == pytest.approx(np.mean(losses), rel=1e-14)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9))
def test_errors_of_numbers_are_as_printed(pairs: list[tuple[int, int]]) -> None:
    y, f = np.array(pairs, dtype=float).T
    assert regression.mae(y, f).value == pytest.approx(np.abs(y - f).mean(), rel=1e-14)
    assert regression.mse(y, f).value == pytest.approx(((y - f) ** 2).mean(), rel=1e-14)
    if np.ptp(y) > 0:
        r2 = 1 - ((y - f) ** 2).sum() / ((y - y.mean()) ** 2).sum()
        assert regression.r2(y, f).value == pytest.approx(r2, rel=1e-12, abs=1e-12)
        explained = 1 - np.var(y - f) / np.var(y)
        assert regression.explained_variance(y, f).value == pytest.approx(explained, rel=1e-12, abs=1e-12)


def _entropy(labels: Array) -> float:
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log(shares)).sum())  # the overview's H lacks the minus sign


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=3, max_size=9))
def test_clusterings_agree_as_printed(pairs: list[tuple[int, int]]) -> None:
    true, found = np.array(pairs).T
    n = len(true)
    together = [(true[i] == true[j], found[i] == found[j]) for i, j in combinations(range(n), 2)]
    rand = sum(one == other for one, other in together) / math.comb(n, 2)
    assert clustering.rand(true, found).value == pytest.approx(rand, rel=1e-14)
    shares = [one / len(together) for one in np.sum(together, axis=0)]
    # Of random clusterings as large, pairs are together in both as often as the two shares say.
    expected = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    if not math.isclose(expected, 1):
        assert clustering.adjusted_rand(true, found).value == pytest.approx(
            (rand - expected) / (1 - expected), abs=1e-12
        )
    joint = [(np.mean((true == i) & (found == j)), np.mean(true == i) * np.mean(found == j)) for i, j in set(pairs)]
    information = float(sum(p * math.log(p / q) for p, q in joint))
    assert clustering.mutual_info(true, found).value == pytest.approx(information, rel=1e-9, abs=1e-12)
    entropies = _entropy(true), _entropy(found)
    if min(entropies) > 0:
        normalized = information / math.sqrt(entropies[0] * entropies[1])
        value = clustering.normalized_mutual_info(true, found, average_method="geometric").value
        assert value == pytest.approx(normalized, rel=1e-9, abs=1e-12)
        chance = clustering.expected_mutual_information(true, found)
        if not math.isclose(max(entropies), chance):
            adjusted = (information - chance) / (max(entropies) - chance)
            value = clustering.adjusted_mutual_info(true, found, average_method="max").value
            assert value == pytest.approx(adjusted, rel=1e-9, abs=1e-10)


def test_a_silhouette_is_b_less_a_over_the_greater() -> None:
    points, clusters = np.array([0.0, 1.0, 5.0, 6.0, 9.0]), np.array([0, 0, 1, 1, 1])
    values = []
    for i, point in enumerate(points):
        distances = np.abs(points - point)
        others = (clusters == clusters[i]) & (np.arange(5) != i)
        a, b = distances[others].mean(), distances[clusters != clusters[i]].mean()
        values.append((b - a) / max(a, b))
    assert clustering.silhouette(points[:, np.newaxis], clusters).value == pytest.approx(np.mean(values), rel=1e-14)
