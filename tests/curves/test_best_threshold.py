"""The best threshold, by trying every one."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from crossed import examples
from curve_oracle import BOTH, Samples, columns, points
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, MetricNameError
from certus.classification import (
    accuracy,
    balanced_accuracy,
    best_threshold,
    f1,
    informedness,
    mcc,
    precision_at_recall,
)

Value = Callable[[int, int, int, int], Fraction | None]


def ratio(above: int | Fraction, below: int | Fraction) -> Fraction | None:
    return Fraction(above) / Fraction(below) if below else None


def signed_square(x: int) -> int:
    return x * abs(x)


HIGHEST: dict[str, Value] = {
    "accuracy": lambda tp, fp, fn, tn: ratio(tp + tn, tp + fp + fn + tn),
    "f1": lambda tp, fp, fn, tn: ratio(2 * tp, 2 * tp + fp + fn),
    "informedness": lambda tp, fp, fn, tn: Fraction(tp, tp + fn) - Fraction(fp, fp + tn),
    "balanced-accuracy": lambda tp, fp, fn, tn: (Fraction(tp, tp + fn) + Fraction(tn, fp + tn)) / 2,
    # Squares, so that all are rational: the order is the same.
    "mcc": lambda tp, fp, fn, tn: ratio(
        signed_square(tp * tn - fp * fn), (tp + fp) * (fn + tn) * (tp + fn) * (fp + tn)
    ),
    "closest": lambda tp, fp, fn, tn: -(Fraction(fn, tp + fn) ** 2) - Fraction(fp, fp + tn) ** 2,
}


def cells(samples: Samples) -> list[tuple[float, tuple[int, int, int, int]]]:
    truth, _ = columns(samples)
    positives, negatives = sum(truth), len(truth) - sum(truth)
    return [(p.threshold, (p.tp, p.fp, positives - p.tp, negatives - p.fp)) for p in points(samples)]


@pytest.mark.parametrize("criterion", HIGHEST)
@settings(max_examples=examples(40, 100))
@given(BOTH)
def test_of_equally_good_thresholds_the_highest_is_taken(criterion: str, samples: Samples) -> None:
    values = [(HIGHEST[criterion](*counts), counts, t) for t, counts in cells(samples)]
    defined = [value for value, _, _ in values if value is not None]
    if not defined:
        with pytest.raises(DataError, match="undefined at every threshold: all scores are equal"):
            best_threshold(*columns(samples), criterion)
        return
    _, counts, threshold = next(each for each in values if each[0] == max(defined))
    best = best_threshold(*columns(samples), criterion)
    assert best.threshold == threshold
    found = [best.true_positives, best.false_positives, best.false_negatives, best.true_negatives]
    assert found == list(counts)
    if criterion == "mcc":
        assert signed_root(max(defined)) == pytest.approx(best.value, abs=1e-15)
    elif criterion == "closest":
        assert math.sqrt(-max(defined)) == pytest.approx(best.value, rel=1e-15)
    else:
        assert best.value == pytest.approx(float(max(defined)), abs=1e-15)


def signed_root(square: Fraction) -> float:
    return math.copysign(math.sqrt(abs(square)), square)


def test_ties_are_decided_before_rounding() -> None:
    # Two positives of six without a negative, and five with two of four: both 1/3, but not as floats.
    assert 5 / 6 - 2 / 4 != 2 / 6
    truth = [1, 1, 0, 0, 1, 1, 1, 0, 0, 1]
    scores = [9, 9, 5, 5, 5, 5, 5, 1, 1, 1]
    assert best_threshold(truth, scores).threshold == 9


@given(BOTH, st.integers(0, 5), st.integers(0, 5))
def test_the_cheapest_threshold(samples: Samples, wrong: int, missed: int) -> None:
    costs = [(wrong * fp + missed * fn, t) for t, (_, fp, fn, _) in cells(samples)]
    least = min(cost for cost, _ in costs)
    best = best_threshold(*columns(samples), "cost", false_positive_cost=wrong, false_negative_cost=missed)
    assert best.value == least / len(samples)
    assert best.threshold == next(t for cost, t in costs if cost == least)


@given(BOTH, st.sampled_from([0.25, 0.5, 2, 3]))
def test_fbeta_of_the_best_threshold(samples: Samples, beta: float) -> None:
    square = Fraction(beta) ** 2
    values = [
        (Fraction((1 + square) * tp) / (square * (tp + fn) + tp + fp), t) for t, (tp, fp, fn, _) in cells(samples)
    ]
    highest = max(value for value, _ in values)
    best = best_threshold(*columns(samples), "fbeta", beta=beta)
    assert best.value == pytest.approx(float(highest), rel=1e-15)
    assert best.threshold == next(t for value, t in values if value == highest)


@given(BOTH, st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]))
def test_the_best_within_a_bound(samples: Samples, bound: float) -> None:
    found = [(t, tp, fp, tp + fn, fp + tn) for t, (tp, fp, fn, tn) in cells(samples)]
    recalls = [(tp, t) for t, tp, fp, _, negatives in found if fp / negatives <= bound]
    best = best_threshold(*columns(samples), "recall-at-fpr", fpr=bound)
    assert (best.true_positives, best.threshold) == next(each for each in recalls if each[0] == max(recalls)[0])
    precisions = [
        (Fraction(tp, tp + fp), t) for t, tp, fp, positives, _ in found if tp + fp and tp / positives >= bound
    ]
    highest = max(value for value, _ in precisions)
    best = best_threshold(*columns(samples), "precision-at-recall", recall=bound)
    assert best.value == float(highest)
    assert best.threshold == min(t for value, t in precisions if value == highest)
    recalls = [(tp, t) for t, tp, fp, _, _ in found if tp + fp and tp / (tp + fp) >= bound]
    if not recalls:
        with pytest.raises(DataError, match=f"no threshold reaches a precision of {bound:g}; the highest is"):
            best_threshold(*columns(samples), "recall-at-precision", precision=bound)
        return
    best = best_threshold(*columns(samples), "recall-at-precision", precision=bound)
    assert (best.true_positives, best.threshold) == next(each for each in recalls if each[0] == max(recalls)[0])


@pytest.mark.parametrize("weighted", [False, True])
@given(BOTH)
def test_the_value_is_that_of_the_metric_at_the_threshold(weighted: bool, samples: Samples) -> None:
    truth, scores = columns(samples)
    weights = [1 + i % 3 for i in range(len(truth))] if weighted else None
    metrics: dict[str, Any] = {
        "accuracy": accuracy,
        "balanced-accuracy": balanced_accuracy,
        "f1": f1,
        "informedness": informedness,
        "mcc": mcc,
    }
    for criterion, metric in metrics.items():
        try:
            best = best_threshold(truth, scores, criterion, sample_weight=weights)
        except DataError:
            continue
        # The threshold infinity may be that of infinite scores, or that which calls nothing positive.
        any_called = best.true_positives + best.false_positives > 0
        called = [int(any_called and score >= best.threshold) for score in scores]
        assert metric(truth, called, sample_weight=weights).value == pytest.approx(best.value, abs=1e-14)
    best = best_threshold(truth, scores, "precision-at-recall", recall=0.6, sample_weight=weights)
    assert precision_at_recall(truth, scores, recall=0.6, sample_weight=weights).value == pytest.approx(best.value)


def test_weights_move_the_best_threshold() -> None:
    truth, scores = [0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]
    assert best_threshold(truth, scores, "accuracy").threshold == 0.4
    heavy = best_threshold(truth, scores, "accuracy", sample_weight=[1, 9, 1, 1])
    assert (heavy.threshold, heavy.value, heavy.false_positives) == (0.2, 11 / 12, 1.0)


def test_calling_nothing_positive_may_be_best() -> None:
    best = best_threshold([1, 0, 0, 0], [0.1, 0.4, 0.4, 0.4], "accuracy")
    assert (best.threshold, best.value) == (math.inf, 0.75)


def test_counts_whose_products_exceed_64_bits_are_compared_as_floats() -> None:
    from certus.curves.best_threshold import ConfusionCounts, criterion_named

    tp, fp = np.array([0, 3 * 10**9, 4 * 10**9]), np.array([0, 10**9, 4 * 10**9])
    key = criterion_named("informedness")[1].key(ConfusionCounts(tp, fp, tp[-1] - tp, fp[-1] - fp))
    assert key.tolist() == [0.0, 8e18, 0.0]


@pytest.mark.parametrize("criterion", ["informedness", "mcc", "closest", "balanced-accuracy", "recall-at-fpr"])
@pytest.mark.parametrize("label", [0, 1])
def test_a_missing_class_is_an_error_where_it_is_needed(criterion: str, label: int) -> None:
    missing = "negative" if label else "positive"
    with pytest.raises(DataError, match=f"{criterion} is undefined: there are no {missing} samples"):
        best_threshold([label, label], [0.1, 0.2], criterion, fpr=0.1)


def test_accuracy_of_a_single_class_is_defined() -> None:
    assert best_threshold([1, 1], [0.1, 0.2], "accuracy").value == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criterion": "yuoden"}, "no criterion is named 'yuoden'; did you mean 'youden'"),
        ({"criterion": "gini"}, "no criterion is named 'gini'; there are accuracy, "),
        ({"criterion": "recall-at-precision"}, "the criterion 'recall-at-precision' needs precision=, a number from 0"),
        ({"criterion": "recall-at-fpr", "fpr": 1.5}, "fpr is 1.5; it must be a number from 0 to 1"),
        ({"criterion": "recall-at-fpr", "fpr": "0.1"}, "fpr is '0.1'; it must be a number from 0 to 1"),
        ({"criterion": "fbeta", "beta": 0}, "beta is 0; it must be a finite number above 0"),
        ({"criterion": "cost", "false_positive_cost": math.nan}, "false_positive_cost is nan; it must be a finite"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(MetricNameError, match=message):
        best_threshold([0, 1], [0.1, 0.2], **options)


def test_no_samples_are_refused() -> None:
    with pytest.raises(DataError, match="y_true has no samples"):
        best_threshold([], [])
