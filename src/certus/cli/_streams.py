"""Tables of several files, of a query, and saved states: read in batches, evaluated as one."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from certus import registry
from certus.cli._comparison import Asked, Input
from certus.cli._declare import UsageError
from certus.cli._options import words_of
from certus.cli._output import UnwrittenError, check_target, format_of, write_bytes
from certus.cli._predictions import KnownLabels, several, split_labels
from certus.cli._task import check_counts, check_data, check_metrics, check_options, chosen_task, flags, known_system
from certus.errors import DataError, options_for
from certus.evaluation.binding import Binding, default_metrics
from certus.spelling import plural
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.io.batches import Batch
    from certus.io.columns import Wanted
    from certus.listing import Listing
    from certus.states import State
    from certus.table import Table


_WORDS = {"exact=False": "--bounds", "memory": "--memory"}
_SQL = "--sql "
"""The start of the name that a query has as a source of rows."""
SAVING = 10
"""Between two savings of a state work goes on for at least so many times as long as the first took."""


class Source(NamedTuple):
    """A file or a query."""

    name: str
    size: int
    batches: "Callable[[Wanted], Iterator[Batch]]"


class StateFile(NamedTuple):
    """The content of a file of a state.

    Attributes
    ----------
    state
        The state.
    sources
        The files it was made of with their sizes.
    asked
        The options that it was made with; None where it was written in Python.
    types
        The type of each column that has one, and where it was found.
    """

    state: "State"
    sources: dict[str, int]
    asked: dict[str, Any] | None
    types: dict[str, tuple[str, str]]


class Wishes(NamedTuple):
    """The task and its metrics, choices of the table, and the options of columns, all of which rows are asked for."""

    task: str | None
    metrics: Sequence[str] | None
    choices: Mapping[str, Any]
    asked: Mapping[str, Any]


@dataclass
class Streams:
    """The data read in batches, by the options that name them.

    Attributes
    ----------
    files, sql, database
        Where rows come from.
    states
        Files of states that are merged first.
    save
        The file that the state is written to after each source.
    memory, bounds
        Bytes that rows may take; or scores are rounded where they are many, and limits of the values given.
    version
        Version of the file of `save` that this command read or wrote; None without one.
    """

    files: list[str]
    sql: str | None
    database: Path | None
    states: list[Path]
    save: Path | None
    memory: str | None = None
    bounds: bool = False
    version: tuple[int, int] | None = None

    @property
    def option(self) -> str:
        """The first option that asks for batches; empty if none does."""
        given = {
            "--sql": self.sql is not None,
            "--database": self.database is not None,
            "--state": bool(self.states),
            "--save-state": self.save is not None,
            "--memory": self.memory is not None,
            "--bounds": self.bounds,
        }
        return next((option for option, there in given.items() if there), "")

    def check(self, counts: str | None, plot: Path | None, *, columns: bool, force: bool) -> None:
        """Refuse options that do not go together; `columns` says whether any is named."""
        for other, value in {"--counts": counts, "--plot": plot}.items():
            if value is not None:
                raise UsageError(
                    "has no meaning for rows that are read in batches", param_hint=f"{other} {self.option}".strip()
                )
        check_memory(self.memory, bounds=self.bounds)
        if self.database is not None and self.sql is None:
            raise UsageError("give the query of its rows with --sql", param_hint="--database")
        if self.database is not None and not self.database.is_file():
            raise UsageError(f"{self.database}: there is no such file", param_hint="--database")
        if self.sql is not None and self.files:
            raise UsageError("its rows are the table; give no file", param_hint="--sql")
        if (self.files or self.sql is not None) and not columns:
            raise UsageError("is for tables whose columns are named, as with --truth", param_hint=self.option)
        if self.save is not None and not (self.files or self.states or self.sql is not None):
            raise UsageError("give the tables whose rows are saved", param_hint="--save-state")
        # with tables the state of the file is added to, so it is not lost
        adds = force or bool(self.files) or self.sql is not None
        check_target(self.save, adds, *self.files, *map(str, self.states), hint="--save-state")
        self.version = _version(self.save)
        format_of(self.save, "a state", {"a state": (".state",)}, hint="--save-state", option="")

    def table(self, wishes: Wishes, progress: Callable[[int], object]) -> "Table":
        """The table of all rows."""
        own = {name: value for name, value in wishes.choices.items() if name not in ("by", "per_query")}
        if wishes.choices["per_query"]:
            raise UsageError("samples in batches have no values of their own", param_hint="--per-query")
        made = self._made(wishes, progress)
        name = _title(next(iter(made.sources))) if len(made.sources) == 1 else None
        with options_for({**words_of(made.state.task, wishes.asked), **_WORDS}):
            return _signed(made.state.evaluate(name=name, **own), made)

    def limits(self, wishes: Wishes, progress: Callable[[int], object]) -> "Listing":
        """The least and the greatest value of each metric for all rows; parameters as for `table`."""
        from certus.listing import Listing

        for name in [
            name for name, value in wishes.choices.items() if value not in (None, False, 0) and name != "level"
        ]:
            raise UsageError(
                "has no meaning for bounds, which are certain", param_hint=f"--{name.replace('_', '-')} --bounds"
            )
        if not self.files and self.sql is None and not self.states:
            raise UsageError("give the tables whose rows are evaluated", param_hint="--bounds")
        alone = not self.files and self.sql is None
        usual = None if alone else ["AUC", "AP", "KS"]
        made = self._made(wishes._replace(metrics=wishes.metrics or usual), progress)
        with options_for({**words_of(made.state.task), **_WORDS}):
            found = made.state.bounds()
        columns: dict[str, list[Any]] = {
            "metric": list(found),
            "least": [low if low == low else None for low, _ in found.values()],
            "greatest": [high if high == high else None for _, high in found.values()],
            "n": [len(made.state)] * len(found),
        }
        return Listing(columns, {"metric": "text", "least": "number", "greatest": "number", "n": "whole"}, decimals=6)

    def _made(self, wishes: Wishes, progress: Callable[[int], object]) -> StateFile:
        """The state of all rows, which is saved."""
        task, metrics, choices, asked = wishes
        if not self.files and self.sql is None:
            for option, value in {"task": task, "m": metrics, "by": choices["by"], **asked}.items():
                if value:
                    raise UsageError(
                        "it is in the states already; leave it out", param_hint="-m" if option == "m" else f"--{option}"
                    )
            made = self._merged()
        else:
            its = chosen_task(task, asked, metrics, ranking=False, file=self.files[0] if self.files else "")
            with options_for({**words_of(its, asked), **_WORDS}):
                made = self._read(its, wishes, progress)
        self._save(made)
        return made

    def _save(self, made: StateFile) -> None:
        """Write the state, unless another program wrote its file since this one looked."""
        if self.save is None:
            return
        if _version(self.save) != self.version:
            raise UnwrittenError(self.save)
        save_state(self.save, made, force=self.version is not None)
        self.version = _version(self.save)

    def _merged(self) -> StateFile:
        found = [(f"--state {path}", read_state(path, self.memory)) for path in self.states]
        first = found[0][1]
        for place, each in found[1:]:
            if None not in (first.asked, each.asked) and first.asked != each.asked:
                raise DataError(
                    f"was made with {_shown(each.asked)}", f"the first with {_shown(first.asked)}", place=place
                )
        _take(first, found[1:])
        return first

    def _read(self, its: Task, wishes: Wishes, progress: Callable[[int], object]) -> StateFile:
        metrics, choices, asked = wishes.metrics, wishes.choices, wishes.asked
        from certus.io.batches import of_one_type
        from certus.states import TASKS, columns_called, fill

        if its.name not in TASKS:
            raise UsageError(
                f"{its.name} has no states; tables in batches are of {', '.join(TASKS)}",
                param_hint=self.option or flags([each.option for each in its.data if asked.get(each.option)]),
            )
        if self.bounds and its.name != "classification":
            raise UsageError(f"is for scores of classification, not of {its.name}", param_hint="--bounds")
        check_metrics(its, metrics, asked)
        check_options(its, asked)
        check_counts(its, asked)
        check_data(its, metrics, asked)
        columns, classes = _columns(its, asked)
        if self.bounds and ("y_pred" in columns or not isinstance(columns["y_score"], str)):
            raise UsageError("is for a column of --truth and one of --score", param_hint="--bounds")
        if choices["by"] is not None:
            columns["by"] = choices["by"]
        wanted = Binding(columns, {}, known_task=its).wanted
        call = {
            "task": its.name,
            "metrics": metrics,
            "rows": choices["interval"] is not None,
            "columns": columns,
            **asked,
            **({"bounds": True} if self.bounds else {}),
        }
        import json  # here, as it is seldom needed

        call = json.loads(json.dumps(call))
        how = {**call, "memory": self.memory}
        made: StateFile | None = None
        before = [(f"--state {path}", read_state(path, self.memory)) for path in self.states]
        if self.save is not None and self.save.exists():
            before.append((f"--save-state {self.save}", read_state(self.save, self.memory)))
        for place, each in before:
            if each.asked not in (None, call):
                raise DataError(f"was made with {_shown(each.asked)}", f"this call has {_shown(call)}", place=place)
        done = {name: size for _, each in before for name, size in each.sources.items()}
        types = {name: found for _, each in before for name, found in each.types.items()}
        due = 0.0
        for part in self._sources():
            if part.name in done:
                if not part.size or done[part.name] != part.size:
                    raise DataError(
                        "may have changed since its rows were saved", "save to another file", place=part.name
                    )
                continue
            for batch in of_one_type(part.batches(wanted), wanted.names, types):
                if made is None:
                    try:
                        with columns_called(its, columns):
                            state = _state(its, metrics, asked, classes, columns, batch, how)
                    except DataError as error:
                        raise error.at(batch.place) from None
                    made = StateFile(state, {}, call, types)
                    fill(made.state, [batch], columns, progress)
                    _take(made, before)
                    continue
                fill(made.state, [batch], columns, progress)
            if part.size and (size := _size(part.name)) not in (0, part.size):
                raise DataError(f"has changed while it was read, from {part.size} to {size} bytes", place=part.name)
            if made is not None:
                made.sources[part.name] = part.size
                if self.save is not None and time.monotonic() >= due:
                    start = time.monotonic()
                    self._save(made)
                    end = time.monotonic()
                    due = end + SAVING * (end - start)
        if made is None:
            if not before:
                raise DataError("the tables have no rows")
            made = before[0][1]
            _take(made, before[1:])
        return made

    def _sources(self) -> list[Source]:
        from certus.io.batches import batches_of, file_batches, files_of

        if self.sql is not None:
            relation = self._relation(self.sql)
            return [Source(f"{_SQL}{self.sql}", 0, partial(batches_of, relation))]
        return [Source(str(file), _size(file), partial(file_batches, file)) for file in files_of(self.files)]

    def _relation(self, sql: str) -> Any:
        from certus.io.duckdb_query import select

        try:
            return select(sql, self.database, "--sql")
        except ImportError:
            raise UsageError(
                "queries are run by DuckDB; install it with pip install 'certus[duckdb]'", param_hint="--sql"
            ) from None


def _title(source: str) -> str:
    """A file without its folder; a query as it is written, whose slashes are not of folders."""
    return source if source.startswith(_SQL) else PurePath(source).name


def _size(file: Any) -> int:
    """The bytes of a file; 0 of what is none."""
    try:
        return os.path.getsize(file)
    except (OSError, ValueError):
        return 0


def _version(file: Path | None) -> tuple[int, int] | None:
    """Number and time of a file, which differ once it is written again; None if there is none."""
    if file is None or not file.exists():
        return None
    status = file.stat()
    return status.st_ino, status.st_mtime_ns


def _take(made: StateFile, before: Sequence[tuple[str, StateFile]]) -> None:
    """Merge states, each with the option that gave it."""
    for place, each in before:
        if twice := sorted(set(made.sources) & set(each.sources)):
            raise DataError(f"has the rows of {twice[0]}, which another state has, too", place=place)
        try:
            made.state.merge(each.state)
        except DataError as error:
            raise error.at(place) from None
        made.sources.update(each.sources)


def _shown(asked: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (asked or {}).items() if value is not None)


def _columns(task: Task, asked: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The columns of each argument, and the classes that stand before columns of scores."""
    columns: dict[str, Any] = {}
    classes: list[str] = []
    for each in task.columns:
        texts = asked.get(each.option)
        if not texts:
            continue
        listed = [texts] if isinstance(texts, str) else list(texts)
        if each.by_class:
            pairs = [text.partition("=") for text in listed]
            classes = [label for label, equals, _ in pairs if equals]
            if classes and len(classes) < len(pairs):
                raise UsageError("name the class of every column or of none", param_hint=f"--{each.option}")
            listed = [column if equals else label for label, equals, column in pairs]
        elif each.several:
            listed = [name for text in listed for name in text.split(",")]
        columns[each.name] = listed[0] if len(listed) == 1 else listed
    return columns, classes


