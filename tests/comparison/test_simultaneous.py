"""Simultaneous intervals belong to the adjusted p-values."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.comparison import compare, compare_values
from certus.errors import MetricNameError
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
        if not np.isnan(row.low):
            assert (row.low > 0 or row.high < 0) == row.significant


def test_the_p_values_are_those_of_the_single_step_maximum_test() -> None:
    rng = np.random.default_rng(1)
    differences = rng.normal(0.4, 1, (11, 3))
    sides: list[Any] = ["two-sided", "greater", "less"]
    for side in sides:
        wanted = max_t(differences, alternative=side, correction="single-step")
        found = simultaneous_limits(differences, np.ones(11), side=side)
        assert found.p == pytest.approx(wanted.p, abs=1e-12)


def test_the_limits_hold_together() -> None:
    # All differences of three systems with a true mean of 0.5: every miss of any interval counts.
    rng = np.random.default_rng(2)
    truth, missed = np.array([0.5, 0.5, 0.0]), 0
    for sample in range(200):
        scores = rng.normal([0.5, 0.0, 0.0], 1.0, (25, 3))
        differences = np.column_stack(
            [scores[:, 0] - scores[:, 1], scores[:, 0] - scores[:, 2], scores[:, 1] - scores[:, 2]]
        )
        found = simultaneous_limits(differences, np.ones(25), draws=999, seed=sample)
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
    assert "holding together for the 3 differences of each metric" in str(found)


def test_corrections_that_step_have_no_intervals() -> None:
    values = {"a": [1, 2, 3], "b": [2, 3, 5], "c": [0, 1, 1]}
    for correction in ("holm", "bh", "tukey-hsd", "none"):
        with pytest.raises(MetricNameError, match="take 'max-t' or 'bonferroni'"):
            compare_values(values, correction=correction, simultaneous=True)


def test_one_difference_is_not_one_of_many_that_hold_together() -> None:
    values = {"a": [1, 2, 3, 5, 3, 4, 4, 6], "b": [2, 3, 5, 5, 4, 6, 5, 7]}
    assert "holding together" not in str(compare_values(values, simultaneous=True))
