"""Commands that list what is declared in their help, when somebody asks for it."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from certus.cli import _once as once

__all__ = ["Command", "HitsCommand", "filled"]

_COMMON = 3
"""Forms of statistic that a method must have to be named in a help text; docs/intervals.md has all."""


def _intervals() -> list[str]:
    from certus.inference.declare import FORMS

    counts = Counter(name for form in FORMS.values() for name in form.methods)
    return [*(name for name, count in counts.items() if count >= _COMMON), "..."]


def _tests() -> list[str]:
    from certus.inference.tests.declare import declared_tests

    return list(dict.fromkeys(name for tests in declared_tests().values() for name in tests))


def _corrections() -> list[str]:
    from certus.inference.many.adjust import CORRECTIONS

    return list(CORRECTIONS)


def _simultaneous() -> list[str]:
    from certus.inference.many.adjust import CORRECTIONS

    return [each.name for each in CORRECTIONS.values() if each.single_step]


_LISTS: Mapping[str, Callable[[], list[str]]] = {
    "{intervals}": _intervals,
    "{tests}": _tests,
    "{corrections}": _corrections,
    "{simultaneous}": _simultaneous,
}


def filled(text: str) -> str:
    """The help of an option, with the names that its placeholders stand for."""
    for placeholder, names in _LISTS.items():
        if placeholder in text:
            text = text.replace(placeholder, ", ".join(names()))
    return text


class Command(once.Command):
    """A command of one-valued options; ``{tests}`` and the like in its help stand for what is declared."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, its placeholders filled."""
        options: list[Any] = self.params
        for each in options:
            each.help = filled(getattr(each, "help", None) or "")
        super().format_help(ctx, formatter)


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
