"""The help of the commands names what is declared."""

import re

import pytest
from typer.main import get_command

from certus.cli.app import commands as command_line
from certus.inference.forms import FORMS
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.declare import TESTS


def helped(command: str, option: str) -> set[str]:
    """The names in the help of an option: words before a comma, a bracket or the end."""
    commands = vars(get_command(command_line()))["commands"]
    found = next(each for each in commands[command].params if option in each.opts)
    text = found.help.partition(":")[2] if ":" in found.help.partition(",")[0] else found.help
    return set(re.findall(r"(?<![\w-])([a-z][a-z-]*)(?=,| \(default\)| or )", text))


def test_the_help_of_compare_names_every_correction() -> None:
    assert helped("compare", "--correction") | {"none"} == set(CORRECTIONS)


@pytest.mark.parametrize(("command", "option"), [("compare", "--test"), ("evaluate", "--interval")])
def test_the_help_names_nothing_that_is_not_declared(command: str, option: str) -> None:
    declared = set(TESTS) if option == "--test" else {name for form in FORMS.values() for name in form.methods}
    named = helped(command, option)
    assert len(named & declared) >= 4
    assert named - declared <= {"made", "it"}
