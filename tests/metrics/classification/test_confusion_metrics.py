"""Metrics of a confusion matrix: by hand, against their definitions, against scikit-learn."""

import math
from fractions import Fraction
from typing import Any

import label_oracles as oracles
import numpy as np
import pytest
from crossed import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import certus
from certus import DataError
from certus.data import Labels
from certus.inference import Estimates
from certus.metrics import parse
from certus.statistic import Proportion, TableFunction

c = certus.classification

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=12)
BINARY = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12)
UNDEFINED: list[tuple[Any, Any]] = [("nan", "nan"), ("skip", "skip"), (0.0, Fraction(0)), (0.75, Fraction(3, 4))]
each_class_metric = pytest.mark.parametrize("name", oracles.CLASS_METRICS)


def _same(value: float, expected: Fraction | float | None) -> None:
    if expected is None:
        assert math.isnan(value)
    else:
        # A few roundings of numbers of at most 1 in size.
        assert_allclose(value, float(expected), rtol=1e-13, atol=1e-15)


@each_class_metric
@settings(max_examples=60)
@given(pairs=BINARY)
def test_the_metric_of_the_positive_class_is_its_definition(name: str, pairs: Any) -> None:
    true, predicted = zip(*pairs, strict=True)
    value = parse(name, task="classification")(true, predicted).value
    _same(value, oracles.of_class(name)(*oracles.four(pairs, True)))


@each_class_metric
@settings(max_examples=40)
@given(pairs=PAIRS, labels=st.sampled_from([None, ["c", "a"], ["b", "z"], ["z"]]), data=st.data())
def test_averages_are_their_definitions(name: str, pairs: Any, labels: Any, data: st.DataObject) -> None:
    given_, meant = data.draw(st.sampled_from(UNDEFINED))
    metric = parse(name, task="classification").using(undefined=given_)
    true, predicted = zip(*pairs, strict=True)
    classes = sorted({*true, *predicted}) if labels is None else labels
    cells = [oracles.four(pairs, label) for label in classes]
    for how in ("micro", "macro", "weighted"):
        estimate = metric(true, predicted, average=how, labels=labels)
        _same(estimate.value, oracles.average(name, cells, how, meant))
        assert bool(estimate.reason) == math.isnan(estimate.value)
    each = metric(true, predicted, average=None, labels=labels)
    assert isinstance(each, Estimates)
    assert list(each) == classes
    for label, four in zip(classes, cells, strict=True):
        _same(each[label].value, oracles.average(name, [four], "macro", meant))


TABLES = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        *(st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=n, max_size=n) for _ in range(2))
    )
)


@each_class_metric
@settings(max_examples=examples(20, 40))
@given(tables=TABLES, data=st.data())
def test_averages_of_several_labels_are_their_definitions(name: str, tables: Any, data: st.DataObject) -> None:
    given_, meant = data.draw(st.sampled_from(UNDEFINED))
    labels = data.draw(st.sampled_from([None, [2, 0]]))
    columns = [0, 1, 2] if labels is None else labels
    metric = parse(name, task="classification").using(undefined=given_)
    true, predicted = (np.array(table) for table in tables)
    cells = [oracles.four(list(zip(true[:, k], predicted[:, k], strict=True)), 1) for k in columns]
    for how in ("micro", "macro", "weighted"):
        _same(metric(true, predicted, average=how, labels=labels).value, oracles.average(name, cells, how, meant))
    by_sample = [oracles.four([(true[i, k], predicted[i, k]) for k in columns], 1) for i in range(len(true))]
    _same(
        metric(true, predicted, average="samples", labels=labels).value,
        oracles.average(name, by_sample, "macro", meant),
    )
    each = metric(true, predicted, average=None, labels=labels)
    assert isinstance(each, Estimates)
    for label, four in zip(columns, cells, strict=True):
        _same(each[label].value, oracles.average(name, [four], "macro", meant))


