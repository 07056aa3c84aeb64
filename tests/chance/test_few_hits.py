"""Average precision of two or three relevant items in long rankings, counted."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.chance import average_precision
from certus.chance.laws import sums_of_hits
from certus.chance.laws.sums_of_hits import FewHits


def every_sum(items: int, hits: int, depth: int) -> np.ndarray:
    ranks = np.array(list(itertools.combinations(range(1, items + 1), hits)))
    return np.asarray(np.where(ranks <= depth, np.arange(1, hits + 1) / ranks, 0.0).sum(axis=1))


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 45), st.sampled_from([2, 3]), st.data())
def test_counts_are_those_of_all_rankings(items: int, hits: int, data: st.DataObject) -> None:
    depth = data.draw(st.integers(hits + 1, items))
    sums = every_sum(items, hits, depth)
    law = FewHits(items, hits, depth)
    places = data.draw(st.lists(st.sampled_from(np.unique(sums).tolist()) | st.floats(-0.1, 3.1), max_size=5))
    for x in places:
        slack = 1e-12 * max(x, 1 / depth)
        found = law.tails(x)
        expected = [(sums < x - slack).mean(), (abs(sums - x) <= slack).mean(), (sums > x + slack).mean()]
        assert [math.exp(log) for log in (found.lower, found.atom, found.upper)] == pytest.approx(expected, abs=1e-12)
        assert found.error == 0
        assert found.method == "enumeration"


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 45), st.data())
def test_smooth_counts_are_within_their_error(items: int, data: st.DataObject) -> None:
    depth = data.draw(st.integers(4, items))
    sums = every_sum(items, 3, depth)
    x = data.draw(st.sampled_from(sums.tolist()) | st.floats(0.01, 3.0))
    found = FewHits(items, 3, depth).count_from(x, smooth=True)
    assert found.value - found.error <= (sums >= x - 1e-13).sum()
    assert found.value + found.error >= (sums > x + 1e-13).sum()


def test_smooth_counts_of_200_items_are_within_their_error() -> None:
    sums = np.sort(every_sum(200, 3, 200))
    law = FewHits(200, 3, 200)
    for x in [0.04, 0.06, 0.1, 0.3, 0.51, 1.02, 2.2]:
        found = law.count_from(x, smooth=True)
        expected = len(sums) - np.searchsorted(sums, x - 1e-13)
        assert abs(found.value - expected) <= found.error
        tails = law.tails(x)
        assert np.logaddexp(tails.atom, tails.upper) == pytest.approx(math.log(expected / len(sums)), rel=1e-12)


@pytest.mark.parametrize(("items", "relevant"), [(1_000, 3), (6_000, 2)])
def test_counts_agree_with_an_inversion(items: int, relevant: int) -> None:
    counted, inverted = average_precision(items, relevant), average_precision(items, relevant, engine="fourier")
    for q in (0.025, 0.5, 0.975):
        x = counted.ppf(q)
        assert counted.cdf(x) == pytest.approx(q, abs=3e-5)
        x += 1e-7 * x / math.pi  # where there is no atom, of which an inversion has only half
        below, other = counted.cdf(x), inverted.cdf(x)
        assert below.method == "enumeration"
        assert below.error == 0
        assert abs(below - other) <= other.error + 1e-12


def test_three_of_many_have_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    law = average_precision(4_000, 3)
    places = [law.ppf(q) for q in (0.025, 0.3, 0.5, 0.975)]
    exact = [law.tail(x) for x in places]
    assert all(p.error == 0 for p in exact)
    monkeypatch.setattr(sums_of_hits, "_PAIRS", 10)
    law = average_precision(4_000, 3)
    assert law.method == "counting"
    assert not law.exact
    for x, p in zip(places, exact, strict=True):
        found = law.tail(x)
        assert found.method == "counting"
        assert abs(found - p) <= found.error < 4e-4
        assert law.ppf(1 - found) == pytest.approx(x, rel=1e-6)


def test_three_of_a_hundred_thousand_are_quick_to_ask() -> None:
    law = average_precision(100_000, 3)
    quantiles = [law.ppf(q) for q in (0.025, 0.5, 0.975)]
    assert quantiles == sorted(quantiles)
    for q, x in zip((0.025, 0.5, 0.975), quantiles, strict=True):
        below = law.cdf(x)
        assert below == pytest.approx(q, abs=1e-9)
        assert below.error < 2e-6
    # All that is left are the ranks 1, 2, t.
    tail = law.tail((2 + 3 / 50.5) / 3)
    assert tail == pytest.approx(48 / math.comb(100_000, 3), rel=1e-12)


def test_a_cutoff_leaves_out_lower_ranks() -> None:
    law = average_precision(30_000, 3, cutoff=100)
    nothing = math.comb(29_900, 3) / math.comb(30_000, 3)
    assert law.cdf(0) == pytest.approx(nothing, rel=1e-12)
    assert law.support() == (0.0, 1.0)
    assert law.tail(1.0) == pytest.approx(1 / math.comb(30_000, 3), rel=1e-9)
