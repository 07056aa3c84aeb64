"""A report: its content, and one HTML file that holds data, style and charts, and asks no address for anything."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.util import find_spec
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from certus.core.note import Note
from certus.core.printable import printable
from certus.core.readable import as_html
from certus.core.spelling import plural
from certus.table.block import Block, Format, shortened
from certus.table.layout import interval_heading, overall
from certus.table.row import Row, grouped

if TYPE_CHECKING:
    from certus.table.table import PictureSource, Table


_LONGEST = 60
_MAX_UNSEARCHED = 12
"""Tables of up to this number of lines cannot be searched: all is seen."""
_MAX_CARDS = 8
_MAX_LINES = 6
"""Systems of a card, and findings that are not folded."""
_MAX_MARKS = 60
"""Lines of a panel of the forest plot; the table has all."""
_MAX_CURVES = 7
_MAX_UNIT_CHARTS = 4
_LIMITS = re.compile(r"\[[-+.\w]+, [-+.\w]+\]")
_UNBROKEN = r'<span class="whole">\g<0></span>'
"""The limits of an interval stay in one line where a cell is broken."""


class Mark(NamedTuple):
    """A value or a difference with its interval: a line of the forest plot."""

    name: str
    systems: tuple[int, ...]
    value: float
    low: float | None
    high: float | None
    text: str
    color: str
    verdict: str = ""


@dataclass(frozen=True)
class Panel:
    """The part of the forest plot that shows one metric; `margin` is that of differences, whose axis shows 0."""

    title: str
    marks: Sequence[Mark]
    margin: float | None = None
    limits: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class Curve:
    """A line in the unit square with its band, as x and y."""

    systems: tuple[int, ...]
    color: str
    line: tuple[Sequence[float], Sequence[float]]
    band: tuple[Sequence[float], Sequence[float]] | None
    steps: bool
    area: bool


@dataclass(frozen=True)
class Chart:
    """A chart: what draws it in a width, what it shows, and the text of each system in its legend."""

    label: str
    kind: str
    content: Sequence[Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    legend: Mapping[int, str] = field(default_factory=dict)
    caption: str = ""
    name: str = ""


@dataclass(frozen=True)
class Section:
    """A heading with charts, sentences and tables; `kind` is what its script is called."""

    heading: str
    blocks: Sequence[Block] = ()
    sentences: Sequence[str] = ()
    kind: str = ""
    charts: Sequence[Chart] = ()


@dataclass(frozen=True)
class Report:
    """The content of a page, as plain text and plain values; `methods` empty makes the paragraph from the notes."""

    kind: str
    title: str
    answer: Sequence[str]
    systems: Sequence[str]
    sections: Sequence[Section]
    values: Sequence[Row] = ()
    better: Mapping[str, str | None] = field(default_factory=dict)
    notes: Sequence[Note] = ()
    methods: str = ""
    conventions: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)


def page(report: Report, command: str | None = None, day: date | None = None) -> str:
    """The report as a document, with the command that made it and the day, by default today.

    Charts need matplotlib; a sentence says so where it is not installed.
    """
    script = _resource("page.js")
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; img-src data:"
    data = {**report.data, "systems": list(map(short, report.systems))}
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{as_html(report.title)}</title>",
        f"<style>{_resource('page.css')}</style></head><body>",
        *_header(report, day or date.today()),
        "<main>",
        *_cards(report),
        *_warnings([note for note in report.notes if note.is_warning]),
        *_switches(report.systems),
    ]
    if not _has_charts():
        parts.append("<p class=\"note\">For charts: pip install 'certus[plot]', and write the report again.</p>")
    sections = list(report.sections)
    while sections:
        squares = [section for section in sections if _is_square(section)] if _is_square(sections[0]) else []
        if squares:
            parts += [
                '<div class="pair">',
                *(part for section in squares for part in _section(section, report)),
                "</div>",
            ]
            sections = [section for section in sections if section not in squares]
        else:
            parts += _section(sections.pop(0), report)
    parts += _methods(report, command)
    parts.append("</main>")
    parts.append(f'<script type="application/json" id="data">{_embedded(data)}</script>')
    parts += [f"<script>{script}</script>", "</body></html>\n"]
    return "\n".join(parts)


def short(name: str) -> str:
    """A name as a page shows it, its middle left out where it is too long to be read."""
    text = printable(name)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20]}…{text[-19:]}"


def _embedded(value: object) -> str:
    """JSON that no reader of HTML takes for markup."""
    markup = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return markup.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


@cache
def _has_charts() -> bool:
    """True if matplotlib, which draws the charts, is installed."""
    return find_spec("matplotlib") is not None


@cache
def _resource(name: str) -> str:
    """Text of a file in this package: the page's script or style sheet."""
    return (files("certus.table") / name).read_text("utf-8")


