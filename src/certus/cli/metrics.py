"""``certus metrics``."""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from textwrap import wrap
from typing import TYPE_CHECKING

from certus.cli._declare import argument, command, load_plugins
from certus.cli._options import PLUGIN, TASK_NAME, metric_names
from certus.cli._output import write
from certus.cli._startup import fold_for_stream
from certus.core import registry
from certus.core.errors import MetricNameError
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.metrics import Metric
    from certus.metrics.spellings import Spelling


_ASIDE = re.compile(r"\s*(@|\bat\b)\s*[A-Za-z]$|\s+\([^()=]*\)$")
"""A cutoff without a number, as in ``precision@k``, or an abbreviation in parentheses."""


@command("metrics", "nDCG")
def metrics(
    name: str | None = argument(
        default=None, metavar="[NAME]", complete=metric_names, help="Explain this metric, as in nDCG@10."
    ),
    task: str | None = TASK_NAME,
    plugin: list[str] | None = PLUGIN,
) -> None:
    """List all metrics, or explain one."""
    load_plugins(plugin)
    chosen_tasks = registry.tasks() if task is None else (registry.task(task),)
    lines = _metric_list(chosen_tasks) if name is None else _worded(name, chosen_tasks)
    write("".join(f"{line}\n" for line in lines))


def _metric_list(chosen_tasks: Sequence[Task]) -> Iterator[str]:
    from certus.metrics import declared

    known = {task.name: declared(task.name) for task in chosen_tasks}
    width = max((len(metric.name) for metrics in known.values() for metric in metrics), default=0)
    for task, metrics in zip(chosen_tasks, known.values(), strict=True):
        if len(chosen_tasks) > 1:
            yield f"{task.name}, as in {task.example}"
        for metric in metrics:
            yield from _fitting(f"{metric.name:<{width}}  {metric.summary}", width + 2)
        yield ""
    if len(chosen_tasks) > 1:
        whose = "--task says whose, where several tasks have a metric of that name"
        yield from _fitting(f"certus metrics NAME explains one; {whose}")
    else:
        (only,) = chosen_tasks
        written = f"parameters are written as in {only.example}"
        yield from _fitting(f"certus metrics --task {only.name} NAME explains one; {written}")


def _worded(name: str, chosen_tasks: Sequence[Task]) -> Iterator[str]:
    """As `_found`; words may stand for a name: ``mean squared error``, ``precision@k``, ``查全率``."""
    from certus.metrics.names import task_of

    words = _ASIDE.sub("", name)
    by_words, underscored = _by_words(words, chosen_tasks), "_".join(words.split())
    if by_words is not None:
        yield f"{name} is {by_words}, a metric of {by_words.task}"
        yield from _search_result(by_words.name, [registry.task(by_words.task)])
    else:
        yield from _search_result(
            underscored if task_of(underscored, [task.name for task in chosen_tasks]) else name, chosen_tasks
        )


def _by_words(text: str, chosen_tasks: Sequence[Task]) -> "Metric | None":
    """Return the first metric that declares these words, or None."""
    from certus.metrics import declared

    words = _normalized(text)
    metrics = (metric for task in chosen_tasks for metric in declared(task.name))
    return next((metric for metric in metrics if words in map(_normalized, metric.words)), None)


def _normalized(text: str) -> str:
    """The words of a text, without case, hyphens and apostrophes."""
    return " ".join(re.sub(r"['’]", "", text).casefold().replace("-", " ").replace("_", " ").split())


def _search_result(name: str, chosen_tasks: Sequence[Task]) -> Iterator[str]:
    """The metric of the first task that has one of that name, and which other tasks have one."""
    from certus.metrics.names import has_parameters, meanings, resolve_metric, task_of

    has = [task.name for task in chosen_tasks if task_of(name, [task.name])] or [chosen_tasks[0].name]
    others = {task: made for task in has if (made := _answer_text(name, task)) is not None}
    # Where all refuse it, the one answers that refuses a value of a parameter, not the parameter.
    task = next(iter(others), next((each for each in has if has_parameters(name, each)), has[0]))
    metric = resolve_metric(name, task)
    yield from _fitting(str(metric) + (f"  (also {', '.join(metric.aliases)})" if metric.aliases else ""))
    for sentence in _meant(name, meanings(name, task)):
        yield from _fitting(sentence)
    yield from _explained(metric)
    for other in list(others)[1:]:
        yield f"{others[other].name} is also a metric of {other}: add --task {other}"


