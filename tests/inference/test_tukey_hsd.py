"""The randomised Tukey HSD test."""

import itertools
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from certus import DataError
from certus.inference import paired, tukey_hsd

RNG = np.random.default_rng(20261122)


def oracle(scores: Any) -> Any:
    """The share of all permutations of all units whose means have a range as large: the definition."""
    orders = [list(itertools.permutations(row)) for row in scores.tolist()]
    ranges = np.array([np.ptp(np.sum(rows, axis=0)) for rows in itertools.product(*orders)])
    sums = scores.sum(axis=0)
    gaps = np.abs(sums[:, None] - sums[None, :])
    return (ranges[:, None, None] >= gaps[None] - 1e-9).mean(axis=0)


@pytest.mark.parametrize(("units", "systems"), [(1, 2), (1, 5), (2, 3), (4, 3), (3, 4), (2, 5), (5, 3), (9, 2)])
def test_p_is_that_of_all_permutations(units: int, systems: int) -> None:
    scores = RNG.normal(size=(units, systems)) + np.arange(systems) * 0.4
    found = tukey_hsd(scores)
    assert found.exact
    np.testing.assert_allclose(found.p, oracle(scores), rtol=0, atol=1e-12)
    means = scores.mean(axis=0)
    np.testing.assert_allclose(found.difference, means[:, None] - means[None, :], atol=1e-15)
    np.testing.assert_array_equal(found.means, means)
    assert not found.error.any()


@pytest.mark.parametrize("systems", [3, 4])
def test_ties_across_systems_are_counted_as_ties(systems: int) -> None:
    for _ in range(5):
        scores = RNG.integers(0, 3, (4 if systems == 3 else 3, systems))
        found = tukey_hsd(scores / 10)
        np.testing.assert_allclose(found.p, oracle(scores.astype(np.float64)), rtol=0, atol=1e-12)


def test_two_systems_are_compared_by_sign_flips() -> None:
    scores = RNG.normal(size=(14, 2)) + np.array([0.3, 0.0])
    expected = paired(scores[:, 0], scores[:, 1]).p
    assert tukey_hsd(scores).p[0, 1] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("units", "systems"), [(5, 3), (4, 4), (3, 5), (2, 6), (1, 13)])
def test_random_permutations_agree_with_all_of_them(units: int, systems: int, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = RNG.normal(size=(units, systems)) + np.arange(systems) * 0.3
    exact = tukey_hsd(scores)
    monkeypatch.setattr(sys.modules["certus.inference.many.joint"], "MOST_VALUES", -1)
    drawn = tukey_hsd(scores, replicates=20_000, seed=5)
    assert not drawn.exact
    assert drawn.method_note == "20000 random permutations"
    if exact.exact:
        np.testing.assert_allclose(drawn.p, exact.p, rtol=0, atol=4.5 * drawn.error.max() + 1e-4)
        low, high = drawn.p_interval(0.9999)
        assert ((low <= exact.p) & (exact.p <= high)).all()
    np.testing.assert_allclose(drawn.error, np.sqrt(drawn.p * (1 - drawn.p) / 20_000))


SCORES = arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(2, 4)),
    elements=st.one_of(st.integers(0, 3).map(float), st.floats(-4, 4, width=16)),
)


@settings(deadline=None, max_examples=80)
@given(SCORES, st.randoms())
def test_what_holds_for_all_scores(scores: Any, random: Any) -> None:
    found = tukey_hsd(scores)
    assert ((found.p >= 0) & (found.p <= 1)).all()
    np.testing.assert_array_equal(found.p, found.p.T)
    np.testing.assert_array_equal(found.p.diagonal(), 1.0)
    np.testing.assert_array_equal(found.difference, -found.difference.T)
    # The further apart, the smaller p.
    gaps = np.abs(found.difference).ravel()
    order = np.argsort(gaps)
    assert (np.diff(found.p.ravel()[order])[np.diff(gaps[order]) > 1e-12] <= 0).all()
    systems, units = list(range(scores.shape[1])), list(range(len(scores)))
    random.shuffle(systems)
    random.shuffle(units)
    np.testing.assert_allclose(
        tukey_hsd(scores[units][:, systems]).p, found.p[np.ix_(systems, systems)], rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(tukey_hsd(-3 * scores).p, found.p, rtol=0, atol=1e-12)
    np.testing.assert_allclose(tukey_hsd(scores + 2.0).p, found.p, rtol=0, atol=1e-12)


def test_identical_systems_have_p_1() -> None:
    column = RNG.normal(size=(40, 1))
    found = tukey_hsd(np.column_stack([column, column, column + 1]), replicates=500)
    assert found.p[0, 1] == 1
    assert found.p[0, 2] == 1 / 501
    np.testing.assert_array_equal(tukey_hsd(np.repeat(column, 3, axis=1)).p, 1.0)


def test_it_says_how() -> None:
    scores = [[0.5, 0.4, 0.1], [0.7, 0.6, 0.3], [0.4, 0.5, 0.2]]
    assert (
        str(tukey_hsd(scores)) == "3 pairs of 3 systems, smallest adjusted p = 0.1111 (Tukey HSD, all 216 permutations)"
    )
    assert tukey_hsd(np.eye(10)[:3]).method_note.startswith("all ")
    many = np.ones((100, 4))
    many[:3, 0] = 2
    assert tukey_hsd(many).method_note == "all permutations"
    assert tukey_hsd(many).exact


def test_bad_input_is_refused() -> None:
    with pytest.raises(DataError, match="scores has 1 column; a comparison of systems needs at least two"):
        tukey_hsd([[1.0], [2.0]])
    with pytest.raises(
        DataError, match="scores holds nan in row 1, column 0; every unit needs a finite value for every"
    ):
        tukey_hsd([[1.0, 2.0], [np.nan, 1.0]])
    with pytest.raises(DataError, match="scores has 1 dimensions"):
        tukey_hsd([1.0, 2.0])
    with pytest.raises(DataError, match="seed is -1"):
        tukey_hsd([[1.0, 2.0]], seed=-1)
