"""``certus metrics``."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from certus.cli._options import Task
from certus.cli._output import write
from certus.cli._plugins import load_plugins

if TYPE_CHECKING:
    from certus.metrics import Metric

__all__ = ["metrics"]

_EXAMPLES = {
    Task.ranking: "nDCG@10, AP(rel=2) or RBP(p=0.9)",
    Task.classification: "F1(average='macro') or TopK(k=5)",
    Task.clustering: "NMI(average='geometric')",
    Task.efficiency: "Latency@0.99",
    Task.multilabel: "Jaccard(average='macro')",
    Task.regression: "Pinball(alpha=0.9)",
}


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Explain this metric, as in nDCG@10.")] = None,
    task: Annotated[Task, typer.Option(help="Whose metrics.")] = Task.ranking,
    plugin: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="Python module or .py file that declares more metrics.")
    ] = None,
) -> None:
    """List all metrics, or explain one."""
    from certus.metrics import declared, parse

    load_plugins(plugin)
    if name is None:
        lines = _listed(declared(task.value), task)
    else:
        # a bare name is explained even where a parameter has no default
        bare = [metric for metric in declared(task.value) if name in (metric.name, *metric.aliases)]
        lines = _explained(bare[0] if bare else parse(name, task=task.value))
    write("".join(f"{line}\n" for line in lines))


def _listed(known: "tuple[Metric, ...]", task: Task) -> Iterator[str]:
    width = max(len(metric.name) for metric in known)
    for metric in known:
        yield f"{metric.name:<{width}}  {metric.summary}"
    yield ""
    option = "" if task is Task.ranking else f" --task {task.value}"
    yield f"certus metrics{option} NAME explains one; parameters are written as in {_EXAMPLES[task]}"
    if task is Task.ranking:
        others = ", ".join(each.value for each in Task if each is not task)
        yield f"--task lists the metrics of another task: {others}"


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
