"""Several labels per sample: what is read as a table of them, and what is refused."""

import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus import DataError
from certus.classification import precision
from certus.data import Multilabel, MultilabelScores

TRUE = [[1, 0, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]]
PREDICTED = [[1, 1, 1], [0, 0, 0], [1, 0, 0], [0, 0, 0]]
NAMES = ["sea", "sky", "sun"]

TABLES: dict[str, Any] = {
    "lists": list,
    "ints": np.array,
    "bools": lambda table: np.array(table, dtype=bool),
    "floats": lambda table: np.array(table, dtype=float),
    "objects": lambda table: np.array(table, dtype=object),
    "columns": lambda table: np.asfortranarray(table),
}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_tables_of_any_type_hold_the_same_labels(make: Any) -> None:
    data = Multilabel.from_arrays(make(TRUE), PREDICTED)
    np.testing.assert_array_equal(data.counts, [[[2, 0], [0, 2]], [[2, 1], [1, 0]], [[2, 0], [1, 1]]])
    assert data.classes == (0, 1, 2)
    assert len(data) == 4
    assert data.right.tolist() == [False, False, False, True]


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, lambda table, columns: pl.DataFrame(table, schema=columns, orient="row")]
)
def test_the_columns_of_a_data_frame_name_the_labels(frame: Any) -> None:
    data = Multilabel.from_arrays(frame(TRUE, columns=NAMES), frame(PREDICTED, columns=NAMES), labels=["sun", "sea"])
    assert data.classes == ("sea", "sky", "sun")
    assert data.selected.tolist() == [2, 0]
    assert MultilabelScores.from_arrays(frame(TRUE, columns=NAMES), np.zeros((4, 3))).classes == ("sea", "sky", "sun")


REFUSED: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "not 0 or 1": ([[0, 2]], [[0, 1]], {}, "y_true is 2 at index (0, 1); it must hold 0 and 1 only"),
    "NaN": ([[0, 1]], [[0, np.nan]], {}, "y_pred is NaN at index (0, 1); leave out or fill such samples first"),
    "text": ([["0", "1"]], [[0, 1]], {}, "y_true is '0' at index (0, 0); it must hold 0 and 1 only"),
    "samples": ([[0, 1], [1, 1]], [[0, 1]], {}, "y_true has 2 samples but y_pred has 1; they must pair up one to one"),
    "labels": ([[0, 1]], [[0, 1, 1]], {}, "y_true has 2 labels but y_pred has 3; give both the same columns"),
    "axes": ([0, 1], [0, 1], {}, "y_true has shape (2,); it must have a row per sample and a column per label"),
    "unknown label": ([[0, 1]], [[0, 1]], {"labels": [7]}, "labels lists 7, but the columns are 0, 1"),
    "label twice": ([[0, 1]], [[0, 1]], {"labels": [1, 1]}, "labels lists 1 twice; list each class once"),
    "no label": ([[0, 1]], [[0, 1]], {"labels": []}, "labels is empty; it must list at least one class"),
}


@pytest.mark.parametrize(("true", "predicted", "conventions", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_table_of_labels_is_refused(true: Any, predicted: Any, conventions: Any, message: str) -> None:
    with pytest.raises(DataError, match=f"^{re.escape(message)}"):
        Multilabel.from_arrays(true, predicted, **conventions)


def test_scores_may_be_infinite_but_not_nan() -> None:
    assert MultilabelScores.from_arrays([[0, 1]], [[np.inf, -np.inf]]).scores.tolist() == [[np.inf, -np.inf]]
    with pytest.raises(DataError, match=r"^y_score is NaN at index \(0, 1\)"):
        MultilabelScores.from_arrays([[0, 1]], [[0.5, np.nan]])


def test_a_cell_that_no_sample_fills_is_exactly_0() -> None:
    data = Multilabel.from_arrays([[0], [1]], [[1], [0]], sample_weight=[0.1, 0.25])
    # 0.1 + 0.25 - 0.25 - 0.1 is less than 0.
    np.testing.assert_array_equal(data.counts[0], [[0.0, 0.1], [0.25, 0.0]])
    assert precision(data, average="macro").value == 0.0


ROWS = st.lists(st.lists(st.integers(0, 1), min_size=6, max_size=6), min_size=1, max_size=8)


@given(rows=ROWS, weighted=st.booleans(), grouped=st.booleans())
def test_every_table_is_the_sum_of_what_samples_add(rows: Any, weighted: bool, grouped: bool) -> None:
    both = np.array(rows)
    weights = np.arange(1, len(both) + 1) / 4 if weighted else None
    groups = np.arange(len(both)) // 2 if grouped else None
    data = Multilabel.from_arrays(both[:, :3], both[:, 3:], sample_weight=weights, groups=groups)
    for table in (data.table, data.agreement(), *(data.against_rest(k) for k in range(3))):
        if table.contributions is None:
            assert table.exact
            continue
        rows = table.contributions().rows()
        cells, units, added = rows.cells, rows.units, rows.amounts
        np.testing.assert_allclose(np.bincount(cells, added, table.counts.size), table.counts.ravel(), atol=1e-15)
        assert len(set(units.tolist())) == table.n
