"""Layout of a comparison as blocks, for every output format.

A block for each metric. With a baseline: the baseline's value, then each system's with its difference. With all pairs:
each system's value with its letters, then a block of the differences: a line for each, or a matrix where they are many.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from certus.comparison.notes import (
    BETTER,
    MINUS,
    NON_INFERIORITY,
    TIE,
    adjustment,
    form_of,
    headline,
    interval,
    is_matrix,
    notes_on,
    signed,
    tests,
    turned,
)
from certus.comparison.row import Difference
from certus.core.note import Note
from certus.inference.many.adjust import CORRECTIONS
from certus.inference.tests.rope import with_error
from certus.statistic.common import plural
from certus.table.block import CHANCE, Block, Cell, Column, Format, crossed, percent, probability, shortened
from certus.table.page import Mark, Panel, Report, Section, compact, finite, forest, short, units_part, with_parts
from certus.table.row import Row, best_of

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.table.output import Layout


_MARKS = {"not significant": " ", "undefined": " ", "tied within the margin": "="}


def laid_out(
    comparison: "Comparison", width: int | None, layout: "Layout | None", paper: bool = False
) -> tuple[list[Block], list[Note]]:
    """Blocks of a comparison, and the notes on their columns."""
    blocks = list(_blocks(comparison, width, layout, paper))
    return blocks, notes_on(comparison, {name for block in blocks for name in block.names})


def _blocks(comparison: "Comparison", width: int | None, layout: "Layout | None", paper: bool) -> Iterator[Block]:
    """Blocks of a comparison, one for a `paper`; the least important columns are dropped if they exceed `width`."""
    conventions = comparison.conventions
    if paper and layout is None and not conventions.get("chance") and not conventions.get("bayesian"):
        yield _paper_block(comparison)
        return
    is_crossed = is_matrix(comparison, layout)
    for metric in comparison.metrics:
        rows = [row for row in comparison.rows if row.metric == metric]
        form = form_of(comparison, metric)
        if comparison.baseline is None:
            yield _systems(comparison, metric, form, has_ranks=is_crossed)
        if is_crossed:
            yield from _matrix(comparison, metric, rows, form, width)
        else:
            yield _differences(comparison, metric, rows, form, width)
        if values := [row for row in _ordered(comparison, metric) if row.p is not None]:
            yield _against_chance(metric, values, form)


def _ordered(comparison: "Comparison", metric: str) -> list[Row]:
    """Values of the systems, best first unless the comparison was sorted otherwise."""
    rows = [row for row in comparison.values.rows if row.metric == metric]
    return rows if "sorted" in comparison.conventions else best_first(rows, better_of(comparison, metric))


def _against_chance(metric: str, rows: list[Row], form: Format) -> Block:
    """Block of the systems' values compared with chance."""
    first: list[Column[Row]] = [
        Column("against chance", True, lambda row: shortened(row.run)),
        Column("value", False, lambda row: form.number(row.value)),
    ]
    return Block.from_records(metric, [*first, *CHANCE], rows)


def _systems(comparison: "Comparison", metric: str, form: Format, has_ranks: bool = False) -> Block:
    """Block of the systems' values, best first, with their letters."""
    rows = _ordered(comparison, metric)
    ranks = {row.run: str(rank) for rank, row in enumerate(rows, 1)}
    letters = comparison.letters.get(metric, {})
    columns: list[Column[Row]] = [Column("", False, lambda row: ranks[row.run])] if has_ranks else []
    columns += [
        Column("system", True, lambda row: shortened(row.run)),
        Column("value", False, lambda row: form.number(row.value)),
        Column(f"{percent(comparison.level)} interval", True, form.interval),
    ]
    if letters:
        columns.append(Column("letters", True, lambda row: letters.get(row.run, "")))
    return Block.from_records(metric, columns, rows)


def _matrix(
    comparison: "Comparison", metric: str, rows: list[Difference], form: Format, width: int | None
) -> Iterator[Block]:
    """Block of all differences: row system minus column system; columns are numbered by rank."""
    ranks = {row.run: rank for rank, row in enumerate(_ordered(comparison, metric), 1)}
    lines: dict[int, dict[str, Cell]] = {rank: {} for rank in ranks.values()}
    for row in rows:
        left, right = ranks[row.system], ranks[row.baseline]
        text = signed(row.difference if left > right else -row.difference, form) + _MARKS.get(row.verdict, "*")
        lines[max(left, right)][str(min(left, right))] = Cell(text)
    columns = {str(rank): f"{rank} " for rank in range(1, len(ranks))}
    by_name = [(f"{rank:>{len(str(len(ranks)))}} {shortened(name)}", lines[rank]) for name, rank in ranks.items()]
    return crossed(metric, MINUS, columns, by_name[1:], width)


