"""Every command with every option on empty, damaged, endless and cut input: errors, and nothing printed or written."""

import os
import random
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from option_lines import INPUTS, lines_of, outcome
from option_walk import MODES, contents, write_files

_ZEROS = Path("/dev/zero")
FAULTS: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "binary": lambda file: file.write_bytes(random.Random(5).randbytes(300) + b"\0"),
    "endless": lambda file: os.symlink(_ZEROS, file),
}
if not _ZEROS.exists():
    del FAULTS["endless"]


@pytest.mark.parametrize("name", INPUTS)
def test_bad_input_is_refused_with_every_option(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # a plugin that is imported is not a file that certus wrote
    files = [Path(each) for each in INPUTS[name]]
    lines, wrong = lines_of(name), []
    for fault, damage in FAULTS.items():
        for file in files:
            file.unlink()
            damage(file)
        there = contents(tmp_path)
        for line in lines:
            status, out, err = outcome(line, capsys)
            after = contents(tmp_path)
            if status not in (2, 3) or out or after != there or "Traceback" in err:
                wrong.append(f"{fault}: {shlex.join(line)}: {status} {out[:80]!r} {err[-200:]!r}")
            for path in sorted(set(after) - set(there), reverse=True):
                path.rmdir() if after[path] is None else path.unlink()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", INPUTS)
def test_a_file_cut_anywhere_is_an_answer_or_a_refusal(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    wrong = []
    for file in map(Path, INPUTS[name]):
        data = file.read_bytes()
        for part in (0.03, 0.5, 0.97):
            file.write_bytes(data[: int(part * len(data))])
            status, out, err = outcome(MODES[name], capsys)
            if status not in (0, 1, 2, 3) or "Traceback" in err or (status > 1 and (out or not err)):
                wrong.append(f"{part} of {file}: {shlex.join(MODES[name])}: {status} {out[:80]!r} {err[-200:]!r}")
            Path("new.state").unlink(missing_ok=True)
        file.write_bytes(data)
    assert not wrong, "\n".join(wrong)
