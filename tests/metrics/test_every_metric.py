"""Claims about every metric of every task; a new one is found and tested by itself."""

import inspect
import math
import pickle
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from every_metric import TASKS, case, every_variant
from in_a_row import in_a_row
from numpy.testing import assert_allclose

from certus import DataError, Metric, MetricNameError, tasks
from certus.data import Clustered
from certus.inference import Estimates
from certus.metrics import Gains, declared, parse

METRICS = [
    metric for task in tasks.tasks() for metric in declared(task.name) if metric.__module__.startswith("certus.")
]
"""Those of certus itself."""
SAMPLED = [variant for metric in METRICS if metric.task in TASKS for variant in every_variant(metric)]
"""Metrics of samples, with some values of each parameter."""
each_metric = in_a_row("metric", METRICS, group=lambda each: each.task)
each_variant = in_a_row("metric", SAMPLED, group=lambda each: each.task)

NO_INTERVAL = {"MaxError", "Dunn"}
PAIRS = {"Rand", "FM", "ARI", "AMI"}
"""Metrics of clusterings whose pairs of samples are other ones where samples have copies."""
UNLIKE = {
    "ECE(norm='l2-debiased')": "the bias that is taken off depends on the number of samples",
    "LogLoss(normalize=False)": "a sum grows with the samples",
    "TopK@10": "there are three classes",
    "TopK@3": "there are three classes",
}
"""Variants that do not take a sample twice for two."""
WRONG: list[object] = [object(), "no such value", float("nan"), float("inf"), 10**400, b"1", [-1], ()]


@each_metric
def test_a_metric_says_what_it_is(metric: Metric) -> None:
    assert metric.source
    assert 10 < len(metric.summary) <= 120
    assert metric.summary.endswith(".")
    assert metric.bounds[0] < metric.bounds[1]
    doc = inspect.getdoc(metric) or ""
    _, _, parameters = doc.partition("Parameters\n----------\n")
    described = parameters.partition("\n\nReturns")[0]
    names = {name for line in described.splitlines() if not line.startswith(" ") for name in line.split(", ")}
    assert names - {""} == set(metric.parameters)
    assert "Returns\n-------\n" in doc
    face = import_module(f"certus.{metric.task}")
    assert f"certus.{metric.task}.{metric.function_name}(" in doc
    assert getattr(face, metric.function_name) == metric
    assert metric.function_name in face.__all__


