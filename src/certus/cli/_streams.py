"""Tables of several files, of a query, and saved states: read in batches, evaluated as one."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from certus.cli._binding import KnownLabels, NamedColumns, check_memory
from certus.cli._declare import UsageError, refuse
from certus.cli._options import words_of
from certus.cli._output import UnwrittenError, check_target, format_of, write_bytes
from certus.cli._tasks import check_counts, check_data, check_metrics, check_options, chosen_task, flags
from certus.core.errors import DataError, options_for
from certus.core.missing import MissingWords, missing_words
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.core.frames import Kind
    from certus.core.listing import Listing
    from certus.io.batches import Batch
    from certus.io.columns import Wanted
    from certus.states import State
    from certus.table import Table


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
    options
        The options that it was made with; None where it was written in Python.
    types
        The type of each column that has one, and where it was found.
    """

    state: "State"
    sources: dict[str, int]
    options: dict[str, Any] | None
    types: dict[str, tuple[str, str]]


class Wishes(NamedTuple):
    """The wishes that rows are read for: task and metrics, choices of the table, options of columns."""

    task: str | None
    metrics: Sequence[str] | None
    choices: Mapping[str, Any]
    options: Mapping[str, Any]
    missing_values: Sequence[str] | None = None


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
        asks_for_batches = {
            "--sql": self.sql is not None,
            "--database": self.database is not None,
            "--state": bool(self.states),
            "--save-state": self.save is not None,
            "--memory": self.memory is not None,
            "--bounds": self.bounds,
        }
        return next((option for option, there in asks_for_batches.items() if there), "")

    def check(self, counts: str | None, plot: Path | None, *, columns: bool, force: bool) -> None:
        """Refuse options that do not go together; `columns` says whether any is named."""
        with_option = {
            f"{name} {self.option}".strip(): value for name, value in (("--counts", counts), ("--plot", plot))
        }
        refuse("does not apply to rows that are read in batches", with_option)
        check_memory(self.memory, bounds=self.bounds)
        if self.database is not None and self.sql is None:
            raise UsageError("give the query of its rows with --sql", "--database")
        if self.database is not None and not self.database.is_file():
            raise UsageError(f"{self.database}: there is no such file", "--database")
        if self.sql is not None and self.files:
            raise UsageError("its rows are the table; give no file", "--sql")
        if (self.files or self.sql is not None) and not columns:
            raise UsageError("is for tables whose columns are named, as with --truth", self.option)
        if self.save is not None and not (self.files or self.states or self.sql is not None):
            raise UsageError("give the tables whose rows are saved", "--save-state")
        # with tables the state of the file is added to, so it is not lost
        adds = force or bool(self.files) or self.sql is not None
        check_target(self.save, adds, *self.files, *map(str, self.states), hint="--save-state")
        self.version = _version(self.save)
        format_of(self.save, "a state", {"a state": (".state",)}, hint="--save-state", option="")

    def table(self, wishes: Wishes, progress: Callable[[int], object]) -> "Table":
        """The table of all rows."""
        options = {name: value for name, value in wishes.choices.items() if name not in ("by", "per_query")}
        if wishes.choices["per_query"]:
            raise UsageError("samples in batches have no values of their own", "--per-query")
        state_file = self._filled_state(wishes, progress)
        sources = list(state_file.sources)
        # a query is named as it is written: its slashes are not of folders
        name = None if len(sources) != 1 else sources[0] if sources[0].startswith(_SQL) else PurePath(sources[0]).name
        with options_for(words_of(state_file.state.task, wishes.options)):
            table = state_file.state.evaluate(name=name, **options)
        from certus.table import Table

        inputs = {name: f"{size} bytes" if size else "query" for name, size in state_file.sources.items()}
        signature = {**table.signature, "columns": (state_file.options or {}).get("columns"), "inputs": inputs}
        rows = list(table.summary)
        return Table(rows, table.warnings, signature, table.single, table.compare, table.drawn)

    def limits(self, wishes: Wishes, progress: Callable[[int], object]) -> "Listing":
        """The least and the greatest value of each metric for all rows; parameters as for `table`."""
        from certus.core.listing import Listing

        choices = {name: value or None for name, value in wishes.choices.items() if name != "level"}
        refuse(
            "does not apply to bounds, which are certain",
            {f"--{name.replace('_', '-')} --bounds": value for name, value in choices.items()},
        )
        if not self.files and self.sql is None and not self.states:
            raise UsageError("give the tables whose rows are evaluated", "--bounds")
        only_states = not self.files and self.sql is None
        default_metrics = None if only_states else ["AUC", "AP", "KS"]
        state_file = self._filled_state(wishes._replace(metrics=wishes.metrics or default_metrics), progress)
        with options_for(words_of(state_file.state.task)):
            bounds_by_metric = state_file.state.bounds()
        rows = [
            (metric, *(limit if limit == limit else None for limit in limits), len(state_file.state))
            for metric, limits in bounds_by_metric.items()
        ]
        kind_of: dict[str, Kind] = {"metric": "text", "least": "number", "greatest": "number", "n": "whole"}
        return Listing(dict(zip(kind_of, zip(*rows, strict=True), strict=True)), kind_of, decimals=6)

    def _filled_state(self, wishes: Wishes, progress: Callable[[int], object]) -> StateFile:
        """The state of all rows, which is saved."""
        task, metrics, choices, options, missing_values = wishes
        if not self.files and self.sql is None:
            wished = {"--task": task, "-m": metrics, "--by": choices["by"]}
            wished |= {f"--{name}": value for name, value in options.items()}
            refuse("it is in the states already; leave it out", {name: value or None for name, value in wished.items()})
            (_, state_file), *rest = self._earlier()
            for option, other in rest:
                _check_options(other, state_file.options, "the first with", option)
            _merge_into(state_file, rest)
        else:
            chosen = chosen_task(task, options, metrics, ranking=False, file=self.files[0] if self.files else "")
            with options_for(words_of(chosen, options)), missing_words(missing_values) as missing:
                state_file = self._read(chosen, wishes, progress, missing)
        self._save(state_file)
        return state_file

    def _save(self, state_file: StateFile) -> None:
        """Write the state, unless another program wrote its file since this one looked."""
        if self.save is None:
            return
        if _version(self.save) != self.version:
            raise UnwrittenError(self.save)
        save_state(self.save, state_file, force=self.version is not None)
        self.version = _version(self.save)

    def _earlier(self) -> list[tuple[str, StateFile]]:
        """The states that are merged, each with the option that gave it."""
        return [(f"--state {path}", read_state(path, self.memory)) for path in self.states]

    def _read(
        self, task: Task, wishes: Wishes, progress: Callable[[int], object], missing: MissingWords | None
    ) -> StateFile:
        metrics, choices, options = wishes.metrics, wishes.choices, wishes.options
        from certus.io.batches import of_one_type
        from certus.states import TASKS, columns_called, empty_state, fill

        if task.name not in TASKS:
            raise UsageError(
                f"{task.name} has no states; tables in batches are of {', '.join(TASKS)}",
                self.option or flags(argument.option for argument in task.data if options.get(argument.option)),
            )
        if self.bounds and task.name != "classification":
            raise UsageError(f"is for scores of classification, not of {task.name}", "--bounds")
        check_metrics(task, metrics, options)
        check_options(task, options)
        check_counts(task, options)
        check_data(task, metrics, options)
        named_columns = NamedColumns.from_options(task, options, by=choices["by"])
        columns, wanted = named_columns.binding.columns, named_columns.binding.wanted
        if self.bounds and ("y_pred" in columns or not isinstance(columns["y_score"], str)):
            raise UsageError("is for a column of --truth and one of --score", "--bounds")
        call = {
            "task": task.name,
            "metrics": metrics,
            "rows": choices["interval"] is not None,
            "columns": columns,
            **options,
            **({"bounds": True} if self.bounds else {}),
        }
        import json  # here, as it is seldom needed

        call = json.loads(json.dumps(call))
        state_file: StateFile | None = None
        earlier = self._earlier()
        if self.save is not None and self.save.exists():
            earlier.append((f"--save-state {self.save}", read_state(self.save, self.memory)))
        for option, earlier_file in earlier:
            _check_options(earlier_file, call, "this call has", option)
        read_sizes: dict[str, int] = {}
        types: dict[str, tuple[str, str]] = {}
        for _, earlier_file in earlier:
            read_sizes |= earlier_file.sources
            types |= earlier_file.types
        due = 0.0
        for part in self._sources():
            if part.name in read_sizes:
                if not part.size or read_sizes[part.name] != part.size:
                    raise DataError(
                        "may have changed since its rows were saved", "save to another file", location=part.name
                    )
                continue
            for batch in of_one_type(part.batches(wanted), wanted.names, types):
                is_first = state_file is None
                if state_file is None:
                    try:
                        with columns_called(task, columns):
                            labels = KnownLabels.from_batch(task, columns.get("y_true"), batch)
                            binding = replace(
                                named_columns.binding,
                                metrics=list(metrics) if metrics else None,
                                conventions=named_columns.conventions(labels, is_file=False),
                            )
                            state = empty_state(
                                binding,
                                rows=call["rows"],
                                exact=not self.bounds,
                                memory=self.memory,
                                missing_values=missing,
                            )
                    except DataError as error:
                        raise error.with_location(batch.location) from None
                    state_file = StateFile(state, {}, call, types)
                fill(state_file.state, [batch], columns, progress)
                if is_first:
                    _merge_into(state_file, earlier)
            if part.size and (size := _size(part.name)) not in (0, part.size):
                raise DataError(f"has changed while it was read, from {part.size} to {size} bytes", location=part.name)
            if state_file is not None:
                state_file.sources[part.name] = part.size
                if self.save is not None and time.monotonic() >= due:
                    start = time.monotonic()
                    self._save(state_file)
                    end = time.monotonic()
                    due = end + SAVING * (end - start)
        if state_file is None:
            if not earlier:
                raise DataError("the tables have no rows")
            state_file = earlier[0][1]
            _merge_into(state_file, earlier[1:])
        return state_file

    def _sources(self) -> list[Source]:
        from certus.io.batches import batches_of, file_batches, files_of

        if self.sql is None:
            return [Source(str(file), _size(file), partial(file_batches, file)) for file in files_of(self.files)]
        from certus.io.duckdb_query import select

        try:
            relation = select(self.sql, self.database, "--sql")
        except ImportError:
            remedy = "queries are run by DuckDB; install it with pip install 'certus[duckdb]'"
            raise UsageError(remedy, "--sql") from None
        return [Source(f"{_SQL}{self.sql}", 0, partial(batches_of, relation))]


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


