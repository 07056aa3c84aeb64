"""Functions of cells of two systems on the same units."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import CertusError, DataError, MetricNameError
from certus.inference import mcnemar
from certus.inference.tests.difference import difference
from certus.inference.tests.joint_table import joint_cells
from certus.statistic import Contributions, TableFunction

Floats = np.ndarray
SIDES = ("two-sided", "greater", "less")


def quiet(function: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """0/0 is NaN, without a warning."""

    def value(t: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return function(t)

    return value


@quiet
def right(t: Floats) -> Floats:
    return np.asarray(np.trace(t, axis1=-2, axis2=-1) / t.sum((-2, -1)))


@quiet
def f1(t: Floats) -> Floats:
    return np.asarray(2 * t[..., 1, 1] / (2 * t[..., 1, 1] + t[..., 0, 1] + t[..., 1, 0]))


def by_f1(t: Floats) -> Floats:
    tp, errors = t[1, 1], t[0, 1] + t[1, 0]
    below = (2 * tp + errors) ** 2
    return np.array([[0.0, -2 * tp / below], [-2 * tp / below, 2 * errors / below]])


@quiet
def recall(t: Floats) -> Floats:
    return np.asarray(t[..., 1, 1] / (t[..., 1, 0] + t[..., 1, 1]))


@quiet
def kappa(t: Floats) -> Floats:
    shares = t / t.sum((-2, -1), keepdims=True)
    agreed = (shares.sum(-1) * shares.sum(-2)).sum(-1)
    return np.asarray((np.trace(shares, axis1=-2, axis2=-1) - agreed) / (1 - agreed))


def cells(
    true: Any,
    predicted: Any,
    function: Callable[[Floats], Floats],
    *,
    classes: int = 2,
    weights: Any = None,
    groups: Any = None,
    gradient: Any = None,
) -> TableFunction:
    places = np.asarray(true) * classes + np.asarray(predicted)
    units = np.arange(len(places)) if groups is None else np.asarray(groups)
    counts = np.bincount(places, weights, classes**2).reshape(classes, classes) * 1.0
    parts = Contributions(places, units, None if weights is None else np.asarray(weights, dtype=float))
    return TableFunction(
        np.array(counts), function, gradient=gradient, contributions=lambda: parts, n=int(units.max()) + 1
    )


def oracle(
    true: Any, a: Any, b: Any, function: Any, side: str, classes: int = 2, weights: Any = None, groups: Any = None
) -> float:
    """Every choice of units whose predictions trade places."""
    true, a, b = map(np.asarray, (true, a, b))
    units = np.arange(len(true)) if groups is None else np.asarray(groups)

    def value(predicted: Floats) -> float:
        table = np.bincount(true * classes + predicted, weights, classes**2).reshape(classes, classes)
        with np.errstate(all="ignore"):
            return float(function(table))

    seen, reached, n = value(a) - value(b), 0, int(units.max()) + 1
    for choice in itertools.product((False, True), repeat=n):
        mask = np.array(choice)[units]
        v = value(np.where(mask, b, a)) - value(np.where(mask, a, b))
        out = {"two-sided": abs(v) >= abs(seen) - 1e-9, "greater": v >= seen - 1e-9, "less": v <= seen + 1e-9}[side]
        reached += out or math.isnan(v)
    return float(reached / 2**n)


BINARY = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=4, max_size=10)
THREE = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=4, max_size=9)


@settings(max_examples=80)
@given(function=st.sampled_from([right, f1, recall, kappa]), side=st.sampled_from(SIDES), samples=BINARY)
def test_the_permutation_counts_every_choice_of_samples(function: Any, side: str, samples: Any) -> None:
    true, a, b = zip(*samples, strict=True)
    first, second = cells(true, a, function), cells(true, b, function)
    found = difference(first, second, test="permutation", alternative=side)  # type: ignore[arg-type]
    if math.isnan(first.value) or math.isnan(second.value):
        assert found.reason
        return
    assert found.p == pytest.approx(oracle(true, a, b, function, side), abs=1e-12)


@settings(max_examples=40)
@given(side=st.sampled_from(SIDES), samples=THREE)
def test_the_permutation_of_several_classes_counts_every_choice(side: str, samples: Any) -> None:
    true, a, b = zip(*samples, strict=True)
    first, second = (cells(true, each, kappa, classes=3) for each in (a, b))
    if math.isnan(first.value) or math.isnan(second.value):
        return
    found = difference(first, second, test="permutation", alternative=side)  # type: ignore[arg-type]
    assert found.p == pytest.approx(oracle(true, a, b, kappa, side, 3), abs=1e-12)


def test_groups_and_weighted_samples_trade_places_as_a_whole() -> None:
    rng = np.random.default_rng(1)
    true, a, b = rng.integers(0, 2, (3, 24))
    groups, weights = np.repeat(np.arange(8), 3), rng.uniform(0.5, 2, 24)
    for given_groups, given_weights, some in (
        (groups, None, slice(None)),
        (groups, weights, slice(None)),
        (None, weights[:11], slice(11)),
    ):
        how = {"weights": given_weights, "groups": given_groups}
        first, second = (cells(true[some], each[some], f1, **how) for each in (a, b))  # type: ignore[arg-type]
        found = difference(first, second, test="permutation")
        wanted = oracle(true[some], a[some], b[some], f1, "two-sided", 2, given_weights, given_groups)
        assert found.p == pytest.approx(wanted, abs=1e-12)
        assert found.method_note == "enumeration"


def test_many_choices_are_sampled_with_an_interval_that_holds_the_exact_value() -> None:
    rng = np.random.default_rng(2)
    true = rng.integers(0, 2, 300)
    a, b = (np.where(rng.random(300) < p, true, 1 - true) for p in (0.75, 0.7))
    by_swaps: dict[str, Any] = {"test": "permutation"}
    exact = difference(cells(true, a, f1), cells(true, b, f1), test="permutation")
    assert exact.method_note == "enumeration"
    # As groups of one sample the same choices are drawn, not listed.
    drawn = difference(
        *(cells(true, each, f1, weights=np.full(300, 2.0)) for each in (a, b)), replicates=5000, seed=4, **by_swaps
    )
    low, high = map(float, drawn.method_note.partition("interval ")[2].split(" to "))
    assert low <= exact.p <= high
    assert drawn.error > 0
    assert (
        drawn.p
        == difference(
            *(cells(true, each, f1, weights=np.full(300, 2.0)) for each in (a, b)), replicates=5000, seed=4, **by_swaps
        ).p
    )


@pytest.mark.parametrize("method", ["exact", "mid-p"])
def test_accuracy_and_recall_are_mcnemars(method: str) -> None:
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 80)
    a, b = (np.where(rng.random(80) < p, true, 1 - true) for p in (0.9, 0.7))
    for function, some in ((right, np.ones(80, bool)), (recall, true == 1)):
        n10, n01 = ((a == true) & (b != true) & some).sum(), ((a != true) & (b == true) & some).sum()
        found = difference(cells(true, a, function), cells(true, b, function), test=method)
        assert found.p == pytest.approx(mcnemar(n01, n10, method).p, rel=1e-12)  # type: ignore[arg-type]
        assert (found.wins, found.losses) == (n10, n01)
        if method == "exact":
            permuted = difference(cells(true, a, function), cells(true, b, function), test="permutation")
            assert permuted.p == pytest.approx(found.p, rel=1e-12)
    with pytest.raises(MetricNameError, match="'mid-p' is for a difference of shares"):
        difference(cells(true, a, f1), cells(true, b, f1), test="mid-p")


@pytest.mark.parametrize("function", [right, f1, kappa])
def test_the_delta_method_is_that_of_the_joint_multinomial(function: Any) -> None:
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, 400)
    a, b = (np.where(rng.random(400) < p, true, 1 - true) for p in (0.8, 0.7))
    found = difference(cells(true, a, function), cells(true, b, function), test="t")
    counts = np.zeros((2, 2, 2))
    np.add.at(counts, (true, a, b), 1)

    def value(joint: Floats) -> float:
        return float(function(joint.sum(2)) - function(joint.sum(1)))

    slopes = np.zeros(8)
    for cell in range(8):
        step = np.zeros(8)
        step[cell] = 1e-4
        up, down = (value(counts + sign * step.reshape(2, 2, 2)) for sign in (1, -1))
        slopes[cell] = (up - down) / 2e-4
    flat = counts.ravel()
    variance = float((flat * slopes**2).sum() - (flat * slopes).sum() ** 2 / 400)
    assert found.difference.standard_error == pytest.approx(math.sqrt(variance), rel=1e-7)
    assert found.statistic == pytest.approx(value(counts) / math.sqrt(variance * 400 / 399), rel=1e-7)
    low, high, *_ = found.difference.interval(method="percentile")
    assert (high - low) / (2 * 1.96) == pytest.approx(math.sqrt(variance), rel=0.05)


def test_a_given_gradient_is_that_of_the_difference() -> None:
    rng = np.random.default_rng(5)
    true, a, b = rng.integers(0, 2, (3, 200))
    with_formula = difference(cells(true, a, f1, gradient=by_f1), cells(true, b, f1, gradient=by_f1))
    without = difference(cells(true, a, f1), cells(true, b, f1))
    assert with_formula.difference.standard_error == pytest.approx(without.difference.standard_error, rel=1e-8)


def test_large_tables_are_listed_by_the_pairs_that_occur() -> None:
    rng = np.random.default_rng(6)
    true, a, b = rng.integers(0, 20, (3, 300))
    first, second = (cells(true, each, right, classes=20) for each in (a, b))
    joint = joint_cells(first, second).statistic("sample")
    assert joint.counts.ndim == 1
    found = difference(first, second, test="t")
    apart = (a == true).astype(float) - (b == true)
    assert found.difference.standard_error == pytest.approx(apart.std() / math.sqrt(300), rel=1e-6)
    assert difference(first, second, test="mcnemar").p == pytest.approx(
        mcnemar(int((apart < 0).sum()), int((apart > 0).sum())).p
    )


def test_the_error_with_groups_is_that_of_their_sums() -> None:
    rng = np.random.default_rng(7)
    true, a, b = rng.integers(0, 2, (3, 90))
    groups = np.repeat(np.arange(30), 3)
    found = difference(cells(true, a, right, groups=groups), cells(true, b, right, groups=groups), test="t")
    sums = ((a == true).astype(float) - (b == true)).reshape(30, 3).sum(1)
    assert found.difference.standard_error == pytest.approx(sums.std(ddof=1) * math.sqrt(30) / 90, rel=1e-6)
    assert found.method_note == "29 degrees of freedom"


@pytest.mark.parametrize("method", [None, "t", "permutation", "mcnemar", "mid-p"])
@pytest.mark.parametrize("side", SIDES)
def test_equal_predictions_differ_by_exactly_0_with_p_1(method: str | None, side: str) -> None:
    rng = np.random.default_rng(8)
    true, a = rng.integers(0, 2, (2, 30))
    weights, groups = rng.random(30), np.repeat(np.arange(10), 3)
    for function in (right, f1, kappa):
        for how in ({}, {"weights": weights}, {"groups": groups}, {"weights": weights, "groups": groups}):
            if (how or function is not right) and method in ("mcnemar", "mid-p"):
                continue
            one = cells(true, a, function, **how)
            found = difference(one, one, test=method, alternative=side)  # type: ignore[arg-type]
            assert (found.difference.value, found.p) == (0.0, 1.0)


def test_choices_without_a_value_count_as_far_out() -> None:
    # Where no sample is predicted positive precision is 0/0.
    @quiet
    def precision(t: Floats) -> Floats:
        return np.asarray(t[..., 1, 1] / (t[..., 0, 1] + t[..., 1, 1]))

    true, a, b = [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]
    found = difference(cells(true, a, precision), cells(true, b, precision), test="permutation")
    assert found.p == oracle(true, a, b, precision, "two-sided") == 1.0
    assert "have no value and count as far out" in found.method_note


def test_units_that_differ_are_refused() -> None:
    one = cells([0, 1, 1], [0, 1, 1], right)
    with pytest.raises(DataError, match="the units of a and b differ"):
        difference(one, cells([0, 1], [0, 1], right))
    with pytest.raises(DataError, match="the weights of a and b differ"):
        difference(one, cells([0, 1, 1], [0, 1, 1], right, weights=[1, 1, 2]))
    with pytest.raises(CertusError, match="different cells; give both the same classes"):
        difference(cells([0, 1, 1], [0, 0, 1], f1), cells([0, 1, 1], [0, 1, 2], f1, classes=3), test="permutation")


def test_a_class_without_samples_leaves_the_interval_defined() -> None:
    # No sample is truly of class 1: its part of the joint table is empty.
    found = difference(cells([0] * 12, [0] * 9 + [1] * 3, right), cells([0] * 12, [0] * 12, right))
    interval = found.difference.interval(method="adjusted-delta")
    assert interval.low < -0.25 < interval.high < 0.1


@settings(max_examples=40)
@given(
    function=st.sampled_from([right, f1, recall, kappa]),
    side=st.sampled_from(SIDES),
    samples=st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=4, max_size=60),
    how=st.sampled_from(["plain", "weights", "groups"]),
    order=st.randoms(),
)
def test_zero_is_outside_the_limits_if_and_only_if_p_says_so(
    function: Any, side: Any, samples: Any, how: str, order: Any
) -> None:
    every: dict[str, Any] = {"weights": [0.5, 2, 1.5] * 20, "groups": list(range(7)) * 9}
    extra = {name: values[: len(samples)] for name, values in every.items() if name == how}
    true, a, b = zip(*samples, strict=True)
    first, second = cells(true, a, function, **extra), cells(true, b, function, **extra)
    if math.isnan(first.value) or math.isnan(second.value):
        return
    other = {"greater": "less", "less": "greater"}.get(side, side)
    tests = ["t", "permutation", None]
    if how == "plain" and joint_cells(first, second).discordant_counts() is not None:
        tests += ["mcnemar", "mid-p", "mcnemar-score"]
    for test in tests:
        found = difference(first, second, test=test, alternative=side, replicates=199)
        low, high, *_ = found.difference.interval()
        if not (math.isnan(low) or math.isnan(found.p)):
            assert (low > 0 or high < 0) == (found.p <= 0.05 * (1 + 1e-12)), test
        back = difference(second, first, test=test, alternative=other, replicates=199).difference.interval()
        assert np.array_equal([low, high], [-back.high, -back.low], equal_nan=True), test
        if how == "plain":
            shuffled = list(samples)
            order.shuffle(shuffled)
            columns = zip(*shuffled, strict=True)
            true, a, b = columns
            again = difference(
                *(cells(true, each, function) for each in (a, b)), test=test, alternative=side, replicates=199
            )
            assert np.array_equal([low, high], again.difference.interval()[:2], equal_nan=True)
