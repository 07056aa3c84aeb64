"""The layout of a comparison for a paper."""

import math
from typing import TYPE_CHECKING

from certus.comparison._layout import blocks, form_of
from certus.comparison._sentences import adjustment, notes, tests
from certus.statistic.common import plural
from certus.table.as_latex import escaped
from certus.table.grids import of_block
from certus.table.output import Grid

if TYPE_CHECKING:
    from certus.comparison.result import Comparison
    from certus.table.output import Layout

__all__ = ["grids"]

_MARKS = {
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
    "tied within the margin": "tied within the margin of {margin}",
}


def grids(comparison: "Comparison", layout: "Layout | None" = None) -> list[Grid]:
    """Systems down, metrics across, the best value in bold, marks explained in the caption.

    With a layout, a grid for each block of the text, the sentences and notes as comments.
    """
    if layout is not None:
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
    marks = {row.system: _MARKS.get(row.verdict, "") for row in rows if comparison.baseline is not None}
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
        baseline = escaped(comparison.baseline)
        seen = {row.verdict for row in comparison.rows}
        if seen & {"better", "worse"}:
            seen |= {"better", "worse"}
        if seen & {"higher", "lower"}:
            seen |= {"higher", "lower"}
        meanings = [
            f"${mark}$ {_MEANINGS[verdict].format(baseline=baseline, margin=comparison.margin)}"
            for verdict, mark in _MARKS.items()
            if verdict in seen
        ]
        said.append(f"{', '.join(meanings)}" if meanings else f"No system differs significantly from {baseline}")
    alpha = f"{1 - comparison.level:.10g}"
    said[-1] += f" ($p \\le {alpha}$, {escaped(tests(comparison) + adjustment(comparison))})."
    return " ".join(said)
