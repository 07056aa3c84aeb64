"""The maximum test of all pairs of systems: that of their differences, by the sums of the systems."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from certus.inference import max_t
from certus.inference.many.max_t import max_t_of_pairs, row_order

RNG = np.random.default_rng(20261128)


def pairs_of(systems: int) -> Any:
    return np.array(list(itertools.combinations(range(systems), 2)))


def tables() -> dict[str, Any]:
    near = RNG.normal(size=(40, 4))
    near[:, 1] = near[:, 0] + 1e-11 * RNG.normal(size=40)
    near[:, 3] = near[:, 2] + 1e-11 * RNG.normal(size=40)
    return {
        "few units": RNG.normal(size=(9, 4)),
        "0 and 1": RNG.integers(0, 2, (60, 5)).astype(float),
        "two pairs of near-copies": near,
        "a system twice": RNG.normal(size=(30, 3))[:, [0, 1, 1, 2]],
        "huge and tiny": RNG.normal(size=(30, 4)) * [1e300, 1e-300, 1.0, 1e150],
    }


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("name", tables())
def test_p_is_that_of_the_differences(name: str, alternative: Any) -> None:
    values = tables()[name]
    pairs = pairs_of(values.shape[1])
    differences = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    expected = max_t(differences, alternative=alternative, replicates=2_000, seed=3)
    found = max_t_of_pairs(values, pairs, alternative=alternative, replicates=2_000, seed=3)
    assert found.p.tolist() == expected.p.tolist()
    assert found.raw.tolist() == expected.raw.tolist()
    np.testing.assert_allclose(found.statistic, expected.statistic, rtol=1e-12)


def test_rows_are_ordered_by_the_sizes_of_all_columns_then_by_their_values() -> None:
    for turn in range(60):
        rows = RNG.integers(0, 3, (20, 3)) / 3 if turn % 2 else RNG.normal(size=(20, 3))
        sides = np.array([1.0 if math.fsum(column) >= 0 else -1.0 for column in rows.T])
        expected = np.lexsort((*(rows * sides).T, *np.abs(rows).T))
        assert (rows[row_order(rows)] == rows[expected]).all()
