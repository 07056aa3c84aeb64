"""Precision, recall and what is made of them, by the arithmetic of references R2 and R4."""

import math

import pytest
from untyped import untyped

import certus

RANKING = certus.ranking

# R2: ten relevant documents; the list holds them at ranks 1, 3, 6, 10 and 15.
ANSWERS = {"q": dict.fromkeys(["d3", "d5", "d9", "d25", "d39", "d44", "d56", "d71", "d89", "d123"], 1)}
ORDER = ["d123", "d84", "d56", "d6", "d8", "d9", "d511", "d129", "d187", "d25", "d38", "d48", "d250", "d113", "d3"]
LIST = {"q": {doc: -position for position, doc in enumerate(ORDER)}}


@pytest.mark.parametrize(
    ("recall", "rank", "precision"), [(0.1, 1, 1.0), (0.2, 3, 2 / 3), (0.3, 6, 0.5), (0.4, 10, 0.4), (0.5, 15, 5 / 15)]
)
def test_r2_precision_at_each_recall(recall: float, rank: int, precision: float) -> None:
    assert RANKING.k_at_recall(ANSWERS, LIST, recall=recall).value == rank
    assert RANKING.precision_at_recall(ANSWERS, LIST, recall=recall).value == precision
    assert RANKING.precision(ANSWERS, LIST, cutoff=rank).value == precision
    assert RANKING.recall(ANSWERS, LIST, cutoff=rank).value == recall


def test_recall_that_is_never_reached_has_no_rank() -> None:
    estimate = RANKING.k_at_recall(ANSWERS, LIST, recall=0.6)
    assert math.isnan(estimate.value)
    assert estimate.reason == "1 of 1 query has no value"
    assert RANKING.precision_at_recall(ANSWERS, LIST, recall=0.6).value == 0


def test_r2_interpolates_between_three_recall_points() -> None:
    answers = {"q": dict.fromkeys(["d3", "d56", "d129"], 1)}

    def curve(rounding: str) -> list[float]:
        metric = untyped(RANKING.interpolated_precision).using(rounding=rounding)
        return [metric(answers, LIST, recall=level / 10).value for level in range(11)]

    assert curve("exact") == [1 / 3] * 4 + [2 / 8] * 3 + [3 / 15] * 4
    # trec_eval 9 takes recall 2/3 for 0.7 of three documents, trec_eval 10 also 1/3 for 0.4 and 2/3 for 0.8.
    assert curve("trec9") == [1 / 3] * 4 + [2 / 8] * 4 + [3 / 15] * 3
    # The formula is the default, and trec_eval's names mean what trec_eval does.
    assert [RANKING.interpolated_precision(answers, LIST, recall=level / 10).value for level in range(11)] == curve(
        "exact"
    )
    names = [certus.parse(f"iprec_at_recall_{level / 10:.2f}") for level in range(11)]
    assert [name(answers, LIST).value for name in names] == curve("trec9")
    assert RANKING.eleven_point_average_precision(answers, LIST).value == pytest.approx(sum(curve("exact")) / 11)
    assert certus.parse("11pt_avg")(answers, LIST).value == pytest.approx(sum(curve("trec9")) / 11)
    assert curve("trec10") == [1 / 3] * 5 + [2 / 8] * 4 + [3 / 15] * 2


# R4: premises a, b and c are useful; the model ranks x, a, y, b, c, z. (Misprints of the source's table: the row of c
# has precision 3/5, z stands at rank 6 with 3/6.)
USEFUL = {"g": {"a": 1, "b": 1, "c": 1}}
RANKED = {"g": dict(zip("xaybcz", range(6, 0, -1), strict=True))}


def test_r4_k_at_recall_inverts_recall_at_k() -> None:
    assert [RANKING.k_at_recall(USEFUL, RANKED, recall=r).value for r in (0, 1 / 3, 0.5, 2 / 3, 1)] == [0, 2, 4, 4, 5]
    for r in (1 / 3, 2 / 3, 1):
        k = int(RANKING.k_at_recall(USEFUL, RANKED, recall=r).value)
        at_k = RANKING.precision(USEFUL, RANKED, cutoff=k).value
        assert RANKING.precision_at_recall(USEFUL, RANKED, recall=r).value == at_k


# R2: 80 retrieved for q1, 40 of them among its 100 relevant; 30 for q2, 24 of them among its 50 relevant.
POOLS = {"q1": {f"r{index}": 1 for index in range(100)}, "q2": {f"r{index}": 1 for index in range(50)}}
SETS = {
    "q1": {f"{kind}{index}": 1.0 for kind in "rn" for index in range(40)},
    "q2": {f"{kind}{index}": 1.0 for kind, count in (("r", 24), ("n", 6)) for index in range(count)},
}


