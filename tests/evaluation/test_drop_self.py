"""Results with the id of their query: left out on request, and warned of where they change values."""

import shlex
from pathlib import Path
from random import Random
from typing import Any

import pytest

import certus
from certus import DataError, MetricNameError
from certus.cli import app
from certus.core.note import Note
from certus.io import as_qrels
from certus.io.rank import rank

METRICS = ["nDCG@10", "AP", "RR", "P@5", "R@10", "NumRet"]
Nested = dict[str, dict[str, float]]


def without_self(run: Nested) -> Nested:
    """The run without the results that have the id of their query."""
    return {query: {doc: score for doc, score in docs.items() if doc != query} for query, docs in run.items()}


def collection(seed: int, *, sorted_by_score: bool) -> tuple[dict[str, dict[str, int]], Nested]:
    """Judgments and a run of queries that are documents, with many tied scores, read in any order."""
    random = Random(seed)
    docs = [f"d{index}" for index in range(40)]
    qrels = {query: {doc: random.randint(-1, 2) for doc in random.sample(docs, 15)} for query in docs[:12]}
    run: Nested = {}
    for query in docs[:10]:
        scores = {doc: random.randint(0, 8) / 2 for doc in random.sample(docs, random.randint(2, 30))}
        scores |= {query: random.choice([9.0, 4.0, 2.0])} if random.random() < 0.8 else {}
        order = sorted(scores, key=scores.__getitem__, reverse=True) if sorted_by_score else list(scores)
        run[query] = {doc: scores[doc] for doc in order}
    run["d11"] = {"d11": 1.0}
    return qrels, run


def values(table: certus.Table) -> list[tuple[Any, ...]]:
    """All numbers of the rows."""
    return [(row.query, row.metric, row.value, row.low, row.high, row.n) for row in table]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", ["trec", "input", "average", "range"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "remove"])
def test_values_are_those_of_a_run_from_which_these_results_were_deleted(seed: int, ties: str, unjudged: str) -> None:
    qrels, run = collection(seed, sorted_by_score=seed % 2 == 0)
    rules: dict[str, Any] = {"ties": ties, "unjudged": unjudged, "per_query": True}
    dropped = certus.evaluate(qrels, run, METRICS, drop_self=True, **rules)
    assert values(dropped) == values(certus.evaluate(qrels, without_self(run), METRICS, **rules))
    assert dropped.signature["drop_self"] is True
    assert certus.ranking.ndcg(qrels, run, drop_self=True).value == certus.ranking.ndcg(qrels, without_self(run)).value


def test_judgments_stay_as_they_are() -> None:
    # by hand: q and a are relevant; without q the run finds a first, one of two
    qrels, run = {"q": {"q": 1, "a": 1}}, {"q": {"q": 2.0, "a": 1.0}}
    assert [row.value for row in certus.evaluate(qrels, run, ["R@1", "RR", "AP"], drop_self=True)] == [0.5, 1.0, 0.5]


def test_chance_is_that_of_the_results_left() -> None:
    qrels, run = collection(3, sorted_by_score=False)
    rules: dict[str, Any] = {"chance": True, "ties": "average"}
    dropped = certus.evaluate(qrels, run, "P@5", drop_self=True, **rules)
    deleted = certus.evaluate(qrels, without_self(run), "P@5", **rules)
    assert [(row.value, row.expected, row.p) for row in dropped] == [
        (row.value, row.expected, row.p) for row in deleted
    ]


def test_a_state_and_a_comparison_drop_them_too() -> None:
    qrels, run = collection(4, sorted_by_score=False)
    state = certus.State("AP", task="ranking", drop_self=True)
    state.update(qrels, run)
    expected = certus.evaluate(qrels, without_self(run), "AP")
    assert [row.value for row in state.evaluate()] == [row.value for row in expected]
    better = {query: {doc: -score for doc, score in docs.items()} for query, docs in run.items()}
    dropped = certus.compare(qrels, {"a": run, "b": better}, "AP", drop_self=True)
    deleted = certus.compare(qrels, {"a": without_self(run), "b": without_self(better)}, "AP")
    assert [(row.difference, row.p) for row in dropped] == [(row.difference, row.p) for row in deleted]


