"""A report: its content, and one HTML file that holds data, style and scripts, and asks no address for anything."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, Any

from certus.core.note import Note
from certus.core.printable import printable
from certus.core.readable import as_html
from certus.core.spelling import plural
from certus.table.block import Block, Format, shortened
from certus.table.layout import interval_heading, overall
from certus.table.row import Row, grouped

if TYPE_CHECKING:
    from certus.table.table import Table


_LONGEST = 60
_MAX_UNSEARCHED = 12
"""Tables of up to this number of lines cannot be searched: all is seen."""
_LIMITS = re.compile(r"\[[-+.\w]+, [-+.\w]+\]")
_UNBROKEN = r'<span class="whole">\g<0></span>'
"""The limits of an interval stay in one line where a cell is broken."""


@dataclass(frozen=True)
class Section:
    """A heading with sentences, tables and charts; `kind` is what its charts and its script are called."""

    heading: str
    blocks: Sequence[Block] = ()
    sentences: Sequence[str] = ()
    kind: str = ""


@dataclass(frozen=True)
class Report:
    """The content of a page, as plain text and plain values.

    Attributes
    ----------
    title, answer
        The heading, and the findings in sentences.
    systems
        Names of the systems; several can be switched on and off.
    sections
        The tables and charts, in order.
    notes
        What was suspicious in the input, and how the numbers were made; findings among them are left out.
    conventions
        All that the numbers depend on, by name.
    data
        What charts and the table of single units show.
    """

    title: str
    answer: Sequence[str]
    systems: Sequence[str]
    sections: Sequence[Section]
    notes: Sequence[Note] = ()
    conventions: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)


def page(report: Report, command: str | None = None) -> str:
    """The report as a document, with the command that made it.

    Charts need ``certus[report]``; a sentence says so where it is not installed.
    """
    specifications = {
        section.kind: chart
        for section in report.sections
        if section.kind and (chart := _specification(section.kind, report.data)) is not None
    }
    library = _library() if specifications else ""
    scripts = [*filter(None, [library]), _resource("page.js")]
    allowed = " ".join(f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    policy = f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:"
    data = {
        **report.data,
        "systems": list(map(short, report.systems)),
        "specifications": specifications if library else {},
    }
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{as_html(report.title)}</title>",
        f"<style>{_resource('page.css')}</style></head><body>",
        f"<header><h1>{as_html(report.title)}</h1>",
        *(f'<p class="answer">{as_html(sentence)}</p>' for sentence in report.answer),
        "</header><main>",
        *_warnings([note for note in report.notes if note.is_warning]),
        *_switches(report.systems),
    ]
    for section in report.sections:
        parts += _section(section, report.systems, section.kind in specifications, bool(library))
    parts += _methods(report, command)
    parts.append("</main>")
    parts.append(f'<script type="application/json" id="data">{_embedded(data)}</script>')
    parts += [f"<script>{script}</script>" for script in scripts]
    parts.append("</body></html>\n")
    return "\n".join(parts)


def short(name: str) -> str:
    """A name as charts show it, its middle left out where it is too long to be read."""
    text = printable(name)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20]}…{text[-19:]}"


def _embedded(value: object) -> str:
    """JSON that no reader of HTML takes for markup."""
    markup = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return markup.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from an installed package; empty where it is not installed."""
    try:
        import vl_convert
    except ImportError:
        return ""
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _resource(name: str) -> str:
    return (files("certus.table") / name).read_text("utf-8")


def _warnings(warnings: Sequence[Note]) -> Iterator[str]:
    if warnings:
        yield '<section class="warnings" aria-labelledby="warnings"><h2 id="warnings">Warnings</h2><ul>'
        yield from (f"<li>{as_html(warning)}</li>" for warning in warnings)
        yield "</ul></section>"


def _switches(systems: Sequence[str]) -> Iterator[str]:
    if len(systems) < 2:
        return
    yield '<fieldset id="systems" class="script"><legend>Systems shown</legend>'
    yield '<p><button type="button" data-all="1">all</button> <button type="button" data-all="">none</button></p><div>'
    for index, name in enumerate(systems):
        yield f'<label><input type="checkbox" checked value="{index}"> {as_html(short(name))}</label>'
    yield "</div></fieldset>"


