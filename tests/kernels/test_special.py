"""Distribution functions and quantiles against mpmath, and against scipy where mpmath takes long."""

import math
from collections.abc import Callable, Iterator
from itertools import product

import mpmath
import pytest
from scipy import special as scipy_special

from certus.core import kernels
from certus.inference import special

LEVELS = (1e-12, 0.005, 0.025, 0.3, 0.5, 0.6, 0.975, 1 - 1e-9)
EXACT = 1e-15
"""Relative error of a result; a double rounds by 1.1e-16."""


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mpmath.workdps(40):
        yield


def beta_cdf(a: float, b: float, x: mpmath.mpf) -> mpmath.mpf:
    """The sum of positive terms, from the side where it ends soon."""
    if x * (a + b) > a:
        return 1 - beta_cdf(b, a, 1 - x)
    a, b = mpmath.mpf(a), mpmath.mpf(b)
    term = total = mpmath.mpf(1)
    n = 0
    while term > total * mpmath.mpf(10) ** -34:
        term *= (a + b + n) * x / (a + 1 + n)
        total += term
        n += 1
    return mpmath.exp(a * mpmath.log(x) + b * mpmath.log1p(-x) + ln_beta(a, b)) * total / a


def ln_beta(a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
    """Minus the logarithm of the beta function."""
    return mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)


def gamma_cdf(shape: float, x: mpmath.mpf) -> mpmath.mpf:
    """The sum of positive terms."""
    term = total = mpmath.mpf(1)
    n = 0
    while term > total * mpmath.mpf(10) ** -36 or x > shape + n:
        n += 1
        term *= x / (mpmath.mpf(shape) + n)
        total += term
    return mpmath.exp(shape * mpmath.log(x) - x - mpmath.loggamma(mpmath.mpf(shape) + 1)) * total


def t_cdf(freedom: float, t: mpmath.mpf) -> mpmath.mpf:
    """By the beta distribution."""
    tail = beta_cdf(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return tail if t < 0 else 1 - tail


def off(found: float | None, p: float, cdf: Callable[[mpmath.mpf], mpmath.mpf]) -> float:
    """The relative error of a quantile, by a step of Newton's method."""
    assert found is not None
    x = mpmath.mpf(found)
    step = x * mpmath.mpf(10) ** -12
    density = (cdf(x + step) - cdf(x - step)) / (2 * step)
    return abs(float((cdf(x) - mpmath.mpf(p)) / density / x))


@pytest.mark.parametrize("p", [level for level in LEVELS if level != 0.5])
def test_normal_quantiles_are_right_to_the_last_digit(p: float) -> None:
    assert off(kernels.normal_quantile(p), p, mpmath.ncdf) < EXACT


@pytest.mark.parametrize("x", [-37.5, -8.25, -1.96, -1e-9, 1e-9, 0.7, 5.0, 9.0])
def test_the_normal_distribution_is_right_to_the_last_digit(x: float) -> None:
    assert kernels.normal_cdf(x) == pytest.approx(float(mpmath.ncdf(x)), rel=EXACT, abs=0)


@pytest.mark.parametrize(("freedom", "p"), list(product((0.3, 1, 2.5, 4, 30, 999), (1e-12, 0.025, 0.3, 0.6, 0.975))))
def test_quantiles_of_students_t_are_right_to_the_last_digit(freedom: float, p: float) -> None:
    assert off(kernels.t_quantile(freedom, p), p, lambda t: t_cdf(freedom, t)) < EXACT


@pytest.mark.parametrize(("freedom", "t"), list(product((0.3, 1, 4, 999), (-40.0, -1.5, 1e-6, 2.0))))
def test_tails_of_students_t_are_right_to_the_last_digit(freedom: float, t: float) -> None:
    below = t_cdf(freedom, mpmath.mpf(t))
    assert kernels.t_tails(freedom, t) == pytest.approx((float(below), float(1 - below)), rel=EXACT, abs=0)


@pytest.mark.parametrize(("shape", "p"), list(product((0.04, 0.5, 1, 7, 400.5), LEVELS)))
def test_quantiles_of_the_gamma_distribution_are_right_to_the_last_digit(shape: float, p: float) -> None:
    if shape < 0.1 and p < 1e-6:
        return  # below the least double that has all digits
    assert off(kernels.gamma_quantile(shape, p), p, lambda x: gamma_cdf(shape, x)) < EXACT


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1, 20), (3, 0.75), (40, 7), (0.2, 300), (250.5, 600)])
def test_quantiles_of_the_beta_distribution_are_right_to_the_last_digit(a: float, b: float) -> None:
    for p, upper in product((1e-10, 0.025, 0.5, 0.975), (False, True)):
        found = kernels.beta_quantile(a, b, p, upper)
        if found is not None and found > 1 - 1e-6:
            continue  # doubles are too far apart there
        assert off(found, 1 - mpmath.mpf(p) if upper else p, lambda x: beta_cdf(a, b, x)) < EXACT


