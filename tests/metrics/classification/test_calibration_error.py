"""Expected and maximum calibration error, and their bins."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import DataError, classification
from certus.data import Probabilities
from certus.metrics.classification.calibration_error import binned, predicted

ece = classification.expected_calibration_error
mce = classification.maximum_calibration_error

# Eight predictions in four bins of width 1/4; the gaps are those of the comments.
P = [0.125, 0.25, 0.375, 0.375, 0.5, 0.5, 0.875, 1.0]
Y = [0, 1, 0, 1, 1, 1, 1, 0]
# (0, 1/4]: 1/2 - 3/16 = 5/16 of 2; (1/4, 1/2]: 3/4 - 7/16 = 5/16 of 4; (3/4, 1]: 1/2 - 15/16 = -7/16 of 2


def test_debiased_squares_are_mean_products_of_two_samples() -> None:
    # The errors in eighths, bin by bin:
    first, second, third = [7, 6], [-3, 5, 4, 4], [1, 0]
    squares = [
        Fraction(sum(a * b for a, b in itertools.permutations(each, 2)), len(each) * (len(each) - 1) * 64)
        for each in (first, second, third)
    ]
    total = (2 * squares[0] + 4 * squares[1] + 2 * squares[2]) / 8
    assert ece([1, 1, 0, 1, 1, 1, 1, 1], P, n_bins=4, norm="l2-debiased").value == pytest.approx(
        math.sqrt(total), rel=1e-14
    )


def test_debiased_is_0_where_the_estimate_is_negative_or_no_bin_has_two_samples() -> None:
    assert ece([0, 1], [0.5, 0.5], n_bins=1, norm="l2-debiased").value == 0
    assert ece([0, 1], [0.25, 0.75], n_bins=2, norm="l2-debiased").value == 0


def test_a_bin_holds_its_upper_edge_and_the_first_one_0() -> None:
    assert binned(np.array([0.0, 0.25, 0.5, 0.75, 1.0]), 2, "uniform").bins.tolist() == [0, 0, 0, 1, 1]


def test_equal_probabilities_stay_together_in_bins_of_equal_mass() -> None:
    bins, edges = binned(np.array([0.1, 0.2, 0.2, 0.2, 0.2, 0.3, 0.4, 0.4]), 4, "equal-mass")
    assert bins.tolist() == [0, 1, 1, 1, 1, 2, 3, 3]
    assert edges.tolist() == [0.0, 0.1, 0.2, 0.3, 1.0]
    bins, edges = binned(np.full(5, 0.5), 3, "equal-mass")
    assert bins.tolist() == [1] * 5
    assert edges.tolist() == [0.0, 0.0, 0.5, 1.0]


def test_quantiles_take_no_weights() -> None:
    with pytest.raises(DataError, match="strategy is 'quantile' but samples have weights; take 'equal-mass'"):
        ece(Y, P, strategy="quantile", sample_weight=np.arange(1.0, 9.0))


def test_the_top_class_is_looked_at_where_there_are_three() -> None:
    rows = [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75], [0.375, 0.375, 0.25]]
    probability, outcome = predicted(Probabilities.from_arrays([0, 1, 1], rows, labels=[0, 1, 2]))
    assert probability.tolist() == [0.5, 0.75, 0.375]
    assert outcome.tolist() == [True, False, False]  # of equal probabilities the earliest class is the top one
    assert ece([0, 1, 1], rows, labels=[0, 1, 2], n_bins=1).value == pytest.approx(1.625 / 3 - 1 / 3, rel=1e-14)
    with pytest.raises(DataError, match="confidence is 'positive' but there are 3 classes; take 'top'"):
        ece([0, 1, 1], rows, labels=[0, 1, 2], confidence="positive")


def test_the_top_class_of_two() -> None:
    p = np.array([0.25, 0.5, 0.75])
    for given_ in (p, np.column_stack([1 - p, p])):
        probability, outcome = predicted(Probabilities.from_arrays([0, 1, 1], given_), "top")
        assert probability.tolist() == [0.75, 0.5, 0.75]
        assert outcome.tolist() == [True, False, True]


def test_one_column_or_two_are_the_same() -> None:
    p = np.array(P)
    assert ece(Y, np.column_stack([1 - p, p]), n_bins=4).value == ece(Y, p, n_bins=4).value
    with pytest.raises(DataError, match="say which is positive with pos_label="):
        ece(["no", "yes"], np.eye(2))


def slow(p: list[float], y: list[int], edges: list[float]) -> tuple[Fraction, Fraction, Fraction]:
    """ECE, its square for l2, and MCE, bin by bin in rationals."""
    one = two = greatest = Fraction(0)
    for b, (low, high) in enumerate(itertools.pairwise(edges)):
        here = [i for i, x in enumerate(p) if (low < x or b == 0) and (x <= high or b == len(edges) - 2)]
        if here:
            gap = sum((Fraction(y[i]) - Fraction(p[i]) for i in here), Fraction(0)) / len(here)
            one += abs(gap) * len(here) / len(p)
            two += gap**2 * len(here) / len(p)
            greatest = max(greatest, abs(gap))
    return one, two, greatest


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 1)),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 8),
    st.sampled_from(["uniform", "quantile"]),
)
def test_by_the_definition(samples: list[tuple[float, int]], n_bins: int, strategy: Any) -> None:
    p, y = [list(column) for column in zip(*samples, strict=True)]
    edges = np.linspace(0, 1, n_bins + 1)
    edges = np.percentile(p, edges * 100) if strategy == "quantile" else edges
    one, two, greatest = slow(p, y, edges.tolist())
    bins: Any = {"n_bins": n_bins, "strategy": strategy}
    assert ece(y, p, **bins).value == pytest.approx(float(one), rel=1e-13, abs=1e-15)
    assert ece(y, p, norm="l2", **bins).value == pytest.approx(math.sqrt(two), rel=1e-13, abs=1e-15)
    assert mce(y, p, **bins).value == pytest.approx(float(greatest), rel=1e-13, abs=1e-15)


@settings(deadline=None)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=12), st.integers(1, 6))
def test_equal_mass_is_floored_mid_rank(levels: list[int], n_bins: int) -> None:
    probability = np.array(levels) / 12
    expected = []
    for x in levels:
        mid = Fraction(sum(a < x for a in levels) * 2 + sum(a == x for a in levels), 2 * len(levels))
        expected.append(min(math.floor(n_bins * mid), n_bins - 1))
    bins, edges = binned(probability, n_bins, "equal-mass")
    assert bins.tolist() == expected
    assert np.searchsorted(edges[1:-1], probability).tolist() == expected


@pytest.mark.parametrize("n_bins", [1, 2, 3, 7, 15, 49, 1000])
def test_a_probability_next_to_an_edge_is_in_the_part_that_a_search_among_the_edges_finds(n_bins: int) -> None:
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    near = [edges, np.nextafter(edges, 0.0), np.nextafter(edges, 1.0), np.array([5e-324, np.nextafter(1.0, 2.0)])]
    p = np.concatenate([*near, np.random.default_rng(n_bins).random(1000)])
    assert binned(p, n_bins, "uniform").bins.tolist() == np.searchsorted(edges[1:-1], p).tolist()