def _section(section: Section, systems: Sequence[str], has_chart: bool, has_library: bool) -> Iterator[str]:
    name = (section.kind or section.heading).lower().replace(" ", "-")
    yield f'<section id="{as_html(name)}"><div class="together"><h2>{as_html(section.heading)}</h2>'
    yield from (f"<p>{as_html(sentence)}</p>" for sentence in section.sentences)
    if section.kind:
        yield f'<div class="controls script" data-controls="{as_html(section.kind)}"></div>'
    if has_chart:
        label = as_html(f"Chart: {section.heading}. Its numbers are in the table.")
        if has_library:
            yield f'<figure data-chart="{as_html(section.kind)}" role="img" aria-label="{label}"></figure>'
        else:
            yield "<p class=\"note\">For its chart: pip install 'certus[report]', and write the report again.</p>"
    yield "</div>"
    indices = {
        name: index for index, system in enumerate(systems) for name in (short(system), shortened(system), system)
    }
    for number, block in enumerate(section.blocks):
        yield from _table(block, section.heading, number, indices)
    if section.kind == "units":
        yield '<div class="scroll" tabindex="0" role="region" aria-label="Table of single values" data-table></div>'
        yield "<noscript><p>The table of single values needs scripts.</p></noscript>"
    yield "</section>"


def _table(block: Block, heading: str, number: int, indices: Mapping[str, int]) -> Iterator[str]:
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
    side = "" if left else ' class="number"'
    name = short(cell)
    title = "" if name == printable(cell) else f' title="{as_html(cell[:500])}"'
    tag = "th" if first else "td"
    scope = ' scope="row"' if first else ""
    return f"<{tag}{scope}{side}{title}>{_LIMITS.sub(_UNBROKEN, as_html(name))}</{tag}>"


def _methods(report: Report, command: str | None) -> Iterator[str]:
    yield '<section id="made"><h2>How it was made</h2>'
    if command is not None:
        yield f'<p class="code">{as_html(command)}</p>'
    if methods := [note for note in report.notes if not note.kind]:
        yield "<ul>"
        yield from (f"<li>{as_html(note)}</li>" for note in methods)
        yield "</ul>"
    yield '<div class="scroll" tabindex="0" role="region" aria-label="All that the numbers depend on">'
    yield "<table><caption>All that the numbers depend on</caption><tbody>"
    for name, value in _flat(report.conventions):
        yield f'<tr><th scope="row">{as_html(short(name))}</th><td class="code">{as_html(value)}</td></tr>'
    yield "</tbody></table></div></section>"


def _flat(values: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each value; values in a mapping have both names."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{name}: ")
        elif value is not None and value not in ([], (), ""):
            words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield f"{start}{name}", words[:2000]


COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7f7f7f")
"""Okabe & Ito's, for readers who cannot tell red from green, with a grey that is seen on black and white."""
_COLUMNS = {"signal": "max(1, floor(width / 280))"}
"""Columns of a legend: as many as names of the greatest length fit beside each other."""
_NUMERIC = {"type": "quantitative", "format": ".4f"}
_NUMBERS = frozenset({"value", "low", "high", "other", "difference"})
"""Fields of charts that are numbers."""
_VERDICTS = {
    "better": ("#0072B2", "triangle-right"),
    "worse": ("#D55E00", "triangle-left"),
    "higher": ("#CC79A7", "triangle-right"),
    "lower": ("#CC79A7", "triangle-left"),
    "tied within the margin": ("#009E73", "square"),
    "not significant": ("#7f7f7f", "circle"),
    "undefined": ("#7f7f7f", "circle"),
    "baseline": ("#7f7f7f", "diamond"),
}


