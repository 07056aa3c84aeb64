"""The ladder: rungs that meet where both can reach, errors that hold, and quantiles that invert the tails."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from certus import DataError
from certus.chance import average_precision, mean_of, rbp
from certus.chance.fourier import Additive
from certus.chance.laws.sums_of_hits import Hits
from certus.core import kernels
from chance import oracles


@pytest.mark.parametrize(("n", "m"), [(50, 5), (36, 16)])
def test_the_exact_rung_is_that_of_all_rankings_in_integers(n: int, m: int) -> None:
    """Sums scaled to integers by the least common multiple, all of them sorted once."""
    scale = math.lcm(*range(1, n + 1))
    states: dict[int, dict[int, int]] = {0: {0: 1}}
    half = n // 2
    for t in range(1, half + 1):
        following = {r: dict(sums) for r, sums in states.items()}
        for r, sums in states.items():
            if r < m:
                here = following.setdefault(r + 1, {})
                for value, count in sums.items():
                    moved = value + (r + 1) * scale // t
                    here[moved] = here.get(moved, 0) + count
        states = following
    law = average_precision(n, m, engine="enumeration")
    for quantile in (0.5, 0.999999):
        x = law.ppf(quantile)
        # The nearest integer sum decides which rankings count.
        goal = round(x * m * 10**15) * scale // 10**15 - scale // 10**12
        expected = 0
        for r, sums in states.items():
            if m - r > n - half:
                continue
            lower = np.sort(_lower_sums(n, half, m, r))
            for value, count in sums.items():
                needed = (goal - value) / scale
                expected += count * (len(lower) - int(np.searchsorted(lower, needed)))
        p = law.tail(x)
        assert p.exact
        assert p.error == 0
        assert p == pytest.approx(expected / math.comb(n, m), rel=1e-9)


def _lower_sums(n: int, half: int, m: int, r: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    lists = {r: np.zeros(1)}
    for t in range(half + 1, n + 1):
        following = dict(lists)
        for hits, sums in lists.items():
            if hits < m:
                more = sums + (hits + 1) / t
                following[hits + 1] = np.concatenate([lists.get(hits + 1, np.zeros(0)), more])
        lists = following
    return lists.get(m, np.zeros(0))


@pytest.mark.parametrize(
    ("n", "m", "x", "least", "tilt"),
    [
        (300, 60, 0.27, 1e-2, 0.68),
        (300, 60, 0.45, 1e-8, 1.45),
        (300, 60, 0.72, 1e-24, 2.69),
        (200, 100, 0.65, 1e-5, 0.75),
        (600, 60, 0.3, 1e-9, 1.78),
    ],
)
def test_the_inversion_is_that_of_a_plain_one(n: int, m: int, x: float, least: float, tilt: float) -> None:
    """With another tilt (nine tenths of the best one) and period, and nothing left out: 9 digits, down to 1e-20."""
    law = average_precision(n, m)
    p = law.tail(x)
    assert p.method == "fourier"
    assert p.error < 1e-9 * p
    assert least < p < 1e3 * least
    assert p == pytest.approx(oracles.plain_tail(n, m, x, tilt, 600), rel=1e-9)


@pytest.mark.parametrize(("n", "m"), [(50, 5), (36, 16), (40, 38)])
def test_the_error_of_an_inversion_covers_the_exact_tail(n: int, m: int) -> None:
    exact, inverted = average_precision(n, m, engine="enumeration"), average_precision(n, m, engine="fourier")
    for q in (0.01, 0.3, 0.6, 0.95, 0.999):
        # Right behind a value, which no inversion can see from here.
        x = min(exact.ppf(q) * (1 + 1e-7), 0.999)
        p = inverted.tail(x)
        assert p.method == "fourier"
        assert not p.exact
        assert abs(p - exact.tail(x)) <= 3 * p.error


LONG = [(10**5, 10, 2.0), (10**6, 10, 0.0), (10**7, 100, 2.0)]


@pytest.mark.parametrize(("n", "m", "deviations"), LONG)
def test_long_rankings_are_inverted_with_their_ranks_in_groups(n: int, m: int, deviations: float) -> None:
    """Against random rankings of numpy's, 20,000 of each."""
    law = average_precision(n, m)
    x = law.mean() + deviations * law.std()
    p = law.tail(x)
    ranks = np.sort(np.random.default_rng(n).integers(1, n + 1, (20_000, m)), axis=1)
    ranks = ranks[(np.diff(ranks, axis=1) > 0).all(axis=1)]
    hits = int(((np.arange(1, m + 1) / ranks).mean(axis=1) >= x).sum())
    low, high = binomtest(hits, len(ranks)).proportion_ci(0.999, "exact")
    assert p.method == "fourier"
    assert low - p.error <= p <= high + p.error
    assert p.error < 0.01 * p


