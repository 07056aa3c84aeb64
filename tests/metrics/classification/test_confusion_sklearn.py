"""Metrics of a confusion matrix, against scikit-learn."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import certus
from certus.inference import Estimates
from certus.metrics import parse

c = certus.classification

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=12)


sklearn = pytest.importorskip("sklearn.metrics")

SKLEARN: list[tuple[str, str, dict[str, Any]]] = [
    ("Precision", "precision_score", {}),
    ("Recall", "recall_score", {}),
    ("F1", "f1_score", {}),
    ("Fbeta(beta=0.5)", "fbeta_score", {"beta": 0.5}),
    ("Jaccard", "jaccard_score", {}),
]


@pytest.mark.parametrize(("name", "theirs", "parameters"), SKLEARN)
@settings(max_examples=30)
@given(pairs=PAIRS, zero=st.sampled_from([0.0, 1.0]), weighted=st.booleans())
def test_averages_are_scikit_learn_s(
    name: str, theirs: str, parameters: Any, pairs: Any, zero: float, weighted: bool
) -> None:
    true, predicted = zip(*pairs, strict=True)
    weights = np.arange(1, len(pairs) + 1) / 2 if weighted else None
    metric = parse(name, task="classification").using(undefined=zero)
    for how in ("micro", "macro", "weighted", None):
        found = metric(true, predicted, average=how, sample_weight=weights)
        value = [each.value for each in found.values()] if isinstance(found, Estimates) else found.value
        expected = getattr(sklearn, theirs)(
            true, predicted, average=how, zero_division=zero, sample_weight=weights, **parameters
        )
        assert_allclose(value, expected, rtol=1e-13, atol=1e-15)


@settings(max_examples=40)
@given(pairs=PAIRS, weighted=st.booleans())
def test_metrics_of_the_whole_table_are_scikit_learn_s(pairs: Any, weighted: bool) -> None:
    true, predicted = zip(*pairs, strict=True)
    weights = np.arange(1, len(pairs) + 1) / 2 if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for ours, theirs, parameters in (
            (c.accuracy, sklearn.accuracy_score, {}),
            (c.hamming_loss, sklearn.hamming_loss, {}),
            (c.mcc.using(undefined=0), sklearn.matthews_corrcoef, {}),
            (c.balanced_accuracy.using(undefined="skip"), sklearn.balanced_accuracy_score, {}),
            (c.cohen_kappa, sklearn.cohen_kappa_score, {}),
            (c.cohen_kappa.using(weights="linear"), sklearn.cohen_kappa_score, {"weights": "linear"}),
            (c.cohen_kappa.using(weights="quadratic"), sklearn.cohen_kappa_score, {"weights": "quadratic"}),
        ):
            expected = theirs(true, predicted, sample_weight=weights, **parameters)
            assert_allclose(ours(true, predicted, sample_weight=weights).value, expected, rtol=1e-12, atol=1e-14)
