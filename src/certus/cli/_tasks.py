"""The task of a command line: named, the one that its options fit, or the one that the values of a table decide."""

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from certus.cli._binding import NamedColumns, Options, check_columns, list_of, several
from certus.cli._declare import UsageError, proposed
from certus.core import registry
from certus.core.errors import DataError, MetricNameError, name_options
from certus.core.spelling import abridged, plural, suggestion
from certus.io.sources import existing
from certus.tasks import Argument, Task

if TYPE_CHECKING:
    from certus.io.predictions import Predictions
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


def ranking_columns(options: dict[str, Any], task: str | None) -> dict[str, Any]:
    """Take the columns of rankings from options with --query or --document; by Python's keywords."""
    names = [name for name in ("query", "document") if name in options]
    if not names or task not in (None, "ranking"):  # whoever checks the options of that task refuses them
        return {}
    if odd_options := (_data_options(registry.tasks()) & {*options}) - {"truth", "score"}:
        raise UsageError(f"is a column of rankings, which have no {flags(sorted(odd_options))}", f"--{names[0]}")
    columns: dict[str, Any] = {
        name: options.pop(name) for name in ("query", "document", "truth", "score") if name in options
    }
    if (truth := columns.get("truth")) is not None and not isinstance(truth, str):
        if len(truth) > 1:
            raise UsageError("give one column of grades", "--truth")
        columns["truth"] = truth[0]
    if len(score := columns.get("score", [])) == 1:
        columns["score"] = score[0]
    return columns


def check_metrics(task: Task, metrics: Sequence[str] | None, options: Mapping[str, Any]) -> None:
    """Refuse metrics of another task than the options, before any file is read."""
    from certus.metrics.names import task_of

    for text in metrics or ():
        if task_of(text, registry.names()) and not task_of(text, [task.name]):
            data = flags(argument.option for argument in task.data if options.get(argument.option))
            raise UsageError(f"{text} is not a metric of {task.name}", f"{data} -m")


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
            existing(file)  # one that is missing says so itself
        if file:
            propose(file)
        ways = "--truth COL --pred COL, --truth COL --score COL or --value COL"
        # results of evaluation tools were looked for before
        results = f"; {file} was read: no result of a tool that certus knows" if file else ""
        raise UsageError(
            f"give qrels and {'two or more runs' if first else 'runs'}; or a table and its columns: {ways}{results}",
            "QRELS RUN...",
        )
    complete, fitting = _fitting_tasks(options, metrics, compared=first)
    if len(fitting) == 1 or (first and fitting):
        return fitting[0]
    if fitting:
        if file:
            check_columns(file, fitting[0], options)
        names = ", ".join(task.name for task in fitting)
        raise UsageError(f"say which task these columns are of: {names}", "--task")
    if complete:  # an option does not apply to it
        return complete[0]
    tables = _tasks_of_tables(compared=first)
    near = [task for task in tables if set_options & _data_options([task])] or tables
    needs = "; ".join(dict.fromkeys(f"{_needed_options(task)} for {task.name}" for task in near))
    hint = flags(sorted(set_options & _data_options(near)), ", ") or "FILE"
    raise UsageError(f"a table needs {needs}", hint)


_USUAL_NAMES: Mapping[str, tuple[str, ...]] = {
    "truth": ("truth", "y_true", "y", "label", "target", "gold", "actual", "ground_truth"),
    "score": ("score", "y_score", "p", "prob", "proba", "probability", "y_prob", "y_proba"),
    "pred": ("pred", "y_pred", "prediction", "predicted", "predicted_label", "guess"),
    "value": (
        "value",
        "correct",
        "is_correct",
        "passed",
        "success",
        "accuracy",
        "exact_match",
        "f1",
        "reward",
        "score",
    ),
    "id": ("id", "item", "item_id", "question_id", "example_id", "sample_id", "doc_id"),
}
"""Names of columns by the options that a command for a table is proposed with."""


