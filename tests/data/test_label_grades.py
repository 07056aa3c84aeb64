"""Tables of grades and scores: what is read as they are, what is copied, and what is refused."""

import math
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from untyped import untyped

import certus
from certus import DataError
from certus.data import LabelGrades, Multilabel, MultilabelScores

GRADES = np.array([[3.0, 0.0, 1.0], [0.0, 2.0, 0.5]])
SCORES = np.array([[0.9, 0.5, 0.5], [0.1, 0.2, 0.3]])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats_are_not_copied(order: Any, kind: Any) -> None:
    grades, scores = (np.asarray(table, dtype=kind, order=order) for table in (GRADES, SCORES))
    data = LabelGrades.from_arrays(grades, scores)
    assert np.shares_memory(data.grades, grades)
    assert np.shares_memory(data.scores, scores)
    assert np.shares_memory(MultilabelScores.from_arrays(grades > 0, scores).scores, scores)


def test_a_table_with_gaps_is_copied_in_order() -> None:
    wide = np.repeat(SCORES, 2, axis=1)[:, ::2]
    assert LabelGrades.from_arrays(GRADES, wide).scores.flags.c_contiguous


def test_columns_name_the_labels() -> None:
    data = LabelGrades.from_arrays(pd.DataFrame(GRADES, columns=["sea", "sky", "sun"]), SCORES, labels=["sun"])
    assert data.classes == ("sea", "sky", "sun")
    assert data.selected.tolist() == [2]
    assert repr(data) == "<LabelGrades: 2 samples, 3 labels>"


REFUSED: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "NaN": ([[math.nan, 1]], [[0.1, 0.2]], {}, "y_true is NaN at index (0, 0)"),
    "infinite": ([[math.inf, 1]], [[0.1, 0.2]], {}, "y_true is infinite at index (0, 0); it must be finite"),
    "score": ([[1, 2]], [[0.1, math.nan]], {}, "y_score is NaN at index (0, 1)"),
    "text": ([["a", "b"]], [[0.1, 0.2]], {}, "y_true holds text; it must hold numbers"),
    "axes": ([1, 2], [[0.1, 0.2]], {}, "y_true has shape (2,); it must have one row of numbers per sample"),
    "labels": ([[1, 2]], [[0.1]], {}, "y_true has 2 labels but y_score has 1; give both the same columns"),
    "pos_label": ([[1, 2]], [[0.1, 0.2]], {"pos_label": 1}, "pos_label does not apply to grades; leave it out"),
    "unknown": ([[1, 2]], [[0.1, 0.2]], {"labels": [9]}, "labels lists 9, but the columns are 0, 1"),
}


@pytest.mark.parametrize(("true", "scores", "conventions", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_refused(true: Any, scores: Any, conventions: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        LabelGrades.from_arrays(true, scores, **conventions)


@pytest.mark.parametrize("container", ["csr_matrix", "coo_matrix", "csc_array"])
def test_sparse_truth_is_never_wider_than_a_byte_a_cell(container: str) -> None:
    import scipy.sparse

    table = getattr(scipy.sparse, container)([[0, 1, 0], [1, 0, 1]])
    data = Multilabel.from_arrays(table, table)
    assert data.true.dtype == np.bool_
    assert data.true.toarray().tolist() == [[False, True, False], [True, False, True]]
    assert table.dtype == np.int64


def test_a_sparse_table_that_lists_a_cell_twice_holds_their_sum() -> None:
    import scipy.sparse

    twice = scipy.sparse.coo_matrix(([1, 1], ([0, 0], [1, 1])), shape=(1, 2))
    with pytest.raises(DataError, match="y_true holds 2; it must hold 0 and 1 only"):
        Multilabel.from_arrays(twice, [[0, 1]])


@pytest.mark.parametrize("average", ["macro", "micro", "samples", "weighted"])
def test_the_order_in_memory_does_not_change_classification_metrics(average: str) -> None:
    rng = np.random.default_rng(0)
    true = rng.permuted(np.tile([True, True, False, False, False], (40, 1)), axis=1)
    scores = np.round(rng.random((40, 5)) + true, 1)
    areas = [
        untyped(certus.classification.roc_auc)(np.asarray(true, order=o), np.asarray(scores, order=o), average=average)
        for o in ("C", "F")
    ]
    assert areas[0].value == areas[1].value
    assert areas[0].interval() == areas[1].interval()
