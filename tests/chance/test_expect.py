"""Expected values of functions of discrete laws, and the moments of 1 / L of Zhang & Su (2012), section II."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from certus import DataError, chance

N, M = 8, 3
"""The paper's Table II: three hits among eight items."""

LISTS = list(combinations(range(1, N + 1), M))


def over_all(f: Callable[[tuple[int, ...]], Fraction]) -> Fraction:
    """The mean of a function of the ranks of the hits over all 56 lists."""
    return sum((f(ranks) for ranks in LISTS), Fraction(0)) / len(LISTS)


@pytest.mark.parametrize("i", [1, 2, 3])
def test_expected_values_of_powers_of_a_rank_are_the_means_over_all_lists(i: int) -> None:
    law = chance.hit_rank(N, M, i)
    inverse = over_all(lambda ranks: Fraction(1, ranks[i - 1]))
    square = over_all(lambda ranks: Fraction(1, ranks[i - 1] ** 2))
    assert law.expect(lambda rank: 1 / rank) == pytest.approx(float(inverse), rel=1e-14)
    assert law.expect(lambda rank: 1 / rank**2) == pytest.approx(float(square), rel=1e-14)
    assert law.reciprocal() == pytest.approx((float(inverse), float(square), float(square - inverse**2)), rel=1e-13)


@pytest.mark.parametrize(("i", "j"), [(1, 2), (1, 3), (2, 3), (3, 1), (2, 2)])
def test_the_joint_law_of_two_ranks_is_counted(i: int, j: int) -> None:
    both = chance.hit_rank(N, M, i).joint(j)
    for s in range(N + 2):
        for t in range(N + 2):
            found = sum(ranks[i - 1] == s and ranks[j - 1] == t for ranks in LISTS)
            assert both.pmf(s, t) == pytest.approx(found / len(LISTS), rel=1e-13, abs=0)
    product = over_all(lambda ranks: Fraction(1, ranks[i - 1] * ranks[j - 1]))
    assert both.expect(lambda s, t: 1 / (s * t)) == pytest.approx(float(product), rel=1e-13)
    # not symmetric in its arguments
    ratio = over_all(lambda ranks: Fraction(ranks[i - 1], ranks[j - 1] ** 2))
    assert both.expect(lambda s, t: s / t**2) == pytest.approx(float(ratio), rel=1e-13)
    parts = [sum((Fraction(1, ranks[each - 1]) for ranks in LISTS), Fraction(0)) / len(LISTS) for each in (i, j)]
    assert both.reciprocal() == pytest.approx((float(product), float(product - parts[0] * parts[1])), rel=1e-12)


def test_the_moments_of_average_precision_add_up_from_those_of_the_ranks() -> None:
    # E(AP) and E(AP^2) as in section II.B, at 40 items and 6 hits, beside the law of AP itself.
    n, m = 40, 6
    ranks = [chance.hit_rank(n, m, i) for i in range(1, m + 1)]
    mean = math.fsum(i * law.reciprocal().mean for i, law in enumerate(ranks, 1)) / m
    square = math.fsum(i**2 * law.reciprocal().square for i, law in enumerate(ranks, 1))
    square += 2 * math.fsum(
        i * j * ranks[i - 1].joint(j).reciprocal().product for i in range(1, m + 1) for j in range(i + 1, m + 1)
    )
    law = chance.average_precision(n, m)
    assert mean == pytest.approx(law.mean(), rel=1e-13)
    assert square / m**2 - mean**2 == pytest.approx(law.var(), rel=1e-10)


@pytest.mark.parametrize("i", [1, 2, 3])
def test_the_expansion_of_the_paper_is_its_formula_11(i: int) -> None:
    law = chance.hit_rank(N, M, i)
    true = Fraction(i * (N + 1), M + 1)
    variance = over_all(lambda ranks: (ranks[i - 1] - true) ** 2)
    printed = Fraction(i * N, M)
    square = Fraction(i * N * (i * N + i + N - M), M * (M + 1))
    for method, mean, var in (("taylor", true, variance), ("zhang-su", printed, square - printed**2)):
        v = var / mean**2
        expected = (1 + v) / mean, (1 + 3 * v) / mean**2, v / mean**2 * (1 - v)
        assert law.reciprocal(method) == pytest.approx(tuple(map(float, expected)), rel=1e-13)  # type: ignore[arg-type]