@settings(max_examples=60)
@given(pairs=PAIRS)
def test_metrics_of_the_whole_table_are_their_definitions(pairs: Any) -> None:
    true, predicted = zip(*pairs, strict=True)
    classes = sorted({*true, *predicted})
    right = sum(one == other for one, other in pairs)
    assert c.accuracy(true, predicted).value == right / len(pairs)
    assert c.hamming_loss(true, predicted).value == (len(pairs) - right) / len(pairs)
    _same(c.mcc(true, predicted).value, oracles.mcc(pairs, classes))
    for weights in (None, "linear", "quadratic"):
        _same(c.cohen_kappa(true, predicted, weights=weights).value, oracles.kappa(pairs, classes, weights))
    recalls = [oracles.of_class("Recall")(*oracles.four(pairs, label)) for label in classes]
    known = [recall for recall in recalls if recall is not None]
    mean = sum(known) / Fraction(len(known))
    _same(c.balanced_accuracy(true, predicted, undefined="skip").value, mean)
    _same(c.balanced_accuracy(true, predicted).value, None if len(known) < len(recalls) else mean)
    chance = Fraction(1, len(known))
    adjusted = (mean - chance) / (1 - chance) if len(known) > 1 else None
    _same(c.balanced_accuracy(true, predicted, undefined="skip", adjusted=True).value, adjusted)


@settings(max_examples=60)
@given(pairs=BINARY)
def test_metrics_of_two_classes_are_their_definitions(pairs: Any) -> None:
    true, predicted = zip(*pairs, strict=True)
    tp, fp, fn, tn = oracles.four(pairs, True)
    precision, recall = oracles.share(tp, tp + fp), oracles.share(tp, tp + fn)
    fpr, specificity, fnr = oracles.share(fp, fp + tn), oracles.share(tn, fp + tn), oracles.share(fn, tp + fn)
    index = None if precision is None or recall is None else math.sqrt(precision * recall)
    _same(c.fowlkes_mallows(true, predicted).value, index)
    assert c.prevalence(true, predicted).value == (tp + fn) / len(pairs)
    for metric, above, below in (
        (c.positive_likelihood_ratio, recall, fpr),
        (c.negative_likelihood_ratio, fnr, specificity),
    ):
        value = metric(true, predicted).value
        if above is None or below is None or (above == below == 0):
            assert math.isnan(value)
        else:
            _same(value, above / below if below else math.inf)


HUGE = [1, 10**9, 3 * 10**17]
"""Products of two counts of the last two exceed 64 bits."""


@pytest.mark.parametrize("scale", HUGE)
def test_no_count_is_too_large(scale: int) -> None:
    data = Labels.from_counts([[4 * scale, 2 * scale], [scale, 3 * scale]])
    assert c.mcc(data).value == pytest.approx(10 / math.sqrt(6 * 4 * 5 * 5), rel=1e-15)
    assert c.cohen_kappa(data).value == 0.4
    assert c.cohen_kappa(data, weights="quadratic").value == 0.4
    assert c.accuracy(data).value == 0.7
    assert c.f1(data).value == 6 / 9
    assert c.jaccard(data).value == 0.5
    assert c.f1(data, average="macro").value == (8 / 11 + 6 / 9) / 2
    assert c.balanced_accuracy(data).value == pytest.approx((4 / 6 + 3 / 4) / 2, rel=1e-15)
    assert c.informedness(data).value == pytest.approx(3 / 4 + 4 / 6 - 1, rel=1e-15)
    assert c.positive_likelihood_ratio(data).value == pytest.approx(2.25, rel=1e-15)
    for metric in (c.mcc, c.cohen_kappa, c.accuracy, c.f1, c.balanced_accuracy, c.positive_likelihood_ratio):
        error = metric(data).standard_error
        assert error * math.sqrt(scale) == pytest.approx(metric(_small()).standard_error, rel=1e-9)


def _small() -> Labels:
    return Labels.from_counts([[4, 2], [1, 3]])


def test_one_mistake_in_a_quintillion_is_not_rounded_away() -> None:
    data = Labels.from_counts([[10**18, 0], [1, 10**18]])
    assert 0 < 1 - c.cohen_kappa(Labels.from_counts([[10**15, 0], [1, 10**15]])).value < 1e-14
    assert c.false_negative_rate(data).value == 1 / (10**18 + 1)
    assert c.hamming_loss(data).value == 1 / (2 * 10**18 + 1)


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_independence_is_exactly_0_and_perfection_exactly_1(classes: int) -> None:
    alike = Labels.from_counts(np.full((classes, classes), 3))
    assert c.mcc(alike).value == c.cohen_kappa(alike).value == 0
    assert c.cohen_kappa(alike, weights="linear").value == 0
    perfect = Labels.from_counts(np.diag([7, 10**9, 3, 5, 1, 2, 8][:classes]))
    assert c.mcc(perfect).value == c.cohen_kappa(perfect).value == 1
    true = np.arange(20) % classes
    weights = np.random.default_rng(0).random(20)
    for average in ("micro", "macro", "weighted"):
        assert c.f1(true, true, average=average, sample_weight=weights).value == 1
    assert c.mcc(true, true, sample_weight=weights).value == 1
    assert c.cohen_kappa(true, true, sample_weight=weights).value == 1


