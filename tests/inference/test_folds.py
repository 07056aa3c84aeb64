"""Intervals for the mean over the folds of a cross-validation."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import certus
from certus import DataError, MetricNameError
from certus.inference import Estimate, mean_interval
from certus.statistic.folds import Folds

VALUES = [0.81, 0.84, 0.79, 0.86, 0.82]


def test_the_corrected_interval_by_hand() -> None:
    # Mean 0.824, s^2 = 0.00292 / 4; SE^2 = (1/5 + 1/4) s^2 for a fifth tested on; t(4; 0.975) = 2.776445.
    error = math.sqrt((1 / 5 + 1 / 4) * 0.00073)
    found = certus.from_folds(VALUES, test_fraction=0.2)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    low, high = interval = found.interval()
    method = interval.method
    assert (low, high) == pytest.approx((0.824 - 2.776445 * error, 0.824 + 2.776445 * error), rel=1e-7)
    assert (method, found.methods, found.n, found.unit) == ("nadeau-bengio", ("nadeau-bengio", "t"), 5, "fold")
    assert str(found).endswith("95% corrected resampled t, 5 folds")
    assert found.interval(method="corrected t") == found.interval()


def test_the_uncorrected_interval_is_students() -> None:
    found = certus.from_folds(VALUES, test_fraction=0.2).interval(method="t")
    assert found[:2] == pytest.approx(mean_interval(VALUES, method="t")[:2], rel=1e-12)


@pytest.mark.parametrize(
    "make",
    [
        lambda: certus.from_folds(VALUES, train_sizes=80, test_sizes=20),
        lambda: certus.from_folds(VALUES, train_sizes=[80] * 5, test_sizes=20),
        lambda: certus.from_folds(VALUES, train_sizes=[79, 81, 80, 80, 80], test_sizes=np.array([21, 19, 20, 20, 20])),
        lambda: Estimate(Folds(np.array(VALUES), 0.25)),
    ],
)
def test_sizes_and_fractions_say_the_same(make: Callable[[], Estimate]) -> None:
    assert make().interval()[:2] == pytest.approx(certus.from_folds(VALUES, test_fraction=1 / 5).interval()[:2])


def test_the_correction_covers_repeated_random_splits_better() -> None:
    # The value of a split is the mean of the samples tested on: its truth is known, and splits overlap.
    rng = np.random.default_rng(4)
    hits = {"nadeau-bengio": 0, "t": 0}
    for _ in range(400):
        data = rng.standard_normal(100)
        folds = [data[rng.permutation(100)[:20]].mean() for _ in range(15)]
        for method in hits:
            low, high, *_ = certus.from_folds(folds, test_fraction=0.2).interval(method=method)
            hits[method] += low <= 0 <= high
    assert hits["t"] < 0.75 * 400
    assert hits["nadeau-bengio"] > 0.9 * 400


def test_limits_stay_in_bounds() -> None:
    low, high, *_ = certus.from_folds([0.7, 0.95, 0.99], test_fraction=1 / 3, bounds=(0, 1)).interval()
    assert 0 < low < high == 1.0


def test_folds_without_spread_have_no_interval() -> None:
    same = certus.from_folds([0.8, 0.8], test_fraction=0.5).interval()
    assert same.reason == "all 2 folds have the same value, so they have no variance"
    assert certus.from_folds([0.8], test_fraction=0.5).interval().reason == "1 fold alone has no variance"
    assert certus.from_folds([0.8, math.inf], test_fraction=0.5).interval().reason == "a value is infinite"
    missing = certus.from_folds([0.8, math.nan], test_fraction=0.5)
    assert (missing.reason, missing.interval().reason) == ("1 of 2 folds has no value",) * 2
    assert certus.from_folds([], test_fraction=0.5).reason == "there are no folds"
    assert math.isnan(missing.standard_error)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (
            {},
            r"the sizes of the folds are not known; give test_fraction \(1/k for k folds\), or train_sizes and test_si",
        ),
        ({"train_sizes": 80}, "the sizes of the folds are not known"),
        ({"test_fraction": 0.2, "test_sizes": 5}, "test_fraction and the sizes of the folds say the same; give one"),
        ({"test_fraction": 1.0}, r"test_fraction is 1\.0; it must lie strictly between 0 and 1, such as 0\.2 for 5"),
        ({"train_sizes": 80, "test_sizes": 0}, "test_sizes holds 0; each must be a finite number of at least 1"),
        (
            {"train_sizes": [80, 80], "test_sizes": 20},
            "train_sizes has 2 values for 5 folds; give one for each, or one",
        ),
    ],
)
def test_senseless_sizes_are_refused(arguments: dict[str, object], match: str) -> None:
    with pytest.raises(DataError, match=match):
        certus.from_folds(VALUES, **arguments)  # type: ignore[arg-type]


def test_senseless_folds_are_refused() -> None:
    with pytest.raises(DataError, match="ratio is 0; it must be a finite number above 0"):
        Folds(np.array(VALUES), 0)
    with pytest.raises(DataError, match="values has 2 dimensions; it must have one value per unit"):
        certus.from_folds([VALUES, VALUES], test_fraction=0.2)
    with pytest.raises(
        MetricNameError, match="'bca' is not one for a mean over folds; the methods are nadeau-bengio, t"
    ):
        certus.from_folds(VALUES, test_fraction=0.2).interval(method="bca")
