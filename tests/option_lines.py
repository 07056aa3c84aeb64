"""The modes of the test of every option that read files, with and without each option, and the outcome of a line."""

import shlex

import pytest
from option_values import GIVEN
from option_walk import MODES, options_of

from certus.cli import app

__all__ = ["INPUTS", "lines_of", "outcome"]

_SUFFIXES = (".csv", ".run", ".txt", ".json", ".state")
_WRITTEN = "new.state"
_PRINTED = {("trec-eval", "-v")}
"""The option that asks for the version, whatever the files hold."""
INPUTS = {
    name: files
    for name, line in MODES.items()
    if (files := [each for each in line if each != _WRITTEN and (each.endswith(_SUFFIXES) or each == "qrels")])
}
"""The files that a mode reads."""


def outcome(line: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit status, and what was printed."""
    status = app.run(line)
    return (status, *capsys.readouterr())


def lines_of(name: str) -> list[tuple[str, ...]]:
    """The mode alone, and with each of its options."""
    mode = MODES[name]
    lines = [mode]
    for option, names in options_of(mode):
        if not set(names) & set(mode) and (mode[0], option) not in _PRINTED:
            assert option in GIVEN, f"give {option} a value in tests/option_values.py"
            context, arrow, value = GIVEN[option][0].partition(">>")
            lines.append(
                (*mode, *(shlex.split(context) if arrow else ()), option, *shlex.split(value if arrow else context))
            )
    return lines
