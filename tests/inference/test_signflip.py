"""The sign-flip test."""

import itertools
import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus.core import kernels
from certus.inference.tests import signflip
from certus.inference.tests.joint_table import _TailShare
from certus.inference.tests.signflip import _exchanges, _Sizes, sign_flip


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


@pytest.mark.parametrize("shift", [0.0, 0.01, 0.03, 0.1])
@pytest.mark.parametrize("seed", range(4))
def test_the_inversion_agrees_with_counting(shift: float, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    differences = (rng.normal(size=120) * 0.1 + shift / 2).round(4)
    counted = sign_flip(differences)
    assert counted.method == "lattice"
    below = sign_flip(-differences)
    monkeypatch.setattr(signflip, "MAX_STEPS", 1e5)
    monkeypatch.setattr(signflip, "LIST_LIMIT", 0)
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
    monkeypatch.setattr(signflip, "MAX_STEPS", 3e6)
    monkeypatch.setattr(signflip, "_by_fourier", lambda *_: None)
    monkeypatch.setattr(signflip, "LIST_LIMIT", 0)
    monkeypatch.setattr(signflip, "MAX_LISTED", 0)
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
    monkeypatch.setattr(signflip, "MAX_STEPS", 1e5)
    monkeypatch.setattr(signflip, "LIST_LIMIT", 0)
    inverted = sign_flip(differences)
    assert counted.p < 1e-39
    assert inverted.method == "fourier"
    assert inverted.p == pytest.approx(counted.p, rel=1e-8)


def test_many_units_are_inverted_near_the_normal_law() -> None:
    from scipy.stats import norm

    differences = np.random.default_rng(5).uniform(-1, 1, 20_000)
    found = sign_flip(differences)
    assert found.p == pytest.approx(norm.sf(differences.sum() / np.sqrt((differences**2).sum())), rel=1e-3)


def test_signs_of_nothing_have_p_1_and_one_difference_has_a_half() -> None:
    assert sign_flip(np.zeros(5)).p == 1
    assert sign_flip(np.array([0.3])).p == 0.5
    assert sign_flip(np.array([-0.3])).p == 1
    assert sign_flip(np.full(20, 0.1)).p == 2.0**-20


def test_fifty_real_differences_are_inverted_and_not_rounded() -> None:
    assert sign_flip(np.random.default_rng(50).normal(0.3, 1, 50)).method == "fourier"


@pytest.mark.parametrize("shift", [0.0, 0.3])
@pytest.mark.parametrize("n", [37, 38])
def test_the_error_of_the_inversion_covers_what_listing_finds(
    n: int, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signflip, "MAX_LISTED", 0)
    rng = np.random.default_rng(n)
    differences = rng.normal(shift, 1, n) * (0.2 + rng.random(n))
    differences *= np.sign(differences.sum())
    found = sign_flip(differences)
    values = np.abs(differences)
    listed = kernels.signed_sum_listed(values, observed=float(differences.sum()), most=2**19)
    assert listed is not None
    assert found.method == "fourier"
    assert abs(found.p - listed) <= found.error <= 1e-5 * found.p


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


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.thorough)])
def test_the_error_covers_differences_of_reciprocal_ranks_which_are_nearly_on_a_lattice(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Most are differences of 1, 1/2, ..., 1/7, multiples of 1/420: their transform comes back at high frequencies.
    rng = np.random.default_rng(seed)
    one, other = 1 / rng.geometric(0.4, (2, 250)).clip(max=7)
    differences = one - other + 0.02 * np.sign(one - other) * (rng.random(250) < 0.1)
    differences *= np.sign(differences.sum())
    found = sign_flip(differences)
    for name in ("LIST_LIMIT", "MAX_LISTED"):
        monkeypatch.setattr(signflip, name, 0)
    monkeypatch.setattr(signflip, "_by_fourier", lambda *_, **__: None)
    monkeypatch.setattr(signflip, "MAX_STEPS", 1e9)
    fine = sign_flip(differences)
    assert abs(found.p - fine.p) <= found.error + fine.error + 1e-12 * fine.p


@pytest.mark.parametrize("seed", range(4))
def test_the_error_covers_equal_sums_of_different_differences(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # 1 - 1/2 and 1/2 are one sum of 1/3 and 1/6: the sum observed has a probability, of which inversion counts half.
    one, other = 1 / np.random.default_rng(seed).integers(1, 20, (2, 33))
    differences = (one - other) * np.sign((one - other).sum())
    for name in ("LIST_LIMIT", "EQUAL_LIST_LIMIT", "MAX_LISTED"):
        monkeypatch.setattr(signflip, name, 0)
    found = sign_flip(differences)
    values = np.abs(differences[differences != 0])
    listed = kernels.signed_sum_listed(values, observed=float(differences.sum() - 1e-12 * values.sum()), most=2**18)
    assert listed is not None
    assert found.method == "fourier"
    assert 1e-9 * listed < abs(found.p - listed) <= found.error


def counted(sizes: list[int], observed: int) -> Fraction:
    """The definition in whole numbers: for each sum, how many choices of signs have it."""
    sums = {0: 1}
    for size in sizes:
        following: dict[int, int] = {}
        for at, times in sums.items():
            for moved in (at + size, at - size):
                following[moved] = following.get(moved, 0) + times
        sums = following
    return Fraction(sum(times for at, times in sums.items() if at >= observed), 2 ** len(sizes))


@given(
    st.lists(st.integers(1, 60), min_size=20, max_size=40),
    st.integers(-3, 40),
    st.floats(0.3, 0.7),
    st.integers(0, 2**32),
)
@settings(max_examples=8, deadline=None)
def test_listing_agrees_with_counting_in_whole_numbers(sizes: list[int], shift: int, share: float, seed: int) -> None:
    # Whole numbers less a part of 1/97: sums are equal where as many were taken with the same sum.
    moved = [97 * size - shift for size in sizes]
    positive = np.random.default_rng(seed).random(len(sizes)) < share
    observed = sum(size if up else -size for size, up in zip(moved, positive.tolist(), strict=True))
    exact = float(counted(moved, observed))
    values = np.array(moved) / 97
    slack = 1e-12 * float(values.sum())
    listed = kernels.signed_sum_listed(values, observed=observed / 97 - slack, most=2**16)
    assert listed == pytest.approx(exact, rel=1e-12)


def test_reciprocal_ranks_are_counted_as_in_whole_numbers() -> None:
    whole = math.lcm(*range(1, 10))
    rng = np.random.default_rng(3)
    ranks = rng.geometric(0.35, (2, 80)).clip(max=9)
    steps = [whole // one - whole // other for one, other in ranks.T.tolist()]
    steps = [size for size in steps if size]
    found = sign_flip(np.array(steps) / whole * (1.0 if sum(steps) >= 0 else -1.0))
    assert found.error == 0
    assert found.p == pytest.approx(float(counted([abs(size) for size in steps], abs(sum(steps)))), rel=1e-12)


@pytest.mark.parametrize("n", [41, 47, 53])
@pytest.mark.parametrize("z", [0.3, 2.0, 3.2, 4.2])
def test_the_error_of_every_way_covers_what_rounding_finds(n: int, z: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng([n, int(10 * z)])
    differences = np.abs(rng.normal(0, 1, n))
    while differences.sum() > z * np.sqrt((differences**2).sum()):
        position = rng.integers(n)
        differences[position] = -abs(differences[position])
    differences *= np.sign(differences.sum())
    found = sign_flip(differences)
    assert found.error <= 1e-5 * found.p
    for name in ("LIST_LIMIT", "MAX_LISTED"):
        monkeypatch.setattr(signflip, name, 0)
    monkeypatch.setattr(signflip, "_by_fourier", lambda *_: None)
    rounded = sign_flip(differences)
    assert rounded.method == "rounded lattice"
    assert abs(found.p - rounded.p) <= found.error + rounded.error


def test_a_sum_of_zero_on_a_lattice_that_is_inverted_has_more_than_half() -> None:
    values = np.arange(1.0, 401.0) * 997 + 1
    differences = np.concatenate([values, -values])
    sizes = signflip._Sizes(values.repeat(2), values, np.full(400, 2), 1.0)
    for least in (0, 1):
        law = sign_flip(differences) if least else signflip._tail_of_many(sizes, 0.0, strictly=False, quick=False)
        assert 0.5 < law.p < 0.5001


def test_a_tie_counts_however_the_sum_was_rounded() -> None:
    # Of 0.1, 0.2 and -0.3 two choices of signs have the sum 0 but for rounding, and three of the others are above.
    assert sign_flip(np.array([0.1, 0.2, -0.3])).p == 5 / 8
    assert kernels.signed_sum_listed(np.array([0.1, 0.2, 0.3]), observed=-1e-12, most=9) == 5 / 8


@pytest.mark.parametrize("hostile", [math.nan, math.inf, -1.0, 0.0])
def test_kernels_refuse_what_is_no_positive_value(hostile: float) -> None:
    values = np.array([1.0, hostile, 2.0])
    assert kernels.signed_sum_listed(values, observed=0.5, most=99) is None
    kernels.signed_sum_inverted(values, x=0.5, wanted=1e-6, least=9, most=999)  # an answer or None: no panic
    assert kernels.signed_sum_listed(np.ones(3), observed=math.inf, most=99) == 0
    assert kernels.signed_sum_listed(np.ones(3), observed=-math.inf, most=99) == 1


def test_the_error_covers_differences_of_which_nearly_all_are_multiples_of_one_unit() -> None:
    rng = np.random.default_rng(7)
    steps = np.rint(rng.normal(0.02, 0.35, 100).clip(-1, 1) * 10_000).astype(np.int64)
    rest = (rng.random(4) - 0.3) * 10_000
    found = sign_flip(np.concatenate([steps, rest]) / 10_000)
    assert found.method == "fourier"
    law = np.ones(1)  # of the sum of those steps that are positive
    for step in np.abs(steps).tolist():
        more = np.zeros(len(law) + step)
        more[: len(law)] = law / 2
        more[step:] += law / 2
        law = more
    tail = np.append(np.cumsum(law[::-1])[::-1], 0.0)
    expected = 0.0
    for signs in itertools.product((-1, 1), repeat=len(rest)):
        least = steps.sum() + rest.sum() - float(np.dot(signs, np.abs(rest)))
        at = math.ceil((least + np.abs(steps).sum()) / 2 - 1e-6)
        expected += tail[min(max(at, 0), len(tail) - 1)] / 2 ** len(rest)
    off = abs(found.p - expected)
    assert 1e-8 < off <= found.error < 1e-4


def test_a_quick_p_of_differences_that_few_decide_takes_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """The transform of few large differences hardly fades: its inversion took most of the time of all pairs."""
    factors: list[float] = []
    inverted = kernels.signed_sum_inverted

    def counted(values: Any, **options: Any) -> Any:
        factors.append(options["most"] * len(values))
        return inverted(values, **options)

    monkeypatch.setattr(kernels, "signed_sum_inverted", counted)
    off = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        # Less a shift, as where a limit is searched: the small ones are nearly equal.
        differences = rng.choice([-1.0, 1.0], 50) * 2.0 ** rng.integers(0, 60, 50) + 3e16
        quick = sign_flip(differences, quick=True)
        assert max(factors, default=0) <= 1e5
        full = sign_flip(differences)
        factors.clear()
        off.append(abs(quick.p / full.p - 1))
    assert np.quantile(off, [0.5, 0.9]) == pytest.approx([0, 0], abs=0.01)


@pytest.mark.parametrize("reached", [0, 1, 57, 999, 1000])
def test_a_drawn_p_value_has_its_clopper_pearson_interval(reached: int) -> None:
    share = _TailShare(1.0, 1.0, "greater")
    share.add(np.repeat([2.0, 0.0], [reached, 1000 - reached]), 1.0)
    p, _, how, error, _ = share.sampled(1000)
    exact = stats.binomtest(reached, 1000).proportion_ci(0.99, method="exact")
    assert f"99% interval {exact.low:.4g} to {exact.high:.4g}" in how
    assert p == (reached + 1) / 1001
    assert error == pytest.approx(np.sqrt(p * (1 - p) / 1000), rel=1e-12)


def share_at_least(steps: list[int], target: int) -> float:
    """Share of all choices of signs with a sum of at least the target, by halving until all or none of a branch has."""
    if abs(target) > sum(steps) or not steps:
        return float(target <= 0)
    return (share_at_least(steps[1:], target - steps[0]) + share_at_least(steps[1:], target + steps[0])) / 2


@pytest.mark.parametrize("power", [0.8, 0.9, 1.0])
@pytest.mark.parametrize("quick", [False, True])
def test_differences_of_much_different_sizes_are_listed_exactly(
    power: float, quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest decide: few sums of them are left that the others could bring to either side."""
    monkeypatch.setattr(kernels, "signed_sum_inverted", lambda *_, **__: pytest.fail("not listed"))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        steps = rng.permutation(np.floor(2.0 ** (power * np.arange(34))).astype(np.int64) * 5 + rng.integers(0, 5, 34))
        signs = rng.choice([-1, 1], 34)
        found = sign_flip((signs * steps).astype(float), quick=quick)
        assert (found.method, found.error) in {("enumeration", 0.0), ("lattice", 0.0)}
        expected = share_at_least(sorted(steps.tolist(), reverse=True), int((signs * steps).sum()))
        assert found.p == pytest.approx(expected, rel=1e-4 if quick else 1e-9)


def test_no_sum_of_signs_of_equal_differences_is_more_likely_than_the_bound() -> None:
    values = [1.0] * 4 + [2.5] * 2
    sums = [
        sum(sign * value for sign, value in zip(signs, values, strict=True)) for signs in product((-1, 1), repeat=6)
    ]
    most = max(Fraction(sums.count(each), 64) for each in sums)
    sizes = _Sizes(np.array(values), np.array([1.0, 2.5]), np.array([4, 2]), 0.0)
    assert _exchanges(sizes, 0.0) == pytest.approx(float(most), rel=1e-12)
    single = np.array([1.0, 2.0, 4.0])
    assert _exchanges(_Sizes(single, single, np.array([1, 1, 1]), 0.0), 0.0) == 0