def _is_square(section: Section) -> bool:
    """True if the section has a chart of equal width and height."""
    return any(chart.kind == "square" for chart in section.charts)


def _header(report: Report, day: date) -> Iterator[str]:
    """HTML header: sample sizes, date, title and findings, the later findings folded."""
    counts = {(row.n, row.unit) for row in report.values}
    sizes, units = sorted({n for n, _ in counts}), {unit for _, unit in counts}
    facts = [report.kind]
    if len(units) == 1:
        n = plural(sizes[-1], units.pop())
        scope = " per subgroup" if all(row.group is not None for row in report.values) else ""
        facts.append(f"n = {n}{scope}" if len(sizes) == 1 else f"n = {sizes[0]} to {n}{scope}")
    if any(row.low is not None for row in report.values):
        facts.append(f"{interval_heading(report.values)}s")
    facts.append(f"{day.day} {day:%B %Y}")
    yield f'<header><p class="facts">{" &#183; ".join(map(as_html, facts))}</p><h1>{as_html(report.title)}</h1>'
    metrics = {row.metric for row in report.values}
    sentences = []
    for sentence in report.answer:
        metric, _, finding = sentence.partition(": ")
        bold = f"<b>{as_html(metric)}</b> {as_html(finding)}" if metric in metrics and finding else as_html(sentence)
        sentences.append(f"<li>{bold}</li>")
    if sentences:
        yield f'<ul class="answer">{"".join(sentences[:_MAX_LINES])}</ul>'
    if more := sentences[_MAX_LINES:]:
        yield f"<details><summary>{len(more)} more findings</summary>"
        yield f'<ul class="answer">{"".join(more)}</ul></details>'
    yield "</header>"


def _cards(report: Report) -> Iterator[str]:
    """A card for each metric: the best value, and all systems or subgroups on one axis."""
    by_metric = grouped(report.values, "metric")
    if not by_metric:
        return
    single = " single" if all(len(rows) == 1 for rows in by_metric.values()) else ""
    yield f'<section class="cards{single}" aria-label="Values">'
    for metric, rows in list(by_metric.items())[:_MAX_CARDS]:
        yield from _card(metric, rows, report)
    yield "</section>"
    if len(by_metric) > _MAX_CARDS:
        yield f'<p class="note">{len(by_metric) - _MAX_CARDS} more metrics below.</p>'


def _card(metric: str, rows: Sequence[Row], report: Report) -> Iterator[str]:
    """HTML card for a metric: the best system's or worst subgroup's value, and all values on one axis."""
    form = Format(rows)
    better = report.better.get(metric)
    defined = [row for row in rows if isfinite(row.value)]
    overall_rows = [row for row in defined if row.group is None]
    # of systems the best, of subgroups the worst
    ordered = sorted(
        overall_rows or defined, key=lambda row: row.value, reverse=(better != "lower") == bool(overall_rows)
    )
    direction = {"higher": "higher is better", "lower": "lower is better"}.get(better or "", "")
    yield f'<div class="card"><h2>{as_html(short(metric))} <small>{direction}</small></h2>'
    if not ordered:
        yield '<p class="big">&#8211;</p></div>'
        return
    first = ordered[0]
    is_single = len(rows) == 1
    n_systems = len(report.systems)
    prefix = "" if overall_rows else "worst: " if better else "least: "
    name = "" if is_single else prefix + short(_line_name(first, n_systems))
    interval = form.interval(first)
    yield f'<p class="big">{as_html(form.number(first.value))}</p>'
    yield f'<p class="span">{as_html(interval)} <b>{as_html(name)}</b></p>'
    low, high = min(line_limits(defined)), max(line_limits(defined))
    if is_single:  # an interval that fills its axis shows nothing
        low, high = min(low, 0.0), max(high, 1.0 if low >= 0 else 0.0)
    visible = rows if len(rows) <= _MAX_LINES else ordered[:_MAX_LINES]
    yield '<ul class="strips">'
    for row in visible:
        index = list(report.systems).index(row.run)
        label = "" if is_single else f'<span class="name">{as_html(shortened(_line_name(row, n_systems)))}</span>'
        number = "" if is_single else f'<span class="value">{as_html(form.number(row.value))}</span>'
        text = as_html(f"{short(_line_name(row, n_systems))}: {_value(row, form)}")
        strip = _strip(row, low, high, _color(index, n_systems))
        yield f'<li data-of="{index}" title="{text}">{label}{strip}{number}</li>'
    left, right = ("01"[int(limit)] if is_single and limit in (0, 1) else form.number(limit) for limit in (low, high))
    yield f'<li class="ends"><span>{left}</span><span>{right}</span></li></ul>'
    if len(visible) < len(rows):
        yield f'<p class="note">{len(rows) - len(visible)} more below</p>'
    yield "</div>"


