"""Intervals of the form `Sampled`."""

import math
import time

import pytest

from certus import CertusError, DataError, MetricNameError
from certus.inference import Estimate
from certus.inference.declare import FORMS
from certus.statistic.sampled import Sampled

WHOLE = ("blaker", "posterior", "hpd", "hypergeometric", "hypergeometric-lower", "hypergeometric-upper", "mid-p", "amo")
METHODS = (*WHOLE, "wang", "wilson", "wilson-fpc", "beta", "clopper-pearson")
EXAMPLE = Sampled(1000, 500, 400)


def limits(statistic: Sampled, method: str, level: float = 0.95) -> tuple[float, float]:
    low, high = Estimate(statistic).interval(level, method)
    return low, high


def test_every_method_is_offered() -> None:
    assert set(FORMS[Sampled].methods) == set(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_misses_mirror_hits(method: str) -> None:
    mirrored = {"hypergeometric-lower": "hypergeometric-upper", "hypergeometric-upper": "hypergeometric-lower"}
    low, high = limits(Sampled(1000, 80, 23), method)
    assert limits(Sampled(1000, 80, 57), mirrored.get(method, method)) == pytest.approx(
        (1000 - high, 1000 - low), rel=1e-12
    )


@pytest.mark.parametrize("method", METHODS)
def test_limits_are_whole_counts_and_wider_for_a_higher_level(method: str) -> None:
    before = (399.0, 401.0)
    for level in (0.5, 0.8, 0.95, 0.999):
        low, high = limits(Sampled(800, 60, 30), method, level)
        assert isinstance(low, int)
        assert isinstance(high, int)
        assert 30 <= low <= before[0] + 0.5
        assert before[1] - 0.5 <= high <= 770
        before = low, high


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_of_everything_is_known_by_the_methods_for_finite_populations(method: str) -> None:
    # The others do not know that the population is finite; cutting impossible counts leaves one all the same.
    assert limits(Sampled(30, 30, 13), method) == (13, 13)
    assert limits(Sampled(1, 1, 1), method) == (1, 1)


@pytest.mark.parametrize("method", METHODS)
def test_no_hits_and_no_misses_reach_the_ends(method: str) -> None:
    low, high = limits(Sampled(1000, 50, 0), method)
    assert 0 <= low <= 3
    assert 0 < high < 150 or method == "hypergeometric-lower"
    low, high = limits(Sampled(1000, 50, 50), method)
    assert 997 <= high <= 1000
    assert 850 < low < 1000 or method == "hypergeometric-upper"


def test_rounding_does_not_make_a_sample_of_everything_impossible() -> None:
    for population in range(1, 61):
        for hits in range(population + 1):
            interval = Estimate(Sampled(population, population, hits, per=population)).interval(method="wilson-fpc")
            assert interval[:2] == (hits / population, hits / population)
            assert not interval.reason


def test_one_sided_limits_are_those_of_twice_the_error() -> None:
    low, high = limits(EXAMPLE, "hypergeometric", 0.9)
    assert limits(EXAMPLE, "hypergeometric-lower", 0.95) == (low, 900)
    assert limits(EXAMPLE, "hypergeometric-upper", 0.95) == (400, high)


def test_the_value_is_the_count_divided() -> None:
    for per in (500, 2000, 1250.0):
        shares = Estimate(Sampled(500, 100, 80, per=per)).interval()
        counts = Estimate(Sampled(500, 100, 80)).interval()
        assert shares[:2] == (counts.low / per, counts.high / per)


def test_impossible_counts_are_cut_off_and_that_is_said() -> None:
    statistic = Sampled(500, 100, 80, most=405)
    assert limits(Sampled(500, 100, 80), "posterior") == (360, 430)
    interval = Estimate(statistic).interval(method="posterior")
    assert interval[:2] == (357, 405)
    assert interval.reason == "the posterior is cut to the possible counts 80 to 405"
    # Counts that the posterior hardly holds are not spoken of.
    assert not Estimate(Sampled(500, 100, 20, most=405)).interval(method="posterior").reason
    interval = Estimate(statistic).interval(method="blaker")
    assert interval[:2] == (361, 405)
    assert interval.reason == "impossible counts above 405 are cut off"
    interval = Estimate(Sampled(500, 100, 80, least=380, most=405)).interval(method="blaker")
    assert interval.reason == "impossible counts below 380 and above 405 are cut off"
    assert not Estimate(Sampled(500, 100, 80, least=300, most=480)).interval().reason


def test_a_sample_that_no_possible_count_explains_gets_the_nearest() -> None:
    statistic = Sampled(500, 100, 97, most=405)
    assert statistic.value == 405.0
    interval = Estimate(statistic).interval()
    assert interval[:2] == (405, 405)
    assert interval.reason == "no possible count fits the sample at this level; the nearest possible one is 405"


def test_a_posterior_without_digits_left_is_refused() -> None:
    with pytest.raises(CertusError, match="the possible counts 90 to 100 a probability below 1e-09; check the numbers"):
        Estimate(Sampled(500, 100, 90, most=100)).interval(method="hpd")


def test_real_limits_without_a_whole_count_between_them_are_rounded_outwards() -> None:
    # Wilson with the correction: 25.31 to 25.73 of 50
    assert limits(Sampled(50, 49, 25), "wilson-fpc", 0.5) == (25, 26)


def test_a_prior_moves_the_posterior() -> None:
    uniform, jeffreys, high = (
        limits(Sampled(1000, 20, 10, prior=prior), "posterior") for prior in ((1.0, 1.0), (0.5, 0.5), (30.0, 1.0))
    )
    assert jeffreys[0] < uniform[0] < high[0]
    assert uniform[1] < high[1]


def test_standard_error_is_that_of_sampling_without_replacement() -> None:
    # 1000 sqrt(0.8 * 0.2 / 499 * 0.5)
    assert Estimate(EXAMPLE).standard_error == pytest.approx(12.6618, abs=5e-5)
    assert Estimate(Sampled(30, 30, 13)).standard_error == 0
    assert math.isnan(Estimate(Sampled(30, 1, 1)).standard_error)


def test_without_a_sample_there_is_no_value() -> None:
    estimate = Estimate(Sampled(30, 0, 0))
    assert math.isnan(estimate.value)
    assert estimate.reason == "there are no items"
    assert math.isnan(estimate.interval().low)
    assert Estimate(Sampled(30, 10, 0, per=0, most=0)).reason == "its denominator is 0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, 11, 2), "checked is 11 but population is 10; no item is checked twice"),
        ((10, 5, 6), "hits is 6 but checked is 5; hits cannot exceed checked"),
        ((10, -1, 0), "checked is -1; it must be a whole number of at least 0"),
        ((10, 5, 2, -1.0), "per is -1.0; it must be at least 0, or None"),
        ((10, 5, 2, None, 9), "least is 9 and most is None, but the sample leaves only 2 to 7 hits possible"),
        ((10, 5, 2, None, 0, 1), "most is 1, but the sample leaves only 2 to 7 hits possible; no count is in both"),
        ((10, 5, 2, None, 0, 9, (0.0, 1.0)), r"prior is \(0.0, 1.0\); it must be two positive numbers"),
    ],
)
def test_contradictions_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Sampled(*arguments)  # type: ignore[arg-type]


