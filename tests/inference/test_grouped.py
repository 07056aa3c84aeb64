"""Units in groups, and of unequal weight: what is independent is the group."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus import CertusError, DataError, MetricNameError
from certus.inference import mean_interval, minimum_detectable, paired, power, units_needed
from certus.inference.clusters import cluster_mean

SIDES = ("two-sided", "greater", "less")
ROWS = st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=20)


def over_all_signs(sums: list[int], side: str) -> float:
    """The share of the 2^G choices of signs of the groups' sums that are as far out."""
    values = [
        sum(s * t for s, t in zip(signs, sums, strict=True)) for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    seen = sum(sums)
    reached = {
        "two-sided": [abs(v) >= abs(seen) for v in values],
        "greater": [v >= seen for v in values],
        "less": [v <= seen for v in values],
    }
    return sum(reached[side]) / len(values)


@settings(max_examples=60)
@given(rows=ROWS, side=st.sampled_from(SIDES))
def test_the_sign_flip_acts_on_the_sums_of_groups(rows: list[tuple[int, int, int]], side: Any) -> None:
    values, groups, weights = (list(column) for column in zip(*rows, strict=True))
    if not any(weights):
        return
    zero = [0] * len(rows)
    names = sorted(set(groups))
    for given_weights in (None, weights):
        counted = [1] * len(rows) if given_weights is None else given_weights
        sums = [sum(w * v for v, g, w in zip(values, groups, counted, strict=True) if g == name) for name in names]
        found = paired(values, zero, "permutation", side, groups=groups, weights=given_weights)
        assert found.p == pytest.approx(over_all_signs(sums, side), abs=1e-12)
        mean = sum(w * v for v, w in zip(values, counted, strict=True)) / sum(counted)
        assert found.difference.value == pytest.approx(mean, abs=1e-12)


def test_groups_of_one_and_weights_that_are_equal_change_nothing() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 12))
    for test in ("permutation", "t", "betting"):
        plain = paired(a, b, test)
        for extra in ({"groups": list("abcdefghijkl")}, {"weights": np.full(12, 3.0)}):
            found = paired(a, b, test, **extra)
            assert found.p == pytest.approx(plain.p, rel=1e-9)
            assert found.difference.interval()[:2] == pytest.approx(plain.difference.interval()[:2], rel=1e-9)


def test_t_with_groups_has_the_interval_of_a_mean_over_clusters() -> None:
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(6), [1, 2, 3, 5, 8, 13])
    d = rng.normal(size=6)[groups] + rng.normal(size=32)
    found = paired(d, np.zeros(32), "t", groups=groups)
    sums, sizes = (np.bincount(groups, weights).astype(np.float64) for weights in (d, np.ones(32)))
    _, error, freedom = cluster_mean(sums, sizes)
    assert found.statistic == pytest.approx(d.mean() / error, rel=1e-10)
    assert 1 < freedom < 5
    low, high, *_ = found.difference.interval()
    assert stats.t.sf((high - low) / 2 / error, freedom) == pytest.approx(0.025, abs=1e-9)
    assert mean_interval(d, groups=groups, method="t")[:2] == pytest.approx((low, high), rel=1e-12)


def test_equal_systems_in_groups_keep_their_level() -> None:
    # 30 groups of 10: without the groups, two systems of one mean are found different in 54 % of the samples.
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(30), 10)
    found = {"permutation": 0, "t": 0, "ignored": 0}
    for _ in range(300):
        d = rng.normal(size=30)[groups] + rng.normal(0, 0.5, 300)
        for test in ("permutation", "t"):
            found[test] += paired(d, np.zeros(300), test, groups=groups).p <= 0.05
        found["ignored"] += paired(d, np.zeros(300), "t").p <= 0.05
    assert max(found["permutation"], found["t"]) <= 27  # three standard errors above 15
    assert found["ignored"] >= 120


def test_planning_with_groups_counts_groups_and_states_the_design_effect() -> None:
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(25), 8)
    d = rng.normal(size=25)[groups] + rng.normal(0, 0.5, 200)
    means = d.reshape(25, 8).mean(1)
    plans: list[tuple[Any, dict[str, float]]] = [
        (power, {"effect": 0.3}),
        (minimum_detectable, {}),
        (units_needed, {"effect": 0.3}),
    ]
    for plan, arguments in plans:
        grouped, by_means = plan(d, groups=groups, **arguments), plan(means, **arguments)
        assert float(getattr(grouped, "value", getattr(grouped, "effect", 0))) == pytest.approx(
            float(getattr(by_means, "value", getattr(by_means, "effect", 0))), rel=1e-9
        )
        assert (grouped.n, grouped.unit) == (by_means.n, "group")
        assert grouped.design_effect == pytest.approx(means.var(ddof=1) / 25 / (d.var(ddof=1) / 200), rel=1e-9)
        assert "groups" in str(grouped)
        assert "design effect" in str(grouped)


def test_a_plan_of_weighted_units_has_the_error_of_the_weighted_mean() -> None:
    rng = np.random.default_rng(5)
    d, weights = rng.normal(size=60), rng.exponential(size=60)
    found = power(d, effect=0.5, weights=weights)
    error = paired(d, np.zeros(60), "t", weights=weights)
    assert found.spread == pytest.approx(abs(error.difference.value / error.statistic) * math.sqrt(60), rel=1e-9)
    assert found.design_effect > 1.2


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"groups": [1, 2]}, "groups has 2 labels for 3 units"),
        ({"groups": [1, None, 2]}, "groups has no value at index 1"),
        ({"groups": [1.0, 2.0, math.nan]}, "groups has no value at index 2"),
        ({"weights": [1, 2]}, r"weights has shape \(2,\) for 3 units"),
        ({"weights": [1, -2, 1]}, "weights is -2 at index 1"),
        ({"weights": [1, math.nan, 1]}, "weights is nan at index 1"),
        ({"weights": [0, 0, 0]}, "every weight is 0"),
    ],
)
def test_groups_and_weights_that_say_nothing_are_refused(extra: dict[str, Any], message: str) -> None:
    for call in (lambda: paired([1, 2, 4], [0, 1, 1], **extra), lambda: mean_interval([1, 2, 4], **extra)):
        with pytest.raises(DataError, match=message):
            call()
    with pytest.raises(DataError, match=message):
        power([1, 2, 4], effect=1, **extra)


def test_tests_that_take_units_as_alike_are_refused_with_groups() -> None:
    with pytest.raises(MetricNameError, match=r"'wilcoxon' takes units as independent and alike; .* permutation, t"):
        paired([1, 2, 4], [0, 1, 1], "wilcoxon", groups=[1, 1, 2])
    with pytest.raises(CertusError, match="arithmetic means"):
        mean_interval([1, 2, 4], groups=[1, 1, 2], scale="log")
    assert "alone has no variance" in mean_interval([1, 2, 4], groups=[1, 1, 1]).reason