def _merge_into(state_file: StateFile, earlier: Sequence[tuple[str, StateFile]]) -> None:
    """Merge states, each with the option that gave it."""
    for option, earlier_file in earlier:
        if twice := sorted(set(state_file.sources) & set(earlier_file.sources)):
            raise DataError(f"has the rows of {twice[0]}, which another state has, too", location=option)
        try:
            state_file.state.merge(earlier_file.state)
        except DataError as error:
            raise error.with_location(option) from None
        state_file.sources.update(earlier_file.sources)


def _check_options(file: StateFile, options: Mapping[str, Any] | None, others: str, option: str) -> None:
    """Refuse a state that was made with other options."""
    if None not in (file.options, options) and file.options != options:
        problem = f"was made with {_described(file.options)}"
        raise DataError(problem, f"{others} {_described(options)}", location=option)


def _described(options: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (options or {}).items() if value is not None)


MAGIC = b"certus-state-of\n"


def read_state(path: Path, memory: str | None = None) -> StateFile:
    """The state of a file that `save_state` or a program wrote."""
    from certus.io.sources import readable

    with readable(path) as (file, name):  # a pipe is copied no further than there is room
        try:
            with open(file, "rb") as opened:
                return _read_state(opened, memory)
        except OSError as error:
            raise DataError((error.strerror or str(error)).lower(), location=name) from None
        except DataError as error:
            raise error.with_location(name) from None


