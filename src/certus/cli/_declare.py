"""Declarations of commands, options and arguments, and what a command raises.

A function that is declared by `command` in a module of `certus.cli` is a command with the module's name. A folder of
modules holds a command and its subcommands.
"""

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin

import click

from certus.core.spelling import suggestion

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
    """The command line is wrong; `option` names the option or argument."""

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.message, self.option = message, option

    def __str__(self) -> str:
        return self.message if self.option is None else f"invalid value for {self.option}: {self.message}"


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
    spellings = spellings_of(command).items()
    return {name: next(word for word in words if word.startswith("--")) for name, words in spellings}


def spellings_of(command: Function) -> dict[str, tuple[str, ...]]:
    """All spellings of each parameter of a command that is an option."""
    spellings = {}
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        for fact in get_args(parameter.annotation):
            if isinstance(fact, Option):
                words = tuple(word.partition("/")[0] for word in fact.names)
                has_long = any(word.startswith("--") for word in words)
                spellings[name] = words if has_long else (*words, f"--{name.replace('_', '-')}")
    return spellings


_MIN_FORMS = 3
"""Forms of statistic that a method must have to be named in a help text; docs/intervals.md has all."""
_HIT_LIST = re.compile("-[x-]*x[x-]*|---+")
"""A hit list that looks like an option."""
_NUMBERS: dict[Any, tuple[Any, Any]] = {int: (click.INT, click.IntRange), float: (click.FLOAT, click.FloatRange)}


