"""The gate: what passes, what does not, and why."""

import math
from typing import Any

import pytest

from certus import MetricNameError
from certus.comparison import Comparison, compare_values
from certus.comparison.gate import gate
from certus.comparison.row import Difference
from certus.table import Table

ROW: dict[str, Any] = {
    "metric": "AP",
    "system": "new",
    "baseline": "old",
    "value": 0.3,
    "baseline_value": 0.3,
    "difference": 0.001,
    "low": -0.009,
    "high": 0.011,
    "level": 0.95,
    "interval": "t",
    "p": 0.8,
    "p_adjusted": 0.8,
    "method": "permutation",
    "method_note": "lattice",
    "n": 50,
    "unit": "query",
    "wins": 20,
    "ties": 10,
    "losses": 20,
    "verdict": "not significant",
}


def made(*rows: dict[str, Any], margin: float | None = None, **changes: Any) -> Comparison:
    return Comparison(
        **{
            "rows": tuple(Difference(**{**ROW, "margin": margin, **row}) for row in rows),
            "values": Table([]),
            "systems": ("old", "new"),
            "metrics": ("AP",),
            "baseline": "old",
            "correction": "holm",
            "margin": margin,
            "level": 0.95,
            "test": None,
            "alternative": "two-sided",
            **changes,
        }
    )


@pytest.mark.parametrize(
    ("row", "margin", "holds"),
    [
        ({}, 0.01, True),
        ({}, 0.0091, True),
        ({}, 0.009, False),  # the limit is the margin itself, which a system must not reach
        ({}, 0.005, False),
        ({"difference": -0.008, "low": -0.009, "high": -0.007, "p": 0.001, "p_adjusted": 0.001}, 0.01, True),
        ({"better": "lower"}, 0.0111, True),
        ({"better": "lower"}, 0.011, False),
        ({"low": math.nan, "high": math.nan, "reason": "1 unit alone"}, 0.01, False),
        ({"low": -math.inf}, 0.01, False),
        # one side of a test of two has half of the level
        ({"low": math.nan, "high": math.nan, "non_inferiority": 0.025}, 0.01, True),
        ({"low": math.nan, "high": math.nan, "non_inferiority": 0.026}, 0.01, False),
        ({"low": math.nan, "high": math.nan, "non_inferiority": 0.05, "level": 0.9}, 0.01, True),
        ({"difference": 0.0, "low": math.nan, "high": math.nan, "wins": 0, "losses": 0, "ties": 50}, 0.01, False),
        ({"difference": 0.0, "low": math.nan, "high": math.nan, "p": 1.0, "wins": None}, 0.01, False),
        ({"difference": math.nan, "low": math.nan, "high": math.nan, "p": math.nan}, 0.01, False),
    ],
)
def test_with_a_margin_the_limit_on_the_bad_side_decides(row: dict[str, Any], margin: float, holds: bool) -> None:
    assert gate(made(row, margin=margin)).holds is holds


@pytest.mark.parametrize(
    ("row", "holds"),
    [
        ({}, True),
        ({"difference": -0.2, "p_adjusted": 0.0501}, True),
        ({"difference": -0.2, "p_adjusted": 0.05}, False),
        ({"difference": 0.2, "p_adjusted": 0.0001}, True),
        ({"difference": 0.2, "p_adjusted": 0.0001, "better": "lower"}, False),
        ({"difference": -0.2, "p": math.nan, "p_adjusted": math.nan}, False),
        ({"difference": math.nan, "p": math.nan, "p_adjusted": math.nan}, False),
        ({"difference": 0.0, "wins": 0, "losses": 0, "p": 1.0, "p_adjusted": 1.0}, True),
    ],
)
def test_without_a_margin_only_what_is_significantly_worse_fails(row: dict[str, Any], holds: bool) -> None:
    assert gate(made(row)).holds is holds


