"""Bands: what they are made of, what they hold, and how often, in a small version of bench/coverage/bands.py."""

import math
from typing import Any

import numpy as np
import pytest
from crossed import examples
from curve_oracle import BOTH, PROBABILITY, TRUE_CLASS, Samples, binormal, columns
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts import load_script

from certus import CertusError, DataError, MetricNameError
from certus.classification import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
from certus.curves import Band
from certus.curves._counts import (
    dependence_limits,
    distribution_limits,
    proportion_limits,
    shared,
)
from certus.curves._curve import Boundary, Rectangles, union
from certus.data import Scores
from certus.inference import proportion_interval

CURVES: list[Any] = [det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve]
KINDS = [(False, None), (False, "clopper-pearson"), (True, "dkw-tails"), (True, "dkw")]


STUDY = load_script("bench/coverage/bands.py")


def test_roc_limits_at_a_threshold_are_wilson_at_the_root_of_the_level() -> None:
    band = roc_curve(TRUE_CLASS, PROBABILITY).band(0.9)
    at = band.thresholds.tolist().index(0.82)
    each = math.sqrt(0.9)
    assert (band.x_low[at], band.x_high[at]) == pytest.approx(proportion_interval(1, 4, each, "wilson")[:2])
    assert (band.y_low[at], band.y_high[at]) == pytest.approx(proportion_interval(4, 6, each, "wilson")[:2])
    assert band.covers == (
        "at any one threshold fixed beforehand the true (FPR, TPR) lies within its limits with probability about 0.9; "
        "so at any one FPR fixed beforehand the true TPR lies in the region with no less"
    )


def test_precision_and_recall_share_the_error() -> None:
    band = precision_recall_curve(TRUE_CLASS, PROBABILITY).band(0.9, method="Clopper_Pearson")
    at = band.thresholds.tolist().index(0.82)
    assert (band.x_low[at], band.x_high[at]) == pytest.approx(proportion_interval(4, 6, 0.95, "clopper-pearson")[:2])
    assert (band.y_low[at], band.y_high[at]) == pytest.approx(proportion_interval(4, 5, 0.95, "clopper-pearson")[:2])


def test_simultaneous_limits_are_those_of_two_distributions() -> None:
    band = roc_curve(TRUE_CLASS, PROBABILITY).band(0.9, simultaneous=True, method="dkw")
    width = math.sqrt(math.log(2 / (1 - math.sqrt(0.9))) / (2 * 6))
    assert band.y_high[0] == pytest.approx(width)
    assert band.y_low[-1] == pytest.approx(1 - width)
    assert band.simultaneous
    assert band.covers.startswith("with probability of at least 0.9 the true (FPR, TPR) of every threshold at once")


def test_simultaneous_precision_is_bayes_rule_on_the_limits_of_the_rates() -> None:
    truth, scores = binormal(1, 400)
    data = Scores.from_arrays(truth, scores)
    band = precision_recall_curve(data).band(simultaneous=True)
    each = 0.95 ** (1 / 3)
    positives = int(truth.sum())
    rare, common, *_ = proportion_interval(positives, 400, each, "clopper-pearson")
    roc = roc_curve(data)
    tpr = distribution_limits(roc.true_positives, positives, each, "dkw-tails")
    fpr = distribution_limits(roc.false_positives, 400 - positives, each, "dkw-tails")
    np.testing.assert_array_equal(band.x_low, tpr[0])
    at = 150
    assert band.y_low[at] == pytest.approx(rare * tpr[0][at] / (rare * tpr[0][at] + (1 - rare) * fpr[1][at]))
    assert band.y_high[at] == pytest.approx(common * tpr[1][at] / (common * tpr[1][at] + (1 - common) * fpr[0][at]))


def at(line: Boundary, x: float, side: Any) -> float:
    """The line at x; at a step, the end that makes the region larger."""
    return float(side([np.interp(x - 1e-9, *line), np.interp(x + 1e-9, *line)]))


