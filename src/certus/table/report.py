"""The content of the report of a table."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from certus.spelling import plural
from certus.table.block import Block, Format
from certus.table.layout import interval_heading, overall
from certus.table.page import Report, Section, short
from certus.table.row import Row, grouped

if TYPE_CHECKING:
    from certus.table.table import Table


def report(table: "Table") -> Report:
    """Make the report of a table: its values, those of classes and subgroups, those of single units, and its notes."""
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
    """The best system of each metric, and the others that do not differ significantly from it."""
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
    others = [section for section in report.sections if section.kind != "units"]
    return replace(report, sections=[*others, *sections, *units], data={**report.data, **data})


def finite(value: float | None) -> float | None:
    """The number as JSON holds it; None where it is none."""
    return None if value is None or not isfinite(value) else float(value)
