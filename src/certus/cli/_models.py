"""From files with the predictions of one model each to a comparison: rows are paired by a column of ids."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.cli._comparison import Asked
from certus.cli._declare import UsageError
from certus.cli._options import words_of
from certus.cli._predictions import Found, read, together
from certus.cli._task import METRICS_KNOW, check_counts, check_data, check_options, chosen_task, known_system
from certus.errors import DataError, options_for
from certus.note import Note
from certus.spelling import plural
from certus.tasks import Task
from certus.unmatched import pairing

if TYPE_CHECKING:
    from certus.comparison import Comparison


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
        models = _named(asked.every)
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
            values = _of(first, key)[rows[name]]
            for other, each in others:
                differs = [
                    one != two for one, two in zip(values.tolist(), _of(each, key)[rows[other]].tolist(), strict=True)
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


def _of(found: Found, name: str) -> Any:
    """The data or the convention of that name."""
    return found.told[name] if name in found.told else together(found.columns[name])


def _named(files: Sequence[str]) -> dict[str, str]:
    """The files by their names without folders where these differ, otherwise by their paths."""
    known: dict[str, str] = {}
    for file in files:
        if (before := known.get(real := os.path.realpath(file))) is not None:
            also = "is given twice" if before == file else f"is the same file as {before!r}"
            raise UsageError(f"{file!r} {also}; give each file once", param_hint="FILE")
        known[real] = file
    short = [Path(file).name for file in files]
    return dict(zip(short if len(set(short)) == len(files) else files, files, strict=True))
