"""Output on a terminal: names cannot move its cursor, and lines fit it."""

import csv
import inspect
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from option_walk import AUDITS, MODES, command_of, write_audit, write_files
from terminal_output import on_terminal

import certus
from certus import pooling
from certus.cli import app
from certus.cli._output import warn
from certus.cli._progress import QUIET, Work, working
from certus.core.listing import Listing
from certus.core.note import Note
from certus.table import Row

GUIDE = Path(__file__).parents[2] / "docs" / "terminal.md"
HOSTILE = "\x1b[31m\x9b2K\x08\x85\u202e\x7f\u200b"
"""Red, an erased line, a step back, a new line, text from right to left, a deletion, and nothing visible."""
NAMES = {*"ytpklqcdesruvwgnzxabABC", "sa", "sb", "sc", "tone", *(f"{kind}{i}" for kind in "qdt" for i in range(12))}
"""Columns, classes, systems, queries, documents and items of the files of `option_walk`."""


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def hostile(word: str, files: frozenset[str] = frozenset(), end: str = "") -> str:
    """The word with every name in it made hostile; or the hostile name of the file."""
    if word in files:
        return re.sub(r"^[^.]*", lambda stem: stem[0] + HOSTILE + "\r", word)
    return re.sub(r"\w+", lambda part: part[0] + (HOSTILE + end) * (part[0] in NAMES), word)


def write_hostile_files(folder: Path) -> frozenset[str]:
    """Write the files of `option_walk` with hostile names, and give their former names."""
    write_files(folder)
    files = frozenset(path.name for path in folder.iterdir() if path.suffix in ("", ".run", ".txt", ".csv", ".json"))
    files -= {"there", "there.csv"}
    for name in files:
        text = (folder / name).read_bytes().decode()
        if name.endswith(".csv"):
            file = io.StringIO()
            rows = csv.reader(io.StringIO(text))
            csv.writer(file).writerows([hostile(cell, end="\r") for cell in row] for row in rows)
            text = file.getvalue()
        elif name.endswith(".json"):
            text = re.sub(r'"\w+"', lambda part: json.dumps(hostile(part[0][1:-1], end="\r")), text)
        else:
            text = "\n".join(hostile(line) for line in text.split("\n"))
        (folder / name).unlink()
        (folder / hostile(name, files)).write_bytes(text.encode())
    table = folder / hostile("t.csv", files)
    for name, options in AUDITS.items():
        drawn = {key: hostile(each, end="\r") if isinstance(each, str) else each for key, each in options.items()}
        write_audit(drawn, table, folder / hostile(name, files), hostile("c", end="\r"))
    return files