def _specification(kind: str, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """The chart of a section as a Vega-Lite specification, without its rows; None where it has none."""
    if kind in _CHARTS:
        chart = _CHARTS[kind](data)
    elif kind in data.get("curves", {}):
        chart = _curve_chart(data["curves"][kind])
    else:
        return None
    fit = {"type": "fit-x", "contains": "padding"}
    return {"data": {"name": "rows"}, "width": "container", "autosize": fit, **chart}


def _number(field: str, title: str, **more: Any) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": title, **more}


def _nominal(field: str, names: Sequence[str], values: Sequence[Any], legend: dict[str, Any] | None) -> dict[str, Any]:
    """A channel with one of the values for each name."""
    return {"field": field, "type": "nominal", "scale": {"domain": names, "range": values}, "legend": legend}


def _tip(**titles: str) -> list[dict[str, Any]]:
    """The title of each field; numbers are those of a value, a limit or a difference."""
    formats = [_NUMERIC if field in _NUMBERS else {"type": "nominal"} for field in titles]
    return [
        {"field": field, "title": title, **form} for (field, title), form in zip(titles.items(), formats, strict=True)
    ]


def _whiskers(title: str, tip: list[dict[str, Any]], color: Any, shape: Any, background: list[Any]) -> dict[str, Any]:
    """A dot with its interval on a line for each name."""
    axis = {"labelLimit": 260, "title": None, "labelPadding": 6}
    return {
        "height": {"step": 20},
        "encoding": {"y": {"field": "name", "type": "nominal", "sort": None, "axis": axis}},
        "layer": [
            *background,
            {
                "mark": {"type": "rule", "strokeWidth": 2, "aria": False},
                "encoding": {
                    "x": _number("low", title, scale={"zero": False, "padding": 12}),
                    "x2": {"field": "high"},
                    "color": color,
                    "tooltip": tip,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {"x": _number("value", title), "color": color, "shape": shape, "tooltip": tip},
            },
        ],
    }


def _values_chart(_: Mapping[str, Any]) -> dict[str, Any]:
    tip = _tip(name="system", value="value", low="low", high="high")
    return _whiskers("value", tip, {"value": COLORS[0]}, {"value": "circle"}, [])


def _differences_chart(data: Mapping[str, Any]) -> dict[str, Any]:
    verdicts = [name for name in _VERDICTS if any(row["verdict"] == name for row in data["differences"])]
    legend = {"title": None, "orient": "top", "labelLimit": 260, "columns": _COLUMNS} if len(verdicts) > 1 else None
    color, shape = (
        _nominal("verdict", verdicts, tuple(_VERDICTS[name][index] for name in verdicts), legend) for index in (0, 1)
    )
    tip = _tip(name="system", value="difference", low="low", high="high", p="p", verdict="verdict")
    height = {"y": {"value": 0}, "y2": {"value": "height"}}
    background: list[Any] = [
        {
            "data": {"values": [{"at": 0}]},
            "mark": {"type": "rule", "strokeDash": [3, 3], "color": "#7f7f7f"},
            "encoding": {"x": _number("at", "difference"), **height},
        }
    ]
    if margin := data.get("margin"):
        shade = {
            "data": {"values": [{"from": -margin, "to": margin}]},
            "mark": {"type": "rect", "color": "#7f7f7f", "opacity": 0.18},
            "encoding": {"x": _number("from", "difference"), "x2": {"field": "to"}, **height},
        }
        background.insert(0, shade)
    return _whiskers("difference", tip, color, shape, background)


def _units_chart(data: Mapping[str, Any]) -> dict[str, Any]:
    """Differences of single units, largest first, each a line from 0."""
    unit = data["units"]["unit"]
    return {
        "height": 240,
        "mark": {"type": "rule", "strokeWidth": 2},
        "encoding": {
            "x": _number("place", f"{unit}, largest first", axis={"grid": False, "format": "d"}),
            "y": _number("difference", "difference"),
            "y2": {"value": {"expr": "scale('y', 0)"}},
            "color": {"condition": {"test": "datum.difference < 0", "value": COLORS[1]}, "value": COLORS[0]},
            "tooltip": _tip(id=unit, value="value", other="other", difference="difference"),
        },
    }


def _curve_chart(about: Mapping[str, Any]) -> dict[str, Any]:
    """Lines with their bands."""
    extent = {"domain": [0, 1], "nice": False}
    names = about["names"]
    style = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3}
    legend = {"title": None, "orient": "bottom", "labelLimit": 260, "columns": _COLUMNS, **style}
    dashes = [[1, 0], [6, 2], [6, 2, 1, 2], [2, 1]]
    colors = [COLORS[index % len(COLORS)] for index in range(len(names))]
    color = _nominal("name", names, colors, legend if len(names) > 1 else None)
    dash = _nominal("name", names, [dashes[index % len(dashes)] for index in range(len(names))], None)
    x, y = _number("x", about["x"], scale=extent), _number("y", about["y"], scale=extent)
    order = {"field": "order", "type": "quantitative"}
    tip = [{"field": name, "title": name, "type": "nominal"} for name in about["tip"]]
    return {
        "height": 380,
        "layer": [
            {
                "transform": [{"filter": "datum.part == 'band'"}],
                "mark": {"type": "line", "filled": True, "opacity": 0.16, "strokeWidth": 0, "aria": False},
                "encoding": {"x": x, "y": y, "color": color, "order": order},
            },
            {
                "transform": [{"filter": "datum.part == 'line'"}],
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"x": x, "y": y, "color": color, "strokeDash": dash, "order": order},
            },
            {
                "transform": [{"filter": "datum.part == 'line'"}],
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 0.01, "aria": False},
                "encoding": {"x": x, "y": y, "color": color, "tooltip": tip},
            },
        ],
    }


_CHARTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "values": _values_chart,
    "differences": _differences_chart,
    "units": _units_chart,
}
"""The chart of each kind of section that is not a curve."""


