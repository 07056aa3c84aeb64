"""Paired tests."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from certus import DataError, MetricNameError
from certus.inference import paired

METHODS = ("permutation", "t", "bootstrap-t", "wilcoxon", "sign")
SIDES = ("two-sided", "greater", "less")
DECIMALS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=9)


def shares(differences: list[float], statistic: object) -> dict[str, float]:
    """p-values over every choice of signs."""
    values = [
        statistic([s * d for s, d in zip(signs, differences, strict=True)])  # type: ignore[operator]
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    seen = statistic(differences)  # type: ignore[operator]
    middle = sum(values) / len(values)
    return {
        "greater": sum(v >= seen - 1e-9 for v in values) / len(values),
        "less": sum(v <= seen + 1e-9 for v in values) / len(values),
        "two-sided": sum(abs(v - middle) >= abs(seen - middle) - 1e-9 for v in values) / len(values),
    }


@pytest.mark.parametrize("side", SIDES)
@given(pairs=DECIMALS)
def test_the_permutation_test_counts_all_choices_of_signs(side: str, pairs: list[tuple[int, int]]) -> None:
    a, b = ([x / 10 for x in column] for column in zip(*pairs, strict=True))
    expected = shares([x - y for x, y in pairs], sum)[side]
    assert paired(a, b, "permutation", side).p == pytest.approx(expected, abs=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("side", SIDES)
@given(pairs=DECIMALS, parts=st.sampled_from([1, 3, 7, 10]))
def test_wilcoxons_test_is_exact_with_ties_and_without(side: str, pairs: list[tuple[int, int]], parts: int) -> None:
    # Of thirds, equal differences are apart by rounding, and tied all the same.
    a, b = ([x / parts for x in column] for column in zip(*pairs, strict=True))
    kept = [x - y for x, y in pairs if x != y]
    ranks = stats.rankdata(np.abs(kept)) * np.sign(kept) if kept else []
    expected = shares(list(ranks), sum)[side] if kept else 1.0
    assert paired(a, b, "wilcoxon", side).p == pytest.approx(expected, abs=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("side", SIDES)
def test_scipy_agrees(side: str) -> None:
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.1, 1, 25), rng.normal(0, 1, 25)
    t = stats.ttest_rel(a, b, alternative=side)
    found = paired(a, b, "t", side)  # type: ignore[arg-type]
    assert (found.p, found.statistic) == pytest.approx((t.pvalue, t.statistic), rel=1e-12)
    ranks = stats.wilcoxon(a, b, alternative=side, method="exact")
    assert paired(a, b, "wilcoxon", side).p == pytest.approx(ranks.pvalue, rel=1e-12)  # type: ignore[arg-type]
    above = int((a > b).sum())
    signs = stats.binomtest(above, 25, alternative=side)
    assert paired(a, b, "sign", side).p == pytest.approx(signs.pvalue, rel=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [1, 2, 30])
def test_identical_systems_differ_by_exactly_0_with_p_1(method: str, side: str, n: int) -> None:
    values = np.random.default_rng(n).random(n)
    found = paired(values, values, method, side)  # type: ignore[arg-type]
    assert (found.p, found.difference.value, found.ties) == (1.0, 0.0, n)


def test_values_that_rounding_moved_apart_are_equal() -> None:
    found = paired([0.1 + 0.2, 0.5], [0.3, 0.4], "sign")
    assert (found.wins, found.ties, found.losses) == (1, 1, 0)


def test_a_constant_difference_has_no_t_but_a_permutation_p() -> None:
    a, b = np.full(6, 0.5), np.full(6, 0.25)
    assert paired(a, b).p == 2 / 64
    for method in ("t", "bootstrap-t"):
        found = paired(a, b, method)
        assert math.isnan(found.p)
        assert found.reason == "all 6 differences are equal, so they have no variance"
    assert paired([0.5], [0.25], "t").reason == "1 query alone has no variance"
    assert paired([0.5], [0.25]).p == 1
    assert "no p-value" in str(paired(a, b, "t"))


def test_the_bootstrap_is_reproducible_and_near_t_for_normal_differences() -> None:
    rng = np.random.default_rng(0)
    a = rng.normal(0.3, 1, 60)
    b = np.zeros(60)
    found = paired(a, b, "bootstrap-t", seed=3)
    assert found.p == paired(a, b, "bootstrap-t", seed=3).p
    assert abs(found.p - paired(a, b, "t").p) < 0.02


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2], [1], "a has 2 values but b has 1"),
        ([], [], "are empty"),
        ([1, math.nan], [1, 2], "a holds nan at position 1"),
        ([1, 2], [1, math.inf], "b holds inf at position 1"),
        ([[1]], [[1]], "a has 2 dimensions"),
    ],
)
def test_what_does_not_pair_up_is_refused(a: object, b: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        paired(a, b)  # type: ignore[arg-type]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(MetricNameError, match="no test is named 'welch'; there are permutation"):
        paired([1], [2], "welch")
    with pytest.raises(MetricNameError, match="alternative is 'better'"):
        paired([1], [2], alternative="better")  # type: ignore[arg-type]
    assert paired([1, 2], [2, 1], "Student").method == "t"


@pytest.mark.parametrize("method", ["sign", "wilcoxon"])
def test_limits_of_a_median_do_not_cross_where_most_differences_are_equal(method: str) -> None:
    interval = paired([0.1] * 9, [0.0] * 9, method).difference.interval()
    assert interval.low <= interval.high
    assert interval.low == pytest.approx(0.1, rel=1e-10)  # the search stops within a part of 1e-9 of the spread


@pytest.mark.parametrize("method", ["t", "permutation"])
def test_one_group_has_no_interval_and_the_reason_is_given(method: str) -> None:
    found = paired([1.0, 2.0, 4.0], [0.0, 2.0, 2.0], method, groups=[1, 1, 1])
    assert found.difference.interval().reason == "1 group alone has no variance"


@pytest.mark.parametrize("test", ["permutation", "wilcoxon", "sign"])
def test_no_limit_is_negative_zero(test: str) -> None:
    found = [
        limit
        for seed in range(20)
        for pair in [np.random.default_rng(seed).integers(0, 3, (2, 8)) / 2]
        for limit in paired(pair[0], pair[1], test).difference.interval()
        if limit == 0
    ]
    assert found
    assert all(math.copysign(1.0, limit) == 1.0 for limit in found)


@pytest.mark.parametrize("method", ["sign", "wilcoxon"])
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_limits_of_ranks_are_steps_of_p_and_nested_exactly(method: str, decimals: int) -> None:
    for seed in range(12):
        rng = np.random.default_rng([decimals, seed])
        n = int(rng.integers(6, 40))
        off = rng.normal(0.3, 1, n).round(decimals)
        first, second = np.triu_indices(n)
        steps = off if method == "sign" else (off[first] + off[second]) / 2
        difference = paired(off, np.zeros(n), method).difference
        limits = np.array([difference.interval(level)[:2] for level in (0.5, 0.7, 0.8, 0.9, 0.95)])
        assert (np.diff(limits[:, 0]) <= 0).all()
        assert (np.diff(limits[:, 1]) >= 0).all()
        assert np.isin(limits[np.abs(limits) > 1e-300], steps).all()


def test_walsh_limits_of_many_differences_are_their_order_statistics() -> None:
    """Of 1,500 differences the limits come from the means of two near those of a thousand quantiles."""
    off = np.random.default_rng(7).standard_cauchy(1500)
    first, second = np.triu_indices(1500)
    averages = np.sort((off[first] + off[second]) / 2)
    low, high, *_ = paired(off, np.zeros(1500), "wilcoxon").difference.interval(0.95)
    k = int(np.searchsorted(averages, low))
    assert (averages[k], averages[-k - 1]) == (low, high)
    normal = 1500 * 1501 / 4 - 1.959964 * np.sqrt(1500 * 1501 * 3001 / 24)
    assert k == pytest.approx(normal, abs=3)


def test_limits_of_the_median_keep_small_differences_beside_huge_ones() -> None:
    off = np.array([1e308, 1e-300, -1e-300, 3, 2, 1, 0.5, -0.25])
    assert paired(off, np.zeros(8), "sign").difference.interval(0.5)[:2] == (1e-300, 2.0)
    low, high, *_ = paired(off, np.zeros(8), "wilcoxon").difference.interval(0.9)
    assert low <= high