@pytest.mark.parametrize(("a", "b", "x"), [(0.5, 0.5, 1e-9), (3, 40, 0.5), (250, 600, 0.3), (0.01, 7, 0.9)])
def test_tails_of_the_beta_distribution_are_right_to_the_last_digit(a: float, b: float, x: float) -> None:
    below = beta_cdf(a, b, mpmath.mpf(x))
    assert kernels.beta_tails(a, b, x) == pytest.approx((float(below), float(1 - below)), rel=EXACT, abs=0)


@pytest.mark.parametrize(("freedom", "p"), [(0.004, 0.1), (0.0035, 0.8), (0.5, 1e-150)])
def test_t_quantiles_far_out_are_those_of_a_power_law(freedom: float, p: float) -> None:
    a, tail = mpmath.mpf(freedom) / 2, min(mpmath.mpf(p), 1 - mpmath.mpf(p))
    root = mpmath.exp(mpmath.log(2 * tail * a * mpmath.beta(a, 0.5)) / (2 * a))
    exact = mpmath.sqrt(freedom) / root * (-1 if p < 0.5 else 1)
    assert kernels.t_quantile(freedom, p) == pytest.approx(float(exact), rel=EXACT, abs=0)
    assert abs(exact) > 1e100
    assert kernels.t_quantile(1e-8, 1 - p) == math.copysign(math.inf, -exact)


@pytest.mark.parametrize("upper", [False, True])
def test_beta_and_gamma_quantiles_near_0_are_those_of_a_power_law(upper: bool) -> None:
    a, p = 0.00054 if upper else 0.0018, 0.3
    lower = 1 - mpmath.mpf(p) if upper else mpmath.mpf(p)
    exact = mpmath.exp((mpmath.log(lower * a) - ln_beta(mpmath.mpf(a), 2)) / a)
    assert kernels.beta_quantile(a, 2.0, p, upper) == pytest.approx(float(exact), rel=EXACT, abs=0)
    assert kernels.beta_quantile(2.0, a, p, not upper) == 1.0
    exact = mpmath.exp((mpmath.log(float(lower)) + mpmath.loggamma(mpmath.mpf(a) + 1)) / a)
    assert kernels.gamma_quantile(a, float(lower)) == pytest.approx(float(exact), rel=EXACT, abs=0)


@pytest.mark.parametrize(("k", "n", "p"), [(16, 12_499_523, 4.515e-6), (2, 9_000, 0.004), (300, 400, 0.9)])
def test_binomial_tails_are_sums_of_chances(k: int, n: int, p: float) -> None:
    exact = mpmath.fsum(
        mpmath.binomial(n, j) * mpmath.mpf(p) ** j * (1 - mpmath.mpf(p)) ** (n - j) for j in range(k + 1)
    )
    assert special.binomial_at_most(k, n, p) == pytest.approx(float(exact), rel=EXACT, abs=0)
    assert special.binomial_at_least(k + 1, n, p) == pytest.approx(float(1 - exact), rel=EXACT, abs=0)


@pytest.mark.parametrize(("a", "b"), [(3.0, 1e6), (1e5, 4e4), (2e6, 0.5), (3e6, 5e6)])
def test_large_parameters_agree_with_scipy(a: float, b: float) -> None:
    for p in (1e-6, 0.025, 0.975):
        assert special.beta_quantile(p, a, b) == pytest.approx(scipy_special.betaincinv(a, b, p), rel=1e-11)
        assert special.beta_upper_quantile(p, a, b) == pytest.approx(scipy_special.betainccinv(a, b, p), rel=1e-11)
        assert special.t_quantile(p, a) == pytest.approx(scipy_special.stdtrit(a, p), rel=1e-9)


