"""An option that does nothing is an error: every option of every command is tried in everything the command does."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from option_values import GIVEN, values_of
from option_walk import BY_DATA, COSMETIC, MODES, NO_USE, command_of, contents, options_of, write_files

from certus.cli import app


class Outcome(NamedTuple):
    """Outcome of one command line."""

    status: int
    said: str
    done: object
    """The rows of the table, or the text; and the files written."""


class Lines:
    """Runs command lines in a folder that is as before each time; a line is run once."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.known: dict[tuple[str, ...], Outcome] = {}
        self.start = contents(folder)

    def run(self, line: Sequence[str]) -> Outcome:
        key = tuple(line)
        if key not in self.known:
            status = app.run(line)
            out, err = self.capsys.readouterr()
            self.known[key] = Outcome(status, err, (_rows(out), err.replace("certus: warning: ", ""), self._written()))
        return self.known[key]

    def _written(self) -> list[tuple[str, bytes]]:
        found = []
        for path, data in sorted(contents(self.folder).items(), reverse=True):
            before = self.start.get(path)
            if data is None and path not in self.start:
                path.rmdir()
            elif data is not None and data != before:
                found.append((path.name, data))
                if before is None:
                    path.unlink()
                else:
                    path.write_bytes(before)
        return found


def _rows(text: str) -> object:
    """The rows of a table, without its signature, which holds what was asked for and not what came of it."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        return text
    return found["rows"] if isinstance(found, dict) and "signature" in found else found


def tried(
    lines: Lines, mode: tuple[str, ...], option: str, names: tuple[str, ...], refused: int
) -> Iterator[tuple[str, str]]:
    """Effects of the option in a mode, for each value it may have; `refused` is the status of a refusal."""
    for text in values_of(mode, option):
        context, arrow, value = text.partition(">>")
        first, more = (shlex.split(each) for each in ((context, value) if arrow else ("", text)))
        before = lines.run([*mode, *first])
        after = lines.run([*mode, *first, option, *more])
        shown = shlex.join([*mode, *first, option, *more])
        if after.status == refused and any(re.search(rf"(?<![\w-]){name}(?![\w-])", after.said) for name in names):
            yield "refused", shown
        elif after.status > 1 and before.status <= 1:
            yield f"an error of status {after.status} that does not name it: {after.said.strip()}", shown
        elif "--quiet" in names and not before.said and after.done == before.done:
            yield "a change", shown  # there was nothing to silence
        elif option == "--no-color" and after.done == before.done:
            yield "a change", shown  # no terminal, no colours: see tests of terminals
        elif after.status <= 1:
            yield ("nothing" if after.done == before.done else "a change"), shown


@pytest.mark.parametrize("name", MODES)
def test_an_option_does_something_or_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")
    lines, mode = Lines(tmp_path, capsys), MODES[name]
    assert lines.run(mode).status == 0, lines.run(mode).said
    command = command_of(mode).name
    wrong = []
    for option, names in options_of(mode):
        if set(names) & set(mode) or (command, option) in COSMETIC or (name, option) in NO_USE:
            continue
        found = []
        for each in tried(lines, mode, option, names, 3 if (name, option) in BY_DATA else 2):
            found.append(each)
            if each[0] == "a change":
                break
        else:
            silent = [f"{shown}: {what}" for what, shown in found if what == "nothing"]
            if silent or not any(what == "refused" for what, _ in found):
                others = [f"{shown}: {what}" for what, shown in found]
                wrong += silent or others or [f"{option}: no value of option_walk fits {name}"]
    assert not wrong, "\n".join(wrong)


def test_the_tables_of_these_tests_name_what_there_is() -> None:
    options = {name: dict(options_of(line)) for name, line in MODES.items()}
    everywhere = {option for found in options.values() for option in found}
    assert set(GIVEN) <= everywhere
    assert {(name, option) for name, option in BY_DATA | NO_USE if option not in options[name]} == set()
    of_commands = {(command_of(line).name, option) for name, line in MODES.items() for option in options[name]}
    assert COSMETIC.keys() <= of_commands


def test_an_option_of_one_value_given_twice_is_refused_by_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    tried = set()
    for mode in MODES.values():
        command = command_of(mode)
        for option in command.params:
            if option.param_type_name == "option" and not option.is_flag and not option.several:
                for name in option.opts:
                    if (command.name, name) in tried:
                        continue
                    assert app.run([*mode, name, "1", option.opts[0], "1"]) == 2, (mode, name)
                    assert f"{' / '.join(option.opts)}: is given twice; it takes one value" in capsys.readouterr().err
                    tried.add((command.name, name))
    assert len(tried) > 150
