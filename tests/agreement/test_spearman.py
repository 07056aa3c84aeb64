import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus import MetricNameError
from certus.agreement import spearman

pairs_of_grades = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=6)


def mean_ranks(values: Any) -> Any:
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]


def pearson(x: Any, y: Any) -> Any:
    x, y = np.array(x) - np.mean(x), np.array(y) - np.mean(y)
    return float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))


def test_the_value_is_one_less_the_squared_rank_differences() -> None:
    # Ranks 1 2 3 4 against 2 1 4 3: 1 - 6 * 4 / (4 * 15).
    assert float(spearman([1, 2, 3, 4], [20, 10, 40, 30])) == pytest.approx(0.6, abs=1e-15)


@given(pairs_of_grades, st.sampled_from(["two-sided", "greater", "less"]))
def test_value_and_p_are_those_of_the_mean_ranks_in_all_orders(rows: Any, alternative: Any) -> None:
    x, y = (mean_ranks(column) for column in zip(*rows, strict=True))
    found = spearman(*zip(*rows, strict=True), alternative=alternative)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(found.value)
        assert math.isnan(found.p)
        return
    assert float(found) == pytest.approx(pearson(x, y), abs=1e-14)
    total = np.dot(x, y)
    sums = [np.dot(x, order) for order in itertools.permutations(y)]
    tails = {"greater": sum(s >= total for s in sums), "less": sum(s <= total for s in sums)}
    tails["two-sided"] = 2 * min(tails.values())
    assert found.p == pytest.approx(min(1.0, tails[alternative] / len(sums)), rel=1e-12)


def test_value_and_p_of_many_items_are_scipys() -> None:
    from scipy.stats import spearmanr

    rng = np.random.default_rng(2)
    x = np.round(rng.normal(size=60), 1)
    y = np.round(x + rng.normal(size=60), 1)
    theirs = spearmanr(x, y)
    ours = spearman(x, y)
    assert (ours.value, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.method_note == "t"


@pytest.mark.parametrize("grades", [False, True])
def test_the_standard_error_nears_the_jackknifes(grades: Any) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=400)
    y = x + rng.normal(size=400)
    if grades:
        x, y = np.rint(x), np.rint(y)
    without = np.array([spearman(np.delete(x, i), np.delete(y, i)).value for i in range(400)])
    jackknife = math.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
    # They differ in terms of order 1 / n.
    assert spearman(x, y).standard_error == pytest.approx(jackknife, rel=0.01)


def test_whole_agreement_has_a_limit_by_daniels_inequality() -> None:
    tau = 2 * 0.025 ** (1 / 20) - 1
    found = spearman(range(40), range(40)).interval()
    assert found.low == pytest.approx((3 * tau - 1) / 2, rel=1e-12)
    assert found.high == 1.0
    few = spearman([1, 2], [2, 1]).interval()
    assert few.low == -1.0
    assert few.high < 1.0


def test_a_side_that_does_not_exist_is_refused() -> None:
    with pytest.raises(MetricNameError, match="alternative is 'both'"):
        spearman([1, 2], [1, 2], alternative="both")  # type: ignore[arg-type]
