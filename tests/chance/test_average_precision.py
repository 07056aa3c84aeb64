"""Average precision of a random ranking: by hand, against every ranking in rationals, and at its limits."""

import math
from itertools import combinations
from math import comb

import numpy as np
import pytest
from chance_laws_oracle import moments

from certus import DataError
from certus.chance import average_precision
from certus.chance.distribution import Distribution
from certus.chance.laws.sums_of_hits import log_bound_of_precisions
from chance import oracles


def agrees(law: Distribution, expected: oracles.Law, within: float = 1e-12) -> None:
    """Every probability and every moment is that of the enumeration."""
    values = sorted(expected)
    points = np.array([float(value) for value in values])
    masses = np.array([float(expected[value]) for value in values])
    below = np.concatenate([[0.0], np.cumsum(masses)])
    assert law.pmf(points) == pytest.approx(masses, abs=within)
    assert law.cdf(points) == pytest.approx(below[1:], abs=within)
    assert law.sf(points) == pytest.approx(1 - below[1:], abs=within)
    assert law.tail(points) == pytest.approx(1 - below[:-1], abs=within)
    assert law.support() == pytest.approx((points[0], points[-1]), abs=within)
    mean, var, third, fourth = map(float, moments(expected))
    assert law.mean() == pytest.approx(mean, abs=within)
    assert law.var() == pytest.approx(var, abs=within)
    if var > 1e-9:
        assert law.skewness() == pytest.approx(third / var**1.5, abs=1e-8)
        assert law.kurtosis() == pytest.approx(fourth / var**2 - 3, abs=1e-8)


def test_two_of_three_relevant_by_hand() -> None:
    """Ranks 1 2, 1 3 and 2 3: (1 + 1)/2, (1 + 2/3)/2, (1/2 + 2/3)/2."""
    law = average_precision(3, 2)
    assert law.support() == pytest.approx((7 / 12, 1))
    assert law.mean() == pytest.approx((1 + 5 / 6 + 7 / 12) / 3)
    assert [law.pmf(x) for x in (7 / 12, 5 / 6, 1.0)] == pytest.approx([1 / 3] * 3)
    assert law.ppf([0.3, 0.4, 0.9]) == pytest.approx([7 / 12, 5 / 6, 1])


@pytest.mark.parametrize("n", range(1, 13))
def test_every_small_law_is_that_of_all_rankings(n: int) -> None:
    for m in range(n + 1):
        agrees(average_precision(n, m), oracles.average_precision(n, m))


@pytest.mark.parametrize("denominator", ["relevant", "min", "hits"])
def test_every_cutoff_and_denominator_is_that_of_all_rankings(denominator: str) -> None:
    for n, m in [(1, 0), (1, 1), (4, 2), (7, 3), (8, 6)]:
        for cutoff in range(1, n + 1):
            law = average_precision(n, m, cutoff, denominator)  # type: ignore[arg-type]
            agrees(law, oracles.average_precision(n, m, cutoff, denominator))


def test_relevant_items_that_are_not_ranked_count_in_the_denominator() -> None:
    agrees(average_precision(7, 3, total=5), oracles.average_precision(7, 3, total=5))
    agrees(average_precision(7, 3, 4, "min", total=5), oracles.average_precision(7, 3, 4, "min", total=5))


@pytest.mark.parametrize("groups", [[7], [1, 2, 4], [3, 3, 1], [1, 1, 5], [2, 1, 1, 3], [1] * 7])
def test_ties_are_those_of_all_rankings(groups: list[int]) -> None:
    for m in range(8):
        for cutoff in (7, 4, 1):
            law = average_precision(7, m, cutoff, ties=groups[::-1])
            agrees(law, oracles.tied_average(7, m, groups, cutoff))
        agrees(average_precision(7, m, ties=groups[::-1], tied="together"), oracles.tied_together(7, m, groups))


def test_tied_items_keep_the_mean() -> None:
    """The mean over orders has the mean of the untied law, and less variance."""
    untied = average_precision(1000, 100)
    tied = average_precision(1000, 100, ties=[5] * 100 + [1] * 500)
    assert tied.mean() == pytest.approx(untied.mean(), rel=1e-12)
    assert 0 < tied.var() < untied.var()


def test_the_engine_has_the_moments_of_the_closed_forms() -> None:
    for n, m in [(1000, 100), (2000, 500), (1000, 10), (300, 299)]:
        law = average_precision(n, m)
        engine = average_precision(n, m, ties=[1] * n)._sum.cumulants(0.0)  # type: ignore[attr-defined]
        assert engine[1:3] == pytest.approx((law.mean(), law.var()), rel=1e-11)
        assert engine[3] / engine[2] ** 1.5 == pytest.approx(law.skewness(), rel=1e-9)
        assert engine[4] / engine[2] ** 2 - 3 == pytest.approx(law.kurtosis(), rel=1e-8)


def test_a_ranking_too_long_to_walk_through_has_moments_and_says_so() -> None:
    law = average_precision(10**9, 10**8)
    assert law.mean() == pytest.approx(0.10000001827043337, rel=1e-12)
    assert 0 < law.std() < 1e-4
    assert law.support()[0] < law.mean() < law.support()[1] == 1
    with pytest.raises(DataError, match="100,000,000 hits among 1,000,000,000 items are too many to draw"):
        law.tail(0.1)
    law = average_precision(10**9, 20)
    p = law.tail(law.mean())
    assert p.method == "Monte Carlo"
    assert 0 < p.error < 0.05 * p


