"""Columns of numbers: what they keep, and what is refused where."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from certus import DataError
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
