"""From the options of ``certus compare`` to a comparison."""

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from certus import registry
from certus.cli._declare import UsageError
from certus.cli._options import words_of
from certus.cli._predictions import Found, read, together
from certus.cli._task import METRICS_KNOW, check_counts, check_data, check_options, chosen_task, known_system
from certus.errors import DataError, options_for
from certus.note import Note
from certus.spelling import plural, repeated
from certus.tasks import Argument, Task
from certus.tasks.values import TASK as VALUES
from certus.unmatched import pairing

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.comparison.scores import Ids
    from certus.io.scores import Log


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


def _names_of_path(runs: Sequence[tuple[str, Any]], path: str) -> list[str]:
    """Names of the runs that are read from that path."""
    return [name for name, run in runs if isinstance(run, str | os.PathLike) and Path(run) == Path(path)]


def _runs(given: Asked, options: dict[str, Any]) -> "Comparison":
    from certus.comparison import compare
    from certus.tasks.ranking.case import named_runs

    qrels, *paths = given.files
    asked: dict[str, Any] = {name.replace("-", "_"): str(value) for name, value in given.columns.items()}
    baseline, form = given.baseline, asked.pop("format_of_run", None)
    runs = named_runs(paths, form)
    if baseline is not None and baseline not in dict(runs):
        if not _names_of_path(runs, baseline) and Path(baseline).is_file():
            runs = named_runs([baseline, *paths], form)
        named = _names_of_path(runs, baseline)
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


@dataclass(frozen=True)
class ModelsInput:
    """The input of a comparison of models whose predictions are in a file of their own each.

    Attributes
    ----------
    models
        The files, by the names of the models.
    task
        Whose predictions they are.
    baseline
        The model that the others are compared with.
    asked
        What was asked for.
    """

    models: Mapping[str, str]
    task: Task
    baseline: str | None
    asked: Asked

    @classmethod
    def of(cls, asked: Asked) -> "ModelsInput | None":
        """The models in the files; None where these hold runs or one table."""
        data = {each.option for task in registry.tasks() for each in task.data}
        given = next((option for option in asked.columns if option in data), None)
        if len(asked.every) < 2 or given is None:
            return None
        if asked.item is None:
            raise UsageError(
                f"with --{given} of several files, name the column of ids that their rows are paired by",
                param_hint="--id",
            )
        if asked.ids.which == "union":
            raise UsageError("a file that lacks a sample has no prediction of it", param_hint="--ids")
        if asked.lower_is_better:
            raise UsageError(METRICS_KNOW, param_hint="--lower-is-better")
        chosen = chosen_task(asked.task, asked.columns, asked.metrics, ranking=False, first=True)
        check_options(chosen, asked.columns)
        check_counts(chosen, asked.columns)
        with options_for(words_of(chosen)):
            check_data(chosen, asked.metrics, asked.columns)
        models = _files_by_name(asked.every)
        return cls(models, chosen, known_system(asked.baseline, list(models), models), asked)

    @property
    def ranking(self) -> bool:
        """True if the input is retrieval runs."""
        return False

    @property
    def _item(self) -> str:
        """The column of ids."""
        return str(self.asked.item)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.models)

    def compare(self, options: Mapping[str, Any]) -> "Comparison":
        """The comparison."""
        from certus.comparison import compare

        with options_for({**words_of(self.task), "by": "--id"}):
            found = {
                name: read(file, self.task, self.asked.columns, by=self._item) for name, file in self.models.items()
            }
            rows, notices = self._paired(found)
            shared = self._shared(found, rows)
            systems = {name: self._own(each, rows[name], shared) for name, each in found.items()}
            made = compare(
                shared.pop(self.task.shared[0].name),
                systems,
                self.asked.metrics,
                task=self.task.name,
                baseline=self.baseline,
                **options,
                **shared,
            )
        return replace(
            made,
            inputs={each.file: f"xxh3-128:{each.fingerprint}" for each in found.values()},
            conventions={**made.conventions, "columns": {**self.asked.columns, "id": self._item}},
            notices=(*notices, *made.notices),
        )

    def _paired(self, found: Mapping[str, Found]) -> tuple[dict[str, list[int]], tuple[Note, ...]]:
        """The rows of each file in the order of the ids, whatever that of the files."""
        places: dict[str, dict[str, int]] = {}
        for name, each in found.items():
            known = places.setdefault(name, {})
            for row, item in enumerate(map(str, each.by.tolist())):
                if (before := known.setdefault(item, row)) != row:
                    first = each.place(before)
                    raise DataError(f"id {item!r} is that of {first}, too", "keep one", place=each.place(row))
        common = set.intersection(*map(set, places.values()))
        rest = sorted(set().union(*places.values()) - common)
        if rest and self.asked.ids.which == "equal":
            owner = next(name for name, known in places.items() if rest[0] in known)
            other = next(name for name, known in places.items() if rest[0] not in known)
            more = f"; {plural(len(rest) - 1, 'other id')} not in every file either" if len(rest) > 1 else ""
            raise DataError(
                f"id {rest[0]!r} is not in {found[other].file}{more}",
                "predict every sample with each model, or compare those of all files with --ids intersection"
                + (f"; {likely}" if (likely := pairing(places)) else ""),
                place=found[owner].place(places[owner][rest[0]]),
            )
        if not common:
            raise DataError(
                "the files have no id in common, so nothing can be paired",
                f"do the ids mean the same? {pairing(places, always=True)}",
            )
        rows = {name: [known[item] for item in sorted(common)] for name, known in places.items()}
        likely = pairing(places)
        text = (
            f"{plural(len(rest), 'sample')} that not every file has left out; {len(common)} in all are compared"
            f"{likely and '; '}{likely}"
        )
        return rows, (Note(text, kind="unpaired-items", queries=tuple(rest[:3]), count=len(rest)),) if rest else ()

    def _shared(self, found: Mapping[str, Found], rows: Mapping[str, list[int]]) -> dict[str, Any]:
        """Truth and conventions, in which all files must agree, in the order of the rows."""
        (name, first), *others = found.items()
        data = {each.name: each.option for each in self.task.shared if each.name in first.columns}
        by_row = {each.name: each.option for each in self.task.conventions if each.column and each.name in first.told}
        shared = {key: value for key, value in first.told.items() if key not in by_row}
        for key, option in {**data, **by_row}.items():
            values = _values_of(first, key)[rows[name]]
            for other, each in others:
                differs = [
                    one != two
                    for one, two in zip(values.tolist(), _values_of(each, key)[rows[other]].tolist(), strict=True)
                ]
                if any(differs):
                    at = differs.index(True)
                    row = rows[other][at]
                    raise DataError(
                        f"--{option} of id {str(each.by[row])!r} is not that of {first.place(rows[name][at])}",
                        "models are compared on the same samples",
                        place=each.place(row),
                    )
            shared[key] = values
        if (labels := shared.pop("score_labels", None)) is not None:
            chosen = shared.setdefault("labels", labels)
            if set(chosen) != set(labels):
                raise DataError("are not the classes of the scores", "leave it out", argument="labels")
        return shared

    def _own(self, found: Found, rows: Sequence[int], shared: Mapping[str, Any]) -> dict[str, Any]:
        """The predictions of a model; scores of several classes in the order of the labels."""
        own = {}
        for each in self.task.predicted:
            if each.name in found.columns:
                values = together(found.columns[each.name])[rows]
                if each.by_class and (labels := found.told.get("score_labels")) is not None:
                    if set(labels) != set(shared["labels"]):
                        raise DataError("has scores of other classes than the first file", place=found.file)
                    values = values[:, [labels.index(label) for label in shared["labels"]]]
                own[each.name] = values
        return own


