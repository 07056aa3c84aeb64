"""The form of a metric with one value per sample."""

from typing import Any

import numpy as np
import pytest

from certus import DataError
from certus.data import ClassScores
from certus.metrics.classification.per_sample import per_sample
from certus.statistic import Mean, Ratio

VALUES = np.array([1.0, 2.0, 4.0, np.inf])


def data(weights: Any = None, groups: Any = None) -> ClassScores:
    return ClassScores.from_arrays([0, 1, 1, 0], [0.0, 0.0, 0.0, 0.0], sample_weight=weights, groups=groups)


def test_without_weights_and_groups_it_is_a_mean() -> None:
    statistic = per_sample(VALUES, data())
    assert isinstance(statistic, Mean)
    assert statistic.values is VALUES


def test_weights_make_a_ratio() -> None:
    statistic = per_sample(VALUES[:3], data([1, 2, 1, 0]))
    assert isinstance(statistic, Ratio)
    assert (statistic.n, statistic.value) == (3, 9 / 4)


def test_groups_are_units() -> None:
    statistic = per_sample(VALUES[:3], data([1, 2, 1, 0], ["a", "b", "a", "c"]))
    assert isinstance(statistic, Ratio)
    assert statistic.numerators.tolist() == [5, 4]
    assert statistic.denominators.tolist() == [2, 2]
    assert statistic.unit == "group"


@pytest.mark.parametrize(
    ("weights", "groups", "unit", "total"),
    [
        (None, None, "sample", np.inf),
        ([1, 2, 1, 0], None, "sample", 9),
        (None, ["a", "b", "a", "c"], "group", np.inf),
        ([1, 2, 1, 0], ["a", "b", "a", "c"], "group", 9),
    ],
)
def test_sums_are_totals(weights: Any, groups: Any, unit: str, total: float) -> None:
    prepared = data(weights, groups)
    statistic = per_sample(VALUES[: len(prepared)], prepared, normalize=False)
    assert isinstance(statistic, Mean)
    assert statistic.total
    assert (statistic.unit, statistic.value) == (unit, total)


def test_weights_that_are_all_0_are_refused() -> None:
    with pytest.raises(DataError, match="every sample_weight is 0; some sample must count"):
        data([0, 0, 0, 0])