def test_the_bound_of_precisions_holds_in_every_short_ranking() -> None:
    for n, m in [(6, 1), (8, 3), (10, 4), (9, 8)]:
        sums = [sum(k / rank for k, rank in enumerate(ranks, 1)) for ranks in combinations(range(1, n + 1), m)]
        for total in sorted(sums):
            share = sum(other >= total - 1e-12 for other in sums) / len(sums)
            assert math.log(share) <= log_bound_of_precisions(n, m, total) + 1e-12
    assert log_bound_of_precisions(1000, 10, 9.0) < math.log(1e-10)


def test_the_bound_of_precisions_holds_where_an_inversion_has_the_tail() -> None:
    for n, m in [(1000, 100), (2000, 20), (300, 150)]:
        law = average_precision(n, m)
        for z in (2, 5, 9, 15, 25):
            x = min(law.mean() + z * law.std(), 1.0)
            assert law.logtail(x) <= log_bound_of_precisions(n, m, x * m) + 1e-9


def test_a_tail_that_no_random_ranking_reaches_is_not_zero_but_below_a_bound() -> None:
    for law in (average_precision(10**5, 1000), average_precision(10**9, 20)):
        values = [law.mean() + law.std() * z for z in (8, 20, 200, 600)]
        tails = [law.tail(x) for x in values]
        assert all(0 < p <= p.error * (1 + 1e-9) for p in tails)
        assert [float(p) for p in tails] == sorted(tails, reverse=True)
        assert tails[0].method == "Monte Carlo"
        assert tails[-1].method == "bound"
        assert tails[-1] + tails[-1].error < 1e-5
        assert law.cdf(values[-1]) == pytest.approx(1 - tails[-1], rel=1e-12)
    law = average_precision(10**5, 1000)
    assert law.tail(0.9) == 0.0
    assert not law.tail(0.9).exact
    assert law.logtail(0.9) < -1000


def test_a_long_ranking_with_a_cutoff_or_one_relevant_item_is_answered() -> None:
    assert average_precision(10**9, 1).tail(0.5) == pytest.approx(2e-9)
    law = average_precision(10**9, 10**8, 10, "min")
    assert law.tail(1.0) == pytest.approx(1e-10, rel=1e-6)
    assert law.tail(1e-9) == pytest.approx(1 - 0.9**10, rel=1e-6)


def test_the_paper_s_normal_law_has_its_own_name() -> None:
    assert average_precision(1000, 100, engine="zhang-su").var() == pytest.approx(1.392e-4, abs=5e-8)
    with pytest.raises(DataError, match="give items and relevant only"):
        average_precision(1000, 100, 10, engine="zhang-su")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"items": 3, "relevant": 4}, "relevant is 4, but there are only 3 items"),
        ({"items": 0, "relevant": 0}, "items is 0; it must be a whole number of at least 1"),
        ({"items": 3, "relevant": 1, "cutoff": 0}, "cutoff is 0"),
        (
            {"items": 3, "relevant": 1, "denominator": "all"},
            "denominator is 'all'; it must be 'relevant', 'min' or 'hits'",
        ),
        ({"items": 3, "relevant": 1, "ties": [1, 1]}, "ties add up to 2, but there are 3 items"),
        ({"items": 3, "relevant": 1, "ties": [3, 0]}, "ties is 0; it must be a whole number of at least 1"),
        (
            {"items": 3, "relevant": 1, "ties": [3], "tied": "worst"},
            "tied is 'worst'; it must be 'average' or 'together'",
        ),
        ({"items": 3, "relevant": 1, "ties": [3], "tied": "together", "cutoff": 2}, "tied='together' has no cutoff"),
        (
            {"items": 3, "relevant": 1, "ties": [3], "denominator": "hits"},
            "denominator 'hits' does not apply where ties",
        ),
        (
            {"items": 3, "relevant": 1, "engine": "normal"},
            "engine is 'normal'; it must be one of 'closed', 'enumeration'",
        ),
        ({"items": 3, "relevant": 2, "total": 1}, "total is 1"),
    ],
)
def test_impossible_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        average_precision(**arguments)  # type: ignore[arg-type]


def test_the_perfect_ranking_is_one_of_all() -> None:
    for n, m in [(1000, 100), (2000, 500), (300, 30)]:
        law = average_precision(n, m)
        assert law.logtail(1.0) == pytest.approx(-math.log(comb(n, m)), rel=1e-13)
        assert law.sf(1.0) == 0.0
        assert law.tail(1.0001) == 0.0
        assert law.cdf(0.0) == 0.0
        assert law.tail(0.0) == 1.0


def test_extreme_quantiles_are_answered_from_both_sides() -> None:
    law = average_precision(1000, 100)
    assert law.isf(1 - 1e-12) == pytest.approx(law.ppf(1e-12), rel=1e-6)
    assert law.support()[0] <= law.ppf(1e-300) < law.ppf(1e-100) < law.ppf(1e-12)


@pytest.mark.parametrize("items", [30_000_000, 10**8, 4 * 10**9, 10**15])
@pytest.mark.parametrize("relevant", [1, 3, 2_000])
def test_the_least_value_of_very_many_items_is_that_of_hits_at_the_end(items: int, relevant: int) -> None:
    least, most = average_precision(items, relevant).support()
    ends = math.fsum(i / (items - relevant + i) for i in range(1, relevant + 1)) / relevant
    assert least == pytest.approx(ends, rel=1e-10)
    assert most == 1.0
