"""Claims about every ranking metric; a new one is found and tested by itself."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_a_row import in_a_row
from numpy.testing import assert_allclose

import certus
from certus import Metric
from certus.data import Ranking
from certus.data.ranking import Columns
from certus.metrics import Gains, declared
from certus.metrics import orders as orders_of_ties
from certus.metrics.check import Parameter
from certus.metrics.orders import extremes
from certus.statistic import Mean, Ratio

Make = Callable[..., Ranking]
METRICS = declared("ranking")


def _samples(parameter: Parameter) -> list[Any]:
    """Some values that a parameter accepts."""
    tries: dict[object, list[Any]] = {int: [0, 1, 2, 3, 5], float: [0.0, 0.3, 0.5, 1.0, 2.0], Gains: [{1: 2.5, 3: 1}]}
    tries[bool] = [False, True]
    fitting = [value for kind in parameter.types for value in tries[kind] if kind == Gains or value in parameter.range]
    return [*parameter.choices, *fitting]


def _ready(metric: Metric) -> Metric:
    """The metric with a value for each parameter that needs one."""
    needed = {name: 0.5 for name, parameter in metric.parameters.items() if parameter.required}
    scale = {"max_grade": 3} if "max_grade" in metric.parameters else {}
    if "graded" in metric.parameters:  # its scale is that of grades only
        scale = {}
    return metric.using(**needed, **scale)


def _variants(metric: Metric) -> list[Metric]:
    ready = _ready(metric)
    bound = [ready.using(**{name: value}) for name, p in metric.parameters.items() for value in _samples(p)]
    if "denominator" in metric.parameters:
        bound += [ready.using(cutoff=2, denominator=way) for way in ("min", "hits")]
    if "graded" in metric.parameters:
        bound = [each for each in bound if each.conventions["max_grade"] is None]
        bound += [ready.using(graded=True, max_grade=3, rel=rel) for rel in (1, 2)]
    usable = [each for each in bound if (each.conventions.get("max_grade") or 3) >= 3]
    return list(dict.fromkeys([ready, *usable]))


VARIANTS = [variant for metric in METRICS for variant in _variants(metric)]

GRADES = st.sampled_from([None, None, -1, 0, 1, 1, 2, 3])
QUERIES = st.lists(
    st.tuples(st.lists(st.lists(GRADES, min_size=1, max_size=3), max_size=3), st.lists(st.integers(-1, 3), max_size=3)),
    min_size=1,
    max_size=3,
)

each_metric = pytest.mark.parametrize("metric", METRICS, ids=str)
each_variant = in_a_row("metric", VARIANTS, group=lambda each: each.name)
# Whether a query has pairs to count, and so how many queries there are, may depend on the order of ties.
SETTLED = [each for each in VARIANTS if each.name != "Accuracy" or each.conventions["cutoff"] is None]
each_settled = in_a_row("metric", SETTLED, group=lambda each: each.name)


@settings(max_examples=7)
@given(queries=QUERIES)
@each_settled
def test_values_stay_within_the_bounds(metric: Metric, queries: Any, ranking_of: Make) -> None:
    ranking = ranking_of(*queries)
    low, high = metric.bounds
    for given_ in (ranking, replace(ranking, ties="average"), ranking.best(), ranking.worst()):
        statistic = metric.compute(given_)
        assert statistic.n == len(ranking)
        value = statistic.value
        if isinstance(statistic, Mean):
            values = statistic.values
            assert np.all(np.isnan(values) | ((values >= low) & (values <= high)))
            if np.isnan(values).any():
                assert np.isnan(value)
                assert metric.name in UNDEFINED
        assert np.isnan(value) or low <= value <= high or statistic.n > 1


def test_a_perfect_ranking_averages_to_exactly_1_over_ties(ranking_of: Make) -> None:
    tied = replace(ranking_of(([[3, 3, 3]], [])), ties="average")
    assert certus.ranking.ndcg.compute(tied).value == 1


UNDEFINED = {"Coverage", "Novelty", "k@recall"}
"""Metrics without a value for some queries; their docstrings say for which."""


@each_variant
def test_a_query_with_nothing_in_it_counts_0_or_is_said_to_be_undefined(metric: Metric, ranking_of: Make) -> None:
    ranking = ranking_of(([], []), ([], [0]), ([], [1]), ([[None]], []), ([[0]], []))
    statistic = metric.compute(ranking)
    if isinstance(statistic, Mean):
        undefined = np.isnan(statistic.values).any()
        assert undefined <= (metric.name in UNDEFINED)
        assert bool(statistic.reason) == undefined
    empty = metric.compute(ranking_of())
    assert np.isnan(empty.value)
    assert empty.reason == "there are no queries"


@settings(max_examples=7)
@given(queries=QUERIES)
@each_settled
def test_ties_are_averaged_and_bounded_exactly(metric: Metric, queries: Any, ranking_of: Make) -> None:
    ranking = ranking_of(*queries)
    orders, query = orders_of_ties._all_orders(metric, ranking)
    by_order = metric.compute(orders)
    expected = metric.compute(replace(ranking, ties="average"))
    low, high = extremes(metric, ranking)
    if isinstance(by_order, Ratio):
        assert isinstance(expected, Ratio)
        means = [by_order.numerators[query == q].mean() for q in range(len(ranking))]
        assert_allclose(expected.numerators, means, rtol=1e-12, atol=1e-15)
        assert np.isnan(low.value) or low.value <= expected.value * (1 + 1e-12)
        assert np.isnan(low.value) or expected.value <= high.value * (1 + 1e-12)
        return
    assert isinstance(by_order, Mean)
    assert isinstance(expected, Mean)
    assert isinstance(low, Mean)
    assert isinstance(high, Mean)
    for q in range(len(ranking)):
        values = by_order.values[query == q]
        # Sums in another order: a few units in the last place.
        assert_allclose(expected.values[q], values.mean(), rtol=1e-11, atol=1e-14)
        assert_allclose(low.values[q], values.min(), rtol=1e-12, atol=1e-15)
        assert_allclose(high.values[q], values.max(), rtol=1e-12, atol=1e-15)


@settings(max_examples=7)
@given(queries=QUERIES, data=st.data())
@each_variant
def test_queries_do_not_see_each_other(metric: Metric, queries: Any, data: st.DataObject, ranking_of: Make) -> None:
    order = data.draw(st.permutations(range(len(queries))))
    straight = metric.compute(ranking_of(*queries))
    permuted = metric.compute(ranking_of(*(queries[index] for index in order)))
    if isinstance(straight, Mean) and isinstance(permuted, Mean):
        assert_allclose(permuted.values, straight.values[list(order)], rtol=0)
    else:
        assert_allclose(permuted.value, straight.value, rtol=1e-15)


@each_variant
def test_a_ranking_can_be_read_only(metric: Metric, ranking_of: Make) -> None:
    ranking = ranking_of(([[1, None], [0], [2]], [1]), ([[None]], [3]))
    frozen: list[Any] = [column.copy() for column in ranking.columns]
    for column in frozen:
        column.flags.writeable = False
    metric.compute(Ranking(ranking.queries, Columns(*frozen), "average"))
    for name, before, after in zip(Columns._fields, frozen, ranking.columns, strict=True):
        np.testing.assert_array_equal(before, after, err_msg=name)


# Metrics whose best bound no finite ranking attains, or whose best value says nothing about the order.
NOT_ATTAINED = {
    "Accuracy": "a list of relevant documents only has no pairs to order",
    "ERR": "the highest grade leaves a user unsatisfied with probability 1/2^max_grade",
    "Novelty": "it also depends on what the user knew",
    "RBP": "some persistence always goes past the end of the list",
    "RBP-residual": "some persistence always goes past the end of the list",
    "infAP": "trec_eval's e takes a little off",
    "k@recall": "at least one document must be read",
}


@each_metric
def test_a_perfect_ranking_attains_the_best_bound(metric: Metric, ranking_of: Make) -> None:
    perfect = ranking_of(([[3], [2], [1]], []), ([[2]], []))
    best = {"higher": metric.bounds[1], "lower": metric.bounds[0], None: np.inf}[metric.better]
    value = _ready(metric).compute(perfect).value
    if np.isfinite(best) and metric.name not in NOT_ATTAINED:
        assert value == best
    else:
        assert value != best


SCORES = st.dictionaries(st.sampled_from("abcdef"), st.integers(-8, 8), min_size=1)


@each_metric
@settings(max_examples=7)
@given(run=st.fixed_dictionaries({"q1": SCORES, "q2": SCORES}))
def test_only_the_order_of_scores_matters(metric: Metric, run: dict[str, dict[str, int]]) -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"d": 1, "e": 3, "x": 1, "z": -1}}
    ready = _ready(metric)
    value = ready(qrels, run).value
    stretched = {query: {doc: 2.5**score - 7 for doc, score in docs.items()} for query, docs in run.items()}
    assert_allclose(ready(qrels, stretched).value, value, rtol=0)