def test_an_unknown_method_is_answered_with_the_right_ones() -> None:
    with pytest.raises(MetricNameError, match="did you mean 'blaker'"):
        Estimate(EXAMPLE).interval(method="blakr")
    with pytest.raises(MetricNameError, match="'t' is not one for a sampled count; the methods are blaker, posterior"):
        Estimate(EXAMPLE).interval(method="t")


def test_limits_of_a_count_print_as_whole_numbers() -> None:
    assert str(Estimate(EXAMPLE).interval()) == "[774, 824]"
    assert str(Estimate(EXAMPLE)) == "800 [774, 824]  95% Blaker, 500 items"


@pytest.mark.parametrize("method", [method for method in METHODS if method not in ("amo", "wang")])
@pytest.mark.parametrize(
    ("population", "checked", "hits", "seconds"),
    [(10**6, 10**4, 8000, 0.05), (10**9, 10**4, 8000, 0.5), (10**9, 10, 3, 0.5), (10**9, 5 * 10**8, 2 * 10**8, 0.5)],
)
def test_large_populations_are_quick(method: str, population: int, checked: int, hits: int, seconds: float) -> None:
    statistic = Sampled(population, checked, hits)
    limits(statistic, method)  # imports scipy
    started = time.process_time()
    low, high = limits(statistic, method)
    # CPU time, and twice the goal, for machines that are busy
    assert time.process_time() - started < 2 * seconds
    share = hits / checked
    assert low <= population * share <= high
    width = math.sqrt(share * (1 - share) / checked) * population
    assert high - low < 10 * width or method.startswith("hypergeometric-")
