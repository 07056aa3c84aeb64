"""AUC and AP of several classes or labels: values against scikit-learn, influence values against derivatives."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from untyped import untyped

from certus import DataError
from certus.classification import average_precision, roc_auc
from certus.data import ClassScores, MultilabelScores
from certus.inference import Estimates
from certus.statistic import Influence

RNG = np.random.default_rng(11)
N, K = 120, 4
TRUTH = RNG.choice(K, N, p=[0.1, 0.2, 0.3, 0.4])
SCORES = RNG.normal(size=(N, K)).round(1) + 1.2 * (TRUTH[:, np.newaxis] == np.arange(K))
CHANCES = np.exp(SCORES) / np.exp(SCORES).sum(1, keepdims=True)
WEIGHTS = RNG.integers(0, 4, N).astype(float)
LABELS = RNG.random((N, K)) < [0.1, 0.3, 0.5, 0.7]
LABEL_SCORES = (RNG.normal(size=(N, K)) + LABELS).round(1)


def test_without_an_average_each_class_has_its_own_estimate() -> None:
    found = roc_auc(TRUTH, CHANCES, multi_class="ovr", average=None)
    assert isinstance(found, Estimates)
    for k in range(K):
        assert found[k].value == roc_auc(np.equal(TRUTH, k), CHANCES[:, k]).value
    labels = average_precision(LABELS, LABEL_SCORES, average=None)
    assert isinstance(labels, Estimates)
    assert labels[2].value == average_precision(LABELS[:, 2], LABEL_SCORES[:, 2]).value


def test_two_columns_are_the_scores_of_two_classes() -> None:
    truth, score = TRUTH > 1, SCORES[:, 0]
    columns = np.column_stack([-score, score])
    assert roc_auc(truth, columns).value == roc_auc(truth, score).value
    assert average_precision(truth, columns[:, 1:]).value == average_precision(truth, score).value
    # Turned round: the first column scores the positive class.
    first = average_precision(truth, columns, pos_label=False).value
    assert first == average_precision(~truth, -score).value
    named = np.where(truth, "yes", "no")
    assert roc_auc(named, columns, pos_label="yes").value == roc_auc(truth, score).value
    with pytest.raises(DataError, match="say which is positive with pos_label="):
        roc_auc(named, columns)
    weighted = roc_auc(truth, columns, sample_weight=WEIGHTS).value
    assert weighted == roc_auc(truth, score, sample_weight=WEIGHTS).value


def test_several_classes_need_a_way_to_be_compared() -> None:
    with pytest.raises(DataError, match="y_true has 4 classes; say how they are compared"):
        roc_auc(TRUTH, CHANCES)
    with pytest.raises(DataError, match="average is 'micro'; pairs of classes"):
        roc_auc(TRUTH, CHANCES, multi_class="ovo", average="micro")
    with pytest.raises(DataError, match="for two classes"):
        roc_auc(TRUTH, CHANCES, multi_class="ovr", max_fpr=0.1)
    with pytest.raises(DataError, match="interpolation='trapezoid' is for two classes"):
        average_precision(TRUTH, CHANCES, interpolation="trapezoid")


def test_a_missing_class_is_undefined_left_out_or_a_number() -> None:
    truth, chances = TRUTH[TRUTH != 1], CHANCES[TRUTH != 1]
    labels = list(range(K))
    missing = roc_auc(truth, chances, multi_class="ovr", labels=labels)
    assert missing.reason == "there are no positives of class 1"
    there = [roc_auc(truth == k, chances[:, k]).value for k in (0, 2, 3)]
    skipped = roc_auc(truth, chances, multi_class="ovr", labels=labels, undefined="skip")
    assert skipped.value == pytest.approx(np.mean(there), abs=1e-15)
    numbered = roc_auc(truth, chances, multi_class="ovr", labels=labels, undefined=0.5)
    assert numbered.value == pytest.approx(np.mean([*there, 0.5]), abs=1e-15)
    # A class without samples has no weight in the weighted average.
    weighted = roc_auc(truth, chances, multi_class="ovr", labels=labels, average="weighted")
    shares = [np.mean(truth == k) for k in (0, 2, 3)]
    assert weighted.value == pytest.approx(np.dot(there, shares), abs=1e-15)


def jackknifed(value: Callable[[NDArray[np.float64]], float], n: int) -> NDArray[np.float64]:
    """Influence of each sample: the derivative by its weight."""
    step = 1e-4
    terms = np.empty(n)
    for i in range(n):
        weights = np.ones(n)
        weights[i] += step
        above = value(weights)
        weights[i] -= 2 * step
        terms[i] = (above - value(weights)) / (2 * step)
    return terms


CASES: list[tuple[Any, dict[str, Any], bool]] = [
    (roc_auc, {"multi_class": "ovr"}, True),
    (roc_auc, {"multi_class": "ovr", "average": "weighted"}, True),
    (roc_auc, {"multi_class": "ovo"}, True),
    (roc_auc, {"multi_class": "ovo", "average": "weighted"}, True),
    (average_precision, {}, True),
    (average_precision, {"prevalence": "random", "average": "weighted"}, True),
    (roc_auc, {"average": "weighted"}, False),
    (average_precision, {"average": "weighted"}, False),
    (roc_auc, {"average": "micro"}, False),
]


@pytest.mark.parametrize(("metric", "keywords", "classes"), CASES)
def test_influence_values_are_derivatives_by_the_weights(metric: Any, keywords: Any, classes: bool) -> None:
    n = 40
    if classes:
        make: Any = lambda w: ClassScores.from_arrays(TRUTH[:n], CHANCES[:n], sample_weight=w)  # noqa: E731
    else:
        make = lambda w: MultilabelScores.from_arrays(LABELS[:n], LABEL_SCORES[:n], sample_weight=w)  # noqa: E731
    chosen = metric.using(**keywords)
    terms = jackknifed(lambda w: chosen.compute(make(w)).value, n)
    statistic = chosen.compute(make(None))
    assert isinstance(statistic, Influence)
    assert statistic.influence is not None
    values = statistic.influence()
    if len(values) == 1:
        expected = [n * terms]
    else:
        parts = [terms[TRUTH[:n] == k] for k in np.unique(TRUTH[:n])]
        expected = [len(part) * (part - part.mean()) for part in parts]
    for found, wanted, variance in zip(values, expected, statistic.variances, strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-5)
        assert variance == pytest.approx(np.var(found, ddof=1), rel=1e-9)


@pytest.mark.parametrize(("metric", "keywords", "classes"), CASES)
def test_replicates_spread_as_the_influence_values_say(metric: Any, keywords: Any, classes: bool) -> None:
    data: Any = (
        ClassScores.from_arrays(TRUTH, CHANCES) if classes else MultilabelScores.from_arrays(LABELS, LABEL_SCORES)
    )
    statistic = metric.using(**keywords).compute(data)
    assert statistic.resample is not None
    stratified = len(statistic.sizes) > 1
    replicates = statistic.resample(2000, 3, stratified)
    error = sum(v / s for v, s in zip(statistic.variances, statistic.sizes, strict=True)) ** 0.5
    # The classes are small: the bootstrap's error is a little off to first order, more so for AP of 10 positives.
    assert np.nanstd(replicates) == pytest.approx(error, rel=0.12)
    assert np.nanmean(replicates) == pytest.approx(statistic.value, abs=error)


def test_a_replicate_is_the_metric_of_the_resample_written_out() -> None:
    from certus.core import kernels

    data = ClassScores.from_arrays(TRUTH, CHANCES)
    metric = roc_auc.using(multi_class="ovr", average="weighted")
    statistic = metric.compute(data)
    assert isinstance(statistic, Influence)
    assert statistic.resample is not None
    # Which samples were drawn is read off by weighing one sample at a time.
    for replicate in range(3):
        drawn = [
            kernels.score_bootstrap(
                kernels.ScoreMetric.positives(),
                np.array([3], dtype=np.uint8),
                weights=None,
                units=np.array([unit], dtype=np.uint32),
                size=N,
                strata=None,
                replicates=3,
                seed=8,
            )[replicate]
            for unit in range(N)
        ]
        again = np.repeat(np.arange(N), np.array(drawn, dtype=int))
        expected: Any = metric.compute(ClassScores.from_arrays(TRUTH[again], CHANCES[again]))
        assert statistic.resample(3, 8, False)[replicate] == pytest.approx(expected.value, abs=1e-13)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_pairs_of_classes_that_no_sample_has_are_left_out_by_skip(average: str) -> None:
    # Only "a" against "b", and the reverse, have samples on both sides; "c" against "d" has none at all.
    data = ClassScores.from_arrays(["a", "b"], [[0.6, 0.2, 0.1, 0.1], [0.2, 0.6, 0.1, 0.1]], labels=list("abcd"))
    metric = untyped(roc_auc).using(multi_class="ovo", average=average)
    skipped: Any = metric.using(undefined="skip").compute(data)
    zeros: Any = metric.using(undefined=0.0).compute(data)
    assert skipped.value == 1.0
    assert zeros.value == pytest.approx(2 / 12 if average == "macro" else 4 / 12)
