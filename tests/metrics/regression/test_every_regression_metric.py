"""Claims about every regression metric; a new one is found and tested by itself."""

from typing import Any

import numpy as np
import pytest
from every_metric import case
from numpy.testing import assert_allclose
from untyped import untyped

import certus
from certus import DataError, Metric, MetricNameError
from certus.data import Targets
from certus.inference import Estimates
from certus.metrics import declared, parse

METRICS = declared("regression")
MULTI = [metric for metric in METRICS if "multioutput" in metric.parameters]


@pytest.mark.parametrize("metric", MULTI, ids=str)
def test_several_outputs_are_averaged_or_given_each(metric: Metric) -> None:
    columns = [case("regression", metric, n=60, seed=seed).given for seed in (1, 2)]
    true, predicted = (np.column_stack([pair[side] for pair in columns]) for side in (0, 1))
    alone = [metric(*pair) for pair in columns]
    each: Any = metric(true, predicted, multioutput="raw_values")
    assert isinstance(each, Estimates)
    assert_allclose([one.value for one in each.values()], [one.value for one in alone], rtol=1e-12)
    for given, parts in {"uniform_average": (0.5, 0.5), (1.0, 3.0): (0.25, 0.75)}.items():
        average = metric(true, predicted, multioutput=given)
        wanted = sum(part * one.value for part, one in zip(parts, alone, strict=True))
        assert_allclose(average.value, wanted, rtol=1e-12)
        low, high = average.interval()
        assert low < average.value < high
    with pytest.raises(DataError, match=r"^multioutput has 3 weights for 2 outputs; give one for each output$"):
        metric(true, predicted, multioutput=[1, 1, 1])


@pytest.mark.parametrize("metric", [each for each in METRICS if each.name != "MaxError"], ids=str)
def test_the_bootstrap_is_about_as_wide_as_an_interval_that_no_long_tail_widens(metric: Metric) -> None:
    estimate = metric(*case("regression", metric, n=60).given)
    plain = next((method for method in ("t", "influence") if method in estimate.methods), None)
    limits = estimate.interval(method=plain)
    for method in {"percentile", "bca"} & {*estimate.methods}:
        drawn = estimate.interval(method=method, replicates=999)
        assert 0.4 < (drawn.high - drawn.low) / (limits.high - limits.low) < 2.5


def test_a_text_can_give_the_weights_of_outputs() -> None:
    metric = parse("MAE(multioutput={0.25,0.75})", task="regression")
    assert metric.conventions["multioutput"] == (0.25, 0.75)
    assert str(metric) == "MAE(multioutput={0.25,0.75})"


def test_wrong_data_are_refused_with_the_place() -> None:
    with pytest.raises(DataError, match=r"^y_true has 2 samples but y_pred has 1; they must pair up one to one$"):
        certus.regression.mae([1, 2], [1])
    with pytest.raises(DataError, match=r"^y_pred is infinite at index 1; it must be finite$"):
        certus.regression.r2([1, 2], [1, float("inf")])
    with pytest.raises(DataError, match=r"^y_true has 2 outputs but y_pred has 3; they must match$"):
        certus.regression.mse([[1, 2]], [[1, 2, 3]])
    with pytest.raises(DataError, match=r"^MAE takes y_true and y_pred; it was given 1$"):
        untyped(certus.regression.mae)([1, 2])
    with pytest.raises(DataError, match=r"^groups must be given where the Targets are made, not with them$"):
        untyped(certus.regression.mae)(Targets.from_arrays([1], [1]), groups=[1])
    with pytest.raises(DataError, match=r"y_true holds whole numbers beyond 2\*\*53"):
        certus.regression.mae([2**53 + 1, 0], [1, 2])
    with pytest.raises(
        MetricNameError, match=r"^MAE has no parameter 'sample_weights'; did you mean 'sample_weight'\?$"
    ):
        untyped(certus.regression.mae)([1], [1], sample_weights=[1])


def test_a_table_of_one_column_is_the_column() -> None:
    assert certus.regression.mae([[1], [2]], [1, 4]).value == 1
    assert repr(Targets.from_arrays([[1], [2]], [[1], [4]])) == "<Targets: 2 samples>"
    assert repr(Targets.from_arrays([[1, 2]], [[1, 4]])) == "<Targets: 1 sample, 2 outputs>"