def propose(file: str, *, compared: bool = False) -> None:
    """Refuse a table whose columns no option names, with a command that names them; pass what is no such table."""
    from certus.evaluation.infer import has_fractions
    from certus.io import read_predictions
    from certus.io.columns import are_data, is_header

    if not os.path.isfile(file):  # to open a pipe again would wait for ever
        return
    try:
        source = read_predictions(file)
    except DataError:
        return
    columns = source.columns
    if len(columns) < 2 or is_header(columns):
        return
    if are_data(columns):
        problem = f"the first line must name the columns, but it looks like data: {', '.join(map(repr, columns[:8]))}"
        raise DataError(problem, location=file)
    if _is_leaderboard(source):
        problem = f"has a row for each {columns[0]} and a column for each metric: these are means over items or queries"
        raise DataError(problem, "give the value of each item or query, by which systems are compared", location=file)
    usual = {
        option: column
        for option, names in _USUAL_NAMES.items()
        if (column := next((column for name in names for column in columns if column.lower() == name), None))
        is not None
    }
    choices: tuple[tuple[str, ...], ...] = (("truth", "score"), ("truth", "pred"), ("value", "id"), ("value",))
    chosen = next((options for options in choices if all(option in usual for option in options)), None)
    classes = sorted({*_cells(source, usual["truth"]).tolist()}, key=str) if "truth" in usual else []
    if chosen is not None and chosen[0] == "truth":
        column, values = usual[chosen[1]], _cells(source, usual[chosen[1]])
        is_score = len(classes) == 2 and values.dtype.kind == "f" and (chosen[1] == "score" or has_fractions(values))
        chosen = ("truth", "score" if is_score else "pred")
        usual.setdefault(chosen[1], column)
    if chosen is None and len(columns) <= 8:
        numbers = [
            column for column in columns if column != usual.get("id") and _cells(source, column).dtype.kind == "f"
        ]
        if len(numbers) == 1:
            usual["value"], chosen = numbers[0], ("value", "id") if "id" in usual else ("value",)
    if compared:
        truth = usual.get("truth", "COL")
        commands = f"{proposed('--truth', truth, *('--pred', 'COL') * 2)}, or {proposed(*('--value', 'COL') * 2)}"
    elif chosen is None:
        commands = f"{proposed('--truth', 'COL', '--pred', 'COL')}, --truth COL --score COL or --value COL"
    else:
        commands = proposed(*(word for option in chosen for word in (f"--{option}", usual[option])))
        if chosen == ("truth", "score") and len(classes) == 2 and all(isinstance(label, str) for label in classes):
            negative, positive = map(shlex.quote, classes)
            commands += f" --positive {positive} (or --positive {negative})"
    more = f" and {len(columns) - 8} more" if len(columns) > 8 else ""
    raise UsageError(f"{file} has the columns {', '.join(map(repr, columns[:8]))}{more}; say what they are: {commands}")


def _cells(source: "Predictions", column: str) -> Any:
    """A column as numbers, or as labels; none where it cannot be read."""
    import numpy as np

    try:
        return _values(source, [column])
    except DataError:
        return np.empty(0, dtype=object)


_SYSTEMS = ("model", "system", "method", "run", "model_name")
"""Names of the first column of a leaderboard."""


def _is_leaderboard(source: "Predictions") -> bool:
    """True if each row is a system, whose name stands first, and every other column holds numbers."""
    name, *metrics = source.columns
    if name.lower() not in _SYSTEMS:
        return False
    try:
        systems = source.read(numbers=metrics, keys=[name]).keys[name].tolist()
    except DataError:
        return False
    return len({*systems}) == len(systems) <= 500


def _tasks_of_tables(*, compared: bool) -> list[Task]:
    return [task for task in registry.tasks() if task.name != "ranking" and (task.paired or not compared)]