@pytest.mark.parametrize(("simultaneous", "method"), KINDS)
@pytest.mark.parametrize("curve", CURVES)
@settings(max_examples=examples(12, 25))
@given(samples=BOTH, level=st.sampled_from([0.5, 0.95]))
def test_the_region_holds_the_curve_and_rises_in_x(
    curve: Any, simultaneous: bool, method: str | None, samples: Samples, level: float
) -> None:
    made = curve(*columns(samples))
    band: Band = made.band(level, simultaneous, method)
    for line in (band.lower, band.upper):
        assert (np.diff(line.x) >= 0).all()
        assert np.isfinite(line.y).all()
        assert len(line.x) == len(line.y)
    assert (band.x_low <= band.x_high).all()
    assert (band.y_low <= band.y_high).all()
    first, second, thresholds = made
    x, y = (second, first) if curve is precision_recall_curve else (first, second)
    for each, px, py in zip(thresholds.tolist(), x.tolist(), y.tolist(), strict=False):
        if math.isinf(each):
            continue
        position = band.thresholds[1:].tolist().index(each) + 1
        assert band.x_low[position] - 1e-12 <= px <= band.x_high[position] + 1e-12
        assert band.y_low[position] - 1e-12 <= py <= band.y_high[position] + 1e-12
        assert at(band.lower, px, min) - 1e-6 <= py <= at(band.upper, px, max) + 1e-6


@pytest.mark.parametrize(("simultaneous", "method"), KINDS)
@pytest.mark.parametrize("curve", [det_curve, gain_curve, roc_curve])
@settings(max_examples=25)
@given(samples=BOTH)
def test_the_region_holds_every_rectangle(curve: Any, simultaneous: bool, method: str | None, samples: Samples) -> None:
    band = curve(*columns(samples)).band(0.95, simultaneous, method)
    for left, right, low, high in zip(band.x_low, band.x_high, band.y_low, band.y_high, strict=True):
        for x in np.linspace(left, right, 7)[1:-1]:
            assert at(band.lower, x, min) - 1e-6 <= low
            assert high <= at(band.upper, x, max) + 1e-6


RECTANGLE = st.tuples(st.integers(0, 9), st.integers(0, 4), st.integers(0, 9), st.integers(0, 4))


@given(st.lists(RECTANGLE, min_size=1, max_size=8), st.integers(0, 130))
def test_a_union_is_the_least_and_the_most_of_the_rectangles_at_each_x(
    drawn: list[tuple[int, int, int, int]], tenth: int
) -> None:
    x_low = np.sort([float(each[0]) for each in drawn])
    x_high = np.maximum.accumulate(x_low + [each[1] + 1.0 for each in drawn])
    y_low = np.array([float(each[2]) for each in drawn])
    y_high = y_low + [each[3] for each in drawn]
    lower, upper = union(Rectangles(x_low, x_high, y_low, y_high))
    x = tenth / 10 + 0.05
    here = (x_low <= x) & (x <= x_high)
    if here.any():
        assert np.interp(x, *lower) == y_low[here].min()
        assert np.interp(x, *upper) == y_high[here].max()


def test_a_union_of_very_many_rectangles_is_rounded_outwards() -> None:
    truth, scores = binormal(2, 20_000)
    band = precision_recall_curve(truth, scores).band()
    assert len(band.lower.x) <= 2 * 4096
    rng = np.random.default_rng(3)
    for x in rng.random(200):
        here = (band.x_low <= x) & (x <= band.x_high)
        if here.any():
            assert np.interp(x, *band.lower) <= band.y_low[here].min()
            assert np.interp(x, *band.upper) >= band.y_high[here].max()


@pytest.mark.parametrize("curve", CURVES)
def test_the_band_has_every_threshold_even_where_the_curve_leaves_some_out(curve: Any) -> None:
    truth, scores = binormal(4, 300)
    assert len(curve(truth, scores).band().thresholds) == 301
    if curve in (roc_curve, det_curve, precision_recall_curve):
        dropped = curve(truth, scores, drop_intermediate=True)
        assert len(dropped.thresholds) < 250
        assert len(dropped.band().thresholds) == 301


