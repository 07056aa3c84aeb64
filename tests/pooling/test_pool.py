"""Pools: by depth, by fusion and by move-to-front; what each run adds; and pools that are judged in part."""

from pathlib import Path
from typing import Any

import pytest

import certus
from certus import CertusError, DataError
from certus.audit import stat_ap, xinf_ap
from certus.io.prels import as_prels, as_sampled_qrels
from certus.pooling import leave_one_out, pool

RUNS = {
    "a": {"q1": ["d1", "d2", "d3", "d4"], "q2": ["e1", "e2"]},
    "b": {"q1": ["d5", "d1", "d6", "d2"], "q2": ["e2", "e3"]},
    "c": {"q1": ["d2", "d7", "d1", "d8"]},
}


def test_the_pool_of_a_depth_is_the_union_of_the_tops() -> None:
    made = pool(RUNS, depth=2)
    assert {query: set(docs) for query, docs in made.to_dict().items()} == {
        "q1": {"d1", "d2", "d5", "d7"},
        "q2": {"e1", "e2", "e3"},
    }
    assert made.to_trec().splitlines()[:2] == ["q1 0 d1 -1", "q1 0 d2 -1"]
    assert (len(made), made.judged) == (7, 0)


def test_what_each_run_adds_alone() -> None:
    table = pool(RUNS, depth=2).contributions()
    assert table.columns == {"run": ["a", "b", "c", "pool"], "documents": [4, 4, 2, 7], "alone": [1, 2, 1, None]}
    judged = pool(RUNS, depth=2, judged={"q1": {"d1": 1, "d5": 2, "d7": 0}, "q2": {"e1": 1}}).contributions()
    assert judged.columns["relevant"] == [2, 2, 0, 3]
    assert judged.columns["relevant_alone"] == [1, 1, 0, None]


def test_reciprocal_rank_fusion_takes_the_documents_of_the_greatest_sums() -> None:
    sums: dict[str, float] = {}
    for run in RUNS.values():
        for rank, doc in enumerate(run["q1"], start=1):
            sums[doc] = sums.get(doc, 0) + 1 / (60 + rank)
    expected = sorted(sums, key=lambda doc: (-sums[doc], doc))[:3]
    assert list(pool(RUNS, method="rrf", size=3).to_dict()["q1"]) == expected == ["d1", "d2", "d5"]


def test_move_to_front_stays_with_a_run_as_long_as_it_finds_relevant_documents() -> None:
    relevant = {"q1": {"d1": 1, "d2": 1, "d3": 0}}
    # a gives d1, d2 (relevant) and d3, which is not; then b and c have the higher priority.
    made = pool(RUNS, method="mtf", size=6, judged=relevant)
    assert " ".join(made.to_dict()["q1"]) == "d1 d2 d3 d5 d7 d4"
    # Nothing judged: the runs take turns.
    assert list(pool(RUNS, method="mtf", size=4).to_dict()["q1"]) == ["d1", "d5", "d2", "d3"]


def test_judgments_outside_of_the_tops_are_kept() -> None:
    made = pool(RUNS, depth=1, judged={"q1": {"d1": 1, "z": 2}, "q9": {"y": 0}})
    assert made.to_dict() == {"q1": {"d1": 1, "d2": -1, "d5": -1, "z": 2}, "q2": {"e1": -1, "e2": -1}, "q9": {"y": 0}}


def test_ties_are_broken_as_trec_eval_does() -> None:
    assert pool({"a": {"q": {"d1": 1.0, "d2": 1.0}}}, depth=1).to_dict() == {"q": {"d2": -1}}


def test_a_seed_puts_documents_in_a_random_order_that_is_the_same_each_time() -> None:
    runs = {"a": {"q": [f"d{i}" for i in range(50)]}}
    one, two = (list(pool(runs, depth=50, seed=3).to_dict()["q"]) for _ in range(2))
    assert one == two != sorted(one)
    assert set(one) == set(runs["a"]["q"])


