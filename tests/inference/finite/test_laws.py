"""The hypergeometric and the beta-binomial law, by exact rationals and by mpmath."""

import math
from collections.abc import Callable
from fractions import Fraction

import audit_oracle as oracle
import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.inference.finite import hypergeometric, laws
from certus.inference.finite.hypergeometric import blaker
from certus.inference.finite.laws import Posterior, WideBetaBinomial, hpd, posterior

BILLION = 10**9


@given(st.integers(1, 60), st.data())
def test_hypergeometric_law_is_that_of_counting(population: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, population))
    x = data.draw(st.integers(0, population))
    law, ways = hypergeometric.law(population, n, x), oracle.ways(population, n)[x]
    for k in range(-1, n + 2):
        exact = Fraction(int(ways[k]), int(ways.sum())) if 0 <= k <= n else Fraction(0)
        below = Fraction(int(ways[: max(k + 1, 0)].sum()), int(ways.sum()))
        assert law.probability(k) == pytest.approx(float(exact), rel=1e-13, abs=1e-22)
        assert law.lower_tail(k) == pytest.approx(float(below), rel=1e-13, abs=1e-22)
        assert law.upper_tail(k + 1) == pytest.approx(float(1 - below), rel=1e-13, abs=1e-22)


@given(st.integers(1, 60), st.data())
def test_posterior_under_the_uniform_prior_is_bayes_theorem(population: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, population))
    k = data.draw(st.integers(0, n))
    law, exact = Posterior(k, n, population), oracle.posterior(population, n, k)
    assert sum(exact) == 1
    for x in range(population + 1):
        assert law.probability(x) == pytest.approx(float(exact[x]), rel=1e-13, abs=1e-22)
        # R1's formula: the ways over C(N + 1, n + 1).
        ways = math.comb(x, k) * math.comb(population - x, n - k)
        assert exact[x] == Fraction(ways, math.comb(population + 1, n + 1))


@given(
    st.integers(1, 30), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([(2, 2), (1, 1), (1, 3), (7, 1)]), st.data()
)
def test_posterior_intervals_are_those_of_their_definitions(
    population: int, level: float, halves: tuple[int, int], data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, population))
    k = data.draw(st.integers(0, n))
    least = data.draw(st.integers(k, population - n + k))
    most = data.draw(st.integers(least, population - n + k))
    a, b = (Fraction(half, 2) for half in halves)
    law = Posterior(k, n, population, (float(a), float(b)), possible=(least, most))
    exact = oracle.posterior(population, n, k, a, b)
    kept = {x: exact[x] / sum(exact[least : most + 1]) for x in range(least, most + 1)}
    for x, p in kept.items():
        assert law.probability(x) == pytest.approx(float(p), rel=1e-12)
    low, high = posterior(law, level)
    tail = Fraction(str(round((1 - level) / 2, 6)))
    assert sum(p for x, p in kept.items() if x < low) <= tail < sum(p for x, p in kept.items() if x <= low)
    assert sum(p for x, p in kept.items() if x > high) <= tail < sum(p for x, p in kept.items() if x >= high)
    low, high = hpd(law, level)
    wanted = Fraction(str(level))
    inside = [kept[x] for x in range(low, high + 1)]
    assert sum(inside) >= wanted
    assert max([p for x, p in kept.items() if not low <= x <= high], default=Fraction(0)) < min(inside)
    assert sum(p for p in inside if p > min(inside)) < wanted


def exact_tail(population: int, n: int, x: int, k: int) -> mpmath.mpf:
    """P(K >= k), its terms counted in 40 digits until they no longer matter."""
    with mpmath.workdps(40):
        term = mpmath.exp(log_choose(x, k) + log_choose(population - x, n - k) - log_choose(population, n))
        total, j = mpmath.mpf(0), k
        while term > total * mpmath.mpf(10) ** -25:
            total += term
            term *= mpmath.mpf((x - j) * (n - j)) / ((j + 1) * (population - x - n + j + 1))
            j += 1
        return total


def log_choose(n: int, k: int) -> mpmath.mpf:
    return mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)


@pytest.mark.parametrize(("n", "k"), [(10_000, 8000), (10_000, 3), (10, 7), (1_000_000, 400_000)])
def test_limits_for_a_billion_are_right_to_the_last_item(n: int, k: int) -> None:
    low, high = hypergeometric.equal_tailed(k, n, BILLION, 0.95)
    for limit, hits in ((low, k), (BILLION - high, n - k)):
        tail = exact_tail(BILLION, n, limit, hits)
        assert hypergeometric.law(BILLION, n, limit).upper_tail(hits) == pytest.approx(float(tail), rel=1e-10)
        assert tail > 0.025 >= exact_tail(BILLION, n, limit - 1, hits)


@pytest.mark.parametrize(("n", "k"), [(10_000, 8000), (10_000, 3), (1000, 500)])
def test_blaker_limits_for_a_billion_are_right_to_the_last_item(n: int, k: int) -> None:
    def p_value(x: int) -> mpmath.mpf:
        """As in the definition, for a count below the estimate."""
        tail = exact_tail(BILLION, n, x, k)
        other, term, y = mpmath.mpf(0), mpmath.mpf(0), 0
        with mpmath.workdps(40):
            start = max(0, round(n * x / BILLION - 12 * math.sqrt(n * x / BILLION)))
            term = mpmath.exp(log_choose(x, start) + log_choose(BILLION - x, n - start) - log_choose(BILLION, n))
            y = start
            while other + term <= tail:
                other += term
                term *= mpmath.mpf((x - y) * (n - y)) / ((y + 1) * (BILLION - x - n + y + 1))
                y += 1
        return tail + other

    low, _ = blaker(k, n, BILLION, 0.95)
    assert p_value(low) > 0.05
    assert p_value(low - 1) <= 0.05
    equal_tailed, _ = hypergeometric.equal_tailed(k, n, BILLION, 0.95)
    assert low >= equal_tailed


