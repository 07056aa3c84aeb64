"""Binary preference under a random ranking."""

import importlib
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from chance_laws_oracle import check, check_at, check_moments, law_of

import certus
from certus import DataError, chance
from certus.statistic import Mean

Preference = importlib.import_module("certus.chance.laws.bpref").Preference


def _bpref(ranks: tuple[int, ...], relevant: int, nonrelevant: int) -> Fraction:
    if not relevant:
        return Fraction(0)
    total = Fraction(0)
    for j, rank in enumerate(ranks):
        above = rank - 1 - j
        total += 1 - Fraction(min(above, relevant), min(relevant, nonrelevant)) if above else 1
    return total / relevant


@pytest.mark.parametrize("relevant", range(5))
def test_bpref_agrees_with_all_rankings(relevant: int) -> None:
    for nonrelevant in range(9 - relevant):
        expected = law_of(_bpref, relevant + nonrelevant, relevant, relevant, nonrelevant)
        check(chance.bpref(relevant=relevant, nonrelevant=nonrelevant), expected)


@pytest.mark.parametrize(("relevant", "nonrelevant"), [(1, 4), (2, 5), (3, 4), (3, 7), (4, 6)])
def test_the_mixture_agrees_with_all_rankings(relevant: int, nonrelevant: int) -> None:
    expected = law_of(_bpref, relevant + nonrelevant, relevant, relevant, nonrelevant)
    law = Preference(relevant, nonrelevant)
    check_moments(law, expected)
    for value in list(expected)[:: len(expected) // 5 + 1]:
        check_at(law, expected, value)


@pytest.mark.parametrize(("relevant", "nonrelevant"), [(3, 3), (2, 4), (4, 2)])
def test_the_values_are_the_metrics(relevant: int, nonrelevant: int) -> None:
    n = relevant + nonrelevant
    qrels, run = {}, {}
    for ranks in combinations(range(1, n + 1), relevant):
        query = str(ranks)
        qrels[query] = {f"d{rank}": int(rank in ranks) for rank in range(1, n + 1)}
        run[query] = {f"d{rank}": float(n - rank) for rank in range(1, n + 1)}
    statistic = certus.ranking.bpref(qrels, run).statistic
    assert isinstance(statistic, Mean)
    values = Counter([round(value, 12) for value in statistic.values.tolist()])
    law = chance.bpref(relevant=relevant, nonrelevant=nonrelevant)
    for value, count in values.items():
        assert law.pmf(value) == pytest.approx(count / math.comb(n, relevant), rel=1e-12)


@pytest.mark.parametrize(("relevant", "nonrelevant"), [(20, 60), (50, 51), (60, 10**6)])
def test_the_mixture_agrees_with_the_list_of_all_values(relevant: int, nonrelevant: int) -> None:
    law = Preference(relevant, nonrelevant)
    listed = law.enumerated()
    assert law.mean() == pytest.approx(listed.mean(), rel=1e-12)
    assert law.var() == pytest.approx(listed.var(), rel=1e-11)
    assert law.skewness() == pytest.approx(listed.skewness(), rel=1e-9, abs=1e-10)
    assert law.kurtosis() == pytest.approx(listed.kurtosis(), rel=1e-9, abs=1e-10)
    for q in (0.5, 1e-3, 1e-9):
        x = listed.isf(q)
        tail = law.tail(x)
        assert tail == pytest.approx(listed.tail(x), rel=1e-12)
        assert tail.error <= 1e-12 * tail


@pytest.mark.parametrize(("relevant", "nonrelevant"), [(100, 103), (120, 400), (100, 2000)])
def test_all_parts_at_once_agree_with_the_list_of_all_values(relevant: int, nonrelevant: int) -> None:
    law = Preference(relevant, nonrelevant)
    listed = law.enumerated()
    inverted = 0
    for q in (1e-60, 1e-9, 0.03, 0.5, 0.9, 1 - 1e-9):
        x = listed.isf(q)
        assert q > 0.99 or law.isf(q) == pytest.approx(x, rel=1e-14)
        for position in (x, x + 0.4 / relevant**2):
            for question in ("tail", "sf", "cdf", "pmf"):
                p, expected = getattr(law, question)(position), getattr(listed, question)(position)
                assert abs(p - expected) <= max(p.error, 2e-15 * expected)
                assert p.error <= 1e-11 * max(p, 1e-280)
        inverted += law._pairs.far_tail(law._index(x, first=True)) is not None
    assert inverted >= 5


def test_quantiles_of_many_relevant_are_single_values() -> None:
    law = Preference(10_000, 30_000)
    x = law.ppf(0.3)
    assert law.cdf(x) >= 0.3 > law.cdf(x - 0.5 / 10_000**2)
    assert x * 10_000**2 == pytest.approx(round(x * 10_000**2), abs=1e-6)


def test_with_as_few_others_it_is_the_area_under_the_curve() -> None:
    law, area = chance.bpref(relevant=6, nonrelevant=5), chance.auc(6, 5)
    assert law.tail(0.7) == area.tail(0.7)


def test_moments_of_a_large_collection_are_closed() -> None:
    r, n = 1000, 10**6
    law = chance.bpref(relevant=r, nonrelevant=n)
    # A relevant document has 0, 1, ..., r - 1 others above it with probability 1 / (n + 1) each.
    assert law.mean() == pytest.approx((r + 1) / 2 / (n + 1), rel=1e-13)
    assert law.method == "fourier"
    assert 0 < law.tail(0.004) < 1e-2


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="relevant is -1; it must be a whole number of at least 0"):
        chance.bpref(relevant=-1, nonrelevant=4)
    with pytest.raises(DataError, match="nonrelevant is 'x'"):
        chance.bpref(relevant=1, nonrelevant="x")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="at most 10000000 can be looked at"):
        chance.bpref(relevant=2 * 10**7, nonrelevant=10**8)
