"""The docstring of a metric: its own, and the paragraphs that belong to the types of its parameters and its result."""

import re
import textwrap
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Union, get_args, get_origin

from certus.metrics.check import Doc, Parameter

__all__ = ["docstring"]

_SECTION = re.compile(r"\n\n(?=[A-Z]\w*\n-{3,}\n)")
_ENTRY = re.compile(r"^(\w[\w, ]*)\n((?:[ ]+.*(?:\n|$)|\n)+)", re.MULTILINE)
_ORDER = ("Parameters", "Returns", "Raises")
_WIDTH = 116
"""Columns of a docstring's text, at the indentation of a function's."""


def docstring(own: str, hints: Mapping[str, Any], parameters: Iterable[Parameter], bounds: object) -> str:
    """A function's own docstring, with what it leaves to the types of its parameters and of its result.

    A parameter that the docstring does not describe has the paragraph of its type (`Doc`), and so has the result; what
    the types say is raised is added to what the docstring says.

    Examples
    --------
    >>> from certus.metrics.check import Cutoff
    >>> cutoff = Parameter.of("cutoff", None, Cutoff)
    >>> docstring("Share of hits.", {"cutoff": Cutoff}, [cutoff], (0, 1)).splitlines()[-2:]
    ['cutoff', '    Look at the first `cutoff` documents only.']
    """
    if not own:
        return ""
    prose, *rest = _SECTION.split(own)
    sections = {title: body for title, _, body in (each.split("\n", 2) for each in rest)}
    docs = [(name, doc) for name, hint in hints.items() for doc in _docs(hint)]
    entries = _entries(sections.get("Parameters", ""), parameters, dict(docs))
    result = [_result(hint, doc, bounds) for name, hint in hints.items() if name == "return" for doc in _docs(hint)]
    raised = dict.fromkeys([each for each in [sections.get("Raises", ""), *_raised(doc for _, doc in docs)] if each])
    made = {"Parameters": "\n".join(entries), "Returns": sections.get("Returns") or "".join(result)}
    made["Raises"] = "\n".join(raised)
    found = [(title, made[title]) for title in _ORDER if made[title]]
    found += [(title, body) for title, body in sections.items() if title not in _ORDER]
    return "\n\n".join([prose, *(f"{title}\n{'-' * len(title)}\n{body}" for title, body in found)])


def _entries(section: str, parameters: Iterable[Parameter], docs: Mapping[str, Doc]) -> Iterator[str]:
    """A parameter each, or several that are described together, in the order of the signature."""
    own = {names: text.rstrip("\n") for names, text in _ENTRY.findall(section)}
    together = {name.strip(): names for names in own for name in names.split(",")}
    done: set[str] = set()
    for parameter in parameters:
        names = together.get(parameter.name)
        if names is not None and names not in done:
            done.add(names)
            yield f"{names}\n{own[names]}"
        elif names is None and parameter.name in docs:
            yield f"{parameter.name}\n{_filled(docs[parameter.name].text)}"


def _raised(docs: Iterable[Doc]) -> Iterator[str]:
    for doc in docs:
        if doc.raises:
            yield f"DataError\n{_filled(doc.raises)}"


def _result(hint: Any, doc: Doc, bounds: object) -> str:
    """The forms of a result and its text, with the metric's bounds where it asks for them."""
    low, high = (f"{bound:g}".replace("inf", "∞") for bound in bounds) if isinstance(bounds, tuple) else ("", "")
    interval = f"[{low}, {high}{')' if high == '∞' else ']'}"
    names = doc.forms or [each.__name__ for each in _parts(hint)]
    listed = names if isinstance(names, str) else " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{listed}\n{_filled(doc.text.replace('{bounds}', interval))}"


def _docs(hint: Any) -> list[Doc]:
    return [each for each in get_args(hint)[1:] if isinstance(each, Doc)][-1:] if get_origin(hint) is Annotated else []


def _parts(hint: Any) -> list[Any]:
    if get_origin(hint) is Annotated:
        return _parts(get_args(hint)[0])
    return list(get_args(hint)) if get_origin(hint) in (Union, types.UnionType) else [hint]


def _filled(text: str) -> str:
    indent = " " * 4
    return textwrap.fill(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
