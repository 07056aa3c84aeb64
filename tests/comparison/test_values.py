"""Comparing bare values of each unit."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus import MetricNameError
from certus.comparison import compare_values
from certus.comparison.row import verdict
from certus.entry import compare

A = [0.41, 0.52, 0.33, 0.60, 0.48, 0.71]
B = [0.35, 0.50, 0.35, 0.51, 0.40, 0.66]


def test_every_way_of_giving_values_gives_the_same() -> None:
    array = np.column_stack([A, B])
    expected = certus.inference.paired(B, A)
    for values in (
        {"a": A, "b": B},
        array,
        array.tolist(),
        pd.DataFrame({"a": A, "b": B}),
        pl.DataFrame({"a": A, "b": B}),
        {"a": dict(enumerate(A)), "b": dict(enumerate(B))},
    ):
        (row,) = compare_values(values, unit="query")
        assert row.p == expected.p
        assert row.difference == expected.difference.value
        assert (row.low, row.high) == tuple(expected.difference.interval()[:2])
        assert row.effect == expected.effect


def test_columns_may_be_named_by_whole_numbers() -> None:
    by_number = pd.DataFrame({0: A, 1: B})
    assert compare_values(by_number).to_dicts() == compare_values({"0": A, "1": B}).to_dicts()
    truth = [1, 0, 1, 1, 0, 1]
    guesses = pd.DataFrame({1: truth, 0: truth[::-1]})
    assert compare(truth, guesses, "Accuracy").to_dicts() == (
        compare(truth, {"1": truth, "0": truth[::-1]}, "Accuracy").to_dicts()
    )


def test_units_are_paired_by_name_and_what_is_left_out_is_said() -> None:
    found = compare_values({"a": {"x": 1.0, "y": 2.0, "z": 3.0}, "b": {"z": 5.0, "x": 1.0}})
    assert found.units == ("x", "z")
    assert found.rows[0].difference == 1.0
    assert [(notice.kind, notice.count, notice.queries) for notice in found.notices] == [("unpaired-units", 1, ("y",))]
    with pytest.raises(certus.DataError, match="no unit in common"):
        compare_values({"a": {"x": 1.0}, "b": {"y": 1.0}})


def test_lower_can_be_better() -> None:
    times = {"slow": np.arange(1.0, 11.0), "fast": np.arange(1.0, 11.0) * 0.9}
    assert compare_values(times, "seconds", better="lower").rows[0].verdict == "better"
    assert compare_values(times, "seconds", better="higher").rows[0].verdict == "worse"
    assert compare_values(times, "seconds", better=None).rows[0].verdict == "lower"


def test_values_of_a_ranking_metric_take_its_facts_from_its_name() -> None:
    found = certus.compare(None, {"a": A, "b": B}, "ndcg_cut_10")
    assert found.metrics == ("nDCG@10",)
    assert found.rows[0].unit == "query"
    assert certus.compare(None, {"a": A, "b": B}, "my score").metrics == ("my score",)


def test_bare_values_called_accuracy_are_not_those_of_a_ranking_s_pairs() -> None:
    found = certus.compare(None, {"a": [50.0, 60.0, 70.0], "b": [52.0, 61.0, 75.0]}, "accuracy")
    assert (found.rows[0].metric, found.rows[0].unit) == ("accuracy", "unit")


@pytest.mark.parametrize("metric", ["Median", "gmean", certus.values.geometric_mean])
def test_a_mean_is_not_called_by_the_name_of_another_metric_of_values(metric: Any) -> None:
    values = {"old": [1.0, 2.0, 9.0], "new": [1.0, 3.0, 4.0]}
    with pytest.raises(MetricNameError, match="systems are compared by the mean of their values, not by "):
        certus.compare(None, values, metric)
    assert certus.compare(None, values, "mean").to_dicts()[0]["metric"] == "mean"


def test_the_margin_decides_between_a_tie_and_no_verdict() -> None:
    rng = np.random.default_rng(0)
    a = rng.random(40)
    b = a + rng.normal(0, 0.002, 40)
    (tied,) = compare_values({"a": a, "b": b}, margin=0.01, assume="symmetric")
    assert tied.verdict == "tied within the margin"
    (open_,) = compare_values({"a": a, "b": a + rng.normal(0, 0.2, 40)}, margin=0.01)
    assert open_.verdict == "not significant"
    found = certus.inference.paired(b, a)
    assert tied.equivalence == certus.inference.equivalence(found, 0.01, assume="symmetric", level=0.975).p
    (guaranteed,) = compare_values({"a": a, "b": b}, margin=0.01)
    assert guaranteed.verdict == "not significant"
    assert guaranteed.equivalence == certus.inference.equivalence(found, 0.01, level=0.975).p


def test_a_difference_within_the_margin_is_a_tie_even_where_it_is_not_0() -> None:
    a = np.linspace(0.2, 0.8, 30)
    (row,) = compare_values({"a": a, "b": a + 0.001 + np.tile([0, 1e-4], 15)}, margin=0.01, assume="symmetric")
    assert row.significant
    assert row.verdict == "tied within the margin"


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_non_inferiority_is_about_being_worse(better: Any) -> None:
    rng = np.random.default_rng(1)
    a = rng.random(30)
    b = a + 0.05 + rng.normal(0, 0.01, 30)
    (row,) = compare_values({"a": a, "b": b}, better=better, margin=0.02, assume="symmetric")
    assert row.equivalence is not None
    assert row.non_inferiority is not None
    assert row.equivalence > 0.99
    assert (row.non_inferiority < 1e-6) == (better == "higher")


def test_p_values_against_the_margin_are_adjusted_too() -> None:
    rng = np.random.default_rng(2)
    values = {name: rng.random(20) for name in "abc"}
    found = compare_values(values, margin=0.2, correction="max-t")
    raw = [row.equivalence or 0.0 for row in found]
    assert [row.equivalence_adjusted for row in found] == certus.inference.adjust(raw, "holm").tolist()


@given(st.floats(-1, 1), st.floats(0, 1), st.booleans(), st.sampled_from(["higher", "lower", None]))
def test_a_verdict_is_one_of_those_documented_and_turns_with_the_sign(
    difference: float, p: float, equivalent: bool, better: Any
) -> None:
    turned = {"better": "worse", "worse": "better", "higher": "lower", "lower": "higher"}
    found = verdict(difference, p, equivalent, 0.05, better)
    assert verdict(-difference, p, equivalent, 0.05, better) == turned.get(found, found)
    assert (found == "tied within the margin") == equivalent
    assert found == "not significant" or equivalent or p <= 0.05 * (1 + 1e-9)


def test_a_p_value_at_the_level_is_significant_whatever_binary_says() -> None:
    for level in (0.9, 0.95, 0.99):
        assert verdict(0.1, round(1 - level, 2), False, 1 - level, "higher") == "better"
    assert verdict(0.1, float("nan"), False, 0.05, "higher") == "not significant"
    assert verdict(float("nan"), 1.0, False, 0.05, "higher") == "undefined"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": A}, "values holds one system, 'a'"),
        ({}, "values is empty"),
        ({"a": A, "b": B[:-1]}, "values has 6 of 'a' but 5 of 'b'; they must pair up"),
        ({"a": [], "b": []}, "values are of no unit"),
        ({"a": [1.0, np.nan], "b": [1.0, 2.0]}, r"values\['a'\]"),
        ({"a": [1.0, np.inf], "b": [1.0, 2.0]}, r"values\['a'\]"),
        ({"a": ["x", "y"], "b": [1.0, 2.0]}, r"values\['a'\] holds"),
        (A, "values is an array of 1 axis; give units x systems"),
        (np.ones((2, 2, 2)), "values is an array of 3 axes"),
        (np.ones((5, 1)), "values holds one system, 'system 1'"),
    ],
)
def test_values_that_do_not_pair_up_are_refused(values: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        compare_values(values)


def test_wrong_options_are_refused() -> None:
    with pytest.raises(certus.DataError, match="better is 'up'; it must be 'higher', 'lower', 'metric' or None"):
        compare_values({"a": A, "b": B}, better="up")  # type: ignore[arg-type]
    with pytest.raises(certus.MetricNameError, match="bare values are of one metric"):
        certus.compare(None, {"a": A, "b": B}, ["AP", "RR"])
    with pytest.raises(certus.CertusError, match="level"):
        compare_values({"a": A, "b": B}, level=95)


def test_values_beyond_the_bounds_of_the_metric_they_are_named_after_are_refused() -> None:
    with pytest.raises(certus.DataError, match=r"values\['a'\] is 45.3 at index 1, but nDCG@10 lies in \[0, 1\]"):
        certus.compare(None, {"a": [0.2, 45.3], "b": [0.1, 0.3]}, "nDCG@10")


def test_differences_beyond_floats_are_refused() -> None:
    with pytest.raises(certus.DataError, match="beyond what a float holds"):
        compare_values({"a": [1e308, -1e308], "b": [-1e308, 1e308]})


def test_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame(np.ones((3, 2)), columns=["x", "x"])
    with pytest.raises(certus.DataError, match="two columns of values have the same name"):
        compare_values(frame)
    with pytest.raises(certus.DataError, match="two columns of predictions have the same name"):
        certus.compare([1, 0, 1], frame, "Accuracy", task="classification")


@pytest.mark.parametrize(
    ("metrics", "task"), [("Accuracy", "classification"), (["f1", "MCC"], "classification"), ("mae", "regression")]
)
def test_the_task_is_that_of_the_truth_and_the_names(metrics: Any, task: str) -> None:
    truth, systems = [0, 1] * 6, {"a": [0, 1] * 6, "b": [1, 1] * 6}
    found, told = certus.compare(truth, systems, metrics), certus.compare(truth, systems, metrics, task=task)
    assert found.conventions["task"] == task
    assert [row.p for row in found.rows] == [row.p for row in told.rows]


@pytest.mark.parametrize(
    ("truth", "metrics", "message"),
    [
        ([0, 1], "RBP", "^no classification metric is named 'RBP'; RBP is a metric of ranking$"),
        ([0, 1], ["Accuracy", "MAE"], "^no classification metric is named 'MAE'; MAE is a metric of regression$"),
        ({"q1": {"d1": 1}}, "MCC", "^no ranking metric is named 'MCC'; MCC is a metric of classif"),
        ([[0, 1]], "AUC", "^no multilabel metric is named 'AUC'; AUC is a metric of classification$"),
    ],
)
def test_a_metric_of_another_task_says_which(truth: Any, metrics: Any, message: str) -> None:
    with pytest.raises(certus.MetricNameError, match=message):
        certus.compare(truth, {"a": [1, 0], "b": [0, 1]}, metrics)


def test_a_level_that_is_no_number_is_refused() -> None:
    with pytest.raises(certus.CertusError, match="level is 'x'; it must be a number"):
        untyped(compare_values)({"a": [1.0], "b": [2.0]}, level="x")


@pytest.mark.parametrize("correction", ["max-t", "tukey-hsd"])
@pytest.mark.parametrize("test", ["wilcoxon", "Sign"])
def test_joint_corrections_of_means_do_not_pass_for_those_of_ranks(correction: str, test: str) -> None:
    values = {"a": [0.1, 0.4, 0.3], "b": [0.2, 0.6, 0.4], "c": [0.3, 0.7, 0.5]}
    with pytest.raises(
        certus.MetricNameError, match=f"{correction} compares means, but test='{test.lower()}' does not"
    ):
        compare_values(values, test=test, correction=correction)


@pytest.mark.parametrize("correction", ["max-t", "tukey-hsd"])
@pytest.mark.parametrize("test", [None, "t", "bootstrap-t"])
@pytest.mark.parametrize("seed", range(3))
def test_no_adjusted_p_value_is_below_the_pairs_own(correction: str, test: str | None, seed: int) -> None:
    values = np.random.default_rng(seed).normal([0.0, 0.5, 1.0, 3.0], [0.1, 1.0, 1.0, 1.0], (6, 4))
    found = compare_values(values, test=test, correction=correction, replicates=2000)
    for row in found:
        assert row.p_adjusted >= row.p
        assert row.verdict == "not significant" or row.low > 0 or row.high < 0


def test_values_that_bear_the_name_of_a_metric_have_its_direction() -> None:
    values = {"old": [3.0, 4.0, 5.0, 6.0, 7.0, 9.0], "new": [2.0, 3.0, 3.5, 5.0, 6.0, 7.0]}
    (row,) = compare_values(values, "MAE")
    assert (row.difference < 0, row.verdict) == (True, "better")
    (row,) = compare_values(values, "points")
    assert row.verdict == "worse"
    (row,) = compare_values(values, "MAE", better="higher")
    assert row.verdict == "worse"
    (row,) = compare(None, values, "rmse")
    assert row.verdict == "better"


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_limits_of_equal_differences_hold_the_difference(test: str) -> None:
    for apart in (1.0, 2.0, 0.25):
        (row,) = compare_values({"a": [0.0] * 15, "b": [apart] * 15}, test=test)
        assert row.low <= row.difference <= row.high
