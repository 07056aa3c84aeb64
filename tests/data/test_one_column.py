"""Tables of one column where a column is meant."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import certus
from certus import DataError
from certus.classification import accuracy, confusion_matrix, ks, log_loss, mcc, report, roc_auc, roc_curve
from certus.clustering import rand

TEXT, GUESS = ["a", "b", "a", "b"], ["a", "b", "b", "b"]
TRUTH, SCORE = [0, 1, 0, 1], [0.1, 0.8, 0.3, 0.4]
TABLES: dict[str, Callable[[list[Any]], Any]] = {
    "pandas": lambda column: pd.DataFrame({"c": column}),
    "polars": lambda column: pl.DataFrame({"c": column}),
    "list": lambda column: [[value] for value in column],
    "numpy": lambda column: np.array(column).reshape(-1, 1),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_of_one_column_is_the_column(table: Callable[[list[Any]], Any]) -> None:
    assert accuracy(table(TEXT), GUESS).value == accuracy(TEXT, table(GUESS)).value == 0.75
    assert mcc(table(TRUTH), table(TRUTH)).value == 1.0
    assert rand(table(TEXT), table(GUESS)).value == rand(TEXT, GUESS).value
    assert confusion_matrix(table(TEXT), table(GUESS)).counts.tolist() == [[1, 1], [0, 2]]
    for metric in (roc_auc, ks, log_loss):
        expected = metric(TRUTH, SCORE).value
        assert [metric(table(TRUTH), SCORE).value, metric(TRUTH, table(SCORE)).value] == [expected] * 2
        assert metric(table(TRUTH), table(SCORE)).value == expected
    assert roc_curve(table(TRUTH), table(SCORE)).auc.value == 1.0
    weighted = accuracy(TEXT, GUESS, sample_weight=SCORE, groups=TEXT)
    assert accuracy(TEXT, GUESS, sample_weight=table(SCORE), groups=table(TEXT)).value == weighted.value
    one, other = report(TRUTH, TRUTH, SCORE), report(table(TRUTH), TRUTH, table(SCORE))
    assert [(row.metric, row.value) for row in one.rows] == [(row.metric, row.value) for row in other.rows]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_two_tables_of_one_column_of_labels_need_a_word(table: Callable[[list[Any]], Any]) -> None:
    with pytest.raises(DataError, match="must hold 0 and 1 only; for one label per sample give a column, not a table"):
        accuracy(table(TEXT), table(GUESS))


def test_shapes_that_do_not_fit_are_named() -> None:
    match = (
        r"y_true has shape \(4,\) and y_pred \(4, 2\); give one true and one predicted value for each sample, "
        r"or two tables with a row for each sample and a column for each label$"
    )
    with pytest.raises(DataError, match=match):
        accuracy(TEXT, [[1, 2]] * 4)
    with pytest.raises(DataError, match=match):
        certus.evaluate(TEXT, [[1, 2]] * 4, ["Accuracy"])
