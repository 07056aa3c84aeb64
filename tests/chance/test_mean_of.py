"""Means of independent metrics: by hand, against the convolution in rationals, and rungs against each other."""

from fractions import Fraction

import numpy as np
import pytest
from chance.test_average_precision import agrees

from certus import DataError
from certus.chance import average_precision, mean_of, precision, rbp, reciprocal_rank
from chance import oracles


def test_two_topics_by_hand() -> None:
    """1 or 1/2 each: the mean is 1/2, 3/4 or 1."""
    law = mean_of([average_precision(2, 1)] * 2)
    assert [law.pmf(x) for x in (0.5, 0.75, 1.0)] == [0.25, 0.5, 0.25]
    assert law.pmf(0.6) == 0.0


def test_a_mean_is_the_convolution() -> None:
    sizes = [(5, 2), (4, 1), (5, 2), (3, 3), (6, 3)]
    parts = [oracles.average_precision(n, m) for n, m in sizes]
    laws = [average_precision(n, m) for n, m in sizes]
    agrees(mean_of(laws), oracles.convolved(parts, [Fraction(1, 5)] * 5))
    weighted = mean_of(laws, weights=[1, 2, 3, 0, 4])
    agrees(weighted, oracles.convolved(parts, [Fraction(k, 10) for k in (1, 2, 3, 0, 4)]))


def test_halves_of_topics_are_exact() -> None:
    """Too many values to list, few enough to meet in the middle."""
    parts = [(12, 5), (12, 4), (11, 6), (10, 3)]
    laws = [average_precision(n, m) for n, m in parts]
    law = mean_of(laws)
    assert law.method == "enumeration"
    drawn = law.rvs(100_000, seed=2)
    for x in (0.5, 0.6, 0.7):
        assert abs(law.tail(x) - (drawn >= x).mean()) < 0.006
        assert law.cdf(x) + law.sf(x) == pytest.approx(1, abs=1e-12)
    inverted = mean_of(laws, engine="fourier")
    p = inverted.tail(0.61234567)
    assert p == pytest.approx(law.tail(0.61234567), rel=1e-4)
    assert abs(p - law.tail(0.61234567)) <= 3 * p.error


def test_many_topics_have_tails_of_many_digits() -> None:
    laws = [average_precision(50 + 3 * i, 1 + i) for i in range(30)]
    law = mean_of(laws)
    p = law.tail(law.mean() + 5 * law.std())
    assert p.method == "fourier"
    assert 1e-5 < p < 1e-3
    assert p.error < 1e-8 * p
    twice = mean_of(laws * 2, weights=[1] * 60)
    assert twice.mean() == pytest.approx(law.mean(), rel=1e-13)
    assert twice.var() == pytest.approx(law.var() / 2, rel=1e-13)
    assert twice.skewness() == pytest.approx(law.skewness() / 2**0.5, rel=1e-10)
    assert twice.kurtosis() == pytest.approx(law.kurtosis() / 2, rel=1e-10)
    assert law._sum.cumulants(0.0)[1:3] == pytest.approx((law.mean(), law.var()), rel=1e-11)  # type: ignore[attr-defined]


def test_metrics_of_all_kinds_can_be_averaged() -> None:
    law = mean_of([reciprocal_rank(30, 3), precision(40, 10, 5), rbp(20, 4, 0.5), average_precision(15, 3)])
    drawn = law.rvs(50_000, seed=1)
    assert abs(drawn.mean() - law.mean()) < 5 * law.std() / len(drawn) ** 0.5
    assert np.mean(drawn >= 0.5) == pytest.approx(law.tail(0.5), abs=0.01)


def test_what_cannot_be_averaged_is_refused() -> None:
    law = average_precision(5, 2)
    with pytest.raises(DataError, match="distributions is empty"):
        mean_of([])
    with pytest.raises(DataError, match=r"weights has shape \(1,\), but there are 2 distributions"):
        mean_of([law, law], weights=[1])
    with pytest.raises(DataError, match="weights must be finite and not negative"):
        mean_of([law, law], weights=[1, -1])
    with pytest.raises(DataError, match="a ZhangSu by method 'zhang-su', which cannot be averaged"):
        mean_of([law, average_precision(10, 5, engine="zhang-su")])


def test_a_probability_below_the_least_float_is_not_called_exact_and_its_error_is_not_above_it() -> None:
    law = mean_of([average_precision(20_000, 1, cutoff=1000)] * 400)
    p = law.tail(0.3)
    assert (p, p.exact) == (0.0, False)
    assert p.error < 1e-300
    assert -3000 < law.logtail(0.3) < -800
