"""Values that a metric's parameters accept, read from their annotations.

A parameter says its range where it is declared (``cutoff: Cutoff = None``), so a wrong value is refused when a metric
is named, before any file is read, and the generated documentation states the same range.
"""

import math
import operator
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from certus.core.errors import MetricNameError
from certus.core.spelling import suggestion

REQUIRED = object()
"""The default of a parameter that has none."""


@dataclass(frozen=True)
class Range:
    """The closed range of a number; `greater_than` and `less_than` instead exclude their end.

    `limit` is the greatest number that can be computed with, which is checked but is no part of the definition.

    Examples
    --------
    >>> 1 in Range(0, 1), 1 in Range(0, less_than=1)
    (True, False)
    """

    low: float = -math.inf
    high: float = math.inf
    greater_than: float = -math.inf
    less_than: float = math.inf
    limit: float = math.inf

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= min(self.high, self.limit) and self.greater_than < value < self.less_than

    def __str__(self) -> str:
        if self.low > -math.inf and self.high < math.inf:
            return f"from {self.low:g} to {self.high:g}"
        bounds = {
            "of at least": self.low,
            "above": self.greater_than,
            "of at most": self.high,
            "below": self.less_than,
        }
        return " and ".join(f"{words} {end:g}" for words, end in bounds.items() if math.isfinite(end))


@dataclass(frozen=True)
class Doc:
    """Paragraph for the docstrings of metrics that belongs to the type of a parameter or a result, and is written once.

    Attributes
    ----------
    text
        A paragraph; ``{bounds}`` stands for the metric's range.
    raises
        When a `DataError` is raised for this parameter; empty for never.
    forms
        The forms of a result, where its type does not list them.
    """

    text: str = ""
    raises: str = ""
    forms: tuple[str, ...] = ()


# Ranks and grades are 32-bit in the kernels.
Cutoff: TypeAlias = Annotated[int | None, Range(1, limit=2**32 - 1), Doc("Look at the first `cutoff` documents only.")]
"""A depth of the list: how many documents from the top are looked at; None for all."""
Grade: TypeAlias = Annotated[int, Range(0, limit=2**31 - 1), Doc("Least relevant grade.")]
"""A grade of relevance."""
Gaining: TypeAlias = Annotated[
    int, Range(1, limit=2**31 - 1), Doc("Least grade that gains; a document of a lower one counts as grade 0.")
]
"""The least grade that counts in a metric of grades."""
Share: TypeAlias = Annotated[float, Range(0, 1)]
"""A part of a whole."""
Inside: TypeAlias = Annotated[float, Range(greater_than=0, less_than=1)]
"""A probability that is neither 0 nor 1."""
Floor: TypeAlias = Annotated[float, Range(greater_than=0, less_than=1)]
"""The least value that enters a geometric mean."""
Weight: TypeAlias = Annotated[float, Range(greater_than=0, limit=1e6)]
"""A relative weight."""
Beta: TypeAlias = Annotated[Weight, Doc("How many times as important recall is as precision.")]
"""The weight of recall."""
TopGrade: TypeAlias = Annotated[
    int,
    Range(1, limit=1000),
    Doc(
        "The highest grade of the scale, 4 as in TREC's web track and gdeval. With binary judgments say "
        "``max_grade=1``; a relevant document then satisfies with probability 1/2.",
        raises="If a judged grade exceeds `max_grade`.",
    ),
]
"""The highest grade of a scale."""
Rounding: TypeAlias = Annotated[
    Literal["trec9", "trec10", "exact"],
    Doc(
        'How a recall level r becomes a number of the R relevant documents. ``"exact"``: the fewest whose share is at '
        'least r, as the formula says. ``"trec9"``: ``r R + 0.9`` without its fraction, as trec_eval 9, pytrec_eval '
        "and ir_measures do, so that 2 of 3 documents reach recall 0.7; trec_eval's name of the metric means this one. "
        '``"trec10"``: ``r R`` rounded, as trec_eval 10 does.'
    ),
]
"""Rounding of a level of recall to a number of documents."""
Gains: TypeAlias = tuple[tuple[int, float], ...]
"""Gains of single grades, given as a dict."""
Weights: TypeAlias = tuple[float, ...]
"""A weight for each of several columns, in order."""


def union_members(hint: Any) -> list[Any]:
    """The types of a union, or the only type."""
    if get_origin(hint) is Annotated:
        return union_members(get_args(hint)[0])
    return list(get_args(hint)) if get_origin(hint) in (Union, UnionType) else [hint]


