"""Claims about every regression metric; a new one is found and tested by itself."""

import math
from typing import Any

import numpy as np
import pytest
from in_a_row import in_a_row
from numpy.testing import assert_allclose
from untyped import untyped

import certus
from certus import DataError, Metric, MetricNameError
from certus.data import Targets
from certus.inference import Estimate, Estimates
from certus.metrics import declared, parse
from certus.metrics.check import Parameter, Weights

METRICS = declared("regression")
MULTI = [metric for metric in METRICS if "multioutput" in metric.parameters]
NO_INTERVAL = {"MaxError"}


def _samples(parameter: Parameter) -> list[Any]:
    tries: dict[object, list[Any]] = {int: [1, 2], float: [0.0, 0.25, 0.5, 1.5, 2.0, -1.0], bool: [False, True]}
    tries[Weights] = []
    fitting = [value for kind in parameter.types for value in tries[kind] if kind is bool or value in parameter.range]
    allowed = [value for value in fitting if not (parameter.name == "power" and 0 < value < 1)]
    return [*(choice for choice in parameter.choices if choice != "raw_values"), *allowed]


VARIANTS = list(
    dict.fromkeys(
        [
            metric.using(**{name: value})
            for metric in METRICS
            for name, p in metric.parameters.items()
            for value in _samples(p)
        ]
        + list(METRICS)
    )
)
each_metric = pytest.mark.parametrize("metric", METRICS, ids=str)
each_variant = in_a_row("metric", VARIANTS, group=lambda each: each.name)


def _problem(n: int = 60, seed: int = 0) -> tuple[Any, Any]:
    """Targets and predictions above 0, as deviances need them."""
    rng = np.random.default_rng(seed)
    true = rng.gamma(3.0, size=n)
    return true, true * rng.lognormal(0.05, 0.3, n)


def _interval(estimate: Estimate) -> tuple[float, float]:
    return estimate.interval()


@each_variant
@in_a_row("seed", range(3))
def test_values_and_limits_stay_within_the_bounds(metric: Metric, seed: int) -> None:
    low, high = metric.bounds
    estimate = metric(*_problem(seed=seed))
    if metric.conventions.get("alpha") == 0 and metric.name == "D2Pinball":
        return  # the least target is never too high: nothing to save
    assert low <= estimate.value <= high
    interval = estimate.interval()
    if metric.name in NO_INTERVAL:
        assert not interval.defined
        assert interval.reason
        return
    assert low <= interval.low < estimate.value < interval.high <= high
    # a long tail makes the default several times as long
    plain = [method for method in ("t", "influence") if method in estimate.methods]
    interval = estimate.interval(method=plain[0]) if plain else interval
    for method in ("percentile", "bca"):
        if method in estimate.methods:
            other = estimate.interval(method=method, replicates=999)
            assert other.low < other.high
            assert 0.4 < (other.high - other.low) / (interval.high - interval.low) < 2.5


@each_variant
def test_a_perfect_prediction_has_exactly_the_best_value(metric: Metric) -> None:
    true, predicted = _problem()
    best = 1.0 if metric.better == "higher" else 0.0
    if metric.name == "D2Pinball" and metric.conventions["alpha"] == 0 and not metric.conventions["force_finite"]:
        return
    if metric.conventions.get("predictors") is not None:
        assert metric(true, true).value == 1
        return
    estimate = metric(true, true)
    assert estimate.value == best
    interval = estimate.interval()
    assert math.isnan(interval.low) or interval.low < interval.high
    assert metric(true, predicted).value != best


@each_variant
def test_groups_of_equal_samples_are_what_is_independent(metric: Metric) -> None:
    true, predicted = _problem(30)
    copies = np.repeat(np.arange(30), 4)
    one = metric(true, predicted, groups=np.arange(30))
    many = metric(true[copies], predicted[copies], groups=copies)
    assert many.unit == "group"
    assert many.n == 30
    if metric.conventions.get("predictors") is None and metric.conventions.get("ddof") != 1:
        assert_allclose(many.value, one.value, rtol=1e-11)
        assert_allclose(many.standard_error, one.standard_error, rtol=0.06)


@each_variant
def test_nothing_is_undefined_silently_and_no_interval_is_without_width(metric: Metric) -> None:
    true, predicted = _problem()
    ones = np.ones(9)
    cases = [
        (true[:1], predicted[:1]),
        (ones, predicted[:9]),
        (true[:9], ones),
        (ones, ones),
        (true[:3], predicted[:3]),
    ]
    for y, p in cases:
        estimate = metric(y, p)
        assert math.isnan(estimate.value) == bool(estimate.reason)
        interval = estimate.interval()
        if interval.defined:
            assert interval.low < interval.high
            assert interval.low <= estimate.value <= interval.high
        else:
            assert interval.reason


@each_variant
def test_no_samples_are_said_to_be_none(metric: Metric) -> None:
    estimate = metric([], [])
    assert math.isnan(estimate.value)
    assert estimate.reason == "there are no samples"


@pytest.mark.parametrize("metric", MULTI, ids=str)
def test_several_outputs_are_averaged_or_given_each(metric: Metric) -> None:
    columns = [_problem(seed=seed) for seed in (1, 2)]
    true, predicted = (np.column_stack([pair[side] for pair in columns]) for side in (0, 1))
    alone = [metric(*pair) for pair in columns]
    each: Any = metric(true, predicted, multioutput="raw_values")
    assert isinstance(each, Estimates)
    assert_allclose([one.value for one in each.values()], [one.value for one in alone], rtol=1e-12)
    for given, parts in {"uniform_average": (0.5, 0.5), (1.0, 3.0): (0.25, 0.75)}.items():
        average = metric(true, predicted, multioutput=given)
        wanted = sum(part * one.value for part, one in zip(parts, alone, strict=True))
        assert_allclose(average.value, wanted, rtol=1e-12)
        low, high = _interval(average)
        assert low < average.value < high
    with pytest.raises(DataError, match=r"^multioutput has 3 weights for 2 outputs; give one for each output$"):
        metric(true, predicted, multioutput=[1, 1, 1])


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
