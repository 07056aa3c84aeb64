"""``certus evaluate``."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from certus.cli import _options, _output
from certus.cli._binding import KnownLabels, TableColumns, list_of, numbers_of, several, split_labels
from certus.cli._comparison import logs_of
from certus.cli._declare import COMMANDS, UsageError, argument, command, load_plugins, option, refuse
from certus.cli._options import column_options
from certus.cli._progress import QUIET_OPTION, working
from certus.cli._streams import Streams, Wishes
from certus.cli._tasks import (
    check_counts,
    check_data,
    check_options,
    chosen_task,
    ranking_columns,
    task_by_values,
)
from certus.core import registry
from certus.core.errors import DataError, NotGivenError, options_for
from certus.core.missing import missing_words
from certus.core.note import with_options, with_sentence
from certus.core.spelling import plural
from certus.io.sources import dialect
from certus.tasks import Task
from certus.tasks.classification import TASK as CLASSIFICATION
from certus.tasks.ranking import TASK as RANKING

if TYPE_CHECKING:
    from certus.table import Table


def _undefined(text: str) -> float | str:
    if text in ("nan", "skip"):
        return text
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{text!r} is not nan, skip or a number", "--undefined") from None


_USUAL = " ".join(RANKING.usual)


_TOPICS = {
    "ranking": "certus evaluate qrels.txt bm25.run dense.run -m nDCG@10,AP",
    "classification": "certus evaluate table.csv --truth y --pred p --score s",
    "multilabel": "certus evaluate table.csv --task multilabel --truth a,b --pred pa,pb",
    "regression": "certus evaluate table.csv --task regression --truth y --pred p",
    "clustering": "certus evaluate table.csv --task clustering --truth y --pred cluster",
    "efficiency": "certus evaluate requests.csv --time seconds",
    "values": "certus evaluate items.jsonl --value correct --id id",
    "batches": "certus evaluate 'part-*.csv' --truth y --pred p --memory 2GB",
}


@command("evaluate", "qrels.txt bm25.run dense.run", extend=column_options, topics=_TOPICS)
def evaluate(
    files: list[str] | None = argument(
        default=None,
        metavar="QRELS RUN... | FILE",
        help="Relevance judgments and runs (TREC, JSON, MS MARCO, CSV, TSV as BEIR's, JSON Lines, Parquet, Arrow, "
        "Feather; a directory or a pattern of runs; ir_datasets:NAME); one table with a row for each sample; or "
        "results of evaluation tools; - for stdin.",
        show_default=False,
    ),
    metrics: list[str] | None = _options.metric_option(
        "Metric, as `certus metrics` lists them; may be repeated. Default: the usual ones of the task, "
        f"for runs {_USUAL}.",
        metavar="METRIC",
    ),
    task: str | None = _options.TASK_NAME,
    counts: str | None = option(
        topics=("classification",),
        metavar="ROW;ROW;...",
        section="Columns of a table",
        help="Instead of a file, a confusion matrix: true classes in rows, predicted ones in columns, as in "
        "'15,10;5,20' or 'cat=15,10;dog=5,20'.",
    ),
    state: list[Path] | None = option(
        metavar="STATE",
        section="Batches",
        topics=("batches",),
        help="State written by --save-state; may be repeated. The rows of all states are evaluated together.",
    ),
    saved: Path | None = option(
        "--save-state",
        metavar="STATE",
        section="Batches",
        topics=("batches",),
        help="Save what was read to this file after each input file; the same command resumes from it.",
    ),
    sql: str | None = option(
        metavar="SELECT",
        section="Batches",
        topics=("batches",),
        help="Instead of a file, a SELECT statement for DuckDB, which may read files; needs certus[duckdb].",
    ),
    database: Path | None = option(
        metavar="FILE", section="Batches", topics=("batches",), help="Database file of DuckDB for --sql."
    ),
    memory: str | None = option(
        metavar="SIZE",
        section="Batches",
        topics=("batches",),
        help="Memory for rows, such as 2GB; further rows go to a temporary file. Default: 512MB if the metrics "
        "support it, otherwise unlimited.",
    ),
    bounds: bool = option(
        "--bounds",
        arguments=["exact=False"],
        section="Batches",
        topics=("batches",),
        help="Instead of values, guaranteed bounds of AUC, AP and KS, in a few megabytes for any number of scores.",
    ),
    by: str | None = option(
        metavar="COL",
        help="Column of subgroups, reported separately; for results of evaluation tools a field of the items.",
    ),
    subgroup_mean: Literal["random", "random-weighted", "fixed", "fixed-weighted"] | None = _options.SUBGROUP_MEAN,
    average: Literal["binary", "macro", "micro", "weighted"] | None = option(
        topics=("classification", "multilabel"), help="Average over classes, for metrics without one in their name."
    ),
    undefined: Any = option(
        topics=("classification", "multilabel"),
        read=_undefined,
        metavar="nan|skip|NUMBER",
        help="Value of 0/0. Default: see `certus metrics NAME`.",
    ),
    level: float = _options.LEVEL,
    interval: str | None = _options.INTERVAL,
    confusion: bool = option(
        "--confusion",
        help="Instead of metrics, the confusion matrix of predicted labels; in JSON and CSV with shares and intervals.",
    ),
    per_query: bool = option("--per-query", "--per-item", help="Also the value of each query, or of each --id."),
    chance: bool = option("--chance", help="Also each value against chance: p-value, corrected value, percentile."),
    seed: int = _options.SEED,
    sort: str | None = _options.SORT,
    form: str | None = _options.FORM,
    layout: str | None = _options.LAYOUT,
    output: Path | None = _options.OUTPUT,
    plot: Path | None = option(
        metavar="FILE|FOLDER",
        section="Output",
        help="Also draw a picture (.png, .svg, .pdf), or all curves of runs or of a classifier to a folder; "
        "needs certus[plot].",
    ),
    picture: str | None = option(
        topics=("all",),
        metavar="NAME",
        arguments=["kind"],
        section="Output",
        help="Picture to draw with --plot FILE: values, per-query; for runs {runs}; for classifiers {classifiers}. "
        "Default: values.".format(runs=", ".join(RANKING.drawn), classifiers=", ".join(CLASSIFICATION.drawn)),
    ),
    missing_values: Any = _options.MISSING_VALUES,
    _separator: str | None = _options.SEPARATOR,
    _decimal: str | None = _options.DECIMAL,
    _sheet: str | None = _options.SHEET,
    plugin: list[str] | None = _options.PLUGIN,
    force: bool = _options.FORCE,
    _quiet: bool = QUIET_OPTION,
    _no_color: bool = _options.NO_COLOR,
    **column_options: Any,
) -> None:
    """Evaluate runs, or predictions in a table: the value of each metric with its interval."""
    files = files or []
    _output.check_force(force, output, plot, None if files or sql else saved)
    _output.check_target(output, force, *files)
    _output.check_plot(plot, picture, force, files)
    streams = Streams(files, sql, database, state or [], saved, memory, bounds)
    if not files and counts is None and not streams.option:
        raise UsageError("no file was given; give one, or --counts", "QRELS RUN... | FILE")
    if files.count("-") > 1:
        raise UsageError("standard input can be read only once")
    if missing_values is not None and not (files or sql):
        other = "--counts" if counts is not None else "--state"
        raise UsageError(f"cannot be combined with {other}", "--missing-values")
    style = _output.table_format(output, form)
    _output.check_layout(layout, style)
    load_plugins(plugin)
    report = style == "report"  # it shows single queries and items, too
    options = {option.replace("_", "-"): value for option, value in column_options.items() if value is not None}
    data = {argument.option for known_task in registry.tasks() for argument in known_task.data}
    single = picture == "per-query"
    if confusion:
        idle = {"-m": metrics, "--by": by, "--average": average, "--undefined": undefined, "--sort": sort}
        idle |= {"--per-query": per_query or None, "--chance": chance or None, "--layout": layout}
        _check_confusion({**idle, streams.option: streams.option or None}, style)
        metrics = ["Accuracy"]
    choices: dict[str, Any] = {
        "by": by,
        "subgroup_mean": subgroup_mean,
        "average": average,
        "undefined": undefined,
        "level": level,
        "interval": interval,
        "per_query": per_query,
        "chance": chance,
        "seed": seed,
    }
    rule = next((f"--{name}" for name in ("threshold", "budget") if name in options), None)
    is_whole = counts is None and rule is None and not streams.option
    by_columns = ranking_columns(options, task) if is_whole else {}
    if streams.option:
        no_meaning = "does not apply to rows that are read in batches"
        refuse(no_meaning, {f"--{name}": options.get(name) for name in ("query", "document")})
    columns = task != "ranking" and bool(data & set(options))
    chosen: Task | None = None
    note: str | None = None
    if columns and task is None and counts is None and not streams.option:
        task, options, note = task_by_values(files, options, metrics)
    if streams.option or (columns and counts is None and several(files)):
        if confusion:
            raise UsageError("does not apply to rows that are read in batches", "--confusion")
        if "budget" in options:
            batches = streams.option or f"--{next(name for name in options if name in data)}"
            raise UsageError("does not apply to rows that are read in batches", f"--budget {batches}")
        streams.check(counts, plot, columns=columns, force=force)
        wishes = Wishes(task, metrics, choices, options, missing_values)
        if bounds:
            table_style = _listed_as(
                style,
                "-o" if form is None else "--format",
                {"--sort": sort is not None, "--layout": layout is not None, "--level": level != 0.95},
            )
            with working("evaluating") as progress:
                limits = streams.limits(wishes, progress)
            dialect().check_used()
            _output.write(_output.listing_text(limits, table_style), output, force)
            return
        with working("evaluating") as progress:
            table = streams.table(wishes, progress)
    elif (
        counts is None
        and task is None
        and not (by_columns or data & set(options))
        and (logs := logs_of(files)) is not None
    ):
        groups = options.pop("groups", None)
        with_no_use: dict[str, Any] = {"average": average, "undefined": undefined, "plugin": plugin}
        with_no_use |= {"chance": chance, "confusion": confusion, **options}
        no_meaning = "does not apply to results of evaluation tools"
        refuse(no_meaning, {f"--{name}": value for name, value in with_no_use.items()})
        _check_known(picture, _output.OF_TABLES, "results of evaluation tools")
        if plot is not None and not (picture or _output.is_picture(plot)):
            raise UsageError("give a file (.png, .svg, .pdf); results have no curves", "--plot")
        keywords = {name: choices[name] for name in ("by", "subgroup_mean", "level", "interval", "seed")}
        keywords |= {"groups": None if groups is None else str(groups)}
        with missing_words(missing_values) as missing:
            from certus.tasks.values.scores import evaluate_scores

            with working("evaluating"):
                table = evaluate_scores(
                    logs, metrics, per_query=per_query or report or single, missing=missing, **keywords
                )
    else:
        is_run = rule is not None and counts is None and not data & set(options)
        if is_run:
            keywords = {"by": by, "per-query": per_query or None, "missing-values": missing_values}
            check_rule_of_run(str(rule), files, task, keywords, options)
            chosen = CLASSIFICATION
        elif counts is not None:
            check_of_counts(files, task, by, options)
            chosen = CLASSIFICATION
        else:
            ranking = bool(by_columns) or (len(files) > 1 and not data & set(options))
            chosen = chosen_task(task, options, metrics, ranking=ranking, file=files[0])
            check_options(chosen, options)
        if confusion and not (chosen is CLASSIFICATION and (counts or rule or options.get("pred"))):
            raise UsageError("is for predicted labels of classes: --pred, or --score with --threshold", "--confusion")
        _check_known(
            picture,
            (*(_output.OF_TABLES if chosen.name == "ranking" else _output.OF_TABLES[:1]), *chosen.drawn),
            chosen.name,
        )
        if plot is not None and chosen.pictures is None and not (picture or _output.is_picture(plot)):
            raise UsageError(f"there are no pictures of {chosen.name}", "--plot")
        if len(files) < 2 and chosen.name == "ranking" and not by_columns:
            raise UsageError("no run was given; give qrels and runs", "QRELS RUN...")
        choices["per_query"] = per_query or single or (report and chosen.name == "ranking")
        choices["missing_values"] = missing_values
        with working("evaluating"), options_for(_options.words_of(chosen, options)):
            if is_run:
                table = table_of_run(files, metrics, choices, options)
            elif counts is not None:
                table = of_counts(counts, metrics, choices, options)
            elif chosen.name == "ranking":
                table = _runs(files, metrics, choices, options, by_columns)
            else:
                check_counts(chosen, options)
                if plot is None and not report:  # curves are drawn of what is given
                    check_data(chosen, metrics, options)
                table = _table(chosen, files[0], metrics, choices, options)
    table = dialect().finish(with_sentence(table, note))
    if confusion:
        _draw(table, plot, picture, force)
        _output.write(_confusion_text(table, style, level, interval), output, force)
        return
    _draw(table, plot, picture, force)
    if single and not (per_query or report):
        table = table.overall()
    _write(
        table if sort is None else _sorted(table, sort, None if chosen is None else chosen.name),
        style,
        layout,
        output,
        force,
        options,
    )


def _listed_as(style: str, option: str, idle: Mapping[str, bool]) -> _output.Listed:
    """The format of a plain table; refuses others, and options that it has no use for."""

    refuse("does not apply to bounds, which are certain", {f"{name} --bounds": there for name, there in idle.items()})
    formats = get_args(_output.Listed)
    if style not in formats:
        raise UsageError(f"bounds are written as {', '.join(formats)}, not as {style}", option)
    return cast(_output.Listed, style)


def _check_confusion(idle: Mapping[str, Any], style: str) -> None:
    """Refuse options of tables of metrics beside a confusion matrix, and formats that it is not written in."""
    refuse("cannot be combined with --confusion", idle)
    if style not in get_args(_output.Listed):
        raise UsageError(f"is written as {', '.join(get_args(_output.Listed))}, not as {style}", "--confusion")


def _confusion_text(table: "Table", style: str, level: float, interval: str | None) -> str:
    """The confusion matrices of the systems in a table: squares as text, otherwise a row for each cell."""
    from certus.core.listing import Listing
    from certus.data import Labels
    from certus.tasks.classification.confusion import confusion_matrix

    drawings: Any = table.drawn
    cases = {} if drawings is None else drawings.make_cases()
    matrices = {
        name: confusion_matrix(case.prepared_as((Labels,)))
        for name, case in cases.items()
        if getattr(case, "y_pred", None) is not None and not case.multilabel
    }
    if not matrices:
        raise UsageError("is for predicted labels of single classes", "--confusion")
    if style == "text":
        squares = [f"{name}\n\n{matrix}\n" for name, matrix in matrices.items()]
        return "\n".join(squares)
    listings = {name: matrix.table(level, interval) for name, matrix in matrices.items()}
    first = next(iter(listings.values()))
    systems = {"system": [name for name, listing in listings.items() for _ in range(len(listing))]}
    cells = {key: [cell for listing in listings.values() for cell in listing.columns[key]] for key in first.columns}
    return _output.listing_text(
        Listing({**systems, **cells}, {"system": "text", **first.kinds}), cast(_output.Listed, style)
    )


def _check_known(picture: str | None, pictures: Sequence[str], owner: str) -> None:
    if picture is not None and picture not in pictures:
        raise UsageError(f"{picture!r} is not a picture of {owner}; there are {', '.join(pictures)}", "--picture")


def _draw(table: "Table", plot: Path | None, picture: str | None, force: bool) -> None:
    if plot is not None:
        with working("drawing"):
            _output.save_plot(table, plot, picture, force)


def _write(
    table: "Table", style: str, layout: str | None, output: Path | None, force: bool, options: Mapping[str, Any]
) -> None:
    task = table.signature.get("task")
    words = _options.words_of(registry.task(task), options) if task in registry.names() else {}
    table = with_options(table, {**COMMANDS["evaluate"].options, **words})
    _output.warn(table.warnings)
    with working("evaluating"):  # intervals that nobody looked at yet are made now
        text = _output.rendered(table, style, _output.is_stdout(output), layout)
    _output.write(text, output, force, escaped=style == "text")


def _sorted(table: "Table", by: str, task: str | None) -> "Table":
    if len({(row.run, row.group) for row in table.summary}) < 2:
        raise UsageError("there is one run, so nothing to sort", "--sort")
    return _output.in_order(table, by, [row.metric for row in table.summary], task)


def _runs(
    files: list[str],
    metrics: list[str] | None,
    choices: dict[str, Any],
    options: dict[str, Any],
    columns: Mapping[str, Any],
) -> "Table":
    from certus.entry import evaluate as compute

    conventions: dict[str, Any] = {name.replace("-", "_"): value for name, value in options.items()}
    return compute(files[0], files[1:] or None, metrics, task="ranking", **choices, **conventions, **columns)


def _table(
    task: Task,
    file: str,
    metrics: list[str] | None,
    choices: dict[str, Any],
    options: dict[str, Any],
) -> "Table":
    from certus.entry import evaluate as compute
    from certus.table import Table

    columns = TableColumns.from_file(file, task, options, choices["by"])
    try:
        table = compute(
            metrics=metrics, task=task.name, name=columns.name, **{**choices, "by": columns.by}, **columns.keywords
        )
        rows = list(table.summary)  # with the reasons of intervals, in the words of the options
    except NotGivenError:
        raise
    except DataError as error:
        raise columns.located(error) from None
    if task.part != "class" and task.shared:
        names = list_of(columns.named.binding.columns.get(task.shared[0].name, ()))
        rows = [replace(row, label=_label_of_column(row.label, names)) for row in rows]
    signature = {
        **table.signature,
        "columns": columns.named.described(),
        "by": choices["by"],
        "inputs": columns.inputs,
    }
    warnings = [replace(notice, about=columns.source.name) for notice in table.warnings]
    return Table(rows, warnings, signature, table.single, table.compare, table.drawn)


def _label_of_column(label: str | None, columns: list[str]) -> str | None:
    """The column of an output or label that is known by its number."""
    return columns[int(label)] if label is not None and label.isdigit() and int(label) < len(columns) else label


def check_rule_of_run(
    option: str, files: Sequence[str], task: str | None, other_options: Mapping[str, Any], options: Mapping[str, Any]
) -> None:
    """Refuse what does not apply where a threshold or a budget makes labels of one run."""
    if task not in (None, CLASSIFICATION.name):
        raise UsageError(f"it makes a classification, not a result of {task}", option)
    if len(files) < 2:
        raise UsageError("give qrels and a run; or a table, --truth and --score", option)
    if len(files) > 2:
        raise UsageError(f"{len(files) - 1} runs were given; give one", option)
    useless = {f"--{name}": value for name, value in {**other_options, **options}.items() if f"--{name}" != option}
    refuse(f"it cannot be combined with {option}", useless)


def table_of_run(
    files: Sequence[str], metrics: list[str] | None, choices: dict[str, Any], options: Mapping[str, Any]
) -> "Table":
    """Evaluate the labels that a threshold or a budget gives the documents of a run."""
    from certus.entry import evaluate as compute
    from certus.evaluation.cases import parse_metrics
    from certus.evaluation.rules import check_labels, rules_of
    from certus.io import read_qrels, read_run
    from certus.table import Table
    from certus.tasks.classification.decision import called_positive

    rules = rules_of({name: numbers_of(words, f"--{name}") for name, words in options.items()})
    if len(rules) > 1:
        raise UsageError("give one for a run", f"--{rules[0].name}")
    check_labels(CLASSIFICATION, rules, None if metrics is None else parse_metrics(metrics, CLASSIFICATION.name))
    judged, ranked = read_qrels(files[0]), read_run(files[1])
    inputs = {file.name: f"xxh3-128:{file.fingerprint}" for file in (judged, ranked)}
    items = called_positive(judged, ranked, rules[0], None, None)
    keywords: dict[str, Any] = {} if items.groups is None else {"groups": items.groups}
    table = compute(
        items.true,
        None,
        metrics,
        task=CLASSIFICATION.name,
        name=PurePath(files[1]).name,
        y_pred=items.predicted,
        **choices,
        **keywords,
    )
    table = with_sentence(table, rules[0].sentence("document"))
    signature = {**table.signature, "columns": {**options}, "by": None, "inputs": inputs}
    return Table(table.summary, table.warnings, signature, table.single, table.compare, table.drawn)


_MOST_SAMPLES = 10_000_000
"""Samples that are counted one by one."""
_COUNT = re.compile("[0-9]{1,18}")
_WITH_COUNTS = ("labels", "positive")


def check_of_counts(files: Sequence[str], task: str | None, by: str | None, options: Mapping[str, Any]) -> None:
    """Refuse what does not apply to counts alone."""
    if files:
        raise UsageError(f"a file was given, too ({files[0]}); give one of them", "--counts")
    if task not in (None, "classification"):
        raise UsageError(f"it does not apply to {task}", "--counts")
    all_options = {"by": by, **options}
    useless = {f"--{name}": value for name, value in all_options.items() if name not in _WITH_COUNTS}
    refuse("it needs single samples; counts have none", useless)


def of_counts(text: str, metrics: list[str] | None, choices: dict[str, Any], options: Mapping[str, Any]) -> "Table":
    """The report of a confusion matrix: rows are true classes, columns predicted ones."""
    from certus.entry import evaluate as compute
    from certus.table import Table

    true, predicted, classes = _counted_labels(text)
    known_labels = KnownLabels(classes, "--counts")
    conventions: dict[str, Any] = {}
    if (positive := options.get("positive")) is not None:
        conventions["pos_label"] = known_labels.label_in_file(positive, "--positive")
    if (labels := options.get("labels")) is not None:
        conventions["labels"] = list(map(known_labels.label, split_labels(labels)))
    table = compute(
        true, None, metrics, task="classification", name="counts", y_pred=predicted, **choices, **conventions
    )
    label_options = {name: options[name] for name in _WITH_COUNTS if options.get(name) is not None}
    signature = {**table.signature, "columns": {"counts": text, **label_options}, "by": None, "inputs": {}}
    return Table(table.summary, table.warnings, signature, drawn=table.drawn)


def _counted_labels(text: str) -> tuple[Any, Any, list[Any]]:
    """True and predicted label of each sample, and the classes in their order."""
    import numpy as np

    rows = [row for row in re.split("[;\n]", text) if row.strip()]
    names, cells = zip(*map(_counted_row, rows), strict=True) if rows else ((), ())
    if any(names) and not all(names):
        raise _wrong_counts("name every row or none, as in cat=15,10;dog=5,20")
    classes: list[Any] = list(names) if all(names) and names else list(range(len(rows)))
    if len(set(classes)) < len(classes):
        raise _wrong_counts("two rows have one name")
    if len(rows) < 2 or any(len(row) != len(rows) for row in cells):
        shape = " and ".join(str(len(row)) for row in cells) or "no"
        count_word = "count" if shape == "1" else "counts"
        raise _wrong_counts(
            f"{plural(len(rows), 'row')} of {shape} {count_word}; give a row and a column for each class, as in "
            "15,10;5,20"
        )
    counts = np.array(cells, dtype=np.int64).ravel()
    if not 0 < sum(counts.tolist()) <= _MOST_SAMPLES:
        raise _wrong_counts(f"the counts sum to {sum(counts.tolist())}; give between 1 and {_MOST_SAMPLES:,} samples")
    cell = np.repeat(np.arange(len(counts)), counts)
    names_of = np.array(classes)
    return names_of[cell // len(rows)], names_of[cell % len(rows)], classes


def _counted_row(text: str) -> tuple[str, list[int]]:
    name, _, numbers = text.rpartition("=")
    cells = [cell.strip() for cell in numbers.split("," if "," in numbers else None)]
    for cell in cells:
        if not _COUNT.fullmatch(cell):
            raise _wrong_counts(f"found {cell!r}; a count is a whole number, as in 15,10;5,20")
    return name.strip(), list(map(int, cells))


def _wrong_counts(problem: str) -> UsageError:
    return UsageError(problem, "--counts")