REASONS: list[tuple[str, Any, Any, dict[str, Any], str]] = [
    ("Precision", [0, 1], [0, 0], {}, "there are no predicted positives"),
    ("Recall", [0, 0], [0, 1], {}, "there are no positives"),
    ("Specificity", [1, 1], [0, 1], {}, "there are no negatives"),
    ("NPV", [1, 0], [1, 1], {}, "there are no predicted negatives"),
    ("F1", [0, 0], [0, 0], {}, "there are no true or predicted positives"),
    ("Informedness", [0, 0], [0, 1], {}, "there are no positives"),
    ("LR+", [1, 0], [0, 0], {}, "the ratio is 0/0"),
    ("LR+", [1, 1], [0, 1], {}, "there are no negatives"),
    ("FM", [0, 1], [0, 0], {}, "there are no predicted positives"),
    ("MCC", [1, 1], [0, 1], {}, "all samples are of one class"),
    ("MCC", [0, 1], [1, 1], {}, "all samples are predicted to be of one class"),
    ("kappa", [1, 1], [1, 1], {}, "both labellings know one class only"),
    ("Accuracy", [], [], {}, "there are no samples"),
    ("MCC", [], [], {}, "there are no samples"),
    ("F1(average='macro')", [], [], {}, "there are no samples"),
    (
        "Precision(average='macro')",
        ["a", "b"],
        ["a", "a"],
        {},
        "there are no predicted positives of class 'b'; the convention undefined says what such a class counts as",
    ),
    (
        "F1(average='macro')",
        ["a", "b"],
        ["a", "a"],
        {"labels": ["a", "b", "z"]},
        "there are no true or predicted positives of class 'z'; the convention undefined says what such a class counts "
        "as",
    ),
    ("Recall(average='micro')", ["a"], ["a"], {"labels": ["z"]}, "there are no positives"),
    ("Recall(average='macro',undefined='skip')", ["a"], ["a"], {"labels": ["z"]}, "no class has a value"),
    (
        "F1(average='weighted')",
        ["a"],
        ["b"],
        {"labels": ["b"]},
        "no class that is averaged has both true samples and a value",
    ),
    (
        "BalancedAccuracy",
        ["a", "b"],
        ["a", "c"],
        {},
        "there are no positives of class 'c'; the convention undefined says what such a class counts as",
    ),
    (
        "BalancedAccuracy(adjusted=True)",
        ["a", "a"],
        ["a", "a"],
        {},
        "chance and perfection are the same for a single class",
    ),
]


@pytest.mark.parametrize(("name", "true", "predicted", "conventions", "reason"), REASONS)
def test_why_there_is_no_value(name: str, true: Any, predicted: Any, conventions: dict[str, Any], reason: str) -> None:
    for more in ({}, {"sample_weight": [2.0] * len(true)}, {"groups": list(range(len(true)))}):
        estimate = parse(name, task="classification")(true, predicted, **conventions, **more)
        assert math.isnan(estimate.value)
        if more and not true:
            assert estimate.reason in ("there are no samples", "there are no groups")
        elif not more or reason in estimate.reason:
            assert estimate.reason == reason
        assert not estimate.interval().defined


def test_an_average_that_the_data_do_not_have_is_refused() -> None:
    with pytest.raises(
        DataError, match=r"^average='samples' is for samples with several labels, given as a table of 0"
    ):
        c.f1([0, 1], [0, 1], average="samples")
    with pytest.raises(
        DataError, match=r"^average='binary' is for one label per sample; choose 'macro', 'micro', 'weig"
    ):
        c.f1([[0, 1]], [[0, 1]])
    with pytest.raises(DataError, match=r"have 3 classes \(0, 1, 2\); average='binary' is for two"):
        c.f1([0, 1, 2], [0, 1, 2])
    with pytest.raises(DataError, match=r"^labels leaves out 'b', but accuracy is of all classes"):
        c.accuracy(["a", "b"], ["a", "b"], labels=["a"])
    with pytest.raises(DataError, match=r"^labels leaves out 'b', but the correlation is of all classes"):
        c.mcc(["a", "b"], ["a", "b"], labels=["a"])
    true = np.array([1j, 2j], dtype=object)
    with pytest.raises(DataError, match=r"^kappa with linear weights needs an order of the classes; give it with lab"):
        c.cohen_kappa(true, true, weights="linear")


