"""The jackknife of functions of cell counts."""

import numpy as np
import pytest

from certus.inference import Estimate
from certus.statistic import Contributions, Plugin, TableFunction


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
    interval = Estimate(TableFunction(np.array([5, 0, 0]), share)).interval(method="jackknife")
    assert not interval.defined
    assert "no unit makes a difference" in interval.reason
