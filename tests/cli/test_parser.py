"""Commands that click runs, made from declarations."""

import inspect
from collections.abc import Callable
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.cli import app
from certus.cli._declare import COMMANDS as DECLARED
from certus.cli._declare import Command, ExitError, command_from
from certus.cli._options import with_columns

app.commands().list_commands(click.Context(app.commands()))  # which imports them
COMMANDS: dict[str, Callable[..., object]] = {
    words: each.function if each.columns is None else with_columns(each.function, paired=each.columns == "paired")
    for words, each in DECLARED.items()
}
STARTS = {
    "audit estimate": ["file"],
    "audit ranking": ["qrels", "run"],
    "audit sample": ["file", "--size=3", "--seed=1"],
    "audit sequence": ["file"],
    "chance": ["ap"],
    "compare": ["run"],
    "curve": ["qrels", "run"],
    "pool": ["run"],
    "topics": ["file", "--topic=t", "--value=v"],
    "trec-eval": ["qrels", "run"],
}
"""The words that a command needs."""


def values_of(name: str, words: list[str]) -> dict[str, Any]:
    """The keywords that the function of a command is called with."""
    seen: list[dict[str, Any]] = []
    function = COMMANDS[name]

    def note(**values: Any) -> None:
        seen.append(values)

    note.__dict__["__signature__"] = inspect.signature(function, eval_str=True)
    command: Command = command_from(name, note, DECLARED[name])
    with command.make_context(name, list(words)) as context:
        command.invoke(context)
    return seen[0]


def names(command: Callable[..., object]) -> list[str]:
    """The words for options of a command."""
    found = []
    for each in inspect.signature(command, eval_str=True).parameters.values():
        for info in getattr(each.annotation, "__metadata__", ()):
            found += [name for name in info.names if "/" not in name] or [f"--{each.name.replace('_', '-')}"]
    return found


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
        except (click.UsageError, click.exceptions.Exit, ExitError):
            return
        assert found.keys() == inspect.signature(COMMANDS[name], eval_str=True).parameters.keys()

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
    assert [type(values[name]).__name__ for name in ("average", "plot")] == ["Average", "PosixPath"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "--nonsense", "b"], "no such option: --nonsense"),
        (["a", "--level"], "option --level requires an argument"),
        (["a", "--level", "much"], "'much' is not a valid float"),
        (["a", "--level", "0.9", "--level", "0.8"], "--level: is given twice; it takes one value"),
        (["a", "--seed", "-1"], "-1 is not in the range"),
        (["a", "--quiet=yes"], "option --quiet does not take a value"),
        (["a", "--format", "csvs"], "'csvs' is not one of 'text'"),
        (["a", "--levl", "1"], "no such option: --levl; did you mean '--level'?"),
    ],
)
def test_wrong_words_are_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["evaluate", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error


def test_the_version_needs_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("certus ")
