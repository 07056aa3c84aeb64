"""The sign-flip test."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus import kernels
from certus.inference.tests import signflip
from certus.inference.tests.signflip import sign_flip


def share(differences: list[Fraction]) -> Fraction:
    """The definition: every choice of signs, in rationals."""
    observed = sum(differences)
    reached = [
        sum(s * d for s, d in zip(signs, differences, strict=True)) >= observed
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return Fraction(sum(reached), len(reached))


@given(st.lists(st.fractions(-1, 1, max_denominator=60), min_size=1, max_size=9))
def test_the_p_value_is_the_share_of_all_choices_of_signs(differences: list[Fraction]) -> None:
    found = sign_flip(np.array([float(d) for d in differences]))
    assert found.p == pytest.approx(float(share(differences)), abs=1e-12)
    assert found.error == 0


@pytest.mark.parametrize("digits", [1, 4])
def test_counting_on_a_lattice_and_listing_give_the_same(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(digits).normal(0.02, 0.1, 30).round(digits)
    lattice = sign_flip(differences)
    assert lattice.method == "lattice"
    monkeypatch.setattr(signflip, "MOST_STEPS", 0)
    listed = sign_flip(differences)
    assert listed.method == "enumeration"
    assert listed.p == pytest.approx(lattice.p, rel=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.01, 0.03, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_the_inversion_agrees_with_counting(shift: float, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    differences = (rng.normal(size=120) * 0.1 + shift / 2).round(4)
    counted = sign_flip(differences)
    assert counted.method == "lattice"
    below = sign_flip(-differences)
    monkeypatch.setattr(signflip, "MOST_STEPS", 1e5)
    inverted = sign_flip(differences)
    assert inverted.method == "fourier"
    # A lattice of steps of 1e-3 standard deviations is a density but for a part of 1e-3^2 / 24.
    assert inverted.p == pytest.approx(counted.p, rel=1e-7)
    assert sign_flip(-differences).p == pytest.approx(below.p, rel=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_where_the_inversion_does_not_converge_rounding_gives_bounds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Few large differences decide; the tilted sum is then nearly a sum of few signs.
    differences = (np.random.default_rng(seed).standard_t(2, 50) * 0.1 + 0.1).round(4)
    counted = sign_flip(differences)
    monkeypatch.setattr(signflip, "MOST_STEPS", 3e6)
    monkeypatch.setattr(signflip, "MOST_TERMS", 0)
    rounded = sign_flip(differences)
    assert rounded.method == "rounded lattice"
    assert abs(rounded.p - counted.p) <= rounded.error + 1e-12 * counted.p
    assert rounded.error < 0.05 * counted.p


def test_equal_differences_without_a_unit_are_inverted_with_their_atom() -> None:
    # Two groups of equal differences whose ratio is irrational: the law is a product of two binomials.
    from scipy.stats import binom

    other = 2**0.5
    for ones, roots in ((25, 30), (35, 22), (30, 25)):
        differences = np.concatenate(
            [np.repeat([1, -1], [ones, 50 - ones]), other * np.repeat([1, -1], [roots, 50 - roots])]
        )
        sums = np.add.outer(2 * np.arange(51) - 50, other * (2 * np.arange(51) - 50))
        joint = np.multiply.outer(*[binom.pmf(range(51), 50, 0.5)] * 2)
        expected = joint[sums >= differences.sum() - 1e-9].sum()
        found = sign_flip(differences)
        assert abs(found.p - expected) <= found.error + 1e-12


def test_far_tails_keep_their_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.abs(np.random.default_rng(1).normal(0.1, 0.1, 200)).round(4)
    differences[:6] *= -1
    counted = sign_flip(differences)
    monkeypatch.setattr(signflip, "MOST_STEPS", 1e5)
    inverted = sign_flip(differences)
    assert counted.p < 1e-39
    assert inverted.method == "fourier"
    assert inverted.p == pytest.approx(counted.p, rel=1e-8)


def test_many_units_are_inverted_near_the_normal_law() -> None:
    from scipy.stats import norm

    differences = np.random.default_rng(5).uniform(-1, 1, 20_000)
    found = sign_flip(differences)
    assert found.p == pytest.approx(norm.sf(differences.sum() / np.sqrt((differences**2).sum())), rel=1e-3)


def test_units_that_differ_by_a_third_are_counted_on_a_lattice() -> None:
    found = sign_flip(np.array([1 / 3] * 50 + [-2 / 3] * 10))
    assert found.method == "lattice"
    # 50 signs of 1 and 10 of 2 with a sum of at least 30, by the binomial laws of both
    from scipy.stats import binom

    ones = 2 * np.arange(51) - 50
    twos = 2 * (2 * np.arange(11) - 10)
    joint = np.multiply.outer(binom.pmf(range(51), 50, 0.5), binom.pmf(range(11), 10, 0.5))
    assert found.p == pytest.approx(joint[np.add.outer(ones, twos) >= 30].sum(), rel=1e-12)


def test_signs_of_nothing_have_p_1_and_one_difference_has_a_half() -> None:
    assert sign_flip(np.zeros(5)).p == 1
    assert sign_flip(np.array([0.3])).p == 0.5
    assert sign_flip(np.array([-0.3])).p == 1
    assert sign_flip(np.full(20, 0.1)).p == 2.0**-20


def test_fifty_real_differences_are_inverted_and_not_rounded() -> None:
    assert sign_flip(np.random.default_rng(50).normal(0.3, 1, 50)).method == "fourier"


@pytest.mark.parametrize("shift", [0.0, 0.3])
@pytest.mark.parametrize("n", [37, 38])
def test_the_error_of_the_inversion_covers_what_listing_finds(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    differences = rng.normal(shift, 1, n) * (0.2 + rng.random(n))
    differences *= np.sign(differences.sum())
    found = sign_flip(differences)
    values = np.abs(differences)
    halves = [(value, 1) for value in values[:18].tolist()], [(value, 1) for value in values[18:].tolist()]
    listed = signflip._listed(*halves, float(differences.sum()) - 1e-12 * float(values.sum()))
    assert found.method == "fourier"
    assert abs(found.p - listed) <= found.error <= 1e-6 * found.p


@pytest.mark.parametrize("target", [0, 1, 5, 12, 13])
def test_chosen_sums_are_counted(target: int) -> None:
    steps = [1, 2, 4, 5]
    reached = [sum(chosen) >= target for chosen in itertools.product(*((0, step) for step in steps))]
    assert kernels.chosen_sum_at_least(np.array(steps, dtype=np.uint32), target) == sum(reached) / 16


def test_many_differences_of_two_sizes_are_listed() -> None:
    differences = np.repeat([1.0, -1.0, math.sqrt(2), -math.sqrt(2)], [25, 15, 30, 20])
    found = sign_flip(differences)
    reached = sum(
        math.comb(40, i) * math.comb(50, j)
        for i in range(41)
        for j in range(51)
        if (2 * i - 40) + (2 * j - 50) * math.sqrt(2) >= differences.sum() - 1e-9
    )
    assert found.method == "enumeration"
    assert found.p == pytest.approx(reached / 2**90, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_error_covers_differences_of_reciprocal_ranks_which_are_nearly_on_a_lattice(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Most are differences of 1, 1/2, ..., 1/7, multiples of 1/420: their transform comes back at high frequencies.
    rng = np.random.default_rng(seed)
    one, other = 1 / rng.geometric(0.4, (2, 250)).clip(max=7)
    differences = one - other + 0.02 * np.sign(one - other) * (rng.random(250) < 0.1)
    differences *= np.sign(differences.sum())
    found = sign_flip(differences)
    monkeypatch.setattr(signflip, "_inverted", lambda *_, **__: None)
    monkeypatch.setattr(signflip, "MOST_STEPS", 1e9)
    fine = sign_flip(differences)
    assert abs(found.p - fine.p) <= found.error + fine.error + 1e-12 * fine.p
