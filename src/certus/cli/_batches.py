"""Systems whose predictions are columns of tables in several files: read in batches, compared as one table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.cli._comparison import Asked, Input
from certus.cli._declare import UsageError
from certus.cli._options import words_of
from certus.cli._predictions import KnownLabels, several, split_labels
from certus.cli._state_file import check_memory
from certus.cli._task import known_system
from certus.errors import DataError, options_for
from certus.spelling import plural
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.io.batches import Batch


def conventions_of(task: Task, asked: Mapping[str, Any], columns: Mapping[str, Any], first: "Batch") -> dict[str, Any]:
    """The conventions of a call that are not columns; their labels are of the kind that the first batch has."""
    found = {
        each.name: asked[each.option] for each in task.conventions if each.holds == "text" and each.option in asked
    }
    labelled = [each for each in task.conventions if each.holds in ("label", "list") and each.option in asked]
    if labelled and isinstance(columns.get("y_true"), str):
        known = labels_of(columns["y_true"], first)
        for each in labelled:
            words = asked[each.option]
            found[each.name] = (
                known.label(words) if each.holds == "label" else list(map(known.label, split_labels(words)))
            )
    return found


def labels_of(truth: str, first: "Batch") -> KnownLabels:
    """The labels in the first batch."""
    from certus.data.codes import coded
    from certus.io.batches import columns_of

    column = coded(columns_of(first.table, {"y_true": truth})["y_true"], "y_true")
    return KnownLabels(column.labels, first.place)


@dataclass(frozen=True)
class BatchedInput:
    """The input of a comparison whose columns are read in batches.

    Attributes
    ----------
    input, task
        The columns, checked, and whose predictions they are.
    memory
        Bytes that rows may take; None is no limit.
    """

    input: Input
    task: Task
    memory: str | None

    @classmethod
    def of(cls, asked: Asked, memory: str | None) -> "BatchedInput | None":
        """The columns of several files, or of one that is read in batches; None of other input."""
        data = {each.option: each for task in registry.tasks() for each in task.data}
        given = [data[option] for option in asked.columns if option in data]
        systems = max((len(asked.columns[each.option]) for each in given if each.predicted), default=0)
        table = bool(given) and not asked.values and asked.item is None and asked.ids.which == "equal"
        table &= asked.task != "ranking"
        if memory is not None and (not table or "-" in asked.files):
            raise UsageError("is for columns of predictions in tables that are read in batches", param_hint="--memory")
        check_memory(memory, bounds=False)
        if not table or systems < 2 or (memory is None and not several(asked.files)):
            return None
        checked = Input.of(asked)
        return None if checked.task is None else cls(checked, checked.task, memory)

    @property
    def ranking(self) -> bool:
        """False: these are not retrieval runs."""
        return False

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, or their columns."""
        return self.input.systems

    def compare(self, options: Mapping[str, Any], progress: Callable[[int], object]) -> "Comparison":
        """The comparison; `progress` is called with the number of rows of each batch."""
        from certus.evaluation.infer import compared_metrics
        from certus.io.batches import files_of
        from certus.states import NamedSystems, columns_called, fill

        asked = self.input.asked
        shared = dict(self._shared())
        systems = self._systems(shared)
        baseline = known_system(asked.baseline, list(systems))
        metrics = list(asked.metrics or compared_metrics(self.task, {*shared, *next(iter(systems.values()))}))
        files = files_of(asked.files)
        with options_for({**words_of(self.task), "memory": "--memory"}):
            named = NamedSystems(self.task, shared, systems, metrics, {})
            state = None
            for batch in self._batches(files, named):
                if state is None:
                    with columns_called(self.task, shared, systems):
                        told = conventions_of(self.task, asked.columns, shared, batch)
                        state = named._replace(conventions=told).state(self.memory)
                fill(state, [batch], shared, progress, systems)
            if state is None:
                raise DataError("the tables have no rows")
            found = state.compare(baseline=baseline, **options)
        return replace(
            found,
            inputs={str(file): f"{Path(file).stat().st_size} bytes" for file in files},
            conventions={**found.conventions, "columns": self._asked()},
        )

    def _asked(self) -> dict[str, Any]:
        """The columns that each option named, as they are told of one file."""
        columns = self.input.asked.columns
        known = {each.option: each for each in (*self.task.data, *self.task.conventions)}
        found = {}
        for option, words in columns.items():
            listed = isinstance(words, list)
            if listed and known[option].several and not known[option].predicted:
                words = [name for text in words for name in text.split(",")]
            found[option] = words[0] if listed and len(words) == 1 and not known[option].several else words
        return found

    @staticmethod
    def _batches(files: Sequence[Any], named: Any) -> "Iterator[Batch]":
        from certus.io.batches import file_batches, of_one_type

        wanted = named.wanted
        batches = (batch for file in files for batch in file_batches(file, wanted))
        return of_one_type(batches, wanted.names, {})

    def _shared(self) -> Iterator[tuple[str, Any]]:
        """The columns of the samples, by their arguments."""
        for each in self.task.columns:
            texts = self.input.asked.columns.get(each.option)
            if texts and not each.predicted:
                listed = [texts] if isinstance(texts, str) else list(texts)
                listed = [name for text in listed for name in text.split(",")] if each.several else listed
                yield each.name, listed[0] if len(listed) == 1 else listed

    def _systems(self, shared: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The columns of each system, by their arguments."""
        predicted = self.input.predicted
        truth = next(each for each in self.task.shared if each.name in shared)
        count = 1 if isinstance(shared[truth.name], str) else len(shared[truth.name])
        systems: dict[str, dict[str, Any]] = {}
        for place, text in enumerate(self.systems):
            name = text.partition("=")[0] if predicted[0].of_system else text
            if name in systems:
                raise UsageError(
                    f"two systems are called {name!r}; name them, as in NAME=COL,COL",
                    param_hint=f"--{predicted[0].option}",
                )
            own = systems[name] = {}
            for each in predicted:
                text = self.input.asked.columns[each.option][place]
                columns = (text.partition("=")[2] if "=" in text else text).split(",") if each.of_system else [text]
                if each.of_system and len(columns) != count:
                    raise UsageError(
                        f"{name!r} has {plural(len(columns), 'column')} for {count} of --{truth.option}",
                        param_hint=f"--{each.option}",
                    )
                own[each.name] = columns[0] if len(columns) == 1 else columns
        return systems
