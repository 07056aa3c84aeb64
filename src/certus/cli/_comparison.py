"""From the options of ``certus compare`` to a comparison."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from certus.cli._binding import KnownLabels, NamedColumns, Options, TableColumns, check_memory, several
from certus.cli._declare import UsageError, refuse
from certus.cli._options import words_of
from certus.cli._tasks import (
    METRICS_KNOW,
    check_counts,
    check_data,
    check_options,
    chosen_task,
    known_system,
    propose,
    ranking_columns,
    task_by_values,
)
from certus.core import registry
from certus.core.errors import DataError, options_for
from certus.core.missing import missing_words
from certus.core.note import Note
from certus.core.spelling import plural, repeated
from certus.core.unmatched import pairing
from certus.data.values import ones_of
from certus.evaluation.binding import default_metrics
from certus.tasks import Argument, Task
from certus.tasks.values import TASK as VALUES

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.comparison.scores import Ids
    from certus.io.scores import Log


@dataclass(frozen=True)
class CommandLine:
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
    note: str | None = None

    @property
    def files_with_baseline(self) -> tuple[str, ...]:
        """The files, that of the baseline first where it is one more."""
        more = self.baseline is not None and self.baseline not in self.files and Path(self.baseline).is_file()
        return (str(self.baseline), *self.files) if more else self.files

    @property
    def names_data(self) -> bool:
        """True if an option names a column of data of some task."""
        return any(option == argument.option for option in self.columns for argument in _data_of_tasks())


@dataclass(frozen=True)
class Input:
    """The input of a comparison, checked.

    Attributes
    ----------
    task
        The task of the predictions; None of bare values.
    systems
        The names of the systems, or their columns; the paths of runs.
    compare
        The comparison: a function of the options, and of a function that is called with the rows of each batch.
    is_batched
        The rows are read in batches.
    """

    task: Task | None
    systems: Sequence[str]
    compare: "Callable[[Mapping[str, Any], Callable[[int], object]], Comparison]"
    is_batched: bool = False
    note: str | None = None

    @property
    def is_ranking(self) -> bool:
        """True if retrieval runs are compared."""
        return self.task is not None and self.task.name == "ranking"

    @classmethod
    def from_command_line(cls, line: CommandLine, memory: str | None) -> "Input":
        """The input of a command line: whichever of the kinds below its files and options are."""
        columns = {**line.columns, **({"value": line.values} if line.values else {})}
        if by_columns := ranking_columns(columns, line.task):
            return _ranked_columns(replace(line, columns=columns, task=line.task or "ranking"), by_columns)
        if line.values and line.task is not None:
            raise UsageError("is for predictions, not for columns of --value", "--task")
        if line.task is None and line.names_data and not line.values:
            chosen = task_by_values(line.files, line.columns, line.metrics, compared=True, item=line.item)
            line = replace(line, task=chosen.task, columns=chosen.options, note=chosen.note)
        readers: list[Callable[[CommandLine], Input | None]]
        readers = [partial(_batches, memory=memory), _scores, _models]
        for kind in readers:
            if (compared_input := kind(line)) is not None:
                return replace(compared_input, note=line.note)
        paired = {"--id": line.item, "--ids": line.ids.which != "equal"}
        refuse("is for tables of several files, or results of evaluation tools", paired)
        if line.values:
            return _values(line)
        try:
            task = _task_of_columns(line)
        except UsageError as error:
            renamed = "pred" in columns and "pred" not in line.columns
            raise UsageError(
                error.message, "--pred" if renamed and error.option == "--score" else error.option
            ) from None
        return _runs(line, task) if task.name == "ranking" else replace(_table(line, task), note=line.note)


def _data_of_tasks() -> list[Argument]:
    return [argument for task in registry.tasks() for argument in task.data]


def _task_of_columns(line: CommandLine) -> Task:
    """The checked task of runs or table columns: the likeliest unless it is named."""
    ranking = line.task is None and not line.names_data
    task = chosen_task(line.task, line.columns, line.metrics, ranking=ranking, first=True)
    is_ranking = task.name == "ranking"
    check_options(task, {name: words for name, words in line.columns.items() if not (is_ranking and name == "groups")})
    if line.lower_is_better:
        raise UsageError(METRICS_KNOW, "--lower-is-better")
    if not is_ranking:
        _check_columns(task, line.columns)
    return task


def _check_columns(task: Task, columns: Mapping[str, Any]) -> None:
    """Refuse columns that are not those of two or more systems."""
    predicted = [argument for argument in task.predicted if columns.get(argument.option)]
    options = [f"--{argument.option}" for argument in predicted]
    check_counts(task, columns, compared=True)
    lists = [argument for argument in task.conventions if argument.holds == "list" and argument.option in columns]
    rule_options = [columns[argument.option] for argument in task.options if columns.get(argument.option)]
    if lists and not rule_options and not any(argument.holds == "labels" for argument in predicted):
        raise UsageError("is for predicted labels", f"--{lists[0].option}")
    if not any({argument.name for argument in predicted} <= set(needed) for needed in task.needs):
        raise UsageError("compare one kind of predictions at a time", ", ".join(options))
    if len({len(columns[argument.option]) for argument in predicted}) > 1:
        raise UsageError("give as many of each as there are systems", ", ".join(options))
    if not rule_options or len(",".join(rule_options[0]).split(",")) < 2:
        _check_systems(columns[predicted[0].option], options[0], "column")


def _check_systems(systems: Sequence[str], option: str, noun: str) -> None:
    if noun == "column" and len(systems) < 2:
        raise UsageError("give two or more columns to compare", option)
    if (twice := repeated(systems)) is not None:
        raise UsageError(f"{twice!r} is given twice; a {noun} is compared with another one", option)


def _runs(line: CommandLine, task: Task, by_columns: Mapping[str, Any] = MappingProxyType({})) -> Input:
    """Qrels and runs, whose columns may be named."""
    qrels, *paths = line.files
    if not paths:
        propose(qrels, compared=True)
        raise UsageError(
            "give qrels and two or more runs; or a table with --truth and --pred or --score, or with --value",
            "QRELS RUN...",
        )
    _check_systems(paths, "RUN...", "run")
    if line.files.count("-") > 1:
        raise UsageError("standard input can be read only once")

    def compare_runs(options: Options, _progress: object) -> "Comparison":
        from certus.entry import compare
        from certus.io.rankings import short_names
        from certus.tasks.ranking.case import named_runs

        keywords: dict[str, Any] = {name.replace("-", "_"): value for name, value in line.columns.items()}
        baseline, format_of_run = line.baseline, keywords.pop("format_of_run", None)
        runs = list(zip(short_names(paths), paths, strict=True)) if by_columns else named_runs(paths, format_of_run)
        if baseline is not None and baseline not in dict(runs):
            if not _names_of_path(runs, baseline) and Path(baseline).is_file():
                runs = named_runs([baseline, *paths], format_of_run)
            names = _names_of_path(runs, baseline)
            baseline = names[0] if names else known_system(baseline, list(dict(runs)))
        if len(runs) < 2:
            raise UsageError("one run was given; a comparison needs two or more", "RUN...")
        if line.gate and baseline is None and len(runs) > 2:
            raise UsageError("say which system the others must not be worse than", "--baseline")
        keywords |= by_columns
        return compare(qrels, dict(runs), line.metrics, task=task.name, baseline=baseline, **options, **keywords)

    return Input(task, paths, compare_runs)


def _ranked_columns(line: CommandLine, columns: Mapping[str, Any]) -> Input:
    """Rankings whose columns are named: in one table with scores of each system, or in qrels and runs."""
    task = _task_of_columns(line)
    scores = columns.get("score", ())
    if len(line.files) > 1:
        return _runs(line, task, columns)
    systems = [scores] if isinstance(scores, str) else list(scores)
    _check_systems(systems, "--score", "column")
    keys = {name: column for name, column in columns.items() if name != "score"}

    def compare_table(options: Mapping[str, Any], _progress: object) -> "Comparison":
        from certus.entry import compare

        keywords: dict[str, Any] = {name.replace("-", "_"): value for name, value in line.columns.items()}
        baseline = known_system(line.baseline, systems)
        return compare(line.files[0], systems, line.metrics, baseline=baseline, **options, **keywords, **keys)

    return Input(task, systems, compare_table)


def _names_of_path(runs: Sequence[tuple[str, Any]], path: str) -> list[str]:
    """Names of the runs that are read from that path."""
    return [name for name, run in runs if isinstance(run, str | os.PathLike) and Path(run) == Path(path)]


def _values(line: CommandLine) -> Input:
    """Bare values in one table."""
    _check_value_options(line)
    if line.metrics is not None and len(line.metrics) > 1:
        raise UsageError("values have one name; give one", "-m")
    _check_systems(line.values, "--value", "column")

    def compare(options: Options, _progress: object) -> "Comparison":
        from certus.comparison import compare_values

        baseline = known_system(line.baseline, line.values)
        table = TableColumns.from_file(line.files[0], VALUES, {**line.columns, "value": line.values}, compared=True)
        values = {name: columns["values"] for name, columns in table.systems.items()}
        if (positive := line.columns.get("positive")) is not None:
            values = {name: ones_of(column, positive) for name, column in values.items()}
        return _located(
            table,
            partial(
                compare_values,
                values,
                "value" if line.metrics is None else line.metrics[0],
                better="lower" if line.lower_is_better else "metric",
                unit="row",
                groups=table.values.get("groups"),
                weights=table.values.get("sample_weight"),
                baseline=baseline,
                **options,
            ),
        )

    return Input(None, line.values, compare)


def _check_value_options(line: CommandLine) -> None:
    useless = {f"--{name}": True for name in line.columns if name not in ("groups", "weight", "positive")}
    refuse("it does not apply to columns of --value", useless)


def _table(line: CommandLine, task: Task) -> Input:
    """Predictions in one table."""
    first = next(argument for argument in task.predicted if line.columns.get(argument.option))

    def compare_columns(options: Options, _progress: object) -> "Comparison":
        from certus.entry import compare

        table = TableColumns.from_file(line.files[0], task, line.columns, compared=True)
        keywords = table.keywords
        n_rules = max((len(keywords.get(name, ())) for name in ("threshold", "budget")), default=0)
        baseline = line.baseline if n_rules > 1 else known_system(line.baseline, list(table.systems))
        truth = keywords.pop(next(argument.name for argument in task.shared if argument.name in keywords))
        compare_systems = partial(compare, truth, table.systems, line.metrics, task=task.name, baseline=baseline)
        return _located(table, partial(compare_systems, **options, **keywords))

    return Input(task, line.columns[first.option], compare_columns)


def _located(table: TableColumns, compare: "Callable[[], Comparison]") -> "Comparison":
    """The comparison with the file and its columns; errors with file, line and column."""
    try:
        comparison = compare()
    except DataError as error:
        raise table.located(error) from None
    notices = [
        replace(notice, about=": ".join(filter(None, (table.source.name, notice.about))))
        for notice in comparison.notices
    ]
    return replace(
        comparison,
        inputs=table.inputs,
        conventions={**comparison.conventions, "columns": table.named.described()},
        notices=tuple(notices),
    )


def _batches(line: CommandLine, memory: str | None) -> Input | None:
    """Predictions in several files, or in one that is read in batches; None of other input."""
    by_option = {argument.option: argument for argument in _data_of_tasks()}
    data = [by_option[option] for option in line.columns if option in by_option]
    n_systems = max((len(line.columns[argument.option]) for argument in data if argument.predicted), default=0)
    is_table = bool(data) and not line.values and line.item is None and line.ids.which == "equal"
    is_table &= line.task != "ranking"
    if memory is not None and (not is_table or "-" in line.files):
        raise UsageError("is for columns of predictions in tables that are read in batches", "--memory")
    check_memory(memory, bounds=False)
    if not is_table or n_systems < 2 or (memory is None and not several(line.files)):
        return None
    task = _task_of_columns(line)
    named_columns = NamedColumns.from_options(task, line.columns, compared=True)
    columns, systems = named_columns.binding.columns, named_columns.binding.systems or {}

    def compare(options: Options, progress: Callable[[int], object]) -> "Comparison":
        from certus.io.batches import file_batches, files_of, of_one_type
        from certus.states import columns_called, empty_state, fill

        baseline = known_system(line.baseline, list(systems))
        metrics = line.metrics or default_metrics(task, {*columns, *line.columns}, systems.values())
        files, wanted = files_of(line.files), named_columns.binding.wanted
        options = {**options}
        with missing_words(options.pop("missing_values", None)) as missing:
            state = None
            batches = (batch for file in files for batch in file_batches(file, wanted))
            for batch in of_one_type(batches, wanted.names, {}):
                if state is None:
                    with columns_called(task, columns, systems):
                        labels = KnownLabels.from_batch(task, columns.get("y_true"), batch)
                        conventions = named_columns.conventions(labels, is_file=False)
                        binding = replace(named_columns.binding, metrics=metrics, conventions=conventions)
                        state = empty_state(binding, memory=memory, missing_values=missing)
                fill(state, [batch], columns, progress, systems)
            if state is None:
                raise DataError("the tables have no rows")
            comparison = state.compare(baseline=baseline, **options)
        return replace(
            comparison,
            inputs={str(file): f"{Path(file).stat().st_size} bytes" for file in files},
            conventions={**comparison.conventions, "columns": named_columns.described()},
        )

    return Input(task, _table(line, task).systems, compare, is_batched=True)


def _models(line: CommandLine) -> Input | None:
    """Predictions of each model in a file of its own; None where the files hold runs or one table."""
    if line.values or len(line.files_with_baseline) < 2 or not line.names_data:
        return None
    if line.item is None:
        options = {argument.option for argument in _data_of_tasks()}
        first = next(option for option in line.columns if option in options)
        raise UsageError(
            f"with --{first} of several files, name the column of ids that their rows are paired by", "--id"
        )
    if line.ids.which == "union":
        raise UsageError("a file that lacks a sample has no prediction of it", "--ids")
    if line.lower_is_better:
        raise UsageError(METRICS_KNOW, "--lower-is-better")
    task = chosen_task(line.task, line.columns, line.metrics, ranking=False, first=True)
    check_options(task, line.columns)
    check_counts(task, line.columns)
    with options_for(words_of(task)):
        check_data(task, line.metrics, line.columns)
    files = _files_by_name(line.files_with_baseline)
    baseline = known_system(line.baseline, list(files), files)

    def compare_models(options: Options, _progress: object) -> "Comparison":
        from certus.entry import compare

        tables = {name: TableColumns.from_file(file, task, line.columns, by=line.item) for name, file in files.items()}
        rows, notices = _paired(tables, line.ids)
        keywords = _common_columns(task, tables, rows)
        systems = {name: _model(task, table, rows[name], keywords) for name, table in tables.items()}
        truth = keywords.pop(task.shared[0].name)
        comparison = compare(truth, systems, line.metrics, task=task.name, baseline=baseline, **options, **keywords)
        return replace(
            comparison,
            inputs={name: fingerprint for table in tables.values() for name, fingerprint in table.inputs.items()},
            conventions={**comparison.conventions, "columns": {**line.columns, "id": line.item}},
            notices=(*notices, *comparison.notices),
        )

    return Input(task, tuple(files), compare_models)


def _paired(tables: Mapping[str, TableColumns], ids: "Ids") -> tuple[dict[str, list[int]], tuple[Note, ...]]:
    """Each file's rows, sorted by id."""
    row_of_id: dict[str, dict[str, int]] = {}
    for name, table in tables.items():
        rows_of_table = row_of_id.setdefault(name, {})
        for row, item in enumerate(map(str, table.by.tolist())):
            if (earlier := rows_of_table.setdefault(item, row)) != row:
                problem = f"id {item!r} is that of {table.source.location(earlier)}, too"
                raise DataError(problem, "keep one", location=table.source.location(row))
    common = set.intersection(*map(set, row_of_id.values()))
    unmatched = sorted(set().union(*row_of_id.values()) - common)
    if unmatched and ids.which == "equal":
        owner = next(name for name, rows_of_table in row_of_id.items() if unmatched[0] in rows_of_table)
        other = next(name for name, rows_of_table in row_of_id.items() if unmatched[0] not in rows_of_table)
        n_more = len(unmatched) - 1
        more = f"; {plural(n_more, 'other id')} not in every file either" if n_more else ""
        raise DataError(
            f"id {unmatched[0]!r} is not in {tables[other].source.name}{more}",
            "predict every sample with each model, or compare those of all files with --ids intersection"
            + (f"; {likely}" if (likely := pairing(row_of_id)) else ""),
            location=tables[owner].source.location(row_of_id[owner][unmatched[0]]),
        )
    if not common:
        raise DataError(
            "the files have no id in common, so nothing can be paired",
            f"do the ids mean the same? {pairing(row_of_id, always=True)}",
        )
    rows = {name: [rows_of_table[item] for item in sorted(common)] for name, rows_of_table in row_of_id.items()}
    if not unmatched:
        return rows, ()
    likely = pairing(row_of_id)
    text = (
        f"{plural(len(unmatched), 'sample')} that not every file has left out; {len(common)} in all are compared"
        f"{likely and '; '}{likely}"
    )
    return rows, (Note(text, kind="unpaired-items", queries=tuple(unmatched[:3]), count=len(unmatched)),)


