"""Every command with every option on empty, damaged and truncated input: an error, and nothing printed or written."""

import random
import shlex
from pathlib import Path

import pytest
from option_walk import GIVEN, MODES, options_of, write_files

from certus.cli import app

INPUTS = {
    name: files
    for name, line in MODES.items()
    if (
        files := [
            each for each in line if each.endswith((".csv", ".run", ".txt", ".json", ".state")) or each == "qrels"
        ]
    )
}
"""The files that a mode reads."""
WRITTEN = {"new.state"}
PRINTED = {("trec-eval", "-v")}
"""The option that asks for the version, whatever the files hold."""
FAULTS = {
    "empty": b"",
    "binary": random.Random(5).randbytes(300) + b"\0",
}


def outcome(line: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = app.run(line)
    return (status, *capsys.readouterr())


def lines_of(name: str) -> list[tuple[str, ...]]:
    """The mode alone, and with each of its options."""
    mode = MODES[name]
    lines = [mode]
    for option, names in options_of(mode):
        if not set(names) & set(mode) and (mode[0], option) not in PRINTED:
            context, arrow, value = GIVEN[option][0].partition(">>")
            lines.append(
                (*mode, *(shlex.split(context) if arrow else ()), option, *shlex.split(value if arrow else context))
            )
    return lines


@pytest.mark.parametrize("name", INPUTS)
def test_bad_input_is_refused_with_every_option(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # a plugin that is imported is no file that certus wrote
    files = [Path(each) for each in INPUTS[name] if each not in WRITTEN]
    wrong = []
    for fault, data in FAULTS.items():
        for file in files:
            file.write_bytes(data)
        there = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        for line in lines_of(name):
            status, out, err = outcome(line, capsys)
            after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
            if status not in (2, 3) or out or after != there or "Traceback" in err:
                wrong.append(f"{fault}: {shlex.join(line)}: {status} {out[:80]!r} {err[-200:]!r}")
            for path in set(after) - set(there):
                path.unlink()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", INPUTS)
def test_a_file_cut_anywhere_is_an_answer_or_a_refusal(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    wrong = []
    for file in (Path(each) for each in INPUTS[name] if each not in WRITTEN):
        data = file.read_bytes()
        for part in (0.03, 0.5, 0.97):
            file.write_bytes(data[: int(part * len(data))])
            status, out, err = outcome(MODES[name], capsys)
            if status not in (0, 1, 2, 3) or "Traceback" in err or (status > 1 and (out or not err)):
                wrong.append(f"{part} of {file}: {shlex.join(MODES[name])}: {status} {out[:80]!r} {err[-200:]!r}")
            Path("new.state").unlink(missing_ok=True)
        file.write_bytes(data)
    assert not wrong, "\n".join(wrong)
