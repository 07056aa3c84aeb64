"""The README shows what certus prints."""

import re
import shlex
from pathlib import Path

import pytest

import certus
from certus.cli.app import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^\$ certus (.*)\n((?:.*\n)*?)```", README, re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command.split()[0] for command, _ in SHOWN])
def test_the_readme_shows_what_the_command_prints(
    command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(certus.__path__[0]) / "demo")
    assert run(shlex.split(command)) == 0
    assert capsys.readouterr().out == output


def test_every_kind_of_user_has_an_example() -> None:
    assert {command.split()[0] for command, _ in SHOWN} >= {"evaluate", "compare", "audit", "chance"}
