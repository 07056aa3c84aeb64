"""Ranking metrics against random rankings: every order of short lists, tried one by one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import certus
from certus import CertusError, DataError, Metric
from certus.chance.versus import VersusChance
from certus.data import Ranking
from certus.io import as_qrels
from certus.io.rank import rank
from certus.statistic import Mean

Floats = NDArray[np.float64]
Grades = dict[str, int]
Scores = dict[str, float]

QRELS: dict[str, Grades] = {
    "1": {"a": 1, "b": 0, "c": 2, "z": 1, "y": 0},
    "2": {"a": 0, "b": 1, "c": 1, "d": 1},
    "3": {"a": 3, "x": 0},
}
RUN: dict[str, Scores] = {
    "1": {"a": 5.0, "u": 4.0, "b": 4.0, "c": 3.0, "v": 3.0, "w": 3.0},
    "2": {"d": 4.0, "b": 3.0, "a": 3.0, "e": 2.0},
    "3": {"p": 4.0, "q": 3.0, "a": 2.0, "x": 2.0, "r": 1.0},
}

EXACT = [
    certus.parse(text)
    for text in [
        *("AP", "AP@3", "AP(rel=2)", "AP(denominator='min')@2", "AP(denominator='hits')@3", "AP(denominator='hits')"),
        *("P", "P@2", "P@10", "R", "R@3", "Success@1", "Success@9", "Rprec", "Rprec(multiple=1.5)", "RR", "RR@2"),
        *("DCG", "DCG(gain='exp')@3", "nDCG", "nDCG@2", "nDCG(gain='exp')@10", "nDCG(gains={0:0.5,1:2})@4"),
        *("RBP", "RBP(p=0.5)@2", "bpref", "bpref(rel=2)"),
    ]
]
DRAWN = [
    certus.parse(text) for text in ("ERR", "GMAP", "MicroP@2", "nERR@3", "infAP", "k@recall(0.3)", "F@2", "NumRelRet")
]


@cache
def all_orders(query: str, items: int | None, ties: str) -> Ranking:
    """Every order of one query's documents as a query of its own."""
    grades, scores = QRELS[query], RUN[query]
    docs = list(scores)
    if items is not None:
        docs += [doc for doc in grades if doc not in scores]
        docs += [f"other{i}" for i in range(items - len(docs))]
    values = sorted(scores.values(), reverse=True) if ties == "average" else [-float(i) for i in range(len(scores))]
    orders = permutations(docs, len(values))
    run = {str(i): dict(zip(order, values, strict=True)) for i, order in enumerate(orders)}
    made = rank(as_qrels(dict.fromkeys(run, grades)), run, queries="judged").ranking
    return replace(made, ties="average") if ties == "average" else made


def of_all_orders(metric: Metric, query: str, items: int | None = None, ties: str = "trec") -> Floats:
    """The metric of every order of one query's documents, each as likely."""
    found = metric.compute(all_orders(query, items, ties))
    assert isinstance(found, Mean)
    return found.values


def thinned(values: Floats) -> tuple[Floats, Floats]:
    """The distinct values and their probabilities; values that rounding moved apart are one."""
    distinct, counts = np.unique(np.round(values, 11), return_counts=True)
    return distinct, counts / len(values)


def mean_law(each: Sequence[Floats]) -> tuple[Floats, Floats]:
    """The law of a mean over independent queries, as distinct values and probabilities."""
    values, shares = thinned(each[0])
    for other in each[1:]:
        more, likely = thinned(other)
        sums = np.round(np.add.outer(values, more).ravel(), 10)
        values, position = np.unique(sums, return_inverse=True)
        shares = np.bincount(position, np.multiply.outer(shares, likely).ravel()).astype(np.float64)
    return values / len(each), shares


def check(result: VersusChance, values: Floats, shares: Floats, tolerance: float = 1e-9) -> None:
    """Everything that a result says, from all values and their probabilities."""
    x = result.value
    tail, cdf = shares[values >= x - 1e-9].sum(), shares[values <= x + 1e-9].sum()
    expected = float(values @ shares)
    assert result.expected == pytest.approx(expected, rel=tolerance, abs=1e-9)
    assert result.sd == pytest.approx(np.sqrt((values - expected) ** 2 @ shares), rel=max(tolerance, 1e-7), abs=1e-7)
    assert result.null.tail(x) == pytest.approx(tail, rel=tolerance)
    assert result.null.cdf(x) == pytest.approx(cdf, rel=tolerance)
    assert result.percentile == pytest.approx(50 * (1 - tail + cdf), abs=1e-7)
    assert result.best == pytest.approx(values.max(), rel=1e-9)