def _read_state(file: BinaryIO, memory: str | None) -> StateFile:
    import zlib

    from certus.states import State

    if file.read(len(MAGIC)) != MAGIC:
        file.seek(0)
        return StateFile(State.from_file(file, memory=memory), {}, None, {})
    line = file.readline()[:-1]
    if zlib.crc32(line).to_bytes(4, "little") != file.read(4):
        raise DataError("the bytes of the state are damaged or cut off", "write them again")
    sources, options, types = _read_head(line)
    return StateFile(State.from_file(file, memory=memory), sources, options, types)


def _read_head(line: bytes) -> tuple[dict[str, int], dict[str, Any] | None, dict[str, tuple[str, str]]]:
    """The sources, options and types of columns of a state's file."""
    import json  # here, as few states have it

    try:
        head = json.loads(line)
        sources, options, types = head["sources"], head["asked"], head["types"]
        columns = {} if options is None else options["columns"]
        texts = [text for pair in types.values() for text in pair]
        fits = [*map(len, types.values())] == [2] * len(types) and all(isinstance(text, str) for text in texts)
        fits = fits and all(type(size) is int and size >= 0 for size in sources.values()) and isinstance(columns, dict)
        if not fits:
            raise ValueError("the types are others")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError("the bytes are not those of a state", "write them again") from None
    return sources, options, {name: (kind, source) for name, (kind, source) in types.items()}


def save_state(path: Path, file: StateFile, force: bool) -> None:
    """Write a state, whole or not at all."""
    import json
    import zlib

    line = json.dumps({"sources": file.sources, "asked": file.options, "types": file.types}).encode()
    checksum = zlib.crc32(line).to_bytes(4, "little")
    write_bytes(chain([MAGIC, line, b"\n", checksum], file.state.parts()), path, force)
