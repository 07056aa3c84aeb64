"""From the options of ``certus compare`` to a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.cli._declare import UsageError
from certus.cli._options import words_of
from certus.cli._predictions import Found, read, together
from certus.cli._task import METRICS_KNOW, check_counts, check_options, chosen_task, known_system
from certus.errors import DataError, options_for
from certus.spelling import plural, repeated
from certus.tasks import Argument, Task
from certus.tasks.values import TASK as VALUES

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.comparison.scores import Ids


@dataclass(frozen=True)
class Asked:
    """The command line of a comparison.

    Attributes
    ----------
    files
        Qrels and runs, tables, or results of evaluation tools.
    metrics, task, baseline
        As they were given.
    columns
        By option the columns, conventions and labels.
    values
        The columns of bare values.
    item, ids
        The column of ids, and the items that are compared where those of systems differ.
    lower_is_better
        Of bare values.
    gate
        The comparison decides whether the systems are worse than the baseline.
    """

    files: tuple[str, ...]
    metrics: tuple[str, ...] | None
    task: str | None
    baseline: str | None
    columns: Mapping[str, Any]
    values: tuple[str, ...]
    item: str | None
    ids: "Ids"
    lower_is_better: bool
    gate: bool

    @property
    def every(self) -> tuple[str, ...]:
        """The files, that of the baseline first where it is one more."""
        more = self.baseline is not None and self.baseline not in self.files and Path(self.baseline).is_file()
        return (str(self.baseline), *self.files) if more else self.files


@dataclass(frozen=True)
class Input:
    """Qrels and runs, or one table, to be compared: checked.

    Attributes
    ----------
    asked
        What was asked for.
    task
        Whose predictions are compared; None of bare values.
    """

    asked: Asked
    task: Task | None

    @classmethod
    def of(cls, asked: Asked) -> "Input":
        """The input of a command line, whose task is the likeliest unless it is named."""
        chosen = None
        if not asked.values:
            ranking = asked.task is None and not any(map(_is_data, asked.columns))
            chosen = chosen_task(asked.task, asked.columns, asked.metrics, ranking=ranking, first=True)
        made = cls(asked, chosen)
        made._check()
        return made

    @property
    def systems(self) -> tuple[str, ...]:
        """The columns, or the paths of runs; of systems with columns of several options, those of the first."""
        if self.task is None:
            return self.asked.values
        return self.asked.files[1:] if self.ranking else tuple(self.asked.columns[self.predicted[0].option])

    @property
    def ranking(self) -> bool:
        """True if retrieval runs are compared."""
        return self.task is not None and self.task.name == "ranking"

    @property
    def predicted(self) -> list[Argument]:
        """The data that each system has its own of."""
        return (
            [] if self.task is None else [each for each in self.task.predicted if self.asked.columns.get(each.option)]
        )

    def _check(self) -> None:
        if self.task is None:
            self._check_values()
        else:
            others = {
                name: given for name, given in self.asked.columns.items() if not (self.ranking and name == "groups")
            }
            check_options(self.task, others)
        if self.task is not None and self.asked.lower_is_better:
            raise UsageError(METRICS_KNOW, param_hint="--lower-is-better")
        if self.ranking:
            self._check_runs()
            return
        self._check_columns()

    def _check_runs(self) -> None:
        if len(self.asked.files) == 1:
            raise UsageError(
                "give qrels and two or more runs; or a table with --truth and --pred or --score, or with --value",
                param_hint="QRELS RUN...",
            )
        self._check_twice("RUN...", "run")
        if self.asked.files.count("-") > 1:
            raise UsageError("standard input can be read only once")

    def _check_values(self) -> None:
        known = {"weight", "groups"}
        for option in self.asked.columns:
            if option not in known:
                raise UsageError("it has no meaning for columns of --value", param_hint=f"--{option}")
        if self.asked.metrics is not None and len(self.asked.metrics) > 1:
            raise UsageError("values have one name; give one", param_hint="-m")

    def _check_columns(self) -> None:
        options = [f"--{each.option}" for each in self.predicted] or ["--value"]
        if self.task is not None:
            check_counts(self.task, self.asked.columns, compared=True)
            columns = self.asked.columns
            lists = [each for each in self.task.conventions if each.holds == "list" and each.option in columns]
            if lists and not any(each.holds == "labels" for each in self.predicted):
                raise UsageError("is for predicted labels", param_hint=f"--{lists[0].option}")
            way = {name for name in self.task.needs if {each.name for each in self.predicted} <= set(name)}
            if not way:
                raise UsageError("compare one kind of predictions at a time", param_hint=", ".join(options))
            if len({len(columns[each.option]) for each in self.predicted}) > 1:
                raise UsageError("give as many of each as there are systems", param_hint=", ".join(options))
        if len(self.systems) < 2:
            raise UsageError("give two or more columns to compare", param_hint=options[0])
        self._check_twice(options[0], "column")

    def _check_twice(self, option: str, what: str) -> None:
        twice = repeated(self.systems)
        if twice is not None:
            message = f"{twice!r} is given twice; a {what} is compared with another one"
            raise UsageError(message, param_hint=option)


def _is_data(option: str) -> bool:
    """True if the option gives data of some task."""
    return any(option == each.option for task in registry.tasks() for each in task.data)


def read_and_compare(given: Input, options: dict[str, Any]) -> "Comparison":
    """Read the files and compare what is in them."""
    words = words_of(given.task) if given.task is not None else {"weights": "--weight", "value_range": "--range"}
    with options_for({**words, "groups": "--groups"}):
        return _runs(given.asked, options) if given.ranking else _table(given, options)


def _runs(given: Asked, options: dict[str, Any]) -> "Comparison":
    from certus.comparison import compare
    from certus.tasks.ranking.case import named_runs

    qrels, *paths = given.files
    asked: dict[str, Any] = {name.replace("-", "_"): str(value) for name, value in given.columns.items()}
    baseline, form = given.baseline, asked.pop("format_of_run", None)
    runs = named_runs(paths, form)
    if baseline is not None and baseline not in dict(runs):
        if baseline not in [run for _, run in runs] and Path(baseline).is_file():
            runs = named_runs([baseline, *paths], form)
        named = [name for name, run in runs if run == baseline]
        baseline = named[0] if named else known_system(baseline, list(dict(runs)))
    if len(runs) < 2:
        raise UsageError("one run was given; a comparison needs two or more", param_hint="RUN...")
    if given.gate and baseline is None and len(runs) > 2:
        raise UsageError("say which system the others must not be worse than", param_hint="--baseline")
    return compare(qrels, dict(runs), given.metrics, task="ranking", baseline=baseline, **options, **asked)


def _table(given: Input, options: dict[str, Any]) -> "Comparison":
    source, found = _values(given, options) if given.task is None else _predicted(given.task, given, options)
    placed = [replace(each, about=": ".join(filter(None, (source.file, each.about)))) for each in found.notices]
    return replace(
        found,
        inputs={source.file: f"xxh3-128:{source.fingerprint}"},
        conventions={**found.conventions, "columns": source.asked},
        notices=tuple(placed),
    )


def _values(given: Input, options: dict[str, Any]) -> tuple[Found, "Comparison"]:
    from certus.comparison import compare_values

    asked = given.asked
    options = {**options, "baseline": known_system(asked.baseline, given.systems)}
    source = read(asked.files[0], VALUES, {**asked.columns, "value": asked.values}, compared=True)
    metric = "value" if asked.metrics is None else asked.metrics[0]
    try:
        found = compare_values(
            dict(source.columns["values"]),
            metric,
            better="lower" if asked.lower_is_better else "metric",
            unit="row",
            groups=source.told.get("groups"),
            weights=source.told.get("sample_weight"),
            **options,
        )
    except DataError as error:
        raise source.located(error) from None
    return source, found


def _predicted(task: Task, given: Input, options: dict[str, Any]) -> tuple[Found, "Comparison"]:
    from certus.comparison import compare

    source = read(given.asked.files[0], task, given.asked.columns, compared=True)
    columns = {each.name: source.columns[each.name] for each in given.predicted}
    shared = {each.name: together(source.columns[each.name]) for each in task.shared if each.name in source.columns}
    _check_widths(given.predicted, columns, task, source)
    systems: dict[str, Any] = {}
    for place, (name, _) in enumerate(columns[given.predicted[0].name]):
        if name in systems:
            message = f"two systems are called {name!r}; name them, as in NAME=COL,COL"
            raise UsageError(message, param_hint=f"--{given.predicted[0].option}")
        own = {key: each[place][1] for key, each in columns.items()}
        systems[name] = own
    options = {**options, "baseline": known_system(given.asked.baseline, list(systems))}
    first, *others = shared
    try:
        found = compare(
            shared[first],
            systems,
            given.asked.metrics,
            task=task.name,
            **options,
            **{name: shared[name] for name in others},
            **source.told,
        )
    except DataError as error:
        raise source.located(error) from None
    return source, found


def _check_widths(
    predicted: Sequence[Argument], columns: Mapping[str, Sequence[tuple[str, Any]]], task: Task, source: Found
) -> None:
    """Refuse a system that has not as many columns as the truth."""
    truth = task.shared[0]
    count = len(source.columns[truth.name])
    for each in predicted:
        for name, values in columns[each.name]:
            own = values.shape[1] if values.ndim > 1 else 1
            if each.of_system and own != count:
                raise UsageError(
                    f"{name!r} has {plural(own, 'column')} for {count} of --{truth.option}; give each system one for "
                    f"each, separated by commas: --{each.option} NAME=COL,COL",
                    param_hint=f"--{each.option}",
                )
