"""Parts of a loss that are saved, of more numbers than memory: those of numbers in memory."""

from typing import Any

import numpy as np
import pytest
from insides import in_a_file
from state_columns import assert_same, of_batches

import certus
from certus.states import State

METRICS = ["D2AbsoluteError", "D2Pinball(alpha=0.9)", "D2Tweedie", "D2Tweedie(power=1)", "D2Tweedie(power=1.5)", "MAE"]
N = 700


def state_of(metrics: Any, true: Any, predicted: Any, seed: int, memory: int) -> State:
    state = of_batches(metrics, {"y_true": true, "y_pred": predicted}, 23, seed, memory, task="regression")
    assert in_a_file(state).spill()
    return state


@pytest.mark.parametrize("kind", ["plain", "rounded", "perfect", "constant", "long tails"])
@pytest.mark.parametrize(("seed", "memory"), [(1, 1), (2, 3000)])
def test_numbers_in_a_file_have_the_table_of_numbers_in_memory(kind: str, seed: int, memory: int) -> None:
    rng = np.random.default_rng(3)
    true = 1 + rng.random(N)
    predicted = true * (0.8 + 0.4 * rng.random(N))
    if kind == "rounded":
        true, predicted = np.round(true, 1), np.round(predicted, 1)
    if kind == "perfect":
        predicted = true
    if kind == "constant":
        true = np.full(N, 1.5)
    if kind == "long tails":
        predicted = true * np.exp(rng.normal(size=N) ** 3 / 9)
    expected = certus.evaluate(true, predicted, METRICS, task="regression")
    assert_same(state_of(METRICS, true, predicted, seed, memory).evaluate(), expected)


def test_what_has_no_constant_or_no_sums_says_so() -> None:
    rng = np.random.default_rng(5)
    true, predicted = rng.normal(-1, 1, N), np.exp(rng.normal(size=N))
    metric = "D2Tweedie(power=-1)"
    (found,) = state_of(metric, true, predicted, 1, 1).evaluate()
    (want,) = certus.evaluate(true, predicted, metric, task="regression")
    assert (repr(found.value), found.reason, found.n) == (repr(want.value), want.reason, want.n)
    with pytest.raises(certus.DataError, match=r"y_true is .* needs numbers above 0"):
        state_of("D2Tweedie(power=2)", true, predicted, 1, 1).evaluate()
    with pytest.raises(certus.DataError, match="numbers as large or small as these need every row"):
        state_of("D2AbsoluteError", true * 1e70, predicted, 1, 1).evaluate()
    with pytest.raises(certus.DataError, match="needs every value"):
        state_of("D2AbsoluteError", true, predicted, 1, 1).evaluate(interval="bca")
