"""Labels: what is read as one, which classes there are, what is counted, and what is refused."""

import enum
import re
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.core.errors import DataError
from certus.data import Labels

TRUE = ["a", "b", "b", "c", "c", "c"]
PREDICTED = ["a", "b", "c", "c", "c", "a"]
COUNTS = [[1, 0, 0], [0, 1, 1], [1, 0, 2]]

CONTAINERS: dict[str, Any] = {
    "list": list,
    "tuple": tuple,
    "numpy text": np.array,
    "numpy objects": lambda values: np.array(values, dtype=object),
    "numpy StringDType": lambda values: np.array(values, dtype=np.dtypes.StringDType()),
    "pandas": pd.Series,
    "pandas categorical": lambda values: pd.Series(values, dtype="category"),
    "pandas Categorical": pd.Categorical,
    "pandas Index": pd.Index,
    "polars": pl.Series,
    "polars categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "polars enum": lambda values: pl.Series(values, dtype=pl.Enum(sorted(set(values)))),
    "pyarrow": pa.array,
    "pyarrow chunks": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "pyarrow dictionary of an enum": lambda values: pa.array(values).cast(pa.dictionary(pa.uint8(), pa.string())),
    "pyarrow dictionary chunks": lambda values: pa.chunked_array([values[:2], values[2:]]).dictionary_encode(),
}
as_any_column = pytest.mark.parametrize("column", CONTAINERS.values(), ids=CONTAINERS)


@as_any_column
def test_columns_of_any_library_hold_the_same_labels(column: Any) -> None:
    for other in (column, np.array):
        data = Labels.from_arrays(column(TRUE), other(PREDICTED))
        assert data.classes == ("a", "b", "c")
        np.testing.assert_array_equal(data.counts, COUNTS)
        np.testing.assert_array_equal(data.true, [0, 1, 1, 2, 2, 2])
        np.testing.assert_array_equal(data.predicted, [0, 1, 2, 2, 2, 0])
        assert data.n == len(data) == 6
        assert data.sorted


NUMBERS: dict[str, Any] = {
    "list": list,
    "floats": lambda values: [float(value) for value in values],
    "numpy floats": lambda values: np.array(values, dtype=np.float32),
    **{name: lambda values, name=name: np.array(values, dtype=name) for name in ("i1", "u1", ">i4", "u8", "i8")},
    "strided": lambda values: np.repeat(values, 2)[::2],
    "objects": lambda values: np.array(values, dtype=object),
    "pandas nullable": lambda values: pd.Series(values, dtype="Int64"),
    "pandas categorical": lambda values: pd.Series(values, dtype="category"),
    "polars": pl.Series,
    "pyarrow": pa.array,
}


