"""Limits of precision at a recall, and of recall at a precision: score tests at all thresholds."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from certus.classification import precision_at_recall, recall_at_precision
from certus.data import Scores
from certus.inference.intervals.influence import crossing_limits
from certus.metrics.classification._thresholds import precision_crossing, recall_crossing
from certus.statistic.influence import Crossing

METRICS = [precision_at_recall.using(recall=0.7), recall_at_precision.using(precision=0.6)]
Z = stats.norm.ppf(0.975)


def one(wrong: float, right: float) -> Crossing:
    """A single threshold, against which nothing speaks."""
    columns = [np.array([float(x)]) for x in (5, 10, 5, 10, wrong, right, 2)]
    return Crossing(0.5, *columns)


@pytest.mark.parametrize(("wrong", "right"), [(12, 30), (0, 20), (20, 0), (400, 7)])
def test_limits_at_a_known_threshold_are_wilsons(wrong: int, right: int) -> None:
    shares = stats.binomtest(wrong, wrong + right).proportion_ci(0.95, method="wilson")
    expected = [(1 - p) / (1 - p + 2 * p) for p in (shares.high, shares.low)]
    assert crossing_limits(one(wrong, right), 0.025) == pytest.approx(expected, abs=1e-12)


def test_near_limits_of_very_few_are_those_of_a_poisson_law() -> None:
    low = stats.gamma.ppf(0.05, 2) / 100
    assert crossing_limits(one(2, 98), 0.025)[1] == pytest.approx((1 - low) / (1 + low), rel=1e-12)


def refused(k: int, n: int, share: float) -> tuple[float, float]:
    """Standard scores at which k of n are too many, and too few, by exact tails."""
    many = stats.norm.isf(stats.binom.sf(k - 1, n, share)) if k > share * n else 0.0
    few = stats.norm.isf(stats.binom.cdf(k, n, share)) if k < share * n else 0.0
    return max(many, 0.0), max(few, 0.0)


def modified_wilson(k: int, n: int, tail: float) -> tuple[float, float]:
    low, high = stats.binomtest(k, n).proportion_ci(1 - 2 * tail, method="wilson")
    low = min(low, stats.gamma.ppf(2 * tail, k) / n) if 1 <= k <= 3 else low
    return low, max(high, 1 - stats.gamma.ppf(2 * tail, n - k) / n) if 1 <= n - k <= 3 else high


@given(
    st.lists(st.booleans(), min_size=20, max_size=40).filter(lambda truth: sum(truth) > 5), st.sampled_from([0.4, 0.7])
)
@settings(max_examples=15)
def test_recall_at_a_precision_has_the_limits_of_all_thresholds_that_the_sample_does_not_refuse(
    truth: list[bool], precision: float
) -> None:
    n, m = len(truth), sum(truth)
    estimate = recall_at_precision(truth, -np.arange(float(n)), precision=precision)
    speaks = [refused(sum(truth[:kept]), kept, precision) for kept in range(n + 1)]
    lows, highs = [estimate.value], [estimate.value]
    for kept in range(n + 1):
        found = sum(truth[:kept])
        against = max([speaks[kept][1], *(many for many, _ in speaks[kept + 1 :])])
        if against < Z:
            tail = stats.norm.sf(np.sqrt(Z**2 - against**2))
            if kept == n:
                # All samples together may be more precise than is wanted.
                lows.append(1 - stats.norm.isf(tail) ** 2 / (max(m, precision * n) + stats.norm.isf(tail) ** 2))
                highs.append(1.0)
                continue
            low, high = modified_wilson(m - found, m - found + kept, tail)
            # Of `kept` samples the part `precision` is positive, and of all positives it is the recall.
            lows.append(precision * (1 - high) / (precision * (1 - high) + high))
            highs.append(precision * (1 - low) / (precision * (1 - low) + low))
    assert estimate.interval()[:2] == pytest.approx((min(lows), max(highs)), abs=1e-9)


def cliff(rng: np.random.Generator, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Nine of ten samples are positive down to where 0.7 of the positives are found, from there on one of fifty."""
    score = rng.random(n)
    share = np.where(score > 0.95, 0.9, 0.0203)
    return (rng.random(n) < share).astype(int), score


def test_precision_at_a_recall_is_covered_where_the_share_of_positives_falls_as_at_a_cliff() -> None:
    rng = np.random.default_rng(8)
    true = precision_at_recall(*cliff(rng, 500_000), recall=0.7).value
    held, delta = [], []
    for _ in range(300):
        estimate = precision_at_recall(*cliff(rng, 1000), recall=0.7)
        held.append(estimate.interval()[:2])
        delta.append(estimate.interval(method="influence-logit")[:2])
    covers = [np.mean([low <= true <= high for low, high in each]) for each in (held, delta)]
    # .9375 for large samples less 2 standard errors of 300; limits of first order know of one side of the cliff only.
    assert covers[0] > 0.91
    assert covers[1] < 0.85


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_limits_over_thresholds_are_nested_and_hold_the_value(metric: Any) -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(300) < 0.3
    estimate = metric(truth.astype(int), np.round(2.0 * truth + rng.normal(size=300), 1))
    widest = estimate.interval()
    assert widest.method == "score-profile"
    for level in (0.01, 0.5, 0.9, 0.94):
        narrow = estimate.interval(level)
        assert widest.low <= narrow.low <= estimate.value <= narrow.high <= widest.high


