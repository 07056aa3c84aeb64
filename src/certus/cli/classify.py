"""``certus classify``."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from certus.cli._options import Average, Format
from certus.cli._output import check_force, check_target, format_of, rendered, warn, write
from certus.cli._pictures import check_folder, save_pictures
from certus.cli._plugins import load_plugins
from certus.cli._predictions import Asked, read
from certus.cli._progress import working
from certus.cli._startup import preload_special_functions
from certus.errors import DataError, options_for

if TYPE_CHECKING:
    from certus.table import Table

__all__ = ["OPTIONS", "classify"]

OPTIONS = {
    "y_true": "--truth",
    "y_pred": "--pred",
    "y_score": "--score",
    "y_prob": "--score",
    "pos_label": "--positive",
    "sample_weight": "--weight",
    "score_labels": "--score",
    "labels": "--labels",
    "undefined": "--undefined",
    "average": "--average",
    "by": "--by",
    "groups": "--groups",
}
"""The option that gives each argument of Python's functions."""


def classify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Predictions: CSV, TSV, JSON Lines, Parquet, Arrow; - for stdin.")
    ],
    truth: Annotated[str, typer.Option(metavar="COL", help="Column of true labels.")],
    pred: Annotated[str | None, typer.Option(metavar="COL", help="Column of predicted labels.")] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COL",
            help="Column of scores of the positive class; or one for each class, named like it or as CLASS=COL.",
        ),
    ] = None,
    positive: Annotated[
        str | None, typer.Option(metavar="LABEL", help="The positive one of two classes. Default: 1 or True.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            metavar="METRIC",
            help="Metric, as `certus metrics --task classification` lists them; may be repeated. Default: a report.",
        ),
    ] = None,
    by: Annotated[str | None, typer.Option(metavar="COL", help="Column of subgroups, each reported by itself.")] = None,
    average: Annotated[
        Average | None, typer.Option(help="How metrics average over classes, unless their names say.")
    ] = None,
    undefined: Annotated[
        str | None, typer.Option(metavar="nan|skip|NUMBER", help="What 0/0 counts as. Default: as each metric says.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="LABEL,...", help="Classes that averages run over, in this order.")
    ] = None,
    weight: Annotated[str | None, typer.Option(metavar="COL", help="Column of sample weights.")] = None,
    groups: Annotated[
        str | None,
        typer.Option(metavar="COL", help="Column of clusters (patients, users); samples of one are not independent."),
    ] = None,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    method: Annotated[
        str | None, typer.Option(help="How intervals are made, where the metric's form has it: wilson, delta, bca, ...")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Seed of the bootstrap.")] = 0,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format", help="How the table is written. Default: by the suffix of the output file, else text."
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.")] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also draw curves and confusion matrix there; needs certus\\[plot]."),
    ] = None,
    plugin: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="Python module or .py file that declares more metrics.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output file.")] = False,
) -> None:
    """Evaluate a classifier's predictions: the value of each metric with its interval."""
    check_force(force, output, plot)
    check_target(output, force, file)
    check_folder(plot, force)
    if pred is None and not score:
        raise typer.BadParameter("give a column of predicted labels, of scores, or both", param_hint="--pred, --score")
    if not 0 < level < 1:
        raise typer.BadParameter(f"{level:g} is not between 0 and 1", param_hint="--level")
    load_plugins(plugin)
    if labels is not None and not labels.strip():
        raise typer.BadParameter("name at least one class", param_hint="--labels")
    asked = Asked(file, truth, pred, tuple(score or ()), by, weight, groups, positive, labels)
    choices = {
        "metrics": metrics,
        "average": None if average is None else average.value,
        "undefined": _undefined(undefined),
        "level": level,
        "method": method,
        "seed": seed,
    }
    table = _reported(asked, choices, plot)
    warn(table.warnings)
    chosen = form or format_of(output)
    to_screen = output is None or str(output) == "-"
    write(rendered(table, chosen, to_screen), output, force, escaped=chosen == "text")


def _reported(asked: Asked, choices: dict[str, Any], folder: Path | None) -> "Table":
    from certus.report import report
    from certus.samples import Samples
    from certus.table import Table

    preload_special_functions()
    with working("evaluating"), options_for(OPTIONS):
        found = read(asked)
        try:
            table = report(
                found.y_true,
                found.y_pred,
                found.y_score,
                by=found.by,
                score_labels=found.score_labels,
                name=found.name,
                **found.conventions,
                **choices,
            )
            if folder is not None:
                samples = Samples(found.y_true, found.y_pred, found.y_score, found.conventions, found.score_labels)
                save_pictures(samples, found.by, choices["level"], folder)
            rows = list(table.summary)  # with the reasons of intervals, in the words of the options
        except DataError as error:
            raise found.located(error) from None
    signature = {
        **table.signature,
        "columns": asked.columns,
        "by": asked.by,
        "inputs": {found.file: f"xxh3-128:{found.fingerprint}"},
    }
    notices = [replace(notice, source=found.file) for notice in table.warnings]
    return Table(rows, notices, signature)


def _undefined(text: str | None) -> float | str | None:
    if text is None or text in ("nan", "skip"):
        return text
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not nan, skip or a number", param_hint="--undefined") from None
