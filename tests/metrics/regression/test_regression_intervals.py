"""Intervals of regression metrics: roots of means, long tails, groups and weights."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from certus import regression
from certus.data import Targets
from certus.metrics.regression.smooth import smooth
from certus.statistic.common import TOO_SKEWED

Floats = NDArray[np.float64]


def _sample(n: int, seed: int = 0) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    true = rng.standard_normal(n)
    return true, true + rng.standard_t(4, n)


@pytest.mark.parametrize("kind", ["plain", "weights", "groups"])
def test_limits_of_the_rmse_are_the_roots_of_those_of_the_mse(kind: str) -> None:
    kinds: dict[str, dict[str, Any]] = {
        "plain": {},
        "weights": {"sample_weight": np.random.default_rng(1).lognormal(0, 1, 80)},
        "groups": {"groups": np.arange(80) ** 2 // 400},
    }
    data = kinds[kind]
    root, mean = regression.rmse(*_sample(80), **data), regression.mse(*_sample(80), **data)
    for method in (None, "hall", "t" if kind == "plain" else "delta"):
        ours, theirs = root.interval(method=method), mean.interval(method=method)
        assert ours[:2] == pytest.approx((math.sqrt(theirs.low), math.sqrt(theirs.high)), rel=1e-12)
        assert (ours.method, ours.reason) == (theirs.method, theirs.reason)


def test_the_mean_root_of_several_outputs_is_the_root_of_no_mean() -> None:
    true, predicted = (np.column_stack([a, 2 * a]) for a in _sample(40))
    assert regression.rmse(true, predicted).interval().method == "influence-log"


def test_an_r2_that_few_samples_decide_says_so() -> None:
    rng = np.random.default_rng(0)
    true, errors = rng.standard_normal((2, 100))
    assert regression.r2(true, true + errors).interval().reason == ""
    errors[3] += 25
    assert regression.r2(true, true + errors).interval().reason == TOO_SKEWED


@pytest.mark.parametrize("name", ["r2", "explained_variance", "concordance"])
def test_most_samples_with_tails_too_long_for_the_limits_say_so(name: str) -> None:
    rng = np.random.default_rng(3)
    metric = getattr(regression, name)

    def told(errors: Floats) -> float:
        true = rng.uniform(-1.7, 1.7, errors.shape)
        pairs = zip(true + errors, true, strict=True)
        return float(np.mean([metric(a, b).interval().reason == TOO_SKEWED for a, b in pairs]))

    assert told(0.8 * rng.standard_t(2.5, (100, 250))) > 0.5
    assert told(0.8 * rng.standard_normal((100, 250))) < 0.05


@pytest.mark.parametrize("name", ["concordance", "pearson"])
@pytest.mark.parametrize("kind", ["plain", "groups", "weights", "outputs"])
def test_correlations_of_errors_with_a_long_tail_say_so_although_what_they_add_and_take_balances(
    name: str, kind: str
) -> None:
    # The influence values of half of such samples are hardly skewed; the limits of the CCC cover .91.
    rng = np.random.default_rng(405)
    metric = getattr(regression, name)

    def told(errors: Floats) -> float:
        true = rng.standard_normal(errors.shape)
        found = []
        for y, p in zip(true + 1.71 * errors, true, strict=True):
            given: dict[str, Any] = {"groups": np.arange(len(y)) // 2 * 2 + 5} if kind == "groups" else {}
            if kind == "weights":
                given["sample_weight"] = rng.uniform(1, 2, len(y))
            columns = (np.column_stack([each, -each]) for each in (y, p)) if kind == "outputs" else (y, p)
            found.append(metric(*columns, **given).interval().reason == TOO_SKEWED)
        return float(np.mean(found))

    assert told(rng.lognormal(size=(80, 67)) - math.exp(0.5) - 0.3) > 0.6
    assert told(rng.standard_normal((80, 67)) - 0.3) < 0.3


def test_limits_of_r2_are_corrected_for_the_skewness_on_its_scale() -> None:
    # By hand: the jackknife's influence values; the scale log(1 - R2), turned round, bends by SE / (1 - R2) / 2.
    rng = np.random.default_rng(8)
    true = rng.standard_normal(60)
    target = true + 0.5 * rng.exponential(size=60)
    found = regression.r2(target, true)
    low, high, *_ = found.interval()

    def r2(keep: NDArray[np.intp]) -> float:
        kept = target[keep]
        return float(1 - ((kept - true[keep]) ** 2).sum() / ((kept - kept.mean()) ** 2).sum())

    without = np.array([r2(np.delete(np.arange(60), i)) for i in range(60)])
    lost = without.mean() - without
    squares = lost**2
    error = math.sqrt(59 / 60 * squares.sum())
    third = float((lost**3).sum() / squares.sum() ** 1.5)
    fourth = float((squares**2).sum() - squares.sum() ** 2 / 60)
    freedom = min(59, 0.6 * 2 * float(squares.sum()) ** 2 / fourth)
    t, unexplained = float(stats.t.isf(0.025, freedom)), 1 - found.value
    a, b = third / 3 + error / unexplained / 2, third / 6

    def untransformed(y: float) -> float:
        return (math.cbrt(1 + 3 * a * y) - 1) / a

    below, above = max(t, untransformed(t - b)), max(t, -untransformed(-t - b))
    assert low == pytest.approx(1 - unexplained * math.exp(below * error / unexplained), rel=1e-3)
    assert high == pytest.approx(1 - unexplained * math.exp(-above * error / unexplained), rel=1e-3)
    # of which the one with the long tail is farther than Student's
    assert below > 1.05 * t or above > 1.05 * t


def test_the_curvature_is_that_of_a_product_of_means() -> None:
    # The value (mean a)^2 along the influence 2 m (a - m): SE s + (SE s)^2 / (4 m^2), of which SE / (4 m^2) is left.
    rng = np.random.default_rng(2)
    a = rng.exponential(size=40)
    data = Targets.from_arrays(a, a)
    found = smooth(data, lambda: [a], lambda sums: (sums[..., 1] / sums[..., 0]) ** 2, float(a.mean()) ** 2)
    (values,) = found.influence() if found.influence is not None else ()
    error = math.sqrt(float(values @ values)) / 40
    assert found.curvature is not None
    assert found.curvature() == pytest.approx(error / (4 * a.mean() ** 2), rel=0.1)


@pytest.mark.parametrize("name", ["mae", "rmse", "r2"])
def test_defaults_cover_groups_of_unequal_size(name: str) -> None:
    rng = np.random.default_rng(5)
    metric = getattr(regression, name)
    covered, samples = 0, 400
    # errors 1 + |z| per group on average; targets of variance 1 within groups
    spread = 0.6

    def draw(groups: int) -> tuple[Floats, Floats, NDArray[np.intp]]:
        sizes = np.maximum(2, np.round(10 * rng.lognormal(0, 0.8, groups))).astype(int)
        of = np.repeat(np.arange(groups), sizes)
        true = rng.standard_normal(len(of))
        return true, true + rng.standard_normal(len(of)) * np.repeat(rng.lognormal(0, spread, groups), sizes), of

    # all errors pooled: E|e| = sqrt(2 / pi) E s, E e^2 = E s^2
    first, second = math.exp(spread**2 / 2), math.exp(2 * spread**2)
    truth = {"mae": math.sqrt(2 / math.pi) * first, "rmse": math.sqrt(second), "r2": 1 - second}[name]
    for _ in range(samples):
        true, predicted, of = draw(25)
        low, high, *_ = metric(true, predicted, groups=of).interval()
        covered += low <= truth <= high
    assert covered >= 0.915 * samples
