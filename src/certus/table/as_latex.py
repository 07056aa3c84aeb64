"""Tables as LaTeX."""

from typing import TYPE_CHECKING

from certus.printable import printable
from certus.table.cells import Format, grouped
from certus.table.layout import Block, blocks, notes
from certus.table.row import Row

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["escaped", "latex", "line"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def latex(table: "Table") -> str:
    """A tabular: runs (and queries) down, metrics across, intervals and ranges small; the notes as LaTeX comments.

    A table of classification, or of subgroups, is a tabular for each block that a text has.
    """
    if table.signature.get("task") == "classification" or any(row.group is not None for row in table.rows):
        return "\n".join([*(f"% {printable(note)}" for note in notes(table)), *map(_tabular, blocks(table)), ""])
    by_metric = grouped(table.rows, "metric")
    formats = {metric: Format(rows) for metric, rows in by_metric.items()}
    queries = any(row.query is not None for row in table.rows)
    lines: dict[tuple[str, str | None], dict[str, Row]] = {}
    for row in table.rows:
        lines.setdefault((row.run, row.query), {})[row.metric] = row
    heads = ["run"] + ["query"] * queries + [escaped(metric) for metric in by_metric]
    out = [f"% {printable(note)}" for note in notes(table)]
    out += [
        rf"\begin{{tabular}}{{{'l' * (1 + queries)}{'l' * len(by_metric)}}}",
        r"\toprule",
        line(heads),
        r"\midrule",
    ]
    for (run, query), cells in lines.items():
        head = [escaped(run)] + [escaped("all" if query is None else query)] * queries
        out.append(line(head + [_cell(cells.get(metric), formats[metric]) for metric in by_metric]))
    return "\n".join([*out, r"\bottomrule", r"\end{tabular}", ""])


def _tabular(block: Block) -> str:
    head = [f"% {printable(block.title)}"] if block.title else []
    lines = [line([escaped(cell) for cell in cells]) for cells in block.lines]
    return "\n".join(
        [
            *head,
            rf"\begin{{tabular}}{{{''.join('l' if left else 'r' for left in block.left)}}}",
            r"\toprule",
            line([escaped(name) for name in block.names]),
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _cell(row: Row | None, form: Format) -> str:
    if row is None:
        return ""
    beside = [form.interval(row), f"({form.range(row)})" if form.range(row) else ""]
    small = " ".join(filter(None, beside))
    return form.number(row.value) + (rf" {{\scriptsize {small}}}" if small else "")


def line(cells: list[str]) -> str:
    """One row of a tabular."""
    joined = " & ".join(cells)
    # a line that begins with [ would be read as an argument of the line break before it
    return f"{'{[}' + joined[1:] if joined.startswith('[') else joined} \\\\"


def escaped(text: str) -> str:
    """The text as LaTeX prints it literally."""
    return "".join(_SPECIAL.get(character, character) for character in printable(text))
