"""Binding of a call's arguments to the data of its task: truth, predictions, weights, groups.

A task declares its arguments (`certus.tasks.Argument`): the names by which Python takes each, the option of the command
line, what its cells hold, and whether each system has its own. Every call is bound to them in the same steps:

1. *Arrays* come with their arguments already. *Names of columns* become a `Binding`: names and conventions by any name
   of their arguments, the metrics, and the columns of each system where systems are compared. Python's keywords, Spark
   and the options of the command line each fill one; the command line only takes ``NAME=COL,COL``, ``CLASS=COL`` and
   lists apart.
2. *The task* is the one named, or follows from the names of the data, the metrics, the conventions and, where it is in
   memory, the values (`certus.evaluation.infer`). `Binding.resolve` asks with the columns of a table, or of a first
   batch.
3. *The columns* of a table in memory are read by `Binding.read`; those of a file by the strict reader, and those of
   batches into a state, both by the names in `Binding.wanted`.
4. Errors and notes that leave the call name what the user named: `Binding.words` has the columns, the command line has
   its options (`certus.core.errors.options_for`).

Then both make a `Call`: `certus.evaluate` makes `Systems` of it and a table of these; `certus.compare` makes material
and a comparison of it. Neither calls itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core import registry
from certus.core.errors import DataError, MetricNameError, keyword
from certus.core.missing import MissingWords
from certus.data.classes import names_of
from certus.data.columns import axes, coded, is_column, refuse_missing
from certus.data.multilabel import are_label_sets, tables_of_sets
from certus.evaluation.cases import Systems, parse_metrics
from certus.evaluation.infer import (
    Reading,
    first_task,
    fitting_tasks,
    has_fractions,
    metric_list,
    reading_of,
    single_task,
)
from certus.evaluation.rules import USED_UP, check_labels, decide, rules_of
from certus.io.batches import columns_of, is_named
from certus.io.columns import Wanted
from certus.metrics import Metric, declared
from certus.metrics.names import Metrics, parse

if TYPE_CHECKING:
    from certus.tasks import Argument, Task

Names = str | Sequence[str]
"""One column, or several that an argument has together."""


@dataclass(frozen=True)
class Binding:
    """The columns and conventions that a call names, its metrics and its task.

    Attributes
    ----------
    columns
        The names of the columns of all samples by any name of their arguments; once the task is known, by the first.
    conventions
        The other keywords of the task.
    metrics
        The metrics that are asked for; None: the default ones.
    known_task
        None: it is still to be inferred.
    systems
        The names of the columns of each system that is compared, by their arguments; None: one system without a name.
    note
        What a result says of the task, where the values decided.
    """

    columns: Mapping[str, Names]
    conventions: Mapping[str, Any]
    metrics: Metrics | None = None
    known_task: "Task | None" = None
    systems: Mapping[str, Mapping[str, Names]] | None = None
    note: str | None = None

    @classmethod
    def from_keywords(cls, keywords: Mapping[str, Any], metrics: Metrics | None, task: str | None) -> "Binding":
        """Sort the keywords of a call into names of columns and conventions."""
        # "labels" are the clusters of clustering, but a convention of classification.
        tasks = registry.tasks()
        aliases = {"by"}.union(*[task.aliases for task in tasks]).difference(*[task.settings for task in tasks])
        set_keywords = {key: value for key, value in keywords.items() if value is not None}
        for key, value in set_keywords.items():
            if key in aliases and not is_named(value):
                raise DataError(
                    f"is a {type(value).__name__}, but other keywords name columns of data",
                    "name its column, too",
                    argument=key,
                )
        return cls(
            {key: value for key, value in set_keywords.items() if key in aliases},
            {key: value for key, value in set_keywords.items() if key not in aliases},
            metrics,
            None if task is None else registry.task(task),
        )

    @classmethod
    def of_comparison(
        cls, systems: Any, keywords: Mapping[str, Any], metrics: Metrics | None, task: str | None, table: Any = None
    ) -> "Binding":
        """Binding for a comparison of systems in columns; infers the task from metrics or from a table's values."""
        for name in (keywords["truth"], *(systems if isinstance(systems, list | tuple) else ())):
            refuse_number(name, "truth" if name is keywords["truth"] else "predictions")
        if isinstance(systems, list | tuple) and all(isinstance(name, str) for name in systems):
            systems = {name: name for name in systems}
        if rules_of(keywords) and isinstance(systems, Mapping):  # a bare column is one of scores
            systems = {
                name: column if isinstance(column, Mapping) else {"score": column} for name, column in systems.items()
            }
            task = task or ("classification" if isinstance(keywords["truth"], str) else "multilabel")
        note = None
        if metrics is None and task is None and (reading := _reading_of_columns(table, systems, keywords)) is not None:
            task, note = reading.task, reading.note
            alias = registry.task(task).predicted[int(reading.are_scores)].name
            systems = {system: {alias: column} for system, column in systems.items()}
        if metrics is None:
            metrics = _metrics_of_columns(systems, keywords, task)
        shared = cls.from_keywords(keywords, metrics, None)
        if not isinstance(systems, Mapping):
            raise DataError(
                f"is a {type(systems).__name__}",
                "where columns are named give those of the systems, as ['old', 'new'] or {'old': column, 'new': "
                "column}",
                argument="predictions",
            )
        if task is not None:
            chosen = registry.task(task, registry.names(paired=True))
        else:
            chosen = _compared_task(metrics, 1 if isinstance(shared.columns.get("truth"), str) else 2)
        chosen_metrics = parse_metrics(metrics, chosen.name)
        columns: dict[str, dict[str, Names]] = {}
        for system, prediction in systems.items():
            columns[str(system)] = predicted_by_argument(chosen, str(system), prediction, chosen_metrics)
            for name, names in columns[str(system)].items():
                if not is_named(names):
                    raise DataError(f"{name!r}: {names!r} is not a column of predictions", "name one", location=system)
        bound = replace(shared.with_task(chosen), systems=columns, note=note)
        first = chosen.shared[0].name
        chosen.check_compared((*(name for name in bound.columns if name != first), *bound.conventions))
        return bound

    @property
    def task(self) -> "Task":
        """Task of the columns; an error before it is inferred."""
        if self.known_task is None:
            raise TypeError("the task of the columns is not known yet")
        return self.known_task

    def with_task(self, task: "Task") -> "Binding":
        """Binding with this task, whose argument names replace the aliases of columns."""
        return replace(self, columns=columns_by_argument(task, self.columns), known_task=task)

    def resolve(self, table: Any, tasks: Iterable[str]) -> "Binding":
        """Binding with a task: the known one, or the only candidate that fits the table."""
        if self.known_task is not None:
            return self.with_task(self.known_task)
        fitting: dict[str, Binding] = {}
        refusals: list[tuple[int, MetricNameError]] = []
        for task in map(registry.task, tasks):
            steps_passed = 0
            try:
                bound = self.with_task(task)
                steps_passed = 1
                if self.metrics is not None:
                    parse_metrics(self.metrics, task.name)
                steps_passed = 2
                data, _ = bound.read(table, ("by",))
                truth = data.pop(task.shared[0].name, None) if task.shared else None
                if task in fitting_tasks(truth, None, self.metrics, {**data, **self.conventions}):
                    fitting[task.name] = bound
                elif not task.enough(bound.columns):
                    options = {name: task.argument(name).option for needed in task.needs for name in needed}
                    needed_columns = " or ".join(
                        " and ".join(options[name] for name in needed) for needed in task.needs
                    )
                    raise MetricNameError(f"{task.name} needs the columns {needed_columns}", "name them")
            except MetricNameError as error:
                refusals.append((steps_passed, error))
        if refusals and not fitting:
            raise max(refusals, key=lambda refusal: refusal[0])[1]
        return _with_reading(fitting, table)

    def with_scores(self, truth: Any, predictions: Sequence[Any]) -> "Binding":
        """Binding that reads the column of predictions as scores, if it has fractions and the task takes both."""
        if len(self.task.predicted) < 2 or self.task.predicted[0].name not in self.columns or len(predictions) != 1:
            return self
        labels, scores = (argument.name for argument in self.task.predicted[:2])
        metrics = None if self.metrics is None else parse_metrics(self.metrics, self.task.name)
        if not has_fractions(predictions[0]) or role(self.task, truth, predictions[0], metrics) != scores:
            return self
        return replace(self, columns={scores if name == labels else name: of for name, of in self.columns.items()})

    def read(self, table: Any, without: Sequence[str] = ()) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Read from a table the columns of all samples, by argument, and those of each system."""
        shared = columns_of(table, {name: names for name, names in self.columns.items() if name not in without})
        return shared, {system: columns_of(table, names) for system, names in (self.systems or {}).items()}

    @property
    def wanted(self) -> Wanted:
        """Names of the columns to read, sorted by their content: labels, numbers or keys."""
        tasks = [*reversed(registry.tasks()), *([] if self.known_task is None else [self.known_task])]
        arguments: dict[str, Argument] = {}
        for task in tasks:
            arguments |= task.by_alias
        columns_by_kind: dict[str, list[str]] = {"labels": [], "numbers": [], "keys": []}
        for columns in (self.columns, *(self.systems or {}).values()):
            for key, names in columns.items():
                kind = self.holds(arguments[key]) if key in arguments and arguments[key].column else "keys"
                columns_by_kind[kind] += [names] if isinstance(names, str) else list(names)
        return Wanted(
            tuple(columns_by_kind["labels"]), tuple(columns_by_kind["numbers"]), tuple(columns_by_kind["keys"])
        )

    def holds(self, argument: "Argument") -> str:
        """The kind of cells that an argument's column has; values with a positive word are read as words."""
        has_words = "pos_label" in self.conventions and argument.name == "values"
        return "keys" if has_words else argument.holds

    @property
    def words(self) -> dict[str, str]:
        """Names for the arguments in error messages: the columns they were read from."""
        return column_words(self.task, self.columns)


