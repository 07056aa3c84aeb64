"""Many metrics of many runs in one table: conventions, averages, notices, signature."""

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from untyped import untyped

import certus
from certus.data import Ranking
from certus.io import as_qrels
from certus.io.rank import rank
from certus.table import Row

ROBUST = Path(os.environ.get("CERTUS_ROBUST03", Path(__file__).parents[2] / "shared" / "data" / "robust03"))

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1, "d": -1}, "3": {"z": 0}, "4": {"x": 1}}
RUN = {"1": {"a": 3.0, "u": 2.0, "c": 2.0, "b": 1.0}, "2": {"u": 5.0, "a": 4.0}, "3": {"z": 1.0}, "9": {"q": 1.0}}


def values(table: certus.Table) -> dict[str, float]:
    return {row.metric: row.value for row in table if row.query is None}


def kinds(table: certus.Table) -> dict[str, int]:
    return {notice.kind: notice.count for notice in table.warnings}


def test_values_by_hand() -> None:
    """Query 1 in rank order: a (1), u (-), c (2), b (0), as "u" is greater than "c"; query 2: u, a; query 3: z."""
    table = certus.evaluate(QRELS, RUN, ["AP", "P@2", "RR", "R@2", "nDCG@2"], per_query=True)
    one = (1 + 2 / 3) / 2
    assert values(table)["AP"] == pytest.approx((one + 1 / 2 + 0) / 3, rel=1e-15)
    assert values(table)["P@2"] == pytest.approx((1 / 2 + 1 / 2 + 0) / 3, rel=1e-15)
    assert values(table)["RR"] == pytest.approx((1 + 1 / 2 + 0) / 3, rel=1e-15)
    assert values(table)["R@2"] == pytest.approx((1 / 2 + 1 + 0) / 3, rel=1e-15)
    ideal = 2 + 1 / np.log2(3)
    assert values(table)["nDCG@2"] == pytest.approx((1 / ideal + 1 / np.log2(3) + 0) / 3, rel=1e-15)
    each = {(row.query, row.metric): row.value for row in table.per_query()}
    assert each["1", "AP"] == pytest.approx(one, rel=1e-15)
    assert [row.query for row in table.per_query()][:3] == ["1", "2", "3"]


def test_both_averaging_conventions_say_what_they_count() -> None:
    both = certus.evaluate(QRELS, RUN, "RR")
    judged = certus.evaluate(QRELS, RUN, "RR", queries="judged")
    assert values(judged)["RR"] == pytest.approx(values(both)["RR"] * 3 / 4, rel=1e-15)
    assert both.signature["averaged"] == {"run": {"queries": 3, "missing": 1}}
    assert judged.signature["averaged"] == {"run": {"queries": 4, "missing": 1}}
    assert "3 queries with judgments and results" in str(both)
    assert "all 4 judged queries" in str(judged)


def test_what_is_suspicious_is_said_with_its_count() -> None:
    assert kinds(certus.evaluate(QRELS, RUN, "AP")) == {
        "negative-grades": 1,
        "unjudged-queries": 1,
        "missing-queries": 1,
        "no-relevant": 1,
        "ties": 1,
    }
    assert kinds(certus.evaluate({"1": {"a": 1}}, {"1": {"a": 2.0, "b": 1.0}}, "AP")) == {}


