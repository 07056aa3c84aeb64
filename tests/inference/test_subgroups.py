"""The largest gap between subgroups, and the worst subgroup."""

import math

import numpy as np
import pytest
from crossed import crossed
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from certus.classification import roc_auc
from certus.inference import Estimate
from certus.inference.many.subgroups import greatest, largest_gap, straddling, worst_subgroup
from certus.inference.special import studentized_range_quantile
from certus.statistic import Mean, Proportion

UNIT = (0.0, 1.0)


def shares(**counts: tuple[int, int]) -> dict[str, Estimate]:
    return {name: Estimate(Proportion(*count), bounds=UNIT) for name, count in counts.items()}


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("size", [2, 3, 10, 100])
def test_quantiles_of_the_range_are_those_of_scipy(size: int, level: float) -> None:
    expected = stats.studentized_range.ppf(level, size, np.inf)
    assert studentized_range_quantile(level, size) == pytest.approx(expected, rel=1e-6)


def test_of_two_subgroups_it_is_the_interval_of_their_difference_folded_at_0() -> None:
    found = largest_gap(shares(a=(45, 50), b=(30, 40)))
    # Newcombe's hybrid interval, of both Clopper-Pearson intervals at .95
    (a, la, ua), (b, lb, ub) = (
        (p.value, *p.interval(method="clopper-pearson")[:2]) for p in shares(a=(45, 50), b=(30, 40)).values()
    )
    low, high = a - b - math.hypot(a - la, ub - b), a - b + math.hypot(ua - a, b - lb)
    assert (found.value, found.low, found.high) == pytest.approx((a - b, max(0, low), max(high, -low)), abs=1e-9)
    assert (found.subgroup, found.versus) == ("a", "b")


def test_of_means_it_is_tukeys_interval_with_students_quantiles() -> None:
    rng = np.random.default_rng(2)
    data = [rng.normal(m, 1, size=400) for m in (0, 0, 3)]
    found = largest_gap({str(i): Estimate(Mean(x), method="t") for i, x in enumerate(data)})
    level = 2 * stats.norm.cdf(stats.studentized_range.ppf(0.95, 3, np.inf) / math.sqrt(2)) - 1
    quantile = stats.t.ppf((1 + level) / 2, 399)
    errors = [x.std(ddof=1) / 20 for x in data]
    lows, highs = [], []
    for i in range(3):
        for j in range(3):
            gap, away = data[i].mean() - data[j].mean(), quantile * math.hypot(errors[i], errors[j])
            lows.append(gap - away)
            highs.append(gap + away)
    assert (found.low, found.high) == pytest.approx((max(lows), max(highs)), rel=1e-6)


@given(
    st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 10)] * 3), min_size=1, max_size=12),
    st.sampled_from([-1.0, 1.0]),
)
def test_the_greatest_of_all_pairs_is_found_among_subgroups_that_no_other_beats(
    found: list[tuple[float, float, float]], side: float
) -> None:
    values, reach, others = np.array(found).T
    pairs = [v - w + side * np.hypot(a, b) for v, a, _ in found for w, _, b in found]
    assert greatest(values, reach, others, side) == max(pairs)


def test_the_worst_subgroup_has_exact_limits_of_all_at_once() -> None:
    found = worst_subgroup(shares(a=(45, 50), b=(30, 40), c=(6, 6)), "higher")
    each = [stats.binomtest(k, n).proportion_ci(1 - 0.05 / 3) for k, n in ((45, 50), (30, 40), (6, 6))]
    assert (found.subgroup, found.value) == ("b", 0.75)
    assert found[1:3] == pytest.approx((min(e.low for e in each), min(e.high for e in each)), abs=1e-9)
    assert worst_subgroup(shares(a=(45, 50), b=(30, 40)), "lower").subgroup == "a"


