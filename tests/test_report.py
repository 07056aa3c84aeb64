"""The report: numbers by hand, what is stated of which predictions, and how it reads."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import certus
from certus import tasks
from certus.classification import report
from certus.table import Row, Table

TRUTH = ["cat", "cat", "cat", "cat", "dog", "dog", "dog", "eel", "eel", "eel"]
GUESS = ["cat", "cat", "cat", "dog", "dog", "dog", "cat", "eel", "eel", "dog"]
# rows true, columns predicted:  cat 3 1 0, dog 1 2 0, eel 0 1 2

BINARY = [1, 1, 0, 0, 1, 0]
SCORES = [0.9, 0.4, 0.5, 0.1, 0.8, 0.3]


def row(table: Table, metric: str, **fields: Any) -> Row:
    wanted = {"label": None, "average": None, "group": None, **fields}
    (found,) = (
        row
        for row in table.rows
        if row.metric == metric and all(getattr(row, name) == value for name, value in wanted.items())
    )
    return found


def test_the_table_of_classes_by_hand() -> None:
    table = report(TRUTH, GUESS)
    by_hand = {
        "cat": (Fraction(3, 4), Fraction(3, 4), Fraction(6, 8), 4),
        "dog": (Fraction(2, 4), Fraction(2, 3), Fraction(4, 7), 3),
        "eel": (Fraction(2, 2), Fraction(2, 3), Fraction(4, 5), 3),
    }
    for label, (precision, recall, f1, support) in by_hand.items():
        assert row(table, "Precision", label=label).value == pytest.approx(float(precision), abs=1e-15)
        assert row(table, "Recall", label=label).value == pytest.approx(float(recall), abs=1e-15)
        assert row(table, "F1", label=label).value == pytest.approx(float(f1), abs=1e-15)
        assert row(table, "Support", label=label).value == support
    macro = sum(f1 for _, _, f1, _ in by_hand.values()) / 3
    weighted = sum(f1 * support for _, _, f1, support in by_hand.values()) / 10
    assert row(table, "F1", average="macro").value == pytest.approx(float(macro), abs=1e-15)
    assert row(table, "F1", average="weighted").value == pytest.approx(float(weighted), abs=1e-15)
    assert row(table, "Support", average="macro").value == 10


def test_the_whole_by_hand() -> None:
    table = report(TRUTH, GUESS)
    # expected agreement: (4*4 + 3*4 + 3*2) / 100 = 0.34
    assert row(table, "Accuracy").value == 0.7
    assert row(table, "BalancedAccuracy").value == pytest.approx((3 / 4 + 2 / 3 + 2 / 3) / 3, abs=1e-15)
    assert row(table, "kappa").value == pytest.approx((0.7 - 0.34) / (1 - 0.34), abs=1e-15)
    mcc = (7 * 10 - 34) / math.sqrt((100 - (16 + 16 + 4)) * (100 - (16 + 9 + 9)))
    assert row(table, "MCC").value == pytest.approx(mcc, abs=1e-15)


def test_intervals_are_those_of_the_metrics_themselves() -> None:
    table = report(TRUTH, GUESS, level=0.9)
    low, high = interval = certus.classification.accuracy(TRUTH, GUESS).interval(0.9)
    level, method = interval.level, interval.method
    found = row(table, "Accuracy")
    assert (found.low, found.high, found.level, found.method) == (low, high, level, method)
    each: Any = certus.classification.recall(TRUTH, GUESS, average=None)
    of_dog = each["dog"].interval(0.9)
    found = row(table, "Recall", label="dog")
    assert (found.low, found.high, found.method) == (of_dog.low, of_dog.high, of_dog.method)


def test_scores_that_can_be_probabilities_are_also_judged_as_such() -> None:
    table = report(BINARY, y_score=SCORES)
    assert [row.metric for row in table.rows] == ["AUC", "AP", "LogLoss", "Brier", "ECE"]
    # of nine pairs the positive scored 0.4 loses to the negative scored 0.5
    assert row(table, "AUC").value == pytest.approx(8 / 9, abs=1e-15)
    assert row(table, "Brier").value == pytest.approx((0.01 + 0.36 + 0.25 + 0.01 + 0.04 + 0.09) / 6, abs=1e-15)
    assert "scores lie between 0 and 1 and are treated as probabilities of class 1" in str(table)


def test_scores_that_are_no_probabilities_are_not() -> None:
    table = report(BINARY, y_score=[10 * score for score in SCORES])
    assert [row.metric for row in table.rows] == ["AUC", "AP"]
    said = "the scores are not probabilities (they go from 1 to 9): no log loss, Brier score and calibration error"
    assert said in table.signature["said"]
    assert said in " ".join(str(table).split())  # long sentences are broken into lines


def test_two_columns_of_scores_count_as_that_of_the_positive_class() -> None:
    both = np.column_stack([1 - np.array(SCORES), SCORES])
    for name, truth, conventions in (
        ("usual", BINARY, {}),
        ("named", ["yes" if each else "no" for each in BINARY], {"pos_label": "yes"}),
        ("listed", ["yes" if each else "no" for each in BINARY], {"pos_label": "yes", "score_labels": ["no", "yes"]}),
    ):
        table = report(truth, y_score=both, **conventions)
        assert row(table, "AUC").value == pytest.approx(8 / 9, abs=1e-15), name
    turned = report(["b" if each else "z" for each in BINARY], y_score=both, score_labels=["z", "b"], pos_label="b")
    assert row(turned, "AUC").value == pytest.approx(8 / 9, abs=1e-15)


def test_scores_of_several_classes() -> None:
    scores = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]]
    table = report(["cat", "cat", "dog", "eel"], y_score=scores)
    assert row(table, "TopK@1").value == 0.75
    loss = -sum(map(math.log, (0.7, 0.2, 0.6, 0.8))) / 4
    assert row(table, "LogLoss").value == pytest.approx(loss, rel=1e-15)
    # each class against the rest: of cat's pairs 3 are in order and one is tied, of dog's and eel's all are in order
    assert row(table, "AUC(multi_class='ovr')").value == pytest.approx((3.5 / 4 + 1 + 1) / 3, abs=1e-15)
    turned = report(["eel", "eel", "dog", "cat"], y_score=scores, score_labels=["eel", "dog", "cat"])
    assert row(turned, "LogLoss").value == row(table, "LogLoss").value
    not_one = report(["cat", "cat", "dog", "eel"], y_score=[[0.5, 0.2, 0.1], *scores[1:]])
    assert "the scores are not probabilities (the probabilities of" in " ".join(str(not_one).split())


def test_labels_and_scores_together() -> None:
    metrics = [
        row.metric for row in report(BINARY, [1, 0, 0, 0, 1, 0], SCORES).rows if row.label is row.average is None
    ]
    assert metrics == ["Accuracy", "BalancedAccuracy", "MCC", "kappa", "AUC", "AP", "LogLoss", "Brier", "ECE"]


def test_metrics_may_be_named_instead() -> None:
    table = report(
        TRUTH, GUESS, metrics=["f1_score(average='macro')", "F1(average=None)", certus.classification.accuracy]
    )
    assert [(row.metric, row.label) for row in table.rows] == [
        ("F1(average='macro')", None),
        ("F1", "cat"),
        ("F1", "dog"),
        ("F1", "eel"),
        ("Accuracy", None),
    ]
    assert len(report(TRUTH, GUESS, metrics="Accuracy")) == 1


def test_average_is_for_metrics_that_do_not_say_theirs() -> None:
    table = report(TRUTH, GUESS, metrics=["F1", "Recall(average='micro')", "Accuracy"], average="weighted")
    assert [row.metric for row in table.rows] == ["F1(average='weighted')", "Recall(average='micro')", "Accuracy"]
    lines = {row.average for row in report(TRUTH, GUESS, average="micro").rows}
    assert lines == {None, "micro"}


def test_undefined_is_passed_on_to_metrics_that_have_the_choice() -> None:
    truth, guess = ["a", "b", "b"], ["b", "b", "b"]
    assert math.isnan(row(report(truth, guess), "Precision", average="macro").value)
    assert row(report(truth, guess, undefined=0.0), "Precision", average="macro").value == pytest.approx(1 / 3)
    table = report(truth, guess, undefined="skip")
    assert row(table, "Precision", average="macro").value == pytest.approx(2 / 3)
    assert "classes whose value is 0/0 are left out of averages" in str(table)
    own = report(truth, guess, metrics=["Recall", "F1(average='macro',undefined=1)"], average="macro", undefined=0.5)
    assert [row.metric for row in own.rows] == ["Recall(average='macro')", "F1(average='macro',undefined=1)"]
    assert set(own.signature["metrics"]) == {"Recall(average='macro',undefined=0.5)", "F1(average='macro',undefined=1)"}


def test_each_subgroup_is_reported_by_itself() -> None:
    by = np.array(["north", "south"] * 5)
    table = report(TRUTH, GUESS, by=by)
    for group in ("north", "south"):
        truth, guess = (np.array(column)[by == group] for column in (TRUTH, GUESS))
        alone = report(truth, guess)
        for each in (each for each in alone.rows if each.metric != "Support"):
            same = row(table, each.metric, label=each.label, average=each.average, group=group)
            assert same.value == each.value or math.isnan(each.value)
            assert same.n == each.n
    assert {row.group for row in table.rows if row.among is None} == {"north", "south"}


def test_the_largest_gap_and_the_worst_subgroup_follow_the_subgroups() -> None:
    by = np.array(["north", "south"] * 5)
    table = report(TRUTH, GUESS, metrics=["Accuracy", "Recall(average=None)"], by=by)
    found = [each for each in table.rows if each.among == "largest gap"]
    assert [(each.metric, each.label) for each in found] == [
        ("Accuracy", None),
        *(("Recall", each) for each in sorted(set(TRUTH))),
    ]
    north, south = (row(table, "Accuracy", group=group).value for group in ("north", "south"))
    assert found[0].value == pytest.approx(abs(north - south), abs=1e-15)
    assert (found[0].subgroup, found[0].versus) == (("north", "south") if north > south else ("south", "north"))
    assert found[0].low == 0
    assert {each.among for each in report(TRUTH, GUESS, by=["one"] * 10).rows} == {None}


def test_subgroups_that_share_groups_have_limits_for_any_dependence() -> None:
    by, groups = [0] * 5 + [1] * 5, [*range(5)] * 2
    (gap,) = (each for each in report(TRUTH, GUESS, metrics="Accuracy", by=by, groups=groups).rows if each.versus)
    assert gap.method == "simultaneous"
    assert gap.reason == "the subgroups share 5 groups of samples: the limits allow for any dependence"
    apart = report(TRUTH, GUESS, metrics="Accuracy", by=by, groups=range(10)).rows
    assert next(each for each in apart if each.versus).method == "studentized-range"


def test_a_subgroup_may_lack_classes() -> None:
    scores = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]]
    table = report(["cat", "cat", "dog", "eel"], None, scores, by=["x", "x", "y", "y"])
    assert row(table, "TopK@1", group="x").value == 0.5
    assert row(table, "TopK@1", group="y").value == 1.0
    one = report(BINARY, None, SCORES, by=BINARY)
    assert "there are no" in row(one, "AUC", group="0").reason


@pytest.mark.parametrize("kind", ["list", "numpy", "pandas", "polars", "categorical"])
def test_columns_of_any_kind_give_the_same_report(kind: str) -> None:
    make: dict[str, Any] = {
        "list": list,
        "numpy": np.array,
        "pandas": pd.Series,
        "polars": pl.Series,
        "categorical": lambda column: pd.Series(column, dtype="category"),
    }
    by = ["a", "b"] * 5
    expected = report(TRUTH, GUESS, by=by).to_dicts()
    assert report(make[kind](TRUTH), make[kind](GUESS), by=make[kind](by)).to_dicts() == expected


def test_weights_and_groups_reach_every_metric() -> None:
    weights = [1, 1, 2, 0, 1, 1, 1, 3, 1, 1]
    table = report(TRUTH, GUESS, sample_weight=weights)
    assert row(table, "Accuracy").value == pytest.approx(10 / 12, abs=1e-15)
    assert row(table, "Support", label="cat").value == 4
    assert row(table, "Support", label="eel").value == 5
    assert "10 samples of total weight 12" in str(table)
    clustered = report(TRUTH, GUESS, groups=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    assert row(clustered, "Accuracy").value == 0.7
    assert row(clustered, "Accuracy").unit == "group"
    assert "10 samples in 5 groups" in str(clustered)


def test_labels_choose_and_order_the_classes_averaged() -> None:
    table = report(TRUTH, GUESS, labels=["eel", "cat"])
    assert [each.label for each in table.rows if each.metric == "F1" and each.label] == ["eel", "cat"]
    assert row(table, "F1", average="macro").value == pytest.approx((0.75 + 0.8) / 2, abs=1e-15)
    assert "Accuracy" not in {each.metric for each in table.rows}
    assert "labels leave out classes" in str(table)


def test_several_labels_per_sample() -> None:
    truth = [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    guess = [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 1]]
    table = report(truth, guess)
    assert row(table, "Accuracy").value == 0.25
    assert row(table, "Hamming").value == 0.25
    assert row(table, "Precision", average="micro").value == 4 / 5
    assert row(table, "Recall", label="1").value == 0.5
    assert {each.average for each in table.rows} == {None, "micro", "macro", "weighted", "samples"}
    scored = report(truth, y_score=[[0.9, 0.2, 0.3], [0.4, 0.8, 0.1], [0.6, 0.5, 0.4], [0.1, 0.6, 0.7]])
    # the labels' pairs in order: 4 of 4, 3 of 4 and 3 of 4
    assert row(scored, "AUC").value == pytest.approx((1 + 3 / 4 + 3 / 4) / 3, abs=1e-15)
    assert [each.metric for each in scored.rows] == ["AUC", "AP"]


def test_a_method_is_used_where_the_form_has_it() -> None:
    table = report(TRUTH, GUESS, interval="clopper-pearson")
    assert row(table, "Accuracy").method == "clopper-pearson"
    assert row(table, "kappa").method not in (None, "clopper-pearson")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({}, "neither y_pred nor y_score is given"),
        ({"y_pred": GUESS[:-1]}, "y_true has 10 samples but y_pred has 9"),
        ({"y_pred": GUESS, "metrics": []}, "no metric was named; name at least one"),
        ({"y_pred": GUESS, "metrics": ["F11"]}, "no metric is named 'F11'; did you mean 'F1'?"),
        ({"y_pred": GUESS, "metrics": [3]}, "3 is not a metric; name one, such as 'Accuracy'"),
        ({"y_pred": GUESS, "metrics": [certus.ranking.ndcg]}, "nDCG is a ranking metric; name one of classification"),
        ({"y_pred": GUESS, "metrics": ["AUC"]}, "AUC: it is computed from y_score, which is not given"),
        ({"y_score": [0.5] * 10, "metrics": ["F1"]}, "F1: it is computed from y_pred, which is not given"),
        ({"y_pred": GUESS, "metrics": ["F1"]}, "F1: y_true and y_pred have 3 classes"),
        ({"y_pred": GUESS, "level": 95}, "level is 95; it must lie strictly between 0 and 1"),
        ({"y_pred": GUESS, "seed": -1}, "seed is -1"),
        ({"y_pred": GUESS, "interval": "magic"}, "no interval method is named 'magic'"),
        ({"y_pred": GUESS, "interval": "delong"}, "the interval method 'delong' is not one for a proportion"),
        ({"y_pred": GUESS, "average": "mean"}, "average of .* is 'mean'; it must be"),
        ({"y_pred": GUESS, "undefined": "zero"}, "undefined of .* is 'zero'; it must be"),
        ({"y_pred": GUESS, "by": ["a"] * 9}, "y_true has 10 samples but by has 9"),
        ({"y_pred": GUESS, "by": [None] + ["a"] * 9}, "by is None|by has no value"),
        ({"y_pred": GUESS, "sample_weight": [-1] + [1] * 9}, "sample_weight is -1 at index 0"),
        ({"y_pred": GUESS, "pos_label": "cow", "metrics": ["F1"], "labels": None}, "have 3 classes"),
        ({"y_score": [0.5] * 10}, "y_true has 3 labels"),
        ({"y_score": [[0.5, 0.5]] * 10}, "y_score has 2 columns but y_true has 3 classes"),
        ({"y_score": [[math.nan] * 3] * 10}, "y_score is NaN at index"),
        ({"y_pred": [1] * 10}, "y_true holds text but y_pred holds numbers"),
    ],
)
def test_what_cannot_be_reported_is_said(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(certus.CertusError, match=message):
        report(TRUTH, **keywords)


def test_without_samples_nothing_is_defined() -> None:
    table = report([], [])
    assert all(math.isnan(each.value) for each in table.rows if each.metric != "Support")
    assert "there are no samples" in str(table)
    assert len(report([], [], by=[])) == 0


def test_every_subgroup_is_reported_however_many_there_are() -> None:
    table = report([0, 1] * 1001, [0, 1] * 1001, by=list(range(1001)) * 2, metrics="Accuracy")
    assert [row.group for row in table if row.group is not None] == [str(i) for i in range(1001)]


def test_labels_that_look_alike_are_pointed_out() -> None:
    table = report(["spam", "Spam ", "ham"], ["spam", "spam", "ham"])
    (notice,) = table.warnings
    assert notice.kind == "alike-labels"
    assert str(notice).startswith("2 labels differ only by blanks, case or Unicode form; they are different classes")
    (notice,) = report(["a", "b"], ["c", "d"]).warnings
    assert "truth and prediction have no label in common" in str(notice)


def test_the_data_are_prepared_once_for_all_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    from_arrays = certus.data.Labels.from_arrays.__func__  # type: ignore[attr-defined]

    def counting(cls: type, *data: Any, **conventions: Any) -> Any:
        made.append(cls)
        return from_arrays(cls, *data, **conventions)

    monkeypatch.setattr(certus.data.Labels, "from_arrays", classmethod(counting))
    report(TRUTH, GUESS)
    assert made == [certus.data.Labels]


def test_intervals_wait_until_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(certus.Estimate, "interval", lambda *_, **__: asked.append(1))
    table = report(TRUTH, GUESS)
    assert not asked
    assert table.signature["metrics"]["F1(average='macro')"]["average"] == "macro"


def test_samples_say_what_a_metric_lacks() -> None:
    task = tasks.task("classification")
    samples = task.samples()(task, {"y_true": BINARY, "y_pred": BINARY}, {})
    with pytest.raises(certus.DataError, match="computed from y_score, which is not given"):
        samples.prepared(certus.classification.roc_auc)
    tables = task.samples()(task, {"y_true": [[1, 0], [0, 1]], "y_pred": [[1, 0], [0, 1]]}, {})
    with pytest.raises(certus.DataError, match=r"^y_true has shape \(2, 2\) and y_pred \(2, 2\); give one true "):
        tables.prepared(certus.classification.cohen_kappa.using(weights="linear"))


def test_the_index_of_a_table_of_one_column_counts() -> None:
    frame = pd.DataFrame({"y": [0, 1, 1]}, index=list("abc"))
    with pytest.raises(certus.DataError, match=r"^y_pred has the index labels of y_true in another order"):
        report(frame, frame["y"].iloc[::-1])