def _differences(
    comparison: "Comparison", metric: str, rows: list[Difference], form: Format, width: int | None
) -> Block:
    """Block of a metric's differences, below a line for the baseline if there is one."""
    start: list[str] = []
    if comparison.baseline is not None:
        start = [shortened(comparison.baseline), form.number(rows[0].baseline_value), "baseline"]
    columns = _fitting(_columns(comparison, rows, form), rows, start, width)
    block = Block.from_records(metric, columns, rows)
    return replace(block, lines=[start + [""] * (len(columns) - len(start)), *block.lines]) if start else block


def _columns(comparison: "Comparison", rows: list[Difference], form: Format) -> list[Column[Difference]]:
    """Columns of the block of differences."""
    columns: list[Column[Difference]] = [
        Column("system", True, lambda row: shortened(row.system)),
        Column("against", True, lambda row: shortened(row.baseline))
        if comparison.baseline is None
        else Column("value", False, lambda row: form.number(row.value)),
        Column("difference", False, lambda row: signed(row.difference, form)),
        Column(f"{percent(comparison.level)} interval", True, lambda row: interval(row, form)),
        Column("p", False, lambda row: probability(row.p)),
    ]
    if len(rows) > 1 and comparison.correction != "none":
        short = CORRECTIONS[comparison.correction].short
        columns.append(Column(f"{short} p", False, lambda row: probability(row.p_adjusted)))
    if comparison.margin is not None:
        columns.append(Column(TIE, False, lambda row: probability(row.equivalence_adjusted)))
        columns.append(Column(NON_INFERIORITY, False, lambda row: probability(row.non_inferiority_adjusted)))
    if any(row.posterior is not None for row in rows):
        columns.append(Column(BETTER, False, lambda row: _posterior(row, row.p_better)))
        if comparison.margin is not None:
            columns.append(Column("P(equivalent)", False, lambda row: _posterior(row, row.p_equivalent)))
        columns.append(Column("P(worse)", False, lambda row: _posterior(row, row.p_worse)))
    if any(row.wins is not None for row in rows):
        columns.append(Column("wins/ties/losses", False, _tally))
    columns.append(Column("verdict", True, lambda row: row.verdict))
    return columns


def _posterior(row: Difference, p: float | None) -> str:
    """Posterior probability with its error, or a dash."""
    return "-" if p is None else with_error(p, row.posterior_error or 0.0)


def _tally(row: Difference) -> str:
    """Wins, ties and losses as ``12/3/5``; empty if units have no values."""
    return "" if row.wins is None else f"{row.wins}/{row.ties}/{row.losses}"


def _fitting(
    columns: list[Column[Difference]], rows: list[Difference], start: list[str], width: int | None
) -> list[Column[Difference]]:
    """Drop dispensable columns until the others fit the width."""
    for spared in ("wins/ties/losses", NON_INFERIORITY, "p"):
        widths = [
            max(len(name), len(start[i]) if i < len(start) else 0, *(len(cell(row)) for row in rows))
            for i, (name, _, cell) in enumerate(columns)
        ]
        if width is None or sum(widths) + 2 * (len(widths) - 1) <= width:
            break
        if spared != "p" or len(rows) > 1:
            columns = [column for column in columns if column.name != spared]
    return columns


_VERDICT_MARKS = {"better": "▲", "worse": "▼", "higher": "↑", "lower": "↓", "tied within the margin": "="}
_MEANINGS = {
    "better": "better than {baseline}",
    "worse": "worse",
    "higher": "higher than {baseline}",
    "lower": "lower",
    "tied within the margin": "tied within the margin of {margin} (both one-sided p ≤ {half})",
}


def _paper_block(comparison: "Comparison") -> Block:
    """Block for a paper: rows are systems, columns metrics, the best in bold, marks explained in the caption."""
    cells = {metric: _marked_values(comparison, metric) for metric in comparison.metrics}
    lines: list[list[str | Cell]] = [
        [system, *(of_metric[system] for of_metric in cells.values())] for system in comparison.systems
    ]
    return Block("", ["System", *cells], lines, [True] * (1 + len(cells)), caption=_caption(comparison))


def _marked_values(comparison: "Comparison", metric: str) -> dict[str, Cell]:
    """Value of each system, with the mark of its verdict or its letters."""
    rows = [row for row in comparison.rows if row.metric == metric]
    form = form_of(comparison, metric)
    values = {row.run: row.value for row in comparison.values.rows if row.metric == metric}
    # values that print alike are as good
    best = {form.number(values[system]) for system in best_of(values, rows[0].better)}
    marks = {row.system: _VERDICT_MARKS.get(row.verdict, "") for row in rows if comparison.baseline is not None}
    marks |= comparison.letters.get(metric, {})
    return {
        system: Cell(text := form.number(value), mark=marks.get(system, ""), best=text in best)
        for system, value in values.items()
    }


