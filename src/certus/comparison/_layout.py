"""The layout of a comparison for reading, in whatever format it is then written.

A block for each metric. With a baseline: the baseline's value, then each system's with its difference. With all pairs:
each system's value with its letters, then a block of the differences: a line for each, or a matrix where they are many.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from certus.comparison._numbers import interval, percent, probability, signed
from certus.comparison._sorted import best_first, better_of
from certus.comparison.row import Difference
from certus.errors import CertusError
from certus.inference.many.adjust import CORRECTIONS
from certus.table.block import Block
from certus.table.cells import CHANCE, Format, shortened
from certus.table.matrix import Cell, crossed
from certus.table.row import Row

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.table.output import Layout

__all__ = ["blocks", "form_of", "is_matrix"]

NON_INFERIORITY = "non-inferiority p"
_MARKS = {"not separable": " ", "tied within the margin": "="}
Column = tuple[str, bool, Callable[[Difference], str]]


def form_of(comparison: "Comparison", metric: str) -> Format:
    """The rounding of the values of a metric."""
    return Format(row for row in comparison.values.rows if row.metric == metric)


def is_matrix(comparison: "Comparison", layout: "Layout | None") -> bool:
    """True if the differences of a metric are laid out as a matrix.

    Raises
    ------
    CertusError
        A matrix was asked for, but not all pairs were compared.
    """
    if layout == "matrix" and comparison.baseline is not None:
        raise CertusError(
            f"layout is 'matrix', which is for all pairs, but the systems are compared with {comparison.baseline}; "
            "leave it out"
        )
    return comparison.many if layout is None else layout == "matrix"


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
        (f"{percent(comparison.level)} interval", True, lambda row: interval(row.low, row.high, form)),
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
        columns.append(("P(better)", False, lambda row: _share(row.p_better)))
        if comparison.margin is not None:
            columns.append(("P(equivalent)", False, lambda row: _share(row.p_equivalent)))
        columns.append(("P(worse)", False, lambda row: _share(row.p_worse)))
    if any(row.wins is not None for row in rows):
        columns.append(("wins/ties/losses", False, _tally))
    columns.append(("verdict", True, lambda row: row.verdict))
    return columns


def _share(p: float | None) -> str:
    return "-" if p is None else f"{p:.4f}"


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
