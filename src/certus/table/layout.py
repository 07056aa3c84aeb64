"""The layout of a table for reading, in whatever format it is then written, and for a paper.

One run: a line for each metric. Several runs and metrics: a matrix, or a line for each metric and run, the runs of a
metric below each other, so that intervals are compared by eye. Subgroups of the samples stand as several runs do.
Values per class: a block for each run and subgroup, classes down, metrics across. Values per query: a block for each
run, queries down, metrics across.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from certus.statistic.common import plural
from certus.table.cells import (
    CHANCE,
    MEANS,
    Format,
    among_subgroups,
    averaging,
    grouped,
    interval_heading,
    luck,
    methods,
    range_heading,
    remarks,
    shortened,
)
from certus.table.matrix import Cell, crossed, is_matrix, matrix, overall
from certus.table.output import Grid
from certus.table.row import ALIKE, BEST, Row, Standing
from certus.table.writers import Block, escaped

if TYPE_CHECKING:
    from certus.table.output import Layout
    from certus.table.table import Table


def blocks(table: "Table", width: int | None = None, layout: "Layout | None" = None) -> Iterator[Block]:
    """The blocks of a table.

    Those of single queries are split, and those of classes have intervals below their values, where about `width`
    characters would not suffice.
    """
    by = str(table.signature.get("by") or "group")
    what = str(table.signature.get("part", "class"))
    if is_matrix(table, layout):
        yield from matrix(table, width)
    elif rows := overall(table):
        yield _overall(rows, by)
    by_run = grouped((row for row in table.rows if row.by_class and row.among is None), "run")
    for run, rows in by_run.items():
        for group, some in grouped(rows, "group").items():
            of_run = f"{run}, " if len(by_run) > 1 else ""
            title = run if group is None else f"{of_run}{by}: {shortened(group)}"
            yield from _per_class(title, some, width, what)
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
    if any(row.p is not None for row in rows):
        columns += CHANCE
    lines = [[cell(row) for _, _, cell in columns] for same in by_metric.values() for row in same]
    title = "" if several else rows[0].run
    names, left = [name for name, _, _ in columns], [left for _, left, _ in columns]
    return Block(title, names, lines, left, several or in_groups)


def _among(among: str, rows: list[Row], what: str) -> Block:
    """The largest gaps, the worst subgroups, or the means of subgroups, a line for each metric and class."""
    formats = {metric: Format(same) for metric, same in grouped(rows, "metric").items()}
    gaps = among == "largest gap"
    columns: list[tuple[str, bool, Callable[[Row], str]]] = [("metric", True, lambda row: row.metric)]
    if len(grouped(rows, "run")) > 1:
        columns.append(("run", True, lambda row: row.run))
    if any(row.by_class for row in rows):
        columns.append((what, True, _of_class))
    if among == "worst subgroup":
        columns.append(("subgroup", True, lambda row: _name(row.subgroup)))
    columns.append(("gap" if gaps else "value", False, lambda row: formats[row.metric].number(row.value)))
    columns.append((interval_heading(rows), True, lambda row: formats[row.metric].interval(row)))
    if gaps:
        columns.append(("highest", True, lambda row: _name(row.subgroup)))
        columns.append(("lowest", True, lambda row: _name(row.versus)))
    if among in MEANS:
        columns.append(("subgroups", False, lambda row: str(row.n)))
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


def _per_class(title: str, rows: list[Row], width: int | None, what: str = "class") -> Iterator[Block]:
    """Classes down, their averages below them, metrics across."""
    formats = {metric: Format(same) for metric, same in grouped(rows, "metric").items()}
    lines: dict[tuple[str | None, str | None], dict[str, Cell]] = {}
    for row in rows:
        value, span = formats[row.metric].number(row.value), formats[row.metric].interval(row)
        cell = Cell(value, "" if span == value else span)  # one dash is enough
        lines.setdefault((row.label, row.average), {})[row.metric] = cell
    named = [
        (shortened(label) if label is not None else f"{average} average", line)
        for (label, average), line in lines.items()
    ]
    return crossed(title, what, {metric: metric for metric in formats}, named, width)


def _counts(table: "Table") -> list[str]:
    """The number of units of all values, where a matrix does not show it."""
    numbers = {(row.n, row.unit) for row in overall(table)}
    return [f"over {plural(*numbers.pop())}"] if len(numbers) == 1 else []


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


def notes(
    table: "Table", warnings: bool = True, layout: "Layout | None" = None, signs: tuple[str, str] = (BEST, ALIKE)
) -> list[str]:
    """Sentences for below the table: what was averaged, how intervals were made, what is undefined or suspicious."""
    said = [str(sentence) for sentence in table.signature.get("said", ())]
    runs = list(grouped(table.rows, "run"))
    common = averaging(table)
    if common:
        said.append(common)
    else:
        said += [f"{run}: {sentence}" for run in runs if (sentence := averaging(table, run))]
    crossed_runs = is_matrix(table, layout)
    if crossed_runs:
        said += table.standing.sentences(*signs)
        said += _counts(table) if not common and not table.signature.get("said") else ()
    if within := [
        row
        for row in table.rows
        if (row.by_class or (crossed_runs and row.query is None)) and row.low is not None and row.among is None
    ]:
        said.append(f"in brackets: {interval_heading(within)}")
    if made := methods(table.rows):
        said.append(f"intervals: {made}")
    said += among_subgroups(table.rows)
    said += luck(table.rows)
    if table.signature.get("ties", "trec") != "trec":
        said.append(f"ties: {table.signature['ties']}")
    if table.signature.get("unjudged", "nonrelevant") != "nonrelevant":
        said.append(f"unjudged documents: {table.signature['unjudged']}")
    said += remarks(table.rows)
    if warnings:
        said += [f"warning: {notice}" for notice in table.warnings]
    return said


_ALIKE = r"$^{\sim}$"


def grids(table: "Table", layout: "Layout | None" = None) -> list[Grid]:
    """Runs (and queries) down, metrics across, intervals and ranges small; the notes as comments.

    The best of each metric is bold. A table of classes or subgroups, or in rows, has a grid for each block of its text.
    """
    crossed = is_matrix(table, layout)
    by_class = table.signature.get("task") == "classification" and not crossed
    in_rows = any(row.group is not None or row.by_class or row.p is not None for row in table.rows)
    if by_class or layout == "rows" or in_rows:
        said = notes(table, layout=layout)
        return [of_block(block, () if number else said) for number, block in enumerate(blocks(table, None, layout))]
    by_metric = grouped(table.rows, "metric")
    formats = {metric: Format(rows) for metric, rows in by_metric.items()}
    queries = any(row.query is not None for row in table.rows)
    standing = table.standing if crossed else Standing()
    cells: dict[tuple[str, str | None], dict[str, Row]] = {}
    for row in table.rows:
        cells.setdefault((row.run, row.query), {})[row.metric] = row
    names = ["run"] + ["query"] * queries + [escaped(metric) for metric in by_metric]
    lines = []
    for (run, query), line in cells.items():
        head = [escaped(run)] + [escaped("all" if query is None else query)] * queries
        lines.append(head + [_cell(line.get(metric), formats[metric], standing) for metric in by_metric])
    return [Grid("l" * len(names), names, lines, notes(table, True, layout, ("bold:", _ALIKE)))]


def of_block(block: Block, said: Sequence[str] = ()) -> Grid:
    """A block as a tabular, its title among the comments."""
    return Grid(
        "".join("l" if left else "r" for left in block.left),
        [escaped(name) for name in block.names],
        [[escaped(cell) for cell in line] for line in block.lines],
        [*said, *([block.title] if block.title else [])],
    )


def _cell(row: Row | None, form: Format, standing: Standing) -> str:
    if row is None:
        return ""
    value, place = form.number(row.value), (row.metric, row.run)
    if row.query is None:
        value = rf"\textbf{{{value}}}" if place in standing.best else value
        value += _ALIKE if place in standing.alike else ""
    beside = [form.interval(row), f"({form.range(row)})" if form.range(row) else ""]
    small = " ".join(filter(None, beside))
    return value + (rf" {{\scriptsize {small}}}" if small else "")
