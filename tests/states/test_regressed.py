"""R2, explained variance and correlations of numbers in a file: bit for bit those of numbers in memory."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from insides import in_a_file
from state_columns import assert_same, of_batches

import certus
from certus.states import State

METRICS = ["R2", "ExplainedVariance", "Pearson", "CCC", "CCC(ddof=1)", "RMSE", "MAE"]
N = 900


def columns_of(kind: str, seed: int = 1, n: int = N) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    true, noise = rng.normal(3, 2, n), rng.normal(size=n)
    if kind == "long tails":
        true, noise = np.exp(true / 2), np.exp(noise)
    if kind == "far":
        return {"y_true": true + 1e6, "y_pred": true + 1e6 + noise}
    if kind == "opposite":
        return {"y_true": true, "y_pred": -true + noise / 4}
    if kind == "whole":
        return {"y_true": np.round(true), "y_pred": np.round(true + noise)}
    if kind == "narrow":
        return {"y_true": true.astype(np.float32), "y_pred": (true + noise).astype(np.float32)}
    return {"y_true": true, "y_pred": true + 0.5 + noise}


@pytest.mark.parametrize("kind", ["plain", "long tails", "far", "opposite", "whole", "narrow"])
def test_numbers_in_a_file_have_the_table_of_numbers_in_memory(kind: str) -> None:
    given = columns_of(kind)
    expected = list(certus.evaluate(given["y_true"], given["y_pred"], METRICS, task="regression"))
    tables = []
    for parts, seed, memory in ((40, 1, 5000), (17, 2, 9000), (60, 4, 3000)):
        state = of_batches(METRICS, given, parts, seed, memory, task="regression")
        assert in_a_file(state).spill() or kind == "whole"
        tables.append(list(state.evaluate()))
        assert list(map(repr, tables[-1][:-2])) == list(map(repr, expected[:-2]))
        for row, want in zip(tables[-1][-2:], expected[-2:], strict=True):
            assert (row.metric, row.value, row.n, row.unit, row.method, row.reason) == (
                *(want.metric, want.value, want.n, want.unit, want.method, want.reason),
            )
            assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12, abs=1e-12)
    if kind != "whole":  # of which some states have all rows in memory
        assert repr(tables[0]) == repr(tables[1]) == repr(tables[2])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 99), st.integers(25, 60), st.integers(2000, 4000))
def test_no_partition_order_or_limit_changes_a_digit(seed: int, parts: int, memory: int) -> None:
    given = columns_of("plain", n=400)
    state, other = (
        of_batches(METRICS, given, parts, seed, memory, task="regression"),
        of_batches(METRICS, given, 30, 3, 5000, task="regression"),
    )
    assert repr(list(state.evaluate())) == repr(list(other.evaluate()))
    assert state.to_bytes() == other.to_bytes()


@pytest.mark.parametrize(
    ("true", "predicted"),
    [
        (np.arange(900.0), np.arange(900.0)),
        (np.full(900, 2.0), np.arange(900.0)),
        (np.arange(900.0), np.full(900, 2.0)),
        (np.arange(900.0), -3 * np.arange(900.0) + 1),
    ],
    ids=["perfect", "equal targets", "equal predictions", "reversed"],
)
def test_constant_and_perfect_columns_have_the_reasons_that_they_have_in_memory(true: Any, predicted: Any) -> None:
    for metrics in (METRICS, ["Spearman"]):
        state = of_batches(metrics, {"y_true": true, "y_pred": predicted}, 40, 1, 2000, task="regression")
        expected = certus.evaluate(true, predicted, metrics, task="regression")
        assert_same(state.evaluate(), expected)


def _fill(state: State, given: dict[str, Any]) -> None:
    for index in np.array_split(np.arange(N), 40):
        state.update(**{name: column[index] for name, column in given.items()})


def test_what_needs_every_number_is_refused() -> None:
    for metrics, told in (
        ("Spearman(multioutput='raw_values')", {}),
        ("R2(predictors=3)", {}),
        ("R2", {"weight": np.ones(N)}),
    ):
        given = columns_of("plain")
        state = State(metrics, task="regression", memory=2000)
        with pytest.raises(
            certus.DataError, match=r"the rows do not fit into 2 kB of memory, and .* needs all of them"
        ):
            _fill(state, {**given, **told})
    state = of_batches(METRICS, columns_of("plain"), 40, 1, 5000, task="regression")
    with pytest.raises(certus.DataError, match="needs every value"):
        state.evaluate(interval="bca")
    given = columns_of("plain")
    large = of_batches(METRICS, {name: column * 1e70 for name, column in given.items()}, 40, 1, 5000, task="regression")
    with pytest.raises(certus.DataError, match="numbers as large or small as these need every row"):
        large.evaluate()


@pytest.mark.parametrize("scale", [1e59, 1e-59])
def test_correlations_of_numbers_near_the_limits_have_the_intervals_of_memory(scale: float) -> None:
    given = {name: column * scale for name, column in columns_of("plain").items()}
    expected = certus.evaluate(given["y_true"], given["y_pred"], ["CCC", "Pearson"], task="regression")
    state = State(["CCC", "Pearson"], task="regression", memory=2000)
    _fill(state, given)
    for row, want in zip(state.evaluate(), expected, strict=True):
        assert (row.method, row.reason) == (want.method, want.reason)
        assert (row.value, row.low, row.high) == (want.value, want.low, want.high)


def test_a_value_that_hangs_on_a_single_sample_is_refused_whatever_rounding_leaves() -> None:
    rng = np.random.default_rng(0)
    for common in (0.0, 0.1, 0.3, 7.0, 1e6 + 0.1):
        for metric in ("R2", "ExplainedVariance", "Pearson"):
            state = State(metric, task="regression", memory=2000)
            true = np.full(N, common)
            true[-1] += 1
            _fill(state, {"y_true": true, "y_pred": rng.normal(common, 0.3, N)})
            with pytest.raises(certus.DataError, match="it hangs on a single sample"):
                state.evaluate()