def _values_of(found: Found, name: str) -> Any:
    """The data or the convention of that name."""
    return found.told[name] if name in found.told else together(found.columns[name])


def _files_by_name(files: Sequence[str]) -> dict[str, str]:
    """The files by their names without folders where these differ, otherwise by their paths."""
    known: dict[str, str] = {}
    for file in files:
        if (before := known.get(real := os.path.realpath(file))) is not None:
            also = "is given twice" if before == file else f"is the same file as {before!r}"
            raise UsageError(f"{file!r} {also}; give each file once", param_hint="FILE")
        known[real] = file
    short = [Path(file).name for file in files]
    return dict(zip(short if len(set(short)) == len(files) else files, files, strict=True))


_OPTIONS = {"ids": "--ids", "groups": "--groups", "weights": "--weight", "value_range": "--range"}


def logs_of(files: Sequence[str]) -> "list[Log] | None":
    """The results of evaluation tools in the files; None where the first is none."""
    if _judges(files[0]):
        return None
    from certus.io.logs import read_log, required_log

    first = read_log(files[0])
    if first is None:
        return None
    what = f"is not a result of an evaluation tool, as {files[0]} is ({first.title})"
    return [first, *(required_log(file, what) for file in files[1:])]


def _judges(file: str) -> bool:
    """True if a file starts like judgments of TREC, as no result of an evaluation tool does."""
    try:
        with open(file, "rb") if os.path.isfile(file) else nullcontext() as opened:
            line = b"" if opened is None else opened.readline(1 << 12)
    except OSError:
        return False
    fields = line.split()
    return len(fields) == 4 and fields[3].isdigit() and not set(line) & set(b',{"')


