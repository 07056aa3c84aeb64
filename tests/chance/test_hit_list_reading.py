"""Masks, ranks and scores as hit lists, and what of them is ambiguous."""

from typing import Any

import numpy as np
import pytest

from certus.chance import HitList
from certus.core.errors import DataError

SAME = HitList("xx-x----")


@pytest.mark.parametrize(
    "where",
    [
        [1, 1, 0, 1, 0, 0, 0, 0],
        (True, True, False, True, False, False, False, False),
        np.array([1, 1, 0, 1, 0, 0, 0, 0], dtype=np.uint8),
        np.array([1, 1, 0, 1, 0, 0, 0, 0]) > 0,
        np.array([1.0, 1, 0, 1, 0, 0, 0, 0], dtype=np.float32),
        [True, 1, 0.0, np.True_, np.int8(0), 0, False, 0],
        iter([1, 1, 0, 1, 0, 0, 0, 0]),
        SAME.hit_list(),
        "11010000",
        "1,1,0,1,0,0,0,0",
        SAME,
    ],
)
def test_a_vector_of_0_and_1_is_a_mask_and_trailing_misses_count(where: Any) -> None:
    made = HitList(where)
    assert made == SAME
    assert (made.retrieved, made.length, made.average_precision()) == (8, 4, (1 + 1 + 3 / 4) / 3)


def test_every_hit_list_reads_its_own_mask_back() -> None:
    for made in HitList.all(7):
        longer = HitList(made, retrieved=9)
        for each in (made, longer):
            mask = each.hit_list()
            assert HitList(mask) == HitList(mask.tolist()) == HitList(mask.astype(bool)) == each
            assert HitList("".join(map(str, mask.astype(int))), form="mask") == each


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("10", "-" * 9 + "x"),
        ("11", "-" * 10 + "x"),
        ("01", "-x"),
        ("010", "-x-"),
        ("111111", "xxxxxx"),
        ("1,1", "xx"),
        ("1, 1", "xx"),
        (" 1 ,0, 1 ", "x-x"),
        (" 011 ", "-xx"),
        (" 10", "-" * 9 + "x"),
        ("1, 2", "xx"),
        ("1,2", "xx"),
        ("1,10", "x" + "-" * 8 + "x"),
        ([1], "x"),
        ([1, 1], "xx"),
        ([1, 2], "xx"),
        ([0, 1], "-x"),
        ({1}, "x"),
    ],
)
def test_short_texts_of_digits_are_ranks_and_longer_ones_or_those_with_a_0_in_front_are_masks(
    where: Any, text: str
) -> None:
    assert str(HitList(where)) == text


def test_five_digits_are_a_rank_and_six_are_a_mask() -> None:
    for text in ("100", "1000", "10000", "11111"):
        assert HitList(text).ranks == (int(text),)
    assert HitList("100000") == HitList("x-----")


def test_the_form_says_what_the_list_is_whatever_it_looks_like() -> None:
    assert HitList("1000", form="mask") == HitList("x---")
    assert HitList("110100", form="ranks").ranks == (110_100,)
    assert HitList([1], form="ranks") == HitList([1], form="mask") == HitList("x")


@pytest.mark.parametrize(
    ("where", "form", "said"),
    [
        ([0, 0], None, "the mask of 2 ranks holds none"),
        ("000000", None, "the mask of 6 ranks holds none"),
        (np.zeros(3, bool), None, "the mask of 3 ranks holds none"),
        ([1, 1], "ranks", "rank 1 is given twice"),
        ([1, 0], "ranks", "found 0 among the ranks"),
        ({0, 1}, None, "found 0 among the ranks"),
        ({0, 1}, "mask", "found a set, which has no order"),
        ([1, 2], "mask", "found 2 in a mask"),
        ([1, None], "mask", "found None in a mask"),
        ([1, float("nan")], "mask", "found nan in a mask"),
        ("1,2", "mask", "form is for masks, and '1,2' is none"),
        ("xx", "mask", "form is 'mask'; 'xx' is not written in digits"),
        ([1, 2], "Mask", "form is 'Mask'; it must be 'mask' or 'ranks'"),
        (SAME, "ranks", "a hit list needs no reading"),
    ],
)
def test_a_mask_without_hits_and_forms_that_do_not_fit_are_refused(where: Any, form: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        HitList(where, form=form)


def test_items_are_ranked_by_falling_score() -> None:
    assert HitList.from_scores([0, 1, 1, 0, 1], [0.1, 0.9, 0.4, 0.6, 0.8]) == HitList("xx-x-")
    assert HitList.from_scores(np.array([False, True]), np.array([2**53 + 1, 2**53])) == HitList("-x")
    assert HitList.from_scores([1, 0], [-np.inf, 3], relevant=4) == HitList("-x", relevant=4)
    # Equal scores of hits alone, or of misses alone, leave no doubt.
    assert HitList.from_scores([1, 1, 0, 0], [0.5, 0.5, 0.2, 0.2]) == HitList("xx--")


@pytest.mark.parametrize(
    ("labels", "scores", "said"),
    [
        ([1, 0, 1], [0.2, 0.2, 0.5], "items 1 and 2 have one score, 0.2, and only one of them is a hit"),
        ([1, 0], [0.2, np.nan], "y_score holds something that is not a number"),
        ([1, 0], ["a", "b"], "y_score holds something that is not a number"),
        ([1, 0], [0.2], "y_score has 1 item for 2 labels"),
        ([1, 2], [0.2, 0.3], "found 2 in a mask"),
        ([0, 0], [0.2, 0.3], "a hit list has at least one hit"),
        ([[1, 0]], [0.2, 0.3], r"y_true has shape \(1, 2\)"),
    ],
)
def test_scores_that_give_no_order_are_refused(labels: Any, scores: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        HitList.from_scores(labels, scores)