@dataclass(frozen=True)
class Parameter:
    """One keyword of a metric: its name, its default and what it accepts."""

    name: str
    default: object
    types: tuple[object, ...] = ()
    """The types allowed; empty for any literal."""
    choices: tuple[object, ...] = ()
    """The values allowed beside those of `types`."""
    range: Range = Range()

    @classmethod
    def from_annotation(cls, name: str, default: object, annotation: object) -> "Parameter":
        """The parameter that an annotation describes: int, float, str, bool, None, a Literal, or a union of them."""
        bounds = Range(1, limit=2**32 - 1) if name == "cutoff" else Range()
        allowed: list[object] = []
        choices: list[object] = []
        parts = [annotation]
        for part in parts:
            if get_origin(part) is Annotated:
                inner, *extras = get_args(part)
                bounds = next((extra for extra in extras if isinstance(extra, Range)), bounds)
                parts.append(inner)
            elif get_origin(part) in (Union, UnionType):
                parts.extend(get_args(part))
            elif get_origin(part) is Literal:
                choices.extend(get_args(part))
            elif part in (None, NoneType):
                choices.append(None)
            elif part in _WORDS:
                allowed.append(part)
            elif part not in (Any, object):
                raise TypeError(
                    f"parameter {name} is annotated {part!r}; "
                    "use int, float, str, bool, None, Literal or a union of them"
                )
        return cls(name, default, tuple(allowed), tuple(choices), bounds)

    @property
    def required(self) -> bool:
        """True if the parameter has no default."""
        return self.default is REQUIRED

    @property
    def accepts(self) -> str:
        """The values allowed, in words."""
        if not (self.types or self.choices):
            return "a number, a text, True, False or None"
        texts = [_WORDS[kind] for kind in self.types]
        if texts and str(self.range):
            texts[-1] += f" {self.range}"
        texts += [repr(choice) for choice in self.choices]
        return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"

    def check(self, value: object, metric: str) -> object:
        """The value as a plain Python literal; refused with the values allowed where it is none of them."""
        for choice in self.choices:
            if type(value) is type(choice) and value == choice:
                return choice
        allowed_types = self.types or (() if self.choices else (bool, str, int, float, NoneType))
        for kind in allowed_types:
            with suppress(TypeError, ValueError, OverflowError):
                literal = _as_literal(value, kind)
                if kind not in (int, float) or literal in self.range:
                    return literal
        remedy = f"it must be {self.accepts}"
        near = suggestion(value, [choice for choice in self.choices if isinstance(choice, str)])
        if isinstance(value, int | float) and math.inf > value > self.range.limit:
            remedy += f", and {self.range.limit:.10g} at most"
        remedy = f"{remedy}; {near}" if near else remedy
        raise MetricNameError(f"is {short_repr(value)}", remedy, argument=self.name, subject=f"{self.name} of {metric}")


_WORDS: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text without quotes and backslashes",
    bool: "True or False",
    Weights: "a weight of at least 0 for each column, such as [0.25, 0.75]",
    Gains: "a gain of at least 0 for each of some grades, such as {1: 3, 2: 9}",
}


def _as_literal(value: Any, kind: object) -> Any:
    """The value as that kind of literal; an error where it is not one."""
    if isinstance(value, bool) != (kind is bool):
        raise TypeError
    if kind is int:
        return operator.index(value)
    if kind is float:
        return _finite(value)
    if kind == Gains:
        return _gains(value)
    if kind == Weights:
        return _weights(value)
    if kind is str and isinstance(value, str) and value.isprintable() and not set(value) & set("'\"\\"):
        return str(value)
    if kind is bool or (kind is NoneType and value is None):
        return value
    raise TypeError


def _finite(value: Any) -> float:
    number = float(value) + 0.0 if isinstance(value, Real) else math.nan
    if not math.isfinite(number):
        raise ValueError
    return number


def _gains(value: Any) -> Gains:
    gains: dict[int, float] = {}
    for pair in value.items() if isinstance(value, Mapping) else value:
        grade, gain = pair if isinstance(pair, tuple) else (None, None)
        grade, gain = _as_literal(grade, int), _as_literal(gain, float)
        if gain < 0 or not 0 <= grade < 2**31 or grade in gains:
            raise ValueError
        gains[grade] = gain
    return tuple(sorted(gains.items()))


def _weights(value: Any) -> Weights:
    weights = () if isinstance(value, str | bytes | Mapping) else tuple(_as_literal(weight, float) for weight in value)
    if not any(weights) or min(weights) < 0:
        raise ValueError
    return weights


def short_repr(value: object) -> str:
    """The value as an error message shows it: escaped, and not longer than 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def comma_list(names: Sequence[str]) -> str:
    """The names as a sentence lists them: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
