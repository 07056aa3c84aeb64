"""From the options of a command and a file to the data and the conventions of a task."""

import csv
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from certus.cli._declare import UsageError
from certus.errors import DataError
from certus.tasks import Argument, Task

Asked = Mapping[str, Any]
"""By option, without dashes, the columns and words given."""


class Found(NamedTuple):
    """The data and conventions found in a file.

    Attributes
    ----------
    file, fingerprint
        Its name, and a hash of it.
    name
        What to call the predictions in it.
    columns
        The columns of each argument of data by its name: names and values, in the order asked for. Of predictions that
        are compared, those of each system: what to call it, and a table where it has several columns.
    told
        The conventions, by name.
    by
        The column that tells subgroups apart.
    asked
        What each option named, as it was read.
    located
        An error about these with file, line and column.
    place
        The file and the line of a row.
    """

    file: str
    fingerprint: str
    name: str
    columns: dict[str, list[tuple[str, Any]]]
    told: dict[str, Any]
    by: Any
    asked: dict[str, Any]
    located: Callable[[DataError], DataError]
    place: Callable[[int], str]


def several(files: Sequence[str]) -> bool:
    """True if there are several files, a pattern, or a folder."""
    if len(files) == 1 and os.path.isfile(files[0]):
        return False
    from certus.io.batches import files_of

    return len(files) > 1 or files_of(files) != [*files]


def read(file: str, task: Task, asked: Asked, by: str | None = None, *, compared: bool = False) -> Found:
    """The columns and words that a task is given."""
    from certus.io import read_predictions

    source = read_predictions(file)
    known = [each for each in (*task.data, *task.conventions) if asked.get(each.option)]
    named: dict[str, list[tuple[str | None, str]]] = {
        each.name: _named(each, asked[each.option], source.columns, compared) for each in known if each.column
    }

    def of(kind: str) -> list[str]:
        return [column for each in known if each.holds == kind for _, column in named[each.name]]

    columns = source.read(of("labels"), of("numbers"), [*([] if by is None else [by]), *of("keys")])
    kinds = {"labels": columns.labels, "numbers": columns.numbers, "keys": columns.keys}
    data = {
        each.name: [(column, kinds[each.holds][column]) for _, column in named[each.name]]
        for each in task.data
        if each.name in named
    }
    for each in task.data if compared else ():
        if each.name in named and each.of_system:
            data[each.name] = list(_systems(asked[each.option], source.columns, dict(data[each.name])))
    told = {
        each.name: kinds[each.holds][named[each.name][0][1]] if each.column else asked[each.option]
        for each in task.conventions
        if asked.get(each.option)
    }
    if any(each.by_class for each in task.data):
        told |= _labels(task, asked, named, KnownLabels.of(columns.labels.values(), source.name), compared)
    used: dict[str, Sequence[str | None]] = {
        alias: [column for _, column in named[each.name]]
        for each in known
        if each.name in named
        for alias in each.names
    }
    if by is not None:
        used["by"] = [by]
    return Found(
        file=source.name,
        fingerprint=source.fingerprint,
        name=source.name if file == "-" else PurePath(source.name).name,
        columns=data,
        told=told,
        by=None if by is None else columns.keys[by],
        asked={each.option: _as_asked(each, asked[each.option], named, compared) for each in known}
        | ({} if by is None else {"by": by}),
        located=lambda error: source.located(error, columns, used),
        place=source.place,
    )


def check_columns(file: str, task: Task, asked: Asked) -> None:
    """Refuse a file that cannot be read, or that lacks a column."""
    from certus.io import read_predictions

    source = read_predictions(file)
    known = [each for each in (*task.data, *task.conventions) if each.column and asked.get(each.option)]
    source.check([name for each in known for _, name in _named(each, asked[each.option], source.columns, False)])


def together(columns: Sequence[tuple[str, Any]]) -> Any:
    """One column, or a table of several."""
    values = [each for _, each in columns]
    if len(values) == 1:
        return values[0]
    import numpy as np

    return np.column_stack(values)