def _line_name(row: Row, n_systems: int) -> str:
    """Name for a value in a chart: its system, its subgroup, or both if there are several systems."""
    if row.group is None:
        return row.run
    return row.group if n_systems == 1 else f"{row.run}, {row.group}"


def _strip(row: Row, low: float, high: float, color: str) -> str:
    """A value with its interval on the axis from `low` to `high`, in any width."""

    def position(value: float) -> str:
        return f"{3 + 94 * ((value - low) / (high - low) if high > low else 0.5):.2f}%"

    line = dot = ""
    if None not in (limits := (finite(row.low), finite(row.high))):
        x1, x2 = (position(limit) for limit in limits if limit is not None)
        line = f'<line x1="{x1}" x2="{x2}" y1="50%" y2="50%"/>'
    if isfinite(row.value):
        dot = f'<circle cx="{position(row.value)}" cy="50%" r="5"/>'
    return f'<svg class="strip" style="--c: var(--{color})" aria-hidden="true"><path/>{line}{dot}</svg>'


def _color(index: int, n_systems: int) -> str:
    """The name of a system's color in the style of the page: one for all where they are many."""
    return f"c{index if n_systems <= _MAX_CURVES else 0}"


def _warnings(warnings: Sequence[Note]) -> Iterator[str]:
    """HTML list of warnings, open if there are fewer than four."""
    if warnings:
        open_ = " open" if len(warnings) < 4 else ""
        yield f'<details class="warnings"{open_}><summary>{plural(len(warnings), "warning")}</summary><ul>'
        yield from (f"<li>{as_html(warning)}</li>" for warning in warnings)
        yield "</ul></details>"


def _switches(systems: Sequence[str]) -> Iterator[str]:
    """HTML checkboxes to show or hide each system; none for a single system."""
    if len(systems) < 2:
        return
    yield '<fieldset id="systems" class="script"><legend>Systems shown</legend><div>'
    yield '<button type="button" data-all="1">all</button> <button type="button" data-all="">none</button>'
    for index, name in enumerate(systems):
        color = _color(index, len(systems))
        yield f'<label style="--c: var(--{color})"><input type="checkbox" checked value="{index}">'
        yield f"<span>{as_html(short(name))}</span></label>"
    yield "</div></fieldset>"


def _section(section: Section, report: Report) -> Iterator[str]:
    """HTML section with heading, charts, sentences and tables."""
    name = (section.kind or section.heading).lower().replace(" ", "-")
    yield f'<section id="{as_html(name)}"><div class="together"><h2>{as_html(section.heading)}</h2>'
    if section.kind:
        yield f'<div class="controls script" data-controls="{as_html(section.kind)}"></div>'
    for number, chart in enumerate(section.charts if _has_charts() else ()):
        yield from _figure(chart, f"{name}{number}")
    yield from (f'<p class="note">{as_html(sentence)}</p>' for sentence in section.sentences)
    yield "</div>"
    names = enumerate(report.systems)
    indices = {name: index for index, system in names for name in (short(system), shortened(system), system)}
    for number, block in enumerate(section.blocks):
        yield from _table(block, section.heading, number, indices)
    if section.kind == "units":
        yield '<div class="beside"><div>'
        yield '<div class="scroll" tabindex="0" role="region" aria-label="Table of single values" data-table></div>'
        yield '</div><div data-documents tabindex="0" role="region" aria-label="Documents"></div></div>'
        yield "<noscript><p>The table of single values needs scripts.</p></noscript>"
    yield "</section>"