def notes(result: certus.Table | certus.Comparison) -> list[Note]:
    """The notes about results with the id of their query."""
    warnings = result.warnings if isinstance(result, certus.Table) else result.notices
    return [note for note in warnings if note.kind == "self-matches"]


def test_a_warning_says_by_how_much_values_change() -> None:
    qrels = {f"d{index}": {"a": 1} for index in range(4)}
    run = {query: {query: 2.0, "a": 1.0} for query in qrels}
    (note,) = notes(certus.evaluate(qrels, run, ["RR", "R@5"]))
    assert note.text == (
        "4 queries have a result with their own id; where queries are documents, drop_self=True leaves such results "
        "out, as BEIR and MTEB do: RR 0.5000 becomes 1.0000"
    )
    (note, other) = notes(certus.compare(qrels, {"a": run, "b": run}, "RR"))
    assert (note.about, other.about, note.count) == ("a", "b", 4)


@pytest.mark.parametrize(
    ("qrels", "run", "metric", "rules"),
    [
        ({"q": {"a": 1}}, {"q": {"q": 2.0, "a": 1.0}}, "R@5", {}),
        ({"q": {"a": 1}}, {"q": {"q": 2.0, "a": 1.0}}, "RR", {"drop_self": True}),
        ({"1": {"7": 1}}, {"1": {"9": 4.0, "1": 3.0, "7": 2.0}}, "RR", {}),
        ([[1, 0], [0, 1]], [[0.1, 0.9], [0.2, 0.8]], "RR", {"task": "ranking"}),
    ],
    ids=["no value changes", "dropped", "equal by accident", "numbered documents"],
)
def test_there_is_no_warning_where_nothing_is_to_be_said(qrels: Any, run: Any, metric: str, rules: Any) -> None:
    assert notes(certus.evaluate(qrels, run, metric, **rules)) == []


def test_the_option_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(line: str) -> tuple[int, str, str]:
        return app.run(shlex.split(line)), *capsys.readouterr()

    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text("".join(f"d{index} 0 a 1\n" for index in range(4)))
    Path("r.txt").write_text("".join(f"d{i} Q0 d{i} 1 2 x\nd{i} Q0 a 2 1 x\n" for i in range(4)))
    assert "--drop-self leaves such results out" in call("evaluate q.txt r.txt -m RR")[2]
    status, out, err = call("evaluate q.txt r.txt -m RR --drop-self")
    assert (status, err) == (0, "")
    assert "1.0000" in out
    assert "document with the query's own id is left out" in out
    assert call("compare q.txt r.txt r.txt --drop-self --baseline r.txt")[0] != 0  # a run twice
    Path("t.csv").write_text("y,p\n1,0\n0,1\n")
    assert "does not apply to classification" in call("evaluate t.csv --truth y --pred p --drop-self")[2]
    assert "no such option: --drop-self" in call("trec-eval --drop-self q.txt r.txt")[2]


def test_a_ranking_without_ids_cannot_drop_them() -> None:
    ranking: Any = rank(as_qrels({"q": {"a": 1}}), {"q": {"q": 2.0, "a": 1.0}}).ranking
    with pytest.raises(DataError, match="a ranking keeps no ids of documents; give qrels and run"):
        certus.ranking.ndcg(*[ranking], drop_self=True)


@pytest.mark.parametrize("value", ["yes", 1, "trec"])
def test_only_true_and_false_are_taken(value: Any) -> None:
    with pytest.raises(MetricNameError, match=r"drop_self is .*; it must be one of False, True"):
        certus.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "RR", drop_self=value)
