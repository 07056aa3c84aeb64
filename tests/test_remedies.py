"""Every option of the command line and every keyword of Python that a message names exists."""

import ast
import importlib
import inspect
import pkgutil
import re
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import click
import pytest

import certus
from certus.cli import app
from certus.cli._declare import COMMANDS
from certus.core import registry
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.declare import TESTS_BY_KIND

ROOT = Path(certus.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
COMMAND = re.compile(r"certus ([a-z-]+)[^`;\n]*$")
BRACKETS = re.compile(r"\w\([^()]*\)")
KEYWORD = re.compile(r"(?<![\w(.-])(?P<name>[a-z][a-z_]*)=(?![=\d])")
"""A keyword as a message names it; in brackets behind a name it is a parameter of that."""
NOT_OURS = {
    "fail_on_error": "Inspect",
    "decision_function_shape": "scikit-learn",
    "--save-details": "lighteval",
    "--log_samples": "lm-eval",
    "--help": "click",
    "--version": "every program",
    "--json": "short for --format json",
}
"""Options and keywords of other tools that messages name."""
OF_EXAMPLES = {"parameter", "type"}
"""What stands for some keyword, and the classes of examples."""


class Message(NamedTuple):
    """A text in the source: what is filled in later stands as ``{}``."""

    file: str
    line: int
    text: str

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@cache
def modules() -> dict[str, ast.Module]:
    """The source, but for the faces of other tools, whose texts are theirs, and pages in HTML."""
    paths = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py"))}
    theirs = ("compat/", "table/page.py")
    return {name: ast.parse(path.read_text("utf-8")) for name, path in paths.items() if not name.startswith(theirs)}


@cache
def messages() -> tuple[Message, ...]:
    """Every text of the source but docstrings."""
    return tuple(each for name, tree in modules().items() for each in texts(name, tree))


def texts(name: str, tree: ast.AST) -> Iterator[Message]:
    """The texts of a module."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield Message(name, node.lineno, "".join(map(str, parts)))
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield from texts(name, part)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Message(name, node.lineno, node.value)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield from texts(name, node)


def calls(function: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a function in the source."""
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                yield f"{name}:{node.lineno}", node


@cache
def commands() -> dict[str, set[str]]:
    """The options of each command with those of its subcommands."""
    whole = app.commands()
    context = click.Context(whole)
    found = {}
    for name in whole.list_commands(context):
        command: Any = whole.get_command(context, name)
        those = [command, *getattr(command, "commands", {}).values()]
        found[name] = {
            word for each in those for option in each.params for word in (*option.opts, *option.secondary_opts)
        }
    return found


@cache
def given_by_options() -> frozenset[str]:
    """The arguments of functions that some option of some command gives."""
    commands()  # which imports them
    of_commands = {name for each in COMMANDS.values() for name in each.options}
    of_tasks = {name for each in arguments() if each.option for name in each.names}
    return frozenset(of_commands | of_tasks)


def arguments() -> Iterator[Any]:
    for task in registry.tasks():
        yield from (*task.data, *task.conventions, *task.options)


@cache
def parameters() -> dict[str, set[Any]]:
    """The parameters of public functions, classes and methods, each with the values that some of them lists."""
    from public_names import objects

    found: dict[str, set[Any]] = {}
    for _, value in objects():
        methods = (
            [getattr(value, name, None) for name in dir(value) if name[0] != "_"] if isinstance(value, type) else []
        )
        for each in filter(callable, (value, *methods)):
            for name, values in signature(each):
                found.setdefault(name, set()).update(values)
    for each in arguments():  # which ``evaluate(**told)`` takes
        for name in (*each.names, each.option.replace("-", "_")):
            found.setdefault(name, set()).update(each.choices or ())
    for info in pkgutil.iter_modules(certus.plot.__path__):  # which ``result.plot(**options)`` takes
        module = importlib.import_module(f"certus.plot.{info.name}")
        for function in (
            value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__
        ):
            found |= {name: found.get(name, set()) for name, _ in signature(function)}
    found |= {"separator": set(), "decimal": {","}, "sheet": set()}  # which calls that read files take
    found["correction"] |= set(CORRECTIONS)
    found["test"] |= {name for tests in TESTS_BY_KIND.values() for name in tests}
    found["task"] |= set(registry.names())
    return found


def signature(function: Any) -> list[tuple[str, set[Any]]]:
    try:
        shown = inspect.signature(function)
        hints = typing.get_type_hints(inspect.unwrap(function))
    except (TypeError, ValueError, NameError):
        hints = {}
    try:
        shown = inspect.signature(function)
    except (TypeError, ValueError):
        return []
    return [(name, set(listed(hints.get(name, each.annotation)))) for name, each in shown.parameters.items()]


def listed(hint: Any) -> Iterator[Any]:
    """The values that an annotation lists."""
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif hint is bool:
        yield from (True, False)
    else:
        for each in get_args(hint):
            yield from listed(each)


@pytest.fixture(autouse=True)
def _tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[1] / "tools"))


