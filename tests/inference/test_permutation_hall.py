"""The default test of a mean difference: the larger p of sign flips and the skewness-corrected t, and their union."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from certus.comparison import compare_values
from certus.inference import paired
from certus.inference.intervals.skewness import Skew, p_value, quantiles

ALTERNATIVES = ("two-sided", "greater", "less")


def corrected_t(values: np.ndarray, side: float) -> float:
    """One-sided p of Hall's transformation of t in plain NumPy, not below that of t itself."""
    values = side * values
    n, off = len(values), values - values.mean()
    t = values.mean() / (values.std(ddof=1) / math.sqrt(n))
    third = (off**3).sum() / (off**2).sum() ** 1.5
    corrected = t + third / 3 * t**2 + third**2 / 27 * t**3 + third / 6
    return float(stats.t.sf(min(t, corrected), n - 1))


def sign_flips(values: np.ndarray, side: float) -> float:
    """The share of all choices of signs with a sum at least as large."""
    signs = 1.0 - 2.0 * ((np.arange(2 ** len(values))[:, np.newaxis] >> np.arange(len(values))) & 1)
    return float((signs @ (side * values) >= side * values.sum() - 1e-9).mean())


@pytest.mark.parametrize("seed", range(6))
def test_by_hand_p_is_the_larger_of_both(seed: int) -> None:
    values = np.random.default_rng(seed).lognormal(size=11) - 1.2
    upper, lower = (max(corrected_t(values, side), sign_flips(values, side)) for side in (1.0, -1.0))
    expected = {"two-sided": min(2 * min(upper, lower), 1.0), "greater": upper, "less": lower}
    for alternative in ALTERNATIVES:
        found = paired(values, np.zeros(11), alternative=alternative)  # type: ignore[arg-type]
        assert found.method == "permutation-hall"
        assert found.p == pytest.approx(expected[alternative], rel=1e-10)