def _caption(comparison: "Comparison") -> str:
    """Caption for a table in a paper: number of units, meaning of the marks, tests and correction."""
    counts = {(row.n, row.unit) for row in comparison.rows}
    n = f" over {plural(*counts.pop())}" if len(counts) == 1 else ""
    best = "; the best of each metric in bold" if any(row.better for row in comparison.rows) else ""
    if comparison.baseline is None:
        marks = "Systems that share a letter do not differ significantly"
    else:
        verdicts: set[str] = {row.verdict for row in comparison.rows}
        for pair in ({"better", "worse"}, {"higher", "lower"}):
            verdicts |= pair if verdicts & pair else set()
        half = f"{(1 - comparison.level) / 2:.3g}"
        names = {"baseline": comparison.baseline, "margin": comparison.margin, "half": half}
        meanings = [
            f"{mark} {_MEANINGS[verdict].format(**names)}"
            for verdict, mark in _VERDICT_MARKS.items()
            if verdict in verdicts
        ]
        marks = ", ".join(meanings) or f"No system differs significantly from {comparison.baseline}"
    alpha = f"{1 - comparison.level:.10g}"
    return f"Values{n}{best}. {marks} (p ≤ {alpha}, {tests(comparison)}{adjustment(comparison)})."


_COLORS = {
    "better": "good",
    "worse": "bad",
    "higher": "good",
    "lower": "bad",
    "tied within the margin": "tied",
}


def report(comparison: "Comparison") -> Report:
    """Create the HTML report's content: differences with verdicts, values, unit values and notes."""
    systems = list(comparison.systems)
    blocks, notes = laid_out(comparison, None, "rows")
    panels = [_panel(comparison, metric, systems) for metric in comparison.metrics]
    sections = [Section("Differences", blocks, kind="differences", charts=forest(panels))]
    if comparison.baseline is not None:
        sections.append(Section("Values", comparison.values.overall()._laid_out()[0]))
    data: dict[str, Any] = {}
    if comparison.per_unit:
        unit = next(row.unit for row in comparison.rows)
        size = max(len(values) for by_system in comparison.per_unit.values() for values in by_system.values())
        pairs = [(systems.index(row.system), systems.index(row.baseline)) for row in comparison.rows]
        ids = comparison.units or tuple(map(str, range(1, size + 1)))
        per_unit = {
            metric: {systems.index(name): compact(values.tolist()) for name, values in by_system.items()}
            for metric, by_system in comparison.per_unit.items()
        }
        data["units"], section = units_part(unit, ids, per_unit, systems, pairs)
        sections.append(section)
    against = f" with {short(comparison.baseline)}" if comparison.baseline is not None else ""
    differences_only = Report(
        kind=f"{len(systems)} systems compared{against}",
        title=headline(comparison),
        answer=comparison.sentences(),
        systems=systems,
        sections=sections,
        values=[row for row in comparison.values.summary if not row.by_class],
        better={metric: better_of(comparison, metric) for metric in comparison.metrics},
        notes=notes,
        conventions={**comparison.conventions, "inputs": dict(comparison.inputs)},
        data=data,
    )
    return with_parts(differences_only, comparison.values.drawn)


def _panel(comparison: "Comparison", metric: str, systems: list[str]) -> Panel:
    """Differences in a metric, reduced to the best system's where there are many pairs."""
    rows = [row for row in comparison.rows if row.metric == metric]
    form = form_of(comparison, metric)
    title = metric
    if comparison.many:
        best = _ordered(comparison, metric)[0].run
        rows = [row if row.system == best else turned(row) for row in rows if best in (row.system, row.baseline)]
        title = f"{metric}: {short(best)} minus each other system"
    marks = []
    for row in rows:
        name = row.baseline if comparison.many else row.system
        if comparison.baseline is None and not comparison.many:
            name = f"{shortened(row.system)} − {shortened(row.baseline)}"
        numbers = f"{signed(row.difference, form)} {interval(row, form)}".replace("-", "−")
        pair = (systems.index(row.system), systems.index(row.baseline))
        color = _COLORS.get(row.verdict, "same")
        if math.isfinite(row.difference):
            limits = finite(row.low), finite(row.high)
            marks.append(Mark(short(name), pair, row.difference, *limits, numbers, color, row.verdict))
    return Panel(title, marks, margin=comparison.margin or 0.0)


def best_first(rows: Iterable[Row], better: str | None) -> list[Row]:
    """Rows of a metric, best value first if it has a direction; undefined ones last."""
    sign = {"higher": -1.0, "lower": 1.0, None: 0.0}[better]
    return sorted(rows, key=lambda row: math.inf if row.value != row.value else sign * row.value)


def better_of(comparison: "Comparison", metric: str) -> str | None:
    """Better direction of a metric; None if it has none."""
    return next(row.better for row in comparison.rows if row.metric == metric)
