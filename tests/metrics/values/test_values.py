"""Mean, geometric mean and median of one score per item: the numbers are those of the methods they are made of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus.data.values import Values
from certus.inference import mean_interval, proportion_interval

DRAW = np.random.default_rng(1)
NUMBERS = DRAW.lognormal(size=30)
RIGHT = DRAW.random(30) < 0.7
GROUPS = np.arange(30) // 3
WEIGHTS = 1.0 + np.arange(30) % 4


def test_by_hand() -> None:
    assert certus.values.mean([1, 0, 1, 1]).value == 0.75
    assert certus.values.mean([2.0, 4.0], sample_weight=[3, 1]).value == 2.5
    assert certus.values.geometric_mean([1, 4, 16]).value == pytest.approx(4, rel=1e-15)
    assert certus.values.median([1, 5, 2]).value == 2
    assert certus.values.mean([]).reason


@pytest.mark.parametrize("right", [RIGHT, RIGHT.tolist(), RIGHT.astype(int), RIGHT.astype(float)])
def test_zeros_and_ones_are_a_proportion_with_its_interval(right: object) -> None:
    estimate = certus.values.mean(right)
    assert estimate.interval() == proportion_interval(int(RIGHT.sum()), 30)
    assert (estimate.n, estimate.unit) == (30, "item")


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_mean_has_the_interval_of_mean_interval(level: float) -> None:
    for told, method in (
        ({}, None),
        ({}, "percentile"),
        ({"groups": GROUPS}, None),
        ({"weights": WEIGHTS}, None),
        ({"weights": WEIGHTS, "groups": GROUPS}, None),
    ):
        given = {{"weights": "sample_weight"}.get(name, name): each for name, each in told.items()}
        found = certus.values.mean(NUMBERS, **given).interval(level, method)
        assert tuple(found)[:2] == pytest.approx(tuple(mean_interval(NUMBERS, level, method, **told))[:2], rel=1e-12)
    found = certus.values.geometric_mean(NUMBERS).interval(level)
    assert tuple(found)[:2] == pytest.approx(tuple(mean_interval(NUMBERS, level, scale="log"))[:2], rel=1e-12)
    clustered = certus.values.mean(RIGHT, groups=GROUPS).interval(level)
    expected = mean_interval(RIGHT.astype(float), level, groups=GROUPS, bounds=(0, 1))
    assert tuple(clustered)[:2] == pytest.approx(tuple(expected)[:2], rel=1e-12)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0.0, 1.0, 0.25])), min_size=1, max_size=20))
def test_repeats_of_an_item_are_averaged_before_anything_is_counted(tries: list[tuple[int, float]]) -> None:
    ids, scores = zip(*tries, strict=True)
    items = [[score for each, score in tries if each == item] for item in dict.fromkeys(ids)]
    estimate = certus.values.mean(scores, ids=ids)
    assert estimate.n == len(items)
    assert estimate.value == pytest.approx(np.mean([np.mean(item) for item in items]), rel=1e-12)


def test_a_score_tried_often_is_not_more_sure() -> None:
    once = certus.values.mean(NUMBERS)
    five = certus.values.mean(np.repeat(NUMBERS, 5), ids=np.repeat(np.arange(30), 5))
    assert tuple(five.interval())[:2] == pytest.approx(tuple(once.interval())[:2], rel=1e-12)
    # the same as clusters of one size
    clusters = certus.values.mean(np.repeat(NUMBERS, 5), groups=np.repeat(np.arange(30), 5))
    assert clusters.n == 30
    assert clusters.value == pytest.approx(once.value, rel=1e-12)
    assert clusters.interval(method="delta").low == pytest.approx(once.interval(method="t").low, rel=1e-9)


def test_averaged_repeats_of_zeros_and_ones_stay_within_their_bounds() -> None:
    low, high, *_ = certus.values.mean([1, 1, 1, 0, 1, 1], ids=list("aabbcc")).interval()
    assert 0 <= low < high <= 1


def test_what_belongs_to_an_item_is_one_thing() -> None:
    with pytest.raises(certus.DataError, match=r"^groups differs among the values of 'b'; an item has one$"):
        Values.from_arrays([1, 0, 1], ids=["a", "b", "b"], groups=["x", "x", "y"])
    with pytest.raises(certus.DataError, match=r"^sample_weight differs among the values of 7; an item has one$"):
        Values.from_arrays([1, 0, 1], ids=[7, 7, 8], sample_weight=[1, 2, 2])
    with pytest.raises(certus.DataError, match="values has 3 samples but ids has 2"):
        Values.from_arrays([1, 0, 1], ids=["a", "b"])


def test_geometric_means_are_of_what_is_above_zero() -> None:
    with pytest.raises(certus.DataError, match=r"^values is 0 at index 1; a geometric mean is of values above 0"):
        certus.values.geometric_mean([1.0, 0.0])


def test_weighted_and_grouped_geometric_means_are_those_of_the_logarithms() -> None:
    logs = certus.values.mean(np.log(NUMBERS), sample_weight=WEIGHTS, groups=GROUPS)
    found = certus.values.geometric_mean(NUMBERS, sample_weight=WEIGHTS, groups=GROUPS)
    assert found.value == pytest.approx(np.exp(logs.value), rel=1e-12)
    # to first order: the relative error is that of the mean logarithm
    assert found.standard_error / found.value == pytest.approx(logs.standard_error, rel=0.05)
    copies = certus.values.geometric_mean(np.repeat(NUMBERS, 3), groups=np.repeat(np.arange(30), 3))
    alone = certus.values.geometric_mean(NUMBERS, groups=np.arange(30))
    assert tuple(copies.interval())[:2] == pytest.approx(tuple(alone.interval())[:2], rel=1e-9)


def test_each_item_is_told_by_its_id() -> None:
    table = certus.evaluate(values=[0.5, 1, 0], ids=["a", "a", "b"], groups=["x", "x", "y"], per_query=True, name="s")
    assert table.values("Mean") == {"a": 0.75, "b": 0.0}
    assert table.signature["clusters"] == {"s": {"groups": ["x", "y"]}}
    assert table.signature["said"] == ["3 values of 2 items in 2 groups; those of an item are averaged first"]
    with pytest.raises(certus.MetricNameError, match="per_query needs ids: the name of each item"):
        certus.evaluate(values=[0.5, 1], per_query=True)
