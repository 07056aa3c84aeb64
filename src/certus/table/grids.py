"""The layout of a table for a paper."""

from typing import TYPE_CHECKING

from certus.table.as_latex import escaped
from certus.table.cells import Format, grouped
from certus.table.layout import Block, blocks, notes
from certus.table.output import Grid
from certus.table.row import Row

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["grids"]


def grids(table: "Table") -> list[Grid]:
    """Runs (and queries) down, metrics across, intervals and ranges small; the notes as comments.

    A table of classification, or of subgroups, has a grid for each block of its text.
    """
    if table.signature.get("task") == "classification" or any(row.group is not None for row in table.rows):
        said = notes(table)
        return [_of_block(block, () if number else said) for number, block in enumerate(blocks(table))]
    by_metric = grouped(table.rows, "metric")
    formats = {metric: Format(rows) for metric, rows in by_metric.items()}
    queries = any(row.query is not None for row in table.rows)
    cells: dict[tuple[str, str | None], dict[str, Row]] = {}
    for row in table.rows:
        cells.setdefault((row.run, row.query), {})[row.metric] = row
    names = ["run"] + ["query"] * queries + [escaped(metric) for metric in by_metric]
    lines = []
    for (run, query), line in cells.items():
        head = [escaped(run)] + [escaped("all" if query is None else query)] * queries
        lines.append(head + [_cell(line.get(metric), formats[metric]) for metric in by_metric])
    return [Grid("l" * len(names), names, lines, notes(table))]


def _of_block(block: Block, said: list[str] | tuple[()]) -> Grid:
    return Grid(
        "".join("l" if left else "r" for left in block.left),
        [escaped(name) for name in block.names],
        [[escaped(cell) for cell in line] for line in block.lines],
        [*said, *([block.title] if block.title else [])],
    )


def _cell(row: Row | None, form: Format) -> str:
    if row is None:
        return ""
    beside = [form.interval(row), f"({form.range(row)})" if form.range(row) else ""]
    small = " ".join(filter(None, beside))
    return form.number(row.value) + (rf" {{\scriptsize {small}}}" if small else "")
