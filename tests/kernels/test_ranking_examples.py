"""Worked retrieval examples of the reference documents R2 and R4 (misprints put right)."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from oracles import Query, columns_of

from certus.core import kernels
from certus.data.ranking import Columns


def ranked(ranks: Sequence[int], *, retrieved: int, missed: int = 0) -> Query:
    """A query with relevant documents at these ranks, and so many more not retrieved."""
    return Query(tuple((int(rank in ranks),) for rank in range(1, retrieved + 1)), (1,) * missed)


def average_precision(columns: Columns) -> list[float]:
    values = kernels.average_precision(columns, rel=1, cutoff=None, denominator="relevant", average=False)
    return [float(value) for value in values]


def test_r4_precision_and_recall_by_rank() -> None:
    # x, a, y, b, c, z with a, b, c correct. R4 prints 3/4 at rank 5 and 3/5 at rank 6: 3/5 and 3/6.
    columns = columns_of([ranked([2, 4, 5], retrieved=6)])
    precision = [kernels.precision(columns, rel=1, cutoff=k, average=False)[0] for k in range(1, 7)]
    recall = [kernels.recall(columns, rel=1, cutoff=k, average=False)[0] for k in range(1, 7)]
    assert precision == [0, 1 / 2, 1 / 3, 2 / 4, 3 / 5, 3 / 6]
    assert recall == [0, 1 / 3, 1 / 3, 2 / 3, 1, 1]


def test_r4_average_precision_is_the_area_under_precision_at_recall() -> None:
    columns = columns_of([ranked([2, 4, 5], retrieved=6)])
    levels = [1 / 3, 2 / 3, 1.0]
    assert [kernels.k_at_recall(columns, rel=1, recall=r, average=False)[0] for r in levels] == [2, 4, 5]
    heights = [kernels.precision_at_recall(columns, rel=1, recall=r, average=False)[0] for r in levels]
    assert heights == [1 / 2, 2 / 4, 3 / 5]
    assert average_precision(columns) == [pytest.approx(sum(heights) / 3)]


def test_r4_average_precision_at_k_divides_by_the_hits() -> None:
    columns = columns_of([ranked([2, 4, 5], retrieved=6)])
    values = [
        kernels.average_precision(columns, rel=1, cutoff=k, denominator="hits", average=False)[0] for k in (1, 2, 4)
    ]
    assert values == [0, 1 / 2, (1 / 2 + 2 / 4) / 2]


def test_r2_points_of_the_precision_recall_curve() -> None:
    # Ten relevant documents, those retrieved at ranks 1, 3, 6, 10 and 15.
    columns = columns_of([ranked([1, 3, 6, 10, 15], retrieved=15, missed=5)])
    levels = [0.1, 0.2, 0.3, 0.4, 0.5]
    points = [kernels.precision_at_recall(columns, rel=1, recall=r, average=False)[0] for r in levels]
    assert points == pytest.approx([1, 0.67, 0.5, 0.4, 0.33], abs=0.005)
    assert kernels.precision_at_recall(columns, rel=1, recall=0.6, average=False)[0] == 0
    assert math.isnan(kernels.k_at_recall(columns, rel=1, recall=0.6, average=False)[0])


def test_r2_interpolation_at_eleven_levels() -> None:
    columns = columns_of([ranked([3, 8, 15], retrieved=15)])
    curve = [
        kernels.interpolated_precision(columns, rel=1, recall=tenth / 10, rounding="exact", average=False)[0]
        for tenth in range(11)
    ]
    assert curve == [1 / 3] * 4 + [2 / 8] * 3 + [3 / 15] * 4
    mean = kernels.eleven_point(columns, rel=1, rounding="exact", average=False)[0]
    assert mean == pytest.approx((4 / 3 + 3 / 4 + 4 / 5) / 11)


def test_trec_eval_9_puts_the_level_70_percent_of_three_at_two() -> None:
    # 0.7 * 3 + 0.9 is a little less than 3 in doubles.
    columns = columns_of([ranked([3, 8, 15], retrieved=15)])
    value = kernels.interpolated_precision(columns, rel=1, recall=0.7, rounding="trec9", average=False)[0]
    assert value == 2 / 8


def test_r2_average_precision_over_all_and_over_returned_relevant() -> None:
    columns = columns_of([ranked([1, 2, 5, 10, 20], retrieved=20, missed=1)])
    total = 1 + 1 + 0.6 + 0.4 + 0.25
    assert average_precision(columns) == [pytest.approx(total / 6)]
    returned = kernels.average_precision(columns, rel=1, cutoff=None, denominator="hits", average=False)
    assert returned[0] == pytest.approx(total / 5)


def test_r2_ndcg_table() -> None:
    # Perfect, Fair, Excellent, Excellent, Excellent; one more Excellent was not among the first five.
    columns = columns_of([Query(((5,), (2,), (4,), (4,), (4,)), (4,))])
    best = columns_of([Query(((5,), (4,), (4,), (4,), (4,)), (2,))])

    def row(kernel: str, of: Columns) -> list[float]:
        return [float(getattr(kernels, kernel)(of, cutoff=k, gain="exp", average=False)[0]) for k in range(1, 6)]

    assert row("dcg", columns) == pytest.approx([31, 32.9, 40.4, 46.9, 52.7], abs=0.051)
    # R2 adds up terms rounded to two or three digits.
    assert row("dcg", best) == pytest.approx([31, 40.5, 48, 54.5, 60.4], abs=0.2)
    assert row("ndcg", columns) == pytest.approx([1, 0.81, 0.84, 0.86, 0.87], abs=0.0051)


def test_r2_bpref_passes_over_unjudged_documents() -> None:
    grades = [0, 1, None, None, 1, 0, 1, 0, 0, 0]
    columns = columns_of([Query(tuple((grade,) for grade in grades))])
    want = ((1 - 1 / 3) + (1 - 1 / 3) + (1 - 2 / 3)) / 3
    assert kernels.bpref(columns, rel=1, average=False)[0] == pytest.approx(want)


def test_r2_macro_and_micro_averages() -> None:
    columns = columns_of([ranked(range(1, 41), retrieved=80, missed=60), ranked(range(1, 25), retrieved=30, missed=26)])
    precision = kernels.precision(columns, rel=1, cutoff=None, average=False)
    recall = kernels.recall(columns, rel=1, cutoff=None, average=False)
    assert precision.tolist() == [0.5, 0.8]
    assert recall.tolist() == [0.4, 0.48]
    assert (precision.mean(), recall.mean()) == (pytest.approx(0.65), pytest.approx(0.44))
    found = kernels.num_relevant_retrieved(columns, rel=1).sum()
    assert found / kernels.num_retrieved(columns).sum() == pytest.approx(0.58, abs=0.005)
    assert found / kernels.num_relevant(columns, rel=1).sum() == pytest.approx(0.43, abs=0.005)


def test_r2_mean_average_precision() -> None:
    columns = columns_of([ranked([1, 2, 4, 7], retrieved=7), ranked([1, 3, 5], retrieved=7, missed=2)])
    values = average_precision(columns)
    assert values == pytest.approx([0.83, 0.45], abs=0.005)
    assert np.mean(values) == pytest.approx(0.64, abs=0.005)


@pytest.mark.parametrize(("ranks", "mean"), [([2, 4], 3 / 8), ([3, 2, 1], 11 / 18)])
def test_r2_mean_reciprocal_rank(ranks: list[int], mean: float) -> None:
    columns = columns_of([ranked([rank], retrieved=5) for rank in ranks])
    assert kernels.reciprocal_rank(columns, rel=1, cutoff=None, average=False).mean() == pytest.approx(mean)


def test_rbp_of_its_authors_form() -> None:
    # (1 - p) sum of r p^(i - 1): relevant at ranks 1, 2, 6, 11, 17 of 20 with p = 0.5.
    columns = columns_of([ranked([1, 2, 6, 11, 17], retrieved=20)])
    want = math.fsum(0.5**rank for rank in (1, 2, 6, 11, 17))
    assert kernels.rbp(columns, p=0.5, rel=1, cutoff=None, average=False)[0] == want
    assert kernels.rbp_residual(columns, p=0.5, cutoff=None, average=False)[0] == 0.5**20


def test_err_by_hand() -> None:
    # Stop probabilities 7/16, 0, 15/16 at max_grade 4.
    columns = columns_of([Query(((3,), (None,), (4,)), (0,))])
    value = kernels.err(columns, cutoff=20, max_grade=4, average=False)[0]
    assert value == 7 / 16 + 9 / 16 * (15 / 16) / 3
    ideal = 15 / 16 + 1 / 16 * (7 / 16) / 2
    assert kernels.nerr(columns, cutoff=20, max_grade=4, average=False)[0] == pytest.approx(value / ideal)


def test_expected_values_over_ties_by_hand() -> None:
    # Two tied documents, one relevant: half the time first.
    columns = columns_of([Query(((None, 1),))])
    assert kernels.reciprocal_rank(columns, rel=1, cutoff=None, average=True)[0] == 0.75
    assert kernels.success(columns, rel=1, cutoff=1, average=True)[0] == 0.5
    assert kernels.ndcg(columns, cutoff=None, gain="linear", average=True)[0] == (1 + 1 / math.log2(3)) / 2
    assert kernels.k_at_recall(columns, rel=1, recall=1.0, average=True)[0] == 1.5
