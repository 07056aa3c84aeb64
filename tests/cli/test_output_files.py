"""The name of a file says what is in it: every option that writes one refuses what it has no writer for."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from option_walk import MODES, command_of, options_of, write_files

from certus.cli import app


def modes_with(option: str) -> dict[str, tuple[str, ...]]:
    """A mode of each command that has the option."""
    having = [line for name, line in MODES.items() if name != "pool bias" and option in _names(line)]
    return {str(command_of(line).name): line for line in reversed(having)}


def _names(line: tuple[str, ...]) -> set[str]:
    return {name for _, names in options_of(line) for name in names}


NAMES = ("out.xlsx", "out.pdf", "out.PNG", "out.parquet")
PLAIN = ("evaluate", "qrels", "a.run", "-m", "AP")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("files")
    write_files(made)
    return made


@pytest.fixture(autouse=True)
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    before = set(os.listdir(folder))
    monkeypatch.chdir(folder)
    yield folder
    for name in set(os.listdir(folder)) - before:
        (folder / name).unlink()


def without_format(line: tuple[str, ...]) -> list[str]:
    at = line.index("--format") if "--format" in line else len(line)
    return [*line[:at], *line[at + 2 :]]


def refused(capsys: pytest.CaptureFixture[str], line: list[str], hint: str, name: str) -> str:
    before = set(os.listdir())
    assert app.run([*line, hint, name]) == 2, (line, hint, name)
    err = capsys.readouterr().err
    assert f"invalid value for {hint}: {name}" in err
    assert set(os.listdir()) == before
    return err


@pytest.mark.parametrize("line", modes_with("--output").values(), ids=modes_with("--output"))
def test_a_suffix_without_a_writer_is_refused_by_every_command(
    line: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in NAMES:
        assert "end i" in refused(capsys, without_format(line), "-o", name)
    for name in NAMES[:2] if "--format" in line else ():
        assert "would hold json; end it in .json" in refused(capsys, list(line), "-o", name)
    if line[0] != "pool" and line[:2] != ("audit", "sample"):
        for name in ("out", "out.log", "results.2024"):
            assert "say with --format" in refused(capsys, without_format(line), "-o", name)
        err = refused(capsys, [*without_format(line), "--format", "csv"], "-o", "x.json")
        assert "would hold csv; end it in .csv, or leave --format out" in err


@pytest.mark.parametrize("line", modes_with("--plot").values(), ids=modes_with("--plot"))
def test_a_picture_has_the_suffix_of_one(line: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("p.xlsx", "p.csv", "p.html", "p.txt"):
        assert app.run([*line, "--plot", name]) == 2
        assert not Path(name).exists()
        capsys.readouterr()


def test_states_and_pools_have_no_suffix_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["evaluate", "t.csv", "--truth", "y", "--pred", "p", "-m", "Accuracy"]
    for name in ("s.json", "s.csv", "s.html", "s.parquet", "s.pdf"):
        assert "would hold a state; end it in .state" in refused(capsys, rows, "--save-state", name)
    for name in ("p.json", "p.csv", "p.xlsx"):
        assert "would hold qrels; end it in .qrels, .txt" in refused(capsys, ["pool", "a.run", "b.run"], "-o", name)
    assert app.run([*rows, "--save-state", "kept"]) == 0
    assert app.run(["pool", "a.run", "b.run", "-o", "qrels.first"]) == 0


@pytest.mark.parametrize(
    ("form", "name", "start"),
    [
        (None, "o.txt", "a.run"),
        ("csv", "o.txt", "run,"),
        ("csv", "o", "run,"),
        ("json", "o.v1.2", "{"),
        ("html", "o.html", "<p>"),
        ("jsonl", "o.ndjson", "{"),
        (None, "o.NDJSON", "{"),
    ],
)
def test_a_format_is_written_under_any_name_that_does_not_contradict_it(
    form: str | None, name: str, start: str
) -> None:
    assert app.run([*PLAIN, *(() if form is None else ("--format", form)), "-o", name]) == 0
    assert start in Path(name).read_text().splitlines()[0]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout")
def test_names_of_the_standard_output_are_it(files: Path) -> None:
    def written(*more: str) -> bytes:
        with open("taken", "ab") as out:
            subprocess.run([sys.executable, "-m", "certus", *PLAIN, *more], stdout=out, check=True, timeout=300)
        return Path("taken").read_bytes()

    first = written("-o", "/dev/stdout")
    assert first.decode().startswith("a.run\n")
    second = written("-o", "/dev/fd/1", "--format", "csv")
    assert second.startswith(first + b"run,")
