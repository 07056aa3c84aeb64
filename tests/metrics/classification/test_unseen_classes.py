"""Averages over classes of which some have no samples."""

import numpy as np
import pytest
from numpy.typing import NDArray

from certus import classification
from certus.data import Labels
from certus.inference import Estimate


def test_an_average_over_classes_without_samples_has_limits_that_allow_them_any_value() -> None:
    table = np.diag([5, 6, 7, 3, 0])
    table[0, 1] = 2
    value = classification.f1(Labels.from_counts(table), average="macro", undefined=0)
    interval = value.interval()
    assert interval.reason == "a class counts as 0 for want of samples; the limits allow it any value"
    seen = classification.f1(Labels.from_counts(table[:4, :4]), average="macro").interval()
    assert interval[:2] == pytest.approx((0.8 * seen.low, 0.8 * seen.high + 0.2), rel=1e-9)
    # What is left out of the average needs no limits, and without a number for it there is no value.
    assert not classification.f1(Labels.from_counts(table), average="macro", undefined="skip").interval().reason
    assert not classification.f1(Labels.from_counts(table), average="macro").interval().defined


@pytest.mark.parametrize(
    ("classes", "n", "zipf", "right"), [(10, 60, 1.0, 0.7), (20, 150, 1.5, 0.8), (30, 100, 1.0, 0.8)]
)
def test_macro_f1_of_rare_classes_is_covered(classes: int, n: int, zipf: float, right: float) -> None:
    # Where those classes count as 0 for certain, .87, .19 and .13 are covered, nearly all misses being below the truth.
    shares = 1 / np.arange(1, classes + 1) ** zipf
    shares /= shares.sum()
    table = shares[:, np.newaxis] * ((1 - right) * shares + right * np.eye(classes))

    def macro(counts: NDArray[np.int64]) -> Estimate:
        found: Estimate = classification.f1(Labels.from_counts(counts), average="macro", undefined=0)
        return found

    truth = float(macro(np.rint(1e12 * table).astype(np.int64)))
    rng = np.random.default_rng(classes + n)
    covered = 0
    for counts in rng.multinomial(n, table.ravel(), size=120).reshape(-1, classes, classes):
        low, high, *_ = macro(counts).interval()
        covered += low <= truth <= high
    assert covered >= 0.91 * 120
