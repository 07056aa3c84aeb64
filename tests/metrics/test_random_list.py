"""Random rankings: which documents are in random order, and that every order is as likely."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest

from certus import DataError
from certus.io import as_qrels
from certus.io.rank import rank
from certus.metrics.orders import RandomList, all_orders, draws, extreme, random_lists

QRELS = {"1": {"a": 1, "b": 0, "c": 2, "z": 3}, "2": {"x": 1}}
RUN = {"1": {"a": 4.0, "u": 3.0, "c": 3.0, "b": 1.0, "v": 1.0}, "2": {"y": 1.0}}
RANKING = rank(as_qrels(QRELS), RUN).ranking


def grades(array: "np.ndarray[tuple[int], np.dtype[np.int32]]") -> list[int]:
    return array.tolist()


def test_what_the_run_retrieved_is_in_random_order() -> None:
    one, two = random_lists(RANKING)
    assert (one.items, one.length, grades(one.grades), grades(one.judged)) == (5, 5, [2, 1, 0], [3, 2, 1, 0])
    assert (one.hits(1), one.relevant(1), one.hits(2), one.relevant(2)) == (2, 3, 1, 2)
    assert (one.depth(None), one.depth(3), one.depth(10)) == (5, 3, 5)
    assert (two.items, grades(two.grades), two.fixed, one.fixed) == (1, [], True, False)


def test_a_collection_holds_every_judged_document() -> None:
    one, two = random_lists(RANKING, items=9)
    assert (one.items, one.length, grades(one.grades)) == (9, 5, [3, 2, 1, 0])
    assert (two.items, two.length, grades(two.grades), two.fixed) == (9, 1, [1], False)
    with pytest.raises(DataError, match="items is 5, but query '1' has 6 documents that are retrieved or judged"):
        random_lists(RANKING, items=5)


def test_groups_of_equal_scores_come_from_the_ranking_or_from_whoever_knows() -> None:
    averaged = replace(RANKING, ties="average")
    assert random_lists(averaged)[0].ties == (1, 2, 2)
    unknown = rank(as_qrels({"1": {"a": 1}}), RUN).ranking
    averaged = replace(unknown, ties="average")
    assert random_lists(averaged, sizes=lambda: [(1, 2, 2)])[0].ties == (1, 2, 2)
    assert random_lists(averaged, sizes=lambda: [(1, 1, 1, 1, 1)])[0].ties is None
    with pytest.raises(DataError, match="which unjudged documents of query '1' have equal scores is not known"):
        random_lists(averaged)


@pytest.mark.parametrize(("n", "m"), [(5, 2), (5, 3), (6, 1), (4, 4)])
def test_every_subset_is_as_likely(n: int, m: int) -> None:
    rows = 20_000
    ones = np.ones(m, dtype=np.int32)
    ((_, ranking),) = draws(RandomList(n, n, ones, ones), "q", rows, 1)
    found = Counter(map(tuple, ranking.columns.ranks.reshape(rows, m).tolist()))
    assert len(found) == comb(n, m)
    share = 1 / comb(n, m)
    assert max(abs(count / rows - share) for count in found.values()) < 4.5 * np.sqrt(share / rows)


def test_every_order_of_the_grades_is_as_likely() -> None:
    shuffled = RandomList(3, 3, np.array([2, 1, 0], dtype=np.int32), np.array([2, 1, 0], dtype=np.int32))
    rows = 20_000
    ((_, ranking),) = draws(shuffled, "q", rows, 2)
    found = Counter(map(tuple, ranking.columns.grades.reshape(rows, 3).tolist()))
    assert set(found) == set(permutations([0, 1, 2]))
    assert max(abs(count / rows - 1 / 6) for count in found.values()) < 4.5 * np.sqrt(1 / 6 / rows)


def test_documents_below_what_is_shown_are_not_retrieved() -> None:
    shuffled = RandomList(10, 3, np.array([1, 1], dtype=np.int32), np.array([1, 1], dtype=np.int32))
    ((_, ranking),) = draws(shuffled, "q", 1000, 3)
    assert ranking.columns.ranks.max() == 3
    assert set(ranking.columns.retrieved) == {3}
    assert set(np.diff(ranking.columns.offsets)) == {0, 1, 2}


def test_ranks_carry_the_groups_they_fall_into() -> None:
    ones = np.array([1, 1], dtype=np.int32)
    shuffled = RandomList(5, 5, ones, ones, ties=(1, 2, 2))
    ((_, ranking),) = draws(shuffled, "q", 200, 4)
    columns = ranking.columns
    groups = {
        rank: (first, size)
        for rank, first, size in zip(columns.ranks, columns.tie_first, columns.tie_size, strict=True)
    }
    assert groups == {1: (1, 1), 2: (2, 2), 3: (2, 2), 4: (4, 2), 5: (4, 2)}
    assert ranking.average


def test_all_orders_are_listed_where_they_are_few() -> None:
    graded = np.array([2, 1, 1], dtype=np.int32)
    orders = all_orders(RandomList(4, 4, graded, graded), "q")
    assert orders is not None
    assert len(orders) == 12
    both = np.column_stack([orders.columns.ranks.reshape(12, 3), orders.columns.grades.reshape(12, 3)])
    assert len(np.unique(both, axis=0)) == 12
    assert all_orders(RandomList(100, 100, graded, graded), "q") is None


def test_the_best_and_the_worst_order() -> None:
    shuffled = RandomList(5, 5, np.array([2, 1], dtype=np.int32), np.array([3, 2, 1], dtype=np.int32))
    best, worst = (extreme(shuffled, "q", best=which).columns for which in (True, False))
    assert (best.ranks.tolist(), best.grades.tolist()) == ([1, 2], [2, 1])
    assert (worst.ranks.tolist(), worst.grades.tolist()) == ([4, 5], [1, 2])


def test_a_long_list_is_drawn_in_parts_with_the_same_seed_giving_the_same_orders() -> None:
    ones = np.ones(40, dtype=np.int32)
    shuffled = RandomList(10**6, 10**6, ones, np.ones(10_000, dtype=np.int32))
    one, two = ([(rows, ranking.columns.ranks) for rows, ranking in draws(shuffled, "q", 50, 5)] for _ in range(2))
    assert [rows.stop for rows, _ in one] == [26, 50]
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(one, two, strict=True))
    assert not np.array_equal(one[0][1], one[1][1])
    ((_, other),) = draws(replace(shuffled, judged=ones), "q", 26, 5, stream=1)
    assert not np.array_equal(one[0][1], other.columns.ranks)