def _figure(chart: Chart, salt: str) -> Iterator[str]:
    """HTML figure with a chart drawn in several widths, its caption and its legend."""
    from certus.plot import svg

    draw: Callable[..., str] = getattr(svg, chart.kind)
    label = as_html(f"Chart: {chart.label}")
    chart_name = f' data-chart="{as_html(chart.name)}"' if chart.name else ""
    yield f'<figure{chart_name} class="{chart.kind}"><div role="img" aria-label="{label}">'
    for width in svg.SQUARES if chart.kind == "square" else svg.WIDTHS:
        yield draw(chart.content, width, f"{salt}-{width}", **chart.options)
    yield "</div>"
    if chart.caption or chart.legend:
        yield f"<figcaption>{as_html(chart.caption)}"
        if chart.legend:
            yield '<ul class="legend">'
            for index, text in chart.legend.items():
                line = f'<svg style="--c: var(--{_color(index, 1)})" aria-hidden="true"><path d="M0 6H28"/></svg>'
                yield f'<li data-of="{index}" class="d{index % 4}">{line}<span>{as_html(text)}</span></li>'
            yield "</ul>"
        yield "</figcaption>"
    yield "</figure>"


def _table(block: Block, heading: str, number: int, indices: Mapping[str, int]) -> Iterator[str]:
    """HTML table that can be sorted, with a search field if it is long."""
    caption = block.title or heading
    label = as_html(short(caption))
    if len(block.lines) > _MAX_UNSEARCHED:
        yield '<p class="script"><label>Search <input type="search" data-search></label></p>'
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{label}, table {number + 1}">'
    yield f"<table data-sortable><caption>{label}</caption><thead><tr>"
    for name, left in zip(block.names, block.left, strict=True):
        side = "" if left else ' class="number"'
        yield f'<th scope="col"{side}>{as_html(short(name))}</th>'
    yield "</tr></thead><tbody>"
    for line in block.texts():
        systems = sorted({indices[cell] for cell in line if cell in indices})
        data = f' data-of="{" ".join(map(str, systems))}"' if systems else ""
        cells = [
            _cell(cell, left, not column) for column, (cell, left) in enumerate(zip(line, block.left, strict=True))
        ]
        yield f"<tr{data}>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _cell(cell: str, left: bool, first: bool) -> str:
    """HTML table cell; if its text is shortened, the full text is the tooltip."""
    side = "" if left else ' class="number"'
    name = short(cell)
    title = "" if name == printable(cell) else f' title="{as_html(cell[:500])}"'
    tag = "th" if first else "td"
    scope = ' scope="row"' if first else ""
    return f"<{tag}{scope}{side}{title}>{_LIMITS.sub(_UNBROKEN, as_html(name))}</{tag}>"


def _methods(report: Report, command: str | None) -> Iterator[str]:
    """HTML section on how the numbers were computed: methods, command, conventions, versions and inputs."""
    yield '<section id="made"><h2>How it was made</h2>'
    yield f"<p>{as_html(report.methods or methods_paragraph(report.notes))}</p>"
    if command is not None:
        yield f'<p class="code">{as_html(command)}</p>'
    yield "<details><summary>All that the numbers depend on</summary>"
    yield '<div class="scroll" tabindex="0" role="region" aria-label="All that the numbers depend on">'
    yield "<table><caption>Conventions, versions and inputs</caption><tbody>"
    for name, value in _flat(report.conventions):
        yield f'<tr><th scope="row">{as_html(short(name))}</th><td class="code">{as_html(value)}</td></tr>'
    yield "</tbody></table></div></details></section>"


def methods_paragraph(notes: Iterable[Note]) -> str:
    """The notes on how the numbers were made as sentences of one paragraph."""
    sentences = [str(note) for note in notes if not note.kind]
    starts = (text if text[1:2] == ":" else text[:1].upper() + text[1:] for text in sentences)
    return " ".join(f"{text.removesuffix('.')}." for text in starts)


def _flat(values: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each value; values in a mapping have both names."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{name}: ")
        elif value is not None and value not in ([], (), ""):
            words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield f"{start}{name}", words[:2000]


