"""A test and its interval are one inference: 0 lies outside the limits if and only if p is at most 1 less the level.

For means see test_drawn_properties.
"""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.inference import difference, paired
from certus.inference.interval import Request
from certus.inference.tests.means import PairedDifferences, own_interval
from certus.inference.tests.result import Paired
from certus.inference.tests.shares import tango_limits
from certus.statistic import Influence, Mean, Plugin, Proportion, Ratio

SIDES = ("two-sided", "greater", "less")
LEVELS = (0.8, 0.9, 0.95)
OTHER = {"greater": "less", "less": "greater", "two-sided": "two-sided"}


def agrees(found: Paired, level: float) -> bool:
    low, high, *_ = found.difference.interval(level)
    if math.isnan(low) or math.isnan(found.p):
        return True
    return (low > 0 or high < 0) == (found.p <= (1 - level) * (1 + 1e-12))


def mirrored(one: Paired, other: Paired) -> bool:
    first, second = one.difference.interval(), other.difference.interval()
    same = math.isnan(first.low) and math.isnan(second.low)
    return same or (first.low, first.high) == (-second.high, -second.low)


@settings(max_examples=60)
@given(
    counts=st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 30)).filter(lambda c: sum(c) > 0),
    side=st.sampled_from(SIDES),
    level=st.sampled_from(LEVELS),
)
def test_zero_is_outside_the_limits_of_shares_if_and_only_if_p_says_so(
    counts: tuple[int, int, int], side: Any, level: float
) -> None:
    above, below, same = counts
    a, b = [1] * above + [0] * below + [1] * same, [0] * above + [1] * below + [1] * same
    found = paired(a, b, alternative=side, level=level)
    assert found.method == "mcnemar"
    assert agrees(found, level)
    assert mirrored(found, paired(b, a, alternative=OTHER[side], level=level))  # type: ignore[arg-type]
    apart = difference(
        Proportion(above, above + same + 1), Proportion(below, below + 3), paired=False, alternative=side
    )
    assert agrees(apart, 0.95)


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), n=st.integers(3, 30), side=st.sampled_from(SIDES), level=st.sampled_from(LEVELS))
def test_so_it_is_for_every_other_form(seed: int, n: int, side: Any, level: float) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(0.1, 2, (2, n))
    below = rng.uniform(1, 3, (2, n))
    terms = [rng.normal(size=n) for _ in range(2)]

    def rms(rows: np.ndarray, weights: np.ndarray) -> float:
        return math.sqrt(float(weights @ rows**2 / weights.sum()))

    def area(value: float, each: Any) -> Influence:
        return Influence(value, (n,), (each.var(ddof=1),), influence=lambda: (each,))

    areas = [area(value, each) for value, each in zip((0.9, 0.4), terms, strict=True)]
    pairs: list[Any] = [
        (Mean(first, scale="log"), Mean(second, scale="log"), None),
        (Mean(first, scale="log"), Mean(second, scale="log"), "t"),
        (Mean(first, total=True), Mean(second, total=True), None),
        (Ratio(first, below[0]), Ratio(second, below[0]), None),
        (Ratio(first, below[0]), Ratio(second, below[0]), "t"),
        (Ratio(first, below[0]), Ratio(second, below[1]), None),
        (Plugin(first, rms), Plugin(second, rms), None),
        (Plugin(first, rms), Plugin(second, rms), "t"),
        (*areas, None),
    ]
    for a, b, test in pairs:
        found = difference(a, b, test=test, alternative=side, level=level, replicates=199)
        assert agrees(found, level), (a, test)
        assert mirrored(found, difference(b, a, test=test, alternative=OTHER[side], level=level, replicates=199))  # type: ignore[arg-type]
        if not isinstance(a, Plugin):
            assert agrees(difference(a, b, paired=False, alternative=side, level=level), level)


def subset_means(sums: list[int], sizes: list[int]) -> list[Fraction]:
    """The mean of every subset of the clusters but the empty one, in ascending order."""
    chosen = itertools.product((False, True), repeat=len(sums))
    return sorted(
        Fraction(sum(itertools.compress(sums, some)), sum(itertools.compress(sizes, some)))
        for some in chosen
        if any(some)
    )