@pytest.mark.parametrize(("n", "m"), [(3000, 12), (2000, 40)])
def test_the_error_of_grouped_ranks_is_a_bound(n: int, m: int) -> None:
    law, grouped = average_precision(n, m), average_precision(n, m)
    grouped.__dict__["is_grouped"] = True
    for deviations in (-0.5, 0.0, 1.0, 4.0):
        x = law.mean() + deviations * law.std()
        near, exact = grouped.tail(x), law.tail(x)
        assert 0 < abs(near - exact) <= near.error + exact.error
        assert near.error < 1e-3 * near


def test_the_ends_of_grouped_ranks_are_those_of_the_ranks() -> None:
    for n, m, depth in [(3000, 12, None), (3000, 12, 2000), (3000, 200, 50)]:
        law, grouped = average_precision(n, m, depth), average_precision(n, m, depth)
        grouped.__dict__["is_grouped"] = True
        low, high = law.support()
        assert (low, high) == grouped.support()
        assert grouped.pmf(low) == pytest.approx(float(law.pmf(low)), rel=1e-9)
        assert grouped.pmf(high) == pytest.approx(float(law.pmf(high)), rel=1e-9)


def test_rankings_of_many_hits_among_very_many_are_drawn() -> None:
    law = average_precision(10**5, 1000)
    p = law.tail(law.mean() + 2 * law.std())
    assert p.method == "Monte Carlo"
    assert 0 < p.error < 0.3 * p
    assert law.cdf(law.ppf(0.9)) == pytest.approx(0.9, abs=1e-3)


def test_rankings_of_a_far_tail_are_counted() -> None:
    law, inverted = average_precision(200, 10), average_precision(200, 10, engine="fourier")
    p = law.tail(0.85)
    assert p.method == "enumeration"
    assert p.exact
    assert inverted.tail(0.85) == pytest.approx(p, rel=1e-3)
    assert law.sf(0.85) + law.pmf(0.85) == pytest.approx(p, rel=1e-14)


def test_a_million_equal_chances_add_up_without_a_drift() -> None:
    """Of the pairs of ranks a < b of two hits those with (1/a + 2/b) / 2 >= x are counted."""
    items, ranks = 1400, np.arange(1.0, 1401.0)
    law = average_precision(items, 2)
    for x in (0.00312345678, 0.00432109876, 0.0201234567):
        pairs = sum(int(np.count_nonzero((1 / a + 2 / ranks[int(a) :]) / 2 >= x)) for a in ranks)
        assert law.tail(x) == pytest.approx(pairs / math.comb(items, 2), rel=1e-13)


def test_a_tail_and_its_complement_add_up_to_one() -> None:
    law = average_precision(500, 80)
    for x in np.linspace(0.08, 0.6, 7).tolist():
        assert law.cdf(x) + law.sf(x) == pytest.approx(1, abs=1e-14)
    tails = [law.logtail(x) for x in np.linspace(0.05, 0.95, 19).tolist()]
    assert all(a >= b for a, b in pairwise(tails))
    assert tails[-1] < -100


def test_quantiles_invert_the_tails() -> None:
    law = average_precision(500, 80)
    for q in (1e-9, 0.2, 0.5, 0.999):
        assert law.cdf(law.ppf(q)) == pytest.approx(q, rel=1e-8)
        assert law.sf(law.isf(q)) == pytest.approx(q, rel=1e-8)
    exact = average_precision(36, 16)
    assert exact.method == "enumeration"
    for q in (0.001, 0.5, 0.97):
        x = exact.ppf(q)
        assert exact.pmf(x) > 0
        assert exact.cdf(x) >= q * (1 - 1e-15) > exact.cdf(x) - exact.pmf(x)
        assert exact.ppf(float(exact.cdf(x))) == pytest.approx(x, rel=1e-12)
        assert exact.isf(1 - q) == pytest.approx(x, abs=1e-6)


