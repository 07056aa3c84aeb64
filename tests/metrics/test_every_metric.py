"""Claims about every metric of every task; a new one is found and tested by itself."""

import inspect
import math
import pickle
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from every_metric import TASKS, Case, case, every_variant
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
    of_sets = [name for kind in metric.input_types for name in getattr(kind, "keywords_of_sets", ())]
    assert keywords in ([*metric.parameters, *told], [*metric.parameters, *told, *of_sets])
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
    assert_allclose([each.value for each in found], data.values(), rtol=0)


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
    assert_allclose(data.rows(order).values(), data.values(), rtol=1e-11)


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
    weighted = data.of(sample_weight=times)
    if str(metric) not in UNLIKE:
        repeated = data.rows(np.repeat(np.arange(60), times)).values()
        assert_allclose([each.value for each in weighted], repeated, rtol=1e-11)
    for each in weighted:
        assert each.interval().defined or each.interval().reason
        assert each.n <= np.count_nonzero(times)


@each_variant
def test_groups_of_copies_are_as_many_as_the_groups(metric: Metric) -> None:
    if Clustered in metric.input_types or metric.conventions.get("normalize") is False:
        return  # copies of a sample are at distance 0; a sum grows
    data = case(metric.task, metric, n=30)
    copies = np.repeat(np.arange(30), 4)
    for one, other in zip(data.of(groups=np.arange(30)), data.rows(copies).of(groups=copies), strict=True):
        assert other.unit == "group"
        assert other.n == one.n <= 30
        own = {"predictors", "ddof"} & {name for name, value in metric.conventions.items() if value}
        if str(metric) not in UNLIKE and metric.name not in PAIRS and not own:
            assert_allclose(other.value, one.value, rtol=1e-9)
        if metric.task in ("classification", "multilabel"):
            assert_allclose(other.standard_error, one.standard_error, rtol=1e-9)
        elif metric.task == "regression" and not own:
            assert_allclose(other.standard_error, one.standard_error, rtol=0.06)


@each_variant
def test_groups_of_one_sample_are_samples(metric: Metric) -> None:
    if metric.task != "classification":
        return
    if "prevalence" in metric.conventions:
        metric = metric.using(prevalence="random")  # as it is over groups
    data = case(metric.task, metric, n=60)
    for one, other in zip(data.of(), data.of(groups=np.arange(60)), strict=True):
        assert_allclose(other.value, one.value, rtol=1e-12)
        # A variance over G groups is divided by G - 1, where one of samples may be divided by n.
        assert_allclose(other.standard_error, one.standard_error, rtol=1.2 / 60)


@each_variant
def test_a_perfect_prediction_has_exactly_the_best_value(metric: Metric) -> None:
    if metric.task not in ("classification", "multilabel", "regression") or metric.better is None:
        return
    if _trivial(metric) or str(metric) in UNLIKE or metric.conventions.get("clip") or metric.name == "Lift":
        return  # a loss that is clipped stays away from 0; the best lift is that of data with few positives
    data = case(metric.task, metric, n=60)
    best = metric.bounds[1] if metric.better == "higher" else metric.bounds[0]
    if metric.name == "CoverageError":
        best = float((data.given[0].sum(1) - 1 + metric.conventions["offset"]).mean())
    for estimate in data.perfect().of() if metric.name != "DCG" else ():  # whose best depends on the grades
        assert estimate.value == best
        low, high = estimate.interval()
        assert math.isnan(low) or (math.isinf(best) and low == high == best) or low < high
    first, best = data.values()[0], data.perfect().values()[0]
    assert first < best if metric.better == "higher" else first > best


def _degenerate(metric: Metric) -> list[tuple[Case, dict[str, Any]]]:
    """Hardly any data: one sample, one class, a class that is missing, predictions or targets all alike."""
    data = case(metric.task, metric, n=60)
    true, *others = data.given
    cases = [data.rows(rows) for rows in (slice(0, 1), slice(0, 3), slice(0, 5))]
    cases.append(data.rows(true == true[0] if true.ndim == 1 else (true == 0).all(1)))
    if metric.task == "regression":
        ones = np.ones(9)
        cases += [data._replace(given=pair) for pair in ((ones, others[0][:9]), (true[:9], ones), (ones, ones))]
    elif metric.task in ("classification", "multilabel"):
        cases.append(data.perfect().rows(slice(0, 6)))
    if metric.input_types[0].__name__ == "Probabilities" and others[0].ndim == 2:
        return [(each, {"labels": [0, 1, 2]}) for each in cases]
    absent = metric.input_types[0].__name__ == "Labels" and true.ndim == 1 and true.max() == 2
    return [*((each, {}) for each in cases), *([(data, {"labels": [0, 1, 2, 7]})] if absent else [])]


@each_variant
def test_nothing_is_undefined_silently_and_no_interval_is_without_width(metric: Metric) -> None:
    for data, conventions in _degenerate(metric):
        try:
            estimates = data.of(**conventions)
        except DataError as error:
            assert any(word in str(error) for word in ("labels", "class", "samples"))  # noqa: PT017
            continue
        for estimate in estimates:
            assert math.isnan(estimate.value) == bool(estimate.reason)
            interval = estimate.interval()
            assert interval.defined != math.isnan(interval.low)
            if not interval.defined:
                assert interval.reason
            elif math.isfinite(estimate.value):
                assert interval.low < interval.high
                assert interval.low <= estimate.value <= interval.high


@each_variant
def test_no_samples_are_said_to_be_none(metric: Metric) -> None:
    data = case(metric.task, metric).rows(slice(0, 0))
    of_classes = metric.input_types[0].__name__ == "Probabilities" and data.given[1].ndim == 2
    try:
        estimates = data.of(**({"labels": [0, 1, 2]} if of_classes else {}))
    except DataError as error:
        assert any(words in str(error) for words in ("no samples", "empty", "class"))  # noqa: PT017
        return
    for estimate in estimates:
        assert math.isnan(estimate.value)
        assert estimate.reason.startswith("there are no ")
