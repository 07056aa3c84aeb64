"""Intervals of regression metrics: roots of means, long tails, groups and weights."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from certus import regression
from certus.inference.skewed import TOO_SKEWED

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
        assert (ours.method, ours.why) == (theirs.method, theirs.why)


def test_the_mean_root_of_several_outputs_is_the_root_of_no_mean() -> None:
    true, predicted = (np.column_stack([a, 2 * a]) for a in _sample(40))
    assert regression.rmse(true, predicted).interval().method == "influence-log"


def test_an_r2_that_few_samples_decide_says_so() -> None:
    true, predicted = _sample(100)
    assert regression.r2(true, predicted).interval().why == ""
    predicted[3] += 25
    assert regression.r2(true, predicted).interval().why == TOO_SKEWED


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
