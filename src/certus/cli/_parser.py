"""Commands as click runs them, made from their declarations."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import click

from certus.cli._declare import Argument, Declaration, Declared, Function
from certus.spelling import suggestion

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
    parameters = [_parameter(each) for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    return kind(declaration, name, callback=function, params=parameters, help=inspect.getdoc(function), **facts)


def _parameter(parameter: inspect.Parameter) -> click.Parameter:
    """The option or argument of one parameter.

    Options with a value are declared to click as repeated ones, so that one that is given twice can be refused.
    """
    annotation, info = get_args(parameter.annotation)
    types = [each for each in get_args(annotation) if each is not NoneType] if _is_union(annotation) else [annotation]
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
        plain, within = _NUMBERS[value_type]
        limits = {name: info.facts[name] for name in ("min", "max") if name in info.facts}
        number: click.ParamType[Any, Any] = within(**limits) if limits else plain
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
    from certus.inference.tests.declare import declared_tests

    return list(dict.fromkeys(name for tests in declared_tests().values() for name in tests))


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
