"""The H-measure."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

from certus.classification import h_measure
from certus.statistic import Plugin

SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=12).filter(
    lambda samples: 0 < sum(y for y, _ in samples) < len(samples)
)


def by_definition(samples: list[tuple[bool, int]], a: float, b: float) -> float:
    """For each cost the least loss over all thresholds, integrated by quadrature."""
    n = len(samples)
    thresholds = [*{s for _, s in samples}, 4]
    points = [
        (sum(not y for y, s in samples if s >= t) / n, sum(y for y, s in samples if s < t) / n) for t in thresholds
    ]
    positives = sum(y for y, _ in samples) / n
    # The least loss has a kink wherever two thresholds lose alike.
    kinks = sorted({miss / (miss + false) for false, miss in _differences(points)} | {positives})
    least = quad(lambda c: min(c * f + (1 - c) * m for f, m in points) * beta.pdf(c, a, b), 0, 1, points=kinks)[0]
    trivial = quad(lambda c: min(c * (1 - positives), (1 - c) * positives) * beta.pdf(c, a, b), 0, 1, points=kinks)[0]
    return float(1 - least / trivial)


def _differences(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(abs(f - g), abs(m - k)) for f, m in points for g, k in points if f != g]


@settings(max_examples=40, deadline=None)
@given(SAMPLES)
def test_the_value_is_the_loss_saved_over_all_costs(samples: list[tuple[bool, int]]) -> None:
    truth, score = [y for y, _ in samples], [s for _, s in samples]
    assert h_measure(truth, score).value == pytest.approx(by_definition(samples, 2, 2), abs=1e-7)
    share = sum(truth) / len(truth)
    found = h_measure(truth, score, prior="hand-anagnostopoulos").value
    assert found == pytest.approx(by_definition(samples, 1 + share, 2 - share), abs=1e-7)


@pytest.mark.parametrize("prior", ["hand", "hand-anagnostopoulos"])
def test_perfect_constant_and_reversed_scores_are_exact(prior: Any) -> None:
    truth = np.arange(1000) >= 300
    for weights in (None, np.linspace(0.1, 2, 1000)):
        assert h_measure(truth, truth, prior=prior, sample_weight=weights).value == 1
        assert h_measure(truth, np.ones(1000), prior=prior, sample_weight=weights).value == 0
        assert h_measure(truth, ~truth, prior=prior, sample_weight=weights).value == 0


def test_the_prior_of_2014_weighs_the_rarer_class_more() -> None:
    # One positive in ten; whoever finds it among the first two is better off if missing it is what costs.
    truth, score = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], np.arange(10, 0, -1)
    symmetric = h_measure(truth, score).value
    assert h_measure(truth, score, prior="hand-anagnostopoulos").value > symmetric


def test_one_class_is_undefined() -> None:
    assert h_measure([1, 1], [0.1, 0.2]).why == "the metric is undefined for these data"
    assert h_measure([0, 0], [0.1, 0.2], undefined=0.0).value == 0
    assert h_measure([], []).why == "there are no samples"


@pytest.mark.parametrize("prior", ["hand", "hand-anagnostopoulos"])
def test_replicates_are_those_of_the_function(prior: Any) -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(50) < 0.5
    score = rng.integers(0, 9, 50) + 4 * truth
    statistic = h_measure(truth, score, prior=prior).statistic
    assert isinstance(statistic, Plugin)
    assert statistic.resample is not None
    fast = statistic.resample(3000, 1, False)
    slow = [
        statistic.function(statistic.rows, rng.multinomial(50, np.full(50, 0.02)).astype(np.float64))
        for _ in range(3000)
    ]
    assert np.nanmean(fast) == pytest.approx(np.nanmean(slow), rel=0.05)
    assert np.nanstd(fast) == pytest.approx(np.nanstd(slow), rel=0.08)
