"""Entropies of labellings, by hand and by the identities that tie them to mutual information."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus.statistic import TableFunction

CLUSTERING = certus.clustering
LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=12)


def _plain(labels: list[object]) -> float:
    """The definition, with its sign: -sum P log P."""
    shares = [labels.count(each) / len(labels) for each in dict.fromkeys(labels)]
    return -math.fsum(share * math.log(share) for share in shares)


@settings(max_examples=40)
@given(pairs=LABELS)
def test_entropies_by_the_definition(pairs: list[tuple[int, int]]) -> None:
    true, pred = [one for one, _ in pairs], [two for _, two in pairs]
    h_true, h_pred, joint = _plain([*true]), _plain([*pred]), _plain([*pairs])
    assert CLUSTERING.entropy(true, pred).value == pytest.approx(h_true, abs=1e-14)
    assert CLUSTERING.entropy(true, pred, labelling="pred").value == pytest.approx(h_pred, abs=1e-14)
    assert CLUSTERING.joint_entropy(true, pred).value == pytest.approx(joint, abs=1e-14)
    assert CLUSTERING.conditional_entropy(true, pred).value == pytest.approx(joint - h_pred, abs=1e-14)
    assert CLUSTERING.conditional_entropy(true, pred, labelling="pred").value == pytest.approx(
        joint - h_true, abs=1e-14
    )
    shared = h_true + h_pred - joint
    assert CLUSTERING.mutual_info(true, pred).value == pytest.approx(shared, abs=1e-14)


def test_one_label_has_no_entropy_and_a_determined_one_none_left() -> None:
    assert CLUSTERING.entropy([7, 7], [1, 2]).value == 0
    assert CLUSTERING.conditional_entropy(list("aabbc"), [0, 0, 1, 1, 2]).value == 0


def test_the_interval_of_an_entropy_covers_that_of_the_population() -> None:
    random = np.random.default_rng(4)
    shares = [0.5, 0.3, 0.2]
    wanted = -sum(share * math.log(share) for share in shares)
    covered = 0
    for _ in range(200):
        labels = random.choice(3, size=150, p=shares)
        interval = CLUSTERING.entropy(labels, labels).interval()
        covered += interval.low <= wanted <= interval.high
    assert covered >= 184  # 0.95 less two standard errors of 200


def test_shared_information_of_cells_without_the_empty_ones_is_that_of_the_definition() -> None:
    """Of 300 clusters on either side only the cells with samples are held."""
    draw = np.random.default_rng(1)
    true = draw.integers(0, 300, 3000)
    pred = np.where(draw.random(3000) < 0.5, true, draw.integers(0, 300, 3000))
    shared = CLUSTERING.mutual_info(true, pred)
    h_true, h_pred, joint = (_plain([*labels]) for labels in (true, pred, zip(true, pred, strict=True)))
    statistic = shared.statistic
    assert isinstance(statistic, TableFunction)
    assert len(statistic.counts) < 3000
    assert statistic.function(statistic.counts) == pytest.approx(h_true + h_pred - joint, rel=1e-12)
    assert shared.value == pytest.approx(h_true + h_pred - joint, rel=1e-12)


def test_one_labelling_is_enough_for_its_entropy() -> None:
    labels = ["a", "b", "b", "c", "c", "c"]
    shares = [1 / 6, 2 / 6, 3 / 6]
    assert CLUSTERING.entropy(labels).value == pytest.approx(-sum(p * math.log(p) for p in shares))
    assert repr(CLUSTERING.entropy(labels_true=labels)) == repr(CLUSTERING.entropy(labels, labels))
    with pytest.raises(certus.DataError, match="JointEntropy takes labels_true and labels_pred; it was given 1"):
        untyped(CLUSTERING.joint_entropy)(labels)