def _fitting_tasks(options: Options, metrics: Sequence[str] | None, *, compared: bool) -> tuple[list[Task], list[Task]]:
    """The tasks that the options suffice for, and those among them that have a use for all options and metrics."""
    set_options = {option for option, value in options.items() if value}
    complete = [task for task in _tasks_of_tables(compared=compared) if _has_enough(task, options)]
    fitting = [
        task
        for task in complete
        if set_options <= _allowed_options(task)
        and _wrong_count(task, options, compared) is None
        and not any(1 not in argument.axes and _count(options.get(argument.option, ())) == 1 for argument in task.data)
    ]
    if metrics and len(fitting) > 1:
        from certus.metrics.names import task_of

        fitting = [task for task in fitting if all(task_of(text, [task.name]) for text in metrics)] or fitting
    return complete, fitting


class ChosenTask(NamedTuple):
    """A task that the values of a table decided, the options in its words, and what the result says of it."""

    task: str | None
    options: dict[str, Any]
    note: str | None


def task_by_values(
    files: Sequence[str],
    options: Options,
    metrics: Sequence[str] | None,
    *,
    compared: bool = False,
    item: str | None = None,
) -> ChosenTask:
    """The task by the values where the options fit several; as given where they fit one or none.

    Of the files that make one table the first is read; of those whose rows an `item` column pairs, all.
    """
    as_given = ChosenTask(None, {**options}, None)
    _, fitting = _fitting_tasks(options, metrics, compared=compared and item is None)
    if not fitting or not files or not fitting[0].shared or len(fitting[0].predicted) < 2:
        return as_given
    labels, scores = (argument.option for argument in fitting[0].predicted[:2])
    if not options.get(labels) or options.get(scores):
        return as_given
    if len(fitting) == 1 and not _take_scores(fitting[0], metrics):  # a second reading would be for nothing
        return as_given
    from certus.evaluation.infer import reading_of
    from certus.io.batches import files_of

    in_batches = several(files) and item is None
    try:
        chosen_files = (
            list(map(str, files_of(files)))[: None if item is not None else 1] if several(files) else list(files)
        )
        read = [
            _prediction_columns(file, fitting[0], options, compared=compared and item is None) for file in chosen_files
        ]
        truth, predictions = read[0][0], [values for columns in read for values in columns[1:]]
        reading = reading_of(truth, predictions, [candidate.name for candidate in fitting])
    except (DataError, UsageError):
        if compared or len(fitting) == 1:  # whoever reads the files says so
            return as_given
        raise
    if len(fitting) == 1:
        return (
            _with_option(as_given, labels, scores) if _are_scores(fitting[0], truth, predictions, metrics) else as_given
        )
    if reading is None:
        raise UsageError(
            "the values may be labels, scores or quantities; if scores of a classifier: "
            f"{proposed(renamed={f'--{labels}': f'--{scores}'})}; if quantities: {proposed('--task', 'regression')}",
            f"--{labels}",
        )
    read_from = f" (by {chosen_files[0]})" if in_batches else ""
    note = None if reading.note is None else name_options(reading.note, {"task": "--task"}) + read_from
    chosen = ChosenTask(reading.task, {**options}, note)
    return _with_option(chosen, labels, scores) if reading.are_scores else chosen


def _take_scores(task: Task, metrics: Sequence[str] | None) -> bool:
    """True if every metric that is named can be computed from scores."""
    from certus.evaluation.cases import parse_metrics

    try:
        chosen = parse_metrics(metrics, task.name) if metrics is not None else []
    except MetricNameError:  # whoever computes it says so
        return False
    return all(_needs(metric, task.predicted[1]) for metric in chosen)


def _with_option(chosen: ChosenTask, old: str, new: str) -> ChosenTask:
    """The choice with what one option gave given by another one."""
    return chosen._replace(options={new if name == old else name: value for name, value in chosen.options.items()})


def _are_scores(task: Task, truth: Any, predictions: Sequence[Any], metrics: Sequence[str] | None) -> bool:
    """True if predictions named as labels are scores to the metrics of a task."""
    from certus.evaluation.binding import role
    from certus.evaluation.cases import parse_metrics
    from certus.evaluation.infer import has_fractions

    chosen = None if metrics is None else parse_metrics(metrics, task.name)
    scores = task.predicted[1].name
    return all(has_fractions(values) and role(task, truth, values, chosen) == scores for values in predictions)