def _answer_text(name: str, task: str) -> "Metric | None":
    """The metric of that task; None where it is refused, as a parameter is that another task's has."""
    from certus.metrics.names import resolve_metric

    try:
        return resolve_metric(name, task)
    except MetricNameError:
        return None


def _meant(name: str, spellings: Sequence["Spelling"]) -> Iterator[str]:
    """Sentences on the tools that call the metric so, and on their numbers."""
    from certus.metrics.check import comma_list

    tools = ", ".join(dict.fromkeys(each.tool for each in spellings if not each.differs and each.tool))
    if tools:
        yield f"{name} is its name in {comma_list(tools.split(', '))}"
    for each in spellings:
        if each.note:
            yield f"{name} in {each.tool}: {each.note}"


def _explained(metric: "Metric") -> Iterator[str]:
    yield ""
    yield from plain_text(metric.__doc__ or "")
    if metric.parameters:
        yield "Accepted values"
        for name, parameter in metric.parameters.items():
            here = f", here {metric.conventions[name]!r}" if name in metric.conventions else ""
            yield from _fitting(f"  {name}: {parameter.accepts}{here}", 4)
        yield ""
    if metric.spelled:
        yield "In other tools"
        for tool in dict.fromkeys(each.tool for each in metric.spelled):
            names = [_spelled(each) for each in metric.spelled if each.tool == tool]
            yield from _fitting(f"  {tool}: {', '.join(names)}" if tool else f"  {', '.join(names)}", 4)
        yield ""
    low, high = metric.bounds
    direction = f"{metric.better} is better" if metric.better else "neither higher nor lower is better"
    yield f"Values from {low:g} to {high:g}; {direction}"
    if metric.source:
        yield from _fitting(f"Source: {metric.source}")


def _fitting(line: str, indent: int = 2) -> list[str]:
    """The line, on a terminal folded."""
    return fold_for_stream(line, sys.stdout, indent).splitlines()


_WIDTH = 80
_RULE = re.compile(r"-{3,}|={3,}")


def plain_text(documentation: str) -> Iterator[str]:
    r"""Documentation as a terminal shows it: no markup, paragraphs folded; code and formulas as they are.

    Examples
    --------
    >>> print(*plain_text("A ``mean`` of `x`.\n\n::\n\n    a = b\n\nReturns\n-------\nMean"), sep="\n")
    A mean of x.
    <BLANKLINE>
        a = b
    <BLANKLINE>
    Returns
    Mean
    """
    blank = True
    for line in _without_markup(documentation):
        if line or not blank:
            yield line
        blank = not line


def _without_markup(documentation: str) -> Iterator[str]:
    paragraph: list[str] = []
    literal = code = False
    for line in [*cleandoc(documentation).splitlines(), ""]:
        indent = line[: len(line) - len(line.lstrip())]
        code = line.startswith(">>>") or (code and bool(line))
        literal = literal and (not line or bool(indent))
        same = not paragraph or (paragraph[-1].startswith(indent) and not paragraph[-1][len(indent)].isspace())
        if paragraph and (not line or literal or code or not same or _RULE.fullmatch(line)):
            yield from _folded(paragraph)
            paragraph = []
        if literal or code or not line:
            yield line
        elif line.strip() == "::":
            literal = True
        elif not _RULE.fullmatch(line):
            literal = line.endswith("::")
            paragraph.append(line.removesuffix(":") if literal else line)


def _folded(lines: list[str]) -> Iterator[str]:
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    text = " ".join(_MARKUP.sub(r"\2", line.strip()) for line in lines)
    width = min(max(shutil.get_terminal_size((_WIDTH, 24)).columns, 40), 100)
    yield from wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


_MARKUP = re.compile(r"(`{1,2})([^`]+)\1")


def _spelled(spelling: "Spelling") -> str:
    """A name in another tool, with the parameters that it means here, and a mark where the numbers are others."""
    means = ", ".join(f"{name}={value!r}" for name, value in spelling.chosen.items())
    more = "; ".join(filter(None, [means, "other numbers" if spelling.differs else ""]))
    return f"{spelling} ({more})" if more else str(spelling)
