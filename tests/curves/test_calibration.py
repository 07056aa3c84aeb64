"""Calibration curve."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import CertusError, DataError
from certus.classification import calibration_curve
from certus.data import Probabilities
from certus.inference import proportion_interval
from certus.metrics.classification.calibration_error import binned


def test_by_hand() -> None:
    # Nine predictions in three bins of width 1/3.
    truth = [0, 0, 0, 0, 1, 1, 1, 1, 1]
    p = [0.1, 0.2, 0.3, 0.4, 0.65, 0.7, 0.8, 0.9, 1.0]
    curve = calibration_curve(truth, p, n_bins=3)
    prob_true, prob_pred = curve
    assert prob_true.tolist() == [0, 0.5, 1]
    assert prob_pred == pytest.approx([0.2, 0.525, 0.85], rel=1e-15)
    assert curve.counts.tolist() == [3, 2, 4]
    assert curve.positives.tolist() == [0, 1, 4]
    assert curve.edges.tolist() == np.linspace(0, 1, 4).tolist()


def test_bins_without_samples_are_left_out() -> None:
    curve = calibration_curve([0, 1], [0.05, 0.95], n_bins=10)
    assert curve.bins.tolist() == [0, 9]
    assert len(curve.edges) == 11


def test_limits_are_those_of_a_proportion() -> None:
    curve = calibration_curve([0, 1, 1, 1, 0], [0.1, 0.2, 0.7, 0.8, 0.9], n_bins=2)
    assert curve.intervals() == [proportion_interval(1, 2), proportion_interval(2, 3)]
    band = curve.band(0.9, method="clopper-pearson")
    assert band.low.tolist() == [proportion_interval(k, n, 0.9, "clopper-pearson").low for k, n in ((1, 2), (2, 3))]
    assert (band.method, band.level, band.simultaneous) == ("clopper-pearson", 0.9, False)
    assert curve.band().method == "modified-wilson"


def test_simultaneous_limits_share_the_level_by_sidak() -> None:
    curve = calibration_curve([0, 1, 1, 1, 0], [0.1, 0.2, 0.7, 0.8, 0.9], n_bins=2)
    band = curve.band(0.95, simultaneous=True)
    each = [proportion_interval(k, n, 0.95**0.5, "clopper-pearson") for k, n in ((1, 2), (2, 3))]
    assert list(zip(band.low, band.high, strict=True)) == [interval[:2] for interval in each]
    assert (band.method, band.level) == ("clopper-pearson", 0.95)


def test_simultaneous_limits_hold_together_at_the_level() -> None:
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        p = rng.random(40)
        curve = calibration_curve(rng.random(40) < p, p, n_bins=4)
        band = curve.band(0.9, simultaneous=True)
        # The probabilities are true, so the mean prediction of a bin is its true share.
        held += bool(((band.low <= curve.prob_pred) & (curve.prob_pred <= band.high)).all())
    assert held >= 0.9 * 400


def test_three_classes_are_looked_at_by_the_top_one() -> None:
    rows = [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75], [0.375, 0.375, 0.25]]
    curve = calibration_curve([0, 1, 1], rows, labels=[0, 1, 2], n_bins=2)
    assert curve.positives.tolist() == [1, 0]
    assert curve.counts.tolist() == [2, 1]


def test_constant_predictions_make_one_bin_with_their_mean() -> None:
    for strategy in ("uniform", "quantile", "equal-mass"):
        curve = calibration_curve([0, 1, 1], [0.1, 0.1, 0.1], strategy=strategy)
        assert curve.prob_pred == pytest.approx([0.1], rel=1e-15)
        assert curve.counts.tolist() == [3]


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "equal-mass"])
def test_means_are_exact_and_no_order_of_samples_changes_a_bit(strategy: Any) -> None:
    rng = np.random.default_rng(1)
    p = np.concatenate([rng.random(3000), rng.random(300) * 1e-12, [0.0, 1.0, 5e-324], np.linspace(0, 1, 8)])
    truth = rng.random(len(p)) < p
    curve = calibration_curve(truth, p, n_bins=7, strategy=strategy)
    bins = binned(p, 7, strategy).bins
    for position, bin_ in enumerate(curve.bins.tolist()):
        here = p[bins == bin_].tolist()
        assert curve.prob_pred[position] == math.fsum(here) / len(here)
        assert curve.counts[position] == len(here)
        assert curve.positives[position] == truth[bins == bin_].sum()
    order = rng.permutation(len(p))
    mixed = calibration_curve(truth[order], p[order], n_bins=7, strategy=strategy)
    assert mixed.prob_pred.tolist() == curve.prob_pred.tolist()
    assert mixed.counts.tolist() == curve.counts.tolist()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(1, 60))
def test_bins_of_the_kernel_are_those_of_calibration_errors(p: list[float], n_bins: int) -> None:
    edges = np.linspace(0, 1, n_bins + 1)
    given_ = np.concatenate([p, edges, np.nextafter(edges[:-1], 1), np.nextafter(edges[1:], 0)])
    curve = calibration_curve(np.ones(len(given_), dtype=np.int64), given_, n_bins=n_bins)
    expected = np.bincount(binned(given_, n_bins, "uniform").bins, minlength=n_bins)
    assert curve.counts.tolist() == expected[curve.bins].tolist()
    assert curve.counts.sum() == len(given_)


def test_prepared_data_are_taken() -> None:
    data = Probabilities.from_arrays(["no", "yes"], [0.25, 0.75], pos_label="yes")
    assert calibration_curve(data).prob_true.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n_bins": 0}, "n_bins is 0; it must be a whole number of at least 1"),
        ({"n_bins": 2.5}, "n_bins is 2.5"),
        ({"strategy": "equal"}, "strategy is 'equal'; it must be 'uniform', 'quantile' or 'equal-mass'"),
        ({"confidence": "all"}, "confidence is 'all'"),
    ],
)
def test_what_cannot_be_is_refused(keywords: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        calibration_curve([0, 1], [0.2, 0.8], **keywords)


def test_no_samples_and_weighted_ones_are_refused() -> None:
    with pytest.raises(DataError, match="y_true has no samples"):
        calibration_curve([], [])
    with pytest.raises(DataError, match="a calibration curve counts samples, but these have weights"):
        calibration_curve(Probabilities.from_arrays([0, 1], [0.2, 0.8], sample_weight=[1, 2]))
    with pytest.raises(CertusError, match="level is 2; it must lie strictly between 0 and 1"):
        calibration_curve([0, 1], [0.2, 0.8]).band(2, simultaneous=True)