def _with_reading(fitting: Mapping[str, Binding], table: Any) -> Binding:
    """Binding of the only task that fits, or of the one that the columns' values suggest."""
    tasks = list(map(registry.task, fitting))
    bound = fitting[(tasks[0] if tasks else single_task(tasks)).name]
    values, _ = bound.read(table, ("by",))
    truth = values.get(bound.task.shared[0].name) if bound.task.shared else None
    predictions = [values[argument.name] for argument in bound.task.predicted if argument.name in values]
    if len(tasks) > 1:
        if (reading := reading_of(truth, predictions, fitting)) is None:
            single_task(tasks)
        else:
            bound = replace(fitting[reading.task], note=reading.note)
    return bound.with_scores(truth, predictions)


def columns_by_argument(task: "Task", columns: Mapping[str, Any]) -> dict[str, Any]:
    """Replace aliases of arguments by the task's argument names."""
    by_argument: dict[str, Any] = {}
    for key, column in columns.items():
        if (name := "by" if key == "by" else task.aliases.get(key)) is None:
            options = ", ".join(dict.fromkeys(argument.option for argument in task.columns))
            raise MetricNameError(f"is not a column of {task.name}", f"these are {options} and by", argument=key)
        if name in by_argument:
            raise DataError("is given twice", "give it once", argument=name)
        by_argument[name] = column
    return by_argument


