"""The name of a file says what is in it: every option that writes one refuses what it has no writer for."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from option_walk import MODES, command_of, options_of, write_files

from certus.cli import app


def modes_with(option: str) -> dict[str, tuple[str, ...]]:
    """A mode of each command that has the option."""
    having = [line for name, line in MODES.items() if name != "pool bias" and option in _names(line)]
    return {str(command_of(line).name): line for line in reversed(having)}


def _names(line: tuple[str, ...]) -> set[str]:
    return {name for _, names in options_of(line) for name in names}


NAMES = ("out.ods", "out.pdf", "out.PNG", "out.parquet")
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
        shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)


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
    if line[0] not in ("pool", "explain") and line[:2] != ("audit", "sample"):
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


PICTURES = modes_with("--plot")
ROWS = ("evaluate", "t.csv", "--truth", "y", "--score", "s")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "ctrl-c"])
@pytest.mark.parametrize(("line", "name"), [(ROWS, "p.png"), (ROWS, "folder"), (PLAIN, "p.pdf")])
def test_a_picture_that_is_half_drawn_leaves_no_file(
    line: tuple[str, ...], name: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = pytest.importorskip("matplotlib.figure")

    def save_half(_: Any, target: Any, **__: Any) -> None:
        with open(target, "wb") if isinstance(target, Path) else target as file:
            file.write(b"half")
        raise error

    monkeypatch.setattr(figure.Figure, "savefig", save_half)
    before = set(os.listdir())
    assert app.run([*line, "--plot", name]) in (74, 130)
    assert set(os.listdir()) == before


@pytest.mark.parametrize("line", PICTURES.values(), ids=PICTURES)
def test_a_picture_replaces_no_file_that_appeared_while_it_was_drawn(
    line: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = pytest.importorskip("matplotlib.figure")
    savefig = figure.Figure.savefig

    def save_late(*given: Any, **options: Any) -> None:
        Path("p.png").write_text("somebody's")
        savefig(*given, **options)

    monkeypatch.setattr(figure.Figure, "savefig", save_late)
    assert app.run([*line, "--plot", "p.png"]) == 74
    assert "p.png cannot be written: another program wrote it meanwhile" in capsys.readouterr().err
    assert Path("p.png").read_text() == "somebody's"
    assert app.run([*line, "--plot", "p.png", "--force"]) == 0
    assert Path("p.png").read_bytes().startswith(b"\x89PNG")


def test_pictures_in_a_folder_replace_no_file_that_appeared_while_they_were_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    figure = pytest.importorskip("matplotlib.figure")
    savefig = figure.Figure.savefig

    def save_late(*given: Any, **options: Any) -> None:
        os.makedirs("all", exist_ok=True)
        Path("all", "roc.png").write_text("somebody's")
        savefig(*given, **options)

    monkeypatch.setattr(figure.Figure, "savefig", save_late)
    assert app.run([*ROWS, "--plot", "all"]) == 74
    assert Path("all", "roc.png").read_text() == "somebody's"
    assert app.run([*ROWS, "--plot", "all", "--force"]) == 0
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in Path("all").iterdir())


@pytest.mark.parametrize(("option", "name"), [("-o", "once.csv"), ("--plot", "once.png")])
def test_one_of_two_commands_that_write_one_file_fails(option: str, name: str) -> None:
    if option == "--plot":
        pytest.importorskip("matplotlib")
    command = [sys.executable, "-m", "certus", *PLAIN, "--quiet", option, name]
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = {each.returncode: err for each in both for _, err in [each.communicate(timeout=300)]}
    assert len(said) == 2
    assert said.pop(0) == ""
    (status,) = said
    reason = {2: f"{name} exists; add --force", 74: f"{name} cannot be written: another program wrote it meanwhile"}
    assert reason[status] in said[status]
    assert [each for each in os.listdir() if name in each] == [name]


@pytest.mark.parametrize("exists", [False, True])
def test_a_state_that_another_command_wrote_meanwhile_is_kept(
    exists: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from certus import states

    names = ("--truth", "y", "--pred", "p", "-m", "Accuracy", "--save-state", "sums.state")
    for name in ("u.csv", "v.csv"):
        shutil.copy("t.csv", name)
    if exists:
        assert app.run(["evaluate", "t.csv", *names]) == 0
    fill = states.fill

    def fill_late(*given: Any) -> None:
        monkeypatch.setattr(states, "fill", fill)
        assert app.run(["evaluate", "u.csv", *names]) == 0
        written.append(Path("sums.state").read_bytes())
        fill(*given)

    written: list[bytes] = []
    monkeypatch.setattr(states, "fill", fill_late)
    assert app.run(["evaluate", "v.csv", *names]) == 74
    assert "sums.state cannot be written: another program wrote it meanwhile" in capsys.readouterr().err
    assert [Path("sums.state").read_bytes()] == written
    assert app.run(["evaluate", "v.csv", *names]) == 0


def test_merged_states_replace_no_file_without_force_and_none_that_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("--truth", "y", "--pred", "p", "-m", "Accuracy")
    shutil.copy("t.csv", "u.csv")
    for name in ("t", "u"):
        assert app.run(["evaluate", f"{name}.csv", *names, "--save-state", f"{name}.state"]) == 0
    before = Path("u.state").read_bytes()
    merge = ("evaluate", "--state", "t.state", "--save-state")
    assert app.run([*merge, "u.state"]) == 2
    assert "--save-state: u.state exists; add --force to replace it" in capsys.readouterr().err
    assert app.run([*merge, "t.state", "--force"]) == 2
    assert "t.state is the file that is read" in capsys.readouterr().err
    assert Path("u.state").read_bytes() == before
    assert app.run([*merge, "u.state", "--force"]) == 0
    assert Path("u.state").read_bytes() == Path("t.state").read_bytes()


@pytest.mark.parametrize("line", PICTURES.values(), ids=PICTURES)
def test_pictures_and_states_are_never_standard_output(
    line: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ([*line, "--plot"], [*ROWS, "--save-state"]):
        before = set(os.listdir())
        assert app.run([*given, "-"]) == 2
        assert f"invalid value for {given[-1]}: " in capsys.readouterr().err
        assert set(os.listdir()) == before
