"""Intervals for functions of cell counts whose units have weights or stand in clusters."""

import math

import numpy as np
import pytest
from cell_counts import BINARY, accuracy, estimate
from numpy.typing import NDArray
from scipy import stats

from certus import MetricNameError
from certus.inference import Estimate
from certus.inference.clusters import cluster_error, freedom_of_squares
from certus.statistic import Contributions, Plugin, TableFunction

Table = NDArray[np.float64]


def test_units_of_equal_weight_have_the_interval_of_units_without() -> None:
    plain = estimate(BINARY)
    weighted = estimate(3 * np.array(BINARY), squares=9 * np.array(BINARY), n=100)
    assert weighted.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
    for method in ("fisher-z", "adjusted-delta", "dirichlet"):
        assert weighted.interval(method=method)[:2] == pytest.approx(plain.interval(method=method)[:2], rel=1e-9)


def test_the_error_with_weights_by_hand() -> None:
    # A weighted mean of 0 and 1: sqrt(sum(w^2 (x - mean)^2)) / sum(w), here with w = 1, 2 | 3 | 4, 4 for x = 0 | 0 | 1.
    mean = 8 / 14
    error = math.sqrt((1 + 4 + 9) * mean**2 + 32 * (1 - mean) ** 2) / 14
    found = estimate([6, 8], lambda t: t[..., 1] / t.sum(axis=-1), (0.0, 1.0), squares=[14, 32], n=5)
    assert found.value == mean
    assert found.standard_error == pytest.approx(error, rel=1e-9)


def test_the_error_by_clusters_by_hand() -> None:
    # Three groups of samples: accuracy 2/3, 1/2 and 4/4; residuals right - 7/9 n are -1/3, -5/9, 8/9, and their squares
    # are divided by 1 - n / 9 for sizes n of 3, 2 and 4.
    contributions = Contributions(
        cells=np.array([0, 1, 3, 0, 1, 0, 0, 3, 3]), units=np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])
    )
    found = estimate([[4, 2], [0, 3]], accuracy, (0.0, 1.0), contributions=lambda: contributions, n=3, unit="group")
    residuals = np.array([-1 / 3, -5 / 9, 8 / 9])
    error = math.sqrt((residuals**2 / (1 - np.array([3, 2, 4]) / 9)).sum()) / 9
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.methods == ("delta", "adjusted-delta", "wald", "percentile", "bca", "bias-aware", "jackknife")
    low, high, *_ = found.interval(method="delta")
    freedom = min(cluster_error(residuals / 9, np.array([3.0, 2, 4]))[1], freedom_of_squares(residuals))
    assert 1 < freedom < 2
    step = stats.t.isf(0.025, freedom) * error / (7 / 9 * 2 / 9)
    logit = math.log(7 / 2)
    assert (low, high) == pytest.approx((1 / (1 + math.exp(step - logit)), 1 / (1 + math.exp(-step - logit))), rel=1e-8)


def test_clusters_without_spread_count_as_one_unit_each() -> None:
    # Six groups of five samples, all right: as six units.
    contributions = Contributions(np.repeat([0, 3], 15), np.repeat(np.arange(6), 5))
    found = estimate([[15, 0], [0, 15]], accuracy, (0.0, 1.0), contributions=lambda: contributions, n=6, unit="group")
    six = estimate([[3, 0], [0, 3]], accuracy, (0.0, 1.0)).interval(method="dirichlet")
    for method in ("delta", "adjusted-delta"):
        assert found.interval(method=method)[:2] == pytest.approx(six[:2], rel=1e-12)
        assert (
            found.interval(method=method).reason
            == "the counts give no variance; the limits are from the Dirichlet posterior"
        )


def test_clusters_of_one_sample_are_samples_but_for_the_degrees_of_freedom() -> None:
    flat = np.repeat(np.arange(4), np.ravel(BINARY))
    clustered = estimate(BINARY, contributions=lambda: Contributions(flat, np.arange(100)), n=100)
    assert clustered.standard_error == pytest.approx(math.sqrt(100 / 99) * estimate(BINARY).standard_error, rel=1e-9)


def test_the_bootstrap_by_units_draws_whole_units() -> None:
    # Two groups, all right and all wrong: a resample is one of them twice or both.
    contributions = Contributions(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 1.0, 1.0]))
    found = estimate([2, 2], lambda t: t[..., 0] / t.sum(axis=-1), (0.0, 1.0), contributions=lambda: contributions, n=2)
    assert found.interval(method="percentile", replicates=999)[:2] == (0.0, 1.0)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_bootstrap_of_cells_is_that_of_their_units(method: str) -> None:
    flat = np.repeat(np.arange(4), np.ravel(BINARY))
    cells_only = estimate(BINARY).interval(method=method)
    by_units = estimate(BINARY, contributions=lambda: Contributions(flat, np.arange(100)), n=100).interval(
        method=method
    )
    assert cells_only[:2] == pytest.approx(by_units[:2], abs=0.02)


