"""Moments of average precision against enumeration and against the recursion over ranks, both in exact rationals."""

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from certus import DataError
from certus.chance import Distribution
from certus.chance import average_precision as law_of
from certus.chance.laws.average_precision_moments import coefficients, power_sums, precisely


def recursion(depth: int) -> list[list[list[Fraction]]]:
    """Coefficients of theta, theta**2, .. in E S_k^p, p = 1..4, for k = 1..depth, the y_t independent."""
    degree = 8
    expected = {(a, b): [Fraction(0)] * (degree + 1) for a in range(5) for b in range(5 - a)}
    expected[0, 0][0] = Fraction(1)
    found = []
    for t in range(1, depth + 1):
        after = {}
        for a, b in expected:
            hit = [Fraction(0)] * (degree + 1)
            for i in range(a + 1):
                for j in range(b + i + 1):
                    factor = Fraction(comb(a, i) * comb(b + i, j), t**i)
                    hit = [old + factor * new for old, new in zip(hit, expected[a - i, j], strict=True)]
            miss = expected[a, b]
            after[a, b] = [miss[0]] + [miss[d] + hit[d - 1] - miss[d - 1] for d in range(1, degree + 1)]
        expected = after
        found.append([expected[p, 0][1:] for p in range(1, 5)])
    return found


def exact_sums(k: int) -> list[Fraction]:
    h = [sum((Fraction(1, j) for j in range(1, i + 1)), Fraction(0)) for i in range(k + 1)]
    powers = [sum((Fraction(1, j**p) for j in range(1, k + 1)), Fraction(0)) for p in range(1, 5)]
    s21 = sum((h[j] / j**2 for j in range(1, k + 1)), Fraction(0))
    s31 = sum((h[j] / j**3 for j in range(1, k + 1)), Fraction(0))
    return [*powers, s21, s31, sum((h[j] ** 2 / j**2 for j in range(1, k + 1)), Fraction(0))]


def enumerated(n: int, m: int, cutoff: int, denominator: str, total: int | None = None) -> list[Fraction]:
    """Raw moments 1..4 over all rankings."""
    values = []
    for ranks in combinations(range(1, n + 1), m):
        kept = [Fraction(i, rank) for i, rank in enumerate(ranks, 1) if rank <= cutoff]
        counted = m if total is None else total
        divisor = {"relevant": counted, "min": min(counted, cutoff), "hits": len(kept)}[denominator]
        values.append(sum(kept, Fraction(0)) / divisor if divisor else Fraction(0))
    return [sum((v**p for v in values), Fraction(0)) / len(values) for p in range(1, 5)]


def from_recursion(row: list[list[Fraction]], n: int, m: int, divisor: int) -> list[Fraction]:
    together = [Fraction(math.perm(m, j), math.perm(n, j)) if j <= n else Fraction(0) for j in range(1, 9)]
    return [
        sum((c * p for c, p in zip(row[q], together, strict=True)), Fraction(0)) / divisor ** (q + 1) for q in range(4)
    ]


def standard(raw: list[Fraction]) -> tuple[float, float, float, float]:
    """Mean, variance, skewness and excess kurtosis; square roots of rationals to the last digit but one."""
    a, b, c, d = raw
    spread = b - a * a
    if not spread:
        return float(a), 0.0, math.nan, math.nan
    third = c - 3 * a * b + 2 * a**3
    skewness = math.copysign(math.sqrt(third**2 / spread**3), third)
    return float(a), float(spread), skewness, float((d - 4 * a * c + 6 * a * a * b - 3 * a**4) / spread**2 - 3)


def check(law: Distribution, raw: list[Fraction]) -> None:
    expected = standard(raw)
    assert law.mean() == expected[0]
    assert law.var() == expected[1]
    assert (law.skewness(), law.kurtosis()) == pytest.approx(expected[2:], rel=1e-15, abs=1e-300, nan_ok=True)


def test_the_polynomials_are_those_of_the_recursion_in_rationals() -> None:
    for k, row in enumerate(recursion(70), 1):
        exact = exact_sums(k)
        position = Fraction(k)
        assert coefficients(1, position, exact) == row[0][:2]
        assert coefficients(2, position, exact) == row[1][:4]
        assert coefficients(3, position, exact) == row[2][:6]
        assert coefficients(4, position, exact) == row[3]


@pytest.mark.parametrize("n", range(1, 11))
def test_moments_are_those_of_all_rankings(n: int) -> None:
    for m in range(1, n + 1):
        for cutoff in range(1, n + 1) if n < 8 else (3, n):
            for denominator in ("relevant", "min", "hits"):
                check(law_of(n, m, cutoff, denominator), enumerated(n, m, cutoff, denominator))


def test_moments_with_relevant_items_that_are_not_ranked_are_those_of_all_rankings() -> None:
    check(law_of(7, 3, 4, "relevant", total=5), enumerated(7, 3, 4, "relevant", 5))
    check(law_of(7, 3, 4, "min", total=5), enumerated(7, 3, 4, "min", 5))
    check(law_of(7, 3, None, "relevant", total=5), enumerated(7, 3, 7, "relevant", 5))


@pytest.mark.parametrize(("n", "m", "k"), [(260, 130, 260), (1000, 7, 230), (300, 299, 300), (10**9, 10**8, 240)])
def test_moments_beyond_the_sums_added_one_by_one_are_those_of_the_recursion(n: int, m: int, k: int) -> None:
    check(law_of(n, m, k), from_recursion(rounded_recursion(k), n, m, m))