def report(table: "Table") -> Report:
    """Make the content of a table's report: values, classes, subgroups, single units and notes."""
    table_overall = table.overall()
    systems = list(grouped(table.rows, "run"))
    blocks, notes = table_overall._laid_out()
    sections = [Section("Values", blocks, kind="values")]
    data: dict[str, Any] = {"values": values_of(overall(table_overall), systems)}
    if single := {(values.metric, values.run): values for values in table.single if len(values)}:
        ids = list(dict.fromkeys(query for values in single.values() for query in values.queries))
        by_metric: dict[str, dict[int, list[float | None]]] = {}
        for (metric, run), values in single.items():
            by_query = dict(zip(values.queries, values.values, strict=True))
            by_metric.setdefault(metric, {})[systems.index(run)] = [finite(by_query.get(query)) for query in ids]
        unit = next(iter(single.values())).unit
        data["units"] = {"unit": unit, "ids": list(map(short, ids)), "values": by_metric}
        sections.append(Section(f"By {unit}", kind="units"))
    title = f"{plural(len(systems), 'system')}, {plural(len(grouped(table.summary, 'metric')), 'metric')}"
    if len(systems) == 1:
        title = systems[0]
    values_only = Report(
        title=f"certus: {title}",
        answer=list(_answer(table_overall)),
        systems=systems,
        sections=sections,
        notes=notes,
        conventions={name: value for name, value in table.signature.items() if name != "said"},
        data=data,
    )
    return with_parts(values_only, table.shown)


def _answer(table: "Table") -> Iterator[str]:
    """The best system of each metric, or the values of the only one."""
    rows = overall(table)
    by_metric = grouped(rows, "metric")
    if len(grouped(rows, "run")) > 1:
        yield from _best(table, by_metric)
    elif ungrouped := [row for row in rows if row.group is None][:3]:
        values = "; ".join(f"{row.metric} {_value(row, Format([row]))}" for row in ungrouped)
        interval = f" ({interval_heading(ungrouped)}s)" if any(row.low is not None for row in ungrouped) else ""
        yield f"{short(ungrouped[0].run)}: {values}{interval}."
    else:
        for metric, of_metric in list(by_metric.items())[:3]:
            if defined := sorted((row for row in of_metric if isfinite(row.value)), key=lambda row: row.value):
                form = Format(of_metric)
                low, high = (f"{_value(row, form)} ({short(str(row.group))})" for row in (defined[0], defined[-1]))
                yield f"{metric}: from {low} to {high}." if len(defined) > 1 else f"{metric}: {low}."


def _best(table: "Table", by_metric: Mapping[str, list[Row]]) -> Iterator[str]:
    """The best system of each metric, the others that do not differ significantly from it."""
    standing = table.standing
    for metric, rows in by_metric.items():
        best = [row for row in rows if (metric, row.run) in standing.best and row.group is None]
        if not best:
            continue
        alike = [row.run for row in rows if (metric, row.run) in standing.alike]
        n_others = len(rows) - len(best)
        sentence = f"{metric}: {_names(row.run for row in best)} best with {_value(best[0], Format(rows))}"
        if standing.test and alike:
            sentence += f"; {len(alike)} of {plural(n_others, 'other')} not significantly different: {_names(alike)}"
        elif standing.test and n_others:
            sentence += f"; significantly better than {'the other' if n_others == 1 else f'all {n_others} others'}"
        yield f"{sentence}."


def _value(row: Row, form: Format) -> str:
    return " ".join(filter(None, [form.number(row.value), form.interval(row)]))


def _names(systems: Iterable[str]) -> str:
    names = list(map(short, systems))
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def values_of(rows: Iterable[Row], systems: list[str]) -> list[dict[str, Any]]:
    """The rows of a chart of values with their intervals."""
    return [
        {
            "metric": row.metric,
            "name": short(row.run if row.group is None else f"{row.run}, {row.group}"),
            "of": [systems.index(row.run)],
            "value": finite(row.value),
            "low": finite(row.low),
            "high": finite(row.high),
        }
        for row in rows
        if finite(row.value) is not None
    ]


def with_parts(report: Report, make: Callable[[], Mapping[str, Any]] | None) -> Report:
    """Return the report with curves and tables of each system before the single units, and with their documents."""
    parts, systems = {} if make is None else make(), list(report.systems)
    curves = {}
    for name, curve in parts.get("curves", {}).items():
        by_system: dict[str, list[dict[str, Any]]] = {}
        for row in curve["rows"]:
            point = {key: value for key, value in row.items() if key != "system"}
            point |= {"name": short(row["system"]), "of": [systems.index(row["system"])]}
            by_system.setdefault(row["system"], []).append(point)
        points = [point for of_system in by_system.values() for point in of_system]
        curves[name] = {**curve, "names": list(map(short, by_system)), "rows": points}
    documents = {
        short(query): {
            systems.index(system): [[short(name), *details] for name, *details in ranking]
            for system, ranking in by_system.items()
        }
        for query, by_system in parts.get("documents", {}).items()
    }
    data = {name: value for name, value in (("curves", curves), ("documents", documents)) if value}
    sections = [Section(name, kind=name, sentences=[curve["said"]]) for name, curve in curves.items()]
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


def finite(value: float | None) -> float | None:
    """The number as JSON holds it; None where it is none."""
    return None if value is None or not isfinite(value) else float(value)
