"""The commands, and how their errors become one line and an exit status."""

import errno
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules

import click
from click.shell_completion import shell_complete

from certus.cli._declare import (
    COMMANDS,
    Declaration,
    ExitError,
    Group,
    UsageError,
    command_from,
    load_plugins,
    option,
    spellings_of,
)
from certus.cli._output import COMMAND, UnwrittenError
from certus.cli._startup import complain
from certus.core.errors import CertusError, MetricNameError, NotGivenError, name_options, options_for
from certus.core.registry import import_package
from certus.core.spelling import suggestion
from certus.io.sources import read_once, reading

_WORDS = {
    "the interval method": "--interval",
    "interval": "--interval",
    "truth": "--truth",
    "score": "--score",
}
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
_COMPLETION = "_CERTUS_COMPLETE"
"""The variable of the environment by which a shell asks for completion."""
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_ABOUT = """Evaluate and compare rankings and classifiers, and say how sure each number is.

\b
First commands, as for two runs and their judgments:
Values with intervals:  certus evaluate qrels.txt bm25.run dense.run
Which one is better:    certus compare qrels.txt bm25.run dense.run -m AP
Luck, for comparison:   certus chance ap --items 100 --relevant 5

\b
certus help COMMAND explains a command.

\b
Exit status: 0 done, 1 compare --fail-if-worse or selfcheck fails,
2 wrong usage, 3 bad data, 70 an internal error,
74 a file that cannot be written.
"""


def _declared(name: str) -> dict[str, Declaration]:
    """The command of that name and its subcommands, imported; none where there is no such command."""
    module = name.replace("-", "_")
    if module not in _modules():
        return {}
    if hasattr(import_module(f"certus.cli.{module}"), "__path__"):
        import_package(f"certus.cli.{module}")
    return {words: declaration for words, declaration in COMMANDS.items() if words.partition(" ")[0] == name}


def _modules() -> list[str]:
    return [name for _, name, _ in iter_modules(sys.modules["certus.cli"].__path__) if not name.startswith("_")]


def _called_command(argv: Sequence[str]) -> Declaration | None:
    declared = _declared(argv[0]) if argv else {}
    return declared.get(" ".join(argv[:2])) or declared.get("".join(argv[:1]))


