"""Rankings made from rankings, and columns that do not fit together."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.core import kernels
from certus.data import Ranking
from certus.data.ranking import Columns

Make = Callable[..., Ranking]
GRADES = st.sampled_from([None, None, -2, -1, 0, 1, 2])
GROUPS = st.lists(st.lists(GRADES, min_size=1, max_size=5), max_size=5)
QUERIES = st.lists(st.tuples(GROUPS, st.lists(st.integers(-2, 2), max_size=4)), max_size=4)


def same(got: Sequence[Any], want: Sequence[Any]) -> None:
    for name, one, other in zip(Columns._fields, got, want, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other, err_msg=name)


@given(QUERIES)
def test_assume_relevant_judges_every_retrieved_document(ranking_of: Make, queries: Any) -> None:
    changed = []
    for groups, missed in queries:
        judged = [grade for group in groups for grade in group if grade is not None]
        highest = max([1, *judged, *missed])
        made: list[list[int | None]] = []
        for group in groups:
            graded = [highest if grade is None or grade < 0 else grade for grade in group]
            # A group without a hit is not known to be one.
            made += [graded] if any(grade is not None for grade in group) else [[grade] for grade in graded]
        changed.append((made, missed))
    same(kernels.assume_relevant(ranking_of(*queries).columns), ranking_of(*changed).columns)


@given(QUERIES, st.integers(0, 12))
def test_truncate_keeps_the_first_of_the_settled_order(ranking_of: Make, queries: Any, n: int) -> None:
    columns = ranking_of(*queries).columns
    cut = []
    for groups, missed in queries:
        kept, left = [], n
        for group in groups:
            if left > 0:
                kept.append(group[:left])
            left -= len(group)
        cut.append((kept, missed))
    want = ranking_of(*cut).columns
    same(kernels.truncate(columns, n), want._replace(judged_offsets=columns.judged_offsets, judged=columns.judged))


@pytest.fixture
def columns(ranking_of: Make) -> Columns:
    """A tie of three behind a first document, and a second query that misses a judged document."""
    return ranking_of(([[2], [1, None, 0]], []), ([[None], [1]], [0])).columns


@pytest.mark.parametrize(
    ("field", "values", "message"),
    [
        ("grades", [2, 1, 0], "grades has 3 entries but ranks has 4; they describe the same hits"),
        ("tie_first", [1], "tie_first has 1 entries but ranks has 4"),
        ("tie_size", [], "tie_size has 0 entries but ranks has 4"),
        ("offsets", [0, 4], "offsets has 2 entries; 2 queries need 3"),
        ("offsets", [0, 5, 4], "offsets must rise from 0 to 4"),
        ("offsets", [-1, 3, 4], "offsets must rise from 0 to 4"),
        ("offsets", [0, 3, 2**62], "offsets must rise from 0 to 4"),
        ("judged_offsets", [0, 3, 4], "judged_offsets must rise from 0 to 5"),
        ("ranks", [1, 2, 2, 2], "query at index 0: rank 2 follows rank 2; ranks must increase from 1"),
        ("ranks", [0, 2, 4, 2], "query at index 0: rank 0 follows rank 0"),
        ("ranks", [1, 2, 4, 3], "query at index 1: rank 3 is not within its 2 retrieved documents"),
        ("tie_first", [1, 2, 2, 1], "query at index 1: rank 2 has a tie group of 1 from rank 1"),
        ("tie_size", [1, 2**32 - 1, 2**32 - 1, 1], "query at index 0: rank 2 has a tie group of 4294967295"),
        ("tie_size", [2, 3, 3, 1], "query at index 0: the tie group of rank 2 overlaps that of rank 1"),
        ("judged", [0, 1, 2, 1, 0], "query at index 0: judged grades must not increase"),
    ],
)
def test_columns_that_do_not_fit_are_an_error(columns: Columns, field: str, values: list[int], message: str) -> None:
    broken = columns._replace(**{field: np.array(values, dtype=getattr(columns, field).dtype)})
    with pytest.raises(ValueError, match=re.escape(message)):
        kernels.precision(broken, rel=1, cutoff=None, average=False)


def test_columns_of_another_type_are_an_error(columns: Columns) -> None:
    wrong: Any = columns._replace(ranks=columns.ranks.astype(np.int64))
    with pytest.raises(TypeError):
        kernels.num_retrieved(wrong)
    strided = columns._replace(judged=np.repeat(columns.judged, 2)[::2])
    with pytest.raises(TypeError, match="contiguous"):
        kernels.num_retrieved(strided)


@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        ("average_precision", {"rel": 1, "cutoff": None, "denominator": "R"}, "no denominator is named 'R'"),
        ("dcg", {"cutoff": None, "gain": "log"}, "no gain is named 'log'; use 'linear' or 'exp'"),
        ("ndcg", {"cutoff": None, "gain": "exp", "gains": [(1, np.nan)]}, "the gain of grade 1 is NaN"),
        ("eleven_point", {"rel": 1, "rounding": "up"}, "no rounding is named 'up'"),
        ("err", {"cutoff": None, "max_grade": 1}, "query at index 0: grade 2 is above max_grade=1"),
    ],
)
def test_a_wrong_argument_is_an_error(columns: Columns, kernel: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        getattr(kernels, kernel)(columns, average=False, **arguments)


def test_an_average_that_would_take_too_long_is_refused(ranking_of: Make) -> None:
    many = ranking_of(([[1] * 100 + [None] * 900], [])).columns
    message = "query at index 0: interpolated precision averaged over ties is too costly with 100 relevant among 1000"
    with pytest.raises(ValueError, match=message):
        kernels.eleven_point(many, rel=1, rounding="trec9", average=True)
