"""Blocks and notes as text, Markdown, HTML and LaTeX: one function for each format that is for reading."""

import re
from collections.abc import Iterable, Iterator, Sequence

from certus.core.alignment import aligned, folded
from certus.core.note import FINDING, Note
from certus.core.printable import printable
from certus.table.block import Block, Cell


def text(blocks: Iterable[Block], notes: Sequence[Note], width: int, colour: bool) -> str:
    """The blocks as aligned columns; below them the findings, then all other notes, folded at `width`."""
    lines = _aligned_blocks(blocks, colour)
    findings = [note for note in notes if note.kind == FINDING]
    for note in findings:
        lines += folded(_sentence(note), width)
    if findings:
        lines.append("")
    for note in notes:
        if note.kind != FINDING:
            lines += [_styled(line, "dim", colour) for line in folded(_sentence(note), width)]
    return "\n".join(lines).rstrip("\n")


def _sentence(note: Note) -> str:
    return f"warning: {note}" if note.is_warning else str(note)


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
    for line in block.texts():
        is_repeated = block.grouped and line[0] == last
        last = line[0]
        lines.append(["", *line[1:]] if is_repeated else line)
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


def markdown(blocks: Iterable[Block], notes: Sequence[Note]) -> str:
    """A pipe table for each block, the notes as a list below."""
    parts = []
    for title, block in _titled(blocks):
        if title:
            parts.append(f"**{_as_markdown(title)}**")
        rule = ["---" if left else "---:" for left in block.left]
        lines = [_line([_as_markdown(name) for name in block.names]), _line(rule)]
        lines += [_line([_as_markdown(cell) for cell in line]) for line in block.texts()]
        parts.append("\n".join(lines))
    if notes:
        parts.append("\n".join(f"- {_as_markdown(_sentence(note))}" for note in notes))
    return "\n\n".join(parts) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _as_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", printable(text))


def html(blocks: Iterable[Block], notes: Sequence[Note]) -> str:
    """A table element for each block, the notes as paragraphs below."""
    parts = []
    for title, block in _titled(blocks):
        if title:
            parts.append(f"<p><b>{as_html(title)}</b></p>")
        head = _cells("th", block.names, block.left)
        body = "\n".join(f"<tr>{_cells('td', line, block.left)}</tr>" for line in block.texts())
        parts.append(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>")
    parts += [f"<p><small>{as_html(_sentence(note))}</small></p>" for note in notes]
    return "\n".join(parts) + "\n"


def _cells(tag: str, texts: list[str], left: list[bool]) -> str:
    return "".join(
        f'<{tag} style="text-align: {"left" if on_left else "right"}">{as_html(text)}</{tag}>'
        for text, on_left in zip(texts, left, strict=True)
    )


def as_html(value: object) -> str:
    """Text as HTML shows it, without anything invisible; ASCII."""
    import html as markup  # here, as its table of entities takes a millisecond

    return markup.escape(printable(str(value))).encode("ascii", "xmlcharrefreplace").decode()


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


_MARKS = {
    "~": r"\sim",
    "▲": r"\blacktriangle",
    "▼": r"\blacktriangledown",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "=": "=",
}
"""Marks of cells that are mathematics; all others are letters."""
_MATHEMATICS = re.compile(r"p ≤ [\d.e-]+|(?<!\S)=(?!\S)|[▲▼↑↓]")


def latex(blocks: Iterable[Block], notes: Sequence[Note]) -> str:
    """A tabular for each block, the notes and its title as comments above it; one with a caption floats."""
    lines: list[str] = []
    comments = [_sentence(note) for note in notes]
    for block in blocks:
        if block.caption:
            comments.insert(0, r"needs \usepackage{booktabs} and, for its marks, \usepackage{amssymb}")
        lines += [f"% {printable(comment)}" for comment in (*comments, block.title) if comment]
        lines += _floating(block.caption, _tabular(block)) if block.caption else _tabular(block)
        comments = []
    return "\n".join([*lines, ""])


def _floating(caption: str, tabular: list[str]) -> list[str]:
    with_marks = _MATHEMATICS.sub(lambda match: f"${_mathematics(match[0])}$", _literal(caption))
    return [r"\begin{table}", r"\centering", rf"\caption{{{with_marks}}}", *tabular, r"\end{table}"]


def _mathematics(symbols: str) -> str:
    return _MARKS.get(symbols, symbols.replace("≤", r"\le"))


def _tabular(block: Block) -> list[str]:
    return [
        rf"\begin{{tabular}}{{{''.join('l' if left else 'r' for left in block.left)}}}",
        r"\toprule",
        _row(block.names),
        r"\midrule",
        *map(_row, block.lines),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: Sequence[str | Cell]) -> str:
    joined = " & ".join(map(_as_latex, cells))
    # a line that begins with [ would be read as an argument of the line break before it
    return f"{'{[}' + joined[1:] if joined.startswith('[') else joined} \\\\"


def _as_latex(cell: str | Cell) -> str:
    """The cell as source: the best in bold, its mark raised, its interval small."""
    if not isinstance(cell, Cell):
        return _literal(cell)
    value = _literal(cell.value)
    bold = rf"\textbf{{{value}}}" if cell.best else value
    raised = _MARKS.get(cell.mark, rf"\mathrm{{{cell.mark}}}")
    mark = f"$^{{{raised}}}$" if cell.mark else ""
    span = rf" {{\scriptsize {_literal(cell.span)}}}" if cell.span else ""
    return f"{bold}{mark}{span}"


def _literal(text: str) -> str:
    """The text as LaTeX prints it literally."""
    return "".join(_SPECIAL.get(character, character) for character in printable(text))
