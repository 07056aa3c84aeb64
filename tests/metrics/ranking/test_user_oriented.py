"""Coverage, novelty, relative recall and recall effort (reference R2), by hand."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import certus

RANKING = certus.ranking

# The user knew k1, k2 and k3 (grade 2); n1 and n2 are relevant and new (grade 1).
QRELS = {"q": {"k1": 2, "k2": 2, "k3": 2, "n1": 1, "n2": 1, "x": 0}}
RUN = {"q": dict(zip(["k1", "x", "n1", "y", "k2"], range(5, 0, -1), strict=True))}


def test_coverage_is_the_share_of_known_documents_found() -> None:
    assert RANKING.coverage(QRELS, RUN).value == 2 / 3
    assert RANKING.coverage(QRELS, RUN, cutoff=1).value == 1 / 3


def test_novelty_is_the_share_of_new_documents_among_the_relevant_found() -> None:
    assert RANKING.novelty(QRELS, RUN).value == 1 / (2 + 1)
    assert RANKING.novelty(QRELS, RUN, cutoff=3).value == 1 / (1 + 1)
    assert RANKING.novelty(QRELS, RUN, known_grade=3).value == 1


def test_coverage_and_novelty_are_undefined_without_such_documents() -> None:
    nothing_known = {"q": {"n1": 1}}
    assert math.isnan(RANKING.coverage(nothing_known, RUN).value)
    assert math.isnan(RANKING.novelty({"q": {"z": 1}}, RUN).value)
    assert RANKING.novelty(nothing_known, RUN).value == 1


def test_relative_recall_compares_with_what_the_user_wants() -> None:
    assert RANKING.relative_recall(QRELS, RUN, wanted=4).value == 3 / 4
    assert RANKING.relative_recall(QRELS, RUN, wanted=2).value == 1
    assert RANKING.relative_recall(QRELS, RUN, wanted=4, cutoff=1).value == 1 / 4
    assert RANKING.relative_recall(QRELS, RUN).value == RANKING.recall(QRELS, RUN).value == 3 / 5


def test_recall_effort_compares_with_what_must_be_read() -> None:
    # The second relevant document is the third read.
    assert RANKING.recall_effort(QRELS, RUN, wanted=2).value == 2 / 3
    assert RANKING.recall_effort(QRELS, RUN, wanted=1).value == 1
    # Four are wanted and three are there: reading everything does not suffice.
    assert RANKING.recall_effort(QRELS, RUN, wanted=4).value == 0


def test_recall_effort_averages_over_ties() -> None:
    # The second relevant document is at rank 2 or 3.
    run = {"q": {"k1": 2.0, "n1": 1.0, "y": 1.0}}
    assert abs(RANKING.recall_effort(QRELS, run, wanted=2, ties="average").value - (2 / 2 + 2 / 3) / 2) < 1e-15


@pytest.mark.parametrize("ties", ["average", "trec"])
def test_recall_effort_of_many_queries_is_that_of_reading_each_down(ties: Any) -> None:
    rng = np.random.default_rng(19)
    qrels, run = {}, {}
    for query in range(30):
        documents = [f"d{position}" for position in rng.permutation(int(rng.integers(1, 6)))]
        qrels[f"q{query:02}"] = {document: int(rng.integers(0, 2)) for document in documents}
        run[f"q{query:02}"] = {document: float(rng.integers(0, 3)) for document in documents}
    for wanted in (1, 2, 3, None):
        found: Any = RANKING.recall_effort(qrels, run, wanted=wanted, ties=ties).statistic
        for value, (name, grades) in zip(found.values, qrels.items(), strict=True):
            orders = [
                order
                for order in itertools.permutations(run[name])
                if (np.diff([run[name][document] for document in order]) <= 0).all()
            ]
            if ties == "trec":
                orders = [max(orders, key=lambda order: [(run[name][each], each) for each in order])]
            efforts = [_effort([grades[document] for document in order], wanted) for order in orders]
            assert value == pytest.approx(float(sum(efforts) / len(efforts)), abs=1e-15)


def _effort(grades: list[int], wanted: int | None) -> Fraction:
    goal = sum(grades) if wanted is None else wanted
    if not 0 < goal <= sum(grades):
        return Fraction(0)
    read = next(rank for rank in range(1, len(grades) + 1) if sum(grades[:rank]) == goal)
    return Fraction(goal, read)
