"""Gradients of metrics of a confusion matrix: derivatives by the counts."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import certus
from certus.data import Labels, Multilabel
from certus.metrics import parse
from certus.statistic import Proportion, TableFunction

c = certus.classification


VARIANTS = [
    *(
        f"{name}(average='{how}')"
        for name in ("F1", "Jaccard", "Markedness", "NPV")
        for how in ("micro", "macro", "weighted")
    ),
    "F1(average='macro',undefined='skip')",
    "Precision(average='weighted',undefined=0.5)",
    "BalancedAccuracy",
    "BalancedAccuracy(adjusted=True)",
    "MCC",
    "kappa",
    "kappa(weights='linear')",
    "kappa(weights='quadratic')",
]
BINARY_VARIANTS = [
    "MCC(undefined=0)",
    "Fbeta(beta=2)",
    "E",
    "Informedness",
    "Markedness",
    "FM",
    "LR+",
    "LR-",
    "F1",
    "Specificity",
    "Accuracy",
]


def _numeric(statistic: TableFunction) -> Any:
    """The gradient by differences."""
    gradient = np.zeros(statistic.counts.shape)
    for position in np.ndindex(*gradient.shape):
        step = np.zeros(gradient.shape)
        step[position] = 1e-4 * max(1.0, float(statistic.counts[position]))
        high, low = (float(statistic.function(statistic.counts + sign * step)) for sign in (1, -1))
        gradient[position] = (high - low) / (2 * step[position])
    return gradient


@pytest.mark.parametrize("name", [*VARIANTS, *BINARY_VARIANTS])
@pytest.mark.parametrize("weighted", [False, True])
def test_gradients_are_derivatives(name: str, weighted: bool) -> None:
    classes = 2 if name in BINARY_VARIANTS else 4
    rng = np.random.default_rng(3)
    true, predicted = rng.integers(0, classes, 80), rng.integers(0, classes, 80)
    labels = [2, 0, 1] if "average" in name else None
    weights = rng.random(80) + 0.1 if weighted else None
    statistic = parse(name, task="classification").compute(
        Labels.from_arrays(true, predicted, labels=labels, sample_weight=weights)
    )
    if isinstance(statistic, Proportion):
        return
    assert isinstance(statistic, TableFunction)
    assert statistic.gradient is not None
    assert_allclose(statistic.gradient(statistic.counts), _numeric(statistic), rtol=1e-5, atol=1e-8)
    assert_allclose(statistic.function(statistic.counts), statistic.value, rtol=1e-12, atol=1e-15)
    many = np.stack([statistic.counts, 3 * statistic.counts, statistic.counts])
    assert_allclose(statistic.function(many), [statistic.value] * 3, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("how", ["micro", "macro", "weighted"])
def test_gradients_of_several_labels_are_derivatives(how: Any) -> None:
    rng = np.random.default_rng(4)
    data = Multilabel.from_arrays(rng.integers(0, 2, (50, 3)), rng.integers(0, 2, (50, 3)), labels=[2, 0])
    statistic = c.f1.using(average=how).compute(data)
    assert isinstance(statistic, TableFunction)
    assert statistic.gradient is not None
    assert_allclose(statistic.gradient(statistic.counts), _numeric(statistic), rtol=1e-5, atol=1e-8)
