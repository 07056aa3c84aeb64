"""Comparing predictions for the same samples."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import certus

RNG = np.random.default_rng(4)
TRUTH = RNG.integers(0, 2, 80)
GOOD = np.where(RNG.random(80) < 0.9, TRUTH, 1 - TRUTH)
POOR = np.where(RNG.random(80) < 0.6, TRUTH, 1 - TRUTH)


def compared(predictions: Any, metrics: Any, **options: Any) -> certus.Comparison:
    return certus.compare(TRUTH, predictions, metrics, task="classification", **options)


def test_accuracy_is_compared_by_the_samples_on_which_just_one_is_right() -> None:
    (row,) = compared({"poor": POOR, "good": GOOD}, "Accuracy")
    only_good = int(((GOOD == TRUTH) & (POOR != TRUTH)).sum())
    only_poor = int(((POOR == TRUTH) & (GOOD != TRUTH)).sum())
    assert (row.wins, row.losses, row.ties) == (only_good, only_poor, 80 - only_good - only_poor)
    assert row.difference == pytest.approx((only_good - only_poor) / 80)
    assert row.p == pytest.approx(certus.inference.mcnemar(only_good, only_poor).p)
    assert row.verdict == "better"


def test_the_metrics_of_labels_and_of_scores_are_compared_in_one_call() -> None:
    found = compared({"poor": POOR, "good": GOOD}, ["F1", "MCC", "AUC"])
    assert found.metrics == ("F1", "MCC", "AUC")
    for row in found:
        metric = certus.parse(row.metric, task="classification")
        assert row.value == metric(TRUTH, GOOD).value
        assert row.difference == pytest.approx(metric(TRUTH, GOOD).value - metric(TRUTH, POOR).value)


def test_a_frame_has_a_system_in_each_column() -> None:
    frame = pd.DataFrame({"poor": POOR, "good": GOOD})
    by_name = compared({"poor": POOR, "good": GOOD}, "F1")
    assert compared(frame, "F1").rows == by_name.rows


def test_a_warning_about_labels_is_given_once_for_each_system_whatever_the_number_of_metrics() -> None:
    truth, odd = ["a", "A", "b", "b"] * 5, ["a", "A", "b", "a"] * 5
    comparison = certus.compare(truth, {"x": odd, "y": ["a", "a", "b", "b"] * 5}, ["Accuracy", "MCC", "kappa"])
    assert [(note.kind, note.about) for note in comparison.notices] == [("alike-labels", "x"), ("alike-labels", "y")]


def test_the_task_of_a_metric_given_as_an_object_is_known() -> None:
    found = certus.compare(TRUTH, {"poor": POOR, "good": GOOD}, certus.classification.accuracy)
    assert found.conventions["task"] == "classification"


def test_the_same_data_have_the_same_fingerprint() -> None:
    first, second = (compared({"poor": POOR, "good": GOOD}, "F1") for _ in range(2))
    assert dict(first.inputs) == dict(second.inputs)
    assert first.inputs["good"] != first.inputs["poor"]


@pytest.mark.parametrize(
    ("predictions", "metrics", "message"),
    [
        ({"a": GOOD}, "F1", "predictions holds one system, 'a'"),
        (GOOD, "F1", "predictions is a ndarray; give them by system"),
        ({"a": GOOD, "b": POOR[:-1]}, "F1", "b: y_true has 80 samples"),
        ({"a": GOOD, "b": POOR}, "F1(average=None)", "gives each class a value; to compare, choose another average"),
        ({"a": GOOD, "b": POOR}, [], "no metric was named"),
        ({"a": GOOD, "b": POOR}, certus.ranking.ndcg, "nDCG is a ranking metric; name one of classification"),
        ({"a": GOOD, "b": POOR}, "Acuracy", "did you mean 'Accuracy'"),
    ],
)
def test_what_cannot_be_compared_is_refused(predictions: Any, metrics: Any, message: str) -> None:
    with pytest.raises(certus.CertusError, match=message):
        compared(predictions, metrics)


@pytest.mark.parametrize(("task", "metric"), [("clustering", "ARI"), ("clustering", "NMI"), ("regression", "MedAE")])
def test_a_metric_without_a_paired_comparison_says_so(task: str, metric: str) -> None:
    truth, found = [0, 0, 1, 1, 2, 2], {"a": [0, 0, 1, 1, 1, 2], "b": [0, 1, 1, 0, 2, 2]}
    with pytest.raises(certus.MetricNameError, match=f"^{metric} has no paired comparison"):
        certus.compare(truth, found, metric, task=task)