@pytest.mark.parametrize("column", NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_any_type_are_the_same_labels(column: Any) -> None:
    data = Labels.from_arrays(column([3, 1, 3, 0]), [1, 1, 3, 0])
    assert data.classes == (0, 1, 3)
    assert [type(label) for label in data.classes] == [int] * 3
    np.testing.assert_array_equal(data.counts, [[1, 0, 0], [0, 1, 0], [0, 1, 1]])


def test_truth_values_are_labels_and_equal_0_and_1() -> None:
    assert Labels.from_arrays([True, False], [True, True]).classes == (False, True)
    assert [type(label) for label in Labels.from_arrays([True, False], [True, True]).classes] == [bool, bool]
    mixed = Labels.from_arrays(np.array([True, False]), np.array([1, 1]))
    assert [type(label) for label in mixed.classes] == [int, int]
    np.testing.assert_array_equal(mixed.counts, [[0, 1], [0, 1]])


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"


def test_labels_without_an_order_stand_as_they_come() -> None:
    data = Labels.from_arrays([Colour.RED, Colour.BLUE], [Colour.BLUE, Colour.BLUE])
    assert data.classes == (Colour.RED, Colour.BLUE)
    assert not data.sorted
    ordered = Labels.from_arrays(
        [Colour.RED, Colour.BLUE], [Colour.BLUE, Colour.BLUE], labels=[Colour.BLUE, Colour.RED]
    )
    assert ordered.classes == (Colour.BLUE, Colour.RED)
    assert ordered.sorted


def test_pairs_can_be_labels() -> None:
    true = np.empty(2, dtype=object)
    true[:] = [(1, 2), (0, 5)]
    assert Labels.from_arrays(true, true).classes == ((0, 5), (1, 2))


def test_whole_numbers_too_large_for_numpy_are_labels() -> None:
    assert Labels.from_arrays([2**70, 1], [1, 1]).classes == (1, 2**70)
    assert Labels.from_arrays(np.array([2**63 + 5], dtype=np.uint64), [-1]).classes == (-1, 2**63 + 5)


def test_an_ordered_categorical_brings_its_order() -> None:
    order = ["low", "mid", "high"]
    ordered = pd.Categorical(["low", "high"], categories=order, ordered=True)
    assert Labels.from_arrays(ordered, ["low", "low"]).classes == ("low", "high")
    assert Labels.from_arrays(["mid", "high"], ordered).classes == ("low", "mid", "high")
    assert Labels.from_arrays(ordered, ["low", "other"]).classes == ("high", "low", "other")
    unordered = pd.Categorical(["low", "high"], categories=order)
    assert Labels.from_arrays(unordered, ["low", "low"]).classes == ("high", "low")
    assert Labels.from_arrays(pl.Series(["low", "high"], dtype=pl.Enum(order)), ["low", "low"]).classes == (
        "low",
        "high",
    )


def test_labels_selects_and_orders_the_classes() -> None:
    data = Labels.from_arrays(TRUE, PREDICTED, labels=["c", "z"])
    assert data.classes == ("c", "z", "a", "b")
    np.testing.assert_array_equal(data.selected, [0, 1])
    assert not data.has_all_classes
    np.testing.assert_array_equal(data.counts, [[2, 0, 1, 0], [0, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]])
    np.testing.assert_array_equal(data.true, [2, 3, 3, 0, 0, 0])
    assert Labels.from_arrays(TRUE, PREDICTED, labels=np.array(["c", "b", "a"])).has_all_classes


@pytest.mark.parametrize(
    ("classes", "positive"),
    [([0, 1], 1), ([-1, 1], 1), ([False, True], True), ([0], None), ([-1], None), ([1], 1), ([False], None)],
)
def test_the_greater_of_the_usual_labels_is_positive(classes: list[Any], positive: Any) -> None:
    data = Labels.from_arrays(classes, classes)
    assert data.positive_class() == data.positive == (None if positive is None else data.classes.index(positive))


def test_other_labels_have_a_positive_one_only_when_told() -> None:
    data = Labels.from_arrays(["ham", "spam"], ["spam", "spam"])
    assert data.positive is None
    with pytest.raises(DataError, match=r"^the classes are 'ham', 'spam'; say which is positive with pos_label=$"):
        data.positive_class()
    assert Labels.from_arrays(["ham", "spam"], ["spam", "spam"], pos_label="ham").positive_class() == 0
    assert Labels.from_arrays(["ham"], ["ham"], pos_label="spam").positive_class() is None
    with pytest.raises(DataError, match=r"^pos_label is 'egg', but the classes are 'ham', 'spam'$"):
        Labels.from_arrays(["ham", "spam"], ["spam", "spam"], pos_label="egg").positive_class()
    with pytest.raises(DataError, match=r"^pos_label is '1', but the classes are 0, 1$"):
        Labels.from_arrays([0, 1], [1, 1], pos_label="1").positive_class()
    with pytest.raises(DataError, match=r"^pos_label is '1', but the classes are 0$"):
        Labels.from_arrays([0, 0], [0, 0], pos_label="1").positive_class()
    with pytest.raises(DataError, match=r"have 3 classes \('a', 'b', 'c'\); average='binary' is for two"):
        Labels.from_arrays(TRUE, PREDICTED, pos_label="a").positive_class()


REFUSED: dict[str, tuple[Any, Any, str]] = {
    "lengths": ([1, 0, 1], [1, 0], "y_true has 3 samples but y_pred has 2; they must pair up one to one"),
    "None": ([1, None], [1, 0], "y_true has no value (None) at index 1; leave out or fill such samples first"),
    "NaN": ([1.0, 0.0], [1.0, np.nan], "y_pred is NaN at index 1; leave out or fill such samples first"),
    "NaN among text": (["a", np.nan], ["a", "b"], "y_true is NaN at index 1; leave out or fill such samples first"),
    "NA": (pd.Series([1, None], dtype="Int64"), [1, 0], "at index 1; leave out or fill such samples first"),
    "NaT": (
        np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
        np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"),
        "y_true has no value (NaT) at index 1",
    ),
    "null category": (
        pd.Categorical(["a", None]),
        ["a", "b"],
        "y_true has no value at index 1; leave out or fill such samples first",
    ),
    "polars null": (pl.Series(["a", None]), ["a", "b"], "y_true has no value at index 1"),
    "polars null category": (
        pl.Series(["a", None], dtype=pl.Categorical),
        ["a", "b"],
        "y_true has no value at index 1",
    ),
    "masked": (np.ma.array([1, 0], mask=[False, True]), [1, 0], "y_true is masked at index 1"),
    "mixed column": (["a", 1], ["a", "a"], "y_true mixes text and numbers (1 at index 1); give labels of one kind"),
    "mixed columns": ([1, 0], ["1", "0"], "y_true holds numbers but y_pred holds text; give labels of one kind"),
    "bytes": ([b"a", b"b"], ["a", "b"], "y_true holds bytes but y_pred holds text; give labels of one kind"),
    "scores": ([1, 0], [0.9, 0.2], "y_pred is 0.9 at index 0; labels must be whole numbers, text or other hashable"),
    "infinity": ([1, 0], [np.inf, 1], "y_pred is inf at index 0; labels must be whole numbers"),
    "objects that are scores": ([1, 0], np.array([1, 0.5], dtype=object), "y_pred is 0.5 at index 1; labels must be"),
    "complex": ([1, 0], [1j, 0], "y_pred holds complex numbers"),
    "unhashable": (np.array([{}, {}], dtype=object), [1, 0], "y_true has a dict at index 0; labels must be hashable"),
    "a text": ("ham", ["a"], "y_true is a str; it must be an array, a list or a column with one value per sample"),
    "a number": (1, [1], "y_true is a int; it must be an array, a list or a column with one value per sample"),
    "a dict": ({"a": 1}, [1], "y_true is a dict; it must be an array"),
    "table": ([[1, 0], [0, 1]], [1, 0], "y_true has shape (2, 2); it must have one label per sample"),
    "ragged": ([[1], [0, 1]], [1, 0], "y_true cannot be read as an array: "),
    "fields": (np.zeros(2, dtype=[("a", "i4")]), [1, 0], "y_true has several fields per value; give one column"),
}


@pytest.mark.parametrize(("true", "predicted", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_labels_is_refused(true: Any, predicted: Any, message: str) -> None:
    with pytest.raises(DataError, match=f"^{re.escape(message)}|{re.escape(message)}"):
        Labels.from_arrays(true, predicted)


CONVENTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "labels of another kind": (
        {"labels": [0, 1]},
        "y_true holds text but labels holds numbers; give labels of one kind",
    ),
    "no labels": ({"labels": []}, "labels is empty; it must list at least one class"),
    "labels twice": ({"labels": ["a", "b", "a"]}, "labels lists 'a' twice; list each class once"),
    "labels as a set": ({"labels": {"a"}}, "labels is a set, which has no order; it must list the classes"),
    "labels in rows": ({"labels": np.array([["a"]])}, "a label of labels is a ndarray; labels must be hashable"),
    "positive labels": ({"pos_label": ["a"]}, "pos_label is a list; labels must be hashable"),
    "labels as text": ({"labels": "abc"}, "labels is 'abc'; it must list the classes"),
}


@pytest.mark.parametrize(("conventions", "message"), CONVENTIONS.values(), ids=CONVENTIONS)
def test_conventions_that_do_not_fit_are_refused(conventions: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=f"^{re.escape(message)}"):
        Labels.from_arrays(TRUE, PREDICTED, **conventions)


def _many(n: int = 12_000) -> tuple[Any, Any]:
    rng = np.random.default_rng(6)
    true = rng.permutation(n) % 6_000
    return true, np.where(rng.random(n) < 0.2, rng.integers(0, 9_000, n), true)


def test_more_classes_than_a_table_holds_have_their_cells_all_the_same() -> None:
    true, predicted = _many()
    data = Labels.from_arrays(true, predicted)
    with pytest.raises(DataError, match=r"^there are \d{4} different labels; a table of at most 5000 is supported$"):
        data.counts  # noqa: B018
    right = int((true == predicted).sum())
    assert data.agreement().counts.tolist() == [len(true) - right, right]
    for label in (0, 4_567, data.classes[-1]):
        index = data.classes.index(label)
        tp = int(((true == label) & (predicted == label)).sum())
        fn, fp = int((true == label).sum()) - tp, int((predicted == label).sum()) - tp
        assert data.against_rest(index).counts.tolist() == [[len(true) - tp - fn - fp, fp], [fn, tp]]
    assert data.counts_by_kind() == (right, len(true) - right, 0, 0, 0)


def test_many_classes_are_counted_with_weights_and_groups() -> None:
    true, predicted = _many()
    weights, groups = np.arange(len(true)) % 5 / 4, np.arange(len(true)) // 3
    for conventions in ({"sample_weight": weights}, {"sample_weight": weights, "groups": groups}, {"groups": groups}):
        data = Labels.from_arrays(true, predicted, **conventions)
        for table in (data.agreement(), data.against_rest(3)):
            assert table.contributions is not None
            rows = table.contributions().rows()
            cells, units, added = rows.cells, rows.units, rows.amounts
            np.testing.assert_allclose(np.bincount(cells, added, table.counts.size), table.counts.ravel())
            assert (table.squares is None) == ("groups" in conventions)
            assert units.max() + 1 == table.n
            if table.squares is not None and added is not None:
                np.testing.assert_allclose(np.bincount(cells, added**2, table.counts.size), table.squares.ravel())


def test_no_samples_have_no_classes() -> None:
    data = Labels.from_arrays([], [])
    assert (data.classes, data.n, data.counts.shape) == ((), 0, (0, 0))
    assert Labels.from_arrays([], [], labels=["a"]).counts.shape == (1, 1)


def test_weights_are_summed_and_a_weight_of_0_is_no_sample() -> None:
    data = Labels.from_arrays(TRUE, PREDICTED, sample_weight=[2, 1, 0.5, 0, 3, 0], groups=[9, 9, 7, 1, 7, 1])
    assert data.n == 4
    np.testing.assert_array_equal(data.counts, [[2, 0, 0], [0, 1, 0.5], [0, 0, 3]])
    np.testing.assert_array_equal(data.groups, [1, 1, 0, 0])
    assert data.table.n == 2
    alone = Labels.from_arrays(TRUE, PREDICTED, sample_weight=[2, 1, 0.5, 0, 3, 0])
    np.testing.assert_array_equal(alone.squares, [[4, 0, 0], [0, 1, 0.25], [0, 0, 9]])


LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), max_size=20)


