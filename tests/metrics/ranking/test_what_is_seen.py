"""Narrowed rankings: judged documents only, grades from a least one on."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import certus
from certus import DataError, parse
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics import Metric, declared
from certus.statistic import Mean, Ratio

DOCUMENTS = st.sampled_from([f"d{index}" for index in range(8)])
RUNS = st.dictionaries(DOCUMENTS, st.integers(0, 4).map(float), min_size=1)
JUDGMENTS = st.dictionaries(DOCUMENTS, st.integers(-1, 3), min_size=1)
QUERIES = st.lists(st.tuples(JUDGMENTS, RUNS), min_size=1, max_size=3).map(
    lambda queries: (
        {f"q{index}": judged for index, (judged, _) in enumerate(queries)},
        {f"q{index}": found for index, (_, found) in enumerate(queries)},
    )
)
GRADED = ("DCG@3", "nDCG", "nDCG(gain='exp')@3", "nDCG-rel", "G", "ERR", "nERR@3")


def _ready(metric: Metric) -> Metric:
    return metric.using(**{name: 0.5 for name, parameter in metric.parameters.items() if parameter.required})


def _values(metric: Metric, qrels: Any, run: Any) -> Any:
    statistic = metric.compute(rank(as_qrels(qrels), run).ranking)
    assert isinstance(statistic, Mean | Ratio)
    return statistic.values if isinstance(statistic, Mean) else [statistic.numerators, statistic.denominators]


@pytest.mark.parametrize("metric", declared(), ids=str)
@settings(max_examples=8)
@given(data=QUERIES)
def test_judged_only_is_the_metric_of_the_run_without_its_unjudged_documents(metric: Metric, data: Any) -> None:
    qrels, run = data
    judged = {
        query: {document: score for document, score in found.items() if qrels[query].get(document, -1) >= 0}
        for query, found in run.items()
    }
    found = _values(_ready(metric).using(judged_only=True), qrels, run)
    if all(judged.values()):  # no file has a query without documents
        np.testing.assert_array_equal(found, _values(_ready(metric), qrels, judged))
    ranking = rank(as_qrels(qrels), run).ranking.condensed()
    removed = _ready(metric).compute(ranking)
    assert isinstance(removed, Mean | Ratio)
    np.testing.assert_array_equal(
        found, removed.values if isinstance(removed, Mean) else [removed.numerators, removed.denominators]
    )


@pytest.mark.parametrize("name", GRADED)
@settings(max_examples=20)
@given(data=QUERIES, rel=st.integers(1, 4))
def test_grades_below_the_least_count_as_0(name: str, data: Any, rel: int) -> None:
    qrels, run = data
    lower = {
        query: {document: 0 if 0 < grade < rel else grade for document, grade in judged.items()}
        for query, judged in qrels.items()
    }
    metric = parse(name)
    np.testing.assert_array_equal(_values(metric.using(rel=rel), qrels, run), _values(metric, lower, run))


QRELS = {"q1": {"d1": 1, "d2": 0, "d4": 1}}
RUN = {"q1": {"d1": 0.9, "x": 0.8, "d2": 0.7, "y": 0.6, "d4": 0.5}}


def test_judged_only_is_for_one_metric_what_unjudged_remove_is_for_all() -> None:
    table = certus.evaluate(QRELS, RUN, ["P@2", "P(judged_only=True)@2", "AP(judged_only=True)"])
    assert [row.value for row in table] == pytest.approx([1 / 2, 1 / 2, (1 + 2 / 3) / 2])
    removed = certus.evaluate(QRELS, RUN, ["P@2", "AP"], unjudged="remove")
    assert [row.value for row in removed] == pytest.approx([1 / 2, (1 + 2 / 3) / 2])
    assert certus.ranking.average_precision(QRELS, RUN, judged_only=True).value == pytest.approx((1 + 2 / 3) / 2)


def test_judged_only_leaves_unjudged_documents_nothing_to_be_bounded_by() -> None:
    with pytest.raises(DataError, match=r"^P\(judged_only=True\)@2 takes unjudged documents out; it has no unj"):
        certus.evaluate(QRELS, RUN, "P(judged_only=True)@2", unjudged="bounds")


def test_chance_orders_the_judged_documents_of_judged_only() -> None:
    estimate = certus.ranking.precision(QRELS, RUN, cutoff=1, judged_only=True)
    # of three judged documents two are relevant
    assert estimate.versus_chance().expected == pytest.approx(2 / 3)
    assert certus.ranking.precision(QRELS, RUN, cutoff=1).versus_chance().expected == pytest.approx(2 / 5)
    with pytest.raises(DataError, match=r"takes unjudged documents out"):
        estimate.versus_chance(items=10)


def test_chance_knows_the_least_grade_that_gains() -> None:
    qrels, run = {"q1": {"d1": 2, "d2": 1}}, {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    exact = certus.ranking.dcg(qrels, run, rel=2, cutoff=1).versus_chance()
    assert exact.expected == pytest.approx(2 / 3)


def _others_first(ranked: list[int], rel: int) -> tuple[int, int]:
    pairs = [(one >= rel, other >= rel) for at, one in enumerate(ranked) for other in ranked[at + 1 :]]
    ordered = [above for above, below in pairs if above != below]
    return sum(ordered), len(ordered)


@settings(max_examples=40)
@given(data=QUERIES, rel=st.integers(1, 3), cutoff=st.none() | st.integers(1, 6))
def test_accuracy_is_the_share_of_pairs_in_the_right_order(data: Any, rel: int, cutoff: int | None) -> None:
    qrels, run = data
    shares = []
    for query, found in run.items():
        order = sorted(found, key=lambda document: (found[document], document), reverse=True)[:cutoff]
        right, pairs = _others_first([qrels[query].get(document, 0) for document in order], rel)
        if pairs:
            shares.append(right / pairs)
    value = certus.ranking.accuracy.using(rel=rel, cutoff=cutoff).compute(rank(as_qrels(qrels), run).ranking).value
    assert value == pytest.approx(np.mean(shares)) if shares else np.isnan(value)


@settings(max_examples=40)
@given(data=QUERIES, rel=st.integers(0, 3), cutoff=st.none() | st.integers(1, 6))
def test_graded_rbp_adds_grades_as_shares_of_the_highest(data: Any, rel: int, cutoff: int | None) -> None:
    qrels, run = data
    expected = []
    for query in sorted(run):
        found = run[query]
        order = sorted(found, key=lambda document: (found[document], document), reverse=True)[:cutoff]
        grades = [qrels[query].get(document, 0) for document in order]
        gains = [grade / 5 if grade >= max(rel, 1) else 0 for grade in grades]
        expected.append(0.3 * sum(gain * 0.7**position for position, gain in enumerate(gains)))
    metric = certus.ranking.rbp.using(p=0.7, rel=rel, cutoff=cutoff, graded=True, max_grade=5)
    assert_allclose(_values(metric, qrels, run), expected, rtol=1e-12, atol=1e-15)


def test_the_scale_of_rbp_needs_grades_that_count_and_holds_them() -> None:
    with pytest.raises(DataError, match=r"^max_grade of RBP is 2 but grades do not count; use graded=True with it$"):
        certus.ranking.rbp(QRELS, RUN, max_grade=2)
    with pytest.raises(DataError, match=r"the grade 6 but max_grade of RBP is 4; use max_grade=6$"):
        certus.ranking.rbp({"q1": {"d1": 6}}, RUN, graded=True)


def test_hits_are_counted_and_averaged() -> None:
    qrels = {"q1": {"d1": 1, "d2": 1, "d3": 2}, "q2": {"d9": 1}}
    run = {query: {"d1": 3.0, "d2": 2.0, "d3": 1.0} for query in qrels}
    assert certus.ranking.hits(qrels, run).value == 3 / 2
    assert certus.ranking.hits(qrels, run, cutoff=2).value == 1
    assert parse("hits@2")(qrels, run).value == 1
    assert certus.ranking.num_relevant_retrieved(qrels, run).value == 3
