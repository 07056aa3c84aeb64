"""Exact sums against math.fsum and rationals, in any order and partition."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.core import kernels
from certus.core.arrays import flush, sinking_products

NUMBERS = st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), max_size=60)
MODERATE = st.lists(st.floats(-1e60, 1e60).filter(lambda x: x == 0 or abs(x) > 1e-60), max_size=40)


def rounded(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


@given(NUMBERS, st.randoms(use_true_random=False))
def test_the_sum_is_rounded_once_whatever_the_order(values: list[float], random: Random) -> None:
    shuffled = random.sample(values, len(values))
    for each in (values, shuffled):
        assert kernels.exact_sum(np.array(each)) == rounded(sum(map(Fraction, values), Fraction(0)))


@given(MODERATE)
def test_powers_and_products_are_exact(values: list[float]) -> None:
    array = np.array(values)
    sums = kernels.ExactSums(4)
    sums.add_powers(0, array)
    expected = [rounded(sum((Fraction(x) ** power for x in values), Fraction(0))) for power in (1, 2, 3, 4)]
    assert sums.rounded() == expected
    assert kernels.exact_dot(array, array[::-1].copy()) == rounded(
        sum((Fraction(x) * Fraction(y) for x, y in zip(values, reversed(values), strict=True)), Fraction(0))
    )


@given(NUMBERS, NUMBERS)
def test_a_partition_has_the_parts_of_the_whole(one: list[float], other: list[float]) -> None:
    whole, a, b = (kernels.ExactSums(1) for _ in range(3))
    whole.add(0, np.array(one + other))
    a.add(0, np.array(other))
    b.add(0, np.array(one))
    a.merge(b)
    assert a.parts().tolist() == whole.parts().tolist()
    assert kernels.ExactSums.of_parts(a.parts()).rounded() == whole.rounded()


def test_a_sum_beyond_floats_has_a_mean() -> None:
    largest = np.finfo(np.float64).max
    values = np.full(6, largest)
    assert kernels.exact_sum(values) == math.inf
    assert kernels.exact_sum(values, over=10) / 6 * 2**10 == pytest.approx(largest)
    assert math.isnan(kernels.exact_sum(np.array([math.inf, -math.inf])))


def test_parts_that_are_none_are_refused() -> None:
    parts = kernels.ExactSums(2).parts()
    for wrong in (parts[:-1], np.full_like(parts, -1)):
        with pytest.raises(ValueError, match="not the parts of exact sums"):
            kernels.ExactSums.of_parts(wrong)
    with pytest.raises(ValueError, match="there are 2 sums, not one at 2"):
        kernels.ExactSums(2).add(2, np.zeros(1))
    with pytest.raises(ValueError, match="2 sums do not merge with 3"):
        kernels.ExactSums(2).merge(kernels.ExactSums(3))


def test_sinking_products_are_those_of_numpy_and_leave_no_subnormal_number() -> None:
    factors = np.linspace(1.01, 0.8, 9_000)
    plain, found = np.cumprod(factors), sinking_products(factors)
    tiny = np.finfo(np.float64).tiny
    assert ((plain > 0) & (plain < tiny)).sum() > 50
    assert not ((found > 0) & (found < tiny)).any()
    kept = plain >= 1e-290
    assert found[kept].tobytes() == plain[kept].tobytes()
    assert not found[~kept].any()


def test_flush_looks_at_both_parts_of_complex_numbers() -> None:
    values = np.array([1e-300 + 1j, 1 - 1e-310j, 2e-290 + 0j])
    flush(values)
    assert values.tolist() == [1j, 1 + 0j, 2e-290 + 0j]
