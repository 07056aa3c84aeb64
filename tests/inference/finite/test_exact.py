"""Exact limits against tables of whole numbers, for every population up to 60."""

from collections.abc import Callable
from functools import partial

import audit_oracle as oracle
import numpy as np
import pytest

from certus import CertusError
from certus.core.arrays import Ints
from certus.inference.finite import hypergeometric
from certus.inference.finite.hypergeometric import acceptance, amo, wang

LEVEL = 0.95
PAIRS = [(population, n) for population in range(61) for n in range(population + 1)]
SOME = [(population, n) for population, n in PAIRS if population < 20 or population in (31, 40, 60)]
Pair = tuple[Ints, Ints]


def for_all_hits(method: Callable[[int, int, int, float], tuple[int, int]], population: int, n: int) -> Pair:
    """The limits of a method at level .95 for each number of hits from 0 to n."""
    low, high = np.array([method(k, n, population, LEVEL) for k in range(n + 1)]).T
    return low, high


METHODS: dict[str, Callable[[int, int], Pair]] = {
    "blaker": partial(for_all_hits, hypergeometric.blaker),
    "hypergeometric": partial(for_all_hits, hypergeometric.equal_tailed),
    "amo": partial(amo, level=LEVEL),
    "wang": partial(wang, level=LEVEL),
}


@pytest.mark.parametrize("name", METHODS)
def test_exact_limits_never_cover_less_than_their_level(name: str) -> None:
    # The default for every pair; bench/coverage/audit.py does so for all.
    for population, n in PAIRS if name == "blaker" else SOME:
        low, high = METHODS[name](population, n)
        held = oracle.covered(low, high, population, n)
        assert (20 * held >= 19 * oracle.CHOOSE[population, n]).all(), (population, n)
        assert (np.diff(low) >= 0).all(), (population, n)
        assert (high == population - low[::-1]).all(), (population, n)


def test_blaker_is_the_hull_of_what_its_test_does_not_refute() -> None:
    for population, n in PAIRS:
        if population <= 40:
            low, high = METHODS["blaker"](population, n)
            slow_low, slow_high = oracle.blaker(population, n)
            assert (low == slow_low).all(), (population, n)
            assert (high == slow_high).all(), (population, n)


def test_amo_is_the_slow_construction() -> None:
    for population, n in PAIRS:
        if population <= 40:
            low, high = amo(population, n, LEVEL)
            slow_low, slow_high = oracle.amo(population, n)
            assert (low == slow_low).all(), (population, n)
            assert (high == slow_high).all(), (population, n)


