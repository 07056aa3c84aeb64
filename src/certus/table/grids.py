"""The layout of a table for a paper."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from certus.table.as_latex import escaped
from certus.table.block import Block
from certus.table.cells import Format, grouped
from certus.table.layout import blocks, notes
from certus.table.matrix import is_matrix
from certus.table.output import Grid
from certus.table.row import Row
from certus.table.standing import Standing

if TYPE_CHECKING:
    from certus.table.output import Layout
    from certus.table.table import Table

__all__ = ["grids", "of_block"]

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
