"""A margin: p-values, limits, verdict and gate of one row are one inference and cannot contradict each other."""

import math
from typing import Any

import numpy as np
import pytest

import certus
from certus import MetricNameError
from certus.comparison import Comparison, compare_values
from certus.comparison.gate import gate

ROUNDING = 1 + 1e-12


def agrees(found: Comparison) -> int:
    """Assert that p, limits, verdict and gate of every row say one thing; how many rows had limits."""
    together, decided = found.simultaneous, 0
    for row in found.rows:
        tail, margin = (1 - row.level) / 2 * ROUNDING, row.margin
        assert margin is not None
        worse = row.non_inferiority_adjusted if together else row.non_inferiority
        equal = row.equivalence_adjusted if together else row.equivalence
        assert worse is not None
        assert equal is not None
        limit = row.low if row.better == "higher" else -row.high
        if not math.isnan(limit):
            decided += 1
            assert (worse <= tail) == (limit > -margin), row
            assert (equal <= tail) == (-margin < row.low and row.high < margin), row
        if row.verdict == "tied within the margin":
            assert equal <= tail
            assert math.isnan(limit) or -margin < row.low <= row.high < margin
        if row.significant:
            assert not (row.low <= 0 <= row.high)
    failed = {(row.metric, row.system) for row in gate(found).failed}
    for row in found.rows:
        worse = row.non_inferiority_adjusted if together else row.non_inferiority
        assert worse is not None
        assert (worse <= (1 - row.level) / 2 * ROUNDING) == ((row.metric, row.system) not in failed), row
    return decided


@pytest.mark.parametrize("seed", [pytest.param(i, marks=[pytest.mark.thorough] * (i > 14)) for i in range(30)])
def test_of_values_p_limit_verdict_and_gate_say_one_thing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 40))
    old = rng.integers(0, 2, n) if seed % 3 == 0 else np.round(rng.exponential(1, n), 1)
    values = {"old": old.astype(float)}
    for name in ("new", "newer"):
        values[name] = np.where(rng.random(n) < 0.3, np.roll(old, 1), old) + 0.0
    how: dict[str, Any] = [{}, {"groups": rng.integers(0, 9, n)}, {"weights": rng.integers(1, 4, n)}][seed % 3]
    symmetric = {"assume": "symmetric"}
    joint = {"simultaneous": True}
    for more in ({}, symmetric, {"test": "t"}, joint, {**joint, **symmetric}, {**joint, "value_range": (-99, 99)}):
        if "assume" in more and seed % 3 == 0:  # of values that are all 0 or 1 it is refused
            continue
        # margins on the lattice of the values, so that limits lie on them, and off it
        for margin in (0.1, 0.05, float(rng.uniform(0.01, 1))):
            found = compare_values(
                values, baseline="old", margin=margin, level=(0.95, 0.8)[seed % 2], replicates=999, **how, **more
            )
            agrees(found)


@pytest.mark.parametrize("seed", range(8))
def test_of_predictions_they_do_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 90))
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    labels = {name: np.where(rng.random(n) < error, 1 - truth, truth) for name, error in (("a", 0.2), ("b", 0.25))}
    scores = {name: truth + rng.normal(0, 1, n) for name in "ab"}
    extras: list[dict[str, Any]] = [
        {},
        {"groups": rng.integers(0, 12, n)},
        {"sample_weight": rng.integers(1, 4, n)},
        {"groups": rng.integers(0, 12, n), "sample_weight": rng.integers(1, 4, n)},
    ]
    decided = 0
    for extra in extras:
        for margin in (0.02, 0.1, 0.3):
            named = certus.compare(
                truth, labels, ["accuracy", "F1", "MCC"], task="classification", margin=margin, baseline="a", **extra
            )
            decided += agrees(named)
            ranked = certus.compare(
                truth, scores, ["AUC", "AP"], task="classification", margin=margin, baseline="a", **extra
            )
            decided += agrees(ranked)
    assert decided > 40


def test_four_units_cannot_show_anything_against_a_margin_and_all_of_the_row_says_so() -> None:
    found = compare_values({"a": [0.5, 0.6, 0.4, 0.55], "b": [0.51, 0.61, 0.4, 0.56]}, margin=0.05, assume="symmetric")
    (row,) = found.rows
    assert row.non_inferiority == row.equivalence == 2**-4
    assert row.verdict == "not significant"
    assert not gate(found).holds
    values = {"a": [0.5, 0.6, 0.4, 0.55], "b": [0.51, 0.61, 0.4, 0.56]}
    shown = compare_values(values, margin=0.05, level=0.8, assume="symmetric")
    assert shown.rows[0].verdict == "tied within the margin"
    assert gate(shown).holds


def test_a_tie_needs_the_printed_interval_within_the_margin() -> None:
    # 16 units of which two tests at .05, the 90 % interval, show a tie, and the 95 % interval of the row does not
    a = np.zeros(16)
    b = np.tile([-1.0, 1.0], 8)
    margin = 0.49
    (row,) = compare_values({"a": a, "b": b}, margin=margin, test="t").rows
    assert row.equivalence is not None
    assert 0.025 < row.equivalence < 0.05
    assert row.high > margin
    assert row.verdict == "not significant"
    (row,) = compare_values({"a": a, "b": b}, margin=margin, test="t", level=0.9).rows
    assert row.verdict == "tied within the margin"


def test_a_margin_is_for_both_sides() -> None:
    with pytest.raises(MetricNameError, match="alternative is 'greater', but a margin has two sides; take 'two-sided'"):
        compare_values({"a": [0.1, 0.2], "b": [0.2, 0.1]}, baseline="a", margin=0.1, alternative="greater")