class _Commands(Group):
    """The command line; a command is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in alphabetical order."""
        del ctx
        names = (name.replace("_", "-") for name in _modules())
        return sorted(name for name in names if _declared(name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported if it is not yet."""
        if cmd_name not in self.commands and (declarations := _declared(cmd_name)):
            self.add_command(_command_of(cmd_name, declarations), cmd_name)
        return super().get_command(ctx, cmd_name)


def _command_of(name: str, declarations: dict[str, Declaration]) -> click.Command:
    """A command with its subcommands."""
    declaration = declarations[name]
    if len(declarations) == 1:
        command: click.Command = command_from(name, declaration)
        return command
    group: click.Group = command_from(name, declaration, Group, invoke_without_command=True)
    for words, subcommand in declarations.items():
        if subcommand is not declaration:
            group.add_command(command_from(words.rpartition(" ")[2], subcommand))
    return group


def commands() -> click.Group:
    """Make the command line."""
    command_line: click.Group = command_from("certus", Declaration(certus), _Commands, context_settings=_HELP)
    command_line.help = _ABOUT
    return command_line


def _call(argv: Sequence[str]) -> object:
    """Call the command, and return its result."""
    command_line = commands()
    if _COMPLETION in os.environ:
        return _complete(command_line)
    try:
        with command_line.make_context("certus", list(argv) or ["--help"]) as context:
            return command_line.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code


def _complete(command_line: click.Group) -> int:
    """Answer the shell that asks for completion."""
    instruction = os.environ[_COMPLETION]
    try:
        status = shell_complete(command_line, {}, "certus", _COMPLETION, instruction)
    except (KeyError, ValueError):
        raise UsageError(
            f"{instruction!r} is for a shell, which sets COMP_WORDS and COMP_CWORD, too", _COMPLETION
        ) from None
    if status:
        shells = "bash_source, zsh_source or fish_source"
        raise UsageError(f"{instruction!r} is not {shells}", _COMPLETION)
    return status


def _print_version(is_set: bool) -> None:
    if is_set:
        from certus.cli._output import version

        sys.stdout.write(f"certus {version()}\n")
        sys.stdout.flush()  # here, where a full disk is told
        raise ExitError


def certus(
    _version: bool = option("-V", "--version", read=_print_version, is_eager=True, help="Print the version."),
) -> None:
    """Add what holds for all commands."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, and give its exit status."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    try:
        load_plugins(_plugins(argv))  # they may declare tasks, whose data are options of commands
        COMMAND.set(shlex.join(["certus", *argv]))
        called = _called_command(argv)
        words = {} if called is None else called.options
        with options_for({**words, **_WORDS}), read_once(), reading():  # texts are for the command line
            status = _call(argv)
    except ExitError as asked:
        return asked.status
    except UsageError as error:
        return _complain(_pointed(str(error), " ".join(["certus", *argv[:1]])), 2)
    except CertusError as error:
        return _complain(str(error), 2 if _is_usage(error, argv) else 3)
    except click.ClickException as error:
        return _complain(_usage(error, argv), 2)
    except UnwrittenError as error:
        return _complain(str(error), error.status)
    except OSError as error:
        return _complain(_system(error), UnwrittenError.status if error.errno in _UNWRITABLE else 3)
    except MemoryError:
        return _complain("not enough memory", 3)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        notes = getattr(error, "__notes__", ())  # says which metric of a plugin failed
        if not notes or os.environ.get("CERTUS_TRACEBACK"):
            raise
        return _complain(f"{notes[0]}: {type(error).__name__}: {error} (set CERTUS_TRACEBACK=1 to see where)", 3)
    return status if isinstance(status, int) else 0


def _is_usage(error: CertusError, argv: Sequence[str]) -> bool:
    """True if the command line is wrong: a name, or the value of an option on it, whatever the files hold."""
    if isinstance(error, MetricNameError | NotGivenError):
        return True
    declaration = _called_command(argv)
    if error.location is not None or error.argument is None or declaration is None:
        return False
    options = {_WORDS.get(error.argument)}
    for parameter in declaration.parameters:
        if parameter.name == error.argument and not parameter.default.facts.get("is_data"):
            options.update(spellings_of(parameter))
    return any(word.partition("=")[0] in options for word in argv)


def _plugins(argv: Sequence[str]) -> Iterator[str]:
    for index, text in enumerate(argv):
        name, equals, value = text.partition("=")
        if name == "--plugin" and (equals or index + 1 < len(argv)):
            yield value if equals else argv[index + 1]


def _usage(error: click.ClickException, argv: Sequence[str]) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")
    if isinstance(error, click.BadParameter | click.BadOptionUsage | click.BadArgumentUsage):
        start, colon, reason = message.partition(": ")  # options stand without quotes, as in all other messages
        message = start.replace("'", "") + colon + reason
    if isinstance(error, click.NoSuchOption):  # whose text depends on the version of click
        from certus.evaluation.infer import KEYWORDS_OF_OTHERS  # here, as few command lines are wrong

        argument = error.option_name.lstrip("-").replace("-", "_")
        near = name_options(
            KEYWORDS_OF_OTHERS.get(argument, ""),
            {"level": "--level", "seed": "--seed", "interval": "--interval", "pos_label": "--positive"},
        ) or suggestion(error.option_name, error.possibilities or ())
        message = "; ".join(filter(None, (f"no such option: {error.option_name}", near)))
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else " ".join(["certus", *argv[:1]])
    return _pointed(f"{message[:1].lower()}{message[1:]}", path)


def _pointed(message: str, path: str) -> str:
    """The message with the command that helps, unless it ends with a question itself."""
    return message if message.endswith("?") else f"{message}; see {path} --help"


def _system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename is not None else ""
    reason = error.strerror or str(error)
    if error.errno == errno.EBADF and error.filename is None:
        reason = "standard output is closed, so that nothing can be written to it"
    return f"{where}{reason[:1].lower()}{reason[1:]}"


def _complain(message: str, status: int) -> int:
    complain(message)
    return status
