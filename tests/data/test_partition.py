"""Contingency tables of two clusterings."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from certus import DataError
from certus.data import Clustered, Partition
from certus.data import clusterings as module


@pytest.mark.parametrize("most", [0, 1024])
@settings(max_examples=30)
@given(pairs=st.lists(st.tuples(st.integers(-3, 9), st.sampled_from("abc")), max_size=60))
def test_the_cells_are_those_that_occur(most: int, pairs: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_LABELS", most)
        data = Partition.from_arrays([p[0] for p in pairs], [p[1] for p in pairs])
    rows, columns = (sorted({p[i] for p in pairs}) for i in range(2))
    found = sorted(data.counts.tolist())
    assert found == sorted(Counter(pairs).values())
    assert data.shape == (len(rows), len(columns))
    by_row = Counter(p[0] for p in pairs)
    assert data.true_sizes.tolist() == [by_row[row] for row in rows]
    assert sorted(data.pred_sizes.tolist()) == sorted(Counter(p[1] for p in pairs).values())
    if pairs:
        assert np.bincount(data.cells).tolist() == data.counts.tolist()


def test_labels_of_different_kinds_are_two_clusterings() -> None:
    assert Partition.from_arrays(["x", "y", "x"], [True, False, True]).identical
    assert not Partition.from_arrays([1, 1, 2], [1.0, 2.0, 3.0]).identical


def test_a_sparse_table_is_a_table() -> None:
    table = np.array([[0, 3, 0], [0, 1, 2]])
    one, other = Partition.from_counts(table), Partition.from_counts(sparse.csc_array(table))
    for each in (one, other):
        assert (each.rows.tolist(), each.columns.tolist(), each.counts.tolist()) == ([0, 1, 1], [0, 0, 1], [3, 1, 2])
        assert each.n == 6
        assert each.codes is None
    with pytest.raises(DataError, match="contingency alone does not say which sample is where"):
        _ = one.cells


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1, 2], r"contingency has shape \(2,\)"),
        ([[1, -2]], "contingency must hold whole numbers from 0"),
        ([[2**62, 2**62]], r"the sum of contingency is 9223372036854775808; it must be below 2\*\*63"),
        ([[float("nan"), 1]], "contingency is NaN at index"),
        (sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 2)), "contingency has a cell twice"),
    ],
)
def test_what_is_no_table_is_refused(table: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Partition.from_counts(table)


def test_weights_leave_out_samples_of_weight_0() -> None:
    data = Partition.from_arrays([0, 0, 1], [5, 5, 6], sample_weight=[0.5, 2, 0], groups=["x", "y", "x"])
    assert data.counts.tolist() == [2.5]
    assert data.squares is not None
    assert data.squares.tolist() == [4.25]
    assert (data.units, data.unit) == (2, "group")


def test_clustered_samples_are_numbered() -> None:
    data = Clustered.from_arrays([[1, 2], [3, 4], [5, 6]], ["b", "a", "b"])
    assert data.sizes.tolist() in ([2, 1], [1, 2])
    assert repr(data) == "<Clustered: 3 samples in 2 clusters>"
    assert not data.undefined_reason_of()