def _prediction_columns(file: str, task: Task, options: Options, *, compared: bool) -> list[Any]:
    """The truth and the predictions, as numbers where they can be; refuse one label that is written in two ways."""
    import numpy as np

    from certus.io import read_predictions

    source = read_predictions(file)
    binding = NamedColumns.from_options(task, options, source.columns, compared=compared).binding
    truth = binding.columns[task.shared[0].name]
    predicted = [system[task.predicted[0].name] for system in (binding.systems or {"": binding.columns}).values()]
    values = [_values(source, list_of(names)) for names in (truth, *predicted)]
    if all(array.dtype.kind == "f" and bool((array == np.floor(array)).all()) for array in values):
        labels = source.read(labels=[name for names in (truth, *predicted) for name in list_of(names)]).labels
        texts = {str(label) for column in labels.values() for label in set(column.tolist())}
        by_number: dict[float, str] = {}
        for text in sorted(texts):
            if by_number.setdefault(float(text), text) != text:
                problem = f"writes one label as {by_number[float(text)]!r} and as {text!r}"
                raise DataError(problem, "write it in one way", location=source.name)
    return values


def _values(source: "Predictions", names: Sequence[str]) -> Any:
    """Columns as numbers, or as labels where they hold text."""
    import numpy as np

    try:
        columns = source.read(numbers=names).numbers
    except DataError:
        columns = source.read(labels=names).labels
    return columns[names[0]] if len(names) == 1 else np.column_stack([columns[name] for name in names])


def check_options(task: Task, options: Mapping[str, Any]) -> None:
    """Refuse options that the task has no use for, and a call without what it needs."""
    for option, value in options.items():
        if value is not None and option not in _allowed_options(task):
            raise UsageError(f"it does not apply to {task.name}", f"--{option}")
        texts = [value] if isinstance(value, str) else [] if value is True else value
        if any(not text.strip() for text in texts):
            raise UsageError("name at least one", f"--{option}")
    if task.name != "ranking" and not _has_enough(task, options):
        raise UsageError(f"{task.name} needs {_needed_options(task)}", "--task")


def check_data(task: Task, metrics: Sequence[str] | None, options: Mapping[str, Any]) -> None:
    """Refuse columns that none of the metrics named is computed from."""
    from certus.evaluation.cases import parse_metrics
    from certus.metrics import declared

    if any(argument.holds == "number" and options.get(argument.option) for argument in task.options):
        return  # scores are made labels
    chosen = parse_metrics(metrics, task.name) if metrics is not None else []
    data = [argument for argument in task.data if options.get(argument.option)]
    idle = next((argument for argument in data if not any(_needs(metric, argument) for metric in chosen)), None)
    names = {name for argument in data for name in argument.names}
    # a metric without its data says so itself
    if not chosen or idle is None or not all(any(map(names.issuperset, _data_of(metric))) for metric in chosen):
        return
    alternatives = abridged([metric.name for metric in declared(task.name) if _needs(metric, idle)], 6)
    texts = list(dict.fromkeys(map(str, chosen)))
    raise UsageError(
        f"{', '.join(texts)} {'is' if len(chosen) == 1 else 'are'} not computed from --{idle.option}; leave it out, or "
        f"name a metric that is: {alternatives}",
        f"--{idle.option} -m",
    )


def _data_of(metric: "Metric") -> list[tuple[str, ...]]:
    """The names of the data that suffice for the metric, each way by itself; empty where it does not say."""
    return [kind.arguments for kind in metric.input_types if hasattr(kind, "arguments")]


def _needs(metric: "Metric", argument: Argument) -> bool:
    """True if the metric may be computed from the data."""
    data = _data_of(metric)
    return not data or any(name in argument.names for names in data for name in names)


def check_counts(task: Task, options: Mapping[str, Any], compared: bool = False) -> None:
    """Refuse several columns where the task takes one, and tables that do not fit each other."""
    if (wrong := _wrong_count(task, options, compared)) is not None:
        raise UsageError(wrong[1], f"--{wrong[0]}")


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
    raise UsageError(f"{baseline!r} is not one of the systems; {remedy}", "--baseline")