def test_kappa_leaves_out_samples_of_classes_not_listed() -> None:
    true, predicted = ["a", "b", "b", "c", "a", "b"], ["a", "b", "a", "c", "c", "b"]
    kept = c.cohen_kappa(true, predicted, labels=["b", "a"], groups=[1, 2, 3, 4, 5, 5])
    alone = c.cohen_kappa(["a", "b", "b", "b"], ["a", "b", "a", "b"], groups=[1, 2, 3, 5])
    assert kept.value == alone.value == 0.5
    assert kept.n == 4
    assert kept.standard_error == pytest.approx(alone.standard_error)


def test_the_order_of_classes_matters_to_weighted_kappa_only() -> None:
    true, predicted = ["low", "mid", "high", "low", "mid"], ["low", "high", "high", "mid", "mid"]
    order = ["low", "mid", "high"]
    assert c.cohen_kappa(true, predicted).value == c.cohen_kappa(true, predicted, labels=order).value
    sorted_ = c.cohen_kappa(true, predicted, weights="linear").value
    ordered = c.cohen_kappa(true, predicted, weights="linear", labels=order).value
    assert sorted_ == pytest.approx(
        float(oracles.kappa(list(zip(true, predicted, strict=True)), sorted(order), "linear") or 0)
    )
    assert ordered == pytest.approx(float(oracles.kappa(list(zip(true, predicted, strict=True)), order, "linear") or 0))
    assert sorted_ != ordered


def test_micro_averages_that_count_each_sample_once_are_proportions() -> None:
    true, predicted = list("aabbccc"), list("abbbcca")
    for name in ("Precision", "Recall", "F1"):
        statistic = (
            parse(name, task="classification").using(average="micro").compute(Labels.from_arrays(true, predicted))
        )
        assert statistic == Proportion(5, 7, "sample")
    some = Labels.from_arrays(true, predicted, labels=["a", "b"])
    assert c.precision.using(average="micro").compute(some) == Proportion(3, 5, "predicted positive")
    assert c.recall.using(average="micro").compute(some) == Proportion(3, 4, "positive")
    assert isinstance(c.f1.using(average="micro").compute(some), TableFunction)
    assert isinstance(c.jaccard.using(average="micro").compute(Labels.from_arrays(true, predicted)), TableFunction)
    assert isinstance(c.specificity.using(average="micro").compute(Labels.from_arrays(true, predicted)), TableFunction)


def test_a_thousand_classes_take_no_time_worth_saying() -> None:
    rng = np.random.default_rng(5)
    true = rng.integers(0, 1000, 20_000)
    predicted = np.where(rng.random(20_000) < 0.3, rng.integers(0, 1000, 20_000), true)
    estimate = c.f1(true, predicted, average="macro")
    interval = estimate.interval(method="delta")
    assert interval.low < estimate.value < interval.high
    assert interval.high - interval.low < 0.02


def test_answers_that_are_all_different_have_an_accuracy() -> None:
    true = [f"answer {number}" for number in range(7_000)]
    predicted = [text if number % 4 else "another" for number, text in enumerate(true)]
    assert c.accuracy(true, predicted).value == 0.75
    assert c.hamming_loss(true, predicted).value == 0.25
    assert c.f1(true, predicted, average="micro").value == 0.75
    assert c.precision(true, predicted, average="micro", labels=["answer 1", "another"]).value == 1 / 1751
    each: Any = c.recall(true, predicted, average=None, labels=["answer 0", "answer 1"])
    assert [estimate.value for estimate in each.values()] == [0, 1]
    for metric in (c.mcc, c.cohen_kappa, c.f1.using(average="macro")):
        with pytest.raises(DataError, match=r"^there are 7001 different labels; a table of at most 5000 is supported$"):
            metric(true, predicted)


def test_a_micro_average_with_true_negatives_has_the_limits_of_accuracy_on_its_own_range() -> None:
    # With K classes a wrong sample is a true negative of K - 2 of them: NPV is (K - 2 + accuracy) / (K - 1).
    rng = np.random.default_rng(4)
    true = rng.integers(0, 7, 300)
    predicted = np.where(rng.random(300) < 0.4, true, rng.integers(0, 7, 300))
    groups = rng.integers(0, 40, 300)
    found = certus.classification.negative_predictive_value(true, predicted, average="micro", groups=groups).interval(
        method="delta"
    )
    accuracy = certus.classification.accuracy(true, predicted, groups=groups).interval(method="delta")
    assert [6 * limit - 5 for limit in found[:2]] == pytest.approx(list(accuracy[:2]), abs=1e-12)
