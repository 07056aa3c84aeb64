"""Limits for functions of cell counts whose value is biased."""

import math
from typing import Any

import numpy as np
import pytest
from crossed import crossed
from scipy import stats

from certus import classification, clustering
from certus.inference import Estimate
from certus.inference.intervals import contingency_bias
from certus.statistic import TableFunction


def law(clusters: int, right: float) -> Any:
    table = np.full((clusters, clusters), (1 - right) / clusters**2)
    table[np.diag_indices(clusters)] += right / clusters
    return table


def tables(n: int, clusters: int, right: float, samples: int = 100) -> Any:
    rng = np.random.default_rng((n, clusters, round(100 * right)))
    return rng.multinomial(n, law(clusters, right).ravel(), samples).reshape(-1, clusters, clusters)


@pytest.mark.parametrize("clusters", [2, 4, 8])
def test_the_bias_of_mutual_information_is_that_of_miller(clusters: int) -> None:
    n, freedom = 10_000, (clusters - 1) ** 2
    statistic: Any = clustering.mutual_info(contingency=np.full((clusters,) * 2, n // clusters**2)).statistic
    found = contingency_bias.curvature(statistic)
    # x' H x / 2 is chi-square / (2 n): mean and variance of 64 probes.
    assert found.bias == pytest.approx(freedom / (2 * n), abs=4 * math.sqrt(2 * freedom / 64) / (2 * n))
    assert found.variance == pytest.approx(2 * freedom / (2 * n) ** 2, rel=1.2)


def test_a_linear_function_has_no_bias() -> None:
    cells = TableFunction(np.array([40, 20, 40]), lambda t: (t[..., 0] - t[..., 2]) / t.sum(axis=-1))
    share = TableFunction(np.array([40, 60]), lambda t: t[..., 0] / t.sum(axis=-1))
    assert abs(contingency_bias.curvature(share).bias) < 0.003
    assert abs(contingency_bias.curvature(cells).bias) < 0.003
    assert not contingency_bias.biased(share, 0.05, (0.0, 1.0), sparse=False)


BIASED = clustering.mutual_info, clustering.v_measure, clustering.variation_of_information
LAWS = (100, 2, 0.0), (100, 5, 0.0), (400, 5, 0.4), (400, 10, 0.5), (2000, 10, 0.1)


@pytest.mark.parametrize(("metric", "setting"), crossed(BIASED, LAWS), ids=str)
def test_the_default_interval_covers_where_the_value_is_biased(metric: Any, setting: tuple[int, int, float]) -> None:
    n, clusters, right = setting
    truth = metric(contingency=np.round(law(clusters, right) * 10**12).astype(int)).value
    truth = 0.0 if truth < 1e-9 else truth
    intervals = [metric(contingency=table).interval(replicates=199) for table in tables(n, clusters, right)]
    assert np.mean([low <= truth <= high for low, high, *_ in intervals]) >= 0.89


def test_near_independence_the_limits_are_those_of_noncentral_chi_square() -> None:
    table = np.array([[110, 90], [90, 110]])
    found = clustering.mutual_info(contingency=table)
    interval = found.interval()
    assert interval.method == "bias-aware"
    g = 2 * 400 * found.value
    assert interval.low == 0.0
    # The limit at which so small a G would have a probability of 2.5%; one degree of freedom.
    assert stats.ncx2.cdf(g, 1, 2 * 400 * interval.high) == pytest.approx(0.025, abs=0.01)


def test_the_routine_and_the_normal_law_give_the_same_noncentrality(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(9000.0, 900.0), (5000.0, 4900.0), (5100.0, 4800.0)]
    routine = [contingency_bias._noncentral(*pair, 0.025) for pair in pairs]
    monkeypatch.setattr(contingency_bias, "GAUSSIAN", 1.0)
    for pair, (low, high) in zip(pairs, routine, strict=True):
        assert contingency_bias._noncentral(*pair, 0.025) == pytest.approx((low, high), abs=3.0)


def test_the_value_belongs_to_the_interval() -> None:
    for table in tables(100, 10, 0.0, 20):
        found = clustering.mutual_info(contingency=table)
        interval = found.interval()
        assert interval.method == "bias-aware"
        assert interval.low == 0.0 < found.value <= interval.high


def test_no_agreement_at_all_has_an_upper_limit() -> None:
    interval = clustering.mutual_info(contingency=[[100, 100], [100, 100]]).interval()
    assert (interval.method, interval.low) == ("bias-aware", 0.0)
    assert 1e-3 < interval.high < 0.03


def test_metrics_of_classes_keep_their_defaults() -> None:
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 200)
    pred = np.where(rng.random(200) < 0.7, true, rng.integers(0, 3, 200))
    assert classification.cohen_kappa(true, pred).interval().method == "fisher-z"
    assert classification.mcc(true, pred).interval().method == "fisher-z"
    assert classification.f1(true, pred, average="macro").interval().method == "delta"


@pytest.mark.parametrize("metric", [clustering.adjusted_rand, clustering.rand, clustering.fowlkes_mallows], ids=str)
def test_values_without_the_bias_of_their_function_are_left_alone(metric: Any) -> None:
    estimate: Estimate = metric(contingency=tables(100, 3, 0.1, 1)[0])
    assert "bias-aware" not in estimate.methods


@pytest.mark.parametrize("way", ["weights", "groups", "halves"])
def test_other_ways_to_the_bias_agree_with_the_jackknife(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tables(400, 5, 0.4, 1)[0]
    true, pred = (np.repeat(each.ravel(), table.ravel()) for each in np.indices(table.shape))
    statistic: Any = clustering.mutual_info(contingency=table).statistic
    plain = information(statistic).interval(method="bias-aware")
    if way == "halves":
        monkeypatch.setattr(contingency_bias, "MOST_WORK", 10)
        other = information(statistic)
    elif way == "weights":
        other = clustering.mutual_info(true, pred, sample_weight=np.full(400, 2.0))
    else:
        other = clustering.mutual_info(true, pred, groups=np.arange(400))
    width = plain.high - plain.low
    assert other.interval(method="bias-aware")[:2] == pytest.approx(plain[:2], abs=0.2 * width)


@pytest.mark.parametrize("copies", [0, 1, 21])
def test_the_jackknife_is_left_where_its_tables_have_more_cells_than_are_allowed(
    copies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 9 cells for each of 8 that have samples; in groups, for each group, but for 2,000 at most.
    table = np.array([[30, 4, 6], [5, 40, 2], [3, 10, 0]])
    rows = [np.tile(np.repeat(each.ravel(), table.ravel()), copies) for each in np.indices((3, 3))]
    if copies:
        statistic: Any = clustering.mutual_info(*rows, groups=np.arange(100 * copies)).statistic
    else:
        plain: Any = clustering.mutual_info(contingency=table).statistic
        statistic = information(plain).statistic
    work = 9 * min(100 * copies or 8, 2000)
    monkeypatch.setattr(contingency_bias, "MOST_WORK", work)
    bias, error = contingency_bias._bias(statistic, 7.0, 5.0)
    assert 0 < bias < error < 0.1
    monkeypatch.setattr(contingency_bias, "MOST_WORK", work - 1)
    assert contingency_bias._bias(statistic, 7.0, 5.0) == (7.0 if copies else contingency_bias._halves(statistic), 5.0)


def information(statistic: TableFunction) -> Estimate:
    """The same function of a table, of which it is not known that its empty cells might be filled."""
    return Estimate(TableFunction(statistic.counts, statistic.function), bounds=(0.0, math.inf))


def test_the_stored_draws_of_the_probes_are_the_first_of_numpys_generator() -> None:
    for probes, cells in ((64, 4), (64, 16), (8, 128), (64, 17)):
        drawn = np.random.default_rng(0).standard_normal((probes, cells))
        assert contingency_bias._normal(probes, cells).tolist() == drawn.tolist()
