"""Simultaneous intervals belong to the adjusted p-values."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, MetricNameError
from certus.comparison import compare_values
from certus.entry import compare
from certus.inference import max_t
from certus.inference.many.simultaneous import simultaneous_limits


@settings(max_examples=30)
@given(
    rows=st.lists(st.tuples(*[st.integers(-5, 9)] * 3), min_size=6, max_size=20),
    side=st.sampled_from(("two-sided", "greater", "less")),
    correction=st.sampled_from((None, "max-t", "bonferroni")),
    grouped=st.booleans(),
)
def test_zero_is_outside_if_and_only_if_the_adjusted_p_says_so(
    rows: Any, side: Any, correction: str | None, grouped: bool
) -> None:
    values = {name: [x / 7 for x in column] for name, column in zip("abc", zip(*rows, strict=True), strict=True)}
    groups = [i // 2 for i in range(len(rows))] if grouped else None
    how: dict[str, Any] = {"baseline": "a", "alternative": side, "groups": groups, "level": 0.9, "replicates": 500}
    found = compare_values(values, correction=correction, simultaneous=True, **how)
    assert found.correction == (correction or "max-t")
    for row in found:
        assert not row.p_adjusted < row.p  # joint flips are drawn, the pair's own may be all
        if not np.isnan(row.low):
            assert (row.low > 0 or row.high < 0) == row.significant


def with_zero(differences: Any) -> tuple[Any, Any, Any]:
    """The differences as those of systems and one whose values are all 0."""
    n, columns = differences.shape
    pairs = np.column_stack([np.arange(columns), np.full(columns, columns)])
    return np.column_stack([differences, np.zeros(n)]), np.ones(n), pairs


def test_the_p_values_are_those_of_the_single_step_maximum_test() -> None:
    rng = np.random.default_rng(1)
    differences = rng.normal(0.4, 1, (11, 3))
    sides: list[Any] = ["two-sided", "greater", "less"]
    for side in sides:
        wanted = max_t(differences, alternative=side, correction="single-step")
        found = simultaneous_limits(*with_zero(differences), side=side)
        assert found.p == pytest.approx(wanted.p, abs=1e-12)


def test_the_limits_hold_together() -> None:
    # All differences of three systems with a true mean of 0.5: every miss of any interval counts.
    rng = np.random.default_rng(2)
    truth, missed = np.array([0.5, 0.5, 0.0]), 0
    for sample in range(200):
        scores = rng.normal([0.5, 0.0, 0.0], 1.0, (25, 3))
        pairs = np.array([[0, 1], [0, 2], [1, 2]])
        found = simultaneous_limits(scores, np.ones(25), pairs, draws=999, seed=sample)
        missed += bool(((found.low > truth) | (found.high < truth)).any())
    assert missed <= 19  # three standard errors above 10


def test_metrics_that_are_no_means_have_bonferronis() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 80)
    systems = {name: np.where(rng.random(80) < 0.2, 1 - truth, truth) for name in "abc"}
    found = compare(truth, systems, "F1", task="classification", simultaneous=True)
    alone = compare(truth, systems, "F1", task="classification")
    assert found.correction == "bonferroni"
    for row, single in zip(found, alone, strict=True):
        assert row.high - row.low > single.high - single.low
    assert "simultaneous for the 3 differences of each metric" in str(found)


def test_corrections_that_step_have_no_intervals() -> None:
    values = {"a": [1, 2, 3], "b": [2, 3, 5], "c": [0, 1, 1]}
    for correction in ("holm", "bh", "tukey-hsd", "none"):
        with pytest.raises(MetricNameError, match="take 'max-t' or 'bonferroni'"):
            compare_values(values, correction=correction, simultaneous=True)


def test_one_difference_is_not_one_of_many_that_hold_together() -> None:
    values = {"a": [1, 2, 3, 5, 3, 4, 4, 6], "b": [2, 3, 5, 5, 4, 6, 5, 7]}
    assert "simultaneous for" not in str(compare_values(values, simultaneous=True))


def test_a_system_without_a_value_does_not_touch_the_others() -> None:
    truth = [0, 1, 1, 0, 1, 0, 1, 1]
    a = [0.2, 0.7, 0.6, 0.4, 0.8, 0.3, 0.5, 0.9]
    b = [0.3, 0.6, 0.7, 0.1, 0.6, 0.5, 0.6, 0.8]
    infinite = [1.0, *a[1:]]  # the impossible happened
    systems = {"a": a, "b": b, "infinite": infinite}
    how: dict[str, Any] = {"task": "classification", "baseline": "a", "simultaneous": True}
    found = compare(truth, systems, "LogLoss", **how)
    alone = compare(truth, {"a": a, "b": b}, "LogLoss", correction="bonferroni", **how)
    assert found.correction == "bonferroni"
    row, undefined = found
    (wanted,) = alone
    assert (row.low, row.high, row.p_adjusted) == (wanted.low, wanted.high, wanted.p_adjusted)
    assert np.isnan([undefined.low, undefined.high, undefined.p_adjusted]).all()
    with pytest.raises(DataError, match="max-t permutes all units, take correction='bonferroni'"):
        compare(truth, systems, "LogLoss", correction="max-t", **how)


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_equal_differences_have_no_limits_that_contradict_their_p_value(side: Any) -> None:
    values = {"a": [0.0] * 10, "b": [1.0] * 10, "c": [0.0, 1.0] * 5}
    same, other = compare_values(values, baseline="a", alternative=side, simultaneous=True)
    assert same.significant == (side != "less")
    assert np.isnan([same.low, same.high]).all()
    assert "differences are equal" in same.reason
    assert not np.isnan([other.low, other.high]).any()


@pytest.mark.parametrize("size", [2.0**-560, 2.0**660])
@pytest.mark.parametrize("n", [12, 60])
@pytest.mark.filterwarnings("error")
def test_comparisons_have_no_unit(size: float, n: int) -> None:
    values = np.random.default_rng(5).normal(size=(n, 3))
    ways: list[dict[str, Any]] = [
        {},
        {"simultaneous": True},
        {"correction": "max-t"},
        {"correction": "tukey-hsd"},
        {"test": "bootstrap-t"},
        {"test": "wilcoxon"},
        {"groups": np.arange(n) // 2},
    ]
    for how in ways:
        plain, scaled = (
            compare_values(dict(zip("abc", (values * by).T, strict=True)), replicates=200, **how) for by in (1.0, size)
        )
        for one, other in zip(plain, scaled, strict=True):
            assert other.p_adjusted == pytest.approx(one.p_adjusted, rel=1e-12)
            assert [other.low / size, other.high / size] == pytest.approx([one.low, one.high], rel=1e-9)
            assert other.effect == pytest.approx(one.effect, rel=1e-12, nan_ok=True)


def test_identical_systems_are_tied_within_a_margin() -> None:
    values = {"a": [1.0, 2.0, 3.0, 4.0] * 4, "b": [1.0, 2.0, 3.0, 4.0] * 4, "c": [2.0, 1.0, 4.0, 4.0] * 4}
    for joint in (False, True):
        same, _ = compare_values(values, baseline="a", margin=0.5, simultaneous=joint, assume="symmetric")
        assert same.verdict == "tied within the margin"
        same, _ = compare_values(values, baseline="a", margin=1.5, simultaneous=joint, value_range=(0, 4))
        assert same.verdict == "tied within the margin"


@pytest.mark.filterwarnings("error")
def test_differences_far_below_the_margin_are_tied() -> None:
    values = np.random.default_rng(6).normal(size=(12, 2)) * 1e-170
    (row,) = compare_values({"a": values[:, 0], "b": values[:, 1]}, margin=0.5, simultaneous=True, assume="symmetric")
    assert row.verdict == "tied within the margin"


def test_no_array_of_draws_and_pairs_is_made() -> None:
    import tracemalloc

    rng = np.random.default_rng(4)
    values, draws = rng.normal(size=(40, 60)), 1_000
    pairs = np.argwhere(np.triu(np.ones((60, 60)), 1))
    tracemalloc.start()
    simultaneous_limits(values, np.ones(40), pairs, draws=draws)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < draws * len(pairs) * 8 / 2


def test_systems_that_hardly_differ_keep_their_digits() -> None:
    # Far from the first one, two systems differ by as little as rounding leaves of the sums of systems.
    rng = np.random.default_rng(5)
    far = 2.0**48 * (1 + rng.random(11))
    values = np.column_stack([np.zeros(11), far, far + rng.integers(-2, 7, 11) / 16])
    pairs = np.array([[2, 1], [1, 0]])
    wanted = max_t(values[:, pairs[:, 0]] - values[:, pairs[:, 1]], correction="single-step")
    assert simultaneous_limits(values, np.ones(11), pairs).p == pytest.approx(wanted.p, abs=1e-12)