def test_a_pool_judged_in_part_goes_on_to_inf_ap_and_stat_ap(tmp_path: Path) -> None:
    made = pool(RUNS, depth=4, seed=1)
    relevant = {"d1", "d2", "e2"}
    half = {query: list(docs)[: (len(docs) + 1) // 2] for query, docs in made.to_dict().items()}
    grades = {query: {doc: int(doc in relevant) for doc in docs} for query, docs in half.items()}
    judged = pool(RUNS, depth=4, judged=grades)
    path = tmp_path / "pool.qrels"
    path.write_text(judged.to_trec())
    assert certus.read_qrels(path).to_dict() == judged.to_dict()
    inferred = certus.ranking.inf_ap(judged.to_dict(), RUNS["a"])
    assert 0 < inferred.value <= 1
    # one stratum: the extended form is infAP, up to where it puts its smoothing
    assert xinf_ap(judged.strata(), RUNS["a"]).value == pytest.approx(inferred.value, abs=1e-3)
    assert xinf_ap(path, RUNS["a"]).value == xinf_ap(judged.strata(), RUNS["a"]).value
    sample = as_prels(path)
    assert sample.inclusion["q1"][0] == 4 / 8
    assert stat_ap(path, RUNS["a"]).value == stat_ap(sample, RUNS["a"]).value > 0


def test_a_pool_judged_in_full_gives_average_precision_to_all_of_them() -> None:
    qrels = {query: dict.fromkeys(docs, 1) for query, docs in pool(RUNS, depth=4).to_dict().items()}
    made = pool(RUNS, depth=4, judged=qrels)
    plain = certus.ranking.average_precision(qrels, RUNS["b"]).value
    assert stat_ap(as_sampled_qrels(made.strata()), RUNS["b"]).value == pytest.approx(plain, rel=1e-12)


def test_leaving_a_run_out_takes_away_what_it_added_alone() -> None:
    qrels = {"q1": {"d1": 1, "d2": 1, "d5": 1, "d7": 0}, "q2": {"e1": 1, "e2": 0, "e3": 0}}
    rows = {row.run: row for row in leave_one_out(qrels, RUNS, "AP", depth=2)}
    # a alone has e1: without it q2 has nothing relevant, and counts 0.
    full = ((1 / 1 + 2 / 2) / 3 + 1) / 2
    assert rows["a"].value == pytest.approx(full)
    assert rows["a"].without == pytest.approx(((1 + 1) / 3 + 0) / 2)
    assert rows["a"].percent == pytest.approx(100 * (rows["a"].without / full - 1))
    # b alone has d5 and e3: (1/2 + 2/4) / 2 of d1 and d2 instead of (1 + 2/2 + 3/4) / 3 with d5.
    assert rows["b"].value == pytest.approx((1 + 1 + 3 / 4) / 3 / 2)
    assert rows["b"].without == pytest.approx((1 / 2 + 2 / 4) / 2 / 2)
    assert (rows["a"].alone, rows["b"].alone, rows["c"].alone) == (1, 2, 1)


def test_a_query_that_only_the_run_left_out_was_judged_for_still_counts() -> None:
    rows = leave_one_out({"q": {"x": 1}, "p": {"y": 1}}, {"a": {"q": ["x"], "p": ["y"]}, "b": {"p": ["y"]}}, depth=1)
    assert (rows[0].value, rows[0].without) == (1.0, 0.5)
    assert str(rows).splitlines()[1] == "a    AP      1.0000   0.5000  -50.0000      1"


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"method": "best"}, r"^method is 'best'; it must be 'depth', 'rrf' or 'mtf'$"),
        ({"size": 3}, r"^size does not apply to method 'depth', which takes all; use 'rrf' or 'mtf'$"),
        ({"method": "rrf"}, r"^method 'rrf' needs size, the number of documents of a query$"),
        ({"depth": 0}, r"^depth is 0; it must be at least 1$"),
    ],
)
def test_what_a_pool_is_not_made_of_is_refused(told: dict[str, Any], message: str) -> None:
    with pytest.raises(CertusError, match=message):
        pool(RUNS, **told)


def test_a_pool_needs_runs() -> None:
    with pytest.raises(DataError, match="there are no runs"):
        pool({})
    with pytest.raises(DataError, match="give at least two"):
        leave_one_out({"q": {"d": 1}}, {"a": {"q": ["d"]}}, depth=1)