class _Option(click.Option):
    """An option in its section of the help."""

    def __init__(self, *args: Any, section: str, several: bool = False, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.section, self.several = section, several

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The values of the option; an error where it takes one and stands twice."""
        if self.multiple and not self.several and value is not None and len(value) > 1:
            raise click.BadParameter("is given twice; it takes one value", ctx, param_hint=" / ".join(self.opts))
        return super().type_cast_value(ctx, value)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help, with the names of methods filled in."""
        record = super().get_help_record(ctx)
        return None if record is None else (record[0], fill_placeholders(record[1]))


class _Argument(click.Argument):
    """An argument with a help text."""

    section = "Arguments"

    def __init__(self, *args: Any, about: str, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.about = about  # newer versions of click write an argument's `help` in a section of their own

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """The name of the argument and its help."""
        del ctx
        return self.metavar or str(self.name).upper(), self.about


class Command(click.Command):
    """A command with sections of options and an example at the end of its help."""

    def __init__(self, declaration: Declaration | None, *args: Any, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.declaration = declaration

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words; where hit lists are arguments, one like -xx-x is an argument, too."""
        if self.declaration is not None and self.declaration.dashes and "--" not in args:
            lists = [word for word in args if _HIT_LIST.fullmatch(word)]
            if lists:
                args = [*(word for word in args if word not in lists), "--", *lists]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write arguments and options, a section after the other."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example in one line, to be copied."""
        del ctx
        if self.declaration is not None:
            formatter.write(f"\nExample: {self.declaration.example}\n")


class Group(Command, click.Group):
    """A command with subcommands."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name; an error names the nearest one."""
        command = super().get_command(ctx, cmd_name)
        if command is not None or ctx.resilient_parsing or cmd_name.startswith("-"):
            return command
        near = suggestion(cmd_name, self.list_commands(ctx))
        raise click.UsageError("; ".join(filter(None, (f"no such command {cmd_name!r}", near))), ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the subcommands."""
        super().format_options(ctx, formatter)
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        records = [(name, (command.help or "").partition("\n\n")[0]) for name, command in commands if command]
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(summary.split())) for name, summary in records])


def command_from(
    name: str, function: Function, declaration: Declaration | None = None, kind: type[Command] = Command, **facts: Any
) -> Any:
    """Make the command that calls a function with the options and arguments of its signature."""
    signature = inspect.signature(function, eval_str=True)
    parameters = [
        _parameter(parameter)
        for parameter in signature.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    return kind(declaration, name, callback=function, params=parameters, help=inspect.getdoc(function), **facts)


def _parameter(parameter: inspect.Parameter) -> click.Parameter:
    """The option or argument of one parameter.

    Options with a value are declared to click as repeated ones, so that one that is given twice can be refused.
    """
    annotation, info = get_args(parameter.annotation)
    types = (
        [option_type for option_type in get_args(annotation) if option_type is not NoneType]
        if _is_union(annotation)
        else [annotation]
    )
    several = get_origin(types[0]) is list
    value_type = get_args(types[0])[0] if several else types[0]
    required = parameter.default is parameter.empty
    facts: dict[str, Any] = {
        name: info.facts[name] for name in ("metavar", "is_eager") if info.facts.get(name) is not None
    }
    about = info.facts.get("help", "")
    facts |= {"required": required, "callback": _callback(parameter, info, several, value_type)}
    if "complete" in info.facts:
        complete = info.facts["complete"]
        facts["shell_complete"] = lambda _context, _parameter, incomplete: complete(incomplete)
    if isinstance(info, Argument):
        facts |= {"about": about, "nargs": -1 if several else 1}
        return _Argument([parameter.name], type=_click_type(value_type, info), **facts)
    names = [*(info.names or (f"--{parameter.name.replace('_', '-')}",)), parameter.name]
    facts["section"] = info.facts.get("section") or "Options"
    if value_type is bool:
        return _Option(names, is_flag=True, default=parameter.default, help=about, **facts)
    if required:
        about = f"{about} [required]"
    elif parameter.default is not None:
        about = f"{about} Default: {parameter.default}."
    facts |= {"multiple": True, "several": several}
    return _Option(names, type=_click_type(value_type, info), help=about, **facts)


def _callback(parameter: inspect.Parameter, info: Declared, several: bool, value_type: Any) -> Callable[..., object]:
    """Make the function that turns the values that click read into the value of a parameter."""
    own_callback = info.facts.get("callback")

    def value_of(ctx: click.Context, _: click.Parameter, values: Any) -> object:
        value: object = values
        if isinstance(values, tuple):
            values = list(map(value_type, values)) if issubclass(value_type, StrEnum) else list(values)
            value = parameter.default if not values else values if several else values[0]
        elif values is None:
            value = parameter.default
        elif issubclass(value_type, StrEnum):
            value = value_type(values)
        return value if own_callback is None or ctx.resilient_parsing else own_callback(value)

    return value_of


def _click_type(value_type: Any, info: Declared) -> "click.ParamType[Any, Any]":
    """The type of click that reads a value of a type, within the limits of its declaration."""
    if value_type in _NUMBERS:
        unlimited, limited = _NUMBERS[value_type]
        limits = {name: info.facts[name] for name in ("min", "max") if name in info.facts}
        number: click.ParamType[Any, Any] = limited(**limits) if limits else unlimited
        return number
    if issubclass(value_type, StrEnum):
        return click.Choice([member.value for member in value_type])
    return click.Path(path_type=Path) if issubclass(value_type, Path) else click.STRING


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType)


def _intervals() -> Sequence[str]:
    from certus.inference.declare import FORMS

    counts = Counter(name for form in FORMS.values() for name in form.methods)
    return [*(name for name, count in counts.items() if count >= _MIN_FORMS), "..."]


def _tests() -> Sequence[str]:
    from certus.inference.tests.declare import TESTS_BY_KIND

    return list(dict.fromkeys(name for tests in TESTS_BY_KIND.values() for name in tests))


def _corrections() -> Sequence[str]:
    from certus.inference.many.adjust import CORRECTIONS

    return list(CORRECTIONS)


def _simultaneous() -> Sequence[str]:
    from certus.inference.many.adjust import CORRECTIONS

    return [correction.name for correction in CORRECTIONS.values() if correction.single_step]


_LISTS: Mapping[str, Callable[[], Sequence[str]]] = {
    "{intervals}": _intervals,
    "{tests}": _tests,
    "{corrections}": _corrections,
    "{simultaneous}": _simultaneous,
}


def fill_placeholders(text: str) -> str:
    """Fill the names that are declared into a help text, in place of ``{tests}`` and the like."""
    for placeholder, names in _LISTS.items():
        if placeholder in text:
            text = text.replace(placeholder, ", ".join(names()))
    return text


def load_plugins(modules: Iterable[str] | None) -> None:
    """Import modules that declare metrics, named as in ``import`` (also from this folder) or as a ``.py`` file."""
    for module in modules or ():
        try:
            if module.endswith(".py"):
                _load_file(Path(module).resolve())
            else:
                sys.path.insert(0, str(Path().resolve()))
                import_module(module)
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise UsageError(f"{module!r} cannot be imported: {reason}", "--plugin") from error


def _load_file(path: Path) -> None:
    """Run a file as a module that is named by its path, so that no other is mistaken for it; its folder can be used."""
    from importlib.util import module_from_spec, spec_from_file_location  # here, as it is seldom needed

    name = str(path)
    spec = spec_from_file_location(name, path)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    sys.path.append(str(path.parent))
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