def report(table: "Table") -> Report:
    """Make the content of a table's report: values, classes, subgroups, single units and notes."""
    table_overall = table.overall()
    rows = overall(table_overall)
    systems = list(grouped(table.rows, "run"))
    blocks, notes = table_overall._laid_out()
    better = table.signature.get("better", {})
    sections = [Section("Values", blocks, kind="values", charts=forest(list(_value_panels(rows, systems))))]
    data: dict[str, Any] = {}
    if single := {(values.metric, values.run): values for values in table.single if len(values)}:
        ids = list(dict.fromkeys(query for values in single.values() for query in values.queries))
        by_metric: dict[str, dict[int, list[float | None]]] = {}
        for (metric, run), values in single.items():
            by_query = dict(zip(values.queries, values.values, strict=True))
            by_metric.setdefault(metric, {})[systems.index(run)] = compact(by_query.get(query) for query in ids)
        unit = next(iter(single.values())).unit
        data["units"], section = units_part(unit, ids, by_metric, systems, [(1, 0)])
        sections.append(section)
    title, *answer = _answer(table_overall, rows) or ["No values"]
    words = f"{plural(len(systems), 'system')}, {plural(len(grouped(rows, 'metric')), 'metric')}"
    values_only = Report(
        kind=short(systems[0]) if len(systems) == 1 else words,
        title=title,
        answer=answer,
        systems=systems,
        sections=sections,
        values=rows,
        better=better,
        notes=notes,
        conventions={name: value for name, value in table.signature.items() if name != "said"},
        data=data,
    )
    return with_parts(values_only, table.drawn)


def _answer(table: "Table", rows: Sequence[Row]) -> list[str]:
    """The title, and the best system or the range of subgroups of each metric."""
    by_metric = grouped(rows, "metric")
    n_systems = len(grouped(rows, "run"))
    overall_rows = [row for row in rows if row.group is None]
    if n_systems > 1 and (best_systems := list(_best(table, by_metric))):
        metric, names, value, _ = best_systems[0]
        title = f"{_names(names)} {'has' if len(names) == 1 else 'have'} the best {metric}: {value}"
        return [
            title,
            *(
                f"{metric}: {_names(names)} best with {value}{outcome}."
                for metric, names, value, outcome in best_systems
            ),
        ]
    if overall_rows and n_systems == 1:
        return [f"{overall_rows[0].metric} = {_value(overall_rows[0], Format(by_metric[overall_rows[0].metric]))}"]
    sentences = []
    for metric, of_metric in by_metric.items():
        if defined := sorted((row for row in of_metric if isfinite(row.value)), key=lambda row: row.value):
            form = Format(of_metric)
            extremes = [
                f"{_value(row, form)} ({short(_line_name(row, n_systems))})" for row in (defined[0], defined[-1])
            ]
            sentences.append(
                f"{metric}: from {extremes[0]} to {extremes[1]}" if len(defined) > 1 else f"{metric}: {extremes[0]}"
            )
    return [*sentences[:1], *(f"{sentence}." for sentence in sentences)]


def _best(table: "Table", by_metric: Mapping[str, list[Row]]) -> Iterator[tuple[str, list[str], str, str]]:
    """Each metric with its best systems, their value, and the losers that do not differ significantly from them."""
    standing = table.standing
    for metric, rows in by_metric.items():
        best = [row for row in rows if (metric, row.run) in standing.best and row.group is None]
        if not best:
            continue
        alike = [row.run for row in rows if (metric, row.run) in standing.alike]
        n_others = len(rows) - len(best)
        outcome = ""
        if standing.test and alike:
            outcome = f"; {len(alike)} of {plural(n_others, 'other')} not significantly different: {_names(alike)}"
        elif standing.test and n_others:
            losers = {1: "the other", 2: "both losers"}.get(n_others, f"all {n_others} losers")
            outcome = f"; significantly better than {losers}"
        yield metric, [row.run for row in best], _value(best[0], Format(rows)), outcome


def _value(row: Row, form: Format) -> str:
    """Value and interval of a row as text."""
    return " ".join(filter(None, [form.number(row.value), form.interval(row)]))


