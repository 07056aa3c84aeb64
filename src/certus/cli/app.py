"""The commands, and how their errors become one line and an exit status."""

import errno
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

from certus.cli._declare import COMMANDS, Declaration, ExitError, Function, Option, UsageError, options_of, typed
from certus.cli._output import COMMAND, UnwrittenError
from certus.cli._parse import parsed
from certus.cli._plugins import load_plugins
from certus.cli._startup import complain
from certus.errors import CertusError, MetricNameError, NotGivenError, options_for
from certus.io.paths import read_once

if TYPE_CHECKING:
    import typer

__all__ = ["commands", "run"]

_WORDS = {"the interval method": "--interval", "interval": "--interval"}
_KEYWORD = re.compile(r"(?<![\w(])([a-z][a-z_]*)=(True\b|'[^']*'|[\w.@-]+)?")
"""A keyword with its value, but not among the parameters of a metric, as in ``F1(average='macro')``."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_ABOUT = """Evaluate and compare rankings and classifiers, and say how sure each number is.

\b
First commands, as for two runs and their judgments:
Values with intervals:  certus evaluate qrels.txt bm25.run dense.run
Which one is better:    certus compare qrels.txt bm25.run dense.run -m AP
Luck, for comparison:   certus chance ap --items 100 --relevant 5

