"""Two scores on the same samples."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from certus import DataError, MetricNameError
from certus.entry import compare
from certus.inference import paired_scores

Floats = np.ndarray


def placements(positives: Floats, negatives: Floats) -> tuple[Floats, Floats]:
    """Part of the other class that each sample wins against, pair by pair."""
    won = np.array([[1.0 if p > n else 0.5 if p == n else 0.0 for n in negatives] for p in positives])
    return won.mean(1), won.mean(0)


def delong(y: Floats, a: Floats, b: Floats) -> tuple[float, float, float]:
    """Difference, standard error and Satterthwaite's degrees of freedom."""
    of_a, of_b = (placements(s[y == 1], s[y == 0]) for s in (a, b))
    shares = [(one - other).var(ddof=1) / len(one) for one, other in zip(of_a, of_b, strict=True)]
    difference = of_a[0].mean() - of_b[0].mean()
    total = sum(shares)
    freedom = total**2 / sum(s**2 / (len(p) - 1) for s, p in zip(shares, of_a, strict=True)) if total else math.nan
    return difference, math.sqrt(total), freedom


def average_precision(y: Floats, s: Floats, w: Floats) -> float:
    value = 0.0
    for j in np.flatnonzero(y == 1):
        above = s >= s[j]
        value += w[j] * (w * y * above).sum() / (w * above).sum()
    return float(value / (w * y).sum())


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8),
)
def test_areas_are_compared_as_delong_did_pair_by_pair(
    positives: list[tuple[int, int]], negatives: list[tuple[int, int]]
) -> None:
    y = np.array([1] * len(positives) + [0] * len(negatives))
    a, b = np.array(positives + negatives, dtype=float).T
    value, error, freedom = delong(y, a, b)
    found = paired_scores(y, a, b)
    assert found.difference.value == pytest.approx(value, abs=1e-12)
    if error > 1e-9:
        assert found.difference.standard_error == pytest.approx(error, rel=1e-9)
        assert found.p == pytest.approx(2 * stats.t.sf(abs(value) / error, freedom), rel=1e-7)
    elif abs(value) < 1e-12:
        assert found.p == 1.0


def test_average_precisions_have_the_error_of_small_changes_of_weight() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], (12, 30))
    a, b = rng.normal(size=42) + 1.5 * y, np.round(rng.normal(size=42) + y, 1)
    slopes = np.empty(42)
    for i in range(42):
        step = np.zeros(42)
        step[i] = 1e-5
        up, down = (
            average_precision(y, a, 1 + sign * step) - average_precision(y, b, 1 + sign * step) for sign in (1, -1)
        )
        slopes[i] = (up - down) / 2e-5
    shares = []
    for label in (1, 0):
        mine = slopes[y == label]
        values = len(mine) * (mine - mine.mean())
        shares.append(values.var(ddof=1) / len(mine))
    found = paired_scores(y, a, b, "average_precision")
    ones = np.ones(42)
    assert found.difference.value == pytest.approx(average_precision(y, a, ones) - average_precision(y, b, ones))
    assert found.difference.standard_error == pytest.approx(math.sqrt(sum(shares)), rel=1e-5)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_scores_that_order_alike_differ_by_exactly_0_with_p_1(metric: str) -> None:
    rng = np.random.default_rng(2)
    y, s = rng.integers(0, 2, 50), rng.normal(size=50)
    for other in (s, np.exp(s), 3 * s - 7):
        for side in ("two-sided", "greater", "less"):
            found = paired_scores(y, s, other, metric, alternative=side)  # type: ignore[arg-type]
            assert (found.difference.value, found.p) == (0.0, 1.0)
    perfect = paired_scores([1, 1, 0, 0], [4, 3, 2, 1], [9, 8, 1, 1], metric)  # type: ignore[arg-type]
    assert (perfect.difference.value, perfect.p) == (0.0, 1.0)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_the_bootstrap_draws_both_systems_together(metric: str) -> None:
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], (60, 140))
    a = rng.normal(size=200) + 1.5 * y
    b = a + rng.normal(size=200)
    found = paired_scores(y, a, b, metric)  # type: ignore[arg-type]
    low, high, *_ = found.difference.interval(method="percentile", replicates=4000, stratified=True)
    assert (high - low) / (2 * 1.96) == pytest.approx(found.difference.standard_error, rel=0.12)


