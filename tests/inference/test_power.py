"""Planning a paired comparison."""

import inspect
import itertools
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus import CertusError, DataError, MetricNameError
from certus.inference import equivalence, minimum_detectable, paired, power, power_curve, units_needed
from certus.inference.planning.design import design, least_units_of_default_test, sign_flip_power, t_power

RNG = np.random.default_rng(20261122)
PILOT = RNG.normal(0.02, 0.12, 50)


def exact_power(noncentrality: float, df: float, critical: float) -> float:
    """P(T >= critical) of a noncentral t: over the law of the standard deviation, by quadrature."""
    with mpmath.workdps(18):
        k, t, d = mpmath.mpf(df), mpmath.mpf(critical), mpmath.mpf(noncentrality)
        log_constant = mpmath.log(2) + k / 2 * mpmath.log(k / 2) - mpmath.loggamma(k / 2)

        def density(s: Any) -> Any:
            return mpmath.ncdf(d - t * s) * mpmath.exp(log_constant + (k - 1) * mpmath.log(s) - k * s * s / 2)

        width = 1 / mpmath.sqrt(2 * k)
        cuts = sorted({x for x in (1 + z * width for z in (-12, -6, -3, 0, 3, 6, 12, 30)) if x > 0} | {d / t})
        return float(mpmath.quad(density, [0, *cuts] if cuts[0] > 0 else cuts))


@pytest.mark.parametrize("df", [1, 5, 24, 999])
@pytest.mark.parametrize("noncentrality", [0.1, 2.8, 10.0])
def test_the_power_of_t_is_that_of_quadrature(df: int, noncentrality: float) -> None:
    one_sided = exact_power(noncentrality, df, float(stats.t.isf(0.05, df)))
    assert t_power(noncentrality, df, 0.95, two_sided=False) == pytest.approx(one_sided, abs=1e-9)
    critical = float(stats.t.isf(0.025, df))
    two_sided = exact_power(noncentrality, df, critical)
    if noncentrality < 8:
        two_sided += float(stats.nct.cdf(-critical, df, noncentrality))
    assert t_power(noncentrality, df, 0.95, two_sided=True) == pytest.approx(two_sided, abs=1e-9)


@pytest.mark.parametrize("df", [1, 4, 9, 24, 99, 2000, 20_000, 10**6])
def test_far_out_the_power_is_1_or_0(df: int) -> None:
    """There scipy's distribution function is NaN for some arguments."""
    for noncentrality in (38.0, 60.0, 200.0, 1e4):
        critical = float(stats.t.isf(0.025, df))
        found = t_power(noncentrality, df, 0.95, two_sided=True)
        if df >= 4:
            assert found == pytest.approx(1.0, abs=1e-6)
        assert found >= t_power(37.0, df, 0.95, two_sided=True) - 1e-9, critical
        assert t_power(-noncentrality, df, 0.95, two_sided=False) <= 1e-9
        assert t_power(-noncentrality, df, 0.95, two_sided=True) == pytest.approx(found, abs=1e-12)


def test_published_sample_sizes() -> None:
    """Cohen's d 0.5, two-sided 5%: 34 pairs for a power of 0.8, 44 for 0.9 (G*Power 3.1 gives the same)."""
    pilot = np.array([-1.0, 0.0, 1.0])  # standard deviation 1
    assert units_needed(pilot, effect=0.5).n == 34
    assert units_needed(pilot, effect=0.5, power=0.9).n == 44
    assert units_needed(pilot, effect=0.2).n == 199
    assert power(pilot, effect=0.5, n=34).value == pytest.approx(0.8077775, abs=1e-6)


def test_without_an_effect_the_power_is_the_significance_level() -> None:
    for method in ("t", "simulated-t"):
        found = power(PILOT, effect=0.0, n=40, test=method, level=0.9)
        assert found.value == pytest.approx(0.1, abs=max(1e-9, 4 * found.error))


