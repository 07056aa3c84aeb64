"""Place of a hit list among all of its length and number of hits."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, MetricNameError
from certus.chance import HitList
from certus.chance.hit_list import measures as kind
from certus.chance.hit_list.measures import Standing, by_law


def exact_average_precision(r: HitList) -> Fraction:
    return sum((Fraction(i, rank) for i, rank in enumerate(r.ranks, start=1)), Fraction()) / r.hits


def exact_score(r: HitList) -> Fraction:
    return Fraction(-sum(r.ranks))


ORACLES: dict[str, Callable[[HitList], Fraction]] = {
    "average_precision": exact_average_precision,
    "score": exact_score,
}


def counted(r: HitList, score: Callable[[HitList], Fraction]) -> tuple[int, int, int]:
    values = [score(other) for other in HitList.all(r.length, r.hits)]
    own = score(r)
    return sum(v < own for v in values), sum(v == own for v in values), sum(v > own for v in values)


@pytest.mark.parametrize("score", ORACLES)
def test_every_list_of_up_to_9_ranks_stands_where_enumeration_puts_it(score: str) -> None:
    for p in range(1, 10):
        for r in HitList.all(p):
            expected = counted(r, ORACLES[score])
            assert r.standing(score) == expected
            below, equal, _ = expected
            assert r.percentile(score) == pytest.approx(100 * (below + equal / 2) / sum(expected), rel=1e-15)


@settings(max_examples=25)
@given(st.sets(st.integers(1, 15), max_size=14))
def test_lists_of_16_ranks_stand_where_enumeration_puts_them(others: set[int]) -> None:
    r = HitList(others | {16})
    if math.comb(15, len(others)) <= 3003:
        for score, oracle in ORACLES.items():
            assert r.standing(score) == counted(r, oracle)


@pytest.mark.parametrize("ranks", [(2, 9, 75), (3, 40, 90), (1, 64, 200), (7, 130), (6, 12, 18, 36, 72)])
def test_long_lists_are_counted_with_whole_numbers_of_any_size(ranks: tuple[int, ...]) -> None:
    r = HitList(ranks)
    assert r.length - 1 > kind.LONGEST_IN_64_BITS
    if math.comb(r.length - 1, r.hits - 1) < 20_000:
        assert r.standing() == counted(r, exact_average_precision)
    else:
        assert sum(r.standing()) == HitList.count(r.length, r.hits)


def test_the_wrapped_whole_numbers_give_what_those_of_any_size_give(monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(4)
    lists = [HitList([*source.sample(range(1, 30), 9), 30]) for _ in range(5)]
    lists += [HitList([*source.sample(range(1, 65), 4), 65]) for _ in range(5)]
    before = [r.standing() for r in lists]
    monkeypatch.setattr(kind, "LONGEST_IN_64_BITS", 0)
    assert [r.standing() for r in lists] == before


def test_64_bits_hold_the_differences_that_floats_cannot_tell_apart() -> None:
    n = kind.LONGEST_IN_64_BITS
    slack = 8 * (n + 1) ** 2 * 2.0**-53
    assert 2 * slack * math.lcm(*range(1, n + 1)) < 2**63


def test_ties_that_floats_miss_are_ties() -> None:
    # both are 3/10
    assert 1 / 6 + 2 / 15 != 1 / 5 + 2 / 20
    pairs = [r for r in HitList.all(21, 3) if Fraction(1, r.ranks[0]) + Fraction(2, r.ranks[1]) == Fraction(3, 10)]
    assert len(pairs) > 1
    assert {r.standing() for r in pairs} == {counted(pairs[0], exact_average_precision)}
    assert pairs[0].standing().equal == len(pairs)


@given(st.integers(2, 60).flatmap(lambda p: st.tuples(st.just(p), st.sets(st.integers(1, p - 1)))))
def test_the_rank_sum_and_its_mirror_image_stand_opposite(drawn: tuple[int, set[int]]) -> None:
    p, others = drawn
    r, mirrored = HitList(others | {p}), HitList({p - rank for rank in others} | {p})
    assert r.standing("score") == mirrored.standing("score")[::-1]
    assert sum(r.standing("score")) == HitList.count(p, r.hits)


def test_the_ends_have_all_others_on_one_side() -> None:
    for p, k in ((40, 20), (1000, 50), (200, 199)):
        total = HitList.count(p, k)
        best = HitList([*range(1, k), p])
        worst = HitList(range(p - k + 1, p + 1))
        assert best.standing("score") == (total - 1, 1, 0)
        assert worst.standing("score") == (0, 1, total - 1)
    assert HitList("x" * 20 + "-" * 21 + "x").standing().above == 0


def test_the_only_list_of_its_kind_is_in_the_middle() -> None:
    for text in ("x", "---x", "xxxx"):
        for score in ("average_precision", "score", lambda r: r.length):
            assert HitList(text).standing(score) == Standing(0, 1, 0)
            assert HitList(text).percentile(score) == 50.0


def test_a_percentile_says_that_it_is_exact() -> None:
    p = HitList("xx--x").percentile()
    assert p == pytest.approx(1100 / 12, rel=1e-15)
    assert (p.exact, p.error, p.method) == (True, 0, "enumeration")


@pytest.mark.parametrize("score", ORACLES)
def test_the_law_of_the_score_agrees_with_counting(score: str) -> None:
    source = random.Random(5)
    for p, k in ((3, 2), (9, 4), (12, 2), (12, 11), (40, 7), (41, 21), (80, 4)):
        r = HitList([*source.sample(range(1, p), k - 1), p])
        standing, found = r.standing(score), by_law(r.ranks, score)
        # The law takes values for one that are nearer than 1e-12 of its width, which of so many lists a few are; and
        # beyond enumeration it does not tell a value from those next to it.
        atom = standing.equal / sum(standing)
        assert abs(found - standing.share) <= found.error + 1e-10 + (not found.exact) * atom


def test_lists_too_many_to_count_are_placed_by_the_law_with_its_error() -> None:
    r = HitList(range(1, 4000, 4))
    assert HitList(range(1, 400, 4)).percentile().method == r.percentile("score").method == "fourier"
    for p in (HitList(range(1, 400, 4)).percentile(), r.percentile("score")):
        assert 0 < p.error < 1e-7
        assert 50 < p < 80
    # the mirror image stands opposite by the sum of the ranks
    others = [r.length - rank for rank in r.ranks[:-1]]
    assert HitList([*others, r.length]).percentile("score") == pytest.approx(100 - r.percentile("score"), abs=1e-7)


def test_a_function_is_a_score_too() -> None:
    for r in HitList.all(8, 4):
        assert r.standing(exact_average_precision) == r.standing("average_precision")
        # rounding moves equal values apart, which are one value all the same
        assert r.standing(lambda each: each.average_precision()) == r.standing("average_precision")
        assert r.standing(lambda each: each.score(m=3)) == r.standing("score")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: HitList(range(1, 200, 2)).standing(),
            "about 10^58 lists have 199 ranks and 100 hits, too many to place one of them by average_precision exactly",
        ),
        (lambda: HitList(range(1, 10**6, 2)).standing("score"), "too many to place one of them by score exactly"),
        (lambda: HitList([1, 2, 10**9]).standing(), "lists have 1,000,000,000 ranks and 3 hits, too many"),
        (
            lambda: HitList(range(1, 60, 2)).percentile(lambda r: r.length),
            "too many to place one of them by custom score exactly",
        ),
        (lambda: HitList("x-x").standing(lambda r: math.nan), "is nan; a score must be a number"),
        (lambda: HitList("x-x").percentile(lambda r: "good"), "is 'good'; a score must be a number"),
    ],
)
def test_what_cannot_be_counted_is_refused_at_once(ask: Callable[[], Any], said: str) -> None:
    import re

    with pytest.raises(DataError, match=re.escape(said)):
        ask()


def test_a_list_of_a_billion_ranks_is_placed_by_random_rankings_or_above_all_of_them_by_a_bound() -> None:
    assert HitList([10**8, 5 * 10**8, 10**9]).percentile().method == "Monte Carlo"
    position = HitList([1, 2, 10**9]).percentile()
    assert position.method == "bound"
    assert 99.9 < position <= 100


def test_an_unknown_score_is_refused_also_for_the_only_list_of_its_kind() -> None:
    for text in ("x", "x-x"):
        with pytest.raises(MetricNameError, match="score is 'AP'; it must be 'average_precision' or 'score'"):
            HitList(text).percentile("AP")