def test_groups_are_the_units() -> None:
    rng = np.random.default_rng(4)
    y = np.tile([1, 0, 0], 20)
    a, b = rng.normal(size=(2, 60)) + y
    groups = np.repeat(np.arange(20), 3)
    found = paired_scores(y, a, b, groups=groups)
    assert (found.difference.n, found.difference.unit) == (20, "group")
    assert found.method_note == "19 degrees of freedom"
    twice = paired_scores(np.repeat(y, 2), np.repeat(a, 2), np.repeat(b, 2), groups=np.repeat(np.arange(60), 2))
    assert twice.difference.standard_error == pytest.approx(
        paired_scores(y, a, b, groups=np.arange(60)).difference.standard_error
    )


def test_the_chance_of_a_false_finding_is_near_its_level() -> None:
    # 300 of the 2,000 repetitions that the docstring reports.
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], (20, 80))
    found = {"roc_auc": 0, "average_precision": 0}
    for _ in range(300):
        shared, one, other = rng.normal(size=(3, 100))
        a, b = (shared + one) / math.sqrt(2) + y, (shared + other) / math.sqrt(2) + y
        for metric in found:
            found[metric] += paired_scores(y, a, b, metric).p <= 0.05  # type: ignore[arg-type]
    assert all(4 <= count <= 30 for count in found.values())


def test_what_is_no_pair_of_scores_is_refused() -> None:
    y, s = [1, 0, 1], [0.1, 0.2, 0.3]
    with pytest.raises(DataError, match="y_true is 2 at index 2"):
        paired_scores([1, 0, 2], s, s)
    with pytest.raises(DataError, match="y_true has no negatives"):
        paired_scores([1, 1, 1], s, s)
    with pytest.raises(DataError, match="y_true has no positives"):
        paired_scores([0, 0, 0], s, s)
    with pytest.raises(DataError, match="y_true has 3 samples but score_b has 2"):
        paired_scores(y, s, s[:2])
    with pytest.raises(DataError, match="score_a is NaN at index 1"):
        paired_scores(y, [0.1, math.nan, 0.3], s)
    with pytest.raises(DataError, match="groups has shape"):
        paired_scores(y, s, s, groups=[1, 2])
    with pytest.raises(DataError, match="y_true has 2 dimensions"):
        paired_scores([y, y], s, s)
    with pytest.raises(DataError, match="score_a has 2 dimensions"):
        paired_scores(y, [s, s], s)
    with pytest.raises(
        MetricNameError, match="no metric of scores is named 'f1'; there are roc_auc, average_precision"
    ):
        paired_scores(y, s, s, "f1")  # type: ignore[arg-type]


def test_groups_of_unequal_size_keep_the_level() -> None:
    # Two equally good systems; without CR2 .08 of these samples had p <= .05.
    found = tested = 0
    for sample in range(400):
        rng = np.random.default_rng(sample)
        groups = np.repeat(np.arange(12), np.maximum(1, np.exp(rng.normal(1.5, 1.1, 12)).astype(int)))
        truth = rng.random(len(groups)) < 0.3
        if not 3 <= truth.sum() <= len(truth) - 3:
            continue
        a, b = (
            truth * (1 + rng.normal(0, 0.6, 12)[groups])
            + 0.5 * rng.normal(size=12)[groups]
            + rng.normal(size=len(truth))
            for _ in range(2)
        )
        tested += 1
        p = paired_scores(truth, a, b, groups=groups).p
        found += p <= 0.05
        (row,) = compare(truth.astype(int), {"a": a, "b": b}, "AUC", task="classification", groups=groups)
        assert row.p == pytest.approx(p, rel=1e-9)
    assert found <= 0.06 * tested


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("scale", [math.inf, 1e308])
def test_scores_beyond_all_sums_have_the_bootstrap_of_their_ranks(method: str, scale: float) -> None:
    y = [1, 1, 0, 0, 1, 0, 1, 0]
    a = np.array([4, 0, 2, 1, 3, 4, -4, 1.0])
    b = np.array([0, 4, 3, -4, 4, 1, 4, 2.0])
    infinite = [np.where(np.abs(scores) == 4, np.copysign(scale, scores), scores) for scores in (a, b)]
    limits = [
        compare(y, {"a": first, "b": second}, "AUC", task="classification", interval=method, seed=3).rows[0]
        for first, second in (infinite, infinite[::-1])
    ]
    assert limits[0].low == pytest.approx(-limits[1].high, abs=1e-12)
    assert limits[0].low < limits[0].difference < limits[0].high
