"""The columns and the labels that the options of a command line name, and their values in one file."""

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from certus.cli._declare import UsageError
from certus.core.errors import DataError
from certus.core.spelling import plural, suggestion
from certus.evaluation.binding import Binding, Names
from certus.io.batches import columns_of
from certus.tasks import Argument, Task

if TYPE_CHECKING:
    from certus.io.batches import Batch
    from certus.io.columns import Columns
    from certus.io.predictions import Predictions


Options = Mapping[str, Any]
"""The columns and words given, by option without dashes."""


@dataclass(frozen=True)
class NamedColumns:
    """The columns that options name, taken apart: ``COL,COL``, ``CLASS=COL`` and, of a system, ``NAME=COL,COL``.

    Attributes
    ----------
    task, options
        The task, and the options as they were given.
    binding
        The columns by the arguments of the task.
    classes
        The class that stands before each column of scores; None where none does.
    """

    task: Task
    options: Options
    binding: Binding
    classes: Sequence[str | None]

    @classmethod
    def from_options(
        cls,
        task: Task,
        options: Options,
        file_columns: Sequence[str] = (),
        *,
        by: str | None = None,
        compared: bool = False,
    ) -> "NamedColumns":
        """The columns of a task; a column of the file may have a comma or an equals sign in its name."""
        columns: dict[str, Names] = {}
        classes: list[str | None] = []
        predicted = []
        for argument in task.columns:
            if not (texts := options.get(argument.option)):
                continue
            texts = [texts] if isinstance(texts, str) else list(texts)
            if compared and argument.predicted:
                predicted.append(argument)
                continue
            if argument.by_class:
                classes, texts = map(list, zip(*(_head_and_columns(text, file_columns) for text in texts), strict=True))
            elif argument.several:
                texts = [name for text in texts for name in _column_names(text, file_columns)]
            columns[argument.name] = _one_or_all(texts)
        if by is not None:
            columns["by"] = by
        systems = dict(_systems(task, options, predicted, columns, file_columns)) if compared else None
        has_words = not _has_classes(task) and options.get("positive") is not None
        conventions = {"pos_label": options["positive"]} if has_words else {}
        return cls(task, options, Binding(columns, conventions, known_task=task, systems=systems), classes)

    def described(self) -> dict[str, Any]:
        """The options as a signature has them: lists of columns taken apart, but the systems as they were given."""
        described = {}
        for argument in (*self.task.data, *self.task.conventions, *self.task.options):
            if words := self.options.get(argument.option):
                if argument.several and not argument.by_class and argument.name in self.binding.columns:
                    names = self.binding.columns[argument.name]
                    words = [names] if isinstance(names, str) else names
                is_single = isinstance(words, list) and len(words) == 1 and not argument.several
                described[argument.option] = words[0] if is_single else words
        if "by" in self.binding.columns:
            described["by"] = self.binding.columns["by"]
        return described

    def conventions(self, labels: "KnownLabels | None", *, is_file: bool) -> dict[str, Any]:
        """The conventions that are not columns, their labels among those known: all of a file, or of a first batch."""
        options, compared = self.options, self.binding.systems is not None
        conventions: dict[str, Any] = {
            argument.name: options[argument.option]
            if argument.holds != "number"
            else numbers_of(options[argument.option], f"--{argument.option}")
            for argument in (*self.task.conventions, *self.task.options)
            if not argument.column and options.get(argument.option) is not None
        }
        score = next((argument for argument in self.task.data if argument.by_class), None)
        if labels is None or score is None:
            return conventions
        for argument in self.task.conventions:
            if argument.name in conventions and argument.holds == "list":
                conventions[argument.name] = list(map(labels.label, split_labels(conventions[argument.name])))
        positive = next(argument for argument in self.task.conventions if argument.holds == "label")
        text, source = conventions.get(positive.name), f"--{positive.option}"
        if len(self.classes) == 1 and self.classes[0] is not None:
            if text is not None:
                raise UsageError(f"name the positive class here or with {source}, not both", f"--{score.option}")
            text, source = self.classes[0], f"the class of --{score.option}"
        if text is not None:
            conventions[positive.name] = labels.label_in_file(text, source) if is_file else labels.label(text)
        names = [
            *list_of(self.binding.columns.get(score.name, ())),
            *(name for system in (self.binding.systems or {}).values() for name in list_of(system.get(score.name, ()))),
        ]
        if compared or len(names) == 1:
            if is_file and all(label is None for label in self.classes):
                labels.check_positive(names, conventions.get(positive.name))
        elif names:
            texts = [label or name for label, name in zip(self.classes, names, strict=True)]
            if is_file:
                conventions["score_labels"] = labels.labels_named(texts)
            else:
                conventions.setdefault("labels", list(map(labels.label, texts)))
        return conventions


