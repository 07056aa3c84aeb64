"""Log loss."""

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from certus import DataError, classification
from certus.data import Probabilities
from certus.inference import Estimate
from certus.statistic import Mean, Ratio

log_loss = classification.log_loss
EPS = float(np.finfo(np.float64).eps)


def exact(hits: list[bool], p: list[float]) -> float:
    """The mean loss in 50 decimal digits."""
    with localcontext() as context:
        context.prec = 400
        chosen = [Decimal(each) if hit else 1 - Decimal(each) for hit, each in zip(hits, p, strict=True)]
        context.prec = 50
        return math.inf if 0 in chosen else float(sum(-each.ln() for each in chosen) / len(chosen))


def test_by_hand() -> None:
    estimate = log_loss(["yes", "no", "yes"], [0.5, 0.75, 0.125], pos_label="yes")
    assert estimate.value == pytest.approx((1 + 2 + 3) * math.log(2) / 3, rel=1e-15)
    assert (estimate.n, estimate.unit) == (3, "sample")


def test_several_classes_by_hand() -> None:
    rows = [[0.25, 0.5, 0.25], [0.5, 0.25, 0.25]]
    assert log_loss(["b", "c"], rows, labels=["a", "b", "c"]).value == pytest.approx(1.5 * math.log(2), rel=1e-15)


@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(0, 1) | st.sampled_from([0.0, 1.0, 5e-324, 1e-300, 1e-20, 1 - 2**-53])),
        min_size=1,
        max_size=6,
    )
)
def test_one_probability_per_sample_loses_no_digit(samples: list[tuple[bool, float]]) -> None:
    hits, p = [list(column) for column in zip(*samples, strict=True)]
    assert log_loss(hits, p).value == pytest.approx(exact(hits, p), rel=4e-16)


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_probability_0_of_what_happened_costs_infinitely_much(width: type) -> None:
    estimate = log_loss([1, 0], np.array([0.0, 0.5], width))
    assert estimate.value == math.inf
    assert estimate.interval().reason == "a value is infinite"
    assert log_loss([1, 0], np.array([0.5, 1.0], width)).value == math.inf
    assert log_loss([1, 0], np.array([[1, 0], [1, 0]], width)).value == math.inf


def test_certainty_that_came_true_costs_exactly_0() -> None:
    assert math.copysign(1, log_loss([1, 0], [1.0, 0.0]).value) == 1
    assert log_loss([1, 0], [1.0, 0.0]).value == 0
    assert log_loss([0, 1, 2], np.eye(3)).value == 0


def test_the_smallest_probabilities_count_in_their_own_type() -> None:
    assert log_loss([1], [5e-324]).value == pytest.approx(1074 * math.log(2), rel=1e-15)
    assert log_loss([1], np.array([2.0**-149], np.float32)).value == pytest.approx(149 * math.log(2), rel=1e-15)
    assert log_loss([0], [1e-20]).value == 1e-20


def test_float32_is_computed_in_float64() -> None:
    p = np.array([0.1, 0.7], np.float32)
    assert log_loss([1, 0], p).value == log_loss([1, 0], p.astype(np.float64)).value


def test_clipping_bounds_the_loss_of_a_sample_on_both_sides() -> None:
    assert log_loss([1, 1], [0.0, 1.0], clip=0.25).value == pytest.approx((math.log(4) - math.log(0.75)) / 2, rel=1e-15)
    assert log_loss([1], [0.0], clip="auto").value == pytest.approx(52 * math.log(2), rel=1e-15)
    assert log_loss([1], [1.0], clip="auto").value == pytest.approx(EPS, rel=1e-15)
    zero = np.array([0.0], np.float32)
    assert log_loss([1], zero, clip="auto").value == pytest.approx(23 * math.log(2), rel=1e-15)


def test_a_single_class_needs_labels_only_where_columns_do() -> None:
    assert log_loss([1, 1], [0.5, 0.5]).value == pytest.approx(math.log(2), rel=1e-15)
    assert log_loss([0, 0], [0.5, 0.5]).value == pytest.approx(math.log(2), rel=1e-15)
    with pytest.raises(DataError, match="y_prob has 2 columns but y_true has 1 class"):
        log_loss([1, 1], [[0.5, 0.5], [0.5, 0.5]])
    assert log_loss([1, 1], [[0.5, 0.5], [0.5, 0.5]], labels=[0, 1]).value == pytest.approx(math.log(2), rel=1e-15)


def test_the_sum_is_not_normalized() -> None:
    estimate = log_loss([1, 1], [0.5, 0.25], normalize=False)
    assert estimate.value == pytest.approx(3 * math.log(2), rel=1e-15)
    weighted = log_loss([1, 1], [0.5, 0.25], normalize=False, sample_weight=[2, 3])
    assert weighted.value == pytest.approx(8 * math.log(2), rel=1e-15)


def test_weights_make_a_ratio_and_weight_0_takes_a_sample_out() -> None:
    data = Probabilities.from_arrays([1, 1, 1], [0.5, 0.25, 0.0], sample_weight=[1, 3, 0])
    statistic = log_loss.compute(data)
    assert isinstance(statistic, Ratio)
    assert statistic.n == 2
    assert statistic.value == pytest.approx(7 / 4 * math.log(2), rel=1e-15)


def test_the_mean_of_ten_million_terms_keeps_its_digits() -> None:
    # 0.9 and 0.3 alternate: float64 rounds each loss once and the mean hardly at all.
    p = np.tile([0.9, 0.3], 5_000_000)
    statistic = log_loss.compute(Probabilities((0, 1), np.ones(len(p), np.int32), p, positive=1))
    assert isinstance(statistic, Mean)
    assert statistic.value == pytest.approx(exact([True, True], [0.9, 0.3]), rel=3e-16)


def test_an_interval_from_very_few_samples_of_a_class_says_so() -> None:
    rng = np.random.default_rng(0)
    y = np.zeros(100, dtype=int)
    y[:2] = 1
    chance = rng.uniform(0.01, 0.1, 100)
    assert "the interval may be too short: only 2 samples of class 1" in log_loss(y, chance).interval().reason
    equal = log_loss([1, 0], [0.5, 0.5]).interval()
    assert math.isnan(equal.low)
    assert equal.reason == "all 2 values are equal, so the error of the mean cannot be estimated"
    for weights in ({"sample_weight": np.linspace(1, 2, 100)}, {"groups": np.arange(100) // 5}):
        assert "2 samples of class 1" in log_loss(y, chance, **weights).interval().reason
    y[:5] = 1
    assert "class 1" not in log_loss(y, chance).interval().reason


@pytest.mark.parametrize("width", [np.float32, np.float64])
def test_one_pass_over_the_samples_gives_the_interval_of_an_array_of_losses(width: type) -> None:
    rng = np.random.default_rng(8)
    p: NDArray[Any] = rng.random(5000).astype(width)
    truth = (rng.random(5000) < p).astype(np.int64)
    found = classification.log_loss(truth, p, clip="auto")
    assert isinstance(found.statistic, Mean)
    every = Mean(np.array(found.statistic.values), unit="sample")
    assert found.value == every.value
    expected = Estimate(every, bounds=(0.0, math.inf)).interval()
    assert found.interval()[:2] == pytest.approx(expected[:2], rel=1e-13)
    assert found.interval().method == expected.method
    assert found.standard_error == pytest.approx(Estimate(every).standard_error, rel=1e-13)
    order = rng.permutation(5000)
    assert classification.log_loss(truth[order], p[order], clip="auto").value == found.value
