"""The reference of the site: a page for each public name, and one for each module with a line on each of its names."""

import inspect
from collections import defaultdict
from collections.abc import Iterable
from types import ModuleType

from make_docs import bounds, direction
from public_names import Name, modules, public_names

import certus

__all__ = ["pages"]

HEAD = """\
# Reference

Every public name of certus, by module. Each page has the signature, the parameters with their types and shapes, the
errors, and examples that run as tests. Everything that is not here is internal and may change without notice.
"""
SUMMARY = "| name | |\n|---|---|"


def pages() -> dict[str, str]:
    """All pages, by their path below the sources."""
    found: dict[str, list[Name]] = defaultdict(list)
    for name in public_names():
        found[name.path.rpartition(".")[0]].append(name)
    shown = {module.__name__: module for module in modules() if found[module.__name__]}
    made = {f"reference/{name}.md": _of_module(module, found[name]) for name, module in shown.items()}
    for name in (each for names in found.values() for each in names):
        made[f"reference/{name.path}.rst"] = _of_name(name)
    lines = [f"| [`{name}`]({name}.md) | {_line(module.__doc__)} |" for name, module in shown.items()]
    made["reference/index.md"] = "\n".join([HEAD, "| module | |\n|---|---|", *lines, "", _toctree(shown)])
    return made


def _of_module(module: ModuleType, names: list[Name]) -> str:
    lines = [f"| [`{each.path.rpartition('.')[2]}`]({each.path}.rst) | {_cell(each.summary)} |" for each in names]
    text = inspect.cleandoc(module.__doc__ or "")
    return "\n".join(
        [
            f"# {module.__name__}\n",
            "```{eval-rst}",
            text,
            "```",
            "",
            SUMMARY,
            *lines,
            "",
            _toctree(each.path for each in names),
        ]
    )


def _of_name(name: Name) -> str:
    module, _, short = name.path.rpartition(".")
    parts = [short, "=" * len(short), "", f".. py:currentmodule:: {module}", "", *_object(name), ""]
    if isinstance(name.value, certus.Metric):
        parts += _facts(name.value)
    return "\n".join(parts) + "\n"


def _object(name: Name) -> list[str]:
    """What makes Sphinx show the object."""
    if isinstance(name.value, certus.Metric) or inspect.isroutine(name.value):
        return [f".. autofunction:: {name.path}"]
    if isinstance(name.value, type):
        kind = "autoexception" if issubclass(name.value, BaseException) else "autoclass"
        members = (
            []
            if name.path.startswith("certus.compat.")
            else ["   :members:", "   :inherited-members: Exception, tuple, dict, list, int, float, str"]
        )
        return [f".. {kind}:: {name.path}", *members]
    return [f".. py:data:: {name.path}", "", f"   {name.summary or f'``{name.value!r}``'}"]


def _facts(metric: certus.Metric) -> list[str]:
    """What the declaration of a metric says beside its docstring."""
    rows = [f":Name: ``{metric.name}``", f":Range: {bounds(metric)}, {direction(metric)}"]
    if metric.aliases:
        rows.append(f":Also called: {', '.join(f'``{each}``' for each in metric.aliases)}")
    if metric.spelled:
        rows.append(f":In other tools: {', '.join(f'``{each.text}`` ({each.tool})' for each in metric.spelled)}")
    if metric.source:
        rows.append(f":Source: {metric.source}")
    return ["Facts", "-----", "", *rows]


def _line(text: str | None) -> str:
    return _cell(inspect.cleandoc(text or "").partition("\n")[0])


def _cell(text: str) -> str:
    """A line of reStructuredText in a table of Markdown."""
    return text.replace("``", "`").replace("|", "\\|")


def _toctree(names: Iterable[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", "", *names, "```", ""])
