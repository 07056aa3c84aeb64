"""The reference of the site: a page for each public name, and one for each module with a line on each of its names."""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

from make_docs import bounds, direction
from public_names import Name, modules, public_names

import certus

__all__ = ["CALLED_AS", "MADE_BY", "pages", "pictures"]

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
    **{
        f"certus.{task}.report": "certus.classification.report"
        for task in ("clustering", "efficiency", "multilabel", "regression", "values")
    },
    "certus.spark.compare": "certus.comparison.compare",
    "certus.spark.evaluate": "certus.evaluate",
}
"""The function whose example shows how another one is called, which takes other data."""
MADE_BY = {
    "certus.agreement.RBO": "certus.agreement.rbo",
    "certus.agreement.RankCorrelation": "certus.agreement.kendall_tau",
    "certus.audit.Checked": "certus.audit.read_back",
    "certus.audit.CheckedStratum": "certus.audit.read_back",
    "certus.audit.ConfidenceSequence": "certus.audit.sequence",
    "certus.audit.Drawn": "certus.audit.draw",
    "certus.audit.plan.Expected": "certus.audit.plan.sample_size",
    "certus.audit.plan.SampleSize": "certus.audit.plan.sample_size",
    "certus.audit.plan.Split": "certus.audit.plan.split",
    "certus.chance.NormalErrors": "certus.chance.normal_error",
    "certus.chance.Percentile": "certus.chance.HitList",
    "certus.chance.Standing": "certus.chance.HitList",
    "certus.classification.Agreement": "certus.classification.confusion_matrix",
    "certus.classification.LikelihoodRatios": "certus.classification.likelihood_ratios",
    "certus.comparison.Difference": "certus.comparison.compare_values",
    "certus.comparison.TopicTable": "certus.comparison.topic_table",
    "certus.curves.Band": "certus.classification.roc_curve",
    "certus.curves.BestThreshold": "certus.classification.best_threshold",
    "certus.curves.CalibrationBand": "certus.classification.calibration_curve",
    "certus.inference.Equivalence": "certus.inference.equivalence",
    "certus.inference.MaxT": "certus.inference.max_t",
    "certus.inference.McNemar": "certus.inference.mcnemar",
    "certus.inference.MinimumDetectable": "certus.inference.minimum_detectable",
    "certus.inference.Paired": "certus.inference.paired",
    "certus.inference.Posteriors": "certus.inference.posteriors",
    "certus.inference.Power": "certus.inference.power",
    "certus.inference.RatioTest": "certus.inference.ratio",
    "certus.inference.Rope": "certus.inference.rope",
    "certus.inference.TukeyHSD": "certus.inference.tukey_hsd",
    "certus.inference.UnitsNeeded": "certus.inference.units_needed",
    "certus.pooling.LeftOut": "certus.pooling.leave_one_out",
}
"""Classes of results without an example of their own, each with what makes them and has one."""

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
    if name.path in MADE_BY:
        parts += [f"`{MADE_BY[name.path]}` makes it, and has an example.", ""]
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


def _object(name: Name) -> list[str]:
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
