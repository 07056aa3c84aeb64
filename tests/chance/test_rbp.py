"""Rank-biased precision of a random ranking."""

from fractions import Fraction

import pytest
from chance.test_average_precision import agrees

from certus.chance import rbp
from certus.errors import DataError
from chance import oracles


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 2), Fraction(4, 5)])
def test_every_small_law_is_that_of_all_rankings(p: Fraction) -> None:
    for n, m, cutoff in [(1, 0, 1), (1, 1, 1), (6, 2, 6), (8, 4, 8), (8, 4, 3), (7, 6, 5)]:

        def metric(ranks: tuple[int, ...], cutoff: int = cutoff) -> Fraction:
            return (1 - p) * sum((p ** (t - 1) for t in ranks if t <= cutoff), Fraction(0))

        agrees(rbp(n, m, float(p), cutoff), oracles.law_of(n, m, metric))


def test_a_long_ranking_is_answered() -> None:
    law = rbp(1000, 100, 0.8)
    assert law.mean() == pytest.approx(0.1, rel=1e-12)
    p = law.tail(0.4)
    assert p.method == "fourier"
    assert p == pytest.approx((law.rvs(40_000, seed=4) >= 0.4).mean(), abs=0.0025)
    assert rbp(10**9, 10**8, 0.5).mean() == pytest.approx(0.1, rel=1e-9)


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(DataError, match=r"p is 1; it must lie in \[0, 1\)"):
        rbp(5, 2, 1)
    with pytest.raises(DataError, match="m is 6, but there are only 5 items"):
        rbp(5, 6, 0.5)
