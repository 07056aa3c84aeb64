"""Quantiles of more values than memory, sorted in a file: those of values in memory."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from insides import in_a_file
from state_columns import assert_same, of_batches

import certus
from certus.states import State
from certus.statistic import Quantile


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, width=32), min_size=1, max_size=40),
    st.floats(0, 1) | st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.95]),
)
@example([math.inf], 0.0)
@example([1.0, math.inf], 0.5)
@example([-math.inf, 1.0], 0.5)
@example([1.0, math.inf, math.inf], 0.95)
def test_a_quantile_of_sorted_values_is_numpys(values: list[float], q: float) -> None:
    found, expected = Quantile.of_sorted(np.sort(values), q), Quantile(np.array(values), q)
    with np.errstate(invalid="ignore"):  # midway between infinities
        assert found.value == pytest.approx(expected.value, rel=0, abs=0, nan_ok=True)
    assert (found.n, found.reason) == (expected.n, expected.reason)


def test_a_median_between_a_number_and_infinity_is_infinite_in_memory_with_weights_and_in_a_file() -> None:
    for values, median in (([1.0, math.inf], math.inf), ([-math.inf, 1.0], -math.inf), ([1, 2, math.inf], 2)):
        found = [Quantile(np.array(values), 0.5), Quantile(np.array(values), 0.5, weights=np.ones(len(values)))]
        assert [each.value for each in (*found, Quantile.of_sorted(np.array(values), 0.5))] == [median] * 3


def columns_of(task: str, rng: np.random.Generator, n: int, *, rounded: bool) -> dict[str, Any]:
    true, noise = np.abs(rng.normal(size=n)), rng.normal(size=n)
    if rounded:
        true, noise = np.round(true, 1), np.round(noise, 1)
    return {"y_true": true, "y_pred": true + noise} if task == "regression" else {"values": true}


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(["regression", "values"]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
    st.integers(80, 300),
    st.sampled_from([1, 1000]),
)
def test_no_partition_order_or_limit_changes_a_digit_of_a_quantile(
    task: str, rounded: bool, seed: int, n: int, memory: int
) -> None:
    rng = np.random.default_rng(seed)
    columns = columns_of(task, rng, n, rounded=rounded)
    metrics = {"regression": ["MedAE", "MaxError", "MAE", "Pearson"], "values": ["Median", "Mean"]}[task]
    state = of_batches(metrics, columns, 7, seed, memory, task=task)
    assert in_a_file(state).spill() or memory > 1
    expected = State(metrics, task=task, rows=True)
    expected.update(**columns)
    assert_same(state.evaluate(), expected.evaluate())


def test_quantiles_of_timings_are_those_of_all_timings() -> None:
    times = np.random.default_rng(1).lognormal(size=500)
    state = State(["Latency(q=0.95)", "Latency(q=0.5)", "MeanLatency"], task="efficiency", memory=1, units="ms")
    for part in np.array_split(times, 9):
        state.update(part)
    expected = certus.evaluate(
        times, None, ["Latency(q=0.95)", "Latency(q=0.5)", "MeanLatency"], task="efficiency", units="ms"
    )
    for row, want in zip(state.evaluate(), expected, strict=True):
        assert (row.value, row.method) == (want.value, want.method)
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12)


@pytest.mark.parametrize("n", [2, 50, 3000])
@pytest.mark.parametrize("q", [0.01, 0.5, 0.99])
def test_values_without_a_chance_do_not_change_the_standard_error(n: int, q: float) -> None:
    from scipy.special import betainc

    from certus.inference.intervals.quantile import standard_error

    values = np.sort(np.random.default_rng(n).lognormal(size=n))
    chances = np.diff(betainc((n + 1) * q, (n + 1) * (1 - q), np.arange(n + 1) / n))
    expected = np.sqrt(chances @ (values - chances @ values) ** 2)
    assert standard_error(Quantile(values, q)) == pytest.approx(expected, rel=1e-12)


def fill(state: State, columns: dict[str, Any]) -> None:
    for part in np.array_split(np.arange(200), 20):
        state.update(**{name: column[part] for name, column in columns.items()})


def test_other_quantiles_are_refused() -> None:
    for metric, task, columns in (
        (
            "MedAE(multioutput='raw_values')",
            "regression",
            {"y_true": np.arange(200.0), "y_pred": np.arange(200.0) ** 2},
        ),
        ("Latency(q=0.5, interpolation='linear')", "efficiency", {"timings": np.arange(200.0)}),
    ):
        state = State(metric, task=task, memory=500)
        with pytest.raises(certus.DataError, match=r"the rows do not fit into 500 bytes of memory"):
            fill(state, columns)