def rounded_recursion(depth: int) -> list[list[Fraction]]:
    """The last row of `recursion` in whole multiples of 2**-600: much faster, rounded at the 180th digit."""
    one = 1 << 600
    expected = {(a, b): [0] * 9 for a in range(5) for b in range(5 - a)}
    expected[0, 0][0] = one
    for t in range(1, depth + 1):
        after = {}
        for a, b in expected:
            hit = [0] * 9
            for i in range(a + 1):
                for j in range(b + i + 1):
                    factor = comb(a, i) * comb(b + i, j)
                    hit = [old + factor * new // t**i for old, new in zip(hit, expected[a - i, j], strict=True)]
            miss = expected[a, b]
            after[a, b] = [miss[0]] + [miss[d] + hit[d - 1] - miss[d - 1] for d in range(1, 9)]
        expected = after
    return [[Fraction(each, one) for each in expected[p, 0][1:]] for p in range(1, 5)]


def test_the_published_settings_have_the_moments_found_by_the_recursion_over_all_ranks() -> None:
    # Made once by rounded_recursion(1000) and (10000); seconds each.
    first = law_of(1000, 100)
    assert (first.mean(), first.var()) == (0.10584276654103635, 0.00013015371369317613)
    assert (first.skewness(), first.kurtosis()) == (0.78712257388808116, 1.1064249193239106)
    second = law_of(10000, 5000)
    assert (second.mean(), second.var()) == (0.5004394242442266, 2.4990936836107181e-05)
    assert (second.skewness(), second.kurtosis()) == (0.058354523263597101, 0.003675936892124121)


def test_harmonic_sums_meet_their_limits() -> None:
    h1, _, _, _, s21, s31, q = power_sums(10**30)
    with precisely():
        # Apery's constant, pi**4 and Euler's constant to 40 digits; what is missing from k on is about ln k / k.
        zeta3, pi4 = (
            Decimal("1.202056903159594285399738161511449990765"),
            Decimal("97.40909103400243723644033268870511124973"),
        )
        gamma = Decimal("0.5772156649015328606065120900824024310422")
        assert abs(s21 - 2 * zeta3) < Decimal("1e-28")
        assert abs(s31 - pi4 / 72) < Decimal("1e-36")
        assert abs(q - 17 * pi4 / 360) < Decimal("1e-26")
        assert abs(h1 - Decimal(10**30).ln() - gamma - Decimal("5e-31")) < Decimal("1e-37")


def test_the_expansion_meets_the_sum_added_one_by_one() -> None:
    with precisely():
        for expanded, added in zip(power_sums(1500), exact_sums_rounded(1500), strict=True):
            assert abs(expanded - added) < Decimal("1e-120")


def exact_sums_rounded(k: int) -> list[Decimal]:
    found = [Decimal(0)] * 7
    for j in range(1, k + 1):
        found = [old + Decimal(1) / j**p for old, p in zip(found[:4], range(1, 5), strict=True)] + found[4:]
        harmonics = (found[0] / j**2, found[0] / j**3, found[0] ** 2 / j**2)
        found[4:] = [old + new for old, new in zip(found[4:], harmonics, strict=True)]
    return found


def test_a_billion_billion_items_have_the_moments_of_the_normal_limit() -> None:
    found = law_of(10**18, 4 * 10**17)
    # To leading order var is theta (1 - theta) / n; skewness and kurtosis fade as 1/sqrt(n) and 1/n.
    assert found.var() == pytest.approx(0.4 * 0.6 / 1e18, rel=1e-12)
    assert 0 < found.skewness() < 1e-7
    assert 0 < found.kurtosis() < 1e-14


def test_hits_among_many_ranks_are_summed_to_all_digits() -> None:
    # With a cutoff at the last rank the hits are all relevant items, so both denominators are one.
    some, same = law_of(5000, 300, 5000, "hits"), law_of(5000, 300)
    for moment in ("mean", "var", "skewness", "kurtosis"):
        assert getattr(some, moment)() == getattr(same, moment)()
    depth, relevant, items = 400, 300, 3000
    weights = [Fraction(comb(depth, r) * comb(items - depth, relevant - r), comb(items, relevant)) for r in range(301)]
    row = rounded_recursion(depth)
    raw = [Fraction(0)] * 4
    for r, weight in enumerate(weights):
        if r:
            raw = [old + weight * new for old, new in zip(raw, from_recursion(row, depth, r, r), strict=True)]
    check(law_of(items, relevant, depth, "hits"), raw)


def test_a_constant_has_no_skewness() -> None:
    for found in (law_of(5, 0), law_of(5, 5), law_of(1, 1, 1, "hits"), law_of(7, 0, 3, "hits")):
        assert found.var() == 0
        assert math.isnan(found.skewness())
        assert math.isnan(found.kurtosis())
    assert (law_of(5, 0).mean(), law_of(5, 5).mean(), law_of(5, 5, 2, "hits").mean()) == (0, 1, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0), "items is 0; it must be a whole number of at least 1"),
        ((3, 4), "relevant is 4, but there are only 3 items"),
        ((3, 1, 0), "cutoff is 0; it must be a whole number of at least 1"),
        ((3, 1, 2, "all"), "denominator is 'all'; it must be 'relevant', 'min' or 'hits'"),
        ((3, 2, 2, "relevant", 1), "total is 1; it must be a whole number of at least 2"),
        ((3, 2, 2, "hits", 3), "total is 3, but denominator='hits' counts the hits only"),
        ((10**31, 1), "at most 1e30 items"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        law_of(*arguments[:4], total=arguments[4] if len(arguments) > 4 else None)  # type: ignore[arg-type]
