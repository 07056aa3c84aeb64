"""KS of samples that count alike: what the terms of all samples give, from four counts."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.classification import ks
from certus.core.kernels import ScoreMetric
from certus.data import Scores
from certus.inference import Estimate
from certus.metrics.classification._thresholds import distance, distance_caution, effective
from certus.metrics.classification.score_forms import linear
from certus.statistic.influence import Maximum, extended


def of_all_samples(scores: Scores, *, either_side: bool) -> Estimate:
    """The form from what each sample adds, an array of all of them."""
    form = partial(linear, scores, metric=ScoreMetric.ks(either_side), stratified=True)
    found = form(
        partial(distance, either_side, None), caution=partial(distance_caution, scores, either_side=either_side)
    )
    found = extended(
        found, Maximum, samples=len(scores), rival=lambda: form(partial(distance, either_side, effective(scores)))
    )
    return Estimate(found, "KS", (0.0, 1.0))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 300),
    st.sampled_from([-0.3, 0.0, 0.3, 2.0]),
    st.sampled_from([1, 16]),
    st.booleans(),
)
def test_the_interval_is_that_of_the_terms_of_all_samples(
    seed: int, n: int, shift: float, digits: int, one_sided: bool
) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    score = np.round(shift * truth + 0.7 * rng.random(n), digits)
    found = ks(truth, score, one_sided=one_sided)
    expected = of_all_samples(Scores.from_arrays(truth, score), either_side=not one_sided)
    assert (found.value, found.n) == (expected.value, expected.n)
    one, other = found.interval(), expected.interval()
    assert (one.method, one.reason) == (other.method, other.reason)
    assert [one.low, one.high] == pytest.approx([other.low, other.high], rel=1e-12, abs=1e-12, nan_ok=True)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=1e-12, abs=1e-12, nan_ok=True)
    if n > 20 and not math.isnan(one.low):
        assert found.interval(method="bca").low == expected.interval(method="bca").low
