"""Labels from scores: the first Q items are positive (Zhang & Su 2012, Table I), or those of at least a threshold.

The oracle of thresholds is ``score >= threshold``, computed here, in a call that knows labels only.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import certus
from certus import DataError, HitList, MetricNameError
from certus.classification import (
    accuracy,
    at_budget,
    at_threshold,
    confusion_matrix,
    f1,
    precision,
    recall,
)

TRUTH = [1, 1, 0, 1, 0, 0, 0, 0]
SCORES = [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
"""The document's eight items: hits at the ranks 1, 2 and 4."""


@pytest.mark.parametrize("budget", range(1, 9))
def test_the_confusion_matrix_of_each_budget_is_that_of_table_ii(budget: int) -> None:
    tp = [1, 2, 2, 3, 3, 3, 3, 3][budget - 1]
    expected = [[5 - budget + tp, budget - tp], [3 - tp, tp]]
    of_scores = at_budget(TRUTH, SCORES, budget=budget)
    assert at_budget(HitList("xx-x----"), budget=budget, population=8).counts.tolist() == expected
    run = {"q": {f"d{rank}": score for rank, score in enumerate(SCORES)}}
    qrels = {"q": {f"d{rank}": grade for rank, grade in enumerate(TRUTH)}}
    for labels in (of_scores, at_budget(qrels, run, budget=budget)):
        assert labels.four[0].tolist()[-1] == tp
    if budget < 8:
        assert of_scores.counts.tolist() == expected
    assert precision(of_scores).value == tp / budget
    assert recall(of_scores).value == tp / 3


def test_the_classification_has_intervals() -> None:
    labels = at_budget(TRUTH, SCORES, budget=4)
    assert confusion_matrix(labels).estimate(True, True).value == 3 / 8
    assert precision(labels).interval(method="clopper-pearson")[:2] == pytest.approx((0.19412, 0.99369), abs=1e-5)


def test_the_queries_of_a_run_are_independent_and_its_documents_are_not() -> None:
    qrels = {"a": {"x": 1, "y": 0, "z": 2}, "b": {"u": 1, "v": 1}, "c": {"w": 0, "k": 1}}
    run = {"a": {"x": 3.0, "y": 2.0}, "b": {"o": 3.0, "u": 2.0, "p": 1.0}, "c": {"w": 1.0}}
    labels = at_budget(qrels, run, budget=2)
    # a: x y | z; b: o u | p, v; c: w | k
    assert labels.counts.tolist() == [[1, 3], [3, 2]]
    assert precision(labels).n == 3
    assert precision(labels).unit == "group"
    large = at_budget(qrels, run, budget=2, population=10)
    assert large.counts.tolist() == [[22, 3], [3, 2]]
    assert accuracy(large).value == 24 / 30


def test_the_label_that_is_positive_may_be_named() -> None:
    labels = at_budget(["spam", "ham", "ham"], [0.9, 0.8, 0.1], budget=1, pos_label="spam")
    assert labels.counts.tolist() == [[2, 0], [0, 1]]


def test_a_budget_that_cuts_equal_scores_is_refused() -> None:
    with pytest.raises(DataError, match=r"budget is 2, but 3 samples have the score 5 .* take a budget of 1 or 4"):
        at_budget([1, 0, 1, 0, 0], [9, 5, 5, 5, 1], budget=2)
    assert at_budget([1, 0, 1, 0, 0], [9, 5, 5, 5, 1], budget=4).counts.tolist() == [[1, 2], [0, 2]]


