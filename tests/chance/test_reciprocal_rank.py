"""Reciprocal rank under a random ranking."""

import math
from fractions import Fraction

import mpmath
import pytest
from chance_laws_oracle import check, law_of
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, chance
from certus.chance import Distribution


def _value(ranks: tuple[int, ...], cutoff: int) -> Fraction:
    return Fraction(1, ranks[0]) if ranks and ranks[0] <= cutoff else Fraction(0)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6])
def test_reciprocal_rank_agrees_with_all_rankings(n: int) -> None:
    for m in range(n + 1):
        check(chance.reciprocal_rank(n, m), law_of(_value, n, m, n))
        for cutoff in range(1, n + 2):
            expected = law_of(_value, n, m, cutoff)
            check(chance.reciprocal_rank(n, m, cutoff), expected)


def _close(law: Distribution, mean: mpmath.mpf, square: mpmath.mpf) -> None:
    # by default numbers 1e-12 apart are equal, which is more than a sum over late ranks
    assert law.mean() == pytest.approx(float(mean), rel=1e-13, abs=0)
    assert law.var() == pytest.approx(float(square - mean**2), rel=1e-13, abs=0)


@pytest.mark.parametrize("n", [3 * 10**6, 10**9])
def test_one_hit_of_very_many_items_has_harmonic_moments(n: int) -> None:
    with mpmath.workdps(40):
        square = (mpmath.zeta(2) - mpmath.zeta(2, n + 1)) / n
        _close(chance.reciprocal_rank(n, 1), mpmath.harmonic(n) / n, square)
        cut = n // 2
        halved = (mpmath.zeta(2) - mpmath.zeta(2, cut + 1)) / n
        _close(chance.reciprocal_rank(n, 1, cut), mpmath.harmonic(cut) / n, halved)


def test_many_hits_of_a_billion_items_are_a_geometric_series() -> None:
    # With half of the items relevant the first hit is at rank k with probability 2 ** -k, up to 1e-8.
    law = chance.reciprocal_rank(10**9, 5 * 10**8)
    assert law.mean() == pytest.approx(math.log(2), rel=1e-8)
    assert law.var() == pytest.approx(math.pi**2 / 12 - math.log(2) ** 2 / 2 - math.log(2) ** 2, rel=1e-7)
    assert law.ppf(0.4) == 0.5


def test_few_misses_leave_an_exact_mean() -> None:
    law = chance.reciprocal_rank(10**6, 10**6 - 1)
    assert law.mean() == pytest.approx(1 - 0.5e-6, rel=1e-15)
    assert law.var() == pytest.approx(0.25e-6 * (1 - 1e-6), rel=1e-9)


@given(st.integers(1, 200), st.data())
@settings(max_examples=40)
def test_quantiles_come_back(n: int, data: st.DataObject) -> None:
    m = data.draw(st.integers(1, n))
    law = chance.reciprocal_rank(n, m, data.draw(st.none() | st.integers(1, n)))
    x = 1 / data.draw(st.integers(1, n - m + 1))
    assert law.cdf(x) + law.sf(x) == pytest.approx(1, abs=1e-14)
    assert law.tail(x) - law.sf(x) == pytest.approx(law.pmf(x), abs=1e-14)
    if law.pmf(x) > 1e-9:
        assert law.ppf(float(law.cdf(x))) == pytest.approx(x, rel=1e-12)


def test_wrong_cutoffs_are_refused() -> None:
    with pytest.raises(DataError, match="cutoff is 0; it must be a whole number of at least 1"):
        chance.reciprocal_rank(5, 2, 0)
    with pytest.raises(DataError, match="more relevant items than items"):
        chance.reciprocal_rank(1, 2)
