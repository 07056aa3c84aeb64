"""Command lines taken apart without Typer where they are plain; all others, Typer takes apart and explains."""

import inspect
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from certus.cli._declare import Argument, Declared, Option

__all__ = ["parsed"]

_PATHS_AND_CHOICES = (Path, StrEnum)


class _Parameter(NamedTuple):
    name: str
    info: Declared
    kind: Any
    """The type of one value."""
    several: bool
    default: Any

    def convert(self, text: str) -> Any:
        """The value that a text stands for; a ValueError where it stands for none."""
        value = self.kind(text)
        least, most = self.info.facts.get("min"), self.info.facts.get("max")
        if (least is not None and not value >= least) or (most is not None and not value <= most):
            raise ValueError
        return value

    @property
    def options(self) -> tuple[str, ...]:
        """The words that give it."""
        return self.info.names or (f"--{self.name.replace('_', '-')}",)

    @property
    def callback(self) -> Callable[..., object] | None:
        """The function that is told the value, and gives it back."""
        found: Callable[..., object] | None = self.info.facts.get("callback")
        return found


def parsed(command: Callable[..., object], words: Sequence[str]) -> dict[str, Any] | None:
    """The values of the command's parameters; None where the words are not plain, wrong ones among them.

    Plain are options by their full names, each with its value in the next word or after ``=``, and other words that
    begin with no dash.
    """
    parameters = [_parameter(each) for each in inspect.signature(command, eval_str=True).parameters.values()]
    if None in parameters:
        return None
    known = [each for each in parameters if each is not None and each.kind is not None]
    options = {name: each for each in known if isinstance(each.info, Option) for name in each.options}
    found: dict[str, list[Any]] = {}
    rest: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word == "-" or not word.startswith("-"):
            rest.append(word)
            continue
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = options.get(name)
        if option is None or (option.kind is bool and equals):
            return None
        if option.kind is bool:
            found[option.name] = [True]
            continue
        if not equals:
            value = next(waiting, "-?")
            if value.startswith("-") and value != "-":
                return None
        if option.name in found and not option.several:
            return None
        try:
            found.setdefault(option.name, []).append(option.convert(value))
        except ValueError:
            return None
    for each in (each for each in known if isinstance(each.info, Argument)):
        taken, rest = (rest, []) if each.several else (rest[:1], rest[1:])
        try:
            values = [each.convert(word) for word in taken]
        except ValueError:
            return None
        if values:
            found[each.name] = values
    if rest or any(each.default is inspect.Parameter.empty and each.name not in found for each in known):
        return None
    given = {}
    for each in known:
        values = found.get(each.name, [])
        given[each.name] = each.default if not values else values if each.several else values[0]
        if each.callback is not None:
            given[each.name] = each.callback(given[each.name])
    return given


def _parameter(parameter: inspect.Parameter) -> _Parameter | None:
    """The declaration of a parameter, without a kind where it takes what is left; None where it is of no known kind."""
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        return _Parameter(parameter.name, Declared(), None, False, None)
    if get_origin(parameter.annotation) is not Annotated:
        return None
    annotated, info = get_args(parameter.annotation)
    kinds = [each for each in get_args(annotated) if each is not NoneType] if _is_union(annotated) else [annotated]
    several = get_origin(kinds[0]) is list
    kind = get_args(kinds[0])[0] if several else kinds[0]
    plain = isinstance(kind, type) and (kind in (str, int, float, bool) or issubclass(kind, _PATHS_AND_CHOICES))
    if len(kinds) != 1 or not plain or not isinstance(info, Declared):
        return None
    return _Parameter(parameter.name, info, kind, several, parameter.default)


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType)
