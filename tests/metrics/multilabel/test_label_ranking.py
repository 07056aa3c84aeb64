"""LRAP, ranking loss, coverage error and one-error: by hand, by definition, over all orders of ties, and
scikit-learn's."""

import math
from collections.abc import Callable, Iterable
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from untyped import untyped

import certus
from certus.inference import Estimate
from certus.multilabel import coverage_error, label_ranking_average_precision, label_ranking_loss, one_error
from certus.statistic import Mean

Row = list[tuple[int, float]]
TABLES = st.integers(1, 6).flatmap(
    lambda labels: st.lists(
        st.lists(
            st.tuples(st.integers(0, 1), st.sampled_from([-1.0, 0.0, 0.5, 2.0])), min_size=labels, max_size=labels
        ),
        min_size=1,
        max_size=4,
    )
)


def _tables(rows: list[Row]) -> tuple[NDArray[Any], NDArray[Any]]:
    both = np.array(rows, dtype=float)
    return both[..., 0].astype(int), both[..., 1]


def _per_sample(estimate: Estimate) -> NDArray[Any]:
    assert isinstance(estimate.statistic, Mean)
    return estimate.statistic.values


def _mixed(row: Row) -> bool:
    return len({truth for truth, _ in row}) == 2


# The definitions of R2, 10.1 to 10.3; the pairs of its ranking loss are printed with the wrong sign.
def naive_lrap(row: Row) -> float:
    hits = [score for truth, score in row if truth]
    if not _mixed(row):
        return 1.0
    return math.fsum(sum(h >= s for h in hits) / sum(other >= s for _, other in row) for s in hits) / len(hits)


def naive_coverage(row: Row) -> float:
    return max((sum(other >= score for _, other in row) for truth, score in row if truth), default=0)


def naive_loss(row: Row, tied: float = 1.0) -> float:
    pairs = [(s, other) for truth, s in row if truth for false, other in row if not false]
    return sum((other > s) + tied * (other == s) for s, other in pairs) / len(pairs) if pairs else 0.0


@settings(max_examples=80, deadline=None)
@given(TABLES)
def test_values_are_those_of_the_definitions(rows: list[Row]) -> None:
    tables = _tables(rows)
    lrap = _per_sample(label_ranking_average_precision(*tables))
    np.testing.assert_allclose(lrap, [naive_lrap(row) for row in rows], rtol=1e-14)
    assert _per_sample(coverage_error(*tables)).tolist() == [naive_coverage(row) for row in rows]
    for ties, tied in (("whole", 1.0), ("half", 0.5), ("none", 0.0)):
        loss = _per_sample(untyped(label_ranking_loss)(*tables, ties=ties))
        np.testing.assert_allclose(loss, [naive_loss(row, tied) for row in rows], rtol=1e-15)


def _orders(row: Row) -> Iterable[list[int]]:
    """The truth by decreasing score, in every order that the ties allow."""
    for order in permutations(row):
        if all(one[1] >= other[1] for one, other in pairwise(order)):
            yield [truth for truth, _ in order]


def _precision_of(order: list[int]) -> float:
    hits = [rank for rank, truth in enumerate(order, 1) if truth]
    return math.fsum(k / rank for k, rank in enumerate(hits, 1)) / len(hits)


def _depth_of(order: list[int]) -> float:
    return max(rank for rank, truth in enumerate(order, 1) if truth)


def _miss_of(order: list[int]) -> float:
    return 1.0 - order[0]