each_exact = pytest.mark.parametrize("metric", EXACT, ids=str)


@each_exact
@pytest.mark.parametrize("query", list(QRELS))
def test_one_query_is_as_every_order_of_its_documents_says(metric: Metric, query: str) -> None:
    result = metric({query: QRELS[query]}, {query: RUN[query]}).versus_chance()
    assert result.exact
    check(result, *thinned(of_all_orders(metric, query)))


@each_exact
def test_a_mean_is_as_every_combination_of_orders_says(metric: Metric) -> None:
    result = metric(QRELS, RUN).versus_chance()
    check(result, *mean_law([of_all_orders(metric, query) for query in QRELS]), tolerance=1e-8)


@each_exact
@pytest.mark.parametrize("query", ["1", "3"])
def test_a_collection_is_as_every_choice_of_documents_from_it_says(metric: Metric, query: str) -> None:
    items = 8 if query == "1" else 7
    result = metric({query: QRELS[query]}, {query: RUN[query]}).versus_chance(items=items)
    check(result, *thinned(of_all_orders(metric, query, items)))


def check_draws(result: VersusChance, values: Floats, shares: Floats) -> None:
    """Estimates from draws, within the error of their number."""
    x = result.value
    for found, mask in ((result.null.tail(x), values >= x - 1e-9), (result.null.cdf(x), values <= x + 1e-9)):
        assert found == pytest.approx(shares[mask].sum(), abs=2 * found.error)
    expected = float(values @ shares)
    sd = float(np.sqrt((values - expected) ** 2 @ shares))
    assert result.expected == pytest.approx(expected, abs=4 * sd / 100 + 1e-9)
    assert result.sd == pytest.approx(sd, rel=0.05, abs=1e-9)
    assert result.best == pytest.approx(values.max(), rel=1e-9)


@pytest.mark.parametrize("metric", [*EXACT, *(each for each in DRAWN if each.name in ("ERR", "nERR"))], ids=str)
@pytest.mark.parametrize("ties", ["trec", "average"])
def test_draws_agree_with_every_order(metric: Metric, ties: Any) -> None:
    one = metric({"1": QRELS["1"]}, {"1": RUN["1"]}, ties=ties)
    result = one.versus_chance(replicates=10_000, seed=7)
    assert (result.method, result.exact) == ("Monte Carlo", False)
    check_draws(result, *thinned(of_all_orders(metric, "1", ties=ties)))


@each_exact
def test_tied_documents_stay_tied(metric: Metric) -> None:
    result = metric({"1": QRELS["1"]}, {"1": RUN["1"]}, ties="average").versus_chance()
    check(result, *thinned(of_all_orders(metric, "1", ties="average")))
    assert "equal scores staying tied" in result.random


@each_exact
def test_without_ties_averaging_changes_nothing(metric: Metric) -> None:
    run = {query: {doc: -float(i) for i, doc in enumerate(scores)} for query, scores in RUN.items()}
    assert metric(QRELS, run, ties="average").versus_chance().p == pytest.approx(metric(QRELS, run).versus_chance().p)


@pytest.mark.parametrize("metric", [each for each in DRAWN if each.name in ("ERR", "nERR", "infAP", "F")], ids=str)
def test_short_lists_are_tried_in_every_order(metric: Metric) -> None:
    result = metric(QRELS, RUN).versus_chance()
    assert result.exact
    check(result, *mean_law([of_all_orders(metric, query) for query in QRELS]), tolerance=1e-8)


@pytest.mark.parametrize("metric", [each for each in DRAWN if each.name in ("GMAP", "MicroP", "NumRelRet")], ids=str)
def test_what_is_no_mean_of_queries_is_drawn(metric: Metric) -> None:
    assert metric(QRELS, RUN).versus_chance().method == "Monte Carlo"


def test_long_lists_of_a_metric_without_a_law_are_drawn() -> None:
    run = {"1": {**RUN["1"], **{f"filler{i}": -float(i) for i in range(40)}}}
    result = certus.parse("ERR")({"1": QRELS["1"]}, run).versus_chance()
    assert result.method == "Monte Carlo"
    assert len(result.null) == 10_000  # type: ignore[arg-type]  # of draws


@pytest.mark.parametrize("metric", DRAWN, ids=str)
def test_any_metric_is_drawn_with_the_same_answer_for_the_same_seed(metric: Metric) -> None:
    estimate = metric(QRELS, RUN)
    one, two = (estimate.versus_chance(seed=1, replicates=2000) for _ in range(2))
    assert (one.p, one.expected, one.method) == (two.p, two.expected, "Monte Carlo")
    low, high = one.null.support()
    assert low <= estimate.value <= high


