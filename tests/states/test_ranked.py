"""Spearman's correlation of more numbers than memory: that of numbers in memory."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from insides import in_a_file
from state_columns import assert_same, of_batches

import certus

METRICS = ["Spearman", "Pearson", "MAE"]


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(100, 400),
    st.sampled_from([1, 2000]),
    st.sampled_from([(16, 16), (1, 16), (16, 1), (1, 0)]),
    st.sampled_from([-1.0, 0.0, 0.5, 1.0]),
)
def test_no_partition_order_or_limit_changes_a_digit(
    seed: int, n: int, memory: int, digits: tuple[int, int], slope: float
) -> None:
    rng = np.random.default_rng(seed)
    true = rng.normal(size=n)
    predicted = slope * true + (1 - abs(slope)) * rng.normal(size=n)
    true, predicted = np.round(true, digits[0]) + 0.0, np.round(predicted, digits[1]) + 0.0
    state = of_batches(METRICS, {"y_true": true, "y_pred": predicted}, 9, seed, memory, task="regression")
    assert in_a_file(state).spill() or memory > 1 or min(digits) < 2
    expected = certus.evaluate(true, predicted, METRICS, task="regression")
    assert_same(state.evaluate(), expected)
