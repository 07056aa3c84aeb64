"""The H-measure."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

from certus.classification import h_measure
from certus.statistic import Influence

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


@settings(max_examples=20, deadline=None)
@given(SAMPLES)
def test_the_value_is_the_loss_saved_over_all_costs(samples: list[tuple[bool, int]]) -> None:
    truth, score = [y for y, _ in samples], [s for _, s in samples]
    assert h_measure(truth, score).value == pytest.approx(by_definition(samples, 2, 2), abs=1e-7)
    share = sum(truth) / len(truth)
    found = h_measure(truth, score, prior="hand-anagnostopoulos").value
    assert found == pytest.approx(by_definition(samples, 1 + share, 2 - share), abs=1e-7)
    found = h_measure(truth, score, prior="hmeasure").value
    assert found == pytest.approx(by_definition(samples, 2, 1 / share), abs=1e-7)


# h_score(y, s, severity_ratio=...) of hmeasure 0.1.6, a translation of the R package of Anagnostopoulos & Hand, with
# ratio 1, -1 (its way to ask for the prior of 2014) and its default. R2's ten clients, and fewer positives with a tie.
SCORES = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
REFERENCE = [
    ([1, 1, 0, 1, 1, 1, 0, 1, 0, 0], SCORES, "hand", 0.4907174059139787),
    ([1, 1, 0, 1, 1, 1, 0, 1, 0, 0], SCORES, "hand-anagnostopoulos", 0.4818977027691974),
    ([1, 1, 0, 1, 1, 1, 0, 1, 0, 0], SCORES, "hmeasure", 0.48367946906305226),
    ([1, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0.9, *SCORES[:1], *SCORES[2:]], "hand", 0.32650862068965536),
    ([1, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0.9, *SCORES[:1], *SCORES[2:]], "hand-anagnostopoulos", 0.42845380671895217),
    ([1, 0, 0, 1, 0, 0, 0, 0, 0, 0], [0.9, *SCORES[:1], *SCORES[2:]], "hmeasure", 0.5429085214757707),
]


@pytest.mark.parametrize(("truth", "score", "prior", "expected"), REFERENCE)
def test_values_are_those_of_the_package_hmeasure(truth: Any, score: Any, prior: Any, expected: float) -> None:
    assert h_measure(truth, score, prior=prior).value == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("prior", ["hand", "hand-anagnostopoulos", "hmeasure"])
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
    assert h_measure([1, 1], [0.1, 0.2]).reason == "there are no negatives"
    assert h_measure([0, 0], [0.1, 0.2]).reason == "there are no positives"
    assert h_measure([0, 0], [0.1, 0.2], undefined=0.0).value == 0
    assert h_measure([], []).reason == "there are no samples"


@pytest.mark.parametrize("draws", [1000, pytest.param(3000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("prior", ["hand", "hand-anagnostopoulos"])
def test_replicates_are_those_of_the_function(prior: Any, draws: int) -> None:
    rng = np.random.default_rng(3)
    truth = rng.random(50) < 0.5
    score = rng.integers(0, 9, 50) + 4 * truth
    statistic = h_measure(truth, score, prior=prior).statistic
    assert isinstance(statistic, Influence)
    assert statistic.resample is not None
    fast = statistic.resample(3000, 1, False)
    drawn = rng.multinomial(50, np.full(50, 0.02), draws)
    slow = [h_measure(truth, score, prior=prior, sample_weight=draw).value for draw in drawn]
    assert np.nanmean(fast) == pytest.approx(np.nanmean(slow), rel=0.05)
    assert np.nanstd(fast) == pytest.approx(np.nanstd(slow), rel=0.08)


def test_a_spread_that_only_rounding_leaves_is_none() -> None:
    found = h_measure([0, 1, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6], sample_weight=[1e9, 1e-9, 1e9, 1e9, 1e9, 1e9])
    assert found.value == 0.0
    assert "no interval: the units do not vary" in str(found)
