"""Codes and counts of labels against numpy's sorting, and what is made of the cells of small tables."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.core import kernels

NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-40_000, 40_000),
    st.sampled_from([-(2**63), 2**63 - 1]),
)


@settings(max_examples=100)
@given(pairs=st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(1, 5)), max_size=50))
def test_pairs_are_counted_as_numpy_would(pairs: Any) -> None:
    first, second = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in range(2))
    weights = np.array([pair[2] for pair in pairs]) / 4
    rows, row_of = np.unique(first, return_inverse=True)
    columns, column_of = np.unique(second, return_inverse=True)
    counts, sums, squares = (np.zeros((len(rows), len(columns))) for _ in range(3))
    np.add.at(counts, (row_of, column_of), 1)
    np.add.at(sums, (row_of, column_of), weights)
    np.add.at(squares, (row_of, column_of), weights**2)
    for found, expected in zip(kernels.count_pairs(first, second, most=99), (rows, columns, counts), strict=True):
        np.testing.assert_array_equal(found, expected)
    summed = kernels.sum_pairs(first, second, weights, most=99)
    for each, expected in zip(summed, (rows, columns, sums, squares), strict=True):
        np.testing.assert_array_equal(each, expected)
    labels, codes = kernels.code_numbers(first)
    np.testing.assert_array_equal(labels, rows)
    np.testing.assert_array_equal(codes, row_of)


@pytest.mark.parametrize("labels", [3, 40])
def test_no_order_of_samples_changes_a_sum_of_weights(labels: int) -> None:
    rng = np.random.default_rng(labels)
    first, second = rng.integers(0, labels, (2, 5000))
    weights = rng.lognormal(0, 8, 5000)
    order = rng.permutation(5000)
    found = kernels.sum_pairs(first, second, weights, most=99)
    for one, other in zip(found, kernels.sum_pairs(first[order], second[order], weights[order], most=99), strict=True):
        np.testing.assert_array_equal(one, other)
    own = (first == 1) & (second == 2)
    assert found[2][1, 2] == math.fsum(weights[own])
    assert found[3][1, 2] == math.fsum(weights[own] ** 2)


@pytest.mark.parametrize(
    "wrong", [np.array([0.5]), np.array([1], dtype=np.uint64), np.array(["a"]), np.array([1], ">i8")]
)
def test_other_columns_are_refused(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        kernels.count_pairs(wrong, wrong, most=9)
    with pytest.raises((TypeError, ValueError)):
        kernels.code_numbers(wrong)


@pytest.mark.parametrize("other", [1, None, np.str_("a"), b"a", "\ud800"])
def test_what_is_no_plain_string_is_left_to_python(other: object) -> None:
    objects = np.empty(2, dtype=object)
    objects[:] = ["a", other]
    assert kernels.intern_strings(objects) is None


def test_means_of_shares_have_the_bits_of_numpy() -> None:
    rng = np.random.default_rng(5)
    above, below = (2.5, 0.0, 0.0, 0.0), (2.5, 1.0, 1.5, 0.0)
    for classes in range(1, 8):
        tp, fp, fn, _ = four = np.round(rng.exponential(size=(4, 40, classes)), 1) * (
            rng.random((4, 40, classes)) < 0.6
        )
        with np.errstate(invalid="ignore"):
            values = 2.5 * tp / (2.5 * tp + fp + 1.5 * fn)
        for weighted in (False, True):
            weights = tp + fn if weighted else np.ones_like(tp)
            with np.errstate(invalid="ignore", divide="ignore"):
                kept = np.where(np.isnan(values), 0.0, weights)
                plain = np.where(weights == 0, 0.0, weights * values).sum(-1) / weights.sum(-1)
                skipped = np.where(kept == 0, 0.0, kept * values).sum(-1) / kept.sum(-1)
            for skip, expected in ((False, plain), (True, skipped)):
                for views in (four, [np.asfortranarray(cell) for cell in four]):
                    cells = views[0], views[1], views[2], views[3]
                    found = kernels.mean_of_shares(*cells, above, below, weighted=weighted, skip=skip, undefined=None)
                    np.testing.assert_array_equal(found, expected)


def test_cells_of_other_shapes_are_refused() -> None:
    cell = np.ones((3, 2))
    share: Any = ((1, 0, 0, 0), (1, 1, 0, 0))
    with pytest.raises(ValueError, match="one shape"):
        kernels.mean_of_shares(cell, cell, cell, cell[0], *share, weighted=False, skip=False, undefined=None)
    with pytest.raises(ValueError, match="two classes"):
        kernels.correlation_of_two(*np.ones((4, 3, 3)))


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(0, 40), min_size=4, max_size=4), min_size=1, max_size=4))
def test_correlations_of_two_classes_are_those_of_whole_numbers(rows: list[list[int]]) -> None:
    tables = np.array(rows, dtype=np.float64).reshape(-1, 2, 2)
    tp = np.diagonal(tables, axis1=1, axis2=2)
    fn = np.stack([tables[:, 0, 1], tables[:, 1, 0]], axis=-1)
    found = kernels.correlation_of_two(tp, fn[:, ::-1], fn, tp[:, ::-1])
    for value, (a, b, c, d) in zip(found.tolist(), rows, strict=True):
        square = (a + b) * (c + d) * (a + c) * (b + d)
        expected = (a * d - b * c) / math.sqrt(square) if square else math.nan
        assert value == pytest.approx(expected, abs=1e-15, nan_ok=True)
        slopes = kernels.correlation_slopes_of_two(*(cell[0] for cell in (tp, fn[:, ::-1], fn, tp[:, ::-1])))
        assert (slopes is None) == math.isnan(found[0])
