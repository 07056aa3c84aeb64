"""Comparisons of systems whose predictions are columns of tables, also in batches."""

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from certus import registry
from certus.errors import DataError, MetricNameError, keyword
from certus.evaluation.infer import compared_metrics
from certus.evaluation.items import parse_metrics
from certus.io.batches import batches_of, columns_of, is_named, is_table
from certus.io.columns import Wanted
from certus.metrics.names import MetricLike, Metrics, task_of
from certus.states._batch import Reader
from certus.states._state import State
from certus.states._stream import Named as NamedColumns
from certus.states._stream import columns_called, fill
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.comparison import Comparison


class NamedSystems(NamedTuple):
    """A comparison of columns.

    Attributes
    ----------
    task
        What the metrics are of.
    shared
        The names of the columns that belong to the samples, by their arguments.
    systems
        Those of each system.
    metrics
        What they are compared by.
    conventions
        The other keywords of the task.
    """

    task: Task
    shared: dict[str, Any]
    systems: dict[str, dict[str, Any]]
    metrics: Metrics
    conventions: dict[str, Any]

    @classmethod
    def of(cls, systems: Any, metrics: Metrics | None, told: Mapping[str, Any], task: str | None) -> "NamedSystems":
        """The columns that a call names.

        Parameters
        ----------
        systems
            A list of names of columns, each a system; or ``{system: column}``, or ``{system: {argument: column}}``.
        metrics, told, task
            As for `certus.compare`; the truth, weights and groups are names.
        """
        if metrics is None:
            metrics = _usual(systems, told, task)
        named = NamedColumns.of(told)
        if isinstance(systems, list | tuple) and all(isinstance(name, str) for name in systems):
            systems = {name: name for name in systems}
        if not isinstance(systems, Mapping):
            raise DataError(
                f"is a {type(systems).__name__}",
                "where columns are named give those of the systems, as ['old', 'new'] or {'old': column, 'new': "
                "column}",
                argument="predictions",
            )
        its = _task(metrics, named.columns.get("truth"), task)
        reader = Reader(its, parse_metrics(metrics, its.name), classes=True, systems=list(map(str, systems)))
        found: dict[str, dict[str, Any]] = {}
        for system, own in systems.items():
            listed = own if isinstance(own, Mapping) else {reader.argument: own}
            for key, names in listed.items():
                name = its.aliases.get(key)
                if name is None or not its.argument(name).predicted or not is_named(names):
                    raise DataError(f"{key!r}: {names!r} is not a column of predictions", "name one", place=system)
                found.setdefault(str(system), {})[name] = names
        shared = named.of_task(its)
        its.check_compared((*(name for name in shared if name != its.shared[0].name), *named.conventions))
        return cls(its, shared, found, metrics, named.conventions)

    @property
    def wanted(self) -> Wanted:
        """The columns to read, by what they hold."""
        kinds: dict[str, list[str]] = {"labels": [], "numbers": [], "keys": []}
        for columns in (self.shared, *self.systems.values()):
            for name, names in columns.items():
                kinds[self.task.argument(name).holds] += [names] if isinstance(names, str) else names
        return Wanted(tuple(kinds["labels"]), tuple(kinds["numbers"]), tuple(kinds["keys"]))

    def state(self, memory: int | str | None = None) -> State:
        """An empty state of the systems."""
        return State(self.metrics, task=self.task.name, systems=list(self.systems), memory=memory, **self.conventions)


def _task(metrics: Metrics, truth: Any, name: str | None) -> Task:
    """The task that is named, or the first whose metrics these are and whose truth is as many columns."""
    if name is not None:
        return registry.task(name, registry.names(paired=True))
    listed = [metrics] if isinstance(metrics, MetricLike) else list(metrics)
    axes = 2 if isinstance(truth, list | tuple) else 1
    for each in registry.tasks():
        own = [getattr(metric, "task", each.name) == each.name and task_of(metric, [each.name]) for metric in listed]
        if each.paired and each.name != "ranking" and axes in each.data[0].axes and all(own):
            return each
    raise MetricNameError(
        f"no task compares {', '.join(map(str, listed))} of such columns", f"say which with {keyword('task')}"
    )


def _usual(systems: Any, told: Mapping[str, Any], task: str | None) -> Metrics:
    """The metrics of a comparison that names none, by what its columns hold."""
    if task is None:
        raise MetricNameError(
            "is None", "where columns are named, name at least one metric, or the task", argument="metrics"
        )
    its = registry.task(task, registry.names(paired=True))
    alone = {each.name for each in its.predicted} if len(its.predicted) == 1 else set[str]()
    own = list(systems.values()) if isinstance(systems, Mapping) else [None]
    roles: list[set[Any]] = [
        {its.aliases.get(key, key) for key in each} if isinstance(each, Mapping) else alone for each in own
    ]
    if not all(roles):
        raise MetricNameError(
            "is None",
            "name at least one metric, or say what the columns of each system are, as in {'old': {'pred': 'column'}}",
            argument="metrics",
        )
    shared = {its.shared[0].name, *(its.aliases[name] for name, each in told.items() if each and name in its.aliases)}
    return compared_metrics(its, {each.name for each in its.data} & (shared | set.intersection(*roles)))


def compare_columns(
    data: Any,
    systems: Any,
    metrics: Metrics | None,
    told: Mapping[str, Any],
    task: str | None,
    options: Mapping[str, Any],
) -> "Comparison":
    """The comparison of systems by the columns of a table, of batches, or of files; see `certus.compare`."""
    named = NamedSystems.of(systems, metrics, told, task)
    if is_table(data):
        from certus.comparison.predictions import compare_predictions

        shared = columns_of(data, named.shared)
        predictions = {system: columns_of(data, names) for system, names in named.systems.items()}
        truth = shared.pop(next(each.name for each in named.task.shared if each.name in shared))
        with columns_called(named.task, named.shared):
            told = {**shared, **named.conventions, **options}
            return compare_predictions(truth, predictions, named.metrics, named.task.name, told)
    state = named.state()
    batches = batches_of(data, named.wanted)
    first = next(batches, None)
    if first is None:
        raise DataError("has no batches", "give at least one", argument="data")
    fill(state, chain([first], batches), named.shared, systems=named.systems)
    return state.compare(**options)
