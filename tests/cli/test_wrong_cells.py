"""Errors about one value of a table name its line and its column, whatever role the column has."""

import json
from pathlib import Path

import pytest

from certus.cli import app

ROWS = [
    {"y": 1, "p": 1, "s": 0.9, "w": 1, "a": 0.5, "b": 0.4, "g": "x"},
    {"y": 0, "p": 0, "s": 0.2, "w": -1, "a": 0.4, "b": 0.3, "g": "x"},
    {"y": 1, "p": 0, "s": 0.4, "w": 2, "a": 0.3, "b": 0.2, "g": "y"},
    {"y": 0, "p": 0, "s": 0.3, "w": 1, "a": 0.1, "b": 0.15, "g": "z"},
]
LEAST = "it must be at least 0"
MORE = "the logarithm of 1 + it needs more than -1"
COMMANDS = {
    "evaluate --task classification --truth y --pred p --weight w": LEAST,
    "evaluate --task classification --truth y --score s --weight w": LEAST,
    "evaluate --task classification --truth y --score w -m LogLoss": "a probability is from 0 to 1",
    "evaluate --task classification --truth y --score 0=a --score 1=w -m LogLoss": "a probability is from 0 to 1",
    "evaluate --task regression --truth a --pred b --weight w": LEAST,
    "evaluate --task regression --truth w --pred b -m MSLE": MORE,
    "evaluate --task regression --truth w --pred b -m MSLE --by g": MORE,
    "evaluate --task regression --truth a --pred w -m poisson_deviance": "a deviance of power 1 needs numbers above 0",
    "evaluate --task regression --truth a --truth a --pred b --pred w -m MSLE": MORE,
    "evaluate --task clustering --truth y --pred p --weight w": LEAST,
    "evaluate --task multilabel --truth y --truth w --pred p --pred y": "it must hold 0 and 1 only",
    "evaluate --task efficiency --time w": "a time is at least 0",
    "evaluate --task efficiency --time a --items w": "a number of items is at least 0",
    "evaluate --value a --weight w": LEAST,
    "evaluate --value w -m GeometricMean": "a geometric mean is of values above 0",
    "compare --truth y --pred p --pred y --weight w": LEAST,
    "compare --truth y --score s --score a --weight w": LEAST,
    "compare --truth y --score s --score w -m LogLoss": "a probability is from 0 to 1",
    "compare --task regression --truth a --pred b --pred s --weight w": LEAST,
    "compare --value a --value b --weight w": "a weight is finite and at least 0",
}


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows as CSV with a cell of two lines before the wrong one, and as JSON Lines with a blank line there."""
    monkeypatch.chdir(tmp_path)
    lines = [",".join([*ROWS[0], "note"]), *(",".join(map(str, [*row.values(), "-"])) for row in ROWS)]
    lines[1] = lines[1][:-1] + '"two\nlines"'
    Path("t.csv").write_text("\n".join(lines) + "\n")
    first, *rest = map(json.dumps, ROWS)
    Path("t.jsonl").write_text("\n".join([first, "", *rest]) + "\n")


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(("command", "remedy"), COMMANDS.items())
@pytest.mark.parametrize(("file", "line"), [("t.csv", 4), ("t.jsonl", 3)])
def test_a_value_that_cannot_be_taken_is_named_by_line_and_column(
    capsys: pytest.CaptureFixture[str], command: str, remedy: str, file: str, line: int
) -> None:
    name, *options = command.split()
    assert app.run([name, file, *options]) == 3
    said = capsys.readouterr().err.replace("-1.0;", "-1;")
    assert said == f"certus: {file}:{line}: column 'w' is -1; {remedy}\n"


@pytest.mark.usefixtures("tables")
def test_a_value_that_does_not_stand_where_it_was_found_has_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    # Rows of one subgroup only: the second row of the file is not the second of these.
    rows = Path("t.csv").read_text().replace(",-1,", ",1,").replace("0,0,0.3,1,", "0,0,0.3,-1,")
    Path("t.csv").write_text(rows.replace(",z,", ",y,"))
    assert app.run(["evaluate", "t.csv", "--task", "regression", "--truth", "w", "--pred", "b", "-m", "MSLE"]) == 3
    assert capsys.readouterr().err.startswith("certus: t.csv:6: column 'w' is -1;")
