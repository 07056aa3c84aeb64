"""Metrics of the best threshold or of a part of the samples: KS, break-even point, precision at recall, lift."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from untyped import untyped

from certus import MetricNameError
from certus.classification import (
    break_even_point,
    h_measure,
    ks,
    lift,
    precision_at_recall,
    recall_at_precision,
    roc_auc,
)
from certus.statistic import Influence

SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=20).filter(
    lambda samples: 0 < sum(y for y, _ in samples) < len(samples)
)
METRICS: list[Any] = [
    ks,
    break_even_point,
    precision_at_recall.using(recall=0.5),
    recall_at_precision.using(precision=0.6),
    lift.using(depth=0.3),
]


def at_thresholds(samples: list[tuple[bool, int]]) -> list[tuple[int, int]]:
    """True and false positives at each distinct score."""
    return [
        (sum(y for y, s in samples if s >= t), sum(not y for y, s in samples if s >= t))
        for t in sorted({s for _, s in samples})
    ]


# scipy warns where it cannot compute its p-value exactly, which is not looked at.
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(SAMPLES)
def test_ks_is_scipys_two_sample_statistic(samples: list[tuple[bool, int]]) -> None:
    from scipy.stats import ks_2samp

    truth, score = [y for y, _ in samples], [s for _, s in samples]
    positives, negatives = ([s for y, s in samples if y is which] for which in (True, False))
    expected = ks_2samp(positives, negatives, method="exact").statistic
    assert ks(truth, score).value == pytest.approx(expected, abs=1e-15)
    expected = ks_2samp(positives, negatives, alternative="less", method="exact").statistic
    assert ks(truth, score, one_sided=True).value == pytest.approx(expected, abs=1e-15)


@given(SAMPLES, st.sampled_from([0.0, 0.1, 0.5, 0.75, 1.0]))
def test_the_best_threshold_is_found(samples: list[tuple[bool, int]], wanted: float) -> None:
    truth, score = [y for y, _ in samples], [s for _, s in samples]
    m = sum(truth)
    points = at_thresholds(samples)
    precision = max(tp / (tp + fp) for tp, fp in points if tp / m >= wanted)
    assert precision_at_recall(truth, score, recall=wanted).value == precision
    recall = max((tp / m for tp, fp in points if tp / (tp + fp) >= wanted), default=0)
    assert recall_at_precision(truth, score, precision=wanted).value == recall


@given(SAMPLES)
def test_the_break_even_point_averages_over_orders_of_tied_samples(samples: list[tuple[bool, int]]) -> None:
    rng = np.random.default_rng(0)
    truth, score = np.array([y for y, _ in samples]), np.array([s for _, s in samples])
    m = int(truth.sum())
    found = break_even_point(truth, score).value
    orders = [np.lexsort((rng.random(len(score)), -score))[:m] for _ in range(400)]
    # Four standard errors of a mean of 400 shares.
    assert abs(found - np.mean([truth[order].sum() / m for order in orders])) < 4 * 0.5 / 20


def test_lift_takes_fractions_of_samples_and_of_ties_in_proportion() -> None:
    assert lift([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], depth=0.125).value == (0.5 / 2) / 0.125
    assert lift([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.1], depth=0.25).value == pytest.approx((2 / 3 / 2) / 0.25)
    assert lift.using(depth=0.25).bounds == (0, 4)


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_one_class_or_no_samples_are_undefined(metric: Any) -> None:
    assert np.isnan(metric([0, 0], [0.1, 0.2]).value)
    assert metric([0, 0], [0.1, 0.2]).reason
    assert metric([0, 0], [0.1, 0.2], undefined=0.0).value == 0
    assert metric([], []).reason == "there are no samples"
    assert np.isnan(metric([1, 1], [0.1, 0.2]).value) == (metric.name == "KS")


@pytest.mark.parametrize("draws", [1000, pytest.param(3000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_replicates_are_those_of_the_function(metric: Any, draws: int) -> None:
    rng = np.random.default_rng(3)
    truth, score = rng.random(50) < 0.5, rng.integers(0, 9, 50)
    statistic = metric(truth, score).statistic
    assert isinstance(statistic, Influence)
    assert statistic.resample is not None
    fast = statistic.resample(3000, 1, False)
    drawn = rng.multinomial(50, np.full(50, 0.02), draws)
    slow = [metric(truth, score, sample_weight=draw).value for draw in drawn]
    assert np.nanmean(fast) == pytest.approx(np.nanmean(slow), abs=0.12 * float(np.nanstd(slow)))
    assert np.nanstd(fast) == pytest.approx(np.nanstd(slow), rel=0.08)


def test_wanted_levels_are_shares() -> None:
    with pytest.raises(MetricNameError, match="recall of PrecisionAtRecall is 2; it must be"):
        precision_at_recall([0, 1], [0.1, 0.2], recall=2)
    with pytest.raises(MetricNameError, match="PrecisionAtRecall needs recall"):
        untyped(precision_at_recall)([0, 1], [0.1, 0.2])
    with pytest.raises(MetricNameError, match="depth of Lift is 0; it must be"):
        lift([0, 1], [0.1, 0.2], depth=0)


def test_recall_at_precision_says_that_few_samples_are_above_the_threshold() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(400) < 0.3
    score = 0.5 * truth + rng.normal(size=400)
    weights = rng.uniform(1, 1.1, size=400)
    metric: Any = recall_at_precision.using(precision=0.9)
    note = "the interval may be too short: only 2 samples above the threshold"
    assert metric(truth.astype(int), score, sample_weight=weights).interval().reason == note
    assert metric(truth.astype(int), score, groups=np.arange(400)).interval().reason == note
    assert metric(truth.astype(int), score).interval().reason == ""
    many = metric(truth.astype(int), 3.0 * truth + rng.normal(size=400), sample_weight=weights)
    assert many.interval().reason == ""


def test_lift_says_that_its_depth_is_near_the_edge_of_a_group_of_tied_scores() -> None:
    truth = np.tile([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 40)
    score = np.repeat([2.0, 1.0, 0.0], [44, 156, 200])
    assert "near the edge of a group of tied scores" in lift(truth, score).interval().reason
    assert lift(truth, score, depth=0.3).interval().reason == ""
    assert lift(truth, np.arange(400.0)).interval().reason == ""


@pytest.mark.parametrize("metric", [ks, lift, break_even_point], ids=str)
def test_a_rate_at_a_threshold_says_that_a_class_has_few_samples(metric: Any) -> None:
    rng = np.random.default_rng(5)
    truth = np.arange(600) < 12
    score = truth + rng.normal(size=600)
    assert metric(truth.astype(int), score).interval().reason.endswith("12 samples of the rarer class")
    many = np.arange(600) < 200
    assert metric(many.astype(int), many + rng.normal(size=600)).interval().reason == ""


@pytest.mark.parametrize("metric", [break_even_point, lift], ids=str)
def test_a_value_at_a_depth_says_that_few_positives_are_above_it(metric: Any) -> None:
    position = np.arange(1000)
    truth = (position >= 500) & (position < 600) | (position == 20) | (position == 30)
    reason = "the interval may be too short: fewer than 4 positives above the threshold"
    assert metric(truth.astype(int), -position).interval().reason == reason
    late = (position < 60) | (position == 700)
    assert lift(late.astype(int), -position).interval().reason == reason.replace("above", "below")
    more = truth | (position == 40) | (position == 50)
    assert metric(more.astype(int), -position).interval().reason == ""


@pytest.mark.parametrize("part", [{"max_fpr": 0.2}, {"min_tpr": 0.7}], ids=str)
def test_a_part_of_an_area_says_that_a_class_has_few_samples(part: Any) -> None:
    rng = np.random.default_rng(8)
    truth = np.arange(600) < 20
    score = truth + rng.normal(size=600)
    metric = roc_auc.using(**part)
    assert (
        metric(truth.astype(int), score).interval().reason
        == "the interval may be too short: only 20 samples of the rarer class"
    )
    assert metric((np.arange(600) < 60).astype(int), score).interval().reason == ""
    assert roc_auc(truth.astype(int), score).interval().reason == ""


@pytest.mark.parametrize("metric", [ks, h_measure], ids=str)
def test_a_maximum_over_thresholds_says_that_few_groups_have_the_rarer_class(metric: Any) -> None:
    rng = np.random.default_rng(6)
    groups = np.arange(900) // 15
    truth = (groups < 20) & (np.arange(900) % 15 < 2)
    score = 2 * truth + rng.normal(size=900)
    assert metric(truth.astype(int), score, groups=groups).interval().reason.endswith("20 groups of the rarer class")
    assert (
        metric((~truth).astype(int), -score, groups=groups).interval().reason.endswith("20 groups of the rarer class")
    )
    assert metric(truth.astype(int), score).interval().reason == ""
    spread = np.arange(900) % 15 < 2
    assert metric(spread.astype(int), 2 * spread + rng.normal(size=900), groups=groups).interval().reason == ""


@pytest.mark.parametrize(
    ("metric", "weights"),
    [
        (break_even_point, None),
        (break_even_point, np.full(400, 3.0)),
        (precision_at_recall.using(recall=0.98), np.linspace(1, 1.1, 400)),
    ],
    ids=["break-even", "weighted", "at recall"],
)
def test_precision_says_that_few_negatives_are_above_its_threshold(metric: Any, weights: Any) -> None:
    note = "the interval may be too short: fewer than 4 negatives above the threshold"
    for wrong in (1, 3, 4, 9):
        truth = [*[0] * wrong, *[1] * 100, *[0] * (300 - wrong)]
        reason = metric(truth, -np.arange(400.0), sample_weight=weights).interval().reason
        assert reason == (note if wrong < 4 else "")


@pytest.mark.parametrize(("before", "tied", "few"), [(96, 40, True), (90, 30, False), (0, 400, False)])
def test_ties_at_the_break_even_point_have_their_share_of_negatives_above_it(before: int, tied: int, few: bool) -> None:
    truth = (np.arange(400) < 100).astype(int)
    score = np.select([np.arange(400) < before, np.arange(400) < before + tied], [2.0, 1.0], 0.0)
    assert ("fewer than 4 negatives" in break_even_point(truth, score).interval().reason) == few


def test_the_break_even_point_does_not_take_the_share_of_positives_from_farther_than_its_threshold_moves() -> None:
    # 200 positives: 9 of 10 samples are positive down to rank 210, then 11 of 790. The threshold at rank 200 moves by
    # about 6 samples, so that the standard error is that of a share of 180 in 200.
    truth = [0, *[1] * 9] * 21 + [0] * 779 + [1] * 11
    estimate = break_even_point(truth, -np.arange(1000.0))
    assert estimate.value == 0.9
    assert estimate.standard_error == pytest.approx(np.sqrt(0.9 * 0.1 / 200), rel=0.05)


def test_lift_of_a_nearly_perfect_order_says_so_where_it_bends() -> None:
    """Of 300 samples 60 are positive, 55 of them among the first 62: there .88 to .92 covered."""
    truth = np.repeat([1, 0, 1, 0], [55, 7, 5, 233])
    score = np.arange(300, 0, -1)
    assert "fewer than 10 samples on the wrong side" in lift(truth, score, depth=0.21).interval().reason
    assert lift(truth, score, depth=0.1).interval().reason == ""
    assert lift(truth, score, depth=0.19).interval().reason != ""
    mixed = np.repeat([1, 0, 1, 0], [45, 20, 15, 220])
    assert lift(mixed, score, depth=0.21).interval().reason == ""


def test_ks_of_uneven_weights_says_so_where_effectively_few_samples_decide() -> None:
    truth = np.arange(200) % 4 == 0
    score = np.random.default_rng(1).normal(size=200) + truth
    note = "the interval may be too short: only 36 samples of the rarer class"
    assert ks(truth, score).interval().reason == ""
    assert ks(truth, score, sample_weight=np.repeat([1.0, 4.0], [100, 100])).interval().reason == note