def test_what_does_not_fit_is_refused() -> None:
    wrong: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((TRUTH, SCORES), {"budget": 9}, "budget is 9, but there are 8 samples"),
        ((TRUTH, SCORES), {"budget": 0}, "budget is 0"),
        ((TRUTH, SCORES), {"budget": 3, "population": 10}, "population is for runs and hit lists"),
        ((TRUTH,), {"budget": 3}, "scores is None"),
        ((HitList("x-x"),), {"budget": 1}, "population is None"),
        ((HitList("x-x"), SCORES), {"budget": 1, "population": 5}, "a hit list has its truth and its order"),
        (({"q": {"a": 1}}, {"q": {"a": 1.0}}), {"budget": 1, "pos_label": 1}, "pos_label is for labels of samples"),
        (
            ({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0}}),
            {"budget": 1, "population": 1},
            "population is 1, but query 'q'",
        ),
    ]
    for data, told, message in wrong:
        with pytest.raises(DataError, match=message):
            at_budget(*data, **told)


def test_random_scores_have_the_counts_of_a_sort() -> None:
    rng = np.random.default_rng(3)
    truth, scores = rng.integers(0, 2, 500), rng.permutation(500)
    for budget in (1, 77, 499):
        top = np.argsort(-scores)[:budget]
        assert at_budget(truth, scores, budget=budget).counts[1, 1] == truth[top].sum()


CUSTOMERS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]
PROBABILITIES = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
METRICS = ["F1", "Accuracy", "MCC", "kappa", "Precision(average='macro')", "Recall", "FPR"]

RNG = np.random.default_rng(7)
N = 240
Y = RNG.integers(0, 2, N)
P = np.round(0.5 * RNG.random(N) + 0.4 * Y * RNG.random(N), 2)
OTHER = np.round(RNG.random(N), 2)
COUNTRY = np.array(list("abc"))[RNG.integers(0, 3, N)]
WEIGHT = RNG.integers(1, 5, N)
USER = np.arange(N) // 6
COLUMNS = {"y": Y, "p": P, "q": OTHER, "c": COUNTRY, "w": WEIGHT, "u": USER}


def limits(table: Any) -> list[tuple[Any, ...]]:
    """All digits of the rows; NaN equals itself."""
    numbers = [(repr(row.value), repr(row.low), repr(row.high)) for row in table]
    return [(row.metric, row.group, row.label, *of, row.method, row.n) for row, of in zip(table, numbers, strict=True)]


def batches() -> Iterator[dict[str, Any]]:
    return ({name: column[start : start + 37] for name, column in COLUMNS.items()} for start in range(0, N, 37))


def test_several_thresholds_have_a_row_each() -> None:
    table = certus.evaluate(CUSTOMERS, PROBABILITIES, ["TPR", "FPR"], threshold=[0.5, 0.8])
    assert [(row.run, row.value) for row in table if row.metric == "FPR"] == [
        ("threshold 0.5", 0.5),
        ("threshold 0.8", 0.25),
    ]
    named = certus.evaluate(CUSTOMERS, {"a": PROBABILITIES, "b": PROBABILITIES[::-1]}, "TPR", threshold=[0.5, 0.8])
    assert [row.run for row in named] == [
        "a at threshold 0.5",
        "a at threshold 0.8",
        "b at threshold 0.5",
        "b at threshold 0.8",
    ]


@pytest.mark.parametrize(
    ("of_arrays", "of_columns"),
    [
        ({}, {}),
        ({"by": COUNTRY}, {"by": "c"}),
        ({"sample_weight": WEIGHT}, {"weight": "w"}),
        ({"groups": USER}, {"groups": "u"}),
        ({"groups": USER, "sample_weight": WEIGHT, "by": COUNTRY}, {"groups": "u", "weight": "w", "by": "c"}),
        ({"interval": "bootstrap"}, {"interval": "bootstrap"}),
        ({"level": 0.9, "undefined": 0.0}, {"level": 0.9, "undefined": 0.0}),
    ],
)
@pytest.mark.parametrize("threshold", [0.37, 0.5, -1, 2])
def test_a_threshold_gives_the_bits_of_labels_by_hand(
    of_arrays: dict[str, Any], of_columns: dict[str, Any], threshold: float
) -> None:
    expected = limits(certus.evaluate(Y.astype(bool), threshold <= P, METRICS, task="classification", **of_arrays))
    assert limits(certus.evaluate(Y, P, METRICS, threshold=threshold, **of_arrays)) == expected
    call: Any = {"metrics": METRICS, "truth": "y", "score": "p", "threshold": threshold, **of_columns}
    assert limits(certus.evaluate(pd.DataFrame(COLUMNS), **call)) == expected
    assert limits(certus.evaluate(batches(), **call)) == expected