@pytest.mark.parametrize("name", [name for name in MODES if name != "explain"])
def test_control_characters_in_names_never_reach_a_terminal(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    # Where the machine is slow, progress would be shown, which moves the cursor.
    monkeypatch.setattr(inspect.unwrap(working), "__defaults__", (1e6,))
    files = write_hostile_files(tmp_path)
    end = "\r" * any(word.endswith(".csv") for word in MODES[name])
    line = [word if word.startswith("-") else hostile(word, files, end) for word in MODES[name]]
    if "--format" in line:
        line[-1] = "text"
    failing = [*line[:-1], line[-1] + HOSTILE], [*line, f"--{HOSTILE}"], [*line, HOSTILE]
    for status, given in [(0, line), *((None, each) for each in failing)]:
        out, err = Terminal(), Terminal()
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.setattr("sys.stderr", err)
        found = app.run(given)
        shown = out.getvalue() + err.getvalue()
        assert status is None or found == status, shown
        assert shown
        assert all(character.isprintable() or character in "\n\t" for character in shown), repr(shown)


@pytest.mark.parametrize(
    "name", ["evaluate", "compare runs", "audit ranking", "curve", "pool", "topics", "hits of names"]
)
def test_colours_of_a_terminal_are_certus_own(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    files = write_hostile_files(tmp_path)
    end = "\r" * any(word.endswith(".csv") for word in MODES[name])
    line = [word if word.startswith("-") else hostile(word, files, end) for word in MODES[name]]
    shown = []
    for given in ({}, {"NO_COLOR": "1"}):
        monkeypatch.delenv("NO_COLOR", raising=False)
        for key, value in given.items():
            monkeypatch.setenv(key, value)
        out = Terminal()
        monkeypatch.setattr("sys.stdout", out)
        assert app.run(["text" if word == "json" else word for word in line]) == 0
        shown.append(out.getvalue())
    coloured, plain = shown
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[(?:0|1|2)m", "", coloured) == plain  # bold, dim and the end of both


def test_names_in_a_listing_keep_its_lines_and_columns() -> None:
    listing = Listing({"run": ["a\nb", "查全率"], "P": [0.5, 1.0]}, {"run": "text", "P": "number"})
    assert str(listing).splitlines() == ["run          P", "a\\x0ab  0.5000", "查全率  1.0000"]


@pytest.mark.parametrize("blank", ["\x85", "\u3000", "\xa0"])
def test_only_ascii_blanks_separate_in_files_of_groups_and_sampled_judgments(blank: str, tmp_path: Path) -> None:
    """As in qrels and runs, whose queries these files name."""
    (tmp_path / "groups").write_text(f"\ufeffq{blank}1 a\nq{blank}2 b\n", "utf-8")
    (tmp_path / "qrels").write_text("".join(f"q{blank}{i} 0 d{blank} 1\n" for i in (1, 2)), "utf-8")
    (tmp_path / "prels").write_text("".join(f"q{blank}{i} d{blank} 1 1 1\n" for i in (1, 2)), "utf-8")
    for name in ("run", "other"):
        (tmp_path / name).write_text("".join(f"q{blank}{i} Q0 d{blank} 1 1 t\n" for i in (1, 2)), "utf-8")
    places = [str(tmp_path / name) for name in ("qrels", "run", "groups", "prels")]
    assert app.run(["compare", *places[:2], str(tmp_path / "other"), "-m", "AP", "--groups", places[2]]) == 0
    assert app.run(["audit", "ranking", places[3], places[1], "-m", "statAP"]) == 0


_COPIED = re.compile(r"\$ certus |>>> |y,p,k,|[01],[01],[01],|The system predictions was evaluated on ")
"""Lines that are there to be copied: commands, code, the rows of a sheet and the paragraph of a paper."""


@pytest.mark.parametrize("name", MODES)
def test_lines_on_a_terminal_of_80_columns_fit_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    write_files(tmp_path)
    line = ["text" if word == "json" else word for word in MODES[name]]
    shown, streams = "", {}
    for given in (line, [*line, "--nothing"], [*line, "surplus", "certus"]):
        for stream in ("stdout", "stderr"):
            streams[stream] = Terminal()
            monkeypatch.setattr(f"sys.{stream}", streams[stream])
        app.run(given)
        shown += streams["stdout"].getvalue() + streams["stderr"].getvalue()
    wide = [each for each in shown.splitlines() if len(each) > 80 and not _COPIED.match(each)]
    if "less -S" not in shown:  # says how to widen
        assert not wide, wide


def test_a_table_wider_than_the_terminal_says_how_to_widen_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    monkeypatch.setenv("COLUMNS", "50")
    out, err = Terminal(), Terminal()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    assert app.run(["compare", "qrels", "a.run", "b.run", "-m", "AP"]) == 0
    assert "columns, the terminal 50; widen it, or pipe to less -S" in " ".join(err.getvalue().split())


def test_sentences_are_folded_on_a_terminal_and_whole_in_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "60")
    line = ["evaluate", "qrels", "a.run", "-m", "P(rel=2, unknown=3)", "-m", "AP"]
    app.run(line)
    (whole,) = capsys.readouterr().err.splitlines()
    err = Terminal()
    monkeypatch.setattr("sys.stderr", err)
    app.run(line)
    folded = err.getvalue().splitlines()
    assert len(folded) > 1
    assert max(map(len, folded)) <= 60
    assert " ".join(each.strip() for each in folded) == whole


def test_progress_says_which_part_it_is_at_and_how_long_the_others_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 10.0, 13.0, 16.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    work = Work("evaluating")
    told = [work.text for _ in work.each(["a", "b", "c"], "run")]
    assert told == [
        "evaluating, run 1 of 3",
        "evaluating, run 2 of 3, about 6 s left",
        "evaluating, run 3 of 3, about 3 s left",
    ]
    assert work.text == "evaluating"


def test_progress_of_loops_within_loops_counts_what_all_of_them_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs with two metrics of 5 s each: after the first metric 15 s are left, after the first run 10."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    work = Work("evaluating")
    told = []
    for _ in work.each(["a", "b"], "run"):
        for _ in work.each(["x", "y"], "metric"):
            told.append(work.text)
            now[0] += 5
    assert told == [
        "evaluating, run 1 of 2, metric 1 of 2",
        "evaluating, run 1 of 2, metric 2 of 2, about 15 s left",
        "evaluating, run 2 of 2, metric 1 of 2, about 10 s left",
        "evaluating, run 2 of 2, metric 2 of 2, about 10 s left",
    ]


QRELS = {f"q{position}": {"a": 1} for position in range(6)}
RUNS = {
    name: {query: {"a": float(position % size), "b": 0.5} for position, query in enumerate(QRELS)}
    for name, size in (("one", 2), ("two", 3), ("three", 5))
}


@pytest.mark.parametrize(
    ("work", "parts"),
    [
        (
            lambda: certus.evaluate(QRELS, RUNS, ["AP", "RR"], interval="percentile"),
            {"system", "metric", "interval"},
        ),
        (lambda: certus.compare(QRELS, RUNS, ["AP", "RR"]), {"metric", "pair", "test", "interval"}),
        (lambda: pooling.leave_one_out(QRELS, RUNS, ["AP"], depth=1), {"run"}),
    ],
    ids=["evaluate", "compare", "pool"],
)
def test_long_work_tells_its_parts_and_only_while_somebody_listens(
    work: Callable[[], object], parts: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("sys.stderr", Terminal())
    with working("working", patience=100.0) as told:
        monkeypatch.setattr(Work, "__call__", lambda self, _: said.append(self.text))
        work()
        assert told.levels == []
    assert {word for line in said for word in re.findall(r", (\w+) \d+ of \d+", line)} == parts
    heard = len(said)
    work()
    assert len(said) == heard


@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_silences_warnings_and_progress_and_no_error(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    err = Terminal()
    monkeypatch.setattr("sys.stderr", err)
    reset = QUIET.set(quiet)
    try:
        warn([Note("scores are tied", kind="ties")])
        with working("evaluating", patience=0.0) as work:
            for _ in range(10 if quiet else 1_200):
                if work.bars:
                    break
                time.sleep(0.05)
        assert (not err.getvalue()) == quiet
        assert ("evaluating" in err.getvalue()) != quiet
    finally:
        QUIET.reset(reset)
    assert app.run(["evaluate", "no-qrels", "no-run", "--quiet"]) == 3
    assert "no such file" in err.getvalue()
    QUIET.set(False)


def test_every_command_with_warnings_or_progress_can_be_quiet() -> None:
    """And no other: their option would do nothing."""
    found = set()
    for line in MODES.values():
        command = command_of(line)
        if any("--quiet" in parameter.opts for parameter in command.params):
            found.add(command.name)
    assert found == {
        "evaluate",
        "compare",
        "chance",
        "hits",
        "trec-eval",
        "curve",
        "pool",
        "audit",
        "plan",
        "sample",
        "estimate",
        "ranking",
    }


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("certus ev", ["evaluate"]),
        ("certus compare --qu", ["--queries", "--query", "--quiet"]),
        ("certus evaluate -m nDC", ["nDCG", "nDCG-rel"]),
        ("certus metrics nDC", ["nDCG", "nDCG-rel"]),
        ("certus compare --task cl", ["classification", "clustering"]),
    ],
)
def test_a_shell_completes_commands_options_and_metrics(
    words: str, completed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_CERTUS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert app.run([]) == 0
    assert sorted(capsys.readouterr().out.split()) == sorted(f"plain,{word}" for word in completed)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_without_the_words_of_a_shell_is_wrong_usage(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_CERTUS_COMPLETE", f"{shell}_complete")
    monkeypatch.delenv("COMP_WORDS", raising=False)
    assert app.run([]) == 2
    assert "is for a shell, which sets COMP_WORDS and COMP_CWORD, too" in capsys.readouterr().err
    monkeypatch.setenv("_CERTUS_COMPLETE", shell)
    assert app.run([]) == 2
    assert f"{shell!r} is not bash_source" in capsys.readouterr().err


@pytest.fixture(scope="module")
def completing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The script that is shown, and the environment of a shell that has certus."""
    folder = tmp_path_factory.mktemp("completion")
    command, environment = [sys.executable, "-m", "certus"], {**os.environ, "_CERTUS_COMPLETE": "bash_source"}
    script = folder / "certus-completion.sh"
    script.write_bytes(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    (folder / "certus").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m certus "$@"\n')
    (folder / "certus").chmod(0o755)
    return script, {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to complete in")
@pytest.mark.parametrize(
    ("typed", "offered"), re.findall(r"`certus ([^`]+)`\s(?:and a tab becomes|offers) ([^,.]+)", GUIDE.read_text())
)
def test_what_the_guide_says_of_completion_is_what_bash_offers(
    typed: str, offered: str, completing: tuple[Path, dict[str, str]]
) -> None:
    """In bash itself, with the script that is shown."""
    script, environment = completing
    asked = f". {script}; COMP_WORDS=(certus {typed}); COMP_CWORD={len(typed.split())}; _certus_completion certus; "
    asked += 'echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == set(re.findall(r"[\w-]+", offered)) - {"and", "certus"}


def test_long_work_shows_itself_on_a_terminal_only() -> None:
    code = (
        "import threading, time\n"
        "from certus.cli._progress import working\n"
        "with working('evaluating [x]', patience={}) as work:\n"
        "    {}"
    )
    until_shown = code.format(0, "while not work.bars: time.sleep(0.01)")
    assert "evaluating [x]" in on_terminal([sys.executable, "-c", until_shown])[1]
    assert on_terminal([sys.executable, "-c", code.format(60, "pass")]) == (0, "")
    counted = code.format(0, "print(threading.active_count())")
    piped = subprocess.run([sys.executable, "-c", counted], capture_output=True, text=True, check=True)
    assert (piped.stdout, piped.stderr) == ("1\n", ""), "a thread waits to show it"


def test_explain_escapes_names_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, as a result with other keys is none."""
    certus.Table([Row(HOSTILE, "AP", 0.25, 0.125, 0.5, 0.95, "t", 9)]).save(tmp_path / "x.json")
    out = Terminal()
    monkeypatch.setattr("sys.stdout", out)
    assert app.run(["explain", str(tmp_path / "x.json")]) == 0
    assert "Confidence intervals (95%) of AP" in out.getvalue()
    assert all(character.isprintable() or character in "\n\t" for character in out.getvalue())
