"""Hit lists: the contingency tables, curves and measures that follow from them."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus import DataError
from certus.chance import HitList


class TestWhatFollows:
    """Ranks after the last hit, and relevant items that were not retrieved."""

    def test_of_names_by_hand(self) -> None:
        r = HitList.from_names(["x", "a", "y", "b", "c", "z"], {"a", "b", "c", "d"})
        assert (str(r), r.ranks, r.length, r.retrieved, r.hits, r.relevant) == ("-x-xx-", (2, 4, 5), 5, 6, 3, 4)
        assert r.average_precision() == (1 / 2 + 2 / 4 + 3 / 5) / 4
        assert r.recall().tolist() == [0, 1 / 4, 1 / 4, 2 / 4, 3 / 4, 3 / 4]
        assert r.precision().tolist() == [0, 1 / 2, 1 / 3, 2 / 4, 3 / 5, 3 / 6]
        assert r.average_precision_at(2) == (1 / 2) / 4
        assert r.average_precision_at(2, "min") == (1 / 2) / 2
        assert (r.k_at_recall(0.75), r.precision_at_recall(0.5)) == (5, 2 / 4)
        with pytest.raises(DataError, match=r"r is 1; the list holds 3 of 4 relevant items"):
            r.k_at_recall(1)

    def test_a_whole_number_is_the_text_of_its_digits_as_in_every_ranking(self) -> None:
        ranking, relevant = [3, "1", np.int64(2), b"4"], {1, "2", 4}
        assert HitList.from_names(ranking, relevant) == HitList("-xxx")
        assert HitList.from_names(["01", 1], {"01"}) == HitList("x-")
        assert HitList.from_names(ranking, relevant).average_precision() == pytest.approx(
            certus.ranking.average_precision(relevant, ranking).value, abs=1e-15
        )

    def test_it_agrees_with_the_ranking_metric(self) -> None:
        ranking, relevant = ["x", "a", "y", "b", "c", "z"], {"a", "b", "c", "d"}
        for cutoff in (2, 4, 6):
            found = HitList.from_names(ranking, relevant, cutoff=cutoff)
            metric = certus.ranking.average_precision(relevant, ranking, cutoff=cutoff)
            assert found.average_precision() == pytest.approx(metric.value, abs=1e-15)

    def test_repr_makes_the_same_list_again(self) -> None:
        lists = [
            HitList("x-x--"),
            HitList("x", relevant=3),
            HitList([1, 90], retrieved=100, relevant=5),
            HitList([1, 90]),
            HitList([5], retrieved=7),
        ]
        assert [eval(repr(each)) for each in lists] == lists
        assert len(set(lists)) == len(lists)
        assert HitList(lists[2]) == lists[2]
        assert HitList("x-x") != HitList("x-x-") != HitList("x-x-", relevant=3)

    def test_scores_and_places_are_of_the_list_down_to_the_last_hit(self) -> None:
        r, long = HitList("-x-xx"), HitList("-x-xx---", relevant=9)
        assert long.score() == r.score()
        for score in ("average_precision", "score", lambda each: each.average_precision()):
            assert long.standing(score) == r.standing(score)
            assert long.percentile(score) == r.percentile(score)

    @given(st.lists(st.booleans(), min_size=1, max_size=9).filter(any), st.integers(0, 3), st.integers(0, 4), st.data())
    def test_the_table_counts_every_item(self, hits: list[bool], missed: int, others: int, data: Any) -> None:
        r = HitList("".join("x" if hit else "-" for hit in hits), relevant=sum(hits) + missed)
        cutoff = data.draw(st.none() | st.integers(1, len(hits)))
        population = [*hits, *[True] * missed, *[False] * others]
        listed = [position < (cutoff or len(hits)) for position in range(len(population))]
        cells = Counter(zip(population, listed, strict=True))
        table = r.contingency(len(population), cutoff)
        assert (table.tp, table.fp) == (cells[True, True], cells[False, True])
        assert (table.fn, table.tn) == (cells[True, False], cells[False, False])
        labels = certus.data.Labels.from_counts([[table.tn, table.fp], [table.fn, table.tp]])
        for name in ("recall", "precision", "informedness", "markedness"):
            expected = getattr(certus.classification, name)(labels).value
            assert getattr(table, name) == pytest.approx(expected, abs=1e-15, nan_ok=True)

    @pytest.mark.parametrize(
        ("make", "said"),
        [
            (lambda: HitList.from_names({"a"}, {"a"}), "ranking is a set, which has no order"),
            (lambda: HitList.from_names(["a", "b", "a"], {"a"}), "ranking has 'a' at place 1 and again at 3"),
            (lambda: HitList.from_names(["a"], ["b", "b"]), "relevant has 'b' at place 1 and again at 2"),
            (lambda: HitList.from_names(["a", None], {"a"}), "ranking has None at place 2; every item needs a name"),
            (
                lambda: HitList.from_names(["a", untyped([])], {"a"}),
                "ranking has a list at place 2; items are text or whole",
            ),
            (
                lambda: HitList.from_names(["a", True], {"a"}),
                "ranking has a bool at place 2; items are text or whole numbers",
            ),
            (
                lambda: HitList.from_names(["a"], [1.0]),
                "relevant has a float at place 1; items are text or whole numbers",
            ),
            (lambda: HitList.from_names([7, "7"], {7}), "ranking has 7 at place 1 and the same id, '7', at 2"),
            (lambda: HitList.from_names("ab", {"a"}), "ranking is 'ab'; give the items themselves"),
            (
                lambda: HitList.from_names({"a": 1.0, "b": 2.0}, {"b"}),
                "ranking is a dict, whose values would not count; give",
            ),
            (
                lambda: HitList.from_names(["a", "b"], {"a": 0, "b": 2}),
                "relevant is a dict, whose values would not count",
            ),
            (lambda: HitList.from_names(["a"], set()), "relevant is empty"),
            (lambda: HitList.from_names(["a", "b"], {"c"}), "no relevant item is in the ranking"),
            (lambda: HitList.from_names(["a", "b"], {"b"}, cutoff=1), "no relevant item is in the first 1 rank"),
            (
                lambda: HitList.from_names(["a"], {"a"}, cutoff=0),
                "cutoff is 0; it must be a whole number of at least 1",
            ),
            (lambda: HitList("x-x", retrieved=2), "retrieved is 2; it must be a whole number from 3 to"),
            (lambda: HitList("x-x", relevant=1), "relevant is 1; it must be a whole number of at least 2"),
            (
                lambda: HitList("x-x", relevant=4).contingency(4),
                "population is 4; it must be a whole number of at least 5",
            ),
            (lambda: HitList("x-x").contingency(4, 4), "cutoff is 4; it must be a whole number from 1 to 3"),
        ],
    )
    def test_what_is_no_list_is_refused(self, make: Any, said: str) -> None:
        with pytest.raises(DataError, match=said):
            make()
