"""Limits where few samples of a table decide the variance."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, norm

from certus import clustering
from certus.inference.intervals import contingency_bias
from certus.inference.intervals.contingency_bias import distances, poisson_sum_distance


@pytest.mark.parametrize("events", [0, 1, 3, 40])
@pytest.mark.parametrize("weight", [1.0, 0.02])
def test_events_of_equal_weight_have_the_exact_limits_of_a_poisson_mean(events: int, weight: float) -> None:
    counts, weights = np.full(4, events / 4), np.full(4, weight)
    upper = weight * chi2.ppf(0.975, 2 * events + 2) / 2
    assert weight * events + poisson_sum_distance(counts, weights, weight, 0.025) == pytest.approx(upper, rel=1e-12)


@pytest.mark.parametrize("events", [1e6, 9e7, 2e8, 1e12])
def test_many_events_have_normal_limits(events: float) -> None:
    found = poisson_sum_distance(np.array([events]), np.ones(1), 0.0, 0.025)
    assert found == pytest.approx(norm.ppf(0.975) * math.sqrt(events), rel=1e-3)


@pytest.mark.parametrize("weights", [[-1.0, 0.0], [1.0, -1.0], [0.0, 0.0], [0.9, -1.0]])
def test_a_limit_on_the_side_of_the_short_tail_is_left_alone(weights: list[float]) -> None:
    assert poisson_sum_distance(np.array([5.0, 5.0]), np.array(weights), 0.0, 0.025) == 0


def test_without_disagreement_the_limit_allows_for_it() -> None:
    """Clusters that lie within one of the other's have no sample that tells of the rest."""
    table = [[20, 0, 0], [0, 25, 0], [0, 15, 0], [0, 0, 13]]
    statistic: Any = clustering.normalized_mutual_info(contingency=table).statistic
    below, above = distances(statistic, 0.025)
    one_off = clustering.normalized_mutual_info(contingency=[[20, 0, 0], [1, 25, 0], [0, 15, 0], [0, 0, 13]]).value
    assert below > 2 * (statistic.value - one_off) > 0
    assert above == 0


@pytest.mark.parametrize("metric", [clustering.variation_of_information, clustering.mutual_info], ids=str)
def test_a_limit_lies_farther_off_the_greater_the_level(metric: Any) -> None:
    statistic = metric(contingency=[[30, 0, 1], [0, 40, 0], [2, 0, 50]]).statistic
    found = [distances(statistic, tail) for tail in (0.2, 0.1, 0.05, 0.025, 0.005)]
    assert np.diff(np.max(found, axis=1)).min() > 0
    assert np.min(found) == 0


def test_many_cells_are_looked_at_by_some_that_stand_for_them() -> None:
    table = np.diag(np.full(60, 8)) + np.diag(np.ones(59, dtype=int), 1)
    statistic: Any = clustering.v_measure(contingency=table).statistic
    assert statistic.counts.size**2 > contingency_bias.MOST_POISSON_WORK
    below, above = distances(statistic, 0.025)
    assert 0 == above < below < 1


@pytest.mark.parametrize(
    ("metric", "n", "population"),
    [
        (clustering.normalized_mutual_info, 73, [[0.3, 0, 0.005], [0, 0.4, 0], [0.1, 0, 0.005], [0, 0.003, 0.187]]),
        (
            clustering.mutual_info,
            100,
            [[0.245, 0.003, 0, 0.002], [0, 0.25, 0, 0], [0.004, 0, 0.246, 0], [0, 0, 0, 0.25]],
        ),
        (clustering.variation_of_information, 400, [[0.4, 0.002], [0.399, 0.001], [0, 0.198]]),
    ],
    ids=["NMI", "MI", "VI"],
)
def test_the_default_interval_covers_where_few_samples_disagree(metric: Any, n: int, population: Any) -> None:
    shares = np.array(population)
    shares /= shares.sum()
    value = metric(contingency=np.round(shares * 10**12).astype(int)).value
    found = []
    for table in np.random.default_rng(n).multinomial(n, shares.ravel(), 150).reshape(-1, *shares.shape):
        low, high, *_ = metric(contingency=table[table.any(axis=1)][:, table.any(axis=0)]).interval()
        found.append(low <= value <= high)
    assert np.mean(found) >= 0.92
