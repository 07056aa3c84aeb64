"""The posterior of a share of strata against every combination of counts, in rationals."""

from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strata_oracle import cdf, posterior, quantile

from certus.inference.finite.shares import ShareOf
from certus.inference.intervals.strata import posterior_of
from certus.statistic.sampled import Share, Strata, Stratum

SHARES = get_args(Share)
CASES = [
    [Stratum(12, 5, 3), Stratum(20, 6, 1, predicted=False)],
    [Stratum(9, 4, 0), Stratum(15, 5, 5, predicted=False)],
    [Stratum(10, 0, 0), Stratum(8, 3, 2, predicted=False)],
    [Stratum(7, 7, 4), Stratum(11, 2, 0, predicted=False)],
    [Stratum(8, 3, 0), Stratum(9, 4, 0, predicted=False)],
    [Stratum(5, 2, 1), Stratum(6, 3, 2), Stratum(7, 3, 1, predicted=False), Stratum(4, 0, 0, predicted=False)],
]


@pytest.mark.parametrize("prior", ["jeffreys", "uniform"])
@pytest.mark.parametrize("of", SHARES)
@pytest.mark.parametrize("strata", CASES)
def test_cdf_and_moments_are_those_of_the_enumeration(strata: list[Stratum], of: Share, prior: str) -> None:
    law = posterior(strata, of, Fraction(1, 2) if prior == "jeffreys" else Fraction(1))
    found = posterior_of(Strata(tuple(strata), of, prior))  # type: ignore[arg-type]
    mean = sum(value * mass for value, mass in law.items())
    spread = sum((value - mean) ** 2 * mass for value, mass in law.items())
    assert found.mean() == pytest.approx(float(mean), rel=1e-13)
    assert found.std() == pytest.approx(float(spread) ** 0.5, rel=1e-12)
    values = np.array([float(value) for value in law])
    expected = np.array(cdf(law))
    np.testing.assert_allclose(found.cdf(values), expected, rtol=1e-13)
    np.testing.assert_allclose(found.sf(values), 1 - expected, atol=1e-14)
    just_below = np.nextafter(values[1:], 0)
    np.testing.assert_allclose(found.cdf(just_below), expected[:-1], rtol=1e-13)


@pytest.mark.parametrize("of", SHARES)
@pytest.mark.parametrize("strata", CASES)
def test_quantiles_are_values_that_the_share_can_take(strata: list[Stratum], of: Share) -> None:
    law = posterior(strata, of)
    found = posterior_of(Strata(tuple(strata), of))
    for tail in (Fraction(1, 40), Fraction(1, 3), Fraction(1, 2), Fraction(39, 40)):
        expected = float(quantile(law, tail))
        assert found.ppf(float(tail)) == expected
        assert found.isf(1 - float(tail)) == pytest.approx(expected, abs=0)


@st.composite
def stratum(draw: st.DrawFn, predicted: bool) -> Stratum:
    size = draw(st.integers(1, 14))
    checked = draw(st.integers(0, size))
    return Stratum(size, checked, draw(st.integers(0, checked)), predicted)


@settings(max_examples=60)
@given(stratum(True), stratum(False), st.sampled_from(SHARES), st.floats(0.001, 0.999))
def test_any_two_strata(retrieved: Stratum, discarded: Stratum, of: Share, q: float) -> None:
    strata = [retrieved, discarded]
    law = posterior(strata, of)
    if not law:
        return
    found = posterior_of(Strata(tuple(strata), of))
    expected = np.array(cdf(law))
    np.testing.assert_allclose(found.cdf([float(value) for value in law]), expected, rtol=1e-12)
    if np.abs(expected - q).min() > 1e-12:
        assert found.ppf(q) == float(quantile(law, Fraction(q)))


def test_either_side_may_have_fewer_counts() -> None:
    """The sum over y finds the same law as that over x, also where recall is all but sure to be 1."""
    strata = [Stratum(32, 10, 4), Stratum(5, 4, 0, predicted=False)]
    law = posterior(strata, "recall")
    found = posterior_of(Strata(tuple(strata), "recall"))
    np.testing.assert_allclose(found.cdf([float(value) for value in law]), cdf(law), rtol=1e-12)
    assert found.isf(0.1) == 1.0
    assert found.ppf(1 - 1e-13) == 1.0
    close = posterior_of(Strata((Stratum(10**5, 50, 40), Stratum(3, 0, 0, predicted=False)), "recall"))
    assert 1 - 1e-4 < close.ppf(0.01) < close.ppf(0.3) < 1


def test_swapped_sides_swap_the_tails_of_recall() -> None:
    strata = Strata((Stratum(400, 50, 30), Stratum(900, 60, 5, predicted=False)), "recall")
    swapped = Strata((Stratum(900, 60, 5), Stratum(400, 50, 30, predicted=False)), "recall")
    a, b = posterior_of(strata), posterior_of(swapped)
    assert a.mean() == pytest.approx(1 - b.mean(), rel=1e-13)
    assert a.ppf(0.03) == pytest.approx(1 - b.isf(0.03), rel=1e-13)


@pytest.mark.parametrize("of", SHARES)
def test_a_million_retrieved_and_ten_million_discarded(of: Share) -> None:
    strata = Strata((Stratum(10**6, 1000, 700), Stratum(10**7, 2000, 20, predicted=False)), of)
    found = posterior_of(strata)
    assert found.truncation <= 1e-15
    low, high = found.interval(0.95)
    # One item of a side has a mass of a few 1e-6.
    assert found.cdf(low) == pytest.approx(0.025, abs=1e-5)
    assert found.sf(high) == pytest.approx(0.025, abs=1e-5)
    assert low < found.mean() < high
    assert found.cdf(found.mean()) + found.sf(found.mean()) == pytest.approx(1, abs=1e-12)


def test_the_law_of_a_large_population_is_that_of_its_rates() -> None:
    """Without the counts' own noise, recall is N1 p / (N1 p + N2 q) with p and q of beta laws: a double integral."""
    from scipy.special import betainc, betaln, roots_legendre

    n1, n2 = 10**6, 10**7
    found = posterior_of(Strata((Stratum(n1, 100, 60), Stratum(n2, 100, 20, predicted=False)), "recall"))
    nodes, weights = roots_legendre(200)
    p = 0.3 + 0.6 * (nodes + 1) / 2
    mass = 0.3 * weights * p**59.5 * (1 - p) ** 39.5 / np.exp(betaln(60.5, 40.5))
    for r in (0.18, 0.23, 0.3):
        expected = mass @ (1 - betainc(20.5, 80.5, n1 * p * (1 - r) / r / n2))
        # The counts add 1e-4 to the variance of the rate of the first stratum.
        assert found.cdf(r) == pytest.approx(expected, abs=1e-4)


COUNTS = st.floats(1, 1e6)


@pytest.mark.parametrize("share", [ShareOf(), ShareOf(40, 2), ShareOf(40, 1, 1)])
@given(COUNTS, st.floats(0.05, 0.95))
@settings(max_examples=20)
def test_a_share_has_the_value_at_its_boundary(share: ShareOf, x: float, r: float) -> None:
    y = share.boundary(np.array([x]), r)
    assert share.value(np.array([x]), y) == pytest.approx(r, rel=1e-9)
    assert share.inverse(y, r) == pytest.approx(x, rel=1e-6)
