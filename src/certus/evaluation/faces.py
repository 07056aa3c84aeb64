"""The report of a task as a function of its module: what `certus.report` is, with the task's own arguments."""

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from certus.evaluation._evaluate import evaluate
from certus.table import Table

if TYPE_CHECKING:
    from certus.tasks import Task


def report_of(task: "Task") -> Callable[..., Table]:
    """The function that reports on data of the task.

    Examples
    --------
    >>> from certus.tasks import regression
    >>> list(inspect.signature(report_of(regression.TASK)).parameters)[2:9]
    ['metrics', 'average', 'undefined', 'by', 'subgroup_mean', 'sample_weight', 'groups']
    """
    positional = [each.name for each in task.data]

    def report(*data: Any, **told: Any) -> Table:
        bound = signature.bind(*data, **told)
        return evaluate(task=task.name, **bound.arguments)

    kinds = inspect.Parameter
    of_evaluate = inspect.signature(evaluate).parameters
    needed = len(task.needs) == 1
    signature = inspect.Signature(
        [
            *(
                kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=kinds.empty if needed or not place else None)
                for place, name in enumerate(positional)
            ),
            kinds("metrics", kinds.POSITIONAL_OR_KEYWORD, default=None),
            *map(of_evaluate.__getitem__, ("average", "undefined", "by", "subgroup_mean")),
            *(kinds(each.name, kinds.KEYWORD_ONLY, default=None) for each in (*task.conventions, *task.options)),
            *map(of_evaluate.__getitem__, ("level", "interval", "seed", "name")),
        ],
        return_annotation="Table",
    )
    report.__dict__["__signature__"] = signature
    report.__doc__ = _doc(task)
    report.__module__, report.__qualname__ = f"certus.{task.name}", "report"
    return report


def _doc(task: "Task") -> str:
    """The docstring, from what the task says of its arguments."""
    lines = [
        f"Report on {task.name} by its usual metrics, or by those named: each value with its interval.",
        "",
        f"The usual metrics are {', '.join(task.usual)}, as far as their data are given.",
        "",
        "Parameters",
        "----------",
    ]
    for each in task.data:
        lines += [each.name, f"    {each.about[:1].upper()}{each.about[1:]}."]
    lines += ["metrics", "    Names, or metrics; None takes the usual ones."]
    lines += ["average, undefined", "    As for `certus.evaluate`."]
    lines += ["by", "    One value for each row: each subgroup with the same value gets its own rows."]
    lines += ["subgroup_mean", "    As for `certus.evaluate`."]
    for each in (*task.conventions, *task.options):
        lines += [each.name, f"    {each.about[:1].upper()}{each.about[1:]}."]
    lines += ["level, interval, seed, name", "    As for `certus.evaluate`."]
    lines += ["", "Returns", "-------", "Table", "    One row for each metric, or for each subgroup and metric."]
    lines += [
        "",
        "Raises",
        "------",
        "DataError",
        "    The data do not fit together, or lack what a named metric needs.",
    ]
    lines += ["MetricNameError", "    There is no such metric, parameter or method."]
    return "\n".join(lines)
