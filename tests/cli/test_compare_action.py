"""The GitHub Action certus/compare: its script writes the table, and says whether the gate holds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "compare" / "compare.sh"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 d1 1\n{q} 0 d2 0\n" for q in range(12)))
    for name, first in (("good run", "d1"), ("bad", "d2")):
        other = "d2" if first == "d1" else "d1"
        lines = (f"{q} Q0 {first} 1 2 x\n{q} Q0 {other} 2 1 x\n" for q in range(12))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    certus = tmp_path / "certus"
    certus.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m certus "$@"\n')
    certus.chmod(0o755)
    return tmp_path


def _act(folder: Path, arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "CERTUS": str(folder / "certus"),
        "CERTUS_ARGUMENTS": arguments,
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "RUNNER_TEMP": str(folder),
    }
    command = ["bash", str(SCRIPT)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)


@pytest.mark.parametrize(
    ("baseline", "system", "holds"), [("bad.run", "good run.run", True), ("good run.run", "bad.run", False)]
)
def test_the_table_is_written_and_the_gate_told(folder: Path, baseline: str, system: str, holds: bool) -> None:
    run = _act(folder, f"qrels\n  {baseline}\n{system}\n\n--baseline\n{baseline}\n--metric\nRR\n--margin=0.01\n")
    assert run.returncode == 0, run.stderr
    table = (folder / "certus-compare.md").read_text()
    assert (folder / "output").read_text() == f"holds={str(holds).lower()}\ntable={folder / 'certus-compare.md'}\n"
    assert table.startswith(f"### certus compare: the gate {'holds' if holds else 'fails'}\n\n")
    assert "| RR" in table or "RR" in table.splitlines()[2]
    assert f"gate {'holds' if holds else 'fails'}: " in table.split("```text\n")[1]
    assert (folder / "summary").read_text() == table


def test_wrong_arguments_end_the_step_with_their_message_and_no_table(folder: Path) -> None:
    run = _act(folder, "qrels\nnone.run\nbad.run\n--baseline\nbad.run")
    assert run.returncode == 3
    assert "none.run: no such file" in run.stderr
    assert not (folder / "output").exists()


def test_an_argument_is_passed_as_it_stands_and_never_run(folder: Path) -> None:
    run = _act(folder, "qrels\nbad.run\n$(touch stolen)\n`touch stolen`")
    assert run.returncode in (2, 3)
    assert not (folder / "stolen").exists()
