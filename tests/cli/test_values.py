"""``certus evaluate`` of one score per item."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import certus
from certus.cli import app
from certus.inference import mean_interval, proportion_interval

ROWS = [("a", True, "p", 1.5), ("b", False, "p", 2), ("c", True, "q", 2), ("d", True, "q", 4), ("e", False, "r", 3)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [f"{name},{right},{group},{seconds}" for name, right, group, seconds in ROWS]
    Path("i.csv").write_text("\n".join(["item,correct,passage,seconds", *lines, ""]))
    objects = [
        {"id": name, "scores": {"right": right, "time": {"s": seconds}}, "at": {"passage": group}}
        for name, right, group, seconds in ROWS
    ]
    Path("i.jsonl").write_text("\n".join([*map(json.dumps, objects), ""]))
    return tmp_path


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert app.run(["evaluate", *arguments, "--format", "json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
    return found


@pytest.mark.parametrize(("file", "column"), [("i.csv", "correct"), ("i.jsonl", "scores.right")])
def test_truth_values_are_a_share(capsys: pytest.CaptureFixture[str], file: str, column: str) -> None:
    (row,) = rows(capsys, file, "--value", column)
    low, high, *_ = proportion_interval(3, 5)
    assert (row["metric"], row["value"], row["low"], row["high"], row["n"]) == ("Mean", 0.6, low, high, 5)


@pytest.mark.parametrize(
    ("file", "column", "group"), [("i.csv", "seconds", "passage"), ("i.jsonl", "scores.time.s", "at.passage")]
)
def test_numbers_have_a_mean_over_groups(
    capsys: pytest.CaptureFixture[str], file: str, column: str, group: str
) -> None:
    (row,) = rows(capsys, file, "--value", column, "--groups", group)
    low, high, *_ = mean_interval([row[3] for row in ROWS], groups=[row[2] for row in ROWS])
    assert (row["value"], row["n"], row["unit"]) == (2.5, 3, "group")
    assert (row["low"], row["high"]) == pytest.approx((low, high), rel=1e-12)


def test_subgroups_weights_and_other_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "i.csv", "--value", "seconds", "-m", "GeometricMean", "-m", "Median", "--weight", "seconds")
    assert [row["metric"] for row in found] == ["GeometricMean", "Median"]
    by = rows(capsys, "i.csv", "--value", "seconds", "--by", "passage")
    assert [(row["group"], row["value"]) for row in by[:3]] == [("p", 1.75), ("q", 3.0), ("r", 3.0)]


def test_the_value_of_each_item_is_written_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "i.csv", "--value", "seconds", "--id", "item", "--per-item")
    assert {row["query"]: row["value"] for row in found[1:]} == {row[0]: row[3] for row in ROWS}
    assert app.run(["evaluate", "i.csv", "--value", "seconds", "--per-item"]) == 2
    assert "--per-query needs --id: the name of each item" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("True,False,0.5", "v.csv:4: column 'v' is '0.5' where other cells are True or False; write all cells alike"),
        ("True,false", "v.csv:3: column 'v' is 'false' where other cells are True or False"),
        ("1,True", "v.csv:3: column 'v' is 'True', which is not a number"),
        ("True,", "v.csv:3: column 'v' is empty; fill it or drop the row"),
        ("1,nan", "v.csv:3: column 'v' is 'nan', a missing value"),
    ],
)
def test_a_column_is_of_numbers_or_of_truth_values(capsys: pytest.CaptureFixture[str], cells: str, said: str) -> None:
    Path("v.csv").write_text("v,w\n" + "".join(f"{cell},1\n" for cell in cells.split(",")))
    assert app.run(["evaluate", "v.csv", "--value", "v"]) == 3
    assert said in capsys.readouterr().err


def test_small_and_large_values_are_not_written_as_zeros_or_in_300_digits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    draw = random.Random(4)
    rows = [(draw.gauss(3, 0.3) * 1e-6, draw.gauss(4, 0.3) * 1e-6, draw.gauss(4, 0.3) * 1e-4) for _ in range(40)]
    Path("t.csv").write_text("a,b,c,d\n" + "".join(f"{a!r},{b!r},{c!r},{a * 1e200!r}\n" for a, b, c in rows))
    for column, shown in (("a", r"\d\.\d{3}e-06"), ("c", r"0\.000\d{4}"), ("d", r"\d\.\d{3}e\+194")):
        assert app.run(["evaluate", "t.csv", "--value", column]) == 0
        assert re.search(rf"^Mean +({shown}) +\[{shown}, {shown}\] ", capsys.readouterr().out, re.MULTILINE)
    assert app.run(["compare", "t.csv", "--value", "a", "--value", "b", "--lower-is-better", "--fail-if-worse"]) == 1
    said = capsys.readouterr()
    power = r"\d\.\d{3}e-0[67]"
    assert re.search(rf"^b +{power} +\+{power} +\[\+{power}, \+{power}\]", said.out, re.MULTILINE)
    assert "difference 0.00000" in said.err
    assert re.fullmatch(rf"{power} \[{power}, {power}\]  95% .*", str(certus.values.mean([a for a, _, _ in rows])))
