"""DCG of one, two or three items with a gain of their own in a long ranking, counted."""

import math
from itertools import combinations, pairwise, permutations

import mpmath
import numpy as np
import pytest
from in_a_row import in_a_row

from certus.chance import dcg, ndcg
from certus.chance.laws import graded
from certus.chance.laws.graded import FewGains, TripleCounts, gains_of, single_ranks


def every_value(n: int, depth: int, common: float, others: list[float]) -> np.ndarray:
    """The sum for all ordered choices of ranks."""
    discounts = np.append(1 / np.log2(np.arange(2.0, depth + 2)), np.zeros(n - depth))
    places = np.array(list(permutations(range(n), len(others))))
    gained = sum(((gain - common) * discounts[places[:, i]] for i, gain in enumerate(others)), np.zeros(len(places)))
    return np.sort(common * discounts.sum() + gained)


def settings(seed: int, count: int) -> list[tuple[int, int, int, list[int], str]]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        k = int(rng.integers(1, 4))
        n = int(rng.integers(2 * k + 1, {1: 150, 2: 60, 3: 20}[k]))
        common = int(rng.choice([0, 0, 1, 2]))
        others = [int(g) + 4 * (g == common) for g in rng.choice([0, 1, 2, 3, 5], size=k)]
        found.append((n, int(rng.integers(1, n + 1)), common, others, str(rng.choice(["linear", "exp"]))))
    return found


@in_a_row("setting", settings(0, 30))
def test_the_law_is_that_of_all_rankings(
    setting: tuple[int, int, int, list[int], str],
) -> None:
    n, depth, common, others, kind = setting
    grades = {common: n - len(others)}
    for grade in others:
        grades[grade] = grades.get(grade, 0) + 1
    worth = [next(iter(gains_of([grade], kind))) for grade in (common, *others)]
    values = every_value(n, depth, worth[0], worth[1:])
    law = FewGains(gains_of(grades, kind), single_ranks(depth), 1.0)
    assert law.support() == pytest.approx((values[0], values[-1]), rel=1e-13, abs=1e-13)
    assert law.mean() == pytest.approx(values.mean(), rel=1e-12)
    assert law.rvs(2000).mean() == pytest.approx(values.mean(), abs=6 * values.std() / 2000**0.5 + 1e-12)
    shares, slack = np.arange(1, len(values) + 1) / len(values), law._slack
    for x in [*np.random.default_rng(n).choice(values, 3).tolist(), float(values[0]), float(values[-1]), worth[-1] / 3]:
        expected = {
            "tail": (values >= x - slack).mean(),
            "sf": (values > x + slack).mean(),
            "cdf": (values <= x + slack).mean(),
            "pmf": (abs(values - x) <= slack).mean(),
        }
        for question, p in expected.items():
            found = getattr(law, question)(x)
            assert (found.method, found.error) == ("enumeration", 0)
            assert found == pytest.approx(p, abs=1e-13)
        below = float(expected["cdf"])
        if 0 < below < 1:
            least = values[np.searchsorted(shares, below - 1e-12)]
            assert law.ppf(below) == pytest.approx(least, abs=4 * slack)
            assert law.isf(1 - below) == pytest.approx(least, abs=4 * slack)


