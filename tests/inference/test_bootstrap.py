"""The resampling kernel: what it draws, and that nothing but the seed decides it."""

import itertools
from collections import Counter

import numpy as np
import pytest

from certus.core import kernels

X = np.array([0.0, 0.1, 0.25, 0.9, 1.0])


def means(values: np.ndarray, replicates: int, seed: int) -> np.ndarray:
    return kernels.resample_sums(values[:, np.newaxis], replicates=replicates, seed=seed)[:, 0] / len(values)


def test_sums_are_the_counts_times_the_rows() -> None:
    for columns in (1, 2, 5):
        rows = np.random.default_rng(columns).normal(size=(17, columns))
        counts = kernels.resample_counts(17, first=0, replicates=300, seed=9)
        sums = kernels.resample_sums(rows, replicates=300, seed=9)
        # The kernel adds in another order than the product does: a few units in the last place of the largest sum.
        np.testing.assert_allclose(sums, counts @ rows, rtol=0, atol=1e-13)


def test_all_resamples_of_three_units_come_up_as_often_as_enumeration_says() -> None:
    replicates = 270_000
    counts = kernels.resample_counts(3, first=0, replicates=replicates, seed=2)
    expected = Counter(tuple(np.bincount(draw, minlength=3)) for draw in itertools.product(range(3), repeat=3))
    assert len(expected) == 10
    seen = Counter(map(tuple, counts.tolist()))
    assert set(seen) == {tuple(map(int, key)) for key in expected}
    chi_square = sum((seen[key] - replicates * m / 27) ** 2 / (replicates * m / 27) for key, m in expected.items())
    assert chi_square < 27.88  # 99.9% quantile with 9 degrees of freedom


def test_blocks_of_replicates_join_to_the_whole() -> None:
    whole = kernels.resample_counts(6, first=0, replicates=50, seed=4)
    blocks = [kernels.resample_counts(6, first=first, replicates=10, seed=4) for first in range(0, 50, 10)]
    np.testing.assert_array_equal(whole, np.vstack(blocks))


def test_one_seed_one_result_and_another_seed_another() -> None:
    np.testing.assert_array_equal(means(X, 1000, seed=5), means(X, 1000, seed=5))
    assert not np.array_equal(means(X, 1000, seed=5), means(X, 1000, seed=6))
    correlation = np.corrcoef(means(X, 10_000, seed=5), means(X, 10_000, seed=6))[0, 1]
    assert abs(correlation) < 0.045  # 4.5 standard errors


def test_rows_in_another_memory_order_are_refused_not_misread() -> None:
    for rows in (np.ones((4, 4))[:, :2], np.asfortranarray(np.ones((4, 2)))):
        with pytest.raises(ValueError, match="rows must be contiguous in C order"):
            kernels.resample_sums(rows, replicates=1, seed=0)
