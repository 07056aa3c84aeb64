"""The parameters of a metric, its canonical text and its docstring, as its function declares them."""

import inspect
import re
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike

from certus.metrics.check import REQUIRED, Doc, Parameter
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
    """The annotations of a metric's parameters, and of the one that every metric of a ranking has."""
    return {"judged_only": JudgedOnly} | get_type_hints(function, include_extras=include_extras)


def canonical(name: str, at: str, parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> str:
    """The text that names the metric with these values: defaults are left out."""
    texts = {key: _literal(value) for key, value in values.items() if value not in (REQUIRED, parameters[key].default)}
    depth = texts.pop(at, "")
    arguments = [f"{key}={text}" for key, text in texts.items()]
    if depth and "@" in name:
        arguments.insert(0, depth)
        depth = ""
    return name + (f"({','.join(arguments)})" if arguments else "") + (f"@{depth}" if depth else "")


def _literal(value: object) -> str:
    """A parameter's value as it is written in a metric's name."""
    if isinstance(value, tuple) and value and not isinstance(value[0], tuple):
        return "{" + ",".join(map(_literal, value)) + "}"
    if isinstance(value, tuple):
        return "{" + ",".join(f"{_literal(grade)}:{_literal(gain)}" for grade, gain in value) + "}"
    text = repr(value)
    return text.removesuffix(".0") if isinstance(value, float) else text


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
    raised = [f"DataError\n{_wrapped(doc.raises)}" for _, doc in docs if doc.raises]
    contents = {"Parameters": "\n".join(entries), "Returns": sections.get("Returns") or "".join(result)}
    contents["Raises"] = "\n".join(dict.fromkeys(filter(None, [sections.get("Raises"), *raised])))
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
