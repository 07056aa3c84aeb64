"""The null law of the area under the curve."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from chance_laws_oracle import agree, check, check_at, check_moments, law_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus import DataError, chance
from certus.chance.laws.auc import SumWithoutReplacement, enumerated
from certus.chance.laws.mann_whitney import MannWhitney, masses


def _area(positives: tuple[int, ...], groups: list[int]) -> Fraction:
    """The share of pairs in order, ties half; `positives` are places from the lowest score, 1 first."""
    group = [g for g, size in enumerate(groups) for _ in range(size)]
    chosen = {position - 1 for position in positives}
    others = [group[i] for i in range(len(group)) if i not in chosen]
    won = sum(2 * (group[i] > g) + (group[i] == g) for i in chosen for g in others)
    return Fraction(won, 2 * len(chosen) * len(others))


def _compositions(n: int) -> Iterator[list[int]]:
    for cuts in range(n):
        for places in combinations(range(1, n), cuts):
            ends = [0, *places, n]
            yield [b - a for a, b in pairwise(ends)]


def _inverted(pos: int, neg: int, groups: list[int]) -> SumWithoutReplacement:
    """The law with ties as larger ones are found."""
    ends = np.cumsum(groups)
    ranks = [int(end + end - size + 1) for end, size in zip(ends, groups, strict=True)]
    return SumWithoutReplacement(ranks, groups, pos, -pos * (pos + 1), 2 * pos * neg)


@pytest.mark.parametrize("n", range(2, 8))
def test_area_agrees_with_all_rankings(n: int) -> None:
    for pos in range(1, n):
        expected = law_of(_area, n, pos, [1] * n)
        check(chance.auc(pos, n - pos), expected)
        check(MannWhitney(pos, n - pos, pos * (n - pos)), expected, list(expected)[:: 1 + n // 4])


@pytest.mark.parametrize("n", range(2, 7))
def test_area_with_ties_agrees_with_all_rankings_and_all_groups(n: int) -> None:
    for pos in range(1, n):
        for groups in _compositions(n):
            expected = law_of(_area, n, pos, groups)
            check(chance.auc(pos, n - pos, ties=groups), expected)


@pytest.mark.parametrize("groups", [[1, 2, 1], [3, 1, 2], [2, 2, 2, 1], [1, 5], [1, 1, 4, 1], [4, 3]])
def test_the_fourier_sum_with_ties_agrees_with_all_rankings(groups: list[int]) -> None:
    n = sum(groups)
    for pos in range(1, n):
        expected = law_of(_area, n, pos, groups)
        law = _inverted(pos, n - pos, groups)
        check_moments(law, expected)
        for value in list(expected)[::2]:
            check_at(law, expected, value)


def test_all_tied_is_one_half() -> None:
    for law in (chance.auc(3, 4, ties=[7]), chance.auc(10**5, 10**5, ties=[2 * 10**5])):
        assert law.support() == (0.5, 0.5)
        assert (law.mean(), law.var()) == (0.5, 0)
        assert [float(p) for p in (law.pmf(0.5), law.tail(0.5), law.sf(0.5))] == [1, 1, 0]


@pytest.mark.parametrize(("pos", "neg"), [(8, 13), (1, 30), (25, 25)])
def test_p_values_are_scipys(pos: int, neg: int) -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    law = chance.auc(pos, neg)
    for _ in range(5):
        x, y = rng.normal(0.5, 1, pos), rng.normal(0, 1, neg)
        other = stats.mannwhitneyu(x, y, alternative="greater", method="exact")
        assert law.tail(other.statistic / (pos * neg)) == pytest.approx(other.pvalue, rel=1e-11)


@pytest.mark.parametrize(("m", "n"), [(3, 40), (12, 12), (20, 35), (40, 40)])
def test_the_fourier_sum_agrees_with_whole_counts(m: int, n: int) -> None:
    counts = [1] + [0] * (m * n)
    for j in range(1, m + 1):
        for u in range(m * n, n + j - 1, -1):
            counts[u] -= counts[u - n - j]
        for u in range(j, m * n + 1):
            counts[u] += counts[u - j]
    total = math.comb(m + n, m)
    law, listed = MannWhitney(m, n), masses(m, n)[m]
    assert all(agree(p, Fraction(c, total)) for p, c in zip(listed.tolist(), counts, strict=True))
    for u in [*range(0, m * n, max(1, m * n // 40)), m * n - 1, m * n]:
        exact = Fraction(sum(counts[u:]), total)
        tail = law.tail(u)
        assert agree(tail, exact, 1e-12)
        assert abs(tail - exact) <= max(tail.error, 3e-15 * exact) * 3
        assert agree(law.pmf(u), Fraction(counts[u], total), 1e-12)


@pytest.mark.parametrize(
    ("groups", "pos"), [([1] * 30, 12), ([5] * 8, 20), ([20, 3, 17], 9), ([1, 38, 1], 20), ([7, 3, 11, 4, 9, 6], 20)]
)
def test_the_fourier_sum_with_ties_agrees_with_adding_group_by_group(groups: list[int], pos: int) -> None:
    law = _inverted(pos, sum(groups) - pos, groups)
    listed = enumerated(law)
    low, high = law.support()
    for x in np.linspace(low, high, 15).tolist():
        value = listed.ppf(min(max(float(listed.cdf(x)), 1e-12), 1.0))
        assert law.tail(value) == pytest.approx(listed.tail(value), rel=1e-12)
        assert law.pmf(value) == pytest.approx(listed.pmf(value), rel=1e-12)


@pytest.mark.parametrize("x", [0.45, 0.5, 0.52, 0.6, 0.9])
def test_two_generating_functions_agree_on_a_thousand_items(x: float) -> None:
    product, draw = MannWhitney(500, 500, 500**2).tail(x), _inverted(500, 500, [1] * 1000).tail(x)
    assert draw == pytest.approx(product, rel=5e-13)
    assert abs(draw - product) <= 4 * (draw.error + product.error) + 2e-16


def test_a_sum_of_ten_unbalanced_pairs_is_known_at_the_top() -> None:
    # The top eleven values of the statistic are counted by the partitions of 0 to 10, together 139.
    log = math.log(139) - math.lgamma(2001) + 2 * math.lgamma(1001)
    assert chance.auc(1000, 1000).logtail(1 - 10 / 10**6) == pytest.approx(log, rel=1e-11)


def test_very_many_items_are_normal_in_the_middle() -> None:
    for size in (10**5, 10**9):
        law = chance.auc(size, size)
        assert law.mean() == 0.5
        assert law.var() == pytest.approx((2 * size + 1) / (12 * size**2), rel=1e-14)
        for z in (0.5, 2.0, 4.0):
            # The excess kurtosis is near -1.2 / size.
            assert law.tail(0.5 + z * law.std()) == pytest.approx(stats.norm.sf(z), rel=1e-3)
    # The fourth cumulant is near -n^5 / 20, the variance of U near n^3 / 6.
    assert chance.auc(10**5, 10**5).kurtosis() == pytest.approx(-1.8e-5, rel=1e-4)


@given(st.integers(1, 12), st.integers(1, 12), st.data())
@settings(max_examples=40)
def test_the_law_mirrors_itself(pos: int, neg: int, data: st.DataObject) -> None:
    law = chance.auc(pos, neg)
    x = data.draw(st.integers(0, pos * neg)) / (pos * neg)
    assert law.tail(x) == pytest.approx(law.cdf(1 - x), rel=1e-12)
    assert law.cdf(x) + law.sf(x) == pytest.approx(1, abs=1e-13)
    assert law.tail(x) == pytest.approx(chance.auc(neg, pos).tail(x), rel=1e-12)
    assert law.ppf(float(law.cdf(x))) == pytest.approx(x, abs=1e-12)
    groups = data.draw(st.lists(st.integers(1, 6), min_size=1).filter(lambda sizes: sum(sizes) >= 2))
    positives = data.draw(st.integers(1, sum(groups) - 1))
    forward = chance.auc(positives, sum(groups) - positives, ties=groups)
    backward = chance.auc(positives, sum(groups) - positives, ties=groups[::-1])
    y = forward.ppf(0.3)
    assert forward.cdf(y) == pytest.approx(backward.tail(1 - y), rel=1e-12)


@given(st.lists(st.integers(1, 9), min_size=2), st.data())
@settings(max_examples=40)
def test_the_variance_is_the_textbooks(groups: list[int], data: st.DataObject) -> None:
    n = sum(groups)
    pos = data.draw(st.integers(1, n - 1))
    ties = sum(t**3 - t for t in groups)
    expected = (n + 1 - ties / (n * (n - 1))) / (12 * pos * (n - pos))
    assert _inverted(pos, n - pos, groups).var() == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert _inverted(pos, n - pos, groups).mean() == pytest.approx(0.5, rel=1e-14)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="pos is 0; it must be a whole number of at least 1"):
        chance.auc(0, 3)
    with pytest.raises(DataError, match=r"the groups in ties hold 4 items but pos \+ neg is 5"):
        chance.auc(2, 3, ties=[2, 2])
    with pytest.raises(DataError, match="ties must be a list of group sizes"):
        chance.auc(2, 3, ties=[5, 0])
    with pytest.raises(DataError, match="ties must be a list of group sizes"):
        chance.auc(2, 3, ties=[2.5, 2.5])


def test_counts_beyond_the_digits_of_logarithms_are_refused() -> None:
    with pytest.raises(DataError, match="is computed for at most 1,000,000,000,000 items"):
        chance.auc(10**12, 10**12)


@pytest.mark.parametrize(("pos", "neg"), [(60, 300), (200, 200), (3, 40_000)])
def test_the_error_covers_the_greatest_areas_which_partitions_count(pos: int, neg: int) -> None:
    law = chance.auc(pos, neg)
    assert law.method == "fourier"
    orders = math.comb(pos + neg, pos)
    # The area is k pairs short of 1 in as many orders as k has partitions: 1, 1, 2, 3 for k from 0.
    for k, (here, upto) in enumerate(zip((1, 1, 2, 3), (1, 2, 4, 7), strict=True)):
        x = (pos * neg - k) / (pos * neg)
        for found, count in ((law.pmf(x), here), (law.tail(x), upto)):
            assert abs(Fraction(found) - Fraction(count, orders)) <= found.error
            assert found.error <= 1e-9 * found
