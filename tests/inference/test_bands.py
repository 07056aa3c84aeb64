"""Limits for many proportions at once."""

import math

import numpy as np
import pytest

from certus import CertusError, MetricNameError
from certus.inference import proportion_interval
from certus.inference.many.bands import (
    binomial_limits,
    check_level,
    dependence_limits,
    distribution_limits,
    shared,
)

TOGETHER = ["dkw", "dkw-tails"]


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_limits_of_many_proportions_are_those_of_each(method: str, n: int, level: float) -> None:
    low, high = binomial_limits(np.arange(n + 1), n, level, method)
    for k in range(n + 1):
        one = proportion_interval(k, n, level, method)
        assert (low[k], high[k]) == pytest.approx((one.low, one.high), rel=1e-13, abs=1e-15)
    assert (low[0], high[-1]) == (0.0, 1.0)


def test_without_trials_a_proportion_can_be_anything() -> None:
    low, high = binomial_limits(np.array([0, 0]), np.array([0, 5]), 0.95, "wilson")
    assert (low[0], high[0]) == (0.0, 1.0)
    assert high[1] < 1


def test_unknown_methods_and_levels_are_refused() -> None:
    with pytest.raises(MetricNameError, match="no pointwise band is made by 'wald'; the methods are clopper-pearson"):
        binomial_limits(np.array([1]), 2, 0.95, "wald")
    for level in (0.0, 1.0, 95, math.nan):
        with pytest.raises(CertusError, match=r"level is .*; it must lie strictly between 0 and 1"):
            check_level(level)


def test_a_level_is_shared_so_that_all_parts_hold_together() -> None:
    assert shared(0.9, 2, independent=True) ** 2 == pytest.approx(0.9)
    assert 2 * (1 - shared(0.9, 2, independent=False)) == pytest.approx(0.1)
    assert shared(0.9, 1, independent=True) == shared(0.9, 1, independent=False) == 0.9


def test_dkw_by_hand() -> None:
    # log(2 / 0.05) / (2 * 100) is 0.0184444, its root 0.1358102.
    low, high = distribution_limits(np.array([0, 50, 100]), 100, 0.95, "dkw")
    assert low == pytest.approx([0, 0.5 - 0.1358102, 1 - 0.1358102], abs=1e-7)
    assert high == pytest.approx([0.1358102, 0.5 + 0.1358102, 1], abs=1e-7)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 1000])
@pytest.mark.parametrize("method", TOGETHER)
def test_limits_of_a_distribution_are_symmetric_rise_and_hold_the_share(n: int, method: str) -> None:
    counts = np.arange(n + 1)
    low, high = distribution_limits(counts, n, 0.9, method)
    np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-12)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()
    assert (low <= counts / n).all()
    assert (counts / n <= high).all()


def test_tails_are_narrowed_at_a_small_cost_in_the_middle() -> None:
    counts = np.array([0, 10, 500])
    plain, narrowed = (np.diff(distribution_limits(counts, 1000, 0.95, method), axis=0)[0] for method in TOGETHER)
    assert narrowed[0] < plain[0] / 4
    assert narrowed[1] < 0.6 * plain[1]
    assert plain[2] < narrowed[2] < 1.06 * plain[2]


@pytest.mark.parametrize("method", TOGETHER)
@pytest.mark.parametrize(("n", "ties"), [(1, None), (3, None), (12, None), (60, None), (60, 4), (400, None)])
def test_a_whole_distribution_is_held_at_least_at_the_level(n: int, method: str, ties: int | None) -> None:
    samples, level = 4000, 0.8
    rng = np.random.default_rng([n, ties or 0])
    values = np.sort(rng.random((samples, n)), axis=1)
    if ties:
        values = np.floor(values * ties) / ties
    low, high = distribution_limits(np.arange(n + 1), n, level, method)
    # With k values at or below a point, the share there is least at the last of these values and, where ties have a
    # share of their own, greater by that; it is greatest just below the next value.
    held = np.ones(samples, dtype=np.bool_)
    for k in range(n + 1):
        left = values[:, k - 1] if k else np.zeros(samples)
        right = values[:, k] if k < n else np.ones(samples)
        between = left < right  # exactly k values lie at or below any point from left to just below right
        step = 1 / ties if ties else 0.0
        at_left = left + step if k else left
        held &= ~between | ((low[k] <= at_left + 1e-12) & (right <= high[k] + 1e-12))
    assert held.mean() > level - 4 * math.sqrt(level * (1 - level) / samples)


def test_dependence_limits_by_hand() -> None:
    # 9.5, 10.5, 20.5 and 60.5 of 101: lift 9.5 * 101 / (20 * 30).
    a, b, c, n = 9.5, 10.5, 20.5, 101.0
    lift = a * n / ((a + b) * (a + c))
    both = (a / n) * (n / a - n / (a + b) - n / (a + c) + 1) ** 2
    first = (b / n) * (1 - n / (a + b)) ** 2
    second = (c / n) * (1 - n / (a + c)) ** 2
    variance = (both + first + second + 60.5 / n) / n
    low, high = dependence_limits(*(np.array([x]) for x in (9, 10, 20, 60)), level=0.95)
    assert low[0] == pytest.approx(lift * math.exp(-1.959963984540054 * math.sqrt(variance)), rel=1e-12)
    assert high[0] == pytest.approx(lift * math.exp(1.959963984540054 * math.sqrt(variance)), rel=1e-12)


@pytest.mark.parametrize("cells", [(0.06, 0.04, 0.14, 0.76), (0.3, 0.2, 0.2, 0.3), (0.01, 0.19, 0.09, 0.71)])
def test_dependence_limits_cover_at_about_their_level(cells: tuple[float, ...]) -> None:
    samples = 20_000
    counts = np.random.default_rng(3).multinomial(200, cells, samples).T
    low, high = dependence_limits(*counts, level=0.95)
    truth = cells[0] / ((cells[0] + cells[1]) * (cells[0] + cells[2]))
    assert abs(((low <= truth) & (truth <= high)).mean() - 0.95) < 0.025
