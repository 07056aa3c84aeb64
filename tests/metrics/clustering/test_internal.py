"""Metrics without any truth: by hand, by their definitions, and where numbers lose digits."""

import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from clustering_oracles import silhouettes
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from untyped import untyped

from certus import DataError, clustering
from certus.data import Clustered


def samples(n: int = 120, clusters: int = 4, width: int = 3, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, clusters, n)
    return rng.normal(size=(n, width)) + 1.5 * labels[:, np.newaxis], labels


def test_silhouette_by_hand() -> None:
    # R2: a is the mean distance to the others of the own cluster, b that to the nearest other cluster.
    x, labels = [[0.0], [1.0], [1.0], [2.0], [3.0], [3.0]], [0, 1, 1, 1, 2, 2]
    assert clustering.silhouette_samples(x, labels).tolist() == [0, 0.5, 0.5, 0, 1, 1]
    assert clustering.silhouette(x, labels).value == 0.5


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "seuclidean", "mahalanobis", "chebyshev"])
def test_silhouette_is_what_its_definition_says(metric: str) -> None:
    x, labels = samples(60, 7)
    labels[labels == 6] = np.where(np.arange((labels == 6).sum()) == 0, 6, 5)  # one sample alone in its cluster
    known = {"manhattan": "cityblock"}.get(metric, metric)
    expected = silhouettes(cdist(x, x, known), labels.tolist())
    assert_allclose(clustering.silhouette_samples(x, labels, metric=metric), expected, atol=1e-13)
    distances = cdist(x, x, known)
    np.fill_diagonal(distances, 0.0)
    assert_allclose(clustering.silhouette_samples(distances, labels, metric="precomputed"), expected, atol=1e-13)
    estimate = clustering.silhouette(x, labels, metric=metric)
    assert estimate.value == pytest.approx(np.mean(expected), abs=1e-13)
    assert estimate.conventions["metric"] == metric


def test_a_function_of_two_samples_is_a_distance() -> None:
    x, labels = samples(30)
    ours = clustering.silhouette_samples(x, labels, metric=lambda u, v: float(np.abs(u - v).max()))
    assert_allclose(ours, clustering.silhouette_samples(x, labels, metric="chebyshev"), atol=1e-14)
    three = clustering.silhouette_samples(x, labels, metric="minkowski", metric_params={"p": 3})
    assert_allclose(three, silhouettes(cdist(x, x, "minkowski", p=3), labels.tolist()), atol=1e-13)


def test_blocks_of_distances_are_those_of_all_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    from certus.metrics.clustering import internal

    x, labels = samples(50)
    whole = clustering.silhouette_samples(x, labels, metric="mahalanobis")
    monkeypatch.setattr(internal, "BLOCK", 150)
    assert_allclose(clustering.silhouette_samples(x, labels, metric="mahalanobis"), whole, rtol=1e-12)
    assert clustering.dunn(x, labels, metric="cityblock").value > 0


def test_dunn_by_definition() -> None:
    x, labels = samples(40, 3)
    distances = cdist(x, x)
    same = labels[:, np.newaxis] == labels
    expected = distances[~same].min() / distances[same].max()
    assert clustering.dunn(x, labels).value == pytest.approx(expected, rel=1e-14)
    assert clustering.dunn(distances * (1 - np.eye(40)), labels, metric="precomputed").value == pytest.approx(expected)
    interval = clustering.dunn(x, labels).interval()
    assert math.isnan(interval.low)
    assert interval.reason == "two pairs of samples alone decide the value"


@pytest.mark.parametrize(
    "metric", [clustering.silhouette, clustering.davies_bouldin, clustering.calinski_harabasz, clustering.dunn], ids=str
)
def test_values_do_not_depend_on_where_the_data_lie(metric: Any) -> None:
    x, labels = samples()
    x = np.round(x * 2**20) / 2**20  # so that the shifted data are the same data
    value = metric(x, labels).value
    assert metric(x + 1e8, labels).value == pytest.approx(value, rel=1e-9)
    assert metric(x + 2.0**26, labels).value == pytest.approx(value, rel=1e-13)
    for scale in (1e-170, 1e170):
        assert metric(x * scale, labels).value == pytest.approx(value, rel=1e-13)