def test_the_rule_stands_below_the_table_of_arrays_columns_and_batches() -> None:
    call: Any = {"metrics": "F1", "truth": "y", "score": "p", "threshold": 0.5}
    of_arrays = certus.evaluate(Y, P, "F1", threshold=0.5)
    for table in (of_arrays, certus.evaluate(pd.DataFrame(COLUMNS), **call), certus.evaluate(batches(), **call)):
        assert "samples with scores of at least 0.5 are predicted positive" in table.to_text()


@pytest.mark.parametrize("rule", [{"threshold": 0.5}, {"budget": 60}])
def test_systems_are_compared_at_a_threshold_and_at_a_budget(rule: dict[str, Any]) -> None:
    distinct = {"p": P + 1e-6 * np.arange(N), "q": OTHER - 1e-6 * np.arange(N)}
    cuts = {
        name: np.sort(scores)[-rule["budget"]] if "budget" in rule else rule["threshold"]
        for name, scores in distinct.items()
    }
    by_hand = {name: scores >= cuts[name] for name, scores in distinct.items()}
    of_scores = certus.compare(Y, distinct, ["F1", "Recall"], **rule)
    of_labels = certus.compare(Y, by_hand, ["F1", "Recall"], task="classification")
    assert [(row.difference, row.low, row.high, row.p) for row in of_scores] == [
        (row.difference, row.low, row.high, row.p) for row in of_labels
    ]
    frame = pd.DataFrame({"y": Y, **distinct})
    of_frame = certus.compare(frame, ["p", "q"], ["F1", "Recall"], truth="y", **rule)
    assert [row.p for row in of_frame] == [row.p for row in of_labels]
    assert [row.metric for row in certus.compare(frame, ["p", "q"], truth="y", **rule)] == ["Accuracy", "MCC"]


def test_batches_are_compared_at_a_threshold() -> None:
    whole = certus.compare(Y, {"p": P, "q": OTHER}, "F1", threshold=0.5)
    parts = certus.compare(batches(), ["p", "q"], "F1", truth="y", threshold=0.5)
    assert [(row.difference, row.low, row.high, row.p) for row in parts] == [
        (row.difference, row.low, row.high, row.p) for row in whole
    ]


def test_one_system_is_compared_with_itself_at_another_threshold() -> None:
    (row,) = certus.compare(Y, {"p": P}, "F1", threshold=[0.3, 0.5])
    assert (row.baseline, row.system) == ("p at threshold 0.3", "p at threshold 0.5")
    assert row.difference == pytest.approx(f1(Y, (P >= 0.5).astype(int)).value - f1(Y, (P >= 0.3).astype(int)).value)


def test_a_state_keeps_its_threshold() -> None:
    state = certus.State(["F1"], threshold=0.5)
    for batch in batches():
        state.update(batch["y"], score=batch["p"])
    again = certus.State.from_bytes(state.to_bytes())
    assert limits(again.evaluate()) == limits(certus.evaluate(Y, P, "F1", threshold=0.5))
    assert "scores of at least 0.5" in str(again.evaluate())
    with pytest.raises(DataError, match="states differ in conventions"):
        certus.State(["F1"], threshold=0.4).merge(state)


