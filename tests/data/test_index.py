"""pandas objects whose indexes contradict the order of the rows."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import certus
import certus.compat.sklearn as sklearn
from certus import DataError
from certus.classification import accuracy, confusion_matrix, log_loss, report, roc_auc, roc_curve
from certus.clustering import rand, silhouette
from certus.comparison import compare_values
from certus.multilabel import hamming_loss
from certus.regression import mae

ROWS = list("abcdef")
TRUE = pd.Series([0, 1, 1, 0, 1, 0], index=ROWS)
SCORE = pd.Series([0.1, 0.9, 0.8, 0.3, 0.4, 0.5], index=ROWS)
TABLE = pd.DataFrame({"u": TRUE, "v": 1 - TRUE})
BACK = ROWS[::-1]


@pytest.mark.parametrize(
    ("call", "data"),
    [
        (accuracy, (TRUE, TRUE)),
        (accuracy, (TRUE, TRUE.astype("string").astype(int).astype("category"))),
        (confusion_matrix, (TRUE, TRUE)),
        (report, (TRUE, TRUE)),
        (roc_auc, (TRUE, SCORE)),
        (roc_curve, (TRUE, SCORE)),
        (log_loss, (TRUE, SCORE)),
        (log_loss, (TRUE, pd.DataFrame({0: 1 - SCORE, 1: SCORE}))),
        (mae, (SCORE, SCORE)),
        (mae, (TABLE, TABLE)),
        (hamming_loss, (TABLE, TABLE)),
        (rand, (TRUE, TRUE)),
        (silhouette, (TABLE, TRUE)),
    ],
)
def test_the_same_index_labels_in_another_order_are_refused(call: Any, data: tuple[Any, Any]) -> None:
    one, other = data
    call(one, other)
    match = (
        r"has the index labels of \w+ in another order \('f' in row 0 where \w+ has 'a'\); put them in one order, as "
    )
    for pair in ((one, other.loc[BACK]), (one.loc[BACK], other)):
        with pytest.raises(DataError, match=match.replace("'f'", "'[af]'").replace("'a'", "'[af]'")):
            call(*pair)
    call(one.loc[BACK], other.loc[BACK])
    call(one, other.loc[BACK].to_numpy())


@pytest.mark.parametrize("name", ["sample_weight", "groups", "by"])
def test_weights_groups_and_subgroups_are_columns_too(name: str) -> None:
    column = pd.Series([1, 2, 1, 2, 1, 2], index=ROWS)
    given: dict[str, Any] = {name: column.loc[BACK]}
    with pytest.raises(DataError, match=f"{name} has the index labels of y_true in another order"):
        report(TRUE, TRUE, **given)
    if name != "by":
        with pytest.raises(DataError, match=f"{name} has the index labels of y_true in another order"):
            accuracy(TRUE, TRUE, **given)
        with pytest.raises(DataError, match=f"{name} has the index labels of y_pred in another order"):
            accuracy(TRUE.to_numpy(), TRUE, **given)


@pytest.mark.parametrize("name", ["ids", "groups", "sample_weight"])
def test_columns_of_scores_of_items_are_paired_by_place_only_without_a_contradiction(name: str) -> None:
    column = pd.Series(range(1, 7), index=ROWS)
    certus.values.mean(SCORE, **{name: column})
    with pytest.raises(DataError, match=f"{name} has the index labels of values in another order"):
        certus.values.mean(SCORE, **{name: column.loc[BACK]})


def test_groups_of_timings_are_paired_by_place_only_without_a_contradiction() -> None:
    groups = pd.Series(list("aabbcc"), index=ROWS)
    with pytest.raises(DataError, match="groups has the index labels of timings in another order"):
        certus.efficiency.mean_latency(SCORE, groups=groups.loc[BACK])


@pytest.mark.parametrize(
    "index", [range(6), [10, 11, 12, 13, 14, 15], list("abcdeg"), pd.date_range("2026-01-01", periods=6)], ids=str
)
def test_other_labels_are_no_contradiction(index: Any) -> None:
    other = TRUE.set_axis(pd.Index(index))
    assert accuracy(TRUE, other).value == 1.0


@pytest.mark.parametrize(
    "index",
    [
        pd.MultiIndex.from_product([list("ab"), range(3)]),
        pd.MultiIndex.from_product([list("ab"), range(3), [0]]),
        pd.period_range("2026-01-01", periods=6, freq="D"),
        pd.interval_range(0, 6),
        pd.Index([[0], [1], [2], [3], [4], [5]], dtype=object),
    ],
    ids=["levels", "more levels", "periods", "intervals", "lists"],
)
def test_labels_that_pandas_does_not_compare_are_no_contradiction(index: Any) -> None:
    for other in (TRUE, TRUE.astype("category"), TRUE.set_axis(pd.CategoricalIndex(ROWS)), TRUE.set_axis(range(6))):
        assert accuracy(TRUE.set_axis(index), other).value == accuracy(other, TRUE.set_axis(index)).value == 1.0
    levels = TRUE.set_axis(pd.MultiIndex.from_product([list("ab"), range(3)]))
    assert accuracy(TRUE.set_axis(index), levels).value == accuracy(levels, TRUE.set_axis(index)).value == 1.0


def test_equal_indexes_of_other_kinds_are_equal() -> None:
    ranged, listed = TRUE.set_axis(range(6)), TRUE.set_axis(pd.Index([0, 1, 2, 3, 4, 5]))
    assert accuracy(ranged, listed).value == accuracy(ranged, listed.set_axis(listed.index.astype(float))).value == 1.0
    repeated = TRUE.set_axis(list("aabbcc"))
    assert accuracy(repeated, repeated).value == 1.0
    levels = TRUE.set_axis(pd.MultiIndex.from_product([list("ab"), range(3)]))
    assert accuracy(levels, levels).value == 1.0
    with pytest.raises(DataError, match="in another order"):
        accuracy(levels, levels.iloc[::-1])


def test_systems_of_another_order_are_refused() -> None:
    truth, other = TRUE.to_numpy(), (1 - TRUE).loc[BACK]
    match = r"predictions\['b'\] has the index labels of predictions\['a'\] in another order"
    with pytest.raises(DataError, match=match):
        certus.compare(truth, {"a": TRUE, "b": other}, "Accuracy", task="classification")
    with pytest.raises(DataError, match=r"values\['b'\] has the index labels of values\['a'\] in another order"):
        compare_values({"a": SCORE, "b": SCORE.loc[BACK]})


def test_scikit_learns_face_pairs_by_place_as_scikit_learn_does() -> None:
    other = (1 - TRUE).loc[BACK]
    assert sklearn.accuracy_score(TRUE, other) == accuracy(TRUE.to_numpy(), other.to_numpy()).value


def test_a_million_rows_take_no_time() -> None:
    index = np.random.default_rng(0).permutation(1_000_000)
    truth = pd.Series(np.zeros(len(index), dtype=int), index=index)
    assert accuracy(truth, truth.set_axis(index + 1)).value == 1.0
    with pytest.raises(DataError, match="in another order"):
        accuracy(truth, truth.reset_index(drop=True))


def test_index_labels_are_written_as_python_writes_them() -> None:
    one = pd.Series([0, 1], index=[5, 6])
    with pytest.raises(DataError, match=r"\(6 in row 0 where y_true has 5\)"):
        log_loss(one, pd.Series([0.5, 0.5], index=[6, 5]))
