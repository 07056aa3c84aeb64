"""How other tools spell a metric: declared beside it, with the tool, its parameters there and where it differs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from certus.metrics._check import Parameter
from certus.metrics._literals import literal, pairs, root

__all__ = [
    "IR_MEASURES",
    "MTEB",
    "NEGATED",
    "RANX",
    "SCIKIT_LEARN",
    "TREC_EVAL",
    "TREC_EVAL_10",
    "Form",
    "Spelling",
    "Tool",
]

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
        Where the tool's numbers differ from those here, and why.
    """

    text: str
    tool: str = ""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

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
        found = _ARGUMENTS.search(self.text)
        return {key or "": value for key, value in pairs(found[1])} if found else {}

    def form(self, parameters: Mapping[str, Parameter]) -> "Form":
        """The names that the text stands for, as a pattern."""

        def hole(match: re.Match[str]) -> str:
            point, key, _ = match.groups()
            words = [re.escape(each) for each in parameters[key].choices if isinstance(each, str)]
            return f"(?P<{key}>{'|'.join(words) if words else _DECIMALS if point else _NUMBER})"

        parts = _HOLE.split(self.name)[::4]
        holes = [hole(match) for match in _HOLE.finditer(self.name)]
        texts = [re.escape(part) for part in parts]
        if holes and texts[0].endswith("_"):
            texts[0] = f"{texts[0][:-1]}[_.]"  # trec_eval asks for P.5 and prints P_5
        text = "".join(part + hole for part, hole in zip(texts, [*holes, ""], strict=True))
        return Form(re.compile(text), frozenset(key for _, key, how in _HOLE.findall(self.name) if how))


class Form(NamedTuple):
    """Pattern of the names that a spelling stands for, and which of the numbers in them are squares."""

    pattern: re.Pattern[str]
    squares: frozenset[str]

    def values(self, text: str, flags: re.RegexFlag = re.NOFLAG) -> dict[str, object] | None:
        """The parameters that a name holds; None where it is another name."""
        match = re.fullmatch(self.pattern.pattern, text, flags)
        if match is None:
            return None
        found = {key: literal(value) for key, value in match.groupdict().items()}
        return {key: root(value) if key in self.squares else value for key, value in found.items()}


@dataclass(frozen=True)
class Tool:
    """A tool, which is called to declare its names: ``*RANX("ndcg_burges", gain="exp")``."""

    name: str

    def __call__(self, *texts: str, note: str = "", **chosen: Any) -> tuple[Spelling, ...]:
        return tuple(Spelling(text, self.name, MappingProxyType(chosen), note) for text in texts)


TREC_EVAL = Tool("trec_eval")
"""Version 9, and pytrec_eval, which has its names."""
TREC_EVAL_10 = Tool("trec_eval 10")
IR_MEASURES = Tool("ir_measures")
RANX = Tool("ranx")
MTEB = Tool("MTEB")
SCIKIT_LEARN = Tool("scikit-learn")
"""Functions of ``sklearn.metrics`` and names of scorers."""
