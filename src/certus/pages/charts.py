"""Charts of a report as Vega-Lite specifications; the page gives them the rows to show."""

from collections.abc import Callable, Mapping
from typing import Any

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
    "not separable": ("#7f7f7f", "circle"),
    "undefined": ("#7f7f7f", "circle"),
    "baseline": ("#7f7f7f", "diamond"),
}


def specification(kind: str, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """The chart of a section, without its rows; None where it has none."""
    if kind in _CHARTS:
        made = _CHARTS[kind](data)
    elif kind in data.get("curves", {}):
        made = _curve(data["curves"][kind])
    else:
        return None
    fit = {"type": "fit-x", "contains": "padding"}
    return {"data": {"name": "rows"}, "width": "container", "autosize": fit, **made}


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


def _whiskers(title: str, tip: list[dict[str, Any]], color: Any, shape: Any, below: list[Any]) -> dict[str, Any]:
    """A dot with its interval on a line for each name."""
    axis = {"labelLimit": 260, "title": None, "labelPadding": 6}
    return {
        "height": {"step": 20},
        "encoding": {"y": {"field": "name", "type": "nominal", "sort": None, "axis": axis}},
        "layer": [
            *below,
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


def _values(_: Mapping[str, Any]) -> dict[str, Any]:
    tip = _tip(("name", "system", False), ("value", "value", True), ("low", "low", True), ("high", "high", True))
    return _whiskers("value", tip, {"value": COLORS[0]}, {"value": "circle"}, [])


def _differences(data: Mapping[str, Any]) -> dict[str, Any]:
    said = [name for name in _VERDICTS if any(row["verdict"] == name for row in data["differences"])]
    colors, shapes = zip(*(_VERDICTS[name] for name in said), strict=True) if said else ((), ())
    legend = {"title": None, "orient": "top", "labelLimit": 260, "columns": _COLUMNS}
    color = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": said, "range": colors},
        "legend": legend if len(said) > 1 else None,
    }
    shape = {
        "field": "verdict",
        "type": "nominal",
        "scale": {"domain": said, "range": shapes},
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
    below: list[Any] = [
        {
            "data": {"values": [{"at": 0}]},
            "mark": {"type": "rule", "strokeDash": [3, 3], "color": "#7f7f7f"},
            "encoding": {"x": _number("at", "difference"), "y": {"value": 0}, "y2": {"value": "height"}},
        }
    ]
    if margin := data.get("margin"):
        below.insert(
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
    return _whiskers("difference", tip, color, shape, below)


def _units(data: Mapping[str, Any]) -> dict[str, Any]:
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


def _curve(about: Mapping[str, Any]) -> dict[str, Any]:
    """Lines with their bands."""
    extent = {"domain": [0, 1], "nice": False}
    names = about["names"]
    drawn = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3}
    color = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": names, "range": [COLORS[place % len(COLORS)] for place in range(len(names))]},
        "legend": {"title": None, "orient": "bottom", "labelLimit": 260, "columns": _COLUMNS, **drawn}
        if len(names) > 1
        else None,
    }
    dash = {
        "field": "name",
        "type": "nominal",
        "scale": {
            "domain": names,
            "range": [[[1, 0], [6, 2], [6, 2, 1, 2], [2, 1]][place % 4] for place in range(len(names))],
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
    "values": _values,
    "differences": _differences,
    "units": _units,
}
"""The chart of each kind of section that is not a curve."""