def predicted_by_argument(
    task: "Task", system: str, prediction: Any, metrics: Sequence[Metric] | None
) -> dict[str, Any]:
    """Replace aliases in a system's predictions by the task's argument names; a bare column gets its name."""
    if not isinstance(prediction, Mapping):
        return {predicted_argument(task, metrics): prediction}
    by_argument = {}
    for key, column in prediction.items():
        name = task.aliases.get(key)
        if name is None or not task.argument(name).predicted:
            raise MetricNameError(f"{key!r} is not a prediction of {task.name}", location=system)
        by_argument[name] = column
    return by_argument


def column_words(
    task: "Task", columns: Mapping[str, Names], systems: Mapping[str, Mapping[str, Names]] | None = None
) -> dict[str, str]:
    """Names for the arguments in error messages: the columns that were passed for them."""
    names_by_argument = {
        alias: columns[argument.name]
        for argument in task.columns
        if argument.name in columns
        for alias in argument.names
    }
    for system, names_of_system in (systems or {}).items():
        names_by_argument |= {of_system(name, system): names for name, names in names_of_system.items()}
    return {
        name: f"column {names!r}" if isinstance(names, str) else f"columns {names}"
        for name, names in names_by_argument.items()
    }


def of_system(name: str, system: str | None) -> str:
    """Name of an argument in a message, with the system whose column it is."""
    return name if system is None else f"{name} of {system}"


