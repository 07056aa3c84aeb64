"""Metrics of two clusterings: by hand, by their definitions, and against scikit-learn's values."""

import math
from typing import Any

import numpy as np
import pytest
from clustering_oracles import entropies, expected_exact, pairs_exact
from crossed import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

from certus import DataError, clustering
from certus.metrics import Metric

TRUE, PRED = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
AVERAGES = ("arithmetic", "geometric", "min", "max")
AGREEMENT = (
    clustering.rand,
    clustering.adjusted_rand,
    clustering.normalized_mutual_info,
    clustering.adjusted_mutual_info,
    clustering.homogeneity,
    clustering.completeness,
    clustering.v_measure,
    clustering.purity,
)


@st.composite
def two_clusterings(draw: Any) -> tuple[list[int], list[int]]:
    n = draw(st.integers(1, 25))
    columns = [draw(st.lists(st.integers(0, draw(st.integers(0, 6))), min_size=n, max_size=n)) for _ in range(2)]
    return columns[0], columns[1]


def test_pairs_by_hand() -> None:
    # {1,2} and {5,6} are together in both; {3,4} in the prediction only; {1,3}, {2,3}, {4,5}, {4,6} in the truth only.
    pairs = clustering.pair_confusion(TRUE, PRED)
    assert (pairs.tn, pairs.fp, pairs.fn, pairs.tp) == (8, 1, 4, 2)
    assert pairs.ordered.tolist() == [[16, 2], [8, 4]]
    assert {name: each.value for name, each in pairs.shares.items()} == pytest.approx(
        {"tn": 8 / 15, "fp": 1 / 15, "fn": 4 / 15, "tp": 2 / 15}
    )
    assert clustering.rand(TRUE, PRED).value == 10 / 15  # R2: pairs alike in both, over all pairs
    # R2: (RI - E[RI]) / (max(RI) - E[RI]); of 15 pairs 6 and 3 are together, so 6 * 3 / 15 in both by chance.
    by_chance = (1.2 + (15 - 6 - 3 + 1.2)) / 15
    assert clustering.adjusted_rand(TRUE, PRED).value == pytest.approx((10 / 15 - by_chance) / (1 - by_chance))
    assert clustering.fowlkes_mallows(TRUE, PRED).value == pytest.approx(2 / math.sqrt(3 * 6))
    assert clustering.purity(TRUE, PRED).value == 5 / 6


def test_entropies_by_hand() -> None:
    # R2's definitions: cells 2/6, 1/6, 1/6, 2/6; rows 1/2; columns 1/3.
    mutual = 2 * (1 / 3 * math.log((1 / 3) / (1 / 6)) + 1 / 6 * math.log((1 / 6) / (1 / 6)))
    true, pred = math.log(2), math.log(3)
    assert clustering.mutual_info(TRUE, PRED).value == pytest.approx(mutual, rel=1e-15)
    found = {way: untyped(clustering.normalized_mutual_info)(TRUE, PRED, average_method=way).value for way in AVERAGES}
    scales = {"arithmetic": (true + pred) / 2, "geometric": math.sqrt(true * pred), "min": true, "max": pred}
    assert found == pytest.approx({way: mutual / scale for way, scale in scales.items()}, rel=1e-14)
    # The default normaliser is the arithmetic mean.
    assert clustering.normalized_mutual_info(TRUE, PRED).value == found["arithmetic"]
    assert clustering.homogeneity(TRUE, PRED).value == pytest.approx(mutual / true, rel=1e-14)
    assert clustering.completeness(TRUE, PRED).value == pytest.approx(mutual / pred, rel=1e-14)
    h, c = mutual / true, mutual / pred
    for beta in (0.0, 0.5, 1.0, 3.0):
        expected = (1 + beta) * h * c / (beta * h + c)
        assert clustering.v_measure(TRUE, PRED, beta=beta).value == pytest.approx(expected, rel=1e-14)
    assert clustering.variation_of_information(TRUE, PRED).value == pytest.approx(true + pred - 2 * mutual, rel=1e-14)
    by_chance = float(expected_exact([3, 3], [2, 2, 2]))
    assert clustering.expected_mutual_information(TRUE, PRED) == pytest.approx(by_chance, rel=1e-14)
    adjusted = {way: untyped(clustering.adjusted_mutual_info)(TRUE, PRED, average_method=way).value for way in AVERAGES}
    wanted = {way: (mutual - by_chance) / (scale - by_chance) for way, scale in scales.items()}
    assert adjusted == pytest.approx(wanted, rel=1e-12)  # "max" is R2's