@settings(deadline=None, max_examples=60)
@given(st.floats(0.005, 0.5), st.integers(2, 300), st.sampled_from([0.9, 0.95, 0.99]))
def test_power_grows_with_units_effect_and_significance_level(effect: float, n: int, level: float) -> None:
    found = power(PILOT, effect=effect, n=n, level=level, test="t")
    assert found.low <= found.value <= found.high
    assert 1 - level - 1e-9 <= found.value <= 1
    assert power(PILOT, effect=effect, n=n + 1, level=level, test="t").value >= found.value - 1e-9
    assert power(PILOT, effect=1.1 * effect, n=n, level=level, test="t").value >= found.value - 1e-9
    assert power(PILOT, effect=effect, n=n, level=level - 0.05, test="t").value >= found.value - 1e-9
    assert power(PILOT, effect=-effect, n=n, level=level, test="t").value == pytest.approx(found.value, abs=1e-12)
    above = power(PILOT, effect=effect, n=n, level=level, test="t", alternative="greater")
    below = power(PILOT, effect=-effect, n=n, level=level, test="t", alternative="less")
    assert above.value == below.value
    assert above.value >= found.value - 1e-9
    assert power(PILOT, effect=-effect, n=n, level=level, test="t", alternative="greater").value <= 1 - level + 1e-9


@settings(deadline=None, max_examples=40)
@given(st.floats(0.01, 0.3), st.floats(0.3, 0.98))
def test_the_number_of_units_is_the_least_one(effect: float, wanted: float) -> None:
    found = units_needed(PILOT, effect=effect, power=wanted, test="t")
    assert found.low <= found.n <= found.high
    assert power(PILOT, effect=effect, n=found.n, test="t").value >= wanted
    if found.n > 2:
        assert power(PILOT, effect=effect, n=found.n - 1, test="t").value < wanted
    least = minimum_detectable(PILOT, n=found.n, power=wanted, test="t")
    assert least.effect <= effect * (1 + 1e-9)
    assert power(PILOT, effect=least.effect, n=found.n, test="t").value == pytest.approx(wanted, abs=1e-9)


def test_the_limits_are_the_results_at_the_limits_of_the_standard_deviation() -> None:
    df, spread = len(PILOT) - 1, float(PILOT.std(ddof=1))
    limits = [spread * math.sqrt(df / stats.chi2.ppf(p, df)) for p in (0.975, 0.025)]
    found = minimum_detectable(PILOT, n=70)
    assert found.low == pytest.approx(found.effect * limits[0] / spread, rel=1e-12)
    assert found.high == pytest.approx(found.effect * limits[1] / spread, rel=1e-12)
    needed = units_needed(PILOT, effect=0.04)
    for limit, n in zip(limits, (needed.low, needed.high), strict=True):
        assert units_needed(PILOT / spread * limit, effect=0.04).n == n
        there = power(PILOT / spread * limit, effect=0.04, n=60).value
        here = power(PILOT, effect=0.04, n=60)
        assert min(abs(there - here.low), abs(there - here.high)) < 1e-12


@pytest.mark.parametrize(("alternative", "effect"), [("two-sided", 0.04), ("greater", -0.04), ("less", 0.04)])
def test_the_limits_of_power_are_the_noncentral_t_at_the_limits_of_the_standard_deviation(
    alternative: Any, effect: float
) -> None:
    """An effect on the side that the test does not look at is found the more often, the wider the differences are."""
    df, n, level = len(PILOT) - 1, 60, 0.9
    least, greatest = (math.sqrt(df * PILOT.var(ddof=1) / stats.chi2.ppf(p, df)) for p in (0.95, 0.05))

    def exact(spread: float) -> float:
        away = abs(effect) / spread * math.sqrt(n)
        if alternative == "two-sided":
            critical = stats.t.isf(0.05, n - 1)
            return float(stats.nct.sf(critical, n - 1, away) + stats.nct.cdf(-critical, n - 1, away))
        return float(stats.nct.sf(stats.t.isf(0.1, n - 1), n - 1, -away))

    found = power(PILOT, effect=effect, n=n, level=level, alternative=alternative)
    low, high = (greatest, least) if alternative == "two-sided" else (least, greatest)
    assert (found.low, found.high) == pytest.approx((exact(low), exact(high)), rel=1e-9)
    assert found.value == pytest.approx(exact(float(PILOT.std(ddof=1))), rel=1e-9)


def test_the_limits_hold_the_true_number_of_units() -> None:
    generator = np.random.default_rng(4)
    true = units_needed([-1.0, 0.0, 1.0], effect=0.4).n
    held = 0
    for _ in range(300):
        needed = units_needed(generator.normal(size=20), effect=0.4)
        held += needed.low <= true <= needed.high
    assert abs(held / 300 - 0.95) < 3 * math.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["simulated-t", "simulated-permutation"])
