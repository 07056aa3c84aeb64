"""Names of a metric in other tools: declared beside it, with the parameters that they mean and where they differ."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from certus.core.errors import MetricNameError
from certus.metrics.check import Parameter, short_repr

_ARGUMENT = re.compile(
    r"\s*(?:(?P<key>[A-Za-z_]\w*)\s*=\s*)?(?P<value>\{[^{}'\"=]*\}|'[^']*'|\"[^\"]*\"|[^\s,'\"={}]+)\s*(?:,|\Z)"
)
_INTEGER = re.compile(r"[+-]?[0-9]{1,20}")
_LITERAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WORDS = {"None": None, "True": True, "False": False}


def pairs(text: str, full_text: str = "") -> Iterator[tuple[str | None, object]]:
    """The arguments in a text, by name; None for one without a name."""
    position = 0
    while text[position:].strip():
        match = _ARGUMENT.match(text, position)
        if match is None:
            raise no_argument(text[position:].strip(), full_text)
        yield match["key"], literal(match["value"])
        position = match.end()


def no_argument(text: object, full_text: str) -> MetricNameError:
    """The error of a text that is not an argument."""
    return MetricNameError(f"{short_repr(text)} in {short_repr(full_text)} is not a parameter", "write parameter=value")


def literal(text: str) -> object:
    """A value as it is written in a metric's name: a number, a word, a text, weights or gains of grades."""
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "{":
        entries = [[literal(side.strip() or "?") for side in pair.split(":")] for pair in text[1:-1].split(",")]
        # {1:3,2:9} gives grades their gains, {0.5,0.5} columns their weights
        return tuple(pair[0] if len(pair) == 1 else tuple(pair) for pair in entries)
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _LITERAL.fullmatch(text) else text


def root(value: object) -> object:
    """The number of which a name has the square."""
    return math.sqrt(value) if isinstance(value, int | float) and value >= 0 else value


_HOLE = re.compile(r"\{(\.?)(\w+)(\^2)?\}")
_NUMBER = r"-?[0-9]{1,20}(?:[.][0-9]{1,20})?"
_DECIMALS = r"[.][0-9]{1,20}"
_ARGUMENTS = re.compile(r"\((.*)\)\Z")

NEGATED = "scikit-learn's scorer turns the sign, so that higher is better; here lower values are better"
"""The note of a scorer ``neg_...``."""


@dataclass(frozen=True)
class Spelling:
    """A name of a metric.

    Attributes
    ----------
    text
        ``{cutoff}`` in it stands for the parameter's number or word, ``{beta^2}`` for the square of a number and
        ``{.p}`` for decimals behind their point. Arguments may follow: ``"SetP(relative=True)"``.
    tool
        Whose name it is; empty for a name of no one tool.
    chosen
        The parameters that the name means, where they are not the defaults here.
    note
        What a reader of the tool's numbers should know.
    differs
        The tool's numbers are others; the note says why.
    """

    text: str
    tool: str = ""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    differs: bool = False

    def __str__(self) -> str:
        """The text with an example for decimals: ``rbp.95``."""
        return _HOLE.sub(lambda match: ".95" if match[1] else match[0], self.text)

    @property
    def name(self) -> str:
        """The text without its arguments."""
        return _ARGUMENTS.sub("", self.text)

    @property
    def holes(self) -> tuple[str, ...]:
        """The parameters whose values stand in the name."""
        return tuple(key for _, key, _ in _HOLE.findall(self.name))

    @property
    def arguments(self) -> Mapping[str, object]:
        """The arguments that belong to the name; the text of a placeholder where any value does."""
        match = _ARGUMENTS.search(self.text)
        return {key or "": value for key, value in pairs(match[1])} if match else {}

    def form(self, parameters: Mapping[str, Parameter]) -> "Form":
        """The names that the text stands for, as a pattern."""

        texts = {key: [choice for choice in parameters[key].choices if isinstance(choice, str)] for key in self.holes}
        words = {key: {choice.lower(): choice for choice in choices} for key, choices in texts.items() if choices}

        def hole(match: re.Match[str]) -> str:
            point, key, _ = match.groups()
            either = "|".join(map(re.escape, words.get(key, ())))
            return f"(?P<{key}>{either or (_DECIMALS if point else _NUMBER)})"

        parts = _HOLE.split(self.name)[::4]
        holes = [hole(match) for match in _HOLE.finditer(self.name)]
        fixed = [re.escape(part) for part in parts]
        if holes and fixed[0].endswith("_"):
            fixed[0] = f"{fixed[0][:-1]}[_.]"  # trec_eval asks for P.5 and prints P_5
        text = "".join(part + hole for part, hole in zip(fixed, [*holes, ""], strict=True))
        squares = frozenset(key for _, key, square in _HOLE.findall(self.name) if square)
        return Form(text, squares, words)


class Form(NamedTuple):
    """Pattern of the names that a spelling stands for, which numbers in them are squares, and which words they hold."""

    pattern: str
    squares: frozenset[str]
    words: Mapping[str, Mapping[str, str]]

    def values(self, text: str, *, cased: bool) -> dict[str, object] | None:
        """The parameters that a name holds; None where it is another name, its case minded or not."""
        match = _compiled(self.pattern, cased=cased).fullmatch(text)
        if match is None:
            return None
        values_by_name = {
            key: self.words[key][value.lower()] if key in self.words else literal(value)
            for key, value in match.groupdict().items()
        }
        return {key: root(value) if key in self.squares else value for key, value in values_by_name.items()}


@cache
def _compiled(pattern: str, *, cased: bool) -> re.Pattern[str]:
    """The pattern of names, compiled when a name is first looked for that is none in full: there are hundreds."""
    return re.compile(pattern, re.NOFLAG if cased else re.IGNORECASE)


@dataclass(frozen=True)
class Tool:
    """A tool, which is called to declare its names: ``*RANX("ndcg_burges", gain="exp")``."""

    name: str

    def __call__(self, *texts: str, note: str = "", differs: bool = False, **chosen: Any) -> tuple[Spelling, ...]:
        """The names given as spellings of the tool, with the same choices and note."""
        notes = (note or NEGATED * text.startswith("neg_") for text in texts)
        spellings = zip(texts, notes, strict=True)
        return tuple(Spelling(text, self.name, MappingProxyType(chosen), words, differs) for text, words in spellings)


TREC_EVAL = Tool("trec_eval, pytrec_eval")
"""Version 9."""
TREC_EVAL_10 = Tool("trec_eval 10")
IR_MEASURES = Tool("ir_measures")
RANX = Tool("ranx")
MTEB = Tool("MTEB")
SCIKIT_LEARN = Tool("scikit-learn")
"""Functions of ``sklearn.metrics`` and names of scorers."""