def ids_of(which: str | None, missing: float | None) -> "Ids":
    """The items that are compared where those of systems differ."""
    from certus.comparison.scores import Ids

    if which not in (None, "intersection", "union"):
        raise UsageError(f"{which!r} is not intersection or union", param_hint="--ids")
    if which == "union" and missing is None:
        raise UsageError("union needs --missing: what an item counts that a system lacks", param_hint="--ids")
    if missing is not None and which != "union":
        raise UsageError("is for --ids union", param_hint="--missing")
    if missing is not None and not -float("inf") < missing < float("inf"):
        raise UsageError(f"{missing:g} is not a finite number", param_hint="--missing")
    if which == "union" and missing is not None:
        return Ids("union", missing)
    return Ids() if which is None else Ids("intersection")


@dataclass(frozen=True)
class ScoredInput:
    """The input of a comparison of scores that are paired by ids.

    Attributes
    ----------
    named
        The systems, by the names they are compared under.
    baseline
        The system that the others are compared with.
    asked
        What was asked for.
    """

    named: "Mapping[str, tuple[Log, str]]"
    baseline: str | None
    asked: "Asked"

    @classmethod
    def of(cls, asked: "Asked") -> "ScoredInput | None":
        """The scores in the files; None where these hold runs or one table."""
        from certus.io.scores import named_systems

        if asked.values:
            if len(asked.every) < 2:
                return None
            logs: list[Log] | None = _tables(asked)
        else:
            data = {each.option for task in registry.tasks() for each in task.data}
            logs = None if data & set(asked.columns) else logs_of(asked.every)
            if logs is None:
                return None
            if useless := next((option for option in asked.columns if option != "groups"), None):
                raise UsageError("has no meaning for results of evaluation tools", param_hint=f"--{useless}")
            if (groups := asked.columns.get("groups")) is not None:
                with options_for(_OPTIONS):
                    logs = [log.grouped(groups) for log in logs]
            if asked.item is not None:
                raise UsageError("is for tables, with --value; these results have ids", param_hint="--id")
        if logs is None:
            return None
        named = named_systems(logs)
        baseline = known_system(asked.baseline, list(named), {name: log.name for name, (log, _) in named.items()})
        if len(named) < 2:
            raise UsageError("one system was given; a comparison needs two or more", param_hint="FILE")
        return cls(named, baseline, asked)

    @property
    def ranking(self) -> bool:
        """True if the input is retrieval runs."""
        return False

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.named)

    def compare(self, options: Mapping[str, Any]) -> "Comparison":
        """The comparison."""
        from dataclasses import replace

        from certus.comparison.assemble import assemble
        from certus.comparison.options import Options
        from certus.comparison.scores import of_scores

        better: Literal["lower"] | None = "lower" if self.asked.lower_is_better else None
        more = {**options}
        stated = more.pop("value_range", None)
        with options_for(_OPTIONS):
            material = of_scores(self.named, self.asked.metrics, self.asked.ids, better, stated)
            found = assemble(material, Options(**more, baseline=self.baseline, replicates=None))
        asked = self.asked
        columns = {"value": list(asked.values), "id": asked.item, **asked.columns} if asked.values else asked.columns
        return replace(found, conventions={**found.conventions, "columns": dict(columns)}) if columns else found


def _tables(asked: "Asked") -> "list[Log]":
    if asked.item is None:
        raise UsageError(
            "with --value of several files, name the column of ids that their rows are paired by", param_hint="--id"
        )
    if asked.metrics is not None:
        raise UsageError("columns of several files have their own names; leave it out", param_hint="-m")
    for option in asked.columns:
        if option not in ("groups", "weight"):
            raise UsageError("it has no meaning for columns of --value", param_hint=f"--{option}")
    twice = repeated(asked.values)
    if twice is not None:
        raise UsageError(f"{twice!r} is given twice", param_hint="--value")
    if asked.every.count("-") > 1:
        raise UsageError("standard input can be read only once")
    groups, weight = asked.columns.get("groups"), asked.columns.get("weight")
    return [_log_of_table(file, groups, weight, asked.values, asked.item) for file in asked.every]


def _log_of_table(file: str, groups: str | None, weight: str | None, values: Sequence[str], item: str) -> "Log":
    from certus.io import read_predictions
    from certus.io.scores import Log, Scores

    source = read_predictions(file)
    numbers = [*values, *([] if weight is None else [weight])]
    columns = source.read(numbers=numbers, keys=[item, *([] if groups is None else [groups])])
    items = tuple(map(str, columns.keys[item].tolist()))

    scores = tuple(
        Scores(
            source.name,
            column,
            items,
            _finite(source, columns, column),
            None if groups is None else columns.keys[groups].tolist(),
            None if weight is None else _finite(source, columns, weight),
            place=source.place,
        )
        for column in values
    )
    return Log(source.name, f"xxh3-128:{source.fingerprint}", scores, "a table")


def _finite(source: Any, columns: Any, name: str) -> Any:
    import numpy as np

    from certus.data.columns import floats

    try:
        return floats(columns.numbers[name], "values", infinite=False).astype(np.float64)
    except DataError as error:
        raise source.located(error, columns, {"values": [name]}) from None
