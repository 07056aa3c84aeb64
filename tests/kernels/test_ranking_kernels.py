"""The ranking kernels against their definitions.

Over all orders of ties see metrics/ranking/test_every_ranking_metric.py.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles import Listed, Query

from certus.core import kernels

Arguments = dict[str, Any]

AT_CUTOFFS: list[Arguments] = [{"rel": rel, "cutoff": cutoff} for rel in (0, 1, 2) for cutoff in (1, 3, None)]
AT_RECALL: list[Arguments] = [{"rel": rel, "recall": recall} for rel in (1, 2) for recall in (0.0, 0.3, 0.5, 1.0)]
ROUNDINGS = ("trec9", "trec10", "exact")

WITH_ORDER: dict[str, list[Arguments]] = {
    "average_precision": [{**at, "denominator": by} for at in AT_CUTOFFS for by in ("relevant", "min", "hits")],
    "precision": AT_CUTOFFS,
    "recall": AT_CUTOFFS,
    "f_measure": [{**at, "beta": beta} for at in AT_CUTOFFS for beta in (0.5, 1.0, 2.0)],
    "success": AT_CUTOFFS,
    "relative_precision": AT_CUTOFFS,
    "reciprocal_rank": AT_CUTOFFS,
    "r_precision": [{"rel": rel, "multiple": multiple} for rel in (0, 1, 2) for multiple in (0.4, 1.0, 2.0)],
    "bpref": [{"rel": rel} for rel in (0, 1, 2, 9)],
    "interpolated_precision": [{**at, "rounding": rounding} for at in AT_RECALL for rounding in ROUNDINGS],
    "eleven_point": [{"rel": rel, "rounding": rounding} for rel in (1, 2) for rounding in ROUNDINGS],
    "dcg": [{"cutoff": cutoff, "gain": gain} for cutoff in (1, 3, None) for gain in ("linear", "exp")],
    "ndcg": [{"cutoff": cutoff, "gain": gain} for cutoff in (1, 3, None) for gain in ("linear", "exp")],
    "bin_g": [{"rel": rel} for rel in (0, 1, 2)],
    "err": [{"cutoff": cutoff, "max_grade": top} for cutoff in (1, 3, None) for top in (4, 6)],
    "nerr": [{"cutoff": cutoff, "max_grade": top} for cutoff in (1, 3, None) for top in (4, 6)],
    "rbp": [{**at, "p": p} for at in AT_CUTOFFS for p in (0.5, 0.95)],
    "judged": [{"cutoff": cutoff} for cutoff in (1, 3, None)],
    "precision_at_recall": AT_RECALL,
    "inf_ap": [{"rel": rel} for rel in (0, 1, 2)],
    "ndcg_rel": [{}],
    "rndcg": [{"rel": rel} for rel in (1, 2)],
    "g": [{}],
    "rbp_residual": [{"p": p, "cutoff": cutoff} for p in (0.5, 0.95) for cutoff in (1, 3, None)],
    "k_at_recall": AT_RECALL,
}

WITHOUT_ORDER: dict[str, list[Arguments]] = {
    "set_map": [{"rel": rel} for rel in (0, 1, 2)],
    "num_retrieved": [{}],
    "num_relevant": [{"rel": rel} for rel in (0, 1, 2)],
    "num_relevant_retrieved": [{"rel": rel} for rel in (0, 1, 2)],
    "num_nonrelevant_judged_retrieved": [{"rel": rel} for rel in (0, 1, 2)],
    "utility": [{"rel": 1, "a": 1.0, "b": -0.5, "c": -0.25, "d": 0.125, "collection": 1000}],
}

ORDERED = [(name, arguments) for name, each in WITH_ORDER.items() for arguments in each]

GRADES = st.sampled_from([None, None, -1, 0, 0, 1, 1, 2, 3, 4])
GROUPS = st.lists(st.lists(GRADES, min_size=1, max_size=4).map(tuple), max_size=4).map(tuple)
QUERIES = st.builds(Query, GROUPS, st.lists(st.integers(-1, 4), max_size=4).map(tuple))


def close(got: NDArray[np.float64], want: list[float]) -> None:
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)


def definition(name: str, arguments: Arguments) -> Callable[[Listed], float]:
    oracle = getattr(oracles, name)
    return lambda listed: oracle(listed, **arguments)


@settings(max_examples=30, deadline=None)
@given(st.lists(QUERIES, max_size=3))
def test_settled_lists_score_as_defined(queries: list[Query]) -> None:
    columns = oracles.columns_of(queries)
    for name, arguments in ORDERED:
        value = definition(name, arguments)
        got = getattr(kernels, name)(columns, **arguments, average=False)
        close(got, [value(query.settled) for query in queries])


@settings(max_examples=30, deadline=None)
@given(st.lists(QUERIES, max_size=3))
def test_counts_are_as_defined(queries: list[Query]) -> None:
    columns = oracles.columns_of(queries)
    for name, table in WITHOUT_ORDER.items():
        for arguments in table:
            value = definition(name, arguments)
            close(getattr(kernels, name)(columns, **arguments), [value(query.settled) for query in queries])
    got = kernels.relevance_string(columns, length=5)
    assert got == [oracles.relevance_string(query.settled, length=5) for query in queries]


@settings(max_examples=30, deadline=None)
@given(st.lists(QUERIES, max_size=3))
def test_without_ties_averaging_changes_no_bit(queries: list[Query]) -> None:
    alone = [Query(tuple((grade,) for grade in query.settled.docs), query.missed) for query in queries]
    columns = oracles.columns_of(alone)
    for name, arguments in ORDERED:
        kernel = getattr(kernels, name)
        settled = kernel(columns, **arguments, average=False)
        assert kernel(columns, **arguments, average=True).tobytes() == settled.tobytes(), name


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(0, 30), st.integers(0, 20))
def test_a_perfect_list_scores_exactly_one(relevant: int, others: int, missed: int) -> None:
    docs = ((3,),) * relevant + ((0,),) * others
    columns = oracles.columns_of([Query(docs, (0,) * missed)])
    for average in (False, True):
        perfect = [
            kernels.average_precision(columns, rel=1, cutoff=None, denominator="relevant", average=average),
            kernels.ndcg(columns, cutoff=10, gain="exp", average=average),
            kernels.nerr(columns, cutoff=10, max_grade=3, average=average),
            kernels.r_precision(columns, rel=1, multiple=1.0, average=average),
            kernels.bpref(columns, rel=1, average=average),
            kernels.recall(columns, rel=1, cutoff=None, average=average),
            kernels.eleven_point(columns, rel=1, rounding="trec9", average=average),
        ]
        assert [float(value[0]) for value in perfect] == [1.0] * len(perfect)


def test_expected_values_of_large_groups_are_stable() -> None:
    size, relevant = 4000, 1500
    docs = (1,) * relevant + (0,) * (size - relevant)
    columns = oracles.columns_of([Query((docs,))])
    share, slope = relevant / size, (relevant - 1) / (size - 1)
    want = share * math.fsum((1 + slope * (k - 1)) / k for k in range(1, size + 1))
    got = kernels.average_precision(columns, rel=1, cutoff=None, denominator="relevant", average=True)
    assert got[0] == pytest.approx(want / relevant, rel=1e-12)
    want = math.fsum(1 / math.log2(k + 1) for k in range(1, size + 1)) * share
    assert kernels.dcg(columns, cutoff=None, gain="linear", average=True)[0] == pytest.approx(want, rel=1e-12)
    for value in (
        kernels.bpref(columns, rel=1, average=True)[0],
        kernels.inf_ap(columns, rel=1, average=True)[0],
        kernels.nerr(columns, cutoff=None, max_grade=1, average=True)[0],
        kernels.bin_g(columns, rel=1, average=True)[0],
    ):
        assert 0 < value < 1


def test_many_queries_give_the_same_bits_as_few() -> None:
    # Enough queries that threads share them.
    random = np.random.default_rng(5)
    queries = [
        Query(tuple(tuple(random.choice([0, 1, 2, 3], size=2).tolist()) for _ in range(2)), (1,)) for _ in range(300)
    ]
    few = oracles.columns_of(queries)
    many = oracles.columns_of(queries * 40)
    for name, arguments in ORDERED[::5]:
        kernel = getattr(kernels, name)
        alone = kernel(few, **arguments, average=True)
        np.testing.assert_array_equal(kernel(many, **arguments, average=True), np.tile(alone, 40))


def test_grades_beyond_the_range_of_a_double_are_reported_not_crashed_on() -> None:
    columns = oracles.columns_of([Query(((2000,), (2**31 - 1,)))])
    assert kernels.dcg(columns, cutoff=None, gain="exp", average=False)[0] == math.inf
    assert kernels.ndcg(columns, cutoff=None, gain="exp", average=False)[0] == pytest.approx(1 / math.log2(3))
    assert kernels.err(columns, cutoff=None, max_grade=2**31 - 1, average=False)[0] == 1 / 2


def test_the_largest_cutoffs_and_levels_are_fine() -> None:
    columns = oracles.columns_of([Query(((1,), (None, 1)))])
    assert kernels.precision(columns, rel=1, cutoff=2**64 - 1, average=True)[0] == 2 / 2.0**64
    assert kernels.recall(columns, rel=2**31 - 1, cutoff=2**40, average=False)[0] == 0.0
    assert kernels.relevance_string(columns, length=2**64 - 1) == ["1-1"]