@pytest.mark.parametrize("kind", ["rank", "first", "above"])
def test_other_gains_are_those_of_their_draws(kind: str) -> None:
    weights = np.linspace(1.0, 0.0, 41)[: 41 if kind == "above" else 40]
    law = Additive([(2.0, 1, Hits(60, 20, kind, weights))])  # type: ignore[arg-type]
    drawn = law.rvs(20_000, seed=5)
    assert abs(drawn.mean() - law.mean()) < 4.5 * law.std() / math.sqrt(len(drawn))
    x = float(np.quantile(drawn, 0.9))
    assert abs((drawn >= x - 1e-9).mean() - law.tail(x)) < 0.015


def test_a_rung_that_cannot_answer_says_so() -> None:
    with pytest.raises(DataError, match="engine is 'closed', which needs no relevant item, one, or only such"):
        average_precision(10, 5, engine="closed").tail(0.5)
    with pytest.raises(DataError, match="engine is 'enumeration', which would take more than"):
        average_precision(1000, 100, engine="enumeration").tail(0.2)
    with pytest.raises(DataError, match="engine is 'exact'; it must be one of 'closed'"):
        Additive([], engine="exact")


def test_the_kernel_refuses_what_is_impossible() -> None:
    with pytest.raises(ValueError, match="cannot place 3 hits on 2 ranks"):
        kernels.HitLaw.times(2, 3, np.ones(1))
    with pytest.raises(ValueError, match="needs at most 2 finite gains, found 3"):
        kernels.HitLaw.rank(2, 1, np.arange(1.0, 4.0))
    with pytest.raises(ValueError, match="needs groups of 3 items in all"):
        kernels.HitLaw.tied(3, 1, np.ones(1), [1, 1], "average")


LAWS: dict[str, Any] = {
    "average precision": lambda engine: average_precision(8, 3, engine=engine),
    "of five": lambda engine: average_precision(5, 2, engine=engine),
    "at a cutoff": lambda engine: average_precision(12, 5, 4, engine=engine),
    "of 30 million rankings": lambda engine: average_precision(30, 10, engine=engine),
    "RBP": lambda engine: rbp(5, 2, 0.5, engine=engine),
    "of a mean": lambda engine: mean_of([average_precision(5, 2), average_precision(4, 1)], engine=engine),
}
LEVELS = np.array([0.001, 0.025, 0.1, 0.3, 0.5, 0.6, 0.9, 0.975, 0.999])


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_quantiles_of_short_lists_by_a_named_engine_are_possible_values(law: Any) -> None:
    exact, named = law(None), law("fourier")
    for found in (*named.ppf(LEVELS), *named.isf(LEVELS)):
        assert exact.pmf(found) > 0
    if exact._enumerate(1000) is not None:
        np.testing.assert_allclose(named.ppf(LEVELS), exact.ppf(LEVELS), rtol=1e-12)
        np.testing.assert_allclose(named.isf(LEVELS), exact.isf(LEVELS), rtol=1e-12)


def test_counting_is_a_rung_by_name() -> None:
    for n, m in ((5, 2), (8, 3), (60, 3)):
        law, exact = average_precision(n, m, engine="counting"), average_precision(n, m)
        x = exact.ppf(0.9)
        np.testing.assert_allclose(law.tail(x), exact.tail(x), rtol=1e-12)
        np.testing.assert_allclose(law.ppf(LEVELS), exact.ppf(LEVELS), rtol=1e-9)
    assert average_precision(10**5, 3, engine="counting").method == "counting"
    for law in (average_precision(12, 5, engine="counting"), rbp(9, 3, 0.5, engine="counting")):
        with pytest.raises(DataError, match="is 'counting', which needs average precision with two or three relevant"):
            law.tail(0.5)


def test_where_an_inversion_has_no_digits_the_refusal_says_so() -> None:
    law = average_precision(5, 2, engine="fourier")
    with pytest.raises(
        DataError, match=r"engine 'fourier' has no digits left at 0\.3250001, so near an end of the values"
    ):
        law.cdf(0.3250001)
