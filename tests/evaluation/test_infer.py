"""The task of a call that names none: the same for arrays, named columns of a table, and batches, or asked for."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import certus
from certus.core.errors import MetricNameError
from certus.table import Table

WHOLE = [0, 1, 0, 1, 1, 0, 1, 0]
TEXT = ["cat", "dog"] * 4
NUMBERS = [0.5, 1.25, 2.0, 3.5, 1.0, 2.5, 0.25, 4.0]


def listed(table: Table) -> list[str]:
    return [row.metric for row in table.rows]


def of_arrays(values: list[Any], **told: Any) -> list[str]:
    return listed(certus.evaluate(values, values[::-1], **told))


def of_columns(values: list[Any], **told: Any) -> list[str]:
    frame = pd.DataFrame({"y": values, "p": values[::-1]})
    return listed(certus.evaluate(frame, truth="y", pred="p", **told))


def of_batches(values: list[Any], **told: Any) -> list[str]:
    batches = pa.table({"y": values, "p": values[::-1]}).to_batches(max_chunksize=4)
    return listed(certus.evaluate(iter(batches), truth="y", pred="p", **told))


@pytest.mark.parametrize("metrics", [of_arrays, of_columns, of_batches])
class TestTask:
    def test_labels_that_may_be_classes_numbers_or_clusters_are_asked_for(self, metrics: Callable[..., Any]) -> None:
        several = (
            r"^these data may be of several tasks; say which: task='classification' or 'regression' or 'clustering'$"
        )
        with pytest.raises(MetricNameError, match=several):
            metrics(WHOLE)

    def test_metrics_decide(self, metrics: Callable[..., Any]) -> None:
        for named in ("Accuracy", "MAE", "ARI"):
            assert metrics(WHOLE, metrics=[named]) == [named]

    def test_text_is_classes_and_fractions_are_numbers(self, metrics: Callable[..., Any]) -> None:
        assert metrics(TEXT)[0] == "Accuracy"
        assert metrics(NUMBERS)[0] == "MAE"

    def test_metrics_of_clusters_take_text(self, metrics: Callable[..., Any]) -> None:
        assert metrics(TEXT, metrics=["ARI"]) == ["ARI"]


def test_a_keyword_of_another_task_is_named() -> None:
    judged, run = {"q": {"a": 1}}, {"q": {"a": 2.0}}
    for of, told, name, task in (
        ((WHOLE, WHOLE, "Accuracy"), {"queries": "judged"}, "queries", "classification"),
        ((WHOLE, WHOLE), {"units": "ms"}, "units", "classification or regression or clustering"),
        ((judged, run, "AP"), {"groups": {"q": 1}}, "groups", "ranking"),
        ((judged, run), {"labels": [1]}, "labels", "ranking"),
        ((NUMBERS, NUMBERS), {"pos_label": 1}, "pos_label", "regression"),
    ):
        with pytest.raises(MetricNameError, match=f"^{name} has no meaning for {task}; leave it out$"):
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