def test_centroids_are_right_to_the_last_digits_wherever_clusters_lie() -> None:
    # Two clusters of width 1, far from 0 and 10^6 times as far apart: both sums are ratios of whole numbers.
    rng = np.random.default_rng(4)
    whole = rng.integers(0, 64, (60, 3)) + np.repeat([[0], [2**26]], 30, axis=0)
    x, labels = whole / 64 + 2.0**30, np.repeat([0, 1], 30)
    rows = [[Fraction(int(v)) for v in row] for row in whole]
    of = [rows[:30], rows[30:]]
    means = [[sum(column) / 30 for column in zip(*half, strict=True)] for half in of]
    middle = [sum(column) / 60 for column in zip(*rows, strict=True)]
    inside = sum(
        (v - m) ** 2
        for half, mean in zip(of, means, strict=True)
        for row in half
        for v, m in zip(row, mean, strict=True)
    )
    between = sum(30 * (a - m) ** 2 for mean in means for a, m in zip(mean, middle, strict=True))
    expected = float(between / (inside / 58))
    assert clustering.calinski_harabasz(x, labels).value == pytest.approx(expected, rel=1e-15)


def test_values_are_those_of_scikit_learn() -> None:
    theirs = pytest.importorskip("sklearn.metrics")
    for seed, clusters in ((0, 2), (1, 5), (2, 40)):
        x, labels = samples(200, clusters, seed=seed)
        assert clustering.silhouette(x, labels).value == pytest.approx(theirs.silhouette_score(x, labels), rel=1e-11)
        assert clustering.davies_bouldin(x, labels).value == pytest.approx(theirs.davies_bouldin_score(x, labels))
        assert clustering.calinski_harabasz(x, labels).value == pytest.approx(theirs.calinski_harabasz_score(x, labels))


@pytest.mark.parametrize("metric", [clustering.davies_bouldin, clustering.calinski_harabasz], ids=str)
def test_influence_values_are_the_derivatives_by_weights(metric: Any) -> None:
    x, labels = samples(40, 3)
    statistic = metric(x, labels).statistic
    (found,) = statistic.influence()
    value = clustering_value(metric)
    step = 1e-5
    for sample in (0, 7, 23):
        weights = np.full(40, 1.0)
        up, down = weights.copy(), weights.copy()
        up[sample] += step
        down[sample] -= step
        slope = (value(x, labels, up) - value(x, labels, down)) / (2 * step)
        assert found[sample] / 40 == pytest.approx(slope, rel=0.06)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "precomputed"])
@pytest.mark.parametrize(("n", "clusters"), [(60, 2), (90, 4)])
def test_the_influence_of_a_sample_on_the_silhouette_is_what_leaving_it_out_does(
    n: int, clusters: int, metric: str
) -> None:
    x, labels = samples(n, clusters, width=2)
    if metric == "precomputed":
        x = cdist(x, x)
    found = influence_of(x, labels, metric=metric)
    others = [np.arange(n) != sample for sample in range(n)]
    rows = [x[np.ix_(kept, kept)] if metric == "precomputed" else x[kept] for kept in others]
    without = np.array(
        [clustering.silhouette(r, labels[kept], metric=metric).value for r, kept in zip(rows, others, strict=True)]
    )
    pseudo = (n - 1) * (without.mean() - without)
    # To first order; and where the nearest other cluster changes it is not smooth.
    assert np.corrcoef(found, pseudo)[0, 1] > 0.999
    assert found.std() == pytest.approx(pseudo.std(), rel=0.03)
    alone = clustering.silhouette_samples(x, labels, metric=metric)
    assert np.abs(found - (alone - alone.mean())).max() > 0.05


def influence_of(*data: Any, **options: Any) -> Any:
    statistic: Any = clustering.silhouette(*data, **options).statistic
    return statistic.influence()[0]