@pytest.mark.parametrize("curve", CURVES)
def test_what_has_no_band_says_why(curve: Any) -> None:
    with pytest.raises(DataError, match="a band needs samples that count alike, but these have weights"):
        curve([0, 1], [0.1, 0.2], sample_weight=[1, 2]).band()
    with pytest.raises(DataError, match="a band needs independent samples, but these are in groups"):
        curve(Scores.from_arrays([0, 1], [0.1, 0.2], groups=["a", "b"])).band()
    with pytest.raises(CertusError, match="level is 95; it must lie strictly between 0 and 1"):
        curve([0, 1], [0.1, 0.2]).band(95)
    with pytest.raises(
        MetricNameError, match="no simultaneous band is made by 'wilson'; it takes 'dkw-tails' or 'dkw'"
    ):
        curve([0, 1], [0.1, 0.2]).band(simultaneous=True, method="wilson")
    with pytest.raises(MetricNameError, match="no pointwise band is made by 'dkw'"):
        curve([0, 1], [0.1, 0.2]).band(method="dkw")


def test_a_band_says_what_it_is() -> None:
    assert repr(roc_curve(TRUE_CLASS, PROBABILITY).band()) == "<Band: 95% pointwise, wilson, 11 thresholds>"


def test_no_lift_is_higher_than_a_share_allows() -> None:
    truth, scores = binormal(5, 200)
    band = lift_curve(truth, scores).band()
    shares = band.upper.x
    assert (band.upper.y[shares > 0.5] <= 1 / shares[shares > 0.5] + 0.02).all()


@pytest.mark.parametrize(("law", "samples"), [(0, 120), (2, 250)])
def test_bands_cover_as_they_promise(law: int, samples: int) -> None:
    error = math.sqrt(0.95 * 0.05 / samples)
    found = STUDY.measure(STUDY.LAWS[law], 300, 0.3, samples)
    for (curve, method), m in found.items():
        if method in ("dkw-tails", "dkw"):
            assert min(m.limits, m.region) > 0.95 - 4 * error, (curve, method)
        else:
            # Thresholds of one sample are not independent: a mean over them errs no less than one of them would.
            assert m.threshold > 0.95 - 4 * error, (curve, method)
            assert m.slice > 0.95 - 2 * error, (curve, method)
    assert found["ROC, DET", "wilson"].threshold < 0.95 + 4 * error


def test_the_study_knows_the_true_curves_of_its_laws() -> None:
    for law in STUDY.LAWS:
        rng = np.random.default_rng(6)
        truth = np.arange(400_000) % 2 == 0
        scores = law.draw(rng, truth)
        t = float(law.thresholds[len(law.thresholds) // 2])
        for positive in (True, False):
            exact = float(law.above(np.array([t]), positive)[0])
            assert abs((scores[truth == positive] >= t).mean() - exact) < 4.5 * math.sqrt(0.25 / 200_000)


SIMULTANEOUS = ["dkw", "dkw-tails"]


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson"])
@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_limits_of_many_proportions_are_those_of_each(method: str, n: int, level: float) -> None:
    low, high = proportion_limits(np.arange(n + 1), n, level, method)
    for k in range(n + 1):
        one = proportion_interval(k, n, level, method)
        assert (low[k], high[k]) == pytest.approx((one.low, one.high), rel=1e-13, abs=1e-15)
    assert (low[0], high[-1]) == (0.0, 1.0)


def test_without_trials_a_proportion_can_be_anything() -> None:
    low, high = proportion_limits(np.array([0, 0]), np.array([0, 5]), 0.95, "wilson")
    assert (low[0], high[0]) == (0.0, 1.0)
    assert high[1] < 1


def test_unknown_methods_and_levels_are_refused() -> None:
    with pytest.raises(MetricNameError, match="no pointwise band is made by 'wald'; it takes 'wilson'"):
        roc_curve([0, 1], [0.1, 0.2]).band(method="wald")
    for level in (0.0, 1.0, 95, math.nan):
        with pytest.raises(CertusError, match=r"level is .*; it must lie strictly between 0 and 1"):
            roc_curve([0, 1], [0.1, 0.2]).band(level)


def test_a_level_is_shared_so_that_all_parts_hold_together() -> None:
    assert shared(0.9, 2, independent=True) ** 2 == pytest.approx(0.9)
    assert 2 * (1 - shared(0.9, 2, independent=False)) == pytest.approx(0.1)
    assert shared(0.9, 1, independent=True) == shared(0.9, 1, independent=False) == 0.9


def test_dkw_by_hand() -> None:
    # log(2 / 0.05) / (2 * 100) is 0.0184444, its root 0.1358102.
    low, high = distribution_limits(np.array([0, 50, 100]), 100, 0.95, "dkw")
    assert low == pytest.approx([0, 0.5 - 0.1358102, 1 - 0.1358102], abs=1e-7)
    assert high == pytest.approx([0.1358102, 0.5 + 0.1358102, 1], abs=1e-7)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 1000])
