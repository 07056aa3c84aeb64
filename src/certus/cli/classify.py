"""``certus classify``."""

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from certus.cli._options import Average, Format
from certus.cli._output import check_target, format_of, rendered, warn, write
from certus.cli._plugins import load_plugins
from certus.cli._progress import working
from certus.cli._startup import preload_special_functions
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.table import Table

__all__ = ["classify"]

_OPTIONS = {
    "y_true": "--truth",
    "y_pred": "--pred",
    "y_score": "--score",
    "y_prob": "--score",
    "pos_label": "--positive",
    "sample_weight": "--weight",
    "score_labels": "--score",
    "labels": "--labels",
    "undefined": "--undefined",
    "by": "--by",
}
"""Which option is meant by a name of Python's, in whose words errors are said."""

_ARGUMENT = re.compile(
    r"\b(?:(?:y_true|y_pred|y_score|y_prob|pos_label|sample_weight|score_labels)\b"
    r"|labels(?==| lists| leaves| is)|undefined(?==)|by(?= has))=?"
)


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
    plugin: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="Python module or .py file that declares more metrics.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the output file.")] = False,
) -> None:
    """Evaluate a classifier's predictions: the value of each metric with its interval."""
    check_target(output, force)
    if pred is None and not score:
        raise typer.BadParameter("give a column of predicted labels, of scores, or both", param_hint="--pred, --score")
    if not 0 < level < 1:
        raise typer.BadParameter(f"{level:g} is not between 0 and 1", param_hint="--level")
    load_plugins(plugin)
    if labels is not None and not labels.strip():
        raise typer.BadParameter("name at least one class", param_hint="--labels")
    columns = _Columns(file, truth, pred, tuple(score or ()), by, weight, groups)
    choices = {
        "metrics": metrics,
        "average": None if average is None else average.value,
        "undefined": _undefined(undefined),
        "level": level,
        "method": method,
        "seed": seed,
    }
    table = _reported(columns, positive, labels, choices)
    warn(table.warnings)
    chosen = form or format_of(output)
    to_screen = output is None or str(output) == "-"
    write(rendered(table, chosen, to_screen), output, force, escaped=chosen is Format.text)


class _Columns(NamedTuple):
    """A file and the names of its columns."""

    file: str
    truth: str
    pred: str | None
    score: tuple[str, ...]
    by: str | None
    weight: str | None
    groups: str | None


def _reported(columns: _Columns, positive: str | None, labels: str | None, choices: dict[str, Any]) -> "Table":
    from certus.io import read_predictions
    from certus.report import report
    from certus.table import Table

    preload_special_functions()
    with working("evaluating"):
        source = read_predictions(columns.file)
        scored = [_class_and_column(text, source.columns) for text in columns.score]
        found = source.read(
            [name for name in (columns.truth, columns.pred) if name is not None],
            [*(name for _, name in scored), *([] if columns.weight is None else [columns.weight])],
            [name for name in (columns.by, columns.groups) if name is not None],
        )
        known = _Labels.of(found.labels.values())
        if len(scored) == 1 and scored[0][0] is not None:
            if positive is not None:
                raise typer.BadParameter(
                    "name the positive class here or with --positive, not both", param_hint="--score"
                )
            positive = scored[0][0]
        listed = None if labels is None else [known.label(text) for text in _split(labels)]
        known.check_columns(source.name, [text or name for text, name in scored])
        try:
            table = report(
                found.labels[columns.truth],
                None if columns.pred is None else found.labels[columns.pred],
                _scores([found.numbers[name] for _, name in scored]),
                by=None if columns.by is None else found.keys[columns.by],
                labels=listed,
                score_labels=[known.label(text or name) for text, name in scored] if len(scored) > 1 else None,
                pos_label=None if positive is None else known.one(positive, "--positive"),
                sample_weight=None if columns.weight is None else found.numbers[columns.weight],
                groups=None if columns.groups is None else found.keys[columns.groups],
                name=source.name if columns.file == "-" else PurePath(source.name).name,
                **choices,
            )
        except DataError as error:
            raise DataError(f"{source.name}: {_in_words_of_options(str(error))}") from None
    signature = {
        **table.signature,
        "columns": {name: value for name, value in columns._asdict().items() if name != "file" and value},
        "by": columns.by,
        "inputs": {source.name: f"xxh3-128:{source.fingerprint}"},
    }
    notices = [replace(notice, source=source.name) for notice in table.warnings]
    rows = (replace(row, why=_in_words_of_options(row.why)) for row in table.summary)
    return Table(rows, notices, signature)


def _class_and_column(text: str, columns: Sequence[str]) -> tuple[str | None, str]:
    """``CLASS=COL`` in two; a column that has that name itself comes first."""
    label, equals, column = text.partition("=")
    return (label, column) if equals and text not in columns else (None, text)


def _scores(columns: list[Any]) -> Any:
    if len(columns) > 1:
        import numpy as np

        return np.column_stack(columns)
    return columns[0] if columns else None


class _Labels:
    """The labels of a file, and what is meant by one on the command line."""

    def __init__(self, known: Iterable[Any]) -> None:
        self.known = {str(label).lower() if isinstance(label, bool) else str(label): label for label in known}
        self.numbers = bool(self.known) and all(type(label) is int for label in self.known.values())

    @classmethod
    def of(cls, columns: Iterable[Any]) -> "_Labels":
        distinct = set()
        for column in columns:
            distinct.update(column.tolist())
        return cls(sorted(distinct, key=str))

    def label(self, text: str) -> Any:
        """The label, which the file need not have."""
        if text.lower() in ("true", "false") and text.lower() in self.known:
            return self.known[text.lower()]
        if text in self.known:
            return self.known[text]
        return int(text) if self.numbers and re.fullmatch(r"-?[0-9]{1,18}", text) else text

    def check_columns(self, file: str, names: list[str]) -> None:
        """Refuse several columns of scores of which none is named like a class."""
        if len(names) > 1 and not any(self.label(name) in self.known.values() for name in names):
            raise DataError(
                f"{file}: has no class named {names[0]!r} or like the other columns of scores; the classes are "
                f"{self}; name the class of each column with --score CLASS=COL"
            )

    def __str__(self) -> str:
        return ", ".join(map(repr, list(self.known)[:6])) + (", ..." if len(self.known) > 6 else "")

    def one(self, text: str, what: str) -> Any:
        """The label, which the file must have."""
        from certus.metrics._check import suggestion

        label = self.label(text)
        if label not in self.known.values():
            raise DataError(f"{what} is {text!r}, but the labels are {self}{suggestion(text, list(self.known))}")
        return label


def _split(text: str) -> list[str]:
    """Labels separated by commas, quoted where they hold one."""
    return next(csv.reader([text], skipinitialspace=True), [])


def _undefined(text: str | None) -> float | str | None:
    if text is None or text in ("nan", "skip"):
        return text
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not nan, skip or a number", param_hint="--undefined") from None


def _in_words_of_options(message: str) -> str:
    return _ARGUMENT.sub(lambda found: _OPTIONS[found[0].rstrip("=")], message)
