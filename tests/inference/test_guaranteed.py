"""Limits that hold for every number of units: by enumeration, by naive products, and by the published rule."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats
from untyped import untyped

from certus import DataError, MetricNameError
from certus.comparison import compare_values
from certus.comparison.gate import gate
from certus.entry import compare
from certus.inference import equivalence, mcnemar, paired
from certus.inference.tests.shares import exact_limits, exact_p
from certus.testing import assert_not_worse


def shares(above: int, below: int, n: int) -> tuple[list[int], list[int]]:
    """Values of two systems, the first right alone on some units, the second on others."""
    both = n - above - below
    return [1] * above + [0] * below + [1] * both, [0] * above + [1] * below + [1] * both


def chance(above: int, below: int, n: int, better: Fraction, worse: Fraction) -> Fraction:
    rest = n - above - below
    ways = math.factorial(n) // (math.factorial(above) * math.factorial(below) * math.factorial(rest))
    return ways * better**above * worse**below * (1 - better - worse) ** rest


@pytest.mark.parametrize(("n", "level"), [(4, 0.95), (9, 0.95), (9, 0.8)])
def test_no_share_is_missed_more_often_than_the_level_says(n: int, level: float) -> None:
    """Every outcome of n units, under laws on a grid, counted in rationals."""
    outcomes = [(above, below) for above in range(n + 1) for below in range(n + 1 - above)]
    low = {each: paired(*shares(*each, n), level=level).interval().low for each in outcomes}
    worst = 0.0
    for i, j in itertools.product(range(17), repeat=2):
        better, worse = Fraction(i, 16), Fraction(j, 16)
        if better + worse > 1:
            continue
        missed = [each for each in outcomes if low[each] > better - worse]
        worst = max(worst, float(sum(chance(*each, n, better, worse) for each in missed)))
    tail = (1 - level) / 2
    assert tail / 5 < worst <= tail * (1 + 1e-4)


@pytest.mark.parametrize("n", [1, 2, 50, 122, 4000])
def test_after_no_difference_the_limits_are_those_of_0_of_n(n: int) -> None:
    low, high = paired([1] * n, [1] * n).interval()
    assert -low == high == pytest.approx(1 - 0.025 ** (1 / n), rel=1e-5)


@pytest.mark.parametrize(("above", "below"), [(9, 2), (1, 8), (0, 6), (7, 0), (3, 3)])
def test_p_is_the_binomial_one_and_the_limits_agree(above: int, below: int) -> None:
    found = paired(*shares(above, below, 40))
    tail = sum(math.comb(above + below, k) for k in range(max(above, below), above + below + 1)) / 2 ** (above + below)
    assert found.p == pytest.approx(1.0 if above == below else 2 * tail)
    assert (found.p <= 0.05) == (not found.interval().low <= 0 <= found.interval().high)
    half = paired(*shares(above, below, 40), "mid-p")
    assert half.p == pytest.approx(mcnemar(below, above, "mid-p").p)
    assert (half.p <= 0.05) == (not half.interval().low <= 0 <= half.interval().high)


def test_limits_of_shares_are_nested_mirrored_and_right_where_tango_takes_over() -> None:
    for above, below, n in ((0, 3, 10), (5, 2, 60), (40, 30, 500), (30, 80, 200)):
        found, swapped = paired(*shares(above, below, n)), paired(*shares(below, above, n))
        before = (found.difference.value,) * 2
        for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
            low, high = found.interval(level)
            assert low <= before[0]
            assert high >= before[1]
            assert (-high, -low) == tuple(swapped.interval(level))
            before = low, high
    exact, beyond = paired(*shares(50, 50, 300)).interval(), paired(*shares(51, 50, 300)).interval()
    assert beyond.low == pytest.approx(exact.low + 1 / 300, abs=0.002)


def owned(values: Any, mean: float, low: float) -> float:
    """Evaluate the bets by their definition."""
    best = math.sqrt(2 * math.log(40) / len(values))
    parts = [1.0, *(min(best / (0.025 * 16 ** (k / 8)), 1.0) for k in range(9))]
    return float(sum(math.prod(1 + part * (x - mean) / (mean - low) for x in values) for part in parts) / 10)


@pytest.mark.parametrize("n", [3, 17, 200])
def test_bets_are_a_sum_of_products_over_the_units(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.random((2, n))
    found = paired(a, b, "betting", bounds=(0, 1))
    for margin in (0.1, 0.4):
        made = equivalence(found, margin)
        assert made.p_lower == pytest.approx(min(1 / owned(a - b, -margin, -1), 1), rel=1e-9)
        assert made.p_upper == pytest.approx(min(1 / owned(b - a, -margin, -1), 1), rel=1e-9)
    low, high = found.interval()
    assert owned(a - b, low, -1) == pytest.approx(40, rel=1e-6)
    assert owned(b - a, -high, -1) == pytest.approx(40, rel=1e-6)


def test_half_widths_are_near_those_published() -> None:
    """Waudby-Smith & Ramdas: .028 at n = 200 and .0077 at 1,000, of values in [-1, 1] with standard deviation .1."""
    rng = np.random.default_rng(0)
    for n, most in ((200, 0.028), (1000, 0.0100)):
        differences = rng.normal(0, 0.1, n).clip(-0.5, 0.5)
        low, high = paired(differences + 0.5, np.full(n, 0.5), "betting", bounds=(0, 1)).interval()
        assert 0.0062 < (high - low) / 2 < most


@pytest.mark.parametrize(("n", "holds"), [(121, False), (122, True)])
def test_a_gate_of_equal_shares_passes_from_122_units_at_a_margin_of_3_percent(n: int, holds: bool) -> None:
    """At the limit: a gate whose level is not halved passes 99 units."""
    found = compare_values(
        {"old": [1, 0] * (n // 2) + [1] * (n % 2), "new": [1, 0] * (n // 2) + [1] * (n % 2)}, margin=0.03
    )
    answer = gate(found)
    assert answer.holds is holds
    assert gate(found, identical_passes=True).holds
    if not holds:
        assert "0 of 121 differ, the loss of new to old in value may be up to 0.03" in answer.reason
        assert answer.reason.endswith("122 equal units would do")


def test_a_gate_of_bounded_values_decides_at_the_limit_of_half_the_level() -> None:
    rng = np.random.default_rng(5)
    old = rng.uniform(0.3, 0.7, 300)
    values = {"old": old, "new": old + rng.uniform(-0.2, 0.2, 300)}
    (row,) = compare_values(values, margin=0.5, value_range=(0, 1)).rows
    assert owned(values["new"] - old, row.low, -1) == pytest.approx(40, rel=1e-6)
    assert gate(compare_values(values, margin=-row.low * (1 + 1e-7), value_range=(0, 1))).holds
    assert not gate(compare_values(values, margin=-row.low * (1 - 1e-7), value_range=(0, 1))).holds


SETTINGS: dict[str, tuple[int, float]] = {
    "2 % of 0/1 lost": (50, 0.018),
    "5 % of 0/1 lost": (30, 0.045),
    "-.5 on 2 %": (50, 0.01),
    "-.5 on 2 %, noise": (50, 0.01),
    "exponential": (10, 1.0),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_system_worse_by_the_margin_hardly_ever_passes(name: str) -> None:
    """The settings in which sign flips let 9 to 58 % pass; 100 experiments, of which 6 are 6 %."""
    n, margin = SETTINGS[name]
    rng = np.random.default_rng(30)
    passed = 0
    for _ in range(100):
        if "0/1" in name:
            old = (rng.random(n) < 0.9).astype(float)
            new = old * (rng.random(n) >= margin / 0.9)
        elif name == "exponential":
            old = np.zeros(n)
            new = -rng.exponential(1, n)
        else:
            old = np.full(n, 0.8)
            new = old - 0.5 * (rng.random(n) < 0.02) + rng.normal(0, 0.01, n) * ("noise" in name)
        passed += gate(compare_values({"old": old, "new": new}, margin=margin)).holds
    assert passed <= 6


def test_what_is_fine_passes() -> None:
    rng = np.random.default_rng(31)
    for n, margin, least in ((200, 0.05, 0.82), (100, 0.1, 0.95)):
        drawn = rng.multinomial(n, [0.02, 0.02, 0.96], 2000)[:, :2]
        kinds, times = np.unique(drawn, axis=0, return_counts=True)
        shown = [
            equivalence(paired(*shares(kind[0], kind[1], n)), margin, level=0.975).non_inferior
            for kind in kinds.tolist()
        ]
        assert times @ np.array(shown) > least * 2000
    old = rng.uniform(0.3, 0.7, 1000)
    assert_not_worse(old + rng.normal(0, 0.1, 1000).clip(-0.3, 0.3), old, margin=0.02, value_range=(0, 1))


def test_the_range_that_is_taken_is_said() -> None:
    values = {"old": [0.2, 0.4, 0.3], "new": [0.3, 0.1, 0.2]}
    by_rule = "within [0, 1], which was taken as all observed lie there; state the range that is possible"
    assert by_rule in compare_values(values, margin=0.1).rows[0].reason
    assert "taken" not in str(compare_values(values, margin=0.1, value_range=(0, 1)))
    rare = {"a": [0.0] * 98 + [-4.0, 2.0], "b": [0.0] * 100}
    guessed = "within [-7, 5], which was guessed from those observed; state the range that is possible"
    assert guessed in compare_values(rare, margin=0.1).rows[0].reason  # half as far again: more than 18 deviations
    (row,) = compare_values({"a": [10.0, 30.0] * 20, "b": [30.0, 10.0] * 20}, margin=0.1).rows
    deviation = 10 * math.sqrt(80 / 79)
    assert f"within [0, {18 * deviation:.6g}], which was guessed from those observed" in row.reason
    for stated in ((0, 0), (1, 0), 3, (0, "1"), (0, 1, 2), (math.nan, 1)):
        with pytest.raises(DataError, match=r"value_range is .*; give the least and the greatest possible value"):
            compare_values(values, margin=0.1, value_range=stated)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"values\['old'\] is 0.4 at index 1, but value lies in \[0, 0.35\]"):
        compare_values(values, margin=0.1, value_range=(0, 0.35))


@pytest.mark.parametrize("groups", [None, [0, 0, 1, 1, 2, 2]])
def test_the_range_of_a_metric_without_bounds_can_be_stated_as_its_note_says(groups: list[int] | None) -> None:
    truth, systems = [0, 0, 1, 1, 0, 0.3], {"a": [0.2, 0.1, 0.9, 0.7, 0.4, 0.5], "b": [0.4] * 6}
    options: dict[str, Any] = {"task": "regression", "margin": 0.5, "groups": groups}
    (row,) = compare(truth, systems, "MAE", **options)
    by_rule = "within [0, 1], which was taken as all observed lie there; state the range that is possible"
    assert row.reason.endswith(by_rule)
    (same,) = compare(truth, systems, "MAE", **options, value_range=(0, 1))
    assert (same.low, same.high, same.non_inferiority, same.reason) == (row.low, row.high, row.non_inferiority, "")
    (wider,) = compare(truth, systems, "MAE", **options, value_range=(0, 2))
    assert wider.low < row.low
    with pytest.raises(DataError, match=r"MAE of (sample|group) \d of [ab] is .*, outside of \[0, 0\.2\]"):
        compare(truth, systems, "MAE", **options, value_range=(0, 0.2))
    with pytest.raises(MetricNameError, match="value_range is for means over units, which RMSE is not"):
        compare(truth, systems, "RMSE", task="regression", value_range=(0, 1))


def test_few_units_show_nothing_against_a_margin_where_no_range_is_known() -> None:
    old = np.tile([20.0, 50.0], 50)
    for n, shown in ((19, False), (20, True)):
        values = {"old": old[:n], "new": old[:n]}
        (row,) = compare_values(values, margin=1e3).rows
        assert math.isfinite(row.low) is math.isfinite(row.high) is shown
        assert gate(compare_values(values, margin=1e3)).holds is shown
        assert gate(compare_values(values, margin=1e3), identical_passes=True).holds
        assert gate(compare_values(values, margin=60, value_range=(0, 100))).holds
        assert equivalence(paired(old[:n], old[:n]), 1e3).equivalent is shown
        assert equivalence(paired(old[:n], old[:n], "betting", bounds=(0, 100)), 60).equivalent
    answer = gate(compare_values({"old": old[:19], "new": old[:19]}, margin=1e3))
    assert "no interval: 19 units are too few: a margin needs at least 20 without a known range" in answer.reason
    with pytest.raises(AssertionError, match=r"19 units are too few.*; state the range that is possible"):
        assert_not_worse(old[:19], old[:19], margin=1e3)
    assert_not_worse(old[:19], old[:19], margin=60, value_range=(0, 100))
    uneven = np.append(np.ones(40), np.full(4, 10.0))
    found = paired(old[:44], old[::-1][:44], "betting", weights=uneven)
    assert found.p == 1
    assert "44 queries of unequal size, which count like 4.4, are too few" in found.interval().reason


@pytest.mark.parametrize(("n", "size"), [(20, 10), (20, 20), (100, 20)])
@pytest.mark.parametrize("law", ["normal", "two values", "heavy tails", "far from 0"])
def test_losses_of_many_deviations_rarely_pass(n: int, size: int, law: str) -> None:
    """By half of the range observed more, .17 to .36 of the systems passed that are worse by the margin."""
    rng = np.random.default_rng([n, size])
    for expected in (1.0, 1.5, 2.0):
        passed = 0
        for _ in range(100):
            old = {
                "normal": rng.normal(0, 3, n),
                "two values": rng.choice([-3.0, 3.0], n),
                "heavy tails": 3 * rng.standard_t(4, n) / math.sqrt(2),
                "far from 0": rng.normal(30, 3, n),
            }[law]
            new = old - 3 * size * (rng.random(n) < expected / n) + rng.normal(0, 0.15, n)
            passed += equivalence(paired(new, old, "betting"), 3 * size * expected / n, level=0.975).non_inferior
        assert passed <= 11  # .06 and two standard errors


@pytest.mark.parametrize("n", [10, 30, 100])
def test_losses_beyond_the_values_observed_rarely_pass(n: int) -> None:
    """By the range observed .24, .17 and .11 of the systems passed that are worse by the margin."""
    rng = np.random.default_rng(n)
    for expected in (1.0, 2.0):
        share = expected / n
        passed = 0
        for _ in range(200):
            old = rng.normal(0, 1, n)
            new = old - 10 * (rng.random(n) < share) + rng.normal(0, 0.05, n)
            passed += equivalence(paired(new, old, "betting"), 10 * share, level=0.975).non_inferior
        assert passed <= 0.09 * 200  # .06 and two standard errors


def test_an_option_that_does_nothing_is_refused() -> None:
    values = {"old": [0.2, 0.4, 0.3], "new": [0.3, 0.1, 0.2]}
    with pytest.raises(MetricNameError, match="assume is for a margin"):
        compare_values(values, assume="symmetric")
    with pytest.raises(MetricNameError, match="assume decides about the test, which is 't'"):
        compare_values(values, margin=0.1, test="t", assume="symmetric")
    with pytest.raises(MetricNameError, match="assume is 'normal'; it must be 'symmetric'"):
        untyped(compare_values)(values, margin=0.1, assume="normal")
    with pytest.raises(MetricNameError, match="identical_passes is for a margin"):
        gate(compare_values(values), identical_passes=True)
    with pytest.raises(MetricNameError, match="max-t flips signs, which against a margin needs symmetric differences"):
        compare_values(values, margin=0.1, simultaneous=True, correction="max-t")


@pytest.mark.parametrize(("n", "losses"), [(102, 0.975), (120, 0.9), (160, 0.75)])
def test_a_loss_on_nearly_all_units_is_missed_no_more_often_than_the_level_says(n: int, losses: float) -> None:
    """All units differ, and the losses are not symmetric: the score test misses up to .043 of them."""
    margin = 2 * losses - 1
    passed = next(
        wins
        for wins in range(n)
        if equivalence(paired(*shares(wins, n - wins, n)), margin, level=0.975).p_lower <= 0.025
    )
    beyond = sum(math.comb(n, wins) * (1 - losses) ** wins * losses ** (n - wins) for wins in range(passed, n + 1))
    assert beyond <= 0.025


@pytest.mark.parametrize("losses", [0.97, 0.99, 0.995])
def test_a_loss_on_nearly_all_of_many_units_is_missed_no_more_often_than_the_level_says(losses: float) -> None:
    """One system is right alone on the other units, or on none: the score test misses up to .032 of them."""
    n = 1001
    ties = [exact_p(0, n - rest, n, -losses) <= 0.025 for rest in range(101)]
    assert sum(stats.binom.pmf(rest, n, 1 - losses) for rest in range(101) if ties[rest]) <= 0.025
    wins = [exact_p(rest, n - rest, n, 1 - 2 * losses) <= 0.025 for rest in range(101)]
    assert sum(stats.binom.pmf(rest, n, 1 - losses) for rest in range(101) if wins[rest]) <= 0.025
    low, high, *_ = exact_limits(5, 1480, 1500, 0.025)
    assert -1 < low < (5 - 1480) / 1500 < high
    # it is the sum of two limits of Clopper and Pearson
    exact = [stats.binomtest(count, 1500).proportion_ci(0.975, "exact").low for count in (5, 20)]
    assert low == pytest.approx(sum(exact) - 1, rel=1e-6)
    assert exact_p(5, 1480, 1500, low) == pytest.approx(0.025, rel=1e-3)


@pytest.mark.parametrize("test", [None, "permutation", "t", "hall", "bootstrap-t", "betting"])
def test_differences_too_small_for_their_squares_are_refused(test: str | None) -> None:
    values = np.array([0, 1, 3, 1, 0, 2, 2, 1, 0, 2]) * 5e-324
    with pytest.raises(DataError, match="below what a float holds in full; scale the values up"):
        paired(values, values[::-1], test)
    assert paired(values * 0, values * 0, test).p == 1