@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_equal_weights_leave_the_limits_over_thresholds_as_they_are(metric: Any) -> None:
    rng = np.random.default_rng(4)
    truth = rng.random(200) < 0.3
    score = 2.0 * truth + rng.normal(size=200)
    single = metric(truth.astype(int), score).interval()
    assert metric(truth.astype(int), score, sample_weight=np.full(200, 4.0)).interval() == pytest.approx(single[:2])
    uneven = metric(truth.astype(int), score, sample_weight=np.exp(rng.normal(size=200))).interval()
    assert uneven.high - uneven.low > 1.1 * (single.high - single.low)


def test_a_precision_that_no_threshold_reaches_has_an_upper_limit_of_recall() -> None:
    truth = np.tile([0, 0, 0, 1], 50)
    low, high, *_ = recall_at_precision(truth, -np.arange(200.0), precision=0.8).interval()
    assert low == 0
    assert 0 < high < 0.15


def test_the_precision_at_recall_1_may_be_as_low_as_that_of_all_samples() -> None:
    # The lowest positive of the population is below that of the sample.
    truth = np.repeat([1, 0], [40, 160])
    low, high, *_ = precision_at_recall(truth, -np.arange(200.0), recall=1).interval()
    assert low < 0.2
    assert high == 1


def test_any_threshold_has_a_recall_of_0() -> None:
    estimate = precision_at_recall([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], recall=0)
    assert "score-profile" not in estimate.methods


def counts_at_each_threshold(truth: list[bool], scores: list[int], recall: float) -> list[tuple[float, float, float]]:
    """Wrong and right counts and the scale where precision is highest with at least a recall, one by one."""
    thresholds, m = sorted(set(scores), reverse=True), sum(truth)

    def kept(threshold: int) -> tuple[int, int]:
        here = [positive for positive, score in zip(truth, scores, strict=True) if score >= threshold]
        return sum(here), len(here) - sum(here)

    found = []
    for position, threshold in enumerate(thresholds):
        above, _ = kept(threshold)
        best = max(thresholds[position:], key=lambda lower: kept(lower)[0] / sum(kept(lower)))
        hits, wrong = kept(best)
        tied = max(sum(p for p, score in zip(truth, scores, strict=True) if score == threshold) - 1, 0) / m
        further = (hits - above) / m
        reached = min(recall + min(max(above / m - recall, 0), tied) + further, 1)
        known = further * max(1 - recall - further, 0) / (m * max(1 - recall, 1 / m)) + tied**2
        doubt = min(reached * (1 - reached) / m, known)
        right = 1 / (1 / m + doubt / reached**2)
        found.append((float(wrong), right, right / (m * reached)))
    return found


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=6, max_size=24).filter(
        lambda pairs: len({positive for positive, _ in pairs}) == 2
    ),
    st.sampled_from([0.3, 0.7, 1.0]),
)
@settings(max_examples=40)
def test_precision_at_a_recall_has_the_counts_of_each_threshold(pairs: list[tuple[bool, int]], recall: float) -> None:
    truth, scores = [positive for positive, _ in pairs], [score for _, score in pairs]
    found = recall_crossing(Scores(np.array(truth), np.array(scores, float)), recall)
    expected = np.array(counts_at_each_threshold(truth, scores, recall))
    np.testing.assert_allclose(np.transpose([found.wrong, found.right, found.scale]), expected, rtol=1e-12)


def counts_on_the_way_up(truth: list[bool], scores: list[int], precision: float) -> list[tuple[float, float, float]]:
    """Wrong and right counts and the scale at thresholds from the lowest up, and above all, one by one."""
    found, before, part = [], 0.0, 1.0
    for threshold in [*sorted(set(scores)), max(scores) + 1]:
        kept = [positive for positive, score in zip(truth, scores, strict=True) if score >= threshold]
        above = sum(kept)
        share = above / len(kept) if kept else precision
        jump = part * max(share - before, 0)
        reached = precision + min(max(share - precision, 0), jump)
        doubt = 1 + min(reached * (1 - reached), jump**2 * len(kept)) / reached**2
        # of all positives below the threshold, and of all samples above it
        found.append((float(sum(truth) - above), len(kept) / doubt, 1 / (reached * doubt)))
        before, part = share, 1 - 1 / max(scores.count(threshold), 1)  # of the samples passed next
    return found


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=6, max_size=24).filter(
        lambda pairs: len({positive for positive, _ in pairs}) == 2
    ),
    st.sampled_from([0.3, 0.7, 0.95]),
)
@settings(max_examples=40)
def test_recall_at_a_precision_has_such_counts(pairs: list[tuple[bool, int]], precision: float) -> None:
    truth, scores = [positive for positive, _ in pairs], [score for _, score in pairs]
    found = precision_crossing(Scores(np.array(truth), np.array(scores, float)), precision)
    expected = np.array(counts_on_the_way_up(truth, scores, precision))
    np.testing.assert_allclose(np.transpose([found.wrong, found.right, found.scale]), expected, rtol=1e-12)