@pytest.mark.parametrize(
    ("lines", "kind", "count"),
    [
        ("1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n", "equal-scores", 1),
        ("1 Q0 a 1 0.12345678901234567891 t\n1 Q0 b 2 0.12345678901234567890001 t\n", "rounded-scores", 2),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 3 t\n2 Q0 a 1 3 t\n2 Q0 b 2 2 t\n", "contradicting-ranks", 1),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 3 t\n2 Q0 a 1 3 t\n2 Q0 b 2 4 t\n", "rising-scores", 2),
        ("1 Q0 a 1 2 t\n1 Q0 caf\u00e9 2 1 t\n1 Q0 cafe\u0301 3 0.5 t\n", "normalisation", 1),
        ("1 Q0 q\u00e9 1 2 t\n", "normalisation", 1),
        ("1 Q0 a 1 2 t\n1 Q0 a\u0323\u0307 2 1 t\n1 Q0 a\u0307\u0323 3 0.5 t\n", "normalisation", 1),
        ("1 Q0 a 1 2 t\n\u00e9 Q0 a 1 2 t\n", "normalised-queries", 1),
        ("1 Q0 a 1 2 t\nq\u00e9 Q0 a 1 2 t\nqe\u0301 Q0 a 1 2 t\n", "normalised-queries", 2),
        ("e\u0301 Q0 a 1 2 t\n\u00e9 Q0 a 1 2 t\n", "normalised-queries", 2),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 1 u\n", "run-tags", 1),
        ("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 b 2 1 u\n", "run-tags", 1),
    ],
)
def test_suspicious_lines_are_read_and_said(lines: str, kind: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text(lines)
    qrels = {"1": {"a": 1, "qe\u0301": 1}, "2": {"a": 1}, "e\u0301": {"a": 1}}
    table = certus.evaluate(qrels, path, "AP")
    assert kinds(table)[kind] == count
    assert all(notice.about for notice in table.warnings)


def test_ids_of_the_qrels_that_look_the_same_are_said(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("1 0 caf\u00e9 1\n1 0 cafe\u0301 1\n1 0 cafe 1\ne\u0301 0 a 1\n\u00e9 0 a 1\n")
    run = {"1": {"b": 1.0}, "e\u0301": {"a": 1.0}, "\u00e9": {"a": 1.0}}
    for given in (path, certus.read_qrels(path).to_dict()):
        found = {(notice.kind, notice.count) for notice in certus.evaluate(given, run, "AP").warnings if notice.about}
        assert found >= {("normalisation", 1), ("normalised-queries", 2)}


def test_an_id_beyond_ascii_without_a_twin_is_not_suspicious() -> None:
    run = {query: {"a": 1.0} for query in ("e\u0301", "na\u00efve", "\u00e9", "1")}
    table = certus.evaluate({query: {"a": 1} for query in run}, run, "AP")
    notices = [notice for notice in table.warnings if notice.kind == "normalised-queries"]
    assert [(sorted(notice.queries), notice.count) for notice in notices] == [(["e\u0301", "\u00e9"], 2)] * 2
    alone = {"na\u00efve": {"a": 1.0}, "1": {"a": 1.0}}
    assert "normalised-queries" not in kinds(certus.evaluate({query: {"a": 1} for query in alone}, alone, "AP"))


def test_two_run_tags_are_named_and_one_in_many_blocks_is_not(tmp_path: Path) -> None:
    lines = [f"{i // 100} Q0 d{i % 100} 1 {-i}.5 {{}}\n" for i in range(100_000)]
    path = tmp_path / "a.run"
    path.write_text("".join(line.format("bm25") for line in lines))
    assert "run-tags" not in kinds(certus.evaluate({"1": {"d1": 1}}, path, "AP"))
    path.write_text("".join(line.format("bm25" if i < 99_000 else "ql") for i, line in enumerate(lines)))
    (notice,) = (each for each in certus.evaluate({"1": {"d1": 1}}, path, "AP").warnings if each.kind == "run-tags")
    assert notice.text == "the lines have different run tags, such as 'bm25' and 'ql'; are these two runs in one file?"


def test_ties_are_said_only_where_a_printed_value_changes() -> None:
    """AP of 20,000 queries: one whose value is 0.5 or 1 moves the mean by 0.000025."""
    many = {str(i): {"a": 1} for i in range(20_000)}
    run = {query: {"a": 2.0, "b": 1.0} for query in many}
    assert "ties" not in kinds(certus.evaluate(many, run | {"7": {"a": 1.0, "b": 1.0}}, "AP"))
    few = {query: many[query] for query in map(str, range(6_000, 7_000))}
    assert "ties" not in kinds(certus.evaluate(few, {query: run[query] for query in few}, "AP"))
    moved = {query: run[query] for query in few} | {"6001": {"a": 1.0, "b": 1.0}}
    (notice,) = certus.evaluate(few, moved, ["Success@5", "AP", "Success@1"]).warnings[1:]
    assert notice.text == "ties change results in 1 of 1000 queries: Success@1 0.9990 to 1.0000, AP 0.9995 to 1.0000"
    assert notice.queries == ("6001",)


def test_ties_of_many_runs_are_one_line_with_the_largest_first() -> None:
    qrels = {str(i): {"a": 1} for i in range(10)}
    flat, sharp = {"b": 1.0, "a": 1.0}, {"b": 1.0, "a": 2.0}
    runs = {f"r{k}": {q: flat if int(q) < k else sharp for q in qrels} for k in (0, 1, 4, 2, 3)}
    notices = [each for each in certus.evaluate(qrels, runs, ["RR", "P@1"]).warnings if each.kind == "ties"]
    assert [notice.text for notice in notices] == [
        "ties change results in 4 of 5 runs (r4 P@1 0.6000 to 1.0000; r3 P@1 0.7000 to 1.0000; r2 P@1 0.8000 to "
        "1.0000; and 1 more); ties='range' shows by how much"
    ]
    assert (notices[0].about, notices[0].count) == (None, 4)
    compared = certus.compare(qrels, runs, ["RR", "P@1"]).notices
    assert [notice.text for notice in compared if notice.kind == "ties"] == [notices[0].text]


@pytest.mark.skipif(not ROBUST.is_dir(), reason="the runs of TREC 2003 are not here")
def test_ties_of_real_runs_are_one_line_of_ranges_that_show() -> None:
    runs = sorted(ROBUST.glob("input.*.gz"))
    (notice,) = (
        each for each in certus.evaluate(ROBUST / "qrels.txt.gz", runs, ["AP", "P@10"]).warnings if each.kind == "ties"
    )
    ranges = re.findall(r"(\d\.\d{4}) to (\d\.\d{4})", notice.text)
    widths = [float(high) - float(low) for low, high in ranges]
    assert widths
    assert min(widths) > 0
    assert widths == sorted(widths, reverse=True)


def test_ranks_that_agree_with_scores_are_not_suspicious(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 b 2 2 t\n1 Q0 a 1 3 t\n1 Q0 c 3 2 t\n1 Q0 d 4 -1 t\n")
    assert kinds(certus.evaluate({"1": {"a": 1}}, path, "AP")) == {}


TIED_QRELS = {"1": {"a": 1, "b": 0, "c": 1}}
TIED_RUN = {"1": {"b": 1.0, "a": 1.0, "c": 1.0}}


def test_each_tie_policy_by_hand() -> None:
    """Three tied documents, two relevant. AP is 1 for (r r n), 5/6 for (r n r), 7/12 for (n r r)."""
    orders = [1.0, (1 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2]

    def ap(ties: Any) -> Row:
        return next(iter(certus.evaluate(TIED_QRELS, TIED_RUN, "AP", ties=ties)))

    assert ap("trec").value == pytest.approx(orders[1], rel=1e-15)
    assert ap("input").value == pytest.approx(orders[2], rel=1e-15)
    assert ap("average").value == pytest.approx(sum(orders) / 3, rel=1e-15)
    ranged = ap("range")
    assert ranged.over == "ties"
    assert [ranged.value, ranged.minimum, ranged.maximum] == pytest.approx([orders[1], orders[2], 1.0], rel=1e-15)
    estimate = certus.ranking.average_precision(TIED_QRELS, TIED_RUN, ties="range")
    assert estimate.range == (ranged.minimum, ranged.maximum)


def test_one_tie_policy_holds_for_every_metric_alike() -> None:
    """Disagreements found elsewhere: RR@1000 greater than RR, or success without a reciprocal rank."""
    for ties in ("trec", "input", "average"):
        found = values(certus.evaluate(TIED_QRELS, TIED_RUN, ["RR", "RR@1000", "Success@1", "P@1", "RR@1"], ties=ties))
        assert found["RR"] == found["RR@1000"]
        assert found["Success@1"] == found["P@1"] == found["RR@1"]


def test_each_convention_for_unjudged_documents_by_hand() -> None:
    def p2(unjudged: Any) -> Row:
        return next(
            iter(
                certus.evaluate(
                    {"1": {"a": 1, "b": 1}}, {"1": {"a": 3.0, "u": 2.0, "b": 1.0}}, "P@2", unjudged=unjudged
                )
            )
        )

    assert p2("nonrelevant").value == 0.5
    assert p2("remove").value == 1.0
    assert (p2("bounds").value, p2("bounds").minimum, p2("bounds").maximum) == (0.5, 0.5, 1.0)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"metrics": "nDGC@10"}, "no metric is named 'nDGC'; did you mean 'nDCG@10'"),
        ({"metrics": []}, "no metric was named"),
        ({"queries": "both"}, "queries is 'both'; it must be one of 'intersection', 'judged'"),
        ({"ties": "random"}, "ties is 'random'"),
        ({"unjudged": "skip"}, "unjudged is 'skip'"),
        ({"ties": "range", "unjudged": "bounds"}, "each give a range"),
        ({"interval": "bootstap"}, "bootstap"),
    ],
)
def test_conventions_that_do_not_exist_are_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(certus.MetricNameError, match=message):
        certus.evaluate(QRELS, RUN, **{"metrics": "AP", **keywords})


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_a_level_outside_0_and_1_is_refused(level: float) -> None:
    with pytest.raises(certus.CertusError, match="level"):
        certus.evaluate(QRELS, RUN, "AP", level=level)