def test_the_influence_is_the_same_by_kernel_and_by_blocks_and_anywhere() -> None:
    x, labels = samples(150, 5)
    labels[labels == 4] = np.where(np.arange((labels == 4).sum()) == 0, 4, 3)  # one alone in its cluster
    kernel = influence_of(x, labels)
    blocks = influence_of(x, labels, metric="minkowski")
    assert_allclose(kernel, blocks, atol=1e-13)
    for scale in (1e-170, 1e170):
        assert_allclose(influence_of(x * scale, labels), kernel, atol=1e-12)


def test_the_interval_of_the_mean_silhouette_covers() -> None:
    def points(n: int, seed: int) -> tuple[Any, Any]:
        rng = np.random.default_rng(seed)
        centres = np.array([[0.0, 0.0], [3.0, 0.0]])
        values = centres[rng.integers(0, 2, n)] + rng.normal(size=(n, 2))
        return values, np.square(values[:, np.newaxis] - centres).sum(-1).argmin(1)

    truth = clustering.silhouette(*points(4000, 10**6)).value
    intervals = [clustering.silhouette(*points(60, seed)).interval() for seed in range(200)]
    covered = np.mean([low <= truth <= high for low, high, *_ in intervals])
    assert 0.90 < covered < 0.99


def clustering_value(metric: Any) -> Any:
    from certus.metrics.clustering import internal

    def value(x: Any, labels: Any, weights: Any) -> float:
        parts = internal.Centroids(x, labels, int(labels.max()) + 1, weights)
        if metric.name == "DaviesBouldin":
            return float(internal.scatter_of(parts).ratios.mean())
        # The influence values are those at the number of samples there is.
        return internal._ratio(parts) / (parts.total - parts.clusters) * (len(x) - parts.clusters)

    return value


def test_what_is_undefined_says_why() -> None:
    x = [[0.0], [1.0], [2.0]]
    for metric in (clustering.silhouette, clustering.davies_bouldin, clustering.calinski_harabasz, clustering.dunn):
        assert metric(x, [1, 1, 1]).reason == "all samples are in one cluster; there must be at least 2"
        assert metric(x, [0, 1, 2]).reason == "each sample is a cluster of its own; one must have at least 2"
        assert metric(np.zeros((0, 2)), []).reason == "there are no samples"
    equal, labels = [[1.0]] * 4, [0, 0, 1, 1]
    assert clustering.silhouette(equal, labels).value == 0.0
    assert clustering.davies_bouldin(equal, labels).reason == "two clusters lie on one point"
    assert clustering.calinski_harabasz(equal, labels).reason == "all samples are equal"
    assert clustering.dunn(equal, labels).reason == "all distances that matter are 0"
    points = [[0.0], [0.0], [3.0], [3.0]]
    assert clustering.calinski_harabasz(points, labels).value == math.inf
    assert clustering.dunn(points, labels).value == math.inf
    assert clustering.davies_bouldin([[-1.0], [1.0], [-1.0], [1.0]], labels).value == math.inf


def test_what_does_not_fit_is_refused() -> None:
    x, labels = samples(10)
    for arguments, message in (
        ({"metric": "euclidian"}, "metric is 'euclidian', which is not a distance; did you mean 'euclidean'"),
        ({"metric": 3}, "metric is 3; it must be the name of a distance or a function of two samples"),
        ({"metric": "jaccard"}, "X must hold 0 and 1 only for the distance 'jaccard'"),
        ({"metric": "haversine"}, "X has 3 columns; haversine distances need latitude and longitude"),
        ({"metric": "precomputed"}, r"X has shape \(10, 3\); precomputed distances have a row and a column per sample"),
        ({"metric": lambda u, v: math.nan}, "distance of samples 0 and 0 is nan; it must be finite"),
        ({"contingency": [[1]]}, "contingency does not apply to Silhouette"),
        ({"sample_weight": labels}, "Silhouette does not apply to weighted samples"),
    ):
        with pytest.raises(DataError, match=message):
            clustering.silhouette(x, labels, **arguments)
    with pytest.raises(DataError, match="X has 10 samples but labels has 9; they must pair up one to one"):
        clustering.dunn(x, labels[:9])
    with pytest.raises(DataError, match="X is NaN at index"):
        clustering.davies_bouldin([[math.nan], [1.0]], [0, 1])
    with pytest.raises(DataError, match="metric is 'cosine'; the Davies-Bouldin index is made of centroids"):
        clustering.davies_bouldin(x, labels, metric="cosine")
    with pytest.raises(DataError, match="X is 1 in row 1, column 1; the distance of a sample from itself must be 0"):
        clustering.silhouette([[0, 1], [1, 1]], [0, 1], metric="precomputed")
    with pytest.raises(DataError, match="X is -1 in row 0, column 1; no distance is below 0"):
        clustering.silhouette([[0, -1], [1, 0]], [0, 1], metric="precomputed")
    with pytest.raises(DataError, match="labels leaves the silhouette undefined"):
        clustering.silhouette_samples(x, np.zeros(10))


