"""From the options of ``certus classify`` and a file to truth, predictions and conventions."""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import typer

from certus.errors import DataError

__all__ = ["Asked", "Found", "KnownLabels", "read", "split_labels"]


class Asked(NamedTuple):
    """What the options say: a file, its columns, and what is meant by its labels."""

    file: str
    truth: str
    pred: str | None
    score: tuple[str, ...]
    by: str | None
    weight: str | None
    groups: str | None
    positive: str | None
    labels: str | None

    @property
    def columns(self) -> dict[str, object]:
        """The columns that were named, by option."""
        names = ("truth", "pred", "score", "by", "weight", "groups")
        return {name: value for name in names if (value := getattr(self, name))}


class Found(NamedTuple):
    """What the file holds of that."""

    file: str
    fingerprint: str
    name: str
    y_true: Any
    y_pred: Any
    y_score: Any
    by: Any
    score_labels: list[Any] | None
    conventions: dict[str, Any]
    located: Callable[[DataError], DataError]
    """An error about these with file, line and column."""


def read(asked: Asked) -> Found:
    """The columns asked for.

    Raises
    ------
    DataError
        The file cannot be read, lacks a column, or has no such label.
    """
    from certus.io import read_predictions

    source = read_predictions(asked.file)
    scored = [_class_and_column(text, source.columns) for text in asked.score]
    columns = source.read(
        [name for name in (asked.truth, asked.pred) if name is not None],
        [*(name for _, name in scored), *([] if asked.weight is None else [asked.weight])],
        [name for name in (asked.by, asked.groups) if name is not None],
    )
    known = KnownLabels.of(columns.labels.values(), source.name)
    positive = asked.positive
    if len(scored) == 1 and scored[0][0] is not None:
        if positive is not None:
            raise typer.BadParameter("name the positive class here or with --positive, not both", param_hint="--score")
        positive = scored[0][0]
    pos_label = None if positive is None else known.one(positive, "--positive")
    if len(asked.score) == 1 and scored[0][0] is None:
        known.check_positive(asked.score, pos_label)
    names = [name for _, name in scored]
    used: dict[str, Sequence[str | None]] = {"y_true": [asked.truth], "y_score": names, "y_prob": names}
    used |= {"y_pred": [asked.pred], "sample_weight": [asked.weight]}
    return Found(
        file=source.name,
        fingerprint=source.fingerprint,
        name=source.name if asked.file == "-" else PurePath(source.name).name,
        y_true=columns.labels[asked.truth],
        y_pred=None if asked.pred is None else columns.labels[asked.pred],
        y_score=_scores([columns.numbers[name] for _, name in scored]),
        by=None if asked.by is None else columns.keys[asked.by],
        score_labels=known.of_columns([text or name for text, name in scored]) if len(scored) > 1 else None,
        conventions={
            "labels": None if asked.labels is None else list(map(known.label, split_labels(asked.labels))),
            "pos_label": pos_label,
            "sample_weight": None if asked.weight is None else columns.numbers[asked.weight],
            "groups": None if asked.groups is None else columns.keys[asked.groups],
        },
        located=lambda error: source.located(error, columns, used),
    )


def _class_and_column(text: str, columns: Sequence[str]) -> tuple[str | None, str]:
    """``CLASS=COL`` in two; a column that has that name itself comes first."""
    label, equals, column = text.partition("=")
    return (label, column) if equals and text not in columns else (None, text)


def _scores(columns: list[Any]) -> Any:
    if len(columns) > 1:
        import numpy as np

        return np.column_stack(columns)
    return columns[0] if columns else None


class KnownLabels:
    """The labels of a file, and what is meant by one on the command line."""

    def __init__(self, known: Iterable[Any], file: str) -> None:
        from certus.data._class_columns import NamedLabels

        self.file = file
        self.named = NamedLabels(known)
        self.numbers = bool(self.named.labels) and all(type(label) is int for label in self.named.labels)

    @classmethod
    def of(cls, columns: Iterable[Any], file: str) -> "KnownLabels":
        """The labels of some columns."""
        distinct = set()
        for column in columns:
            distinct.update(column.tolist())
        return cls(sorted(distinct, key=str), file)

    def label(self, text: str) -> Any:
        """The label, which the file need not have."""
        if (found := self.named.find(text)) is not None:
            return found
        return int(text) if self.numbers and re.fullmatch(r"-?[0-9]{1,18}", text) else text

    def one(self, text: str, option: str) -> Any:
        """The label, which the file must have."""
        from certus.spelling import suggestion

        label = self.label(text)
        if label not in self.named.labels:
            hint = suggestion(text, list(self.named.texts))
            raise DataError(f"{self.file}: {option} is {text!r}, but the labels are {self}{hint}")
        return label

    def check_positive(self, columns: Iterable[str], positive: Any) -> None:
        """Refuse columns of scores of one class that are named after another one."""
        from certus.data._class_columns import check_positive
        from certus.data._classes import usual_positive

        label = usual_positive(self.named.labels) if positive is None else positive
        for column in columns if label is not None else ():
            try:
                check_positive(column, self.named.labels, label, "y_score")
            except DataError as error:
                raise DataError(f"{self.file}: {error}") from None

    def of_columns(self, names: list[str]) -> list[Any]:
        """The class that each column of scores is named after; some must be a class of the file."""
        labels = list(map(self.label, names))
        if not any(label in self.named.labels for label in labels):
            raise DataError(
                f"{self.file}: has no class named {names[0]!r} or like the other columns of scores; the classes are "
                f"{self}; name the class of each column with --score CLASS=COL"
            )
        return labels

    def __str__(self) -> str:
        texts = list(self.named.texts)
        return ", ".join(map(repr, texts[:6])) + (", ..." if len(texts) > 6 else "")


def split_labels(text: str) -> list[str]:
    """Labels separated by commas, quoted where they hold one."""
    return next(csv.reader([text], skipinitialspace=True), [])
