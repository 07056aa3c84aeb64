"""How a table is laid out for reading, whatever it is then written as.

One run: a line for each metric. Several runs: a line for each metric and run, the runs of a metric below each other, so
that intervals are compared by eye. Values per query: a block for each run, queries down, metrics across.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from certus.table.cells import Format, averaging, grouped, interval_heading, methods, range_heading, remarks
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
    """The blocks of a table; those of single queries are split so that about `width` characters suffice."""
    overall = [row for row in table.rows if row.query is None]
    if overall:
        yield _overall(overall)
    for run, rows in grouped((row for row in table.rows if row.query is not None), "run").items():
        yield from _per_query(run, rows, width)


def _overall(rows: list[Row]) -> Block:
    runs = grouped(rows, "run")
    several = len(runs) > 1
    by_metric = grouped(rows, "metric")
    formats = {metric: Format(same) for metric, same in by_metric.items()}
    span = range_heading(rows)
    interval = any(row.low is not None for row in rows)
    columns: list[tuple[str, bool, Callable[[Row], str]]] = [("metric", True, lambda row: row.metric)]
    if several:
        columns.append(("run", True, lambda row: row.run))
    columns.append(("value", False, lambda row: formats[row.metric].number(row.value)))
    if interval:
        columns.append((interval_heading(rows), True, lambda row: formats[row.metric].interval(row)))
    if span:
        columns.append((span, True, lambda row: formats[row.metric].range(row)))
    columns.append(("n", False, lambda row: str(row.n)))
    lines = [[cell(row) for _, _, cell in columns] for same in by_metric.values() for row in same]
    title = "" if several else rows[0].run
    return Block(title, [name for name, _, _ in columns], lines, [left for _, left, _ in columns], several)


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
    said = []
    runs = list(grouped(table.rows, "run"))
    common = averaging(table)
    if common:
        said.append(common)
    else:
        said += [f"{run}: {sentence}" for run in runs if (sentence := averaging(table, run))]
    if methods(table.rows):
        said.append(f"intervals: {methods(table.rows)}")
    if table.signature.get("ties", "trec") != "trec":
        said.append(f"ties: {table.signature['ties']}")
    if table.signature.get("unjudged", "nonrelevant") != "nonrelevant":
        said.append(f"unjudged documents: {table.signature['unjudged']}")
    said += remarks(table.rows)
    if warnings:
        said += [f"warning: {notice}" for notice in table.warnings]
    return said
