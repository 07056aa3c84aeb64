"""Rank-biased precision of a random ranking."""

import math
from fractions import Fraction

import numpy as np
import pytest
from chance.test_average_precision import agrees
from chance_laws_oracle import law_of

from certus import DataError
from certus.chance import rbp


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 2), Fraction(4, 5)])
def test_every_small_law_is_that_of_all_rankings(p: Fraction) -> None:
    for n, m, cutoff in [(1, 0, 1), (1, 1, 1), (6, 2, 6), (8, 4, 8), (8, 4, 3), (7, 6, 5)]:

        def metric(ranks: tuple[int, ...], cutoff: int = cutoff) -> Fraction:
            return (1 - p) * sum((p ** (t - 1) for t in ranks if t <= cutoff), Fraction(0))

        agrees(rbp(n, m, float(p), cutoff), law_of(metric, n, m))


def test_a_long_ranking_is_answered() -> None:
    law = rbp(1000, 100, 0.8)
    assert law.mean() == pytest.approx(0.1, rel=1e-12)
    p = law.tail(0.4)
    assert p.method == "fourier"
    assert p == pytest.approx((law.rvs(40_000, seed=4) >= 0.4).mean(), abs=0.0025)
    assert rbp(10**9, 10**8, 0.5).mean() == pytest.approx(0.1, rel=1e-9)


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(DataError, match=r"p is 1; it must be a number in \[0, 1\)"):
        rbp(5, 2, 1)
    with pytest.raises(DataError, match="relevant is 6, but there are only 5 items"):
        rbp(5, 6, 0.5)


@pytest.mark.parametrize("p", ["a", None, False, True])
def test_a_persistence_that_is_no_number_is_refused(p: object) -> None:
    with pytest.raises(DataError, match=f"p is {p!r}; it must be a number"):
        rbp(5, 2, p)  # type: ignore[arg-type]


def test_more_ranks_than_can_be_listed_are_refused() -> None:
    with pytest.raises(DataError, match=r"of 1000000000 items .* give a cutoff"):
        rbp(10**9, 5, 0.9999999999)


def test_a_persistence_near_one_keeps_its_variance() -> None:
    p = 1 - 1e-7
    q = Fraction(p)
    weights = [(1 - q) * q**t for t in range(100)]
    mean = sum(weights) / 100
    exact = 5 * 95 * sum((w - mean) ** 2 for w in weights) / (100 * 99)
    assert rbp(100, 5, p).var() == pytest.approx(float(exact), rel=1e-11)
    law = rbp(1000, 20, 1 - 1e-8)
    low, high = law.support()
    assert low < law.ppf(0.5) < high
    assert abs(law.ppf(0.5) - law.mean()) < 0.1 * law.std()


LONG = [(2000, 30, 0.5), (5000, 50, 0.8), (1000, 10, 0.95), (400, 60, 0.7)]


@pytest.mark.parametrize(("items", "relevant", "p"), LONG)
def test_the_stated_error_of_the_greatest_value_is_a_bound(items: int, relevant: int, p: float) -> None:
    law = rbp(items, relevant, p)
    chance, found = Fraction(1, math.comb(items, relevant)), law.tail(law.support()[1])
    assert abs(Fraction(float(found)) - chance) <= Fraction(found.error) < chance / 1000
    assert not found.exact


@pytest.mark.parametrize(("items", "relevant", "p"), [(2338, 35, 0.7), (1282, 11, 0.5), (1500, 40, 0.6)])
def test_an_answer_with_an_error_as_large_as_itself_goes_on_to_random_rankings(
    items: int, relevant: int, p: float
) -> None:
    # Within rounding of the least value lie all rankings without an early hit, which no inversion tells apart.
    law = rbp(items, relevant, p)
    slack = 1e-12 * law.support()[1]
    generator = np.random.default_rng(17)
    ranks = np.array([generator.choice(items, relevant, replace=False) for _ in range(20_000)])
    values = ((1 - p) * p ** ranks.astype(float)).sum(axis=1)
    share = float((values > slack).mean())
    for found in (law.sf(0.0), 1 - law.cdf(0.0), 1 - law.pmf(0.0)):
        assert abs(float(found) - share) < 0.02
    assert law.sf(0.0).method == "Monte Carlo"
    assert 0 < law.sf(0.0).error < 0.02
    assert rbp(items, relevant, p, engine="fourier").sf(0.0).method == "fourier"
