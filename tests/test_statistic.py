"""The forms of a statistic."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from certus import DataError
from certus.statistic import Mean, Plugin, Proportion, Ratio
from certus.statistic.common import plural


def test_mean_is_the_sum_over_the_number_of_units() -> None:
    assert Mean([0.25, 0.5, 0.75, 1.0]).value == 0.625
    assert Mean([3, 4, 5], total=True).value == 12.0


def test_geometric_mean_replaces_values_below_the_floor() -> None:
    assert Mean([0.0, 1.0], scale="log", floor=1e-4).value == pytest.approx(1e-2, rel=1e-14)
    assert Mean([0.0, 1.0], scale="log").value == pytest.approx(math.sqrt(1e-5), rel=1e-14)
    assert Mean([0.0, 1.0], scale="log", floor=0.0).value == 0.0
    assert Mean([2.0, 8.0], scale="log").value == pytest.approx(4.0, rel=1e-15)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1.0, 0.7])
@pytest.mark.parametrize("n", [3, 7, 10, 49, 1000])
def test_the_mean_of_equal_values_is_that_value(value: float, n: int) -> None:
    assert Mean([value] * n).value == value


def test_a_unit_without_a_value_makes_the_mean_undefined_and_says_so() -> None:
    for scale in ("linear", "log"):
        mean = Mean([1.0, math.nan, math.nan], scale=scale)
        assert math.isnan(mean.value)
        assert mean.reason == "2 of 3 queries have no value"
    assert Mean([], unit="sample").reason == "there are no samples"
    assert math.isnan(Mean([]).value)
    assert Mean([0.5]).reason == ""


def test_ratio_divides_sums_not_units() -> None:
    ratio = Ratio([1, 0], [1, 9])
    assert ratio.value == 0.1
    assert ratio.values.tolist() == [1.0, 0.0]
    assert ratio.n == 2


def test_ratio_without_a_denominator_is_undefined() -> None:
    assert math.isnan(Ratio([0.0], [0.0]).value)
    assert Ratio([1.0, math.nan], [1.0, 1.0]).reason == "1 of 2 queries has no value"
    assert Ratio([], []).reason == "there are no queries"


def test_proportion_is_successes_over_trials() -> None:
    assert Proportion(3, 4).value == 0.75
    assert math.isnan(Proportion(0, 0).value)
    assert Proportion(3, 4) == Proportion(3, 4)


def test_plugin_evaluates_its_function_with_weights_of_one() -> None:
    def weighted_mean(rows: np.ndarray, weights: np.ndarray) -> float:
        return float(rows[:, 0] @ weights / weights.sum())

    plugin = Plugin(np.array([[1.0, 5.0], [2.0, 5.0], [6.0, 5.0]]), weighted_mean)
    assert (plugin.value, plugin.n, plugin.reason) == (3.0, 3, "")
    assert Plugin(np.array([1.0]), lambda rows, weights: math.nan).reason == "the metric is undefined for these data"
    assert Plugin(np.array([]), weighted_mean).reason == "there are no queries"


ROOT: Any = "root"
HALVES: Any = 4.5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Mean([[1.0]]), "values has 2 dimensions; it must have one value per unit"),
        (lambda: Mean([1.0], scale=ROOT), "scale is 'root'; it must be 'linear' or 'log'"),
        (lambda: Mean([1.0], scale="log", total=True), "total=True sums values; it needs scale='linear'"),
        (lambda: Mean([1.0], floor=-1.0), "floor is -1.0; it must be a finite number of at least 0"),
        (lambda: Ratio([1.0], [1.0, 2.0]), "numerators has 1 values but denominators has 2; they must pair up"),
        (lambda: Proportion(5, 4), "successes is 5 but trials is 4; successes cannot exceed trials"),
        (lambda: Proportion(-1, 4), "successes is -1; it must be a whole number of at least 0"),
        (lambda: Proportion(1, HALVES), "trials is 4.5; it must be a whole number of at least 0"),
        (
            lambda: Plugin(np.array(3.0), lambda rows, weights: 0.0),
            "rows is a single value; it must hold one row per unit",
        ),
    ],
)
def test_data_that_make_no_sense_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        make()


@pytest.mark.parametrize(
    ("n", "unit", "words"),
    [(1, "query", "1 query"), (2, "query", "2 queries"), (2, "day", "2 days"), (2, "batch", "2 batches")],
)
def test_units_are_counted_in_words(n: int, unit: str, words: str) -> None:
    assert plural(n, unit) == words