@pytest.mark.parametrize("method", SIMULTANEOUS)
def test_limits_of_a_distribution_are_symmetric_rise_and_hold_the_share(n: int, method: str) -> None:
    counts = np.arange(n + 1)
    low, high = distribution_limits(counts, n, 0.9, method)
    np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-12)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()
    assert (low <= counts / n).all()
    assert (counts / n <= high).all()


def test_tails_are_narrowed_at_a_small_cost_in_the_middle() -> None:
    counts = np.array([0, 10, 500])
    plain, narrowed = (np.diff(distribution_limits(counts, 1000, 0.95, method), axis=0)[0] for method in SIMULTANEOUS)
    assert narrowed[0] < plain[0] / 4
    assert narrowed[1] < 0.6 * plain[1]
    assert plain[2] < narrowed[2] < 1.06 * plain[2]


@pytest.mark.parametrize("method", SIMULTANEOUS)
@pytest.mark.parametrize(("n", "ties"), [(1, None), (3, None), (12, None), (60, None), (60, 4), (400, None)])
def test_a_whole_distribution_is_held_at_least_at_the_level(n: int, method: str, ties: int | None) -> None:
    samples, level = 4000, 0.8
    rng = np.random.default_rng([n, ties or 0])
    values = np.sort(rng.random((samples, n)), axis=1)
    if ties:
        values = np.floor(values * ties) / ties
    low, high = distribution_limits(np.arange(n + 1), n, level, method)
    # With k values at or below a point, the share there is least at the last of these values and, where ties have a
    # share of their own, greater by that; it is greatest just below the next value.
    held = np.ones(samples, dtype=np.bool_)
    for k in range(n + 1):
        left = values[:, k - 1] if k else np.zeros(samples)
        right = values[:, k] if k < n else np.ones(samples)
        between = left < right  # exactly k values lie at or below any point from left to just below right
        step = 1 / ties if ties else 0.0
        at_left = left + step if k else left
        held &= ~between | ((low[k] <= at_left + 1e-12) & (right <= high[k] + 1e-12))
    assert held.mean() > level - 4 * math.sqrt(level * (1 - level) / samples)


def test_dependence_limits_by_hand() -> None:
    # 9.5, 10.5, 20.5 and 60.5 of 101: lift 9.5 * 101 / (20 * 30).
    a, b, c, n = 9.5, 10.5, 20.5, 101.0
    lift = a * n / ((a + b) * (a + c))
    both = (a / n) * (n / a - n / (a + b) - n / (a + c) + 1) ** 2
    first = (b / n) * (1 - n / (a + b)) ** 2
    second = (c / n) * (1 - n / (a + c)) ** 2
    variance = (both + first + second + 60.5 / n) / n
    low, high = dependence_limits(*(np.array([x]) for x in (9, 10, 20, 60)), level=0.95)
    assert low[0] == pytest.approx(lift * math.exp(-1.959963984540054 * math.sqrt(variance)), rel=1e-12)
    assert high[0] == pytest.approx(lift * math.exp(1.959963984540054 * math.sqrt(variance)), rel=1e-12)


@pytest.mark.parametrize("cells", [(0.06, 0.04, 0.14, 0.76), (0.3, 0.2, 0.2, 0.3), (0.01, 0.19, 0.09, 0.71)])
def test_dependence_limits_cover_at_about_their_level(cells: tuple[float, ...]) -> None:
    samples = 20_000
    counts = np.random.default_rng(3).multinomial(200, cells, samples).T
    low, high = dependence_limits(*counts, level=0.95)
    truth = cells[0] / ((cells[0] + cells[1]) * (cells[0] + cells[2]))
    assert abs(((low <= truth) & (truth <= high)).mean() - 0.95) < 0.025