def test_simulated_power_is_that_of_the_formula_for_normal_differences(method: Any, alternative: Any) -> None:
    pilot = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    effect = -0.4 if alternative == "less" else 0.4
    found = power(pilot, effect=effect, n=30, test=method, alternative=alternative, replicates=2000)
    expected = power(pilot, effect=effect, n=30, alternative=alternative)
    assert found.value == pytest.approx(expected.value, abs=4 * found.error + 0.01)
    assert found.error == pytest.approx(math.sqrt(found.value * (1 - found.value) / 2000))
    assert found.low < found.value < found.high


def test_a_simulated_permutation_test_is_the_test() -> None:
    """The share of samples of two values in which the exact test finds something."""
    pilot = np.array([-0.1, 0.3])
    generator = np.random.default_rng(3)
    drawn = (pilot - pilot.mean()) * math.sqrt(2)
    found = []
    for _ in range(300):
        sample = drawn[generator.integers(0, 2, 12)] + 0.2
        found.append(paired(sample, 0 * sample).p <= 0.05)
    simulated = power(pilot, effect=0.2, n=12, test="simulated-permutation", replicates=2000)
    share = float(np.mean(found))
    assert simulated.value == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / 300) + 0.01)


def test_a_simulated_test_of_equal_differences_finds_nothing() -> None:
    """Half the draws of two units from two values are equal; of the others t is 2, above the critical 0.85."""
    found = power([-0.1, 0.1], effect=0.2 * math.sqrt(2), n=2, test="simulated-t", level=0.45)
    assert found.value == pytest.approx(0.5, abs=5 * found.error)


def test_simulations_find_units_and_differences() -> None:
    needed = units_needed(PILOT, effect=0.06, test="simulated-t", replicates=1000)
    assert needed.n == pytest.approx(units_needed(PILOT, effect=0.06).n, rel=0.2)
    least = minimum_detectable(PILOT, n=40, test="simulated-t", replicates=1000)
    assert least.effect == pytest.approx(minimum_detectable(PILOT, n=40).effect, rel=0.1)
    assert least == minimum_detectable(PILOT, n=40, test="simulated-t", replicates=1000)
    assert least != minimum_detectable(PILOT, n=40, test="simulated-t", replicates=1000, seed=1)


def test_the_curve_is_made_of_powers() -> None:
    curve = power_curve(PILOT, effect=0.04)
    assert curve.needed == units_needed(PILOT, effect=0.04)
    assert (np.diff(curve.n) > 0).all()
    assert curve.n[0] == 2
    assert curve.n[-1] > curve.needed.high
    for position in (0, 10, -1):
        each = power(PILOT, effect=0.04, n=int(curve.n[position]))
        assert (each.value, each.low, each.high) == (curve.power[position], curve.low[position], curve.high[position])
    assert power_curve(PILOT, effect=0.04, n=[2, 5]).n.tolist() == [2, 5]


def test_it_says_what_was_found() -> None:
    assert str(power([0.0, 1.0, 2.0], effect=1.0)).startswith(
        "power 0.000 [0.000, 0.000] to find 1 with 3 units (sign-flip"
    )
    assert float(power([0.0, 1.0, 2.0], effect=1.0)) == power([0.0, 1.0, 2.0], effect=1.0, n=3).value
    assert int(units_needed([-1.0, 0.0, 1.0], effect=0.5)) == 34
    found = minimum_detectable([-1.0, 0.0, 1.0], n=34, alternative="less")
    assert float(found) < 0
    assert "found by 34 units with power 0.8 (noncentral t)" in str(found)
    assert found.low < found.effect < found.high


