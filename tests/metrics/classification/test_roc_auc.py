"""AUC by the arithmetic of reference R2, by the comparison of all pairs, and against scikit-learn."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import MetricNameError
from certus.classification import gain_capture, gini, roc_auc
from certus.data import Scores
from certus.inference.intervals.influence import parts
from certus.statistic import Influence, UStatistic, moments

# R2's ten clients, by decreasing probability of 1.
PROBABILITY = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
TRUE_CLASS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]


SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30)


def win(p: int, q: int) -> Fraction:
    return Fraction((p > q) - (p < q) + 1, 2)


def halves(samples: list[tuple[bool, int]]) -> tuple[list[Fraction], list[Fraction]]:
    positives = [s for y, s in samples if y]
    negatives = [s for y, s in samples if not y]
    return (
        [sum((win(p, q) for q in negatives), Fraction()) / len(negatives) for p in positives],
        [sum((win(p, q) for p in positives), Fraction()) / len(positives) for q in negatives],
    )


@given(SAMPLES.filter(lambda samples: 0 < sum(y for y, _ in samples) < len(samples)))
def test_auc_and_delong_variances_are_exact(samples: list[tuple[bool, int]]) -> None:
    of_positives, of_negatives = halves(samples)
    statistic = roc_auc([y for y, _ in samples], [s for _, s in samples]).statistic
    assert isinstance(statistic, UStatistic)
    value = sum(of_positives, Fraction()) / len(of_positives)
    assert statistic.value == float(value)
    assert statistic.influence is not None
    for placements, squares, influence in zip(
        (of_positives, of_negatives), statistic.variances, statistic.influence(), strict=True
    ):
        if len(placements) == 1:
            assert np.isnan(squares)
            continue
        mean = sum(placements, Fraction()) / len(placements)
        assert squares == float(sum(((p - mean) ** 2 for p in placements), Fraction()) / (len(placements) - 1))
        np.testing.assert_allclose(influence, [float(p - value) for p in placements], atol=1e-15)


def test_scores_that_differ_in_float64_only_are_not_tied() -> None:
    low, high = 0.1, np.nextafter(0.1, 1)
    assert np.float32(low) == np.float32(high)
    assert roc_auc([0, 1], [low, high]).value == 1
    assert roc_auc([0, 1], np.array([low, high], dtype=np.float32)).value == 0.5


def test_infinite_scores_only_order() -> None:
    assert roc_auc([1, 0, 0], [np.inf, -np.inf, 3.0]).value == 1


@pytest.mark.parametrize(
    ("truth", "reason"), [([1, 1], "there are no negatives"), ([0, 0, 0], "there are no positives")]
)
def test_auc_of_a_single_class_is_undefined(truth: list[int], reason: str) -> None:
    estimate = roc_auc(truth, np.arange(len(truth)))
    assert np.isnan(estimate.value)
    assert estimate.reason.startswith(reason)


def test_auc_counts_beyond_64_bits_exactly() -> None:
    # Half of 10^5 positives above all of 10^5 negatives, half below: the sum of squared placements is 2 * 10^20.
    n = 100_000
    score = np.concatenate([np.zeros(n // 2), np.full(n // 2, 2.0), np.ones(n)])
    statistic = roc_auc.compute(Scores(np.arange(2 * n) < n, score))
    assert isinstance(statistic, UStatistic)
    assert statistic.value == 0.5
    assert statistic.variances == (float(Fraction(1, 4) * Fraction(n, n - 1)), 0.0)


WEIGHTED = st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(1, 50)), min_size=2, max_size=25).filter(
    lambda samples: len({positive for positive, *_ in samples}) == 2
)


@settings(max_examples=60)
@given(WEIGHTED, st.sampled_from([1e-85, 0.1, 1e85]))
def test_a_weighted_area_and_its_errors_are_those_of_all_pairs_and_influence_values(
    samples: list[tuple[bool, int, int]], unit: float
) -> None:
    truth, score, weight = map(np.array, zip(*samples, strict=True))
    statistic = roc_auc(truth, score, sample_weight=unit * weight).statistic
    assert isinstance(statistic, UStatistic)
    positives, negatives = ([(s, w) for y, s, w in samples if y == side] for side in (True, False))
    pairs = [(Fraction(v * w), win(p, q)) for p, v in positives for q, w in negatives]
    expected = sum(w * won for w, won in pairs) / sum(w for w, _ in pairs)
    assert statistic.value == pytest.approx(float(expected), abs=1e-15)
    assert statistic.sizes == (len(positives), len(negatives))
    known, made = parts(statistic), parts(replace(statistic, spreads=None))
    assert statistic.influence is not None
    for own, other, spread, values in zip(known, made, statistic.variances, statistic.influence(), strict=True):
        assert own == pytest.approx(other, rel=1e-9, abs=1e-30, nan_ok=True)
        assert spread == pytest.approx(moments.variance(values), rel=1e-9, abs=1e-28, nan_ok=True)


def test_many_weighted_samples_have_the_errors_of_their_influence_values() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(5000) < 0.3
    for score in (rng.normal(size=5000) + truth, np.round(rng.normal(size=5000) + truth, 1), truth + 0.0):
        for weight in (rng.random(5000), np.exp(3 * rng.normal(size=5000)), np.full(5000, 0.3)):
            gini_too = [metric(truth, score, sample_weight=weight).statistic for metric in (roc_auc, gini)]
            for statistic in gini_too:
                assert isinstance(statistic, UStatistic)
                for own, other in zip(parts(statistic), parts(replace(statistic, spreads=None)), strict=True):
                    assert own == pytest.approx(other, rel=1e-11, abs=1e-30)


def test_the_bits_of_a_weighted_area_and_its_error_do_not_depend_on_the_order_of_the_rows() -> None:
    rng = np.random.default_rng(7)
    truth, score, weight = rng.random(3000) < 0.5, np.round(rng.normal(size=3000), 1), rng.random(3000)
    found = roc_auc(truth, score, sample_weight=weight)
    for _ in range(3):
        rows = rng.permutation(3000)
        again = roc_auc(truth[rows], score[rows], sample_weight=weight[rows])
        assert (again.value, again.standard_error, again.low) == (found.value, found.standard_error, found.low)


def test_stratified_replicates_spread_as_delong_says_and_the_seed_decides() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(500) < 0.4
    score = rng.normal(size=500) + truth
    statistic = roc_auc(truth, score).statistic
    assert isinstance(statistic, UStatistic)
    assert statistic.resample is not None
    replicates = statistic.resample(20_000, 1, True)
    assert np.std(replicates) == pytest.approx(roc_auc(truth, score).standard_error, rel=0.03)
    assert np.array_equal(replicates[:50], statistic.resample(50, 1, True))
    assert not np.array_equal(replicates[:50], statistic.resample(50, 2, True))


def test_a_part_of_the_area_is_raw_or_as_mcclish_scales_it() -> None:
    # Up to 0.2 the curve of R2's clients has 2/6 of the positives: 0.2 / 3 of at most 0.2; 0.02 by chance.
    raw = roc_auc(TRUE_CLASS, PROBABILITY, max_fpr=0.2, partial="raw")
    assert raw.value == pytest.approx(0.2 / 3, abs=1e-16)
    assert roc_auc.using(max_fpr=0.2, partial="raw").bounds == (0, 0.2)
    scaled = roc_auc(TRUE_CLASS, PROBABILITY, max_fpr=0.2).value
    assert scaled == pytest.approx((1 + (0.2 / 3 - 0.02) / (0.2 - 0.02)) / 2, abs=1e-15)


def test_a_part_of_a_perfect_curve_is_exactly_1() -> None:
    truth = np.arange(100) >= 30
    for limit in (0.1, 0.3, 0.7):
        assert roc_auc(truth, truth, max_fpr=limit).value == 1
        assert roc_auc(truth, truth, min_tpr=limit).value == 1
        assert roc_auc(truth, truth, max_fpr=limit, partial="raw").value == limit
        assert roc_auc(truth, ~truth, max_fpr=limit, partial="raw").value == 0


def test_two_parts_are_refused() -> None:
    with pytest.raises(MetricNameError, match="two different parts"):
        roc_auc([0, 1], [0.1, 0.2], max_fpr=0.5, min_tpr=0.5)
    with pytest.raises(MetricNameError, match="max_fpr of AUC is 0; it must be"):
        roc_auc([0, 1], [0.1, 0.2], max_fpr=0)


def test_of_two_columns_the_positive_class_s_is_taken() -> None:
    y, scores = ["a", "b", "a", "b"], np.array([[0.9, 0.3], [0.2, 0.1], [0.4, 0.4], [0.3, 0.9]])
    assert roc_auc(y, scores, pos_label="a").value == roc_auc(y, scores[:, 0], pos_label="a").value == 1.0
    assert roc_auc(y, scores, pos_label="b").value == roc_auc(y, scores[:, 1], pos_label="b").value == 0.5


def test_limits_of_groups_reach_as_far_as_those_of_independent_samples() -> None:
    # Each group is a pair of a positive and a negative whose places are opposite: all groups add nearly the same.
    truth, score = [1, 0] * 12, [x for k in range(12) for x in (k, k - 5.5)]
    groups = np.repeat(np.arange(12), 2)
    alone = roc_auc(truth, score).interval()
    together = roc_auc(truth, score, groups=groups).interval()
    assert roc_auc(truth, score, groups=groups).standard_error < 0.6 * (roc_auc(truth, score).standard_error)
    assert together[:2] == alone[:2]


def test_weighted_areas_are_worth_the_effective_number_of_samples() -> None:
    rng = np.random.default_rng(3)
    truth = np.repeat([1, 0], 40)
    score = rng.normal(truth, 1)
    equal = roc_auc(truth, score, sample_weight=np.full(80, 2.5))
    plain = roc_auc(truth, score)
    assert equal.interval() == pytest.approx(plain.interval(), rel=1e-9)
    assert equal.methods == plain.methods
    # Weights that leave 10 of each class make the interval at least half as wide again as that of 40.
    few = roc_auc(truth, score, sample_weight=np.where(np.arange(80) % 4 == 0, 1.0, 1e-6)).interval()
    all_of_them = plain.interval()
    assert few.high - few.low > 1.5 * (all_of_them.high - all_of_them.low)


@pytest.mark.parametrize("turned", [False, True])
def test_a_part_of_the_area_says_so_where_few_samples_are_far_among_the_other_class(turned: bool) -> None:
    # .01 of 45 positives among the negatives: the area up to .3 covers .74. With the classes exchanged the same part is
    # that from a true positive rate of .7 on. Nothing is said of classes that overlap.
    def told(gap: float, misplaced: float) -> int:
        rng = np.random.default_rng([412, int(gap)])
        found = 0
        for _ in range(40):
            positives = np.where(rng.random(45) < misplaced, 0.0, gap) + rng.standard_normal(45)
            truth, scores = np.repeat([1, 0], [45, 3000]), np.concatenate([positives, rng.standard_normal(3000)])
            estimate = roc_auc(1 - truth, -scores, min_tpr=0.7) if turned else roc_auc(truth, scores, max_fpr=0.3)
            found += "deep among the other class" in estimate.interval().reason
        return found

    assert told(4.0, 0.01) > 30
    assert told(2.0, 0.0) < 4


RANKED = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30).filter(
    lambda samples: 0 < sum(y for y, _ in samples) < len(samples)
)


@given(RANKED)
def test_gain_capture_is_the_area_over_the_diagonal_of_the_gain_curve(samples: list[tuple[bool, int]]) -> None:
    truth, score = [y for y, _ in samples], [s for _, s in samples]
    steps = Scores.from_arrays(truth, score).steps
    m, n = sum(truth), len(truth)
    share = np.concatenate([[0], (steps.true_positives + steps.false_positives) / n])
    gain = np.concatenate([[0], steps.true_positives / m])
    area = float((np.diff(share) * (gain[1:] + gain[:-1]) / 2).sum())
    perfect = 1 - m / n / 2
    assert gain_capture(truth, score).value == pytest.approx((area - 0.5) / (perfect - 0.5), abs=1e-12)


def test_weighted_gini_is_on_the_same_scale() -> None:
    rng = np.random.default_rng(1)
    truth, score, weights = rng.random(80) < 0.5, rng.normal(size=80), rng.random(80)
    area, found = roc_auc(truth, score, sample_weight=weights), gini(truth, score, sample_weight=weights)
    assert found.value == pytest.approx(2 * area.value - 1, abs=1e-15)
    assert found.standard_error == pytest.approx(2 * area.standard_error, rel=1e-12)
    first, second = found.statistic, area.statistic
    assert isinstance(first, Influence)
    assert isinstance(second, Influence)
    assert first.resample is not None
    assert second.resample is not None
    np.testing.assert_allclose(first.resample(20, 1, False), 2 * second.resample(20, 1, False) - 1, atol=1e-14)


def test_one_class_is_undefined() -> None:
    assert gini([1, 1], [0.1, 0.2]).reason == "there are no negatives"
    assert isinstance(gini([0, 1], [0.1, 0.2]).statistic, UStatistic)
    assert gain_capture([0, 0], [0.1, 0.2], undefined=0.0).value == 0
