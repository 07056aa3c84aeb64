"""``certus score``."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from certus.cli._options import Format, ScoredTask
from certus.cli._output import check_force, check_target, format_of, rendered, warn, write
from certus.cli._plugins import load_plugins
from certus.cli._progress import working
from certus.cli._startup import preload_special_functions
from certus.errors import DataError, options_for

if TYPE_CHECKING:
    from certus.table import Table

__all__ = ["score"]

_OPTIONS = {
    "y_true": "--truth",
    "labels_true": "--truth",
    "y_pred": "--pred",
    "labels_pred": "--pred",
    "labels": "--pred",
    "y_score": "--score",
    "X": "--features",
    "timings": "--time",
    "items": "--items",
    "sample_weight": "--weight",
    "groups": "--groups",
    "by": "--by",
    "units": "--units",
}
"""The option that gives each argument of Python's functions."""
_ROLES: dict[str, dict[str, tuple[str, ...]]] = {
    "regression": {"truth": ("y_true",), "pred": ("y_pred",)},
    "multilabel": {"truth": ("y_true",), "pred": ("y_pred",), "score": ("y_score",)},
    "clustering": {"truth": ("labels_true",), "pred": ("labels_pred", "labels"), "features": ("X",)},
    "efficiency": {"time": ("timings",)},
}
"""What the metrics of a task call the columns of each option."""


def score(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A table: CSV, TSV, JSON Lines, Parquet, Arrow; - for stdin.")
    ],
    task: Annotated[ScoredTask, typer.Option(help="What kind of predictions the file holds.")],
    truth: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="Column of true values; repeat it for several outputs or labels."),
    ] = None,
    pred: Annotated[
        list[str] | None, typer.Option(metavar="COL", help="Column of predicted values, clusters or labels (0, 1).")
    ] = None,
    scores: Annotated[
        list[str] | None, typer.Option("--score", metavar="COL", help="multilabel: column of scores of each label.")
    ] = None,
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="clustering: columns that distances are taken of; may be COL,COL,..."),
    ] = None,
    time: Annotated[str | None, typer.Option(metavar="COL", help="efficiency: column of timings.")] = None,
    units: Annotated[
        str | None, typer.Option(metavar="UNIT", help="efficiency: s, ms, us, ns, min or h. Default: s.")
    ] = None,
    items: Annotated[
        str | None, typer.Option(metavar="COL", help="efficiency: column of items that each request served.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            metavar="METRIC",
            help="Metric, as `certus metrics --task TASK` lists them; may be repeated. Default: the usual ones.",
        ),
    ] = None,
    by: Annotated[str | None, typer.Option(metavar="COL", help="Column of subgroups, each reported by itself.")] = None,
    weight: Annotated[str | None, typer.Option(metavar="COL", help="Column of sample weights.")] = None,
    groups: Annotated[
        str | None,
        typer.Option(metavar="COL", help="Column of clusters (patients, users); samples of one are not independent."),
    ] = None,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    method: Annotated[
        str | None, typer.Option(help="How intervals are made, where the metric's form has it: t, bca, delta, ...")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of the bootstrap.")] = 0,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format", help="How the table is written. Default: by the suffix of the output file, else text."
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    plugin: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="Python module or .py file that declares more metrics.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output file.")] = False,
) -> None:
    """Evaluate regressors, multilabel predictors, clusterings or timings: each metric with its interval."""
    check_force(force, output)
    check_target(output, force, file)
    if not 0 < level < 1:
        raise typer.BadParameter(f"{level:g} is not between 0 and 1", param_hint="--level")
    load_plugins(plugin)
    asked = {"truth": truth, "pred": pred, "score": scores, "features": features, "time": [time] if time else None}
    _check(task.value, asked, {"--units": units, "--items": items, "--weight": weight})
    others = {"by": by, "groups": groups, "weight": weight, "items": items, "units": units}
    choices = {"metrics": metrics, "level": level, "method": method, "seed": seed}
    table = _reported(file, task.value, {key: columns for key, columns in asked.items() if columns}, others, choices)
    warn(table.warnings)
    chosen = form or format_of(output)
    to_screen = output is None or str(output) == "-"
    write(rendered(table, chosen, to_screen), output, force, escaped=chosen == "text")