def _common_columns(task: Task, tables: Mapping[str, TableColumns], rows: Mapping[str, list[int]]) -> dict[str, Any]:
    """Truth and conventions, in which all files must agree, in the order of the rows."""
    (name, first), *other_tables = tables.items()
    keywords = dict(first.conventions)
    for argument in task.columns:
        if argument.predicted or argument.name not in first.values:
            continue
        values = first.values[argument.name][rows[name]]
        for other, table in other_tables:
            other_values = table.values[argument.name][rows[other]]
            differs = [left != right for left, right in zip(values.tolist(), other_values.tolist(), strict=True)]
            if any(differs):
                index = differs.index(True)
                row = rows[other][index]
                raise DataError(
                    f"--{argument.option} of id {str(table.by[row])!r} is not that of "
                    f"{first.source.location(rows[name][index])}",
                    "models are compared on the same samples",
                    location=table.source.location(row),
                )
        keywords[argument.name] = values
    if (labels := keywords.pop("score_labels", None)) is not None and set(keywords.setdefault("labels", labels)) != set(
        labels
    ):
        raise DataError("are not the classes of the scores", "leave it out", argument="labels")
    return keywords


def _model(task: Task, table: TableColumns, rows: Sequence[int], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """A model's predictions; scores of several classes are sorted as the labels are."""
    predictions = {}
    for argument in task.predicted:
        if argument.name in table.values:
            values = table.values[argument.name][rows]
            if argument.by_class and (labels := table.conventions.get("score_labels")) is not None:
                if set(labels) != set(keywords["labels"]):
                    raise DataError("has scores of other classes than the first file", location=table.source.name)
                values = values[:, [labels.index(label) for label in keywords["labels"]]]
            predictions[argument.name] = values
    return predictions


def _files_by_name(files: Sequence[str]) -> dict[str, str]:
    """The files by their names without folders where these differ, otherwise by their paths."""
    file_of_path: dict[str, str] = {}
    for file in files:
        if (before := file_of_path.get(real := os.path.realpath(file))) is not None:
            also = "is given twice" if before == file else f"is the same file as {before!r}"
            raise UsageError(f"{file!r} {also}; give each file once", "FILE")
        file_of_path[real] = file
    short = [Path(file).name for file in files]
    return dict(zip(short if len(set(short)) == len(files) else files, files, strict=True))


def _scores(line: CommandLine) -> Input | None:
    """Scores that are paired by ids; None where the files hold runs or one table."""
    from certus.io.scores import named_systems

    if line.task is not None:
        return None
    if line.values:
        if len(line.files_with_baseline) < 2:
            return None
        logs = _tables(line)
    else:
        if line.names_data or (logs_of_files := logs_of(line.files_with_baseline)) is None:
            return None
        logs = logs_of_files
        useless = {f"--{name}": True for name in line.columns if name != "groups"}
        refuse("does not apply to results of evaluation tools", useless)
        if (groups := line.columns.get("groups")) is not None:
            logs = [log.grouped(groups) for log in logs]
        if line.item is not None:
            raise UsageError("is for tables, with --value; these results have ids", "--id")
    systems = named_systems(logs)
    baseline = known_system(line.baseline, list(systems), {name: log.name for name, (log, _) in systems.items()})
    if len(systems) < 2:
        raise UsageError("one system was given; a comparison needs two or more", "FILE")

    def compare(options: Options, _progress: object) -> "Comparison":
        from certus.comparison.assemble import assemble
        from certus.comparison.options import Options as ComparisonOptions
        from certus.comparison.scores import of_scores

        with missing_words(options.get("missing_values")) as missing:
            better: Any = "lower" if line.lower_is_better else None
            material = of_scores(systems, line.metrics, line.ids, better, options.get("value_range"), missing)
            comparison = assemble(material, ComparisonOptions.from_arguments({**options, "baseline": baseline}))
        columns = {"value": list(line.values), "id": line.item, **line.columns} if line.values else line.columns
        if not columns:
            return comparison
        return replace(comparison, conventions={**comparison.conventions, "columns": dict(columns)})

    return Input(None, tuple(systems), compare)


def logs_of(files: Sequence[str]) -> "list[Log] | None":
    """The results of evaluation tools in the files; None where the first is none."""
    if _judges(files[0]):
        return None
    from certus.io.logs import read_log, required_log

    first = read_log(files[0])
    if first is None:
        return None
    problem = f"is not a result of an evaluation tool, as {files[0]} is ({first.title})"
    return [first, *(required_log(file, problem) for file in files[1:])]


def _judges(file: str) -> bool:
    """True if a file starts like judgments of TREC, as no result of an evaluation tool does."""
    try:
        with open(file, "rb") if os.path.isfile(file) else nullcontext() as opened:
            line = b"" if opened is None else opened.readline(1 << 12)
    except OSError:
        return False
    fields = line.split()
    return len(fields) == 4 and fields[3].isdigit() and not set(line) & set(b',{"')


def ids_of(rule: str | None, missing: float | None) -> "Ids":
    """The items that are compared where those of systems differ."""
    from certus.comparison.scores import Ids

    if rule not in (None, "intersection", "union"):
        raise UsageError(f"{rule!r} is not intersection or union", "--ids")
    if rule == "union" and missing is None:
        raise UsageError("union needs --missing: what an item counts that a system lacks", "--ids")
    if missing is not None and rule != "union":
        raise UsageError("is for --ids union", "--missing")
    if missing is not None and not -float("inf") < missing < float("inf"):
        raise UsageError(f"{missing:g} is not a finite number", "--missing")
    if rule == "union" and missing is not None:
        return Ids("union", missing)
    return Ids() if rule is None else Ids("intersection")


def _tables(line: CommandLine) -> "list[Log]":
    if line.item is None:
        raise UsageError("with --value of several files, name the column of ids that their rows are paired by", "--id")
    if line.metrics is not None:
        raise UsageError("columns of several files have their own names; leave it out", "-m")
    _check_value_options(line)
    twice = repeated(line.values)
    if twice is not None:
        raise UsageError(f"{twice!r} is given twice", "--value")
    if line.files_with_baseline.count("-") > 1:
        raise UsageError("standard input can be read only once")
    groups, weight = line.columns.get("groups"), line.columns.get("weight")
    positive = line.columns.get("positive")
    return [_log_of_table(file, groups, weight, line.values, line.item, positive) for file in line.files_with_baseline]


def _log_of_table(
    file: str, groups: str | None, weight: str | None, values: Sequence[str], item: str, positive: str | None
) -> "Log":
    from certus.io import read_predictions
    from certus.io.scores import Log, Scores

    source = read_predictions(file)
    numbers = [*(values if positive is None else ()), *([] if weight is None else [weight])]
    words = values if positive is not None else ()
    columns = source.read(numbers=numbers, keys=[item, *words, *([] if groups is None else [groups])])
    if positive is not None:
        ones = {name: ones_of(columns.keys[name], positive) for name in words}
        columns = columns._replace(numbers={**columns.numbers, **ones})
    items = tuple(map(str, columns.keys[item].tolist()))

    scores = tuple(
        Scores(
            source.name,
            column,
            items,
            _finite(source, columns, column),
            None if groups is None else columns.keys[groups].tolist(),
            None if weight is None else _finite(source, columns, weight),
            location=source.location,
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
