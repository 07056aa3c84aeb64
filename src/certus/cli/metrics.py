"""``certus metrics``."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from certus.cli._options import Task
from certus.cli._output import write
from certus.cli._plugins import load_plugins

if TYPE_CHECKING:
    from certus.metrics import Metric

__all__ = ["EXAMPLES", "metrics"]

EXAMPLES = {
    Task.ranking: "nDCG@10, AP(rel=2) or RBP(p=0.9)",
    Task.classification: "F1(average='macro') or TopK(k=5)",
    Task.clustering: "NMI(average_method='geometric')",
    Task.efficiency: "Latency@0.99",
    Task.multilabel: "Jaccard(average='macro')",
    Task.regression: "Pinball(alpha=0.9)",
}
"""How parameters are written, for each task."""


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Explain this metric, as in nDCG@10.")] = None,
    task: Annotated[Task | None, typer.Option(help="Whose metrics. Default: of all tasks.")] = None,
    plugin: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="Python module or .py file that declares more metrics.")
    ] = None,
) -> None:
    """List all metrics, or explain one."""
    load_plugins(plugin)
    tasks = list(Task) if task is None else [task]
    lines = _listed(tasks) if name is None else _found(name, tasks)
    write("".join(f"{line}\n" for line in lines))


def _listed(tasks: Sequence[Task]) -> Iterator[str]:
    from certus.metrics import declared

    known = {task: declared(task.value) for task in tasks}
    width = max((len(metric.name) for metrics in known.values() for metric in metrics), default=0)
    for task, metrics in known.items():
        if len(tasks) > 1:
            yield f"{task.value}, as in {EXAMPLES[task]}"
        for metric in metrics:
            yield f"{metric.name:<{width}}  {metric.summary}"
        yield ""
    if len(tasks) > 1:
        yield "certus metrics NAME explains one; --task says whose, where several tasks have a metric of that name"
    else:
        example = EXAMPLES[tasks[0]]
        yield f"certus metrics --task {tasks[0].value} NAME explains one; parameters are written as in {example}"


def _found(name: str, tasks: Sequence[Task]) -> Iterator[str]:
    """The metric of the first task that has one of that name, and which other tasks have one."""
    from certus.metrics._names import named, task_of

    has = [task for task in tasks if task_of(name, [task.value])]
    metric = named(name, (has or tasks)[0].value)
    yield from _explained(metric)
    for other in has[1:]:
        yield f"{named(name, other.value).name} is also a metric of {other.value}: add --task {other.value}"


def _explained(metric: "Metric") -> Iterator[str]:
    others = [*metric.aliases, *metric.spellings]
    yield str(metric) + (f"  (also {', '.join(others)})" if others else "")
    yield ""
    yield (metric.__doc__ or "").rstrip()
    yield ""
    if metric.parameters:
        yield "Accepted values"
        for name, parameter in metric.parameters.items():
            here = f", here {metric.conventions[name]!r}" if name in metric.conventions else ""
            yield f"  {name}: {parameter.accepts}{here}"
        yield ""
    low, high = metric.bounds
    direction = f"{metric.better} is better" if metric.better else "neither higher nor lower is better"
    yield f"Values from {low:g} to {high:g}; {direction}"
    if metric.source:
        yield f"Source: {metric.source}"
