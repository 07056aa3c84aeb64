"""Commands that refuse an option given twice, and list what is declared in their help when somebody asks for it."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import typer
from typer.core import TyperCommand

__all__ = ["Command", "filled"]

_COMMON = 3
"""Forms of statistic that a method must have to be named in a help text; docs/intervals.md has all."""


def _intervals() -> list[str]:
    from certus.inference.forms import FORMS

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


class Command(TyperCommand):
    """A command that refuses an option given twice; ``{tests}`` and the like in its help stand for what is declared."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; of an option that takes one value, no second one replaces the first in silence."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        options: Counter[Any] = Counter(given)
        for each, count in options.items():
            if count > 1 and each.param_type_name == "option" and not (each.multiple or each.is_flag):
                raise typer.BadParameter(
                    f"is given {count} times; give it once", ctx, param_hint=max(each.opts, key=len)
                )
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, its placeholders filled."""
        options: list[Any] = self.params
        for each in options:
            each.help = filled(getattr(each, "help", None) or "")
        super().format_help(ctx, formatter)
