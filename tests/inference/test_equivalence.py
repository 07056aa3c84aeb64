"""Equivalence and non-inferiority."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus.errors import DataError, MetricNameError
from certus.inference import equivalence, paired, paired_scores
from certus.inference.difference import difference
from certus.statistic import Influence, Mean, Proportion, Ratio


@settings(max_examples=60)
@given(values=st.lists(st.integers(-8, 8), min_size=2, max_size=9), margin=st.integers(1, 6))
def test_the_permutation_flips_the_differences_moved_by_the_margin(values: list[int], margin: int) -> None:
    found = equivalence(paired([v / 10 for v in values], np.zeros(len(values))), margin / 10)
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
    found = equivalence(paired(a, b), 0.06, method="TOST")
    assert found.p_lower == pytest.approx(stats.ttest_1samp(a, -0.06, alternative="greater").pvalue, rel=1e-9)
    assert found.p_upper == pytest.approx(stats.ttest_1samp(a, 0.06, alternative="less").pvalue, rel=1e-9)
    low, high = interval = found.interval
    level = interval.level
    assert level == pytest.approx(0.9)
    # Both tests reject exactly where the interval at 1 - 2 alpha lies within the margin.
    assert (found.p_lower <= 0.05, found.p_upper <= 0.05) == (low >= -0.06, high <= 0.06)


def test_one_side_alone_is_non_inferiority() -> None:
    rng = np.random.default_rng(2)
    better = equivalence(paired(rng.normal(1, 0.1, 20), np.zeros(20)), 0.1)
    assert (better.verdict, better.non_inferior, better.equivalent) == ("not inferior", True, False)
    worse = equivalence(paired(np.zeros(20), rng.normal(1, 0.1, 20)), 0.1)
    assert (worse.verdict, worse.non_inferior) == ("not superior", False)
    noisy = equivalence(paired(rng.normal(0, 1, 20), np.zeros(20)), 0.1)
    assert noisy.verdict == "not shown"
    lopsided = equivalence(paired(rng.normal(0, 0.1, 20), np.zeros(20)), (-0.2, 5.0))
    assert lopsided.equivalent
    assert str(lopsided).startswith("equivalent with margin -0.2 to 5: p = ")


def test_equal_systems_are_equivalent_as_far_as_their_number_shows_it() -> None:
    values = np.random.default_rng(3).random(6)
    same = equivalence(paired(values, values), 0.01)
    assert (same.p_lower, same.p_upper, same.verdict) == (2**-6, 2**-6, "equivalent")
    assert equivalence(paired(values[:4], values[:4]), 0.01).verdict == "not shown"
    assert equivalence(difference(Ratio(values, values + 1), Ratio(values, values + 1)), 0.01).p == 2**-6
    scores = paired_scores([1, 1, 1, 0, 0, 0, 0], [*values, 2.0], [*values, 2.0])
    assert equivalence(scores, 0.01).p == 2**-3
    apart = equivalence(paired(np.full(6, 0.5), np.zeros(6)), 0.1, method="t")
    assert (apart.p_lower, apart.p_upper) == (2**-6, 1.0)


def test_other_forms_take_the_error_of_the_form() -> None:
    found = difference(Proportion(45, 50), Proportion(44, 50), paired=False, bounds=(0.0, 1.0))
    error = found.difference.standard_error
    made = equivalence(found, 0.2)
    assert made.p_lower == pytest.approx(stats.norm.sf((0.02 + 0.2) / error))
    assert made.p_upper == pytest.approx(stats.norm.sf((0.2 - 0.02) / error))
    assert equivalence(found.difference, 0.2).p == made.p


def test_nothing_is_shown_without_a_value_or_a_spread() -> None:
    missing = equivalence(difference(Mean([math.nan]), Mean([1.0])), 0.1)
    assert (missing.verdict, missing.non_inferior) == ("not shown", False)
    assert str(missing).startswith("no test against the margin -0.1 to 0.1: a: 1 of 1 query has no value")
    alone = Influence(0.0, (1, 5), (math.nan, 0.1), influence=lambda: (np.zeros(1), np.zeros(5)))
    assert "a single unit" in equivalence(difference(alone, alone), 0.1).why


def test_margins_that_are_none_are_refused() -> None:
    found = paired([0.1, 0.2], [0.2, 0.1])
    for margin in (0.0, -0.1, math.nan, math.inf, (0.1, 0.2), (-0.1, 0.0)):
        with pytest.raises(DataError, match=r"margin is .*; give a number above 0"):
            equivalence(found, margin)
    with pytest.raises(DataError, match=r"alpha is 0\.7; it must lie between 0 and 0.5"):
        equivalence(found, 0.1, alpha=0.7)
    with pytest.raises(
        MetricNameError, match="no test against a margin is named 'wilcoxon' here; there are permutation, t"
    ):
        equivalence(found, 0.1, method="wilcoxon")
    ratio = difference(Ratio([1, 2], [2, 3]), Ratio([1, 1], [2, 3]))
    with pytest.raises(MetricNameError, match="there are t"):
        equivalence(ratio, 0.1, method="permutation")


def test_bare_differences_are_refused() -> None:
    with pytest.raises(DataError, match=r"found is list; give what paired\(\) or difference\(\) returned"):
        equivalence([0.1, 0.2], 0.05)  # type: ignore[arg-type]
