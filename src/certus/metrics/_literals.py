"""The grammar of arguments in a metric's name: ``rel=2``, ``gain='exp'``, ``gains={1:3,2:9}``. Nothing is evaluated."""

import math
import re
from collections.abc import Iterator

from certus.errors import MetricNameError
from certus.metrics.check import shown

__all__ = ["literal", "pairs", "root"]

_ARGUMENT = re.compile(
    r"\s*(?:(?P<key>[A-Za-z_]\w*)\s*=\s*)?(?P<value>\{[^{}'\"=]*\}|'[^']*'|\"[^\"]*\"|[^\s,'\"={}]+)\s*(?:,|\Z)"
)
_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WORDS = {"None": None, "True": True, "False": False}


def pairs(text: str, whole: str = "") -> Iterator[tuple[str | None, object]]:
    """The arguments in a text, by name; None for one without a name.

    Raises
    ------
    MetricNameError
        The text has something else in it; `whole` is shown as where.
    """
    position = 0
    while text[position:].strip():
        match = _ARGUMENT.match(text, position)
        if match is None:
            raise no_argument(text[position:].strip(), whole)
        yield match["key"], literal(match["value"])
        position = match.end()


def no_argument(text: object, whole: str) -> MetricNameError:
    """The error of a text that is no argument."""
    return MetricNameError(f"{shown(text)} in {shown(whole)} is not a parameter; write parameter=value")


def literal(text: str) -> object:
    """A value as it is written in a metric's name: a number, a word, a text, weights or gains of grades."""
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "{":
        sides = [[literal(side.strip() or "?") for side in pair.split(":")] for pair in text[1:-1].split(",")]
        # {1:3,2:9} gives grades their gains, {0.5,0.5} columns their weights
        return tuple(pair[0] if len(pair) == 1 else tuple(pair) for pair in sides)
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def root(value: object) -> object:
    """The number of which a name has the square."""
    return math.sqrt(value) if isinstance(value, int | float) and value >= 0 else value
