"""Limits that allow for cells of a table that happen to be empty."""

import math
from typing import Any

import numpy as np
import pytest
from crossed import crossed

from certus import classification, clustering
from certus.inference.intervals import contingency_bias
from certus.statistic import TableFunction


def law(rows: int, columns: int, right: float, seed: int = 0) -> Any:
    """Clusters of unequal sizes, put together with one of the others' or at random."""
    rng = np.random.default_rng(seed)
    sizes = rng.dirichlet(np.full(rows, 2.0))
    table = (1 - right) * sizes[:, np.newaxis] * rng.dirichlet(np.full(columns, 1.0), size=rows)
    table[np.arange(rows), np.arange(rows) % columns] += right * sizes
    return table


def samples(n: int, population: Any, number: int) -> list[Any]:
    """Tables of samples, without the clusters that have none."""
    drawn = np.random.default_rng(n).multinomial(n, population.ravel(), number).reshape(-1, *population.shape)
    return [table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0] for table in drawn]


def truth(metric: Any, population: Any) -> float:
    return float(metric(contingency=np.round(population * 10**12).astype(int)).value)


BIASED = (
    clustering.homogeneity,
    clustering.v_measure,
    clustering.mutual_info,
    clustering.adjusted_mutual_info,
    clustering.purity,
    clustering.variation_of_information,
)
UNSEEN = (69, 5, 10, 0.91), (200, 14, 7, 0.94), (126, 13, 12, 0.59)


@pytest.mark.parametrize(("metric", "setting"), crossed(BIASED, UNSEEN), ids=str)
def test_the_default_interval_covers_where_cells_are_not_seen(
    metric: Any, setting: tuple[int, int, int, float]
) -> None:
    n, rows, columns, right = setting
    population = law(rows, columns, right)
    value = truth(metric, population)
    intervals = [metric(contingency=table).interval() for table in samples(n, population, 50)]
    assert np.mean([low <= value <= high for low, high, *_ in intervals]) >= 0.9


@pytest.mark.parametrize(("n", "right"), [(100, 0.0), (200, 0.8), (2000, 0.95)])
@pytest.mark.parametrize("metric", [clustering.mutual_info, clustering.v_measure, clustering.purity], ids=str)
def test_moments_are_those_of_samples_from_the_table(metric: Any, n: int, right: float) -> None:
    population = law(9, 8, right)
    value = truth(metric, population)
    statistic: Any = metric(contingency=np.ones((9, 8), dtype=int)).statistic
    found = contingency_bias._moments(statistic, n * population.ravel())
    drawn = np.random.default_rng(1).multinomial(n, population.ravel(), 4000)
    errors = statistic.function(drawn.astype(float)) - value
    assert found.bias == pytest.approx(errors.mean(), abs=0.25 * errors.std())
    assert math.sqrt(found.variance) == pytest.approx(errors.std(), rel=0.3)


def test_cells_that_stand_for_others_give_nearly_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = samples(1000, law(12, 12, 0.7), 1)[0]
    statistic: Any = clustering.v_measure(contingency=table).statistic
    smooth = contingency_bias.smoothed(statistic.counts.ravel())
    whole = contingency_bias._moments(statistic, smooth)
    monkeypatch.setattr(contingency_bias, "MOST_POISSON_WORK", 10_000)
    assert contingency_bias._moments(statistic, smooth) == pytest.approx(whole, rel=0.25)


@pytest.mark.parametrize("counts", [[5, 1, 0, 0], [1, 1, 1, 1, 0], [40, 3, 2, 1, 0, 0, 0], [3, 0, 0]])
def test_smoothing_moves_samples_to_empty_cells_only(counts: list[int]) -> None:
    table = np.array(counts, dtype=float)
    found = contingency_bias.smoothed(table)
    assert found.sum() == pytest.approx(table.sum())
    assert (found[table > 0] > 0).all()
    assert (found[table > 0] <= table[table > 0]).all()
    assert (found[table == 0] <= 1).all()
    assert np.any(found != table) == (1 in counts)


def test_weights_groups_and_classes_do_not_have_empty_cells_filled() -> None:
    true, pred = np.random.default_rng(2).integers(0, 3, (2, 100))
    own: Any = clustering.v_measure(true, pred).statistic
    others: list[Any] = [
        clustering.v_measure(true, pred, sample_weight=np.full(100, 2.0)).statistic,
        clustering.v_measure(true, pred, groups=np.arange(100)).statistic,
        classification.cohen_kappa(true, pred).statistic,
        clustering.adjusted_rand(true, pred).statistic,
    ]
    assert contingency_bias.applies(own)
    assert not any(map(contingency_bias.applies, others))


def test_adjusted_mutual_information_has_limits_for_what_it_tends_to() -> None:
    table = samples(300, law(8, 8, 0.6), 1)[0]
    adjusted: Any = clustering.adjusted_mutual_info(contingency=table)
    plain: Any = clustering.normalized_mutual_info(contingency=table)
    assert adjusted.statistic.limit(adjusted.statistic.counts) == pytest.approx(plain.value, abs=1e-12)
    assert adjusted.interval().low == pytest.approx(plain.interval().low, abs=0.02)


def test_a_table_without_single_samples_is_not_smoothed() -> None:
    cells = TableFunction(np.array([[30, 0], [2, 40]]), lambda t: t[..., 0, 0] / t.sum(axis=(-2, -1)), fillable=True)
    assert contingency_bias.smoothed(cells.counts.ravel()).tolist() == [30, 0, 2, 40]