def test_a_threshold_goes_to_each_label_of_a_sample() -> None:
    true, scores = np.column_stack([Y, 1 - Y]), np.column_stack([P, OTHER])
    expected = limits(certus.evaluate(true, (scores >= 0.5).astype(int), ["Jaccard", "Hamming", "F1"]))
    names = ["first", "second"]
    for data, predicted in [
        (true, scores),
        (pd.DataFrame(true, columns=names), pd.DataFrame(scores, columns=names)),
        (pl.DataFrame(true, schema=names), pl.DataFrame(scores, schema=names)),
    ]:
        table = certus.evaluate(data, predicted, ["Jaccard", "Hamming", "F1"], threshold=0.5)
        assert [row[3:] for row in limits(table)] == [row[3:] for row in expected]
    with pytest.raises(DataError, match="in another order"):
        certus.evaluate(pl.DataFrame(true, schema=names), pl.DataFrame(scores, schema=names[::-1]), "F1", threshold=0.5)


def test_scores_and_threshold_are_compared_in_the_width_of_the_scores() -> None:
    narrow = np.array([0.1, 0.2], dtype=np.float32)
    assert at_threshold([1, 0], narrow, threshold=0.1).counts.tolist() == [[0, 1], [0, 1]]
    wide = [2**53, 2**53 + 1]
    assert at_threshold([0, 1], wide, threshold=2**53 + 1).counts.tolist() == [[1, 0], [0, 1]]


def test_a_threshold_calls_the_documents_of_a_run() -> None:
    qrels = {"a": {"x": 1, "y": 0, "z": 2}, "b": {"u": 1, "v": 1}}
    run = {"a": {"x": 3.0, "y": 2.0, "k": 1.0}, "b": {"o": 3.0, "u": 2.0, "p": 1.0}}
    # a: x y | k, z; b: o u | p, v
    assert at_threshold(qrels, run, threshold=2).counts.tolist() == [[2, 2], [2, 2]]
    assert at_threshold(qrels, run, threshold=9).counts.tolist() == [[4, 0], [4, 0]]


def test_columns_of_pandas_in_another_order_are_refused() -> None:
    y = pd.Series(Y)
    with pytest.raises(DataError, match="in another order"):
        certus.evaluate(y, pd.Series(P)[::-1], "F1", threshold=0.5)
    with pytest.raises(DataError, match="in another order"):
        certus.evaluate(y, pd.Series(P), "F1", threshold=0.5, by=pd.Series(COUNTRY)[::-1])


def test_wrong_thresholds_are_refused() -> None:
    text = np.where(Y == 1, "spam", "ham")
    wrong: list[tuple[Any, Any, dict[str, Any], str]] = [
        (Y, P, {"threshold": 0.5, "budget": 3}, "threshold does not go with budget"),
        (Y, P, {"threshold": "x"}, "threshold is 'x'; give a number"),
        (Y, P, {"threshold": float("nan")}, "threshold is nan"),
        (Y, P, {"threshold": []}, "threshold is empty"),
        (Y, P, {"threshold": [0.5, 0.5]}, "threshold has 0.5 twice"),
        (Y, P, {"threshold": 0.5, "metrics": "AUC"}, "AUC is computed from scores, but a threshold leaves"),
        (Y, {"y_pred": Y}, {"threshold": 0.5}, "threshold makes labels of scores, but y_pred is given"),
        (text, P, {"threshold": 0.5}, "say which is positive with pos_label"),
        (
            Y,
            np.column_stack([P, P, P]),
            {"threshold": 0.5, "task": "classification"},
            "threshold is for scores of one positive class, but y_score has 3 columns",
        ),
        (Y * 1.5, P, {"threshold": 0.5, "task": "regression"}, "regression does not take 'threshold'"),
    ]
    for truth, scores, keywords, message in wrong:
        with pytest.raises((DataError, MetricNameError, TypeError), match=message):
            certus.evaluate(truth, scores, **keywords)
    of_batches: list[tuple[dict[str, Any], str]] = [
        ({"threshold": [0.3, 0.4]}, "threshold has several, and batches are counted at one"),
        ({"budget": 4}, "budget needs the scores of all samples at once"),
        ({"threshold": 0.5, "pos_label": 0}, "a batch may lack one; name both"),
    ]
    for keywords, message in of_batches:
        with pytest.raises((DataError, MetricNameError), match=message):
            certus.evaluate(batches(), metrics="F1", truth="y", score="p", **keywords)