@each_metric
def test_a_metric_shows_how_it_is_called(metric: Metric) -> None:
    parameters = inspect.signature(metric).parameters
    keywords = [name for name, each in parameters.items() if each.kind is each.KEYWORD_ONLY]
    known = {name for kind in metric.input_types for name in getattr(kind, "keywords", ())}
    told = [each.name for each in tasks.task(metric.task).conventions if not known or each.name in known]
    if metric.task == "ranking":  # whose data have no names: qrels and a run, or a Ranking
        assert keywords == list(metric.parameters)
        return
    if not metric.weighted and "sample_weight" in told:
        told.remove("sample_weight")
    assert keywords == [*metric.parameters, *told]
    data = [name for name, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    assert [*data, *keywords] == list(parameters)
    assert data == list(metric.arguments)
    assert {*data} <= {name for each in tasks.task(metric.task).data for name in each.names}


@each_metric
@in_a_row("wrong", WRONG)
def test_a_metric_refuses_values_no_parameter_takes(metric: Metric, wrong: object) -> None:
    for name, parameter in metric.parameters.items():
        huge = wrong == 10**400 and int in parameter.types and math.isinf(parameter.range.high)
        if huge or (wrong == () and Gains in parameter.types):
            continue
        with pytest.raises(MetricNameError, match=rf"^{name} of \S+ is .*; it must be "):
            metric.using(**{name: wrong})


@each_metric
def test_a_metric_refuses_numbers_out_of_range(metric: Metric) -> None:
    for name, parameter in metric.parameters.items():
        inside = parameter.range
        for wrong in (inside.low - 1, inside.high + 1, inside.greater_than, inside.less_than, inside.limit + 1):
            if not np.isfinite(wrong) or not (set(parameter.types) & {int, float}):
                continue
            value = int(wrong) if int in parameter.types else wrong
            with pytest.raises(MetricNameError, match=rf"^{name} of \S+ is .*; it must be "):
                metric.using(**{name: value})


@each_variant
def test_the_text_of_a_metric_names_it(metric: Metric) -> None:
    for name in (metric.name, *metric.aliases):
        assert parse(name + str(metric).removeprefix(metric.name), task=metric.task) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric


@each_variant
def test_data_can_be_given_by_name(metric: Metric) -> None:
    data = case(metric.task, metric)
    named: Any = metric(**dict(zip(metric.arguments, data.given, strict=True)))
    found = list(named.values()) if isinstance(named, Estimates) else [named]
    assert_allclose([each.value for each in found], [each.value for each in data.of()], rtol=0)


@each_variant
@in_a_row("seed", range(2))
def test_values_and_limits_stay_within_the_bounds(metric: Metric, seed: int) -> None:
    low, high = metric.bounds
    for estimate in case(metric.task, metric, n=60, seed=seed).of():
        interval = estimate.interval()
        if _trivial(metric) or metric.name in NO_INTERVAL:
            assert interval.defined or interval.reason
            continue
        assert not estimate.reason
        assert interval.defined or metric.task == "efficiency", interval.reason
        if interval.defined:  # few requests have no limits of the slowest ones
            assert low <= interval.low <= estimate.value <= interval.high <= high
            assert interval.low < interval.high


def _trivial(metric: Metric) -> bool:
    """True if nearly all data have the same value, so that no resample shows how far it can be off."""
    told = metric.conventions
    least = metric.name == "D2Pinball" and told["alpha"] in (0, 1)
    return least or (metric.name in ("PrecisionAtRecall", "RecallAtPrecision") and told[metric.at_parameter] <= 0.5)


@each_variant
def test_the_order_of_samples_does_not_matter(metric: Metric) -> None:
    data = case(metric.task, metric)
    order = np.random.default_rng(1).permutation(len(data.given[0]))
    mixed = data._replace(given=tuple(each[order] for each in data.given))
    assert_allclose([each.value for each in mixed.of()], [each.value for each in data.of()], rtol=1e-11)


@each_variant
def test_a_weight_of_2_is_a_sample_that_stands_twice(metric: Metric) -> None:
    data = case(metric.task, metric, n=60)
    times = np.random.default_rng(2).integers(0, 3, 60)
    if "sample_weight" not in inspect.signature(metric).parameters:
        if "sample_weight" in tasks.task(metric.task).defaults:
            with pytest.raises((DataError, MetricNameError)):
                data.of(sample_weight=times)
        return
    if metric.conventions.get("strategy") == "quantile":
        with pytest.raises(DataError, match="strategy is 'quantile' but samples have weights"):
            data.of(sample_weight=times)
        return
    repeated = data._replace(given=tuple(np.repeat(each, times, axis=0) for each in data.given))
    weighted = data.of(sample_weight=times)
    if str(metric) not in UNLIKE:
        assert_allclose([each.value for each in weighted], [each.value for each in repeated.of()], rtol=1e-11)
    for each in weighted:
        assert each.interval().defined or each.interval().reason
        assert each.n <= np.count_nonzero(times)


@each_variant
def test_groups_of_copies_are_as_many_as_the_groups(metric: Metric) -> None:
    if Clustered in metric.input_types or metric.conventions.get("normalize") is False:
        return  # copies of a sample are at distance 0; a sum grows
    data = case(metric.task, metric, n=30)
    copies = np.repeat(np.arange(30), 4)
    many = data._replace(given=tuple(each[copies] for each in data.given))
    for one, other in zip(data.of(groups=np.arange(30)), many.of(groups=copies), strict=True):
        assert other.unit == "group"
        assert other.n == one.n <= 30
        own = {"predictors", "ddof"} & {name for name, value in metric.conventions.items() if value}
        if str(metric) not in UNLIKE and metric.name not in PAIRS and not own:
            assert_allclose(other.value, one.value, rtol=1e-9)