def _check(task: str, asked: dict[str, list[str] | None], only: dict[str, str | None]) -> None:
    """Refuse options that the task has no use for, and a call without what it needs."""
    roles = _ROLES[task]
    for option, columns in asked.items():
        if columns and option not in roles:
            raise typer.BadParameter(f"--task {task} takes no such column", param_hint=f"--{option}")
    useless = ("--weight",) if task == "efficiency" else ("--units", "--items")
    for option in useless:
        if only[option] is not None:
            raise typer.BadParameter(f"it has no meaning for --task {task}", param_hint=option)
    there = {option for option, columns in asked.items() if columns}
    enough = {
        "regression": {"truth", "pred"} <= there,
        "multilabel": "truth" in there and bool({"pred", "score"} & there),
        "clustering": "pred" in there and bool({"truth", "features"} & there),
        "efficiency": "time" in there,
    }
    if not enough[task]:
        needs = {
            "regression": "--truth and --pred",
            "multilabel": "--truth and --pred or --score, once for each label",
            "clustering": "--pred and --truth or --features",
            "efficiency": "--time",
        }
        raise typer.BadParameter(f"--task {task} needs {needs[task]}", param_hint="--task")
    for option in ("truth", "pred"):
        if task == "clustering" and len(asked[option] or ()) > 1:
            raise typer.BadParameter("give one column of clusters", param_hint=f"--{option}")
    for option in ("pred", "score"):
        count, labels = len(asked[option] or ()), len(asked["truth"] or ())
        if task != "clustering" and count and labels and count != labels:
            raise typer.BadParameter(f"{count} columns for {labels} of --truth", param_hint=f"--{option}")


def _reported(
    file: str, task: str, asked: dict[str, list[str]], others: dict[str, str | None], choices: dict[str, Any]
) -> "Table":
    from certus.io import read_predictions
    from certus.table import Table
    from certus.task_report import task_report

    preload_special_functions()
    with working("evaluating"), options_for(_OPTIONS):
        source = read_predictions(file)
        if "features" in asked:
            asked = {**asked, "features": _split(asked["features"], source.columns)}
        labels = (
            [name for option in ("truth", "pred") for name in asked.get(option, ())] if task == "clustering" else []
        )
        numbers = [name for columns in asked.values() for name in columns if name not in labels]
        numbers += [name for option in ("weight", "items") if (name := others[option]) is not None]
        keys = [name for option in ("by", "groups") if (name := others[option]) is not None]
        columns = source.read(labels, numbers, keys)

        def number(option: str) -> Any:
            name = others[option]
            return None if name is None else columns.numbers[name]

        def key(option: str) -> Any:
            name = others[option]
            return None if name is None else columns.keys[name]

        given = {
            argument: _together([columns.labels[each] if each in labels else columns.numbers[each] for each in names])
            for option, names in asked.items()
            for argument in _ROLES[task][option]
            if not (option == "features" and argument in labels)
        }
        conventions = {
            "sample_weight": number("weight"),
            "groups": key("groups"),
            "items": number("items"),
            "units": others["units"],
        }
        try:
            table = task_report(
                task,
                given,
                by=key("by"),
                conventions=conventions,
                name=source.name if file == "-" else PurePath(source.name).name,
                **choices,
            )
            rows = [replace(row, label=_named(row.label, asked)) for row in table.summary]
        except DataError as error:
            used: dict[str, Sequence[str | None]] = {
                argument: names for option, names in asked.items() for argument in _ROLES[task][option]
            }
            used |= {"sample_weight": [others["weight"]], "items": [others["items"]]}
            raise source.located(error, columns, used) from None
    signature = {
        **table.signature,
        "columns": {**asked, **{option: name for option, name in others.items() if name}},
        "by": others["by"],
        "inputs": {source.name: f"xxh3-128:{source.fingerprint}"},
    }
    return Table(rows, table.warnings, signature)


def _split(texts: list[str], known: Any) -> list[str]:
    """Names of columns; one that is none may be several, separated by commas."""
    return [name for text in texts for name in ([text] if text in known else text.split(","))]


def _together(columns: list[Any]) -> Any:
    if len(columns) == 1:
        return columns[0]
    import numpy as np

    return np.column_stack(columns)


def _named(label: str | None, asked: dict[str, list[str]]) -> str | None:
    """The column of an output or label that is known by its number."""
    truth = asked.get("truth", [])
    return truth[int(label)] if label is not None and label.isdigit() and int(label) < len(truth) else label
