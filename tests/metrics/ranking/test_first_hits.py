"""Reciprocal rank, success, rank-biased precision and the share of judged documents, by hand."""

import certus

RANKING = certus.ranking


def test_r2_mean_reciprocal_rank_of_two_questions() -> None:
    qrels = {"1": {"b": 1}, "2": {"d": 1}}
    run = {query: dict(zip("abcd", range(4, 0, -1), strict=True)) for query in qrels}
    assert RANKING.reciprocal_rank(qrels, run).value == (1 / 2 + 1 / 4) / 2 == 3 / 8


def test_r2_mean_reciprocal_rank_of_three_plurals() -> None:
    qrels = {"cat": {"cats": 1}, "torus": {"tori": 1}, "virus": {"viruses": 1}}
    run = {
        "cat": {"catten": 3, "cati": 2, "cats": 1},
        "torus": {"torii": 3, "tori": 2, "toruses": 1},
        "virus": {"viruses": 3, "virii": 2, "viri": 1},
    }
    value = RANKING.reciprocal_rank(qrels, run).value
    assert abs(value - 11 / 18) < 1e-15
    assert round(value, 2) == 0.61


def test_a_cutoff_never_raises_reciprocal_rank() -> None:
    # All scores tied: one order for RR and RR@2.
    qrels, run = {"1": {"b": 1}}, {"1": dict.fromkeys("abc", 1.0)}
    assert RANKING.reciprocal_rank(qrels, run).value == RANKING.reciprocal_rank(qrels, run, cutoff=2).value == 1 / 2
    assert abs(RANKING.reciprocal_rank(qrels, run, ties="average").value - (1 + 1 / 2 + 1 / 3) / 3) < 1e-15


def test_success_is_a_share_of_queries() -> None:
    qrels = {"1": {"a": 1}, "2": {"c": 1}, "3": {"x": 1}, "4": {"a": 0}}
    run = {query: {"a": 3, "b": 2, "c": 1} for query in qrels}
    assert RANKING.success(qrels, run, cutoff=1).value == 1 / 4
    assert RANKING.success(qrels, run, cutoff=3).value == 2 / 4


def test_rank_biased_precision_and_its_residual_bracket_the_truth() -> None:
    qrels = {"q": {"a": 1, "b": 0, "d": 1}}
    run = {"q": {"a": 5, "b": 4, "c": 3, "d": 2}}
    value = RANKING.rbp(qrels, run, p=0.5).value
    residual = RANKING.rbp_residual(qrels, run, p=0.5).value
    assert value == 0.5 * (1 + 0.5**3)
    assert residual == 0.5 * 0.5**2 + 0.5**4
    # The best case: c relevant, and everything below the list.
    assert value + residual == 0.5 * (1 + 0.5**2 + 0.5**3) + 0.5**4


def test_judged_and_unjudged_share_the_list() -> None:
    qrels = {"q": {"a": 1, "b": 0, "d": -1}}
    run = {"q": {"a": 5, "b": 4, "c": 3, "d": 2}}
    assert RANKING.judged(qrels, run).value == 2 / 4
    assert RANKING.unjudged(qrels, run).value == 2 / 4
    assert RANKING.unjudged(qrels, run, cutoff=3).value == 1 / 3
    assert RANKING.unjudged(qrels, run, cutoff=10).value == 2 / 4
    assert RANKING.num_unjudged(qrels, run).value == 2
    assert RANKING.num_unjudged(qrels, run, cutoff=3).value == 1


def test_counts_are_summed_over_queries() -> None:
    qrels = {"1": {"a": 1, "b": 0, "x": 2}, "2": {"a": 2}}
    run = {"1": {"a": 3, "b": 2, "c": 1}, "2": {"a": 1}}
    names = ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelJudgedRet", "NumRet(rel=2)", "NumRel(rel=2)"]
    assert [certus.parse(name)(qrels, run).value for name in names] == [2, 4, 3, 2, 1, 1, 2]


def test_set_measures_ignore_the_order() -> None:
    qrels, run = {"1": {"a": 1, "b": 1, "x": 1}}, {"1": {"c": 4, "d": 3, "a": 2, "b": 1}}
    names = ["SetP", "SetR", "SetF", "SetAP", "SetRelP", "utility", "utility_2,-1,-3,0"]
    values = [certus.parse(name)(qrels, run).value for name in names]
    expected = [2 / 4, 2 / 3, 4 / 7, (2 / 4) * (2 / 3), 2 / 3, 2 - 2, 2 * 2 - 2 - 3]
    assert all(abs(value - right) < 1e-15 for value, right in zip(values, expected, strict=True))
