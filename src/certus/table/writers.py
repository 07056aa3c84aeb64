"""Blocks and grids as text, Markdown, HTML and LaTeX; each readable format is one function here."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from certus.alignment import aligned, folded
from certus.printable import printable

if TYPE_CHECKING:
    from certus.table.output import Grid


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, column names and lines of cells, all as plain unescaped text."""

    title: str
    names: list[str]
    lines: list[list[str]]
    left: list[bool]
    """Columns of text or several numbers, aligned on the left; the others are numbers."""
    grouped: bool = False
    """True if consecutive lines with the same first cell belong together."""


def text(blocks: Iterable[Block], sentences: Sequence[str], notes: Sequence[str], width: int, colour: bool) -> str:
    """The blocks as aligned columns; below them the sentences, then the notes, folded at `width`."""
    lines = _aligned_blocks(blocks, colour)
    for sentence in sentences:
        lines += folded(sentence, width)
    if sentences:
        lines.append("")
    for note in notes:
        lines += [_styled(line, "dim", colour) for line in folded(note, width)]
    return "\n".join(lines).rstrip("\n")


def _titled(blocks: Iterable[Block]) -> Iterator[tuple[str, Block]]:
    """Each block with its title, which is empty where the last one had the same."""
    last = ""
    for block in blocks:
        yield block.title if block.title != last else "", block
        last = block.title or last


def _aligned_blocks(blocks: Iterable[Block], colour: bool) -> list[str]:
    """The lines of some blocks, each with its title above it and an empty line below."""
    lines: list[str] = []
    for title, block in _titled(blocks):
        if title:
            lines += [_styled(printable(title), "bold", colour), ""]
        lines += [*_aligned(block, colour), ""]
    return lines


def _aligned(block: Block, colour: bool) -> Iterator[str]:
    last: str | None = None
    lines = []
    for line in block.lines:
        repeated = block.grouped and line[0] == last
        last = line[0]
        lines.append(["", *line[1:]] if repeated else line)
    head, *rows = aligned([block.names, *lines], block.left)
    yield _styled(head, "bold", colour)
    yield from rows


def _styled(line: str, style: str, colour: bool) -> str:
    """The line, emphasised for a terminal if `colour`."""
    if not colour:
        return line
    from rich.color import ColorSystem
    from rich.style import Style

    return Style.parse(style).render(line, color_system=ColorSystem.STANDARD)


_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&])")


def markdown(blocks: Iterable[Block], notes: Sequence[str]) -> str:
    """A pipe table for each block, the notes as a list below."""
    parts = []
    for title, block in _titled(blocks):
        if title:
            parts.append(f"**{_as_markdown(title)}**")
        rule = ["---" if left else "---:" for left in block.left]
        lines = [_line([_as_markdown(name) for name in block.names]), _line(rule)]
        lines += [_line([_as_markdown(cell) for cell in line]) for line in block.lines]
        parts.append("\n".join(lines))
    if notes:
        parts.append("\n".join(f"- {_as_markdown(note)}" for note in notes))
    return "\n\n".join(parts) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _as_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", printable(text))


def html(blocks: Iterable[Block], notes: Sequence[str]) -> str:
    """A table element for each block, the notes as paragraphs below."""
    parts = []
    for title, block in _titled(blocks):
        if title:
            parts.append(f"<p><b>{_escaped(title)}</b></p>")
        head = _cells("th", block.names, block.left)
        body = "\n".join(f"<tr>{_cells('td', line, block.left)}</tr>" for line in block.lines)
        parts.append(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>")
    parts += [f"<p><small>{_escaped(note)}</small></p>" for note in notes]
    return "\n".join(parts) + "\n"


def _cells(tag: str, texts: list[str], left: list[bool]) -> str:
    return "".join(
        f'<{tag} style="text-align: {"left" if on_left else "right"}">{_escaped(text)}</{tag}>'
        for text, on_left in zip(texts, left, strict=True)
    )


def _escaped(text: str) -> str:
    import html as markup  # here, as its table of entities takes a millisecond

    return markup.escape(printable(text)).encode("ascii", "xmlcharrefreplace").decode()


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