def names_columns(truth: Any, keywords: Mapping[str, Any]) -> bool:
    """True if some keywords of an evaluation name columns of a table."""
    aliases = {"truth"}.union(*[task.aliases for task in registry.tasks()])
    values = {"truth": truth, **{key: value for key, value in keywords.items() if key in aliases}}
    for key, value in values.items():
        refuse_number(value, key)
    return is_named(truth) or any(isinstance(value, str) for value in values.values())


def refuse_number(name: object, argument: str) -> None:
    """Refuse a number as the name of a column."""
    if isinstance(name, int | np.integer):
        problem = f"is {name}, but columns are named by text"
        raise DataError(problem, "name all by text first, as data.rename(columns=str) does", argument=argument)


def predicted_argument(task: "Task", metrics: Sequence[Metric] | None) -> str:
    """Argument for a bare column of a system: the only prediction that the metrics are computed from."""
    data = {name for metric in (declared(task.name) if metrics is None else metrics) for name in metric.arguments}
    names = [argument.name for argument in task.predicted if data & {*argument.names}]
    if len(names) != 1:
        raise DataError(
            f"the metrics are computed from {' and '.join(names)}",
            f"give each system's by name, as in {{'system': {{{names[0]!r}: ..., {names[-1]!r}: ...}}}}",
        )
    return names[0]


def role(task: "Task", truth: Any, column: Any, metrics: Sequence[Metric] | None) -> str:
    """Argument for a bare array of a system: the one that all metrics take, or the one it looks like."""
    roles = task.predicted
    if metrics is not None:
        roles = tuple(argument for argument in roles if all(_accepts(metric, argument) for metric in metrics)) or roles
    if len(roles) == 1:
        return roles[0].name
    if not any(len({argument.name for argument in roles} & set(needed)) == 1 for needed in task.needs):
        names = " and ".join(argument.name for argument in roles)
        raise DataError(f"{task.name} takes {names} of each system", "give them by name, as {name: column}")
    # Where there is no truth, a bare column is what the task is about first.
    scores = bool(task.shared) and (axes(column) > axes(truth) or has_fractions(column))
    return roles[1 if scores else 0].name


def _accepts(metric: Metric, argument: "Argument") -> bool:
    """True if one of the metric's data types takes this argument as a column."""
    return any(name in argument.names for kind in metric.input_types for name in getattr(kind, "arguments", ()))


@dataclass(frozen=True)
class Call:
    """Checked arguments of `certus.evaluate`; `keywords` are other data and conventions, `note` is on the task."""

    task: "Task"
    truth: Any
    predictions: Any
    metrics: Sequence[Metric] | None
    keywords: Mapping[str, Any]
    name: str | None
    missing: MissingWords | None = None
    note: str | None = None


def refuse_missing_words(task: "Task", columns: Mapping[str, Any], missing: MissingWords | None) -> None:
    """Refuse columns of labels, groups or ids with a word that the call declares as missing value."""
    for name, values in columns.items() if missing is not None else ():
        argument = task.argument(name)
        if values is None or not argument.column:
            continue
        if argument.holds != "numbers" and (axes(values) == 1 or is_column(values)):
            refuse_missing(coded(values, name), name, missing)
        elif argument.marks and missing is not None and (names := names_of(values)) is not None:
            remedy = "rename or leave out such columns first"
            missing.refuse_names(names, "has a column named", remedy, argument=name)


