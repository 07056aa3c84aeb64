"""McNemar's test."""

import itertools
from fractions import Fraction
from math import comb

import pytest
from scipy import stats

from certus import DataError, MetricNameError
from certus.inference import mcnemar


@pytest.mark.parametrize(("n01", "n10"), list(itertools.product(range(9), repeat=2)))
def test_p_is_the_binomial_probability_of_such_a_difference(n01: int, n10: int) -> None:
    n = n01 + n10
    each = [Fraction(comb(n, k), 2**n) for k in range(n + 1)]
    as_far = sum(each[k] for k in range(n + 1) if abs(2 * k - n) >= abs(n01 - n10))
    here = sum(each[k] for k in range(n + 1) if abs(2 * k - n) == abs(n01 - n10))
    assert mcnemar(n01, n10).p == pytest.approx(float(as_far), abs=1e-15)
    assert mcnemar(n01, n10).p == pytest.approx(stats.binomtest(n01, n).pvalue if n else 1.0, abs=1e-14)
    middle = 1.0 if n01 == n10 else float(as_far - here / 2)
    assert mcnemar(n01, n10, "mid-p").p == pytest.approx(middle, abs=1e-15)


def test_the_chi_squared_approximation_by_hand() -> None:
    assert mcnemar(30, 12, "chi2").p == pytest.approx(stats.chi2.sf(18**2 / 42, 1), rel=1e-12)


def test_far_tails_keep_their_digits() -> None:
    assert mcnemar(1000, 0).p == pytest.approx(2.0**-999, rel=1e-9)


def test_systems_that_never_differ_have_p_1() -> None:
    assert [mcnemar(0, 0, method).p for method in ("exact", "mid-p", "chi2")] == [1, 1, 1]
    assert mcnemar(0, 0).n == 0


def test_bad_input_is_refused() -> None:
    with pytest.raises(DataError, match="n01"):
        mcnemar(-1, 3)
    with pytest.raises(DataError, match="n10"):
        mcnemar(1, 2.5)  # type: ignore[arg-type]
    with pytest.raises(MetricNameError, match="no McNemar test is named 'yates'"):
        mcnemar(1, 2, "yates")  # type: ignore[arg-type]
