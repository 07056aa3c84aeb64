"""The task of a command line, and checks of the options that fit it."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from certus.cli._columns import check_columns
from certus.cli._declare import UsageError
from certus.core import registry
from certus.core.spelling import abridged, plural, suggestion
from certus.tasks import Argument, Task

if TYPE_CHECKING:
    from certus.metrics import Metric


METRICS_KNOW = "is for columns of values, with --value; metrics know it"
"""The reason why ``--lower-is-better`` is refused."""


def flags(names: Iterable[str], joined: str = " and ") -> str:
    """Options as a message lists them."""
    return joined.join(f"--{name}" for name in names)


def _data_options(tasks: Iterable[Task]) -> set[str]:
    return {argument.option for task in tasks for argument in task.data} - {""}


def _has_enough(task: Task, options: Mapping[str, Any]) -> bool:
    return task.enough(argument.name for argument in task.data if options.get(argument.option))


def _needed_options(task: Task) -> str:
    """The data that a report needs, as options."""
    return ", or ".join(flags(task.argument(name).option for name in needed) for needed in task.needs)


def _allowed_options(task: Task) -> set[str]:
    return {argument.option for argument in (*task.data, *task.conventions, *task.options)}


def check_metrics(task: Task, metrics: Sequence[str] | None, options: Mapping[str, Any]) -> None:
    """Refuse metrics of another task than the options, before any file is read."""
    from certus.metrics.names import task_of

    for text in metrics or ():
        if task_of(text, registry.names()) and not task_of(text, [task.name]):
            data = flags(argument.option for argument in task.data if options.get(argument.option))
            raise UsageError(f"{text} is not a metric of {task.name}", param_hint=f"{data} -m")


def chosen_task(
    name: str | None,
    options: Mapping[str, Any],
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
    set_options = {option for option, value in options.items() if value}
    if not set_options & _data_options(registry.tasks()):
        if file and file != "-":
            os.stat(file)  # one that is missing says so itself; to open a pipe again would wait for ever
        columns = flags(sorted(_data_options(registry.tasks())), ", ")
        # results of evaluation tools were looked for before
        results = f"; {file} does not look like results of an evaluation tool, item by item" if file else ""
        raise UsageError(
            f"give qrels and {'two or more runs' if first else 'runs'}; or a table and its columns: {columns}{results}",
            param_hint="QRELS RUN...",
        )
    tables = [task for task in registry.tasks() if task.name != "ranking" and (task.paired or not first)]
    complete = [task for task in tables if _has_enough(task, options)]
    fitting = [
        task
        for task in complete
        if set_options <= _allowed_options(task)
        and _wrong_count(task, options, first) is None
        and not any(1 not in argument.axes and _count(options.get(argument.option, ())) == 1 for argument in task.data)
    ]
    if metrics and len(fitting) > 1:
        from certus.metrics.names import task_of

        fitting = [task for task in fitting if all(task_of(text, [task.name]) for text in metrics)] or fitting
    if len(fitting) == 1 or (first and fitting):
        return fitting[0]
    if fitting:
        if file:
            check_columns(file, fitting[0], options)
        names = ", ".join(task.name for task in fitting)
        raise UsageError(f"say which task these columns are of: {names}", param_hint="--task")
    if complete:  # an option has no meaning for it
        return complete[0]
    near = [task for task in tables if set_options & _data_options([task])] or tables
    needs = "; ".join(dict.fromkeys(f"{_needed_options(task)} for {task.name}" for task in near))
    hint = flags(sorted(set_options & _data_options(near)), ", ") or "FILE"
    raise UsageError(f"a table needs {needs}", param_hint=hint)


def check_options(task: Task, options: Mapping[str, Any]) -> None:
    """Refuse options that the task has no use for, and a call without what it needs."""
    for option, value in options.items():
        if value is not None and option not in _allowed_options(task):
            raise UsageError(f"it has no meaning for {task.name}", param_hint=f"--{option}")
        if any(not text.strip() for text in ([value] if isinstance(value, str) else value)):
            raise UsageError("name at least one", param_hint=f"--{option}")
    if task.name != "ranking" and not _has_enough(task, options):
        raise UsageError(f"{task.name} needs {_needed_options(task)}", param_hint="--task")


def check_data(task: Task, metrics: Sequence[str] | None, options: Mapping[str, Any]) -> None:
    """Refuse columns that none of the metrics named is computed from."""
    from certus.evaluation.cases import parse_metrics
    from certus.metrics import declared

    chosen = parse_metrics(metrics, task.name) if metrics is not None else []
    data = [argument for argument in task.data if options.get(argument.option)]
    idle = next((argument for argument in data if not any(_looks_at(metric, argument) for metric in chosen)), None)
    names = {name for argument in data for name in argument.names}
    # a metric without its data says so itself
    if not chosen or idle is None or not all(any(map(names.issuperset, _data_of(metric))) for metric in chosen):
        return
    alternatives = abridged([metric.name for metric in declared(task.name) if _looks_at(metric, idle)], 6)
    texts = list(dict.fromkeys(map(str, chosen)))
    raise UsageError(
        f"{', '.join(texts)} {'is' if len(chosen) == 1 else 'are'} not computed from --{idle.option}; leave it out, or "
        f"name a metric that is: {alternatives}",
        param_hint=f"--{idle.option} -m",
    )


def _data_of(metric: "Metric") -> list[tuple[str, ...]]:
    """The names of the data that suffice for the metric, each way by itself; empty where it does not say."""
    return [kind.arguments for kind in metric.input_types if hasattr(kind, "arguments")]


def _looks_at(metric: "Metric", argument: Argument) -> bool:
    """True if the metric may be computed from the data."""
    data = _data_of(metric)
    return not data or any(name in argument.names for names in data for name in names)


def check_counts(task: Task, options: Mapping[str, Any], compared: bool = False) -> None:
    """Refuse several columns where the task takes one, and tables that do not fit each other."""
    if (wrong := _wrong_count(task, options, compared)) is not None:
        raise UsageError(wrong[1], param_hint=f"--{wrong[0]}")


def _wrong_count(task: Task, options: Mapping[str, Any], compared: bool) -> tuple[str, str] | None:
    """The option with a wrong number of columns, and the reason."""
    counts = {
        argument.option: _count(options[argument.option]) for argument in task.data if options.get(argument.option)
    }
    truth = next((argument for argument in task.shared if argument.option in counts and argument.several), None)
    for argument in task.data:
        count = counts.get(argument.option, 0)
        if count > 1 and not argument.several and not (compared and argument.predicted):
            return argument.option, f"give one column for {task.name}"
        if compared or truth is None or not count or not argument.predicted or not argument.several:
            continue
        texts = (*options[argument.option], *options[truth.option])
        if count != counts[truth.option] and not any("," in text for text in texts):
            return argument.option, f"{plural(count, 'column')} for {counts[truth.option]} of --{truth.option}"
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
    remedy = suggestion(baseline, list(names)) or f"there are {', '.join(names)}"
    raise UsageError(f"{baseline!r} is none of the systems; {remedy}", param_hint="--baseline")