def with_labels(call: Call) -> Call:
    """The call with labels in place of scores, where it has a threshold or a budget."""
    if USED_UP.isdisjoint(call.keywords) or not (rules := rules_of(call.keywords)):
        return call
    task, keywords, name = call.task, {**call.keywords}, call.name
    if task.decide is None:
        raise MetricNameError(f"does not apply to {task.name}", "leave it out", argument=rules[0].name)
    check_labels(task, rules, call.metrics)
    truth = keywords.pop(task.shared[0].name, None) if call.truth is None else call.truth
    refuse_missing_words(task, {task.shared[0].name: truth}, call.missing)
    predicted = {argument.name for argument in task.predicted}
    predictions = call.predictions
    if predictions is None:
        predictions = {key: keywords.pop(key) for key in predicted if keywords.get(key) is not None}
    is_single = not isinstance(predictions, Mapping) or {*predictions} <= predicted
    systems = {name or "": predictions} if is_single else predictions
    decided = decide(task, rules, truth, systems, keywords)
    decided_predictions = decided.predictions
    if is_single and len(rules) == 1:
        decided_predictions = next(iter(decided.predictions.values()))
    elif is_single:
        name = None
    note = "; ".join(filter(None, (call.note, decided.sentence))) or None
    return replace(
        call,
        truth=decided.truth,
        predictions=decided_predictions,
        keywords=decided.keywords,
        name=name,
        note=note,
    )


def systems_of_columns(call: Call) -> Systems:
    """Prepare the systems of a task whose data are columns."""
    task, truth, predictions, name = call.task, call.truth, call.predictions, call.name
    data = {
        argument.name: call.keywords[argument.name]
        for argument in task.data
        if call.keywords.get(argument.name) is not None
    }
    conventions = {key: value for key, value in call.keywords.items() if key not in data}
    shared = list(task.shared)
    if not shared and predictions is None:
        truth, predictions = None, truth
    if truth is not None:
        if not shared:
            raise DataError(f"{task.name} has no truth", "give None for it")
        _add(data, shared[0].name, truth)
    make_samples = task.samples()
    refuse_missing_words(task, {**data, **conventions}, call.missing)
    systems = _predictions_by_system(task, data.get(shared[0].name) if shared else None, predictions, call.metrics)
    if systems is None:
        return Systems(task, {name or "predictions": make_samples(task, data, conventions)})
    if name is not None and list(systems) != [""]:
        raise DataError(
            f"is {name!r}, but predictions are given by the names of their systems", "leave it out", argument="name"
        )
    cases = {}
    for system, system_columns in systems.items():
        all_columns = dict(data)
        for key, values in system_columns.items():
            _add(all_columns, key, values)
        refuse_missing_words(task, system_columns, call.missing)
        cases[system or name or "predictions"] = make_samples(task, all_columns, conventions)
    return Systems(task, cases)


def with_tables(
    task: str | None, truth: Any, predictions: Any, keywords: Mapping[str, Any]
) -> tuple[str | None, Any, Any]:
    """Task, truth and predictions, with tables in place of lists that have a set of labels for each sample."""
    if predictions is None or isinstance(truth, str) or not are_label_sets(truth):
        return task, truth, predictions
    systems: dict[Any, Any] = dict(predictions) if isinstance(predictions, Mapping) else {"predictions": predictions}
    columns = {
        f"{name}{key}": sets
        for name, system in systems.items()
        for key, sets in (system.items() if isinstance(system, Mapping) else [("", system)])
    }
    true, *predicted = tables_of_sets({"truth": truth, **columns}, keywords.get("labels")).values()
    tables = iter(predicted)
    for name, system in systems.items():
        systems[name] = {key: next(tables) for key in system} if isinstance(system, Mapping) else next(tables)
    return task or "multilabel", true, systems if isinstance(predictions, Mapping) else systems["predictions"]


def _add(data: dict[str, Any], name: str, values: Any) -> None:
    """Add an array to the data by argument; refuse a second one for the same argument."""
    if name in data:
        raise DataError("is given twice", "give it once", argument=name)
    data[name] = values


