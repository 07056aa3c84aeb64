"""``certus compare`` of columns in several files: read in batches, compared as one table."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certus.cli import app

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
CALLS = [
    ["--truth", "y", "--score", "p", "--score", "q", "-m", "AUC", "-m", "LogLoss", "--positive", "yes"],
    ["--truth", "y", "--pred", "a", "--pred", "b"],
    ["--truth", "y", "--pred", "a", "--pred", "b", "-m", "Accuracy", "--groups", "unit", "--baseline", "b"],
    ["--truth", "z", "--pred", "p", "--pred", "q", "-m", "MAE", "--weight", "w", "--task", "regression"],
    ["--truth", "z,w", "--pred", "old=p,q", "--pred", "new=q,p", "-m", "MAE", "--task", "regression"],
]


def answer(capsys: pytest.CaptureFixture[str], *line: str) -> dict[str, Any]:
    status = app.run(["compare", *line, "--format", "json"])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def refusal(capsys: pytest.CaptureFixture[str], *line: str) -> tuple[int, str]:
    status = app.run(["compare", *line])
    out, err = capsys.readouterr()
    assert out == ""
    return status, " ".join(err.split())


@pytest.fixture(autouse=True)
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(3)
    n = 300
    truth = rng.integers(0, 2, n)
    labels = np.where(truth == 1, "yes", "no")
    guesses = [np.where(rng.random(n) < share, labels, "no") for share in (0.8, 0.7)]
    p, q = (np.clip(0.3 * truth + 0.6 * rng.random(n), 0.01, 0.99) for _ in range(2))
    columns = {"y": labels, "a": guesses[0], "b": guesses[1], "p": p, "q": q, "z": p + rng.random(n)}
    table = pa.table({**columns, "w": rng.random(n), "unit": rng.integers(0, 60, n)})
    monkeypatch.chdir(tmp_path)
    parquet.write_table(table, "whole.parquet")
    for number in range(3):
        parquet.write_table(table.slice(100 * number, 100), f"part-{number}.parquet", row_group_size=40)
    return tmp_path


@pytest.mark.parametrize("line", CALLS)
def test_files_in_batches_give_the_table_of_one_file(capsys: pytest.CaptureFixture[str], line: list[str]) -> None:
    whole = answer(capsys, "whole.parquet", *line)
    for files in (["part-*.parquet"], ["part-2.parquet", "part-0.parquet", "part-1.parquet"]):
        found = answer(capsys, *files, *line)
        assert found["rows"] == [approximate(row) for row in whole["rows"]]
        assert {name: found[name] for name in ("systems", "metrics", "sentences", "warnings")} == {
            name: whole[name] for name in ("systems", "metrics", "sentences", "warnings")
        }
        assert sorted(found["signature"]["inputs"]) == [f"part-{number}.parquet" for number in range(3)]
        assert found["signature"]["columns"] == whole["signature"]["columns"]


def approximate(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose numbers may differ in the last digits: rows come in the order of their values."""
    return {
        name: pytest.approx(value, rel=1e-11, abs=1e-13) if isinstance(value, float) else value
        for name, value in row.items()
    }


def test_one_file_is_read_in_batches_under_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    whole = answer(capsys, "whole.parquet", *CALLS[0])
    found = answer(capsys, "whole.parquet", *CALLS[0], "--memory", "1MB")
    assert found["rows"] == [approximate(row) for row in whole["rows"]]


def test_files_of_other_formats_are_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = parquet.read_table("part-1.parquet").to_pydict()
    lines = [",".join(map(str, row)) for row in zip(*table.values(), strict=True)]
    Path("part-1.csv").write_text("\n".join([",".join(table), *lines]) + "\n")
    whole = answer(capsys, "whole.parquet", *CALLS[1])
    found = answer(capsys, "part-0.parquet", "part-1.csv", "part-2.parquet", *CALLS[1])
    assert found["rows"] == [approximate(row) for row in whole["rows"]]


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (["part-*.parquet", *CALLS[0], "--memory", "1kB"], 3, "the rows do not fit into 1 kB of memory, and a comp"),
        (["whole.parquet", *CALLS[0], "--memory", "much"], 2, "--memory: is 'much'; give a size"),
        (["whole.parquet", "--value", "p", "--value", "q", "--memory", "1GB"], 2, "is for columns of predictions"),
        (["q.qrels", "a.run", "b.run", "--memory", "1GB"], 2, "--memory: is for columns of predictions in tables"),
        (["part-*.parquet", "--truth", "y", "--pred", "a", "--pred", "c"], 3, "there is no column 'c'"),
        (["part-*.parquet", "--truth", "y", "--pred", "a", "--pred", "a"], 2, "'a' is given twice"),
        (["part-0.parquet", "part-0.parquet", *CALLS[1]], 3, "part-0.parquet: is given twice"),
        (["part-*.parquet", *CALLS[1], "--baseline", "c"], 2, "'c' is not one of the systems; there are a, b"),
        (
            ["part-*.parquet", *CALLS[1][:-1], "p"],
            2,
            "--pred: the values may be labels, scores or quantities; if scores",
        ),
        (
            ["part-*.parquet", *CALLS[1][:-1], "p", "--task", "classification"],
            3,
            "part-0.parquet, row group 0: column 'p'",
        ),
        (
            ["part-*.parquet", "--truth", "z,w", "--pred", "p,q", "--pred", "q", "--task", "regression"],
            2,
            "'q' has 1 column for 2 of --truth",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], line: list[str], status: int, message: str
) -> None:
    found, err = refusal(capsys, *line)
    assert message in err
    assert found == status


def test_a_wrong_row_is_named_by_file_and_row_group(capsys: pytest.CaptureFixture[str]) -> None:
    table = parquet.read_table("part-1.parquet")
    scores = table["q"].to_pylist()
    scores[50] = float("nan")
    parquet.write_table(
        table.set_column(table.schema.get_field_index("q"), "q", pa.array(scores)), "part-1.parquet", row_group_size=40
    )
    status, err = refusal(capsys, "part-*.parquet", *CALLS[0])
    assert status == 3
    assert "part-1.parquet, row group 1: column 'q' is NaN at index 10" in err