def test_prepared_samples_are_taken_as_they_are() -> None:
    x, labels = samples(30)
    data = Clustered.from_arrays(x, labels, metric="cosine")
    assert clustering.silhouette(data).value == clustering.silhouette(x, labels, metric="cosine").value
    with pytest.raises(DataError, match="groups must be given where the Clustered are made"):
        untyped(clustering.silhouette)(data, groups=labels)


def test_groups_widen_intervals_and_leave_values_alone() -> None:
    x, labels = (np.repeat(each, 4, axis=0) for each in samples(40))
    groups = np.repeat(np.arange(40), 4)
    for metric in (clustering.silhouette, clustering.davies_bouldin, clustering.calinski_harabasz):
        plain, grouped = metric(x, labels), metric(x, labels, groups=groups)
        assert grouped.value == pytest.approx(plain.value, rel=1e-12)
        assert (grouped.n, grouped.unit) == (40, "group")
        assert grouped.standard_error == pytest.approx(2 * plain.standard_error, rel=0.05)
        low, high, *_ = grouped.interval(method="bca", replicates=199)
        assert low < grouped.value < high


ROWS = [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [5.0, 1.0], [0.0, 2.0]]
LABELS = [0, 0, 1, 1, 1]


def _below_zero(one: Any, other: Any) -> float:
    return -float(abs(one - other).sum())


def test_a_distance_below_0_is_refused() -> None:
    for metric in (clustering.silhouette, clustering.dunn):
        with pytest.raises(DataError, match=r"the _below_zero distance of samples 0 and 1 is -3; .* at least 0"):
            metric(ROWS, LABELS, metric=_below_zero)


def test_mahalanobis_of_columns_that_follow_from_each_other_says_what_is_wrong() -> None:
    with pytest.raises(DataError, match="the covariance of the columns of X has no inverse"):
        clustering.silhouette([[row[0], 0.0] for row in ROWS], LABELS, metric="mahalanobis")


def test_a_parameter_that_a_distance_does_not_have_is_named() -> None:
    with pytest.raises(DataError, match=r"metric_params \(q\) do not suit the distance 'minkowski'"):
        clustering.silhouette(ROWS, LABELS, metric="minkowski", metric_params={"q": 3})


@pytest.mark.parametrize("name", ["davies_bouldin", "calinski_harabasz"])
def test_resamples_with_an_infinite_value_give_no_warning(name: str) -> None:
    rows = [[x] for x in (0, 0.75, 0.25, 0.5, 0.75, 0.75, 0.5, 0.1, 0)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(clustering, name)(rows, [2, 1, 0, 0, 2, 1, 2, 0, 2])
        assert found.interval(method="bca", replicates=300).level == 0.95


def test_a_single_cluster_does_not_tell_how_far_the_value_can_be_off() -> None:
    one = [0] * 30
    for metric in (clustering.purity, clustering.fowlkes_mallows):
        interval = metric(one, one).interval()
        assert not interval.defined
        assert interval.reason == "every table with these cells has the value 1"
    assert not clustering.homogeneity(one, [i % 3 for i in range(30)]).interval().defined


def test_a_value_near_the_best_of_many_samples_is_not_taken_for_the_only_one() -> None:
    assert clustering.rand(contingency=[[10**18, 5], [3, 10**18]]).interval().defined
