"""Rankings whose columns are named: a table with query, label and score, and tables of other tools; arrays."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import ndcg_score

import certus
from certus.cli import app
from certus.io import as_qrels, as_run, read_qrels

RNG = np.random.default_rng(7)
GRADES = RNG.integers(0, 4, (9, 12))
FIRST, SECOND = RNG.permuted(np.arange(9.0 * 12)).reshape(9, 12), RNG.random((9, 12))
TABLE = pd.DataFrame(
    {
        "session": np.repeat([f"s{number}" for number in range(9)], 12),
        "clicked": GRADES.ravel(),
        "first": FIRST.ravel(),
        "second": SECOND.ravel(),
        "item": np.tile([f"i{number}" for number in range(12)], 9),
    }
)
NAMES: dict[str, Any] = {"query": "session", "truth": "clicked"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("t.csv", index=False)


def values(result: Any) -> list[float]:
    return [row.value for row in result]


@pytest.mark.parametrize("make", [lambda t: t, pl.from_pandas, lambda t: t.to_dict("list"), lambda _: "t.csv"])
@pytest.mark.parametrize("document", [None, "item"])
def test_one_table_gives_the_values_of_scikit_learn(make: Any, document: str | None) -> None:
    result = certus.evaluate(make(TABLE), None, "nDCG@5", **NAMES, document=document, score=["first", "second"])
    expected = [ndcg_score(GRADES, scores, k=5) for scores in (FIRST, SECOND)]
    assert values(result) == pytest.approx(expected, rel=1e-14)
    assert [row.run for row in result] == ["first", "second"]


def test_one_table_gives_the_values_of_qrels_and_runs() -> None:
    qrels = as_qrels(TABLE, query="session", doc="item", grade="clicked")
    runs = {name: as_run(TABLE, query="session", doc="item", score=name) for name in ("first", "second")}
    metrics = ["nDCG@5", "AP", "RR(rel=2)"]
    separate = certus.evaluate(qrels, runs, metrics)
    together = certus.evaluate(TABLE, None, metrics, **NAMES, document="item", score=["first", "second"])
    assert values(together) == values(separate)
    compared = certus.compare(TABLE, ["first", "second"], "AP", **NAMES, document="item")
    assert [(row.difference, row.p) for row in compared] == [
        (row.difference, row.p) for row in certus.compare(qrels, runs, "AP")
    ]


def test_rows_of_a_query_are_numbered_in_any_order_of_queries() -> None:
    shuffled = TABLE.sample(frac=1, random_state=1)
    result = certus.evaluate(shuffled, None, "nDCG@5", **NAMES, score="first")
    assert values(result) == pytest.approx([ndcg_score(GRADES, FIRST, k=5)], rel=1e-14)


def test_clicks_may_be_truth_values() -> None:
    clicks = TABLE.assign(clicked=TABLE.clicked > 1)
    result = certus.evaluate(clicks, None, "nDCG", **NAMES, score="first")
    assert values(result) == pytest.approx([ndcg_score(GRADES > 1, FIRST)], rel=1e-14)


def test_columns_of_other_tools_are_named() -> None:
    judged = TABLE.rename(columns={"session": "userID", "item": "itemID", "clicked": "rating"})
    run = judged.rename(columns={"first": "prediction"})[["userID", "itemID", "prediction"]]
    judged = judged[["userID", "itemID", "rating"]]
    judged.to_csv("q.csv", index=False)
    run.to_csv("r.tsv", index=False, sep="\t")
    names: dict[str, Any] = {"query": "userID", "document": "itemID", "truth": "rating", "score": "prediction"}
    expected = values(certus.evaluate(TABLE, None, "nDCG@5", **NAMES, score="first"))
    for data, runs in ((judged, run), (judged, [run]), ("q.csv", "r.tsv"), ("q.csv", {"mine": "r.tsv"})):
        assert values(certus.evaluate(data, runs, "nDCG@5", **names)) == expected


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_the_command_line_names_columns_of_rankings(capsys: pytest.CaptureFixture[str], command: str) -> None:
    scores = ["--score", "first", "--score", "second"]
    line = [command, "t.csv", "--query", "session", "--truth", "clicked", *scores, "-m", "nDCG@5", "--format", "csv"]
    assert app.run(line) == 0, capsys.readouterr().err
    out = capsys.readouterr().out
    assert all(f"{value:.6g}"[:7] in out for value in (ndcg_score(GRADES, FIRST, k=5), ndcg_score(GRADES, SECOND, k=5)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("evaluate t.csv --query session --score first", "--truth is not named"),
        ("evaluate t.csv --query session --truth clicked", "--score is not named"),
        ("evaluate t.csv --document item --truth clicked --score first", "--query is not named"),
        ("evaluate t.csv --query sesion --truth clicked --score first", "has no column 'sesion'; did you mean"),
        ("evaluate t.csv --query session --truth second --score first", "column 'second' is "),
        ("evaluate t.csv --query session --truth first --score first", "was named for two purposes"),
        ("compare t.csv --query session --truth clicked --score first", "give two or more columns"),
        (
            "evaluate t.csv --query session --truth clicked --pred first",
            "--query: is a column of rankings, which have no --pred",
        ),
        ("evaluate t.csv t.csv --query session", "or name the columns (--query, --document, --truth, --score)"),
        ("evaluate t.csv --query session --document clicked --truth clicked --score first", "two purposes"),
    ],
)
def test_columns_of_rankings_that_cannot_be_are_refused(
    capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert app.run(line.split()) in (2, 3)
    assert message in capsys.readouterr().err


def test_a_document_twice_is_refused_at_its_line() -> None:
    doubled = pd.concat([TABLE, TABLE[:1]])
    doubled.to_csv("d.csv", index=False)
    with pytest.raises(certus.DataError, match=r"^d.csv:110: .*document 'i0' is judged twice for query 's0'"):
        certus.evaluate("d.csv", None, "nDCG", **NAMES, document="item", score="first")


def test_arrays_have_a_row_for_each_query() -> None:
    assert values(certus.evaluate([[0, 1, 0]], [[0.3, 0.9, 0.1]], "nDCG@10")) == [1.0]
    for task in (None, "ranking"):
        result = certus.evaluate(GRADES, {"a": FIRST, "b": SECOND}, "nDCG@5", task=task)
        expected = [ndcg_score(GRADES, scores, k=5) for scores in (FIRST, SECOND)]
        assert values(result) == pytest.approx(expected, rel=1e-14)
    # first relevant at rank 2 and at rank 1
    assert values(certus.evaluate([[0, 1], [1, 0, 0]], [[0.9, 0.2], [0.9, 0.2, 0.1]], "RR", task="ranking")) == [0.75]
    assert values(certus.compare(GRADES, {"a": FIRST, "b": SECOND}, "ERR", task="ranking").values) == values(
        certus.evaluate(GRADES, {"a": FIRST, "b": SECOND}, "ERR", task="ranking")
    )


@pytest.mark.parametrize(
    ("scores", "message"),
    [([[0.1]], "run: has 1 query, the truth has 2"), ([[0.1], [0.2, 0.3]], "run: row 0 has 1 score for 2 grades")],
)
def test_arrays_of_other_shapes_are_refused(scores: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        certus.evaluate([[0, 1], [1, 0]], scores, "nDCG", task="ranking")


def test_lists_of_frames_are_systems() -> None:
    qrels = TABLE.rename(columns={"session": "query_id", "item": "doc_id", "clicked": "relevance"})
    runs = [qrels.rename(columns={name: "score"})[["query_id", "doc_id", "score"]] for name in ("first", "second")]
    qrels = qrels[["query_id", "doc_id", "relevance"]]
    result = certus.evaluate(qrels, runs, "nDCG@5")
    expected = certus.evaluate(TABLE, None, "nDCG@5", **NAMES, score=["first", "second"])
    assert values(result) == values(expected)


@pytest.mark.parametrize("grade", [1.0, True, np.float32(1), np.True_, np.int8(1)])
def test_whole_grades_of_any_type_are_read(grade: Any) -> None:
    assert as_qrels({"q": {"d": grade, "e": 0}}).to_dict() == {"q": {"d": 1, "e": 0}}
    with pytest.raises(certus.DataError, match=r"the grade of document 'd' for query 'q' is 1.5; a grade must be"):
        as_qrels({"q": {"d": 1.5}})


@pytest.mark.parametrize(
    "text", ["q1 d1\nq1 d2\nq2 d7\n", "q1\td1\nq1\td2\nq2\td7\n", "query_id,doc_id\nq1,d1\nq1,d2\nq2,d7\n"]
)
def test_judgments_of_two_columns_have_grade_1(text: str) -> None:
    Path("two.txt").write_text(text)
    assert read_qrels("two.txt").to_dict() == {"q1": {"d1": 1, "d2": 1}, "q2": {"d7": 1}}
    # half of q1's two documents, the one of q2: (1/2 + 1) / 2
    assert values(certus.evaluate("two.txt", {"q1": ["d1", "d3"], "q2": ["d7"]}, "AP")) == [0.75]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1 d1\nq1 d1\n", "two.txt:2: .*document 'd1' is judged twice for query 'q1'"),
        ("queryId\tdocId\nq1\td1\n", "has none of 'query_id'"),
        ("q1 d1\nq1 d2 1\n", "two.txt:1: "),
    ],
)
def test_two_columns_that_are_no_judgments_are_refused(text: str, message: str) -> None:
    Path("two.txt").write_text(text)
    with pytest.raises(certus.DataError, match=message):
        read_qrels("two.txt")