\b
Exit status: 0 done, 1 compare --fail-if-worse or selfcheck fails,
2 wrong usage, 3 bad data, 70 an internal error,
74 a file that cannot be written.
"""


def _declared(name: str) -> dict[str, Declaration]:
    """The commands of the module of that name: one; of a folder, its command and subcommands; otherwise none."""
    module = f"certus.cli.{name.replace('-', '_')}"
    if name.startswith("_") or not name.replace("-", "_").isidentifier():
        return {}
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return {}
    for each in _modules(found):
        import_module(f"{module}.{each}")
    return {words: each for words, each in COMMANDS.items() if words.partition(" ")[0] == name}


def _modules(package: ModuleType) -> Iterator[str]:
    """The modules of a package that are not private."""
    if hasattr(package, "__path__"):
        from pkgutil import iter_modules

        yield from (each.name for each in iter_modules(package.__path__) if not each.name.startswith("_"))


def _whole(command: Declaration) -> Function:
    """The function of a command with the options of tasks."""
    if command.columns is None:
        return command.function
    from certus.cli._options import with_columns

    return with_columns(command.function, paired=command.columns == "paired")


def commands(called: str = "") -> "typer.Typer":
    """The command line with the command that is called; with all of them where there is none of that name."""
    import typer

    from certus.cli._command import Command, HitsCommand
    from certus.cli._once import Group

    app = typer.Typer(no_args_is_help=False, context_settings=_HELP)
    app.callback(help=_ABOUT)(typed(certus))
    known = {called: _declared(called)}
    if not known[called]:
        every = _modules(sys.modules["certus.cli"])
        known = {name: _declared(name) for name in (each.replace("_", "-") for each in every)}
    for name, found in known.items():
        to = app
        if len(found) > 1:
            to = typer.Typer(cls=Group, add_completion=False, no_args_is_help=False)
            to.callback(invoke_without_command=True)(typed(_whole(found.pop(name))))
            app.add_typer(to, name=name)
        for words, each in found.items():
            kind = HitsCommand if each.dashes else Command
            to.command(name=words.rpartition(" ")[2], cls=kind)(typed(_whole(each)))
    return app


def _called(given: Sequence[str]) -> object:
    """Call the command, without Typer where the command line is plain, and return its result."""
    name = given[0] if given else ""
    if list(given) == ["--version"]:
        _print_version(True)
    if "_CERTUS_COMPLETE" not in os.environ and len(found := _declared(name)) == 1:
        function = found[name].function
        values = parsed(function, given[1:])
        if values is None and found[name].columns is not None:
            function = _whole(found[name])
            values = parsed(function, given[1:])
        if values is not None:
            return function(**values)
    import typer

    whole: Callable[..., object] = typer.main.get_command(commands(name))
    return whole(given or ["--help"], prog_name="certus", standalone_mode=False)


def _print_version(asked: bool) -> None:
    if asked:
        from certus.cli._output import version

        sys.stdout.write(f"certus {version()}\n")
        sys.stdout.flush()  # here, where a full disk is told
        raise ExitError


def certus(
    _version: Annotated[
        bool, Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Add what holds for all commands."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, and give its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        load_plugins(_plugins(given))  # they may declare tasks, whose data are options of commands
        COMMAND.set(shlex.join(["certus", *given]))
        with options_for(_WORDS), read_once():  # texts are for the command line
            status = _called(given)
    except ExitError as asked:
        return asked.status
    except UsageError as error:
        return _complain(_pointed(str(error), " ".join(["certus", *given[:1]])), 2)
    except CertusError as error:
        status = 2 if isinstance(error, MetricNameError | NotGivenError) else 3
        return _complain(_with_options(str(error), given), status)
    except _usage_errors() as error:
        return _complain(_usage(error), 2)
    except UnwrittenError as error:
        return _complain(str(error), error.status)
    except OSError as error:
        return _complain(_system(error), UnwrittenError.status if error.errno in _FULL else 3)
    except MemoryError:
        return _complain("not enough memory", 3)
    except SystemExit as error:  # so ends completion; that of somebody's metric is an error
        if "_CERTUS_COMPLETE" not in os.environ and not set(given) & {"--show-completion", "--install-completion"}:
            raise
        return int(error.code or 0)
    except _aborts():
        return 130
    except Exception as error:
        notes = getattr(error, "__notes__", ())  # says which metric of a plugin failed
        if not notes or os.environ.get("CERTUS_TRACEBACK"):
            raise
        return _complain(f"{notes[0]}: {type(error).__name__}: {error} (set CERTUS_TRACEBACK=1 to see where)", 3)
    return status if isinstance(status, int) else 0


def _usage_errors() -> tuple[type[Exception], ...]:
    """The base of all that Typer finds wrong with a command line, in whichever package its version has it."""
    typer: Any = sys.modules.get("typer")
    return () if typer is None else (typer.BadParameter.__bases__[0],)


def _aborts() -> tuple[type[BaseException], ...]:
    typer: Any = sys.modules.get("typer")
    return (KeyboardInterrupt,) if typer is None else (KeyboardInterrupt, typer.Abort)


def _plugins(given: Sequence[str]) -> Iterator[str]:
    for place, text in enumerate(given):
        name, equals, value = text.partition("=")
        if name == "--plugin" and (equals or place + 1 < len(given)):
            yield value if equals else given[place + 1]


def _usage(error: Exception) -> str:
    message = " ".join(getattr(error, "format_message", error.__str__)().split())
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "certus"
    return _pointed(f"{message[:1].lower()}{message[1:].rstrip('.')}", path)


def _pointed(message: str, path: str) -> str:
    """The message as one sentence, with the command that helps unless the message ends with a question itself."""
    said = re.sub(r"\.? Did you mean", "; did you mean", message)
    return said if said.endswith("?") else f"{said}; see {path} --help"


def _system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename is not None else ""
    reason = error.strerror or str(error)
    return f"{where}{reason[:1].lower()}{reason[1:]}"


def _with_options(text: str, given: Sequence[str]) -> str:
    """The text, with the options of the command in place of keywords of Python (``correction='holm'``)."""
    declarations = _declared(given[0]) if given else {}
    options = {name: option for each in declarations.values() for name, option in options_of(each.function).items()}

    def option(keyword: re.Match[str]) -> str:
        name, value = options.get(keyword[1]), keyword[2]
        if name is None:
            return keyword[0]
        return name if value in (None, "True") else " ".join((name, value.strip("'")))

    return _KEYWORD.sub(option, text)


def _complain(message: str, status: int) -> int:
    complain(message)
    return status