def test_bad_input_is_refused() -> None:
    with pytest.raises(DataError, match="differences has 2 dimensions"):
        power([[1.0]], effect=1)
    with pytest.raises(DataError, match="differences has 1 values; at least 2 units"):
        power([1.0], effect=1)
    with pytest.raises(DataError, match="differences holds nan at position 1"):
        power([1.0, math.nan], effect=1)
    with pytest.raises(DataError, match="all 3 differences are equal"):
        power([0.1, 0.1, 0.1], effect=1)
    with pytest.raises(DataError, match="effect is inf"):
        power(PILOT, effect=math.inf)
    with pytest.raises(DataError, match="n is 1"):
        power(PILOT, effect=0.1, n=1)
    with pytest.raises(DataError, match="effect is 0; no number of units finds that"):
        units_needed(PILOT, effect=0)
    with pytest.raises(DataError, match=r"effect is 0\.1; no number of units finds that with alternative 'less'"):
        units_needed(PILOT, effect=0.1, alternative="less")
    with pytest.raises(DataError, match="finding it takes more than 1000000000 units"):
        units_needed(PILOT, effect=1e-9)
    with pytest.raises(DataError, match=r"power is 0\.04; it must lie between the significance level 0\.05 and 1"):
        minimum_detectable(PILOT, power=0.04)
    with pytest.raises(MetricNameError, match="test is 'z'; it must be 'permutation', 't', 'simulated-t', 'sim"):
        power(PILOT, effect=0.1, test="z")  # type: ignore[arg-type]
    with pytest.raises(CertusError, match="level is 2"):
        power(PILOT, effect=0.1, level=2)
    with pytest.raises(CertusError, match="n is 1000000; simulating 4000 tests of so many units takes too long"):
        power(PILOT, effect=0.1, n=10**6, test="simulated-t")
    with pytest.raises(DataError, match=r"n is \[5, 5\]; numbers of units must increase"):
        power_curve(PILOT, effect=0.1, n=[5, 5])
    with pytest.raises(DataError, match="n is 1; it must be"):
        power_curve(PILOT, effect=0.1, n=[1, 5])


def test_a_curve_of_groups_is_that_of_the_plans_with_groups() -> None:
    groups = np.arange(len(PILOT)) // 2
    counts = [6, 10, 20]
    curve = power_curve(PILOT, effect=0.04, n=counts, groups=groups)
    assert curve.power.tolist() == [power(PILOT, effect=0.04, n=n, groups=groups).value for n in counts]
    assert curve.needed == units_needed(PILOT, effect=0.04, groups=groups)
    assert curve.needed.unit == "group"
    weighted = power_curve(PILOT, effect=0.04, n=counts, weights=np.arange(len(PILOT)) + 1.0)
    assert weighted.power[0] < power_curve(PILOT, effect=0.04, n=counts).power[0]
    with pytest.raises(DataError, match="n is 5; the test never rejects with fewer than 6 groups at this level"):
        minimum_detectable(PILOT, n=5, groups=groups)


@pytest.mark.parametrize("function", [power, units_needed, minimum_detectable, power_curve])
def test_the_settings_of_a_plan_are_those_of_its_design_everywhere(function: Callable[..., Any]) -> None:
    shown = list(inspect.signature(function).parameters.values())
    taken = list(inspect.signature(design).parameters.values())[1:]
    assert shown[-len(taken) :] == taken
    assert [each.name for each in taken[2:5]] == ["test", "alternative", "level"]
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) got an unexpected keyword argument 'levels'"):
        function(PILOT, levels=0.9, effect=0.1)


def test_the_units_of_a_gate_are_those_of_the_bets_that_decide_it() -> None:
    """As many units as planned pass in about four of five draws from the pilot."""
    rng = np.random.default_rng(0)
    pilot = rng.normal(0, 0.1, 100).clip(-0.4, 0.4)
    how: dict[str, Any] = {"level": 0.975, "alternative": "greater", "test": "betting", "bounds": (0, 1)}
    n = units_needed(pilot, effect=0.04, **how).n
    middle, drawn = np.full(n, 0.5), 0
    for _ in range(200):
        new = middle + rng.choice(pilot - pilot.mean(), n)
        drawn += equivalence(paired(new, middle, "betting", bounds=(0, 1)), 0.04, level=0.975).non_inferior
    assert 0.72 < drawn / 200 < 0.92
    assert power(pilot, effect=0.04, n=n, **how).value >= 0.8 > power(pilot, effect=0.04, n=n - 1, **how).value
    assert minimum_detectable(pilot, n=n, **how).effect == pytest.approx(0.04, rel=0.01)
    with pytest.raises(DataError, match="bounds are not given; test='betting' needs the least"):
        units_needed(pilot, effect=0.04, test="betting")
    with pytest.raises(DataError, match=r"bounds are given; .* no other test uses them"):
        units_needed(pilot, effect=0.04, bounds=(0, 1))
    with pytest.raises(DataError, match="but differences are larger"):
        units_needed(pilot, effect=0.04, test="betting", bounds=(0, 0.1))
    for effect in (1.0, -1.0, 3.0):
        with pytest.raises(DataError, match=f"effect is {effect:g}; with these bounds no difference is beyond 1"):
            units_needed(pilot, effect=effect, test="betting", bounds=(0, 1))
        with pytest.raises(DataError, match="with these bounds no difference is beyond 1"):
            power(pilot, effect=effect, n=10, test="betting", bounds=(0, 1))
    assert minimum_detectable(pilot, n=3, test="betting", bounds=(0, 1)).high <= 1


