"""Cells of samples with many labels: the sparse sums are those of a list of every sample's every cell."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from crossed import crossed
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, multilabel
from certus.core.arrays import Floats
from certus.data import Multilabel
from certus.statistic import TableFunction


@st.composite
def problems(draw: Any) -> Multilabel:
    """Labels that few or most samples have, given as dense or sparse tables, with weights and groups or without."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    samples, labels = draw(st.integers(1, 30)), draw(st.integers(1, 12))
    filled = random.choice([0.02, 0.3, 0.8], labels)
    true, predicted = (random.random((samples, labels)) < filled for _ in range(2))
    made = draw(st.sampled_from([np.asarray, scipy.sparse.csr_array, scipy.sparse.coo_matrix]))
    weights = draw(st.sampled_from([None, random.random(samples) + 0.1, 10.0 ** random.integers(-9, 9, samples)]))
    groups = random.integers(0, 5, samples) if draw(st.booleans()) else None
    return Multilabel.from_arrays(made(true), predicted, sample_weight=weights, groups=groups)


def of_all(data: Multilabel) -> Any:
    """The contributions to the cells of all labels."""
    assert data.table.contributions is not None
    return data.table.contributions()


def assert_near(found: Floats, expected: Floats) -> None:
    """Equal but for rounding of sums of this size."""
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max(initial=0))


@given(data=problems(), seed=st.integers(0, 100))
@settings(max_examples=60)
def test_sums_over_units_groups_and_tables_are_those_of_the_rows(data: Multilabel, seed: int) -> None:
    random = np.random.default_rng(seed)
    parts, cells, n = of_all(data), data.counts.size, data.units
    groups = random.integers(0, 3, n)
    for sparse, rows in ((parts, parts.rows()), (parts.over(groups), parts.over(groups).rows())):
        units = n if sparse is parts else 3
        slopes = random.normal(size=cells)
        assert_near(sparse.by_unit(slopes, units), rows.by_unit(slopes, units))
        assert_near(len(data.classes) * sparse.masses(units), rows.masses(units))
        amounts = random.poisson(1.0, (4, units)).astype(float)
        assert_near(sparse.tables(amounts, cells), rows.tables(amounts, cells))
        assert (sparse.tables(amounts, cells) >= 0).all()
        codes = np.arange(units) % 2
        every = int(codes.max()) + 1
        assert_near(sparse.by_group(codes, cells)(0, every), rows.by_group(codes, cells)(0, every))


@given(data=problems())
@settings(max_examples=60)
def test_counts_of_labels_are_those_of_the_rows(data: Multilabel) -> None:
    rows = of_all(data).rows()
    counts = np.bincount(rows.cells, rows.weights, data.counts.size).reshape(-1, 2, 2)
    np.testing.assert_allclose(data.counts, counts, rtol=1e-12, atol=0)
    np.testing.assert_array_equal(data.counts == 0, counts == 0)


@pytest.mark.parametrize(
    ("metric", "average", "weighted", "grouped"),
    crossed((multilabel.f1, multilabel.jaccard), ("macro", "micro", "weighted"), (False, True), (False, True)),
    ids=str,
)
def test_intervals_are_those_of_the_rows(metric: Any, average: str, weighted: bool, grouped: bool) -> None:
    random = np.random.default_rng(5)
    true = random.random((200, 12)) < np.linspace(0.05, 0.9, 12)
    predicted = true ^ (random.random(true.shape) < 0.05)
    given = {
        "sample_weight": random.random(200) + 0.1 if weighted else None,
        "groups": random.integers(0, 60, 200) if grouped else None,
    }
    found = metric(true, predicted, average=average, undefined=0, **given)
    assert isinstance(found.statistic, TableFunction)
    assert found.statistic.parts is not None
    rows = found.statistic.parts.rows()
    by_rows = replace(found, statistic=found.statistic.over(rows, found.statistic.n, found.statistic.unit))
    assert found.standard_error == pytest.approx(by_rows.standard_error, rel=1e-12)
    for method in (None, "bca", "jackknife"):
        one, other = (each.interval(method=method) for each in (found, by_rows))
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)


def test_true_negatives_keep_their_digits_beside_a_sample_of_great_weight() -> None:
    data = Multilabel.from_arrays([[1], [0], [0], [0]], [[1], [0], [0], [0]], sample_weight=[1e17, 1, 1, 0.5])
    assert data.counts.tolist() == [[[2.5, 0.0], [0.0, 1e17]]]


@pytest.mark.parametrize("made", [scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array])
def test_sparse_tables_of_labels_stay_sparse(made: Any) -> None:
    rows = np.arange(1000)
    columns = rows * 7919 % 5_000_000
    table = scipy.sparse.coo_array((np.ones(1000), (rows, columns)), shape=(1000, 5_000_000))
    data = Multilabel.from_arrays(made(table), table)
    assert data.true.nnz == 1000
    assert data.right.all()
    assert multilabel.f1(table, made(table), average="samples").value == 1.0


def test_zeros_that_a_sparse_table_holds_are_no_labels() -> None:
    table = scipy.sparse.csr_array(([0.0, 1.0], ([0, 1], [1, 1])), shape=(2, 2))
    assert table.nnz == 2
    assert Multilabel.from_arrays(table, [[0, 1], [0, 1]]).counts.tolist() == [[[2, 0], [0, 0]], [[0, 1], [0, 1]]]


def test_sparse_tables_that_do_not_pair_up_are_refused() -> None:
    with pytest.raises(DataError, match="y_true has 2 samples but y_pred has 3"):
        Multilabel.from_arrays(scipy.sparse.csr_array([[0, 1], [1, 0]]), [[0, 1], [1, 0], [1, 1]])
