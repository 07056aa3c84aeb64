"""``certus compare`` of files with a score for each item, paired by ids: tables, and results that were stored."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from certus.cli import app
from certus.comparison import compare_values

ITEMS = [f"q{i}" for i in range(24)]
PASSAGE = {item: f"p{i // 2}" for i, item in enumerate(ITEMS)}
DRAW = random.Random(5)
VALUES = {name: {item: DRAW.choice((0, 0.5, 1)) for item in ITEMS} for name in "abc"}


def write(name: str, values: dict[str, float], order: int = 0, **other: str) -> None:
    rows = [f"{item},{value},{PASSAGE.get(item, 'new')},2" for item, value in values.items()]
    random.Random(order).shuffle(rows)
    Path(name).write_text("\n".join(["item,correct,passage,w", *rows, *other.values(), ""]))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for position, (name, values) in enumerate(VALUES.items()):
        write(f"{name}.csv", values, position)


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert app.run(["compare", *arguments, "--format", "json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 3) -> str:
    assert app.run(["compare", *arguments]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


TABLES = ("--value", "correct", "--id", "item")
NUMBERS = ("value", "baseline_value", "difference", "low", "high", "p", "p_adjusted", "n")


@pytest.mark.parametrize("grouped", [False, True])
def test_rows_are_matched_by_id_whatever_their_order(capsys: pytest.CaptureFixture[str], grouped: bool) -> None:
    groups = ("--groups", "passage") if grouped else ()
    found = compared(capsys, "a.csv", "b.csv", "c.csv", *TABLES, *groups)
    by_hand = {f"{name}.csv": {item: VALUES[name][item] for item in sorted(ITEMS)} for name in "abc"}
    expected = compare_values(by_hand, "correct", unit="item", groups=PASSAGE if grouped else None)
    assert [[row[name] for name in NUMBERS] for row in found] == [
        [getattr(row, name) for name in NUMBERS] for row in expected.rows
    ]
    for position, name in enumerate("abc"):
        write(f"{name}.csv", VALUES[name], 10 + position)
    assert compared(capsys, "a.csv", "b.csv", "c.csv", *TABLES, *groups) == found


def test_the_baseline_may_be_one_more_file(capsys: pytest.CaptureFixture[str]) -> None:
    first = compared(capsys, "a.csv", "b.csv", *TABLES)
    assert compared(capsys, "b.csv", *TABLES, "--baseline", "a.csv") == first
    assert [row["baseline"] for row in compared(capsys, "a.csv", "b.csv", *TABLES, "--baseline", "b.csv")] == ["b.csv"]
    assert "'d' is not one of the systems" in refused(capsys, "a.csv", "b.csv", *TABLES, "--baseline", "d", status=2)


def test_several_columns_are_several_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(capsys, "a.csv", "b.csv", *TABLES, "--value", "w")
    assert [(row["metric"], row["baseline_value"]) for row in found][1] == ("w", 2.0)


def test_an_item_that_is_missing_is_named_with_its_line_or_decided_about(capsys: pytest.CaptureFixture[str]) -> None:
    fewer = {item: value for item, value in VALUES["b"].items() if item not in ("q3", "q5")}
    write("b.csv", fewer)
    line = Path("a.csv").read_text().split("\n").index(f"q3,{VALUES['a']['q3']},p1,2") + 1
    said = refused(capsys, "a.csv", "b.csv", *TABLES)
    assert (
        f"a.csv:{line}: item 'q3' has no value in b.csv, nor 1 more; give every system each item, or decide with"
        in said
    )
    both = [item for item in sorted(ITEMS) if item in fewer]
    (row,) = compared(capsys, "a.csv", "b.csv", *TABLES, "--ids", "intersection")
    (expected,) = compare_values({name: [VALUES[name][item] for item in both] for name in "ab"}).rows
    assert (row["n"], row["difference"], row["p"]) == (22, expected.difference, expected.p)
    (row,) = compared(capsys, "a.csv", "b.csv", *TABLES, "--ids", "union", "--missing", "0")
    filled = {"a": VALUES["a"], "b": {item: fewer.get(item, 0) for item in ITEMS}}
    (expected,) = compare_values({name: [each[item] for item in sorted(ITEMS)] for name, each in filled.items()}).rows
    assert (row["n"], row["difference"], row["p"]) == (24, expected.difference, expected.p)
    assert app.run(["compare", "a.csv", "b.csv", *TABLES, "--ids", "union", "--missing", "0"]) == 0
    assert "2 items that not every system has counted as 0 for those that lack it (q3, q5)" in capsys.readouterr().err


def test_an_item_that_is_there_twice_is_named_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    write("b.csv", VALUES["b"], 0, more="q7,1,p3,2")
    first = next(i for i, line in enumerate(Path("b.csv").read_text().split("\n"), 1) if line.startswith("q7,"))
    said = refused(capsys, "a.csv", "b.csv", *TABLES)
    assert f"b.csv:26: item 'q7' has a second value, the first stands at b.csv:{first}; give each item one" in said


def test_what_cannot_be_meant_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    pair = ("a.csv", "b.csv")
    for arguments, said in (
        (
            (*pair, "--value", "correct"),
            "--id: with --value of several files, name the column of ids that their rows are paired by",
        ),
        (("a.csv", "--value", "correct", "--value", "w", "--id", "item"), "--id: is for tables of several files"),
        ((*pair, *TABLES, "-m", "x"), "-m: columns of several files have their own names"),
        ((*pair, *TABLES, "--ids", "all"), "--ids: 'all' is not intersection or union"),
        ((*pair, *TABLES, "--ids", "union"), "--ids: union needs --missing"),
        ((*pair, *TABLES, "--missing", "0"), "--missing: is for --ids union"),
        ((*pair, *TABLES, "--truth", "w"), "--truth: it does not apply to columns of --value"),
        ((*pair, *TABLES, "--value", "correct"), "--value: 'correct' is given twice"),
    ):
        assert said in refused(capsys, *arguments, status=2)
    assert "b.csv: has no column 'nope'" in refused(capsys, "b.csv", "a.csv", "--value", "nope", "--id", "item")
    write("b.csv", {**VALUES["b"], "q1": float("inf")})
    assert "column 'correct' is infinite; it must be finite" in refused(capsys, *pair, *TABLES)
    write("b.csv", {f"{item}x": value for item, value in VALUES["b"].items()})
    assert "no item in common" in refused(capsys, *pair, *TABLES, "--ids", "intersection")


def test_files_must_agree_on_what_belongs_together(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.csv").write_text(Path("b.csv").read_text().replace(",p3,", ",p4,"))
    said = refused(capsys, "a.csv", "b.csv", *TABLES, "--groups", "passage")
    assert "item 'q6' has the group 'p3' in a.csv but 'p4' in b.csv" in said


@pytest.mark.parametrize("grouped", [(), ("--groups", "passage"), ("--weight", "w", "--groups", "passage")])
def test_a_stored_result_is_compared_as_the_tables_it_was_made_from(
    capsys: pytest.CaptureFixture[str], grouped: tuple[str, ...]
) -> None:
    for name in "ab":
        arguments = ["evaluate", f"{name}.csv", *TABLES, *grouped, "--per-item", "-o", f"{name}.json"]
        assert app.run(arguments) == 0
    (row,) = compared(capsys, "a.json", "b.json")
    (expected,) = compared(capsys, "a.csv", "b.csv", *TABLES, *grouped)
    assert [row[name] for name in NUMBERS] == [expected[name] for name in NUMBERS]
    stored = json.loads(Path("a.json").read_text())
    assert stored["signature"]["inputs"]["a.csv"].startswith("xxh3-128:")
    assert app.run(["compare", "a.json", "b.json", "--fail-if-worse", "--margin", "0.001"]) == 1
    assert "gate fails" in capsys.readouterr().err


def test_stored_rankings_are_compared_by_query_as_the_runs_are(capsys: pytest.CaptureFixture[str]) -> None:
    draw = random.Random(2)
    Path("qrels").write_text("".join(f"q{q} 0 d{d} {draw.choice((0, 1, 2))}\n" for q in range(20) for d in range(6)))
    for name in ("x.run", "y.run"):
        lines = [f"q{q} Q0 d{d} 1 {draw.random()} t\n" for q in range(20) for d in draw.sample(range(9), 7)]
        Path(name).write_text("".join(lines))
    metrics = ("-m", "AP", "-m", "nDCG@3", "-m", "GMAP")
    for name in "xy":
        assert app.run(["evaluate", "qrels", f"{name}.run", *metrics, "--per-query", "-o", f"{name}.json"]) == 0
    assert compared(capsys, "x.json", "y.json") == compared(capsys, "qrels", "x.run", "y.run", *metrics[:4])
    assert app.run(["compare", "x.json", "y.json", "-m", "AP"]) == 0
    assert "GMAP of x.run left out, as its value is not the mean of those of the queries" in capsys.readouterr().err
    assert "x.json: has no metric 'nDCG'; did you mean 'nDCG@3'?" in refused(capsys, "x.json", "y.json", "-m", "nDCG")
    for option in (("--ties", "average"), ("--queries", "judged")):
        assert app.run(["evaluate", "qrels", "y.run", *metrics, *option, "--per-query", "-o", "o.json", "--force"]) == 0
        assert f"{option[0][2:]} is " in refused(capsys, "x.json", "o.json")
    Path("qrels").write_text(Path("qrels").read_text() + "q1 0 d99 1\n")
    assert app.run(["evaluate", "qrels", "y.run", *metrics, "--per-query", "-o", "o.json", "--force"]) == 0
    assert "the hash of the judgments is 'xxh3-128:" in refused(capsys, "x.json", "o.json")


def test_a_stored_result_that_cannot_be_compared_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["evaluate", "a.csv", *TABLES, "--per-item", "-o", "a.json"]) == 0
    assert app.run(["evaluate", "b.csv", *TABLES, "-o", "b.json"]) == 0
    assert "b.json: holds no value of a single query or item; write it with --per-query" in refused(
        capsys, "a.json", "b.json"
    )
    assert "a.csv: is not a result of an evaluation tool, as a.json is (certus)" in refused(capsys, "a.json", "a.csv")
    assert "none.json: no such file" in refused(capsys, "a.json", "none.json")
    stored = json.loads(Path("a.json").read_text())
    stored["rows"] = stored["rows"][:-1]
    Path("b.json").write_text(json.dumps(stored))
    assert "without any score" in refused(capsys, "a.json", "b.json")
    assert "one system was given" in refused(capsys, "a.json", status=2)
    assert "--weight: does not apply to results" in refused(capsys, "a.json", "a.json", "--weight", "x", status=2)
    assert "certus files say nothing of their items, so there is no 'x'" in refused(
        capsys, "a.json", "a.json", "--groups", "x"
    )
    assert "--ties: does not apply to results" in _evaluated(capsys, "a.json", "--ties", "average")
    assert app.run(["evaluate", "a.json", "--by", "item"]) == 3
    assert "certus files say nothing of their items" in capsys.readouterr().err


def _evaluated(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert app.run(["evaluate", *arguments]) == 2
    return capsys.readouterr().err


def test_results_of_one_system_at_two_times_are_called_by_their_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["evaluate", "a.csv", *TABLES, "--per-item", "-o", "base.json"]) == 0
    write("a.csv", VALUES["b"])
    assert app.run(["evaluate", "a.csv", *TABLES, "--per-item", "-o", "now.json"]) == 0
    (row,) = compared(capsys, "base.json", "now.json")
    assert (row["baseline"], row["system"]) == ("base.json", "now.json")