@pytest.mark.parametrize(
    ("metric", "of_order", "higher"),
    [
        (label_ranking_average_precision, _precision_of, True),
        (coverage_error, _depth_of, False),
        (one_error, _miss_of, False),
    ],
    ids=["LRAP", "coverage", "one-error"],
)
@settings(max_examples=40, deadline=None)
@given(rows=TABLES)
def test_ties_are_averaged_and_bounded_over_all_orders(
    metric: Any, of_order: Callable[[list[int]], float], higher: bool, rows: list[Row]
) -> None:
    rows = [row for row in rows if _mixed(row)]
    if not rows:
        return
    tables = _tables(rows)
    every = [[of_order(order) for order in _orders(row)] for row in rows]
    average, best = (_per_sample(metric(*tables, ties=ties)) for ties in ("average", "best"))
    np.testing.assert_allclose(average, [np.mean(values) for values in every], rtol=1e-12)
    np.testing.assert_allclose(best, [max(v) if higher else min(v) for v in every], rtol=1e-14)
    worst = _per_sample(metric(*tables, ties="last" if metric is coverage_error else "worst"))
    np.testing.assert_allclose(worst, [min(v) if higher else max(v) for v in every], rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_half_the_ties_make_the_loss_1_less_the_area_under_the_curve(rows: list[Row]) -> None:
    for row in filter(_mixed, rows):
        true, scores = zip(*row, strict=True)
        loss = label_ranking_loss([true], [scores], ties="half").value
        assert loss == pytest.approx(1 - certus.classification.roc_auc(true, scores).value, abs=1e-15)


def test_the_two_offsets_of_the_coverage_error_differ_by_1() -> None:
    true, scores = [[0, 1, 1], [1, 0, 0]], [[0.1, 0.3, 0.2], [0.9, 0.3, 0.2]]
    assert coverage_error(true, scores).value == 1.5
    assert coverage_error(true, scores, offset=0).value == 0.5


def test_a_sample_without_a_true_label_is_covered_at_once_whatever_the_offset() -> None:
    for offset in (0, 1):
        assert coverage_error([[0, 0]], [[0.1, 0.2]], offset=offset).value == 0
    assert coverage_error([[0, 0]], [[0.1, 0.2]], none_true=5).value == 5


EMPTY, FULL, MIXED = [0, 0, 0], [1, 1, 1], [1, 0, 0]
SCORES = [[0.1, 0.5, 0.3]] * 3


@pytest.mark.parametrize(
    ("metric", "mixed", "empty", "full"),
    [(label_ranking_average_precision, 1 / 3, 1, 1), (label_ranking_loss, 1, 0, 0), (one_error, 1, 1, 0)],
    ids=["LRAP", "loss", "one-error"],
)
def test_samples_with_nothing_to_rank_count_as_they_are_told(
    metric: Any, mixed: float, empty: float, full: float
) -> None:
    true = [EMPTY, FULL, MIXED]
    assert _per_sample(metric(true, SCORES)).tolist() == [empty, full, mixed]
    assert _per_sample(metric(true, SCORES, none_true=0.25, all_true=0.75)).tolist() == [0.25, 0.75, mixed]
    assert _per_sample(metric(true, SCORES, none_true="skip", all_true=0.5)).tolist() == [0.5, mixed]
    only = metric(true, SCORES, none_true="skip", all_true="skip")
    assert (only.value, only.n) == (mixed, 1)
    undefined = metric(true, SCORES, all_true="nan")
    assert math.isnan(undefined.value)
    assert undefined.reason == "1 of 3 samples has no value"


def test_skipped_samples_take_their_weight_and_group_along() -> None:
    true, scores = [EMPTY, MIXED, MIXED], [[0.1, 0.5, 0.3], [0.1, 0.5, 0.3], [0.9, 0.5, 0.3]]
    weighted = label_ranking_average_precision(true, scores, none_true="skip", sample_weight=[5, 1, 2])
    assert weighted.value == pytest.approx((1 / 3 + 2) / 3, rel=1e-15)
    grouped = label_ranking_average_precision(true, scores, none_true="skip", groups=["a", "b", "c"])
    assert (grouped.n, grouped.unit) == (2, "group")


def test_the_first_label_of_several_is_drawn_from_those_tied() -> None:
    true, scores = [[1, 0, 0, 0]], [[0.5, 0.5, 0.5, 0.1]]
    assert one_error(true, scores).value == pytest.approx(2 / 3)
    assert one_error(true, scores, ties="best").value == 0
    assert one_error(true, scores, ties="worst").value == 1


def test_a_coverage_error_never_leaves_the_number_of_labels() -> None:
    true, scores = [[1, 0], [0, 1], [1, 1], [0, 1]] * 5, [[0.1, 0.5]] * 20
    interval = coverage_error(true, scores).interval()
    assert 0 <= interval.low < interval.high <= 2
    no_empty = coverage_error([[0, 1]] * 3 + [[1, 0]], [[0.1, 0.5]] * 4, none_true="skip").interval()
    assert no_empty.low >= 1


@pytest.mark.parametrize("container", ["csr_array", "csr_matrix", "coo_array", "csc_array"])
def test_truth_may_be_sparse(container: str) -> None:
    import scipy.sparse

    true = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]])
    scores = np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    sparse = getattr(scipy.sparse, container)(true)
    for metric in (label_ranking_average_precision, label_ranking_loss, coverage_error, one_error):
        assert metric(sparse, scores).value == metric(true, scores).value
    assert certus.multilabel.jaccard(sparse, sparse, undefined=1.0).value == 1
    assert certus.multilabel.ndcg(sparse, scores).value == certus.multilabel.ndcg(true, scores).value
    with pytest.raises(certus.DataError, match="y_true holds 2; it must hold 0 and 1 only"):
        coverage_error(2 * sparse, scores)
