"""Blocks as HTML, for notebooks and pages."""

import html as markup
from collections.abc import Iterable, Sequence

from certus.printable import printable
from certus.table.block import Block

__all__ = ["html"]


def html(blocks: Iterable[Block], notes: Sequence[str]) -> str:
    """A table element for each block, the notes as paragraphs below."""
    parts = []
    title = ""
    for block in blocks:
        if block.title and block.title != title:
            title = block.title
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
    return markup.escape(printable(text)).encode("ascii", "xmlcharrefreplace").decode()
