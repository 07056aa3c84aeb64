"""The task of a call that names none: the same for arrays, named columns of a table, and batches, or asked for."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import certus
from certus.core.errors import DataError, MetricNameError
from certus.table import Table

WHOLE = [0, 1, 0, 1, 1, 0, 1, 0]
TEXT = ["cat", "dog"] * 4
ZERO: Any = 0
NUMBERS = [0.5, 1.25, 2.0, 3.5, 1.0, 2.5, 0.25, 4.0]


def listed(table: Table) -> list[str]:
    return [row.metric for row in table.rows]


def of_arrays(values: list[Any], **told: Any) -> list[str]:
    return listed(certus.evaluate(values, values[::-1], **told))


def of_columns(values: list[Any], **told: Any) -> list[str]:
    frame = pd.DataFrame({"y": values, "p": values[::-1]})
    return listed(certus.evaluate(frame, truth="y", pred="p", **told))


def of_batches(values: list[Any], **told: Any) -> list[str]:
    batches = pa.table({"y": values, "p": values[::-1]}).to_batches(max_chunksize=22)
    return listed(certus.evaluate(iter(batches), truth="y", pred="p", **told))


@pytest.mark.parametrize("metrics", [of_arrays, of_columns, of_batches])
class TestTask:
    def test_few_whole_numbers_are_classes(self, metrics: Callable[..., Any]) -> None:
        assert metrics(WHOLE)[0] == "Accuracy"
        assert metrics([float(value) for value in WHOLE])[0] == "Accuracy"

    def test_more_than_20_whole_numbers_are_quantities(self, metrics: Callable[..., Any]) -> None:
        assert metrics([*range(20), 0, 0])[0] == "Accuracy"
        assert metrics([*range(21), 0])[0] == "MAE"

    def test_metrics_decide(self, metrics: Callable[..., Any]) -> None:
        for named in ("Accuracy", "MAE", "ARI"):
            assert metrics(WHOLE, metrics=[named]) == [named]

    def test_text_is_classes_and_fractions_are_numbers(self, metrics: Callable[..., Any]) -> None:
        assert metrics(TEXT)[0] == "Accuracy"
        assert metrics(NUMBERS)[0] == "MAE"

    def test_metrics_of_clusters_take_text(self, metrics: Callable[..., Any]) -> None:
        assert metrics(TEXT, metrics=["ARI"]) == ["ARI"]


SCORES = [0.2, 0.9, 0.4, 0.6, 0.7, 0.1, 0.8, 0.3]
GRADES = [1, 2, 3, 4, 5, 1, 2, 3]


def _arrays(truth: Any, pred: Any) -> Table:
    return certus.evaluate(truth, pred)


def _frame(truth: Any, pred: Any) -> Table:
    return certus.evaluate(pd.DataFrame({"y": truth, "p": pred}), truth="y", pred="p")


def _batches(truth: Any, pred: Any) -> Table:
    return certus.evaluate(iter(pa.table({"y": truth, "p": pred}).to_batches(21)), truth="y", pred="p")


def _compared(truth: Any, pred: Any) -> Any:
    return certus.compare(truth, {"a": pred, "b": pred[::-1]})


def _compared_columns(truth: Any, pred: Any) -> Any:
    frame = pd.DataFrame({"y": truth, "a": pred, "b": pred[::-1]})
    return certus.compare(frame, ["a", "b"], truth="y")


TAKEN_AS = [
    (WHOLE, SCORES, "AUC", "taken as scores of a classifier; task='regression' if these are quantities"),
    (WHOLE, WHOLE[::-1], "Accuracy", "taken as classes; task='regression' if these are quantities"),
    (NUMBERS, [*range(8)], "MAE", None),
    ([*range(21)], [*range(1, 22)], "MAE", "taken as quantities; task='classification' if these are classes"),
]


@pytest.mark.parametrize("call", [_arrays, _frame, _batches, _compared, _compared_columns])
@pytest.mark.parametrize(("truth", "pred", "metric", "note"), TAKEN_AS, ids=["scores", "classes", "fractions", "whole"])
def test_values_decide_by_one_rule_and_a_note_says_how(
    call: Callable[..., Any], truth: Any, pred: Any, metric: str, note: str | None
) -> None:
    result = call(truth, pred)
    assert metric in [row.metric for row in result.rows]
    if note is not None:
        assert note in result.to_text(width=200)
    else:
        assert "taken as classes" not in result.to_text(width=200)


@pytest.mark.parametrize("call", [_arrays, _frame, _batches, _compared, _compared_columns])
@pytest.mark.parametrize("truth", [GRADES, WHOLE])
def test_what_may_be_scores_or_quantities_is_asked(call: Callable[..., Any], truth: Any) -> None:
    with pytest.raises(
        MetricNameError, match="task='classification' for labels or scores, task='regression' for quant"
    ):
        call(truth, [value + 0.25 for value in GRADES])


def test_of_batches_the_first_one_decides_and_the_note_says_so() -> None:
    batches = iter(pa.table({"y": [*range(40)], "p": [*range(40)]}).to_batches(4))
    assert "taken as classes; task='regression' if these are quantities (by the first batch)" in certus.evaluate(
        batches, truth="y", pred="p"
    ).to_text(width=200)


def test_tables_of_several_columns_are_scores_of_classes_labels_or_quantities() -> None:
    three = [[0.2, 0.5, 0.3], [0.6, 0.2, 0.2], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]]
    assert "LogLoss" in listed(certus.evaluate([1, 0, 2, 2], three))
    marks = [[0, 1], [1, 1], [0, 0], [1, 0]]
    assert "Hamming" in listed(certus.evaluate(marks, marks[::-1]))
    assert "LRAP" in listed(certus.evaluate(marks, [row[:2] for row in three]))
    with pytest.raises(MetricNameError, match="multilabel"):
        certus.evaluate(marks, [[2.5, 1.0]] * 4)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames_with_a_query_and_a_document_are_a_ranking(library: str) -> None:
    judged = pd.DataFrame({"query_id": ["a", "a", "b"], "doc_id": ["1", "2", "1"], "relevance": [1, 0, 1]})
    run = pd.DataFrame({"query_id": ["a", "a", "b"], "doc_id": ["1", "2", "1"], "score": [0.1, 0.9, 0.3]})
    as_library: dict[str, Callable[[pd.DataFrame], Any]] = {
        "pandas": lambda frame: frame,
        "polars": pl.from_pandas,
        "pyarrow": pa.Table.from_pandas,
        "duckdb": duckdb.from_df,
    }
    qrels, other = map(as_library[library], (judged, run))
    assert certus.evaluate(qrels, other, ["RR"]).rows[0].value == 0.75
    assert certus.evaluate(qrels, other).signature["task"] == "ranking"
    assert (
        len(certus.compare(qrels, {"a": other, "b": as_library[library](run.assign(score=-run.score))}, "RR").rows) == 1
    )


def test_a_keyword_of_another_task_is_named() -> None:
    judged, run = {"q": {"a": 1}}, {"q": {"a": 2.0}}
    for of, told, name, task in (
        ((WHOLE, WHOLE, "Accuracy"), {"queries": "judged"}, "queries", "classification"),
        ((WHOLE, WHOLE), {"units": "ms"}, "units", "classification or regression or clustering"),
        ((judged, run, "AP"), {"groups": {"q": 1}}, "groups", "ranking"),
        ((judged, run), {"labels": [1]}, "labels", "ranking"),
        ((NUMBERS, NUMBERS), {"pos_label": 1}, "pos_label", "regression"),
    ):
        with pytest.raises(MetricNameError, match=f"^{name} does not apply to {task}; leave it out$"):
            certus.evaluate(*of, **told)


def test_labels_that_are_missing_are_the_error_and_not_the_task() -> None:
    for values in ([1, None, 0] * 4, [float("nan"), 1.0, 0.0] * 4):
        with pytest.raises(certus.DataError, match=r"^Accuracy: y_true (is NaN|has no value)"):
            certus.evaluate(pd.Series(values), [1, 1, 0] * 4, ["Accuracy"])


def test_metrics_given_as_objects_say_the_task_of_a_comparison_of_arrays_and_of_columns() -> None:
    frame = pd.DataFrame({"y": WHOLE, "p": WHOLE, "q": WHOLE[::-1]})
    accuracy, mae = certus.classification.accuracy, certus.regression.mae
    for metric, task in ((accuracy, "classification"), (mae, "regression")):
        of_arrays = certus.compare(frame["y"], {"p": frame["p"], "q": frame["q"]}, metric)
        of_columns = certus.compare(frame, ["p", "q"], metric, truth="y")
        assert of_columns.rows == of_arrays.rows
        assert of_columns.conventions["task"] == task
    with pytest.raises(MetricNameError, match=r"^no task compares nDCG of such columns; say which with task=$"):
        certus.compare(frame, ["p", "q"], certus.ranking.ndcg, truth="y")


def test_a_column_named_by_two_names_of_one_argument_is_refused_by_its_name() -> None:
    frame = pd.DataFrame({"y": WHOLE, "p": NUMBERS})
    with pytest.raises(certus.DataError, match=r"^y_score is given twice; give it once$"):
        certus.evaluate(frame, truth="y", score="p", y_score="p", task="classification")


def test_columns_of_rankings_are_refused_where_rows_are_read() -> None:
    batches = iter(pa.table({"y": WHOLE, "p": WHOLE}).to_batches())
    with pytest.raises(MetricNameError, match=r"^qrels is not a column of "):
        certus.evaluate(batches, truth="y", score="p", qrels="y")


def test_a_convention_that_is_a_text_is_not_the_name_of_a_column() -> None:
    frame = pd.DataFrame({"y": WHOLE, "p": WHOLE})
    with pytest.raises(certus.CertusError, match=r"labels is 'p'; it must list the classes"):
        certus.evaluate(frame, metrics="Accuracy", truth="y", pred="p", labels="p")


@pytest.mark.parametrize("task", [None, "classification"])
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("confidence", "level=0.95"),
        ("alpha", "level=, 1 - alpha"),
        ("random_state", "seed=0"),
        ("n_boot", "interval= names a method"),
        ("y_prob", "y_score="),
        ("sample_weights", "did you mean 'sample_weight'"),
    ],
)
def test_keywords_of_other_libraries_are_answered_with_ours(task: str | None, theirs: str, ours: str) -> None:
    told: dict[str, Any] = {theirs: 0.9}
    with pytest.raises(TypeError, match=re.escape(ours)):
        certus.evaluate(WHOLE, WHOLE, task=task, **told)


@pytest.mark.parametrize(
    ("truth", "pred", "metric"),
    [
        ([Decimal(value) for value in WHOLE], [Decimal(str(value)) for value in SCORES], "AUC"),
        (pd.Series(WHOLE, dtype=object), pd.Series(SCORES, dtype=object), "AUC"),
        (pd.Series(WHOLE, dtype="Int64"), pd.Series(WHOLE[::-1], dtype="Int64"), "Accuracy"),
        ([Decimal("1.5"), Decimal("2.5")] * 4, [Decimal("1.4"), Decimal("2.7")] * 4, "MAE"),
        (pd.Series(WHOLE).astype("category"), pd.Series(WHOLE[::-1]).astype("category"), "Accuracy"),
    ],
    ids=["decimals", "objects", "nullable", "fractions", "categories"],
)
def test_numbers_are_numbers_in_whatever_they_come(truth: Any, pred: Any, metric: str) -> None:
    assert listed(certus.evaluate(truth, pred))[0] == metric


@pytest.mark.parametrize("lists", [pl.Series, pa.array, pd.Series])
def test_columns_of_lists_are_asked_and_not_looked_into(lists: Callable[[Any], Any]) -> None:
    with pytest.raises(certus.CertusError):
        certus.evaluate(WHOLE, lists([[1 - value, value] for value in SCORES]))


def test_two_columns_that_are_no_probabilities_of_classes_are_asked() -> None:
    frame = pd.DataFrame({"y": WHOLE, "p": SCORES, "q": SCORES[::-1]})
    with pytest.raises(MetricNameError, match="may be labels, scores or quantities"):
        certus.evaluate(frame, truth="y", pred=["p", "q"])


def test_a_missing_number_is_what_is_refused_whatever_the_others_are() -> None:
    for values, text in ((WHOLE, "y_pred is NaN at index 3"), (SCORES, "AUC: y_score is NaN at index 3")):
        holed = [float("nan") if index == 3 else value for index, value in enumerate(values)]
        with pytest.raises(certus.DataError, match=text):
            certus.evaluate(WHOLE, holed)


def test_counting_different_values_stops_beyond_the_limit_and_never_overflows() -> None:
    from certus.evaluation.infer import MAX_CLASSES, count_distinct

    for values in (
        [np.iinfo(np.int64).min, np.iinfo(np.int64).max],
        np.array([2**64 - 1, 2**64 - 3], dtype=np.uint64),
        np.array([-128, 127], dtype=np.int8),
        [0.5, 0.25, 0.5],
        [np.inf, 1.0],
        [np.nan, 1.0],
        ["a", "b", "a"],
    ):
        assert count_distinct(np.asarray(values)) == 2
    assert count_distinct(np.arange(10**6)) == MAX_CLASSES + 1
    assert count_distinct(np.tile(np.arange(MAX_CLASSES + 1), 9)) == MAX_CLASSES + 1
    assert count_distinct(np.zeros(0)) == 0


@pytest.mark.parametrize("metrics", [None, "MAE"])
@pytest.mark.parametrize("first", ["a", 1])
def test_numbers_by_id_on_both_sides_are_asked_about(metrics: str | None, first: Any) -> None:
    truth, predictions = {first: 1, "b": 0}, {first: 0.5, "b": 0.25}
    with pytest.raises(MetricNameError, match=r"numbers by id; task='ranking' if they are the ranking of one query"):
        certus.evaluate(truth, predictions, metrics)


def test_numbers_by_id_are_the_ranking_of_one_query_where_task_or_metric_says_so() -> None:
    truth, predictions = {"a": 1, "b": 0}, {"a": 0.5, "b": 0.25}
    for keywords in ({"task": "ranking"}, {"metrics": ["RR"]}):
        assert {row.metric: row.value for row in certus.evaluate(truth, predictions, **keywords)}["RR"] == 1.0


@pytest.mark.parametrize("kind", ["numpy", "pandas", "python", "columns"])
def test_dates_are_asked_about(kind: str) -> None:
    days = pd.to_datetime(["2020-01-01", "2021-01-01", "2020-01-01"])
    if kind == "columns":
        data: dict[str, Any] = {"data": pd.DataFrame({"y": days, "p": days[::-1]}), "truth": "y", "pred": "p"}
    else:
        truth = {"numpy": days.to_numpy(), "pandas": days, "python": [day.date() for day in days]}[kind]
        data = {"data": truth, "predictions": truth[::-1]}
    with pytest.raises(MetricNameError, match=r"the truth holds dates; task='classification' if these are classes"):
        certus.evaluate(**data)
    rows = certus.evaluate(**data, metrics="Accuracy")
    assert [row.value for row in rows] == [1.0]


@pytest.mark.parametrize(
    "call",
    [
        lambda table: certus.evaluate(table, truth=0, score=1),
        lambda table: certus.evaluate(table, truth="g", score=1),
        lambda table: certus.evaluate(table, truth=np.int64(0), pred="g"),
        lambda table: certus.compare(table, [1, "g"], truth=ZERO),
        lambda table: certus.compare(table, [1, "g"], truth="g"),
    ],
)
def test_a_number_as_the_name_of_a_column_is_refused_in_words(call: Any) -> None:
    table = pd.DataFrame({0: [0, 1, 1, 0], 1: [0.1, 0.4, 0.9, 0.3], "g": [0, 1, 0, 0]})
    with pytest.raises(DataError, match=r"is [01], but columns are named by text; name all by text first, as data\."):
        call(table)
    assert certus.evaluate(table.rename(columns=str), truth="0", score="1", metrics="AUC").summary[0].value == 1.0


@pytest.mark.filterwarnings("error")
def test_numbers_in_half_precision_raise_no_warning_of_overflow() -> None:
    truth, random = np.arange(3000) % 3, np.random.default_rng(5)
    labels = random.integers(0, 3, 3000)
    halves = certus.evaluate(truth, labels.astype(np.float16), "Accuracy")
    assert [row.value for row in halves] == [row.value for row in certus.evaluate(truth, labels, "Accuracy")]
    wide = (random.normal(size=(3000, 3)) * 20_000).clip(-60_000, 60_000).astype(np.float16)
    with pytest.raises(MetricNameError, match="may be labels, scores or quantities"):
        certus.evaluate(truth % 2, wide[:, 0])
    assert certus.evaluate(wide[:, 0], wide[:, 1], "MAE").summary[0].n == 3000