def _names(systems: Iterable[str]) -> str:
    """Names of up to four systems, and the number of further ones."""
    names = list(map(short, systems))
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _value_panels(rows: Iterable[Row], systems: list[str]) -> Iterator[Panel]:
    """A panel for metric_marks metric; of one system one panel for all metrics that lie between 0 and 1."""
    by_metric = grouped((row for row in rows if finite(row.value) is not None), "metric")
    marks: dict[str, list[Mark]] = {}
    for metric, of_metric in by_metric.items():
        form = Format(of_metric)
        for row in of_metric:
            name = _line_name(row, len(systems))
            index = systems.index(row.run)
            numbers = row.value, finite(row.low), finite(row.high)
            mark = Mark(short(name), (index,), *numbers, _value(row, form), _color(index, len(systems)))
            marks.setdefault(metric, []).append(mark)
    if len(marks) > 1 and all(len(metric_marks) == 1 for metric_marks in marks.values()):
        shared = [
            metric
            for metric, metric_marks in marks.items()
            if min(line_limits(metric_marks)) >= 0 and max(line_limits(metric_marks)) <= 1
        ]
        if shared:
            yield Panel("", [marks.pop(metric)[0]._replace(name=short(metric)) for metric in shared])
    yield from (Panel(short(metric), metric_marks) for metric, metric_marks in marks.items())


def line_limits(marks: Iterable[Mark | Row]) -> list[float]:
    """The values and limits of some lines."""
    numbers = (finite(limit) for mark in marks for limit in (mark.value, mark.low, mark.high))
    return [number for number in numbers if number is not None]


def forest(panels: Sequence[Panel]) -> list[Chart]:
    """Make the forest plot of all metrics, on one axis where their spreads are similar."""
    visible = [replace(panel, marks=panel.marks[:_MAX_MARKS]) for panel in panels if panel.marks]
    has_zero = any(panel.margin is not None for panel in visible)
    limits = []
    for panel in visible:
        numbers = [*line_limits(panel.marks), *([0.0] if has_zero else [])]
        room = 0.06 * (max(numbers) - min(numbers)) or 0.06 * abs(numbers[0]) or 1.0
        limits.append((min(numbers) - room, max(numbers) + room) if panel.title else panel.limits)
    spans = [high - low for low, high in limits]
    if has_zero and max(spans) < 4 * min(spans):
        limits = [(min(low for low, _ in limits), max(high for _, high in limits))] * len(limits)
    visible = [replace(panel, limits=axis) for panel, axis in zip(visible, limits, strict=True)]
    noun = "differences" if has_zero else "values"
    left = sum(len(panel.marks) for panel in panels) - sum(len(panel.marks) for panel in visible)
    caption = f"{left} more {noun} are in the tables." if left else ""
    label = f"{noun} with their intervals; the numbers are in the table"
    return [Chart(label, "forest", visible, caption=caption)] if visible else []