def test_dependent_subgroups_have_what_the_limits_of_all_leave_open() -> None:
    found = largest_gap(shares(a=(45, 50), b=(30, 40), c=(6, 6)), dependent="they share patients")
    each = [stats.binomtest(k, n).proportion_ci(1 - 0.05 / 3) for k, n in ((45, 50), (30, 40), (6, 6))]
    low = max(e.low for e in each) - min(e.high for e in each)
    high = max(e.high for e in each) - min(e.low for e in each)
    assert found[1:3] == pytest.approx((max(0, low), high), abs=1e-9)
    assert (found.method, found.reason) == ("simultaneous", "they share patients")


def test_no_gap_is_found_between_small_subgroups_of_which_one_has_only_errors() -> None:
    # Of 30 shares of 6 that are all .5 one is 0 and another is 1 in 14 of 100 samples.
    counts = {f"g{i}": (min(i, 6), 6) for i in range(30)}
    assert largest_gap(shares(**counts)).low == 0
    assert largest_gap(shares(**counts), method="wilson").low > 0


@pytest.mark.parametrize(("number", "trials"), [(3, 6), (5, 10), (30, 6)])
def test_limits_hold_where_small_subgroups_are_equal(number: int, trials: int) -> None:
    random = np.random.default_rng(5)
    samples = random.binomial(trials, 0.5, (200, number)).tolist()
    gaps = [largest_gap(shares(**{f"g{i}": (k, trials) for i, k in enumerate(counts)})) for counts in samples]
    assert np.mean([gap.low == 0 for gap in gaps]) >= 0.945


def test_subgroups_without_an_interval_are_left_out_by_name() -> None:
    some = {"a": Estimate(Mean([1.0, 2.0, 4.0])), "b": Estimate(Mean([2.0, 3.0, 3.0])), "one": Estimate(Mean([9.0]))}
    for found in (largest_gap(some), worst_subgroup(some, "higher")):
        assert found.reason == "left out, without an interval: one"
        assert "one" not in (found.subgroup, found.versus)
    alone = largest_gap({"a": some["a"], "one": some["one"]})
    assert (alone.value, alone.reason) == (9 - 7 / 3, "fewer than two subgroups have an interval")
    assert math.isnan(alone.low)
    none = largest_gap({"a": some["a"], "x": Estimate(Mean([]))})
    assert (none.subgroup, none.reason) == (None, "fewer than two subgroups have a value")
    assert worst_subgroup({"x": Estimate(Mean([]))}, "lower").reason == "no subgroup has a value"


def test_units_in_several_subgroups_are_counted() -> None:
    by = np.array([0, 0, 1, 1, 2])
    assert straddling(by, np.array([0, 1, 2, 3, 4])) == ""
    assert "share 2 groups" in straddling(by, np.array([0, 1, 0, 2, 1]))


@pytest.mark.parametrize(("share", "gap", "size"), crossed((0.75, 0.97), (0.0, 0.2), (2, 6, 20), of=2))
def test_limits_cover_the_gap_and_the_worst_share(size: int, gap: float, share: float) -> None:
    rng = np.random.default_rng([size, round(10 * gap), round(100 * share)])
    sizes = np.round(np.geomspace(25, 400, size)).astype(int)
    true = np.linspace(share - gap, share, size)
    covered = np.zeros(2)
    times = 300
    for _ in range(times):
        counts = rng.binomial(sizes, true)
        some = shares(**{f"g{i}": (int(k), int(n)) for i, (k, n) in enumerate(zip(counts, sizes, strict=True))})
        found, worst = largest_gap(some), worst_subgroup(some, "higher")
        covered += [found.low <= gap + 1e-12 and gap - 1e-12 <= found.high, worst.low <= true.min() <= worst.high]
    assert (covered >= 0.92 * times).all(), covered / times


def test_limits_cover_the_gap_of_areas_under_the_curve() -> None:
    rng = np.random.default_rng(8)
    covered, times = 0, 100
    for _ in range(times):
        some = {}
        for size in (30, 60, 150):
            truth = np.arange(size) % 3 == 0
            some[str(size)] = roc_auc(truth, truth * 1.5 + rng.normal(size=size))
        covered += largest_gap(some).low == 0
    assert covered >= 0.92 * times
