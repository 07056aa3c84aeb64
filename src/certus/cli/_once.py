"""Commands that refuse an option of one value that is given twice, where the parser would take the last value."""

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from certus.cli._declare import COMMANDS
from certus.spelling import repeated

if TYPE_CHECKING:
    from typer.core import TyperCommand as _Base
else:
    _Base = object

__all__ = ["Command", "Group"]


def _check(command: Any, context: Any, words: list[str]) -> None:
    """Refuse an option of one value that is given twice; a flag says the same each time."""
    _, _, order = command.make_parser(context).parse_args(args=list(words))
    once = [each for each in order if each.param_type_name == "option" and not each.multiple and not each.is_flag]
    twice = repeated(once)
    if twice is not None:
        raise typer.BadParameter("is given twice; it takes one value", context, param_hint=" / ".join(twice.opts))


def _example(context: Any) -> str | None:
    """The last line of a command's help; None for the command line as a whole."""
    found = COMMANDS.get(context.command_path.partition(" ")[2])
    return None if found is None else f"Example: {found.example}"


class _Once(_Base):
    """Mixin of commands and of groups of commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Check the command line before it is taken apart."""
        _check(self, ctx, args)
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, an example at its end."""
        self.epilog = _example(ctx)
        super().format_help(ctx, formatter)


class Command(_Once, TyperCommand):
    """A command whose options of one value are given once."""


class Group(_Once, TyperGroup):
    """A command with subcommands, whose own options of one value are given once."""