def units_part(
    unit: str, ids: Iterable[str], values: Mapping[str, Any], systems: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> tuple[dict[str, Any], Section]:
    """Make the data of single units, values by metric and index of the system, and the section that shows them."""
    units = {"unit": unit, "ids": list(map(short, ids)), "values": values, "pair": pairs[0]}
    return units, Section(f"By {unit}", kind="units", charts=_unit_charts(units, systems, dict.fromkeys(pairs)))


def _unit_charts(units: Mapping[str, Any], systems: Sequence[str], pairs: Iterable[tuple[int, int]]) -> list[Chart]:
    """Make a chart for each metric and pair: its differences on single units, or the values of a single system."""
    charts = []
    unit = units["unit"]
    several = len(systems) > 1
    for left, right in pairs if several else [(0, 0)]:
        for number, (metric, values) in enumerate(units["values"].items()):
            if left not in values or right not in values:
                continue
            value_pairs = zip(values[left], values[right], strict=True)
            numbers = [a - b if several else a for a, b in value_pairs if a is not None and b is not None]
            if not numbers:
                continue
            label = f"{metric}: {short(systems[left])} minus {short(systems[right])}" if several else metric
            n_higher, n_equal = sum(number > 0 for number in numbers), numbers.count(0)
            counts = f"higher on {n_higher}, equal on {n_equal}, lower on {len(numbers) - n_higher - n_equal}"
            options = {"x": f"{unit}, largest first", "y": "difference" if several else "value"}
            caption = f"{label} on {plural(len(numbers), unit)}" + (f": {counts}." if several else ", largest first.")
            charts.append(Chart(label, "bars", numbers, options, caption=caption, name=f"{number}-{left}-{right}"))
    return charts[:_MAX_UNIT_CHARTS]


def with_parts(report: Report, source: "PictureSource | None") -> Report:
    """Return the report with curves and tables of each system before the single units, and with their documents."""
    parts, systems = {} if source is None else source.content(), list(report.systems)
    sections = [_curves(name, by_system, systems) for name, by_system in parts.get("curves", {}).items()]
    data: dict[str, Any] = {}
    if documents := parts.get("documents"):
        data["documents"] = _documents(documents, systems)
    counts = {
        systems.index(system): curve["counts"]
        for by_system in parts.get("curves", {}).values()
        for system, curve in by_system.items()
        if "counts" in curve
    }
    if counts:
        data["counts"] = counts
        sections.append(Section("At a threshold", kind="threshold"))
    for heading, tables in parts.get("tables", {}).items():
        blocks = [
            Block(system if len(systems) > 1 else "", names, lines, [True] + [False] * (len(names) - 1))
            for system, (names, lines) in tables.items()
        ]
        sections.append(Section(heading, blocks))
    sentences = [parts["said"]] if parts.get("said") else []
    units = [replace(section, sentences=sentences) for section in report.sections if section.kind == "units"]
    before = [section for section in report.sections if section.kind != "units"]
    return replace(report, sections=[*before, *sections, *units], data={**report.data, **data})


def _curves(name: str, by_system: Mapping[str, Mapping[str, Any]], systems: list[str]) -> Section:
    """The section of a kind of curves: their chart, and a table where they have few points."""
    first = next(iter(by_system.values()))
    visible = {systems.index(system): curve for system, curve in list(by_system.items())[:_MAX_CURVES]}
    content = [
        Curve(
            (index,), _color(index, 1), curve["line"], curve["band"], curve.get("steps", False), area=len(visible) == 1
        )
        for index, curve in visible.items()
    ]
    legend = {
        index: ": ".join(filter(None, [short(systems[index]) if len(systems) > 1 else "", curve.get("summary", "")]))
        for index, curve in visible.items()
    }
    caption = first["about"]
    if len(visible) < len(by_system):
        caption += f" The first {len(visible)} of {len(by_system)} systems are drawn."
    options = {"x": first["x"], "y": first["y"], "chance": first.get("chance", ())}
    chart = Chart(name, "square", content, options, {i: text for i, text in legend.items() if text}, caption)
    if "levels" not in first:
        return Section(name, kind=name, charts=[chart])
    lines = [[level, *(curve["levels"].get(level, "-") for curve in by_system.values())] for level in first["levels"]]
    names = [first["x"], *(map(short, by_system) if len(systems) > 1 else [first["y"]])]
    return Section(name, [Block("", names, lines, [True] * len(names))], kind=name, charts=[chart])


def _documents(documents: Mapping[str, Mapping[str, Any]], systems: list[str]) -> dict[str, Any]:
    """Names once, and for each query its documents, their grades (as text), and of each system its list of documents.

    Of each name, in sorted order, the number of letters that it shares with the last one, and the rest. A document that
    is tied with another is its number in the query less all documents there.
    """
    rankings = [ranking for by_system in documents.values() for ranking in by_system.values()]
    order = sorted({name for ranking in rankings for name, *_ in ranking}, key=short)
    numbers = {name: number for number, name in enumerate(order)}
    queries = {}
    for query, by_system in documents.items():
        grades = {name: grade for ranking in by_system.values() for name, grade, _ in ranking}
        index = {name: number for number, name in enumerate(grades)}
        lists = {
            systems.index(system): [index[name] - len(index) * tied for name, _, tied in ranking]
            for system, ranking in by_system.items()
        }
        texts = ("" if grade is None else str(grade) for grade in grades.values())
        queries[short(query)] = [[numbers[name] for name in grades], ",".join(texts), lists]
    names: list[int | str] = []
    for last, name in pairwise(["", *map(short, order)]):
        n_shared = next(
            (n for n, (a, b) in enumerate(zip(last, name, strict=False)) if a != b), min(len(last), len(name))
        )
        names += [n_shared, name[n_shared:]]
    return {"names": names, "queries": queries}


def finite(value: float | None) -> float | None:
    """The number as JSON holds it; None where it is none."""
    return None if value is None or not isfinite(value) else float(value)


def compact(values: Iterable[float | None]) -> list[float | None]:
    """Values of single units, which a page shows with four decimals, with ten."""
    return [None if value is None or not isfinite(value) else round(value, 10) for value in values]