def _state(
    task: Task,
    metrics: Sequence[str] | None,
    asked: Mapping[str, Any],
    classes: list[str],
    columns: Mapping[str, Any],
    first: "Batch",
    call: Mapping[str, Any],
) -> "State":
    """An empty state, its labels being those of the kind that the first batch has."""
    from certus.states import State

    conventions = conventions_of(task, asked, columns, first)
    if any(each.by_class for each in task.data) and isinstance(columns.get("y_true"), str):
        known = labels_of(columns["y_true"], first)
        several = isinstance(columns.get("y_score"), list)
        if several and "labels" not in conventions:
            conventions["labels"] = list(map(known.label, classes or columns["y_score"]))
        elif classes and not several:
            if "pos_label" in conventions:
                raise UsageError("name the positive class here or with --positive, not both", param_hint="--score")
            conventions["pos_label"] = known.label(classes[0])
    kept = {"rows": call["rows"], "exact": not call.get("bounds"), "memory": call["memory"]}
    return State(list(metrics) if metrics else None, task=task.name, **kept, **conventions)


def _signed(table: "Table", made: StateFile) -> "Table":
    """The table with its sources."""
    from certus.table import Table

    inputs = {name: f"{size} bytes" if size else "query" for name, size in made.sources.items()}
    signature = {**table.signature, "columns": (made.asked or {}).get("columns"), "inputs": inputs}
    return Table(list(table.summary), table.warnings, signature, table.single, table.compare, table.shown, table.drawn)


