"""Codes and counts of labels against numpy's sorting."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import kernels

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


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4"])
def test_columns_of_every_width_are_taken(kind: str) -> None:
    values = np.array([3, 100, 3], dtype=kind)
    labels, _, counts = kernels.count_pairs(values, np.array([1, 1, 0]), most=9)
    assert (labels.tolist(), counts.tolist()) == ([3, 100], [[1, 1], [0, 1]])


@pytest.mark.parametrize(
    "wrong", [np.array([0.5]), np.array([1], dtype=np.uint64), np.array(["a"]), np.array([1], ">i8")]
)
def test_other_columns_are_refused(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        kernels.count_pairs(wrong, wrong, most=9)
    with pytest.raises((TypeError, ValueError)):
        kernels.code_numbers(wrong)


def test_threads_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    first, second, weights = rng.integers(0, 50, 300_000), rng.integers(0, 5, 300_000), rng.random(300_000)
    texts = np.array([f"label {label}" for label in range(50)])[first].view(np.uint8).reshape(len(first), -1)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("CERTUS_THREADS", threads)
        found.append(
            (
                *kernels.count_pairs(first, second, most=99),
                *kernels.sum_pairs(first, second, weights, most=99),
                *kernels.code_numbers(first * 1_000_003),
                *kernels.intern_rows(texts),
            )
        )
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_strings_are_numbered_as_they_first_come() -> None:
    made = ["".join(["a", str(number % 7)]) for number in range(100)]  # equal strings at different addresses
    found = kernels.intern_strings(np.array(made, dtype=object))
    assert found is not None
    assert found[1] == [f"a{number}" for number in range(7)]
    np.testing.assert_array_equal(found[0], np.arange(100) % 7)
    accented = kernels.intern_strings(np.array(["é", "", "日本", "é"], dtype=object))
    assert accented is not None
    assert (accented[0].tolist(), accented[1]) == ([0, 1, 2, 0], ["é", "", "日本"])


@pytest.mark.parametrize("other", [1, None, np.str_("a"), b"a", "\ud800"])
def test_what_is_no_plain_string_is_left_to_python(other: object) -> None:
    objects = np.empty(2, dtype=object)
    objects[:] = ["a", other]
    assert kernels.intern_strings(objects) is None