def test_files_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(certus.DataError, match="no query in common with qrels; the run has 'q1', the qrels have '1'"):
        certus.evaluate(QRELS, {"q1": {"a": 1.0}}, "AP")
    with pytest.raises(certus.DataError, match="no run was given"):
        certus.evaluate(QRELS, [], "AP")


def test_runs_are_named_by_file_or_by_the_name_given(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.run").write_text("1 Q0 a 1 2 t\n")
    one, other = tmp_path / "x" / "a.run", tmp_path / "y" / "a.run"

    def names(runs: Any) -> list[str]:
        return [row.run for row in certus.evaluate(QRELS, runs, "AP")]

    assert names(one) == ["a.run"]
    assert names([one, other]) == ["x", "y"]
    assert names({"bm25": one, "dense": RUN}) == ["bm25", "dense"]
    assert names([RUN, RUN]) == ["run 1", "run 2"]
    assert names([certus.read_run(one), RUN]) == ["a.run", "run 2"]
    with pytest.raises(certus.DataError, match="two runs are named"):
        names([one, one])


@pytest.mark.parametrize("task", ["ranking", "classification"])
@pytest.mark.parametrize(
    ("names", "message"),
    [((1, "1"), "two systems in {} are named '1'"), (("", "predictions"), "a system in {} is named ''")],
)
def test_no_system_takes_the_place_of_another_and_none_is_without_a_name(
    task: str, names: tuple[Any, ...], message: str
) -> None:
    truth: Any = {"1": {"a": 1}, "2": {"a": 1}} if task == "ranking" else [1, 0, 1]
    one: Any = {"1": {"a": 1.0}, "2": {"a": 2.0}} if task == "ranking" else [1, 0, 0]
    where = message.format("runs" if task == "ranking" else "predictions")
    for function in (certus.evaluate, certus.compare):
        with pytest.raises(certus.DataError, match=where):
            function(truth, dict.fromkeys(names, one), task=task)


def test_the_signature_tells_all_that_the_numbers_depend_on(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n")
    table = certus.evaluate(QRELS, path, ["nDCG@10", "AP(rel=2)"], interval="bca", seed=7)
    document = json.loads(table.to_json())
    signature = document["signature"]
    assert signature["certus"] == certus.__version__
    assert signature["metrics"]["nDCG@10"]["cutoff"] == 10
    assert signature["metrics"]["AP(rel=2)"]["rel"] == 2
    assert (signature["queries"], signature["ties"], signature["unjudged"]) == ("intersection", "trec", "nonrelevant")
    assert (signature["seed"], signature["level"], signature["method"]) == (7, 0.95, "bca")
    assert signature["inputs"][str(path)] == f"xxh3-128:{rank(as_qrels(QRELS), path).fingerprint}"
    assert {"run", "metric", "value", "low", "high", "level", "method", "n", "unit"} <= set(document["rows"][0])
    assert document["warnings"][0]["kind"]


def test_a_single_metric_is_called_on_the_same_data_with_the_same_result() -> None:
    for metric, keywords in [("AP", {}), ("AP(rel=2)", {"rel": 2}), ("AP@3", {"cutoff": 3})]:
        row = next(iter(certus.evaluate(QRELS, RUN, metric, queries="judged")))
        estimate = untyped(certus.ranking.average_precision)(QRELS, RUN, queries="judged", **keywords)
        assert (estimate.value, estimate.metric) == (row.value, metric)
        assert estimate.interval()[:2] == (row.low, row.high)
        assert estimate.conventions["queries"] == "judged"
    ranking = rank(as_qrels(QRELS), RUN).ranking
    assert isinstance(ranking, Ranking)
    assert float(certus.ranking.average_precision(ranking)) == values(certus.evaluate(QRELS, RUN, "AP"))["AP"]
    with pytest.raises(certus.DataError, match="was given 1 thing to evaluate; give qrels and a run"):
        untyped(certus.ranking.average_precision)(QRELS)


def test_what_is_not_a_metric_is_refused() -> None:
    wrong: Any = [len]
    with pytest.raises(certus.MetricNameError, match="<built-in function len> is not a metric"):
        certus.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, wrong)


def test_the_signature_keeps_the_hash_of_the_qrels_whatever_the_runs_are_named() -> None:
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 1.0}}
    inputs = {name: certus.evaluate(qrels, {name: run}, "AP").signature["inputs"] for name in ("bm25", "qrels")}
    assert inputs["qrels"] == {"qrels": inputs["bm25"]["qrels"], "qrels (run)": inputs["bm25"]["bm25"]}