SMALL_PILOT = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.975, 0.99, 0.999])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_plan_has_fewer_units_than_the_default_test_can_reject_with(level: float, alternative: Any) -> None:
    side = -1.0 if alternative == "less" else 1.0
    least = least_units_of_default_test(level, alternative == "two-sided")
    for n in range(2, least + 3):
        p = paired(side * np.linspace(1.0, 1.5, n), np.zeros(n), alternative=alternative).p
        assert (p <= (1 - level) * (1 + 1e-9)) == (n >= least), n
    needed = units_needed(SMALL_PILOT, effect=side * 50.0, alternative=alternative, level=level)
    assert (needed.n, needed.low) == (least, least)
    assert power(SMALL_PILOT, effect=side * 50.0, n=least - 1, alternative=alternative, level=level).high == 0
    assert power(SMALL_PILOT, effect=side * 50.0, n=least, alternative=alternative, level=level).low > 0.99


def test_five_units_find_nothing_by_the_default_test_but_by_t_they_do() -> None:
    assert power(SMALL_PILOT, effect=0.3, n=5).value == 0
    assert power(SMALL_PILOT, effect=0.3, n=5, test="t").value > 0.9
    assert (units_needed(SMALL_PILOT, effect=0.3).n, units_needed(SMALL_PILOT, effect=0.3, test="t").n) == (6, 4)


@pytest.mark.parametrize(
    ("n", "effect", "level", "both"), [(6, 1.5, 0.95, True), (8, 1, 0.9, True), (9, 0.7, 0.95, False)]
)
def test_the_power_of_few_units_is_the_share_of_normal_samples_that_are_rejected(
    n: int, effect: float, level: float, both: bool
) -> None:
    drawn = np.random.default_rng(3).normal(effect, 1, (3000, n))
    sums = drawn @ np.array(list(itertools.product([1, -1], repeat=n))).T
    observed = drawn.sum(axis=1)[:, None]
    p = (np.abs(sums) >= np.abs(observed) - 1e-9 if both else sums >= observed - 1e-9).mean(axis=1)
    share = (p <= 1 - level + 1e-12).mean()
    found = sign_flip_power(effect, n, level, both)
    assert abs(found - share) < 4 * math.sqrt(share * (1 - share) * (1 / 3000 + 1 / 10_000))


def test_six_units_are_all_above_0_or_not_significant() -> None:
    """Of six normal differences the test rejects if all have one sign: Phi(e)^6 + Phi(-e)^6."""
    for effect in (0.0, 0.5, 1.5):
        above = 0.5 * math.erfc(-effect / math.sqrt(2))
        found = sign_flip_power(effect, 6, 0.95, two_sided=True)
        assert abs(found - above**6 - (1 - above) ** 6) < 4 * 0.005


def test_power_of_few_units_grows_and_joins_that_of_t() -> None:
    powers = [power(SMALL_PILOT, effect=0.1, n=n).value for n in range(2, 16)]
    assert powers == sorted(powers)
    assert powers[:4] == [0, 0, 0, 0]
    for n in (10, 11):
        assert power(SMALL_PILOT, effect=0.1, n=n).value == pytest.approx(
            power(SMALL_PILOT, effect=0.1, n=n, test="t").value, abs=0.03
        )
    found = minimum_detectable(SMALL_PILOT, n=8)
    assert power(SMALL_PILOT, effect=found.effect, n=8).value == pytest.approx(0.8, abs=1e-3)
    assert "sign-flip test of normal differences" in str(found)
    assert 0 < power(SMALL_PILOT, effect=0.1, n=8).error < 0.006


def test_skewed_pilots_carry_a_note() -> None:
    skewed = 1 - np.random.default_rng(2).exponential(size=60)
    for found in (power(skewed, effect=0.3), units_needed(skewed, effect=0.3), minimum_detectable(skewed)):
        assert "the differences of the pilot are skewed" in found.note
        assert str(found).endswith(f"\nnote: {found.note}")
    assert units_needed(skewed, effect=0.5, test="simulated-permutation", replicates=200).note == ""
    assert units_needed(SMALL_PILOT, effect=0.3).note == ""
    assert "\n" not in str(units_needed(SMALL_PILOT, effect=0.3))
