"""``certus metrics``."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from certus import tasks
from certus.cli._options import Plugin, TaskName
from certus.cli._output import write
from certus.cli._plugins import load_plugins
from certus.errors import MetricNameError, options_for
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.metrics import Metric
    from certus.metrics.spellings import Spelling

__all__ = ["metrics"]


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Explain this metric, as in nDCG@10.")] = None,
    task: TaskName = None,
    plugin: Plugin = None,
) -> None:
    """List all metrics, or explain one."""
    load_plugins(plugin)
    with options_for({"task": "--task"}):
        which = tasks.tasks() if task is None else (tasks.task(task),)
    lines = _listed(which) if name is None else _found(name, which)
    write("".join(f"{line}\n" for line in lines))


def _listed(which: Sequence[Task]) -> Iterator[str]:
    from certus.metrics import declared

    known = {task.name: declared(task.name) for task in which}
    width = max((len(metric.name) for metrics in known.values() for metric in metrics), default=0)
    for task, metrics in zip(which, known.values(), strict=True):
        if len(which) > 1:
            yield f"{task.name}, as in {task.example}"
        for metric in metrics:
            yield f"{metric.name:<{width}}  {metric.summary}"
        yield ""
    if len(which) > 1:
        yield "certus metrics NAME explains one; --task says whose, where several tasks have a metric of that name"
    else:
        (only,) = which
        yield f"certus metrics --task {only.name} NAME explains one; parameters are written as in {only.example}"


def _found(name: str, which: Sequence[Task]) -> Iterator[str]:
    """The metric of the first task that has one of that name, and which other tasks have one."""
    from certus.metrics.names import has_parameters, meanings, named, task_of

    has = [task.name for task in which if task_of(name, [task.name])] or [which[0].name]
    others = {task: made for task in has if (made := _made(name, task)) is not None}
    # Where all refuse it, the one answers that refuses a value of a parameter, not the parameter.
    task = next(iter(others), next((each for each in has if has_parameters(name, each)), has[0]))
    metric = named(name, task)
    yield str(metric) + (f"  (also {', '.join(metric.aliases)})" if metric.aliases else "")
    yield from _meant(name, meanings(name, task))
    yield from _explained(metric)
    for other in list(others)[1:]:
        yield f"{others[other].name} is also a metric of {other}: add --task {other}"


def _made(name: str, task: str) -> "Metric | None":
    """The metric of that task; None where it is refused, as a parameter is that another task's has."""
    from certus.metrics.names import named

    try:
        return named(name, task)
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
    yield (metric.__doc__ or "").rstrip()
    yield ""
    if metric.parameters:
        yield "Accepted values"
        for name, parameter in metric.parameters.items():
            here = f", here {metric.conventions[name]!r}" if name in metric.conventions else ""
            yield f"  {name}: {parameter.accepts}{here}"
        yield ""
    if metric.spelled:
        yield "In other tools"
        for tool in dict.fromkeys(each.tool for each in metric.spelled):
            names = [_spelled(each) for each in metric.spelled if each.tool == tool]
            yield f"  {tool}: {', '.join(names)}" if tool else f"  {', '.join(names)}"
        yield ""
    low, high = metric.bounds
    direction = f"{metric.better} is better" if metric.better else "neither higher nor lower is better"
    yield f"Values from {low:g} to {high:g}; {direction}"
    if metric.source:
        yield f"Source: {metric.source}"


def _spelled(spelling: "Spelling") -> str:
    """A name in another tool, with the parameters that it means here, and a mark where the numbers are others."""
    means = ", ".join(f"{name}={value!r}" for name, value in spelling.chosen.items())
    more = "; ".join(filter(None, [means, "other numbers" if spelling.differs else ""]))
    return f"{spelling} ({more})" if more else str(spelling)
