"""The layout of a table for reading, in whatever format it is then written.

One run: a line for each metric. Several runs: a line for each metric and run, the runs of a metric below each other, so
that intervals are compared by eye. Subgroups of the samples stand as several runs do. Values per class: a block for
each run and subgroup, classes down, metrics across. Values per query: a block for each run, queries down, metrics
across.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from certus.table.cells import (
    Format,
    among_subgroups,
    averaging,
    grouped,
    interval_heading,
    methods,
    range_heading,
    remarks,
    shortened,
)
from certus.table.row import Row

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["Block", "blocks", "notes"]


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, column names and lines of cells, all as plain unescaped text."""

    title: str
    names: list[str]
    lines: list[list[str]]
    left: list[bool]
    """Which columns are text or several numbers, aligned on the left; the others are numbers."""
    grouped: bool = False
    """Whether consecutive lines with the same first cell belong together."""


def blocks(table: "Table", width: int | None = None) -> Iterator[Block]:
    """The blocks of a table.

    Those of single queries are split, and those of classes have intervals below their values, where about `width`
    characters would not suffice.
    """
    by = str(table.signature.get("by") or "group")
    what = str(table.signature.get("part", "class"))
    overall = [row for row in table.rows if row.query is None and not row.by_class and row.among is None]
    if overall:
        yield _overall(overall, by)
    for run, rows in grouped((row for row in table.rows if row.by_class and row.among is None), "run").items():
        for group, some in grouped(rows, "group").items():
            title = run if group is None else f"{by}: {shortened(group)}"
            yield _per_class(title, some, width, what)
    for among, rows in grouped((row for row in table.rows if row.among is not None), "among").items():
        yield _among(among, rows, what)
    for run, rows in grouped((row for row in table.rows if row.query is not None), "run").items():
        yield from _per_query(run, rows, width)


def _overall(rows: list[Row], by: str) -> Block:
    several = len(grouped(rows, "run")) > 1
    in_groups = any(row.group is not None for row in rows)
    by_metric = grouped(rows, "metric")
    formats = {metric: Format(same) for metric, same in by_metric.items()}
    span = range_heading(rows)
    interval = any(row.low is not None for row in rows)
    columns: list[tuple[str, bool, Callable[[Row], str]]] = [("metric", True, lambda row: row.metric)]
    if several:
        columns.append(("run", True, lambda row: row.run))
    if in_groups:
        columns.append((by, True, lambda row: _group(row.group)))
    columns.append(("value", False, lambda row: formats[row.metric].number(row.value)))
    if interval:
        columns.append((interval_heading(rows), True, lambda row: formats[row.metric].interval(row)))
    if span:
        columns.append((span, True, lambda row: formats[row.metric].range(row)))
    columns.append(("n", False, lambda row: str(row.n)))
    lines = [[cell(row) for _, _, cell in columns] for same in by_metric.values() for row in same]
    title = "" if several else rows[0].run
    names, left = [name for name, _, _ in columns], [left for _, left, _ in columns]
    return Block(title, names, lines, left, several or in_groups)


def _among(among: str, rows: list[Row], what: str) -> Block:
    """The largest gaps, or the worst subgroups, a line for each metric and class."""
    formats = {metric: Format(same) for metric, same in grouped(rows, "metric").items()}
    gaps = among == "largest gap"
    columns: list[tuple[str, bool, Callable[[Row], str]]] = [("metric", True, lambda row: row.metric)]
    if any(row.by_class for row in rows):
        columns.append((what, True, _of_class))
    if not gaps:
        columns.append(("subgroup", True, lambda row: _name(row.subgroup)))
    columns.append(("gap" if gaps else "value", False, lambda row: formats[row.metric].number(row.value)))
    columns.append((interval_heading(rows), True, lambda row: formats[row.metric].interval(row)))
    if gaps:
        columns.append(("highest", True, lambda row: _name(row.subgroup)))
        columns.append(("lowest", True, lambda row: _name(row.versus)))
    lines = [[cell(row) for _, _, cell in columns] for same in grouped(rows, "metric").values() for row in same]
    title = "largest gap between subgroups" if gaps else among
    return Block(title, [name for name, _, _ in columns], lines, [left for _, left, _ in columns], grouped=True)


