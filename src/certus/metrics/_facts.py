"""The facts of a metric, and the text and the signature that follow from them."""

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike

from certus.data import Ranking
from certus.metrics.check import REQUIRED, Doc, Parameter
from certus.metrics.spellings import Spelling
from certus.statistic import Statistic

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = [
    "VIEWS",
    "Better",
    "Bounds",
    "Declaration",
    "Fact",
    "Function",
    "Law",
    "canonical",
    "data_of",
    "hints_of",
    "holds",
    "parameters_of",
    "signature_of",
    "views_of",
]

Better = Literal["higher", "lower"] | None
Fact = bool | Callable[[Mapping[str, Any]], bool]
"""True or False, or a function of the parameters that says which."""
Bounds = tuple[float, float] | Callable[[Mapping[str, Any]], tuple[float, float]]
"""Least and greatest value, or a function of the parameters that gives them."""
Function = Callable[..., Statistic | Mapping[Any, Statistic] | ArrayLike]
Law = Callable[..., "Distribution | None"]
"""From a query (or samples) in random order and the parameters to the distribution of the value; None: not known."""


JudgedOnly: TypeAlias = Annotated[
    bool,
    Doc('Take documents without a judgment out of the ranking first, as ``unjudged="remove"`` does for all metrics.'),
]
VIEWS: Mapping[str, tuple[Any, Any]] = {"judged_only": (JudgedOnly, False)}
"""Parameters of every metric of a ranking, which say what it sees of it: their annotations and defaults."""


@dataclass(frozen=True)
class Declaration:
    """The facts of a metric, as the decorator `metric` was told them."""

    function: Function
    takes: tuple[type, ...]
    arguments: tuple[str, ...]
    name: str
    aliases: tuple[str, ...]
    spellings: tuple[Spelling, ...]
    task: str
    better: Better
    bounds: Bounds
    source: str
    at: str
    unit: str
    averages_ties: Fact
    monotone: Fact
    weighted: bool
    parameters: Mapping[str, Parameter]
    views: tuple[str, ...]
    """The parameters that the function does not take: they say what it sees of a ranking."""
    doc: str
    chance: Law | None = None


def data_of(function: Function, hints: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes of prepared data that the function takes: the annotation of its first parameter."""
    first, *_ = inspect.signature(function).parameters
    hint = hints.get(first)
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return tuple(part for part in parts if isinstance(part, type))


def parameters_of(function: Function, hints: Mapping[str, Any], metric_name: str) -> dict[str, Parameter]:
    """Every keyword of the function, with what its annotation says it accepts."""
    found: dict[str, Parameter] = {}
    _, *keywords = inspect.signature(function).parameters.values()
    for keyword in keywords:
        if keyword.kind is not keyword.KEYWORD_ONLY:
            raise TypeError(f"parameter {keyword.name} of metric {metric_name} must be keyword-only; put it behind *")
        default = REQUIRED if keyword.default is keyword.empty else keyword.default
        parameter = Parameter.of(keyword.name, default, hints.get(keyword.name, Any))
        found[keyword.name] = parameter
        if default is not REQUIRED:
            parameter.check(default, metric_name)
    return found


def hints_of(function: Function, *, include_extras: bool = False) -> dict[str, Any]:
    """The annotations of a metric's parameters, those of `VIEWS` among them."""
    views = {name: hint for name, (hint, _) in VIEWS.items()}
    return views | get_type_hints(function, include_extras=include_extras)


def views_of(takes: tuple[type, ...], task: str, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """The annotations of the parameters in `VIEWS` that a metric has beside those of its function."""
    ranks = task == "ranking" or Ranking in takes
    return {name: hint for name, (hint, _) in VIEWS.items() if ranks and name not in parameters}


def canonical(facts: Declaration, values: Mapping[str, Any]) -> str:
    """The text that names the metric with these values: defaults are left out."""
    given = {
        name: _literal(value)
        for name, value in values.items()
        if value is not REQUIRED and value != facts.parameters[name].default
    }
    depth = given.pop(facts.at, "")
    arguments = [f"{name}={text}" for name, text in given.items()]
    if depth and "@" in facts.name:
        arguments.insert(0, depth)
        depth = ""
    return facts.name + (f"({','.join(arguments)})" if arguments else "") + (f"@{depth}" if depth else "")


def _literal(value: object) -> str:
    """A parameter's value as it is written in a metric's name."""
    if isinstance(value, tuple) and value and not isinstance(value[0], tuple):
        return "{" + ",".join(map(_literal, value)) + "}"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{_literal(grade)}:{_literal(gain)}" for grade, gain in value) + "}"
    text = repr(value)
    return text.removesuffix(".0") if isinstance(value, float) else text


def holds(fact: Fact, values: Mapping[str, Any]) -> bool:
    """The fact, for these parameters."""
    return fact if isinstance(fact, bool) else fact(values)


def signature_of(facts: Declaration, values: Mapping[str, Any], conventions: Mapping[str, Any]) -> inspect.Signature:
    """The metric's signature: data, its own parameters, and the conventions of its task with their defaults."""
    hints = hints_of(facts.function)
    nothing = inspect.Parameter.empty
    data = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in facts.arguments]
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=values.get(name, nothing),
            annotation=hints.get(name, nothing),
        )
        for name in facts.parameters
    ]
    # Data that not every convention of the task has a meaning for say which have.
    known = {name for kind in facts.takes for name in getattr(kind, "keywords", ())}
    if data:
        others = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in conventions.items()
            if (facts.weighted or name != "sample_weight") and (not known or name in known)
        ]
        return inspect.Signature([*data, *keywords, *others], return_annotation="Estimate")
    any_data = inspect.Parameter("data", inspect.Parameter.VAR_POSITIONAL)
    any_conventions = inspect.Parameter("conventions", inspect.Parameter.VAR_KEYWORD)
    return inspect.Signature([any_data, *keywords, any_conventions], return_annotation="Estimate")
