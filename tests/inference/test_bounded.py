"""Limits for a mean of values between two known bounds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from certus.classification import brier
from certus.inference import Estimate, mean_interval, proportion_interval
from certus.inference.interval import Interval
from certus.inference.intervals.bounded import constant_beyond
from certus.statistic import Mean

UNIT = (0.0, 1.0)
shares = st.lists(st.floats(0, 1).map(lambda x: round(x, 3)), min_size=2, max_size=40)


def interval(values: list[float], method: str | None = None, level: float = 0.95) -> Interval:
    return mean_interval(values, level, method, bounds=UNIT)


def test_values_that_are_all_0_or_1_have_the_interval_of_their_share() -> None:
    found = interval([1.0] * 30 + [0.0] * 20)
    assert found[:2] == pytest.approx(proportion_interval(30, 50, method="wilson")[:2], rel=1e-14)
    assert found.method == "wilson"
    assert interval([1.0] * 49 + [0.0]).method == "modified-wilson"
    assert mean_interval([-1.0, 3.0] * 10, bounds=(-1.0, 3.0))[:2] == pytest.approx(
        [4 * x - 1 for x in proportion_interval(10, 20, method="wilson")[:2]], rel=1e-14
    )


@pytest.mark.parametrize("n", [5, 50, 1000])
def test_the_lower_limit_falls_with_every_failure(n: int) -> None:
    lower = [interval([1.0] * (n - k) + [0.0] * k).low for k in range(5)]
    assert lower == sorted(lower, reverse=True)
    # and so it does where a value is only a little below 1
    assert interval([1.0] * (n - 1) + [0.999]).low <= lower[0]


@pytest.mark.parametrize("n", [50, 200])
def test_the_default_covers_every_share_nearly_as_often_as_its_level_says(n: int) -> None:
    # enumerated; Wilson's own covers .84 near 0
    limits = np.array([interval([1.0] * k + [0.0] * (n - k))[:2] for k in range(n + 1)])
    truth = np.linspace(0.0005, 0.5, 1500)
    chances = stats.binom.pmf(np.arange(n + 1), n, truth[:, np.newaxis])
    inside = (limits[:, 0] <= truth[:, np.newaxis]) & (truth[:, np.newaxis] <= limits[:, 1])
    assert (chances * inside).sum(axis=1).min() >= 0.925


def test_beta_limits_by_hand() -> None:
    # Of 0, 0.5, 0.9 and half a unit of 1: mean 1.9 / 3.5; squares about it, the sample variance for n - 1
    x = np.array([0.0, 0.5, 0.9])
    center = 1.9 / 3.5
    squares = float(((x - center) ** 2).sum()) + 0.5 * (1 - center) ** 2
    ratio = stats.t.ppf(0.975, 2) / stats.norm.ppf(0.975)
    variance = ratio**2 * squares / 3.5**2 * 3 / 2
    size = center * (1 - center) / variance - 1
    expected = 1.0 if size <= 0 else stats.beta.ppf(0.975, size * center, size * (1 - center))
    assert interval(x.tolist(), "beta-moments").high == pytest.approx(expected, rel=1e-9)
    many = np.tile(x, 20)
    center = (20 * 1.4 + 0.5) / 60.5
    squares = float(((many - center) ** 2).sum()) + 0.5 * (1 - center) ** 2
    variance = (stats.t.ppf(0.975, 59) / stats.norm.ppf(0.975)) ** 2 * squares / 60.5**2 * 60 / 59
    size = center * (1 - center) / variance - 1
    expected = stats.beta.ppf(0.975, size * center, size * (1 - center))
    assert interval(many.tolist(), "beta-moments").high == pytest.approx(expected, rel=1e-9)


@given(shares, st.sampled_from([0.1, 0.5, 0.95, 0.999]))
def test_beta_limits_hold_the_mean_within_the_bounds_and_mirror(x: list[float], level: float) -> None:
    low, high, *_ = interval(x, "beta-moments", level)
    assert 0.0 <= low <= Mean(x).value + 1e-12
    assert Mean(x).value - 1e-12 <= high <= 1.0
    mirrored = interval([1 - v for v in x], "beta-moments", level)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-9)


def test_skewed_values_between_bounds_have_beta_limits_and_others_students() -> None:
    near = [1.0] * 45 + [0.2, 0.5, 0.7, 0.9, 0.95]
    assert interval(near).method == "beta-moments"
    assert interval(np.linspace(0, 1, 50).tolist()).method == "t"
    assert mean_interval(near).method == "hall"  # without known bounds


def test_students_limits_are_those_of_values_that_half_a_unit_at_a_bound_would_not_skew() -> None:
    rng = np.random.default_rng(3)
    taken = []
    for _ in range(200):
        n, spread = int(rng.integers(5, 80)), rng.uniform(0.01, 0.3)
        x = rng.uniform(0.6 - spread, 0.6 + spread, n)

        def skewness(weights: np.ndarray, values: np.ndarray) -> float:
            off = values - np.average(values, weights=weights)
            return abs(float(weights @ off**3)) / math.sqrt(float(weights @ off**2)) ** 3

        more = [skewness(np.append(np.ones(n), 0.5), np.append(x, bound)) for bound in UNIT]
        student = skewness(np.ones(n), x) <= 0.1 and max(more) <= 0.3
        assert (interval(x.tolist()).method == "t") is student
        taken.append(student)
    assert 0 < sum(taken) < 200


@pytest.mark.parametrize("n", [20, 50, 200])
def test_coverage_where_a_sample_mostly_lacks_the_rare_losses(n: int) -> None:
    rng = np.random.default_rng(n)
    found = {"t": 0, None: 0}
    for _ in range(500):
        x = np.where(rng.random(n) < 0.02, 0.0, rng.uniform(0.95, 1, n))
        estimate = Estimate(Mean(x), bounds=UNIT)
        for method in found:
            low, high, *_ = estimate.interval(method=method)
            found[method] += low <= 0.98 * 0.975 <= high
    assert found["t"] < 0.92 * 500
    assert found[None] >= 0.93 * 500


def test_coverage_near_the_ceiling_where_students_covers_too_little() -> None:
    rng = np.random.default_rng(2)
    found = {"t": 0, None: 0}
    for _ in range(2000):
        x = np.where(rng.random(100) < 0.95, 1.0, rng.beta(2, 2, 100))
        estimate = Estimate(Mean(x), bounds=UNIT)
        for method in found:
            low, high, *_ = estimate.interval(method=method)
            found[method] += low <= 0.975 <= high
    assert found["t"] < 0.92 * 2000
    assert found[None] >= 0.945 * 2000


def test_bounds_of_the_unit_count_where_they_are_narrower_than_the_metrics() -> None:
    x = [0.01] * 40 + [0.9] * 3
    narrow = Estimate(Mean(x, bounds=UNIT), bounds=(0.0, 2.0)).interval()
    assert narrow[:2] == interval(x)[:2]
    assert math.isclose(narrow.level, 0.95)


def test_a_geometric_mean_says_how_many_units_its_floor_decides() -> None:
    found = Estimate(Mean([0.0, 0.2, 0.4, 0.1, 0.0, 0.3] * 3, scale="log"), bounds=UNIT).interval()
    assert found.reason == "6 of 18 queries counted as the floor of 1e-05, which determines the value"
    assert 1e-5 < found.low < found.high < 0.2


def test_a_geometric_mean_says_so_where_a_floor_that_no_unit_is_at_would_decide() -> None:
    def reason(values: list[float], floor: float = 1e-5) -> str:
        return Estimate(Mean(values, scale="log", floor=floor), bounds=UNIT).interval().reason

    note = (
        "the interval may be too short: 2 queries more at the floor of 1e-05 would take the value below its lower limit"
    )
    # Two logarithms of -11.5 among 120 about -0.5 lower the mean by 0.18, and its limit is 0.03 lower.
    assert reason([0.5, 0.6, 0.7] * 40) == note
    # Among 18,000 by 0.0012; the limit is 0.002 lower.
    assert reason([0.5, 0.6, 0.7] * 6000) == ""
    assert reason([0.001, 0.1, 0.9] * 40) == ""
    assert reason([0.5, 0.6, 0.7] * 40, floor=0.0) == ""


def test_coverage_of_a_geometric_mean_is_below_its_level_mostly_where_it_says_so() -> None:
    rng = np.random.default_rng(5)
    laws = np.array([1e-5, 0.4, 0.5, 0.7]), [0.006, 0.3, 0.3, 0.394]
    truth = float(np.exp(np.log(laws[0]) @ laws[1]))
    found = [
        Estimate(Mean(np.maximum(x - 1e-5, 0), scale="log"), bounds=UNIT).interval()
        for x in rng.choice(laws[0], (300, 100), p=laws[1])
    ]
    missed = [interval for interval in found if not interval.low <= truth <= interval.high]
    assert len(missed) > 0.1 * len(found)
    assert sum(bool(interval.reason) for interval in missed) >= 0.95 * len(missed)


def test_values_that_lack_no_digit_of_a_bound_have_the_limits_of_values_near_it() -> None:
    values = np.array([1.0, 4.0, 1.0, 9.0, 1.0])
    near, nearer = (Estimate(Mean(values * size), bounds=(0.0, 1.0)).interval() for size in (1e-12, 1e-18))
    assert nearer.low == 0.0
    assert nearer == pytest.approx(near, abs=1e-9)


def test_a_constant_sample_below_a_shift_is_its_mirror_above_one() -> None:
    for value, shift in [(0.3, 0.5), (-0.9, 0.5), (0.5, 0.3), (1.0, 0.9)]:
        mirrored = constant_beyond(-value, 7, -shift, "greater", (-2.0, 1.0))
        assert constant_beyond(value, 7, shift, "less", (-1.0, 2.0)) == mirrored
    # a mean of 0.5 of units that are 0.3 or 2 has 0.2 / 1.7 of the latter, which seven units all miss
    assert constant_beyond(0.3, 7, 0.5, "less", (-1.0, 2.0))[0] == pytest.approx((1 - 0.2 / 1.7) ** 7, rel=1e-14)


def test_beta_limits_from_moments_are_those_of_the_values() -> None:
    random = np.random.default_rng(3)
    truth = random.random(40) < 0.9
    chance = np.clip(0.9 + 0.05 * random.normal(size=40), 0, 1)
    found = brier(truth.astype(int), chance).interval(method="beta-moments")
    wanted = interval(list((chance - truth) ** 2), "beta-moments")
    assert found[:2] == pytest.approx(wanted[:2], rel=1e-12)