@given(rows=LABELS, weighted=st.booleans(), grouped=st.booleans())
def test_every_table_is_the_sum_of_what_samples_add(rows: list[Any], weighted: bool, grouped: bool) -> None:
    true, predicted, weights, groups = np.array(rows, dtype=int).reshape(-1, 4).T
    weighted = weighted and (not rows or bool(weights.any()))
    data = Labels.from_arrays(
        true, predicted, sample_weight=weights if weighted else None, groups=groups if grouped else None
    )
    tables = [data.table, data.agreement(), *(data.against_rest(k) for k in range(len(data.classes)))]
    for table in tables:
        if table.contributions is None:
            assert table.exact
            continue
        filled = table.contributions().rows()
        cells, units, added = filled.cells, filled.units, filled.amounts
        np.testing.assert_array_equal(np.bincount(cells, added, table.counts.size), table.counts.ravel())
        assert len(set(units.tolist())) == table.n == units.max(initial=-1) + 1
        if table.squares is not None and added is not None:
            np.testing.assert_array_equal(np.bincount(cells, added**2, table.counts.size), table.squares.ravel())


def test_labels_from_counts_have_no_samples() -> None:
    data = Labels.from_counts([[20, 5], [10, 15]], classes=["yes", "no"], pos_label="yes")
    assert (data.n, data.classes, data.positive_class()) == (50, ("yes", "no"), 0)
    with pytest.raises(DataError, match=r"^these labels were made from counts; single samples are not known$"):
        data.true  # noqa: B018


@pytest.mark.parametrize(
    ("counts", "classes", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], None, r"^counts has shape \(2, 3\); it must have a row and a column for each class$"),
        ([[1, -2], [0, 1]], None, r"^counts must hold whole numbers from 0 to 2\*\*63 - 1$"),
        ([[1, 0.5], [0, 1]], None, "^counts must hold whole numbers"),
        ([[1, np.nan], [0, 1]], None, "^counts must hold whole numbers"),
        ([["a", "b"], ["c", "d"]], None, "^counts must hold whole numbers"),
        (
            [[2**62, 2**62], [2**62, 2**62]],
            None,
            r"^the sum of counts is 18446744073709551616; it must be below 2\*\*63$",
        ),
        ([[1, 0], [0, 1]], ["a", "a"], "^classes must name each of the 2 rows once"),
    ],
)
def test_counts_that_are_no_confusion_matrix_are_refused(counts: Any, classes: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Labels.from_counts(counts, classes)
