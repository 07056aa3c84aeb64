"""The facts of a metric, and the text and the signature that follow from them."""

import inspect
import re
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike

from certus.data import Ranking
from certus.metrics.check import REQUIRED, Doc, Parameter
from certus.metrics.spellings import Spelling
from certus.metrics.state_kinds import Kind
from certus.statistic import Statistic

if TYPE_CHECKING:
    from certus.chance import Distribution


Better = Literal["higher", "lower"] | None
Fact = bool | Callable[[Mapping[str, Any]], bool]
"""True or False, or a function of the parameters that says which."""
Bounds = tuple[float, float] | Callable[[Mapping[str, Any]], tuple[float, float]]
"""Least and greatest value, or a function of the parameters that gives them."""
Function = Callable[..., Statistic | Mapping[Any, Statistic] | ArrayLike]
OfParts = Callable[..., Sequence[Statistic] | None]
"""From many parts of the data and the parameters to the statistic of each; None where the metric has no such way."""
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
    words: tuple[str, ...]
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
    parts: OfParts | None = None
    state: Kind | None = None


def data_of(signature: inspect.Signature, hints: Mapping[str, Any]) -> tuple[type, ...]:
    """The classes of prepared data that the function takes: the annotation of its first parameter."""
    first, *_ = signature.parameters
    hint = hints.get(first)
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return tuple(part for part in parts if isinstance(part, type))


def parameters_of(signature: inspect.Signature, hints: Mapping[str, Any], metric_name: str) -> dict[str, Parameter]:
    """Every keyword of the function, with what its annotation says it accepts."""
    parameters: dict[str, Parameter] = {}
    _, *keywords = signature.parameters.values()
    for keyword in keywords:
        if keyword.kind is not keyword.KEYWORD_ONLY:
            raise TypeError(f"parameter {keyword.name} of metric {metric_name} must be keyword-only; put it behind *")
        default = REQUIRED if keyword.default is keyword.empty else keyword.default
        parameter = Parameter.from_annotation(keyword.name, default, hints.get(keyword.name, Any))
        parameters[keyword.name] = parameter
        if default is not REQUIRED:
            parameter.check(default, metric_name)
    return parameters


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
    texts = {
        name: _literal(value)
        for name, value in values.items()
        if value is not REQUIRED and value != facts.parameters[name].default
    }
    depth = texts.pop(facts.at, "")
    arguments = [f"{name}={text}" for name, text in texts.items()]
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
    keyword_names = {name for kind in facts.takes for name in getattr(kind, "keywords", ())}
    if data:
        task_parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in conventions.items()
            if (facts.weighted or name != "sample_weight") and (not keyword_names or name in keyword_names)
        ]
        return inspect.Signature([*data, *keywords, *task_parameters], return_annotation="Estimate")
    any_data = inspect.Parameter("data", inspect.Parameter.VAR_POSITIONAL)
    any_conventions = inspect.Parameter("conventions", inspect.Parameter.VAR_KEYWORD)
    return inspect.Signature([any_data, *keywords, any_conventions], return_annotation="Estimate")


_SECTION = re.compile(r"\n\n(?=[A-Z]\w*\n-{3,}\n)")
_ENTRY = re.compile(r"^(\w[\w, ]*)\n((?:[ ]+.*(?:\n|$)|\n)+)", re.MULTILINE)
_ORDER = ("Parameters", "Returns", "Raises")
_WIDTH = 116
"""Columns of a docstring's text, at the indentation of a function's."""


def docstring(text: str, hints: Mapping[str, Any], parameters: Iterable[Parameter], bounds: object) -> str:
    """A function's own docstring, with what it leaves to the types of its parameters and of its result.

    A parameter that the docstring does not describe has the paragraph of its type (`Doc`), and so has the result; what
    the types say is raised is added to what the docstring says.

    Examples
    --------
    >>> from certus.metrics.check import Cutoff
    >>> cutoff = Parameter.from_annotation("cutoff", None, Cutoff)
    >>> docstring("Share of hits.", {"cutoff": Cutoff}, [cutoff], (0, 1)).splitlines()[-2:]
    ['cutoff', '    Look at the first `cutoff` documents only.']
    """
    if not text:
        return ""
    prose, *section_texts = _SECTION.split(text)
    sections = {title: body for title, _, body in (section.split("\n", 2) for section in section_texts)}
    docs = [(name, doc) for name, hint in hints.items() for doc in _docs(hint)]
    entries = _entries(sections.get("Parameters", ""), parameters, dict(docs))
    result = [_result(hint, doc, bounds) for name, hint in hints.items() if name == "return" for doc in _docs(hint)]
    raised = dict.fromkeys(
        [raises for raises in [sections.get("Raises", ""), *_raised(doc for _, doc in docs)] if raises]
    )
    contents = {"Parameters": "\n".join(entries), "Returns": sections.get("Returns") or "".join(result)}
    contents["Raises"] = "\n".join(raised)
    ordered = [(title, contents[title]) for title in _ORDER if contents[title]]
    ordered += [(title, body) for title, body in sections.items() if title not in _ORDER]
    return "\n\n".join([prose, *(f"{title}\n{'-' * len(title)}\n{body}" for title, body in ordered)])


def _entries(section: str, parameters: Iterable[Parameter], docs: Mapping[str, Doc]) -> Iterator[str]:
    """A parameter each, or several that are described together, in the order of the signature."""
    texts = {names: text.rstrip("\n") for names, text in _ENTRY.findall(section)}
    names_of = {name.strip(): names for names in texts for name in names.split(",")}
    written: set[str] = set()
    for parameter in parameters:
        names = names_of.get(parameter.name)
        if names is not None and names not in written:
            written.add(names)
            yield f"{names}\n{texts[names]}"
        elif names is None and parameter.name in docs:
            yield f"{parameter.name}\n{_wrapped(docs[parameter.name].text)}"


def _raised(docs: Iterable[Doc]) -> Iterator[str]:
    for doc in docs:
        if doc.raises:
            yield f"DataError\n{_wrapped(doc.raises)}"


def _result(hint: Any, doc: Doc, bounds: object) -> str:
    """The forms of a result and its text, with the metric's bounds where it asks for them."""
    low, high = (f"{bound:g}".replace("inf", "∞") for bound in bounds) if isinstance(bounds, tuple) else ("", "")
    interval = f"[{low}, {high}{')' if high == '∞' else ']'}"
    names = doc.forms or [form.__name__ for form in _parts(hint)]
    forms = names if isinstance(names, str) else " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{forms}\n{_wrapped(doc.text.replace('{bounds}', interval))}"


def _docs(hint: Any) -> list[Doc]:
    return (
        [extra for extra in get_args(hint)[1:] if isinstance(extra, Doc)][-1:] if get_origin(hint) is Annotated else []
    )


def _parts(hint: Any) -> list[Any]:
    if get_origin(hint) is Annotated:
        return _parts(get_args(hint)[0])
    return list(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else [hint]


@cache
def _wrapped(text: str) -> str:
    indent = " " * 4
    return textwrap.fill(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
