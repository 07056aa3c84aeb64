"""The normal law of Zhang and Su against its published table and against its formulas, added up term by term."""

from fractions import Fraction
from pathlib import Path

import pytest

from certus import DataError
from certus.chance import average_precision
from certus.chance.laws.zhang_su import ZhangSu


def as_printed(n: int, m: int) -> tuple[Fraction, Fraction, Fraction]:
    """(12), (13), and (13) with each covariance once and those of i = j too, from (8) to (11) term by term."""
    mean = {i: Fraction(i * n, m) for i in range(1, m + 1)}
    var = {i: Fraction(i * n * (i * n + i + n - m), m * (m + 1)) - mean[i] ** 2 for i in mean}

    def covariance(i: int, j: int) -> Fraction:
        product = Fraction(i * (n - 1) * (n * j + n - m), m * (m - 1))
        return i * j * (product - mean[i] * mean[j]) / (mean[i] * mean[j]) ** 2

    expected = sum((i / mean[i] * (1 + var[i] / mean[i] ** 2) for i in mean), Fraction(0)) / m
    own = sum((i * i * var[i] / mean[i] ** 4 * (1 - var[i] / mean[i] ** 2) for i in mean), Fraction(0))
    above = sum((covariance(i, j) for i in mean for j in mean if i < j), Fraction(0))
    same = sum((covariance(i, i) for i in mean), Fraction(0))
    return expected, (own + 2 * above) / m**2, (own + above + same) / m**2


@pytest.mark.parametrize(("n", "m"), [(3, 2), (10, 9), (40, 7), (1000, 100)])
def test_the_moments_are_those_of_the_formulas_term_by_term(n: int, m: int) -> None:
    expected, printed, tabled = as_printed(n, m)
    assert ZhangSu(n, m).mean() == pytest.approx(float(expected), rel=1e-14)
    assert ZhangSu(n, m).var() == pytest.approx(float(tabled), rel=1e-13)
    assert ZhangSu(n, m, "zhang-su-printed").var() == pytest.approx(float(printed), rel=1e-13)


def test_the_printed_formula_gives_twice_the_variance_of_the_table() -> None:
    assert ZhangSu(1000, 100, "zhang-su-printed").var() == pytest.approx(2.647e-4, rel=2e-4)
    assert ZhangSu(2000, 500, "zhang-su-printed").var() == pytest.approx(2.798e-4, rel=2e-4)


def test_it_answers_as_a_normal_law_that_is_not_exact() -> None:
    law = ZhangSu(1000, 100)
    p = law.tail(law.mean() + 1.6448536269514722 * law.std())
    assert p == pytest.approx(0.05, rel=1e-12)
    assert (p.method, p.exact, law.exact) == ("zhang-su", False, False)
    assert p.error != p.error
    assert law.cdf(0.1) + law.sf(0.1) == pytest.approx(1, rel=1e-15)
    assert float(law.pmf(0.1)) == 0.0
    assert law.ppf(law.cdf(0.11)) == pytest.approx(0.11, rel=1e-13)
    assert law.isf(law.sf(0.11)) == pytest.approx(0.11, rel=1e-13)
    assert law.logsf(1.0) == pytest.approx(-2886, rel=1e-2)
    drawn = law.rvs(4000, seed=1)
    assert drawn.mean() == pytest.approx(law.mean(), abs=5 * law.std() / 4000**0.5)
    assert (law.skewness(), law.kurtosis()) == (0, 0)


@pytest.mark.parametrize(("n", "m"), [(10, 1), (10, 10), (10, 0)])
def test_settings_in_which_the_formulas_have_no_value_are_refused(n: int, m: int) -> None:
    with pytest.raises(DataError, match=rf"relevant is {m} and items is {n}; Zhang and Su need 2 <= relevant < items"):
        ZhangSu(n, m)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(DataError, match="engine is 'zhang'; it must be 'zhang-su' or 'zhang-su-printed'"):
        ZhangSu(10, 2, "zhang")  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "m"), [(1000, 100), (2000, 500)])
def test_the_page_about_the_paper_has_these_figures(n: int, m: int) -> None:
    page = (Path(__file__).parents[2] / "docs" / "chance-zhang-su.md").read_text(encoding="utf-8")
    for method in ("zhang-su", "zhang-su-printed"):
        law = ZhangSu(n, m, method)
        assert f"{law.mean():.6f} | {law.var():.4g} | {law.ppf(0.025):.6f}" in page
    exact = average_precision(n, m)
    assert f"{exact.mean():.6f} | {exact.var():.4g}" in page
