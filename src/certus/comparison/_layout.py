"""The layout of a comparison for reading, in whatever format it is then written.

A block for each metric. With a baseline: the baseline's value, then each system's with its difference. With all pairs:
each system's value with its letters, then a block of the differences: a line for each, or a matrix where they are many.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.comparison._family import Family
from certus.comparison._sentences import (
    adjustment,
    form_of,
    interval,
    is_matrix,
    notes,
    percent,
    probability,
    signed,
    tests,
)
from certus.comparison.row import Difference, at_most
from certus.inference import letters
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.rope import with_error
from certus.statistic.common import plural
from certus.table.cells import CHANCE, Format, shortened
from certus.table.layout import of_block
from certus.table.matrix import Cell, crossed
from certus.table.output import Grid
from certus.table.page import Report, Section, short
from certus.table.report import finite, values_of, with_shown
from certus.table.row import Row
from certus.table.writers import Block, escaped

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.table.output import Layout


def lettered(family: Family, rows: Sequence[Difference]) -> dict[str, str]:
    """The letters of each system, the best first; systems that share one are not separable."""
    systems = list(family.estimates)
    separable = np.zeros((len(systems), len(systems)), dtype=bool)
    for row in rows:
        one, other = systems.index(row.system), systems.index(row.baseline)
        separable[one, other] = separable[other, one] = at_most(row.p_adjusted, 1 - row.level)
    values = [family.estimates[system].value for system in systems]
    sign = 1 if family.better == "lower" else -1
    order = sorted(range(len(systems)), key=lambda place: (values[place] != values[place], sign * values[place], place))
    return dict(zip(systems, letters(separable, order), strict=True))


NON_INFERIORITY = "non-inferiority p"
_MARKS = {"not separable": " ", "tied within the margin": "="}
Column = tuple[str, bool, Callable[[Difference], str]]


def blocks(comparison: "Comparison", width: int | None = None, layout: "Layout | None" = None) -> Iterator[Block]:
    """The blocks of a comparison; columns that say least are left out where `width` would not suffice."""
    crossed_systems = is_matrix(comparison, layout)
    for metric in comparison.metrics:
        rows = [row for row in comparison.rows if row.metric == metric]
        form = form_of(comparison, metric)
        if comparison.baseline is None:
            yield _systems(comparison, metric, form, numbered=crossed_systems)
            if crossed_systems:
                yield from _matrix(comparison, metric, rows, form, width)
            else:
                yield _pairs(comparison, metric, rows, form, width)
        else:
            yield _against(comparison, metric, rows, form, width)
        held = [row for row in _ordered(comparison, metric) if row.p is not None]
        if held:
            lines = [
                [shortened(row.run), form.number(row.value), *(cell(row) for _, _, cell in CHANCE)] for row in held
            ]
            yield Block(
                metric, ["against chance", "value", *(name for name, _, _ in CHANCE)], lines, [True, *[False] * 5]
            )


def _ordered(comparison: "Comparison", metric: str) -> list[Row]:
    """The value of each system, the best first unless the comparison was sorted."""
    rows = [row for row in comparison.values.rows if row.metric == metric]
    return rows if "sorted" in comparison.conventions else best_first(rows, better_of(comparison, metric))


def _systems(comparison: "Comparison", metric: str, form: Format, numbered: bool = False) -> Block:
    """The value of each system, the best first, with its letters."""
    rows = _ordered(comparison, metric)
    letters = comparison.letters.get(metric, {})
    names = ["system", "value", f"{percent(comparison.level)} interval", "letters"]
    lines = [[shortened(row.run), form.number(row.value), form.interval(row), letters.get(row.run, "")] for row in rows]
    left = [True, False, True, True]
    if not letters:
        names, left, lines = names[:3], left[:3], [line[:3] for line in lines]
    if numbered:
        names, left, lines = ["", *names], [False, *left], [[str(i), *line] for i, line in enumerate(lines, 1)]
    return Block(metric, names, lines, left)


def _matrix(
    comparison: "Comparison", metric: str, rows: list[Difference], form: Format, width: int | None
) -> Iterator[Block]:
    """Each system less those that are better, which are columns by their numbers."""
    places = {row.run: place for place, row in enumerate(_ordered(comparison, metric), 1)}
    lines: dict[int, dict[str, Cell]] = {place: {} for place in places.values()}
    for row in rows:
        one, other = places[row.system], places[row.baseline]
        shown = signed(row.difference if one > other else -row.difference, form) + _MARKS.get(row.verdict, "*")
        lines[max(one, other)][str(min(one, other))] = Cell(shown)
    columns = {str(place): f"{place} " for place in range(1, len(places))}
    named = [(f"{place:>{len(str(len(places)))}} {shortened(name)}", lines[place]) for name, place in places.items()]
    return crossed(metric, "less", columns, named[1:], width)


def _pairs(comparison: "Comparison", metric: str, rows: list[Difference], form: Format, width: int | None) -> Block:
    first: list[Column] = [
        ("system", True, lambda row: shortened(row.system)),
        ("against", True, lambda row: shortened(row.baseline)),
    ]
    columns = _fitting([*first, *_columns(comparison, rows, form)], rows, [], width)
    return Block(
        metric,
        [name for name, _, _ in columns],
        [[cell(row) for _, _, cell in columns] for row in rows],
        [left for _, left, _ in columns],
    )


def _against(comparison: "Comparison", metric: str, rows: list[Difference], form: Format, width: int | None) -> Block:
    first: list[Column] = [
        ("system", True, lambda row: shortened(row.system)),
        ("value", False, lambda row: form.number(row.value)),
    ]
    start = [shortened(comparison.baseline or ""), form.number(rows[0].baseline_value), "baseline"]
    columns = _fitting([*first, *_columns(comparison, rows, form)], rows, start, width)
    names = [name for name, _, _ in columns]
    lines = [start + [""] * (len(names) - len(start))]
    lines += [[cell(row) for _, _, cell in columns] for row in rows]
    return Block(metric, names, lines, [left for _, left, _ in columns])


def _columns(comparison: "Comparison", rows: list[Difference], form: Format) -> list[Column]:
    columns: list[Column] = [
        ("difference", False, lambda row: signed(row.difference, form)),
        (f"{percent(comparison.level)} interval", True, lambda row: interval(row, form)),
        ("p", False, lambda row: probability(row.p)),
    ]
    if len(rows) > 1 and comparison.correction != "none":
        columns.append(
            (f"{CORRECTIONS[comparison.correction].short} p", False, lambda row: probability(row.p_adjusted))
        )
    if comparison.margin is not None:
        columns.append(("tie p", False, lambda row: probability(row.equivalence_adjusted)))
        columns.append((NON_INFERIORITY, False, lambda row: probability(row.non_inferiority_adjusted)))
    if any(row.posterior is not None for row in rows):
        columns.append(("P(better)", False, lambda row: _posterior(row, row.p_better)))
        if comparison.margin is not None:
            columns.append(("P(equivalent)", False, lambda row: _posterior(row, row.p_equivalent)))
        columns.append(("P(worse)", False, lambda row: _posterior(row, row.p_worse)))
    if any(row.wins is not None for row in rows):
        columns.append(("wins/ties/losses", False, _tally))
    columns.append(("verdict", True, lambda row: row.verdict))
    return columns


def _posterior(row: Difference, p: float | None) -> str:
    return "-" if p is None else with_error(p, row.posterior_error or 0.0)


def _tally(row: Difference) -> str:
    return "" if row.wins is None else f"{row.wins}/{row.ties}/{row.losses}"


def _fitting(columns: list[Column], rows: list[Difference], start: list[str], width: int | None) -> list[Column]:
    """The columns, without those that can be spared where all would not fit."""
    for spared in ("wins/ties/losses", NON_INFERIORITY, "p"):
        widths = [
            max(len(name), len(start[i]) if i < len(start) else 0, *(len(cell(row)) for row in rows))
            for i, (name, _, cell) in enumerate(columns)
        ]
        if width is None or sum(widths) + 2 * (len(widths) - 1) <= width:
            break
        if spared != "p" or len(rows) > 1:
            columns = [column for column in columns if column[0] != spared]
    return columns


_LATEX_MARKS = {
    "better": r"\blacktriangle",
    "worse": r"\blacktriangledown",
    "higher": r"\uparrow",
    "lower": r"\downarrow",
    "tied within the margin": "=",
}
_MEANINGS = {
    "better": "better than {baseline}",
    "worse": "worse",
    "higher": "higher than {baseline}",
    "lower": "lower",
    "tied within the margin": r"tied within the margin of {margin} (both one-sided $p \le {half}$)",
}


def grids(comparison: "Comparison", layout: "Layout | None" = None) -> list[Grid]:
    """Systems down, metrics across, the best value in bold, marks explained in the caption.

    With a layout, and with what one grid has no room for (chance, posterior probabilities), a grid for each block of
    the text, the sentences and notes as comments.
    """
    if layout is not None or comparison.conventions.get("chance") or comparison.conventions.get("bayesian"):
        said = [*comparison.sentences(), *notes(comparison, layout=layout)]
        return [
            of_block(block, () if number else said) for number, block in enumerate(blocks(comparison, None, layout))
        ]
    columns = {metric: _column(comparison, metric) for metric in comparison.metrics}
    return [
        Grid(
            "l" * (1 + len(columns)),
            ["System", *map(escaped, columns)],
            [[escaped(system), *(cells[system] for cells in columns.values())] for system in comparison.systems],
            [
                r"needs \usepackage{booktabs} and, for its marks, \usepackage{amssymb}",
                *comparison.sentences(),
                *notes(comparison, warnings=False),
            ],
            _caption(comparison),
        )
    ]


def _column(comparison: "Comparison", metric: str) -> dict[str, str]:
    rows = [row for row in comparison.rows if row.metric == metric]
    form, better = form_of(comparison, metric), rows[0].better
    values = {row.run: row.value for row in comparison.values.rows if row.metric == metric}
    there = [value for value in values.values() if not math.isnan(value)]
    best = (max(there) if better == "higher" else min(there)) if there and better else None
    marks = {row.system: _LATEX_MARKS.get(row.verdict, "") for row in rows if comparison.baseline is not None}
    marks |= {system: rf"\mathrm{{{text}}}" for system, text in comparison.letters.get(metric, {}).items()}
    cells = {}
    for system, value in values.items():
        shown = form.number(value)
        # values that print alike are as good
        bold = best is not None and shown == form.number(best)
        mark = f"$^{{{marks[system]}}}$" if marks.get(system) else ""
        cells[system] = (rf"\textbf{{{shown}}}" if bold else shown) + mark
    return cells


def _caption(comparison: "Comparison") -> str:
    numbers = {(row.n, row.unit) for row in comparison.rows}
    n = f" over {plural(*numbers.pop())}" if len(numbers) == 1 else ""
    best = "; the best of each metric in bold" if any(row.better for row in comparison.rows) else ""
    said = [f"Values{n}{best}."]
    if comparison.baseline is None:
        said.append("Systems that share a letter do not differ significantly")
    else:
        baseline, half = escaped(comparison.baseline), f"{(1 - comparison.level) / 2:.3g}"
        seen = {row.verdict for row in comparison.rows}
        if seen & {"better", "worse"}:
            seen |= {"better", "worse"}
        if seen & {"higher", "lower"}:
            seen |= {"higher", "lower"}
        meanings = [
            f"${mark}$ {_MEANINGS[verdict].format(baseline=baseline, margin=comparison.margin, half=half)}"
            for verdict, mark in _LATEX_MARKS.items()
            if verdict in seen
        ]
        said.append(f"{', '.join(meanings)}" if meanings else f"No system differs significantly from {baseline}")
    alpha = f"{1 - comparison.level:.10g}"
    said[-1] += f" ($p \\le {alpha}$, {escaped(tests(comparison) + adjustment(comparison))})."
    return " ".join(said)


def report(comparison: "Comparison") -> Report:
    """The differences with their verdicts, the values, those of single units, and how they were made."""
    systems = list(comparison.systems)
    against = comparison.baseline is not None
    differences = [
        {
            "metric": row.metric,
            "name": short(row.system) if against else f"{short(row.system)} − {short(row.baseline)}",
            "of": [systems.index(row.system), systems.index(row.baseline)],
            "value": finite(row.difference),
            "low": finite(row.low),
            "high": finite(row.high),
            "p": probability(row.p_adjusted),
            "verdict": row.verdict,
        }
        for row in comparison.rows
    ]
    data: dict[str, Any] = {
        "differences": [row for row in differences if row["value"] is not None],
        "margin": comparison.margin,
        "values": values_of(comparison.values.summary, systems),
    }
    sections = [
        Section("Differences", list(blocks(comparison, None, "rows")), kind="differences"),
        Section("Values", kind="values"),
    ]
    if comparison.per_unit:
        unit = next(row.unit for row in comparison.rows)
        size = max(len(values) for each in comparison.per_unit.values() for values in each.values())
        data["units"] = {
            "unit": unit,
            "ids": list(map(short, comparison.units)) or [str(place) for place in range(1, size + 1)],
            "values": {
                metric: {systems.index(name): list(map(finite, values.tolist())) for name, values in each.items()}
                for metric, each in comparison.per_unit.items()
            },
        }
        sections.append(Section(f"By {unit}", kind="units"))
    title = f"{len(systems)} systems" if not against else f"compared with {short(str(comparison.baseline))}"
    own = Report(
        title=f"certus: {title}",
        answer=comparison.sentences(),
        systems=systems,
        sections=sections,
        warnings=list(map(str, comparison.notices)),
        notes=notes(comparison, warnings=False),
        made={**comparison.conventions, "inputs": dict(comparison.inputs)},
        data=data,
    )
    return with_shown(own, comparison.shown)


def best_first(rows: Iterable[Row], better: str | None) -> list[Row]:
    """The rows of a metric with the best value first, where a direction is better; those without a value last."""
    sign = {"higher": -1.0, "lower": 1.0, None: 0.0}[better]
    return sorted(rows, key=lambda row: math.inf if row.value != row.value else sign * row.value)


def better_of(comparison: "Comparison", metric: str) -> str | None:
    """The better direction of a metric; None where neither is."""
    return next(row.better for row in comparison.rows if row.metric == metric)