def test_the_reason_says_what_was_found() -> None:
    worse = {"difference": -0.05, "low": -0.07, "high": -0.03, "p": 0.001, "p_adjusted": 0.002}
    shown = "in AP: difference -0.0500 [-0.0700, -0.0300]"
    assert gate(made(worse)).reason == f"gate fails: new is worse than old {shown}, adjusted p 0.002"
    assert gate(made(worse, margin=0.02)).reason == f"gate fails: new is worse than old by 0.02 or more {shown}"
    assert gate(made(worse, margin=0.04)).reason == f"gate fails: new may be worse than old by 0.04 or more {shown}"
    assert gate(made(worse, margin=0.08)).reason == (
        f"gate holds: new is worse than old by less than 0.08, if at all, {shown}"
    )
    better = {"difference": 0.05, "low": 0.03, "high": 0.07, "p": 0.001, "p_adjusted": 0.002}
    for margin in (None, 0.02):
        assert gate(made(better, margin=margin)).reason == (
            "gate holds: new is better than old in AP: difference 0.0500 [0.0300, 0.0700]"
        )
    lone = {"low": math.nan, "high": math.nan, "p": math.nan, "p_adjusted": math.nan, "reason": "1 unit alone"}
    assert gate(made(lone)).reason == "gate fails: the difference of new to old in AP has no p-value: 1 unit alone"
    assert gate(made(lone, margin=1)).reason == (
        "gate fails: the difference of new to old in AP has no interval: 1 unit alone"
    )


def test_equal_units_that_would_do_are_those_of_half_the_level() -> None:
    # The exact upper limit of 0 in n is 1 - 0.025^(1/n): below 0.03 from 122 units on.
    right = [1.0, 0.0] * 25
    found = gate(compare_values({"old": right, "new": right}, margin=0.03))
    assert 1 - 0.025 ** (1 / 121) > 0.03 > 1 - 0.025 ** (1 / 122)
    assert found.reason.endswith("; 122 equal units would do")


def test_all_must_pass_and_the_first_that_does_not_is_named() -> None:
    bad = {"metric": "RR", "low": -0.5}
    answer = gate(made({}, bad, {"metric": "P@5", "low": -0.4}, margin=0.01))
    assert not answer.holds
    assert [row.metric for row in answer.failed] == ["RR", "P@5"]
    assert answer.reason.startswith("gate fails: new may be worse than old by 0.01 or more in RR: ")
    assert answer.reason.endswith(" (2 of 3 differences fail)")


def test_where_all_pass_the_closest_is_named() -> None:
    answer = gate(made({}, {"metric": "RR", "low": -0.0099}, margin=0.01))
    assert answer.holds
    assert answer.failed == ()
    assert " in RR: " in answer.reason
    assert answer.reason.endswith(" (all 2 differences pass)")


def test_a_gate_needs_a_baseline_and_a_direction() -> None:
    with pytest.raises(MetricNameError, match="a gate needs a baseline; name one of 'old', 'new'"):
        gate(made({}, baseline=None))
    with pytest.raises(MetricNameError, match="neither higher nor lower values of AP are better, so none can be worse"):
        gate(made({"better": None}))
    for alternative, better in (("greater", "higher"), ("less", "lower")):
        with pytest.raises(MetricNameError, match="which asks whether AP is better; a gate asks whether it is worse"):
            gate(made({"better": better}, alternative=alternative))
    assert gate(made({}, alternative="less")).holds


def test_a_system_worse_by_the_margin_seldom_passes_however_many_metrics_there_are() -> None:
    # 40 units with differences around -0.1, the margin itself: at most 1 in 40 may pass, 12.5 of 500 on average
    import numpy as np

    generator = np.random.default_rng(11)
    passed = 0
    for _ in range(500):
        old = generator.normal(0, 1, 40)
        new = old + generator.normal(-0.1, 0.2, 40)
        passed += gate(compare_values({"old": old, "new": new}, margin=0.1, test="t")).holds
    assert passed <= 25


def test_a_constant_gain_passes_a_margin_and_a_constant_loss_does_not() -> None:
    values = {"old": [0.3, 0.5, 0.2, 0.9, 0.4, 0.7], "new": [0.4, 0.6, 0.3, 1.0, 0.5, 0.8]}
    assert not gate(compare_values(values, margin=0.01)).holds  # one loss of 1 among ten units may not be seen
    found = gate(compare_values(values, margin=0.01, assume="symmetric"))
    assert found.holds
    assert found.reason == "gate holds: new is better than old in value: difference 0.1000"
    assert not gate(compare_values(values, margin=0.01, baseline="new", assume="symmetric")).holds
    # 30 units of a known range show it
    many = {name: column * 5 for name, column in values.items()}
    assert gate(compare_values(many, margin=0.15, value_range=(0, 1))).holds
    one = {name: column[:1] for name, column in values.items()}
    assert not gate(compare_values(one, margin=0.01)).holds
