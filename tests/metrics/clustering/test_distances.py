"""Values that are not distances, and bootstraps of centroids that coincide."""

import warnings
from typing import Any

import pytest

from certus import DataError, clustering

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