@settings(max_examples=40)
@given(
    clusters=st.lists(st.tuples(st.integers(-30, 30), st.integers(1, 6)), min_size=3, max_size=9),
    tail=st.sampled_from([Fraction(1, 40), Fraction(1, 20), Fraction(1, 10), Fraction(1, 4)]),
)
def test_a_limit_is_the_least_mean_that_enough_subsets_do_not_exceed(
    clusters: list[tuple[int, int]], tail: Fraction
) -> None:
    sums, sizes = (list(column) for column in zip(*clusters, strict=True))
    if len({Fraction(*each) for each in clusters}) == 1:
        return
    means = subset_means(sums, sizes)
    position = int(tail * 2 ** len(sums))
    wanted = (means[position - 1], means[-position]) if position else (-math.inf, math.inf)
    sample = PairedDifferences.from_sums(np.array(sums, float), np.array(sizes, float), "query")
    found = own_interval(sample, "permutation").limits(Request(1 - 2 * float(tail)))
    assert (found.low, found.high) == pytest.approx(tuple(map(float, wanted)), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("n", [19, 21, 30])
def test_more_units_are_searched_and_give_what_listing_gives(n: int) -> None:
    rng = np.random.default_rng(n)
    values = np.round(rng.exponential(1, n) - 0.7, 2)
    sample = PairedDifferences.from_sums(values, np.ones(n), "query")
    found = own_interval(sample, "permutation").limits(Request(0.95))
    generator = np.random.default_rng(1)
    means = np.concatenate(
        [(some @ values)[some.any(1)] / some.sum(1)[some.any(1)] for some in (generator.random((10, 10_000, n)) < 0.5)]
    )
    low, high = np.quantile(means, [0.025, 0.975])
    error = 5 * math.sqrt(0.025 * 0.975 / 100_000) / 0.06 * means.std()
    assert abs(found.low - low) < error
    assert abs(found.high - high) < error


def test_limits_of_few_skewed_differences_stay_within_them() -> None:
    # 12 to 16 units had limits of [-1.1, 98.9] for differences up to 26.5, which changed with the order of the rows.
    rng = np.random.default_rng(3)
    for n in range(3, 16):
        values = np.exp(rng.normal(0, 1.5, n))
        low, high, *_ = paired(values, np.zeros(n), "permutation").difference.interval()
        if n > 5:
            assert values.min() <= low <= values.mean() <= high <= values.max()
        else:
            assert (low, high) == (-math.inf, math.inf)


def test_five_units_cannot_show_a_difference_and_the_interval_says_so() -> None:
    found = paired([0.4, 0.5, 0.6, 0.8, 0.9], [0.1, 0.2, 0.2, 0.3, 0.5], bounds=(0.0, 1.0))
    assert found.p == 2 / 32
    interval = found.difference.interval()
    assert interval[:2] == (-1.0, 1.0)
    assert interval.reason == "no p-value of 5 queries is below 0.0312 on either side"
    assert found.difference.interval(0.9).low > 0


def tango_oracle(above: int, below: int, n: int, d: float) -> float:
    """The score statistic with the nuisance probability found by search."""
    from scipy.optimize import minimize_scalar

    def minus(q: float) -> float:
        parts = [(above, q + d), (below, q), (n - above - below, 1 - 2 * q - d)]
        return -sum(k * math.log(max(p, 1e-300)) for k, p in parts if k)

    q = minimize_scalar(minus, bounds=(max(0.0, -d), (1 - d) / 2), method="bounded", options={"xatol": 1e-12}).x
    return (above - below - n * d) / math.sqrt(n * (2 * q + d - d * d))


@pytest.mark.parametrize(("above", "below", "n"), [(12, 2, 50), (3, 4, 20), (1, 9, 30), (5, 1, 8)])
def test_tangos_limits_are_where_the_score_test_passes_its_level(above: int, below: int, n: int) -> None:
    low, high, *_ = tango_limits(above, below, n, 0.025)
    assert tango_oracle(above, below, n, low) == pytest.approx(1.959964, abs=2e-5)
    assert tango_oracle(above, below, n, high) == pytest.approx(-1.959964, abs=2e-5)


def test_a_difference_of_shares_covers_by_enumeration() -> None:
    # Every table of 20 samples, over probabilities of (a alone right, b alone right); a drawn posterior had .922.
    n, least = 20, 1.0
    limits = {(x, y): tango_limits(x, y, n, 0.025) for x in range(n + 1) for y in range(n + 1 - x)}
    for p, q in itertools.product((0.02, 0.1, 0.3, 0.6), (0.0, 0.05, 0.2, 0.35)):
        held = 0.0
        for (x, y), (low, high, *_) in limits.items():
            if low <= p - q <= high:
                ways = math.comb(n, x) * math.comb(n - x, y)
                held += ways * p**x * q**y * (1 - p - q) ** (n - x - y)
        least = min(least, held)
    assert least >= 0.94


def test_an_interval_asked_for_by_name_says_that_it_is_not_that_of_the_test() -> None:
    a, b = [0.41, 0.52, 0.33, 0.60, 0.48, 0.71], [0.35, 0.50, 0.35, 0.51, 0.40, 0.66]
    beside = "not the interval of the test, with whose p-value it may disagree"
    found = paired(a, b, interval="bca")
    assert found.p > 0.05
    assert found.difference.interval().low > 0
    assert beside in found.difference.interval().reason
    assert beside in str(found)
    assert found.difference.interval(method="t").reason == beside
    assert paired(a, b).difference.interval().reason == ""
    for spelled in ("t", "Student t"):
        assert paired(a, b, "t", interval=spelled).difference.interval().reason == ""
    from certus.comparison import compare_values

    (row,) = compare_values({"a": a, "b": b}, interval="percentile").rows
    assert row.reason == beside


def test_a_single_unit_is_not_called_all_units() -> None:
    assert (
        paired([3.0], [3.0]).difference.interval().reason
        == "there is a single value, so the error of the mean cannot be estimated"
    )
    (low, high, *_), bounds = paired([3.0], [3.0], bounds=(0.0, 5.0)).difference.interval(), (-4.875, 4.875)
    assert (low, high) == pytest.approx(bounds)