def test_two_sided_and_less() -> None:
    estimate = certus.parse("RR")({"1": QRELS["1"]}, {"1": RUN["1"]})
    values = of_all_orders(certus.parse("RR"), "1")
    tail, cdf = np.mean(values >= estimate.value), np.mean(values <= estimate.value)
    assert estimate.versus_chance("less").p == pytest.approx(cdf)
    assert estimate.versus_chance(alternative="two-sided").p == pytest.approx(min(1, 2 * min(tail, cdf)))


def test_for_a_metric_of_which_less_is_better_less_is_the_default() -> None:
    result = certus.parse("k@recall(0.5)")({"2": QRELS["2"]}, {"2": RUN["2"]}).versus_chance()
    assert (result.alternative, result.better) == ("less", "lower")
    assert result.best == 2


def test_a_query_without_relevant_documents_is_the_same_in_every_order() -> None:
    qrels = {**QRELS, "4": {"a": 0}}
    run = {**RUN, "4": {"a": 2.0, "b": 1.0}}
    with_it, without = (certus.parse("AP")(qrels, run).versus_chance(), certus.parse("AP")(QRELS, RUN).versus_chance())
    assert with_it.expected == pytest.approx(without.expected * 3 / 4)
    assert with_it.p == pytest.approx(without.p, rel=1e-8)


def test_missing_queries_count_0_in_every_order() -> None:
    run = {"1": RUN["1"]}
    judged = certus.parse("AP")(QRELS, run, queries="judged").versus_chance()
    assert judged.p == pytest.approx(certus.parse("AP")(QRELS, run).versus_chance().p, rel=1e-9)


def test_unjudged_documents_taken_out_are_not_in_the_random_order() -> None:
    removed = certus.parse("AP")({"1": QRELS["1"]}, {"1": RUN["1"]}, unjudged="remove").versus_chance()
    short = {doc: score for doc, score in RUN["1"].items() if doc in QRELS["1"]}
    assert removed.p == pytest.approx(certus.parse("AP")({"1": QRELS["1"]}, {"1": short}).versus_chance().p)


def test_groups_of_unjudged_documents_are_read_from_the_run_again(tmp_path: Any) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 5 t\n1 Q0 u 2 4 t\n1 Q0 v 3 4 t\n1 Q0 w 4 4 t\n")
    estimate = certus.parse("AP")({"1": {"a": 1}}, path, ties="average")
    result = estimate.versus_chance()
    assert result.p == 0.25
    assert result.expected == pytest.approx((1 + 3 * (1 / 2 + 1 / 3 + 1 / 4) / 3) / 4)
    path.write_text("1 Q0 a 1 5 t\n")
    with pytest.raises(DataError, match="changed since it was ranked"):
        estimate.versus_chance()


def test_what_cannot_be_asked_is_refused() -> None:
    ap = certus.parse("AP")(QRELS, RUN)
    with pytest.raises(CertusError, match="alternative is 'more'"):
        ap.versus_chance("more")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="items is 5, but query '1' has 8 documents"):
        ap.versus_chance(items=5)
    with pytest.raises(DataError, match="seed is -1"):
        ap.versus_chance(seed=-1)
    with pytest.raises(DataError, match="replicates is 0"):
        ap.versus_chance(replicates=0)
    with pytest.raises(DataError, match="items is given but unjudged='remove'"):
        certus.parse("AP")(QRELS, RUN, unjudged="remove").versus_chance(items=100)
    with pytest.raises(CertusError, match=r"undefined .*cannot be compared with chance"):
        certus.parse("k@recall(1)")(QRELS, RUN).versus_chance()
    with pytest.raises(CertusError, match="MAE has no distribution under a random ranking"):
        certus.regression.mae([1, 0, 1], [1, 0, 0]).versus_chance()


def test_a_metric_of_ones_own_has_a_null_too() -> None:
    declare: Callable[..., Metric] = certus.metric("TopIsRelevant", task="ranking", monotone=True)
    mine = declare(lambda ranking: [float(1 in each.ranks[each.grades > 0]) for each in ranking.lists()])
    result = mine({"2": QRELS["2"]}, {"2": RUN["2"]}).versus_chance()
    assert (result.p, result.method) == (0.5, "enumeration")
    drawn = mine({"2": QRELS["2"]}, {"2": RUN["2"]}).versus_chance(replicates=1000)
    assert drawn.p == pytest.approx(0.5, abs=drawn.p.error)