@settings(max_examples=40)
@given(two_clusterings())
def test_metrics_are_what_their_definitions_say(data: tuple[list[int], list[int]]) -> None:
    true, pred = data
    tn, fp, fn, tp = pairs_exact(true, pred)
    pairs = clustering.pair_confusion(true, pred)
    assert (pairs.tn, pairs.fp, pairs.fn, pairs.tp) == (tn, fp, fn, tp)
    if len(true) > 1:
        assert clustering.rand(true, pred).value == (tp + tn) / (tp + tn + fp + fn)
    if tp + fp and tp + fn:
        assert clustering.fowlkes_mallows(true, pred).value == pytest.approx(
            tp / math.sqrt((tp + fp) * (tp + fn)), rel=1e-15
        )
    mutual, first, second = map(float, entropies(true, pred))
    assert clustering.mutual_info(true, pred).value == pytest.approx(mutual, rel=1e-13, abs=1e-16)
    if first + second:
        assert clustering.v_measure(true, pred).value == pytest.approx(2 * mutual / (first + second), abs=1e-14)
    vi = first + second - 2 * mutual
    assert clustering.variation_of_information(true, pred).value == pytest.approx(vi, rel=1e-13, abs=1e-14)


@settings(max_examples=examples(15, 40))
@given(two_clusterings())
def test_values_are_those_of_scikit_learn(data: tuple[list[int], list[int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    for ours, theirs in (
        (clustering.rand, metrics.rand_score),
        (clustering.adjusted_rand, metrics.adjusted_rand_score),
        (clustering.fowlkes_mallows, metrics.fowlkes_mallows_score),
        (clustering.mutual_info, metrics.mutual_info_score),
        (clustering.normalized_mutual_info, metrics.normalized_mutual_info_score),
        (clustering.adjusted_mutual_info, metrics.adjusted_mutual_info_score),
        (clustering.homogeneity, metrics.homogeneity_score),
        (clustering.completeness, metrics.completeness_score),
    ):
        assert ours(*data).value == pytest.approx(theirs(*data), abs=1e-12), ours


@pytest.mark.parametrize("metric", AGREEMENT, ids=str)
@settings(max_examples=15)
@given(labels=st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_clusterings_that_are_the_same_score_exactly_1(metric: Metric, labels: list[int]) -> None:
    other = [f"cluster {7 - label}" for label in labels]
    assert metric(labels, other).value == 1.0
    assert clustering.variation_of_information(labels, other).value == 0.0
    for way in AVERAGES:
        if "average_method" in metric.parameters:
            assert metric(labels, other, average_method=way).value == 1.0


@pytest.mark.parametrize("average", AVERAGES)
def test_single_samples_and_a_single_cluster_tell_exactly_nothing_beyond_chance(average: Any) -> None:
    alone, one = list(range(12)), [0] * 12
    some = [0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4]
    for true, pred in ((alone, some), (some, alone), (one, some), (some, one), (alone, one), (one, alone)):
        assert clustering.adjusted_mutual_info(true, pred, average_method=average).value == 0.0
    for same in (alone, one):
        assert clustering.adjusted_mutual_info(same, same, average_method=average).value == 1.0
    assert clustering.normalized_mutual_info(one, some, average_method=average).value == 0.0
    assert clustering.mutual_info(one, some).value == 0.0


def test_fowlkes_mallows_of_single_samples_is_a_convention() -> None:
    alone, together = [0, 1, 2, 3], [0, 0, 0, 0]
    assert clustering.fowlkes_mallows(alone, alone).value == 0.0
    assert clustering.fowlkes_mallows(alone, alone, undefined=1.0).value == 1.0
    assert clustering.fowlkes_mallows(together, together).value == 1.0
    undefined = clustering.fowlkes_mallows(together, alone, undefined="nan")
    assert math.isnan(undefined.value)
    assert undefined.reason == "no two samples are together in the prediction"


def test_one_sample_and_none() -> None:
    for metric in AGREEMENT:
        assert metric([3], ["x"]).value == 1.0
        assert metric([], []).reason == "there are no samples"
    assert clustering.pair_confusion([1], [2]).shares["tp"].reason == "there are no pairs of samples"


def test_pairs_of_a_billion_samples_are_exact() -> None:
    half = 10**9
    table = [[half - 1, 1], [0, half]]
    pairs = clustering.pair_confusion(contingency=table)
    n = 2 * half
    tp = math.comb(half - 1, 2) + math.comb(half, 2)
    assert pairs.tp == tp
    assert pairs.tp + pairs.fn == 2 * math.comb(half, 2)
    assert pairs.tn + pairs.fp + pairs.fn + pairs.tp == math.comb(n, 2)
    wrong = pairs.fp + pairs.fn
    assert clustering.rand(contingency=table).value == 1 - wrong / math.comb(n, 2)
    assert clustering.rand(contingency=[[4 * 10**9, 0], [0, 4 * 10**9]]).value == 1.0
    assert clustering.pair_confusion(contingency=[[4 * 10**9, 0], [0, 4 * 10**9]]).ordered.dtype == object
    big = clustering.fowlkes_mallows(contingency=[[4 * 10**9, 1], [2, 4 * 10**9]]).value
    # Three samples of 8e9 are not where the others are: 1 - big is 3 / 4e9 to first order.
    assert big == pytest.approx(1 - 3 / (4 * 10**9), rel=1e-15)


def test_nearly_independent_clusterings_share_what_is_computed_to_the_last_digits() -> None:
    import mpmath

    for half in (500_000_000, 500_000_000_000):
        more, less = half // 2 + 1, half // 2 - 1
        with mpmath.workdps(60):
            n = mpmath.mpf(2 * half)
            exact = sum(2 * c / n * mpmath.log(c * n / mpmath.mpf(half) ** 2) for c in (more, less))
        found = clustering.mutual_info(contingency=[[more, less], [less, more]]).value
        assert found == pytest.approx(float(exact), rel=1e-12)
    assert clustering.mutual_info(contingency=[[6, 4], [3, 2]]).value == 0.0


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([3, 4, 5], [6, 6]),
        ([1, 1, 1, 997], [500, 500]),
        ([999, 1], [5, 995]),
        ([100, 200, 300], [20, 30, 250, 300]),
        ([1] * 50 + [150], [10] * 20),
        ([40, 60, 1900], [7, 13, 1980]),
    ],
)
def test_expected_information_is_right_to_12_digits(rows: list[int], columns: list[int]) -> None:
    first, second = (np.repeat(np.arange(len(sizes)), sizes) for sizes in (rows, columns))
    found = clustering.expected_mutual_information(first, second)
    assert found == pytest.approx(float(expected_exact(rows, columns)), rel=1e-13)


def test_expected_information_of_a_million_samples_is_right_to_12_digits() -> None:
    import mpmath

    rows, columns = [998_990, 1000, 10], [600_000, 400_000]
    n = sum(rows)
    with mpmath.workdps(40):
        exact = mpmath.mpf(0)
        for a in rows:
            for b in columns:
                mean = mpmath.mpf(a) * b / n
                spread = mpmath.sqrt(mean) + 1
                low, high = max(1, a + b - n, int(mean - 12 * spread)), min(a, b, int(mean + 12 * spread) + 40)
                parts = (a, b, n - a, n - b)
                gone = (n, low, a - low, b - low, n - a - b + low)
                log = sum(mpmath.loggamma(x + 1) for x in parts) - sum(mpmath.loggamma(x + 1) for x in gone)
                chance = mpmath.exp(log)
                for k in range(low, high + 1):
                    exact += mpmath.mpf(k) / n * mpmath.log(mpmath.mpf(n) * k / (a * b)) * chance
                    chance *= mpmath.mpf((a - k) * (b - k)) / ((k + 1) * (n - a - b + k + 1))
    first, second = (np.repeat(np.arange(len(sizes)), sizes) for sizes in (rows, columns))
    assert clustering.expected_mutual_information(first, second) == pytest.approx(float(exact), rel=1e-12)


def test_weights_count_samples_several_times() -> None:
    rng = np.random.default_rng(3)
    true, pred = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    times = rng.integers(0, 4, 60)
    again = np.repeat(np.arange(60), times)
    for metric in (*AGREEMENT, clustering.mutual_info, clustering.variation_of_information):
        if not metric.weighted:
            with pytest.raises(DataError, match=f"^{metric.name} does not apply to weighted samples"):
                untyped(metric)(true, pred, sample_weight=times)
            continue
        weighted = untyped(metric)(true, pred, sample_weight=times)
        assert weighted.value == pytest.approx(metric(true[again], pred[again]).value, rel=1e-12)
        assert weighted.n == (times > 0).sum()
