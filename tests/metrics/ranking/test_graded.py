"""Metrics of graded relevance, by hand and by the table of reference R2."""

import pytest

import certus
from certus import DataError

RANKING = certus.ranking

# R2: ratings 5 (perfect), 2, 4, 4, 4 at ranks 1 to 5, and one more page rated 4 that was not returned.
RATINGS = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
PAGES = {"abc": {f"u{rank}": -rank for rank in range(1, 6)}}


def test_r2_discounted_cumulative_gain_with_exponential_gain() -> None:
    values = [RANKING.dcg(RATINGS, PAGES, gain="exp", cutoff=k).value for k in range(1, 6)]
    assert [round(value, 1) for value in values] == [31, 32.9, 40.4, 46.9, 52.7]


def test_r2_ndcg_with_exponential_gain() -> None:
    # The source's ideal column (31, 40.5, 48, 54.5, 60.4) adds rounded terms; its ratios still round as here.
    values = [RANKING.ndcg(RATINGS, PAGES, gain="exp", cutoff=k).value for k in range(1, 6)]
    assert [round(value, 2) for value in values] == [1, 0.81, 0.84, 0.86, 0.87]
    assert str(RANKING.ndcg.using(gain="exp", cutoff=5)) == "nDCG(gain='exp')@5"


def test_gains_replace_those_of_single_grades() -> None:
    exponential = RANKING.ndcg(RATINGS, PAGES, gain="exp", cutoff=5).value
    spelled_out = RANKING.ndcg(RATINGS, PAGES, gains={2: 3, 4: 15, 5: 31}, cutoff=5).value
    assert abs(spelled_out - exponential) < 1e-15


def test_err_stops_at_satisfying_documents() -> None:
    qrels, run = {"q": {"a": 2, "c": 1}}, {"q": {"a": 3, "b": 2, "c": 1}}
    first, third = 3 / 4, 1 / 4
    assert RANKING.err(qrels, run, max_grade=2).value == first + (1 - first) * third / 3
    assert RANKING.err(qrels, run, max_grade=2, cutoff=2).value == first
    assert abs(RANKING.err(qrels, run).value - (3 / 16 + (13 / 16) * (1 / 16) / 3)) < 1e-15
    best = first + (1 - first) * third / 2
    assert abs(RANKING.nerr(qrels, run, max_grade=2).value - (first + (1 - first) * third / 3) / best) < 1e-15


@pytest.mark.parametrize("metric", [RANKING.err, RANKING.nerr])
def test_a_grade_above_the_scale_is_refused(metric: certus.Metric) -> None:
    with pytest.raises(DataError, match=r"the qrels hold the grade 5 but max_grade of n?ERR is 4; use max_grade=5"):
        metric(RATINGS, PAGES)


def test_ndcg_rel_and_rndcg_average_ndcg_over_ranks() -> None:
    qrels, run = {"q": {"a": 1, "c": 2}}, {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}

    def at(k: int) -> float:
        return RANKING.ndcg(qrels, run, cutoff=k).value

    assert abs(RANKING.ndcg_rel(qrels, run).value - (at(1) + at(3)) / 2) < 1e-15
    # The best ranking is 2, 1: it passes to a lower grade after ranks 1 and 2; the end is rank 4.
    assert abs(RANKING.rndcg(qrels, run).value - (at(1) + at(2) + at(4)) / 3) < 1e-15
