"""`exact=False`: limits from bounded memory that hold the values of all data, whatever the batches."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import certus
from certus.metrics import parse
from certus.metrics.state_kinds import Order
from certus.states import State, _cells

METRICS = ["AUC", "AP", "KS"]
FEW = 24


def values_of(truth: Any, score: Any) -> dict[str, float]:
    table = certus.evaluate(truth, None, METRICS, y_score=score, task="classification")
    return {row.metric: row.value for row in table}


def state_of(truth: Any, score: Any, parts: int, seed: int = 0) -> State:
    """The state of some batches in another order, each of which was rounded by itself, sent and merged."""
    order = np.random.default_rng(seed).permutation(len(truth))
    whole = State(METRICS, exact=False)
    for index in np.array_split(order, parts):
        one = State(METRICS, exact=False)
        one.update(np.asarray(truth)[index], score=np.asarray(score)[index])
        whole.merge(State.from_bytes(one.to_bytes()))
    return whole


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(30, 120),
    power=st.sampled_from([-60, -3, 0, 3, 300]),
    width=st.sampled_from([np.float32, np.float64]),
)
def test_the_values_of_all_data_lie_within_and_no_partition_changes_a_digit(
    seed: int, n: int, power: int, width: type
) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    scale = 10.0 ** min(power, 30 if width is np.float32 else power)
    score: NDArray[Any] = ((rng.normal(size=n) + truth * rng.random()) * scale).astype(width)
    score[rng.random(n) < 0.1] = rng.choice([0.0, -0.0, np.inf, -np.inf])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cells, "MAX_PAIRS", FEW)
        states = [state_of(truth, score, parts, seed) for parts in (1, 3, 8)]
        assert len({state.to_bytes() for state in states}) == 1
        bounds = states[0].bounds()
        assert states[1].bounds() == bounds
    for metric, value in values_of(truth, score).items():
        low, high = bounds[metric]
        assert low <= value <= high


def _limits_of(name: str) -> Any:
    kind = parse(name, task="classification").state
    assert isinstance(kind, Order)
    return kind.limits


def test_bounds_are_those_of_every_order_within_the_cells() -> None:
    rng = np.random.default_rng(3)
    for _ in range(2):
        cells, truth = np.sort(rng.integers(0, 3, 6)), rng.integers(0, 2, 6)
        truth[0], truth[-1] = 1, 0
        found: dict[str, list[float]] = {name: [] for name in METRICS}
        for within in itertools.product(range(3), repeat=6):
            for name, value in values_of(truth, cells * 10 + np.array(within)).items():
                found[name].append(value)
        steps = np.arange(3)[::-1]
        positive, negative = (
            np.array([float(((cells == cell) & (truth == label)).sum()) for cell in steps]) for label in (1, 0)
        )
        for name, values in found.items():
            low, high = _limits_of(name)(positive, negative)
            assert low <= min(values) + 1e-12
            assert max(values) <= high + 1e-12
            if name != "AP":
                assert [low, high] == pytest.approx([min(values), max(values)], abs=1e-12)
            else:
                assert high == pytest.approx(max(values), abs=1e-12)


def test_memory_is_bounded_and_bounds_are_narrow() -> None:
    rng = np.random.default_rng(1)
    state = State(METRICS, exact=False)
    truths, scores = [], []
    for _ in range(4):
        truth = rng.integers(0, 2, 50_000)
        score = 1 / (1 + np.exp(-rng.normal(size=50_000) - truth))
        state.update(truth, score=score)
        truths.append(truth)
        scores.append(score)
    assert len(state.to_bytes()) < 131_072 * 10 + 1_000
    values = values_of(np.concatenate(truths), np.concatenate(scores))
    for metric, (low, high) in state.bounds().items():
        assert low <= values[metric] <= high
        assert high - low < 1e-3
    for refused in (state.evaluate, state.columns):
        with pytest.raises(certus.DataError, match="scores were rounded, as exact=False asks for; bounds gives limits"):
            refused()


def test_few_scores_are_not_rounded() -> None:
    truth, score = [1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]
    state = State("AUC", exact=False)
    state.update(truth, score=score)
    (row,) = state.evaluate()
    assert row.value == 0.875
    assert state.bounds() == {"AUC": (0.875, 0.875)}


def test_one_class_has_no_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cells, "MAX_PAIRS", 4)
    state = State("AUC", exact=False)
    state.update([1] * 9, score=np.linspace(0.1, 0.9, 9))
    low, high = state.bounds()["AUC"]
    assert np.isnan([low, high]).all()


def test_what_has_no_bounds_is_refused() -> None:
    for metrics in ("F1", None, ["AUC", "LogLoss"], "AUC(max_fpr=0.1)"):
        with pytest.raises(certus.MetricNameError, match="exact=False gives bounds of AP, AUC, KS, not of"):
            State(metrics, exact=False)
    with pytest.raises(certus.MetricNameError, match="keeps all scores"):
        State("AUC", exact=False, rows=True)
    state = State("AUC", exact=False)
    with pytest.raises(certus.DataError, match="exact=False is for y_true and one column of y_score, not for"):
        state.update([1, 0], score=[0.9, 0.1], groups=["a", "b"])
    with pytest.raises(certus.DataError, match="bounds are of a state made with exact=False that has samples"):
        state.bounds()
    exact = State("AUC")
    exact.update([1, 0], score=[0.9, 0.1])
    with pytest.raises(certus.DataError, match="bounds are of a state made with exact=False"):
        exact.bounds()
    with pytest.raises(certus.DataError, match="the states differ in exact"):
        exact.merge(state)
