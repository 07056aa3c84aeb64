"""Arguments of a wrong type are refused by name, and harmless forms of right ones are taken."""

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from certus import DataError, chance
from certus.chance import HitList

LAW: Any = chance.rbp(5, 2, 0.5)
C: Any = chance


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: C.list_score(5, 2, "a"), "m is 'a'; it must be a finite number above 2"),
        (lambda: C.list_score(5, 2, math.inf), "m is inf; it must be a finite number above 2"),
        (lambda: LAW.interval("a"), "level is 'a'; it must be one number"),
        (lambda: LAW.interval(None), "level is None"),
        (lambda: LAW.interval([0.5, 0.9]), r"level is \[0.5, 0.9\]"),
        (lambda: LAW.tail("a"), "x is 'a'; it must be a number or an array of numbers"),
        (lambda: LAW.tail(1j), "x is 1j"),
        (lambda: LAW.tail(None), "x is None"),
        (lambda: LAW.tail([[1], [1, 2]]), "x is "),
        (lambda: LAW.ppf("x"), "q is 'x'"),
        (lambda: LAW.rvs(seed=2**70), r"seed is 1180591620717411303424; .* 2\*\*64 - 1"),
        (lambda: C.ndcg(5), "grades is 5; give one grade for each item"),
        (lambda: C.ndcg(None), "grades is None"),
        (lambda: C.dcg(np.array([[1, 0], [1, 2]])), r"grades is an array of shape \(2, 2\)"),
        (lambda: C.dcg([[1], 2]), r"grades has \[1\]; a grade is a whole number"),
        (lambda: C.mean_of(5), "distributions is 5"),
        (lambda: C.mean_of([5]), "distributions has 5"),
        (lambda: C.mean_of([LAW, LAW], ["a", 2]), r"weights is \['a', 2\]"),
        (lambda: C.mean_of([C.auc(1000, 1000)] * 3), "has a MannWhitney .* those that have are average_precision"),
        (lambda: C.hit_rank(5, 0, 1), "relevant is 0: there is no hit"),
        (lambda: HitList("xx--x").average_precision_at(2, []), r"denominator is \[\]"),  # type: ignore[arg-type]
        (lambda: HitList.table(3, scores=5), "scores is 5"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_type_is_named(question: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        question()


def test_any_iterable_of_laws_and_huge_weights_make_a_mean() -> None:
    assert chance.mean_of(LAW for _ in range(2)).mean() == pytest.approx(LAW.mean(), rel=1e-15)
    assert chance.mean_of([LAW, LAW], [1e308, 1e308]).mean() == pytest.approx(LAW.mean(), rel=1e-15)


def test_a_hit_list_is_made_of_a_hit_list_and_a_table_takes_one_score() -> None:
    assert HitList(HitList("x-x")) == HitList("x-x")
    assert list(HitList.table(3, scores="score").columns) == ["hit_list", "hits", "length", "score"]
    assert len(LAW.rvs(seed=2**64 - 1)) == 1


BINARY: dict[str, dict[str, Any]] = {
    "average_precision": {},
    "reciprocal_rank": {},
    "r_precision": {},
    "rbp": {"p": 0.8},
    "hits": {"cutoff": 3},
    "precision": {"cutoff": 3},
    "recall": {"cutoff": 3},
    "success": {"cutoff": 3},
    "hit_rank": {"hit": 1},
    "list_score": {},
}


@pytest.mark.parametrize("name", BINARY)
def test_laws_of_binary_relevance_take_items_relevant_and_cutoff(name: str) -> None:
    law = getattr(chance, name)
    assert list(inspect.signature(law).parameters)[:2] == ["items", "relevant"]
    assert law(items=9, relevant=2, **BINARY[name]).mean() == law(9, 2, *BINARY[name].values()).mean()