def numbers_of(texts: Iterable[str], option: str) -> list[float]:
    """The numbers that an option gives, each by itself or several with commas between them."""
    numbers: list[float] = []
    for text in ",".join(texts).split(","):
        try:
            numbers.append(int(text) if re.fullmatch(r"\s*[0-9]{1,18}\s*", text) else float(text))
        except ValueError:
            raise UsageError(f"{text!r} is not a number", option) from None
    return numbers


def list_of(names: Names) -> list[str]:
    """The names as a list."""
    return [names] if isinstance(names, str) else list(names)


def _one_or_all(names: Sequence[str]) -> Names:
    return names[0] if len(names) == 1 else list(names)


def _head_and_columns(text: str, file_columns: Sequence[str]) -> tuple[str | None, str]:
    """The class or the name before ``=``, and what follows; a column that has that name itself comes first."""
    head, equals, columns = text.partition("=")
    return (head, columns) if equals and text not in file_columns else (None, text)


def _column_names(text: str, file_columns: Sequence[str]) -> list[str]:
    return [text] if text in file_columns else text.split(",")


def _systems(
    task: Task,
    options: Options,
    predicted: Sequence[Argument],
    columns: Mapping[str, Names],
    file_columns: Sequence[str],
) -> Iterator[tuple[str, dict[str, Names]]]:
    """The columns of each system, which is named before those of its first argument, or by these."""
    truth = next(argument for argument in (*task.shared, *predicted) if argument.name in columns or argument.predicted)
    width = len(list_of(columns.get(truth.name, "")))
    names: list[str] = []
    for index in range(len(options[predicted[0].option])):
        system: dict[str, Names] = {}
        for argument in predicted:
            text = options[argument.option][index]
            head, columns_text = _head_and_columns(text, file_columns) if argument.of_system else (None, text)
            if argument is predicted[0]:
                names.append(head or text)
            own_columns = _column_names(columns_text, file_columns) if argument.of_system else [columns_text]
            if argument.of_system and len(own_columns) != width:
                raise UsageError(
                    f"{names[-1]!r} has {plural(len(own_columns), 'column')} for {width} of --{truth.option}; give "
                    f"each system one for each, separated by commas: --{argument.option} NAME=COL,COL",
                    f"--{argument.option}",
                )
            system[argument.name] = _one_or_all(own_columns)
        if names[-1] in names[:-1]:
            raise UsageError(
                f"two systems are called {names[-1]!r}; name them, as in NAME=COL,COL", f"--{predicted[0].option}"
            )
        yield names[-1], system


@dataclass(frozen=True)
class TableColumns:
    """The columns that options name, read from a table in one file.

    Attributes
    ----------
    source, read
        The file, and its columns by what they hold.
    named
        The names of the columns.
    values, systems
        The values of the columns of all samples by their arguments, and of those of each system that is compared.
    conventions
        The conventions that are not columns.
    """

    source: "Predictions"
    read: "Columns"
    named: NamedColumns
    values: dict[str, Any]
    systems: dict[str, dict[str, Any]]
    conventions: dict[str, Any]

    @classmethod
    def from_file(
        cls, file: str, task: Task, options: Options, by: str | None = None, *, compared: bool = False
    ) -> "TableColumns":
        """Read the columns that the options name."""
        from certus.io import read_predictions

        source = read_predictions(file)
        named_columns = NamedColumns.from_options(task, options, source.columns, by=by, compared=compared)
        wanted = named_columns.binding.wanted
        columns = source.read(wanted.labels, wanted.numbers, wanted.keys)
        columns_by_kind: dict[str, Any] = {"labels": columns.labels, "numbers": columns.numbers, "keys": columns.keys}

        def values(names_by_argument: Mapping[str, Names]) -> dict[str, Any]:
            binding = named_columns.binding
            holds = {name: "keys" if name == "by" else binding.holds(task.argument(name)) for name in names_by_argument}
            return {name: _stacked(columns_by_kind[holds[name]], names) for name, names in names_by_argument.items()}

        labels = KnownLabels.from_columns(columns.labels.values(), source.name) if _has_classes(task) else None
        return cls(
            source,
            columns,
            named_columns,
            values(named_columns.binding.columns),
            {system: values(names) for system, names in (named_columns.binding.systems or {}).items()},
            named_columns.conventions(labels, is_file=True),
        )

    @property
    def name(self) -> str:
        """The name of the predictions in the file."""
        return self.source.name if self.source.name == "-" else PurePath(self.source.name).name

    @property
    def inputs(self) -> dict[str, str]:
        """A hash of the file, by its name."""
        return {self.source.name: f"xxh3-128:{self.source.fingerprint}"}

    @property
    def by(self) -> Any:
        """The column of subgroups, or of ids; None without."""
        return self.values.get("by")

    @property
    def keywords(self) -> dict[str, Any]:
        """The columns of all samples and the conventions, by the names of Python's keywords."""
        return {**{name: column for name, column in self.values.items() if name != "by"}, **self.conventions}

    def located(self, error: DataError) -> DataError:
        """The error with file, line and column."""
        columns: dict[str, list[str]] = {}
        for names_by_argument in (self.named.binding.columns, *(self.named.binding.systems or {}).values()):
            for name, names in names_by_argument.items():
                for alias in (name,) if name == "by" else self.named.task.argument(name).names:
                    columns.setdefault(alias, []).extend(list_of(names))
        return self.source.located(error, self.read, columns)


