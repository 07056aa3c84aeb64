import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from certus import DataError, MetricNameError
from certus.agreement import kendall_tau
from certus.statistic import Influence

pairs_of_grades = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


def naive_signs(x: Any, y: Any) -> Any:
    return [
        sum(int(np.sign(a - c) * np.sign(b - d)) for c, d in zip(x, y, strict=True)) for a, b in zip(x, y, strict=True)
    ]


def influence_of(found: Any) -> Any:
    assert isinstance(found.statistic, Influence)
    assert found.statistic.influence is not None
    return found.statistic.influence()[0]


def naive_tau(x: Any, y: Any, variant: str = "b") -> Any:
    pairs = list(itertools.combinations(range(len(x)), 2))
    total = sum(int(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])) for i, j in pairs)
    apart = [sum(column[i] != column[j] for i, j in pairs) for column in (x, y)]
    return total / (math.sqrt(apart[0] * apart[1]) if variant == "b" else len(pairs))


def test_one_of_three_pairs_turned_round_is_a_third() -> None:
    assert float(kendall_tau([1, 2, 3], [1, 3, 2])) == pytest.approx(1 / 3, abs=1e-15)


def test_ties_leave_the_denominator_of_b_and_stay_in_that_of_a() -> None:
    x, y = [1, 2, 2, 3], [1, 2, 3, 4]
    assert float(kendall_tau(x, y)) == pytest.approx(5 / math.sqrt(5 * 6), abs=1e-15)
    assert float(kendall_tau(x, y, variant="a")) == pytest.approx(5 / 6, abs=1e-15)
    assert float(kendall_tau(x, x)) == 1.0


@given(pairs_of_grades.filter(lambda rows: len(rows) > 2))
def test_counting_by_bits_is_counting_all_pairs(rows: Any) -> None:
    """The influence of an item on tau-a is twice its concordant less its discordant pairs over n - 2, less the mean."""
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    found = kendall_tau(x, y, variant="a")
    assume(not found.reason and abs(found.value) < 1)
    expected = 2 / (len(x) - 2) * np.array(naive_signs(x, y), dtype=float)
    assert influence_of(found) == pytest.approx(expected - expected.mean(), abs=1e-12)


@given(pairs_of_grades, st.sampled_from(["a", "b"]))
def test_the_value_is_the_definition(rows: Any, variant: Any) -> None:
    x, y = zip(*rows, strict=True)
    found = kendall_tau(x, y, variant=variant)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(found.value)
        assert "give no order" in found.reason
    else:
        assert float(found) == pytest.approx(naive_tau(x, y, variant), abs=1e-14)


@given(st.integers(3, 8), st.randoms(use_true_random=False))
def test_the_influence_values_of_tau_a_are_the_jackknifes(n: Any, random: Any) -> None:
    x = list(range(n))
    y = random.sample(x, n)
    assume(abs(naive_tau(x, y)) < 1)  # whole agreement has no spread
    influence = influence_of(kendall_tau(x, y))
    without = [naive_tau(x[:i] + x[i + 1 :], y[:i] + y[i + 1 :]) for i in range(n)]
    pseudo = n * naive_tau(x, y) - (n - 1) * np.array(without)
    assert influence == pytest.approx(pseudo - pseudo.mean(), abs=1e-12)


def exact_tails(n: Any, inversions: Any) -> Any:
    law = [Fraction(1)]
    for i in range(2, n + 1):
        longer = [Fraction(0)] * (len(law) + i - 1)
        for k, chance in enumerate(law):
            for more in range(i):
                longer[k + more] += chance / i
        law = longer
    return sum(law[inversions:], Fraction(0)), sum(law[: inversions + 1], Fraction(0))


def with_inversions(n: int, count: int) -> list[int]:
    """An order of n items in which so many pairs stand the wrong way round."""
    order: list[int] = []
    for item in range(n):
        earlier = min(count, item)
        order.insert(item - earlier, item)
        count -= earlier
    return order