def test_amo_has_the_least_total_size_and_accepts_runs_whose_ends_do_not_decrease() -> None:
    for population, n in SOME:
        low, high = amo(population, n, LEVEL)
        needed = oracle.fewest(population, n)
        # Half of the population can only have a symmetric acceptance set, of every other size.
        odd = population % 2 == 0 and (n + 1 - needed[population // 2]) % 2
        assert (high - low + 1).sum() == needed.sum() + odd, (population, n)
        first, last = acceptance(population, n, LEVEL)
        assert (np.diff(first) >= 0).all(), (population, n)
        assert (np.diff(last) >= 0).all(), (population, n)


def test_amo_covers_half_of_an_even_population() -> None:
    # Only a symmetric acceptance set will do there; the narrower one of two that are not covers 0.943.
    low, high = amo(500, 100, LEVEL)
    assert hypergeometric.coverage_of(low, high, 500)[250] >= LEVEL


def test_no_limit_of_wang_can_be_drawn_in() -> None:
    for population, n in [(23, 9), (30, 13), (41, 10), (48, 20), (50, 7)]:
        low, high = wang(population, n, LEVEL)
        for k in range(n + 1):
            if low[k] == (low[k + 1] if k < n else population) or low[k] == high[k]:
                continue  # drawn in further, it would not be monotone, or empty
            drawn = low.copy()
            drawn[k] += 1
            if (drawn > population - drawn[::-1]).any():
                continue
            held = oracle.covered(drawn, population - drawn[::-1], population, n)
            assert (20 * held < 19 * oracle.CHOOSE[population, n]).any(), (population, n, k)


@pytest.mark.parametrize(("population", "n"), [(1, 1), (2, 1), (17, 5), (60, 13), (200, 40), (401, 390), (2000, 60)])
@pytest.mark.parametrize("level", [0.3, 0.8, 0.95, 0.9999])
def test_one_interval_is_that_of_a_table_of_all_probabilities(population: int, n: int, level: float) -> None:
    chances = np.zeros((population + 1, n + 1))
    for k in range(n + 1):
        chances[k : population - n + k + 1, k] = hypergeometric.column(k, n, population, k, population - n + k)
    upper_tails = chances[:, ::-1].cumsum(axis=1)[:, ::-1]
    bound = (1 - level) / 2 * (1 + 1e-11)
    for one, tails in ((hypergeometric.equal_tailed, upper_tails), (hypergeometric.mid_p, upper_tails - chances / 2)):
        low = (tails > bound).argmax(axis=0)
        for k in {*range(0, n + 1, max(n // 12, 1)), n}:
            limits = one(k, n, population, level)
            assert limits == (low[k], population - low[n - k]) or low[k] > population - low[n - k], (one, k)


@pytest.mark.parametrize(("population", "n"), [(1, 1), (12, 11), (12, 12), (17, 4), (30, 29)])
@pytest.mark.parametrize("level", [1e-9, 0.1, 0.3, 0.6])
def test_mid_p_limits_are_in_order_and_possible_at_low_levels(population: int, n: int, level: float) -> None:
    k = np.arange(n + 1)
    low, high = np.array([hypergeometric.mid_p(hits, n, population, level) for hits in k.tolist()]).T
    assert (k <= low).all()
    assert (low <= high).all()
    assert (high <= population - n + k).all()
    assert (low == population - high[::-1]).all()


def test_where_the_mid_p_tests_refute_all_counts_the_least_refuted_is_left() -> None:
    # 29 of 30 checked, 10 hits: P(K = 10 | X = 10) = 20/30, so mid-P of "more" is 1/3, and of X = 11 19/30 + 11/60.
    assert hypergeometric.mid_p(10, 29, 30, 0.3) == (10, 10)
    # One of two checked, a hit: X = 1 has the mid-P 1/4 and X = 2 1/2. With 1 of 2 of 3 both 1 and 2 have 1/3 or 2/3.
    assert hypergeometric.mid_p(1, 1, 2, 0.01) == (2, 2)
    assert hypergeometric.mid_p(1, 2, 3, 0.1) == (1, 2)


@pytest.mark.parametrize(("population", "n"), [(500, 499), (1000, 100), (1999, 700), (2000, 1000)])
@pytest.mark.parametrize("name", METHODS)
def test_exact_limits_of_larger_populations_cover(name: str, population: int, n: int) -> None:
    low, high = METHODS[name](population, n)
    assert hypergeometric.coverage_of(low, high, population).min() >= LEVEL - 1e-12


def test_a_one_sided_limit_covers_its_level_and_a_greater_one_does_not() -> None:
    population, n = 40, 11
    low = np.array([hypergeometric.lower(k, n, population, 0.05) for k in range(n + 1)])
    assert (20 * oracle.covered(low, np.full(n + 1, population), population, n) >= 19 * oracle.CHOOSE[40, 11]).all()
    for k in range(1, n + 1):
        greater = np.where(np.arange(n + 1) == k, low + 1, low)
        held = oracle.covered(greater, np.full(n + 1, population), population, n)
        assert (20 * held < 19 * oracle.CHOOSE[40, 11]).any()
    assert [population - hypergeometric.upper(n - k, n, population, 0.05) for k in range(n + 1)] == low.tolist()


@pytest.mark.parametrize(("name", "method"), [("amo", amo), ("wang", wang)])
def test_populations_too_large_for_all_counts_at_once_are_refused(name: str, method: Callable[..., Pair]) -> None:
    with pytest.raises(CertusError, match=f"positives is 200001; the method '{name}' .* goes to 200000: take 'blaker'"):
        method(200_001, 10, LEVEL)
