"""Metrics by rank and precision by recall: the overview's tables, and areas that are average precision."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import CertusError, DataError, MetricNameError
from certus.ranking import metric_curve, precision_recall_curve

RATINGS = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
PAGES = {"abc": ["u1", "u2", "u3", "u4", "u5"]}


@settings(max_examples=25)
@given(
    queries=st.lists(
        st.tuples(st.integers(1, 12), st.sets(st.integers(0, 14), min_size=1, max_size=7)), min_size=1, max_size=4
    )
)
def test_the_area_of_the_mean_curve_is_mean_average_precision(queries: list[tuple[int, set[int]]]) -> None:
    qrels = {f"q{i}": {f"d{doc}": 1 for doc in relevant} for i, (_, relevant) in enumerate(queries)}
    run = {f"q{i}": [f"d{doc}" for doc in range(length)] for i, (length, _) in enumerate(queries)}
    area = precision_recall_curve(qrels, run, interpolated=False).area()
    assert area == pytest.approx(certus.ranking.average_precision(qrels, run).value, rel=1e-12, abs=1e-15)


def test_a_mean_has_the_interval_of_its_metric_and_a_query_none() -> None:
    random = np.random.default_rng(1)
    qrels = {f"q{i}": {f"d{doc}": int(random.integers(0, 3)) for doc in range(12)} for i in range(9)}
    run = {query: list(docs) for query, docs in qrels.items()}
    curve = metric_curve(qrels, run, "nDCG", at=[1, 5])
    low, high = curve.limits(level=0.9)
    for position, cutoff in enumerate((1, 5)):
        plain = certus.ranking.ndcg(qrels, run, cutoff=cutoff)
        assert curve.values()[position] == plain.value
        assert (low[position], high[position]) == plain.interval(0.9)[:2]
    one = metric_curve(qrels, run, "nDCG", at=[5], query="q3")
    assert one.values()[0] == certus.ranking.ndcg({"q3": qrels["q3"]}, {"q3": run["q3"]}, cutoff=5).value
    assert list(curve.table(0.9).columns) == ["rank", "nDCG", "nDCG low", "nDCG high"]


@pytest.mark.parametrize(
    ("told", "kind", "message"),
    [
        ({"metrics": "Rprec"}, CertusError, "Rprec has neither a cutoff nor a level of recall"),
        ({"metrics": ["P", "IPrec"]}, CertusError, "metrics of ranks and of recall share no places"),
        ({"metrics": "nDCG@5"}, CertusError, "nDCG@5 has a cutoff of its own; leave it out"),
        ({"metrics": "IPrec@0.5"}, CertusError, "IPrec@0.5 has a recall of its own; leave it out"),
        ({"at": []}, CertusError, "at is empty"),
        ({"at": [2, 1]}, CertusError, "at must rise from place to place"),
        ({"at": [0]}, MetricNameError, "cutoff of CG is 0"),
        ({"query": "zz"}, DataError, "query is 'zz', which is not among the 1 evaluated"),
    ],
)
def test_what_makes_no_curve_is_refused(told: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        metric_curve(RATINGS, PAGES, **told)
