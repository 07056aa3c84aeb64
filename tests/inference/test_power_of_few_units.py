"""Plans of a few units: by the default test, which rejects nothing of five units, whatever they are."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from certus.inference import minimum_detectable, paired, power, units_needed
from certus.inference.planning.design import least_units_of_default_test, sign_flip_power

PILOT = [0.12, -0.05, 0.08, 0.20, -0.11, 0.03, 0.09, -0.02]


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.975, 0.99, 0.999])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_plan_has_fewer_units_than_the_default_test_can_reject_with(level: float, alternative: Any) -> None:
    side = -1.0 if alternative == "less" else 1.0
    least = least_units_of_default_test(level, alternative == "two-sided")
    for n in range(2, least + 3):
        p = paired(side * np.linspace(1.0, 1.5, n), np.zeros(n), alternative=alternative).p
        assert (p <= (1 - level) * (1 + 1e-9)) == (n >= least), n
    needed = units_needed(PILOT, effect=side * 50.0, alternative=alternative, level=level)
    assert (needed.n, needed.low) == (least, least)
    assert power(PILOT, effect=side * 50.0, n=least - 1, alternative=alternative, level=level).high == 0
    assert power(PILOT, effect=side * 50.0, n=least, alternative=alternative, level=level).low > 0.99


def test_five_units_find_nothing_by_the_default_test_but_by_t_they_do() -> None:
    assert power(PILOT, effect=0.3, n=5).value == 0
    assert power(PILOT, effect=0.3, n=5, test="t").value > 0.9
    assert (units_needed(PILOT, effect=0.3).n, units_needed(PILOT, effect=0.3, test="t").n) == (6, 4)


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
    powers = [power(PILOT, effect=0.1, n=n).value for n in range(2, 16)]
    assert powers == sorted(powers)
    assert powers[:4] == [0, 0, 0, 0]
    for n in (10, 11):
        assert power(PILOT, effect=0.1, n=n).value == pytest.approx(
            power(PILOT, effect=0.1, n=n, test="t").value, abs=0.03
        )
    found = minimum_detectable(PILOT, n=8)
    assert power(PILOT, effect=found.effect, n=8).value == pytest.approx(0.8, abs=1e-3)
    assert "sign-flip test of normal differences" in str(found)
    assert 0 < power(PILOT, effect=0.1, n=8).error < 0.006


def test_skewed_pilots_carry_a_note() -> None:
    skewed = 1 - np.random.default_rng(2).exponential(size=60)
    for found in (power(skewed, effect=0.3), units_needed(skewed, effect=0.3), minimum_detectable(skewed)):
        assert "the differences of the pilot are skewed" in found.note
        assert str(found).endswith(f"\nnote: {found.note}")
    assert units_needed(skewed, effect=0.5, test="simulated-permutation", replicates=200).note == ""
    assert units_needed(PILOT, effect=0.3).note == ""
    assert "\n" not in str(units_needed(PILOT, effect=0.3))