def _of_class(row: Row) -> str:
    if row.label is not None:
        return shortened(row.label)
    return "" if row.average is None else f"{row.average} average"


def _name(subgroup: str | None) -> str:
    return "-" if subgroup is None else shortened(subgroup)


def _group(group: str | None) -> str:
    return "all" if group is None else shortened(group)


def _per_class(title: str, rows: list[Row], width: int | None, what: str = "class") -> Block:
    """Classes down, their averages below them, metrics across; intervals below the values where they do not fit."""
    by_metric = grouped(rows, "metric")
    formats = {metric: Format(same) for metric, same in by_metric.items()}
    cells: dict[tuple[str | None, str | None], dict[str, Row]] = {}
    for row in rows:
        cells.setdefault((row.label, row.average), {})[row.metric] = row
    wide: list[list[str]] = []
    stacked: list[list[str]] = []
    for (label, average), line in cells.items():
        name = shortened(label) if label is not None else f"{average} average"
        values = [form.number(line[metric].value) if metric in line else "" for metric, form in formats.items()]
        spans = [form.interval(line[metric]) if metric in line else "" for metric, form in formats.items()]
        spans = ["" if span == value else span for value, span in zip(values, spans, strict=True)]  # one dash is enough
        wide.append([name, *(f"{value} {span}".rstrip() for value, span in zip(values, spans, strict=True))])
        stacked += [[name, *values], ["", *spans]] if any(spans) else [[name, *values]]
    names = [what, *by_metric]
    left = [True, *(any(row.low is not None for row in same) for same in by_metric.values())]
    taken = sum(2 + max(map(len, column)) for column in zip(names, *wide, strict=True)) - 2
    return Block(title, names, wide if width is None or taken <= width else stacked, left)


def _per_query(run: str, rows: list[Row], width: int | None) -> Iterator[Block]:
    by_metric = grouped(rows, "metric")
    columns = {}
    for metric, same in by_metric.items():
        form = Format(same)
        columns[metric] = {row.query or "": form.number(row.value) for row in same}
    queries = list(dict.fromkeys(row.query or "" for row in rows))
    first = max(5, *(len(query) for query in queries))
    for metrics in _fitting(list(columns), first, width):
        lines = [[query] + [columns[metric].get(query, "-") for metric in metrics] for query in queries]
        yield Block(run, ["query", *metrics], lines, [True] + [False] * len(metrics))


def _fitting(metrics: list[str], first: int, width: int | None) -> Iterator[list[str]]:
    """The metrics in groups whose columns fit beside a first column."""
    group: list[str] = []
    used = first
    for metric in metrics:
        needed = 2 + max(8, len(metric))
        if group and width is not None and used + needed > width:
            yield group
            group, used = [], first
        group.append(metric)
        used += needed
    yield group


def notes(table: "Table", warnings: bool = True) -> list[str]:
    """Sentences for below the table: what was averaged, how intervals were made, what is undefined or suspicious."""
    said = [str(sentence) for sentence in table.signature.get("said", ())]
    runs = list(grouped(table.rows, "run"))
    common = averaging(table)
    if common:
        said.append(common)
    else:
        said += [f"{run}: {sentence}" for run in runs if (sentence := averaging(table, run))]
    if within := [row for row in table.rows if row.by_class and row.low is not None and row.among is None]:
        said.append(f"in brackets: {interval_heading(within)}")
    if made := methods(table.rows):
        said.append(f"intervals: {made}")
    said += among_subgroups(table.rows)
    if table.signature.get("ties", "trec") != "trec":
        said.append(f"ties: {table.signature['ties']}")
    if table.signature.get("unjudged", "nonrelevant") != "nonrelevant":
        said.append(f"unjudged documents: {table.signature['unjudged']}")
    said += remarks(table.rows)
    if warnings:
        said += [f"warning: {notice}" for notice in table.warnings]
    return said
