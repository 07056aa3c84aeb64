"""Equivalence and non-inferiority."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import certus
from certus import DataError, MetricNameError
from certus.inference import equivalence, paired, paired_scores
from certus.inference.tests.difference import difference
from certus.inference.tests.result import Paired
from certus.statistic import Influence, Mean, Plugin, Proportion, Ratio

TESTS = ("permutation", "t", "bootstrap-t", "wilcoxon", "sign")


@settings(max_examples=60)
@given(values=st.lists(st.integers(-8, 8), min_size=2, max_size=9), margin=st.integers(1, 6))
def test_the_permutation_flips_the_differences_moved_by_the_margin(values: list[int], margin: int) -> None:
    found = equivalence(
        paired([v / 10 for v in values], np.zeros(len(values)), "permutation"), margin / 10, assume="symmetric"
    )
    for moved, p in (([v + margin for v in values], found.p_lower), ([margin - v for v in values], found.p_upper)):
        sums = [
            sum(s * m for s, m in zip(signs, moved, strict=True))
            for signs in itertools.product((1, -1), repeat=len(moved))
        ]
        assert p == pytest.approx(sum(each >= sum(moved) for each in sums) / len(sums), abs=1e-12)
    assert found.p == max(found.p_lower, found.p_upper)


def test_t_is_that_of_the_distance_to_the_margin() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.02, 0.1, 40), np.zeros(40)
    found = equivalence(paired(a, b), 0.06, test="TOST")
    assert found.p_lower == pytest.approx(stats.ttest_1samp(a, -0.06, alternative="greater").pvalue, rel=1e-9)
    assert found.p_upper == pytest.approx(stats.ttest_1samp(a, 0.06, alternative="less").pvalue, rel=1e-9)
    low, high = interval = found.interval
    level = interval.level
    assert level == pytest.approx(0.9)
    # Both tests reject exactly where the interval at 1 - 2 alpha lies within the margin.
    assert (found.p_lower <= 0.05, found.p_upper <= 0.05) == (low >= -0.06, high <= 0.06)


def test_one_side_alone_is_non_inferiority() -> None:
    rng = np.random.default_rng(2)
    better = equivalence(paired(rng.normal(1, 0.1, 20), np.zeros(20)), 0.1, assume="symmetric")
    assert (better.verdict, better.non_inferior, better.equivalent) == ("not inferior", True, False)
    worse = equivalence(paired(np.zeros(20), rng.normal(1, 0.1, 20)), 0.1, assume="symmetric")
    assert (worse.verdict, worse.non_inferior) == ("not superior", False)
    noisy = equivalence(paired(rng.normal(0, 1, 20), np.zeros(20)), 0.1)
    assert noisy.verdict == "not shown"
    lopsided = equivalence(paired(rng.normal(0, 0.1, 20), np.zeros(20)), (-0.2, 5.0), assume="symmetric")
    assert lopsided.equivalent
    assert str(lopsided).startswith("equivalent with margin -0.2 to 5: p = ")


def test_equal_systems_are_equivalent_as_far_as_their_number_shows_it() -> None:
    values = np.random.default_rng(3).random(6)
    same = equivalence(paired(values, values), 0.01, assume="symmetric")
    assert (same.p_lower, same.p_upper, same.verdict) == (2**-6, 2**-6, "equivalent")
    # 6 equal units leave a loss of 1 on up to 1 - .025^(1/6) = .46 of the others
    assert equivalence(paired(values, values), 0.4, level=0.975).verdict == "not shown"
    assert equivalence(paired(values, values), 0.5, level=0.975).verdict == "equivalent"
    right = (values > 0.5).astype(float)
    assert equivalence(paired(right, right), 0.45, level=0.975).verdict == "not shown"
    assert equivalence(paired(right, right), 0.4593, level=0.975).verdict == "equivalent"
    ratios = difference(Ratio(values, values + 1), Ratio(values, values + 1))
    assert equivalence(ratios, 0.4).verdict == "not shown"
    # forms without limits where nothing varies have no p-value either
    scores = paired_scores([1, 1, 1, 0, 0, 0, 0], [*values, 2.0], [*values, 2.0])
    assert math.isnan(equivalence(scores, 0.01).p)
    apart = equivalence(paired(np.full(6, 0.5), np.zeros(6)), 0.1, test="t")
    assert (apart.p_lower, apart.p_upper) == (2**-6, 1.0)


def test_t_takes_the_error_of_the_form() -> None:
    found = difference(Proportion(45, 50), Proportion(44, 50), paired=False, bounds=(0.0, 1.0))
    error = found.difference.standard_error
    made = equivalence(found, 0.2, test="t")
    assert made.p_lower == pytest.approx(stats.norm.sf((0.02 + 0.2) / error))
    assert made.p_upper == pytest.approx(stats.norm.sf((0.2 - 0.02) / error))
    assert equivalence(found.difference, 0.2, test="t").p == made.p
    assert equivalence(found.difference, 0.2).p == equivalence(found, 0.2).p


def at_margins(seed: int, n: int) -> list[Paired]:
    """A comparison of each form by each of its tests."""
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(0.1, 1, (2, n))
    right = (rng.random((2, n)) < 0.7).astype(float)
    sizes = rng.integers(1, 5, n)

    def rms(rows: np.ndarray, weights: np.ndarray) -> float:
        return math.sqrt(float(weights @ rows**2 / weights.sum()))

    def area(value: float, each: np.ndarray) -> Influence:
        return Influence(value, (n,), (each.var(ddof=1),), influence=lambda: (each,))

    truth = np.arange(n) % 2
    labels = {"groups": rng.integers(0, max(n // 2, 2), n)}
    weights = {"sample_weight": rng.integers(1, 4, n).astype(float)}
    f1 = [
        [certus.classification.f1(truth, np.where(column == 1, truth, 1 - truth), **how) for column in right]
        for how in ({"groups": np.arange(n)}, labels, {**labels, **weights})
    ]
    terms = rng.normal(size=(2, n))
    found = [paired(first, second, test, replicates=199) for test in (*TESTS, "betting")]
    found += [paired(first, second, test, bounds=(0.0, 1.0), groups=sizes) for test in ("permutation", "t", "betting")]
    found += [paired(first, second, test, weights=sizes) for test in ("permutation", "t")]
    found.append(paired(*right))
    found += [difference(a, b) for a, b in f1]
    found += [
        difference(Mean(first, scale="log"), Mean(second, scale="log")),
        difference(Mean(first, total=True), Mean(second, total=True), test="t"),
        difference(Ratio(first, sizes), Ratio(second, sizes + first)),
        difference(Plugin(first, rms), Plugin(second, rms), replicates=199),
        difference(area(0.9, terms[0]), area(0.4, terms[1])),
        difference(Mean(first), Mean(second[1:]), paired=False),
        difference(Proportion(int(right[0].sum()), n), Proportion(n - 2, n + 3), paired=False),
    ]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_the_limits_that_a_test_has_by_itself_are_where_its_p_value_passes_alpha(seed: int) -> None:
    rng = np.random.default_rng(seed)
    alpha = (0.025, 0.1)[seed % 2]
    for found in at_margins(seed, 6 + 2 * seed):
        limits, value = found.difference.interval(1 - 2 * alpha), abs(found.difference.value)
        width = limits.high - limits.low
        if not math.isfinite(width):
            continue
        # ends at random, on the limits, and beside them: a limit that is searched for is known to 1e-4 of p
        lows = -value - width * rng.uniform(0, 2), limits.low, limits.low - 1e-3 * width, limits.low + 1e-3 * width
        highs = value + width * rng.uniform(0, 2), limits.high, limits.high + 1e-3 * width, limits.high - 1e-3 * width
        for low, high in itertools.product(lows, highs):
            if not low < 0 < high:
                continue
            made = equivalence(found, (low, high), test=found.method, level=1 - alpha)
            if low != limits.low:
                assert (made.p_lower <= alpha) == (limits.low > low), (found, low)
            if high != limits.high:
                assert (made.p_upper <= alpha) == (limits.high < high), (found, high)
            assert (made.p_lower <= alpha * (1 + 1e-12)) == (made.interval.low > low), (found, low)
            assert (made.p_upper <= alpha * (1 + 1e-12)) == (made.interval.high < high), (found, high)
            assert made.interval == pytest.approx(limits, abs=2e-5 * width)


def test_nothing_is_shown_without_a_value_or_a_spread() -> None:
    missing = equivalence(difference(Mean([math.nan]), Mean([1.0])), 0.1)
    assert (missing.verdict, missing.non_inferior) == ("not shown", False)
    assert str(missing).startswith("no test against the margin -0.1 to 0.1: a: 1 of 1 query has no value")
    alone = Influence(0.0, (1, 5), (math.nan, 0.1), influence=lambda: (np.zeros(1), np.zeros(5)))
    assert "a single unit" in equivalence(difference(alone, alone), 0.1).reason


def test_margins_that_are_none_are_refused() -> None:
    found = paired([0.1, 0.2], [0.2, 0.1])
    for margin in (0.0, -0.1, math.nan, math.inf, (0.1, 0.2), (-0.1, 0.0)):
        with pytest.raises(DataError, match=r"margin is .*; give a number above 0"):
            equivalence(found, margin)
    with pytest.raises(DataError, match=r"level is 0\.3; it must lie between 0.5 and 1"):
        equivalence(found, 0.1, level=0.3)
    with pytest.raises(MetricNameError, match="'wilcoxon' here; there are permutation-hall, permutation, betting"):
        equivalence(found, 0.1, test="wilcoxon")
    ratio = difference(Ratio([1, 2], [2, 3]), Ratio([1, 1], [2, 3]))
    with pytest.raises(MetricNameError, match="there are permutation-hall, permutation, betting, t"):
        equivalence(ratio, 0.1, test="wilcoxon")
    other = difference(Ratio([1, 2], [2, 3]), Ratio([1, 1], [2, 4]))
    with pytest.raises(MetricNameError, match=r"there are t$"):
        equivalence(other, 0.1, test="permutation")


def test_a_test_without_limits_has_no_p_value_against_a_margin() -> None:
    found = difference(Ratio([1, 2, 3], [2, 3, 4]), Ratio([1, 1, 2], [2, 4, 4]), test="permutation")
    made = equivalence(found, 0.1)
    assert math.isnan(made.p)
    assert (made.verdict, made.non_inferior) == ("not shown", False)
    assert "no interval inverts this permutation test" in str(made)


def test_bare_differences_are_refused() -> None:
    with pytest.raises(DataError, match=r"difference is list; give what paired\(\) or difference\(\) returned"):
        equivalence([0.1, 0.2], 0.05)  # type: ignore[arg-type]
