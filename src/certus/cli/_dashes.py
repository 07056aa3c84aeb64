"""The command whose argument may begin with a dash."""

import re
from typing import Any

from certus.cli._command import Command

__all__ = ["HitsCommand"]

_LIST = re.compile("-[x-]*x[x-]*|---+")
"""A list that looks like an option."""


class HitsCommand(Command):
    """A command whose argument may begin with a dash, as -xx-x does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put hit lists behind a double dash, after which nothing is an option."""
        if "--" not in args:
            lists = [each for each in args if _LIST.fullmatch(each)]
            if lists:
                args = [*(each for each in args if each not in lists), "--", *lists]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed
