"""Samples that lie in a file by decreasing score, in pieces."""

import itertools

import numpy as np
import pytest

from certus.classification import roc_auc
from certus.metrics import parse
from certus.states import _order, _rows


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_scores_that_are_equal_across_pieces_are_tied_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(_rows, "ENOUGH", size)
    scores = np.array([0.9, 0.7, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.1])
    truth = np.array([1, 1, 0, 1, 0, 0, 1, 0, 0])
    weights = np.array([1.0, 2.0, 1.0, 0.5, 3.0, 1.0, 2.0, 1.0, 1.0])
    for some in itertools.islice(itertools.permutations(range(9)), 0, 40_000, 9_973):
        samples = _order.SamplesByScore(weighted=True, grouped=False, memory=1 << 20)
        order = np.array(some)
        samples.add(truth[order] == 1, scores[order], weights[order], None)
        found = samples.statistic(parse("AUC", task="classification"), 1 << 20)
        assert found.value == pytest.approx(roc_auc(truth, scores, sample_weight=weights).value, rel=1e-14)
