"""The matrix of runs and metrics, cells in lines and columns as blocks that fit a width, and the order of the runs."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from certus.alignment import width_of
from certus.errors import CertusError, MetricNameError
from certus.printable import printable
from certus.spelling import suggestion
from certus.table.cells import Format, grouped, shortened
from certus.table.row import ALIKE, BEST, PerQuery, Row
from certus.table.writers import Block

if TYPE_CHECKING:
    from certus.table.output import Layout
    from certus.table.table import Table


class Cell(NamedTuple):
    """A value, and the interval beside or below it."""

    value: str = ""
    span: str = ""

    def beside(self, size: int) -> str:
        """The interval after a value of at most that size."""
        return f"{self.value.ljust(size)} {self.span}" if self.span else self.value


_EMPTY = Cell()


def crossed(
    title: str,
    corner: str,
    columns: Mapping[str, str],
    lines: Sequence[tuple[str, Mapping[str, Cell]]],
    width: int | None,
) -> Iterator[Block]:
    """Cells by the key of their column; beyond about `width` characters with intervals below, then in several blocks.

    Parameters
    ----------
    title, corner
        The heading of the blocks, and of their first column.
    columns
        The heading of each column by its key.
    lines
        The name of each line, and its cells.
    width
        In characters; None: unlimited.
    """
    cells = [(name, [line.get(key, _EMPTY) for key in columns]) for name, line in lines]
    names = [corner, *columns.values()]
    left = [True, *(any(line[place].span for _, line in cells) for place in range(len(columns)))]
    longest = [max(len(line[place].value) for _, line in cells) for place in range(len(columns))]
    beside = [[name, *(cell.beside(size) for cell, size in zip(line, longest, strict=True))] for name, line in cells]
    if width is None or sum(_widths(names, beside)) - 2 <= width:
        yield Block(title, names, beside, left)
        return
    below: list[list[str]] = []
    for name, line in cells:
        below.append([name, *(cell.value for cell in line)])
        if any(cell.span for cell in line):
            below.append(["", *(cell.span for cell in line)])
    first, *others = _widths(names, below)
    for group in _even(others, width + 2 - first):
        places = [0, *(1 + place for place in group)]
        some = [cut for line in below if any((cut := [line[place] for place in places])[1:])]
        yield Block(title, [names[place] for place in places], some, [left[place] for place in places])


def _widths(names: Sequence[str], lines: Sequence[Sequence[str]]) -> list[int]:
    """The characters of each column, with the space after it."""
    return [2 + max(width_of(printable(cell)) for cell in column) for column in zip(names, *lines, strict=True)]


def _even(widths: Sequence[int], room: int) -> list[list[int]]:
    """The places of columns in the fewest groups that fit, which are about equally wide."""
    groups = list(_fitting(widths, room))
    while room > max(widths) and len(closer := list(_fitting(widths, room - 1))) == len(groups):
        groups, room = closer, room - 1
    return groups


def _fitting(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The places of columns in groups of at most `room` characters."""
    group: list[int] = []
    for place, needed in enumerate(widths):
        if group and sum(widths[each] for each in group) + needed > room:
            yield group
            group = []
        group.append(place)
    yield group


def overall(table: "Table") -> list[Row]:
    """The rows of whole runs, or of their subgroups, whose metric has one value."""
    return [row for row in table.summary if row.query is None and not row.by_class and row.among is None]


def is_matrix(table: "Table", layout: "Layout | None") -> bool:
    """True if runs and metrics are crossed: as asked, otherwise if there are several of both and nothing is lost."""
    rows = overall(table)
    alone = all(row.group is None for row in rows) and len({(row.run, row.metric) for row in rows}) == len(rows)
    held = any(row.p is not None for row in rows)
    simple = bool(rows) and alone and not held
    if layout == "matrix" and held:
        raise CertusError(
            "is 'matrix', but values compared with chance have a line each", "leave it out", argument="layout"
        )
    if layout == "matrix" and not simple:
        what = "several values of one metric and run" if rows else "no values of whole runs"
        raise CertusError(
            f"is 'matrix', which crosses runs and metrics, but the table has {what}", "leave it out", argument="layout"
        )
    if layout is not None or not simple:
        return layout == "matrix"
    runs, metrics = grouped(rows, "run"), grouped(rows, "metric")
    one_count = all(len({row.n for row in same}) == 1 for same in runs.values())
    return len(runs) > 1 and len(metrics) > 1 and one_count and all(row.minimum is None for row in rows)


def matrix(table: "Table", width: int | None) -> list[Block]:
    """Runs down and metrics across, or the other way where that takes fewer blocks."""
    rows = overall(table)
    by_run, by_metric = grouped(rows, "run"), grouped(rows, "metric")
    formats = {metric: Format(same) for metric, same in by_metric.items()}
    standing = table.standing
    texts = {}
    for row in rows:
        form, place = formats[row.metric], (row.metric, row.run)
        mark = BEST if place in standing.best else ALIKE if place in standing.alike else ""
        span = form.range(row)
        beside = (form.interval(row), f"({span})" if span else "")
        texts[place] = Cell(form.number(row.value) + mark, " ".join(filter(None, beside)))
    runs, metrics = {run: shortened(run) for run in by_run}, {metric: metric for metric in by_metric}
    down = [(runs[run], {row.metric: texts[row.metric, run] for row in same}) for run, same in by_run.items()]
    first = list(crossed("", "run", metrics, down, width))
    if len(first) == 1:
        return first
    across = [(metric, {row.run: texts[metric, row.run] for row in same}) for metric, same in by_metric.items()]
    other = list(crossed("", "metric", runs, across, width))
    return other if len(other) < len(first) else first


def ordered(table: "Table", by: str) -> tuple[list[Row], list[PerQuery]]:
    """The rows of runs and those of queries, in the order in which `Table.sorted` has them."""
    places = list(dict.fromkeys((row.run, row.group) for row in table.summary))
    if by == "name":
        ranks = {place: rank for rank, place in enumerate(sorted(places, key=lambda one: (one[0], one[1] or "")))}
    else:
        ranks = _by_metric(table, places, by)
    first: dict[str, int] = {}
    for (run, _), rank in ranks.items():
        first[run] = min(rank, first.get(run, rank))
    rows = sorted(table.summary, key=lambda row: (row.among is not None, ranks[row.run, row.group]))
    return rows, sorted(table.single, key=lambda each: first.get(each.run, len(ranks)))


def _by_metric(table: "Table", places: list[tuple[str, str | None]], metric: str) -> dict[tuple[str, str | None], int]:
    """The rank of each run and subgroup by its value, the best first."""
    rows = overall(table)
    metrics = list(dict.fromkeys(row.metric for row in rows))
    if metric not in metrics:
        near = suggestion(metric, [*metrics, "name"]) or f"there are {', '.join([*metrics, 'name'])}"
        if any(row.metric == metric for row in table.summary):
            raise MetricNameError(
                f"sorted by {metric!r}, which has a value for each class", "sort by another metric or by name"
            )
        raise MetricNameError(f"the table has no metric {metric!r} to sort by", near)
    sign = 1 if table.signature.get("better", {}).get(metric) == "lower" else -1
    values = {(row.run, row.group): _key(row, sign) for row in rows if row.metric == metric}
    found = sorted(places, key=lambda place: values.get(place, inf))
    return {place: rank for rank, place in enumerate(found)}


def _key(row: Row, sign: int) -> float:
    return inf if row.value != row.value else sign * row.value
