"""A report: one HTML file that holds its data, its style and its scripts, and asks no address for anything."""

import html
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from certus.note import Note
from certus.printable import printable
from certus.table.block import Block, shortened

_LONGEST = 60
_NUMBERED = 12
"""Tables of up to this number of lines cannot be searched: all is seen."""
_LIMITS = re.compile(r"\[[-+.\w]+, [-+.\w]+\]")
_WHOLE = r'<span class="whole">\g<0></span>'
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
        f"<title>{text(report.title)}</title>",
        f"<style>{_resource('page.css')}</style></head><body>",
        f"<header><h1>{text(report.title)}</h1>",
        *(f'<p class="answer">{text(sentence)}</p>' for sentence in report.answer),
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


def text(value: object) -> str:
    """Text as HTML shows it, without anything invisible; ASCII."""
    return html.escape(printable(str(value))).encode("ascii", "xmlcharrefreplace").decode()


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
        yield from (f"<li>{text(warning)}</li>" for warning in warnings)
        yield "</ul></section>"


def _switches(systems: Sequence[str]) -> Iterator[str]:
    if len(systems) < 2:
        return
    yield '<fieldset id="systems" class="script"><legend>Systems shown</legend>'
    yield '<p><button type="button" data-all="1">all</button> <button type="button" data-all="">none</button></p><div>'
    for index, name in enumerate(systems):
        yield f'<label><input type="checkbox" checked value="{index}"> {text(short(name))}</label>'
    yield "</div></fieldset>"


def _section(section: Section, systems: Sequence[str], has_chart: bool, has_library: bool) -> Iterator[str]:
    name = (section.kind or section.heading).lower().replace(" ", "-")
    yield f'<section id="{text(name)}"><div class="together"><h2>{text(section.heading)}</h2>'
    yield from (f"<p>{text(sentence)}</p>" for sentence in section.sentences)
    if section.kind:
        yield f'<div class="controls script" data-controls="{text(section.kind)}"></div>'
    if has_chart:
        label = text(f"Chart: {section.heading}. Its numbers are in the table.")
        if has_library:
            yield f'<figure data-chart="{text(section.kind)}" role="img" aria-label="{label}"></figure>'
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
    label = text(short(caption))
    if len(block.lines) > _NUMBERED:
        yield '<p class="script"><label>Search <input type="search" data-search></label></p>'
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{label}, table {number + 1}">'
    yield f"<table data-sortable><caption>{label}</caption><thead><tr>"
    for name, left in zip(block.names, block.left, strict=True):
        side = "" if left else ' class="number"'
        yield f'<th scope="col"{side}>{text(short(name))}</th>'
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
    title = "" if name == printable(cell) else f' title="{text(cell[:500])}"'
    tag = "th" if first else "td"
    scope = ' scope="row"' if first else ""
    return f"<{tag}{scope}{side}{title}>{_LIMITS.sub(_WHOLE, text(name))}</{tag}>"


def _methods(report: Report, command: str | None) -> Iterator[str]:
    yield '<section id="made"><h2>How it was made</h2>'
    if command is not None:
        yield f'<p class="code">{text(command)}</p>'
    if methods := [note for note in report.notes if not note.kind]:
        yield "<ul>"
        yield from (f"<li>{text(note)}</li>" for note in methods)
        yield "</ul>"
    yield '<div class="scroll" tabindex="0" role="region" aria-label="All that the numbers depend on">'
    yield "<table><caption>All that the numbers depend on</caption><tbody>"
    for name, value in _flat(report.conventions):
        yield f'<tr><th scope="row">{text(short(name))}</th><td class="code">{text(value)}</td></tr>'
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


def _tip(*fields: tuple[str, str, bool]) -> list[dict[str, Any]]:
    return [
        {
            "field": field,
            "title": title,
            **({"type": "quantitative", "format": ".4f"} if number else {"type": "nominal"}),
        }
        for field, title, number in fields
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
    tip = _tip(("name", "system", False), ("value", "value", True), ("low", "low", True), ("high", "high", True))
    return _whiskers("value", tip, {"value": COLORS[0]}, {"value": "circle"}, [])


def _differences_chart(data: Mapping[str, Any]) -> dict[str, Any]:
    verdicts = [name for name in _VERDICTS if any(row["verdict"] == name for row in data["differences"])]
    colors, shapes = zip(*(_VERDICTS[name] for name in verdicts), strict=True) if verdicts else ((), ())
    legend = {"title": None, "orient": "top", "labelLimit": 260, "columns": _COLUMNS}
    color = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": verdicts, "range": colors},
        "legend": legend if len(verdicts) > 1 else None,
    }
    shape = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": verdicts, "range": shapes},
        "legend": color["legend"],
    }
    tip = _tip(
        ("name", "system", False),
        ("value", "difference", True),
        ("low", "low", True),
        ("high", "high", True),
        ("p", "p", False),
        ("verdict", "verdict", False),
    )
    background: list[Any] = [
        {
            "data": {"values": [{"at": 0}]},
            "mark": {"type": "rule", "strokeDash": [3, 3], "color": "#7f7f7f"},
            "encoding": {"x": _number("at", "difference"), "y": {"value": 0}, "y2": {"value": "height"}},
        }
    ]
    if margin := data.get("margin"):
        background.insert(
            0,
            {
                "data": {"values": [{"from": -margin, "to": margin}]},
                "mark": {"type": "rect", "color": "#7f7f7f", "opacity": 0.18},
                "encoding": {
                    "x": _number("from", "difference"),
                    "x2": {"field": "to"},
                    "y": {"value": 0},
                    "y2": {"value": "height"},
                },
            },
        )
    return _whiskers("difference", tip, color, shape, background)


def _units_chart(data: Mapping[str, Any]) -> dict[str, Any]:
    """Differences of single units, largest first, each a line from 0."""
    unit = data["units"]["unit"]
    tip = _tip(
        ("id", unit, False), ("value", "value", True), ("other", "other", True), ("difference", "difference", True)
    )
    return {
        "height": 240,
        "mark": {"type": "rule", "strokeWidth": 2},
        "encoding": {
            "x": _number("place", f"{unit}, largest first", axis={"grid": False, "format": "d"}),
            "y": _number("difference", "difference"),
            "y2": {"value": {"expr": "scale('y', 0)"}},
            "color": {
                "condition": {"test": "datum.difference < 0", "value": COLORS[1]},
                "value": COLORS[0],
            },
            "tooltip": tip,
        },
    }


def _curve_chart(about: Mapping[str, Any]) -> dict[str, Any]:
    """Lines with their bands."""
    extent = {"domain": [0, 1], "nice": False}
    names = about["names"]
    legend_style = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3}
    color = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": names, "range": [COLORS[index % len(COLORS)] for index in range(len(names))]},
        "legend": {"title": None, "orient": "bottom", "labelLimit": 260, "columns": _COLUMNS, **legend_style}
        if len(names) > 1
        else None,
    }
    dash = {
        "field": "name",
        "type": "nominal",
        "scale": {
            "domain": names,
            "range": [[[1, 0], [6, 2], [6, 2, 1, 2], [2, 1]][index % 4] for index in range(len(names))],
        },
        "legend": None,
    }
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