@cache
def of_any_command() -> set[str]:
    """The options of all commands, and those of the plugin of pytest."""
    of_pytest = {each.text for each in messages() if each.file == "pytest_plugin.py" and " " not in each.text}
    return set().union(*commands().values(), of_pytest)


def unknown_options(message: Message) -> list[str]:
    """The options that a message names and its command lacks."""
    wrong = []
    folder, *rest = message.file.split("/")
    own = rest[0].removesuffix(".py").replace("_", "-") if folder == "cli" and rest else ""
    own = "" if own == "demo" else own  # which shows lines of other commands
    for match in OPTION.finditer(message.text):
        before = COMMAND.search(message.text[: match.start()])
        option, command = match[0], own if before is None else before[1]
        there = commands().get(command, of_any_command())
        if option not in there and option not in NOT_OURS:
            wrong.append(f"{message.location}: {option} is no option of {command or 'any command'}")
    return wrong


def test_every_option_that_a_message_names_exists() -> None:
    assert [wrong for each in messages() for wrong in unknown_options(each)] == []
    assert unknown_options(Message("cli/pool.py", 1, "give --truth"))
    assert not unknown_options(Message("cli/pool.py", 1, "give --depth, or `certus evaluate ... --truth`"))
    assert unknown_options(Message("x.py", 1, "with `certus pool RUN --truth`"))


def keywords(message: Message) -> list[str]:
    """The keywords that a message names, which has a blank and is neither markup nor a docstring."""
    if " " not in message.text or message.text.lstrip().startswith(("<", ",")) or "``" in message.text:
        return []
    found = KEYWORD.findall(BRACKETS.sub("", message.text))
    return [name for name in found if name not in NOT_OURS and name not in OF_EXAMPLES]


def test_every_keyword_that_a_message_names_exists() -> None:
    found = [(name, each.location) for each in messages() for name in keywords(each)]
    assert len(found) > 20
    assert [(name, location) for name, location in found if name not in parameters()] == []


def test_keywords_that_options_give_are_named_by_the_function_that_knows_both() -> None:
    """Then errors, warnings and notes on the command line name the option."""
    found = [(name, each.location) for each in messages() for name in keywords(each) if each.file != "errors.py"]
    assert [(name, location) for name, location in found if name in given_by_options()] == []


def test_every_keyword_with_a_value_exists_with_that_value() -> None:
    number = 0
    for location, call in calls("keyword"):
        values = [each.value if isinstance(each, ast.Constant) else None for each in call.args]
        if values[0] is None:
            continue
        number += 1
        assert values[0] in parameters(), location
        known = parameters()[str(values[0])]
        if len(values) > 1 and values[1] is not None and known:
            assert values[1] in known, f"{location}: {values}, of {known}"
    assert number > 60


def test_every_argument_that_a_message_calls_by_name_exists() -> None:
    found = [(location, call.args[0]) for location, call in calls("mention") if isinstance(call.args[0], ast.Constant)]
    assert len(found) > 40
    assert [
        (location, each.value) for location, each in found if each.value not in {*parameters(), "the interval method"}
    ] == []
