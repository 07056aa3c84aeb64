"""Agreement compared with random clusterings."""

import itertools
import math

import numpy as np
import pytest
from untyped import untyped

from certus import DataError, clustering
from certus.metrics import Metric

TRUE, PRED = [0, 0, 0, 1, 1, 2], ["a", "a", "b", "b", "b", "a"]


@pytest.mark.parametrize(
    "metric",
    [
        clustering.rand,
        clustering.adjusted_rand,
        clustering.mutual_info,
        clustering.adjusted_mutual_info,
        clustering.fowlkes_mallows,
        clustering.purity,
    ],
    ids=str,
)
def test_p_is_the_share_of_all_orders_of_the_labels(metric: object) -> None:
    assert callable(metric)
    value = metric(TRUE, PRED).value
    orders = [metric(TRUE, order).value for order in itertools.permutations(PRED)]
    exact = sum(each >= value - 1e-12 for each in orders) / len(orders)
    found = metric(TRUE, PRED).versus_chance()
    assert found.exact
    assert float(found.p) == pytest.approx(exact, rel=1e-12)
    assert found.expected == pytest.approx(np.mean(orders), abs=1e-14)
    assert "random clustering" in str(found)


def test_lower_is_better_for_the_variation_of_information() -> None:
    found = clustering.variation_of_information([0] * 5 + [1] * 5, [0] * 5 + [1] * 5).versus_chance()
    assert float(found.p) == pytest.approx(2 / math.comb(10, 5), rel=1e-12)


def test_adjusted_metrics_are_0_by_chance() -> None:
    true, pred = np.repeat([0, 1, 2], [4, 3, 3]), np.repeat([0, 1], 5)
    for metric in (clustering.adjusted_rand, clustering.adjusted_mutual_info):
        assert metric(true, pred).versus_chance().expected == pytest.approx(0, abs=1e-14)


def test_draws_agree_with_the_enumeration_and_are_seeded() -> None:
    estimate = clustering.adjusted_rand(np.repeat([0, 1], 12), np.tile([0, 1, 1], 8))
    exact, drawn = estimate.versus_chance(), estimate.versus_chance(replicates=20_000)
    assert not drawn.exact
    assert abs(drawn.p - exact.p) <= 2 * drawn.p.error
    assert drawn.expected == pytest.approx(0, abs=0.01)
    assert float(estimate.versus_chance(replicates=500, seed=3).p) == float(
        estimate.versus_chance(replicates=500, seed=3).p
    )


def test_tables_of_many_cells_are_drawn_by_shuffling() -> None:
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 90, 200), rng.integers(0, 90, 200)
    found = clustering.adjusted_mutual_info(true, pred).versus_chance(replicates=300)
    assert found.expected == pytest.approx(0, abs=0.01)
    assert found.p > 0.001


def test_a_large_table_alone_is_enough() -> None:
    table = [[300_000, 200_000, 5], [100_000, 400_000, 7]]
    found = clustering.mutual_info(contingency=table).versus_chance(replicates=1000)
    assert float(found.p) == pytest.approx(1 / 1001)
    assert found.expected == pytest.approx(clustering.expected_mutual_information(contingency=table), rel=0.15)


def test_what_has_no_meaning_is_refused() -> None:
    with pytest.raises(DataError, match="items is for lists of documents"):
        clustering.rand(TRUE, PRED).versus_chance(items=10)
    with pytest.raises(DataError, match="was computed with groups; samples that are not alike"):
        clustering.rand(TRUE, PRED, groups=TRUE).versus_chance()
    with pytest.raises(DataError, match="contingency must hold whole numbers"):
        clustering.rand(contingency=[[1.5]])
    with pytest.raises(DataError, match="Rand was given labels and contingency"):
        untyped(clustering.rand)(TRUE, PRED, contingency=[[1]])
    with pytest.raises(DataError, match="contingency does not say which sample is where; leave out groups"):
        untyped(clustering.rand)(contingency=[[1]], groups=[0])
    with pytest.raises(DataError, match="metric does not apply to Rand"):
        untyped(clustering.rand)(TRUE, PRED, metric="cosine")


@pytest.mark.parametrize(
    ("metric", "samples"), [(clustering.adjusted_rand, 150), (clustering.adjusted_mutual_info, 75)]
)
def test_independent_clusterings_have_intervals_that_hold_zero(metric: Metric, samples: int) -> None:
    # The first derivative alone, which vanishes there, covers .91 (adjusted Rand index) and .87 (mutual information).
    rng = np.random.default_rng(144)
    shares = np.outer([0.55, 0.45], [0.3, 0.3, 0.4]).ravel()
    covered = 0
    for _ in range(samples):
        cells = rng.choice(6, 144, p=shares)
        low, high, *_ = metric(cells // 3, cells % 3).interval()
        covered += low <= 0 <= high
    assert covered >= 0.95 * samples
