"""Average precision of scores: by hand, by its definition, against scikit-learn, and its interpolations."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

from certus.classification import average_precision
from certus.data import Scores
from certus.inference import Estimate
from certus.metrics.classification.average_precision import _exact, _highest
from certus.statistic.influence import UnseenUnits

# R2's ten clients: positives at ranks 1, 2, 4, 5, 6 and 8.
PROBABILITY = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
TRUE_CLASS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]


def test_tied_samples_are_taken_together() -> None:
    # Above 0.5 precision is 1 of 1, at 0.5 it is 2 of 3, whatever the order of the two tied samples.
    for truth in ([1, 1, 0], [1, 0, 1]):
        assert average_precision(truth, [0.9, 0.5, 0.5]).value == (1 + 2 / 3) / 2


SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=1, max_size=30)


def precisions(samples: list[tuple[bool, int]]) -> list[Fraction]:
    return [
        Fraction(sum(y for y, other in samples if other >= score), sum(other >= score for _, other in samples))
        for positive, score in samples
        if positive
    ]


@given(SAMPLES.filter(lambda samples: any(y for y, _ in samples)))
def test_the_value_is_the_mean_precision_at_positives(samples: list[tuple[bool, int]]) -> None:
    each = precisions(samples)
    expected = float(sum(each, Fraction()) / len(each))
    assert average_precision([y for y, _ in samples], [s for _, s in samples]).value == pytest.approx(
        expected, abs=1e-15
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
@pytest.mark.parametrize("weighted", [False, True])
def test_average_precision_is_scikit_learns(dtype: Any, weighted: bool) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(5)
    truth = rng.random(300) < 0.3
    score = (rng.normal(size=300) * 20 + 100 + 15 * truth).astype(dtype)
    weights = rng.integers(0, 5, 300) / 3 if weighted else None
    expected = metrics.average_precision_score(truth, score, sample_weight=weights)
    assert average_precision(truth, score, sample_weight=weights).value == pytest.approx(expected, abs=1e-14)
    precision, recall, _ = metrics.precision_recall_curve(truth, score, sample_weight=weights)
    lines = average_precision(truth, score, sample_weight=weights, interpolation="trapezoid")
    assert lines.value == pytest.approx(metrics.auc(recall, precision), abs=1e-14)


def test_without_positives_it_is_undefined_or_what_undefined_says() -> None:
    estimate = average_precision([0, 0], [0.1, 0.2])
    assert math.isnan(estimate.value)
    assert estimate.reason == "there are no positives"
    assert average_precision([0, 0], [0.1, 0.2], undefined=0.0).value == 0
    assert average_precision([], []).reason == "there are no samples"
    weighted = average_precision([1, 0], [0.1, 0.2], sample_weight=[0, 1])
    assert weighted.reason == "there are no positives"


def test_without_negatives_it_is_1() -> None:
    estimate = average_precision([1, 1, 1], [0.1, 0.2, 0.2])
    assert estimate.value == 1
    assert not estimate.interval().defined
    assert average_precision([1], [0.5]).value == 1


def test_one_positive_has_no_interval() -> None:
    assert not average_precision([1, 0, 0], [0.5, 0.9, 0.1]).interval().defined


def test_eleven_points_by_hand() -> None:
    # Recall 2/6 is reached with precision 1, 5/6 with 5/6, 1 with 6/8: levels 0 to 0.3, to 0.8, and 0.9 and 1.
    expected = (4 * 1 + 5 * (5 / 6) + 2 * (6 / 8)) / 11
    found = average_precision(TRUE_CLASS, PROBABILITY, interpolation="11-point")
    assert found.value == pytest.approx(expected, abs=1e-15)


def test_davis_and_goadrich_between_two_points_by_hand() -> None:
    # One score for 2 positives and 1 negative above, one for 1 and 3 below: precision 2/3, then (2 + x) / (3 + 4 x).
    truth, score = [1, 1, 0, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]
    second = 1 / 4 + (2 - 3 / 4) / 4 * math.log(7 / 3)
    found = average_precision(truth, score, interpolation="davis-goadrich")
    assert found.value == pytest.approx((2 * (2 / 3) + second) / 3, abs=1e-15)


def test_stepwise_expansion_tends_to_the_integral() -> None:
    # Davis & Goadrich put a point at each whole positive; k copies of each sample put k times as many.
    truth, score = [1, 1, 0, 1, 0, 0, 1, 0], [1, 1, 1, 0, 0, 0, -1, -1]
    integral = average_precision(truth, score, interpolation="davis-goadrich").value

    def expanded(copies: int) -> float:
        steps = Scores.from_arrays(np.repeat(truth, copies), np.repeat(score, copies)).steps
        area = before = 0.0
        above = total = 0.0
        for a, b in zip(steps.positives, steps.negatives, strict=True):
            for _ in range(a):
                above += 1
                total += 1 + b / a
                if before == 0:
                    before = above / total
                area += (before + above / total) / 2
                before = above / total
        return area / above

    assert abs(expanded(1) - integral) > 1e-4
    assert expanded(1000) == pytest.approx(integral, abs=1e-7)


def influence(estimate: Estimate) -> UnseenUnits:
    assert isinstance(estimate.statistic, UnseenUnits)
    return estimate.statistic


def test_variances_are_those_of_the_influence_values() -> None:
    rng = np.random.default_rng(4)
    truth, score = rng.random(200) < 0.2, rng.integers(0, 40, 200)
    for prevalence in ("fixed", "random"):
        for weights in (None, np.ones(200)):
            found = influence(average_precision(truth, score, prevalence=prevalence, sample_weight=weights))
            assert found.influence is not None
            values = found.influence()
            assert found.variances == pytest.approx([np.var(each, ddof=1) for each in values], rel=1e-12)
            assert [each.mean() for each in values] == pytest.approx([0] * len(values), abs=1e-14)


def test_the_random_share_of_positives_adds_to_the_error() -> None:
    rng = np.random.default_rng(7)
    truth = rng.random(2000) < 0.4
    score = rng.normal(size=2000) + truth
    for prevalence, stratified in (("fixed", True), ("random", False)):
        estimate = untyped(average_precision)(truth, score, prevalence=prevalence)
        replicates = influence(estimate).resample
        assert replicates is not None
        assert np.std(replicates(4000, 1, stratified)) == pytest.approx(estimate.standard_error, rel=0.05)
    fixed = average_precision(truth, score, prevalence="fixed").standard_error
    assert average_precision(truth, score).standard_error > 1.1 * fixed


def test_samples_not_seen_are_on_top_by_hand() -> None:
    # By decreasing score: a positive, a negative, a positive. Two negatives above them, or a third of a positive.
    for weights in (None, [1, 1, 1], [2, 2, 2]):
        unseen = influence(average_precision([1, 0, 1], [3, 2, 1], sample_weight=weights)).unseen
        assert unseen is not None
        assert unseen(2) == pytest.approx((((1 / 3) + (2 / 5)) / 2, ((1 / 3) + 1 + (7 / 10)) / (7 / 3)), rel=1e-14)


def test_samples_not_seen_on_top_weigh_as_much_as_those_that_score_high() -> None:
    rng = np.random.default_rng(11)
    truth = rng.random(600) < 0.3
    score = np.round(rng.normal(size=600) + 2 * truth, 2)
    reached = np.sort(score[~truth])[-30]  # by the thirtieth negative from the top; its equals count, too
    weights = np.where(~truth & (score < reached), 50.0, 1.0)
    estimate = average_precision(truth, score, sample_weight=weights)
    unseen = influence(estimate).unseen
    assert unseen is not None
    on_top = average_precision(np.append(truth, False), np.append(score, 99.0), sample_weight=np.append(weights, 3.0))
    assert unseen(3)[0] == pytest.approx(on_top.value, rel=1e-12)
    rows = rng.permutation(600)
    assert average_precision(truth[rows], score[rows], sample_weight=weights[rows]).interval() == estimate.interval()


def test_below_the_first_samples_those_not_seen_count_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    truth, weights = rng.random(400) < 0.4, rng.random(400)
    score = np.round(rng.normal(size=400) + truth, 1)
    for each in (None, weights):
        limits = []
        for first in (400, 200, 100, 50, 25):
            monkeypatch.setattr("certus.metrics.classification.average_precision.FIRST", first)
            unseen = influence(average_precision(truth, score, sample_weight=each)).unseen
            assert unseen is not None
            limits.append(unseen(3))
        for (less, more), (still_less, still_more) in pairwise(limits):
            assert less - 0.06 < still_less < less
            assert more < still_more < more + 0.06


def test_groups_whose_samples_are_alike_may_hide_more_on_top() -> None:
    rng = np.random.default_rng(2)
    groups = np.arange(300) // 5
    truth = rng.random(300) < 0.3
    score = 2 * rng.normal(size=60)[groups] + 3 * truth + 0.1 * rng.normal(size=300)
    grouped = average_precision(truth, score, groups=groups)
    unseen, apart = influence(grouped).unseen, influence(grouped).apart
    assert unseen is not None
    assert apart is not None
    ratio = (grouped.standard_error / Estimate(apart()).standard_error) ** 2
    assert ratio > 1.5
    plain = Estimate(replace(influence(grouped), unseen=None, apart=None), bounds=(0, 1)).interval()
    less, _ = unseen(-math.log(0.05) * ratio)
    low = grouped.value - math.hypot(grouped.value - plain.low, grouped.value - less)
    assert grouped.interval().low == pytest.approx(low, rel=1e-9)


def test_a_perfect_order_has_wider_limits_where_the_share_of_positives_is_not_fixed() -> None:
    truth = [0] * 30 + [1] * 20
    fixed = average_precision(truth, range(50), prevalence="fixed").interval()
    random = average_precision(truth, range(50)).interval()
    assert fixed.high == random.high == 1
    assert 0.4 < random.low < fixed.low < 1


def test_limits_of_a_perfect_order_hold_for_the_worst_population() -> None:
    # The least AP of any population in which a negative is at least as high as a positive with probability d, found
    # by trying every step function f on a grid: the closed form must be below, and close.
    for m, n in ((50, 50), (10, 100), (200, 20)):
        statistic = influence(average_precision(np.arange(m + n) < m, np.arange(m + n) < m))
        assert statistic.exact is not None
        low, high = statistic.exact(0.025)
        assert high == 1
        d = 1 - 0.025 ** (1 / min(m, n))
        share = m / (m + n)
        t = (np.arange(4000) + 0.5) / 4000
        best = 1.0
        for reach in np.linspace(0.01, 1, 400):
            # Negatives at the top: the part f of them lies above the first `reach` of the positives, in one block.
            f = np.where(t < reach, d / reach, 0)
            if d / reach <= 1:
                best = min(best, float((share * t / (share * t + (1 - share) * f)).mean()))
        assert low <= best
        assert low > 2 * best - 1.1


def test_eleven_points_say_that_the_sample_chooses_their_thresholds() -> None:
    rng = np.random.default_rng(7)
    truth = rng.random(300) < 0.4
    score = truth + rng.normal(size=300)
    note = "the interval may be too short: the sample itself sets the eleven thresholds"
    assert average_precision(truth.astype(int), score, interpolation="11-point").interval().reason == note
    assert average_precision(truth.astype(int), score, interpolation="trapezoid").interval().reason == ""


@settings(max_examples=100, deadline=None)
@given(SAMPLES)
def test_moments_of_the_kernel_are_those_of_the_influence_values(samples: list[tuple[bool, int]]) -> None:
    truth, scores = (np.array(column) for column in zip(*samples, strict=True))
    statistic = influence(average_precision(truth, scores))
    if statistic.moments is None or statistic.influence is None:  # no positives, or one sample alone in its class
        assert truth.sum() < 2 or len(truth) - truth.sum() == 1
        return
    found = statistic.moments()
    (values,) = statistic.influence()
    expected = [0.0, *((values**power).sum() for power in (2, 3, 4)), values.min(), values.max()]
    assert np.allclose(expected if found is None else found, expected, rtol=1e-9, atol=1e-9)
    assert found is not None or np.abs(values).max() < 1e-9


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 9), (50, 60)])
def test_the_limit_of_perfect_scores_is_the_area_under_the_worst_curve(m: int, n: int) -> None:
    tail, share = 0.025, m / (m + n)
    recall = (np.arange(200_000) + 0.5) / 200_000
    wrong = (1 - share) * (1 - tail ** (1 / min(m, n)))

    def worst(c: float) -> Any:
        """(1 - pi) f of the docstring."""
        return np.maximum(np.sqrt(c * recall) - share * recall, 0.0)

    low, high = 0.0, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if worst(middle).mean() < wrong else (low, middle)
    area = (share * recall / (share * recall + worst(low))).mean()
    least, most = _exact(m, n, True, tail)
    assert least == pytest.approx(area, abs=1e-5)
    assert most == 1.0


@settings(max_examples=60, deadline=None)
@given(SAMPLES, st.sampled_from([1, 2, 5]))
def test_limits_see_the_samples_on_top_whether_they_are_all_marked_or_not(
    samples: list[tuple[bool, int]], first: int
) -> None:
    truth, scores = (np.array(column) for column in zip(*samples, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("certus.metrics.classification.average_precision.FIRST", first)
        data = Scores.from_arrays(truth, scores, labels=[False, True])
        marks, weights = _highest(data)
        end = min(first, len(data))
        end += int(np.argmax(data.ordered.marks[end - 1 :] >= 2))
        assert marks.tolist() == data.ordered.marks[:end].tolist()
        assert weights.tolist() == [1.0] * end


def test_samples_that_are_missing_on_top_have_the_mean_weight_of_their_class() -> None:
    # A negative of weight (1 + 3) / 2 above a positive of weight 1 leaves it a precision of 1 / (1 + 2).
    unseen = influence(average_precision([1, 0, 0], [3, 2, 1], sample_weight=[1, 1, 3])).unseen
    assert unseen is not None
    assert unseen(1)[0] == pytest.approx(1 / 3, rel=1e-14)
