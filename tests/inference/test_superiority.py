"""Posterior probabilities that one system is better."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import mp

from certus import DataError
from certus.inference import dirichlet_superiority, f1_superiority

COUNT = st.integers(0, 20)


def larger(a: int, b: int, c: int, d: int) -> float:
    """P(Beta(a, b) > Beta(c, d)) for whole parameters: the finite sum over Beta(a, b)'s Bernstein terms."""
    total = mp.mpf(0)
    for i in range(a):
        total += mp.beta(c + i, b + d) / ((b + i) * mp.beta(1 + i, b) * mp.beta(c, d))
    return float(total)


@given(COUNT, COUNT, COUNT)
def test_more_wins_are_probably_better_by_the_finite_sum(n1: int, n2: int, n3: int) -> None:
    a, b = n1 + 1, n2 + 1
    expected = sum(math.comb(a + b - 1, i) for i in range(b, a + b)) / 2 ** (a + b - 1)
    assert dirichlet_superiority(n1, n2, n3) == pytest.approx(expected, rel=1e-12)
    assert dirichlet_superiority(n1, n2) + dirichlet_superiority(n2, n1) == pytest.approx(1, abs=1e-14)


@given(st.tuples(COUNT, COUNT, COUNT), st.tuples(COUNT, COUNT, COUNT))
@example((9, 12, 20), (16, 0, 0))
@example((1, 9, 20), (10, 0, 0))
def test_f1_superiority_is_the_finite_sum_for_a_whole_prior(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    expected = larger(a[0] + 1, a[1] + a[2] + 2, b[0] + 1, b[1] + b[2] + 2)
    assert f1_superiority(a, b, prior=1) == pytest.approx(expected, abs=1e-9)
    assert f1_superiority(a, b) + f1_superiority(b, a) == pytest.approx(1, abs=1e-9)


def test_large_counts_keep_the_answer() -> None:
    assert f1_superiority((90_000, 10_000, 10_000), (89_000, 11_000, 11_000)) > 0.999999
    assert f1_superiority((10**8, 10**7, 10**7), (10**8, 10**7, 10**7 + 1)) == pytest.approx(0.5, abs=1e-3)


def test_bad_input_is_refused() -> None:
    with pytest.raises(DataError, match="a has 2 counts; give tp, fp and fn"):
        f1_superiority((1, 2), (1, 2, 3))
    with pytest.raises(DataError, match="fn of b"):
        f1_superiority((1, 2, 3), (1, 2, -3))
    with pytest.raises(DataError, match="prior is 0"):
        dirichlet_superiority(1, 2, prior=0)
    with pytest.raises(DataError, match="n2"):
        dirichlet_superiority(1, -2)
