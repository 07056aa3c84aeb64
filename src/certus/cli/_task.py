"""The task of a command line, and checks of the options that fit it."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.cli._declare import UsageError
from certus.cli._predictions import check_columns
from certus.spelling import abridged, plural
from certus.tasks import Argument, Task

if TYPE_CHECKING:
    from certus.metrics import Metric


METRICS_KNOW = "is for columns of values, with --value; metrics know it"
"""Why ``--lower-is-better`` is refused."""


def flags(names: Sequence[str], joined: str = " and ") -> str:
    """Options as a message lists them."""
    return joined.join(f"--{name}" for name in names)


def given_data(task: Task, asked: Mapping[str, Any]) -> list[str]:
    """The names of the data that the options give."""
    return [each.name for each in task.data if asked.get(each.option)]


def ways(task: Task) -> str:
    """The data that a report needs, as options."""
    each = [flags([task.argument(name).option for name in way]) for way in task.needs]
    return ", or ".join(each)


def check_metrics(its: Task, metrics: Sequence[str] | None, asked: Mapping[str, Any]) -> None:
    """Refuse metrics of another task than the options, before any file is read."""
    from certus.metrics.names import task_of

    for text in metrics or ():
        if task_of(text, registry.names()) and not task_of(text, [its.name]):
            given = flags([each.option for each in its.data if asked.get(each.option)])
            raise UsageError(f"{text} is not a metric of {its.name}", param_hint=f"{given} -m")


def chosen_task(
    name: str | None,
    asked: Mapping[str, Any],
    metrics: Sequence[str] | None,
    *,
    ranking: bool,
    first: bool = False,
    file: str = "",
) -> Task:
    """The task that was named, or the only one (or the `first`) that the options fit."""
    if name is not None:
        return registry.task(name, registry.names(paired=True) if first else None)
    if ranking:
        return registry.task("ranking")
    there = {option for option, value in asked.items() if value}
    if not there & _options(registry.tasks()):
        if file and file != "-":
            os.stat(file)  # one that is missing says so itself; to open a pipe again would wait for ever
        columns = flags(sorted(_options(registry.tasks()) - {""}), ", ")
        # results of evaluation tools were looked for before
        results = f"; {file} does not look like results of an evaluation tool, item by item" if file else ""
        raise UsageError(
            f"give qrels and {'two or more runs' if first else 'runs'}; or a table and its columns: {columns}{results}",
            param_hint="QRELS RUN...",
        )
    tables = [each for each in registry.tasks() if each.name != "ranking" and (each.paired or not first)]
    fitting = [
        each
        for each in tables
        if each.enough(given_data(each, asked))
        and there <= {one.option for one in (*each.data, *each.conventions, *each.options)}
        and _counts(each, asked, first) is None
        and not any(1 not in one.axes and _count(asked.get(one.option) or ()) == 1 for one in each.data)
    ]
    if metrics and len(fitting) > 1:
        from certus.metrics.names import task_of

        fitting = [each for each in fitting if all(task_of(text, [each.name]) for text in metrics)] or fitting
    if len(fitting) == 1 or (first and fitting):
        return fitting[0]
    if fitting:
        if file:
            check_columns(file, fitting[0], asked)
        several = ", ".join(each.name for each in fitting)
        raise UsageError(f"say which task these columns are of: {several}", param_hint="--task")
    enough = [each for each in tables if each.enough(given_data(each, asked))]
    if enough:  # an option has no meaning for it
        return enough[0]
    near = [each for each in tables if there & {one.option for one in each.data}] or tables
    needs = "; ".join(dict.fromkeys(f"{ways(each)} for {each.name}" for each in near))
    raise UsageError(f"a table needs {needs}", param_hint=flags(sorted(there & _options(near)), ", ") or "FILE")


def _options(which: Sequence[Task]) -> set[str]:
    return {one.option for each in which for one in each.data}


def check_options(task: Task, asked: Mapping[str, Any]) -> None:
    """Refuse options that the task has no use for, and a call without what it needs."""
    known = {each.option for each in (*task.data, *task.conventions, *task.options)}
    for option, value in asked.items():
        if value is not None and option not in known:
            raise UsageError(f"it has no meaning for {task.name}", param_hint=f"--{option}")
        if any(not text.strip() for text in ([value] if isinstance(value, str) else value)):
            raise UsageError("name at least one", param_hint=f"--{option}")
    if task.name != "ranking" and not task.enough(given_data(task, asked)):
        raise UsageError(f"{task.name} needs {ways(task)}", param_hint="--task")


def check_data(task: Task, metrics: Sequence[str] | None, asked: Mapping[str, Any]) -> None:
    """Refuse columns that none of the metrics named is computed from."""
    from certus.evaluation.items import parse_metrics
    from certus.metrics import declared

    named = parse_metrics(metrics, task.name) if metrics is not None else []
    there = {name for each in task.data if asked.get(each.option) for name in each.names}
    idle = next(
        (each for each in task.data if there & set(each.names) and not any(_of(it, each) for it in named)), None
    )
    # a metric without its data says so itself
    if not named or idle is None or not all(any(there.issuperset(kind) for kind in _data_of(it)) for it in named):
        return
    others = abridged([metric.name for metric in declared(task.name) if _of(metric, idle)], 6)
    listed = ", ".join(dict.fromkeys(map(str, named)))
    verb = "is" if len(named) == 1 else "are"
    raise UsageError(
        f"{listed} {verb} not computed from --{idle.option}; leave it out, or name a metric that is: {others}",
        param_hint=f"--{idle.option} -m",
    )


def _data_of(metric: "Metric") -> list[tuple[str, ...]]:
    """The names of the data that suffice for the metric, each way by itself; empty where it does not say."""
    return [kind.arguments for kind in metric.takes if hasattr(kind, "arguments")]


def _of(metric: "Metric", data: Argument) -> bool:
    """True if the metric may be computed from the data."""
    ways = _data_of(metric)
    return not ways or any(name in data.names for way in ways for name in way)


def check_counts(task: Task, asked: Mapping[str, Any], compared: bool = False) -> None:
    """Refuse several columns where the task takes one, and tables that do not fit each other."""
    if (found := _counts(task, asked, compared)) is not None:
        raise UsageError(found[1], param_hint=f"--{found[0]}")


def _counts(task: Task, asked: Mapping[str, Any], compared: bool) -> tuple[str, str] | None:
    """The option with a wrong number of columns, and what is wrong."""
    counts = {each.option: _count(asked[each.option]) for each in task.data if asked.get(each.option)}
    truth = next((each for each in task.shared if each.option in counts and each.several), None)
    for each in task.data:
        count = counts.get(each.option, 0)
        if count > 1 and not each.several and not (compared and each.predicted):
            return each.option, f"give one column for {task.name}"
        if compared or truth is None or not count or not each.predicted or not each.several:
            continue
        if count != counts[truth.option] and not any(
            "," in text for text in (*asked[each.option], *asked[truth.option])
        ):
            return each.option, f"{plural(count, 'column')} for {counts[truth.option]} of --{truth.option}"
    return None


def _count(value: Any) -> int:
    return 1 if isinstance(value, str) else len(value)


def known_system(baseline: str | None, names: Sequence[str], files: Mapping[str, str] | None = None) -> str | None:
    """The baseline by its name among those of the systems; it may be given as the one file that a system is in."""
    if baseline is None or baseline in names:
        return baseline
    owners = [name for name, file in (files or {}).items() if file == baseline]
    if len(owners) == 1:
        return owners[0]
    from certus.spelling import suggestion

    remedy = suggestion(baseline, list(names)) or f"there are {', '.join(names)}"
    raise UsageError(f"{baseline!r} is none of the systems; {remedy}", param_hint="--baseline")
