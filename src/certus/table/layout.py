"""The layout of a table: its blocks, and the notes below them.

One run: a line for each metric. Several runs and metrics: a matrix, or a line for each metric and run, the runs of a
metric below each other, so that intervals are compared by eye. Subgroups of the samples stand as several runs do.
Values per class: a block for each run and subgroup, classes down, metrics across. Values per query: a block for each
run, queries down, metrics across. In a paper runs and queries down, metrics across.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan
from typing import TYPE_CHECKING

from certus.core.errors import CertusError
from certus.core.note import Note
from certus.core.spelling import abridged, plural
from certus.table.block import ALIKE, CHANCE, METHOD_MARKS, Block, Cell, Column, Format, crossed, percent, shortened
from certus.table.row import Row, Standing, grouped

if TYPE_CHECKING:
    from certus.table.output import Layout
    from certus.table.table import Table

MEANS: Mapping[str, str] = {
    "mean of random subgroups": "each counts the same; limits for the mean of all subgroups that might have been drawn",
    "weighted mean of random subgroups": "each counts as its samples do; limits for all that might have been drawn",
    "mean of fixed subgroups": "each counts the same; limits for the mean of the true values of these subgroups",
    "weighted mean of fixed subgroups": "each counts as its samples do; limits for the true values of these subgroups",
}
"""The means of subgroups, with the meaning of their limits."""
_MOST_METRICS = 8
"""Metrics with the same remark that are named."""


def laid_out(
    table: "Table", width: int | None, layout: "Layout | None", paper: bool = False
) -> tuple[list[Block], list[Note]]:
    """Blocks of a table, of about `width` characters, and the notes below them.

    Wider blocks are split, or have intervals below their values. A paper has the same blocks of classes, of subgroups,
    of values compared with chance, and of a layout in rows.
    """
    is_crossed, marks = is_matrix(table, layout), _marks(table.rows)
    if paper and _is_one_table(table, layout, is_crossed):
        blocks = [_of_paper(table, marks, is_crossed)]
    else:
        blocks = list(_blocks(table, width, marks, is_crossed))
    return blocks, _notes(table, marks, is_crossed, paper)


def _blocks(table: "Table", width: int | None, marks: Mapping[str, str], is_crossed: bool) -> Iterator[Block]:
    """Blocks of a table, if not for a paper."""
    group_title = str(table.signature.get("by") or "group")
    part = str(table.signature.get("part", "class"))
    if is_crossed:
        yield from _matrix(table, width, marks)
    elif rows := overall(table):
        yield _overall(rows, group_title, marks)
    by_run = grouped((row for row in table.rows if row.by_class and row.among is None), "run")
    for run, of_run in by_run.items():
        for group, rows in grouped(of_run, "group").items():
            start = f"{run}, " if len(by_run) > 1 else ""
            title = run if group is None else f"{start}{group_title}: {shortened(group)}"
            yield from _per_class(title, rows, width, part)
    for among, rows in grouped((row for row in table.rows if row.among is not None), "among").items():
        yield _across_subgroups(among, rows, part)
    for run, rows in grouped((row for row in table.rows if row.query is not None), "run").items():
        yield from _per_query(run, rows, width)


def overall(table: "Table") -> list[Row]:
    """The rows of whole runs, or of their subgroups, whose metric has one value."""
    return [row for row in table.summary if row.query is None and not row.by_class and row.among is None]


def is_matrix(table: "Table", layout: "Layout | None") -> bool:
    """True if runs and metrics are crossed: as asked, otherwise if there are several of both and nothing is lost."""
    rows = overall(table)
    single = all(row.group is None for row in rows) and len({(row.run, row.metric) for row in rows}) == len(rows)
    has_chance = any(row.p is not None for row in rows)
    is_simple = bool(rows) and single and not has_chance
    if layout == "matrix" and has_chance:
        problem = "is 'matrix', but values compared with chance have a line each"
        raise CertusError(problem, "leave it out", argument="layout")
    if layout == "matrix" and not is_simple:
        content = "several values of one metric and run" if rows else "no values of whole runs"
        raise CertusError(
            f"is 'matrix', which crosses runs and metrics, but the table has {content}",
            "leave it out",
            argument="layout",
        )
    if layout is not None or not is_simple:
        return layout == "matrix"
    runs, metrics = grouped(rows, "run"), grouped(rows, "metric")
    one_count = all(len({row.n for row in of_run}) == 1 for of_run in runs.values())
    return len(runs) > 1 and len(metrics) > 1 and one_count and all(row.minimum is None for row in rows)


def _is_one_table(table: "Table", layout: "Layout | None", is_crossed: bool) -> bool:
    """True if a paper has all values in one table."""
    if layout == "rows" or (table.signature.get("task") == "classification" and not is_crossed):
        return False
    return not any(row.group is not None or row.by_class or row.p is not None for row in table.rows)


def _of_paper(table: "Table", marks: Mapping[str, str], is_crossed: bool) -> Block:
    """Runs and queries down, metrics across."""
    cells = _cells(table.rows, table.standing if is_crossed else Standing(), marks)
    has_queries = any(row.query is not None for row in table.rows)
    metrics = list(grouped(table.rows, "metric"))
    lines: list[list[str | Cell]] = [
        [run, *(["all" if query is None else query] if has_queries else []), *(of_line.get(m, "") for m in metrics)]
        for (run, query), of_line in cells.items()
    ]
    names = ["run", *(["query"] if has_queries else []), *metrics]
    return Block("", names, lines, [True] * len(names))


def _cells(
    rows: Sequence[Row], standing: Standing, marks: Mapping[str, str]
) -> dict[tuple[str, str | None], dict[str, Cell]]:
    """The cell of each metric, by run and query."""
    formats = {metric: Format(of_metric, marks) for metric, of_metric in grouped(rows, "metric").items()}
    cells: dict[tuple[str, str | None], dict[str, Cell]] = {}
    for row in rows:
        form, key = formats[row.metric], (row.metric, row.run)
        value_range = form.range(row)
        span = " ".join(filter(None, [form.interval(row), f"({value_range})" if value_range else ""]))
        of_run = row.query is None
        mark = ALIKE if of_run and key in standing.alike else ""
        cell = Cell(form.number(row.value), span, mark, of_run and key in standing.best)
        cells.setdefault((row.run, row.query), {})[row.metric] = cell
    return cells


def _matrix(table: "Table", width: int | None, marks: Mapping[str, str]) -> list[Block]:
    """Runs down and metrics across, or the other way where that takes fewer blocks."""
    rows = overall(table)
    cells = {run: of_run for (run, _), of_run in _cells(rows, table.standing, marks).items()}
    metrics = {metric: metric for metric in grouped(rows, "metric")}
    runs = {run: shortened(run) for run in cells}
    runs_down = list(crossed("", "run", metrics, [(runs[run], of_run) for run, of_run in cells.items()], width))
    if len(runs_down) == 1:
        return runs_down
    by_metric = [
        (metric, {run: of_run[metric] for run, of_run in cells.items() if metric in of_run}) for metric in metrics
    ]
    runs_across = list(crossed("", "metric", runs, by_metric, width))
    return runs_across if len(runs_across) < len(runs_down) else runs_down


def _overall(rows: list[Row], group_title: str, marks: Mapping[str, str]) -> Block:
    """Block with a line for each metric, run and subgroup: value, interval, range, size and chance."""
    has_runs = len(grouped(rows, "run")) > 1
    has_groups = any(row.group is not None for row in rows)
    by_metric = grouped(rows, "metric")
    formats = {metric: Format(of_metric, marks) for metric, of_metric in by_metric.items()}
    columns: list[Column[Row]] = [Column("metric", True, lambda row: row.metric)]
    if has_runs:
        columns.append(Column("run", True, lambda row: row.run))
    if has_groups:
        columns.append(Column(group_title, True, lambda row: "all" if row.group is None else shortened(row.group)))
    columns.append(Column("value", False, lambda row: formats[row.metric].number(row.value)))
    if any(row.low is not None for row in rows):
        columns.append(Column(interval_heading(rows), True, lambda row: formats[row.metric].interval(row)))
    if heading := _range_heading(rows):
        columns.append(Column(heading, True, lambda row: formats[row.metric].range(row)))
    if len({row.unit for row in rows}) > 1:
        columns.append(Column("based on", True, lambda row: plural(row.n, row.unit)))
    else:
        columns.append(Column("n", False, lambda row: str(row.n)))
    if any(row.p is not None for row in rows):
        columns += CHANCE
    in_order = [row for of_metric in by_metric.values() for row in of_metric]
    return Block.from_records("" if has_runs else rows[0].run, columns, in_order, has_runs or has_groups)


def _across_subgroups(among: str, rows: list[Row], part: str) -> Block:
    """The largest gaps, the worst subgroups, or the means of subgroups, a line for each metric and class."""
    by_metric = grouped(rows, "metric")
    formats = {metric: Format(of_metric) for metric, of_metric in by_metric.items()}
    is_gap = among == "largest gap"
    columns: list[Column[Row]] = [Column("metric", True, lambda row: row.metric)]
    if len(grouped(rows, "run")) > 1:
        columns.append(Column("run", True, lambda row: row.run))
    if any(row.by_class for row in rows):
        columns.append(Column(part, True, _class_name))
    if among == "worst subgroup":
        columns.append(Column("subgroup", True, lambda row: _name(row.subgroup)))
    columns.append(Column("gap" if is_gap else "value", False, lambda row: formats[row.metric].number(row.value)))
    columns.append(Column(interval_heading(rows), True, lambda row: formats[row.metric].interval(row)))
    if is_gap:
        columns.append(Column("highest", True, lambda row: _name(row.subgroup)))
        columns.append(Column("lowest", True, lambda row: _name(row.versus)))
    if among in MEANS:
        columns.append(Column("subgroups", False, lambda row: str(row.n)))
    in_order = [row for of_metric in by_metric.values() for row in of_metric]
    return Block.from_records("largest gap between subgroups" if is_gap else among, columns, in_order, grouped=True)


def _class_name(row: Row) -> str:
    """Name of a row in the table of classes: the class, or an average such as ``macro average``."""
    if row.label is not None:
        return shortened(row.label)
    return "" if row.average is None else f"{row.average} average"


def _name(subgroup: str | None) -> str:
    """Subgroup name, shortened for a table; a dash for None."""
    return "-" if subgroup is None else shortened(subgroup)


def _per_class(title: str, rows: list[Row], width: int | None, part: str) -> Iterator[Block]:
    """Classes down, their averages below them, metrics across."""
    formats = {metric: Format(of_metric) for metric, of_metric in grouped(rows, "metric").items()}
    lines: dict[tuple[str | None, str | None], tuple[str, dict[str, Cell]]] = {}
    for row in rows:
        value, span = formats[row.metric].number(row.value), formats[row.metric].interval(row)
        cell = Cell(value, "" if span == value else span)  # one dash is enough
        lines.setdefault((row.label, row.average), (_class_name(row), {}))[1][row.metric] = cell
    return crossed(title, part, {metric: metric for metric in formats}, list(lines.values()), width)


def _per_query(run: str, rows: list[Row], width: int | None) -> Iterator[Block]:
    """Blocks for one run with a line for each query and a column for each metric."""
    by_metric = grouped(rows, "metric")
    formats = {metric: Format(of_metric) for metric, of_metric in by_metric.items()}
    lines = {row.query or "": dict.fromkeys(by_metric, Cell("-")) for row in rows}
    for row in rows:
        lines[row.query or ""][row.metric] = Cell(formats[row.metric].number(row.value))
    return crossed(run, "query", {metric: metric for metric in by_metric}, list(lines.items()), width)


def interval_heading(rows: Iterable[Row]) -> str:
    """``95% interval``, or ``interval`` where levels differ."""
    levels = {row.level for row in rows if row.level is not None}
    return f"{percent(levels.pop())} interval" if len(levels) == 1 else "interval"


def _range_heading(rows: Iterable[Row]) -> str:
    """``range over ties``, by what was left open; empty where no row has a range."""
    sources = {row.over or "" for row in rows if row.minimum is not None}
    return f"range over {' and '.join(sorted(sources))}".rstrip() if sources else ""


def _notes(table: "Table", marks: Mapping[str, str], is_crossed: bool, paper: bool) -> list[Note]:
    """Return notes on averages, marks, intervals and undefined values, and the warnings."""
    sentences = [str(sentence) for sentence in table.signature.get("said", ())]
    averaging = list(_averaging(table))
    sentences += map(str, averaging)
    if is_crossed:
        sentences += table.standing.sentences(*(("bold:", r"$^{\sim}$") if paper else ()))
        counts = {(row.n, row.unit) for row in overall(table)}
        if len(counts) == 1 and not table.signature.get("said") and (not averaging or averaging[0].about is not None):
            sentences.append(f"over {plural(*counts.pop())}")
    if bracketed := [
        row
        for row in table.rows
        if (row.by_class or (is_crossed and row.query is None)) and row.low is not None and row.among is None
    ]:
        sentences.append(f"in brackets: {interval_heading(bracketed)}")
    if methods := _methods(table.rows, marks):
        sentences.append(f"intervals: {methods}")
    sentences += [*_among_subgroups(table.rows), *chance_methods(table.rows), *departures(table.signature)]
    return [*map(Note, sentences), *_remarks(table.rows), *table.warnings]


def _averaging(table: "Table") -> Iterator[Note]:
    """The queries over which the values are means: one note for all runs that agree, otherwise one for each."""
    counts = table.signature.get("averaged", {})
    rule = table.signature.get("queries")
    sentences = {run: _averaged(rule, count) for run, count in counts.items()}
    if len(distinct := set(sentences.values())) == 1:
        yield Note(distinct.pop())
        return
    yield from (Note(sentences[run], run) for run in grouped(table.rows, "run") if run in sentences)


def _averaged(rule: object, count: Mapping[str, int]) -> str:
    """Phrase on the queries that a mean is taken over, and how many of them count as 0."""
    n, missing = count.get("queries", 0), count.get("missing", 0)
    if rule != "judged":
        return f"mean over {plural(n, 'query')} with judgments and results"
    zeros = f", {missing} missing from the run {'counts' if missing == 1 else 'count'} 0" if missing else ""
    return f"mean over all {plural(n, 'judged query')}{zeros}"


def _methods(rows: Sequence[Row], marks: Mapping[str, str]) -> str:
    """``Student t``, or each method after its mark if there are several."""
    from certus.inference.declare import LABELS

    methods = _used_methods(rows)
    if marks or len(methods) < 2:
        return "; ".join(f"{marks.get(method, '')}{LABELS.get(method, method)}" for method in methods)
    metrics = {
        method: dict.fromkeys(
            "averages" if row.average is not None else row.metric for row in rows if method in _used_methods([row])
        )
        for method in methods
    }
    return "; ".join(f"{LABELS.get(method, method)} for {', '.join(metrics[method])}" for method in methods)


def _used_methods(rows: Iterable[Row]) -> dict[str, None]:
    """The methods of all intervals with a limit, apart from those over subgroups."""
    return {
        row.method: None
        for row in rows
        if row.method is not None
        and row.among is None
        and any(limit is not None and not isnan(limit) for limit in (row.low, row.high))
    }


def _marks(rows: Sequence[Row]) -> Mapping[str, str]:
    """A mark for each method of the intervals; none for a single method, or beside tables of classes."""
    methods = {} if any(row.by_class for row in rows) else _used_methods(rows)
    return dict(zip(methods, METHOD_MARKS, strict=False)) if len(methods) > 1 else {}


def _among_subgroups(rows: Iterable[Row]) -> Iterator[str]:
    """Explain the limits of gaps, worst subgroups and means over subgroups."""
    by_kind = grouped((row for row in rows if row.among is not None), "among")
    if "largest gap" in by_kind:
        yield (
            "largest gap: limits for the largest true difference of any two subgroups; a lower limit of 0 means that "
            "all may be equal"
        )
    if "worst subgroup" in by_kind:
        yield ("worst subgroup: limits for the worst true value of any subgroup (possibly not the subgroup shown)")
    for kind, meaning in MEANS.items():
        if kind in by_kind:
            rows_of_kind = [replace(row, among=None) for row in by_kind[kind]]
            methods = _methods(rows_of_kind, _marks(rows_of_kind))
            yield f"{kind}: {meaning}{methods and f' ({methods})'}"


def chance_methods(rows: Iterable[Row]) -> list[str]:
    """The methods of the p-values of chance, with the greatest error where it can be seen."""
    errors: dict[str, float] = {}
    for row in rows:
        if row.p_method is not None:
            errors[row.p_method] = max(row.p_error or 0.0, errors.get(row.p_method, 0.0))
    methods = [f"{name}, error up to {error:.1g}" if error > 1e-5 else name for name, error in errors.items()]
    return [f"p of chance: {'; '.join(methods)}"] if methods else []


def departures(conventions: Mapping[str, object]) -> Iterator[str]:
    """The conventions on ties and unjudged documents that are not the default."""
    for name, title, default in (("ties", "ties", "trec"), ("unjudged", "unjudged documents", "nonrelevant")):
        if conventions.get(name, default) != default:
            yield f"{title}: {conventions[name]}"
    if conventions.get("drop_self"):
        yield "the document with the query's own id is left out of each query's results"


def _remarks(rows: Iterable[Row]) -> Iterator[Note]:
    """Remarks on whole runs; metrics of a run with the same remark share one note."""
    metrics: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        reason = row.reason or ("" if isfinite(row.value) else "the value is undefined")
        if reason and row.query is None:
            part = row.among if row.group is None else shortened(row.group)
            system = row.run if part is None else f"{row.run}, {part}"
            label = shortened(row.label) if row.label is not None else row.average
            name = row.metric if label is None else f"{row.metric} ({label})"
            metrics.setdefault((system, reason), []).append(name)
    for (system, reason), names in metrics.items():
        yield Note(reason, f"{abridged(names, _MOST_METRICS)} of {system}")