def test_the_covariance_of_the_expansion_is_that_of_the_ranks_over_their_means() -> None:
    both = chance.hit_rank(N, M, 1).joint(2)
    true = Fraction(9, 8) / (Fraction(9, 4) ** 2 * Fraction(9, 2) ** 2)
    # (9): i (n-1) (nj + n - m) / (m (m-1)) = 7 * 21 / 6, less (8/3) (16/3)
    printed = (Fraction(147, 6) - Fraction(128, 9)) / (Fraction(8, 3) ** 2 * Fraction(16, 3) ** 2)
    assert both.reciprocal("taylor").covariance == pytest.approx(float(true), rel=1e-13)
    assert both.reciprocal("zhang-su").covariance == pytest.approx(float(printed), rel=1e-13)


def test_long_laws_are_summed_as_short_ones() -> None:
    # The paper's setting: E(1 / L) of the first hit is m / (n-m+1) (1/m + ... + 1/n) as of the reciprocal rank.
    n, m = 2000, 500
    first = chance.hit_rank(n, m, 1)
    assert first.expect(lambda rank: 1 / rank) == pytest.approx(chance.reciprocal_rank(n, m).mean(), rel=1e-12)
    assert first.expect(lambda rank: rank) == pytest.approx(first.mean(), rel=1e-12)
    both = chance.hit_rank(1000, 100, 10).joint(20)
    assert both.expect(lambda s, t: s * t) - both.mean[0] * both.mean[1] == pytest.approx(both.covariance, rel=1e-8)


@pytest.mark.parametrize(
    "law",
    [
        chance.hits(5000, 40, 700),
        chance.precision(8, 3, 4),
        chance.recall(8, 3, 4),
        chance.reciprocal_rank(50, 4, cutoff=7),
        chance.reciprocal_rank(50, 4),
        chance.auc(4, 7),
        chance.auc(60, 80),
        chance.average_precision(9, 4),
        chance.list_score(9, 4),
        chance.success(10, 2, 3),
        chance.bpref(relevant=3, nonrelevant=4),
        chance.rbp(8, 3, 0.8),
        chance.dcg({2: 1, 1: 2, 0: 4}),
        chance.ndcg({2: 1, 1: 2, 0: 4}),
    ],
    ids=lambda law: f"{type(law).__name__}-{law.support()[1]:.3g}",
)
def test_every_short_law_can_be_summed(law: chance.Distribution) -> None:
    assert law.expect(lambda x: x) == pytest.approx(law.mean(), rel=1e-11)
    mean = law.mean()
    assert law.expect(lambda x: (x - mean) ** 2) == pytest.approx(law.var(), rel=1e-9)


def test_a_law_that_cannot_be_listed_is_refused() -> None:
    with pytest.raises(DataError, match=r"more than 1,048,576 values .* average f over values from rvs\(\)"):
        chance.average_precision(1000, 100).expect(lambda x: x)
    with pytest.raises(DataError, match="the two ranks have 12,497,500 pairs of values; at most 4,194,304"):
        chance.hit_rank(5000, 2, 1).joint(2).expect(lambda s, t: s * t)


def test_a_function_that_gives_no_number_is_refused() -> None:
    with pytest.raises(DataError, match="f is None at 0; it must give one number"):
        chance.hits(5, 2, 2).expect(lambda x: None)  # type: ignore[arg-type, return-value]


def test_an_engine_that_does_not_exist_is_refused() -> None:
    wrong: Any = "delta"
    for question in (chance.hit_rank(8, 3, 1).reciprocal, chance.hit_rank(8, 3, 1).joint(2).reciprocal):
        with pytest.raises(DataError, match="engine is 'delta'; it must be 'exact', 'taylor' or 'zhang-su'"):
            question(wrong)