def _predictions_by_system(
    task: "Task", truth: Any, predictions: Any, metrics: Sequence[Metric] | None
) -> dict[str, dict[str, Any]] | None:
    """Predictions of each system by argument; ``""`` names a single unnamed system. None without predictions."""
    if predictions is None:
        return None
    valid_names = {argument.name for argument in task.predicted}
    if not isinstance(predictions, Mapping):
        return {"": {role(task, truth, predictions, metrics): predictions}}
    if predictions and set(predictions) <= valid_names:
        return {"": dict(predictions)}
    if not predictions:
        raise DataError("is an empty dict", "give at least one system", argument="predictions")
    check_names([str(system) for system in predictions], "predictions")
    systems = {}
    for system, system_columns in predictions.items():
        if isinstance(system_columns, Mapping):
            if unknown := [key for key in system_columns if key not in valid_names]:
                raise DataError(
                    f"has {unknown[0]!r}",
                    f"what {task.name} knows of a system is {', '.join(sorted(valid_names))}",
                    argument="predictions",
                    subject=f"predictions[{system!r}]",
                )
            systems[str(system)] = dict(system_columns)
        else:
            systems[str(system)] = {role(task, truth, system_columns, metrics): system_columns}
    return systems


def check_names(names: Sequence[str], argument: str) -> None:
    """Refuse two systems with the same name, and a blank name."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two systems in {argument} are named {twice!r}", "give each a name of its own")
    blank = next((name for name in names if not name.strip()), None)
    if blank is not None:
        raise DataError(f"a system in {argument} is named {blank!r}", "give it a name that can be seen")


def _compared_task(metrics: Metrics, n_axes: int) -> "Task":
    """First task that has all these metrics, compares systems, and takes a truth with this number of axes."""
    tasks = [task for task in registry.tasks() if task.paired and task.data[0].column and n_axes in task.data[0].axes]
    name = first_task(tasks, metrics)
    if (task := next((task for task in tasks if task.name == name), None)) is None:
        metric_names = ", ".join(map(str, metric_list(metrics)))
        raise MetricNameError(f"no task compares {metric_names} of such columns", f"say which with {keyword('task')}")
    return task


def _reading_of_columns(table: Any, systems: Any, keywords: Mapping[str, Any]) -> Reading | None:
    """Infer the task from the values of named columns, if each system has one; None without a table."""
    if table is None or not isinstance(systems, Mapping) or not all(map(is_named, systems.values())):
        return None
    truth = columns_of(table, {"truth": keywords["truth"]})["truth"]
    candidates = [task for task in registry.tasks() if task.paired and task.data[0].column]
    reading = reading_of(truth, list(columns_of(table, systems).values()), [task.name for task in candidates])
    if reading is None:
        single_task(candidates)
    return reading


def _metrics_of_columns(systems: Any, keywords: Mapping[str, Any], task: str | None) -> Metrics:
    """Default metrics for a comparison of columns that names a task but no metrics."""
    if task is None:
        raise MetricNameError(
            "is None", "where columns are named, name at least one metric, or the task", argument="metrics"
        )
    chosen = registry.task(task, registry.names(paired=True))
    predicted = {argument.name for argument in chosen.predicted}
    of_systems = list(systems.values()) if isinstance(systems, Mapping) else [None]
    if len(predicted) > 1 and not all(isinstance(names, Mapping) and names for names in of_systems):
        raise MetricNameError(
            "is None",
            "name at least one metric, or say what the columns of each system are, as in {'old': {'pred': 'column'}}",
            argument="metrics",
        )
    predictions = [
        {chosen.aliases.get(key, key) for key in names} if isinstance(names, Mapping) else predicted
        for names in of_systems
    ]
    shared = {chosen.aliases.get(key, key) for key, names in keywords.items() if names is not None}
    return default_metrics(chosen, {chosen.shared[0].name, *shared}, predictions)


def default_metrics(task: "Task", shared: Iterable[str], predictions: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Default metrics of a comparison: those computable from the data named `shared` and each of `predictions`."""
    names = {*shared, *set.intersection(*map(set, predictions))}
    if names & USED_UP:  # which make labels of the scores
        names = names - {task.predicted[1].name} | {task.predicted[0].name}
    available = {alias for argument in task.data if names & {*argument.names} for alias in argument.names}
    computable = tuple(
        name
        for name in task.compared
        if any({*getattr(kind, "arguments", ())} <= available for kind in parse(name, task=task.name).input_types)
    )
    if not computable:
        known_as = ", ".join(task.compared)
        raise MetricNameError("name a metric", f"the usual ones ({known_as}) are computed from other data")
    return computable
