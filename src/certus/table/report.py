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
    """The values, those of classes and subgroups, those of single units, and how they were made."""
    whole = table.overall()
    systems = list(grouped(table.rows, "run"))
    sections = [Section("Values", list(whole._blocks()), kind="values")]
    data: dict[str, Any] = {"values": values_of(overall(whole), systems)}
    single = {(each.metric, each.run): each for each in table.single if len(each)}
    if single:
        ids = list(dict.fromkeys(query for each in single.values() for query in each.queries))
        values: dict[str, dict[int, list[float | None]]] = {}
        for (metric, run), each in single.items():
            found = dict(zip(each.queries, each.values, strict=True))
            values.setdefault(metric, {})[systems.index(run)] = [finite(found.get(query)) for query in ids]
        unit = next(iter(single.values())).unit
        data["units"] = {"unit": unit, "ids": list(map(short, ids)), "values": values}
        sections.append(Section(f"By {unit}", kind="units"))
    signature = dict(table.signature)
    signature.pop("said", None)
    title = f"{plural(len(systems), 'system')}, {plural(len(grouped(table.summary, 'metric')), 'metric')}"
    if len(systems) == 1:
        title = systems[0]
    own = Report(
        title=f"certus: {title}",
        answer=list(_answer(whole)),
        systems=systems,
        sections=sections,
        notes=whole._notes(),
        made=signature,
        data=data,
    )
    return with_shown(own, table.shown)


def _answer(table: "Table") -> Iterator[str]:
    """The best system of each metric, or the values of the only one."""
    rows = overall(table)
    by_metric = grouped(rows, "metric")
    systems = grouped(rows, "run")
    if len(systems) == 1:
        whole = [row for row in rows if row.group is None][:3]
        if whole:
            said = "; ".join(f"{row.metric} {_value(row, Format([row]))}" for row in whole)
            interval = f" ({interval_heading(whole)}s)" if any(row.low is not None for row in whole) else ""
            yield f"{short(whole[0].run)}: {said}{interval}."
            return
        for metric, same in list(by_metric.items())[:3]:
            known = sorted((row for row in same if isfinite(row.value)), key=lambda row: row.value)
            if known:
                low, high = (f"{_value(row, Format(same))} ({short(str(row.group))})" for row in (known[0], known[-1]))
                yield f"{metric}: from {low} to {high}." if len(known) > 1 else f"{metric}: {low}."
        return
    standing = table.standing
    for metric, same in by_metric.items():
        best = [row for row in same if (metric, row.run) in standing.best and row.group is None]
        if not best:
            continue
        alike = [row.run for row in same if (metric, row.run) in standing.alike]
        others = len(same) - len(best)
        said = f"{metric}: {_listed(row.run for row in best)} best with {_value(best[0], Format(same))}"
        if standing.test and alike:
            said += f"; {len(alike)} of {plural(others, 'other')} not separable: {_listed(alike)}"
        elif standing.test and others:
            said += f"; separable from {'the other' if others == 1 else f'all {others} others'}"
        yield f"{said}."


def _value(row: Row, form: Format) -> str:
    return " ".join(filter(None, [form.number(row.value), form.interval(row)]))


def _listed(names: Iterable[str]) -> str:
    listed = list(map(short, names))
    return ", ".join(listed[:4]) + (f" and {len(listed) - 4} more" if len(listed) > 4 else "")


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


def with_shown(report: Report, make: Callable[[], Mapping[str, Any]] | None) -> Report:
    """The report with curves and tables of each system before the single units, and with their documents."""
    found, systems = {} if make is None else make(), list(report.systems)
    curves = {}
    for name, curve in found.get("curves", {}).items():
        there = list(dict.fromkeys(row["system"] for row in curve["rows"]))
        rows = [
            {**{key: value for key, value in row.items() if key != "system"}, "name": short(system), "of": [place]}
            for system in there
            for place in [systems.index(system)]
            for row in curve["rows"]
            if row["system"] == system
        ]
        curves[name] = {**curve, "names": list(map(short, there)), "rows": rows}
    documents = {
        short(query): {
            systems.index(system): [[short(name), *more] for name, *more in listed] for system, listed in each.items()
        }
        for query, each in found.get("documents", {}).items()
    }
    more = {name: value for name, value in (("curves", curves), ("documents", documents)) if value}
    sections = [Section(name, kind=name, said=[curve["said"]]) for name, curve in curves.items()]
    for heading, each in found.get("tables", {}).items():
        blocks = [
            Block(system if len(systems) > 1 else "", names, lines, [True] + [False] * (len(names) - 1))
            for system, (names, lines) in each.items()
        ]
        sections.append(Section(heading, blocks))
    said = [found["said"]] if found.get("said") else []
    units = [replace(each, said=said) for each in report.sections if each.kind == "units"]
    own = [each for each in report.sections if each.kind != "units"]
    return replace(report, sections=[*own, *sections, *units], data={**report.data, **more})


def finite(value: float | None) -> float | None:
    """The number as JSON holds it; None where it is none."""
    return None if value is None or not isfinite(value) else float(value)