@pytest.mark.parametrize(("items", "gains"), [(130, (1, 2)), (20, (1, 2, 3))])
def test_equal_sums_are_one_value_and_others_are_not(items: int, gains: tuple[int, ...]) -> None:
    """With 40 digits: 1/log2 of powers of two are fractions, so that sums of other ranks are the same."""
    with mpmath.workdps(40):
        discounts = [1 / mpmath.log(rank + 1, 2) for rank in range(1, items + 1)]
        sums = sorted(
            mpmath.fsum(g * discounts[i] for g, i in zip(gains, places, strict=True))
            for places in permutations(range(items), len(gains))
        )
        steps = [float(b - a) for a, b in pairwise(sums)]
        law = FewGains({0.0: items - len(gains)} | gains_of(gains, "linear"), single_ranks(items), 1.0)
        assert not any(1e-30 < step < 2 * law._slack for step in steps)
        starts = [0] + [i + 1 for i, step in enumerate(steps) if step > 1e-30]
        ends = [*starts[1:], len(sums)]
        orders = math.prod(math.factorial(gains.count(gain)) for gain in set(gains))
        tied = [(a, b) for a, b in zip(starts, ends, strict=True) if b - a > orders]
        assert tied
        for a, b in tied[:: max(len(tied) // 4, 1)]:
            x = float(sums[a])
            assert law.tail(x) == pytest.approx((len(sums) - a) / len(sums), rel=1e-14)
            assert law.pmf(x) == pytest.approx((b - a) / len(sums), rel=1e-9)
            assert law.cdf(x) == pytest.approx(b / len(sums), rel=1e-14)
            assert law.ppf(float(law.cdf(x))) == pytest.approx(x, abs=4 * law._slack)


def test_two_of_a_million_are_counted_by_thresholds_too() -> None:
    n = 10**6
    law = dcg({0: n - 2, 1: 1, 3: 1})
    discounts = 1 / np.log2(np.arange(2.0, n + 2))
    for q in (1e-6, 0.025, 0.5, 0.975):
        x = law.ppf(q)
        assert q * (1 - 1e-11) <= law.cdf(x) < q + 1e-11
        x *= 1 + 1e-9
        least = (x - discounts) / 3
        reach = np.minimum(np.floor(np.exp2(1 / np.maximum(least, 1e-3)) - 1), n)
        expected = (reach.sum() - (4 * discounts >= x).sum()) / (n * (n - 1))
        assert law.tail(x) == pytest.approx(expected, abs=4e-12)
        assert law.tail(x).error == 0


@pytest.mark.parametrize(
    ("gains", "common"), [((1, 1, 1), 0.0), ((5, 1, 1), 0.0), ((1, 3, 7), 0.0), ((0, 0, 3), 1.0), ((0, 1, 1), 2.0)]
)
@pytest.mark.parametrize(("depth", "behind"), [(900, 0), (1_500, 500)])
def test_counts_by_cells_are_within_their_error(
    monkeypatch: pytest.MonkeyPatch, depth: int, behind: int, gains: tuple[int, int, int], common: float
) -> None:
    found = gains_of(gains, "linear") | {common: depth + behind - 3}
    exact, read = (FewGains(found, single_ranks(depth), 1.0) for _ in range(2))
    for q in (0.02, 0.5, 0.8, 0.999):
        x = exact.ppf(q)
        p = exact.tail(x)
        with monkeypatch.context() as patch:
            patch.setattr(graded, "_STEPS", 10)
            assert (read.method, read.exact) == ("counting", False)
            answer, position = read.tail(x), read.ppf(q)
            off = read.cdf(position).error
        assert p.error == 0
        assert answer.error < 1e-4 * p
        assert abs(answer - p) <= answer.error
        assert 1 - exact.tail(position) - off <= q <= exact.cdf(position) + off


def test_counts_by_cells_for_twenty_thousand_ranks_lie_between_their_limits() -> None:
    values = 1 / np.log2(np.arange(20_001.0, 1, -1))
    triples = TripleCounts(values, values, 2 * values)
    for goal in (0.29, 0.33, 0.6, 1.7):
        exact, (low, high) = triples.count(goal), triples.limits(goal)
        assert low <= exact <= high
        assert (high - low) / 2 < 1e-5 * exact


def test_three_of_a_hundred_thousand_have_small_errors() -> None:
    law = ndcg({0: 10**5 - 3, 1: 1, 2: 1, 3: 1})
    for q in (0.025, 0.5, 0.975):
        below = law.cdf(law.ppf(q))
        assert below == pytest.approx(q, abs=1e-9)
        assert below.error < 5e-6
    far = law.isf(1e-9)
    assert law.sf(far).exact
    assert law.sf(far) <= 1e-9 < law.tail(far)
    # All three on top, in one of their six orders.
    assert law.tail(1.0) == pytest.approx(1 / math.perm(10**5, 3), rel=1e-12)


def test_quantiles_of_a_short_look_at_a_long_ranking_are_single_values() -> None:
    law = dcg({0: 10**7 - 3, 1: 3}, cutoff=4_000)
    nothing = math.comb(10**7 - 4_000, 3) / math.comb(10**7, 3)
    assert law.cdf(0.0) == pytest.approx(nothing, rel=1e-13)
    assert law.ppf(nothing / 2) == 0
    for rank in (1, 40, 3_000):
        alone = 1 / math.log2(rank + 1)
        assert law.isf(float(law.sf(alone))) == pytest.approx(alone, abs=1e-10)
    assert min(law.rvs(1000)) == 0


def test_a_sum_of_equal_gains_is_that_of_combinations() -> None:
    values = np.array([sum(1 / math.log2(rank + 1) for rank in ranks) for ranks in combinations(range(1, 31), 3)])
    law = FewGains({0.0: 27, 1.0: 3}, single_ranks(30), 1.0)
    assert law.tail(0.9) == pytest.approx((values >= 0.9).mean(), rel=1e-14)
