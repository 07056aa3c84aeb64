"""Tables as HTML, for notebooks."""

import html as markup
from typing import TYPE_CHECKING

from certus.printable import printable
from certus.table.layout import blocks, notes

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["html"]


def html(table: "Table") -> str:
    """A table element for each block, the notes as paragraphs below."""
    parts = []
    title = ""
    for block in blocks(table):
        if block.title and block.title != title:
            title = block.title
            parts.append(f"<p><b>{_escaped(title)}</b></p>")
        align = ["left" if index < block.left else "right" for index in range(len(block.names))]
        head = _cells("th", block.names, align)
        body = "\n".join(f"<tr>{_cells('td', line, align)}</tr>" for line in block.lines)
        parts.append(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>")
    parts += [f"<p><small>{_escaped(note)}</small></p>" for note in notes(table)]
    return "\n".join(parts)


def _cells(tag: str, texts: list[str], align: list[str]) -> str:
    return "".join(
        f'<{tag} style="text-align: {side}">{_escaped(text)}</{tag}>'
        for text, side in zip(texts, align, strict=True)
    )


def _escaped(text: str) -> str:
    return markup.escape(printable(text))
