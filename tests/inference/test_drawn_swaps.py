"""The interval of a p-value that was drawn, and the greatest probability of one sum of random signs."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from certus.inference.tests.joint_table import _TailShare
from certus.inference.tests.signflip import _exchanges, _Sizes


@pytest.mark.parametrize("reached", [0, 1, 57, 999, 1000])
def test_a_drawn_p_value_has_its_clopper_pearson_interval(reached: int) -> None:
    share = _TailShare(1.0, 1.0, "greater")
    share.add(np.repeat([2.0, 0.0], [reached, 1000 - reached]), 1.0)
    p, _, how, error, _ = share.sampled(1000)
    exact = stats.binomtest(reached, 1000).proportion_ci(0.99, method="exact")
    assert f"99% interval {exact.low:.4g} to {exact.high:.4g}" in how
    assert p == (reached + 1) / 1001
    assert error == pytest.approx(np.sqrt(p * (1 - p) / 1000), rel=1e-12)


def test_no_sum_of_signs_of_equal_differences_is_more_likely_than_the_bound() -> None:
    values = [1.0] * 4 + [2.5] * 2
    sums = [
        sum(sign * value for sign, value in zip(signs, values, strict=True)) for signs in product((-1, 1), repeat=6)
    ]
    most = max(Fraction(sums.count(each), 64) for each in sums)
    sizes = _Sizes(np.array(values), np.array([1.0, 2.5]), np.array([4, 2]), 0.0)
    assert _exchanges(sizes, 0.0) == pytest.approx(float(most), rel=1e-12)
    single = np.array([1.0, 2.0, 4.0])
    assert _exchanges(_Sizes(single, single, np.array([1, 1, 1]), 0.0), 0.0) == 0
