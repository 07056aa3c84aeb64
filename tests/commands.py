"""Command lines of tests: their files, and calls in this process or in one of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from certus.cli import app

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\nq2 0 d4 0\nq3 0 d9 1\n"
RUN = "".join(
    f"{query} Q0 {doc} {rank} {10 - rank}.5 tag\n"
    for query, docs in {"q1": ("d1", "d5", "d3"), "q2": ("d4", "d1")}.items()
    for rank, doc in enumerate(docs, start=1)
)
RANKED = {"qrels.txt": QRELS, "a.run": RUN, "b.run": RUN.replace("d1", "d8")}
"""Judgments and two runs."""
BINARY = "y,p,q,w,g\n1,1,0.9,1,a\n0,0,0.2,2,a\n1,0,0.4,1,b\n0,1,0.6,1,b\n1,1,0.8,3,c\n0,0,0.1,1,c\n"
CLASSES = (
    "truth\tguess\tcat\tdog\tp eel\n"
    "cat\tdog\t.1\t.8\t.1\ndog\tdog\t.2\t.5\t.3\neel\teel\t.2\t.2\t.6\ncat\tcat\t.7\t.2\t.1\n"
)
CLASSIFIED = {"b.csv": BINARY, "c.tsv": CLASSES}
"""Predictions of two classes, and of three."""

Process = subprocess.CompletedProcess[str]
Call = Callable[..., tuple[int, str, str]]


def in_folder(folder: Path, patch: pytest.MonkeyPatch, files: Mapping[str, str] | None = None) -> Path:
    """The folder, with these files, in which commands are called from now on."""
    for name, text in (files or {}).items():
        (folder / name).write_text(text)
    patch.chdir(folder)
    return folder


def caller(*start: str) -> Call:
    """A call in this process of command lines that start so: exit status, stdout and stderr."""

    def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
        status = app.run([*start, *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def intervals(*start: str) -> Callable[..., dict[str, tuple[float, float, float]]]:
    """A call of command lines that start so: value and limits of each metric."""
    call = caller(*start)

    def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, tuple[float, float, float]]:
        status, out, _ = call(capsys, *arguments, "--format", "json")
        assert status == 0
        return {row["metric"]: (row["value"], row["low"], row["high"]) for row in json.loads(out)["rows"]}

    return rows


def certus(*arguments: str, stdin: str = "", **environment: str) -> Process:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "certus", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