def test_micro_f_is_the_harmonic_mean_of_the_micro_averages() -> None:
    p, r = (40 + 24) / (80 + 30), (40 + 24) / (100 + 50)
    assert abs(RANKING.micro_f(POOLS, SETS).value - 2 * p * r / (p + r)) < 1e-15
    assert abs(RANKING.micro_f(POOLS, SETS, beta=2).value - 5 * p * r / (4 * p + r)) < 1e-15


def test_a_perfect_micro_f_is_1_for_any_beta() -> None:
    qrels = {f"q{size}": {f"d{number}": 1 for number in range(size)} for size in range(1, 8)}
    run = {query: dict.fromkeys(judged, 1.0) for query, judged in qrels.items()}
    for beta in (0.1, 0.3, 0.7, 1.1, 1.9, 3.3):
        for queries in range(1, 8):
            some = dict(list(run.items())[:queries])
            assert RANKING.micro_f(qrels, some, beta=beta).value == 1
            assert RANKING.micro_f(qrels, some, beta=beta, ties="average").value == 1


def test_micro_precision_at_k_counts_k_documents_in_every_query() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}}
    run = {"q1": {"a": 1}, "q2": {"a": 3, "b": 2, "c": 1}}
    assert RANKING.micro_precision(qrels, run, cutoff=2).value == (1 + 2) / (2 + 2)


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_r2_e_is_one_less_f(beta: float) -> None:
    alpha = 1 / (1 + beta**2)
    p, r = 4 / 10, 4 / 10
    e = 1 - 1 / (alpha / p + (1 - alpha) / r)
    assert abs(RANKING.e_measure(ANSWERS, LIST, cutoff=10, alpha=alpha).value - e) < 1e-15
    assert abs(RANKING.f_measure(ANSWERS, LIST, cutoff=10, beta=beta).value - (1 - e)) < 1e-15
    p, r = 2 / 3, 2 / 10
    assert (
        abs(RANKING.e_measure(ANSWERS, LIST, cutoff=3, alpha=alpha).value - (1 - 1 / (alpha / p + (1 - alpha) / r)))
        < 1e-15
    )


def test_alpha_1_weighs_precision_alone() -> None:
    assert abs(RANKING.e_measure(ANSWERS, LIST, cutoff=3, alpha=1).value - (1 - 2 / 3)) < 1e-15


def test_setf_of_ir_measures_is_the_number_that_ir_measures_gives() -> None:
    # P = 1/2, R = 1. ir_measures 0.4.3 hands beta to trec_eval's set_F as x: (x + 1) P R / (R + x P) with x = 2.
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}}
    assert certus.parse("SetF(beta=2.0)")(qrels, run).value == pytest.approx(3 / 4, rel=1e-15)
    assert certus.parse("F(beta=2)")(qrels, run).value == pytest.approx(5 / 6, rel=1e-15)


@pytest.mark.parametrize("size", range(1, 50))
def test_a_perfect_micro_precision_is_1_where_the_cutoff_divides_tied_documents(size: int) -> None:
    qrels = {"q": {f"d{number}": 1 for number in range(size + 2)}}
    run = {"q": {"d0": 2.0, "d1": 2.0} | {f"d{number}": 1.0 for number in range(2, size + 2)}}
    for cutoff in range(3, size + 3):
        assert RANKING.micro_precision(qrels, run, cutoff=cutoff, ties="average").value == 1


def test_r4_ap_at_k_divides_by_the_hits_so_far() -> None:
    at_four = {
        way: certus.ranking.average_precision(USEFUL, RANKED, cutoff=4, denominator=way).value
        for way in ("relevant", "min", "hits")
    }
    assert at_four == {"relevant": (1 / 2 + 2 / 4) / 3, "min": (1 / 2 + 2 / 4) / 3, "hits": (1 / 2 + 2 / 4) / 2}
    assert certus.ranking.average_precision(USEFUL, RANKED, cutoff=2, denominator="min").value == (1 / 2) / 2
    assert certus.ranking.average_precision(USEFUL, RANKED, cutoff=1, denominator="hits").value == 0


def test_geometric_map_floors_a_zero_as_trec_eval_does() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    run = {"1": {"a": 1}, "2": {"b": 1}}
    assert abs(certus.ranking.geometric_map(qrels, run).value - (1 * 0.00001) ** 0.5) < 1e-15
    assert abs(certus.ranking.geometric_map(qrels, run, floor=0.01).value - 0.1) < 1e-15


def test_a_cutoff_never_raises_reciprocal_rank() -> None:
    # All scores tied: one order for RR and RR@2.
    qrels, run = {"1": {"b": 1}}, {"1": dict.fromkeys("abc", 1.0)}
    assert RANKING.reciprocal_rank(qrels, run).value == RANKING.reciprocal_rank(qrels, run, cutoff=2).value == 1 / 2
    assert abs(RANKING.reciprocal_rank(qrels, run, ties="average").value - (1 + 1 / 2 + 1 / 3) / 3) < 1e-15


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
