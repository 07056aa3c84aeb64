"""The layout of a comparison for reading, in whatever format it is then written.

A block for each metric. With a baseline: the baseline's value, then each system's with its difference. With all pairs:
each system's value with its letters, then a block of the differences.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from certus.comparison._numbers import interval, percent, probability, signed
from certus.comparison.row import Difference
from certus.inference.many.adjust import CORRECTIONS
from certus.table.cells import Format, shortened
from certus.table.layout import Block

if TYPE_CHECKING:
    from certus.comparison.result import Comparison

__all__ = ["MOST_PAIRS", "blocks", "form_of"]

MOST_PAIRS = 21
"""Pairs of a metric that are listed for reading; of more systems the letters tell which differ."""
NON_INFERIORITY = "non-inferiority p"
Column = tuple[str, bool, Callable[[Difference], str]]


def form_of(comparison: "Comparison", metric: str) -> Format:
    """The rounding of the values of a metric."""
    return Format(row for row in comparison.values.rows if row.metric == metric)


def blocks(comparison: "Comparison", width: int | None = None) -> Iterator[Block]:
    """The blocks of a comparison; columns that say least are left out where `width` would not suffice."""
    for metric in comparison.metrics:
        rows = [row for row in comparison.rows if row.metric == metric]
        form = form_of(comparison, metric)
        if comparison.baseline is None:
            yield _systems(comparison, metric, form)
            if len(rows) <= MOST_PAIRS:
                yield _pairs(comparison, metric, rows, form, width)
        else:
            yield _against(comparison, metric, rows, form, width)


def _systems(comparison: "Comparison", metric: str, form: Format) -> Block:
    """The value of each system, the best first, with its letters."""
    rows = [row for row in comparison.values.rows if row.metric == metric]
    better = next(row.better for row in comparison.rows if row.metric == metric)
    if better is not None:
        rows.sort(key=lambda row: (row.value != row.value, -row.value if better == "higher" else row.value))
    letters = comparison.letters.get(metric, {})
    names = ["system", "value", f"{percent(comparison.level)} interval", "letters"]
    lines = [[shortened(row.run), form.number(row.value), form.interval(row), letters.get(row.run, "")] for row in rows]
    left = [True, False, True, True]
    if not letters:
        names, left, lines = names[:3], left[:3], [line[:3] for line in lines]
    return Block(metric, names, lines, left)


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
    if any(row.wins is not None for row in rows):
        columns.append(("wins/ties/losses", False, _tally))
    columns.append(("verdict", True, lambda row: row.verdict))
    return columns


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
