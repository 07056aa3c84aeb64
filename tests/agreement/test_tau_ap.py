import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from certus import DataError, MetricNameError
from certus.agreement import tau_ap

# ircor 1.0 (Urbano; github.com/julian-urbano/ircor, tests/testthat), to the four digits given there.
IRCOR = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        (0.8519, 0.7454, 0.8333, 0.7321),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        (0.2504, 0.2692, 0.2880, 0.297),
    ),
]


def naive(x: Any, y: Any) -> Any:
    """The definition, for rankings without ties."""
    order = sorted(range(len(x)), key=lambda i: -y[i])
    shares = [sum(x[j] > x[i] for j in order[:rank]) / rank for rank, i in enumerate(order) if rank]
    return 2 * sum(shares) / (len(x) - 1) - 1


def naive_expected(x: Any, y: Any) -> Any:
    """The mean over all orders of the tied items of y."""
    orders = [o for o in itertools.permutations(range(len(y))) if all(y[i] >= y[j] for i, j in itertools.pairwise(o))]
    return float(np.mean([naive(x, [-order.index(i) for i in range(len(y))]) for order in orders]))


def naive_between_groups(x: Any, y: Any) -> Any:
    shares = []
    for i in range(len(x)):
        above = [j for j in range(len(x)) if y[j] > y[i]]
        if above:
            shares.append(sum(x[j] > x[i] for j in above) / len(above))
    return 2 * float(np.mean(shares)) - 1 if shares else math.nan


def test_a_swap_at_the_top_costs_more_than_one_at_the_bottom() -> None:
    # Pairs below rank 1: shares 0, 1, 1 and 1, 1, 2/3.
    assert float(tau_ap([4, 3, 2, 1], [3, 4, 2, 1])) == pytest.approx(2 / 3 * 2 - 1, abs=1e-15)
    assert float(tau_ap([4, 3, 2, 1], [4, 3, 1, 2])) == pytest.approx(2 / 3 * (8 / 3) - 1, abs=1e-15)


@pytest.mark.parametrize(("x", "y", "expected"), IRCOR)
def test_values_are_ircors(x: Any, y: Any, expected: Any) -> None:
    x_ties, y_ties = np.round(x, 1), np.round(y, 1)
    found = (tau_ap(x, y), tau_ap(x, y_ties), tau_ap(x, y, symmetric=True), tau_ap(x_ties, y_ties, ties="b"))
    assert [float(each) for each in found] == pytest.approx(expected, abs=5e-5)
    assert float(tau_ap(y_ties, x_ties, ties="b")) == float(found[3])
    assert float(tau_ap(x, y, ties="b")) == pytest.approx(float(found[2]), abs=1e-14)


orders = st.integers(2, 6).flatmap(lambda n: st.permutations(list(range(n))))


@given(orders, st.data())
def test_ties_of_the_second_are_averaged_over_all_orders(x: Any, data: Any) -> None:
    y = data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x)))
    assume(len(set(y)) > 1)
    assert float(tau_ap(x, y)) == pytest.approx(naive_expected(x, y), abs=1e-13)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=10))
def test_ties_of_both_leave_out_the_pairs_within_groups(rows: Any) -> None:
    x, y = zip(*rows, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    expected = (naive_between_groups(x, y) + naive_between_groups(y, x)) / 2
    assert float(tau_ap(x, y, ties="b")) == pytest.approx(expected, abs=1e-13)


@given(orders.filter(lambda x: len(x) > 3), st.data())
def test_the_influence_values_are_those_of_leaving_out_each_item(x: Any, data: Any) -> None:
    n = len(x)
    y = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    assume(len(set(y)) > 1)
    treatments: Any = (
        ("a", naive_expected),
        ("b", lambda x, y: (naive_between_groups(x, y) + naive_between_groups(y, x)) / 2),
    )
    for ties, value in treatments:
        without = np.array([value(x[:i] + x[i + 1 :], y[:i] + y[i + 1 :]) for i in range(n)])
        found: Any = tau_ap(x, y, ties=ties).statistic
        expected = (n - 1) * (without.mean() - without)
        if np.isnan(without).any():
            assert math.isnan(found.variances[0])
        else:
            assert found.influence()[0] == pytest.approx(expected, abs=1e-11)


def test_no_interval_where_leaving_out_items_leaves_no_order() -> None:
    found = tau_ap([2, 1], [1, 2])
    assert float(found) == -1.0
    assert not found.interval().defined


def test_all_items_tied_is_undefined() -> None:
    found = tau_ap([3, 2, 1], [1, 1, 1])
    assert math.isnan(found.value)
    assert found.reason == "all 3 scores of b are equal: they give no order"


def test_ties_in_the_truth_are_refused() -> None:
    with pytest.raises(DataError, match="a has tied scores but is held to be the truth; take ties='b'"):
        tau_ap([1, 1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="b has tied scores but is held to be the truth"):
        tau_ap([1, 2, 3], [1, 1, 2], symmetric=True)
    with pytest.raises(MetricNameError, match="ties is 'c'"):
        tau_ap([1, 2], [1, 2], ties="c")  # type: ignore[arg-type]
