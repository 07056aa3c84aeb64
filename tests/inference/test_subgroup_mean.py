"""The mean of a metric over subgroups: random ones and fixed ones."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus import MetricNameError
from certus.inference import Estimate
from certus.inference.estimate import MeanOf
from certus.inference.many.subgroups import SubgroupEstimate, _greatest, check_mean, spread_of, subgroup_mean
from certus.statistic import Influence, Mean, Proportion, UStatistic


def shares(*counts: tuple[int, int]) -> dict[str, Estimate]:
    return {str(position): Estimate(Proportion(*each), "Accuracy", (0.0, 1.0)) for position, each in enumerate(counts)}


def means(rng: Any, sizes: list[int]) -> dict[str, Estimate]:
    return {str(position): Estimate(Mean(rng.normal(1.0, 2.0, n), "sample")) for position, n in enumerate(sizes)}


def test_random_subgroups_have_the_t_interval_of_their_values() -> None:
    some = means(np.random.default_rng(3), [5, 9, 30, 4])
    values = np.array([each.value for each in some.values()])
    found = subgroup_mean(some, "random")
    low, high = stats.t.interval(0.95, 3, values.mean(), values.std(ddof=1) / 2)
    assert (found.n, found.left_out, found.estimate.unit) == (4, "", "subgroup")
    assert math.isclose(found.estimate.value, values.mean(), rel_tol=1e-15)
    assert tuple(found.estimate.interval(method="t")) == pytest.approx((low, high), rel=1e-12)


def test_weights_make_a_ratio_of_sums_over_subgroups() -> None:
    some, sizes = shares((4, 5), (12, 20), (7, 10)), np.array([5.0, 20.0, 10.0])
    found = subgroup_mean(some, "random-weighted", sizes).estimate
    assert found.value == 23 / 35
    values = np.array([each.value for each in some.values()])
    equal = subgroup_mean(some, "random-weighted", np.full(3, 7.0)).estimate
    # The delta method for units of one size is Student's t.
    assert tuple(equal.interval(method="delta")) == pytest.approx(
        stats.t.interval(0.95, 2, values.mean(), stats.sem(values)), rel=1e-12
    )


def test_the_variances_of_fixed_subgroups_are_added_up() -> None:
    sizes = [5, 9, 30]
    some = means(np.random.default_rng(4), sizes)
    rng = np.random.default_rng(4)
    data = [rng.normal(1.0, 2.0, n) for n in sizes]
    for mean, weights in (("fixed", [1, 1, 1]), ("fixed-weighted", [5, 9, 30])):
        asked: Any = mean
        parts = [(w / sum(weights)) ** 2 * x.var(ddof=1) / len(x) for w, x in zip(weights, data, strict=True)]
        freedom = sum(parts) ** 2 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, data, strict=True))
        value = np.average([x.mean() for x in data], weights=weights)
        reach = stats.t.ppf(0.975, freedom) * math.sqrt(sum(parts))
        found = subgroup_mean(some, asked, np.array(weights, dtype=float) if mean != "fixed" else None).estimate
        assert math.isclose(found.value, value, rel_tol=1e-15)
        assert math.isclose(found.standard_error, math.sqrt(sum(parts)), rel_tol=1e-12)
        assert tuple(found.interval()) == pytest.approx((value - reach, value + reach), rel=1e-10)


def test_counts_have_unbiased_variances_and_strata_the_smaller_size() -> None:
    spread = spread_of(shares((4, 5))["0"])
    assert math.isclose(spread.variance, 0.8 * 0.2 / 4, rel_tol=1e-15)
    assert spread[1:] == (4.0, 5)
    assert spread_of(Estimate(UStatistic(0.75, (4, 6), (0.05, 0.02)))).fewest == 4
    assert math.isnan(spread_of(shares((1, 1))["0"]).variance)


def test_undefined_subgroups_make_the_mean_undefined_or_are_left_out_in_words() -> None:
    some = {**shares((4, 5), (3, 5)), "x": Estimate(Proportion(0, 0), bounds=(0.0, 1.0))}
    every: tuple[MeanOf, ...] = ("random", "random-weighted", "fixed", "fixed-weighted")
    for mean in every:
        sizes = np.array([5.0, 5.0, 1.0]) if mean.endswith("weighted") else None
        whole = subgroup_mean(some, mean, sizes)
        assert math.isnan(whole.estimate.value)
        assert whole.estimate.reason == "1 of 3 subgroups has no value"
        assert whole.left_out == ""
        part = subgroup_mean(some, mean, sizes, skip=True)
        assert (part.estimate.value, part.n) == (0.7, 2)
        assert part.left_out == "left out: 1 of 3 subgroups has no value"
    none = subgroup_mean({"x": some["x"]}, "fixed", skip=True)
    assert (none.estimate.reason, none.n) == ("no subgroup has a value", 0)
    assert math.isnan(none.estimate.interval().low)


def test_one_subgroup_and_ones_without_spread_say_why_there_is_no_interval() -> None:
    one = subgroup_mean(shares((4, 5)), "random").estimate
    assert (one.value, one.interval().reason) == (0.8, "1 subgroup alone has no variance")
    few = subgroup_mean(shares((4, 5), (1, 1)), "fixed").estimate
    assert few.value == 0.9
    assert "1 of 2 subgroups has too few samples for a standard error" in few.interval().reason


def test_fixed_subgroups_without_an_error_keep_an_interval_of_positive_width() -> None:
    perfect = subgroup_mean(shares((5, 5), (20, 20)), "fixed").estimate
    found = perfect.interval()
    assert (perfect.value, found.high) == (1.0, 1.0)
    assert 0.7 < found.low < 0.95
    assert found.reason == "no subgroup has a variance; the limits allow for unseen samples at the bounds of the metric"
    one = subgroup_mean(shares((5, 5), (190, 200)), "fixed").estimate.interval()
    # The five samples without an error leave more open than the other 200.
    assert one.low < 0.9


def test_what_rounding_leaves_of_a_spread_is_none() -> None:
    some = {
        str(position): Estimate(Mean([0.1, 0.1 + 2**-55, 0.1], "sample"), bounds=(0.0, 1.0)) for position in range(3)
    }
    found = subgroup_mean(some, "fixed").estimate.interval()
    assert found.low < 0.08 < 0.2 < found.high
    assert "no subgroup has a variance" in found.reason


def test_variances_that_overflow_or_lose_digits_leave_the_value_alone() -> None:
    for scale in (1e300, 1e160, 1e-160):
        losses = np.random.default_rng(1).random((3, 9)) * scale
        some = {
            str(position): Estimate(Mean(each, "sample"), bounds=(0.0, math.inf))
            for position, each in enumerate(losses)
        }
        found = subgroup_mean(some, "fixed").estimate
        assert math.isclose(found.value, losses.mean(), rel_tol=1e-15)
        assert found.interval().reason == "the values are too large or too small to compute their spread"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 1), st.integers(1, 50)), min_size=1, max_size=3), st.floats(0.1, 10))
def test_unseen_units_are_shared_out_so_that_they_move_the_mean_most(
    groups: list[tuple[float, int]], units: float
) -> None:
    moves, fewest = (np.array(each, dtype=float) for each in zip(*groups, strict=True))
    found = _greatest(moves, fewest, units)
    steps = 40
    best = 0.0
    for first in range(steps + 1):
        for second in range(steps + 1 - first):
            parts = np.array([first, second, steps - first - second])[: len(groups)] * units / steps
            if len(groups) < 3:
                parts[-1] = units - parts[:-1].sum()
            best = max(best, float((moves * parts / (fewest + parts)).sum()))
    assert best <= found * (1 + 1e-12)
    assert found <= best * 1.02


def test_a_subgroup_that_was_let_go_keeps_its_spread() -> None:
    whole = shares((4, 5))["0"]
    kept = SubgroupEstimate.from_estimate(whole, 3, level=0.95, seed=0, dependent="")
    assert spread_of(kept) == spread_of(whole)
    assert isinstance(kept.statistic, Influence)


def test_a_mean_that_there_is_not_is_refused_by_name() -> None:
    check_mean("fixed")
    with pytest.raises(
        MetricNameError, match="subgroup_mean is 'macro'; it must be one of 'random', 'random-weighted'"
    ):
        check_mean("macro")


@pytest.mark.parametrize(("size", "least"), [((5, 5), 0.925), ((5, 100), 0.925), ((20, 20), 0.925)])
def test_fixed_subgroups_cover_however_few_errors_they_have(size: tuple[int, int], least: float) -> None:
    rng = np.random.default_rng(9)
    sizes = np.resize(size, 6)
    truth = rng.uniform(0.85, 0.98, 6)
    covered = 0
    for _ in range(300):
        counts = zip(rng.binomial(sizes, truth).tolist(), sizes.tolist(), strict=True)
        found = subgroup_mean(shares(*counts), "fixed").estimate.interval()
        covered += found.low <= truth.mean() <= found.high
    assert covered / 300 > least
