"""The facts of a metric, and the text and the signature that follow from them."""

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike

from certus.metrics._check import REQUIRED, Parameter
from certus.statistic import Statistic

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = [
    "Better",
    "Bounds",
    "Declaration",
    "Fact",
    "Function",
    "Law",
    "canonical",
    "data_of",
    "holds",
    "parameters_of",
    "signature_of",
]

Better = Literal["higher", "lower"] | None
Fact = bool | Callable[[Mapping[str, Any]], bool]
"""True or False, or a function of the parameters that says which."""
Bounds = tuple[float, float] | Callable[[Mapping[str, Any]], tuple[float, float]]
"""Least and greatest value, or a function of the parameters that gives them."""
Function = Callable[..., Statistic | Mapping[Any, Statistic] | ArrayLike]
Law = Callable[..., "Distribution | None"]
"""From a query (or samples) in random order and the parameters to the distribution of the value; None: not known."""


@dataclass(frozen=True)
class Declaration:
    """The facts of a metric, as the decorator `metric` was told them."""

    function: Function
    takes: tuple[type, ...]
    arguments: tuple[str, ...]
    name: str
    aliases: tuple[str, ...]
    spellings: tuple[str, ...]
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
    doc: str
    chance: Law | None = None
    spelled: Mapping[str, Any] = field(default_factory=dict)


def data_of(function: Function, hints: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes of prepared data that the function takes: the annotation of its first parameter."""
    first, *_ = inspect.signature(function).parameters
    hint = hints.get(first)
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return tuple(part for part in parts if isinstance(part, type))


def parameters_of(function: Function, hints: Mapping[str, Any], metric_name: str) -> Mapping[str, Parameter]:
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
    return MappingProxyType(found)


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
    hints = get_type_hints(facts.function)
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
