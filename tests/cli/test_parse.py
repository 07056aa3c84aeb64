"""Plain command lines are read without Typer, to the same values as with it."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from certus.cli import app
from certus.cli._command import Command
from certus.cli._declare import COMMANDS as DECLARED
from certus.cli._declare import typed
from certus.cli._options import with_columns
from certus.cli._parse import parsed

app.commands()  # all are declared
COMMANDS: dict[str, Callable[..., object]] = {
    words: each.function if each.columns is None else with_columns(each.function, paired=each.columns == "paired")
    for words, each in DECLARED.items()
    if words.partition(" ")[0] != "audit" and inspect.signature(each.function).parameters
}
"""The commands that are called without Typer, if they have options."""
STARTS = {
    "chance": ["ap"],
    "compare": ["run"],
    "trec-eval": ["qrels", "run"],
    "curve": ["qrels", "run"],
    "pool": ["run"],
    "topics": ["file", "--topic=t", "--value=v"],
}
"""The words that a command needs."""


def names(command: Callable[..., object]) -> list[str]:
    """The words for options of a command."""
    found = []
    for each in inspect.signature(command, eval_str=True).parameters.values():
        for info in getattr(each.annotation, "__metadata__", ()):
            found += [name for name in info.names if "/" not in name] or [f"--{each.name.replace('_', '-')}"]
    return [name for name in found if name not in ("-v", "--version")]


def by_typer(command: Callable[..., object], words: list[str]) -> dict[str, Any] | None:
    """The values that Typer gives; None where it refuses the words."""
    seen: list[dict[str, Any]] = []

    def told(**given: Any) -> None:
        seen.append(given)

    told.__dict__["__signature__"] = inspect.signature(command, eval_str=True)
    whole = typer.Typer(add_completion=False)
    whole.command(cls=Command)(typed(told))
    try:
        typer.main.get_command(whole)(words, standalone_mode=False)
    except Exception as error:
        if not isinstance(error, typer.BadParameter.__bases__):  # click's, which Typer does not name
            raise
        return None
    return seen[0]


def test_words_are_kept_for_commands_that_there_are() -> None:
    assert STARTS.keys() <= COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_plain_words_mean_what_typer_takes_them_for(name: str) -> None:
    command = COMMANDS[name]
    values = st.sampled_from(["a", "3", "0.5", "-1", "-", "", "csv", "binary", "x=y", "9", "9" * 20, "nan"])
    option = st.sampled_from(names(command))
    word = st.one_of(
        values.map(lambda value: [value]),
        option.map(lambda each: [each]),
        st.tuples(option, values).map(list),
        st.tuples(option, values).map(lambda pair: [f"{pair[0]}={pair[1]}"]),
    )
    plain = []

    @settings(max_examples=60, database=None)
    @given(st.lists(word, max_size=4))
    def compared(parts: list[list[str]]) -> None:
        words = [*STARTS.get(name, ()), *(each for part in parts for each in part)]
        here = parsed(command, words)
        if here is not None:
            plain.append(words)
            assert repr(here) == repr(by_typer(command, words)), words

    compared()
    assert plain


@pytest.mark.parametrize("name", COMMANDS)
def test_a_line_without_a_word_that_the_command_needs_is_left_to_typer(name: str) -> None:
    words = STARTS.get(name, [])
    assert parsed(COMMANDS[name], words) is not None
    for place in range(len(words)):
        assert parsed(COMMANDS[name], [*words[:place], *words[place + 1 :]]) is None


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["a", "--nonsense", "b"],
        ["a", "--level"],
        ["a", "--level", "much"],
        ["a", "--level", "0.9", "--level", "0.8"],
        ["a", "--seed", "-1"],
        ["a", "--quiet=yes"],
        ["a", "--", "--level"],
        ["a", "--format", "csvs"],
        ["a", "-mAP"],
    ],
)
def test_whatever_is_not_plain_is_left_to_typer(words: list[str]) -> None:
    assert parsed(COMMANDS["evaluate"], words) is None


def test_the_version_needs_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("certus ")