@pytest.mark.parametrize("n", [2, 3, 6, 18])
def test_the_null_law_is_exact_in_both_tails(n: Any) -> None:
    most = n * (n - 1) // 2
    for inversions in {0, 1, most // 4, most // 2, most - 1, most}:
        tails = [
            kendall_tau(range(n), with_inversions(n, inversions), alternative=each).p for each in ("less", "greater")
        ]
        # Rounding only, even where the tail is as small as 1 / 18!.
        assert tails == pytest.approx([float(p) for p in exact_tails(n, inversions)], rel=1e-13)


@given(pairs_of_grades.filter(lambda rows: len(rows) <= 6), st.sampled_from(["two-sided", "greater", "less"]))
def test_p_is_the_share_of_orders_at_least_as_extreme(rows: Any, alternative: Any) -> None:
    x, y = zip(*rows, strict=True)
    found = kendall_tau(x, y, alternative=alternative)
    if found.reason:
        assert math.isnan(found.p)
        return
    total = sum(naive_signs(x, y))
    sums = [sum(naive_signs(x, order)) for order in itertools.permutations(y)]
    tails = {"greater": sum(s >= total for s in sums), "less": sum(s <= total for s in sums)}
    tails["two-sided"] = 2 * min(tails.values())
    assert found.p == pytest.approx(min(1.0, tails[alternative] / len(sums)), rel=1e-12)


def test_values_and_p_are_scipys() -> None:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(4)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    exact = kendalltau(x, y, method="exact")
    assert (kendall_tau(x, y).value, kendall_tau(x, y).p) == pytest.approx((exact.statistic, exact.pvalue), rel=1e-12)
    x, y = np.rint(x), np.rint(y)
    normal = kendalltau(x, y, method="asymptotic")
    assert (kendall_tau(x, y).value, kendall_tau(x, y).p) == pytest.approx((normal.statistic, normal.pvalue), rel=1e-10)


def test_whole_agreement_has_an_exact_limit() -> None:
    # Ten items are five separate pairs: at the limit all are concordant with probability 0.025.
    found = kendall_tau(range(10), range(10)).interval()
    assert ((1 + found.low) / 2) ** 5 == pytest.approx(0.025, rel=1e-12)
    assert found.high == 1.0
    turned = kendall_tau(range(10), range(10, 0, -1)).interval()
    assert (turned.low, turned.high) == (-1.0, -found.low)


def test_scores_by_name_pair_up_by_name() -> None:
    by_name = kendall_tau({"x": 3, "y": 1, "z": 2}, {"z": 20, "y": 30, "x": 10})
    assert float(by_name) == float(kendall_tau([3, 1, 2], [10, 30, 20])) == -1.0


def test_what_cannot_be_ranked_is_refused() -> None:
    with pytest.raises(DataError, match="a has 3 scores but b has 2; they must pair up one to one"):
        kendall_tau([1, 2, 3], [1, 2])
    with pytest.raises(DataError, match="b holds NaN at position 1; every item needs a score"):
        kendall_tau([1, 2], [1, math.nan])
    with pytest.raises(DataError, match="a and b have 1 item; an order needs at least 2"):
        kendall_tau([1], [1])
    with pytest.raises(DataError, match="a has a score for 'y' but b has none"):
        kendall_tau({"x": 1, "y": 2}, {"x": 1, "z": 2})
    with pytest.raises(DataError, match="a gives scores by name but b does not"):
        kendall_tau({"x": 1, "y": 2}, [1, 2])
    with pytest.raises(DataError, match="b is a set, which has no order"):
        kendall_tau([1, 2], {1, 2})  # type: ignore[arg-type]
    with pytest.raises(DataError, match="a holds something that is not a number"):
        kendall_tau(["x", "y"], [1, 2])
    with pytest.raises(DataError, match="a has 2 dimensions"):
        kendall_tau([[1, 2], [1, 3]], [1, 2])
    with pytest.raises(MetricNameError, match="variant is 'c'"):
        kendall_tau([1, 2], [1, 2], variant="c")  # type: ignore[arg-type]
    with pytest.raises(MetricNameError, match="alternative is 'more'"):
        kendall_tau([1, 2], [1, 2], alternative="more")  # type: ignore[arg-type]
