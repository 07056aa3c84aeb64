"""Declarations of commands, options and arguments, and what a command raises.

A function that is declared by `command` in a module of `certus.cli` is a command with the module's name. A folder of
modules holds a command and its subcommands.
"""

import inspect
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

Function: TypeAlias = Callable[..., object]
_F = TypeVar("_F", bound=Function)


class Declaration(NamedTuple):
    """A command.

    Attributes
    ----------
    function
        What it calls.
    example
        A command line that works, the last line of the help.
    columns
        The tasks whose options its last parameter stands for: all, or those that compare systems.
    dashes
        Whether its argument may begin with a dash.
    """

    function: Function
    example: str
    columns: Literal["all", "paired"] | None
    dashes: bool


COMMANDS: dict[str, Declaration] = {}
"""Each command that was imported, by the words that call it."""


def command(
    words: str, example: str = "", *, columns: Literal["all", "paired"] | None = None, dashes: bool = False
) -> Callable[[_F], _F]:
    """Declare a function as the command that is called by `words`; `example` is what follows them in an example."""

    def declared(function: _F) -> _F:
        COMMANDS[words] = Declaration(function, f"certus {words} {example}".strip(), columns, dashes)
        return function

    return declared


class UsageError(Exception):
    """The command line is wrong; `hint` names the option or argument."""

    def __init__(self, message: str, *, param_hint: str | None = None) -> None:
        super().__init__(message)
        self.message, self.hint = message, param_hint

    def __str__(self) -> str:
        return f"invalid value{'' if self.hint is None else f' for {self.hint}'}: {self.message}"


class ExitError(Exception):
    """The command has done all that it can; `status` is its exit status."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


class Declared:
    """Facts about one parameter of a command: metavar, help, section, min, max, callback, is_eager, complete."""

    def __init__(self, *names: str, **facts: Any) -> None:
        self.names, self.facts = names, facts


class Option(Declared):
    """Facts about an option."""


class Argument(Declared):
    """Facts about a positional argument."""


def options_of(command: Function) -> dict[str, str]:
    """The long option of each parameter of a command that is an option."""
    options = {}
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        for each in get_args(parameter.annotation):
            if isinstance(each, Option):
                spelled = [word.partition("/")[0] for word in each.names if word.startswith("--")]
                options[name] = next(iter(spelled), f"--{name.replace('_', '-')}")
    return options
