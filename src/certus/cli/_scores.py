"""From files with scores of items to what is compared: tables with a column of ids, and results of evaluation tools."""

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from certus import registry
from certus.cli._declare import UsageError
from certus.cli._task import known_system
from certus.errors import DataError, options_for
from certus.spelling import repeated

if TYPE_CHECKING:
    from certus.cli._comparison import Asked
    from certus.comparison import Comparison
    from certus.comparison.scores import Ids
    from certus.io.scores import Log


_OPTIONS = {"ids": "--ids", "groups": "--groups", "weights": "--weight", "value_range": "--range"}


def logs_of(files: Sequence[str]) -> "list[Log] | None":
    """The results of evaluation tools in the files; None where the first is none."""
    if _judges(files[0]):
        return None
    from certus.io.logs import read_log, required_log

    first = read_log(files[0])
    if first is None:
        return None
    what = f"is not a result of an evaluation tool, as {files[0]} is ({first.title})"
    return [first, *(required_log(file, what) for file in files[1:])]


def _judges(file: str) -> bool:
    """True if a file starts like judgments of TREC, as no result of an evaluation tool does."""
    try:
        with open(file, "rb") if os.path.isfile(file) else nullcontext() as opened:
            line = b"" if opened is None else opened.readline(1 << 12)
    except OSError:
        return False
    fields = line.split()
    return len(fields) == 4 and fields[3].isdigit() and not set(line) & set(b',{"')


def ids_of(which: str | None, missing: float | None) -> "Ids":
    """The items that are compared where those of systems differ."""
    from certus.comparison.scores import Ids

    if which not in (None, "intersection", "union"):
        raise UsageError(f"{which!r} is not intersection or union", param_hint="--ids")
    if which == "union" and missing is None:
        raise UsageError("union needs --missing: what an item counts that a system lacks", param_hint="--ids")
    if missing is not None and which != "union":
        raise UsageError("is for --ids union", param_hint="--missing")
    if missing is not None and not -float("inf") < missing < float("inf"):
        raise UsageError(f"{missing:g} is not a finite number", param_hint="--missing")
    if which == "union" and missing is not None:
        return Ids("union", missing)
    return Ids() if which is None else Ids("intersection")


@dataclass(frozen=True)
class ScoredInput:
    """The input of a comparison of scores that are paired by ids.

    Attributes
    ----------
    named
        The systems, by the names they are compared under.
    baseline
        The system that the others are compared with.
    asked
        What was asked for.
    """

    named: "Mapping[str, tuple[Log, str]]"
    baseline: str | None
    asked: "Asked"

    @classmethod
    def of(cls, asked: "Asked") -> "ScoredInput | None":
        """The scores in the files; None where these hold runs or one table."""
        from certus.io.scores import named_systems

        if asked.values:
            if len(asked.every) < 2:
                return None
            logs: list[Log] | None = _tables(asked)
        else:
            data = {each.option for task in registry.tasks() for each in task.data}
            logs = None if data & set(asked.columns) else logs_of(asked.every)
            if logs is None:
                return None
            if useless := next((option for option in asked.columns if option != "groups"), None):
                raise UsageError("has no meaning for results of evaluation tools", param_hint=f"--{useless}")
            if (groups := asked.columns.get("groups")) is not None:
                with options_for(_OPTIONS):
                    logs = [log.grouped(groups) for log in logs]
            if asked.item is not None:
                raise UsageError("is for tables, with --value; these results have ids", param_hint="--id")
        if logs is None:
            return None
        named = named_systems(logs)
        baseline = known_system(asked.baseline, list(named), {name: log.name for name, (log, _) in named.items()})
        if len(named) < 2:
            raise UsageError("one system was given; a comparison needs two or more", param_hint="FILE")
        return cls(named, baseline, asked)

    @property
    def ranking(self) -> bool:
        """True if the input is retrieval runs."""
        return False

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.named)

    def compare(self, options: Mapping[str, Any]) -> "Comparison":
        """The comparison."""
        from dataclasses import replace

        from certus.comparison.assemble import assemble
        from certus.comparison.options import Options
        from certus.comparison.scores import of_scores

        better: Literal["lower"] | None = "lower" if self.asked.lower_is_better else None
        more = {**options}
        stated = more.pop("value_range", None)
        with options_for(_OPTIONS):
            material = of_scores(self.named, self.asked.metrics, self.asked.ids, better, stated)
            found = assemble(material, Options(**more, baseline=self.baseline, replicates=None))
        asked = self.asked
        columns = {"value": list(asked.values), "id": asked.item, **asked.columns} if asked.values else asked.columns
        return replace(found, conventions={**found.conventions, "columns": dict(columns)}) if columns else found


def _tables(asked: "Asked") -> "list[Log]":
    if asked.item is None:
        raise UsageError(
            "with --value of several files, name the column of ids that their rows are paired by", param_hint="--id"
        )
    if asked.metrics is not None:
        raise UsageError("columns of several files have their own names; leave it out", param_hint="-m")
    for option in asked.columns:
        if option not in ("groups", "weight"):
            raise UsageError("it has no meaning for columns of --value", param_hint=f"--{option}")
    twice = repeated(asked.values)
    if twice is not None:
        raise UsageError(f"{twice!r} is given twice", param_hint="--value")
    if asked.every.count("-") > 1:
        raise UsageError("standard input can be read only once")
    groups, weight = asked.columns.get("groups"), asked.columns.get("weight")
    return [_table(file, groups, weight, asked.values, asked.item) for file in asked.every]


def _table(file: str, groups: str | None, weight: str | None, values: Sequence[str], item: str) -> "Log":
    from certus.io import read_predictions
    from certus.io.scores import Log, Scores

    source = read_predictions(file)
    numbers = [*values, *([] if weight is None else [weight])]
    columns = source.read(numbers=numbers, keys=[item, *([] if groups is None else [groups])])
    items = tuple(map(str, columns.keys[item].tolist()))

    scores = tuple(
        Scores(
            source.name,
            column,
            items,
            _finite(source, columns, column),
            None if groups is None else columns.keys[groups].tolist(),
            None if weight is None else _finite(source, columns, weight),
            place=source.place,
        )
        for column in values
    )
    return Log(source.name, f"xxh3-128:{source.fingerprint}", scores, "a table")


def _finite(source: Any, columns: Any, name: str) -> Any:
    import numpy as np

    from certus.data.columns import floats

    try:
        return floats(columns.numbers[name], "values", infinite=False).astype(np.float64)
    except DataError as error:
        raise source.located(error, columns, {"values": [name]}) from None
