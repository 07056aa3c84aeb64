"""From the options of ``certus compare`` to a comparison, and from that to text and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from certus.cli._options import Picture
from certus.cli._output import check_target
from certus.cli._predictions import KnownLabels, split_labels
from certus.cli._progress import working
from certus.cli._startup import preload_special_functions
from certus.cli.classify import OPTIONS
from certus.cli.evaluate import OPTIONS as OF_RUNS
from certus.errors import CertusError, DataError, options_for

if TYPE_CHECKING:
    from certus.comparison import Comparison

__all__ = ["DEFAULT_METRICS", "Columns", "Input", "check_picture", "read_and_compare", "save_picture"]

DEFAULT_METRICS = {
    "runs": ("nDCG@10", "AP"),
    "labels": ("Accuracy", "MCC"),
    "scores": ("AUC", "AP"),
    "numbers": ("MAE", "R2"),
}
_PICTURES = (".pdf", ".png", ".svg")
_DOTS_PER_INCH = 150


class Columns(NamedTuple):
    """The columns of a table that the options name, and what is meant by its labels."""

    truth: str | None
    pred: tuple[str, ...]
    score: tuple[str, ...]
    value: tuple[str, ...]
    positive: str | None
    labels: str | None
    weight: str | None
    groups: str | None


@dataclass(frozen=True)
class Input:
    """What is to be compared, checked."""

    files: tuple[str, ...]
    metrics: tuple[str, ...] | None
    baseline: str | None
    columns: Columns
    lower_is_better: bool
    conventions: dict[str, Any]
    regression: bool = False

    def __post_init__(self) -> None:
        if self.kind == "runs":
            self._check_runs()
        else:
            self._check_table()

    @property
    def kind(self) -> str:
        """``"runs"``, ``"labels"``, ``"scores"``, ``"numbers"`` (of regressors) or ``"values"``."""
        columns = self.columns
        if columns.value:
            return "values"
        if self.regression and (columns.truth or columns.pred):
            return "numbers"
        if columns.score:
            return "scores"
        return "labels" if columns.pred or columns.truth else "runs"

    @property
    def systems(self) -> tuple[str, ...]:
        """The columns, or the paths of the runs."""
        return self.columns.pred + self.columns.score + self.columns.value if self.kind != "runs" else self.files[1:]

    def _check_runs(self) -> None:
        for name in ("positive", "labels", "weight"):
            if getattr(self.columns, name) is not None:
                raise typer.BadParameter("is for a table of predictions, with --truth", param_hint=f"--{name}")
        if self.lower_is_better:
            raise typer.BadParameter("is for columns of values, with --value", param_hint="--lower-is-better")
        if len(self.files) == 1:
            raise typer.BadParameter(
                "give qrels and two or more runs; or a table with --truth and --pred or --score, or with --value",
                param_hint="QRELS RUN...",
            )
        if len(self.systems) + (self.baseline is not None) < 2:
            raise typer.BadParameter("one run was given; a comparison needs two or more", param_hint="RUN...")
        self._check_twice("RUN...", "run")
        if self.files.count("-") > 1:
            raise typer.BadParameter("standard input can be read only once")

    def _check_table(self) -> None:
        columns, kind = self.columns, self.kind
        if self.conventions:
            raise typer.BadParameter(
                "is for retrieval runs, not for a table", param_hint=f"--{next(iter(self.conventions))}"
            )
        if len(self.files) > 1:
            first = next(name for name in ("truth", "pred", "score", "value") if getattr(columns, name))
            raise typer.BadParameter(
                f"--{first} is a column of one table, but {len(self.files)} files were given", param_hint="FILE"
            )
        for name in ("truth", "pred", "score"):
            if kind == "values" and getattr(columns, name):
                raise typer.BadParameter("is for predictions, not for columns of --value", param_hint=f"--{name}")
        if columns.pred and columns.score:
            raise typer.BadParameter("compare labels or scores, one kind at a time", param_hint="--pred, --score")
        option = {"labels": "--pred", "numbers": "--pred", "scores": "--score", "values": "--value"}[kind]
        for name in ("score", "positive", "labels"):
            if kind == "numbers" and getattr(columns, name):
                raise typer.BadParameter("is for classifiers, not for --task regression", param_hint=f"--{name}")
        if kind == "scores" and columns.labels is not None:
            raise typer.BadParameter("is for predicted labels; scores are of the positive class", param_hint="--labels")
        for name in ("positive", "labels"):
            if kind == "values" and getattr(columns, name) is not None:
                raise typer.BadParameter("is for labels, not for columns of values", param_hint=f"--{name}")
        if len(self.systems) < 2:
            raise typer.BadParameter("give two or more columns to compare", param_hint=option)
        self._check_twice(option, "column")
        if kind != "values" and columns.truth is None:
            true = "true values" if kind == "numbers" else "true labels"
            raise typer.BadParameter(f"name the column of {true}", param_hint="--truth")
        if kind != "values" and self.lower_is_better:
            raise typer.BadParameter("is for columns of values; metrics know it", param_hint="--lower-is-better")
        if kind == "values" and self.metrics is not None and len(self.metrics) > 1:
            raise typer.BadParameter("values have one name; give one", param_hint="-m")

    def _check_twice(self, option: str, what: str) -> None:
        twice = next((name for name in self.systems if self.systems.count(name) > 1), None)
        if twice is not None:
            message = f"{twice!r} is given twice; a {what} is compared with another one"
            raise typer.BadParameter(message, param_hint=option)


def read_and_compare(given: Input, options: dict[str, Any]) -> "Comparison":
    """Read the files and compare what is in them.

    Raises
    ------
    DataError
        They cannot be read or compared.
    """
    preload_special_functions()
    with working("comparing"), options_for(OF_RUNS if given.kind == "runs" else OPTIONS):
        return _runs(given, options) if given.kind == "runs" else _table(given, options)


def _runs(given: Input, options: dict[str, Any]) -> "Comparison":
    from certus.cases import named_runs
    from certus.comparison import compare

    qrels, *runs = given.files
    baseline = given.baseline
    names = [name for name, _ in named_runs(runs)]
    if baseline is not None and baseline not in names:
        if baseline not in runs and Path(baseline).is_file():
            runs.insert(0, baseline)
            names = [name for name, _ in named_runs(runs)]
        baseline = names[runs.index(baseline)] if baseline in runs else _known(baseline, names)
    metrics = given.metrics or DEFAULT_METRICS["runs"]
    groups = given.columns.groups
    return compare(qrels, runs, list(metrics), baseline=baseline, groups=groups, **options, **given.conventions)


def _known(baseline: str | None, names: Sequence[str]) -> str | None:
    from certus.spelling import suggestion

    if baseline is not None and baseline not in names:
        hint = suggestion(baseline, list(names)) or f"; there are {', '.join(names)}"
        raise typer.BadParameter(f"{baseline!r} is none of the systems{hint}", param_hint="--baseline")
    return baseline


def _table(given: Input, options: dict[str, Any]) -> "Comparison":
    from certus.comparison import compare, compare_values
    from certus.io import read_predictions

    options = {**options, "baseline": _known(given.baseline, given.systems)}
    columns = given.columns
    source = read_predictions(given.files[0])
    predictions = [name for name in (columns.truth, *columns.pred) if name is not None]
    numbers = [*columns.score, *columns.value, *([] if columns.weight is None else [columns.weight])]
    read = source.read(
        [] if given.regression else predictions,
        [*predictions, *numbers] if given.regression else numbers,
        [] if columns.groups is None else [columns.groups],
    )
    conventions = _conventions(columns, read, source.name)
    try:
        if given.kind == "values":
            values = {name: read.numbers[name] for name in columns.value}
            metric = "value" if given.metrics is None else given.metrics[0]
            lower = given.lower_is_better
            found = compare_values(
                values,
                metric,
                better="lower" if lower else "metric",
                unit="row",
                groups=conventions.get("groups"),
                weights=conventions.get("sample_weight"),
                **options,
            )
        else:
            systems = {name: (read.labels if given.kind == "labels" else read.numbers)[name] for name in given.systems}
            metrics = given.metrics or DEFAULT_METRICS[given.kind]
            truth = (read.numbers if given.regression else read.labels)[columns.truth or ""]
            task = "regression" if given.regression else "classification"
            found = compare(truth, systems, list(metrics), task=task, **options, **conventions)
    except DataError as error:
        used: dict[str, Sequence[str | None]] = {"y_true": [columns.truth]}
        used |= {"y_pred": columns.pred, "y_score": columns.score, "y_prob": columns.score}
        used |= {"sample_weight": [columns.weight], "weights": [columns.weight]}
        raise source.located(error, read, used) from None
    notices = tuple(replace(notice, source=source.name) for notice in found.notices)
    return replace(
        found,
        inputs={source.name: f"xxh3-128:{source.fingerprint}"},
        conventions={
            **found.conventions,
            "columns": {name: named for name, named in columns._asdict().items() if named},
        },
        notices=notices,
    )


def _conventions(columns: Columns, read: Any, file: str) -> dict[str, Any]:
    known = KnownLabels.of(read.labels.values(), file)
    positive = None if columns.positive is None else known.one(columns.positive, "--positive")
    known.check_positive(columns.score, positive)
    conventions = {
        "labels": None if columns.labels is None else list(map(known.label, split_labels(columns.labels))),
        "pos_label": positive,
        "sample_weight": None if columns.weight is None else read.numbers[columns.weight],
        "groups": None if columns.groups is None else read.keys[columns.groups],
    }
    return {name: value for name, value in conventions.items() if value is not None}


def check_picture(file: Path | None, force: bool, sources: Sequence[str], output: Path | None) -> None:
    """Refuse a picture that cannot or must not be written, before any work is done for it."""
    if file is None:
        return
    if file.suffix.lower() not in _PICTURES:
        raise typer.BadParameter(f"{file} must end in {', '.join(_PICTURES)}", param_hint="--plot")
    check_target(file, force, *sources, hint="--plot")
    if output is not None and output.absolute() == file.absolute():
        raise typer.BadParameter(f"{file} is the file of the table; give another name", param_hint="--plot")


def save_picture(comparison: "Comparison", picture: Picture, file: Path) -> None:
    """Draw the comparison to a file.

    Raises
    ------
    CertusError
        matplotlib is not installed, or the picture cannot be drawn of this comparison.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise CertusError("pictures need matplotlib; to draw them: pip install 'certus[plot]'") from error
    matplotlib.use("agg")  # there may be no screen
    from matplotlib import pyplot

    figure = comparison.plot(picture.value).figure
    try:
        figure.savefig(file, dpi=_DOTS_PER_INCH, bbox_inches="tight")
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be written: {error.strerror}", param_hint="--plot") from error
    finally:
        pyplot.close(figure)
