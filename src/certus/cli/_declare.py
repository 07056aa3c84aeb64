"""Declarations of commands, options and arguments, and what a command raises.

A function that is declared by `command` in a module of `certus.cli` is a command with the module's name. A folder of
modules holds a command and its subcommands.
"""

import inspect
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin

import click

from certus.core.registry import Registry
from certus.core.spelling import suggestion

Function: TypeAlias = Callable[..., object]
Parameters: TypeAlias = Sequence[inspect.Parameter]
_F = TypeVar("_F", bound=Function)


class Declaration(NamedTuple):
    """A command.

    Attributes
    ----------
    function
        What it calls.
    example
        A command line that works, the last line of the help.
    extend
        Puts the parameters that others declare among those of the function, in place of its last one.
    dashes
        Whether its argument may begin with a dash.
    topics
        Words behind --help, such as the name of a task, each with an example.
    """

    function: Function
    example: str = ""
    extend: Callable[[Parameters], Parameters] | None = None
    dashes: bool = False
    topics: Mapping[str, str] = MappingProxyType({})

    @property
    def parameters(self) -> Parameters:
        """The parameters that are options and arguments."""
        parameters = list(inspect.signature(self.function, eval_str=True).parameters.values())
        return parameters if self.extend is None else self.extend(parameters[:-1])

    @property
    def options(self) -> dict[str, str]:
        """The long option that gives each argument of Python's functions."""
        options: dict[str, str] = {}
        for parameter in self.parameters:
            info = parameter.default
            if words := spellings_of(parameter):
                long = next(word for word in words if word.startswith("--"))
                own = () if info.facts.get("is_data") else (parameter.name,)
                for name in (*own, *info.facts.get("arguments", ())):
                    options.setdefault(name, long)
        return options


COMMANDS: Registry[Declaration] = Registry("command")
"""Each command that was imported, by the words that call it."""


def command(words: str, example: str = "", **facts: Any) -> Callable[[_F], _F]:
    """Declare a function as the command that is called by `words`; `example` is what follows them in an example."""

    def declared(function: _F) -> _F:
        COMMANDS.add(words, Declaration(function, f"certus {words} {example}".strip(), **facts))
        return function

    return declared


class UsageError(Exception):
    """The command line is wrong; `option` names the option or argument."""

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.message, self.option = message, option

    def __str__(self) -> str:
        return self.message if self.option is None else f"invalid value for {self.option}: {self.message}"