MAGIC = b"certus-state-of\n"


def read_state(path: Path, memory: str | None = None) -> StateFile:
    """The state of a file that `save_state` or a program wrote."""
    from certus.io.sources import readable

    with readable(path) as (file, name):  # a pipe is copied no further than there is room
        try:
            with open(file, "rb") as opened:
                return _read_state(opened, memory)
        except OSError as error:
            raise DataError((error.strerror or str(error)).lower(), place=name) from None
        except DataError as error:
            raise error.at(name) from None


def _read_state(file: BinaryIO, memory: str | None) -> StateFile:
    import zlib

    from certus.states import State

    if file.read(len(MAGIC)) != MAGIC:
        file.seek(0)
        return StateFile(State.from_file(file, memory=memory), {}, None, {})
    line = file.readline()[:-1]
    if zlib.crc32(line).to_bytes(4, "little") != file.read(4):
        raise DataError("the bytes of the state are damaged or cut off", "write them again")
    import json  # here, as few states have it

    head = json.loads(line)
    types = {name: (kind, place) for name, (kind, place) in head["types"].items()}
    return StateFile(State.from_file(file, memory=memory), head["sources"], head["asked"], types)


def check_memory(memory: str | None, *, bounds: bool) -> None:
    """Refuse what is not a size, and a size where bounds are asked for."""
    if memory is None:
        return
    from certus.states import bytes_of

    if bounds:
        raise UsageError("has no meaning for --bounds, which take a few megabytes", param_hint="--memory")
    try:
        bytes_of(memory)
    except DataError as error:
        raise UsageError(f"{error.found}; {error.remedy}", param_hint="--memory") from None


def save_state(path: Path, file: StateFile, force: bool) -> None:
    """Write a state, whole or not at all."""
    import json
    import zlib

    line = json.dumps({"sources": file.sources, "asked": file.asked, "types": file.types}).encode()
    checksum = zlib.crc32(line).to_bytes(4, "little")
    write_bytes(chain([MAGIC, line, b"\n", checksum], file.state.parts()), path, force)


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
        from certus.io.batches import files_of
        from certus.states import columns_called, empty_state, fill

        asked = self.input.asked
        shared = dict(self._shared())
        systems = self._systems(shared)
        baseline = known_system(asked.baseline, list(systems))
        metrics = list(asked.metrics or default_metrics(self.task, shared, systems.values()))
        files = files_of(asked.files)
        with options_for({**words_of(self.task), "memory": "--memory"}):
            named = Binding(shared, {}, metrics, self.task, systems)
            state = None
            for batch in self._batches(files, named):
                if state is None:
                    with columns_called(self.task, shared, systems):
                        told = conventions_of(self.task, asked.columns, shared, batch)
                        state = empty_state(replace(named, conventions=told), memory=self.memory)
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
