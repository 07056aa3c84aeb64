"""Two classifiers on the same samples."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

import certus
from certus import CertusError, DataError, MetricNameError
from certus.data import ClassScores, Labels, Multilabel, Probabilities, Scores
from certus.inference import Estimate, mcnemar, paired, paired_scores
from certus.metrics import Metric, declared
from certus.tasks.classification.comparison import compare_classifiers

CLASSIFICATION = certus.classification


def systems(n: int = 60, classes: int = 2, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    true = rng.integers(0, classes, n)
    a, b = (np.where(rng.random(n) < p, true, rng.integers(0, classes, n)) for p in (0.7, 0.5))
    return true, a, b


def labels(true: Any, a: Any, b: Any, **conventions: Any) -> tuple[Labels, Labels]:
    return Labels.from_arrays(true, a, **conventions), Labels.from_arrays(true, b, **conventions)


@pytest.mark.parametrize("classes", [2, 4])
def test_accuracy_is_mcnemars_whatever_the_number_of_classes(classes: int) -> None:
    true, a, b = systems(classes=classes)
    found = compare_classifiers(CLASSIFICATION.accuracy, *labels(true, a, b))
    n01, n10 = ((a != true) & (b == true)).sum(), ((a == true) & (b != true)).sum()
    assert found.p == pytest.approx(mcnemar(n01, n10).p, rel=1e-12)
    assert (found.wins, found.losses) == (n10, n01)
    apart = (a == true).astype(float) - (b == true)
    assert found.p == pytest.approx(paired(a == true, b == true).p, rel=1e-12)
    assert found.difference.value == pytest.approx(apart.mean())
    assert (found.difference.n, found.difference.unit) == (60, "sample")


def test_f1_counts_every_choice_of_samples() -> None:
    rng = np.random.default_rng(2)
    true, a, b = rng.integers(0, 2, (3, 10))
    f1 = CLASSIFICATION.f1

    def value(predicted: np.ndarray) -> float:
        return float(f1.using(undefined=0.0)(true, predicted).value)

    seen, reached = value(a) - value(b), 0
    for choice in itertools.product((False, True), repeat=10):
        reached += abs(value(np.where(choice, b, a)) - value(np.where(choice, a, b))) >= abs(seen) - 1e-12
    found = compare_classifiers(f1.using(undefined=0.0), *labels(true, a, b), test="permutation")
    assert found.p == pytest.approx(reached / 2**10, abs=1e-12)
    assert found.difference.value == pytest.approx(seen, abs=1e-12)


def of_two(metric: Metric, *, groups: Any = None, weights: Any = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 36)
    scores = [np.clip(share * true + (1 - share) * rng.random(36), 0, 1) for share in (0.4, 0.2)]
    kind: Any = metric.input_types[0]
    given = scores if kind in (Scores, ClassScores, Probabilities) else [(s > 0.5).astype(int) for s in scores]
    a, b = (kind.from_arrays(true, each, groups=groups, sample_weight=weights) for each in given)
    return a, b


ALONE = [each for each in declared("classification") if all(name in each.conventions for name in each.parameters)]
COMPARED = [each for each in ALONE if each.name not in ("ECE", "MCE")]


@pytest.mark.parametrize("metric", COMPARED, ids=str)
@pytest.mark.parametrize("grouped", [False, True])
def test_every_metric_is_compared_and_equal_systems_have_p_1(metric: Metric, grouped: bool) -> None:
    a, b = of_two(metric, groups=np.arange(36) // 2 if grouped else None)
    found = compare_classifiers(metric, a, b, replicates=200)
    assert found.difference.value == pytest.approx(metric(a).value - metric(b).value, abs=1e-12)
    assert (found.difference.n, found.difference.unit) == ((18, "group") if grouped else (36, "sample"))
    assert 0 < found.p <= 1
    back = compare_classifiers(metric, b, a, replicates=200)
    assert back.difference.value == -found.difference.value
    for side in ("two-sided", "greater", "less"):
        same = compare_classifiers(metric, a, a, alternative=side, replicates=200)
        assert (same.difference.value, same.p) == (0.0, 1.0)


def test_weighted_samples_are_compared_with_their_weights() -> None:
    weights = np.random.default_rng(4).uniform(0.5, 2, 36)
    for metric in (CLASSIFICATION.accuracy, CLASSIFICATION.f1, CLASSIFICATION.roc_auc, CLASSIFICATION.brier):
        a, b = of_two(metric, weights=weights)
        found = compare_classifiers(metric, a, b, replicates=200)
        assert found.difference.value == pytest.approx(metric(a).value - metric(b).value, abs=1e-12)
        assert compare_classifiers(metric, a, a, replicates=200).p == 1.0


def test_losses_are_those_of_the_samples() -> None:
    a, b = of_two(CLASSIFICATION.log_loss)
    found = compare_classifiers(CLASSIFICATION.log_loss, a, b, test="t")
    each = [Estimate(CLASSIFICATION.log_loss.compute(data)).statistic.values for data in (a, b)]  # type: ignore[union-attr]
    assert found.p == pytest.approx(stats.ttest_rel(*each).pvalue, rel=1e-9)


def test_areas_are_those_of_paired_scores() -> None:
    a, b = of_two(CLASSIFICATION.roc_auc)
    area = compare_classifiers(CLASSIFICATION.roc_auc, *(ClassScores.from_arrays(*_columns(each)) for each in (a, b)))
    bare = paired_scores(_columns(a)[0], _columns(a)[1], _columns(b)[1])
    assert (area.p, area.difference.value) == pytest.approx((bare.p, bare.difference.value), rel=1e-12)
    assert area.difference.interval(method="bca", seed=3)[:2] == pytest.approx(
        bare.difference.interval(method="bca", seed=3)[:2], abs=1e-12
    )
    fixed = compare_classifiers(CLASSIFICATION.average_precision.using(prevalence="fixed"), a, b)
    precision = paired_scores(_columns(a)[0], _columns(a)[1], _columns(b)[1], "average_precision")
    assert fixed.p == pytest.approx(precision.p, rel=1e-9)


def _columns(data: Any) -> tuple[Any, Any]:
    return (data.truth, data.score) if isinstance(data, Scores) else (data.true, data.scores)


def test_the_bootstrap_of_a_difference_draws_the_same_samples_for_both() -> None:
    a, b = of_two(CLASSIFICATION.ks)
    for metric in (CLASSIFICATION.ks, CLASSIFICATION.roc_auc):
        same = compare_classifiers(metric, a, a, replicates=200)
        reason = same.difference.interval(method="percentile").reason
        assert "equal" in reason or "do not vary" in reason
    assert compare_classifiers(CLASSIFICATION.roc_auc, a, b).difference.interval(method="percentile").defined


def test_gains_of_graded_labels_are_compared_sample_by_sample() -> None:
    rng = np.random.default_rng(6)
    grades, a, b = rng.integers(0, 4, (20, 5)), rng.random((20, 5)), rng.random((20, 5))
    for metric in (certus.multilabel.ndcg, certus.multilabel.dcg.using(k=2)):
        (row,) = certus.compare(grades, {"a": a, "b": b}, metric)
        each = [np.array([metric(grades[i : i + 1], scores[i : i + 1]).value for i in range(20)]) for scores in (a, b)]
        assert row.difference == pytest.approx((each[1] - each[0]).mean(), rel=1e-12)
        assert row.p == pytest.approx(paired(each[1], each[0]).p, rel=1e-9)
    with pytest.raises(DataError, match="differ"):
        compare_classifiers(
            certus.multilabel.ndcg,
            certus.data.LabelGrades.from_arrays(grades, a),
            certus.data.LabelGrades.from_arrays(grades[::-1], b),
        )


def test_labels_of_several_kinds_and_multilabel_tables_are_compared() -> None:
    rng = np.random.default_rng(5)
    true, a, b = rng.integers(0, 2, (3, 40, 3))
    for name, average in (("f1", "macro"), ("f1", "micro"), ("f1", "samples"), ("accuracy", None)):
        metric = getattr(CLASSIFICATION, name)
        metric = metric if average is None else metric.using(average=average, undefined=0.0)
        one, other = Multilabel.from_arrays(true, a), Multilabel.from_arrays(true, b)
        found = compare_classifiers(metric, one, other, replicates=200)
        assert found.difference.value == pytest.approx(metric(one).value - metric(other).value, abs=1e-12)
        assert compare_classifiers(metric, one, one, replicates=200).p == 1.0
    words = np.array(["cat", "cow", "dog"])
    true, a, b = systems(classes=3)
    found = compare_classifiers(CLASSIFICATION.mcc, *labels(words[true], words[a], words[b]), replicates=500)
    assert found.p == compare_classifiers(CLASSIFICATION.mcc, *labels(true, a, b), replicates=500).p


def test_a_class_that_one_system_alone_predicts_must_not_change_the_other() -> None:
    true = ["cat", "cat", "dog", "dog", "dog"]
    a, b = ["cat", "dog", "dog", "dog", "cat"], ["cat", "eel", "dog", "dog", "dog"]
    assert compare_classifiers(CLASSIFICATION.accuracy, *labels(true, a, b)).difference.value == pytest.approx(-0.2)
    macro = CLASSIFICATION.f1.using(average="macro", undefined=0.0)
    with pytest.raises(DataError, match="when 'eel' is a class too, which only the other system predicts"):
        compare_classifiers(macro, *labels(true, a, b))
    found = compare_classifiers(macro, *labels(true, a, b, labels=["cat", "dog"]))
    alone = [macro(data).value for data in labels(true, a, b, labels=["cat", "dog"])]
    assert found.difference.value == pytest.approx(alone[0] - alone[1])


def test_what_does_not_pair_up_is_refused() -> None:
    true, a, b = systems()
    accuracy = CLASSIFICATION.accuracy
    one = Labels.from_arrays(true, a)
    with pytest.raises(DataError, match="a is Labels but b is Scores"):
        compare_classifiers(accuracy, one, Scores.from_arrays(true, a))
    with pytest.raises(DataError, match="the truth of a and b differs at index 0"):
        compare_classifiers(accuracy, one, Labels.from_arrays(1 - true, b))
    tables = np.random.default_rng(0).integers(0, 2, (2, 20, 3))
    changed = tables[0].copy()
    changed[7, 2] ^= 1
    with pytest.raises(DataError, match="the truth of a and b differs at index 7;"):
        compare_classifiers(
            certus.multilabel.subset_accuracy,
            Multilabel.from_arrays(tables[0], tables[1]),
            Multilabel.from_arrays(changed, tables[1]),
        )
    with pytest.raises(DataError, match="a has 60 samples but b has 59"):
        compare_classifiers(accuracy, one, Labels.from_arrays(true[1:], b[1:]))
    with pytest.raises(DataError, match="sample_weight of a and b differ"):
        compare_classifiers(accuracy, one, Labels.from_arrays(true, b, sample_weight=np.full(60, 2.0)))
    with pytest.raises(DataError, match="groups of a and b differ"):
        compare_classifiers(accuracy, Labels.from_arrays(true, a, groups=true), Labels.from_arrays(true, b, groups=a))
    with pytest.raises(DataError, match="pos_label of a is 1 but that of b 0"):
        compare_classifiers(
            accuracy, Labels.from_arrays(true, a, pos_label=1), Labels.from_arrays(true, b, pos_label=0)
        )
    with pytest.raises(DataError, match="gives a value for each class; a comparison needs one number"):
        compare_classifiers(CLASSIFICATION.f1.using(average=None), *labels(true, a, b))
    with pytest.raises(DataError, match="single samples are not known"):
        compare_classifiers(accuracy, Labels.from_counts([[3, 1], [1, 3]]), Labels.from_counts([[3, 1], [1, 3]]))
    with pytest.raises(CertusError, match="no paired comparison of a calibration error"):
        compare_classifiers(
            CLASSIFICATION.expected_calibration_error, *of_two(CLASSIFICATION.expected_calibration_error)
        )
    with pytest.raises(MetricNameError, match="there are mcnemar, t, permutation, mid-p, mcnemar-score"):
        compare_classifiers(accuracy, *labels(true, a, b), test="wilcoxon")
    three = systems(classes=3)
    with pytest.raises(DataError, match="leaves out samples"):
        compare_classifiers(CLASSIFICATION.cohen_kappa, *labels(*three, labels=[0, 1]))
    scores = [Scores.from_arrays(truth, np.arange(60) / 60) for truth in (true, 1 - true)]
    with pytest.raises(DataError, match="the truth of a and b differs at index 0"):
        compare_classifiers(CLASSIFICATION.roc_auc, *scores)
    with pytest.raises(DataError, match="the classes of a and b differ"):
        compare_classifiers(
            CLASSIFICATION.brier,
            Probabilities.from_arrays([0, 1], [0.2, 0.4]),
            Probabilities.from_arrays([0, 1], [[0.2, 0.8, 0.0], [0.2, 0.8, 0.0]], labels=[0, 1, 2]),
        )


@pytest.mark.parametrize("alternative", ["less", "greater"])
@pytest.mark.parametrize("metric", ["Jaccard", "BalancedAccuracy", "MCC"])
def test_one_sided_limits_hold_the_difference_itself(metric: str, alternative: Any) -> None:
    truth = np.array([1, 0] * 6)
    wrong, right = 1 - truth, truth
    for systems in ({"wrong": wrong, "right": right}, {"right": right, "wrong": wrong}):
        found = certus.compare(truth, systems, [metric], task="classification", alternative=alternative, level=0.8)
        (row,) = found.rows
        assert row.low <= row.difference <= row.high
        assert (row.p > 0.2) == (row.low <= 0 <= row.high)