def of_kind(rng: np.random.Generator, n: int, kind: int) -> dict[str, Any]:
    """Keywords of single units, weighted units, or groups."""
    kinds: list[dict[str, Any]] = [{}, {"weights": rng.uniform(0.2, 3, n)}, {"groups": rng.integers(0, n // 2 + 1, n)}]
    return kinds[kind]


@given(
    n=st.integers(1, 40),
    seed=st.integers(0, 2**32),
    kind=st.integers(0, 2),
    law=st.integers(0, 3),
    level=st.sampled_from((0.5, 0.8, 0.9, 0.95, 0.99)),
    alternative=st.sampled_from(ALTERNATIVES),
)
@example(n=1, seed=2, kind=0, law=2, level=0.5, alternative="two-sided")
@settings(max_examples=30, deadline=None)
def test_p_and_interval_are_one_family(n: int, seed: int, kind: int, law: int, level: float, alternative: Any) -> None:
    rng = np.random.default_rng(seed)
    draws = (rng.normal(0.3, 1, n), rng.exponential(1, n) - 0.7, rng.integers(-2, 3, n) / 3, np.full(n, 0.3))
    values, zero, told = draws[law], np.zeros(n), of_kind(rng, n, kind)
    default = "permutation-hall" if set(values) <= {0.0, 1.0} else None  # shares have a test of their own
    names = (default, "permutation", "hall")
    found, flips, hall = (paired(values, zero, test, alternative, level=level, **told) for test in names)
    interval, *parts = (each.difference.interval() for each in (found, flips, hall))
    assert found.p == pytest.approx(np.fmax(flips.p, hall.p), rel=1e-12)
    assert interval.defined == parts[0].defined
    if not interval.defined:
        return
    assert (interval.low > 0 or interval.high < 0) == (found.p <= (1 - level) * (1 + 1e-12))
    spread = max(float(np.ptp(values)), 1e-9)
    assert interval.low == pytest.approx(min(each.low for each in parts), abs=2e-4 * spread)
    assert interval.high == pytest.approx(max(each.high for each in parts), abs=2e-4 * spread)


@given(st.floats(-0.5, 0.5), st.floats(-0.1, 0.1), st.floats(1e-4, 0.4), st.integers(2, 300))
def test_the_corrected_p_inverts_the_corrected_quantiles(
    third: float, curvature: float, tail: float, freedom: int
) -> None:
    skew = Skew(third, curvature)
    low, high = quantiles(skew, tail, freedom)
    for ratio, alternative in ((low, "greater"), (-high, "less")):
        assert p_value(ratio, skew, freedom, alternative) == pytest.approx(tail, rel=1e-5)  # type: ignore[arg-type]
    ratios = np.linspace(-9, 9, 60)
    p = [p_value(float(ratio), skew, freedom, "greater") for ratio in ratios]
    assert all(np.diff(p) <= 0)


def test_equal_means_of_skewed_differences_are_seldom_found_different() -> None:
    # Sign flips alone reject .11 of the lognormal ones and .10 of losses of 1 on a tenth.
    rng = np.random.default_rng(5)
    samples = {
        "lognormal": rng.lognormal(size=(300, 30)) - math.exp(0.5),
        "rare losses": np.where(rng.random((300, 30)) < 0.1, -1, 1 / 9) + 0.1 * rng.normal(size=(300, 30)),
        "normal": rng.normal(size=(300, 30)),
    }
    rejected = {
        name: float(np.mean([paired(differences, np.zeros(30)).p <= 0.05 for differences in drawn]))
        for name, drawn in samples.items()
    }
    assert rejected["lognormal"] <= 0.095
    assert rejected["rare losses"] <= 0.085
    assert 0.013 <= rejected["normal"] <= 0.088


@pytest.mark.parametrize(
    ("values", "words"), [([0.1, 0.2, 0.4] * 4, "have one sign"), ([0.0] * 9 + [1, -2], "but for 2")]
)
def test_differences_of_one_sign_or_nearly_all_0_carry_the_rule_of_three(values: list[float], words: str) -> None:
    values = [*values, 0.0] if "one" in words else values
    (row,) = compare_values({"base": np.zeros(len(values)), "new": np.array(values) + 0.0}, "AP", unit="query")
    assert words in row.reason
    assert f"a loss on fewer than 3 of {len(values)} queries may not be seen at all" in row.reason
    balanced = np.random.default_rng(0).normal(size=40)
    assert paired(balanced, np.zeros(40)).difference.interval().reason == ""


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_few_units_have_no_limits_and_the_p_of_sign_flips_is_at_most_the_p(n: int) -> None:
    values = 0.7 * np.arange(1.0, n + 1)
    found = paired(values, np.zeros(n))
    assert found.p >= 2 / 2**n
    assert found.difference.interval().low in (-math.inf, math.nan) or math.isnan(found.difference.interval().low)


def test_equal_differences_have_the_p_of_their_signs_and_no_limits() -> None:
    found = paired(np.full(8, 0.25), np.zeros(8))
    assert found.p == 2 / 2**8
    assert not found.difference.interval().defined


def test_simultaneous_limits_are_never_shorter_than_the_row_alone() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=40)
    systems = {"base": base, "a": base + rng.lognormal(size=40) - 1.2, "b": base - rng.lognormal(size=40) + 1.5}
    alone, joint = (compare_values(systems, "AP", simultaneous=each) for each in (False, True))
    for one, together in zip(alone, joint, strict=True):
        assert together.low <= one.low
        assert together.high >= one.high
        assert (together.low > 0 or together.high < 0) == (together.p_adjusted <= 0.05)


@pytest.mark.parametrize(("n", "off"), [(3_000, 2e-4), (20_000, 1e-6)])
def test_many_differences_of_any_values_are_inverted_as_the_moments_say(n: int, off: float) -> None:
    rng = np.random.default_rng(n)
    signs = rng.choice([-1.0, 1.0], n)
    for values in (signs * 2.0 ** rng.integers(0, 60, n), signs * rng.lognormal(sigma=0.5, size=n), signs.round()):
        found = paired(values, np.zeros(n), "permutation")
        squares = float((values**2).sum())
        z = abs(float(values.sum())) / math.sqrt(squares)
        span = 2.0 if set(np.abs(values)) == {1.0} else 0.0
        kurtosis = -2 * float((values**4).sum()) / squares**2
        edgeworth = stats.norm.sf(z - span / 2 / math.sqrt(squares))
        edgeworth += stats.norm.pdf(z) * kurtosis / 24 * (z**3 - 3 * z)
        assert found.p == pytest.approx(2 * edgeworth, abs=off)
        assert found.error <= 1e-5 * found.p
