"""The reference of the site: a page for each public name, and one for each module with a line on each of its names."""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

from make_docs import bounds, direction
from public_names import Name, Result, modules, public_names, results

import certus

__all__ = ["CALLED_AS", "pages", "pictures"]

ROOT = Path(__file__).resolve().parents[1]
COVERAGE = {
    "ranking": "means",
    "values": "means",
    "classification": "classification",
    "multilabel": "multilabel",
    "regression": "regression",
    "clustering": "clustering",
}
"""The page of docs/coverage-*.md on the intervals of a task's metrics."""
CALLED_AS = {
    **{f"certus.{task}.report": "certus.report" for task in certus.tasks.names() if task != "ranking"},
    "certus.spark.bounds": "certus.evaluate",
    "certus.spark.compare": "certus.compare",
    "certus.spark.evaluate": "certus.evaluate",
}
"""The function whose example shows how another one is called, which takes other data."""
HEAD = """\
# Reference

Every public name of certus, by module. Each page has the signature, the parameters with their types and shapes, the
errors, and examples that run as tests. Everything that is not here is internal and may change without notice.
"""
RESULTS = """\
# Results

What functions of certus give. Nobody makes or imports these classes, and their paths may change; their attributes and
methods do not.
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
    for each in results():
        made[f"reference/{each.path}.rst"] = _of_name(each)
    lines = [f"| [`{each.value.__name__}`]({each.path}.rst) | {_cell(each.summary)} |" for each in results()]
    made["reference/results.md"] = "\n".join([RESULTS, SUMMARY, *lines, "", _toctree(each.path for each in results())])
    lines = [f"| [`{name}`]({name}.md) | {_line(module.__doc__)} |" for name, module in shown.items()]
    lines.append("| [results](results.md) | What functions give. |")
    made["reference/index.md"] = "\n".join([HEAD, "| module | |\n|---|---|", *lines, "", _toctree([*shown, "results"])])
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


def _of_name(name: Name | Result) -> str:
    module, _, short = name.path.rpartition(".")
    parts = [short, "=" * len(short), "", f".. py:currentmodule:: {module}", "", *_object(name), ""]
    if isinstance(name.value, certus.Metric):
        parts += _facts(name.value)
    if isinstance(name, Result):
        parts += [f"`{name.given_by}` gives it.", ""]
    if name.path in CALLED_AS:
        parts += [f"It is called as `{CALLED_AS[name.path]}` is, which has an example.", ""]
    for caption, image, lines in pictures().get(name.path, []):
        shown = [f"   {line}" for line in lines.splitlines()]
        parts += ["", caption, "-" * len(caption), "", f".. image:: /docs/{image}", f"   :alt: {caption}", ""]
        parts += [
            "The data are those of the :doc:`gallery </docs/gallery>`.",
            "",
            ".. code-block:: python",
            "",
            *shown,
            "",
        ]
    return "\n".join(parts) + "\n"


@cache
def pictures() -> dict[str, list[tuple[str, str, str]]]:
    """Of each function and class that draws, the pictures of the gallery: caption, file and code."""
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    block = r"^### (.+)\n\n!\[.*\]\((.+)\)\n\n```python\n((?:.+\n)+)```\n\nDrawn by (.+)\.$"
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for caption, image, code, paths in re.findall(block, page, re.MULTILINE):
        for path in re.findall(r"`([\w.]+)`", paths):
            of = path if path.startswith("certus.plot.") else path.rpartition(".")[0]
            if (caption, image, code) not in found[of]:
                found[of].append((caption, image, code))
    return found


def _object(name: Name | Result) -> list[str]:
    """Directive that makes Sphinx show the object."""
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
    """Facts of a metric's declaration beside its docstring."""
    rows = [f":Name: ``{metric.name}``", f":Range: {bounds(metric)}, {direction(metric)}"]
    if metric.aliases:
        rows.append(f":Also called: {', '.join(f'``{each}``' for each in metric.aliases)}")
    if metric.spelled:
        rows.append(f":In other tools: {', '.join(f'``{each.text}`` ({each.tool})' for each in metric.spelled)}")
    if metric.task in COVERAGE:
        page = f"/docs/coverage-{COVERAGE[metric.task]}"
        rows.append(f":Coverage of its interval: :doc:`{page}`")
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
