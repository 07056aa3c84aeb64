"""Grids as LaTeX for the booktabs package, and text as LaTeX source."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from certus.printable import printable

if TYPE_CHECKING:
    from certus.table.output import Grid

__all__ = ["escaped", "latex"]

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


def latex(grids: "Iterable[Grid]") -> str:
    """A tabular for each grid, its comments above it; one with a caption floats."""
    return "\n".join([*(line for grid in grids for line in _lines(grid)), ""])


def _lines(grid: "Grid") -> list[str]:
    comments = [f"% {printable(comment)}" for comment in grid.comments]
    body = [
        rf"\begin{{tabular}}{{{grid.columns}}}",
        r"\toprule",
        _row(grid.names),
        r"\midrule",
        *map(_row, grid.lines),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if not grid.caption:
        return [*comments, *body]
    return [*comments, r"\begin{table}", r"\centering", rf"\caption{{{grid.caption}}}", *body, r"\end{table}"]


def _row(cells: Sequence[str]) -> str:
    joined = " & ".join(cells)
    # a line that begins with [ would be read as an argument of the line break before it
    return f"{'{[}' + joined[1:] if joined.startswith('[') else joined} \\\\"


def escaped(text: str) -> str:
    """The text as LaTeX prints it literally."""
    return "".join(_SPECIAL.get(character, character) for character in printable(text))
