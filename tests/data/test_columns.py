"""Columns of numbers: what they keep, and what is refused where."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import certus
from certus import DataError, multilabel, regression
from certus.classification import accuracy, confusion_matrix, ks, log_loss, mcc, report, roc_auc, roc_curve
from certus.clustering import rand
from certus.data.columns import as_array, floats, sample_weights

NUMBERS: dict[str, Any] = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "strided": lambda values: np.repeat(values, 2)[::2],
    "big-endian": lambda values: np.array(values, dtype=">f8"),
    "objects": lambda values: np.array(values, dtype=object),
    "fractions": lambda values: [Fraction(value) for value in values],
    "decimals": lambda values: [Decimal(value) for value in values],
    "pandas": pd.Series,
    "pandas nullable": lambda values: pd.Series(values, dtype="Float64"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
}


@pytest.mark.parametrize("column", NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_any_library_are_float64(column: Any) -> None:
    found = floats(column([0.5, -1.0, 3.25]), "y_score")
    assert found.dtype == np.float64
    assert found.flags.c_contiguous
    assert found.tolist() == [0.5, -1.0, 3.25]


def test_float32_stays_float32_and_float16_becomes_it() -> None:
    assert floats(np.array([0.1], dtype=np.float32), "y_score").dtype == np.float32
    half = floats(np.array([0.1], dtype=np.float16), "y_score")
    assert half.dtype == np.float32
    assert half[0] == np.float16(0.1)
    assert floats(pl.Series([0.1], dtype=pl.Float32), "y_score").dtype == np.float32


def test_a_column_is_not_copied_without_need() -> None:
    values = np.array([0.5, 1.5])
    assert floats(values, "y_score") is values


def test_infinite_numbers_are_taken_unless_they_must_be_finite() -> None:
    assert floats([np.inf, -np.inf], "y_score").tolist() == [np.inf, -np.inf]
    assert floats([1.7e308, 1.7e308], "y_score", infinite=False).tolist() == [1.7e308, 1.7e308]
    with pytest.raises(DataError, match=r"^y_score is infinite at index 1; it must be finite$"):
        floats([1, -np.inf], "y_score", infinite=False)


REFUSED: dict[str, tuple[Any, str]] = {
    "NaN": ([0.5, np.nan], "y_score is NaN at index 1; leave out or fill such samples first"),
    "NaN and infinity": ([np.inf, np.nan], "y_score is NaN at index 1"),
    "float32 NaN": (np.array([np.nan], dtype=np.float32), "y_score is NaN at index 0"),
    "None": ([0.5, None], "y_score has no value (None) at index 1"),
    "polars null": (pl.Series([0.5, None]), "y_score is NaN at index 1"),
    "nullable": (pd.Series([0.5, None], dtype="Float64"), "at index 1; leave out or fill such samples first"),
    "masked": (np.ma.array([1.0, 2.0], mask=[True, False]), "y_score is masked at index 0"),
    "text": (["0.5"], "y_score holds text; it must hold numbers"),
    "text among numbers": ([0.5, "1"], "y_score holds text; it must hold numbers"),
    "complex": ([1j], "y_score holds complex numbers; it must hold numbers"),
    "dates": (np.array(["2020-01-01"], dtype="M8[D]"), "y_score holds dates; it must hold numbers"),
    "objects": ([object()], "y_score cannot be read as numbers: "),
    "table": ([[0.5, 1], [0.7, 1]], "y_score has shape (2, 2); it must have one number per sample"),
    "ragged": ([[0.5], [0.7, 0.1]], "y_score cannot be read as an array: "),
    "one number": (0.5, "y_score is a float; it must be an array, a list or a column with one value per sample"),
    "rounded": ([2**53 + 1, 0], "y_score holds whole numbers beyond 2**53, which float64 cannot tell apart"),
}


@pytest.mark.parametrize(("values", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_column_of_numbers_is_refused(values: Any, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        floats(values, "y_score")


def test_a_null_in_a_table_is_found_by_row_and_column() -> None:
    with pytest.raises(DataError, match=r"^y_score is NaN at index \(1, 0\); leave out or fill such samples first$"):
        floats([[0.5, 1], [np.nan, 1]], "y_score", dimensions=2)
    with pytest.raises(DataError, match=r"^y_score has shape \(2,\); it must have one row of numbers per sample$"):
        floats([0.5, 1], "y_score", dimensions=2)
    assert floats(np.arange(6).reshape(3, 2).T, "y_score", dimensions=2).flags.c_contiguous


def test_a_tensor_is_read_through_its_own_array() -> None:
    class Tensor:
        """As a torch tensor: it refuses to become an array while it records gradients."""

        def __init__(self, values: list[float], recording: bool) -> None:
            self.values, self.recording = values, recording

        def detach(self) -> "Tensor":
            return Tensor(self.values, False)

        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            if self.recording:
                raise RuntimeError("call detach first")
            return np.array(self.values, dtype=dtype)

    assert floats(Tensor([0.5, 1.0], True), "y_score").tolist() == [0.5, 1.0]


def test_a_sparse_table_is_read() -> None:
    from scipy.sparse import csr_matrix

    assert as_array(csr_matrix([[0, 1], [1, 0]]), "y_true").tolist() == [[0, 1], [1, 0]]


def test_weights_are_finite_and_at_least_0() -> None:
    assert sample_weights(None) is None
    weights = sample_weights(np.array([1, 0, 2]))
    assert weights is not None
    assert weights.dtype == np.float64
    with pytest.raises(DataError, match=r"^sample_weight is -0\.5 at index 1; it must be at least 0$"):
        sample_weights([1, -0.5])


ROWS = [[1, 0], [0, 1], [1, 1]]
METRICS = [multilabel.hamming_loss, multilabel.label_ranking_loss, multilabel.ndcg, regression.mae]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("metric", METRICS, ids=str)
def test_the_same_columns_in_another_order_are_refused(metric: Any, frame: Any) -> None:
    one = frame({"u": [1, 0, 1], "v": [0, 1, 1]})
    other = one[["v", "u"]]
    with pytest.raises(DataError, match=r"has the columns of y_true in another order \('v' where y_true has 'u'\)"):
        metric(one, other)
    assert metric(one, one).value == metric(ROWS, ROWS).value


def test_columns_of_other_names_are_taken_by_their_places() -> None:
    true, predicted = pd.DataFrame(ROWS, columns=["u", "v"]), pd.DataFrame(ROWS, columns=["u_hat", "v_hat"])
    assert multilabel.hamming_loss(true, predicted).value == 0
    assert multilabel.hamming_loss(true, ROWS).value == 0


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