def density(a: float, b: float, trials: int) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """The beta-binomial formula, of real numbers too, in mpmath."""
    return lambda x: mpmath.exp(
        mpmath.loggamma(trials + 1) - mpmath.loggamma(x + 1) - mpmath.loggamma(trials - x + 1)
        + mpmath.loggamma(x + a) + mpmath.loggamma(trials - x + b) - mpmath.loggamma(trials + a + b)
        - mpmath.loggamma(a) - mpmath.loggamma(b) + mpmath.loggamma(a + b)
    )  # fmt: skip


@pytest.mark.parametrize(("a", "b"), [(8000.5, 2000.5), (3.5, 7.5), (300.0, 9000.25), (4e8, 5e8)])
def test_posteriors_for_a_billion_are_right_to_ten_digits(a: float, b: float) -> None:
    trials = BILLION - 10_000 if a + b < 1e8 else 10**8
    law = WideBetaBinomial(trials, a, b)
    mean = trials * a / (a + b)
    spread = math.sqrt(mean * (b / (a + b)) * ((a + b + trials) / (a + b + 1)))
    with mpmath.workdps(35):
        exact = density(a, b, trials)
        for z in (-1.9, 0.1, 2.2):
            x = round(mean + z * spread)
            assert law.probability(x) == pytest.approx(float(exact(mpmath.mpf(x))), rel=1e-11)
        # The sum as the integral between half-integers, and the first correction.
        x = round(mean - 1.5 * spread)
        start = max(x - 12 * spread, 0)
        steps = [mpmath.mpf(x) + 0.5 - (x + 0.5 - start) * i / 24 for i in range(24, -1, -1)]
        correction = (exact(mpmath.mpf(x + 1)) - exact(mpmath.mpf(x))) / 24
        tail = mpmath.quad(exact, steps, maxdegree=5) - correction if start else None
    if tail is not None:
        assert law.lower_tail(x) == pytest.approx(float(tail), rel=1e-11)
    assert law.lower_tail(x) + law.upper_tail(x + 1) == pytest.approx(1.0, abs=1e-13)


@pytest.mark.parametrize("trials", [BILLION, 10**12])
def test_wide_laws_are_right_where_the_prior_weighs_as_much_as_the_trials(trials: int) -> None:
    """Whatever the formula adds to all logarithms alike is divided out again, unless it is large."""
    a, b = 0.3 * trials, 0.6 * trials
    law = WideBetaBinomial(trials, a, b)
    mean = trials * a / (a + b)
    spread = math.sqrt(mean * (b / (a + b)) * ((a + b + trials) / (a + b + 1)))
    with mpmath.workdps(50):
        for z in (-1.9, 0.1, 2.2):
            x = round(mean + z * spread)
            assert law.probability(x) == pytest.approx(float(density(a, b, trials)(mpmath.mpf(x))), rel=1e-9)


@pytest.mark.parametrize(("n", "k"), [(10_000, 8000), (10_000, 0), (10, 3), (1000, 1000)])
def test_uniform_posterior_is_a_hypergeometric_tail(n: int, k: int) -> None:
    # X <= x for k of n of N is K >= k + 1 for x + 1 hits and one more of everything.
    law = Posterior(k, n, BILLION)
    low, high = posterior(law, 0.95)
    for x in (low - 1, low, high - 1, high):
        if x >= k:
            tail = hypergeometric.law(BILLION + 1, n + 1, x + 1).upper_tail(k + 1)
            assert law.lower_tail(x) == pytest.approx(tail, rel=1e-12)


@pytest.mark.parametrize(
    ("trials", "a", "b"), [(10**6, 8.5, 40.5), (10**6, 0.5, 10.5), (10**6, 1, 1), (10**6, 0.5, 0.5)]
)
def test_integrated_and_summed_laws_agree(trials: int, a: float, b: float) -> None:
    integrated, summed = WideBetaBinomial(trials, a, b), laws.beta_binomial(trials, a, b)
    for x in (0, 1, 5, 4095, 4096, 5000, trials // 10, trials // 2, trials - 4097, trials - 4096, trials - 1, trials):
        # The products of a million ratios, not the integral, have the greater error.
        assert integrated.lower_tail(x) == pytest.approx(summed.lower_tail(x), rel=1e-10, abs=1e-22)
        assert integrated.upper_tail(x) == pytest.approx(summed.upper_tail(x), rel=1e-10, abs=1e-22)
        assert integrated.probability(x) == pytest.approx(summed.probability(x), rel=1e-10, abs=1e-22)
    assert integrated.run(4000, 5000) == pytest.approx(summed.run(4000, 5000), rel=1e-10, abs=1e-22)


def test_no_count_lies_beyond_the_ends_of_a_smooth_law() -> None:
    law = WideBetaBinomial(10_000, 2.5, 3.5)
    assert [law.probability(-1), law.probability(10_001)] == [0.0, 0.0]
    assert law.probability(0) > 0
    assert law.probability(10_000) > 0