def refuse(reason: str, options: Mapping[str, object]) -> None:
    """Refuse the first of the options that is set."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError(reason, name)


class ExitError(Exception):
    """The command has done all that it can; `status` is its exit status."""

    def __init__(self, status: int = 0) -> None:
        super().__init__(status)
        self.status = status


class Declared:
    """Facts about one parameter of a command: metavar, help, section, min, max, choices, is_eager, complete.

    `read` is a function that turns the value into that of the parameter, or refuses it; `arguments` are those of
    Python's functions that it gives, beside the one of its name; `is_data` says that they hold data.
    """

    def __init__(self, *names: str, default: Any, **facts: Any) -> None:
        self.names, self.default, self.facts = names, default, facts


class Option(Declared):
    """Facts about an option."""


class Argument(Declared):
    """Facts about a positional argument."""


def option(*names: str, default: Any = None, required: bool = False, **facts: Any) -> Any:
    """Declare a parameter as an option; its spellings are by default the name of the parameter."""
    return Option(*names, default=inspect.Parameter.empty if required else default, **facts)


def argument(*, default: Any = inspect.Parameter.empty, **facts: Any) -> Any:
    """Declare a parameter as a positional argument."""
    return Argument(default=default, **facts)


def spellings_of(parameter: inspect.Parameter) -> tuple[str, ...]:
    """All spellings of a parameter that is an option; none of an argument."""
    info = parameter.default
    if isinstance(info, Argument):
        return ()
    words = tuple(word.partition("/")[0] for word in info.names)
    has_long = any(word.startswith("--") for word in words)
    return words if has_long else (*words, f"--{parameter.name.replace('_', '-')}")


_TOPIC = "certus.topic"
"""The key of a context under which the topic of its help stands."""


_WORDS = "certus.words"
"""The key of a context under which the words behind the command stand."""


def proposed(*more: str, renamed: Mapping[str, str] = MappingProxyType({})) -> str:
    """The command line that is run, with some options renamed and with more words, as a shell takes it."""
    context = click.get_current_context()
    words = []
    for word in context.meta[_WORDS]:
        option, equals, value = word.partition("=")
        words.append(f"{renamed[option]}{equals}{value}" if option in renamed else word)
    end = words.index("--") if "--" in words else len(words)
    return " ".join((context.command_path, *map(shlex.quote, (*words[:end], *more, *words[end:]))))


def _topic_of(args: Sequence[str], topics: Mapping[str, str]) -> str | None:
    """The topic of a help that is asked for; None where only the help is, or none."""
    words = [word for word in args if word not in ("--help", "-h")]
    if len(words) != 1 or len(words) == len(args) or words[0].startswith("-"):
        return None
    if words[0] not in (names := (*topics, "all")):
        near = suggestion(words[0], names) or f"there are {', '.join(names)}"
        raise click.UsageError(f"no help is named {words[0]!r}; {near}")
    return words[0]


_MIN_FORMS = 3
"""Forms of statistic that a method must have to be named in a help text; docs/intervals.md has all."""
_HIT_LIST = re.compile("-[x-]*x[x-]*|---+")
"""A hit list that looks like an option."""
_NUMBERS: dict[Any, tuple[Any, Any]] = {int: (click.INT, click.IntRange), float: (click.FLOAT, click.FloatRange)}


class _Option(click.Option):
    """An option in its section of the help; `topics` may map the tasks that have it to its help for each."""

    def __init__(
        self, *args: Any, section: str, several: bool = False, topics: Collection[str] = (), **facts: Any
    ) -> None:
        super().__init__(*args, **facts)
        self.section, self.several, self.topics = section, several, topics

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The values of the option; an error where it takes one and stands twice."""
        if self.multiple and not self.several and value is not None and len(value) > 1:
            raise click.BadParameter("is given twice; it takes one value", ctx, param_hint=" / ".join(self.opts))
        return super().type_cast_value(ctx, value)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its help, with the names of methods filled in."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        of_topic = self.topics.get(ctx.meta.get(_TOPIC, "")) if isinstance(self.topics, Mapping) else None
        return record[0], fill_placeholders(of_topic or record[1])


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

    def __init__(self, declaration: Declaration, *args: Any, **facts: Any) -> None:
        super().__init__(*args, **facts)
        self.declaration = declaration

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words; where hit lists are arguments, one like -xx-x is an argument, too."""
        ctx.meta[_WORDS] = tuple(args)
        if self.declaration.topics and (topic := _topic_of(args, self.declaration.topics)):
            ctx.meta[_TOPIC], args = topic, ["--help"]
        if any(isinstance(parameter, _Option) and "--format" in parameter.opts for parameter in self.params):
            args = ["--format=json" if word == "--json" else word for word in args]
        if self.declaration.dashes and "--" not in args:
            lists = [word for word in args if _HIT_LIST.fullmatch(word)]
            if lists:
                args = [*(word for word in args if word not in lists), "--", *lists]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write arguments and options, a section after the other."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        topic = ctx.meta.get(_TOPIC, "")
        for parameter in self.get_params(ctx):
            topics = getattr(parameter, "topics", ())
            is_omitted = self.declaration.topics and topics and topic not in (*topics, "all")
            record = None if is_omitted else parameter.get_help_record(ctx)
            if record is not None:
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example in one line, to be copied."""
        topics = self.declaration.topics
        topic = ctx.meta.get(_TOPIC, "")
        if topics and topic not in topics:
            with formatter.section("Help for your data"):
                examples = {**topics, "all": "all options"}
                formatter.write_dl(
                    [(f"--help {name}", text.removeprefix("certus ")) for name, text in examples.items()]
                )
        example = topics.get(topic) or self.declaration.example
        if example:
            formatter.write(f"\nExample: {example}\n")


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


