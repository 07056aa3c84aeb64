"""The catalogue of the site: every metric in one table, which the page filters by task, tool and words."""

from certus.metrics import Metric, declared
from certus.tasks import tasks

__all__ = ["pages"]

HEAD = """\
# Metrics

Every metric of certus, with the names that other tools give it. Choose a task or a tool, or type a part of a name:
`ndcg_cut`, `f1_score`, `hit rate`. [Names of metrics in other tools](docs/names.md) says where tools mean different
things by one name.

:::{container} certus-filter

| metric | task | | in other tools |
|---|---|---|---|
"""


def own_metrics() -> list[Metric]:
    """The metrics of certus, without those that a guide has declared as its example."""
    there = [metric for task in tasks() for metric in declared(task.name)]
    return [metric for metric in there if metric.__module__.startswith(f"certus.metrics.{metric.task}")]


def pages() -> dict[str, str]:
    """The page, by its path below the sources."""
    rows = [_row(metric) for metric in own_metrics()]
    return {"catalogue.md": HEAD + "\n".join(rows) + "\n:::\n"}


def _row(metric: Metric) -> str:
    page = f"reference/certus.{metric.task}.{getattr(metric, '__name__', '')}.rst"
    tools: dict[str, list[str]] = {}
    for each in metric.spelled:
        for tool in each.tool.split(", "):
            tools.setdefault(tool, []).append(f"`{each.text}`")
    names = "; ".join(f"{tool}: {', '.join(found)}" for tool, found in sorted(tools.items()))
    also = f" ({', '.join(metric.aliases)})" if metric.aliases else ""
    cells = [f"[{metric.name}]({page}){also}", metric.task, metric.summary.replace("``", "`"), names]
    return "| " + " | ".join(each.replace("|", "\\|") for each in cells) + " |"
