"""Commands that click runs, made from declarations."""

import inspect
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.cli import app
from certus.cli._declare import COMMANDS, Command, Declaration, ExitError, UsageError, command_from
from certus.core.errors import CertusError

app.commands().list_commands(click.Context(app.commands()))  # which imports them
STARTS = {
    "audit estimate": ["file"],
    "audit ranking": ["qrels", "run"],
    "audit sample": ["file", "--size=3", "--seed=1"],
    "audit sequence": ["file"],
    "chance": ["ap"],
    "compare": ["run"],
    "curve": ["qrels", "run"],
    "explain": ["file"],
    "pool": ["run"],
    "topics": ["file", "--topic=t", "--value=v"],
    "trec-eval": ["qrels", "run"],
}
"""The words that a command needs."""


def values_of(name: str, words: list[str]) -> dict[str, Any]:
    """The keywords that the function of a command is called with."""
    seen: list[dict[str, Any]] = []

    def note(**values: Any) -> None:
        seen.append(values)

    note.__dict__["__signature__"] = inspect.Signature(
        [each.replace(kind=each.KEYWORD_ONLY) for each in COMMANDS[name].parameters]
    )
    command: Command = command_from(name, COMMANDS[name]._replace(function=note, extend=None))
    with command.make_context(name, list(words)) as context:
        command.invoke(context)
    return seen[0]


def names(command: Declaration) -> list[str]:
    """The words for options of a command."""
    found = []
    for each in command.parameters:
        found += [name for name in each.default.names if "/" not in name] or [f"--{each.name.replace('_', '-')}"]
    return found


def test_words_are_kept_for_commands_that_there_are() -> None:
    assert STARTS.keys() <= COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_what_no_word_gives_has_the_default_of_the_signature(name: str) -> None:
    values = values_of(name, STARTS.get(name, []))
    parameters = {each.name: each for each in COMMANDS[name].parameters}
    for each, value in values.items():
        declared = parameters[each].default.default
        if declared is not inspect.Parameter.empty:
            is_flag = parameters[each].annotation is bool and declared is None
            assert (not value) if is_flag else value == declared, each
    assert values.keys() == parameters.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_line_without_a_word_that_the_command_needs_is_refused(name: str) -> None:
    words = STARTS.get(name, [])
    for position in range(len(words)):
        with pytest.raises(click.UsageError, match="Missing"):
            values_of(name, [*words[:position], *words[position + 1 :]])


@pytest.mark.parametrize("name", COMMANDS)
def test_any_words_are_values_or_wrong_usage(name: str) -> None:
    values = st.sampled_from(["a", "3", "0.5", "-1", "-", "", "csv", "binary", "x=y", "9", "9" * 20, "nan", "--"])
    option = st.sampled_from(names(COMMANDS[name]) or ["--help"])
    word = st.one_of(
        values.map(lambda value: [value]),
        option.map(lambda each: [each]),
        st.tuples(option, values).map(list),
        st.tuples(option, values).map(lambda pair: [f"{pair[0]}={pair[1]}"]),
    )

    @settings(max_examples=60, database=None)
    @given(st.lists(word, max_size=4))
    def called(parts: list[list[str]]) -> None:
        words = [*STARTS.get(name, ()), *(each for part in parts for each in part)]
        try:
            found = values_of(name, words)
        except (click.UsageError, click.exceptions.Exit, CertusError, ExitError, UsageError):
            return
        assert found.keys() == {each.name for each in COMMANDS[name].parameters}

    called()


def test_values_have_the_types_of_the_signature() -> None:
    words = [
        "q",
        "r",
        "-m",
        "AP",
        "-mRR",
        "--level",
        "0.9",
        "--seed=7",
        "--average",
        "macro",
        "--plot",
        "a.png",
        "--quiet",
    ]
    values = values_of("evaluate", words)
    assert values["files"] == ["q", "r"]
    assert values["metrics"] == ["AP", "RR"]
    assert (values["level"], values["seed"], values["_quiet"]) == (0.9, 7, True)
    assert [type(values[name]).__name__ for name in ("average", "plot")] == ["str", "PosixPath"]


def test_the_version_needs_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("certus ")
