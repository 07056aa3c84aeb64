"""``certus evaluate --plot`` of classifiers: the pictures in the folder, and what cannot be drawn."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from commands import CLASSIFIED, caller, in_folder


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch, CLASSIFIED)


call = caller("evaluate", "--task", "classification")


def test_pictures_are_written_to_a_folder(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["b.csv", "--truth", "y", "--pred", "p", "--score", "q", "--plot"]
    status, out, err = call(capsys, *arguments, "pictures")
    assert (status, err) == (0, "")
    assert out == call(capsys, *arguments[:-1])[1]
    written = sorted((files / "pictures").iterdir())
    assert [path.name for path in written] == [
        *("calibration.png", "confusion.png", "det.png", "gain.png", "gini.png", "lift.png"),
        *("precision-recall.png", "roc.png"),
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)
    status, _, err = call(capsys, *arguments, "pictures")
    assert status == 2
    assert "pictures/calibration.png exists; add --force to replace it" in err
    assert call(capsys, *arguments, "pictures", "--force")[0] == 0


def test_subgroups_share_pictures_and_odd_names_break_none(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = ["$\\bad{$", "_x", "日本\x1b", "L" * 300]
    data = {
        "g": odd * 6,
        "y": ["$\\frac{$", "_b", "_b", "$\\frac{$"] * 3 + ["_b", "$\\frac{$", "$\\frac{$", "_b"] * 3,
        "q": [(7 * i % 24) / 24 for i in range(24)],
    }
    pd.DataFrame(data).to_csv(files / "odd.csv", index=False)
    base = ["odd.csv", "--truth", "y", "--pred", "y", "--score", "_b=q"]
    status, _, err = call(capsys, *base, "--by", "g", "--plot", "by")
    assert (status, err) == (0, "")
    assert not (files / "by" / "confusion.png").exists()
    assert (files / "by" / "roc.png").exists()
    status, _, err = call(capsys, *base, "--plot", "whole")
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["b.csv", "--truth", "y", "--score", "q", "--plot", "b.csv"], 2, "b.csv is not a directory"),
        (["b.csv", "--truth", "y", "--score", "q", "--plot", "no/where"], 2, "no is not a directory"),
        (["b.csv", "--truth", "y", "--score", "q", "--by", "q", "--plot", "new"], 0, ""),
        (["many.csv", "--truth", "y", "--score", "q", "--by", "g", "--plot", "new"], 3, "8 subgroups cannot be told"),
        (
            ["c.tsv", "--truth", "truth", "--score", "cat", "--score", "dog", "--score", "eel=p eel", "--plot", "new"],
            3,
            "--plot draws predicted labels and one score per sample",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, said: str
) -> None:
    (files / "many.csv").write_text("y,q,g\n" + "".join(f"{i % 2},0.{i + 1},g{i % 8}\n" for i in range(16)))
    found, _, err = call(capsys, *arguments)
    assert found == status, err
    assert said in err


def test_without_matplotlib_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['matplotlib.figure'] = None\n"
        "from certus.cli.app import run\n"
        "sys.exit(run(sys.argv[1:]))"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "evaluate",
        "--task",
        "classification",
        "b.csv",
        "--truth",
        "y",
        "--pred",
        "p",
        "--plot",
        "new",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 3
    assert result.stderr == "certus: pictures need matplotlib; to draw them: pip install 'certus[plot]'\n"


def test_the_areas_of_the_gini_coefficient_are_drawn(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = ["b.csv", "--truth", "y", "--score", "q", "-m", "Gini", "--picture", "gini"]
    assert call(capsys, *scores, "--plot", "gini.svg")[0] == 0
    assert "Gini = A / (A + B)" in (files / "gini.svg").read_text()