@pytest.mark.parametrize(
    ("p", "shape", "exact"),
    [
        (0.9999999999999999, 1.8245049318076725e-18, 2.0999983121949617e-27),
        (0.9999999999999994, 1.7862559150310286e-17, 1.7898949527505027e-14),
        (0.9999999999999997, 2.7515676091833286e-16, 0.20300413363466848),
        (0.9999999999999956, 8.973329729828128e-16, 0.003996993313468725),
        (0.9999999999999983, 2.950906814434684e-15, 0.496251302001974),
    ],
)
def test_gamma_quantiles_that_the_kernel_leaves_are_those_of_mpmath(p: float, shape: float, exact: float) -> None:
    """Found by the fuzz targets; 40 digits, by halving."""
    assert kernels.gamma_quantile(shape, p) is None
    assert special.gamma_quantile(p, shape) == pytest.approx(exact, rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("p", "a", "b", "exact"),
    [
        (0.9999999999999863, 3.119043941884906e-17, 0.49529634949858997, 2.952417463827778e-190),
        (0.9999999999999911, 1.745024482758925, 395599402.616419, 8.87576090164524e-08),
    ],
)
def test_beta_quantiles_that_the_kernel_leaves_are_those_of_mpmath(p: float, a: float, b: float, exact: float) -> None:
    assert kernels.beta_quantile(a, b, p, upper=False) is None
    assert special.beta_quantile(p, a, b) == pytest.approx(exact, rel=1e-12, abs=0)


def test_gamma_quantiles_of_large_shapes_are_right_where_scipy_is_not() -> None:
    found = special.gamma_quantile(1e-6, 2e6)
    assert off(found, 1e-6, lambda x: gamma_cdf(2e6, x)) < EXACT
    assert abs(scipy_special.gammaincinv(2e6, 1e-6) / found - 1) > 1e-8


def test_what_the_kernels_do_not_take_scipy_answers() -> None:
    assert kernels.beta_quantile(5.0, 1e12, 0.025, False) is None
    assert special.beta_quantile(0.025, 5.0, 1e12) == scipy_special.betaincinv(5.0, 1e12, 0.025)
    assert kernels.gamma_quantile(1e9, 0.025) is None
    assert special.gamma_quantile(0.025, 1e9) == scipy_special.gammaincinv(1e9, 0.025)


def test_what_is_no_distribution_or_no_probability_has_no_answer() -> None:
    nan = math.nan
    for p in (nan, -0.1, 1.5):
        assert kernels.normal_quantile(p) is None
        assert kernels.t_quantile(3.0, p) is None
        assert kernels.gamma_quantile(3.0, p) is None
        assert kernels.beta_quantile(3.0, 2.0, p, False) is None
    for parameter in (nan, 0.0, -1.0):
        assert kernels.t_quantile(parameter, 0.3) is None
        assert kernels.gamma_quantile(parameter, 0.3) is None
        assert kernels.beta_quantile(parameter, 2.0, 0.3, True) is None
        assert kernels.beta_tails(2.0, parameter, 0.3) is None
    assert math.isnan(special.normal_quantile(nan))
    assert math.isnan(special.normal_cdf(nan))
    assert kernels.t_quantile(math.inf, 0.975) == kernels.normal_quantile(0.975)


def test_the_ends_are_exact() -> None:
    assert (kernels.normal_quantile(0.0), kernels.normal_quantile(1.0)) == (-math.inf, math.inf)
    assert (kernels.t_quantile(3.0, 0.0), kernels.t_quantile(3.0, 0.5)) == (-math.inf, 0.0)
    assert (kernels.gamma_quantile(3.0, 0.0), kernels.gamma_quantile(3.0, 1.0)) == (0.0, math.inf)
    assert (kernels.beta_quantile(3.0, 2.0, 0.0, False), kernels.beta_quantile(3.0, 2.0, 0.0, True)) == (0.0, 1.0)
    assert kernels.beta_tails(3.0, 2.0, 1.0) == (1.0, 0.0)