def test_weights_without_units_have_no_bootstrap() -> None:
    found = estimate(BINARY, squares=BINARY, n=100)
    assert found.methods == ("delta", "fisher-z", "adjusted-delta", "dirichlet", "wald", "bias-aware")
    with pytest.raises(MetricNameError, match="'bca' is not one for a function of cell counts"):
        found.interval(method="bca")


def share_of_right(right: NDArray[np.bool_], units: NDArray[np.int64], weights: Table | None) -> Estimate:
    """The share of right samples, of groups or with weights."""
    mass = np.ones(len(units)) if weights is None else weights
    parts = Contributions(right.astype(np.int64), units, weights)
    statistic = TableFunction(
        np.bincount(right, mass, 2).astype(np.float64),
        lambda t: t[..., 1] / t.sum(axis=-1),
        squares=None if weights is None else np.bincount(right, mass**2, 2).astype(np.float64),
        contributions=lambda: parts,
        n=int(units[-1]) + 1,
    )
    return Estimate(statistic, bounds=(0.0, 1.0))


def test_groups_of_unequal_size_leave_fewer_degrees_of_freedom() -> None:
    # G - 1 of them and no CR2 cover .900 of the same tables.
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(500):
        sizes = np.ceil(rng.lognormal(1.5, 1.2, 20)).astype(int)
        right = rng.random(sizes.sum()) < np.repeat(rng.beta(7, 3, 20), sizes)
        low, high, *_ = share_of_right(right, np.repeat(np.arange(20), sizes), None).interval(method="delta")
        covered += low <= 0.7 <= high
    assert covered / 500 >= 0.94


def test_unequal_weights_leave_fewer_degrees_of_freedom() -> None:
    # The normal quantile covers .900 of the same tables.
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(500):
        right = rng.random(60) < 0.7
        low, high, *_ = share_of_right(right, np.arange(60), rng.lognormal(0, 1.3, 60)).interval(method="delta")
        covered += low <= 0.7 <= high
    assert covered / 500 >= 0.94


def share(tables: np.ndarray) -> np.ndarray:
    return np.asarray(tables[..., 0] ** 2 / tables.sum(-1) ** 2)


def samples() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 3, 60)


def cell_counts(rows: np.ndarray) -> np.ndarray:
    return np.bincount(rows, minlength=3).astype(np.float64)


def plugin(rows: np.ndarray, weights: np.ndarray) -> float:
    return float(share(np.bincount(rows, weights, 3)))


def test_it_leaves_out_every_unit_in_turn() -> None:
    rows = samples()
    ours = Estimate(TableFunction(cell_counts(rows), share)).interval(method="jackknife")
    theirs = Estimate(Plugin(rows, plugin)).interval(method="jackknife")
    assert ours[:2] == pytest.approx(theirs[:2], rel=1e-12)


def test_units_that_fill_several_cells_are_left_out_whole() -> None:
    rows = samples()
    units = np.arange(60) // 3
    cells = TableFunction(
        cell_counts(rows), share, contributions=lambda: Contributions(rows, units), n=20, unit="group"
    )

    def of_groups(groups: np.ndarray, weights: np.ndarray) -> float:
        return plugin(rows, weights[units])

    theirs = Estimate(Plugin(np.arange(20), of_groups)).interval(method="jackknife")
    assert Estimate(cells).interval(method="jackknife")[:2] == pytest.approx(theirs[:2], rel=1e-12)


def test_many_clusters_are_left_out_in_groups() -> None:
    rows = np.random.default_rng(1).integers(0, 3, 5000)
    units = np.arange(5000) // 2
    cells = TableFunction(
        cell_counts(rows), share, contributions=lambda: Contributions(rows, units), n=2500, unit="group"
    )
    low, high, *_ = Estimate(cells).interval(method="jackknife")
    other_low, other_high, *_ = Estimate(cells).interval(method="wald")
    assert high - low == pytest.approx(other_high - other_low, rel=0.1)


def test_units_without_any_influence_have_no_limits() -> None:
    interval = Estimate(TableFunction(np.array([5.0, 0, 0]), share)).interval(method="jackknife")
    assert not interval.defined
    assert "no unit changes the value" in interval.reason
