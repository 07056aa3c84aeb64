"""Properties of all tests and interval methods on drawn data: nested, mirrored, in any order, agreeing with p."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from certus.core.errors import CertusError
from certus.inference import Estimate, paired
from certus.inference.search import NARROW
from certus.inference.tests import declare
from certus.inference.tests.result import Paired
from certus.statistic import Mean, Ratio

Floats = NDArray[np.float64]
Limits = list[tuple[float, float]]
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
DRAWS = 1999
MIRRORED_SIDE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
OF_SHARES = ("mcnemar", "mid-p", "mcnemar-score")
RESAMPLED = ("percentile", "bca", "bootstrap-t")
"""Methods whose draws are not those of the mirrored values."""
TESTS = [name for name in declare.TESTS_BY_KIND[declare.MEANS] if name not in OF_SHARES]


def columns(least: float, greatest: float) -> st.SearchStrategy[list[float]]:
    """Values with ties, with few digits or many, all alike, or nearly all at one end."""
    rounded = st.integers(round(100 * least), round(100 * greatest)).map(lambda x: x / 100)
    few = st.sampled_from([least, greatest, (least + greatest) / 2])
    any_value = st.floats(least, greatest).map(lambda x: round(x, 9))
    return st.one_of(*(st.lists(each, min_size=2, max_size=14) for each in (rounded, few, any_value)))


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def assert_nested(limits: Limits, slack: float) -> None:
    there = [each for each in limits if not math.isnan(each[0])]
    for (low, high), (lower, higher) in pairwise(there):
        assert lower <= low + slack
        assert high - slack <= higher


def limits_of(estimate: Paired | Estimate, method: str | None = None) -> Limits:
    found = []
    for level in LEVELS:
        low, high = estimate.interval(level, method)
        found.append((low, high))
    return found


@given(
    differences=columns(-1, 1),
    base=st.sampled_from([0.0, 0.5, 0.3]),
    units=st.sampled_from(["samples", "groups", "weights"]),
    test=st.sampled_from(TESTS),
    side=st.sampled_from(list(MIRRORED_SIDE)),
    seed=st.integers(0, 2**20),
)
@example(
    differences=[0.5, 0.82, 0.82, 0.46, 0.09, 0.82, 0.44, -0.5, -0.82, -0.82, -0.46, -0.09, -0.82, -0.44],
    base=0.0,
    units="samples",
    test="t",
    side="two-sided",
    seed=0,
)
@settings(max_examples=120, deadline=None)
def test_tests_of_means_are_nested_mirrored_and_agree_with_p(
    differences: list[float], base: float, units: str, test: str, side: Any, seed: int
) -> None:
    random = np.random.default_rng(seed)
    n = len(differences)
    a, b = base + np.array(differences), np.full(n, base)
    columns_of: dict[str, dict[str, Any]] = {
        "samples": {},
        "groups": {"groups": random.integers(0, max(2, n // 2), n)},
        "weights": {"weights": np.round(random.random(n) + 0.1, 1)},
    }
    options = columns_of[units]
    order = random.permutation(n)
    try:
        one = paired(a, b, test, side, replicates=DRAWS, **options)
    except CertusError:
        return  # no groups or weights
    moved = {name: column[order] for name, column in options.items()}
    again = paired(a[order], b[order], test, side, replicates=DRAWS, **moved)
    other_side: Any = MIRRORED_SIDE[side]
    swapped = paired(b, a, test, other_side, replicates=DRAWS, **options)
    limits = limits_of(one)
    assert same(one.p, again.p)
    assert same(one.p, swapped.p)
    for (low, high), first, second in zip(limits, limits_of(again), limits_of(swapped), strict=True):
        assert same(low, first[0])
        assert same(high, first[1])
        assert same(low, -second[1])
        assert same(high, -second[0])
    assert_nested(limits, NARROW * float(np.ptp(a - b)))  # steps of a p-value are searched
    for level, (low, high) in zip(LEVELS, limits, strict=True):
        if not (math.isnan(low) or math.isnan(one.p) or math.isclose(one.p, 1 - level, rel_tol=1e-9)):
            assert (one.p <= 1 - level) is not (low <= 0 <= high)
    printed = [float(limit) for limit in str(one.interval()).partition("]")[0].strip("[").split(", ")]
    if not (math.isnan(printed[0]) or math.isnan(one.p)):
        assert (one.p <= 0.05) is (printed[0] > 0 or printed[1] < 0), str(one)


@given(values=columns(0, 1), weights=st.booleans(), known=st.booleans(), seed=st.integers(0, 2**20))
@example(values=[0.3, 0.3, 0.3, 0.3], weights=True, known=True, seed=2)
@settings(max_examples=40, deadline=None)
def test_every_interval_of_means_and_ratios_is_nested_mirrored_and_in_any_order(
    values: list[float], weights: bool, known: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    x, n = np.array(values), len(values)
    sizes = random.integers(1, 4, n).astype(float)
    order = random.permutation(n)
    bounds = (0.0, 1.0) if known else (-math.inf, math.inf)
    top = 1.0 if known else 0.0

    def estimate(x: Floats, sizes: Floats) -> Estimate:
        return Estimate(Ratio(x * sizes, sizes) if weights else Mean(x), bounds=bounds, replicates=DRAWS)

    one, again, mirrored = estimate(x, sizes), estimate(x[order], sizes[order]), estimate(top - x, sizes)
    assert one.interval().method == mirrored.interval().method
    for method in (None, *one.methods):
        limits = limits_of(one, method)
        assert_nested(limits, 1e-9)
        for (low, high), other in zip(limits, limits_of(again, method), strict=True):
            assert same(low, other[0])
            assert same(high, other[1])
        if method in RESAMPLED:
            continue
        for (low, high), other in zip(limits, limits_of(mirrored, method), strict=True):
            np.testing.assert_allclose((low, high), (top - other[1], top - other[0]), rtol=1e-9, atol=1e-9)