def _stacked(columns: Mapping[str, Any], names: Names) -> Any:
    """One column, or a table of several."""
    if isinstance(names, str):
        return columns[names]
    import numpy as np

    return np.column_stack([columns[name] for name in names])


def _has_classes(task: Task) -> bool:
    return any(argument.by_class for argument in task.data)


def check_columns(file: str, task: Task, options: Options) -> None:
    """Refuse a file that cannot be read, or that lacks a column."""
    from certus.io import read_predictions

    source = read_predictions(file)
    source.check(NamedColumns.from_options(task, options, source.columns).binding.wanted.names)


def several(files: Sequence[str]) -> bool:
    """True if there are several files, a pattern, or a folder."""
    if len(files) == 1 and os.path.isfile(files[0]):
        return False
    from certus.io.batches import files_of

    return len(files) > 1 or files_of(files) != [*files]


def check_memory(memory: str | None, *, bounds: bool) -> None:
    """Refuse what is not a size, and a size where bounds are asked for."""
    if memory is None:
        return
    from certus.states import bytes_of

    if bounds:
        raise UsageError("does not apply to --bounds, which take a few megabytes", "--memory")
    try:
        bytes_of(memory)
    except DataError as error:
        raise UsageError(f"{error.problem}; {error.remedy}", "--memory") from None


class KnownLabels:
    """The labels of a file, and what is meant by one on the command line."""

    def __init__(self, known: Iterable[Any], file: str) -> None:
        from certus.data.classes import NamedLabels

        self.file = file
        self.named = NamedLabels(known)
        self.numbers = bool(self.named.labels) and all(type(label) is int for label in self.named.labels)

    @classmethod
    def from_columns(cls, columns: Iterable[Any], file: str) -> "KnownLabels":
        """The labels of some columns."""
        distinct = set()
        for column in columns:
            distinct.update(column.tolist())
        return cls(sorted(distinct, key=str), file)

    @classmethod
    def from_batch(cls, task: Task, truth: Any, batch: "Batch") -> "KnownLabels | None":
        """The labels of the truth in a batch; None where the truth has several columns, or the task no classes."""
        from certus.data.columns import coded

        if not isinstance(truth, str) or not _has_classes(task):
            return None
        column = coded(columns_of(batch.table, {"y_true": truth})["y_true"], "y_true")
        return cls(column.labels, batch.location)

    def label(self, text: str) -> Any:
        """The label, which the file need not have."""
        if (label := self.named.find(text)) is not None:
            return label
        return int(text) if self.numbers and re.fullmatch(r"-?[0-9]{1,18}", text) else text

    def label_in_file(self, text: str, option: str) -> Any:
        """The label, which the file must have."""
        label = self.label(text)
        if label not in self.named.labels:
            hint = suggestion(text, list(self.named.texts))
            raise DataError(f"{option} is {text!r}, but the labels are {self}", hint, location=self.file)
        return label

    def check_positive(self, columns: Iterable[str], positive: Any) -> None:
        """Refuse columns of scores of one class that are named after another one."""
        from certus.data.classes import check_positive, default_positive

        label = default_positive(self.named.labels) if positive is None else positive
        for column in columns if label is not None else ():
            try:
                check_positive(column, self.named.labels, label, "y_score")
            except DataError as error:
                raise error.with_location(self.file) from None

    def labels_named(self, names: list[str]) -> list[Any]:
        """The class that each column of scores is named after; some must be a class of the file."""
        labels = list(map(self.label, names))
        if not any(label in self.named.labels for label in labels):
            raise DataError(
                f"has no class named {names[0]!r} or like the other columns of scores",
                f"the classes are {self}; name the class of each column with --score CLASS=COL",
                location=self.file,
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
