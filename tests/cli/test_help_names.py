"""The help of the commands names what is declared."""

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from certus.cli import app
from certus.cli._declare import COMMANDS, fill_placeholders, spellings_of
from certus.inference.declare import FORMS
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.declare import TESTS_BY_KIND


def helped(placeholder: str) -> list[str]:
    return fill_placeholders(f"{{{placeholder}}}").split(", ")


def test_the_help_names_every_correction_and_every_test() -> None:
    assert helped("corrections") == list(CORRECTIONS)
    assert set(helped("tests")) == {name for tests in TESTS_BY_KIND.values() for name in tests}


def test_a_correction_that_is_declared_stands_in_the_help(monkeypatch: pytest.MonkeyPatch) -> None:
    before = helped("simultaneous")
    monkeypatch.setitem(CORRECTIONS, "made-up", replace(CORRECTIONS["bonferroni"], name="made-up"))
    assert "made-up" in helped("corrections")
    assert {"bonferroni", "max-t"} < set(helped("simultaneous")) == {*before, "made-up"}


def test_the_help_names_common_interval_methods_only_where_they_are_declared() -> None:
    *named, dots = helped("intervals")
    assert (
        {"t", "wilson", "percentile", "bca"} <= set(named) <= {name for form in FORMS.values() for name in form.methods}
    )
    assert dots == "..."


@pytest.mark.parametrize("command", ["compare", "evaluate"])
def test_no_placeholder_stands_in_the_help(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert app.run([command, "--help"]) == 0
    shown = " ".join(re.sub(r"[^\w,.{}-]+", " ", capsys.readouterr().out).split())
    assert re.search(r"\{[a-z]+\}", shown) is None
    assert "percentile, bca" in shown
    if command == "compare":
        assert "mcnemar-score" in shown


def paths() -> list[str]:
    """The words that call each command."""
    app.commands().list_commands(click.Context(app.commands()))  # which imports them
    return sorted(COMMANDS)


def test_every_command_that_is_declared_is_called_by_its_words() -> None:
    whole = app.commands()
    context = click.Context(whole)
    found = []
    for name in whole.list_commands(context):
        command = whole.get_command(context, name)
        found += [name, *(f"{name} {each}" for each in getattr(command, "commands", {}))]
    assert sorted(found) == paths()


@pytest.mark.parametrize("path", paths())
def test_the_help_ends_with_an_example_that_the_command_reads(
    path: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert app.run([*path.split(), "--help"]) == 0
    last = capsys.readouterr().out.strip().splitlines()[-1].strip()
    assert last == f"Example: {COMMANDS[path].example}"
    words = shlex.split(COMMANDS[path].example)[1:]
    assert words[: len(path.split())] == path.split()
    command: Any = app.commands()
    context = command.make_context("certus", list(words))
    for name in path.split():
        command = command.get_command(context, name)
        words = words[1:]
        context = command.make_context(name, list(words), parent=context)


@pytest.mark.parametrize("topic", [[], ["ranking"], ["classification"], ["multilabel"], ["regression"], ["batches"]])
def test_the_help_of_evaluate_fits_in_80_lines_of_80_columns(
    topic: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert app.run(["evaluate", "--help", *topic]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines[:-1])) <= 80  # the example stands in one line


def test_the_help_of_a_topic_has_its_options_and_no_others(capsys: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for topic in ("ranking", "classification", "all"):
        assert app.run(["evaluate", "--help", topic]) == 0
        shown[topic] = set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE))
    assert shown["ranking"] - shown["classification"] >= {"--ties", "--unjudged", "--queries"}
    assert shown["classification"] - shown["ranking"] >= {"--truth", "--pred", "--score", "--positive", "--counts"}
    assert {"--metric", "--output", "--level", "--format"} <= shown["ranking"] & shown["classification"]
    every = {word for parameter in COMMANDS["evaluate"].parameters for word in spellings_of(parameter)}
    assert {word for word in every if word.startswith("--")} - shown["all"] <= {"--method", "--per-item"}


def test_certus_help_is_the_help_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["compare"], ["evaluate", "ranking"], ["audit", "plan"]):
        assert app.run(["help", *words]) == 0
        of_help = capsys.readouterr().out
        assert app.run([*words[:1], "--help", *words[1:]] if words != ["audit", "plan"] else [*words, "--help"]) == 0
        assert capsys.readouterr().out == of_help != ""
    assert app.run(["help", "nonsense"]) == 2
    assert app.run(["evaluate", "--help", "clasification"]) == 2
    assert "no help is named 'clasification'; did you mean 'classification'?" in capsys.readouterr().err


def test_short_spellings_of_usual_options(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 2 x\n1 Q0 c 2 2 x\n2 Q0 b 1 2 x\n")
    files = [str(tmp_path / "q"), str(tmp_path / "r")]
    outputs = []
    for words in (
        ["-m", "nDCG(gain='exp')@10,AP", "--json", "-q"],
        ["-m", "nDCG(gain='exp')@10", "-m", "AP", "--format", "json"],
    ):
        assert app.run(["evaluate", *files, *words]) == 0
        outputs.append(capsys.readouterr())
    assert outputs[0].out == outputs[1].out
    assert "ties change results" in outputs[1].err
    assert outputs[0].err == ""
    assert app.run(["evaluate", *files, "--json", "--format", "csv"]) == 2
    assert app.run(["-V"]) == 0