def _named(
    each: Argument, texts: str | Sequence[str], known: Sequence[str], compared: bool
) -> list[tuple[str | None, str]]:
    """The columns that an option names, each with the class that stands before it."""
    listed = [texts] if isinstance(texts, str) else list(texts)
    if each.by_class and not compared:
        return [_class_and_column(text, known) for text in listed]
    if compared and each.of_system:
        return [(None, name) for text in listed for name in _system(text, known)[1]]
    if each.several and not (compared and each.predicted):
        return [(None, name) for text in listed for name in _split(text, known)]
    return [(None, text) for text in listed]


def _split(text: str, known: Sequence[str]) -> list[str]:
    return [text] if text in known else text.split(",")


def _system(text: str, known: Sequence[str]) -> tuple[str, list[str]]:
    """The name and the columns of a system: ``NAME=COL,COL`` or ``COL,COL``."""
    name, columns = _class_and_column(text, known)
    return name or text, _split(columns, known)


def _systems(texts: Sequence[str], known: Sequence[str], values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each system with its column, or a table of several."""
    for text in texts:
        name, columns = _system(text, known)
        yield name, together([(column, values[column]) for column in columns])


def _as_asked(each: Argument, given: Any, named: Mapping[str, list[tuple[str | None, str]]], compared: bool) -> Any:
    if each.column and each.several and not each.by_class and not (compared and each.of_system):
        given = [column for _, column in named[each.name]]
    return given[0] if isinstance(given, list) and len(given) == 1 and not each.several else given


def _labels(
    task: Task,
    asked: Asked,
    named: Mapping[str, list[tuple[str | None, str]]],
    known: "KnownLabels",
    compared: bool,
) -> dict[str, Any]:
    """The conventions that are labels of the file."""
    told: dict[str, Any] = {}
    scored = next((named[each.name] for each in task.data if each.by_class and each.name in named), [])
    option = next((each.option for each in task.data if each.by_class), "")
    positive = next(each for each in task.conventions if each.holds == "label")
    text, where = asked.get(positive.option), f"--{positive.option}"
    if not compared and len(scored) == 1 and scored[0][0] is not None:
        if text is not None:
            raise UsageError(f"name the positive class here or with {where}, not both", param_hint=f"--{option}")
        text, where = scored[0][0], f"the class of --{option}"
    label = None if text is None else known.one(text, where)
    if label is not None:
        told[positive.name] = label
    if compared or (len(scored) == 1 and scored[0][0] is None):
        known.check_positive([column for _, column in scored], label)
    elif len(scored) > 1:
        told["score_labels"] = known.of_columns([text or name for text, name in scored])
    for each in task.conventions:
        if each.holds == "list" and (words := asked.get(each.option)) is not None:
            told[each.name] = list(map(known.label, split_labels(words)))
    return told


def _class_and_column(text: str, columns: Sequence[str]) -> tuple[str | None, str]:
    """``CLASS=COL`` in two; a column that has that name itself comes first."""
    label, equals, column = text.partition("=")
    return (label, column) if equals and text not in columns else (None, text)


class KnownLabels:
    """The labels of a file, and what is meant by one on the command line."""

    def __init__(self, known: Iterable[Any], file: str) -> None:
        from certus.data.classes import NamedLabels

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
            raise DataError(f"{option} is {text!r}, but the labels are {self}", hint, place=self.file)
        return label

    def check_positive(self, columns: Iterable[str], positive: Any) -> None:
        """Refuse columns of scores of one class that are named after another one."""
        from certus.data.classes import check_positive, default_positive

        label = default_positive(self.named.labels) if positive is None else positive
        for column in columns if label is not None else ():
            try:
                check_positive(column, self.named.labels, label, "y_score")
            except DataError as error:
                raise error.at(self.file) from None

    def of_columns(self, names: list[str]) -> list[Any]:
        """The class that each column of scores is named after; some must be a class of the file."""
        labels = list(map(self.label, names))
        if not any(label in self.named.labels for label in labels):
            raise DataError(
                f"has no class named {names[0]!r} or like the other columns of scores",
                f"the classes are {self}; name the class of each column with --score CLASS=COL",
                place=self.file,
            )
        return labels

    def __str__(self) -> str:
        texts = list(self.named.texts)
        return ", ".join(map(repr, texts[:6])) + (", ..." if len(texts) > 6 else "")


def split_labels(text: str) -> list[str]:
    """Labels separated by commas, quoted where they hold one or a line end."""
    try:
        return next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        raise UsageError(f"{text!r} has a line end outside of quotes; put such a label in quotes") from None
