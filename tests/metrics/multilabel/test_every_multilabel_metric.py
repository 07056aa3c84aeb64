"""Claims about every multilabel metric; a new one is found and tested by itself."""

import inspect
import math
from typing import Any

import numpy as np
import pytest
from every_metric import Case, case, every_variant, ready
from in_a_row import in_a_row
from numpy.testing import assert_allclose

from certus import DataError, Metric
from certus.data import LabelGrades, Multilabel
from certus.metrics import declared

METRICS = declared("multilabel")
RANKED = [metric for metric in METRICS if metric.input_types != (Multilabel,)]


each_metric = pytest.mark.parametrize("metric", METRICS, ids=str)
each_variant = in_a_row(
    "metric", [metric for each in METRICS for metric in every_variant(each)], group=lambda each: each.name
)


def _values(metric: Metric, true: Any, other: Any, **conventions: Any) -> list[float]:
    return Case(metric, (true, other), {}).values(**conventions)


@each_variant
def test_the_order_of_labels_does_not_matter(metric: Metric) -> None:
    if metric.conventions.get("ignore_ties"):
        return  # what stands first among equals is then the later column
    order = np.random.default_rng(3).permutation(5)
    given = case("multilabel", metric, n=60).given
    shuffled = _values(metric, *(table[:, order] for table in given))
    assert_allclose(sorted(shuffled), sorted(_values(metric, *given)), rtol=1e-12)


@each_variant
def test_tables_may_lie_in_any_order_and_cannot_be_written(metric: Metric) -> None:
    true, other = case("multilabel", metric, n=60).given
    expected = _values(metric, true, other)
    strided = [np.repeat(table, 2, axis=1)[:, ::2] for table in (true, other)]
    for tables in ([np.asfortranarray(true), np.asfortranarray(other)], strided):
        for table in tables:
            table.flags.writeable = False
        assert _values(metric, *tables) == expected
    assert _values(metric, np.asfortranarray(true), other) == expected


@each_variant
def test_labels_choose_columns(metric: Metric) -> None:
    given = case("multilabel", metric, n=60).given
    columns = [3, 0, 1]
    part = _values(metric, *(np.ascontiguousarray(table[:, columns]) for table in given))
    assert _values(metric, *given, labels=columns) == pytest.approx(part, rel=1e-12, nan_ok=True)


@each_variant
def test_nothing_to_look_at_is_an_error(metric: Metric) -> None:
    with pytest.raises(DataError, match="y_true has no samples; give a row per sample"):
        metric(np.empty((0, 3)), np.empty((0, 3)))
    with pytest.raises(DataError, match="y_true has no labels; give a column per label"):
        metric(np.empty((3, 0)), np.empty((3, 0)))
    with pytest.raises(DataError, match="every sample_weight is 0; some sample must count"):
        case("multilabel", metric, n=60).of(sample_weight=np.zeros(60))


@each_metric
def test_tables_that_do_not_fit_are_refused(metric: Metric) -> None:
    metric = ready(metric)
    other = list(inspect.signature(metric).parameters)[1]
    with pytest.raises(DataError, match=r"^y_true has shape \(3,\); it must have .*row"):
        metric([0, 1, 1], [0, 1, 1])
    with pytest.raises(DataError, match=rf"^{other} has shape \(2,\); it must have .*row"):
        metric([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(DataError, match=f"y_true has 2 labels but {other} has 3; give both the same columns"):
        metric([[0, 1]], [[0, 1, 1]])
    with pytest.raises(DataError, match=f"y_true has 2 samples but {other} has 1; they must pair up one to one"):
        metric([[0, 1], [1, 0]], [[0, 1]])
    with pytest.raises(DataError, match=rf"^{other} is NaN at index \(0, 1\)"):
        metric([[0, 1]], [[0, math.nan]])
    with pytest.raises(DataError, match="y_true is NaN at index"):
        metric([[0, math.nan]], [[0, 1]])
    with pytest.raises(DataError, match="takes y_true and y_"):
        metric([[0, 1]])


@pytest.mark.parametrize("metric", [each for each in METRICS if each.input_types != (LabelGrades,)], ids=str)
def test_truth_is_0_and_1(metric: Metric) -> None:
    with pytest.raises(DataError, match=r"y_true is 2 at index \(0, 1\); it must hold 0 and 1 only"):
        ready(metric)([[0, 2]], [[0, 1]])


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_scores_in_32_bits_and_whole_numbers_rank_as_they_are(metric: Metric) -> None:
    true, other = case("multilabel", metric, n=60).given
    whole = np.round(10 * other).astype(np.int64)
    expected = _values(metric, true, whole.astype(float))
    for kind in (np.float32, np.int64, np.int32, np.int8, np.float16):
        assert _values(metric, true, whole.astype(kind)) == expected
    great = [[2**53 + number for number in row] for row in whole.tolist()]
    assert _values(metric, true, np.array(great)) == expected
    assert _values(metric, true, np.array(great, dtype=object) * 2**20) == expected


@pytest.mark.parametrize("metric", RANKED, ids=str)
def test_infinite_scores_only_order(metric: Metric) -> None:
    ends = metric([[0, 1, 1]], [[-math.inf, math.inf, 0.5]]).value
    assert ends == metric([[0, 1, 1]], [[0, 1, 0.5]]).value
