"""The score of a hit list under a random ranking."""

import importlib
import math
from fractions import Fraction

import pytest
from chance_laws_oracle import check, check_at, check_moments, law_of

from certus import DataError, chance
from certus.chance.laws.mann_whitney import Mixture

# The package's attribute of this name is the function.
MODULE = importlib.import_module("certus.chance.laws.list_score")


def _score(ranks: tuple[int, ...], m: Fraction) -> Fraction:
    p, k = ranks[-1], len(ranks)
    if p == 1:
        return Fraction(1)
    gaps = sum(rank for rank in range(1, p) if rank not in ranks)
    return Fraction(k, p) + Fraction(2 * gaps, p * (p - 1)) / m


@pytest.mark.parametrize("n", range(1, 9))
@pytest.mark.parametrize("m", [Fraction(10), Fraction(5), Fraction(5, 2)])
def test_the_score_agrees_with_all_rankings(n: int, m: Fraction) -> None:
    for k in range(1, n + 1):
        expected = law_of(_score, n, k, m)
        check(chance.list_score(n, k, float(m)), expected)


@pytest.mark.parametrize(("n", "k"), [(6, 3), (7, 2), (5, 1)])
def test_the_mixture_agrees_with_all_rankings(n: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "ENUMERATED", -1)
    law = chance.list_score(n, k)
    assert isinstance(law, Mixture)
    expected = law_of(_score, n, k, Fraction(10))
    check_moments(law, expected)
    for value in list(expected)[:: len(expected) // 5 + 1]:
        check_at(law, expected, value)


def test_the_mean_is_the_mean_over_the_last_rank() -> None:
    n, k, m = 3000, 40, 10
    total = math.comb(n, k)
    mean = sum(
        Fraction(math.comb(p - 1, k - 1), total) * (Fraction(k, p) + Fraction(p - k, m * (p - 1)))
        for p in range(k, n + 1)
    )
    law = chance.list_score(n, k, m)
    assert law.method == "fourier"
    assert law.mean() == pytest.approx(float(mean), rel=1e-12)


def test_large_and_listed_laws_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = chance.list_score(120, 12, 4)
    assert listed.exact
    monkeypatch.setattr(MODULE, "ENUMERATED", -1)
    law = chance.list_score(120, 12, 4)
    assert not law.exact
    assert law.std() == pytest.approx(listed.std(), rel=1e-11)
    assert law.skewness() == pytest.approx(listed.skewness(), rel=1e-9)
    assert law.kurtosis() == pytest.approx(listed.kurtosis(), rel=1e-9)
    for q in (0.9, 0.5, 1e-3, 1e-6):
        x = listed.isf(q)
        assert law.tail(x) == pytest.approx(listed.tail(x), rel=1e-11)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="relevant is 6 but items is 5; there cannot be more relevant items than items"):
        chance.list_score(5, 6)
    with pytest.raises(DataError, match="relevant is 0; it must be a whole number of at least 1"):
        chance.list_score(5, 0)
    with pytest.raises(DataError, match="m is 2; it must be a finite number above 2"):
        chance.list_score(5, 2, 2)
    with pytest.raises(DataError, match="the last hit can be at 999999999 ranks; at most 10000000"):
        chance.list_score(10**9, 2)