def command_from(name: str, declaration: Declaration, kind: type[Command] = Command, **facts: Any) -> Any:
    """Make the command that calls a function with the options and arguments of its declaration."""
    function, parameters = declaration.function, map(_parameter, declaration.parameters)
    return kind(declaration, name, callback=function, params=list(parameters), help=inspect.getdoc(function), **facts)


def _parameter(parameter: inspect.Parameter) -> click.Parameter:
    """The option or argument of one parameter.

    Options with a value are declared to click as repeated ones, so that one that is given twice can be refused.
    """
    annotation, info = parameter.annotation, parameter.default
    is_union = get_origin(annotation) in (Union, UnionType)
    value_type = next(kind for kind in get_args(annotation) if kind is not NoneType) if is_union else annotation
    if several := get_origin(value_type) is list:
        (value_type,) = get_args(value_type)
    name, required, default = parameter.name, info.default is parameter.empty, info.default
    about, read = info.facts.get("help", ""), info.facts.get("read")

    def value_of(ctx: click.Context, _: click.Parameter, values: Any) -> object:
        value = values
        if isinstance(values, tuple):
            value = default if not values else list(values) if several else values[0]
        elif values is None:
            value = default
        return value if read is None or value is None or ctx.resilient_parsing else read(value)

    facts = {fact: info.facts[fact] for fact in ("metavar", "is_eager") if fact in info.facts}
    facts |= {"required": required, "callback": value_of, "type": _click_type(value_type, info.facts)}
    if (complete := info.facts.get("complete")) is not None:
        facts["shell_complete"] = lambda _context, _parameter, incomplete: complete(incomplete)
    if isinstance(info, Argument):
        return _Argument([name], about=about, nargs=-1 if several else 1, **facts)
    names = [*(info.names or (f"--{name.replace('_', '-')}",)), name]
    facts["section"], facts["topics"] = info.facts.get("section", "Options"), info.facts.get("topics", ())
    if value_type is bool:
        return _Option(names, is_flag=True, default=bool(default), help=about, **facts)
    if required:
        about = f"{about} [required]"
    elif default is not None:
        about = f"{about} Default: {default}."
    return _Option(names, help=about, multiple=True, several=several, **facts)


def _click_type(value_type: Any, facts: Mapping[str, Any]) -> "click.ParamType[Any, Any]":
    """The type of click that reads a value: one of the choices, a number within its limits, a path or a text."""
    choices = get_args(value_type) if get_origin(value_type) is Literal else facts.get("choices")
    if choices:
        return click.Choice(choices)
    if value_type in _NUMBERS:
        unlimited, limited = _NUMBERS[value_type]
        limits = {name: facts[name] for name in ("min", "max") if facts.get(name) is not None}
        number: click.ParamType[Any, Any] = limited(**limits) if limits else unlimited
        return number
    return {bool: click.BOOL, Path: click.Path(path_type=Path)}.get(value_type, click.STRING)


def fill_placeholders(text: str) -> str:
    """Fill the names that are declared into a help text, in place of ``{tests}`` and the like."""
    if "{" not in text:
        return text
    from certus.inference.declare import FORMS
    from certus.inference.many.adjust import CORRECTIONS
    from certus.inference.tests.declare import TESTS_BY_KIND

    counts = Counter(name for form in FORMS.values() for name in form.methods)
    names = {
        "{intervals}": [*(name for name, count in counts.items() if count >= _MIN_FORMS), "..."],
        "{tests}": dict.fromkeys(name for tests in TESTS_BY_KIND.values() for name in tests),
        "{corrections}": CORRECTIONS,
        "{simultaneous}": [correction.name for correction in CORRECTIONS.values() if correction.single_step],
    }
    for placeholder, listed in names.items():
        text = text.replace(placeholder, ", ".join(listed))
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
